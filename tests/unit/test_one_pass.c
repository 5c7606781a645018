/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_one_pass.c - one-pass private methods, compared with loops written here, closed forms and each other:
 * unaccelerated DP-SRGD, accelerated DP-SGD, and Accelerated-DP-SRGD with independent noise (DP-FTRL is in
 * test_dp_ftrl.c).
 *
 * Serves: accelerated-dp-srgd */
#include "support/one_pass.h"

/* --- unaccelerated DP-SRGD: kinds of noise, and of the weights of the rounds' gradients */

struct way { const char *noise, *weights; };
static const struct way ways[] = {
    { "tree", "linear" }, { "root", "constant" }, { "independent", "linear" },
    { "independent", "constant" },
};
enum { WAYS = sizeof ways / sizeof *ways };

static double weight(const struct way *w, int t)
{
    return t < 0 ? 0 : strcmp(w->weights, "linear") ? 1 : t + 1;
}

static void srgd_reference(const struct instance *in, const struct way *w, double C, double sigma,
                           double h, double *x, double *mean)
{
    struct oracle twin;
    double before[D], sum[D] = { 0 }, N[D] = { 0 }, v[D];
    contract_open(&twin, in, NULL, 11, memory);
    struct prefix *stream = stream_of(&twin, w->noise);
    vec_zero(D, x);
    vec_zero(D, mean);
    for (int t = 0; t < T; t++) {
        struct ticket batch;
        assert_true(oracle_take(&twin, B, &batch));
        for (long i = t * B; i < (t + 1) * B; i++) {
            sample_clipped(in, i, weight(w, t), x, -weight(w, t - 1), t ? before : NULL, C, v);
            for (int j = 0; j < D; j++)
                sum[j] += v[j] / B;
        }
        next_noise(&twin, stream, sigma, N);
        vec_copy(D, x, before);
        for (int j = 0; j < D; j++)
            x[j] -= h * (sum[j] + N[j]) / weight(w, t);
        instance_project(in, x);
        for (int j = 0; j < D; j++)
            mean[j] += x[j] / T;
    }
    oracle_release(&twin);
}

/* The answers of a run are those of the loop srgd_reference; the step and the bounds are such that clipping,
 * projection and noise all act. A run on n = T B records takes 2n - B gradients in T rounds and uses each record
 * once. */
static void s2_9_loop(void **state)
{
    const double C = 1.1, sigma = 0.1, h = 0.8;
    struct instance in = outside(1);
    double last[D], mean[D];
    for (int k = 0; k < 2 * WAYS; k++) {
        const struct way *w = &ways[k / 2];
        struct method *m = METHOD("dp-srgd", &in, &none, { "T", T }, { "B", B }, { "C", C },
                                  { "sigma", sigma }, { "step", h },
                                  { "noise", 0, w->noise }, { "weights", 0, w->weights },
                                  { "answer", 0, k % 2 ? "average" : "last" });
        srgd_reference(&in, w, C, sigma, h, last, mean);
        expect_vectors(w->noise, D, method_run(m, 11, nobody), k % 2 ? mean : last, 1e-12);
        assert_true(m->o.clipped > 0 && m->o.clipped < m->o.clip_seen);
        expect_count(&m->o, COUNT_sample_grads, 2 * T * B - B);
        expect_count(&m->o, COUNT_batch_steps, T);
        expect_count(&m->o, COUNT_max_visits, 1);
        const struct ledger_entry *e = m->o.ledger.entry;
        bool alone = strcmp(w->noise, "independent") == 0;
        assert_true(m->o.ledger.entries == 1 && !e->hidden && e->repeats == T);
        assert_true(e->mechanism == (alone                        ? MECHANISM_GAUSSIAN
                                     : strcmp(w->noise, "root")   ? MECHANISM_TREE
                                                                  : MECHANISM_ROOT));
        assert_true(e->sensitivity == C / B && e->scale == sigma);
        method_free(m);
    }
}

/* If all samples are equal, the method is gradient descent, whose error in direction j, of curvature lambda_j, is
 * (1 - h lambda_j)^T after T steps of length h. For the averaged answer it is the mean of the powers over the T
 * steps. */
static void o29_both_answers(void **state)
{
    enum { LONG = 200 };
    struct instance in = INSTANCE(memory, "spectral", { "d", D }, { "s", 0 }, { "decades", 2 },
                                  { "rr", 0.5 });
    double c[D], truth[D];
    assert_true(in.p->minimiser(in.self, c));
    for (int k = 0; k < 4; k++) {
        struct method *m = METHOD("dp-srgd", &in, &none, { "T", LONG }, { "B", 2 },
                                  { "step", 0.7 }, { "answer", 0, k / 2 ? "average" : "last" },
                                  { "weights", 0, k % 2 ? "linear" : "constant" });
        for (int j = 0; j < D; j++) {
            double q = 1 - 0.7 * pow(10, -2.0 * j / (D - 1)), last = pow(q, LONG);
            truth[j] = c[j] * (1 - (k / 2 ? q * (1 - last) / (1 - q) / LONG : last));
        }
        expect_vectors("answer", D, method_run(m, 1, nobody), truth, 1e-12);
        method_free(m);
    }
}

/* Removing a record of the last batch changes the answer by h/(T B) times what this record adds to its round's sum:
 * the clipped difference of its weighted gradients at x_t and x_(t-1), of norm at most C. */
static void s2_9_neighbour(void **state)
{
    const double C = 0.3, h = 1e-3;
    struct instance in = outside(1);
    struct method *m = METHOD("dp-srgd", &in, &none, { "T", T }, { "B", B }, { "C", C },
                              { "sigma", 0.05 }, { "step", h });
    double x[D];
    int tight = 0;
    vec_copy(D, method_run(m, 5, nobody), x);
    for (long i = (T - 1) * B; i < T * B; i++) {
        double moved = vec_dist(D, x, method_run(m, 5, (struct neighbour){ NEIGHBOUR_NULL, i, 0 }));
        assert_true(moved > 0 && moved <= h / T * C / B * (1 + 1e-9));
        tight += moved >= h / T * C / B * (1 - 1e-9);
    }
    assert_true(tight > 0);
    method_free(m);
}

/* Without gradients (C = 0) and projections x_T = -h sum_t N_t/(t+1), N_t the noise of prefix t. If N_t is a sum of
 * independent draws, draw i has the factor sum_{t>=i} 1/(t+1). The chi-square of 4000 * 7 squares must be within 6
 * standard deviations (a false alarm has probability 2e-9). */
static void s2_9_noise(void **state)
{
    enum { RUNS = 4000 };
    const double h = 1e-4, mu = 0.5;
    struct instance in = outside(0);
    struct method *m = METHOD("dp-srgd", &in, &none, { "T", T }, { "B", B }, { "mu", mu },
                              { "step", h }, { "noise", 0, "independent" });
    double sigma = method_param(m, "sigma"), factor = 0, variance = 0, sum = 0;
    expect_near("sigma", sigma, (in.f.L + in.f.M * in.f.diameter) / (B * mu), 1e-14);
    for (int i = T - 1; i >= 0; i--) {
        factor += 1 / (i + 1.0);
        variance += factor * factor;
    }
    params_set(params_find(m->algo->params, "C"), m->params, 0, "", NULL);
    for (int run = 0; run < RUNS; run++) {
        const double *x = method_run(m, 100 + (uint64_t)run, nobody);
        sum += vec_dot(D, x, x) / (h * h * sigma * sigma * variance);
    }
    expect_near("variance", sum / (RUNS * D), 1, Z * sqrt(2.0 / (RUNS * D)));
    method_free(m);
}

/* --- accelerated methods with independent gradients or independent noise */

/* y <- y_T of lines 7 to 9 of Algorithm 1 (Accelerated-DP-SRGD) as printed, with b_t = -N_t/beta for the noise N_t
 * of round t, on clipped gradients; if srg is true, on recursive ones. */
static void printed_reference(const struct instance *in, bool srg, double C, double sigma,
                              double beta, double *y)
{
    struct oracle twin;
    double x[D] = { 0 }, before[D], z[D] = { 0 }, sum[D] = { 0 }, N[D] = { 0 }, v[D];
    contract_open(&twin, in, NULL, 11, memory);
    for (int t = 0; t < T; t++) {
        double eta = t + 1;
        struct ticket batch;
        assert_true(oracle_take(&twin, B, &batch));
        if (!srg) {
            vec_zero(D, sum);
            vec_zero(D, N);
        }
        for (long i = t * B; i < (t + 1) * B; i++) {
            sample_clipped(in, i, srg ? eta : 1, x, -(double)t, srg && t ? before : NULL, C, v);
            vec_axpy(D, 1.0 / B, v, sum);
        }
        next_noise(&twin, NULL, sigma, N);
        vec_copy(D, x, before);
        for (int j = 0; j < D; j++) {
            double nabla = (sum[j] + N[j]) / (srg ? eta : 1);
            z[j] -= eta / beta * nabla;
            y[j] = x[j] - nabla / beta;
        }
        instance_project(in, z);
        instance_project(in, y);
        for (int j = 0; j < D; j++)
            x[j] = (eta * y[j] + 2 * z[j]) / (t + 3);
    }
    oracle_release(&twin);
}

static void s2_10_loop(void **state)
{
    const double C = 1.1, sigma = 0.1, beta = 1.5;
    struct instance in = outside(1);
    double y[D];
    for (int srg = 0; srg < 2; srg++) {
        struct method *m = srg ? METHOD("accelerated-dp-srgd", &in, &none, { "T", T }, { "B", B },
                                        { "C", C }, { "sigma", sigma }, { "beta", beta },
                                        { "noise", 0, "independent" })
                               : METHOD("accelerated-dp-sgd", &in, &none, { "T", T }, { "B", B },
                                        { "C", C }, { "sigma", sigma }, { "beta", beta });
        printed_reference(&in, srg, C, sigma, beta, y);
        expect_vectors(m->algo->name, D, method_run(m, 11, nobody), y, 1e-12);
        expect_count(&m->o, COUNT_sample_grads, srg ? 2 * T * B - B : T * B);
        expect_count(&m->o, COUNT_batch_steps, T);
        expect_count(&m->o, COUNT_max_visits, 1);
        expect_count(&m->o, COUNT_noise_gauss, T);
        const struct ledger_entry *e = m->o.ledger.entry;
        assert_true(m->o.ledger.entries == 1 && e->mechanism == MECHANISM_GAUSSIAN && !e->hidden);
        assert_true(e->sensitivity == C / B && e->scale == sigma && e->repeats == T);
        method_free(m);
    }
}

/* If all samples are equal, the method with independent gradients and the one with recursive gradients make the
 * same steps. */
static void s2_10_exact(void **state)
{
    struct instance in = outside(0);
    struct method *m = METHOD("accelerated-dp-sgd", &in, &none, { "T", 100 }, { "B", 2 },
                              { "beta", 1.3 }, { "kappa", 2 }),
                  *srg = METHOD("accelerated-dp-srgd", &in, &none, { "T", 100 }, { "B", 2 },
                                { "beta", 1.3 }, { "kappa", 2 });
    expect_vectors("y_T", D, method_run(m, 1, nobody), method_run(srg, 1, nobody), 1e-12);
    method_free(m);
    method_free(srg);
}

/* accelerated-dp-sgd chooses these parameters for L = 1.4 + 1 + 1 = 3.4, M = 1, the diameter R = 2; n = 10^4 gives
 * T = 20 and B = 500. At delta = 1e-6 the promise eps = 1 is that of mu-GDP with mu = 0.236704. */
static void s2_10_choice(void **state)
{
    struct instance in = outside(1);
    struct goal goal = goal_private(10000, 1, 1e-6);
    struct method *m = METHOD("accelerated-dp-sgd", &in, &goal, { 0 });
    double sigma = 3.4 / (500 * 0.236704), v = sqrt(3.4 * 3.4 / 500 + 7 * sigma * sigma);
    assert_true(method_param(m, "T") == 20 && method_param(m, "B") == 500);
    expect_near("C", method_param(m, "C"), 3.4, 1e-12);
    expect_near("sigma", method_param(m, "sigma"), sigma, 1e-5 * sigma);
    expect_near("beta", method_param(m, "beta"), sqrt(20) * 20 * v / 2, 1e-4);
    method_free(m);
    goal.eps = NAN;
    m = METHOD("accelerated-dp-sgd", &in, &goal, { "kap_v", 0 });
    assert_true(method_param(m, "beta") == 2 && method_param(m, "sigma") == 0);
    method_free(m);
    m = METHOD("accelerated-dp-srgd", &in, &none, { "T", 64 }, { "B", 4 }, { "mu", 0.5 },
               { "noise", 0, "independent" });
    expect_near("sigma", method_param(m, "sigma"), method_param(m, "C") / (4 * 0.5), 1e-14);
    method_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s2_9_loop), cmocka_unit_test(o29_both_answers),
        cmocka_unit_test(s2_9_neighbour), cmocka_unit_test(s2_9_noise),
        cmocka_unit_test(s2_10_loop), cmocka_unit_test(s2_10_exact),
        cmocka_unit_test(s2_10_choice),
    };
    return cmocka_run_group_tests_name("one-pass", tests, setup, teardown);
}
