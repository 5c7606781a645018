/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_localised.h - Corollary 3 and Theorem 4: regularised means and the population's. */
#ifndef ASSAY_PARTS_RESQUE_LOCALISED_H
#define ASSAY_PARTS_RESQUE_LOCALISED_H

#include "resque_private.h"

/* Inside of the ball of 100: |x*| = 1/2. */
#define REGULARISED .algo = "resque-regularised", .problem = "linear"
#define STRAIGHT { "problem.d", 4 }, { "problem.hardness", 1 }, { "problem.s", 0.1 }, { "problem.radius", 100 }, \
                 { "algo.lambda", 2 }

static const struct claim resque_localised[] = {
    { .id = "resque/private.cor3.sampling.n", .item = "C29 3.12", REGULARISED, RECORDS_AS_N,
      .cite = CITE "Corollary 3, first term",
      .says = "regularised ERM without privacy on linear losses, whose excess is (lambda/2)|x - x*|^2: it falls at "
              "least as 1/n",
      .remark = "n^0.20 to n^0.28 until calls of Algorithm 5 began at xbar: they began at the centre of the quadratic, "
                "across the ball from the minimiser where the regulariser's gradient cancels the loss's. This claim "
                "found it. Single runs from xbar fell to 10^-4 at n = 256 with the old T too, which went from kappa^2/K to "
                "16 of them on the same day. Now n^-1.58 in a night, but bent. Of "
                "kind evidence for a day after its first run, which is undone.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "moment.error2",
      .with = { STRAIGHT, { "algo.n", 1, 1 }, { "goal.n", 4, 1 }, { "run.draws", 4 } },
      .window = { { 256, 1024, 3, 8 }, { 256, 4096, 5, 16 }, { 256, 16384, 7, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -INFINITY, -0.75 },
      .control = { .with = { { "algo.c_n", 0.0625, 0.5 } }, .why = "the accuracy that 256 samples allow" } },

    { .id = "resque/private.cor3.regime.n", .item = "C29 3.12", REGULARISED, RECORDS_AS_N,
      .cite = CITE "Corollary 3, first term",
      .says = "the same with a rho/r of 2 and the radii of the proof: it falls at least as 1/n",
      .remark = "Declared after the nightly run of cor3.sampling.n.",
      .kind = KIND_CONDITIONAL, .check = CHECK_RATE, .measure = "moment.error2",
      .with = { STRAIGHT, { "algo.n", 1, 1 }, { "goal.n", 4, 1 }, { "run.draws", 4 }, { "algo.c_rho", 2 },
                { "algo.c_T", 16 }, { "algo.C_cvx", 16 } },
      .window = { { 0 }, { 256, 4096, 5, 16 }, { 256, 16384, 7, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -INFINITY, -0.75 },
      .control = { .with = { { "algo.c_n", 0.0625, 0.5 } }, .why = "the accuracy that 256 samples allow" } },

    { .id = "resque/private.cor3.noise.n", .item = "C29 3.12", REGULARISED, RECORDS_AS_N,
      .cite = CITE "Corollary 3, second term",
      .says = "where privacy decides, the excess falls at least as 1/n^2 up to logarithms",
      .remark = "Never judged: a night has no room for it. At the least n the first stage is left out, and on the way the "
                "control loses more: neither is one power by construction.",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, .measure = "moment.error2",
      .with = { STRAIGHT, { "algo.n", 1, 1 }, { "goal.n", 4, 1 }, { "goal.eps", 0.9 }, { "goal.delta", 1e-3 }, { "run.draws", 1 } },
      .window = { { 0 }, { 0 }, { 5000, 80000, 5, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -INFINITY, -1.5 },
      .control = { .with = { { "goal.eps", 4500, -1 } }, .why = "a promise that shrinks as 1/n" } },

    { .id = "resque/private.thm4.excess.n", .item = "C31 C30", SCO, RECORDS_AS_N,
      .cite = CITE "Theorem 4, first term",
      .says = "without privacy the excess on the population falls as 1/sqrt(n) on coins of bias 3/sqrt(n)",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 4 }, { "problem.bias", 3, -0.5 }, { "goal.n", 1, 1 }, MANY },
      .window = { { 0 }, { 0 }, { 1000, 16000, 5, 16 } },
      FALLS(-0.5, -0.6, -0.4),
      .control = { .with = { { "problem.bias", 0.75, -0.25 }, { "goal.n", 100, 0.5 } },
                   .why = "sqrt(n) samples, and coins that are hard for these" } },

    { .id = "resque/private.thm4.population.n", .item = "C31 C30", SCO, RECORDS_AS_N,
      .cite = CITE "Theorem 4, first term",
      .says = "without privacy the excess on the population falls as 1/sqrt(n) on coins of bias 3/sqrt(n)",
      .remark = "Declared after the first run of thm4.excess.n, n^-0.491, whose control of n^-1/4 was missed.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 4 }, { "problem.bias", 3, -0.5 }, { "goal.n", 1, 1 }, MANY },
      .window = { { 0 }, { 1000, 16000, 5, 16 }, { 1000, 64000, 7, 16 } },
      FALLS(-0.5, -0.6, -0.4),
      .control = { .with = { { "problem.bias", 0.225, -0.125 }, { "goal.n", 178, 0.25 } },
                   .why = "178 n^(1/4) samples, and coins that are hard for these" } },

    { 0 }
};

#endif
