/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_localised_ac_sa.c - localised multi-stage AC-SA: its path is compared with a loop written here, its ledger
 * with the sum of squares, its rounds and gradients with their powers of n; and its refusals.
 *
 * Serves: accelerated-dp-srgd */
#include "support/method.h"

#include "privacy/account_ledger.h"
#include "run/run.h"

enum { D = 7 };

static struct instance outside(void)
{
    return INSTANCE(memory, "spectral", { "d", D }, { "s", 1 }, { "decades", 2 }, { "rr", 1.4 });
}

/* --- the method as a loop, for losses of smoothness M = 1 */

/* Parameters of the method. lambda: of the first phase; it grows by the factor 2^q from phase to phase. A stage has
 * N = c_N sqrt((1 + lambda)/lambda) rounds, and halves the gap V if N >= c_V v^2/(lambda V), where v^2 is the
 * variance of a gradient. In a phase of n_i samples and R_i gradients their noise is sigma sqrt(R_i)/n_i. */
struct schedule { double L, C, lambda, q, c_N, c_V, sigma; };

/* Returns the number of stages of a phase of n samples. Another stage is added as long as it may halve the bound of
 * the excess, and that bound is above the sampling noise. */
static int stages(const struct schedule *s, double n, double lambda, double N)
{
    int S = 1;
    for (;;) {
        double gap = s->L * s->L / (2 * lambda) * pow(0.5, S);       /* the bound of the excess after S stages */
        double v2 = D * s->sigma * s->sigma * (S + 1) * N / (n * n);
        if (gap <= s->L * s->L / (lambda * n) || N < s->c_V * v2 / (lambda * gap))
            return S;
        S++;
    }
}

/* Makes one stage of N rounds on the samples first ... first + n - 1. ag[d] is its start, then its answer. sd: of
 * the noise of a gradient; centre[d]: of the regulariser lambda/2 |x - centre|^2; gamma: round t takes a step of
 * t/(2 gamma). */
static void stage(struct oracle *twin, const struct instance *in, const struct schedule *s,
                  long first, long n, double lambda, double sd, double gamma, int N,
                  const double *centre, double *ag)
{
    double x[D], md[D], g[D], v[D];
    vec_copy(D, ag, x);
    for (int t = 1; t <= N; t++) {
        double al = 2.0 / (t + 1);
        vec_lincomb(D, 1 - al, ag, al, x, md);
        vec_zero(D, g);
        for (long r = first; r < first + n; r++) {
            sample_clipped(in, r, 1, md, 0, NULL, s->C, v);
            vec_axpy(D, 1.0 / (double)n, v, g);
        }
        noise_gaussian(twin, &(struct release){ .site = "twin" }, sd, D, g);
        for (int j = 0; j < D; j++)
            x[j] -= t / (2 * gamma) * (g[j] + lambda * (md[j] - centre[j]));
        instance_project(in, x);
        vec_lincomb(D, 1 - al, ag, al, x, ag);
    }
}

static double reference(struct oracle *twin, const struct instance *in, const struct schedule *s,
                        long n0, double *x, double *gradients)
{
    double lambda = s->lambda, rounds = 0, centre[D];
    long first = 0;
    *gradients = 0;
    for (long n = n0 / 2; n; first += n, n /= 2, lambda *= pow(2, s->q)) {
        double N = ceil(s->c_N * sqrt((1 + lambda) / lambda));
        int S = stages(s, (double)n, lambda, N);
        double sd = s->sigma * sqrt(S * N) / (double)n, v = sd * sqrt(D);
        struct ticket phase;
        assert_true(oracle_take(twin, n, &phase));
        vec_copy(D, x, centre);
        for (int k = 0; k < S; k++) {
            double gap = s->L * s->L / (2 * lambda) * pow(0.5, k), square = 2 * gap / lambda;
            double gamma = sqrt(v * v / square * N * (N + 1) * (2 * N + 1) / 12);
            gamma = gamma > 2 + 2 * lambda ? gamma : 2 + 2 * lambda;
            stage(twin, in, s, first, n, lambda, sd, gamma, (int)N, centre, x);
        }
        rounds += S * N;
        *gradients += S * N * (double)n;
    }
    return rounds;
}

static void bl8_loop(void **state)
{
    static const struct schedule settings[] = {
        { 2.4, 1.1, 0.05, 3, 1, 8, 0 }, { 2.4, 1.1, 0.05, 3, 1, 8, 0.02 },
        { 2.4, 5, 0.2, 1, 2, 85, 0.3 }, { 2.4, 0.8, 0.01, 3, 5.7, 1, 3 },
    };
    struct instance in = outside();
    double fewest = INFINITY, most = 0;
    for (int k = 0; k < 4; k++) {
        const struct schedule *s = &settings[k];
        const struct with with[] = { { "n", 43 }, { "L", s->L }, { "C", s->C },
                                     { "lambda", s->lambda }, { "q", s->q }, { "c_N", s->c_N },
                                     { "c_V", s->c_V }, { "sigma", s->sigma }, { 0 } };
        struct method *m = method_tuned("localised-ac-sa", &in, &none, with, NULL);
        struct oracle twin;
        double x[D] = { 0 }, gradients;
        contract_open(&twin, &in, NULL, 11, memory);
        double rounds = reference(&twin, &in, s, 43, x, &gradients);
        expect_vectors("answer", D, method_run(m, 11, nobody), x, 1e-12);
        expect_count(&m->o, COUNT_batch_steps, rounds);
        expect_count(&m->o, COUNT_sample_grads, gradients);
        expect_count(&m->o, COUNT_taken, 21 + 10 + 5 + 2 + 1);
        fewest = fmin(fewest, rounds / s->c_N);
        most = fmax(most, rounds / s->c_N);
        oracle_release(&twin);
        method_free(m);
    }
    assert_true(most > 1.5 * fewest);    /* noise has ended phases after fewer stages in some of the settings */
}

/* --- privacy */

/* A record of phase i of n_i samples pays mu^2 = R_i (C/n_i)^2/sigma_i^2 for R_i gradients with noise sigma_i. In
 * each phase this is the mu that the method was given. */
static void bl8_price(void **state)
{
    const double mu = 0.7;
    struct instance in = outside();
    struct method *m = METHOD("localised-ac-sa", &in, &none, { "n", 200 }, { "mu", mu });
    method_run(m, 1, nobody);
    assert_true(method_param(m, "C") == in.f.L && m->o.ledger.entries > 7);
    double phase[200] = { 0 };
    for (long k = 0; k < m->o.ledger.entries; k++) {
        const struct ledger_entry *e = &m->o.ledger.entry[k];
        assert_true(e->mechanism == MECHANISM_GAUSSIAN && !e->hidden && e->failure == 0);
        for (long r = e->first; r < e->first + e->count; r++)
            phase[r] += pow(e->sensitivity / e->scale, 2);
    }
    for (long r = 0; r < 100 + 50 + 25 + 12 + 6 + 3 + 1; r++)
        expect_near("mu", sqrt(phase[r]), mu, 1e-12);
    assert_int_equal(m->algo->adjacency, ADJACENCY_ZERO_OUT);
    method_free(m);
}

/* The only phase has n_1 = 1 record. If its gradient is set to 0, the answer changes, by less than 2 C/lambda with
 * C = 0.4 and lambda = 1e6. */
static void bl8_sensitivity(void **state)
{
    struct instance in = outside();
    struct method *m = METHOD("localised-ac-sa", &in, &none, { "n", 2 }, { "C", 0.4 }, { "L", 1 },
                              { "sigma", 0.1 }, { "lambda", 1e6 });
    double x[D], v[D], origin[D] = { 0 };
    vec_copy(D, method_run(m, 5, nobody), x);
    expect_count(&m->o, COUNT_batch_steps, 2);   /* one stage of ceil(sqrt((1 + lambda)/lambda)) rounds */
    method_run(m, 5, (struct neighbour){ NEIGHBOUR_NULL, 0, 0 });
    sample_clipped(&in, 0, 1, origin, 0, NULL, 0.4, v);
    assert_true(vec_dist(D, x, m->x) > 0 && vec_dist(D, x, m->x) < 0.4 * 2 / 1e6);
    method_free(m);
}

/* With Poisson samples the epsilon of the ledger, by the accountants that apply, is at most the promised eps = 1,
 * and above 0.3. The mean number of gradients in a round is K, the expected size of a sample. */
static void bl8_poisson(void **state)
{
    struct instance in = INSTANCE(memory, "glm_stored", { "d", D }, { "n", 400 },
                                  { "loss", 0, "logistic" });
    struct goal goal = goal_private(NAN, 1, 1e-5);
    struct method *m = METHOD("localised-ac-sa", &in, &goal, { "sampling", 0, "poisson" });
    struct priced by[ACCOUNTANTS];
    double K = method_param(m, "K"), R, eps;
    method_run(m, 1, nobody);
    R = m->o.counts.of[COUNT_batch_steps];
    m->o.ledger.adjacency = m->algo->adjacency;  /* the runner sets it in the same way */
    account_ledger(&m->o.ledger, 400, 1e-5, by);
    eps = account_ledger_least(by);
    assert_true(R > 3 && R <= method_param(m, "R") && K <= 80);
    assert_true(eps <= 1 && eps > 0.3);
    for (long k = 0; k < m->o.ledger.entries; k++) {
        const struct ledger_entry *e = &m->o.ledger.entry[k];
        assert_true(e->scheme == SAMPLING_POISSON);
        expect_near("rate", e->q, K / 400, 1e-15);
        expect_near("sensitivity", e->sensitivity, in.f.L / K, 1e-12);
    }
    /* The number of gradients is a sum of R binomials of mean K; it is within 6 standard errors. */
    expect_near("gradients", m->o.counts.of[COUNT_sample_grads], R * K, Z * sqrt(R * K));
    method_free(m);
    /* Noise for fewer rounds than the phases make would not keep the promise. */
    const struct with one[] = { { "sampling", 0, "poisson" }, { "R", 1 }, { 0 } };
    expect_refusal("localised-ac-sa", &in, &goal, one, "algo.R = 1: expected at least");
    m = METHOD("localised-ac-sa", &in, &goal, { "sampling", 0, "poisson" }, { "R", 1000 });
    assert_true(method_param(m, "R") == 1000);
    method_free(m);
}

/* Compares the noise of the first phase, of n_1 = 50 samples, with the paper's, whose variance is 256 L^2 R ln(2.5
 * R/delta) ln(2/delta)/(n_1 eps)^2 for the R rounds of this phase. */
static void bl8_paper(void **state)
{
    struct instance in = outside();
    struct goal goal = goal_private(100, 1, 1e-5);
    struct method *m = METHOD("localised-ac-sa", &in, &goal, { "calibration", 0, "paper" });
    method_run(m, 1, nobody);
    double R = 0, L = in.f.L;
    for (long k = 0; k < m->o.ledger.entries; k++)
        R += m->o.ledger.entry[k].first == 0;
    double variance = 256 * L * L * R * log(2.5e5 * R) * log(2e5) / (50.0 * 50);
    expect_near("sigma_1", m->o.ledger.entry[0].scale, sqrt(variance), 1e-9 * sqrt(variance));
    method_free(m);
}

static void bl8_refusals(void **state)
{
    const struct with plain[] = { { 0 } }, poisson[] = { { "sampling", 0, "poisson" }, { 0 } },
                      paper[] = { { "calibration", 0, "paper" }, { "mu", 1 }, { 0 } };
    struct instance in = outside(), kink = INSTANCE(memory, "norm", { "d", D }, { "radius", 1 });
    struct goal goal = goal_private(1000, 1, 1e-5), literal = goal, n = none;
    n.n = 1000;
    literal.constants = CONSTANTS_THEORY;
    literal.T = 50;
    expect_refusal("localised-ac-sa", &in, &none, plain, "goal n >= 2");
    expect_refusal("localised-ac-sa", &in, &goal, poisson, "stored records");
    expect_refusal("localised-ac-sa", &kink, &goal, plain, "needs L, M and the diameter");
    expect_refusal("localised-ac-sa", &in, &n, paper, "needs goal eps and delta");
    expect_refusal("localised-ac-sa", &in, &literal, plain, "--constants practical");
}

/* --- rounds and gradients as powers of n */

static double counted(double n, const char *count)
{
    char text[200];
    struct cell *c;
    struct why why = { "" };
    struct runner *rn = runner_new(0);
    double v = NAN;
    snprintf(text, sizeof text, "problem spectral d=4 | algo localised-ac-sa mu=1 | goal n=%.0f | "
             "run count=1", n);
    if (cell_parse(text, &c, &why) != OK)
        fail_msg("%s", why.text);
    struct record *r = run_cell(rn, c, NULL);
    if (r->outcome != OUTCOME_OK || !record_get(r, count, &v))
        fail_msg("%s: %s", text, r->message);
    record_free(r);
    cell_free(c);
    runner_free(rn);
    return v;
}

/* From n = 2^20 to 2^28 the number of rounds grows as n^(1/4), by 4, and that of gradients as n^(5/4), by 1024. The
 * growth may be larger by a factor of 28/20, from the number of stages, and of 1.1, since rounds are rounded up. */
static void bl8_exponents(void **state)
{
    double rounds = counted(0x1p28, "count.batch_steps") / counted(0x1p20, "count.batch_steps");
    double grads = counted(0x1p28, "count.sample_grads") / counted(0x1p20, "count.sample_grads");
    assert_true(rounds > 0.9 * 4 && rounds < 4 * 1.4 * 1.1);
    assert_true(grads > 0.9 * 1024 && grads < 1024 * 1.4 * 1.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bl8_loop), cmocka_unit_test(bl8_price), cmocka_unit_test(bl8_sensitivity),
        cmocka_unit_test(bl8_poisson), cmocka_unit_test(bl8_paper), cmocka_unit_test(bl8_refusals),
        cmocka_unit_test(bl8_exponents),
    };
    return cmocka_run_group_tests_name("localised-ac-sa", tests, setup, teardown);
}
