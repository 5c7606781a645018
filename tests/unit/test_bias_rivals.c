/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bias_rivals.c - the methods with which bias reduction is compared: on linear losses against sequences in
 * closed form, their numbers of queries against sums written out, and their promised accuracy on half a ball. In
 * these methods, as in the paper, eps is the accuracy.
 *
 * Serves: bias-reduced */
#include "support/linear_law.h"
#include "support/method.h"

#include "algos/parts/prox_slide.h"

/* Returns an instance with |grad f| = 0.6 and no noise, in which no point comes near the edge of the ball. */
static struct instance linear(void)
{
    return INSTANCE(memory, "linear", { "d", 3 }, { "hardness", 0.6 }, { "s", 0 }, { "radius", 1e4 });
}

static struct instance half_ball(double d, double s)
{
    return INSTANCE(memory, "half_ball", { "d", d }, { "a", 0.3 }, { "b", sqrt(0.91) }, { "s", s });
}

/* g[3] <- the slope of the linear loss. */
static void slope(const struct instance *in, double *g)
{
    double origin[3] = { 0 };
    in->p->grad(in->self, origin, g);
    expect_near("slope", vec_norm(3, g), 0.6, 1e-12);
}

/* Returns the c with x_K = c g after K rounds of the accelerated recursion that envelope-sgd and
 * randomised-smoothing share, for a gradient g that is the same in every round. The points v_k of its long steps
 * are then -(k(k+1)/(12 lam)) g, and k(k+1) x_k - (k-1)k x_(k-1) = 2k v_k. */
static double constant_slope(double lam, double K)
{
    double sum = 0;
    for (double k = 1; k <= K; k++)
        sum += k * k * (k + 1);
    return -sum / (6 * lam * K * (K + 1));
}

static void expect_multiple(const struct instance *in, const double *x, double c)
{
    double g[3];
    slope(in, g);
    vec_scale(3, c, g);
    expect_vectors("answer", 3, x, g, 1e-11 * fabs(c));
}

/* The mean excess of 10 runs must be at most eps. It is near eps/4, and the mean has standard deviation 0.1 eps. */
static void expect_promise(struct method *m, double eps)
{
    struct sample_moments gap = { 0 };
    for (uint64_t run = 0; run < 10; run++) {
        const double *x = method_run(m, run, nobody);
        moments_of(&gap, m->in->p->value(m->in->self, x) - m->in->f.f_star);
    }
    if (!(gap.mean <= eps && gap.mean > 0))
        fail_msg("%s: excess %g, expected at most %g", m->algo->name, gap.mean, eps);
}

/* On a linear loss of slope g, EpochSGD misses the proximal point y - g/lam by a mean error m, which is known
 * (linear_law.h). The gradient of the envelope that it gives is therefore (1 - lam m/|g|) g in the mean. */
static void s5_4_a_linear_loss(void **state)
{
    struct instance in = linear();
    struct goal goal = goal_unknown();
    struct method *m = METHOD("envelope-sgd", &in, &goal, { "eps", 0.5 }, { "lam", 2 }, { "T", 7 },
                              { "T_in", 16 * 7 + 9 });
    struct linear_law l = linear_law_begin(2, 0.6, 0);
    for (int k = 0; k < 3; k++)
        linear_law_epoch(&l);
    expect_multiple(&in, method_run(m, 1, nobody), (1 - 2 * l.mean / 0.6) * constant_slope(2, 7));
    expect_count(&m->o, COUNT_sample_grads, 7 * (16 + 32 + 64 - 3));
    method_free(m);
}

/* Checks rounds, gradients and excess of envelope-sgd for G = 1, with noise and without. There are T = 7/eps
 * rounds, rounded up, of one projection. The gradients of a round are those of epochs of 16, 32, ... points, as
 * many as fit into c (8/eps)^2, where c is 1 in practice and 32 in theory. With the projections as printed, and eps
 * = 0.1, the excess stays at 0.175. */
static void s5_4_rounds_gradients_and_promise(void **state)
{
    static const double theory[] = { 1, 32 };
    struct instance in = half_ball(2, 0);
    struct goal goal = goal_unknown();
    goal.acc = 0.4;
    for (int k = 0; k < 2; k++) {
        goal.constants = k ? CONSTANTS_THEORY : CONSTANTS_PRACTICAL;
        struct method *m = METHOD("envelope-sgd", &in, &goal, { "R", 1 });
        double T_in = theory[k] * 400, points = 0, gradients = 0;
        for (double next = 16; points + next <= T_in; next *= 2) {
            points += next;
            gradients += next - 1;
        }
        expect_near("T_in", method_param(m, "T_in"), T_in, 1);
        assert_true(in.p->value(in.self, method_run(m, 1, nobody)) <= 0.4);
        expect_count(&m->o, COUNT_project_0, 18);
        expect_count(&m->o, COUNT_sample_grads, 18 * gradients);
        method_free(m);
    }
    goal.constants = CONSTANTS_PRACTICAL;
    goal.acc = 0.1;
    struct method *m = METHOD("envelope-sgd", &in, &goal, { "projections", 0, "printed" });
    expect_near("excess", in.p->value(in.self, method_run(m, 1, nobody)), 0.175, 0.02);
    method_free(m);
    goal.acc = 0.2;
    in = half_ball(2, 0.3);
    m = METHOD("envelope-sgd", &in, &goal, { "c", 1 });
    expect_promise(m, 0.2);
    method_free(m);
}

/* At d = 4, 16 and 64 randomised-smoothing makes T = 49, 70 and 98 rounds. A round is one batch step of m
 * gradients, where m is 8/(eps^2 T), rounded up. */
static void s5_5_rounds_grow_as_the_fourth_root_of_d(void **state)
{
    static const double d[] = { 4, 16, 64 }, T[] = { 49, 70, 98 };
    struct goal goal = goal_unknown();
    goal.acc = 0.2;
    for (int k = 0; k < 3; k++) {
        struct instance in = half_ball(d[k], 0);
        struct method *m = METHOD("randomised-smoothing", &in, &goal, { "G", 1 });
        double L_u = sqrt(d[k]) / 0.1, each = ceil(T[k] / (3 * L_u * 0.2));
        expect_near("T", method_param(m, "T"), T[k], 0);
        method_run(m, 1, nobody);
        expect_count(&m->o, COUNT_project_0, T[k]);
        expect_count(&m->o, COUNT_batch_steps, T[k]);
        expect_count(&m->o, COUNT_sample_grads, T[k] * each);
        method_free(m);
        in = half_ball(d[k], 0.3);
        m = METHOD("randomised-smoothing", &in, &goal, { "m", 0 });
        expect_promise(m, 0.2);
        method_free(m);
    }
}

static void s5_5_a_linear_loss(void **state)
{
    struct instance in = linear();
    struct goal goal = goal_unknown();
    struct method *m = METHOD("randomised-smoothing", &in, &goal, { "eps", 0.5 }, { "T", 9 },
                              { "m", 3 }, { "u", 0.25 }, { "G", 2 }, { "D", 1 });
    expect_multiple(&in, method_run(m, 1, nobody), constant_slope(2 * sqrt(3) / 0.25, 9));
    method_free(m);
}

/* Checks the mean of the gradient of f = |x - c| in one dimension, |c| = 1, blurred by u times a uniform number of
 * (-1, 1). With u = 4 the mean gradient at 0 is -c/4. The first step has the length 1/(6 L_u), where L_u = G/u =
 * 1/4 is the smoothness of the blurred f, so that x_1 = c/6 in the mean. A gradient is +-1, so that a mean of m
 * gradients has the sd sqrt(15/16)/sqrt m; the tolerance is Z of these, times the length of the step. */
static void s5_5_the_mean_of_the_blurred_gradient(void **state)
{
    enum { m = 40000 };
    struct instance in = INSTANCE(memory, "norm", { "d", 1 }, { "radius", 9 });
    struct goal goal = goal_unknown();
    double star;
    struct method *a = METHOD("randomised-smoothing", &in, &goal, { "eps", 1 }, { "T", 1 }, { "m", m },
                              { "u", 4 }, { "G", 1 });
    assert_true(in.p->minimiser(in.self, &star));
    expect_near("step", method_run(a, 5, nobody)[0] / star, 4 / 24.0,
                Z * 4 / 6.0 * sqrt(15 / 16.0 / m));
    method_free(a);
}

/* Returns ut/s after the inner loop of algos/parts/prox_slide.h on a linear loss of slope g, where s = -g/beta and
 * ut is the weighted mean of the inner points. From the start 0 the points are u_t = s (1 - 2/((t+1)(t+2))), with
 * weights 2(t+1)/(T(T+3)), so that ut = s (1 - 4 sum_(t <= T) 1/(t+2) / (T(T+3))). */
static double slide_mean(double T)
{
    double sum = 0;
    for (double t = 1; t <= T; t++)
        sum += 1 / (t + 2);
    return 1 - 4 * sum / (T * (T + 3));
}

static void s5_7_the_inner_loop_on_a_linear_loss(void **state)
{
    struct instance in = linear();
    double l[3] = { 0.5, -1, 2 }, g[3], beta = 1.7;
    slope(&in, g);
    vec_axpy(3, 1, l, g);
    for (double T = 1; T <= 30; T++) {
        struct oracle o;
        double u[3] = { 0 }, ut[3] = { 9, 9, 9 }, want[3];
        contract_open(&o, &in, NULL, 1, memory);
        struct prox_slide s = { .o = &o, .R = 1e4 };
        prox_slide_reserve(&s, memory);
        assert_true(prox_slide(&s, l, beta, T, u, ut));
        vec_lincomb(3, -(1 - 2 / ((T + 1) * (T + 2))) / beta, g, 0, g, want);
        expect_vectors("u", 3, u, want, 1e-13);
        vec_lincomb(3, -slide_mean(T) / beta, g, 0, g, want);
        expect_vectors("mean of u", 3, ut, want, 1e-13);
        expect_count(&o, COUNT_sample_grads, T);
        oracle_release(&o);
    }
}

/* Two rounds of mopes are computed by hand. It minimises f(x') + (lam/2)|x - x'|^2, here with lam = 1; its points
 * are (x, x') after a round, (y, y') where the gradient is taken, and (z, z') after a step. An inner loop of T_1 =
 * 7 steps with weight beta finds x'. In round 1 x_1 = 0; x'_1 is the mean and z'_1 the end of the inner loop from 0
 * with beta = 4. Then y = 0, y' = (x'_1 + 2 z'_1)/3, z_2 = y'/2 and x_2 = 2 z_2/3. */
static void s5_6_two_rounds_by_hand(void **state)
{
    struct instance in = linear();
    struct goal goal = goal_unknown();
    struct method *m = METHOD("mopes", &in, &goal, { "eps", 1 }, { "G", 1 }, { "D", 1 }, { "K", 2 },
                              { "c", 2.5 });
    expect_multiple(&in, method_run(m, 1, nobody),
                    -(slide_mean(7) + 2 * (1 - 2 / 72.0)) / (9 * 4));
    method_free(m);
}

/* At eps = 0.2 ... 0.025 and G = D = 1 mopes makes K = 35, 70, 139, 278 rounds. Its number of gradients is the sum
 * of the T_k, the inner steps of round k: about 1024/eps^2. At K = 35 it is 9% more, because K is a little above
 * sqrt(48)/eps and sum k^2 above K^3/3. */
static void s5_6_rounds_gradients_and_promise(void **state)
{
    static const double K[] = { 35, 70, 139, 278 };
    struct instance in = half_ball(2, 0);
    struct goal goal = goal_unknown();
    for (int i = 0; i < 4; i++) {
        double eps = 0.2 / ldexp(1, i), sum = 0;
        goal.acc = eps;
        struct method *m = METHOD("mopes", &in, &goal, { "G", 1 });
        for (double k = 1; k <= K[i]; k++)
            sum += ceil(K[i] * 4 * k * k / (0.75 * 4 / (eps * eps)));
        expect_near("K", method_param(m, "K"), K[i], 0);
        if (i < 2) {
            method_run(m, 1, nobody);
            expect_count(&m->o, COUNT_project_0, K[i]);
            /* four of the T_k are whole numbers before they are rounded up */
            expect_near("gradients", m->o.counts.of[COUNT_sample_grads], sum, 5);
        }
        assert_true(sum * eps * eps > 1024 && sum * eps * eps < 1150);
        method_free(m);
    }
    in = half_ball(2, 0.3);
    goal.acc = 0.2;
    struct method *m = METHOD("mopes", &in, &goal, { "c", 1 });
    expect_promise(m, 0.2);
    method_free(m);
}

/* Item 5.1 of docs/papers/bias-reduced.md is the method sgd: where no smoothness is known, its step is D/(G sqrt
 * T). */
static void s5_1_the_step_of_sgd(void **state)
{
    struct instance in = half_ball(2, 0.3);
    struct goal goal = goal_unknown();
    goal.T = 100;
    struct method *m = METHOD("sgd", &in, &goal, { "c", 1 });
    double G = sqrt(0.09 + 0.91 + 0.09);
    expect_near("step", method_param(m, "step"), 1 / (G * 10), 1e-15);
    method_free(m);
}

/* F is a maximum of pieces: every step of largest-piece takes the gradient of the piece that attains F. The answer
 * is the mean of the points before the steps, and satisfies the bound. */
static void s5_2_subgradients_of_the_largest_piece(void **state)
{
    struct instance in = INSTANCE(memory, "max_affine", { "d", 5 }, { "N", 40 });
    struct goal goal = goal_unknown();
    goal.acc = 0.1;
    struct method *m = METHOD("largest-piece", &in, &goal, { "T", 0 });
    double T = ceil(in.f.dist * in.f.dist * in.f.G * in.f.G / 0.01 - 1e-9);
    double x[5] = { 0 }, mean[5] = { 0 };
    expect_near("T", method_param(m, "T"), T, 0);
    for (double t = 0; t < T; t++) {
        double g[5];
        vec_axpy(5, 1 / T, x, mean);
        in.p->grad(in.self, x, g);
        vec_axpy(5, -in.f.dist / (in.f.G * sqrt(T)), g, x);
        instance_project(&in, x);
    }
    const double *answer = method_run(m, 1, nobody);
    expect_vectors("answer", 5, answer, mean, 1e-12);
    assert_true(in.p->value(in.self, answer) <= 0.1);
    expect_count(&m->o, COUNT_piece_values, 40 * T);
    expect_count(&m->o, COUNT_piece_grads, T);
    expect_count(&m->o, COUNT_passes, T);
    method_free(m);
}

/* Returns an instance whose smooth part is Lambda = 2|x - x*|^2; the other part of the objective is negligible. */
static struct instance bowl(void)
{
    return INSTANCE(memory, "composite_l1", { "d", 5 }, { "M", 4 }, { "slope", 1e-12 }, { "s", 0 },
                    { "radius", 50 });
}

static void expect_share(const struct instance *in, const double *x, double share)
{
    double star[5];
    assert_true(in->p->minimiser(in->self, star));
    vec_scale(5, share, star);
    expect_vectors("answer", 5, x, star, 1e-10);
}

/* Three rounds of composite-sgd are computed by hand. In units of |x*| the error of x is 1/2 after round 1, 1/6
 * after round 2 and 1/48 after round 3; that of the method's other sequence, v, is 1/2, 0 and -1/8. */
static void s5_8_three_rounds_by_hand(void **state)
{
    struct instance in = bowl();
    struct goal goal = goal_unknown();
    struct method *m = METHOD("composite-sgd", &in, &goal, { "N", 3 });
    expect_share(&in, method_run(m, 1, nobody), 1 - 1 / 48.0);
    expect_count(&m->o, COUNT_smooth_grads, 3);
    expect_count(&m->o, COUNT_sample_grads, 0);
    method_free(m);
}

/* Two rounds of gradient-sliding are computed by hand, with one inner step that goes 2/3 of the way to the minimum.
 * In units of |x*| the error of x is 2/3 after round 1 and 2/9 after round 2, and that of the mean is (2/3)/3 +
 * (2/9)(2/3) = 10/27. */
static void s5_7_two_rounds_by_hand(void **state)
{
    struct instance in = bowl();
    struct goal goal = goal_unknown();
    struct method *m = METHOD("gradient-sliding", &in, &goal, { "N", 2 });
    expect_share(&in, method_run(m, 1, nobody), 1 - 10 / 27.0);
    expect_count(&m->o, COUNT_smooth_grads, 2);
    expect_count(&m->o, COUNT_sample_grads, 2);
    method_free(m);
}

/* With a smooth part of smoothness 4, R = G = 1 and eps = 0.1, composite-sgd makes 13 rounds and gradient-sliding
 * 16. The expected gradients are computed from the formulas for the accuracy delta of a round and for the
 * budgets. */
static void v21_queries_and_promise(void **state)
{
    struct instance in = INSTANCE(memory, "composite_l1", { "M", 4 }, { "slope", 0.6 }, { "s", 0.8 });
    struct goal goal = goal_unknown();
    double plain = 0, sliding = 0;
    goal.acc = 0.1;
    struct method *m = METHOD("composite-sgd", &in, &goal, { "c", 1 }),
                  *s = METHOD("gradient-sliding", &in, &goal, { "c", 1 });
    for (double k = 1; k <= 13; k++) {
        double delta = 1 / (16 * 13.0), beta = 8 / k, T = ceil(1 / (beta * beta * delta * delta));
        for (double next = 16, points = 0; points + next <= T; points += next, next *= 2)
            plain += next - 1;
    }
    for (double k = 1; k <= 16; k++)
        sliding += ceil(16 * 4 * k * k / (0.75 * 0.5 * 16));
    expect_promise(m, 0.1);
    expect_promise(s, 0.1);
    expect_count(&m->o, COUNT_smooth_grads, 13);
    expect_count(&s->o, COUNT_smooth_grads, 16);
    expect_near("gradients", m->o.counts.of[COUNT_sample_grads], plain, 0);
    expect_near("gradients", s->o.counts.of[COUNT_sample_grads], sliding, 3);
    method_free(m);
    method_free(s);
}

static void refusals(void **state)
{
    struct instance in = half_ball(2, 0.3), pieces = INSTANCE(memory, "max_affine", { "d", 2 });
    struct goal goal = goal_unknown();
    const struct with nothing[] = { { 0 } }, tiny[] = { { "eps", 1e-30 }, { 0 } },
                      few[] = { { "eps", 1 }, { "T_in", 15 }, { 0 } };
    static const char *const names[] = { "envelope-sgd", "randomised-smoothing", "mopes" };
    for (int k = 0; k < 3; k++) {
        expect_refusal(names[k], &in, &goal, nothing, "needs an accuracy");
        expect_refusal(names[k], &in, &goal, tiny, "at most 2^40");
    }
    expect_refusal("envelope-sgd", &in, &goal, few, "at least 16");
    expect_refusal("largest-piece", &pieces, &goal, nothing, "needs an accuracy");
    goal.T = 17;
    goal.acc = 0.1;
    expect_refusal("envelope-sgd", &in, &goal, nothing, "a gradient is a batch step");
    expect_refusal("mopes", &in, &goal, nothing, "a gradient is a batch step");
    goal = goal_unknown();
    expect_refusal("composite-sgd", &in, &goal, tiny, "smooth part apart");
    expect_refusal("gradient-sliding", &in, &goal, tiny, "smooth part apart");
    expect_refusal("largest-piece", &pieces, &goal, tiny, "at most 2^52");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s5_1_the_step_of_sgd),
        cmocka_unit_test(s5_2_subgradients_of_the_largest_piece),
        cmocka_unit_test(s5_4_a_linear_loss),
        cmocka_unit_test(s5_4_rounds_gradients_and_promise),
        cmocka_unit_test(s5_5_rounds_grow_as_the_fourth_root_of_d),
        cmocka_unit_test(s5_5_a_linear_loss),
        cmocka_unit_test(s5_5_the_mean_of_the_blurred_gradient),
        cmocka_unit_test(s5_6_two_rounds_by_hand),
        cmocka_unit_test(s5_6_rounds_gradients_and_promise),
        cmocka_unit_test(s5_7_the_inner_loop_on_a_linear_loss),
        cmocka_unit_test(s5_8_three_rounds_by_hand),
        cmocka_unit_test(s5_7_two_rounds_by_hand),
        cmocka_unit_test(v21_queries_and_promise),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("rivals of bias reduction", tests, setup, teardown);
}
