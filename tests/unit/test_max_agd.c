/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_max_agd.c - the maximum of N functions by accelerated proximal points: accuracy, passes, pieces and draws.
 * eps is the accuracy, e = eps/2, G a Lipschitz constant of the N functions, R a bound of |x_0 - x*|, and r the
 * radius of balls. Every round takes the proximal point x' at y with weight lam, estimates a gradient g with a bias
 * of at most delta and a variance of at most sigma_k^2, moves v along -g, and adds a to the sum of weights A. q
 * divides the error among the rounds, c is the constant in the numbers of draws that g takes, and K the greatest
 * number of rounds.
 *
 * Serves: bias-reduced */
#include "support/method.h"

/* The accuracy that tests ask for, with 4 pieces in the plane and G = R = 1. */
static const double EPS = 0.35;

static struct instance plane(void)
{
    return INSTANCE(memory, "max_affine", { "d", 2 }, { "N", 4 });
}

static struct goal goal_acc(void)
{
    struct goal goal = goal_unknown();
    goal.acc = EPS;
    return goal;
}

/* Returns the radius r = eps'/G of the balls, where eps' = eps/(2 ln N) is the temperature of the softmax. The
 * softmax exceeds the maximum by at most eps' ln N = eps/2; the method aims at the other eps/2. */
static double radius(void) { return EPS / (2 * log(4)); }

/* Returns how many rounds with the same lam increase the sum of weights A from A_0 = 1 to `last` or more. */
static double rounds_of(double lam, double last, double *A)
{
    double k = 0;
    for (*A = 1; *A < last; k++)
        *A += (1 + sqrt(1 + 4 * lam * *A)) / (2 * lam);
    return k;
}

/* With the practical constant c = 1/4 an answer has an excess of at most eps with probability at least 1/2, and in
 * experience nearly always. Both runs of the test must answer with an excess of at most eps, and below half of that
 * of the start. The number of passes is at most K_max, the rounds of Proposition 2, times one more than the calls
 * of a bisection for lam. Each gradient is that of one piece, sampled by rejection, which evaluates at most exp(2)
 * pieces in the mean; for n gradients the tolerance is 6/sqrt n of this, as the number of trials has a geometric
 * law. */
static void s3_9_the_method_keeps_its_promise(void **state)
{
    struct instance in = plane();
    struct goal goal = goal_acc();
    double zero[2] = { 0 }, r = radius(), e = EPS / 2, lam_min = EPS / pow(r, 4.0 / 3);
    double K_max = ceil(fmax(4.85 * pow(r, -2.0 / 3) * log(9 / e) + 2, 16.97 * sqrt(lam_min / e)));
    double calls = fmax(0, log2(2 / r / lam_min)) + log2(8 * (1 + 1 / lam_min) / r) + 4;
    struct method *m = METHOD("max-agd", &in, &goal, { "c", 0.25 }, { "b", 0.5 });
    for (uint64_t run = 0; run < 2; run++) {
        double f = in.p->value(in.self, method_run(m, run, nobody));
        double start = in.p->value(in.self, zero);
        const double *of = m->o.counts.of;
        if (!(f >= 0 && f <= EPS && f < start / 2))
            fail_msg("excess %g, at the start %g", f, start);
        assert_true(vec_norm(2, m->x) <= 1 + 1e-12);
        assert_true(of[COUNT_passes] >= 2 && of[COUNT_passes] <= K_max * (calls + 1));
        double values = of[COUNT_piece_values] - 4 * of[COUNT_passes], n = of[COUNT_piece_grads];
        assert_true(values >= n && values <= exp(2) * n * (1 + 6 / sqrt(n)));
    }
    method_free(m);
}

/* Here lam_min is above lam_max, so that lam = 2 lam_max = 4 G/r in every round, which determines the weights A and
 * a of all rounds. Each round makes one pass. In all there are sum_k ceil(32 c log2(T_max) G^2/sigma_k^2) draws,
 * with e = eps/2, sigma_k^2 = e/(q a_k), T_max = ceil(4 c G^2/min{delta^2, sigma_k^2/2}), delta = e/(2 q R), and
 * q = 60 as printed. */
static void s3_5_rounds_and_draws(void **state)
{
    struct instance in = plane();
    struct goal goal = goal_acc();
    double lam = 4 / radius(), e = EPS / 2, draws = 0, A = 1, rounds;
    struct method *m = METHOD("max-agd", &in, &goal, { "c", 0.01 }, { "q", 60 },
                              { "lam_min", 1e3 });
    method_run(m, 1, nobody);
    rounds = rounds_of(lam, 9 / e, &A);
    expect_count(&m->o, COUNT_passes, rounds);
    A = 1;
    for (int k = 0; k < rounds; k++) {
        double a = (1 + sqrt(1 + 4 * lam * A)) / (2 * lam), sigma2 = e / (60 * a), delta = e / 120;
        double T_max = ceil(0.04 / fmin(delta * delta, sigma2 / 2));
        draws += ceil(0.32 * log2(T_max) / sigma2);
        A += a;
    }
    expect_near("draws", m->o.counts.of[COUNT_draws], draws, 0);
    assert_true(A >= 9 / e && A <= 2.618 * 9 / e);
    method_free(m);
}

/* The method ends after at most K rounds, even if the sum of weights A is still below the value at which a run
 * ends. */
static void s3_5_at_most_K_rounds(void **state)
{
    struct instance in = plane();
    struct goal goal = goal_acc();
    struct method *m = METHOD("max-agd", &in, &goal, { "c", 0.01 }, { "lam_min", 1e3 }, { "K", 7 });
    method_run(m, 1, nobody);
    expect_count(&m->o, COUNT_passes, 7);
    method_free(m);
}

/* As printed lam_min = eps ln^2(G R/eps)/(r^(4/3) R^(2/3)), which is above lam_max = 2G/r unless eps/(G R) is at
 * most (2/(ln^2(G R/eps) (2 ln N)^(1/3)))^(3/2). The constants of theory keep the square of the logarithm;
 * practical constants leave it out. */
static void o22_lam_min_of_the_theorem(void **state)
{
    struct instance in = plane();
    struct goal goal = goal_acc();
    goal.constants = CONSTANTS_THEORY;
    struct method *plain = METHOD("max-agd", &in, &goal, { "c", 1e-3 }, { "q", 1 }, { "C", 1 },
                                  { "balls", 0, "epochs" });
    double log_term = log(1 / EPS), lam_min = EPS / pow(radius(), 4.0 / 3);
    expect_near("theory", method_param(plain, "lam_min"), lam_min * log_term * log_term, 1e-12);
    method_free(plain);
    goal.constants = CONSTANTS_PRACTICAL;
    plain = METHOD("max-agd", &in, &goal, { "c", 1 });
    expect_near("practice", method_param(plain, "lam_min"), lam_min, 1e-12);
    method_free(plain);
    for (double N = 2; N < 1e6; N *= 10)
        for (double eps = 0.5 / log(N); eps > 1e-7; eps /= 3) {
            double r = eps / (2 * log(N)), l2 = log(1 / eps) * log(1 / eps);
            bool above = eps / pow(r, 4.0 / 3) * l2 > 2 / r;
            double edge = pow(2 / (l2 * cbrt(2 * log(N))), 1.5);
            assert_true(fabs(eps / edge - 1) < 1e-9 || above == (eps > edge));
        }
}

/* Tests the variant gradient = ball. Every x' costs the whole epochs that fit a budget of 8 (30 R G/e)^2 gradients,
 * for every lam. When A >= R^2/e or lam <= 2 lam_min = e/(2 r R), the excess is at most eps. */
static void s5_10_ball_acceleration(void **state)
{
    struct instance in = plane();
    struct goal goal = goal_acc();
    double ratio = 60 / EPS, points = 0, each = 0, zero[2] = { 0 };
    for (double next = 16; points + next <= ceil(8 * ratio * ratio); next *= 2) {
        points += next;
        each += next - 1;
    }
    struct method *m = METHOD("max-agd", &in, &goal, { "gradient", 0, "ball" });
    double f = in.p->value(in.self, method_run(m, 1, nobody)), start = in.p->value(in.self, zero);
    const double *of = m->o.counts.of;
    assert_true(f >= 0 && f <= EPS && f < start / 2);
    assert_true(vec_norm(2, m->x) <= 1 + 1e-12);
    assert_true(of[COUNT_draws] == 0);
    assert_true(of[COUNT_piece_grads] >= each);
    expect_near("lam_min", method_param(m, "lam_min"), EPS / (8 * radius()), 1e-12);
    method_free(m);
    m = METHOD("max-agd", &in, &goal, { "gradient", 0, "ball" }, { "lam_min", 1e3 });
    method_run(m, 1, nobody);                /* there is no bisection, since the first lam tried is already below 2
                                                lam_min */
    expect_count(&m->o, COUNT_passes, 1);
    expect_count(&m->o, COUNT_piece_grads, each);
    method_free(m);
}

/* On a line, with two affine functions and away from their kink, the softmax is linear with slope s. The ball
 * oracle then moves by min{|s|/lam, r}. The bisection halves lam from 2/r to |s|/r, where the move is more than
 * 15r/16, and ends at 2^(1/4) |s|/r, where the move is 0.84 r. So x' = y - s/lam, and v' = v - a s. The second
 * piece contributes exp(-1.5 |x - x*|/eps'), at most 3e-5, where eps' = eps/(2 ln N). */
static void s5_10_the_step_of_v(void **state)
{
    struct instance in = INSTANCE(memory, "max_affine", { "d", 1 }, { "N", 2 });
    struct goal goal = goal_unknown();
    goal.acc = 0.05;
    double r = 0.05 / (2 * log(2)), x = 0, v = 0, A = 1, zero = 0, s;
    struct method *m = METHOD("max-agd", &in, &goal, { "gradient", 0, "ball" }, { "C", 1 },
                              { "K", 3 });
    in.p->grad(in.self, &zero, &s);
    double lam = sqrt(sqrt(2)) * fabs(s) / r;
    for (int k = 0; k < 3; k++) {
        double a = (1 + sqrt(1 + 4 * lam * A)) / (2 * lam), y = (A * x + a * v) / (A + a);
        x = y - s / lam;
        v -= a * s;
        A += a;
    }
    assert_true(fabs(x) > 0.05 && fabs(x) < 0.25);
    expect_near("x", method_run(m, 1, nobody)[0], x, 2e-3 * fabs(x));
    method_free(m);
}

static void refusals(void **state)
{
    struct instance in = plane();
    struct goal goal = goal_unknown();
    const struct with nothing[] = { { 0 } }, wide[] = { { "eps", 0.4 }, { 0 } };
    const struct with eps[] = { { "eps", 0.2 }, { 0 } }, tiny[] = { { "eps", 1e-6 }, { 0 } };
    expect_refusal("max-agd", &in, &goal, nothing, "needs an accuracy");
    expect_refusal("max-agd", &in, &goal, wide, "expected eps < G R/(2 ln N)");
    expect_refusal("max-agd", &in, &goal, tiny, "expected at most 2^40");
    goal.constants = CONSTANTS_THEORY;
    expect_refusal("max-agd", &in, &goal, eps,
                   "c = 32, b = 16, q = 72 and printed ball oracles cost");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s3_9_the_method_keeps_its_promise),
        cmocka_unit_test(s3_5_rounds_and_draws),
        cmocka_unit_test(s3_5_at_most_K_rounds),
        cmocka_unit_test(o22_lam_min_of_the_theorem),
        cmocka_unit_test(s5_10_ball_acceleration),
        cmocka_unit_test(s5_10_the_step_of_v),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("the maximum of N functions", tests, setup, teardown);
}
