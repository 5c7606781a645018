/* SPDX-License-Identifier: GPL-3.0-or-later */
/* privacy.c - two questions: whether the methods are private with the noise of Lemma 5.6 and Corollary 5.11, and
 * with which power of a = L sqrt(p)/(mu n) the excess at the best number of rounds grows. n is the number of
 * samples, p the dimension, mu the parameter of Gaussian privacy. The samples are nearly equal, so that the excess
 * depends on `a` only. */
#include "accelerated_dp_srgd.h"

const struct claim accelerated_dp_srgd_privacy[] = {
    { .id = "accelerated-dp-srgd/A.sec4.best.later.mu", .item = "V11", .attempt = 2, .fresh = true,
      .cite = CITE "Theorem 5.8, Section 4",
      .says = "at the best number of rounds the error of variant A is of order a, a = L sqrt(p)/(mu n)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "mu", .measure = "excess",
      .with = { { "goal.n", 0x1p20 }, { "problem.d", 1024 }, { "problem.s", 0.01 }, { "algo.kap_2", 0.5 },
                { "algo.kap_p", 64 }, { "algo.clip", .text = "off" }, { "run.aggregate", 1 } },
      .search = { .kind = SEARCH_SMALLEST, .name = "goal.T", .from = 4, .to = 1024, .points = 9, .reps = 4 },
      .window = { { 0 }, { 0.05, 1.6, 6, 16 }, { 0.05, 1.6, 6, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.1, -0.9 },
      .tests = "tree",
      .control = { .with = { { "algo.noise", .text = "independent" } }, .why = "independent noise: a^(4/5)" } },

    { .id = "accelerated-dp-srgd/sgd.sec4.best.again.mu", .item = "V11", .attempt = 2, .fresh = true,
      .cite = CITE "Section 4",
      .says = "at the best number of rounds the error of one-pass DP-SGD is of order a^(2/3)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-sgd", .problem = "spectral", .axis = "mu", .measure = "excess",
      .with = { { "goal.n", 1e5 }, { "problem.d", 256 }, { "problem.s", 0.01 } },
      .search = { .kind = SEARCH_SMALLEST, .name = "goal.T", .from = 4, .to = 4096, .points = 11, .reps = 4 },
      .window = { { 0 }, { 0.1, 1.6, 5, 64 }, { 0.1, 1.6, 5, 128 } },
      .law = { .form = LAW_POWER, .exponent = { -2. / 3 } }, .band = { -0.733, -0.6 },
      .tests = "noise", .control = { .with = { { "algo.mu", INFINITY } }, .why = "no noise" },
      .control2 = { .algo = "accelerated-dp-srgd", .why = "tree noise: a" } },

    { .id = "accelerated-dp-srgd/A.cor5.7.eps", .item = "O-10",
      .cite = CITE "Corollary 5.7 against Lemma 5.6",
      .says = "sigma = C sqrt(1 + floor(lg T))/mu is (eps, delta)-private; the printed sigma, "
              "smaller by sqrt(2(1 + ceil(lg T))/lg T), is not",
      .kind = KIND_ERRATUM, .check = CHECK_PRIVATE,
      .algo = "accelerated-dp-srgd", .problem = "linear", .axis = "eps", .measure = "privacy.eps",
      .with = { { "problem.d", 8 }, { "goal.n", 64 }, { "goal.delta", 1e-5 } },
      .window = { { 1, 1, 1, 6 }, { 1, 4, 3, 24 }, { 1, 4, 5, 96 } },
      .control = { .with = { { "algo.calibration", .text = "paper" } },
                   .why = "sigma as printed" } },

    { .id = "accelerated-dp-srgd/B.cor5.11.eps", .item = "V22",
      .cite = CITE "Corollary 5.11",
      .says = "the printed sigma of variant B, 2 C sqrt(2 lg(T) ln(2.5/delta))/eps, is (eps, delta)-private",
      .kind = KIND_LEMMA, .check = CHECK_PRIVATE,
      .algo = "accelerated-dp-srgd", .problem = "linear", .axis = "eps", .measure = "privacy.eps",
      .with = { { "problem.d", 8 }, { "goal.n", 64 }, { "goal.delta", 1e-5 }, { "algo.variant", .text = "B" },
                { "algo.calibration", .text = "paper" } },
      .window = { { 1, 1, 1, 6 }, { 1, 4, 3, 24 }, { 1, 4, 5, 96 } },
      .control = { .with = { { "algo.variant", .text = "A" } },
                   .why = "the sigma that Corollary 5.7 prints for A" } },

    { .id = "accelerated-dp-srgd/both.table1.nonconvex.eps", .item = "V23",
      .cite = CITE "Table 1, Corollary 5.7",
      .says = "clipped runs on a loss that is not convex are (eps, delta)-private",
      .kind = KIND_TABLE, .check = CHECK_PRIVATE,
      .algo = "accelerated-dp-srgd", .problem = "sigmoid", .axis = "eps", .measure = "privacy.eps",
      .with = { { "problem.d", 4 }, { "goal.n", 64 }, { "goal.delta", 1e-5 }, { "algo.C", 0.5 },
                { "algo.beta", 1 } },
      .window = { { 1, 1, 1, 6 }, { 1, 4, 3, 24 }, { 1, 4, 5, 96 } },
      .control = { .with = { { "algo.calibration", .text = "paper" } }, .why = "sigma as printed" } },

    { 0 }
};
