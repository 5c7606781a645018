/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_figures.h - Table 1 as measured: rounds against kappa, and exponents row by row. */
#ifndef ASSAY_PARTS_RESQUE_FIGURES_H
#define ASSAY_PARTS_RESQUE_FIGURES_H

#include "resque_exact.h"

#define SLOPE(e) .exponent = (e), .over = { 12, 100 }
#define BALLS                                                                                    \
    .algo = "ball-accel-epoch-sgd", .with = { { "goal.n", 3e4, 2 }, SEARCHED },                    \
    .window = { { 6, 24, 3, 2 }, { 6, 48, 4, 4 }, { 6, 96, 5, 4 } }

static const struct plot resque_figures[] = {
    { .id = "resque/figure.diagonal",
      .title = "Rounds until eps against kappa, a maximum of d = (kappa/1.5)^2 coordinates",
      .says = "SGD kappa^2, randomised smoothing kappa^(3/2), ball acceleration kappa^(4/3): the "
              "depths of Table 1 where d grows as kappa^2.",
      .problem = "coercive_max", .axis = "kappa", .measure = "hit.batch_steps",
      .with = { { "problem.d", .of = diagonal }, { "goal.acc", 1, -1 }, EVERY },
      .window = { { 6, 24, 3, 2 }, { 6, 48, 4, 4 }, { 6, 96, 5, 4 } },
      .line = {
          { .label = "SGD", .algo = "sgd", .with = { SGD_BUDGET }, SLOPE(2) },
          { .label = "randomised smoothing, shrinking", .algo = "shrinking-smoothing",
            .with = { { "goal.n", 3e4, 2 } }, SLOPE(1.5) },
          { .label = "randomised smoothing, fixed", .algo = "randomised-smoothing",
            .with = { { "goal.n", 3e4, 2 } }, SLOPE(1.5) },
          { .label = "ball acceleration", BALLS, SLOPE(4.0 / 3) },
      } },

    { .id = "resque/figure.depth",
      .title = "Rounds until eps against kappa, a 1-norm, d = 16",
      .says = "Cutting planes hardly see kappa, ball acceleration kappa^(2/3), smoothing kappa, SGD "
              "kappa^2; balls without acceleration kappa, from far above.",
      .problem = "noisy_l1", .axis = "kappa", .measure = "hit.batch_steps",
      .with = { { "problem.d", 16 }, { "problem.p", 1 }, { "goal.acc", 1, -1 }, EVERY },
      .window = { { 5, 20, 3, 2 }, { 5, 40, 4, 4 }, { 5, 80, 5, 4 } },
      .line = {
          { .label = "SGD", .algo = "sgd", .with = { SGD_BUDGET } },
          { .label = "randomised smoothing", .algo = "shrinking-smoothing",
            .with = { { "goal.n", 3e4, 2 } } },
          { .label = "ball acceleration, EpochSGD", .algo = "ball-accel-epoch-sgd",
            .with = { { "goal.n", 3e4, 2 }, SEARCHED } },
          { .label = "ball acceleration, AC-SA", .algo = "ball-accel-ac-sa",
            .with = { { "goal.n", 3e4, 2 }, SEARCHED } },
          { .label = "ball acceleration, exact", .algo = "ball-accel-exact", .with = { ENDLESS } },
          { .label = "balls without acceleration", .algo = "ball-iteration",
            .with = { ENDLESS } },
          { .label = "cutting planes, gravity", .algo = "cutting-planes", .with = { ENDLESS } },
      } },

    { 0 }
};

#define P "resque/parallel."
static const struct exhibit_row resque_rows[] = {
    { "SGD", { P "sgd.rounds.diagonal", P "sgd.maximum.d", P "sgd.late.diagonal", NULL, NULL } },
    { "randomised smoothing", { P "shrinking.maximum.kappa", P "shrinking.hit.d",
                                P "shrinking.late.diagonal", P "shrinking.queries.kappa",
                                P "shrinking.depth.kappa" } },
    { "models in whole balls", { P "pooled.iterations.kappa", NULL, NULL,
                                 P "pooled.queries.kappa", NULL } },
    { "cutting planes", { P "gravity.hit.kappa", P "gravity.late.d", NULL, P "gravity.cuts.d",
                          NULL } },
    { "ball acceleration, EpochSGD", { P "thm1.rounds.kappa", P "thm1.rounds.d",
                                       P "thm1.rounds.diagonal", P "thm1.queries.kappa", NULL } },
    { "ball acceleration, AC-SA", { NULL, NULL, NULL, P "thm2.queries.kappa",
                                    P "thm2.depth.kappa" } },
    { "ball acceleration, exact", { P "prop1.rounds.kappa", P "prop1.gain.d", NULL, NULL, NULL } },
    { "balls without acceleration", { P "naive.straight.kappa", NULL, NULL, NULL, NULL } },
    { 0 }
};

static const struct exhibit resque_tables[] = {
    { .id = "resque/table.1", .title = "Table 1 as measured",
      .says = "Rounds against kappa, against d, and where d grows as kappa^2; queries; "
              "computational depth.",
      .column = { "rounds: kappa", "rounds: d", "rounds: diagonal", "queries",
                  "computational depth" },
      .row = resque_rows },
    { 0 }
};

#endif
