/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figures.c - figures of Accelerated-DP-SRGD, excess against rounds with and without privacy and the fewest
 * rounds against n, and tables of measured exponents. */
#include "accelerated_dp_srgd.h"

#define A_ .algo = "accelerated-dp-srgd"
#define B_ .algo = "accelerated-dp-srgd", .with = { { "algo.variant", .text = "B" } }
#define SLOPE(e, from, to) .exponent = (e), .over = { from, to }

const struct plot accelerated_dp_srgd_figures[] = {
    { .id = "accelerated-dp-srgd/figure.rounds",
      .title = "Excess against rounds, without privacy, n = 10^7",
      .says = "In one epoch, the accelerated methods come to the floor of n^(-1/2) after n^(1/4) "
              "rounds, all else after n^(1/2); n^(1/4) = 56, n^(1/2) = 3162.",
      .problem = "spectral", .axis = "T", .measure = "excess", .x = "batch_steps",
      .with = { { "goal.n", 1e7 }, { "goal.T", .of = one_less }, { "problem.d", 256 },
                { "run.aggregate", 1 } },
      .window = { { 8, 4096, 10, 4 }, { 4, 8192, 12, 16 }, { 4, 8192, 12, 64 } },
      .line = {
          { .label = "Accelerated-DP-SRGD, A", A_, SLOPE(-2, 4, 33) },
          { .label = "Accelerated-DP-SRGD, B", B_, SLOPE(-1, 8, 1025) },
          { .label = "independent gradients (5.13)", .algo = "accelerated-dp-sgd",
            SLOPE(-2, 4, 17) },
          { .label = "AC-SA", .algo = "ac-sa", SLOPE(-2, 4, 17) },
          { .label = "mini-batch SGD", .algo = "dp-sgd", SLOPE(-1, 8, 1025) },
          { .label = "SRGD, last iterate", .algo = "dp-srgd", SLOPE(-1, 8, 1025) },
          { .label = "SRGD, average", .algo = "dp-srgd",
            .with = { { "algo.answer", .text = "average" } }, SLOPE(-1, 8, 1025) },
          { .label = "FTRL, the regret's step", .algo = "dp-ftrl", SLOPE(-0.5, 8, 8193) },
          { .label = "FTRL, step 1/(2M)", .algo = "dp-ftrl", .with = { { "algo.step", 0.5 } },
            SLOPE(-1, 8, 1025) },
          { .label = "online-to-batch", .algo = "online-to-batch", SLOPE(-0.5, 8, 8193) },
      } },

    { .id = "accelerated-dp-srgd/figure.private",
      .title = "Excess against rounds at epsilon = 0.5, n = 10^6, d = 256",
      .says = "Correlated noise costs about the same however many rounds there are; independent "
              "noise costs T^(1/2) more. Full batches are many epochs.",
      .problem = "spectral", .axis = "T", .measure = "excess", .x = "batch_steps",
      .with = { { "goal.n", 1e6 }, { "goal.T", .of = one_less }, { "goal.eps", 0.5 },
                { "goal.delta", 1e-6 }, { "problem.d", 256 } },
      .window = { { 0 }, { 4, 8192, 12, 8 }, { 4, 8192, 12, 16 } },
      .line = {
          { .label = "A, beta = 2M", A_, SLOPE(-2, 4, 17) },
          { .label = "A, balance rule", A_, .with = { { "algo.kap_2", 0.5 } }, SLOPE(-2, 4, 17) },
          { .label = "B", B_, SLOPE(-1, 8, 257) },
          { .label = "independent gradients (5.13)", .algo = "accelerated-dp-sgd",
            SLOPE(0.5, 511, 8193) },
          { .label = "AC-SA", .algo = "ac-sa", SLOPE(0.5, 511, 8193) },
          { .label = "one-pass DP-SGD", .algo = "dp-sgd", SLOPE(0.5, 511, 8193) },
          { .label = "DP-SRGD", .algo = "dp-srgd", SLOPE(-1, 8, 257) },
          { .label = "DP-FTRL, the regret's step", .algo = "dp-ftrl", SLOPE(-0.5, 8, 8193) },
          { .label = "DP-FTRL, step 1/(2M)", .algo = "dp-ftrl", .with = { { "algo.step", 0.5 } },
            SLOPE(-1, 8, 257) },
          { .label = "online-to-batch", .algo = "online-to-batch", SLOPE(-0.5, 8, 8193) },
          { .label = "phased SGD", .algo = "phased-sgd",
            .with = { { "goal.T", 1e6 } }, .window = { { 0 }, { 8, 8, 1, 8 }, { 8, 8, 1, 16 } } },
          { .label = "full batches, AC-SA", .algo = "dp-gd",
            .window = { { 0 }, { 0 }, { 4, 64, 5, 4 } } },
          { .label = "phased ERM", .algo = "phased-erm",
            .window = { { 0 }, { 0 }, { 8, 8, 1, 4 } } },
          { .label = "localised AC-SA", .algo = "localised-ac-sa",
            .window = { { 0 }, { 0 }, { 8, 8, 1, 4 } } },
      } },

    { .id = "accelerated-dp-srgd/figure.terms",
      .title = "Excess of variant A against n with privacy: both terms of Theorem 5.8",
      .says = "In 2 n^(1/4) - 1 rounds, delta = 10^-9: 1/n where the noise counts, n^(-1/2) where the samples do. "
              "Lines are 0.036/sqrt(n) + 0.096 log2(T + 1) sqrt(p)/(mu n) for all six.",
      .problem = "spectral", .axis = "n", .measure = "excess",
      .with = { { "goal.delta", PRIVATE_DELTA }, { "algo.kap_2", 0.5 }, { "algo.kap_p", 64 },
                { "algo.clip", .text = "off" }, { "run.aggregate", 1 } },
      .window = { { 0 }, { 0x1p16, 0x1p28, 4, 8 }, { 0x1p16, 0x1p28, 4, 32 } },
      .line = {
          { .label = "p = 64, epsilon = 0.1", A_,
            .with = { { "problem.d", 64 }, { "goal.eps", 0.1 } }, .theory = order_of_optimum },
          { .label = "p = 64, epsilon = 0.63", A_,
            .with = { { "problem.d", 64 }, { "goal.eps", 0.63 } }, .theory = order_of_optimum },
          { .label = "p = 64, epsilon = 4", A_,
            .with = { { "problem.d", 64 }, { "goal.eps", 4 } }, .theory = order_of_optimum },
          { .label = "p = 1024, epsilon = 0.1", A_,
            .with = { { "problem.d", 1024 }, { "goal.eps", 0.1 } }, .theory = order_of_optimum },
          { .label = "p = 1024, epsilon = 0.63", A_,
            .with = { { "problem.d", 1024 }, { "goal.eps", 0.63 } }, .theory = order_of_optimum },
          { .label = "p = 1024, epsilon = 4", A_,
            .with = { { "problem.d", 1024 }, { "goal.eps", 4 } }, .theory = order_of_optimum },
          { .label = "no privacy", A_, .theory = order_of_optimum },
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
          { .label = "Accelerated-DP-SRGD, A", A_, SLOPE(0.25, 1e4, 1e8) },
          { .label = "Accelerated-DP-SRGD, B", B_, SLOPE(0.5, 1e4, 1e8) },
          { .label = "mini-batch SGD", .algo = "dp-sgd", SLOPE(0.5, 1e4, 1e8) },
      } },

    { .id = "accelerated-dp-srgd/figure.noise",
      .title = "The privacy term against rounds, by the noise of the prefix sums",
      .says = "n = 10^6, epsilon = 2, d = 256, little sampling noise: tree and square root of the "
              "prefix sums grow by logarithms, independent noise as T^(1/2).",
      .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "goal.n", 1e6 }, { "goal.T", .of = one_less }, { "goal.eps", 2 },
                { "goal.delta", 1e-6 }, { "problem.d", 256 }, { "problem.s", 0.1 } },
      .window = { { 0 }, { 64, 8192, 8, 16 }, { 64, 8192, 8, 64 } },
      .line = {
          { .label = "binary tree", A_ },
          { .label = "square-root factorisation", A_,
            .with = { { "algo.noise", .text = "root" } },
            .window = { { 0 }, { 64, 1024, 5, 16 }, { 64, 4096, 7, 16 } } },
          { .label = "independent", A_, .with = { { "algo.noise", .text = "independent" } },
            SLOPE(0.5, 64, 8193) },
      } },

    { .id = "accelerated-dp-srgd/figure.sensitivity",
      .title = "Largest weighted difference of one sample up to round T",
      .says = "Exact gradients: differences stay bounded, with the minimiser inside, outside or "
              "nowhere; the weighted gradient itself grows as T.",
      .problem = "spectral", .axis = "T", .measure = "clip.largest", .deterministic = true,
      .with = { { "problem.s", 0 }, { "algo.B", 1 }, { "algo.C", 1e9 } },
      .window = { { 4, 1024, 9, 1 }, { 4, 4096, 11, 1 }, { 4, 16384, 13, 1 } },
      .line = {
          { .label = "A, minimiser inside", A_, SLOPE(0, 4, 16384) },
          { .label = "A, outside", A_, .with = { { "problem.rr", 1.5 } }, SLOPE(0, 4, 16384) },
          { .label = "A, far outside", A_, .with = { { "problem.rr", 4 } }, SLOPE(0, 4, 16384) },
          { .label = "B, outside", .algo = "accelerated-dp-srgd",
            .with = { { "problem.rr", 1.5 }, { "algo.variant", .text = "B" } },
            SLOPE(0, 4, 16384) },
          { .label = "A, linear losses", A_, .problem = "linear", SLOPE(0, 4, 16384) },
          { .label = "weighted gradient, far outside", .algo = "planted-weighted-gradient",
            .with = { { "problem.rr", 4 } }, SLOPE(1, 4, 16384) },
          { .label = "weighted gradient, linear losses", .algo = "planted-weighted-gradient",
            .problem = "linear", SLOPE(1, 4, 16384) },
      } },

    { 0 }
};

#define P_ "accelerated-dp-srgd/"
static const struct exhibit_row srgd_rows[] = {
    { "Accelerated-DP-SRGD, A, minimiser inside (2n; n^(1/4); yes; no)",
      { P_ "A.table1.gradients.arrive.n", P_ "A.table1.arrive.n", P_ "A.table1.epoch.arrive.n",
        P_ "A.thm5.8.excess.n", P_ "A.cor5.7.eps" } },
    { "Accelerated-DP-SRGD, B (2n; n^(1/2); yes; no)",
      { P_ "B.table1.gradients.arrive.n", P_ "B.table1.median.n", P_ "A.table1.epoch.arrive.n",
        P_ "B.thm5.12.exact.level.n", P_ "B.cor5.11.eps" } },
    { "phased SGD (n; n; yes; yes)",
      { P_ "phased.table1.gradients.mean.n", P_ "phased.table1.rounds.mean.n", NULL, NULL,
        "privacy/phased-sgd.eps" } },
    { "online-to-batch (2n; n; yes; no)",
      { P_ "otb.table1.gradients.mean.n", P_ "otb.table1.rounds.mean.n", NULL, NULL,
        "privacy/online-to-batch.eps" } },
    { "phased ERM (n; n^(1/2); no; yes)",
      { P_ "erm.table1.gradients.whole.n", P_ "erm.table1.rounds.whole.n", NULL, NULL,
        "privacy/phased-erm.eps" } },
    { "localised AC-SA, full batches (not printed)",
      { P_ "localised.table1.gradients.n", P_ "localised.table1.steps.median.n", NULL, NULL,
        "privacy/localised-ac-sa.eps" } },
    { "localised AC-SA, Poisson samples (n^(9/8); n^(1/4); no; no)",
      { P_ "localised.table1.samples.stored.n", P_ "localised.table1.steps.median.n", NULL, NULL,
        "privacy/localised-ac-sa.eps" } },
    { "mini-batch SGD (not printed)",
      { P_ "sgd.table1.gradients.arrive.n", P_ "sgd.table1.median.n", NULL, NULL, "privacy/dp-sgd.eps" } },
    { 0 }
};

const struct exhibit accelerated_dp_srgd_tables[] = {
    { P_ "table.one", "Table 1 as printed and as measured",
      "In parentheses: what the paper prints of gradients, batch steps, a single epoch, and whether privacy needs "
      "convexity, logarithms left out. A cell is what is measured. Whose privacy rests on convexity refuses other "
      "losses.",
      { "gradients", "batch steps", "visits to a sample", "excess", "private" }, srgd_rows },
    { 0 }
};
