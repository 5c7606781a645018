/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_table1.c - methods of Table 1 of the paper resque. Shrinking-smoothing (dual averaging of smoothed
 * gradients) is compared with numbers computed by hand. A method that minimises exactly in a ball must move by the
 * radius straight towards the minimiser. The method that uses one pool of queries in all rounds is compared with
 * smoothed gradients in closed form. SGD must not depend on B where all answers are equal.
 *
 * Serves: resque */
#include "support/method.h"

#include "algos/parts/exact_ball.h"
#include "algos/parts/resque.h"

/* Returns an instance with |grad f| = 0.6 and no noise, in which no point comes near the edge of the ball. */
static struct instance linear(void)
{
    return INSTANCE(memory, "linear", { "d", 3 }, { "hardness", 0.6 }, { "s", 0 },
                    { "radius", 1e4 });
}

/* Checks that x[3] is a multiple of the slope; returns the factor. */
static double multiple(const struct instance *in, const double *x)
{
    double origin[3] = { 0 }, g[3];
    in->p->grad(in->self, origin, g);
    double c = vec_dot(3, x, g) / vec_dot(3, g, g);
    expect_near("beside the slope", vec_dot(3, x, x), c * c * 0.36, 1e-12 * (1 + c * c));
    return c;
}

/* Two rounds of shrinking-smoothing are computed by hand, with the same gradient g in all rounds. The Lipschitz
 * constant L, the radius R, the width u of the smoothing and the m gradients a round are all 1;
 * phi = (sqrt 5 + 1)/2 = 1/theta_1:
 *     x_1 = z_1 = -g/(phi + sqrt(2) phi),    1/theta_2 = (1 + sqrt(1 + 4 phi^2))/2,
 *     z_2 = -(1 + phi) g/((1 + sqrt 3)/theta_2),   x_2 = (1 - 1/phi) x_1 + z_2/phi */
static void b2_dual_averaging_by_hand(void **state)
{
    struct instance in = linear();
    double phi = (sqrt(5) + 1) / 2, over = (1 + sqrt(1 + 4 * phi * phi)) / 2;
    double x1 = -1 / (phi * (1 + sqrt(2))), z2 = -(1 + phi) / (over * (1 + sqrt(3)));
    double truth[] = { x1, (1 - 1 / phi) * x1 + z2 / phi };
    for (int T = 1; T <= 2; T++) {
        struct method *m = METHOD("shrinking-smoothing", &in, &none, { "T", T }, { "m", 1 },
                                  { "eps", 1 }, { "L", 1 }, { "R", 1 }, { "u", 1 });
        expect_near("multiple", multiple(&in, method_run(m, 1, nobody)), truth[T - 1], 1e-13);
        expect_count(&m->o, COUNT_batch_steps, T);
        expect_count(&m->o, COUNT_consumed, T);
        method_free(m);
    }
}

/* With m = 4, L = 2, R = 3 and u = 1/2 the first point is x_1 = -g/(4 phi + 2 sqrt(2) phi/(3 * 2)). */
static void b2_dual_averaging_in_other_units(void **state)
{
    struct instance in = linear();
    double phi = (sqrt(5) + 1) / 2;
    struct method *m = METHOD("shrinking-smoothing", &in, &none, { "T", 1 }, { "m", 4 },
                              { "eps", 1 }, { "L", 2 }, { "R", 3 }, { "u", 0.5 });
    expect_near("multiple", multiple(&in, method_run(m, 1, nobody)),
                -1 / (4 * phi + sqrt(2) / 3 * phi), 1e-13);
    expect_count(&m->o, COUNT_sample_grads, 4);
    method_free(m);
}

/* With kappa = L R/(accuracy), shrinking-smoothing makes T = ceil(20 d^(1/4) kappa) rounds of m = ceil(100
 * kappa^2/T) gradients. The answer reaches the accuracy, which is the parameter eps of the method or the goal's;
 * two rounds do not. */
static void b2_rounds_and_promise(void **state)
{
    static const double d[] = { 16, 81 }, T[] = { 400, 600 }, each[] = { 25, 17 };
    struct goal goal = goal_unknown();
    goal.acc = 0.1;
    for (int k = 0; k < 2; k++) {
        struct instance in = INSTANCE(memory, "noisy_l1", { "d", d[k] }, { "p", 0.5 });
        struct method *m = METHOD("shrinking-smoothing", &in, &goal, { "eps", 0.1 });
        expect_near("T", method_param(m, "T"), T[k], 0);
        expect_near("m", method_param(m, "m"), each[k], 0);
        for (uint64_t run = 0; run < 3; run++)
            assert_true(in.p->value(in.self, method_run(m, run, nobody)) <= 0.1);
        expect_count(&m->o, COUNT_sample_grads, T[k] * each[k]);
        expect_count(&m->o, COUNT_batch_steps, T[k]);
        expect_count(&m->o, COUNT_depth, 3 * T[k]);
        method_free(m);
    }
    struct instance in = INSTANCE(memory, "norm", { "d", 16 });
    struct method *m = METHOD("shrinking-smoothing", &in, &goal, { "T", 2 });
    assert_true(in.p->value(in.self, method_run(m, 1, nobody)) > 0.1);
    method_free(m);
}

/* Checks that shrinking-smoothing blurs with Gaussian noise, for d = 1, f = |x - c| and |c| = 1. With blur of width
 * u = 2 a gradient at 0 is +-1 with mean -c (2 Phi(1/2) - 1) = -0.38292 c; the mean of m gradients has sd sqrt(1 -
 * 0.38292^2)/sqrt m. The first point is then x_1 = 0.38292 c/(phi/u + sqrt(2) phi/sqrt m), with phi = (sqrt 5 +
 * 1)/2 (see b2_dual_averaging_by_hand). */
static void b2_the_blur_is_gaussian(void **state)
{
    enum { m = 40000 };
    struct instance in = INSTANCE(memory, "norm", { "d", 1 });
    double star, phi = (sqrt(5) + 1) / 2, scale = phi / 2 + sqrt(2) * phi / sqrt(m);
    struct method *run = METHOD("shrinking-smoothing", &in, &none, { "T", 1 }, { "m", m },
                                { "eps", 1 }, { "L", 1 }, { "R", 1 }, { "u", 2 });
    in.p->minimiser(in.self, &star);
    expect_near("mean", *method_run(run, 1, nobody) * star * scale, 0.38292492254802624,
                Z * 0.9238 / sqrt(m));
    method_free(run);
}

static void b2_refusals(void **state)
{
    struct instance in = INSTANCE(memory, "norm", { "d", 2 });
    struct goal goal = goal_unknown();
    expect_refusal("shrinking-smoothing", &in, &goal, (struct with[]){ { 0 } }, "give goal acc");
    goal.acc = 1e-12;
    expect_refusal("shrinking-smoothing", &in, &goal, (struct with[]){ { 0 } }, "at most 2^40");
    goal.acc = 0.1;
    goal.n = 24;
    expect_refusal("shrinking-smoothing", &in, &goal, (struct with[]){ { 0 } }, "may spend");
    in.f.G = NAN;
    expect_refusal("shrinking-smoothing", &in, &goal, (struct with[]){ { 0 } }, "E|g|^2 <= L^2");
}

/* If the answers of a batch are all equal, the number of rounds and the answer of SGD do not depend on the batch
 * size B. The number of queries does. */
static void b1_batches_of_the_same_answer(void **state)
{
    struct instance in = INSTANCE(memory, "coercive_max", { "d", 9 });
    struct goal goal = goal_unknown();
    double x[9];
    goal.T = 60;
    for (int k = 0; k < 3; k++) {
        double B = k == 0 ? 1 : k == 1 ? 8 : 64;
        struct method *m = METHOD("sgd", &in, &goal, { "B", B });
        struct rng rng = rng_stream(3);
        contract_open(&m->o, &in, m->algo, 1, m->work);
        m->o.budget.of[COUNT_batch_steps] = 60;
        vec_zero(9, m->x);
        assert_int_equal(m->algo->run(&m->o, m->params, m->work, &rng, m->x), OK);
        expect_count(&m->o, COUNT_batch_steps, 60);
        expect_count(&m->o, COUNT_depth, 120);
        expect_count(&m->o, COUNT_sample_grads, 60 * B);
        if (k == 0)
            vec_copy(9, m->x, x);
        expect_vectors("answer", 9, m->x, x, 1e-15);
        method_free(m);
    }
}

/* On the norm, F = L|x - c|, every step of ball-iteration moves by the radius r towards c, until a step reaches c
 * and stays there. On the 1-norm the same holds if all |c_j| are equal and the start is 0. */
static void b5_steps_on_the_straight_way(void **state)
{
    struct goal goal = goal_unknown();
    goal.acc = 0.1;
    for (int k = 0; k < 2; k++)
        for (int T = 1; T <= 12; T++) {
            struct instance in = k == 0 ? INSTANCE(memory, "norm", { "d", 6 }, { "L", 3 })
                                        : INSTANCE(memory, "noisy_l1", { "d", 6 }, { "p", 1 });
            struct method *m = METHOD("ball-iteration", &in, &goal, { "r", 0.09 }, { "T", T });
            double star[6];
            in.p->minimiser(in.self, star);
            expect_near("left", vec_dist(6, method_run(m, 1, nobody), star), fmax(0, 1 - 0.09 * T),
                        1e-11);
            expect_count(&m->o, COUNT_batch_steps, T);
            method_free(m);
        }
    struct instance in = INSTANCE(memory, "norm", { "d", 16 });
    struct method *m = METHOD("ball-iteration", &in, &goal, { "eps", 0.1 });
    expect_near("r", method_param(m, "r"), 0.025, 1e-15);
    expect_near("T", method_param(m, "T"), 40, 0);
    method_free(m);
}

/* For F = L|x - c| the minimum of F + (lam/2)|x - y|^2 is at the distance L/lam from y towards c; within a ball of
 * radius r it is at most at the distance r. */
static void b5_balls_that_bind_and_that_do_not(void **state)
{
    struct instance in = INSTANCE(memory, "norm", { "d", 5 }, { "L", 2 });
    struct oracle o;
    double y[5] = { 0 }, x[5], star[5];
    in.p->minimiser(in.self, star);
    contract_open(&o, &in, NULL, 1, memory);
    struct exact_ball b = { .o = &o, .L = 2, .r = 0.25 };
    static const double lam[] = { 1e-9, 1, 4, 8, 8.5, 16, 1e4 };
    for (int k = 0; k < 7; k++) {
        assert_true(exact_ball(&b, lam[k], y, x));
        double go = fmin(0.25, 2 / lam[k]), truth[5];
        vec_lincomb(5, go, star, 0, star, truth);
        expect_vectors("x", 5, x, truth, 1e-12);
        expect_count(&o, COUNT_batch_steps, k + 1);
    }
    oracle_release(&o);
}

/* At d = 64, accuracy 0.05 and r = 0.05/sqrt d another implementation of ball-accel-exact made 94 rounds with 2.5
 * searches each for the norm, and 93 rounds for the 1-norm. The numbers differ from these by at most a tenth, and
 * the promised accuracy is reached. All |c_j| of the 1-norm are equal, so that its balls go the same straight way
 * as those of the norm, with the same number of searches. The other implementation searched more on the 1-norm, 3.6
 * times a round.
 *
 * A second run has c_lam = 4, so that lam_min > (16/15) L/r, no ball binds and a round takes one search. Its
 * number of rounds follows from A + a = lam a^2, where A is the sum of the weights a of the rounds before: s = 2
 * sqrt(lam A) grows to 1 + sqrt(1 + s^2) in a round, until it reaches 4 K, where K = (R/r)^(2/3). */
static void e3_exact_balls_accelerated(void **state)
{
    struct goal goal = goal_unknown();
    goal.acc = 0.05;
    for (int k = 0; k < 2; k++) {
        struct instance in = k == 0 ? INSTANCE(memory, "norm", { "d", 64 })
                                    : INSTANCE(memory, "noisy_l1", { "d", 64 }, { "p", 1 });
        struct method *m = METHOD("ball-accel-exact", &in, &goal, { "eps", 0.05 });
        assert_true(in.p->value(in.self, method_run(m, 1, nobody)) <= 0.05);
        double searches = m->o.counts.of[COUNT_batch_steps];
        expect_near("rounds", m->o.note[0].last, k == 0 ? 94 : 93, 9.3);
        expect_near("searches", searches, 94 * 2.5, 0.1 * 94 * 2.5);
        method_free(m);
        double K = pow(160, 2.0 / 3), promised = 0;
        for (double s = 0; s < 4 * K; s = 1 + hypot(1, s))
            promised++;
        m = METHOD("ball-accel-exact", &in, &goal, { "c_lam", 4 });
        method_run(m, 1, nobody);
        expect_count(&m->o, COUNT_batch_steps, promised);
        method_free(m);
    }
}

static void b5_refusals(void **state)
{
    struct instance in = INSTANCE(memory, "norm", { "d", 2 });
    struct goal goal = goal_unknown();
    expect_refusal("ball-iteration", &in, &goal, (struct with[]){ { 0 } }, "give goal acc");
    goal.acc = 2;
    expect_refusal("ball-accel-exact", &in, &goal, (struct with[]){ { 0 } }, "expected at most R");
    goal.acc = 0.1;
    in.f.M_F = 1;
    expect_refusal("ball-iteration", &in, &goal, (struct with[]){ { 0 } }, "all of F");
}

/* Returns the largest error of the mean of N reweighted answers about a point near the kinks, over 1000 points
 * within rho of this point, compared with the gradient of the smoothed 1-norm in closed form. */
static double model_error(double d, double rho, long N)
{
    struct instance in = INSTANCE(memory, "noisy_l1", { "d", d }, { "p", 0.5 });
    struct oracle o;
    struct rng r = rng_stream(21);
    struct resque pool = { .o = &o, .rho = rho, .base = rng_stream(22) };
    double centre[8], x[8], g[8], truth[8], worst = 0;

    contract_open(&o, &in, NULL, 1, memory);
    resque_reserve(&pool, memory);
    in.p->minimiser(in.self, centre);
    centre[0] += rho / 2;
    assert_true(resque_ask(&pool, centre, N));
    for (int k = 0; k < 1000; k++) {
        rng_ball(&r, in.d, x);
        vec_lincomb(in.d, rho, x, 1, centre, x);
        resque_grad(&pool, x, 0, N, g);
        in.p->measuring->smoothed(in.self, rho, x, truth);
        worst = fmax(worst, vec_dist(in.d, g, truth));
    }
    expect_count(&o, COUNT_batch_steps, 1);
    expect_count(&o, COUNT_sample_grads, (double)N);
    oracle_release(&o);
    return worst;
}

/* A pool of d kappa^2 ln(d kappa) queries gives gradients with an error below 1/kappa in the whole ball, as L = 1;
 * a pool of d queries does not. The mean of N queries has errors of about sqrt(e/N), which is a third of 1/kappa at
 * N = 1115 and kappa = 6. */
static void e12_models_of_the_gradient(void **state)
{
    double kappa = 6, d = 8, rho = 1 / (2 * kappa * sqrt(d));
    double good = model_error(d, rho, (long)ceil(d * kappa * kappa * log(d * kappa)));
    double bad = model_error(d, rho, (long)d);
    if (!(good <= 1 / kappa && bad > 1 / kappa))
        fail_msg("errors %g and %g about 1/kappa = %g", good, bad, 1 / kappa);
}

/* Each round asks for exactly the queries of one pool, whose number is proportional to the constant c, and the
 * promised accuracy is reached. */
static void b3_pools(void **state)
{
    struct goal goal = goal_unknown();
    goal.acc = 1.0 / 6;
    for (int k = 0; k < 2; k++) {
        struct instance in = k == 0 ? INSTANCE(memory, "noisy_l1", { "d", 8 }, { "p", 0.5 })
                                    : INSTANCE(memory, "norm", { "d", 8 }, { "L", 1 });
        double N = ceil((k == 0 ? 1 : 0.5) * 8 * (1 / goal.acc) * (1 / goal.acc) *
                        log(8 / goal.acc));
        struct method *m = METHOD("ball-accel-pooled", &in, &goal, { "c", k == 0 ? 1 : 0.5 });
        assert_true(in.p->value(in.self, method_run(m, 1, nobody)) <= 1.0 / 6);
        expect_count(&m->o, COUNT_sample_grads, N * m->o.counts.of[COUNT_batch_steps]);
        assert_true(m->o.counts.of[COUNT_batch_steps] > 20 &&
                    m->o.counts.of[COUNT_batch_steps] < 400);
        expect_count(&m->o, COUNT_consumed, m->o.counts.of[COUNT_issued]);
        method_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b1_batches_of_the_same_answer),
        cmocka_unit_test(b2_dual_averaging_by_hand),
        cmocka_unit_test(b2_dual_averaging_in_other_units),
        cmocka_unit_test(b2_rounds_and_promise),
        cmocka_unit_test(b2_the_blur_is_gaussian),
        cmocka_unit_test(b2_refusals),
        cmocka_unit_test(b5_steps_on_the_straight_way),
        cmocka_unit_test(b5_balls_that_bind_and_that_do_not),
        cmocka_unit_test(e3_exact_balls_accelerated),
        cmocka_unit_test(b5_refusals),
        cmocka_unit_test(e12_models_of_the_gradient),
        cmocka_unit_test(b3_pools),
    };
    return cmocka_run_group_tests_name("table1", tests, setup, teardown);
}
