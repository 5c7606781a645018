/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budgets.c - least budgets: claims about what a method has spent when its excess is first at most eps; and the
 * excess and the counts of two rivals, AC-SA and subgradients of random pieces. */
#include "bias_reduced.h"

/* Returns the number of steps of composite-ac-sa for an excess of eps: the larger of sqrt(8 L R^2/eps) and (160/3)
 * (G R/eps)^2, with L the smoothness of the smooth part and R the distance from the start to x*. */
static double steps_of_ac_sa(const struct env *e)
{
    double R = e->facts->dist, ratio = e->facts->G * R / e->goal->acc;
    double smooth = sqrt(8 * e->facts->M_smooth * R * R / e->goal->acc);
    return ceil(fmax(smooth, 160.0 / 3 * ratio * ratio));
}

static double steps_of_average(const struct env *e)
{
    double ratio = e->facts->G * e->facts->radius / e->goal->acc;
    return ceil(ratio * ratio);
}

#define AFTER_LAN .cite = "Lan 2012", .kind = KIND_BASELINE, .algo = "composite-ac-sa", ON_COMPOSITE
#define HALF_BALL_WINDOW .window = { { 0 }, { 0.05, 0.4, 4, 8 }, { 0.025, 0.4, 5, 16 } }

const struct claim bias_reduced_budgets[] = {
    { .id = "bias-reduced/envelope.thm3.narrow.acc", .item = "V12 V13", .attempt = 2, .fresh = true,
      .cite = CITE "Theorem 3",
      .says = "Algorithm 3 comes to eps after order (G D/eps)^2 log^2(G R/eps) gradients, which is "
              "eps^-2.5 here",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .algo = "envelope-agd", HALF_BALL,
      HALF_BALL_WINDOW, .measure = "hit.sample_grads", .with = { STEEP, PRACTICAL },
      .law = { .form = LAW_POWER, .exponent = { -2.5 } }, .band = { -2.75, -2.3 }, .tests = "reduction",
      .control = { .algo = "envelope-sgd", .with = { { "algo.c", 1 } },
                   .why = "no bias reduction: eps^-3" } },

    { .id = "bias-reduced/envelope.thm3.rounds.acc", .item = "V12",
      .cite = CITE "Theorem 3",
      .says = "Algorithm 3 comes to eps after order G D/eps projections",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .tests = "envelope", .algo = "envelope-agd", HALF_BALL,
      HALF_BALL_WINDOW, .measure = "hit.project_0", .with = { STEEP, PRACTICAL },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.3, -0.7 },
      .control = { .algo = "sgd", .with = { { "goal.T", .of = steps_of_subgradients },
                                            { "goal.budget", 1e5 } },
                   .why = "projected subgradients: eps^-2" } },

    { .id = "bias-reduced/mopes.rounds.acc", .item = "V13 5.6",
      .cite = "Thekumparampil, Jain, Netrapalli, Oh 2020",
      .says = "MOPES comes to eps after order G D/eps projections",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_RATE, .algo = "mopes", HALF_BALL,
      .measure = "hit.project_0", .with = { STEEP, ENOUGH },
      .window = { { 0 }, { 0.025, 0.2, 4, 16 }, { 0.0125, 0.2, 5, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.25, -0.75 },
      .control = { .algo = "sgd", .with = { { "goal.T", .of = steps_of_subgradients },
                                            { "goal.budget", 1e5 } },
                   .why = "projected subgradients: eps^-2" } },

    { .id = "bias-reduced/smoothing.rounds.acc", .item = "V13 5.5",
      .cite = "Duchi, Bartlett, Wainwright 2012",
      .says = "randomised smoothing comes to eps after order G D/eps projections",
      .kind = KIND_BASELINE, RIVAL_METHOD, .check = CHECK_RATE, .algo = "randomised-smoothing", HALF_BALL,
      .measure = "hit.project_0", .with = { STEEP, ENOUGH },
      .window = { { 0 }, { 0.025, 0.2, 4, 16 }, { 0.0125, 0.2, 5, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.25, -0.75 },
      .control = { .algo = "sgd", .with = { { "goal.T", .of = steps_of_subgradients },
                                            { "goal.budget", 1e5 } },
                   .why = "projected subgradients: eps^-2" } },

    { .id = "bias-reduced/composite.thm5.sliding.acc", .item = "V20", .attempt = 2, .fresh = true,
      .cite = CITE "Theorem 5",
      .says = "Algorithm 5 comes to eps after order eps^-1/2 gradients of the smooth part, L = 400",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .algo = "composite-agd", .tests = "sliding",
      FALLING, .axis = "acc",
      .window = { { 0 }, { 0.1, 0.8, 4, 8 }, { 0.05, 0.8, 5, 8 } },
      .measure = "hit.smooth_grads", .with = { FALLING_WITH, STIFF },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.65, -0.35 },
      .control = { .algo = "composite-ac-sa", .why = "AC-SA, a gradient of the smooth part with every sample" },
      .control2 = { .with = { { "algo.L", 320, -1 } }, .why = "a smoothness overstated as 1/eps: eps^-1" } },

    { .id = "bias-reduced/acsa.excess.acc", .item = "V21 5.9", AFTER_LAN,
      .says = "AC-SA on both parts at once: E Psi - Psi* <= eps",
      .check = CHECK_BOUND, .measure = "excess", .with = { SOFT, ENOUGH },
      .window = { { 0.05, 0.2, 3, 8 }, { 0.025, 0.2, 4, 8 }, { 0.0125, 0.2, 5, 16 } },
      .formula = target,
      .control = { .with = { { "algo.T", 1 } }, .why = "one step" } },

    { .id = "bias-reduced/acsa.smooth.acc", .item = "V21 5.9", AFTER_LAN,
      .says = "max{ sqrt(8 L R^2/eps), (160/3) (G R/eps)^2 } gradients of the smooth part, one a "
              "step",
      REACHES_EPS, RIVAL_METHOD, .check = CHECK_COUNT, .deterministic = true, .measure = "smooth_grads",
      .with = { SOFT, ENOUGH },
      .window = { { 0.05, 0.2, 3, 1 }, { 0.025, 0.2, 4, 1 }, { 0.0125, 0.2, 5, 1 } },
      .formula = steps_of_ac_sa,
      .control = { .algo = "gradient-sliding", .with = { { "algo.c", 1 } },
                   .why = "gradient sliding: sqrt(6 L R^2/eps)" } },

    { .id = "bias-reduced/acsa.exponent.acc", .item = "V21 5.9", AFTER_LAN,
      .says = "gradients of the smooth part ~ eps^-2 where f is noisy: nothing is saved",
      REACHES_EPS, RIVAL_METHOD, .check = CHECK_RATE, .deterministic = true, .measure = "smooth_grads",
      .with = { SOFT, ENOUGH },
      .window = { { 0.05, 0.2, 3, 1 }, { 0.025, 0.2, 4, 1 }, { 0.0125, 0.2, 5, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.2, -1.8 },
      .control = { .algo = "gradient-sliding", .with = { { "algo.c", 1 } },
                   .why = "gradient sliding: eps^-1/2" } },

    { .id = "bias-reduced/average.sec4.pieces.N", .item = "5.3",
      .cite = "Bubeck 2015, Theorem 6.1; " CITE "Section 4.2",
      .says = "ceil((G R/eps)^2) subgradients of one piece at eps = 0.05, whatever N is",
      .kind = KIND_IDENTITY, .check = CHECK_COUNT, .deterministic = true, .algo = "average-piece",
      .problem = "max_affine", .axis = "N", .measure = "piece_grads",
      .with = { { "goal.acc", 0.05 }, { "goal.T", 1e12 } },
      .window = { { 10, 1000, 3, 1 }, { 10, 10000, 4, 1 }, { 10, 100000, 5, 1 } },
      .formula = steps_of_average,
      .control = { .algo = "largest-piece", .why = "the largest piece, within |x*| and not R" } },

    { 0 }
};
