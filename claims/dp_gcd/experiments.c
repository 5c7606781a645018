/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments.c - what Section 5 says that its experiments show, as claims: orders of the methods on
 * instances of one signal, and supports without a wrong coordinate. They are evidence, as figures are no
 * theorem. All instances take the parameters of Table 4. */
#include "dp_gcd.h"

#define PRIVATE_GOAL { "goal.eps", 1 }, { "goal.delta", .of = one_over_n2 }
#define GCD_SET(T, clip, size) \
    { "goal.T", T }, { "algo.C", clip }, { "algo.step", size }, GCD_OF_PAPER
/* As many updates or steps as passes of Table 4 have. */
#define BELOW_CD(updates, clip, size)                                                                          \
    .than = { .algo = "dp-cd", .why = "DP-CD, its parameters of Table 4",                                      \
              .with = { { "goal.T", updates }, { "algo.K", updates }, { "algo.C", clip }, { "algo.gamma", size } } }
/* Readings of Table 4 that come nearest to Figure 1d, and favour the rival: steps gamma/(M_j + l2), a fifth of
 * those above, of DP-CD, and the noise of removed records, half of that above, of DP-SGD. */
#define BELOW_QUIET_SGD(steps, all, clip, size)                                                                 \
    .than = { .algo = "multi-epoch-dp-sgd", .why = "DP-SGD, its parameters of Table 4, records removed",       \
              .with = { { "goal.T", steps }, { "algo.passes", all }, { "algo.C", clip }, { "algo.step", size }, \
                        { "algo.variant", .text = "poisson" }, { "algo.calibration", .text = "rdp" },          \
                        { "algo.sensitivity", .text = "C" } } }
#define BELOW_SGD(steps, all, clip, size)                                                                    \
    .than = { .algo = "multi-epoch-dp-sgd", .why = "DP-SGD, its parameters of Table 4, records replaced",      \
              .with = { { "goal.T", steps }, { "algo.passes", all }, { "algo.C", clip }, { "algo.step", size }, \
                        { "algo.variant", .text = "poisson" }, { "algo.calibration", .text = "rdp" },          \
                        { "algo.sensitivity", .text = "2C" } } }
#define EXPERIMENT                                                                               \
    .kind = KIND_EVIDENCE, .cite = CITE "section 5", \
    .item = "4.7",                                                                               \
    OF_NO_MECHANISM("whole methods are compared, each at its parameters of Table 4")
#define STEPS EXPERIMENT, .check = CHECK_ORDER, .algo = "dp-gcd", .measure = "relative",          \
    .control = NO_STEP
#define ORDER EXPERIMENT, .check = CHECK_ORDER, .algo = "dp-gcd", .measure = "relative",          \
    .control = { .with = { { "goal.eps", 0.02 } }, .why = "fifty times the noise" }

#define FINDS EXPERIMENT, .check = CHECK_LAW, .algo = "dp-gcd", .measure = "support_hits",        \
    .formula = nine_in_ten, .sense = SENSE_AT_LEAST, .threshold = half_a_coordinate, .control = NO_STEP
#define SUPPORT EXPERIMENT, .check = CHECK_LAW, .algo = "dp-gcd", .measure = "support_hits",      \
    .formula = nine_in_ten, .sense = SENSE_AT_LEAST, .threshold = half_a_coordinate,             \
    .control = { .with = { { "goal.eps", 0.02 } }, .why = "fifty times the noise" }

/* Of Figure 1d: the values of DP-GCD after ten passes. */
static double madelon_middle(const struct env *e) { return (0.0331 + 0.0352) / 2; }
static double madelon_spread(const struct env *e) { return (0.0352 - 0.0331) / 2; }
static double nine_in_ten(const struct env *e) { return 0.9; }
static double half_a_coordinate(const struct env *e) { return 0.5; }

/* 1, 2, 4, 8, 16: the axis is the seed of the instance. */
#define SEEDS(runs) { { 0 }, { 1, 16, 5, runs }, { 1, 16, 5, 4 * (runs) } }
/* One number of rounds, that of Table 4. */
#define ROUNDS(T, runs) { { 0 }, { T, T, 1, runs }, { T, T, 1, 4 * (runs) } }
#define LOG1 .problem = "erm-drawn", .axis = "seed",                                              \
    .with = { { "problem.n", 1000 }, { "problem.d", 100 }, { "problem.relative", 0.63 },         \
              { "problem.prox", .text = "all" }, PRIVATE_GOAL, GCD_SET(10, 3.09, 2.15) }
#define LOG2 .problem = "erm-drawn", .axis = "seed",                                              \
    .with = { { "problem.n", 1000 }, { "problem.d", 100 }, { "problem.spread", 2 },              \
              { "problem.relative", 0.585 }, { "problem.prox", .text = "all" }, PRIVATE_GOAL,    \
              GCD_SET(20, 1.93, 0.464) }
#define SQUARE .problem = "erm-drawn", .axis = "seed",                                            \
    .with = { { "problem.n", 1000 }, { "problem.d", 1000 }, { "problem.loss", .text = "squares" }, \
              { "problem.spread", 0 }, { "problem.l2", 0 }, { "problem.l1", 30 },                \
              { "problem.prox", .text = "all" }, PRIVATE_GOAL, GCD_SET(2, 1.46e4, 2.15) }
#define MADELON_L2 .problem = "erm", .axis = "T",                                                 \
    .with = { REAL("madelon", "logistic", "zscore"), { "problem.intercept", 1 },                 \
              { "problem.l2", 1 }, PRIVATE_GOAL, { "algo.C", 7.91 }, { "algo.step", 1 }, GCD_OF_PAPER }
#define MADELON_L1 .problem = "erm", .axis = "T",                                                 \
    .with = { REAL("madelon", "logistic", "zscore"), { "problem.intercept", 1 },                 \
              { "problem.l2", 0 }, { "problem.l1", 0.05 }, PRIVATE_GOAL, { "algo.C", 7.91 },     \
              { "algo.step", 2.15 }, GCD_OF_PAPER }
#define CALIFORNIA .problem = "erm", .axis = "T",                                                 \
    .with = { REAL("california", "squares", "zscore"), { "problem.target", .text = "zscore" },   \
              { "problem.l2", 0 }, { "problem.support", 3 }, PRIVATE_GOAL, { "algo.C", 51.8 },   \
              { "algo.step", 1 }, GCD_OF_PAPER }
#define DOROTHEA .problem = "erm", .axis = "T",                                                   \
    .with = { REAL("dorothea", "logistic", "none"), { "problem.l2", 0 }, { "problem.support", 72 }, \
              PRIVATE_GOAL, { "algo.C", 12.6 }, { "algo.step", 2.15 }, GCD_OF_PAPER }

/* The paper gives no parameters of these: every method takes the best clip of a grid, 20 rounds at most, an l1 ball
 * of radius |w*|. Frank-Wolfe and mirror descent have no prox: their gradients are those of loss and penalty
 * together. */
static double radius(double axis, const struct facts *f) { return f ? f->dist : NAN; }
#define TUNED .search = { .kind = SEARCH_SMALLEST, \
                          .name = "algo.C", .from = 0.01, .to = 1000, .points = 16, .reps = 6 }
#define BELOW_FW .than = { .algo = "dp-fw", .why = "Frank-Wolfe, the best clip of the grid",                   \
                           .with = { { "goal.T", 20 }, { "algo.R", .of = radius },                       \
                                     { "problem.prox", .text = "none" } } }
#define BELOW_MIRROR .than = { .algo = "dp-mirror", .why = "mirror descent, the best clip of the grid",        \
                               .with = { { "goal.T", 20 }, { "algo.R", .of = radius },                       \
                                     { "problem.prox", .text = "none" } } }
#define BELOW_GD .than = { .algo = "dp-prox-gd", .why = "proximal gradient descent, the best clip of the grid", \
                           .with = { { "goal.T", 20 } } }

const struct claim dp_gcd_experiments[] = {
    { .id = "dp-gcd/sec5.log1.cd.seed", ORDER, LOG1, .attempt = 2, .fresh = true,
      .says = "log1 of equal signal: the relative error of DP-GCD is below DP-CD's",
      .window = SEEDS(320), BELOW_CD(1000, 0.184, 1) },

    { .id = "dp-gcd/sec5.log1.sgd.seed", ORDER, LOG1,
      .says = "log1 of equal signal: the relative error of DP-GCD is below DP-SGD's",
      .window = SEEDS(64), BELOW_SGD(20000, 20, 0.184, 4.64e-4) },

    { .id = "dp-gcd/sec5.log2.cd.seed", ORDER, LOG2, .attempt = 2, .fresh = true,
      .says = "log2 of equal signal: the relative error of DP-GCD is below DP-CD's",
      .window = SEEDS(256), BELOW_CD(100, 0.754, 2.15) },

    { .id = "dp-gcd/sec5.log2.sgd.seed", ORDER, LOG2,
      .says = "log2 of equal signal: the relative error of DP-GCD is below DP-SGD's",
      .window = SEEDS(64), BELOW_SGD(20000, 20, 0.184, 4.64e-4) },

    { .id = "dp-gcd/sec5.square.more-cd.seed", .attempt = 2, .fresh = true, ORDER, SQUARE,
      .says = "square: the relative error of DP-GCD is below DP-CD's",
      .window = SEEDS(256), BELOW_CD(10, 9.10e3, 10) },

    { .id = "dp-gcd/sec5.square.more-sgd.seed", .attempt = 2, .fresh = true, ORDER, SQUARE,
      .says = "square: the relative error of DP-GCD is below DP-SGD's",
      .window = SEEDS(256), BELOW_SGD(10, 0.01, 4.94, 1e-4) },

    { .id = "dp-gcd/sec5.madelon.printed-cd.T", .attempt = 2, .fresh = true, ORDER, MADELON_L2,
      .says = "madelon with l2: the relative error of DP-GCD is below DP-CD's",
      .window = ROUNDS(10, 16), BELOW_CD(5010, 1.21, 0.02) },

    { .id = "dp-gcd/sec5.madelon.printed-sgd.T", .attempt = 2, .fresh = true, ORDER, MADELON_L2,
      .says = "madelon with l2: the relative error of DP-GCD is below DP-SGD's",
      .window = ROUNDS(10, 16), BELOW_QUIET_SGD(52000, 20, 0.184, 1e-4) },

    { .id = "dp-gcd/sec5.sparse-madelon.cd.T", ORDER, MADELON_L1,
      .says = "madelon with l1: the relative error of DP-GCD is below DP-CD's",
      .window = ROUNDS(1, 128), BELOW_CD(50, 7.91, 2.15) },

    { .id = "dp-gcd/sec5.sparse-madelon.more-sgd.T", .attempt = 2, .fresh = true, ORDER, MADELON_L1,
      .says = "madelon with l1: the relative error of DP-GCD is below DP-SGD's",
      .window = ROUNDS(1, 64), BELOW_SGD(26000, 10, 6.87e-3, 1) },

    { .id = "dp-gcd/sec5.california.cd.T", ORDER, CALIFORNIA,
      .says = "california: the relative error of DP-GCD is below DP-CD's, as in Table 3",
      .window = ROUNDS(4, 256), BELOW_CD(40, 20.2, 1) },

    { .id = "dp-gcd/sec5.california.sgd.T", ORDER, CALIFORNIA,
      .says = "california: the relative error of DP-GCD is below DP-SGD's",
      .window = ROUNDS(4, 16), BELOW_SGD(412800, 20, 12.6, 2.15e-5) },

    { .id = "dp-gcd/sec5.dorothea.more-cd.T", .attempt = 2, .fresh = true, ORDER, DOROTHEA,
      .says = "dorothea: the relative error of DP-GCD is below DP-CD's",
      .window = ROUNDS(2, 48), BELOW_CD(264357, 0.0450, 4.64) },

    { .id = "dp-gcd/sec5.dorothea.more-sgd.T", .attempt = 2, .fresh = true, ORDER, DOROTHEA,
      .says = "dorothea: the relative error of DP-GCD is below DP-SGD's",
      .window = ROUNDS(2, 48), BELOW_SGD(1, 0.00125, 1e-4, 1e-6) },

    { .id = "dp-gcd/sec5.madelon.curve.T", EXPERIMENT, MADELON_L2, .check = CHECK_MOMENT, .algo = "dp-gcd",
      .measure = "relative",
      .says = "madelon with l2, ten passes: the mean relative error of DP-GCD is in the published spread, "
              "0.0331 to 0.0352",
      .window = ROUNDS(10, 16), .formula = madelon_middle, .margin = madelon_spread,
      .control = { .with = { { "goal.eps", 0.02 } }, .why = "fifty times the noise" } },

    { .id = "dp-gcd/sec5.log1.near-fw.seed", .attempt = 3, .fresh = true, STEPS, LOG1, TUNED,
      .says = "log1 of equal signal: the relative error of DP-GCD is below Frank-Wolfe's",
      .window = SEEDS(64), BELOW_FW },

    { .id = "dp-gcd/sec5.log1.near-mirror.seed", .attempt = 3, .fresh = true, STEPS, LOG1, TUNED,
      .says = "log1 of equal signal: the relative error of DP-GCD is below mirror descent's",
      .window = SEEDS(64), BELOW_MIRROR },

    { .id = "dp-gcd/sec5.log1.gd.seed", ORDER, LOG1, TUNED,
      .says = "log1 of equal signal: the relative error of DP-GCD is below proximal gradient descent's",
      .window = SEEDS(64), BELOW_GD },

    { .id = "dp-gcd/sec5.madelon.near-fw.T", .attempt = 3, .fresh = true, STEPS, MADELON_L2, TUNED,
      .says = "madelon with l2: the relative error of DP-GCD is below Frank-Wolfe's",
      .window = ROUNDS(10, 16), BELOW_FW },

    { .id = "dp-gcd/sec5.madelon.near-mirror.T", .attempt = 3, .fresh = true, STEPS, MADELON_L2, TUNED,
      .says = "madelon with l2: the relative error of DP-GCD is below mirror descent's",
      .window = ROUNDS(10, 16), BELOW_MIRROR },

    { .id = "dp-gcd/sec5.madelon.gd.T", ORDER, MADELON_L2, TUNED,
      .says = "madelon with l2: the relative error of DP-GCD is below proximal gradient descent's",
      .window = ROUNDS(10, 16), BELOW_GD },

    { .id = "dp-gcd/sec5.madelon.hits.T", .attempt = 2, .fresh = true, SUPPORT, MADELON_L1,
      .says = "madelon with l1: nine runs in ten of DP-GCD have a coordinate of the optimum",
      .window = ROUNDS(1, 128) },

    { .id = "dp-gcd/sec5.california.found.T", .attempt = 3, .fresh = true, FINDS, CALIFORNIA,
      .says = "california with l1: nine runs in ten of DP-GCD have a coordinate of the optimum",
      .window = ROUNDS(4, 128) },

    { .id = "dp-gcd/sec5.dorothea.hits.T", .attempt = 2, .fresh = true, SUPPORT, DOROTHEA,
      .says = "dorothea: nine runs in ten of DP-GCD have a coordinate of the optimum",
      .window = ROUNDS(2, 128) },

    { .id = "dp-gcd/sec5.square.hits.seed", .attempt = 3, .fresh = true, SUPPORT, SQUARE,
      .says = "square: nine runs in ten of DP-GCD have a coordinate of the optimum",
      .window = SEEDS(128) },

    { .id = "dp-gcd/sec5.adjacency.order.seed", .item = "8.11", .kind = KIND_EVIDENCE,
      .cite = CITE "section 5", .check = CHECK_ORDER,
      OF_NO_MECHANISM("it compares two amounts of noise"),
      .says = "log1: DP-SGD with the noise of removed records is below DP-SGD with twice it, for "
              "replaced ones",
      .algo = "multi-epoch-dp-sgd", .problem = "erm-drawn", .axis = "seed", .measure = "relative",
      .with = { { "problem.n", 1000 }, { "problem.d", 100 }, { "problem.relative", 0.63 },
                { "problem.prox", .text = "all" }, PRIVATE_GOAL, { "goal.T", 20000 },
                { "algo.passes", 20 }, { "algo.C", 1.21 }, { "algo.step", 4.64e-4 },
                { "algo.variant", .text = "poisson" }, { "algo.calibration", .text = "rdp" } },
      .window = { { 0 }, { 1, 16, 5, 16 }, { 1, 16, 5, 64 } },
      .than = { .with = { { "algo.sensitivity", .text = "2C" } }, .why = "noise for 2 C" },
      .control = { .with = { { "goal.eps", 0.1 } }, .why = "ten times the noise" } },
    { 0 }
};
