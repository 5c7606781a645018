/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_gcd_path.c - the path of dp-gcd without noise, or with given noise, compared with traces computed by
 * hand, the non-private theory and identities. Seeds are fixed: there are no false alarms. mu_{M,1} is the constant
 * of strong convexity in the norm sum_j sqrt(M_j) |v_j|; xi_t is the excess after t steps.
 *
 * Serves: dp-gcd */
#include "support/quadratic.h"

static const char *const rules[3] = { "GS-s", "GS-r", "GS-q" };
#define QUIET { "share", INFINITY }, { "C", INFINITY }
enum { STEPS = 24 };

struct path { double w[STEPS + 1][P_MAX]; };

/* path <- the iterates w_0 ... w_T. Iterate w_t is the answer of a run of t rounds; all runs have the same seed, so
 * that a longer run begins with the shorter one. */
static void walk(const struct quadratic *q, const struct with *with, long T, struct path *path)
{
    struct instance in = quadratic_instance(q);
    memset(path, 0, sizeof *path);
    for (long t = 1; t <= T; t++) {
        struct with all[WITH_MAX + 2] = { { "T", (double)t } };
        for (int k = 0; with[k].name; k++)
            all[k + 1] = with[k];
        struct method *m = method_tuned("dp-gcd", &in, &none, all, NULL);
        vec_copy(q->p, method_run(m, 77, nobody), path->w[t]);
        method_free(m);
    }
}
#define WALK(q, T, path, ...) walk(q, (const struct with[]){ __VA_ARGS__, { 0 } }, T, path)

/* Returns the index of the entry that changed; -1: none, -2: several. */
static long moved(long p, const double *from, const double *to)
{
    long j = -1;
    for (long k = 0; k < p; k++)
        if (from[k] != to[k])
            j = j < 0 ? k : -2;
    return j;
}

/* The method follows the path that was computed by hand, in exact fractions. */
static void s7_1_trace(void **state)
{
    static const double w[4][2] = { { 0, 0 }, { 0, 2.0 / 3 }, { 1.0 / 6, 2.0 / 3 },
                                    { 1.0 / 6, 11.0 / 18 } };
    static const double f[4] = { 0, -2.0 / 3, -0.69444444444444444, -0.69907407407407407 };
    const struct quadratic q = { .p = 2, .H = { { 2, 1 }, { 1, 3 } }, .b = { 1, 2 },
                                 .M = { 2, 3 }, .L = { 1, 1 } };
    struct path path;
    double star[2];
    for (int rule = 0; rule < 3; rule++) {
        WALK(&q, 3, &path, QUIET, { "rule", 0, rules[rule] });
        for (int t = 0; t <= 3; t++) {
            expect_vectors("w", 2, path.w[t], w[t], 1e-15);
            expect_near("f", quadratic_value(&q, path.w[t]), f[t], 1e-15);
        }
    }
    expect_near("f*", quadratic_minimum(&q, star), -0.7, 1e-15);
    expect_vectors("w*", 2, star, (const double[]){ 0.2, 0.6 }, 1e-15);
    expect_near("mu_M1", quadratic_mu_M1(&q), 0.295876, 5e-7);
}

/* Without noise f falls at every step, and its excess satisfies xi_{t+1} <= (1 - mu_{M,1}) xi_t and xi_t <= 2 R^2/t
 * with R^2 = 2 xi_0/mu_{M,1}. The entry that changes has the largest |g_j|/sqrt(M_j), and goes to the minimum along
 * its coordinate. */
static void s7_1_rates(void **state)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        const struct quadratic q = quadratic_random(seed, 7, 0.3);
        double star[P_MAX], f_star = quadratic_minimum(&q, star), mu = quadratic_mu_M1(&q);
        double xi_0 = -f_star, xi = xi_0;
        struct path path;
        WALK(&q, STEPS, &path, QUIET);
        for (long t = 0; t < STEPS; t++) {
            double next = quadratic_value(&q, path.w[t + 1]) - f_star, most = 0, own = 0;
            long j = moved(q.p, path.w[t], path.w[t + 1]);
            assert_true(j >= 0);
            for (long k = 0; k < q.p; k++) {
                double score = fabs(quadratic_slope(&q, path.w[t], k)) / sqrt(q.M[k]);
                most = fmax(most, score);
                own = k == j ? score : own;
            }
            expect_near("score", own, most, 1e-12);
            expect_near("g_j", quadratic_slope(&q, path.w[t + 1], j), 0, 1e-12);
            assert_true(next <= (1 - mu) * xi + 1e-12);
            assert_true(next <= 2 * (2 * xi_0 / mu) / (double)(t + 1) + 1e-12);
            xi = next;
        }
    }
}

/* In scaled coordinates w_j = c_j v_j the method makes the same choices and reaches the same values, also with
 * noise if L_j scales with c_j. */
static void s7_1_scaling(void **state)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct quadratic q = quadratic_random(seed, 6, 0.2), scaled = q;
        struct path a, b;
        double c[P_MAX];
        for (long j = 0; j < q.p; j++)
            c[j] = ldexp(1, (int)((j * 5 + (long)seed) % 7) - 3);
        for (long i = 0; i < q.p; i++) {
            scaled.b[i] = c[i] * q.b[i];
            scaled.M[i] = c[i] * c[i] * q.M[i];
            scaled.L[i] = c[i] * q.L[i];
            for (long j = 0; j < q.p; j++)
                scaled.H[i][j] = c[i] * c[j] * q.H[i][j];
        }
        double share = seed % 2 ? 0.5 : INFINITY;
        WALK(&q, STEPS, &a, { "share", share }, { "C", INFINITY }, { "rnm_mode", 0, "paper" });
        WALK(&scaled, STEPS, &b, { "share", share }, { "C", INFINITY }, { "rnm_mode", 0, "paper" });
        for (long t = 0; t <= STEPS; t++) {
            for (long j = 0; j < q.p; j++)
                expect_near("w_j", c[j] * b.w[t][j], a.w[t][j], 1e-12);
            expect_near("f", quadratic_value(&scaled, b.w[t]), quadratic_value(&q, a.w[t]), 1e-11);
        }
    }
}

/* Without a simple part all rules make the same choices, with noise or without. With l1 they agree at w = 0. */
static void s7_1_rules_agree(void **state)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct quadratic q = quadratic_random(seed, 8, 0.2);
        struct path path[3];
        q.l1 = seed % 3 ? 0 : 0.4;
        long T = q.l1 > 0 ? 1 : STEPS;
        for (int rule = 0; rule < 3; rule++)
            WALK(&q, T, &path[rule], { "share", seed % 2 ? 0.5 : INFINITY }, { "C", INFINITY },
                 { "rule", 0, rules[rule] }, { "rnm_mode", 0, "paper" });
        for (int rule = 1; rule < 3; rule++)
            for (long t = 0; t <= T; t++)
                expect_vectors(rules[rule], q.p, path[rule].w[t], path[0].w[t], 0);
    }
}

/* With an l1 penalty above all slopes at 0 the point w = 0 does not move; with one just below it does. */
static void s7_1_fixed_point(void **state)
{
    for (int rule = 0; rule < 3; rule++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            struct quadratic q = quadratic_random(seed, 6, 0.2);
            struct path path;
            double most = 0;
            for (long j = 0; j < q.p; j++)
                most = fmax(most, fabs(q.b[j]));
            for (int below = 0; below < 2; below++) {
                q.l1 = most * (below ? 0.999 : 1.001);
                WALK(&q, 3, &path, QUIET, { "rule", 0, rules[rule] });
                assert_true((moved(q.p, path.w[0], path.w[3]) == -1) == !below);
            }
        }
}

/* A step changes at most one coordinate, with a simple part or without. */
static void s7_1_sparsity(void **state)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct quadratic q = quadratic_random(seed, 9, 0.5);
        struct path path;
        q.l1 = seed % 2 ? 0.8 : 0;
        q.l2 = seed % 3 ? 0 : 0.1;
        WALK(&q, STEPS, &path, { "share", seed % 4 == 1 ? 0.2 : INFINITY }, { "C", INFINITY },
             { "rule", 0, rules[seed % 3] }, { "rnm_mode", 0, "paper" });
        for (long t = 1; t <= STEPS; t++) {
            long nonzeros = 0;
            assert_true(moved(q.p, path.w[t - 1], path.w[t]) != -2);
            for (long j = 0; j < q.p; j++)
                nonzeros += path.w[t][j] != 0;
            assert_true(nonzeros <= t);
        }
    }
}

/* Without noise every rule ends at a point that satisfies the conditions of optimality. GS-q compares roots of
 * differences, and stops where the differences are lost in rounding, so that the conditions hold to 1e-7. */
static void s7_1_optimality(void **state)
{
    for (int rule = 0; rule < 3; rule++) {
        struct quadratic q = quadratic_random(5, 6, 1);
        struct instance in = quadratic_instance(&q);
        q.l1 = 0.8;
        q.l2 = 0.3;
        struct method *m = METHOD("dp-gcd", &in, &none, QUIET, { "T", 4000 },
                                  { "rule", 0, rules[rule] });
        const double *w = method_run(m, 1, nobody);
        long zeros = 0;
        for (long j = 0; j < q.p; j++) {
            double slope = quadratic_slope(&q, w, j) + q.l2 * w[j];
            zeros += w[j] == 0;
            expect_near("optimality", fmax(0, w[j] != 0 ? fabs(slope + copysign(q.l1, w[j]))
                                                        : fabs(slope) - q.l1), 0, 1e-7);
        }
        assert_true(zeros > 0 && zeros < q.p);
        method_free(m);
    }
}

/* Inequality (14) bounds the decrease of f by a step from below, by (g_j^2 - eta^2)/(2 M_j). It is an equality
 * here, since the second derivatives are f_jj = M_j. The noise eta is read from the step, which is (g_j +
 * eta)/M_j. */
static void s3_2_2_equality(void **state)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        const struct quadratic q = quadratic_random(seed, 6, 0.2);
        struct path path;
        double noise = 0;
        WALK(&q, STEPS, &path, { "share", 0.05 }, { "C", INFINITY });
        for (long t = 0; t < STEPS; t++) {
            long j = moved(q.p, path.w[t], path.w[t + 1]);
            double g = quadratic_slope(&q, path.w[t], j);
            double eta = q.M[j] * (path.w[t][j] - path.w[t + 1][j]) - g;
            double fall = quadratic_value(&q, path.w[t]) - quadratic_value(&q, path.w[t + 1]);
            expect_near("fall", fall, (g * g - eta * eta) / (2 * q.M[j]), 1e-10);
            noise = fmax(noise, fabs(eta));
        }
        assert_true(noise > 0.1);
    }
}

/* A run at eps = 1e12, which has next to no noise, ends where the run without noise ends. */
static void s7_1_no_noise_limit(void **state)
{
    const struct quadratic q = quadratic_random(3, 8, 0.2);
    struct instance in = quadratic_instance(&q);
    struct path path;
    WALK(&q, STEPS, &path, QUIET);
    struct goal goal = goal_private(RECORDS, 1e12, 1e-6);
    for (int mode = 0; mode < 2; mode++) {
        struct method *m = METHOD("dp-gcd", &in, &goal, { "T", STEPS }, { "C", INFINITY },
                                  { "accounting", 0, mode ? "corrected" : "thm42" },
                                  { "rnm_mode", 0, mode ? "corrected" : "paper" });
        expect_vectors("w", q.p, method_run(m, 5, nobody), path.w[STEPS], 1e-9);
        method_free(m);
    }
}

/* The counts are T passes, n p T partial derivatives, T maxima and (p + 1) T values of noise. */
static void s7_1_counts(void **state)
{
    for (int composite = 0; composite < 2; composite++) {
        struct quadratic q = quadratic_random(3, 8, 0.2);
        struct instance in = quadratic_instance(&q);
        q.l1 = composite ? 0.1 : 0;
        struct goal goal = goal_private(RECORDS, 1, 1e-6);
        struct method *m = METHOD("dp-gcd", &in, &goal, { "T", STEPS }, { "C", INFINITY });
        method_run(m, 5, nobody);
        expect_count(&m->o, COUNT_passes, STEPS);
        expect_count(&m->o, COUNT_coords, (double)RECORDS * 8 * STEPS);
        expect_count(&m->o, COUNT_batch_steps, STEPS);
        expect_count(&m->o, COUNT_noise_max, STEPS);
        expect_count(&m->o, COUNT_noise_laplace, 9.0 * STEPS);
        assert_int_equal(m->o.ledger.entries >= 2, 1);
        method_free(m);
    }
}

/* The answer is the last iterate, not a mean and not the best one. */
static void s8_18_last_iterate(void **state)
{
    const struct quadratic q = quadratic_random(3, 5, 0.2);
    struct path path;
    bool worse = false;
    WALK(&q, STEPS, &path, { "share", 0.02 }, { "C", INFINITY });
    for (long t = 1; t <= STEPS; t++) {
        assert_true(moved(q.p, path.w[t - 1], path.w[t]) >= 0);
        worse |= quadratic_value(&q, path.w[t]) > quadratic_value(&q, path.w[t - 1]);
    }
    assert_true(worse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_1_trace), cmocka_unit_test(s7_1_rates),
        cmocka_unit_test(s7_1_scaling), cmocka_unit_test(s7_1_rules_agree),
        cmocka_unit_test(s7_1_fixed_point), cmocka_unit_test(s7_1_sparsity),
        cmocka_unit_test(s7_1_optimality), cmocka_unit_test(s3_2_2_equality),
        cmocka_unit_test(s7_1_no_noise_limit), cmocka_unit_test(s7_1_counts),
        cmocka_unit_test(s8_18_last_iterate),
    };
    return cmocka_run_group_tests_name("path of dp-gcd", tests, setup, teardown);
}
