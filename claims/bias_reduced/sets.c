/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sets.c - Algorithm 3 on sets where a projection needs a sort (the simplex) or the eigenvalues of a matrix (the
 * spectraplex). */
#include "bias_reduced.h"

/* Returns the number of rounds of Algorithm 3 for accuracy 0.2, which does not depend on the dimension. */
static double rounds_at_a_fifth(const struct env *e)
{
    return ceil(7 * e->facts->G * e->facts->dist / 0.2);
}

static double half_of_a_fifth(const struct env *e) { return (1.0 / 4 + 12.0 / 49) * 0.2; }

#define CORNER(shape, size) .problem = "corner", \
    .with = { { "problem.body", .text = shape }, { "problem.d", size }, PRACTICAL }
#define ON_THE_BALL { .with = { { "algo.projections", .text = "printed" } }, \
                      .why = "v on the ball, as printed: the set's push is not felt" }

const struct claim bias_reduced_sets[] = {
    { .id = "bias-reduced/envelope.simplex.half.acc", .item = "V12 3.4 O-6", .attempt = 2, .fresh = true,
      .cite = CITE "Theorem 3",
      .says = "over a simplex: E f(x_T) - f* <= (1/4 + 12/49) eps after T = ceil(7 G D/eps) projections (c = 1)",
      .kind = KIND_ERRATUM, .check = CHECK_BOUND, .algo = "envelope-agd", .axis = "acc",
      .measure = "excess", CORNER("simplex", 16),
      .window = { { 0.1, 0.4, 3, 8 }, { 0 }, { 0.05, 0.4, 4, 16 } },
      .formula = exact_part, .tests = "feasible", .control = ON_THE_BALL },

    { .id = "bias-reduced/envelope.spectraplex.half.acc", .item = "V12 3.4 O-6", .attempt = 2, .fresh = true,
      .cite = CITE "Theorem 3",
      .says = "over the 8 x 8 positive semidefinite matrices of one trace: E f(x_T) - f* <= (1/4 + 12/49) eps "
              "after "
              "T = ceil(7 G D/eps) projections (c = 1)",
      .kind = KIND_ERRATUM, .check = CHECK_BOUND, .algo = "envelope-agd", .axis = "acc",
      .measure = "excess", CORNER("spectraplex", 36),
      .window = { { 0 }, { 0 }, { 0.05, 0.4, 4, 16 } },
      .formula = exact_part, .tests = "feasible", .control = ON_THE_BALL },

    { .id = "bias-reduced/envelope.simplex.half.d", .item = "V12", .attempt = 3, .fresh = true,
      .cite = CITE "Theorem 3",
      .says = "over a simplex of any dimension: E f(x_T) - f* <= (1/4 + 12/49) eps, eps = 0.2",
      .kind = KIND_ERRATUM, .check = CHECK_BOUND, .algo = "envelope-agd", .axis = "d",
      .measure = "excess", .problem = "corner", .with = { { "goal.acc", 0.2 }, PRACTICAL }, .tests = "feasible",
      .window = { { 0 }, { 4, 64, 3, 16 }, { 4, 512, 4, 32 } },
      .formula = half_of_a_fifth, .control = ON_THE_BALL },

    { .id = "bias-reduced/envelope.cut.rounds.acc", .item = "V12", .attempt = 2,
      .remark = "The printed step ends within eps here: pieces hold it.",
      .cite = CITE "Theorem 3",
      .says = "a maximum of 64 affine functions over half a ball: E f(x_T) - f* <= eps after T = ceil(7 G D/eps) "
              "projections (c = 1)",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .algo = "envelope-agd", .axis = "acc",
      .measure = "excess", .problem = "max_affine",
      .with = { { "problem.N", 64 }, { "problem.L", 0.9 }, { "problem.cut", 0.6 }, { "problem.s", 0.3 },
                { "problem.radius", 2 }, PRACTICAL },
      .window = { { 0 }, { 0 }, { 0.1, 0.4, 3, 18 } },
      .formula = accuracy,
      .control = { .with = { { "algo.T", 2 } }, .why = "two rounds" } },

    { .id = "bias-reduced/envelope.simplex.projections.d", .item = "V12 V13 5.5",
      .cite = CITE "Theorem 3",
      .says = "ceil(7 G D/eps) projections in any dimension, eps = 0.2",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true, .algo = "envelope-agd",
      .axis = "d", .measure = "project_0", .problem = "corner", REACHES_EPS, COUNTED,
      .with = { { "goal.acc", 0.2 }, PRACTICAL },
      .window = { { 4, 64, 3, 1 }, { 4, 256, 4, 1 }, { 4, 1024, 5, 1 } },
      .formula = rounds_at_a_fifth,
      .control = { .algo = "randomised-smoothing", .why = "randomised smoothing: d^(1/4)" } },

    { .id = "bias-reduced/mopes.spectraplex.excess.acc", .item = "V13 5.6",
      .cite = "Thekumparampil, Jain, Netrapalli, Oh 2020",
      .says = "over the 8 x 8 positive semidefinite matrices of one trace MOPES: E f - f* <= eps",
      .kind = KIND_BASELINE, .check = CHECK_BOUND, .algo = "mopes", .axis = "acc",
      .measure = "excess", .problem = "corner",
      .with = { { "problem.body", .text = "spectraplex" }, { "problem.d", 36 }, ENOUGH },
      .window = { { 0 }, { 0.1, 0.4, 3, 16 }, { 0.05, 0.4, 4, 16 } },
      .formula = accuracy,
      .control = { .with = { { "algo.K", 2 } }, .why = "two rounds" } },

    { 0 }
};
