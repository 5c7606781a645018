/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_hardest.h - Theorem 3 on the hardest coins, and Corollary 3 by the constants of its assembly.
 *
 * On coins of one bias the excess falls faster than any rate, and its slope bends; on coins whose bias shrinks with
 * the rate the start alone has that rate. So, as for the rivals of Table 2 (resque_excess.h), the largest excess
 * over a grid of biases is asked, chosen on other seeds: an answer that learns nothing has a slope of 0. */
#ifndef ASSAY_PARTS_RESQUE_HARDEST_H
#define ASSAY_PARTS_RESQUE_HARDEST_H

#include "resque_localised.h"

#define HARDEST_COINS .search = { .kind = SEARCH_LARGEST, .name = "problem.bias", .from = 0.05, .to = 1, \
                                  .points = 7, .reps = 4 }
#define NOTHING_LEARNT \
    .control = { .algo = "sgd", .with = { { "algo.step", 1e-12 }, { "goal.n", 16 }, { "goal.budget", 16 } }, \
                 .why = "steps of nothing: at the largest bias L R is lost" }
#define AFTER_FIXED(id) "Declared after " id ", on coins of one bias, whose control of one accuracy is missed."

/* The promise of the last stage of parts/private_stages.h without privacy, as a squared distance. */
static double cor3_promise(const struct env *e)
{
    double n = e->axis, L = e->facts->L, lambda = env_param(e, "lambda"), excess = INFINITY;
    double k = ceil(log2(log2(n))), R = fmin(2 * e->facts->radius, L / lambda);
    for (double j = 0; j < k; j++) {
        double kappa = sqrt(n * exp2(j - k));
        if (kappa <= 1)
            continue;
        excess = L * R / kappa;
        R = fmin(R, sqrt(2 * excess / lambda));
    }
    return 2 / lambda * excess;
}

static const struct claim resque_hardest[] = {
    { .id = "resque/private.thm3.hardest.n", .item = "C27 C34", ERM, RECORDS_AS_N,
      .cite = CITE "Theorem 3, second term",
      .says = "where privacy decides, the excess on the sample falls as 1/n up to logarithms, on the hardest coins",
      .remark = AFTER_FIXED("thm3.excess.n") " Nightly n^-1.02 (-1.13 to -0.903), but curved: 0.307, 0.206, 0.0748 at n = "
                "8000, 16000, 32000. The control is caught.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 2 }, AS_MANY, { "goal.eps", 0.9 }, { "goal.delta", 1e-3 }, MANY }, HARDEST_COINS,
      .window = { { 0 }, { 8000, 32000, 3, 16 }, { 8000, 64000, 4, 32 } },
      FALLS(-1, -1.25, -0.75), NOTHING_LEARNT },

    { .id = "resque/private.thm3.hardest.d", .item = "C27", ERM, .axis = "d",
      .cite = CITE "Theorem 3, second term",
      .says = "where privacy decides, the excess on the sample grows as d^(1/2) up to logarithms, on the hardest coins",
      .remark = AFTER_FIXED("thm3.excess.d"),
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.n", 20000 }, { "goal.n", 20000 }, { "goal.eps", 0.9 }, { "goal.delta", 1e-3 }, MANY },
      HARDEST_COINS,
      .window = { { 0 }, { 2, 16, 4, 16 }, { 2, 16, 4, 64 } },
      FALLS(0.5, 0.25, 0.75), NOTHING_LEARNT },

    { .id = "resque/private.thm3.hardest.eps", .item = "C27", ERM, .axis = "eps",
      .cite = CITE "Theorem 3, second term",
      .says = "where privacy decides, the excess on the sample falls as 1/eps up to logarithms, on the hardest coins",
      .remark = AFTER_FIXED("thm3.falls.eps") " Nightly eps^-1.21 (-1.35 on), and curved: 0.648, 0.195, 0.121 at eps = "
                "0.225, 0.45, 0.9. At the first kappa is 4, and little is learnt. The control is caught.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 2 }, { "problem.n", 20000 }, { "goal.n", 20000 }, { "goal.delta", 1e-3 }, MANY },
      HARDEST_COINS,
      .window = { { 0 }, { 0.225, 0.9, 3, 16 }, { 0.225, 0.9, 5, 64 } },
      FALLS(-1, -1.25, -0.75), NOTHING_LEARNT },

    { .id = "resque/private.cor3.bound.n", .item = "C29 3.12", REGULARISED, RECORDS_AS_N,
      .cite = CITE "Corollary 3, first term, by the constants of its assembly",
      .says = "regularised ERM without privacy on linear losses: E|x - x*|^2 is at most what the last of its stages "
              "promises, 8 (L/lambda)^2/n where the stages before it have made up for the start",
      .remark = "Declared after cor3.sampling.n, which falls faster than 1/n, and bends. The constants are of this "
                "reconstruction.",
      .kind = KIND_CONDITIONAL, .check = CHECK_BOUND, .measure = "moment.error2",
      .with = { STRAIGHT, { "algo.n", 1, 1 }, { "goal.n", 4, 1 }, { "run.draws", 4 } },
      .window = { { 256, 1024, 3, 8 }, { 256, 4096, 5, 16 }, { 256, 16384, 7, 32 } },
      .formula = cor3_promise,
      .control = { .with = { { "algo.c_n", 0.625, 0.5 } }, .why = "an accuracy of L R/1.1 at every n" } },

    { 0 }
};

#endif
