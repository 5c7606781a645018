/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_spectral_stored.c - records of the log-spaced quadratic: their mean by adding them up one by one, the
 * minimiser by descent, and the excess by subtraction. */
#include "support/instances.h"

static double excess(const struct instance *in, const double *x)
{
    double error = NAN, value = in->p->measures[0].at(in->self, x, &error);
    assert_true(error == 0);
    return value;
}

static const struct { double d, n, decades, rr, s; } cases[] = {
    { 4, 300, 1, 0.5, 1 },           /* the minimiser is inside the ball */
    { 4, 300, 1, 1.4, 1 },           /* the minimiser is outside the ball, as is that of the population */
    { 5, 20, 1.5, 0.9, 3 },          /* the minimiser is outside because of the records */
    { 1, 7, 0, 0.5, 1 },
    { 3, 1, 1, 0.2, 0.5 },           /* a single record */
};
enum { CASES = sizeof cases / sizeof *cases };

static struct instance made(struct arena *a, int k)
{
    return INSTANCE(a, "spectral_stored", { "d", cases[k].d }, { "n", cases[k].n },
                    { "decades", cases[k].decades }, { "rr", cases[k].rr }, { "s", cases[k].s });
}

static void test_mean_of_the_records(void **state)
{
    struct arena *a = arena_new(0);
    for (int k = 0; k < CASES; k++) {
        struct instance in = made(a, k);
        struct rng r = rng_stream(3);
        double x[8], g[8], sum[8] = { 0 }, value = 0, n = in.f.n;
        rng_ball(&r, in.d, x);
        assert_true(n == cases[k].n);
        for (long i = 0; i < (long)n; i++) {
            value += in.p->sample_value(in.self, i, x) / n;
            in.p->sample_grad(in.self, i, x, 1 / n, sum);
        }
        in.p->grad(in.self, x, g);
        EXPECT(&in, fabs(value - in.p->value(in.self, x)) < 1e-13 * (1 + fabs(value)), "F");
        EXPECT(&in, vec_dist(in.d, g, sum) < 1e-13, "off by %g", vec_dist(in.d, g, sum));
    }
    arena_free(a);
}

/* Projected descent with step 1/M contracts by 1 - 10^-D a step, D the decades: after 4000 steps e^-126 of the
 * distance is left. */
static void test_minimiser(void **state)
{
    struct arena *a = arena_new(0);
    int outside = 0;
    for (int k = 0; k < CASES; k++) {
        struct instance in = made(a, k);
        double x[8] = { 0 }, g[8], best[8];
        for (int t = 0; t < 4000; t++) {
            in.p->grad(in.self, x, g);
            vec_axpy(in.d, -1 / in.f.M, g, x);
            in.p->sets[0].project(in.self, x);
        }
        assert_true(in.p->minimiser(in.self, best));
        EXPECT(&in, vec_dist(in.d, x, best) < 1e-12, "off by %g", vec_dist(in.d, x, best));
        EXPECT(&in, fabs(excess(&in, x)) < 1e-14, "%g", excess(&in, x));
        EXPECT(&in, fabs(in.p->value(in.self, x) - in.f.f_star) < 1e-13, "F* = %g", in.f.f_star);
        outside += fabs(vec_norm(in.d, best) - in.f.radius) < 1e-14;
    }
    assert_true(outside >= 2 && outside < CASES);
    arena_free(a);
}

/* The expected excess is a difference of values, which has thirteen digits where it is of order 1. With seven
 * decades of eigenvalues the noise moves the minimiser, along eigenvectors with small eigenvalues, to the
 * sphere. */
static void test_excess(void **state)
{
    struct arena *a = arena_new(0);
    for (int k = 0; k <= CASES; k++) {
        struct instance in = k < CASES ? made(a, k) : INSTANCE(a, "spectral_stored", { "d", 8 });
        struct rng r = rng_stream(4);
        double x[8], best[8], least = INFINITY;
        in.p->minimiser(in.self, best);
        for (int t = 0; t < 200; t++) {
            rng_ball(&r, in.d, x);
            double subtracted = in.p->value(in.self, x) - in.p->value(in.self, best);
            EXPECT(&in, fabs(excess(&in, x) - subtracted) < 1e-13 * (1 + subtracted), "%g, not %g",
                   excess(&in, x), subtracted);
            least = fmin(least, subtracted);
        }
        EXPECT(&in, least >= 0 && excess(&in, best) == 0, "%g", least);
        if (k == CASES)
            EXPECT(&in, fabs(vec_norm(in.d, best) - 1) < 1e-14, "%g", vec_norm(in.d, best));
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean_of_the_records), cmocka_unit_test(test_minimiser),
        cmocka_unit_test(test_excess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
