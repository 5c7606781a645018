/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bias_private.c - Algorithm 6, phased-optimum: its ledger is compared with formulas written out, its answer
 * on linear losses with sums over the records, the number of uses of a record with exact probabilities. The letters
 * are those of the head of algos/phased_optimum.c: phase i of k has nbar records and the step length eta_i, and
 * takes the mean of nbar independent copies of the estimator; (alpha, beta) is the promised (epsilon, delta), G
 * bounds the gradients, R the distance from the start to x*; C_1 and C_2 are the factors in the bounds of an
 * estimate's error and cost.
 *
 * Serves: bias-reduced */
#include "support/linear_law.h"
#include "support/method.h"

#include <gsl/gsl_cdf.h>

enum { D = 3, N = 300, K = 9, NBAR = 33 };       /* K = ceil(log2 300), 300 = 9 * 33 + 3 */
static const char *const estimators[] = { "clipped", "exact", "mlmc", "plain" };

/* Returns an instance in which no point comes near the edge of the ball. */
static struct instance wide(double s)
{
    return INSTANCE(memory, "linear", { "d", D }, { "hardness", 0.6 }, { "s", s },
                    { "radius", 1e6 });
}

/* --- the ledger */

/* There are 9 disjoint batches of 33 records. From phase to phase the noise, the sensitivity and eta_i fall by a
 * factor of 16. The number of draws is checked too. */
static void s7_14_phases(void **state)
{
    const double alpha = 2, beta = 1e-4, ln = log(N), C_1 = 0.7, C_2 = 1.3, R = 0.5;
    struct goal goal = goal_private(N, alpha, beta);
    for (int theory = 0; theory < 2; theory++)
        for (int k = 0; k < 4; k++) {
            struct instance in = INSTANCE(memory, "linear", { "d", D }, { "radius", R },
                                          { "hardness", 0.6 }, { "s", 1 });
            double b = theory ? 20 : 1, G = 1.6, B = b * (log(1 / beta) + C_2 * ln * ln);
            double limit = alpha / (B * ln * sqrt(D * log(1 / beta)));
            double eta = R / G * fmin(1 / sqrt(N), limit);
            double C = 2 * B * (sqrt(C_1 * ln) + 2) * G;
            double sigma = 4 * C * sqrt(log(2 / beta)) / alpha;
            goal.constants = theory ? CONSTANTS_THEORY : CONSTANTS_PRACTICAL;
            struct method *m = METHOD("phased-optimum", &in, &goal, { "C_1", C_1 }, { "C_2", C_2 },
                                      { "estimator", 0, estimators[k] }, { "T_max", 64 },
                                      { "calibration", 0, "paper" });
            expect_near("eta", method_param(m, "eta"), eta, 1e-12 * eta);
            expect_near("sigma", method_param(m, "sigma"), sigma, 1e-12 * sigma);
            method_run(m, 3, nobody);
            assert_int_equal(m->o.ledger.entries, K);
            for (int i = 0; i < K; i++) {
                const struct ledger_entry *e = &m->o.ledger.entry[i];
                eta /= 16;
                assert_true(e->first == NBAR * i && e->count == NBAR && !e->hidden);
                assert_true(e->failure == (k >= 2) && e->mechanism == MECHANISM_GAUSSIAN);
                expect_near("sensitivity", e->sensitivity, C * eta, 1e-12 * C * eta);
                expect_near("scale", e->scale, sigma * eta, 1e-12 * sigma * eta);
            }
            expect_count(&m->o, COUNT_taken, K * NBAR);
            expect_count(&m->o, COUNT_draws, K * NBAR);
            expect_count(&m->o, COUNT_noise_gauss, K);
            assert_int_equal(m->algo->adjacency, ADJACENCY_REPLACE_ONE);
            method_free(m);
        }
}

/* Without a goal of privacy eta = c R/(G sqrt n), and there is no noise; c is a parameter of the method, here 3. */
static void s7_14_without_privacy(void **state)
{
    struct instance in = INSTANCE(memory, "linear", { "d", D }, { "radius", 0.5 });
    struct goal goal = goal_unknown();
    goal.n = N;
    struct method *m = METHOD("phased-optimum", &in, &goal, { "c", 3 });
    expect_near("eta", method_param(m, "eta"), 3 * 0.5 / (1.1 * sqrt(N)), 1e-15);
    assert_true(method_param(m, "sigma") == 0);
    method_free(m);
}

/* --- answers on linear losses */

/* The answer is that of the steps x <- x - (eta_i nbar/2) g_i, i = 1 ... k, where g_i is the mean gradient of the
 * records of phase i. */
static void s3_11_exact_minimisers(void **state)
{
    const double eta = 5;
    struct instance in = wide(1);
    struct method *m = METHOD("phased-optimum", &in, &none, { "n", N }, { "eta", eta },
                              { "estimator", 0, "exact" }, { "C_1", 1e-300 });
    double x[D] = { 0 }, g[D], origin[D] = { 0 };
    for (int i = 0; i < K; i++)
        for (long r = NBAR * i; r < NBAR * (i + 1); r++) {
            instance_sample_grad(&in, r, origin, g);
            vec_axpy(D, -eta * pow(16, -i - 1) / 2, g, x);
        }
    expect_vectors("answer", D, method_run(m, 1, nobody), x, 2e-6 * eta / 15 * in.f.L);
    method_free(m);
    /* Steps far below the rounding of x, in phase 12, are not a failure of the solver. */
    m = METHOD("phased-optimum", &in, &none, { "n", 4096 }, { "eta", eta }, { "R", 1 },
               { "estimator", 0, "exact" });
    method_run(m, 1, nobody);
    method_free(m);
}

/* Where the noise moves a centre c out of the ball, the next phase starts at P(c) and ends at P(P(c) - step). */
static void s3_11_centres_are_projected(void **state)
{
    const double eta = 8, sigma = 0.4;
    struct instance in = INSTANCE(memory, "linear", { "d", D }, { "hardness", 0.6 },
                                  { "radius", 0.3 });
    struct method *m = METHOD("phased-optimum", &in, &none, { "n", 64 }, { "k", 4 }, { "eta", eta },
                              { "sigma", sigma }, { "estimator", 0, "exact" }, { "C_1", 1e-300 });
    struct oracle twin;
    double x[D] = { 0 }, g[D], origin[D] = { 0 }, step = eta, out = 0;
    contract_open(&twin, &in, NULL, 7, memory);
    for (int i = 0; i < 4; i++) {
        struct ticket phase;
        assert_true(oracle_take(&twin, 16, &phase));
        step /= 16;
        instance_project(&in, x);
        for (long r = 16 * i; r < 16 * (i + 1); r++) {
            instance_sample_grad(&in, r, origin, g);
            vec_axpy(D, -step / 2, g, x);
        }
        instance_project(&in, x);
        noise_gaussian(&twin, &(struct release){ .site = "twin" }, sigma * step, D, x);
        out = fmax(out, vec_norm(D, x));
    }
    assert_true(out > 0.31);
    instance_project(&in, x);
    expect_vectors("answer", D, method_run(m, 7, nobody), x, 1e-5 * eta);
    oracle_release(&twin);
    method_free(m);
}

/* The estimator `exact` moves a minimiser by a random vector of length r = sqrt(C_1 ln sqrt(nbar)) G eta nbar. The
 * mean of nbar such vectors has E|.|^2 = r^2/nbar. No estimate is farther from x_0 than r + G eta nbar/2, where the
 * second term is the distance of the minimiser from x_0. */
static void s3_11_exact_is_bounded(void **state)
{
    const double C_1 = 2, eta = 1;
    struct instance in = wide(0);
    struct method *still = METHOD("phased-optimum", &in, &none, { "n", 64 }, { "k", 1 },
                                  { "eta", 16 * eta }, { "estimator", 0, "exact" },
                                  { "C_1", 1e-300 });
    struct method *m = METHOD("phased-optimum", &in, &none, { "n", 64 }, { "k", 1 }, { "C_1", C_1 },
                              { "eta", 16 * eta }, { "estimator", 0, "exact" });
    double r = sqrt(C_1 * log(8)), unit = 0.6 * eta * 64, centre[D];
    struct sample_moments square = { 0 };
    vec_copy(D, method_run(still, 1, nobody), centre);
    for (uint64_t seed = 0; seed < 200; seed++) {
        method_drawn(m, seed);
        double away = vec_dist(D, m->x, centre) / unit;
        moments_of(&square, away * away);
        assert_true(m->o.note[2].max * (sqrt(C_1 * log(64)) + 1) <= r + 0.5 + 1e-5);
    }
    expect_mean("square", &square, r * r / 64);
    method_free(still);
    method_free(m);
}

/* If gradients have no noise, a run of EpochSGD of e epochs ends at a known distance from the minimiser. T_max is
 * 128, which has room for three epochs. The mean error of the estimator `mlmc` must equal the error of every run of
 * `plain`, which is that of three epochs. */
static void s3_11_draws_of_mlmc(void **state)
{
    const double eta = 1;
    struct instance in = wide(0);
    struct linear_law l = linear_law_begin(2 / (eta * 64), 0.6, 0);
    double start = l.mean, g[D], origin[D] = { 0 };
    for (int e = 0; e < linear_law_epochs(7); e++)
        linear_law_epoch(&l);
    in.p->grad(in.self, origin, g);
    for (int k = 2; k < 4; k++) {
        struct method *m = METHOD("phased-optimum", &in, &none, { "n", 64 }, { "k", 1 },
                                  { "eta", 16 * eta }, { "estimator", 0, estimators[k] },
                                  { "T_max", 128 });
        struct sample_moments along = { 0 };
        for (uint64_t seed = 0; seed < (k == 2 ? 400 : 3); seed++) {
            method_drawn(m, seed);
            moments_of(&along, -vec_dot(D, m->x, g) / 0.6);
            if (k == 3)
                expect_near("plain", along.mean, start - l.mean, 1e-9 * start);
        }
        expect_mean("mlmc", &along, start - l.mean);
        method_free(m);
    }
}

/* --- how many of the nbar copies of the estimator use a given record */

static double gradients_of_level(int j)
{
    int e = linear_law_epochs(j);
    return e == linear_law_epochs(j - 1) ? 0 : 16 * (ldexp(1, e) - 1) - e;
}

/* Returns the probability that a copy uses a given record, for levels up to T_max = 16 nbar. */
static double meets(double nbar)
{
    double p = 0;
    for (int j = 1; ldexp(1, j) <= 16 * nbar; j++)
        p += ldexp(1 - pow(1 - 1 / nbar, gradients_of_level(j)), -j);
    return p;
}

/* p is the probability that a copy uses a given record. The mean number of uses over the records is nbar p. The
 * largest number is at least this mean, and at most the number of draws. */
static void s7_14_reuse(void **state)
{
    struct instance in = wide(1);
    struct method *m = METHOD("phased-optimum", &in, &none, { "n", N }, { "estimator", 0, "mlmc" });
    struct sample_moments reuse = { 0 };
    for (uint64_t seed = 0; seed < 300; seed++) {
        method_drawn(m, seed);
        moments_of(&reuse, m->o.note[1].sum / m->o.note[1].count);
        assert_true(m->o.note[0].max >= m->o.note[1].max && m->o.note[0].max <= NBAR);
        assert_true(m->o.note[0].max <= m->o.counts.of[COUNT_max_visits]);
    }
    expect_mean("reuse", &reuse, NBAR * meets(NBAR));
    method_free(m);
}

/* Lemma 15, P(X >= c n p) <= 2^(-c n p) for a binomial X with mean n p, holds for c >= 6, and does not hold for c =
 * 1. Lemma 14 says that with probability 1 - beta/2 no record is in more than 20 ln(1/beta) + 6 C_2 ln(n)^2 copies
 * of its phase. It is checked with the p of MLMC, by a union bound over exact tails, for beta from 1/n, the largest
 * that the lemma allows, down to 1e-40. */
static void o36_lemmas_14_and_15(void **state)
{
    for (unsigned n = 8; n <= 1 << 16; n *= 4)
        for (double np = 0.25; np <= n / 8.0; np *= 3)
            for (double c = 6; c * np <= n; c *= 1.5)
                assert_true(gsl_cdf_binomial_Q((unsigned)ceil(c * np) - 1, np / n, n) <=
                            exp2(-c * np));
    assert_true(gsl_cdf_binomial_Q(15, 16 / 1024.0, 1024) > exp2(-16));
    for (double n = 256; n <= 0x1p24; n *= 4)
        for (double beta = 1 / n; beta > 1e-40; beta /= 1e3) {
            double k = ceil(log2(n)), nbar = floor(n / k), ln = log(n), p = meets(nbar);
            double C_2 = fmax(1, nbar * p / (log(nbar) / 2));    /* C_2 of Definition 3, the least for this nbar and
                                                                    p */
            double most = 20 * log(1 / beta) + 6 * C_2 * ln * ln;
            double tail = most > nbar ? 0
                                      : gsl_cdf_binomial_Q((unsigned)most - 1, p, (unsigned)nbar);
            assert_true(n * k * tail <= beta / 2);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_14_phases), cmocka_unit_test(s7_14_without_privacy),
        cmocka_unit_test(s3_11_exact_minimisers), cmocka_unit_test(s3_11_centres_are_projected),
        cmocka_unit_test(s3_11_exact_is_bounded), cmocka_unit_test(s3_11_draws_of_mlmc),
        cmocka_unit_test(s7_14_reuse), cmocka_unit_test(o36_lemmas_14_and_15),
    };
    return cmocka_run_group_tests_name("Algorithm 6", tests, setup, teardown);
}
