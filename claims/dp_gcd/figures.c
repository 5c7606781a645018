/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figures.c - DP-GCD and its rivals in figures and in a table of measured exponents. */
#include "dp_gcd.h"

#define CLEAR(exponent_) .exponent = (exponent_), .over = { 16, 20000 }
const struct plot dp_gcd_figures[] = {
    { .id = "dp-gcd/figure.rivals",
      .title = "Excess against p on a quadratic with 5 clear coordinates, l_inf, n = 10^5",
      .says = "DP-GCD does not see p; who releases all coordinates, or visits them, pays p^2, in "
              "the end more than the 2.5 that doing nothing costs. Frank-Wolfe and mirror descent "
              "keep to the l1 ball of the optimum, which they are told.",
      .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { QS(1e5, 1) },
      .window = { { 16, 1024, 4, 4 }, { 16, 16384, 6, 8 }, { 16, 16384, 11, 32 } },
      .line = {
          { .label = "DP-GCD, T = 10", .algo = "dp-gcd", .with = { { "goal.T", 10 } }, CLEAR(0) },
          { .label = "DP-CD, 16 passes", .algo = "dp-cd",
            .with = { { "goal.T", 16, 1 }, { "algo.passes", 16 } }, .exponent = 2,
            .over = { 16, 1100 } },
          { .label = "DP-GD, one round", .algo = "dp-prox-gd", .with = { { "goal.T", 1 } },
            CLEAR(2) },
          { .label = "DP Frank-Wolfe, R = 5", .algo = "dp-fw",
            .with = { { "goal.T", 1000 }, { "algo.c_T", 0.02 }, { "algo.R", 5 } } },
          { .label = "mirror descent, R = 5", .algo = "dp-mirror",
            .with = { { "goal.T", 200 }, { "algo.R", 5 } },
            .window = { { 16, 256, 3, 2 }, { 16, 4096, 5, 4 }, { 16, 16384, 11, 8 } } },
      } },

    { .id = "dp-gcd/figure.rivals.l2",
      .title = "Excess against p where records have norm 1, n = 10^6",
      .says = "L_j = p^(-1/2), which each method is told: DP-GD p, DP-CD p, DP-GCD no power but "
              "-1, as its noise falls with L_j.",
      .problem = "private_mean", .axis = "d", .measure = "excess",
      .with = { QS(1e6, 0.005), { "problem.L", 1, -0.5 } },
      .window = { { 16, 1024, 4, 4 }, { 16, 16384, 6, 8 }, { 16, 16384, 11, 32 } },
      .line = {
          { .label = "DP-GCD, T = 10", .algo = "dp-gcd", .with = { { "goal.T", 10 } },
            CLEAR(-1) },
          { .label = "DP-CD, 16 passes", .algo = "dp-cd",
            .with = { { "goal.T", 16, 1 }, { "algo.passes", 16 } }, CLEAR(1) },
          { .label = "DP-GD, one round", .algo = "dp-prox-gd", .with = { { "goal.T", 1 } },
            CLEAR(1) },
      } },

    { 0 }
};

#define R_ "dp-gcd/rivals."
static const struct exhibit_row rivals_rows[] = {
    { "DP-GCD", { R_ "sec6.7.gcd.p", NULL, NULL, NULL, "dp-gcd/3.1.thm42.eps" } },
    { "DP-CD", { R_ "sec6.7.cd.passes.p", R_ "sec5.1.cd.strong.p", R_ "sec5.1.cd.worst.p",
                 R_ "sec5.1.cd.worst.n", "privacy/dp-cd.eps" } },
    { "DP-GD", { R_ "sec6.7.gd.p", R_ "sec6.7.gd.l2.p", R_ "sec5.2.gd.worst.p",
                 R_ "sec5.2.gd.worst.n", "privacy/dp-prox-gd.eps" } },
    { "DP Frank-Wolfe", { NULL, NULL, R_ "sec5.3.fw.p", R_ "sec5.3.fw.worst.n", "privacy/dp-fw.eps" } },
    { "mirror descent", { NULL, NULL, R_ "sec5.4.mirror.noisy.p", R_ "sec5.4.mirror.worst.n",
                          "privacy/dp-mirror.eps" } },
    { 0 }
};

const struct exhibit dp_gcd_tables[] = {
    { .id = "dp-gcd/table.rivals", .title = "DP-GCD and its rivals, by measured exponents",
      .says = "Excess against p on clear amplitudes, records bounded by coordinate or by norm, and "
              "on the worst curvature of convex families against p and n: dense for DP-CD and "
              "DP-GD (records of norm 1), one active coordinate for the l1 methods.",
      .column = { "QS, l_inf: p", "QS, l2: p", "convex: p", "convex: n", "privacy" },
      .row = rivals_rows },
    { 0 }
};
