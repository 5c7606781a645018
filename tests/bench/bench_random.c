/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_random.c - vectors of random numbers and rows of short ones, with normals compared with the ziggurat of the
 * GSL on its Mersenne twister; exponentials and logistic functions of vectors, compared with those of libm.
 *
 * The column `share` is the part of the machine's limit that is reached. What bounds it: the slope of a sigmoid
 * takes 49 sums and products, 30 of them fused to 15, and a quotient. The limit assumes that all are fused, so that
 * without the quotient it could reach seven tenths. The other functions and draws are likewise bound by their
 * operations, not by the bytes in the table. A processor holds some 130 unfinished results: what waits for a
 * quotient or a root is therefore done in a loop of its own, which saves a tenth of slopes on a Zen 3, and an
 * eighth of softplus and Laplace variables. Normals with logarithm, root and point of the circle in three loops in
 * place of two were at most 1.5% faster.
 *
 * Directions on the sphere, on a Zen 4, for one of 256 coordinates: 347 ns for normals, 13 for squares, 10 for a
 * root and a quotient that wait for them, 26 to scale the numbers: 1.14 times the normals with 512 bits, 1.11 with
 * 256 bits (520 ns of normals). Summing squares while drawing gains 2% there and loses as much on short rows. Rows
 * that are drawn together share the wait: 1.09 to 1.11 for 256, 1.11 to 1.15 for 40 coordinates. Rows of 8 need a
 * quarter as many roots and quotients as their normals do, from one divider: 1.15. On a Zen 3 (AVX2, 2.4 ns a
 * normal): 256: 1.10; 16384: 1.07; 100000, beyond the second cache: 1.12, with two passes; rows of 8: 1.14, of 40:
 * 1.12, of 64: 1.10. Summing squares while drawing took 1 to 2% longer there, also in pieces of 2048. */
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_randist.h>

#include "nights/gbench.h"
#include "rng.h"
#include "vmath.h"

/* Operations for one number in lanes_math.h and lanes_random.h: sums, products, quotients and roots; a fused
 * multiply-add is two. Two normals take one logarithm (26), one root (4) and one point of the circle (36). */
enum { EXP_FLOPS = 30, LOGISTIC_FLOPS = 43, SLOPE_FLOPS = 47, SOFTPLUS_FLOPS = 62, LABEL_FLOPS = 2,
       NORMAL_FLOPS = 33, LAPLACE_FLOPS = 27, UNIFORM_FLOPS = 1, UNIT_FLOPS = 3 };
enum { D = 256, LONG = 16384, FAR = 100000, ROWS = 32, SHORT = 8, MIDDLE = 40 };

struct draws { long d; struct rng rng; gsl_rng *peer; double x[FAR], y[D]; };
static struct draws draws = { .d = D }, many = { .d = LONG }, far = { .d = FAR }, rows = { .d = SHORT },
                    wide_rows = { .d = MIDDLE }, long_rows = { .d = D };

#define REPEAT(name, call)                          \
    static void name(void *p, long iterations)      \
    {                                               \
        struct draws *v = p;                        \
        for (long k = 0; k < iterations; k++) {     \
            call;                                   \
            __asm__ volatile("" ::: "memory");      \
        }                                           \
    }

REPEAT(normals, rng_normals(&v->rng, v->d, 1, v->x))
REPEAT(laplaces, rng_laplaces(&v->rng, v->d, M_SQRT1_2, v->x))
REPEAT(uniforms, rng_uniforms(&v->rng, v->d, v->x))
REPEAT(sphere, rng_sphere(&v->rng, v->d, v->x))
REPEAT(ball, rng_ball(&v->rng, v->d, v->x))
REPEAT(normal_rows, rng_normals_rows(&v->rng, v->rng.block += ROWS, ROWS, v->d, 1, v->x))
REPEAT(sphere_rows, rng_sphere_rows(&v->rng, v->rng.block += ROWS, ROWS, v->d, v->x))
REPEAT(single, for (int j = 0; j < D; j++) v->x[j] = rng_normal(&v->rng))
REPEAT(ziggurat, for (int j = 0; j < D; j++) v->x[j] = gsl_ran_gaussian_ziggurat(v->peer, 1))
REPEAT(exponential, vmath_exp(v->d, v->x, v->y))
REPEAT(exponential_libm, for (int j = 0; j < D; j++) v->y[j] = exp(v->x[j]))
REPEAT(logistic, vmath_logistic(v->d, v->x, v->y))
REPEAT(logistic_slope, vmath_logistic_slope(v->d, v->x, v->y))
/* The function is applied again and again in place, since its time does not depend on its argument. */
REPEAT(labelled_slope, vmath_turned_logistic_slope(D, v->x, v->y))
REPEAT(softplus, vmath_log1pexp(v->d, v->x, v->y))

/* Mean and variance of all draws must be within six standard errors. The fourth central moment of the laws is at
 * most 6 variance^2, so that a square has at most the variance 5 variance^2. */
static int of_law(struct draws *v, long m, void (*draw)(void *, long), double mean, double variance)
{
    long times = 1 + 256000 / m;
    double sum = 0, square = 0, n = (double)times * (double)m;
    for (long k = 0; k < times; k++) {
        draw(v, 1);
        for (long j = 0; j < m; j++) {
            sum += v->x[j];
            square += (v->x[j] - mean) * (v->x[j] - mean);
        }
    }
    return !(fabs(sum / n - mean) < 6 * sqrt(variance / n)) ||
           !(fabs(square / n - variance) < 6 * variance * sqrt(5 / n));
}

static double d_of(void *p) { return (double)((struct draws *)p)->d; }

static int normals_right(void *p)     { return of_law(p, (long)d_of(p), normals, 0, 1); }
static int laplaces_right(void *p)    { return of_law(p, (long)d_of(p), laplaces, 0, 1); }
static int uniforms_right(void *p)    { return of_law(p, (long)d_of(p), uniforms, 0.5, 1.0 / 12); }
static int sphere_right(void *p)      { return of_law(p, (long)d_of(p), sphere, 0, 1 / d_of(p)); }
static int ball_right(void *p)        { return of_law(p, (long)d_of(p), ball, 0, 1 / (d_of(p) + 2)); }
static int normal_rows_right(void *p) { return of_law(p, ROWS * (long)d_of(p), normal_rows, 0, 1); }
static int sphere_rows_right(void *p) { return of_law(p, ROWS * (long)d_of(p), sphere_rows, 0, 1 / d_of(p)); }
static int single_right(void *p)      { return of_law(p, D, single, 0, 1); }
static int ziggurat_right(void *p)    { return of_law(p, D, ziggurat, 0, 1); }

/* Checks that `run` computes f to a relative 1e-15 at normal arguments. */
static int map_right(struct draws *v, void (*run)(void *, long), double (*f)(double))
{
    int wrong = 0;
    normals(v, 1);
    run(v, 1);
    for (int j = 0; j < D; j++)
        wrong += !(fabs(v->y[j] / f(v->x[j]) - 1) < 1e-15);
    return wrong;
}

static double logistic_of(double x) { return 1 / (1 + exp(-x)); }
static double logistic_slope_of(double x) { return logistic_of(x) * logistic_of(-x); }
static double softplus_of(double x) { return log1p(exp(x)); }

static int exponential_right(void *p) { return map_right(p, exponential, exp); }
static int libm_right(void *p)        { return map_right(p, exponential_libm, exp); }
static int logistic_right(void *p)    { return map_right(p, logistic, logistic_of); }
static int logistic_slope_right(void *p)
{
    return map_right(p, logistic_slope, logistic_slope_of);
}

/* Checks one application of labelled_slope, for labels 1 and -1. */
static int labelled_slope_right(void *p)
{
    struct draws *v = p;
    long wrong = 0;
    for (int j = 0; j < D; j++) {
        v->x[j] = j % 3 ? 1 : -1;
        v->y[j] = 0.1 * j - 12;
    }
    labelled_slope(v, 1);
    for (int j = 0; j < D; j++)
        wrong += !(fabs(v->y[j] / (-v->x[j] * logistic_slope_of(0.1 * j - 12)) - 1) < 1e-14);
    return wrong != 0;
}
static int softplus_right(void *p)    { return map_right(p, softplus, softplus_of); }

static void begin(void)
{
    draws.rng = many.rng = far.rng = rows.rng = wide_rows.rng = long_rows.rng = rng_stream(1);
    draws.peer = gsl_rng_alloc(gsl_rng_mt19937);
    if (!draws.peer)
        abort();
}

static void end(void)
{
    gsl_rng_free(draws.peer);
}

#define MADE(n, each) .bytes = 8.0 * (n), .written = 8.0 * (n), .flops = (double)(each) * (n), .items = (n), \
                      .working_set = 8.0 * (n)
#define MAPPED(n, each) .bytes = 16.0 * (n), .written = 8.0 * (n), .flops = (double)(each) * (n), .items = (n), \
                        .working_set = 16.0 * (n)

static const struct gbench_case cases[] = {
    { "normals", "256", &draws, normals, normals_right, MADE(D, NORMAL_FLOPS), .peer = "ziggurat, GSL" },
    { "normals", "16384", &many, normals, normals_right, MADE(LONG, NORMAL_FLOPS) },
    { "normals", "100000", &far, normals, normals_right, MADE(FAR, NORMAL_FLOPS) },
    { "normals, one by one", "256", &draws, single, single_right, MADE(D, NORMAL_FLOPS), .peer = "ziggurat, GSL" },
    { "ziggurat, GSL", "256", &draws, ziggurat, ziggurat_right, MADE(D, 0) },
    { "laplaces", "256", &draws, laplaces, laplaces_right, MADE(D, LAPLACE_FLOPS) },
    { "uniforms", "256", &draws, uniforms, uniforms_right, MADE(D, UNIFORM_FLOPS) },
    { "sphere", "256", &draws, sphere, sphere_right, MADE(D, NORMAL_FLOPS + UNIT_FLOPS), .peer = "normals" },
    { "sphere", "16384", &many, sphere, sphere_right, MADE(LONG, NORMAL_FLOPS + UNIT_FLOPS), .peer = "normals" },
    { "sphere", "100000", &far, sphere, sphere_right, MADE(FAR, NORMAL_FLOPS + UNIT_FLOPS), .peer = "normals" },
    { "ball", "256", &draws, ball, ball_right, MADE(D, NORMAL_FLOPS + UNIT_FLOPS), .peer = "normals" },
    { "rows of normals", "32 x 8", &rows, normal_rows, normal_rows_right, MADE(ROWS * SHORT, NORMAL_FLOPS) },
    { "rows on the sphere", "32 x 8", &rows, sphere_rows, sphere_rows_right,
      MADE(ROWS * SHORT, NORMAL_FLOPS + UNIT_FLOPS),
      .peer = "rows of normals" },
    { "rows of normals", "32 x 40", &wide_rows, normal_rows, normal_rows_right, MADE(ROWS * MIDDLE, NORMAL_FLOPS) },
    { "rows on the sphere", "32 x 40", &wide_rows, sphere_rows, sphere_rows_right,
      MADE(ROWS * MIDDLE, NORMAL_FLOPS + UNIT_FLOPS),
      .peer = "rows of normals" },
    { "rows of normals", "32 x 256", &long_rows, normal_rows, normal_rows_right, MADE(ROWS * D, NORMAL_FLOPS) },
    { "rows on the sphere", "32 x 256", &long_rows, sphere_rows, sphere_rows_right,
      MADE(ROWS * D, NORMAL_FLOPS + UNIT_FLOPS),
      .peer = "rows of normals" },
    { "exp", "256", &draws, exponential, exponential_right, MAPPED(D, EXP_FLOPS), .peer = "exp, libm" },
    { "exp, libm", "256", &draws, exponential_libm, libm_right, MAPPED(D, 0) },
    { "logistic", "256", &draws, logistic, logistic_right, MAPPED(D, LOGISTIC_FLOPS) },
    { "logistic slope", "256", &draws, logistic_slope, logistic_slope_right, MAPPED(D, SLOPE_FLOPS) },
    { "slopes of a sigmoid, labels", "256", &draws, labelled_slope, labelled_slope_right, .bytes = 24.0 * D,
      .written = 8.0 * D, .flops = (SLOPE_FLOPS + LABEL_FLOPS) * (double)D, .items = D, .working_set = 16.0 * D },
    { "log1pexp", "256", &draws, softplus, softplus_right, MAPPED(D, SOFTPLUS_FLOPS) },
    { 0 }
};

const struct gbench_group bench_random = { "random", cases, begin, end };
