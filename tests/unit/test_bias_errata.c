/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bias_errata.c - small statements about bias reduction: the instance of Appendix A.4, counters, the law of
 * the level J of a draw, the size of draws, which may leave the feasible set, the Gaussian mechanism of Lemma 13.
 * z-tests at 6 sigma (contract.h).
 *
 * Serves: bias-reduced */
#include "support/draw.h"
#include "support/linear_law.h"
#include "support/method.h"

#include "gdp_curve.h"
#include "algos/parts/mlmc.h"
#include "algos/parts/softmax.h"

/* Returns an instance with |grad F| = 0.6 and noise of size s. */
static struct instance linear(double d, double s, double radius)
{
    return INSTANCE(memory, "linear", { "d", d }, { "hardness", 0.6 }, { "s", s },
                    { "radius", radius });
}

/* The instance is F = (G/2) max_{i<=2T} x_i + (mu/2)|x|^2 with G = 3, mu = 0.5. Its minimiser is x* = -(G/(4 mu T))
 * (1, ..., 1), where equal weights give a zero subgradient, and F* = -G^2/(16 mu T). A method that has asked for T
 * gradients is at least G/(4 mu sqrt T) away from x*. */
static void s7_13_the_instance_of_the_lower_bound(void **state)
{
    const double G = 3, mu = 0.5;
    for (double T = 16; T <= 256; T *= 4) {
        long d = (long)(2 * T);
        struct instance in = INSTANCE(memory, "coercive_max", { "d", 2 * T }, { "L", G / 2 },
                                      { "R", 1e4 });
        double *zero = arena_vec(memory, d), *x = arena_vec(memory, d), *g = arena_vec(memory, d);
        vec_zero(d, zero);
        assert_true(in.p->measuring->proximal_point(in.self, mu, zero, x));
        vec_zero(d, g);
        for (long i = 0; i < d; i++) {
            expect_near("x*", x[i], -G / (4 * mu * T), 1e-15);
            in.p->pieces->grad(in.self, i, x, 1 / (2 * T), g);
        }
        vec_axpy(d, mu, x, g);
        assert_true(vec_norm(d, g) <= 1e-13);
        expect_near("F*", in.p->value(in.self, x) + mu / 2 * vec_dot(d, x, x),
                    -G * G / (16 * mu * T), 1e-15);
        struct draw_of *q = DRAWN("epoch-sgd-mean", &in, 1, { "mu", mu }, { "T_max", T });
        double gradients;
        drawn_next(q, 0, &gradients);
        assert_true(gradients <= T && gradients > 0);
        assert_true(drawn_functional(q, "error") >= G / (4 * mu * sqrt(T)));
        drawn_free(q);
    }
}

/* A draw of the softmax gradient costs the values of N pieces for the centre, one value for each trial, and one
 * subgradient. */
static void s7_15_counters_of_the_softmax(void **state)
{
    enum { N = 30, DRAWS = 200 };
    struct instance in = INSTANCE(memory, "max_affine", { "d", 3 }, { "N", N });
    struct draw_of *q = DRAWN("softmax-gradient", &in, 2, { "share", 0.5 });
    double trials = 0;
    for (int i = 0; i < DRAWS; i++) {
        drawn_next(q, 0, NULL);
        trials += drawn_functional(q, "trials");
    }
    expect_count(&q->o, COUNT_passes, DRAWS);
    expect_count(&q->o, COUNT_piece_values, (double)DRAWS * N + trials);
    expect_count(&q->o, COUNT_piece_grads, DRAWS);
    assert_true(trials > DRAWS);
    drawn_free(q);
}

/* envelope-agd makes T projections, or 2T where x and v are both projected. composite-agd asks for N gradients of
 * the smooth part. */
static void s7_15_counters_of_the_methods(void **state)
{
    struct goal goal = goal_unknown();
    goal.acc = 0.4;
    struct instance half = INSTANCE(memory, "half_ball", { "a", 0.3 }, { "b", 0.9 }, { "s", 0.3 });
    struct instance both = INSTANCE(memory, "composite_l1", { "d", 4 }, { "M", 9 });
    struct method *once = METHOD("envelope-agd", &half, &goal, { "T", 5 });
    struct method *twice = METHOD("envelope-agd", &half, &goal, { "T", 5 },
                                  { "projections", 0, "twice" });
    struct method *composite = METHOD("composite-agd", &both, &goal, { "N", 0 });
    method_run(once, 1, nobody);
    method_run(twice, 1, nobody);
    method_run(composite, 1, nobody);
    expect_count(&once->o, COUNT_project_0, 5);
    expect_count(&twice->o, COUNT_project_0, 10);
    expect_count(&composite->o, COUNT_smooth_grads, ceil(2 * sqrt(9 / 0.4)));
    method_free(once);
    method_free(twice);
    method_free(composite);
}

/* The level J is 1, 2, ... with probability 2^-J, which is checked by counts of 2^20 draws, for J up to 10 and all
 * larger J together. */
static void o31_the_support_begins_at_one(void **state)
{
    enum { DRAWS = 1 << 20, CELLS = 11 };
    double count[CELLS + 1] = { 0 };
    struct rng r = rng_stream(31);
    for (int i = 0; i < DRAWS; i++) {
        int J = rng_geometric(&r);
        assert_true(J >= 1);
        count[J < CELLS ? J : CELLS]++;
    }
    for (int j = 1; j <= CELLS; j++) {
        double p = ldexp(1, j < CELLS ? -j : 1 - j);
        expect_near("draws of a level", count[j], DRAWS * p, Z * sqrt(DRAWS * p * (1 - p)));
    }
}

/* At the last level J of mlmc the difference x_J - x_(J-1) of the ends of two runs has a mean square in closed
 * form, and a draw is 2^J times this difference. The root mean square of a draw must be near sqrt(2.91) s/G times
 * sqrt(T_max) G/mu. */
static void o32_the_largest_output(void **state)
{
    enum { DRAWS = 400 };
    struct instance in = linear(1, 0.8, 1e6);
    for (double mu = 1; mu <= 4; mu *= 4)
        for (int jmax = 7; jmax <= 10; jmax++) {
            struct draw_of *q = DRAWN("mlmc", &in, 32, { "T_max", ldexp(1, jmax) }, { "mu", mu });
            struct linear_law l = linear_law_begin(mu, 0.6, 0.8);
            struct sample_moments square = { 0 };
            while (l.k < linear_law_epochs(jmax))
                linear_law_epoch(&l);
            for (int i = 0; i < DRAWS; i++) {
                double v = drawn_next(q, jmax - 1, NULL)[0];
                moments_of(&square, v * v);
            }
            double size = ldexp(l.move2, 2 * jmax), share = size / ldexp(1 / (mu * mu), jmax);
            expect_mean("square of the largest", &square, size);
            assert_true(share > 1.7 && share < 3);           /* size is 2.91 s^2 from the noise, and a part from the
                                                                mean gradient, in units of 2^jmax/mu^2 */
            drawn_free(q);
        }
}

/* For a bias of delta the size of a draw is a constant times G^2/(mu^2 delta): a strong convexity mu 4 times as
 * large makes it 16 times smaller. If the size were G/(mu delta), as Section 6 of the paper says, it would be 4
 * times smaller. */
static void o32_in_terms_of_the_bias(void **state)
{
    struct instance in = linear(1, 0.8, 1e6);
    double size[2];
    for (int k = 0; k < 2; k++) {
        double mu = k ? 4 : 1;
        struct draw_of *q = DRAWN("opt-est", &in, 32, { "mu", mu }, { "delta", 1e-3 },
                                  { "sigma", 100 }, { "c", 1 });
        size[k] = sqrt(drawn_param(q, "T_max")) / mu;
        expect_near("sqrt(T_max) G/mu", size[k], 2 / (mu * mu * 1e-3), 1e-4 * size[k]);
        drawn_free(q);
    }
    expect_near("ratio", size[0] / size[1], 16, 1e-2);
}

/* x* is in the unit ball, draws need not be. The mean of the draws is that of runs of the last level, whose points
 * are all in the ball; the mean of projected draws is another one. */
static void o33_outputs_are_not_projected(void **state)
{
    struct instance in = linear(2, 0.8, 1);
    struct draw_of *runs = DRAWN("epoch-sgd-mean", &in, 33, { "T_max", 256 });
    struct draw_of *draws = DRAWN("mlmc", &in, 33, { "T_max", 256 });
    struct draw_of *cut = DRAWN("mlmc", &in, 33, { "T_max", 256 }, { "clip", 1 });
    double of_runs, of_draws, of_cut, share = drawn_mean(runs, "share", 3000, &of_runs);
    double own = drawn_mean(draws, "share", 3000, &of_draws);
    double projected = drawn_mean(cut, "share", 3000, &of_cut), largest = 0;
    for (int i = 0; i < 20; i++)
        largest = fmax(largest, vec_norm(2, drawn_next(draws, 7, NULL)));
    assert_true(largest > 2);
    assert_true(vec_norm(2, drawn_next(cut, 7, NULL)) <= 1 + 1e-15);
    expect_near("E xhat", own, share, Z * sqrt(of_runs + of_draws));
    assert_true(share - projected > 2 * Z * sqrt(of_runs + of_cut));
    drawn_free(runs);
    drawn_free(draws);
    drawn_free(cut);
}

/* A draw that is clipped to a radius is unchanged where it is inside, and is moved along its ray to the sphere
 * where it is outside. */
static void v27_a_cut_keeps_the_ray(void **state)
{
    struct instance in = linear(3, 0.8, 1e6);
    struct draw_of *draws = DRAWN("mlmc", &in, 27, { "T_max", 256 });
    struct draw_of *cut = DRAWN("mlmc", &in, 27, { "T_max", 256 }, { "clip", 8 });
    int inside = 0, outside = 0;
    for (int i = 0; i < 300; i++) {
        const double *v = drawn_next(draws, 3 + i % 3 * 2, NULL);
        const double *w = drawn_next(cut, 3 + i % 3 * 2, NULL);
        double norm = vec_norm(3, v), keep = fmin(1, 8 / norm), u[3] = { 0 };
        vec_axpy(3, norm > 0 ? keep : 0, v, u);
        expect_vectors("cut", 3, w, u, 1e-12 * (1 + norm));
        inside += norm < 8;
        outside += norm > 8;
    }
    assert_true(inside > 20 && outside > 20);
    drawn_free(draws);
    drawn_free(cut);
}

/* Rounds follow each other, draws of a round do not: gradients add up, and batch steps are the sum over rounds of
 * those of the longest draw. A draw of level j takes the gradients of e epochs, as many as 2^j has room for. It
 * takes none if 2^j is above T_max, or if level j - 1 has room for as many. */
static void v24_rounds_of_parallel_draws(void **state)
{
    enum { ROUNDS = 6, N = 40 };
    struct instance in = linear(1, 0.8, 1e6);
    struct draw_of *all = DRAWN("opt-est", &in, 24, { "T_max", 1024 }, { "N", N },
                                { "rounds", ROUNDS });
    struct rng J = rng_at(&all->rng, 0);
    double gradients, sum = 0, longest = 0;
    for (int k = 0; k < ROUNDS; k++) {
        double most = 0;
        for (int i = 0; i < N; i++) {
            int j = rng_geometric(&J), e = linear_law_epochs(j);
            bool still = j > 10 || e == linear_law_epochs(j - 1);
            double own = still ? 0 : 16 * (ldexp(1, e) - 1) - e;
            sum += own;
            most = fmax(most, own);
        }
        longest += most;
    }
    drawn_next(all, 0, &gradients);
    expect_near("gradients", gradients, sum, 0);
    expect_count(&all->o, COUNT_batch_steps, longest);
    assert_true(longest < sum);
    drawn_free(all);
}

/* Noise of sd = 2 Delta sqrt(ln(2/beta))/alpha on a value of sensitivity Delta is (alpha, beta)-private by the
 * exact curve for all alpha <= ln(1/beta), and half of this sd is not. Without the root, as printed, the noise is
 * sqrt(ln(2/beta)) times as large. Algorithm 6 needs (alpha, beta^2/2)-privacy at twice the sensitivity Delta: the
 * sd is then 2 (2 Delta) sqrt(ln(4/beta^2))/alpha = 4 sqrt 2 Delta sqrt(ln(2/beta))/alpha, and the factor 8 of its
 * sigma is larger than 4 sqrt 2. */
static void o14_the_gaussian_mechanism_has_a_root(void **state)
{
    for (double beta = 1e-2; beta > 1e-13; beta /= 100) {
        double root = sqrt(log(2 / beta)), worst_half = 0;
        for (double alpha = log(1 / beta); alpha > 1e-3; alpha /= 1.7) {
            assert_true(gdp_delta(alpha, alpha / (2 * root)) <= beta);
            worst_half = fmax(worst_half, gdp_delta(alpha, alpha / root) / beta);
            assert_true(gdp_delta(alpha, alpha / (2 * root * root)) <= 1e-2 * beta);
        }
        assert_true(worst_half > 1);
        expect_near("2 sqrt(ln(4/beta^2))", 2 * 2 * sqrt(log(4 / (beta * beta))),
                    4 * sqrt(2) * root, 1e-12);
    }
    assert_true(4 * sqrt(2) <= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_13_the_instance_of_the_lower_bound),
        cmocka_unit_test(s7_15_counters_of_the_softmax),
        cmocka_unit_test(s7_15_counters_of_the_methods),
        cmocka_unit_test(o31_the_support_begins_at_one),
        cmocka_unit_test(o32_the_largest_output),
        cmocka_unit_test(o32_in_terms_of_the_bias),
        cmocka_unit_test(o33_outputs_are_not_projected),
        cmocka_unit_test(v27_a_cut_keeps_the_ray),
        cmocka_unit_test(v24_rounds_of_parallel_draws),
        cmocka_unit_test(o14_the_gaussian_mechanism_has_a_root),
    };
    return cmocka_run_group_tests_name("small statements of bias reduction", tests, setup, teardown);
}
