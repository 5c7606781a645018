/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_online_to_batch.c - private online-to-batch, compared with a loop with explicit weighted averages; its
 * regret bound, its sensitivity, its constants; and the methods without privacy that it is compared with: sgd,
 * SARAH and accelerated gradient steps. The iterates are w_t, x_t is the mean of w_0 ... w_t weighted by (i+1)^k,
 * and R is the diameter of the ball.
 *
 * Serves: accelerated-dp-srgd */
#include "support/method.h"

enum { D = 7, T = 13, B = 5 };

static struct instance outside(double s)
{
    return INSTANCE(memory, "spectral", { "d", D }, { "s", s }, { "decades", 2 }, { "rr", 1.4 });
}

/* x <- x_t, computed from the points w_0 ... w_t. */
static void average(int t, int k, double w[][D], double *x)
{
    double sum = 0;
    vec_zero(D, x);
    for (int i = 0; i <= t; i++) {
        sum += pow(i + 1, k);
        vec_axpy(D, pow(i + 1, k), w[i], x);
    }
    vec_scale(D, 1 / sum, x);
}

static void reference(const struct instance *in, int k, double C, double sigma, double h, double *x)
{
    struct oracle twin;
    double w[T + 1][D] = { { 0 } }, before[D], sum[D] = { 0 }, v[D];
    contract_open(&twin, in, NULL, 11, memory);
    struct prefix *tree = noise_prefix(&twin, memory, PREFIX_TREE, T, D);
    for (int t = 0; t < T; t++) {
        struct ticket batch;
        double G[D];
        average(t, k, w, x);
        if (t)
            average(t - 1, k, w, before);
        assert_true(oracle_take(&twin, B, &batch));
        for (long i = t * B; i < (t + 1) * B; i++) {
            sample_clipped(in, i, pow(t + 1, k), x, -pow(t, k), t ? before : NULL, C, v);
            vec_axpy(D, 1.0 / B, v, sum);
        }
        vec_copy(D, sum, G);
        prefix_release(tree, &(struct release){ .site = "twin" }, sigma, G);
        vec_lincomb(D, 1, w[t], -h, G, w[t + 1]);
        instance_project(in, w[t + 1]);
    }
    average(T, k, w, x);
    oracle_release(&twin);
}

static void bl6_loop(void **state)
{
    struct instance in = outside(1);
    for (int k = 1; k <= 3; k++) {
        const double C = 1.3 * pow(10, k - 1), sigma = 0.05, h = 0.3 / pow(8, k - 1);
        struct method *m = METHOD("online-to-batch", &in, &none, { "T", T }, { "B", B },
                                  { "C", C }, { "sigma", sigma }, { "step", h }, { "k", k });
        double x[D];
        reference(&in, k, C, sigma, h, x);
        expect_vectors("x_T", D, method_run(m, 11, nobody), x, 1e-12);
        assert_true(m->o.clipped > 0 && m->o.clipped < m->o.clip_seen);
        expect_count(&m->o, COUNT_sample_grads, (2 * T - 1) * B);
        expect_count(&m->o, COUNT_batch_steps, T);
        expect_count(&m->o, COUNT_taken, T * B);
        expect_count(&m->o, COUNT_max_visits, 1);
        expect_count(&m->o, COUNT_noise_tree, T);
        const struct ledger_entry *e = m->o.ledger.entry;
        assert_true(m->o.ledger.entries == 1 && e->mechanism == MECHANISM_TREE && !e->hidden);
        assert_true(e->sensitivity == C / B && e->scale == sigma && e->cover == 4);
        assert_true(e->repeats == T && e->batch == B && e->failure == 0);
        assert_int_equal(m->algo->adjacency, ADJACENCY_ZERO_OUT);
        method_free(m);
    }
}

/* No vector that a record adds to the released sum, (t+1)^k grad f(x_t) - t^k grad f(x_(t-1)), is longer than C =
 * ((k+1) M R + k L) T^(k-1), whatever the noise is. Steps and noise are so large that w goes across the ball, and
 * the Hessians of the losses differ. The longest vector is above a twentieth of C. */
static void bl6_unconditional_sensitivity(void **state)
{
    enum { LONG = 63 };
    struct instance list[] = { outside(1), INSTANCE(memory, "randhess", { "d", D }),
                               INSTANCE(memory, "huber_pair", { "d", D }) };
    for (int i = 0; i < 3; i++)
        for (int k = 1; k <= 3; k++) {
            struct method *m = METHOD("online-to-batch", &list[i], &none, { "T", LONG }, { "B", 2 },
                                      { "mu", 0.1 }, { "step", 100 }, { "k", k });
            const struct facts *f = &list[i].f;
            double bound = ((k + 1) * f->M * f->diameter + k * f->L) * pow(LONG, k - 1);
            expect_near("C", method_param(m, "C"), bound, 1e-12 * bound);
            method_run(m, 7, nobody);
            assert_true(m->o.clip_seen > 0 && m->o.clipped == 0);
            assert_true(m->o.clip_largest > bound / 20 && m->o.clip_largest <= bound);
            method_free(m);
        }
}

/* Removing a record changes the release of its batch by what the record adds to the sum, the clipped difference of
 * its weighted gradients at x_t and x_(t-1), divided by B, and changes no state before. If the record is in the
 * last batch, x_T changes by h e_T/E_T times as much, away from the boundary, where e_t = t + 1 are the weights of
 * the average and E_T is their sum. */
static void bl6_neighbour(void **state)
{
    const double h = 1e-5, share = (T + 1) / ((T + 1) * (T + 2) / 2.0);
    struct instance in = outside(1);
    struct method *m = METHOD("online-to-batch", &in, &none, { "T", T }, { "B", B }, { "C", 0.2 },
                              { "sigma", 0.1 }, { "step", h });
    double x[D], moved[D];
    vec_copy(D, method_run(m, 5, nobody), x);
    method_run(m, 5, (struct neighbour){ NEIGHBOUR_NULL, (T - 1) * B + 2, 0 });
    vec_sub(D, m->x, x, moved);
    assert_true(vec_norm(D, moved) <= h * share * 0.2 / B * (1 + 1e-9));
    assert_true(vec_norm(D, moved) >= h * share * 0.2 / B * 0.5);
    method_free(m);
}

/* Let e_t = (t+1)^k and E_T their sum. With exact gradients E_T (F(x_T) - F*) is at most the regret sum_{t<=T} e_t
 * <grad F(x_t), w_t - x*>, which is at most |x*|^2/(2h) + (h/2) sum e_t^2 L^2. The test compares E_T (F(x_T) - F*)
 * with this last bound, also at the step length of the theorem. */
static void bl6_regret(void **state)
{
    static const struct with step[] = { { "step", 1e-3 }, { "step", 0.1 }, { "c", 1 } };
    struct instance in = outside(0);
    double star[D], error;
    assert_true(in.p->minimiser(in.self, star));
    for (long rounds = 3; rounds < 1000; rounds *= 3)
        for (int s = 0; s < 3; s++)
            for (int k = 1; k <= 2; k++) {
                struct goal goal = none;
                goal.n = (double)rounds;
                struct method *m = METHOD("online-to-batch", &in, &goal, step[s],
                                          { "k", k });
                double h = method_param(m, "step"), sum = 0, squares = 0;
                assert_true(method_param(m, "T") == rounds && method_param(m, "B") == 1);
                for (long t = 0; t <= rounds; t++) {
                    sum += pow((double)t + 1, k);
                    squares += pow((double)t + 1, 2 * k);
                }
                double gap = in.p->measures[0].at(in.self, method_run(m, 1, nobody), &error);
                double L = in.f.L, square = vec_dot(D, star, star);
                assert_true(gap <= (square / (2 * h) + h / 2 * squares * L * L) / sum);
                method_free(m);
            }
}

/* Checks the parameters that online-to-batch chooses for L = 2.5, M = 1, R = 2 and p = 40 dimensions, among them C
 * = 2 M R + L. The noise is that of a tree for n = 63, where a record is in 6 nodes, one of each level. */
static void bl6_choice(void **state)
{
    struct instance in = INSTANCE(memory, "spectral", { "d", 40 });
    struct goal goal = goal_private(63, 1, 1e-6);
    struct method *m = METHOD("online-to-batch", &in, &goal, { 0 });
    double sigma = 6.5 * sqrt(6) / 0.236704, popcounts = 0;
    for (int t = 1; t <= 63; t++)
        popcounts += __builtin_popcount((unsigned)t);
    assert_true(method_param(m, "T") == 63 && method_param(m, "B") == 1);
    expect_near("C", method_param(m, "C"), 6.5, 1e-15);
    expect_near("sigma", method_param(m, "sigma"), sigma, 1e-3);
    sigma = method_param(m, "sigma");
    double squares = 63 * 64 * 127 / 6.0 * 2.5 * 2.5 + 40 * popcounts * sigma * sigma;
    expect_near("h", method_param(m, "step"), 2 / sqrt(squares), 1e-12);
    method_free(m);
    expect_refusal("online-to-batch", &in, &none, (struct with[]){ { 0 } }, "goal n, T or budget");
    in = INSTANCE(memory, "spectral", { "d", 40 }, { "radius", INFINITY });
    expect_refusal("online-to-batch", &in, &goal, (struct with[]){ { 0 } }, "give algo.C");
}

/* --- non-private references */

/* The step length of sgd is 1/(M + 1/h), h = dist/(v sqrt(T)), where dist is the distance of the minimiser from the
 * start, T the number of rounds and v^2 = sigma^2/B. The mean excess of 400 runs is at most M dist^2/(2T) +
 * dist v/sqrt(T), at 6 standard errors. */
static void bl11_sgd(void **state)
{
    enum { ROUNDS = 64, RUNS = 400 };
    struct instance in = outside(1);
    struct goal goal = none;
    goal.T = ROUNDS;
    struct method *m = METHOD("sgd", &in, &goal, { "B", B });
    double v = in.f.sigma / sqrt(B), dist = in.f.dist, h = dist / sqrt(2) / v * sqrt(2.0 / ROUNDS);
    double bound = in.f.M * dist * dist / (2 * ROUNDS) + dist * v / sqrt(ROUNDS), error;
    struct sample_moments gap = { 0 };
    expect_near("step", method_param(m, "step"), 1 / (in.f.M + 1 / h), 1e-14);
    for (int run = 0; run < RUNS; run++) {
        struct rng data = instance_data(100 + (uint64_t)run), rng = rng_stream(3);
        struct instance other = in;
        assert_int_equal(instance_make(&in, 100 + (uint64_t)run, memory, &other.self, &other.f,
                                       NULL), OK);
        oracle_release(&m->o);
        arena_reset(m->work);
        oracle_open(&m->o, in.p, other.self, &other.f, m->algo->calls, &data, 1, m->work);
        m->o.budget.of[COUNT_batch_steps] = ROUNDS;
        vec_zero(D, m->x);
        assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
        moments_of(&gap, in.p->measures[0].at(other.self, m->x, &error));
    }
    double sd = sqrt(moments_variance(&gap) / RUNS);
    assert_true(gap.mean <= bound + Z * sd && gap.mean > bound / 99);
    method_free(m);
}

/* Without noise dp-srgd with constant weights is SARAH: v_t = grad f_{B_t}(x_t) - grad f_{B_t}(x_{t-1}) + v_{t-1},
 * with a plain step. */
static void bl11_sarah(void **state)
{
    const double h = 0.3;
    struct instance in = outside(1);
    struct method *m = METHOD("dp-srgd", &in, &none, { "T", T }, { "B", B }, { "step", h },
                              { "weights", 0, "constant" }, { "answer", 0, "last" });
    double x[D] = { 0 }, before[D], v[D] = { 0 }, g[D];
    for (int t = 0; t < T; t++) {
        for (long i = t * B; i < (t + 1) * B; i++) {
            sample_clipped(&in, i, 1, x, -1, t ? before : NULL, INFINITY, g);
            vec_axpy(D, 1.0 / B, g, v);
        }
        vec_copy(D, x, before);
        vec_axpy(D, -h, v, x);
        instance_project(&in, x);
    }
    expect_vectors("x_T", D, method_run(m, 1, nobody), x, 1e-13);
    assert_true(m->o.clip_seen == 0 && m->o.ledger.entries <= 1);
    method_free(m);
}

/* With exact gradients, kappa = 1 and beta = M, the excess is at most M |x*|^2/eta_{0:T-1}, where eta_{0:T-1} is
 * the sum of the weights, and, on the hardest quadratic of 2T+1 dimensions, at least Nesterov's lower bound.
 * Without a goal there is neither noise nor clipping. */
static void bl11_accelerated(void **state)
{
    for (long rounds = 1; rounds <= 40; rounds *= 3) {
        struct instance in = INSTANCE(memory, "chain", { "d", 2.0 * (double)rounds + 1 });
        double star[81], error;
        assert_true(in.d <= 81 && in.p->minimiser(in.self, star));
        double square = vec_dot(in.d, star, star), M = in.f.M_F;
        struct method *m = METHOD("accelerated-dp-srgd", &in, &none, { "T", (double)rounds },
                                  { "B", 1 }, { "beta", M }, { "kappa", 1 });
        double n = (double)rounds, gap;
        gap = in.p->measures[0].at(in.self, method_run(m, 1, nobody), &error);
        assert_true(method_param(m, "sigma") == 0 && isinf(method_param(m, "C")));
        assert_true(gap <= M * square * 2 / (n * (n + 1)));
        assert_true(gap >= 3 * M * square / (32 * (n + 1) * (n + 1)));
        method_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bl6_loop), cmocka_unit_test(bl6_unconditional_sensitivity),
        cmocka_unit_test(bl6_neighbour), cmocka_unit_test(bl6_regret), cmocka_unit_test(bl6_choice),
        cmocka_unit_test(bl11_sgd), cmocka_unit_test(bl11_sarah),
        cmocka_unit_test(bl11_accelerated),
    };
    return cmocka_run_group_tests_name("online-to-batch", tests, setup, teardown);
}
