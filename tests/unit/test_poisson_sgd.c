/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_poisson_sgd.c - DP-SGD on Poisson samples with proximal steps, compared with a loop; its noise, compared
 * with published figures and the formula from which they come.
 *
 * Serves: dp-gcd */
#include "support/method.h"

enum { N = 25, P = 3 };
static double X[N][P], y[N];
static char path[] = "/tmp/assay-sgd-XXXXXX";

static int begin(void **state)
{
    struct rng r = rng_stream(71);
    FILE *f = fdopen(mkstemp(path), "w");
    assert_non_null(f);
    for (int i = 0; i < N; i++) {
        y[i] = rng_sign(&r);
        fprintf(f, "%g", y[i]);
        for (int j = 0; j < P; j++)
            fprintf(f, " %d:%.17g", j + 1, X[i][j] = rng_normal(&r) + y[i]);
        fprintf(f, "\n");
    }
    assert_int_equal(fclose(f), 0);
    return setup(state);
}

static int end(void **state)
{
    remove(path);
    return teardown(state);
}

/* x[P] <- the point after T steps x <- soft(x - h g, h l1)/(1 + h l2) from 0, where soft moves each entry towards 0
 * by at most h l1. g is the sum, divided by B, of the clipped gradients over the Poisson sample that an oracle of
 * the same seed (`twin`) hands out, plus noise. *seen <- the number of records in all samples. */
static void reference(const struct instance *in, long T, long B, double C, double sigma, double h,
                      double l2, double l1, double *x, double *seen)
{
    struct oracle twin;
    contract_open(&twin, in, NULL, 11, memory);
    vec_zero(P, x);
    *seen = 0;
    for (long t = 0; t < T; t++) {
        struct ticket batch;
        double g[P] = { 0 };
        assert_true(oracle_poisson(&twin, (double)B / N, &batch));
        *seen += (double)batch.count;
        for (long k = 0; k < batch.count; k++) {
            const double *a = X[oracle_record(&twin, &batch, k)];
            double label = y[oracle_record(&twin, &batch, k)], margin = 0, norm = 0;
            for (int j = 0; j < P; j++)
                margin += label * a[j] * x[j];
            for (int j = 0; j < P; j++)
                norm += a[j] * a[j];
            double slope = -label / (1 + exp(margin));
            norm = fabs(slope) * sqrt(norm);
            for (int j = 0; j < P; j++)
                g[j] += slope * a[j] * fmin(1, C / norm) / (double)B;
        }
        noise_gaussian(&twin, &(struct release){ .site = "twin" }, sigma, P, g);
        for (int j = 0; j < P; j++) {
            double v = x[j] - h * g[j];
            x[j] = copysign(fmax(fabs(v) - h * l1, 0), v) / (1 + h * l2);
        }
    }
    oracle_release(&twin);
}

/* Method and loop agree where both regularisers are left to the proximal step and some gradients are clipped, for
 * samples of one and of four records on average. The answer is the last iterate. */
static void s5_2_loop(void **state)
{
    const double C = 0.6, sigma = 0.3, h = 0.7, l2 = 0.2, l1 = 0.05;
    struct instance in = INSTANCE(memory, "erm", { "data", 0, path }, { "prox", 0, "all" },
                                  { "l2", l2 }, { "l1", l1 });
    for (long B = 1; B <= 4; B += 3) {
        double truth[P], seen;
        struct goal goal = goal_private(NAN, 1, 1e-6);
        struct method *m = METHOD("multi-epoch-dp-sgd", &in, &goal, { "variant", 0, "poisson" },
                                  { "passes", 6 }, { "B", (double)B }, { "C", C },
                                  { "sigma", sigma }, { "step", h });
        long T = (long)method_param(m, "T");
        assert_int_equal(T, lrint(6.0 * N / (double)B));
        reference(&in, T, B, C, sigma, h, l2, l1, truth, &seen);
        expect_vectors("answer", P, method_run(m, 11, nobody), truth, 1e-13);
        expect_count(&m->o, COUNT_sample_grads, seen);
        expect_count(&m->o, COUNT_batch_steps, (double)T);
        expect_count(&m->o, COUNT_prox, (double)T);
        expect_count(&m->o, COUNT_noise_gauss, (double)T);
        assert_true(m->o.clipped > 0 && m->o.clipped < m->o.clip_seen);
        const struct ledger_entry *e = m->o.ledger.entry;
        assert_true(e->scheme == SAMPLING_POISSON && e->sensitivity == C / (double)B);
        method_free(m);
    }
}

/* --- the noise multiplier z: epsilon of K steps at sampling rate q, by the published sum, term by term */

static double printed_eps(double q, double z, double K, double delta)
{
    double best = INFINITY;
    for (int a = 2; a <= 256; a++) {
        long double largest = -INFINITY, sum = 0, term[257];
        for (int k = 0; k <= a; k++) {
            term[k] = lgammal(a + 1) - lgammal(k + 1) - lgammal(a - k + 1) + k * logl(q) +
                      k * (k - 1) / (2 * (long double)z * z);
            if (k < a)
                term[k] += (a - k) * log1pl(-(long double)q);
            largest = fmaxl(largest, term[k]);
        }
        for (int k = 0; k <= a; k++)
            sum += expl(term[k] - largest);
        double rdp = (double)(largest + logl(sum)) / (a - 1);
        best = fmin(best, K * rdp + log(1 / delta) / (a - 1));
    }
    return best;
}

static void s2_6_sgd_noise(void **state)
{
    static const struct { double n, K, z; } known[] = {
        { 1000, 1, 1.0146 },    { 1000, 10, 1.0268 },    { 1000, 100, 1.0394 },
        { 1000, 1000, 1.0617 }, { 1000, 2000, 1.0809 },  { 1000, 5000, 1.0902 },
        { 1000, 1e4, 1.1249 },  { 1000, 2e4, 1.19 },     { 2600, 26000, 1.0824 },
        { 2600, 52000, 1.113 }, { 20640, 412800, 1.0604 },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        double n = known[k].n, delta = 1 / (n * n);
        double z = noise_poisson_rdp_sd(1 / n, known[k].K, 1, delta);
        expect_near("z", z, known[k].z, 5.1e-5);
        expect_near("eps", printed_eps(1 / n, z, known[k].K, delta), 1, 1e-9);
    }
    double first[20];                                    /* more values than noise_poisson_rdp_sd remembers, so that
                                                            the first are computed again */
    for (int k = 0; k < 40; k++) {
        int at = k < 20 ? k : 39 - k;
        double sd = noise_poisson_rdp_sd(0.01 * (1 + at % 5), 10 * (1 + at / 5 % 2), 1 + at / 10, 1e-6);
        first[at] = k < 20 ? sd : first[at];
        assert_true(sd == first[at] && sd > 0);
        for (int other = 0; other < at; other++)
            assert_true(first[other] != first[at]);
    }
    /* At q = 1 every record is in every step, and epsilon is rho + 2 sqrt(rho L), where rho = K/(2 z^2) with K = 8
     * steps and L = log(1/delta), if the best order 1 + sqrt(L/rho) is an integer. It is 9 for L = 64 and rho = 1,
     * where epsilon is 17. */
    double L = 64, z = noise_poisson_rdp_sd(1, 8, 17, exp(-L));
    expect_near("q = 1", 8 / (2 * z * z), 1, 1e-9);
    assert_true(isinf(noise_poisson_rdp_sd(0.01, 10, 0.05, 1e-6)));  /* by orders up to 256 epsilon is
                                                                        at least log(1e6)/255 = 0.0542 */
    assert_true(isinf(noise_poisson_rdp_sd(NAN, 10, 1, 1e-6)));
}

/* The noise is sigma = z C/B, and twice this for neighbours with a record replaced (sensitivity 2C). For n = K =
 * 1000 z is 1.0617, as in the list above. */
static void s8_11_two_sensitivities(void **state)
{
    struct instance in = { .d = 10, .f = facts_unknown() };
    struct goal goal = goal_private(NAN, 1, 1e-6);
    in.f.n = 1000;
    in.f.d = 10;
    in.f.M = 1;
    in.f.diameter = 2;
    for (int k = 0; k < 2; k++) {
        struct method *m = METHOD("multi-epoch-dp-sgd", &in, &goal, { "variant", 0, "poisson" },
                                  { "calibration", 0, k ? "paper" : "rdp" }, { "passes", 1 },
                                  { "C", 3 }, { "sensitivity", 0, k ? "2C" : "C" });
        assert_true(method_param(m, "T") == 1000 && method_param(m, "B") == 1);
        expect_near("sigma", method_param(m, "sigma"), (k ? 6 : 3) * 1.0617, 3e-4);
        method_free(m);
    }
    static const struct with few[] = { { "variant", 0, "poisson" }, { "passes", 1e-4 }, { 0 } };
    expect_refusal("multi-epoch-dp-sgd", &in, &goal, few, "passes = 0.0001 over 1000 records are");
    static const struct with rdp[] = { { "variant", 0, "poisson" }, { "calibration", 0, "rdp" }, { "C", 3 },
                                       { 0 } };
    goal.eps = 0.05;                                     /* less than orders up to 256 can show */
    expect_refusal("multi-epoch-dp-sgd", &in, &goal, rdp, "no noise is known to make 4000 rounds of B = 1 of");
}

/* The mean over a Poisson sample is taken for the rate B/n and the number of stored records. With another n its
 * sensitivity would not be C/B. Count mode draws no samples and accepts every n. */
static void s8_11_all_records(void **state)
{
    struct instance in = { .d = P, .f = facts_unknown() };
    struct goal goal = goal_private(NAN, 1, 1e-6);
    static const struct with more[] = { { "variant", 0, "poisson" }, { "C", 1 }, { "n", 10 * N }, { 0 } },
                             fewer[] = { { "variant", 0, "bst14" }, { "C", 1 }, { "n", N - 1 }, { 0 } };
    in.f.n = N;
    in.f.d = P;
    in.f.M = 1;
    in.f.diameter = 2;
    expect_refusal("multi-epoch-dp-sgd", &in, &goal, more, "algo.n = 250: Poisson samples are of all stored");
    expect_refusal("multi-epoch-dp-sgd", &in, &goal, fewer, "expected their number, 25");
    goal.count = true;
    method_free(method_tuned("multi-epoch-dp-sgd", &in, &goal, more, NULL));
    goal = goal_private(NAN, INFINITY, 1e-6);            /* no privacy is asked for */
    struct method *m = METHOD("multi-epoch-dp-sgd", &in, &goal, { "variant", 0, "poisson" });
    assert_true(method_param(m, "sigma") == 0);
    method_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s5_2_loop), cmocka_unit_test(s2_6_sgd_noise),
        cmocka_unit_test(s8_11_two_sensitivities), cmocka_unit_test(s8_11_all_records),
    };
    return cmocka_run_group_tests_name("poisson-sgd", tests, begin, end);
}
