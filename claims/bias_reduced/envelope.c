/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelope.c - few projections: Algorithm 3 and Theorem 3, with the step that the printed one
 * should have been. */
#include "bias_reduced.h"

const struct claim bias_reduced_envelope[] = {
    { .id = "bias-reduced/envelope.thm3.excess.acc", .item = "V12 3.4 O-6 O-7 O-35", ENVELOPE,
      .cite = CITE "Theorem 3",
      .says = "with v projected on the set too, E f(x_T) - f* <= eps after T = ceil(7 G D/eps) "
              "rounds of one projection (c = 1)",
      .kind = KIND_ERRATUM, .check = CHECK_BOUND, .measure = "excess",
      .with = { PRACTICAL },
      .window = { { 0.1, 0.4, 3, 8 }, { 0.05, 0.4, 4, 8 }, { 0.025, 0.4, 5, 16 } },
      .formula = accuracy,
      .control = { .with = { { "algo.projections", .text = "printed" } },
                   .why = "v on the ball, as printed: the excess stays near G D/6" } },

    { .id = "bias-reduced/envelope.thm3.theory.acc", .item = "V12", ENVELOPE,
      .remark = "Nightly 0.23 of the bound, the control caught, but open: four replicates are too "
                "few for an interval. Eight: envelope.thm3.theory-8.acc.",
      .cite = CITE "Theorem 3",
      .says = "the constants of the theorem, c = 32: E f(x_T) - f* <= eps",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { { "algo.c", 32 }, ENOUGH },
      .window = { { 0 }, { 0.1, 0.4, 3, 4 }, { 0.1, 0.4, 3, 8 } },
      .formula = accuracy,
      .control = { .with = { { "algo.projections", .text = "printed" } },
                   .why = "v on the ball, as printed: the excess stays near G D/6" } },

    { .id = "bias-reduced/envelope.thm3.projections.acc", .item = "V12 O-26", ENVELOPE,
      .cite = CITE "Theorem 3",
      .says = "ceil(7 G D/eps) projections, one a round",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true, .measure = "project_0",
      .with = { PRACTICAL },
      .window = { { 0.1, 0.4, 3, 1 }, { 0.05, 0.4, 4, 1 }, { 0.025, 0.4, 5, 1 } },
      .formula = rounds_of_thm3,
      .control = { .with = { { "algo.projections", .text = "twice" } },
                   .why = "x and v projected: two a round" } },

    { .id = "bias-reduced/envelope.thm3.gradients.acc", .item = "V12", ENVELOPE,
      .remark = "Open: the heavy tail of the levels spreads eight runs by 30% where 10% are "
                "promised; 128 runs agree to 0.3%: envelope.thm3.replicates.acc.",
      .cite = CITE "Theorem 3",
      .says = "sum over T = ceil(7 G D/eps) rounds of N_k times the mean cost of a draw: order "
              "(G D/eps)^2 log^2(G R/eps) gradients",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT, .measure = "sample_grads",
      .with = { PRACTICAL },
      .window = { { 0.1, 0.4, 3, 8 }, { 0.05, 0.4, 4, 8 }, { 0.025, 0.4, 5, 16 } },
      .formula = gradients_of_thm3, .tolerance = 0.1,
      .control = { .with = { { "algo.c", 2 } }, .why = "another constant" } },

    { 0 }
};
