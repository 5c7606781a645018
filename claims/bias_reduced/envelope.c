/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelope.c - few projections: Algorithm 3 and Theorem 3, with the step that the proof needs in place of the
 * printed one. */
#include "bias_reduced.h"

const struct claim bias_reduced_envelope[] = {
    { .id = "bias-reduced/envelope.thm3.half.acc", .item = "V12 3.4 O-6 O-7 O-35", .attempt = 2, .fresh = true,
      ENVELOPE,
      .cite = CITE "Theorem 3",
      .says = "with v projected on the set too, E f(x_T) - f* <= eps after T = ceil(7 G D/eps) rounds of one "
              "projection, and "
              "even <= (1/4 + 12/49) eps, the proof's sum for exact gradients (c = 1)",
      .kind = KIND_ERRATUM, .check = CHECK_BOUND, .measure = "excess", .tests = "feasible",
      .with = { PRACTICAL },
      .window = { { 0.1, 0.4, 3, 8 }, { 0.05, 0.4, 4, 8 }, { 0.025, 0.4, 5, 16 } },
      .formula = exact_part,
      .control = { .with = { { "algo.projections", .text = "printed" } },
                   .why = "v on the ball, as printed: the excess stays near G D/6" } },

    { .id = "bias-reduced/envelope.thm3.projections-steep.acc", .item = "V12 O-26", .attempt = 2, ENVELOPE,
      .cite = CITE "Theorem 3",
      .says = "ceil(7 G D/eps) projections, one a round",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true, .measure = "project_0",
      REACHES_EPS, COUNTED, .with = { STEEP, PRACTICAL },
      .window = { { 0.1, 0.4, 3, 1 }, { 0.1, 0.4, 3, 1 }, { 0.025, 0.4, 5, 1 } },
      .formula = rounds_of_thm3,
      .control = { .with = { { "algo.projections", .text = "twice" } },
                   .why = "x and v projected: two a round" } },

    { 0 }
};
