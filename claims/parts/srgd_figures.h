/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srgd_figures.h - figures of Accelerated-DP-SRGD: excess against rounds, with and without privacy, and
 * the fewest rounds against n. */
#ifndef ASSAY_PARTS_SRGD_FIGURES_H
#define ASSAY_PARTS_SRGD_FIGURES_H

#include "srgd.h"

static const struct plot srgd_figures[] = {
    { .id = "accelerated-dp-srgd/figure.rounds",
      .title = "Excess against rounds, without privacy, n = 10^7",
      .says = "In one epoch, acceleration on recursive gradients comes to the floor of n^(-1/2) after "
              "n^(1/4) rounds, all else after n^(1/2); n^(1/4) = 56, n^(1/2) = 3162.",
      .problem = "spectral", .axis = "T", .measure = "excess", .x = "batch_steps",
      .with = { { "goal.n", 1e7 }, { "goal.T", .of = one_less }, { "problem.d", 256 },
                { "run.aggregate", 1 } },
      .window = { { 8, 4096, 10, 4 }, { 4, 8192, 12, 16 }, { 4, 8192, 12, 64 } },
      .line = {
          { .label = "Accelerated-DP-SRGD, A", .algo = "accelerated-dp-srgd", .exponent = -2,
            .over = { 4, 33 } },
          { .label = "Accelerated-DP-SRGD, B", .algo = "accelerated-dp-srgd",
            .with = { { "algo.variant", .text = "B" } }, .exponent = -1, .over = { 8, 1025 } },
          { .label = "mini-batch SGD", .algo = "dp-sgd", .exponent = -1, .over = { 8, 1025 } },
      } },

    { .id = "accelerated-dp-srgd/figure.private",
      .title = "Excess against rounds at epsilon = 0.5, n = 10^6, d = 256",
      .says = "Correlated noise costs the same however many rounds there are; independent noise costs "
              "T^(1/2) more.",
      .problem = "spectral", .axis = "T", .measure = "excess", .x = "batch_steps",
      .with = { { "goal.n", 1e6 }, { "goal.T", .of = one_less }, { "goal.eps", 0.5 },
                { "goal.delta", 1e-6 }, { "problem.d", 256 } },
      .window = { { 0 }, { 4, 8192, 12, 4 }, { 4, 8192, 12, 16 } },
      .line = {
          { .label = "A, beta = 2M", .algo = "accelerated-dp-srgd", .exponent = -2, .over = { 4, 17 } },
          { .label = "A, balance rule", .algo = "accelerated-dp-srgd",
            .with = { { "algo.kap_2", 0.5 } }, .exponent = -2, .over = { 4, 17 } },
          { .label = "B", .algo = "accelerated-dp-srgd",
            .with = { { "algo.variant", .text = "B" } }, .exponent = -1, .over = { 8, 257 } },
          { .label = "one-pass DP-SGD", .algo = "dp-sgd", .exponent = 0.5, .over = { 511, 8192 } },
      } },

    { .id = "accelerated-dp-srgd/figure.first",
      .title = "Rounds until within 1.5 of the own floor, against n",
      .says = "A needs n^(1/4) rounds, B and SGD n^(1/2).",
      .problem = "spectral", .axis = "n", .measure = "search",
      .with = { { "run.aggregate", 1 } },
      .search = { .kind = SEARCH_FIRST, .name = "goal.T", .from = 4, .to = 4096, .points = 21,
                  .reps = 8, .within = 1.5, .measure = "excess" },
      .window = { { 0 }, { 1e4, 1e6, 5, 16 }, { 1e4, 1e7, 7, 32 } },
      .line = {
          { .label = "Accelerated-DP-SRGD, A", .algo = "accelerated-dp-srgd", .exponent = 0.25,
            .over = { 1e4, 1e8 } },
          { .label = "Accelerated-DP-SRGD, B", .algo = "accelerated-dp-srgd",
            .with = { { "algo.variant", .text = "B" } }, .exponent = 0.5, .over = { 1e4, 1e8 } },
          { .label = "mini-batch SGD", .algo = "dp-sgd", .exponent = 0.5, .over = { 1e4, 1e8 } },
      } },

    { 0 }
};

static const struct exhibit_row srgd_rows[] = {
    { "Accelerated-DP-SRGD, A",
      { "accelerated-dp-srgd/both.table1.gradients.n", "accelerated-dp-srgd/A.thm4.2.rounds.n",
        "accelerated-dp-srgd/both.table1.epoch.n", "accelerated-dp-srgd/A.thm5.8.excess.n",
        "privacy/accelerated-dp-srgd.eps" } },
    { "Accelerated-DP-SRGD, B",
      { NULL, "accelerated-dp-srgd/B.thm4.2.rounds.n", NULL, "accelerated-dp-srgd/B.thm5.12.excess.n",
        NULL } },
    { "mini-batch SGD", { NULL, "accelerated-dp-srgd/sgd.thm4.2.rounds.n", NULL, NULL,
                          "privacy/dp-sgd.eps" } },
    { 0 }
};

static const struct exhibit srgd_tables[] = {
    { "accelerated-dp-srgd/table.one", "Table 1 as measured",
      "Gradients, rounds, passes and privacy of each method at the optimal error.",
      { "gradients", "batch steps", "visits to a sample", "excess", "private" }, srgd_rows },
    { 0 }
};

#endif
