/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_table2_localised.c - AFKT21 and KLL21, the localised methods of Table 2 of the paper resque, compared with
 * loops written here; the epsilon that they spend, and their refusals.
 *
 * Serves: resque */
#include "support/table2.h"

/* Compares localised-sgd (AFKT21) on n = 40 records with a loop over phases of 20, 10, 5, 2 and 1 records, each of
 * T noisy projected steps on Poisson samples of the phase's records. */
static void d5_phases(void **state)
{
    const double eta = 2, root = sqrt(D * log(1 / DELTA)) / EPS;
    struct instance in = coins(40);
    struct goal goal = goal_private(40, EPS, DELTA);
    struct method *m = METHOD("localised-sgd", &in, &goal, { "eta", eta },
                              { "calibration", 0, "paper" });
    struct oracle twin;
    double x[D] = { 0 }, step = eta;
    contract_open(&twin, &in, NULL, 11, memory);
    for (long n = 20; n >= 1; n /= 2) {
        struct ticket block, t;
        double B = fmin((double)n, ceil(fmax(sqrt((double)n), root)));
        double T = ceil((double)(n * n) / (B * B)), mean[D] = { 0 }, c[D], g[D];
        double sd = sqrt(8 * T * log(1 / DELTA)) / ((double)n * EPS), lambda;
        step /= 4;
        lambda = 2 / (step * (double)n);
        vec_copy(D, x, c);
        assert_true(oracle_take(&twin, n, &block));
        for (double k = 1; k <= T; k++) {
            assert_true(oracle_poisson_of(&twin, &block, B / (double)n, &t));
            vec_zero(D, g);
            for (long i = 0; i < t.count; i++)
                in.p->sample_grad(in.self, oracle_record(&twin, &t, i), x, 1 / B, g);
            noise_gaussian(&twin, &(struct release){ .site = "twin" }, sd, D, g);
            for (int j = 0; j < D; j++)
                x[j] -= 2 / (lambda * (k + 1)) * (g[j] + lambda * (x[j] - c[j]));
            instance_project(&in, x);
            vec_axpy(D, 2 * k / (T * (T + 1)), x, mean);
        }
        vec_copy(D, mean, x);
    }
    expect_vectors("answer", D, method_run(m, 11, nobody), x, 1e-12);
    expect_count(&m->o, COUNT_taken, 38);
    oracle_release(&twin);
    method_free(m);
}

/* Compares localised-smoothing (KLL21) with Algorithm 2 of its paper, corrected: in every phase AC-SA on Poisson
 * samples, where the gradient of each sample is taken at a randomly perturbed point of its own. */
static void d6_phases(void **state)
{
    const double eta = 4, R = 2;
    struct instance in = coins(40);
    struct goal goal = goal_private(40, EPS, DELTA);
    struct method *m = METHOD("localised-smoothing", &in, &goal, { "eta", eta },
                              { "calibration", 0, "paper" });
    struct oracle twin;
    struct rng base = rng_stream(3);     /* the stream that method_run gives to the method */
    double x[D], ag[D] = { 0 };
    uint64_t round = 0;
    contract_open(&twin, &in, NULL, 11, memory);
    for (int i = 1; 40 >> i >= 1; i++) {
        struct ticket block, t;
        double n = 40 >> i, step = ldexp(eta, -5 * i), lambda = 2 / (step * n), c[D];
        double eps = ldexp(EPS, -i), ln = log(1 / ldexp(DELTA, -i));
        double a = 1 / sqrt(n) + sqrt(D * ln) / (n * eps), T = fmax(1, ceil(pow(D, 0.25) / a));
        double B = fmin(n, ceil(n * sqrt(eps / (4 * T)))), rho = a * fmin(R, 1 / lambda) / sqrt(D);
        double sd = sqrt(8 * T * ln) / (n * eps);
        vec_copy(D, ag, c);
        vec_copy(D, ag, x);
        assert_true(oracle_take(&twin, (long)n, &block));
        for (double k = 1; k <= T; k++, round++) {
            double al = 2 / (k + 1), gam = 4 * (1 / rho + lambda) / (k * (k + 1));
            double den = gam + (1 - al * al) * lambda, md[D], g[D] = { 0 }, y[D];
            struct rng draws = rng_sub(&base, round);
            for (int j = 0; j < D; j++)
                md[j] = ((1 - al) * (lambda + gam) * ag[j] +
                         al * ((1 - al) * lambda + gam) * x[j]) / den;
            assert_true(oracle_poisson_of(&twin, &block, B / n, &t));
            for (long s = 0; s < t.count; s++) {
                long record = oracle_record(&twin, &t, s);
                struct rng z = rng_at(&draws, (uint64_t)record);
                rng_normals(&z, D, rho, y);
                vec_axpy(D, 1, md, y);
                in.p->sample_grad(in.self, record, y, 1 / B, g);
            }
            noise_gaussian(&twin, &(struct release){ .site = "twin" }, sd, D, g);
            for (int j = 0; j < D; j++) {
                double G = g[j] + lambda * (md[j] - c[j]);
                x[j] = ((gam + lambda * (1 - al)) * x[j] + lambda * al * md[j] - al * G) /
                       (gam + lambda);
            }
            instance_project(&in, x);
            for (int j = 0; j < D; j++)
                ag[j] = al * x[j] + (1 - al) * ag[j];
        }
    }
    expect_vectors("answer", D, method_run(m, 11, nobody), ag, 1e-11);
    oracle_release(&twin);
    method_free(m);
}

/* The epsilon of the ledger is at most the promise, and above a twentieth of it, whether the noise is calibrated by
 * the accountant that the paper quotes or by Renyi divergences. */
static void p12_prices(void **state)
{
    static const char *const name[] = { "localised-sgd", "localised-smoothing" };
    static const char *const from[] = { "rdp", "paper" };
    struct instance in = coins(200);
    for (int k = 0; k < 8; k++) {
        struct goal goal = goal_private(200, k & 4 ? 2 : 0.5, 1e-5);
        struct method *m = METHOD(name[k & 1], &in, &goal, { "calibration", 0, from[k >> 1 & 1] });
        method_run(m, 1, nobody);
        double eps = spent(m, 200, 1e-5);
        if (!(eps <= goal.eps && eps > 0.05 * goal.eps))
            fail_msg("%s, %s: %g of %g spent", name[k & 1], from[k >> 1 & 1], eps, goal.eps);
        method_free(m);
    }
}

static void d5_refusals(void **state)
{
    static const char *const name[] = { "localised-sgd", "localised-smoothing" };
    static const struct with nothing[] = { { 0 } }, noisy[] = { { "eps", 1 }, { 0 } };
    struct instance stream = INSTANCE(memory, "coins", { "d", D }), in = coins(N);
    struct instance far = INSTANCE(memory, "erm", { "data", 0, "heart_scale" });
    struct goal goal = goal_private(100, 1, 1e-5), rho = none, zero = goal_private(10, 0, 1e-5);
    rho.n = 10;
    rho.rho = 1;
    for (int k = 0; k < 2; k++) {
        expect_refusal(name[k], &stream, &goal, nothing, "this problem is a stream");
        expect_refusal(name[k], &stream, &none, nothing, "needs goal n >= 2");
        expect_refusal(name[k], &in, &rho, nothing, "needs goal eps and delta, not rho");
        expect_refusal(name[k], &in, &zero, nothing, "expected eps > 0");
        expect_refusal(name[k], &in, &none, noisy, "needs 0 < algo.delta < 1");
        expect_refusal(name[k], &far, &goal, nothing, "needs L and the diameter");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(d5_phases),
        cmocka_unit_test(d6_phases),
        cmocka_unit_test(p12_prices),
        cmocka_unit_test(d5_refusals),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
