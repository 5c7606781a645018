/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dp_sgd.c - one-pass DP-SGD, compared with an independent loop; the law of its noise, its counts, its step
 * and its ledger.
 *
 * Serves: accelerated-dp-srgd */
#include "contract/contract.h"

#include "run/run.h"

enum { T = 12, B = 5, D = 7 };

struct bench {
    struct arena *memory, *work;
    struct instance in;
    const struct algo *algo;
    unsigned char params[512];
};

static struct bench bench_new(double s, const struct with *with)
{
    struct bench b = { .memory = arena_new(0), .work = arena_new(0),
                       .algo = registry_algo("dp-sgd") };
    struct goal goal = goal_unknown();
    struct why why = { "" };
    b.in = INSTANCE(b.memory, "spectral", { "d", D }, { "s", s }, { "decades", 1 },
                    { "rr", 1.4 });
    params_default(b.algo->params, b.params);
    for (; with->name; with++)
        assert_int_equal(params_set(params_find(b.algo->params, with->name), b.params, with->value,
                                    "dp-sgd", &why), OK);
    if (b.algo->tune(&b.in.f, &goal, b.params, &why) != OK)
        fail_msg("%s", why.text);
    return b;
}
#define BENCH(s, ...) \
    bench_new(s, (const struct with[]){ { "T", T }, { "B", B }, __VA_ARGS__, { 0 } })

static void bench_free(struct bench *b)
{
    arena_free(b->work);
    arena_free(b->memory);
}

static void bench_run(struct bench *b, struct oracle *o, const char *answer, double *x)
{
    struct rng rng = rng_stream(3);
    arena_reset(b->work);
    assert_int_equal(params_set_text(params_find(b->algo->params, "answer"), b->params, answer,
                                     "dp-sgd", NULL), OK);
    vec_zero(D, x);
    assert_int_equal(b->algo->run(o, b->params, b->work, &rng, x), OK);
}

/* Computes DP-SGD sample by sample, with the noise that an oracle of the same seed draws; x <- the last iterate,
 * mean <- the average. */
static void reference(struct bench *b, double C, double sigma, double h, double *x, double *mean)
{
    struct oracle twin;
    contract_open(&twin, &b->in, NULL, 11, b->memory);
    vec_zero(D, x);
    vec_zero(D, mean);
    for (int t = 0; t < T; t++) {
        double g[D] = { 0 };
        struct ticket batch;
        assert_true(oracle_take(&twin, B, &batch));
        for (long i = t * B; i < (t + 1) * B; i++) {
            double v[D] = { 0 }, square = 0;
            b->in.p->sample_grad(b->in.self, i, x, 1, v);
            for (int j = 0; j < D; j++)
                square += v[j] * v[j];
            for (int j = 0; j < D; j++)
                g[j] += v[j] * fmin(1, C / sqrt(square)) / B;
        }
        noise_gaussian(&twin, &(struct release){ .site = "twin" }, sigma, D, g);
        for (int j = 0; j < D; j++)
            x[j] -= h * g[j];
        double norm = sqrt(vec_dot(D, x, x));
        for (int j = 0; j < D; j++) {
            x[j] /= fmax(1, norm);
            mean[j] += x[j] / T;
        }
    }
    oracle_release(&twin);
}

/* The path is that of the loop, with clipping, projection and noise that act. A run takes n gradients in T rounds,
 * uses each record once, and books one entry in the ledger. */
static void bl1_loop(void **state)
{
    const double C = 1.1, sigma = 0.2, h = 0.8;
    struct bench b = BENCH(1, { "C", C }, { "sigma", sigma }, { "step", h });
    double x[D], last[D], mean[D];
    reference(&b, C, sigma, h, last, mean);
    for (int k = 0; k < 2; k++) {
        struct oracle o;
        contract_open(&o, &b.in, b.algo, 11, b.memory);
        bench_run(&b, &o, k ? "last" : "average", x);
        expect_vectors("answer", D, x, k ? last : mean, 1e-13);
        assert_true(o.clipped > 0 && o.clipped < o.clip_seen && o.clip_seen == T * B);
        expect_count(&o, COUNT_sample_grads, T * B);
        expect_count(&o, COUNT_batch_steps, T);
        expect_count(&o, COUNT_taken, T * B);
        expect_count(&o, COUNT_max_visits, 1);
        expect_count(&o, COUNT_noise_gauss, T);
        const struct ledger_entry *e = o.ledger.entry;
        assert_true(o.ledger.entries == 1 && e->mechanism == MECHANISM_GAUSSIAN && !e->hidden);
        assert_true(e->norm == NORM_2 && e->sensitivity == C / B && e->scale == sigma);
        assert_true(e->repeats == T && e->batch == B && e->count == T * B && e->failure == 0);
        oracle_release(&o);
    }
    assert_int_equal(b.algo->adjacency, ADJACENCY_ZERO_OUT);
    bench_free(&b);
}

/* Tests the variance of the noise. The step is so small that nothing is projected. Without gradients (s = 0, C = 0)
 * the last iterate is -h times the sum of T noises of variance (L/(B mu))^2 = sigma^2. The chi-square of 4000 * 7
 * squares must be within 6 standard deviations (a false alarm has probability 2e-9). */
static void test_noise_variance(void **state)
{
    enum { RUNS = 4000 };
    const double mu = 0.5, h = 1e-6;
    struct bench b = BENCH(0, { "mu", mu }, { "step", h });
    struct facts f = b.in.f;
    double sigma = params_get(params_find(b.algo->params, "sigma"), b.params), x[D], sum = 0;
    expect_near("sigma", sigma, f.L / (B * mu), 1e-15);
    assert_int_equal(params_set(params_find(b.algo->params, "C"), b.params, 0, "", NULL), OK);
    for (int run = 0; run < RUNS; run++) {
        struct oracle o;
        contract_open(&o, &b.in, b.algo, 100 + (uint64_t)run, b.memory);
        bench_run(&b, &o, "last", x);
        sum += vec_dot(D, x, x) / (h * h * sigma * sigma * T);
        oracle_release(&o);
    }
    expect_near("variance", sum / (RUNS * D), 1, Z * sqrt(2.0 / (RUNS * D)));
    bench_free(&b);
}

/* --- the parameters that the theorem chooses */

static void expect_param(const char *text, const char *name, double truth)
{
    struct cell *c;
    struct why why = { "" };
    struct runner *rn = runner_new(0);
    char whole[300];
    double v;
    snprintf(whole, sizeof whole, "problem spectral d=10 s=0.5 rr=0.5 | algo dp-sgd %s", text);
    if (cell_parse(whole, &c, &why) != OK)
        fail_msg("%s", why.text);
    struct record *r = run_cell(rn, c, NULL);
    if (r->outcome != OUTCOME_OK)
        fail_msg("%s: %s", whole, r->message);
    assert_true(record_get(r, name, &v));
    expect_near(text, v, truth, 1e-5 * fabs(truth));
    record_free(r);
    cell_free(c);
    runner_free(rn);
}

/* dp-sgd chooses these parameters for L = 1.5 + 0.5 = 2, M = 1, diameter 2 and dimension 10. At delta = 1e-6 the
 * promise eps = 1 is mu = 0.236704 in Gaussian differential privacy. */
static void test_choice(void **state)
{
    const char *private = "| goal n=1000 eps=1 delta=1e-6";
    const double sigma = 2 / (31 * 0.236704);
    expect_param(private, "param.T", 32);                            /* sqrt(n) = 31.6 */
    expect_param(private, "param.B", 31);
    expect_param(private, "count.taken", 992);
    expect_param(private, "param.C", 2);
    expect_param(private, "param.sigma", sigma);
    expect_param(private, "param.step", 2 / (sqrt(32) * sqrt(4.0 / 31 + 10 * sigma * sigma)));
    expect_param("calibration=classical C=1 T=10 | goal n=1000 eps=1 delta=1e-6", "param.sigma",
                 sqrt(2 * log(2.5e6)) / 100);
    expect_param("c=3 T=10 | goal n=1000000", "param.step", 1.5);   /* the step is 3/(2M), as there is hardly any
                                                                       noise */
    expect_param("T=500 | goal n=1000", "param.step", 2 / (sqrt(500) * sqrt(2)));
    expect_param("T=500 | goal n=1000", "param.sigma", 0);
    expect_param("T=500 | goal n=1000 rho=0.1", "param.mu", 0.1);
    expect_param("| goal budget=100", "param.T", 10);
    expect_param("| goal T=7 B=3", "count.taken", 21);
}

/* If a record is replaced by one with gradient 0, the release of its batch changes by its clipped gradient over B,
 * of length C/B. The run is one round without projection, so that the answer shows the release. */
static void test_neighbour(void **state)
{
    const double C = 0.4, h = 1e-3;
    struct bench b = bench_new(1, (const struct with[]){ { "T", 1 }, { "B", B }, { "C", C },
                                                         { "sigma", 0.1 }, { "step", h }, { 0 } });
    struct oracle o, other;
    double x[D], y[D], v[D] = { 0 }, origin[D] = { 0 };
    contract_open(&o, &b.in, b.algo, 5, b.memory);
    contract_open(&other, &b.in, b.algo, 5, b.memory);
    other.neighbour = (struct neighbour){ NEIGHBOUR_NULL, 2, 0 };
    bench_run(&b, &o, "last", x);
    bench_run(&b, &other, "last", y);
    b.in.p->sample_grad(b.in.self, 2, origin, 1, v);
    assert_true(vec_norm(D, v) > C);
    expect_near("moved", vec_dist(D, x, y), h * C / B, 1e-15);
    oracle_release(&o);
    oracle_release(&other);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bl1_loop), cmocka_unit_test(test_noise_variance),
        cmocka_unit_test(test_choice), cmocka_unit_test(test_neighbour),
    };
    return cmocka_run_group_tests_name("dp-sgd", tests, NULL, NULL);
}
