/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_ftrl.c - DP-FTRL, compared with loops written here; its step and the law of its noise, compared with
 * closed forms.
 *
 * Serves: accelerated-dp-srgd */
#include "support/one_pass.h"

static const char *const chains[] = { "tree", "root", "independent" };

/* Without a feasible set dp-ftrl is x_{t+1} = x_t - h (g_t + N_t - N_{t-1}), where h is the step length, g_t the
 * mean of the clipped gradients of batch t, and N_t the noise of prefix t. This is tested with gradients that
 * depend on the path (quadratics), and with a fixed sequence of gradients (linear losses). */
static void u18_increments(void **state)
{
    const double sigma = 0.3, h = 0.4;
    struct instance quadratic = INSTANCE(memory, "spectral", { "d", D }, { "s", 1 },
                                         { "radius", INFINITY }),
                    linear = INSTANCE(memory, "linear", { "d", D }, { "hardness", 0.3 },
                                      { "radius", 1e6 });
    for (int k = 0; k < 6; k++) {
        const struct instance *in = k % 2 ? &linear : &quadratic;
        struct method *m = METHOD("dp-ftrl", in, &none, { "T", T }, { "B", B }, { "C", 0.9 },
                                  { "sigma", sigma }, { "step", h },
                                  { "noise", 0, chains[k / 2] }, { "answer", 0, "last" });
        struct oracle twin;
        double x[D] = { 0 }, N[D] = { 0 }, old[D] = { 0 }, v[D], g[D];
        contract_open(&twin, in, NULL, 11, memory);
        struct prefix *stream = stream_of(&twin, chains[k / 2]);
        for (long t = 0; t < T; t++) {
            struct ticket batch;
            assert_true(oracle_take(&twin, B, &batch));
            vec_zero(D, g);
            for (long i = t * B; i < (t + 1) * B; i++) {
                sample_clipped(in, i, 1, x, 0, NULL, 0.9, v);
                vec_axpy(D, 1.0 / B, v, g);
            }
            next_noise(&twin, stream, sigma, N);
            for (int j = 0; j < D; j++) {
                x[j] -= h * (g[j] + N[j] - old[j]);
                old[j] = N[j];
            }
        }
        expect_vectors(chains[k / 2], D, method_run(m, 11, nobody), x, 1e-12);
        oracle_release(&twin);
        method_free(m);
    }
}

/* On the ball iterate t is P(x_0 - h S_t), where x_0 = 0, P is the projection, and S_t the sum of the mean clipped
 * gradients of all batches so far plus the noise of prefix t. */
static void bl5_leader(void **state)
{
    const double sigma = 0.2, h = 0.5, C = 1.1;
    struct instance in = outside(1);
    struct oracle twin;
    double x[D] = { 0 }, mean[D] = { 0 }, N[D], S[D] = { 0 }, v[D];
    contract_open(&twin, &in, NULL, 11, memory);
    struct prefix *stream = stream_of(&twin, "tree");
    for (long t = 0; t < T; t++) {
        struct ticket batch;
        assert_true(oracle_take(&twin, B, &batch));
        for (long i = t * B; i < (t + 1) * B; i++) {
            sample_clipped(&in, i, 1, x, 0, NULL, C, v);
            vec_axpy(D, 1.0 / B, v, S);
        }
        next_noise(&twin, stream, sigma, N);
        vec_lincomb(D, -h, S, -h, N, x);
        instance_project(&in, x);
        vec_axpy(D, 1.0 / T, x, mean);
    }
    oracle_release(&twin);
    for (int k = 0; k < 2; k++) {
        struct method *m = METHOD("dp-ftrl", &in, &none, { "T", T }, { "B", B }, { "C", C },
                                  { "sigma", sigma }, { "step", h },
                                  { "answer", 0, k ? "last" : "average" });
        expect_vectors("answer", D, method_run(m, 11, nobody), k ? x : mean, 1e-13);
        expect_count(&m->o, COUNT_sample_grads, T * B);
        expect_count(&m->o, COUNT_batch_steps, T);
        expect_count(&m->o, COUNT_max_visits, 1);
        const struct ledger_entry *e = m->o.ledger.entry;
        assert_true(m->o.ledger.entries == 1 && e->mechanism == MECHANISM_TREE && !e->hidden);
        assert_true(e->cover == 4 && e->sensitivity == C / B && e->scale == sigma);
        method_free(m);
    }
}

/* The step length of dp-ftrl follows from v^2, the mean over prefixes of E|N_t|^2. Here v^2 is computed by counting
 * bits for the tree, and by summing squares for the square root. */
static void bl5_step(void **state)
{
    struct instance in = outside(1);
    const double L = 3.4, R = 2, sigma = 0.3;
    for (int k = 0; k < 3; k++)
        for (long rounds = 1; rounds <= 33; rounds++) {
            double mean = 0, squares = 0, c = 1;
            for (long t = 1; t <= rounds; t++) {
                squares += c * c;
                c *= (2.0 * (double)t - 1) / (2.0 * (double)t);
                mean += (k == 0 ? __builtin_popcountl((unsigned long)t) : k == 1 ? squares
                                                                                  : (double)t) /
                        (double)rounds;
            }
            struct method *m = METHOD("dp-ftrl", &in, &none, { "T", (double)rounds }, { "B", B },
                                      { "sigma", sigma }, { "noise", 0, chains[k] });
            double v = sigma * sqrt(D * mean);
            expect_near(chains[k], method_param(m, "step"),
                        R / sqrt((double)rounds * L * (L + v)), 1e-13);
            method_free(m);
        }
    struct goal goal = goal_private(1000, 1, 1e-6);
    struct method *m = METHOD("dp-ftrl", &in, &goal, { 0 });
    assert_true(method_param(m, "T") == 1000 && method_param(m, "B") == 1);
    expect_near("sigma", method_param(m, "sigma"), L * sqrt(10) / 0.236704, 1e-3);
    method_free(m);
}

/* Tests the variance of the answer. As C = 0 clips every gradient to 0, the answer is the average of x_t = -h N_t,
 * N_t the noise of prefix t. A node of the tree that k prefixes use has the weight k/T in this average. The
 * chi-square of 4000 * 7 squares must be within 6 standard deviations. */
static void bl5_noise(void **state)
{
    enum { RUNS = 4000 };
    const double h = 1e-4, sigma = 0.7;
    struct instance in = outside(0);
    struct method *m = METHOD("dp-ftrl", &in, &none, { "T", T }, { "B", B }, { "C", 0 },
                              { "sigma", sigma }, { "step", h });
    double uses[5][T + 1] = { 0 }, variance = 0, sum = 0;
    for (int t = 1; t <= T; t++)
        for (int b = 0; b < 5; b++)
            if (t >> b & 1)
                uses[b][t >> b]++;
    for (int b = 0; b < 5; b++)
        for (int k = 0; k <= T; k++)
            variance += uses[b][k] * uses[b][k] / (T * T);
    for (int run = 0; run < RUNS; run++) {
        const double *x = method_run(m, 100 + (uint64_t)run, nobody);
        sum += vec_dot(D, x, x) / (h * h * sigma * sigma * variance);
    }
    expect_near("variance", sum / (RUNS * D), 1, Z * sqrt(2.0 / (RUNS * D)));
    method_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u18_increments), cmocka_unit_test(bl5_leader),
        cmocka_unit_test(bl5_step), cmocka_unit_test(bl5_noise),
    };
    return cmocka_run_group_tests_name("dp-ftrl", tests, setup, teardown);
}
