/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_private_mean.c - the family private_mean: its constants by enumeration, its records one by one, blocks of
 * coordinates compared with single coordinates, records compared with their mean, and independently measured
 * values.
 *
 * Serves: dp-gcd
 *
 * Four two-sample Kolmogorov-Smirnov tests reject at D sqrt(n/2) > 3.3, each at the level 7e-10: D is the largest
 * difference of the two distribution functions, n = RUNS the size of each sample. */
#include "support/method.h"
#include "run/run.h"

#include <stdlib.h>

/* --- constants */

/* The constants are those of the definitions: 1/mu_M1 is the maximum of s' H~^-1 s over signs s, where H~ =
 * diag(h_j/M) and h_j is the curvature along coordinate j, and R_M1^2 = 2 xi_0/mu_M1, where xi_0 is the excess at
 * the start. */
static void s1_3_constants(void **state)
{
    struct instance in = INSTANCE(memory, "private_mean", { "d", 4 }, { "kappa", 0.25 },
                                  { "rest", 1 }, { "M", 2 }, { "alpha", 0.1 }, { "r", 0.5 });
    double h[4] = { 0.25, 1, 1, 1 }, most = 0, gap = 0.25 * 0.25 / 2 + 3 * 0.01 / 2;
    for (int s = 0; s < 16; s++) {
        double form = 0;
        for (int j = 0; j < 4; j++)
            form += 2 / h[j] * (s >> j & 1 ? 1 : -1) * (s >> j & 1 ? 1 : -1);
        most = fmax(most, form);
    }
    expect_near("1/mu_M1", 1 / in.f.mu_M1, most, 1e-13);
    expect_near("mu_M2", in.f.mu_M2, 0.125, 1e-15);
    expect_near("xi_0", in.f.Phi, gap, 1e-15);
    expect_near("R_M1", in.f.R_M1, sqrt(2 * gap * most), 1e-13);
    assert_true(in.f.mu_M1 <= 0.25 && in.f.M == 2 && in.f.L_j[3] == 1 && in.f.M_j[0] == 2);

    struct instance flat = INSTANCE(memory, "private_mean", { "d", 0x1p40 }, { "kappa", 0.01 },
                                    { "r", 3 }, { "blocks", 1 });
    assert_true(flat.f.d == 2 && flat.f.p == 0x1p40 && flat.f.mu_M1 == 0 && flat.f.mu == 0);
    expect_near("R_M1 of flat", flat.f.R_M1, 3, 1e-14);
    struct instance dense = INSTANCE(memory, "private_mean", { "d", 64 }, { "active", 64 },
                                     { "kappa", 0.3 }, { "r", 0.125 });
    expect_near("R_M1 of dense", dense.f.R_M1, 8, 1e-14);
    expect_near("distance of dense", dense.f.dist, 1, 1e-14);
    expect_near("1/mu_M1 of dense", 1 / dense.f.mu_M1, 64 / 0.3, 1e-11);
}

/* --- records: entries are in [-1, 1], at most one entry of a column is neither 1 nor -1, and the mean of column j
 * is exactly h_j w*_j */
static void s6_2_records(void **state)
{
    for (long n = 1; n <= 40; n++) {
        struct instance in = INSTANCE(memory, "private_mean", { "d", 5 }, { "n", (double)n },
                                      { "kappa", 0.7 }, { "rest", 0.5 }, { "alpha", 0.31 },
                                      { "r", 0.9 });
        double x[5] = { 0 }, star[5], g[5], sum[5] = { 0 };
        int inside[5] = { 0 };
        assert_true(in.p->minimiser(in.self, star));
        for (long i = 0; i < n; i++) {
            instance_sample_grad(&in, i, x, g);      /* the gradient at 0 of the loss of a record s is -s */
            for (int j = 0; j < 5; j++) {
                assert_true(fabs(g[j]) <= 1 + 1e-15);
                inside[j] += fabs(g[j]) < 1 - 1e-12;
                sum[j] -= g[j];
            }
        }
        for (int j = 0; j < 5; j++) {
            expect_near("mean", sum[j] / (double)n, (j ? 0.5 : 0.7) * star[j], 1e-13);
            assert_true(inside[j] <= 1);
        }
    }
}

/* --- runs of dp-gcd: equal laws, and charges */

static struct goal goal_of(double T)
{
    struct goal g = goal_unknown();
    g.eps = 1;
    g.delta = 1e-6;
    g.T = T;
    return g;
}

static double excess_of(const struct instance *in, const double *x)
{
    double error;
    return in->p->measures[0].at(in->self, x, &error);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { RUNS = 400 };

/* y[runs] <- the excesses of runs with the seeds seed, seed + 1, ..., in ascending order; returns their mean. */
static double runs_of(const struct instance *in, double T, uint64_t seed, int runs, double *y)
{
    struct goal g = goal_of(T);
    struct method *m = METHOD("dp-gcd", in, &g, { "accounting", 0, "thm42" },
                              { "rnm_mode", 0, "paper" });
    double sum = 0;
    for (int k = 0; k < runs; k++) {
        y[k] = excess_of(in, method_run(m, seed + (uint64_t)k, nobody));
        sum += y[k];
    }
    qsort(y, (size_t)runs, sizeof *y, by_value);
    method_free(m);
    return sum / runs;
}

static void same_law(const struct instance *a, const struct instance *b, double T)
{
    double x[RUNS], y[RUNS], D = 0;
    runs_of(a, T, 1000, RUNS, x);
    runs_of(b, T, 9000, RUNS, y);
    for (int i = 0, j = 0; i < RUNS && j < RUNS;) {
        double at = fmin(x[i], y[j]) * (1 + 1e-9);
        while (i < RUNS && x[i] <= at)
            i++;
        while (j < RUNS && y[j] <= at)
            j++;
        D = fmax(D, abs(i - j) / (double)RUNS);
    }
    if (D * sqrt(RUNS / 2.0) > 3.3)
        fail_msg("%s and %s differ by %g", a->name, b->name, D);
}

/* Runs have the same law whether the coordinates that are not active are one block or single ones: first without
 * curvature, then with curvature 1 and minimisers at distance 0.01. */
static void s6_2_blocks(void **state)
{
    struct instance each = INSTANCE(memory, "private_mean", { "d", 1000 }, { "n", 1e4 },
                                    { "r", 1 }, { "kappa", 0.09 });
    struct instance block = INSTANCE(memory, "private_mean", { "d", 1000 }, { "n", 1e4 },
                                     { "r", 1 }, { "kappa", 0.09 }, { "blocks", 1 });
    same_law(&each, &block, NAN);
    struct instance tail = INSTANCE(memory, "private_mean", { "d", 200 }, { "n", 1e4 },
                                    { "r", 0.08 }, { "rest", 1 }, { "alpha", 0.01 });
    struct instance tail_block = INSTANCE(memory, "private_mean", { "d", 200 }, { "n", 1e4 },
                                          { "r", 0.08 }, { "rest", 1 }, { "alpha", 0.01 },
                                          { "blocks", 1 }, { "free", 30 });
    same_law(&tail, &tail_block, 30);
}

/* Runs have the same law whether the gradient is summed over the records or computed from their mean. */
static void s6_2_modes(void **state)
{
    static const double n[] = { 1e3, 1e4 };
    for (int k = 0; k < 2; k++) {
        struct instance mean = INSTANCE(memory, "private_mean", { "d", 6 }, { "n", n[k] },
                                        { "kappa", 0.1 }, { "r", 1 });
        struct instance records = INSTANCE(memory, "private_mean", { "d", 6 }, { "n", n[k] },
                                           { "kappa", 0.1 }, { "r", 1 }, { "mode", 0, "records" });
        same_law(&mean, &records, k ? 2 : 20);
    }
}

/* The noise depends on n and eps only by their product: runs with the same n eps are equal. Every coordinate is
 * charged, also those of a block. */
static void s6_3_invariance_and_charges(void **state)
{
    struct instance a = INSTANCE(memory, "private_mean", { "d", 0x1p40 }, { "n", 1e5 }, { "r", 1 },
                                 { "kappa", 0.05 }, { "blocks", 1 });
    struct instance b = INSTANCE(memory, "private_mean", { "d", 0x1p40 }, { "n", 1e6 }, { "r", 1 },
                                 { "kappa", 0.05 }, { "blocks", 1 });
    struct goal one = goal_of(NAN), tenth = one;
    tenth.eps = 0.1;
    struct method *x = METHOD("dp-gcd", &a, &one, { "accounting", 0, "thm42" });
    struct method *y = METHOD("dp-gcd", &b, &tenth, { "accounting", 0, "thm42" });
    double T = method_param(x, "T");
    assert_true(T == 224 && T == method_param(y, "T"));
    expect_near("excess", excess_of(&a, method_run(x, 5, nobody)),
                excess_of(&b, method_run(y, 5, nobody)), 1e-12);
    expect_count(&x->o, COUNT_noise_laplace, T * (0x1p40 + 1));
    expect_near("derivatives", x->o.counts.of[COUNT_coords], T * 1e5 * 0x1p40, 1e-12);
    method_free(x);
    method_free(y);
}

/* --- independently measured values */

/* The mean excess at the worst of the curvatures kappa = lambda log(p) 10^(g/10), g = -9, ..., 5, where lambda = 8
 * (T log 10^6)^(1/2)/n, is compared with a value measured independently. The worst g is found by 24 runs at each g,
 * and the mean is that of 600 other runs there. The excess of a run has a relative deviation below 0.6, so that
 * this mean has one of 2.5%, and the value compared with it as much; the maximum is flat. The tolerance of 15% is
 * four deviations of their difference. */
static void s6_3_measured(void **state)
{
    static const struct { double n, p, value; } seen[] = {
        { 1e4, 1000, 3.42e-2 }, { 1e5, 1000, 7.47e-3 }, { 1e6, 1000, 1.61e-3 },
        { 1e6, 0x1p40, 1.00e-2 } };
    double y[600];
    for (size_t k = 0; k < sizeof seen / sizeof *seen; k++) {
        double T = rint(pow(seen[k].n, 2. / 3) / (4 * cbrt(log(1e6)))), most = 0, worst = 0;
        double lambda = 8 * sqrt(T * log(1e6)) / seen[k].n;
        for (int g = -9; g <= 6; g++) {
            bool last = g == 6;
            double kappa = last ? worst : lambda * log(seen[k].p) * pow(10, g / 10.0);
            struct instance in = INSTANCE(memory, "private_mean", { "d", seen[k].p },
                                          { "n", seen[k].n }, { "r", 1 }, { "kappa", kappa },
                                          { "blocks", 1 });
            double mean = runs_of(&in, NAN, last ? 777 : 77, last ? 600 : 24, y);
            if (last)
                expect_near("worst mean excess", mean, seen[k].value, 0.15 * seen[k].value);
            if (mean > most) {
                most = mean;
                worst = kappa;
            }
        }
    }
}

/* For T = 10 steps and tau = 5 large entries of size a lambda, lambda = 8 (T log 10^6)^(1/2)/n, the mean excess at
 * the worst a is compared with a table of sqrt(excess)/lambda. The maximum is near a = sqrt(2/tau) times the value
 * of the table, so that a runs over a grid of ratio 1.12 around it. */
static void s6_5_measured(void **state)
{
    static const struct { double p, value; } seen[] = {
        { 64, 3.69 }, { 1024, 6.57 }, { 1e6, 15.5 }, { 1e9, 25.4 } };
    double lambda = 8 * sqrt(10 * log(1e6)) / 1e6, y[600];
    for (size_t k = 0; k < sizeof seen / sizeof *seen; k++) {
        double most = 0;
        for (double a = 0.4 * seen[k].value; a < 1.1 * seen[k].value; a *= 1.12) {
            const struct with with[] = { { "d", seen[k].p }, { "n", 1e6 }, { "active", 5 },
                                         { "r", a }, { "r_unit", lambda }, { "rest", 1 },
                                         { "blocks", 1 }, { "free", 10 }, { 0 } };
            struct instance in = instance_of(memory, "private_mean", with);
            most = fmax(most, runs_of(&in, 10, 99, 300, y));
        }
        expect_near("sqrt(worst)/lambda", sqrt(most) / lambda, seen[k].value, 0.07 * seen[k].value);
    }
}

/* --- refusals */

static void s6_2_refusals(void **state)
{
    static const struct { struct with with[4]; const char *words; } bad[] = {
        { { { "d", 3 }, { "active", 4 } }, "active = 4" },
        { { { "kappa", 0.8 }, { "r", 2 } }, "curvature times |w*|" },
        { { { "kappa", 2 }, { "r", 0.1 } }, "M = 1" },
        { { { "rest", 1 }, { "blocks", 1 } }, "free = 0" },
        { { { "d", 1e9 } }, "at most 1e8" } };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct why why = { "" };
        struct instance in;
        assert_int_equal(instance_with(memory, registry_problem("private_mean"), bad[k].with, &in,
                                       &why), BAD_INPUT);
        if (!strstr(why.text, bad[k].words))
            fail_msg("\"%s\", expected \"%s\"", why.text, bad[k].words);
    }
}

/* On an instance with blocks of coordinates a method that does not know blocks is refused, and so is a run that
 * moves more coordinates than the parameter `free` has room for. */
static void s6_2_blocks_refused(void **state)
{
    struct runner *rn = runner_new(0);
    static const struct { const char *algo, *words; double free; } bad[] = {
        { "gd", "blocks of them", 8 }, { "dp-gcd", "more coordinates", 3 } };
    for (int k = 0; k < 2; k++) {
        struct bag bag = { 0 };
        struct cell *c;
        bag_put(&bag, "problem.blocks", 1);
        bag_put(&bag, "problem.rest", 1);
        bag_put(&bag, "problem.alpha", 0.1);
        bag_put(&bag, "problem.free", bad[k].free);
        bag_put(&bag, "goal.T", 8);
        assert_int_equal(cell_make("private_mean", bad[k].algo, &bag, 0, &c, NULL), OK);
        struct record *r = run_cell(rn, c, NULL);
        assert_int_equal(r->outcome, OUTCOME_REFUSED);
        assert_non_null(strstr(r->message, bad[k].words));
        record_free(r);
        cell_free(c);
        bag_free(&bag);
    }
    runner_free(rn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s1_3_constants),
        cmocka_unit_test(s6_2_records),
        cmocka_unit_test(s6_2_blocks),
        cmocka_unit_test(s6_2_modes),
        cmocka_unit_test(s6_3_invariance_and_charges),
        cmocka_unit_test(s6_3_measured),
        cmocka_unit_test(s6_5_measured),
        cmocka_unit_test(s6_2_refusals),
        cmocka_unit_test(s6_2_blocks_refused),
    };
    return cmocka_run_group_tests_name("private mean", tests, setup, teardown);
}
