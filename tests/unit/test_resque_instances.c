/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_resque_instances.c - the instances of the parallel methods: ties of the largest coordinate, the start
 * on the diagonal of the maximum, NaN; span methods and Gaussian queries.
 *
 * Serves: resque */
#include "support/method.h"

/* The coordinates of a point have few different values, so that many of them are equal. The subgradient of the
 * maximum is that of the first of the largest coordinates, in any dimension. */
static void u12_the_first_of_the_largest(void **state)
{
    struct rng r = rng_stream(1);
    for (long d = 1; d <= 300; d = d < 20 ? d + 1 : d + 17) {
        struct instance in = INSTANCE(memory, "coercive_max", { "d", (double)d }, { "R", 1e6 });
        for (int k = 0; k < 50; k++) {
            double x[300], g[300];
            long first = 0;
            for (long j = 0; j < d; j++)
                x[j] = (double)rng_below(&r, k % 2 ? 3 : 1000) - (k % 3 ? 500 : 0);
            for (long j = d - 1; j >= 0; j--)
                first = x[j] >= x[first] ? j : first;
            in.p->grad(in.self, x, g);
            for (long j = 0; j < d; j++)
                assert_true(g[j] == (j == first));
            expect_near("value", in.p->value(in.self, x), x[first], 0);
        }
    }
}

static void u12_a_nan_shows(void **state)
{
    double error, x[100];
    struct instance in = INSTANCE(memory, "coercive_max", { "d", 100 });
    for (int j = 0; j < 100; j += 9) {
        vec_zero(100, x);
        x[j] = NAN;
        assert_true(isnan(in.p->value(in.self, x)));
        assert_true(isnan(in.p->measures[0].at(in.self, x, &error)));
    }
}

/* A maximum of m = (kappa/1.5)^2 coordinates has a start with the excess 1.5/kappa, so that no run has reached the
 * accuracy 1/kappa at its start (item T2 of docs/papers/resque.md). */
static void h1_the_diagonal(void **state)
{
    for (double kappa = 6; kappa <= 96; kappa *= 2) {
        double m = rint(kappa * kappa / 2.25);
        struct instance in = INSTANCE(memory, "coercive_max", { "d", m });
        expect_near("start", in.f.Phi * kappa, 1.5, 1e-12);
    }
}

/* After k subgradients, d - k coordinates of a span method are still 0 (item E14 of docs/papers/resque.md). A
 * Gaussian query may show any coordinate: d queries about 0 show more than half of the coordinates in one round. */
static void e14_gaussian_queries_leave_the_span(void **state)
{
    enum { D = 256 };
    struct instance in = INSTANCE(memory, "coercive_max", { "d", D });
    struct rng r = rng_stream(3);
    double x[D] = { 0 }, g[D], seen[D] = { 0 }, count = 0;
    for (int k = 0; k < D / 4; k++) {
        in.p->grad(in.self, x, g);
        assert_true(g[k] == 1 && in.p->value(in.self, x) == 0);
        x[k] -= 0.01;
    }
    for (int k = 0; k < D; k++) {
        rng_normals(&r, D, 0.01, x);
        in.p->grad(in.self, x, g);
        for (int j = 0; j < D; j++)
            seen[j] += g[j];
    }
    for (int j = 0; j < D; j++)
        count += seen[j] > 0;
    assert_true(count > D / 2);      /* D (1 - 1/e) = 162 +- 6 are expected */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u12_the_first_of_the_largest), cmocka_unit_test(u12_a_nan_shows),
        cmocka_unit_test(h1_the_diagonal), cmocka_unit_test(e14_gaussian_queries_leave_the_span),
    };
    return cmocka_run_group_tests_name("instances of the parallel part", tests, setup, teardown);
}
