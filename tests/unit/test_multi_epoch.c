/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_multi_epoch.c - DP-SGD over several epochs, compared with loops written here; the papers' parameters,
 * computed by hand; and the noise that sampled rounds need, compared with the composed privacy loss.
 *
 * Serves: accelerated-dp-srgd */
#include "support/method.h"

#include "privacy/account.h"
#include "privacy/account_pld.h"

enum { D = 6, N = 30 };

static struct instance stored(void)
{
    return INSTANCE(memory, "glm_stored", { "d", D }, { "n", N }, { "loss", 0, "logistic" });
}

/* --- passes over batches in a fixed order */

/* A run makes three passes over four batches of five samples; every pass has the batches in the same order. */
static void bl2_passes(void **state)
{
    enum { T = 12, B = 5 };
    const double C = 1.1, sigma = 0.2, h = 0.8;
    struct instance in = INSTANCE(memory, "spectral", { "d", D }, { "s", 1 }, { "decades", 1 },
                                  { "rr", 1.4 });
    struct oracle twin;
    struct ticket all;
    double x[D] = { 0 }, mean[D] = { 0 }, g[D], v[D];
    contract_open(&twin, &in, NULL, 11, memory);
    assert_true(oracle_take(&twin, 4 * B, &all));
    for (long t = 0; t < T; t++) {
        vec_zero(D, g);
        for (long i = t % 4 * B; i < (t % 4 + 1) * B; i++) {
            sample_clipped(&in, i, 1, x, 0, NULL, C, v);
            vec_axpy(D, 1.0 / B, v, g);
        }
        noise_gaussian(&twin, &(struct release){ .site = "twin" }, sigma, D, g);
        vec_axpy(D, -h, g, x);
        instance_project(&in, x);
        vec_axpy(D, 1.0 / T, x, mean);
    }
    for (int k = 0; k < 2; k++) {
        struct method *m = METHOD("multi-epoch-dp-sgd", &in, &none, { "T", T }, { "B", B },
                                  { "E", 3 }, { "C", C }, { "sigma", sigma }, { "step", h },
                                  { "answer", 0, k ? "last" : "variant" });
        expect_vectors("answer", D, method_run(m, 11, nobody), k ? x : mean, 1e-13);
        expect_count(&m->o, COUNT_sample_grads, T * B);
        expect_count(&m->o, COUNT_batch_steps, T);
        expect_count(&m->o, COUNT_taken, 4 * B);
        expect_count(&m->o, COUNT_max_visits, 3);
        method_free(m);
    }
    oracle_release(&twin);
}

/* Checks T, B, sigma and the step that the method chooses for n = 1000 samples, E = 4 passes, L = 1.4 + 1 + 1 =
 * 3.4, the diameter R = 2, and M = 1. At delta = 1e-6 the promise eps = 1 is that of mu-GDP with mu = 0.236704. */
static void bl2_passes_choice(void **state)
{
    struct instance in = INSTANCE(memory, "spectral", { "d", D }, { "s", 1 }, { "rr", 1.4 });
    struct goal goal = goal_private(1000, 1, 1e-6);
    struct method *m = METHOD("multi-epoch-dp-sgd", &in, &goal, { "E", 4 });
    double sigma = 3.4 * 2 / (31 * 0.236704), v = sqrt(3.4 * 3.4 / 31 + D * sigma * sigma);
    assert_true(method_param(m, "T") == 128 && method_param(m, "B") == 31);
    expect_near("sigma", method_param(m, "sigma"), sigma, 1e-5 * sigma);
    expect_near("step", method_param(m, "step"), 2 / (sqrt(128) * v), 1e-5);
    method_free(m);
    static const struct with odd[] = { { "T", 10 }, { "E", 4 }, { 0 } },
                             ten[] = { { "E", 10 }, { 0 } };
    goal.T = 7;
    expect_refusal("multi-epoch-dp-sgd", &in, &goal, odd, "T = 10 rounds are not E = 4 passes");
    expect_refusal("multi-epoch-dp-sgd", &in, &goal, ten, "E = 10 passes do not fit goal T = 7");
}

/* --- batches drawn at random, and their noise */

/* Compares T steps of the method, on batches of B records drawn at random, with a loop written here. An oracle of
 * the same seed hands out tickets with the same indices. The sum over a Poisson sample of rate q is divided by B =
 * q n. */
static void sampled_loop(const struct instance *in, const char *variant, const char *calibration,
                         long T, long B)
{
    const double C = 0.4, sigma = 0.2, h = 0.8;
    bool falls = strcmp(variant, "bst14") == 0, replaces = !falls && strcmp(calibration, "exact");
    struct goal goal = goal_private(NAN, 1, 1e-6);
    struct oracle twin;
    double x[D] = { 0 }, mean[D] = { 0 }, g[D], v[D], seen = 0;
    contract_open(&twin, in, NULL, 11, memory);
    for (long t = 1; t <= T; t++) {
        struct ticket batch;
        assert_true(replaces ? oracle_draw(&twin, B, &batch)
                             : oracle_poisson(&twin, (double)B / N, &batch));
        vec_zero(D, g);
        for (long k = 0; k < batch.count; k++) {
            sample_clipped(in, oracle_record(&twin, &batch, k), 1, x, 0, NULL, C, v);
            vec_axpy(D, 1 / (double)B, v, g);
        }
        seen += (double)batch.count;
        noise_gaussian(&twin, &(struct release){ .site = "twin" }, sigma, D, g);
        vec_axpy(D, falls ? -h / sqrt((double)t) : -h, g, x);
        instance_project(in, x);
        vec_axpy(D, 1 / (double)T, x, mean);
    }
    struct method *m = METHOD("multi-epoch-dp-sgd", in, &goal, { "T", (double)T },
                              { "B", (double)B }, { "C", C }, { "sigma", sigma }, { "step", h },
                              { "variant", 0, variant }, { "calibration", 0, calibration });
    expect_vectors(variant, D, method_run(m, 11, nobody), falls ? x : mean, 1e-13);
    expect_count(&m->o, COUNT_sample_grads, seen);
    expect_count(&m->o, COUNT_taken, seen);
    expect_count(&m->o, COUNT_batch_steps, (double)T);
    const struct ledger_entry *e = m->o.ledger.entry;
    assert_true(e->scheme == (replaces ? SAMPLING_REPLACE : SAMPLING_POISSON) && !e->hidden);
    assert_true(e->sensitivity == C / (double)B && e->scale == sigma);
    expect_near("rate", e->q, replaces ? 0 : (double)B / N, 1e-16);
    oracle_release(&twin);
    method_free(m);
}

static void bl2_sampled_loops(void **state)
{
    struct instance in = stored();
    sampled_loop(&in, "bst14", "exact", 40, 1);
    sampled_loop(&in, "bftt19", "exact", 20, 7);
    sampled_loop(&in, "bftt19", "paper", 20, 7);
}

/* Checks T, B, the printed noise and the step length, at n = 30 and n = 3000, for the logistic loss on feature
 * vectors with |a| <= 1, where L = 1. */
static void bl2_printed(void **state)
{
    struct instance in = stored();
    struct goal goal = goal_private(NAN, 0.5, 1e-3);
    double R = in.f.diameter, L = in.f.L, sigma;
    struct method *m = METHOD("multi-epoch-dp-sgd", &in, &goal, { "variant", 0, "bst14" },
                              { "calibration", 0, "paper" });
    assert_true(method_param(m, "T") == N * N && method_param(m, "B") == 1);
    sigma = L / 0.5 * sqrt(32 * log(30 / 1e-3) * log(1e3));
    expect_near("sigma", method_param(m, "sigma"), sigma, 1e-12 * sigma);
    expect_near("h", method_param(m, "step"), R / sqrt(L * L + D * sigma * sigma), 1e-12);
    method_free(m);
    m = METHOD("multi-epoch-dp-sgd", &in, &goal, { "variant", 0, "bftt19" },
               { "calibration", 0, "paper" }, { "n", 3000 });
    /* T = min{0.25 * 9e6/(32 * 6 ln 2000), 3000/8} = min{1541.8, 375}; B = 3000 sqrt(0.5/1500) = 54.8, rounded
     * up */
    assert_true(method_param(m, "T") == 375 && method_param(m, "B") == 55);
    sigma = L / (3000 * 0.5) * sqrt(8 * 375 * log(1e3));
    expect_near("sigma", method_param(m, "sigma"), sigma, 1e-12);
    expect_near("h", method_param(m, "step"), R / (L * sqrt(375)), 1e-12);
    method_free(m);
    goal.eps = 0.1;
    m = METHOD("multi-epoch-dp-sgd", &in, &goal, { "variant", 0, "bftt19" },
               { "calibration", 0, "paper" }, { "n", 3000 });
    /* T = 0.01 * 9e6/(32 * 6 ln 2000) = 61.67, rounded down; B = 3000 sqrt(0.1/244) = 60.7, rounded up */
    assert_true(method_param(m, "T") == 61 && method_param(m, "B") == 61);
    method_free(m);
}

/* With practical constants T is lowered to what the budget pays for, here 100 rounds of one sample. The constants
 * of theory are refused, and the message says what run they would need. */
static void bl2_infeasible(void **state)
{
    static const struct with bst[] = { { "variant", 0, "bst14" }, { 0 } },
                             bftt[] = { { "variant", 0, "bftt19" }, { 0 } };
    struct instance in = stored(), stream = INSTANCE(memory, "spectral", { "d", D });
    struct goal goal = goal_private(NAN, 2, 1e-3);
    goal.budget = 100;
    struct method *m = METHOD("multi-epoch-dp-sgd", &in, &goal, { "variant", 0, "bst14" });
    assert_true(method_param(m, "T") == 100);
    method_free(m);
    expect_refusal("multi-epoch-dp-sgd", &stream, &goal, bst, "draws from stored records");
    goal.constants = CONSTANTS_THEORY;
    expect_refusal("multi-epoch-dp-sgd", &in, &goal, bst, "needs T = 900 rounds of 1 samples, 900");
    expect_refusal("multi-epoch-dp-sgd", &in, &goal, bftt, "eps <= 1");
    goal.eps = NAN;
    expect_refusal("multi-epoch-dp-sgd", &in, &goal, bftt, "needs goal eps");
}

/* With the noise that is chosen for sampled rounds the composed privacy loss keeps the promise, and with 1% less it
 * does not. At q = 1 it is the noise that the exact curve asks for T releases without sampling. */
static void bl2_poisson_noise(void **state)
{
    static const struct { double q, T, eps, delta; } cases[] = {
        { 0.01, 1e4, 1, 1e-6 }, { 0.002, 2.5e5, 0.5, 1e-5 }, { 0.3, 3, 1, 1e-5 } };
    for (int k = 0; k < 3; k++) {
        double q = cases[k].q, T = cases[k].T, eps = cases[k].eps, delta = cases[k].delta;
        double sd = noise_poisson_sd(q, T, eps, delta);
        assert_true(pld_sampled_gaussian(q, sd, T, delta).upper <= eps);
        assert_true(pld_sampled_gaussian(q, 0.99 * sd, T, delta).lower > eps);
    }
    double sd = noise_poisson_sd(1, 50, 1, 1e-6);
    expect_near("q = 1", account_gaussian_eps(sqrt(50) / sd, 1e-6), 1, 3e-3);
}

/* For arguments out of range the noise is infinite. Large epsilon needs little noise: at q = 1 the noise found
 * keeps the promise by the exact curve and leaves little of it unused, even where one release may lose more than
 * 600, the most that the composition is computed for. */
static void bl2_poisson_noise_at_ends(void **state)
{
    static const double wrong[][4] = {
        { 0, 3, 1, 1e-5 },    { 2, 3, 1, 1e-5 }, { 0.3, 0.5, 1, 1e-5 }, { 0.3, 3, 0, 1e-5 },
        { 0.3, 3, -1, 1e-5 }, { 0.3, 3, 1, 0 },  { 0.3, 3, 1, 1 } };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_true(noise_poisson_sd(wrong[k][0], wrong[k][1], wrong[k][2], wrong[k][3]) == INFINITY);
    for (double eps = 50; eps < 1000; eps *= 2) {
        double sd = noise_poisson_sd(1, 1, eps, 1e-6), spent = account_gaussian_eps(1 / sd, 1e-6);
        assert_true(spent <= eps && spent > (eps < 600 ? 0.997 : 0.9) * eps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bl2_passes), cmocka_unit_test(bl2_passes_choice),
        cmocka_unit_test(bl2_sampled_loops), cmocka_unit_test(bl2_printed),
        cmocka_unit_test(bl2_infeasible), cmocka_unit_test(bl2_poisson_noise),
        cmocka_unit_test(bl2_poisson_noise_at_ends),
    };
    return cmocka_run_group_tests_name("multi-epoch", tests, setup, teardown);
}
