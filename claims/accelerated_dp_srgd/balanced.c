/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balanced.c - how the privacy term of the excess grows with the number of batch steps T, at fixed n: tree noise
 * against independent noise. All samples are equal or nearly so: the noise of the gradients is then that of
 * privacy. beta is the inverse step length, R the diameter of the feasible set.
 *
 * With tree noise (the first claim, and .control2 of the others) beta is in proportion to T^2. This keeps the
 * optimisation error beta R^2/T^2 the same at every T, so that the excess grows with T only as R v does, where v is
 * the norm of the noise of the last gradient. The methods with independent noise keep the steps of their own
 * theorems, which balance the optimisation error and R v: the step length R/(sqrt(T) v) of DP-SGD, beta ~ T^(3/2)
 * v/R of the accelerated one. The control of the first claim differs from the claim in its noise alone. */
#include "accelerated_dp_srgd.h"

#define EQUAL_SAMPLES { "problem.s", 0 }
#define AFTER_ALL                                                            \
    .kind = KIND_THEOREM, .check = CHECK_RATE, .problem = "spectral", .axis = "T",             \
    .measure = "excess", .window = { { 0 }, { 512, 8192, 5, 32 }, { 512, 8192, 5, 64 } }
#define SMALL_NOISE                                                          \
    { "goal.n", 1e5 }, { "goal.T", .of = one_less }, { "goal.eps", 2 }, { "goal.delta", 1e-6 },\
        { "problem.d", 256 }, { "problem.s", 0.01 }
#define BALANCED_A                                                           \
    .tests = "noise",                                                        \
    .control = { .with = { { "algo.mu", INFINITY } }, .why = "no noise" },     \
    .control2 = { .algo = "accelerated-dp-srgd", .with = { { "algo.beta", 4e-3, 2 } },          \
                 .why = "variant A, tree noise, beta in balance: no power of T" }

const struct claim accelerated_dp_srgd_balanced[] = {
    /* The noise of a prefix sum is in proportion to (H m)^(1/2), where H is the number of levels of the tree and m
     * the mean number of its nodes in a prefix. From T = 63 to 8191 this grows by a factor of 2.2, a slope of 0.16,
     * as a logarithm does and no fixed power. */
    { .id = "accelerated-dp-srgd/A.balanced.excess.T", .item = "V10", .attempt = 2,
      .cite = CITE "Theorem 5.8, Lemma 5.6",
      .says = "the privacy term by itself, beta in balance with it: with tree noise it grows with a "
              "power of log T at most",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "goal.n", 1e6 }, { "goal.T", .of = one_less }, { "goal.eps", 2 },
                { "goal.delta", 1e-6 }, { "problem.d", 256 }, EQUAL_SAMPLES,
                { "algo.beta", 1e-3, 2 } },
      .window = { { 0 }, { 64, 8192, 8, 32 }, { 64, 8192, 8, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -INFINITY, 0.25 },
      .tests = "tree",
      .control = { .with = { { "algo.noise", .text = "independent" } },
                   .why = "independent noise: T^(1/2)" } },

    { .id = "accelerated-dp-srgd/sgd.sec4.growth.T", .item = "6.5 BL1", .attempt = 3, .fresh = true, AFTER_ALL,
      .cite = CITE "Section 4",
      .says = "one-pass DP-SGD beyond its best number of rounds, next to no sampling noise: "
              "independent noise costs T^(1/2)",
      .algo = "dp-sgd", .with = { SMALL_NOISE },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.32, 0.68 }, BALANCED_A },

    { .id = "accelerated-dp-srgd/independent.sec4.growth.later.T", .item = "2.10 6.5", .attempt = 3,
      .fresh = true, AFTER_ALL,
      .cite = CITE "Section 4.1",
      .says = "accelerated, independent noise, next to no sampling noise: beyond its best number of "
              "rounds the error grows as T^(1/2)",
      .algo = "accelerated-dp-sgd", .with = { SMALL_NOISE },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.32, 0.68 }, BALANCED_A },

    { 0 }
};
