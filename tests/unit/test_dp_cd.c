/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_cd.c - private coordinate descent, compared with loops over a matrix; its noise, compared with published
 * figures and a closed form; its counts, ledger and schedules. The letters are those of the head of algos/dp_cd.c:
 * T is the number of rounds, K that of updates in a round, z the noise in units of the sensitivity of a release,
 * gamma the step length in units of 1/M_j, C the norm of the thresholds C_j, l1 and l2 the weights of the
 * penalties.
 *
 * Serves: dp-gcd */
#include "support/squares.h"

#include "privacy/account.h"

/* Computes coordinate descent by a loop, with the indices and the noise of an oracle of the same seed; x[P] <- the
 * answer. */
static void reference(const struct instance *in, int T, int K, double C, double z, double gamma,
                      double l2, double l1, bool average, double *x)
{
    struct oracle twin;
    struct rng rng = rng_stream(3);
    double trace = 0;
    contract_open(&twin, in, NULL, 11, memory);
    for (int j = 0; j < P; j++)
        trace += column_square(j);
    vec_zero(P, x);
    for (int t = 0; t < T; t++) {
        double sum[P] = { 0 };
        for (int k = 0; k < K; k++) {
            int j = (int)rng_below(&rng, P);
            double M = column_square(j), C_j = C * sqrt(M / trace), v = 0;
            noise_gaussian(&twin, &(struct release){ .site = "twin" }, z * 2 * C_j / N, 1, &v);
            v = x[j] - gamma / M * (clipped(j, x, C_j) + v);
            v = copysign(fmax(fabs(v) - gamma / M * l1, 0), v);
            x[j] = v / (1 + gamma / M * l2);
            vec_axpy(P, 1.0 / K, x, sum);
        }
        if (average)
            vec_copy(P, sum, x);
    }
    oracle_release(&twin);
}

/* The last iterate and the average are those that `reference` computes, after one and two rounds. An update costs n
 * derivatives and one release. */
static void c5_cd_loop(void **state)
{
    enum { K = 23 };
    const double C = 6, z = 1.7, gamma = 0.8, l2 = 0.3, l1 = 0.4;
    struct instance in = squares(l2, l1);
    double truth[P];
    for (int k = 0; k < 4; k++) {
        int T = 1 + k / 2;
        struct method *m = METHOD("dp-cd", &in, &none, { "T", T }, { "K", K }, { "C", C },
                                  { "z", z }, { "gamma", gamma },
                                  { "answer", 0, k % 2 ? "average" : "last" });
        reference(&in, T, K, C, z, gamma, l2, l1, k % 2, truth);
        expect_vectors("answer", P, method_run(m, 11, nobody), truth, 1e-12);
        expect_count(&m->o, COUNT_coords, T * K * N);
        expect_count(&m->o, COUNT_batch_steps, T * K);
        expect_count(&m->o, COUNT_noise_gauss, T * K);
        expect_count(&m->o, COUNT_prox_coords, T * K);
        const struct ledger_entry *e = m->o.ledger.entry;
        assert_int_equal(m->o.ledger.entries, T * K);
        assert_true(e->mechanism == MECHANISM_GAUSSIAN && !e->hidden && e->count == N);
        assert_true(e->sensitivity == 1 && e->scale == z && e->scheme == SAMPLING_ALL);
        method_free(m);
    }
    assert_int_equal(registry_algo("dp-cd")->adjacency, ADJACENCY_REPLACE_ONE);
}

/* Without noise and clipping the method ends at the minimum that the family certifies. */
static void s5_1_noiseless_limit(void **state)
{
    struct instance in = squares(0.3, 0.4);
    struct method *m = METHOD("dp-cd", &in, &none, { "K", 4000 });
    const double *x = method_run(m, 11, nobody);
    double error = NAN, excess = in.p->measures[0].at(in.self, x, &error);
    assert_string_equal(in.p->measures[0].name, "excess");
    assert_true(excess <= 1e-12);
    method_free(m);
}

/* --- the noise z. Instances have facts written by hand, since only n, p, L_j and M_j are read */

static double L_j[1000], M_j[1000];

static struct instance facts_only(double n, long p)
{
    struct instance in = { .d = p, .f = facts_unknown() };
    vec_fill(p, 1, L_j);
    vec_fill(p, 1, M_j);
    in.f.n = n;
    in.f.d = (double)p;
    in.f.L_j = L_j;
    in.f.M_j = M_j;
    return in;
}

/* The noise z at eps = 1, delta = 1/n^2 is compared with published values. The epsilon that it costs is computed by
 * the formula that z solves, and by the exact accountant. */
static void s2_6_cd_noise(void **state)
{
    static const struct { double n, K, z; } known[] = {
        { 1000, 1, 5.35 },         { 1000, 100, 53.4998 },   { 1000, 1000, 169.1812 },
        { 20640, 80, 57.0851 },    { 2600, 501, 127.4956 },  { 4450, 202, 83.5959 },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        double n = known[k].n, K = known[k].K, delta = 1 / (n * n);
        struct instance in = facts_only(n, 10);
        struct goal goal = goal_private(NAN, 1, delta);
        struct method *m = METHOD("dp-cd", &in, &goal, { "K", K });
        double z = method_param(m, "z"), rho = K / (2 * z * z);
        expect_near("z", z, known[k].z, 5.1e-5);
        expect_near("eps", rho + 2 * sqrt(rho * log(1 / delta)), 1, 1e-12);
        assert_true(account_gaussian_eps(sqrt(K) / z, delta) < 1);
        method_free(m);
    }
}

/* The noise in units of L, sigma/L = 2 z/n, is 0.4072 by the theorem and 0.3384 by Renyi divergences. The noise by
 * the exact curve costs the promised epsilon. */
static void s5_1_printed_noise(void **state)
{
    struct instance in = facts_only(1000, 10);
    struct goal goal = goal_private(NAN, 1, 1e-6);
    static const struct { const char *word; double ratio; } kinds[] = {
        { "theory", 0.4072 }, { "rdp", 0.3384 } };
    for (int k = 0; k < 2; k++) {
        struct method *m = METHOD("dp-cd", &in, &goal, { "K", 1000 },
                                  { "calibration", 0, kinds[k].word });
        expect_near(kinds[k].word, 2 * method_param(m, "z") / 1000, kinds[k].ratio, 5e-5);
        method_free(m);
    }
    struct method *m = METHOD("dp-cd", &in, &goal, { "K", 1000 }, { "calibration", 0, "exact" });
    double mu = sqrt(1000) / method_param(m, "z");
    expect_near("exact", account_gaussian_eps(mu, 1e-6), 1, 1e-9);
    method_free(m);
}

/* --- the numbers T of rounds and K of updates */

static void s5_1_schedules(void **state)
{
    struct instance in = facts_only(1000, 100);
    struct goal goal = goal_private(NAN, 1, 1e-6);
    double l_d = log(1e6);
    vec_fill(100, 4, M_j);           /* sum L_j^2/M_j = 100/4 */
    struct method *m = METHOD("dp-cd", &in, &goal, { "schedule", 0, "convex" }, { "R", 3 });
    assert_true(method_param(m, "T") == 1);
    expect_near("K", method_param(m, "K"), 3 * sqrt(100 / (25 * l_d)) * 1000, 0.5);
    method_free(m);
    m = METHOD("dp-cd", &in, &goal, { "schedule", 0, "strongly" }, { "R", 3 }, { "mu", 0.5 },
               { "c_K", 2 });
    assert_true(method_param(m, "K") == 400);
    /* By the formula of the schedule `strongly` the squared distance that the noise leaves is 100 * 13.8155 *
     * 25/(0.5 * 1e6) = 0.0691, and T = log2(9/0.0691) = 7.03, rounded up. */
    assert_true(method_param(m, "T") == 8);
    method_free(m);
    m = METHOD("dp-cd", &in, &goal, { "passes", 0.03 });
    assert_true(method_param(m, "K") == 3);
    method_free(m);
    goal.T = 250;
    m = METHOD("dp-cd", &in, &goal, { "passes", 3 });
    assert_true(method_param(m, "K") == 250);
    method_free(m);
    goal.T = NAN;
    goal.budget = 4000;              /* 4000 sample gradients, of 100 derivatives each */
    m = METHOD("dp-cd", &in, &goal, { "passes", 9 });
    assert_true(method_param(m, "K") == 400);
    method_free(m);
}

static void s8_14_refusals(void **state)
{
    static const struct with few[] = { { "passes", 0.001 }, { 0 } },
                             bare[] = { { "schedule", 0, "convex" }, { 0 } },
                             theory[] = { { "calibration", 0, "theory" }, { 0 } },
                             plain[] = { { 0 } };
    struct instance in = facts_only(1000, 100);
    struct goal goal = goal_private(NAN, 2, 1e-6);
    expect_refusal("dp-cd", &in, &goal, few, "0.001 passes over 100 coordinates are no update");
    expect_refusal("dp-cd", &in, &goal, bare, "needs goal eps and delta, and algo.R");
    expect_refusal("dp-cd", &in, &goal, theory, "proven for 0 < eps <= 1");
    in.f.L_j = NULL;                 /* in practice L is sqrt(sum M_j) = 10 */
    struct method *m = METHOD("dp-cd", &in, &goal, { "K", 3 });
    expect_near("C", method_param(m, "C"), 10, 1e-12);
    method_free(m);
    goal.constants = CONSTANTS_THEORY;
    expect_refusal("dp-cd", &in, &goal, plain, "give algo.C");
}

/* --- A closed form. The records have one entry each, so that coordinates do not interact. A step 1/M_j sets x_j to
 * its optimum x*_j plus noise of sd z 2 C_j/(n M_j), whatever x_j was: derivatives stay within ten times the noise,
 * which is below C_j. K updates leave x_j unchanged with probability q = (1 - 1/p)^K, so that
 *
 * E excess = sum_j (M_j/2) ( (1-q) (z 2 C_j/(n M_j))^2 + q (x*_j)^2 ) */
static void s5_1_excess_of_separable(void **state)
{
    enum { R = 4000, D = 3, ROWS = 6, K = 4 };
    static const double a[D] = { 1, 2, 0.5 }, y[D] = { 1, -3, 2 };
    const double z = 0.1, C = 40, q = pow(2.0 / 3, K);
    char file[] = "/tmp/assay-cd-XXXXXX";
    FILE *f = fdopen(mkstemp(file), "w");
    double trace = 0, truth = 0;
    for (int i = 0; i < ROWS; i++)
        fprintf(f, "%g %d:%g\n", y[i % D], i % D + 1, a[i % D]);
    fclose(f);
    struct instance in = INSTANCE(memory, "erm", { "data", 0, file }, { "loss", 0, "squares" },
                                  { "l2", 0 });
    for (int j = 0; j < D; j++)
        trace += a[j] * a[j] / D;
    for (int j = 0; j < D; j++) {
        double M = a[j] * a[j] / D, x = y[j] / a[j], sd = z * 2 * C * sqrt(M / trace) / (ROWS * M);
        truth += M / 2 * ((1 - q) * sd * sd + q * x * x);
    }
    struct method *m = METHOD("dp-cd", &in, &none, { "K", K }, { "C", C }, { "z", z });
    struct sample_moments seen = { 0 };
    for (int k = 0; k < R; k++) {
        struct rng rng = rng_sub(&(struct rng){ 0 }, (uint64_t)k);
        oracle_release(&m->o);
        arena_reset(m->work);
        contract_open(&m->o, &in, m->algo, 1000 + (uint64_t)k, m->work);
        vec_zero(D, m->x);
        assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
        double excess = 0;
        for (int j = 0; j < D; j++)
            excess += a[j] * a[j] / D / 2 * (m->x[j] - y[j] / a[j]) * (m->x[j] - y[j] / a[j]);
        moments_of(&seen, excess);
    }
    expect_mean("excess", &seen, truth);
    method_free(m);
    remove(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c5_cd_loop),         cmocka_unit_test(s5_1_noiseless_limit),
        cmocka_unit_test(s2_6_cd_noise),      cmocka_unit_test(s5_1_printed_noise),
        cmocka_unit_test(s5_1_schedules),     cmocka_unit_test(s8_14_refusals),
        cmocka_unit_test(s5_1_excess_of_separable),
    };
    return cmocka_run_group_tests_name("dp-cd", tests, begin, end);
}
