/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ac_sa.c - one-pass AC-SA and noisy full-batch descent, compared with loops written in the test, with closed
 * forms and with bounds.
 *
 * Serves: accelerated-dp-srgd */
#include "support/method.h"

enum { D = 7, T = 13, B = 5 };

static struct instance outside(double s)
{
    return INSTANCE(memory, "spectral", { "d", D }, { "s", s }, { "decades", 2 }, { "rr", 1.4 });
}

static struct instance inside(double s)
{
    return INSTANCE(memory, "spectral", { "d", D }, { "s", s }, { "decades", 2 }, { "rr", 0.5 },
                    { "radius", 1e6 });
}

static double excess(const struct instance *in, const double *x)
{
    double error;
    return in->p->measures[0].at(in->self, x, &error);
}

/* --- one-pass AC-SA */

/* g[d] <- the mean of the clipped gradients of samples from, ..., from+count-1, plus noise. The noise is drawn by
 * `twin`, which is an oracle of the same seed as that of the method. */
static void noisy_gradient(struct oracle *twin, const struct instance *in, long from, long count,
                           const double *x, double C, double sigma, double *g)
{
    double v[D];
    vec_zero(D, g);
    for (long i = from; i < from + count; i++) {
        sample_clipped(in, i, 1, x, 0, NULL, C, v);
        for (int j = 0; j < D; j++)
            g[j] += v[j] / (double)count;
    }
    noise_gaussian(twin, &(struct release){ .site = "twin" }, sigma, D, g);
}

/* Runs AC-SA in Nesterov's form of the momentum, which has whole numbers as weights and three sequences: x, md,
 * where gradients are asked, and ag, whose last point is the answer. Round t subtracts t/(2 gamma) times the noisy
 * gradient g from x. fresh: every round takes a new batch; else all rounds use one batch. */
static void reference(struct oracle *twin, const struct instance *in, long fresh, double C,
                      double sigma, double gamma, double *ag)
{
    double x[D] = { 0 }, md[D], g[D];
    struct ticket batch;
    vec_zero(D, ag);
    if (!fresh)
        assert_true(oracle_take(twin, B, &batch));
    for (long t = 1; t <= T; t++) {
        for (int j = 0; j < D; j++)
            md[j] = ((double)(t - 1) * ag[j] + 2 * x[j]) / (double)(t + 1);
        if (fresh)
            assert_true(oracle_take(twin, B, &batch));
        noisy_gradient(twin, in, fresh ? (t - 1) * B : 0, B, md, C, sigma, g);
        for (int j = 0; j < D; j++)
            x[j] -= (double)t * g[j] / (2 * gamma);
        instance_project(in, x);
        for (int j = 0; j < D; j++)
            ag[j] = ((double)(t - 1) * ag[j] + 2 * x[j]) / (double)(t + 1);
    }
}

static void expect_priced(const struct method *m, double mu)
{
    double squares = 0;
    for (long k = 0; k < m->o.ledger.entries; k++) {
        const struct ledger_entry *e = &m->o.ledger.entry[k];
        assert_true(e->mechanism == MECHANISM_GAUSSIAN && !e->hidden && e->failure == 0);
        squares += pow(e->sensitivity / e->scale, 2) *
                   (e->batch < (double)e->count ? 1 : e->repeats);
    }
    expect_near("mu", sqrt(squares), mu, 1e-12 * mu);
    assert_int_equal(m->algo->adjacency, ADJACENCY_ZERO_OUT);
}

static void bl10_one_pass(void **state)
{
    const double C = 1.1, gamma = 3;
    struct instance in = outside(1);
    struct method *m = METHOD("ac-sa", &in, &none, { "T", T }, { "B", B }, { "C", C },
                              { "mu", 4 }, { "gamma", gamma });
    struct oracle twin;
    double ag[D];
    contract_open(&twin, &in, NULL, 11, memory);
    expect_near("sigma", method_param(m, "sigma"), C / (B * 4), 1e-15);
    reference(&twin, &in, 1, C, C / (B * 4), gamma, ag);
    expect_vectors("answer", D, method_run(m, 11, nobody), ag, 1e-13);
    assert_true(m->o.clipped > 0 && m->o.clipped < m->o.clip_seen);
    expect_count(&m->o, COUNT_sample_grads, T * B);
    expect_count(&m->o, COUNT_batch_steps, T);
    expect_count(&m->o, COUNT_taken, T * B);
    expect_count(&m->o, COUNT_max_visits, 1);
    expect_count(&m->o, COUNT_noise_gauss, T);
    assert_true(m->o.ledger.entries == 1 && m->o.ledger.entry[0].repeats == T);
    expect_priced(m, 4);
    oracle_release(&twin);
    method_free(m);
}

/* The points stay far from the boundary, and samples have no noise of their own (s = 0). The answer is then linear
 * in the noise vectors: its mean and variance in each direction come from the scalar recursion, driven by one unit
 * of noise at a time. The 8 comparisons allow 6 standard errors of 4000 runs. */
static void bl10_noise_of_the_answer(void **state)
{
    enum { RUNS = 4000 };
    const double sigma = 0.3, gamma = 2;
    struct instance in = inside(0);
    struct method *m = METHOD("ac-sa", &in, &none, { "T", T }, { "B", B }, { "C", 1e9 },
                              { "sigma", sigma }, { "gamma", gamma });
    double c[D], mean[D], variance[D] = { 0 }, squares = 0;
    struct sample_moments seen[D] = { 0 };
    assert_true(in.p->minimiser(in.self, c));
    for (int j = 0; j < D; j++)
        for (int kick = 0; kick <= T; kick++) {
            double lam = pow(10, -2.0 * j / (D - 1)), x = kick ? 0 : -c[j], ag = x;
            for (int t = 1; t <= T; t++) {
                double md = ((t - 1) * ag + 2 * x) / (t + 1);
                x -= t / (2 * gamma) * (lam * md + (t == kick));
                ag = ((t - 1) * ag + 2 * x) / (t + 1);
            }
            if (kick)
                variance[j] += ag * ag * sigma * sigma;
            else
                mean[j] = ag;
        }
    for (int run = 0; run < RUNS; run++) {
        method_run(m, 100 + (uint64_t)run, nobody);
        for (int j = 0; j < D; j++) {
            moments_of(&seen[j], m->x[j] - c[j]);
            squares += pow(m->x[j] - c[j] - mean[j], 2) / variance[j];
        }
    }
    for (int j = 0; j < D; j++)
        expect_near("mean", seen[j].mean, mean[j], Z * sqrt(variance[j] / RUNS));
    expect_near("variance", squares / (RUNS * D), 1, Z * sqrt(2.0 / (RUNS * D)));
    method_free(m);
}

/* With exact gradients the excess is at most 4 M |x0 - x*|^2/(T(T+1)). On the hardest quadratic in 2T+1 dimensions
 * it is at least 3 M |x0 - x*|^2/(32 (T+1)^2), which is Nesterov's bound for every first-order method. */
static void bl10_exact_gradients(void **state)
{
    for (long rounds = 1; rounds <= 40; rounds += 3) {
        struct instance list[] = {
            outside(0), inside(0), INSTANCE(memory, "chain", { "d", 2.0 * (double)rounds + 1 }),
        };
        for (int k = 0; k < 3; k++) {
            const struct instance *in = &list[k];
            struct method *m = METHOD("ac-sa", in, &none, { "T", (double)rounds }, { "B", 1 },
                                      { "gamma", 2 * in->f.M_F });
            double star[128], gap;
            assert_true(in->d <= 128 && in->p->minimiser(in->self, star));
            gap = excess(in, method_run(m, 1, nobody));
            double square = in->f.M_F * vec_dot(in->d, star, star);
            double bound = 4 * square / ((double)rounds * ((double)rounds + 1));
            assert_true(gap <= bound * (1 + 1e-12));
            if (k == 2)
                assert_true(gap >= 3 * square / (32 * pow((double)rounds + 1, 2)) * (1 - 1e-9));
            method_free(m);
        }
    }
}

/* Checks the parameters that ac-sa chooses for L = 2.5, M = 1, diameter 2, dimension 40 and 10000 samples: T = 2 *
 * 10000^(1/4) = 20 and B = 500. At delta = 1e-6 the promise eps = 1 is mu = 0.236704 in Gaussian differential
 * privacy. */
static void bl10_choice(void **state)
{
    struct instance in = INSTANCE(memory, "spectral", { "d", 40 });
    struct goal goal = goal_private(10000, 1, 1e-6);
    struct method *m = METHOD("ac-sa", &in, &goal, { 0 });
    const double sigma = 2.5 / (500 * 0.236704);
    double v = sqrt(2.5 * 2.5 / 500 + 40 * sigma * sigma);
    assert_true(method_param(m, "T") == 20 && method_param(m, "B") == 500);
    expect_near("sigma", method_param(m, "sigma"), sigma, 1e-7);
    expect_near("gamma", method_param(m, "gamma"), v / 2 * sqrt(20 * 21 * 41 / 12.0), 1e-5);
    method_free(m);
    goal = none;
    goal.n = 10000;
    m = METHOD("ac-sa", &in, &goal, { 0 });
    assert_true(method_param(m, "sigma") == 0 && isinf(method_param(m, "C")));
    method_free(m);
    expect_refusal("ac-sa", &in, &none, (struct with[]){ { 0 } }, "needs goal n, T or budget");
}

/* --- noisy full-batch descent */

static void bl9_full_batches(void **state)
{
    const double C = 1.1, mu = 30, sigma = C * sqrt(T) / (B * mu), h = 0.8, gamma = 3;
    static const char *const answers[] = { "last", "average" };
    struct instance in = outside(1);
    for (int k = 0; k < 3; k++) {                /* k = 0, 1: plain descent with either kind of answer; k = 2:
                                                    ac-sa */
        struct method *m =
            k < 2 ? METHOD("dp-gd", &in, &none, { "n", B }, { "T", T }, { "C", C }, { "mu", mu },
                           { "step", h }, { "method", 0, "plain" }, { "answer", 0, answers[k] })
                  : METHOD("dp-gd", &in, &none, { "n", B }, { "T", T }, { "C", C }, { "mu", mu },
                           { "gamma", gamma });
        struct oracle twin;
        double x[D] = { 0 }, mean[D] = { 0 }, g[D];
        struct ticket all;
        contract_open(&twin, &in, NULL, 11, memory);
        expect_near("sigma", method_param(m, "sigma"), sigma, 1e-15);
        if (k == 2) {
            reference(&twin, &in, 0, C, sigma, gamma, x);
        } else {
            assert_true(oracle_take(&twin, B, &all));
            for (int t = 0; t < T; t++) {
                noisy_gradient(&twin, &in, 0, B, x, C, sigma, g);
                vec_axpy(D, -h, g, x);
                instance_project(&in, x);
                vec_axpy(D, 1.0 / T, x, mean);
            }
        }
        expect_vectors("answer", D, method_run(m, 11, nobody), k == 1 ? mean : x, 1e-13);
        expect_count(&m->o, COUNT_sample_grads, T * B);
        expect_count(&m->o, COUNT_batch_steps, T);
        expect_count(&m->o, COUNT_taken, B);
        expect_count(&m->o, COUNT_max_visits, T);
        expect_priced(m, mu);
        oracle_release(&twin);
        method_free(m);
    }
}

/* In a run of one round, setting the gradient of a record to 0 changes the answer of dp-gd by h/n times its clipped
 * gradient, h being the step length. */
static void bl9_sensitivity(void **state)
{
    const double C = 0.4, h = 1e-3;
    struct instance in = outside(1);
    struct method *m = METHOD("dp-gd", &in, &none, { "n", B }, { "T", 1 }, { "C", C },
                              { "sigma", 0.1 }, { "step", h }, { "method", 0, "plain" });
    double x[D], v[D], origin[D] = { 0 };
    vec_copy(D, method_run(m, 5, nobody), x);
    method_run(m, 5, (struct neighbour){ NEIGHBOUR_NULL, 3, 0 });
    sample_clipped(&in, 3, 1, origin, 0, NULL, C, v);
    vec_axpy(D, -h / B, v, m->x);
    expect_vectors("moved", D, m->x, x, 1e-16);
    expect_near("norm", vec_norm(D, v), C, 1e-15);
    method_free(m);
}

/* Checks the parameters that dp-gd chooses. The noise of a full gradient has the norm v = L sqrt(d T)/(n mu), where
 * d is the dimension and mu that of Gaussian privacy. The plain step is h = R/(sqrt(T) v), with the diameter R = 2;
 * a = v/sqrt(T). T is 2 sqrt(n), or 2 n^(1/4) for AC-SA. */
static void bl9_choice(void **state)
{
    struct instance in = INSTANCE(memory, "spectral", { "d", 40 });
    struct goal goal = goal_private(10000, 0.01, 1e-6);
    struct method *m = METHOD("dp-gd", &in, &goal, { "method", 0, "plain" });
    double a = 2.5 * sqrt(40) / (10000 * method_param(m, "mu"));
    assert_true(method_param(m, "T") == 200 && method_param(m, "n") == 10000);
    expect_near("h", method_param(m, "step"), 2 / (200 * a), 1e-12);
    method_free(m);
    m = METHOD("dp-gd", &in, &goal, { 0 });
    assert_true(method_param(m, "T") == 20);
    method_free(m);
    goal = none;
    goal.budget = 1e6;                           /* the budget is n T, with T = 2 sqrt(n) */
    m = METHOD("dp-gd", &in, &goal, { "method", 0, "plain" });
    assert_true(method_param(m, "n") == floor(pow(5e5, 2.0 / 3)) &&
                method_param(m, "n") * method_param(m, "T") <= 1e6);
    method_free(m);
    expect_refusal("dp-gd", &in, &none, (struct with[]){ { 0 } }, "goal n or budget");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bl10_one_pass), cmocka_unit_test(bl10_noise_of_the_answer),
        cmocka_unit_test(bl10_exact_gradients), cmocka_unit_test(bl10_choice),
        cmocka_unit_test(bl9_full_batches), cmocka_unit_test(bl9_sensitivity),
        cmocka_unit_test(bl9_choice),
    };
    return cmocka_run_group_tests_name("ac-sa", tests, setup, teardown);
}
