/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_epoch_sgd.c - EpochSGD as a part of methods and as a method, compared with the closed forms of linear and of
 * quadratic losses.
 *
 * Serves: bias-reduced */
#include "support/linear_law.h"
#include "support/method.h"

#include "algos/parts/epoch_sgd.h"

/* Returns an instance with |grad F| = 0.6 and noise of size s; with s = 0.8, E|gradient|^2 = 1. Points stay within
 * 1.4/mu of 0, far from the edge of the ball; mu is the strong convexity that the regulariser adds. */
static struct instance linear(double d, double s)
{
    return INSTANCE(memory, "linear", { "d", d }, { "hardness", 0.6 }, { "s", s }, { "radius", 100 });
}

static struct epoch_sgd part_of(struct oracle *o, double mu)
{
    struct epoch_sgd s = { .o = o, .grad = epoch_sgd_sample, .ctx = o, .mu = mu };
    epoch_sgd_reserve(&s, memory);
    return s;
}

/* Returns the component of x - x* in the direction of x* = -g/mu, g the slope of the loss. */
static double off(const struct instance *in, double mu, const double *x)
{
    double *g = arena_vec(memory, in->d), *origin = arena_vec(memory, in->d);
    vec_zero(in->d, origin);
    in->p->grad(in->self, origin, g);
    return -vec_dot(in->d, g, x) / vec_norm(in->d, g) - vec_norm(in->d, g) / mu;
}

/* The number of epochs is the largest for which their lengths 16, 32, ... add up to at most T. The number of
 * gradients is what the oracle counts in a run. */
static void s7_1_epochs_and_gradients(void **state)
{
    static const int table[] = { 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6 };
    for (int j = 0; j <= 10; j++)
        assert_int_equal(epoch_sgd_epochs(ldexp(1, j)), table[j]);
    for (double T = 0; T <= 3000; T++) {
        int e = 0;
        for (double next = 16, sum = 16; sum <= T; sum += next *= 2)
            e++;
        assert_int_equal(epoch_sgd_epochs(T), e);
        assert_true(epoch_sgd_gradients(e) <= T);
    }
    struct instance in = linear(3, 0.8);
    for (int e = 0; e <= 7; e++) {
        struct oracle o;
        contract_open(&o, &in, NULL, 1, memory);
        struct epoch_sgd s = part_of(&o, 0.7);
        assert_true(epoch_sgd_run(&s, e));
        expect_count(&o, COUNT_sample_grads, 16 * ((1 << e) - 1) - e);
        expect_count(&o, COUNT_batch_steps, 16 * ((1 << e) - 1) - e);
        expect_count(&o, COUNT_depth, 16 * ((1 << e) - 1));
        oracle_release(&o);
    }
}

/* Without noise a run ends at the mean that the law of EpochSGD on a linear loss gives (support/linear_law.h), in
 * any dimension and about any centre. */
static void s7_2_means_of_a_linear_loss(void **state)
{
    static const double anchor[] = { 0.18222234, 0.06282181, 0.02456251, 0.01061728 };
    for (int where = 0; where < 2; where++)
        for (double mu = 0.5; mu <= 2; mu *= 2) {
            struct instance in = linear(5, 0);
            struct oracle o;
            double z[5] = { 1, -2, 0, 0.5, 3 };
            contract_open(&o, &in, NULL, 1, memory);
            struct epoch_sgd s = part_of(&o, mu);
            struct linear_law l = linear_law_begin(mu, 0.6, 0);
            s.z = where ? z : NULL;
            epoch_sgd_begin(&s);
            for (int k = 1; k <= 9; k++) {
                assert_true(epoch_sgd_epoch(&s, k));
                linear_law_epoch(&l);
                double x[5];
                vec_copy(5, s.x, x);
                vec_axpy(5, where ? -1 : 0, z, x);
                expect_near("mean error", -off(&in, mu, x), l.mean, 1e-12);
                if (mu == 1 && k <= 4)
                    expect_near("anchor", l.mean, anchor[k - 1], 5e-9);
            }
            oracle_release(&o);
        }
}

/* Compares mean and variance of 2000 runs with the law of EpochSGD on a linear loss. The variance of a variance of
 * nearly normal numbers is 2V^2/n: 6 standard errors of this, and as much again for the tails, are 38%. */
static void s7_2_variances_of_a_linear_loss(void **state)
{
    enum { RUNS = 2000 };
    static const double anchor[] = { 0.02264263, 0.01333655, 0.00696446, 0.00354477 };
    struct instance in = linear(1, 0.8);
    struct oracle o;
    struct sample_moments m[4] = { { 0 } };
    struct linear_law l = linear_law_begin(1, 0.6, 0.8);
    contract_open(&o, &in, NULL, 7, memory);
    struct epoch_sgd s = part_of(&o, 1);
    for (int run = 0; run < RUNS; run++) {
        epoch_sgd_begin(&s);
        for (int k = 1; k <= 4; k++) {
            assert_true(epoch_sgd_epoch(&s, k));
            moments_of(&m[k - 1], -off(&in, 1, s.x));
        }
    }
    for (int k = 0; k < 4; k++) {
        linear_law_epoch(&l);
        expect_near("anchor", l.variance, anchor[k], 5e-9);
        expect_mean("mean error", &m[k], l.mean);
        expect_near("variance", moments_variance(&m[k]), l.variance,
                    2 * Z * sqrt(2.0 / RUNS) * l.variance);
    }
    oracle_release(&o);
}

/* The run of a larger budget begins with the run of the smaller one, to the bit. */
static void s7_2_a_longer_run_begins_with_the_shorter(void **state)
{
    struct instance in = linear(4, 0.8);
    struct oracle o, twin;
    contract_open(&o, &in, NULL, 9, memory);
    contract_open(&twin, &in, NULL, 9, memory);
    struct epoch_sgd s = part_of(&o, 1), t = part_of(&twin, 1);
    assert_true(epoch_sgd_run(&s, epoch_sgd_epochs(ldexp(1, 8))));
    assert_true(epoch_sgd_run(&t, epoch_sgd_epochs(ldexp(1, 9))));
    assert_true(vec_dist(4, s.x, t.x) > 0);
    assert_true(epoch_sgd_epoch(&s, 5));
    assert_memory_equal(s.x, t.x, 4 * sizeof *s.x);
    oracle_release(&o);
    oracle_release(&twin);
}

/* Without a regulariser and with f = (M/2)|x - x*|^2, epoch k of T_k points with step length eta_k multiplies the
 * error by the mean of (1 - M eta_k)^t over t < T_k, as its first point is the start of the epoch. The method
 * epoch-sgd must give the same error. */
static void s7_2_the_bare_form_on_a_quadratic(void **state)
{
    struct instance in = INSTANCE(memory, "spectral", { "d", 4 }, { "s", 0 }, { "decades", 0 },
                                  { "M", 3 }, { "radius", 50 });
    struct goal goal = goal_unknown();
    goal.budget = 16 * 31;
    double star[4], c = 1, error[4];
    assert_true(in.p->minimiser(in.self, star));
    struct method *m = METHOD("epoch-sgd", &in, &goal, { "mu", 3 });
    const double *x = method_run(m, 2, nobody);
    for (int k = 1; k <= 5; k++) {
        double T = ldexp(8, k), q = 1 - ldexp(1, -k - 1);
        c *= (1 - pow(q, T)) / (T * (1 - q));
    }
    for (int j = 0; j < 4; j++)
        error[j] = star[j] - c * star[j];
    expect_vectors("x", 4, x, error, 1e-12);
    expect_count(&m->o, COUNT_sample_grads, 16 * 31 - 5);
    method_free(m);
}

/* With a budget below 16 gradients the answer is the start, which is the feasible point nearest to the centre z of
 * the regulariser. No gradient is asked for. */
static void o29_small_budgets_answer_the_start(void **state)
{
    struct instance in = linear(3, 0.8);
    struct oracle o;
    contract_open(&o, &in, NULL, 1, memory);
    struct epoch_sgd s = part_of(&o, 1);
    double z[3] = { 300, 0, 0 }, edge[3] = { 100, 0, 0 };
    s.z = z;
    assert_true(epoch_sgd_run(&s, epoch_sgd_epochs(15)));
    expect_vectors("the nearest feasible point to z", 3, s.x, edge, 0);
    expect_count(&o, COUNT_sample_grads, 0);
    oracle_release(&o);
}

/* For losses that are convex, but not strongly convex, the mean excess of 400 runs is at most sqrt(32) G D/sqrt(T),
 * where D is the distance of the start from the minimiser; lambda must be sqrt(32) G/(D sqrt(T)), which is the same
 * number, as D = 1. */
static void the_method_on_convex_losses_keeps_its_bound(void **state)
{
    struct instance in = INSTANCE(memory, "norm", { "d", 5 }, { "s", 0.5 }, { "radius", 3 });
    struct goal goal = goal_unknown();
    struct sample_moments gap = { 0 };
    goal.budget = 1008;
    struct method *m = METHOD("epoch-sgd", &in, &goal, { "mu", 0 });
    double bound = sqrt(32 / 1008.0) * in.f.G * in.f.dist;
    assert_true(method_param(m, "T") == 1008);
    expect_near("lambda", method_param(m, "lambda"), bound, 1e-15);
    for (uint64_t run = 0; run < 400; run++)
        moments_of(&gap, in.p->value(in.self, method_run(m, run, nobody)));
    if (!(gap.mean <= bound && gap.mean > bound / 1000))
        fail_msg("excess %g, bound %g", gap.mean, bound);
    method_free(m);
}

static void refusals(void **state)
{
    struct instance in = linear(3, 0.8);
    struct instance steep = INSTANCE(memory, "spectral", { "d", 3 }, { "radius", INFINITY });
    struct goal goal = goal_unknown();
    const struct with nothing[] = { { 0 } }, flat[] = { { "lambda", 0 }, { 0 } };
    expect_refusal("epoch-sgd", &in, &goal, nothing, "needs a budget");
    goal.n = 100;
    expect_refusal("epoch-sgd", &steep, &goal, nothing, "E|g|^2 <= G^2");
    expect_refusal("epoch-sgd", &in, &goal, flat, "mu + lambda");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_1_epochs_and_gradients),
        cmocka_unit_test(s7_2_means_of_a_linear_loss),
        cmocka_unit_test(s7_2_variances_of_a_linear_loss),
        cmocka_unit_test(s7_2_a_longer_run_begins_with_the_shorter),
        cmocka_unit_test(s7_2_the_bare_form_on_a_quadratic),
        cmocka_unit_test(o29_small_budgets_answer_the_start),
        cmocka_unit_test(the_method_on_convex_losses_keeps_its_bound),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("EpochSGD", tests, setup, teardown);
}
