/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composite.c - Algorithm 5 and Theorem 5: few gradients of the smooth part of the objective, at R = 1. L is the
 * smoothness of that part, N the number of rounds, eps the accuracy. */
#include "bias_reduced.h"

#define IN_ACC .axis = "acc", .window = { { 0.1, 0.4, 3, 8 }, { 0.05, 0.4, 4, 8 },              \
                                          { 0.025, 0.4, 5, 16 } }
#define IN_L .axis = "M", .window = { { 1, 256, 3, 8 }, { 1, 256, 5, 8 }, { 1, 1024, 6, 16 } }

/* Returns the part of the proof's bound on the excess that holds if each round solves its subproblem exactly, 2 L
 * R^2/(N (N + 1)), a little less than eps/2. The proof allows another eps/2 for inexact solutions. */
static double solved_part(const struct env *e)
{
    double L = env_param(e, "L"), R = e->facts->radius, N = ceil(2 * sqrt(L * R * R / e->goal->acc));
    return 2 * L * R * R / (N * (N + 1));
}

/* Searches the curvature m <= L of a problem in one dimension with the largest excess. After N rounds the excess is
 * largest near m = 3 L/N^2, and there m is about (3/4) eps. The method is given L by a setting, from which the
 * number of rounds follows. */
#define HARDEST_CURVATURE .search = { .kind = SEARCH_LARGEST, .name = "problem.M", .from = 0.025, .to = 1.6, \
                                      .points = 13, .reps = 4 }
#define ON_HARDEST .algo = "composite-agd", .problem = "composite_l1", .kind = KIND_THEOREM, \
                   .cite = CITE "Theorem 5", .check = CHECK_BOUND, .measure = "excess", .formula = solved_part, \
                   .tests = "rounds", ONE_ROUND, HARDEST_CURVATURE
#define ON_HARDEST_RUN { "problem.d", 1 }, { "goal.budget", 1e12 }

const struct claim bias_reduced_composite[] = {
    { .id = "bias-reduced/composite.thm5.hardest.acc", .item = "V20 3.10 O-11 O-12", .attempt = 4, .fresh = true,
      ON_HARDEST, .axis = "acc", .window = { { 0.1, 0.4, 3, 16 }, { 0.05, 0.4, 4, 32 }, { 0.025, 0.4, 5, 32 } },
      .says = "on the hardest curvature E Psi(x_N) - Psi* <= eps after N = ceil(2 sqrt(L R^2/eps)) rounds, L = 16, "
              "and even <= 2 L R^2/(N (N + 1)), the proof's part for exact solutions (c = b = 1)",
      .with = { ON_HARDEST_RUN, { "algo.L", 16 }, { "algo.c", 1 }, { "algo.b", 1 } } },

    { .id = "bias-reduced/composite.thm5.later.L", .item = "V20", .attempt = 5, .fresh = true, ON_HARDEST,
      .axis = "L", .window = { { 16, 1024, 3, 16 }, { 16, 1024, 3, 64 }, { 16, 4096, 5, 64 } },
      .says = "the same over L, eps = 0.2",
      .with = { ON_HARDEST_RUN, { "goal.acc", 0.2 }, { "algo.c", 1 }, { "algo.b", 1 } } },

    { .id = "bias-reduced/composite.thm5.theory-hardest.acc", .item = "V20", .attempt = 3, .fresh = true,
      ON_HARDEST, .axis = "acc", .window = { { 0 }, { 0.2, 0.4, 2, 8 }, { 0.1, 0.4, 3, 16 } },
      .says = "the same with the theorem's constants, c = 32 and b = 16",
      .with = { ON_HARDEST_RUN, { "algo.L", 16 }, { "algo.c", 32 }, { "algo.b", 16 } } },

    { .id = "bias-reduced/composite.thm5.smooth.acc", .item = "V20", COMPOSITE, IN_ACC,
      .says = "ceil(2 sqrt(L R^2/eps)) gradients of the smooth part, one a round",
      .check = CHECK_COUNT, .deterministic = true, .measure = "smooth_grads", REACHES_EPS, COUNTED,
      .with = { COMPOSITE_RUN, SIXTEEN },
      .formula = rounds_of_thm5,
      .control = { .with = { { "algo.L", 64 } }, .why = "L overstated: twice as many" } },

    { .id = "bias-reduced/composite.thm5.smooth.L", .item = "V20", COMPOSITE, IN_L,
      .says = "gradients of the smooth part ~ L^(1/2)",
      .check = CHECK_RATE, .deterministic = true, .measure = "smooth_grads", REACHES_EPS, COUNTED,
      .with = { COMPOSITE_RUN, { "goal.acc", 0.2 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.42, 0.58 },
      .control = { .with = { { "algo.N", 9, 0.25 } }, .why = "as many rounds as a smaller power of L asks: "
                                                             "L^(1/4)" } },

    { 0 }
};
