/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replicates.c - claims about heavy-tailed measures, which need many replicates to be decided. Earlier attempts
 * with few replicates are in attempts.c. */
#include "bias_reduced.h"

#define THE_START .control = { .with = { { "algo.T_max", 8 } },                               \
                               .why = "no level is ever run: the start" }
#define ERRORS .kind = KIND_THEOREM, .tests = "none", \
               .tests_none = "the printed constants; the closed form beside it tests the levels", \
               .check = CHECK_BOUND, .measure = "moment.error2", .formula = square_of_sigma, THE_START
#define DOUBLED .control = { .with = { { "algo.c", 2 } }, .why = "another constant" }

/* Returns the expected depth of a run whose number of rounds, the axis, is also the number of parallel draws in a
 * round. */
static double depth_of_rounds(const struct env *e)
{
    return e->axis * longest_draw(e->axis, bias_log2(256 * e->axis * e->axis));
}

const struct claim bias_reduced_replicates[] = {
    { .id = "bias-reduced/optest.thm1.replicates.sigma", .item = "V9", .attempt = 3, .cite = CITE "Theorem 1",
      .says = "OptEst with c = 32: E|xhat - x*|^2 <= sigma^2", ERRORS,
      .algo = "opt-est", .problem = "linear", .axis = "sigma",
      .with = { LINE, { "algo.delta", 0.3 }, { "run.draws", 3 } },
      .window = { { 0.5, 0.5, 1, 16 }, { 0.5, 0.5, 1, 16 }, { 0.125, 1, 4, 16 } } },

    { .id = "bias-reduced/weak.sec1.replicates.lam", .item = "V29 3.13", .attempt = 2,
      .says = "where F + |x|^2 is convex and lam > 2, MorGradEst for F + (rho/2)|x - y|^2 keeps "
              "E|ghat - grad f_lam|^2 <= sigma^2 (c = 1)",
      .cite = CITE "Section 1.5; derived", .kind = KIND_EXTENSION, .check = CHECK_BOUND,
      .algo = "weak-mor-grad-est", .problem = "ring", .axis = "lam", .measure = "moment.error2",
      .with = { { "algo.c", 1 }, { "algo.r", 1.6 }, { "algo.delta", 0.5 }, { "algo.sigma", 1 },
                { "run.draws", 2 } },
      .window = { { 4, 8, 2, 16 }, { 0 }, { 2.5, 40, 5, 16 } },
      .formula = square_of_sigma, THE_START },

    { .id = "bias-reduced/envelope.thm3.theory-8.acc", .item = "V12", .attempt = 2, ENVELOPE,
      .cite = CITE "Theorem 3",
      .says = "the constants of the theorem, c = 32: E f(x_T) - f* <= (1/4 + 12/49) eps",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { { "algo.c", 32 }, ENOUGH },
      .window = { { 0 }, { 0.2, 0.4, 2, 8 }, { 0.1, 0.4, 3, 8 } }, .formula = exact_part, .tests = "feasible",
      .control = { .with = { { "algo.projections", .text = "printed" } },
                   .why = "v on the ball, as printed: the excess stays near G D/6" } },

    { .id = "bias-reduced/envelope.thm3.reached.acc", .item = "V12", .attempt = 3, .fresh = true,
      .cite = CITE "Theorem 3",
      .says = "sum over T = ceil(7 G D/eps) rounds of N_k times the mean cost of a draw",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT, .algo = "envelope-agd",
      .problem = "half_ball", .axis = "acc", .measure = "sample_grads", REACHES_EPS, COUNTED,
      .with = { STEEP, PRACTICAL },
      .window = { { 0.4, 0.8, 2, 128 }, { 0.2, 0.8, 3, 64 }, { 0.1, 0.8, 4, 256 } },
      .formula = gradients_of_thm3, .tolerance = 0.1, DOUBLED },

    { .id = "bias-reduced/envelope.a2.reached.acc", .item = "V24 O-28", .attempt = 3, .fresh = true,
      .cite = CITE "Appendix A.2",
      .says = "draws in parallel, Algorithm 3 is as deep as the longest draw of each of its "
              "ceil(7 G D/eps) rounds, in closed form (c = 1)",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT, .algo = "envelope-agd",
      .problem = "half_ball", .axis = "acc", .measure = "batch_steps", REACHES_EPS, COUNTED,
      .with = { STEEP, PRACTICAL },
      .window = { { 0.4, 0.8, 2, 128 }, { 0.2, 0.8, 3, 64 }, { 0.1, 0.8, 4, 256 } },
      .formula = depth_of_thm3, .tolerance = 0.2, DOUBLED },

    { .id = "bias-reduced/composite.thm5.replicates.acc", .item = "V20", .attempt = 2,
      COMPOSITE, .axis = "acc",
      .says = "sum over N rounds of one run and N_k draws, L = 16",
      .check = CHECK_MOMENT, .measure = "sample_grads", REACHES_EPS, COUNTED, .with = { COMPOSITE_RUN, SIXTEEN },
      .window = { { 0.4, 0.8, 2, 128 }, { 0.2, 0.8, 3, 128 }, { 0.1, 0.8, 4, 256 } },
      .formula = gradients_of_thm5, .tolerance = 0.1, DOUBLED },

    { .id = "bias-reduced/composite.thm5.counted-128.L", .item = "V20", .attempt = 4, .fresh = true,
      COMPOSITE, .axis = "M",
      .says = "gradients do not depend on L, but for rounding, eps = 0.4",
      .check = CHECK_MOMENT, .measure = "sample_grads", REACHES_EPS, COUNTED,
      .with = { COMPOSITE_RUN, { "goal.acc", 0.4 } },
      .window = { { 4, 256, 2, 128 }, { 4, 256, 3, 128 }, { 4, 1024, 5, 256 } },
      .formula = gradients_of_thm5, .tolerance = 0.1, DOUBLED },

    { .id = "bias-reduced/exact.thm7.replicates.n", .item = "V22", .attempt = 2,
      .cite = CITE "Theorem 7",
      .says = "J_0 + 3 gradients in the mean at most, J_0 = 2 log2 n",
      .kind = KIND_IDENTITY, .check = CHECK_BOUND,
      .algo = "exact-optimum", .problem = "medians", .axis = "n", .measure = "moment.cost",
      .with = { { "problem.d", 1 }, { "run.draws", 2 } },
      .window = { { 16, 64, 2, 32 }, { 16, 256, 3, 32 }, { 16, 1024, 4, 32 } },
      .formula = few_gradients,
      .control = { .with = { { "algo.J_0", 3 } },
                   .why = "passes over all records from level 4 on" } },

    { .id = "bias-reduced/pieces.sec4.replicates.acc", .item = "V19 5.2", .attempt = 2,
      .cite = "Nesterov 2018, Theorem 3.2.2",
      .says = "subgradients of the largest piece: f - f* <= eps after T = ceil((G D/eps)^2)",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_BOUND, .algo = "largest-piece", .problem = "max_affine",
      .axis = "acc", .measure = "excess", .with = { { "goal.T", 1e12 } },
      .window = { { 0.025, 0.1, 3, 16 }, { 0.0125, 0.1, 4, 16 }, { 0.00625, 0.1, 5, 16 } },
      .formula = accuracy,
      .control = { .with = { { "algo.step", 1e-9 } }, .why = "it stays where it is" } },

    { .id = "bias-reduced/average.sec4.replicates.acc", .item = "5.3", .attempt = 2,
      .cite = "Bubeck 2015, Theorem 6.1; " CITE "Section 4.2",
      .says = "subgradients of random pieces: the average of the pieces is eps from its minimum "
              "after T = ceil((G R/eps)^2)",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_BOUND, .algo = "average-piece", .problem = "max_affine",
      .axis = "acc", .measure = "average", .with = { { "goal.T", 1e12 } },
      .window = { { 0.0125, 0.05, 3, 64 }, { 0.00625, 0.05, 4, 64 }, { 0.003125, 0.05, 5, 64 } },
      .formula = accuracy,
      .control = { .with = { { "algo.step", 1e-9 } }, .why = "it stays where it is" } },

    { .id = "bias-reduced/draw.a2.replicates.kappa", .item = "V24 O-28", .attempt = 2,
      .remark = "Open: at 64, +18% (-2% to 52%); one run in 256 has a draw 18 times the mean, and 512 runs are "
                "few.",
      .cite = CITE "Appendix A.2",
      .says = "G R/eps rounds of as many parallel draws, T_max = 256 (G R/eps)^2: the depth is "
              "(G R/eps)^2 (8 + log2(G R/eps)) and lower terms, in closed form",
      .kind = KIND_IDENTITY, .check = CHECK_MOMENT, .algo = "opt-est", .problem = "linear",
      .axis = "kappa", .measure = "batch_steps",
      .with = { { "problem.d", 1 }, { "run.draws", 1 }, { "algo.rounds", 1, 1 }, { "algo.N", 1, 1 },
                { "algo.T_max", 256, 2 } },
      .window = { { 0 }, { 0 }, { 16, 128, 4, 1024 } },
      .formula = depth_of_rounds, .tolerance = 0.25,
      .control = { .with = { { "algo.T_max", 64 } }, .why = "draws of 46 gradients at most" } },

    { .id = "bias-reduced/composite.thm5.smooth-hit.L", .item = "V20", .attempt = 3,
      .cite = CITE "Theorem 5",
      .says = "Algorithm 5 comes to eps = 0.2 after order L^(1/2) gradients of the smooth part",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .tests = "none",
      .tests_none = "AC-SA, which is Algorithm 5 without sliding, grows as L^(1/2) too where noise is small",
      .algo = "composite-agd", FALLING, .axis = "M",
      .measure = "hit.smooth_grads", .with = { FALLING_WITH, { "goal.acc", 0.2 } },
      .window = { { 0 }, { 128, 2048, 5, 16 }, { 128, 8192, 7, 32 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.38, 0.62 },
      .control = { .with = { { "algo.L", 0.0078125, 2 } },
                   .why = "a smoothness overstated as L^2: L" } },

    { .id = "bias-reduced/composite.sec5.rounds.acc", .item = "V21 5.8", .attempt = 2,
      .remark = "Contradicted, by rounding and not by the theorem, so that it is evidence only: it is there after "
                "18, 27, 36 and 58 rounds, marks being further apart than one; at 18, 25.5, 36 and 51, steps of "
                "sqrt 2, the same rounds cost eps^-2.6, all of them eps^-2.5: composite.sec5.exponent.acc.",
      .cite = CITE "Section 5, without OptEst",
      .says = "without bias reduction it comes to eps after order eps^-5/2 gradients, L = 1000",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, .algo = "composite-sgd", FALLING, .axis = "acc",
      .measure = "hit.sample_grads", .with = { FALLING_WITH, { "problem.M", 1000 } },
      .window = { { 0 }, { 0 }, { 0.025, 0.4, 5, 8 } },
      .law = { .form = LAW_POWER, .exponent = { -2.5 } }, .band = { -2.75, -2.25 },
      .control = { .algo = "gradient-sliding", .with = { { "algo.c", 1 } },
                   .why = "gradient sliding: eps^-2 at most" } },

    { .id = "bias-reduced/sliding.rounds.acc", .item = "V21 5.7", .attempt = 2,
      .cite = LAN,
      .says = "gradient sliding comes to eps after order eps^-2 gradients, no logarithm, G = 4.2",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_RATE, .algo = "gradient-sliding", FALLING, .axis = "acc",
      .measure = "hit.sample_grads",
      .with = { FALLING_WITH, STIFF, { "problem.slope", 3 }, { "problem.s", 3 } },
      .window = { { 0 }, { 0.025, 0.2, 4, 8 }, { 0.0125, 0.2, 5, 8 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.25, -1.75 },
      .control = { .with = { { "algo.c", 0.45, -0.5 } },
                   .why = "inner budgets that grow by eps^-1/2 more" } },

    { 0 }
};
