/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_hidden_sgd.c - phased and snowball SGD, whose privacy needs steps that do not expand distances. They are
 * compared with loops written here and with closed forms on quadratics and linear losses; refusals are tested too.
 *
 * Serves: accelerated-dp-srgd */
#include "support/method.h"

#include "privacy/account.h"

enum { D = 7 };

static struct instance outside(double s)
{
    return INSTANCE(memory, "spectral", { "d", D }, { "s", s }, { "decades", 2 }, { "rr", 1.4 });
}

/* Returns an instance whose points stay far from the boundary. */
static struct instance inside(void)
{
    return INSTANCE(memory, "spectral", { "d", D }, { "s", 0 }, { "decades", 2 }, { "rr", 0.5 },
                    { "radius", 1e6 });
}

static double curvature(int j) { return pow(10, -2.0 * j / (D - 1)); }

/* --- phased-sgd */

/* With n = 23 the phases i = 1 ... 4 have n_i = 11, 5, 2 and 1 samples and the step lengths eta_i = eta/4^i. The
 * noise comes from an oracle with the same seed. */
static void bl3_phases(void **state)
{
    static const long sizes[] = { 11, 5, 2, 1 };
    const double eta = 3, sigma = 0.5;
    struct instance in = outside(1);
    struct method *m = METHOD("phased-sgd", &in, &none, { "n", 23 }, { "eta", eta },
                              { "sigma", sigma });
    struct oracle twin;
    double x[D] = { 0 }, mean[D], g[D], step = eta;
    bool beyond = false;             /* was a release outside of the ball? The next phase begins at its
                                        projection */
    long record = 0;
    contract_open(&twin, &in, NULL, 11, memory);
    for (int i = 0; i < 4; i++) {
        struct ticket phase;
        assert_true(oracle_take(&twin, sizes[i], &phase));
        step /= 4;
        vec_zero(D, mean);
        for (long k = 0; k < sizes[i]; k++) {
            instance_sample_grad(&in, record++, x, g);
            for (int j = 0; j < D; j++)
                x[j] -= step * g[j];
            instance_project(&in, x);
            vec_axpy(D, 1.0 / (double)sizes[i], x, mean);
        }
        vec_copy(D, mean, x);
        noise_gaussian(&twin, &(struct release){ .site = "twin" }, sigma * step, D, x);
        beyond |= vec_norm(D, x) > in.f.radius;
        instance_project(&in, x);
    }
    assert_true(beyond);
    expect_vectors("answer", D, method_run(m, 11, nobody), x, 1e-13);
    expect_count(&m->o, COUNT_sample_grads, 19);
    expect_count(&m->o, COUNT_batch_steps, 19);
    expect_count(&m->o, COUNT_taken, 19);
    expect_count(&m->o, COUNT_max_visits, 1);
    expect_count(&m->o, COUNT_noise_gauss, 4);
    assert_true(m->o.ledger.entries == 4);
    step = eta;
    record = 0;
    for (int i = 0; i < 4; i++) {
        const struct ledger_entry *e = &m->o.ledger.entry[i];
        step /= 4;
        assert_true(e->mechanism == MECHANISM_GAUSSIAN && !e->hidden && e->repeats == 1);
        assert_true(e->first == record && e->count == sizes[i] && e->scheme == SAMPLING_FRESH);
        expect_near("sensitivity", e->sensitivity, in.f.L * step, 1e-15);
        expect_near("scale", e->scale, sigma * step, 1e-16);
        record += sizes[i];
    }
    assert_int_equal(m->algo->adjacency, ADJACENCY_ZERO_OUT);
    oracle_release(&twin);
    method_free(m);
}

/* On linear losses far from the boundary, record r = 0, 1, ... of phase i moves the later iterates of this phase by
 * eta_i g_r if its gradient is set to 0. The answer of the phase is the mean of its n_i iterates and moves by
 * (n_i - r)/n_i of this. */
static void bl3_sensitivity(void **state)
{
    static const long sizes[] = { 11, 5, 2, 1 };
    const double eta = 2;
    struct instance in = INSTANCE(memory, "linear", { "d", D }, { "hardness", 0.3 },
                                  { "radius", 1e6 });
    struct method *m = METHOD("phased-sgd", &in, &none, { "n", 23 }, { "eta", eta },
                              { "sigma", 0.01 });
    double base[D], moved[D], g[D], origin[D] = { 0 }, step = eta;
    long record = 0;
    vec_copy(D, method_run(m, 5, nobody), base);
    for (int i = 0; i < 4; i++) {
        step /= 4;
        for (long r = 0; r < sizes[i]; r++, record++) {
            vec_sub(D, method_run(m, 5, (struct neighbour){ NEIGHBOUR_NULL, record, 0 }), base,
                    moved);
            instance_sample_grad(&in, record, origin, g);
            vec_scale(D, step * (double)(sizes[i] - r) / (double)sizes[i], g);
            expect_vectors("moved", D, moved, g, 1e-12);
            assert_true(vec_norm(D, moved) <= in.f.L * step * (1 + 1e-12));
        }
    }
    method_free(m);
}

/* On a quadratic without sample noise (s = 0), a phase of n steps contracts x - c in direction j by the mean of
 * (1 - eta_i l_j)^k over k, l_j the eigenvalue, and contracts the noise of earlier phases as much. The mean and the
 * variance of 4000 answers are compared in 8 tests at 6 standard errors. */
static void bl3_quadratic(void **state)
{
    enum { RUNS = 4000 };
    const double eta = 2.4, sigma = 0.1;
    struct instance in = inside();
    struct method *m = METHOD("phased-sgd", &in, &none, { "n", 23 }, { "eta", eta },
                              { "sigma", sigma });
    double c[D], mean[D], variance[D] = { 0 }, squares = 0, step = eta;
    struct sample_moments seen[D] = { 0 };
    assert_true(in.p->minimiser(in.self, c));
    for (int j = 0; j < D; j++)
        mean[j] = -c[j];
    for (long n = 11; n; n /= 2) {
        step /= 4;
        for (int j = 0; j < D; j++) {
            double q = 1 - step * curvature(j), last = pow(q, (double)n);
            double a = q * (1 - last) / (1 - q) / (double)n;
            mean[j] *= a;
            variance[j] = a * a * variance[j] + sigma * step * sigma * step;
        }
    }
    for (int run = 0; run < RUNS; run++) {
        method_run(m, 100 + (uint64_t)run, nobody);
        for (int j = 0; j < D; j++) {
            double error = m->x[j] - c[j];
            moments_of(&seen[j], error);
            squares += (error - mean[j]) * (error - mean[j]) / variance[j];
        }
    }
    for (int j = 0; j < D; j++)
        expect_mean("mean", &seen[j], mean[j]);
    expect_near("variance", squares / (RUNS * D), 1, Z * sqrt(2.0 / (RUNS * D)));
    method_free(m);
}

/* phased-sgd chooses these parameters for L = 3.4, the diameter R = 2 and p = 7 dimensions. At delta = 1e-6 the
 * promise eps = 1 is that of mu-GDP with mu = 0.236704; the mu of the paper is 1/(4 sqrt(ln 10^6)). */
static void bl3_choice(void **state)
{
    struct instance in = outside(1);
    struct goal goal = goal_private(1000, 1, 1e-6);
    struct method *m = METHOD("phased-sgd", &in, &goal, { 0 });
    assert_true(method_param(m, "n") == 1000);
    expect_near("eta", method_param(m, "eta"), 2 / 3.4 * 4 / sqrt(1000), 1e-12);
    expect_near("sigma", method_param(m, "sigma"), 3.4 / 0.236704, 1e-4);
    method_free(m);
    m = METHOD("phased-sgd", &in, &goal, { "calibration", 0, "paper" }, { "c", 0.5 });
    expect_near("eta", method_param(m, "eta"), 1 / 3.4 / (2 * sqrt(7 * log(1e6))), 1e-12);
    expect_near("sigma", method_param(m, "sigma"), 4 * 3.4 * sqrt(log(1e6)), 1e-10);
    method_free(m);
    goal.eps = goal.delta = NAN;
    goal.T = 100;
    m = METHOD("phased-sgd", &in, &goal, { 0 });
    assert_true(method_param(m, "n") == 100 && method_param(m, "sigma") == 0);
    method_free(m);
}

/* --- snowball-sgd */

/* The schedule of rounds t = 1..T in p dimensions: batch sizes B_t = ceil(b sqrt(p/(T-t+1))), where b is a
 * parameter of the method, and factors h_t of the step length: 2^-i after round T_i = T - ceil(T 2^-i). */
struct plan { int T; double B[400], h[400]; };

static void plan_of(struct plan *s, int T, double b, double p, bool halving)
{
    s->T = T;
    for (int t = 1; t <= T; t++) {
        s->B[t] = 1;
        while (s->B[t] < b * sqrt(p / (T - t + 1)))
            s->B[t]++;
        s->h[t] = 1;
    }
    for (int i = 0, power = 1; halving && power < 2 * T; i++, power *= 2)
        for (int t = T - (T + power - 1) / power + 1; t <= T; t++)
            s->h[t] = 1.0 / power;
}

static void bl4_loop(void **state)
{
    enum { T = 21 };
    const double h = 0.9, sigma = 0.2;
    struct instance in = outside(1);
    for (int k = 0; k < 2; k++) {
        struct method *m = METHOD("snowball-sgd", &in, &none, { "T", T }, { "b", 1.7 },
                                  { "step", h }, { "sigma", sigma },
                                  { "schedule", 0, k ? "constant" : "halving" });
        struct oracle twin;
        struct plan plan;
        double x[D] = { 0 }, g[D], v[D], all = 0;
        long record = 0;
        plan_of(&plan, T, 1.7, D, !k);
        contract_open(&twin, &in, NULL, 11, memory);
        for (int t = 1; t <= T; t++) {
            struct ticket batch;
            assert_true(oracle_take(&twin, (long)plan.B[t], &batch));
            vec_zero(D, g);
            for (double i = 0; i < plan.B[t]; i++) {
                instance_sample_grad(&in, record++, x, v);
                vec_axpy(D, 1 / plan.B[t], v, g);
            }
            vec_scale(D, -1, g);
            noise_gaussian(&twin, &(struct release){ .site = "twin" }, sigma, D, g);
            vec_axpy(D, h * plan.h[t], g, x);        /* a step by -g + N, as the method makes it */
            instance_project(&in, x);
            all += plan.B[t];
        }
        expect_vectors("answer", D, method_run(m, 11, nobody), x, 1e-13);
        expect_count(&m->o, COUNT_sample_grads, all);
        expect_count(&m->o, COUNT_taken, all);
        expect_count(&m->o, COUNT_batch_steps, T);
        expect_count(&m->o, COUNT_max_visits, 1);
        assert_int_equal(m->algo->adjacency, ADJACENCY_ZERO_OUT);
        oracle_release(&twin);
        method_free(m);
    }
}

/* snowball-sgd makes as many rounds as n allows, and not one more. */
static void bl4_rounds(void **state)
{
    struct instance in = outside(1);
    for (double n = 5; n <= 300; n += 37)
        for (double b = 0.5; b <= 1.8; b += 0.6) {
            struct goal goal = goal_unknown();
            struct plan plan;
            double taken = 0, more = 0;
            goal.n = n;
            struct method *m = METHOD("snowball-sgd", &in, &goal, { "b", b });
            int T = (int)method_param(m, "T");
            plan_of(&plan, T, b, D, false);
            for (int t = 1; t <= T; t++)
                taken += plan.B[t];
            plan_of(&plan, T + 1, b, D, false);
            for (int t = 1; t <= T + 1; t++)
                more += plan.B[t];
            assert_true(taken <= n && more > n);
            method_free(m);
        }
}

/* A budget of gradients allows as many rounds as a goal of so many samples, also if the goal has more samples. The
 * noise is for these rounds, all of which are made. */
static void bl4_budget(void **state)
{
    struct instance in = outside(1);
    for (int k = 0; k < 2; k++) {
        struct goal goal = goal_unknown();
        struct plan plan;
        const struct with w[] = { { "mu", 0.4 }, { "schedule", 0, k ? "constant" : "halving" } };
        goal.n = 200;
        struct method *whole = METHOD("snowball-sgd", &in, &goal, w[0], w[1]);
        goal.n = 1000;
        goal.budget = 200.5;
        struct method *m = METHOD("snowball-sgd", &in, &goal, w[0], w[1]);
        int T = (int)method_param(m, "T");
        double taken = 0;
        assert_true(T == method_param(whole, "T"));
        plan_of(&plan, T, 2.5, D, !k);
        for (int t = 1; t <= T; t++)
            taken += plan.B[t];
        assert_true(taken <= goal.budget);
        assert_true(method_param(m, "sigma") == method_param(whole, "sigma"));
        method_free(whole);
        method_free(m);
    }
    struct goal goal = goal_private(1000, 1, 1e-6);
    const struct with many[] = { { "T", 21 }, { 0 } };
    goal.T = 20;
    expect_refusal("snowball-sgd", &in, &goal, many, "algo.T = 21 rounds: expected at most goal T = 20");
}

/* With the method's sigma the record that pays most pays exactly mu. The cost of that record is computed by the
 * sum over all steps and, for equal steps, by the accountant of snowball SGD. The step length is R/(v sqrt(T)),
 * where R = 2 is the diameter and v^2 = L^2 + p sigma^2. */
static void bl4_noise_level(void **state)
{
    const double mu = 0.4, L = 3.4;
    struct instance in = outside(1);
    for (int k = 0; k < 2; k++) {
        struct goal goal = goal_unknown();
        struct plan plan;
        double most = 0;
        goal.n = 200;
        struct method *m = METHOD("snowball-sgd", &in, &goal, { "mu", mu },
                                  { "schedule", 0, k ? "constant" : "halving" });
        double sigma = method_param(m, "sigma");
        int T = (int)method_param(m, "T");
        expect_near("b", method_param(m, "b"), 2.5, 1e-15);
        plan_of(&plan, T, 2.5, D, !k);
        for (int t = 1; t <= T; t++) {
            double later = 0;
            for (int i = t; i <= T; i++)
                later += plan.h[i] * plan.h[i];
            most = fmax(most, L / plan.B[t] * plan.h[t] / (sigma * sqrt(later)));
        }
        expect_near("mu", most, mu, 1e-12);
        if (k)
            expect_near("snowball", account_snowball_mu(T, plan.B + 1, L, sigma), mu, 1e-9);
        expect_near("step", method_param(m, "step"),
                    2 / sqrt((L * L + D * sigma * sigma) * T), 1e-12);
        method_free(m);
    }
}

/* On a quadratic without sample noise (s = 0), x_T - c is the contracted x_0 - c plus the noise vectors, each
 * contracted by the steps after it. The mean and the variance of 4000 answers are compared in 8 tests at 6 standard
 * errors. */
static void bl4_quadratic(void **state)
{
    enum { RUNS = 4000, T = 21 };
    const double h = 0.9, sigma = 0.3;
    struct instance in = inside();
    struct method *m = METHOD("snowball-sgd", &in, &none, { "T", T }, { "step", h },
                              { "sigma", sigma });
    double c[D], mean[D], variance[D] = { 0 }, squares = 0;
    struct sample_moments seen[D] = { 0 };
    struct plan plan;
    assert_true(in.p->minimiser(in.self, c));
    plan_of(&plan, T, 1, D, true);
    for (int j = 0; j < D; j++) {
        mean[j] = -c[j];
        for (int t = 1; t <= T; t++) {
            double step = h * plan.h[t], q = 1 - step * curvature(j);
            mean[j] *= q;
            variance[j] = q * q * variance[j] + step * sigma * step * sigma;
        }
    }
    for (int run = 0; run < RUNS; run++) {
        method_run(m, 100 + (uint64_t)run, nobody);
        for (int j = 0; j < D; j++) {
            double error = m->x[j] - c[j];
            moments_of(&seen[j], error);
            squares += (error - mean[j]) * (error - mean[j]) / variance[j];
        }
    }
    for (int j = 0; j < D; j++)
        expect_mean("mean", &seen[j], mean[j]);
    expect_near("variance", squares / (RUNS * D), 1, Z * sqrt(2.0 / (RUNS * D)));
    method_free(m);
}

/* --- what is refused */

static void test_refusals(void **state)
{
    static const char *const names[] = { "phased-sgd", "snowball-sgd" };
    static const struct with nothing[] = { { 0 } }, long_eta[] = { { "eta", 9 }, { 0 } },
                             long_step[] = { { "step", 2.1 }, { 0 } };
    struct instance in = outside(1), sigmoid = INSTANCE(memory, "sigmoid", { "d", D }),
                    rough = INSTANCE(memory, "norm", { "d", D }, { "radius", 1 }),
                    wide = INSTANCE(memory, "spectral", { "d", D }, { "radius", INFINITY });
    struct goal goal = goal_private(100, 1, 1e-6), few = goal_private(1, 1, 1e-6);
    for (int k = 0; k < 2; k++) {
        expect_refusal(names[k], &sigmoid, &goal, nothing, "convex losses: fact weak");
        expect_refusal(names[k], &rough, &goal, nothing, "needs M");
        expect_refusal(names[k], &wide, &goal, nothing, "does not clip: its privacy needs L");
        expect_refusal(names[k], &in, &none, nothing, "goal n, T or budget");
    }
    expect_refusal("phased-sgd", &in, &goal, long_eta, "2/M = 2, not 2.25");
    expect_refusal("snowball-sgd", &in, &goal, long_step, "2/M = 2, not 2.1");
    expect_refusal("phased-sgd", &in, &few, nothing, "at least 2 samples");
    expect_refusal("snowball-sgd", &in, &few, nothing, "n = 1 samples do not allow");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bl3_phases), cmocka_unit_test(bl3_sensitivity),
        cmocka_unit_test(bl3_quadratic), cmocka_unit_test(bl3_choice), cmocka_unit_test(bl4_loop),
        cmocka_unit_test(bl4_rounds), cmocka_unit_test(bl4_budget), cmocka_unit_test(bl4_noise_level),
        cmocka_unit_test(bl4_quadratic), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("hidden-sgd", tests, setup, teardown);
}
