/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_vmath.c - vector functions, compared with the C library's long double functions, whose error is 2^-10 of a
 * unit in the last place of a double; the bits are equal at every level, length and position. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/levels.h"
#include "rng.h"
#include "vmath.h"

enum { N = 100000 };
static double x[N], y[LANES_COUNT][N];

static long double log1pexp(long double z)
{
    return z > 0 ? z + log1pl(expl(-z)) : log1pl(expl(z));
}
static long double logistic(long double z) { return 1 / (1 + expl(-z)); }
static long double logistic_slope(long double z) { return logistic(z) * logistic(-z); }

static const struct function {
    const char *name;
    void (*fast)(long, const double *, double *);
    long double (*exact)(long double);
    double units; /* the bound in units in the last place; only for a bound below 2 the correction term of the
                     logistic function is needed */
    struct {
        double at, y;
    } edge[7];
} functions[] = {
    { "exp",
      vmath_exp,
      expl,
      2,
      { { 0, 1 },
        { -0.0, 1 },
        { INFINITY, INFINITY },
        { -INFINITY, 0 },
        { 709.8, INFINITY },
        { -745.2, 0 },
        { 1e308, INFINITY } } },
    { "log",
      vmath_log,
      logl,
      2,
      { { 1, 0 },
        { 0, -INFINITY },
        { -0.0, -INFINITY },
        { INFINITY, INFINITY },
        { -1, NAN },
        { -INFINITY, NAN },
        { -5e-324, NAN } } },
    { "log1pexp",
      vmath_log1pexp,
      log1pexp,
      2,
      { { INFINITY, INFINITY },
        { -INFINITY, 0 },
        { 1e308, 1e308 },
        { -1e308, 0 },
        { -745.2, 0 },
        { 800, 800 },
        { 40, 40 } } },
    { "logistic",
      vmath_logistic,
      logistic,
      1.5,
      { { 0, 0.5 },
        { -0.0, 0.5 },
        { INFINITY, 1 },
        { -INFINITY, 0 },
        { -745.2, 0 },
        { 1e308, 1 },
        { -1e308, 0 } } },
    { "logistic_slope",
      vmath_logistic_slope,
      logistic_slope,
      2,
      { { 0, 0.25 },
        { -0.0, 0.25 },
        { INFINITY, 0 },
        { -INFINITY, 0 },
        { 745.2, 0 },
        { 1e308, 0 },
        { -1e308, 0 } } },
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* Draws arguments of every size: near 0, near 1, of order 1, and over the whole range of the function. */
static void arguments(const struct function *f, uint64_t seed)
{
    struct rng r = rng_stream(seed);
    bool log_like = f->fast == vmath_log;
    for (int i = 0; i < N; i++) {
        double u = 2 * rng_uniform(&r) - 1, wide = exp(-80 * rng_uniform(&r));
        switch (i % 5) {
        case 0: x[i] = log_like ? 1 + u / 2 : u; break;
        case 1: x[i] = log_like ? exp(700 * u) : 40 * u; break;
        case 2: x[i] = log_like ? 1 + wide * copysign(0.5, u) : 708 * u; break;
        case 3: x[i] = log_like ? 1 + u * 1e-3 : wide * copysign(1, u); break;
        case 4:
            x[i] = log_like ? 0x1p-1074 * floor(1 + 0x1p52 * fabs(u)) : -708 - 38 * fabs(u);
            break;
        }
    }
}

static void run(int level, void *ctx) { ((const struct function *)ctx)->fast(N, x, y[level]); }

static void within_units_at_every_level(void **state)
{
    for (int k = 0; k < FUNCTIONS; k++) {
        struct function f = functions[k];
        arguments(&f, 200 + (uint64_t)k);
        int levels = each_level(run, &f);
        for (int i = 0; i < N; i++) {
            double off = ulps(y[0][i], f.exact((long double)x[i]));
            if (!(off <= f.units))
                fail_msg("%s(%.17g) = %.17g: %g units off", f.name, x[i], y[0][i], off);
        }
        for (int level = 1; level < levels; level++)
            assert_memory_equal(y[0], y[level], sizeof y[0]);
    }
}

static void expect_edges(int level, void *ctx)
{
    for (int k = 0; k < FUNCTIONS; k++)
        for (int e = 0; e < 8; e++) {
            /* The eighth edge is NaN. Each edge is put at every position of a vector and of the entries after the
             * last whole vector. */
            double at = e < 7 ? functions[k].edge[e].at : NAN,
                   want = e < 7 ? functions[k].edge[e].y : NAN;
            for (long place = 0; place < 19; place++) {
                double v[19], out[19];
                for (int j = 0; j < 19; j++)
                    v[j] = 0.75;
                v[place] = at;
                functions[k].fast(19, v, out);
                if (isnan(want) ? !isnan(out[place]) : out[place] != want)
                    fail_msg("%s(%g) = %g, expected %g", functions[k].name, at, out[place], want);
                assert_true(out[(place + 1) % 19] == out[(place + 2) % 19]);
            }
        }
}

static void limits_of_the_functions(void **state) { each_level(expect_edges, NULL); }

/* A part of a vector, of any length up to 20 and computed in place, has the bits that it has in the whole vector,
 * and nothing outside of the part is written. */
static void expect_splits(int level, void *ctx)
{
    for (int k = 0; k < FUNCTIONS; k++) {
        arguments(&functions[k], 300);
        functions[k].fast(40, x, y[0]);
        for (long d = 0; d <= 20; d++)
            for (long from = 0; from < 18; from++) {
                double part[40];
                memcpy(part, x, sizeof part);
                functions[k].fast(d, part + from, part + from);
                assert_memory_equal(part, x, (size_t)from * sizeof *x);
                assert_memory_equal(part + from, y[0] + from, (size_t)d * sizeof *x);
                assert_memory_equal(part + from + d, x + from + d,
                                    (size_t)(40 - from - d) * sizeof *x);
            }
    }
}

static void splits(void **state) { each_level(expect_splits, NULL); }

/* The neighbours of a number in a vector, whether extreme, NaN or of order 1, do not change the bits of its
 * result. */
static void expect_alone(int level, void *ctx)
{
    static const double met[] = { NAN, 1e300, -1e300, 709, -709, -744, 744, 0x1p-1074, 0.5, -3, 1, 40 };
    enum { KINDS = sizeof met / sizeof *met, MOST = 200 };
    struct rng r = rng_stream(500);
    double at[MOST], out[MOST], alone;
    for (int k = 0; k < FUNCTIONS; k++)
        for (int draw = 0; draw < 300; draw++) {
            long d = 1 + (long)rng_below(&r, MOST);
            uint64_t rare = draw % 2 ? KINDS : 100 * KINDS;
            for (long j = 0; j < d; j++) {
                uint64_t kind = rng_below(&r, rare);
                at[j] = kind < KINDS ? met[kind] : rng_normal(&r);
            }
            functions[k].fast(d, at, out);
            for (long j = 0; j < d; j++) {
                functions[k].fast(1, &at[j], &alone);
                if (isnan(alone) ? !isnan(out[j]) : memcmp(&alone, &out[j], sizeof alone) != 0)
                    fail_msg("%s(%g) = %a alone, %a as number %ld of %ld", functions[k].name, at[j], alone,
                             out[j], j, d);
            }
        }
}

static void neighbours(void **state) { each_level(expect_alone, NULL); }

/* vmath_turned_logistic and vmath_turned_logistic_slope compute -y f(-y x) for labels y, where f is the logistic
 * function or its slope. The error is within two units in the last place for f at the rounded product, and half a
 * unit for the last multiplication. Nothing outside of the vector is written, and every length and level gives the
 * same bits. */
static void expect_turned(int level, void *ctx)
{
    static void (*const turned[])(long, const double *, double *) = {
        vmath_turned_logistic, vmath_turned_logistic_slope
    };
    static long double (*const exact[])(long double) = { logistic, logistic_slope };
    static double first[2][40];
    double label[40];
    struct rng r = rng_stream(400);
    rng_normals(&r, 40, 2, label);
    arguments(&functions[0], 401);
    for (int k = 0; k < 2; k++)
        for (long d = 40; d >= 0; d--) {
            double out[40];
            memcpy(out, x, sizeof out);
            turned[k](d, label, out);
            if (level == 0 && d == 40)
                memcpy(first[k], out, sizeof out);
            assert_memory_equal(out, first[k], (size_t)d * sizeof *out);
            assert_memory_equal(out + d, x + d, (size_t)(40 - d) * sizeof *out);
            for (long j = 0; d == 40 && j < d; j++) {
                double at = -label[j] * x[j];
                assert_true(ulps(out[j], -label[j] * exact[k]((long double)at)) <= 3.5);
            }
        }
}

static void slopes_with_labels(void **state) { each_level(expect_turned, NULL); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_units_at_every_level),
        cmocka_unit_test(limits_of_the_functions),
        cmocka_unit_test(splits),
        cmocka_unit_test(neighbours),
        cmocka_unit_test(slopes_with_labels),
    };
    return cmocka_run_group_tests_name("vmath", tests, NULL, NULL);
}
