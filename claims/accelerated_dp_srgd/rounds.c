/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rounds.c - batches and rounds without privacy: how the excess depends on the batch size B and on T, and the batch
 * steps and gradients of Table 1. n is the number of samples, T = n/B the number of rounds. */
#include "accelerated_dp_srgd.h"

/* Returns the number of rounds T of batches of B samples at n = 10^8. */
static double rounds_of_batch(double B, const struct facts *f) { return floor(1e8 / B); }
#define BATCHES                                                                       \
    { "goal.n", 1e8 }, { "goal.T", .of = rounds_of_batch }, { "run.aggregate", 1 },   \
        { "algo.variant", .text = "B" }

/* Bounds on the excess of variant B in the claims below.level.B and batch.more.B. The mean excess was computed from
 * the second moments of the method's recursion: it is 0.039/sqrt(n) for B below sqrt(n), and 0.028 to 0.029 B/n for
 * larger B with beta = 2 M T. After half of the rounds it is at least three times as large. */
static double small_batches(const struct env *e) { return 1.4 * 0.039 / sqrt(e->goal->n); }
static double size_of_batch(const struct env *e) { return 0.04 * e->axis / e->goal->n; }

const struct claim accelerated_dp_srgd_rounds[] = {
    { .id = "accelerated-dp-srgd/B.thm5.12.batch.more.B", .item = "V19", .attempt = 3, .fresh = true,
      .cite = CITE "Theorem 5.12",
      .says = "batches beyond n^(1/2) hurt variant B: the error grows as L R B/n, and nine runs of ten are below "
              "0.04 B/n",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "B", .measure = "excess",
      .with = { BATCHES }, .tests = "none", .tests_none = PRICE_OF_B,
      .reaches = { .measure = "excess", .of = size_of_batch, .probability = 0.9 },
      .window = { { 0 }, { 8e4, 6.4e5, 5, 32 }, { 8e4, 6.4e5, 7, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 1 } }, .band = { 0.8, 1.2 },
      .control = { .with = { { "problem.s", 1000 } },
                   .why = "noise a thousand times larger: its error does not depend on B" } },

    { .id = "accelerated-dp-srgd/B.thm5.12.below.level.B", .item = "V19", .attempt = 3, .fresh = true,
      .cite = CITE "Theorem 5.12",
      .says = "batches below n^(1/2) do not matter to variant B, beta = 2 n^(3/2)/B^2 as the theorem has it, and "
              "three runs of four are below 0.055/n^(1/2)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "B", .measure = "excess",
      .with = { { "goal.n", 0x1p20 }, { "goal.T", 0x1p20, -1 }, { "run.aggregate", 1 },
                { "algo.variant", .text = "B" }, { "algo.beta", 0x1p31, -2 } },
      .window = { { 0 }, { 16, 1024, 4, 32 }, { 16, 1024, 4, 128 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.1, 0.1 },
      .reaches = { .measure = "excess", .of = small_batches, .probability = 0.75 },
      .tests = "none", .tests_none = PRICE_OF_B,
      .control = { .with = { { "algo.beta", 400 * 0x1p20, -1 } },
                   .why = "beta = 400 T: the optimisation term, B/n" } },

    { .id = "accelerated-dp-srgd/B.thm5.12.square.B", .item = "V19", .attempt = 3, .fresh = true,
      .cite = CITE "Theorem 5.12, first term",
      .says = "n = 2^28, B above n^(3/4), beta = 2 M: the error grows as M R^2 B^2/n^2",
      .remark = "The term is there only where beta is of order M. With beta = c n^(3/2)/B^2 the optimisation error "
                "is of order L R/sqrt(n) for every B.",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "B", .measure = "excess",
      .with = { { "goal.n", 0x1p28 }, { "goal.T", 0x1p28, -1 }, { "run.aggregate", 1 },
                { "algo.variant", .text = "B" }, { "algo.beta", 2 } },
      .window = { { 0x1p22, 0x1p25, 4, 8 }, { 0x1p22, 0x1p25, 4, 16 }, { 0x1p22, 0x1p25, 4, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 2 } }, .band = { 1.75, 2.25 },
      .tests = "acceleration",
      .control = { .algo = "dp-srgd", .why = "without acceleration: 1/T = B/n" },
      .control2 = { .with = { { "algo.beta", 0x1p29, -1 } }, .why = "beta = 2 M T: B/n" } },

    { .id = "accelerated-dp-srgd/B.thm4.1.excess.T", .item = "O-4", .attempt = 2, .fresh = true,
      .cite = CITE "Theorem 4.1",
      .says = "n = 2^20, beta = 2 M T, more rounds than n^(1/2): the excess does not fall with T",
      .remark = "The printed terms fall as 1/T here, but for S^2/(beta T^(1/2)), which is of order 1/(n T^(1/2)). "
                "In Theorem 5.1 the term of the samples is S R/T^(1/2) = Q R/n^(1/2).",
      .kind = KIND_ERRATUM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "goal.n", 0x1p20 }, { "goal.T", .of = one_less }, { "algo.variant", .text = "B" },
                { "run.aggregate", 1 } },
      .window = { { 0 }, { 8192, 131072, 5, 32 }, { 8192, 131072, 5, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.3, 0.3 },
      .tests = "none", .tests_none = "a term of the samples, which every method has",
      .control = { .with = { { "problem.s", 0 } }, .why = "exact gradients: 1/T" } },

    { .id = "accelerated-dp-srgd/sgd.sec4.excess.rounds", .item = "6.5 BL1",
      .cite = CITE "Section 4",
      .says = "SGD with exact gradients: F - F* ~ 1/T before any floor",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true,
      .algo = "dp-sgd", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "problem.s", 0 }, { "problem.d", 400 }, { "algo.B", 1 }, { "algo.step", 0.5 } },
      .tests = "none", .tests_none = PLAIN_SGD,
      .window = { { 7, 255, 6, 1 }, { 7, 511, 7, 1 }, { 7, 1023, 8, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.8 },
      .control = { .algo = "accelerated-dp-srgd", .with = { { "algo.B", 1 } },
                   .why = "variant A: 1/T^2" } },

    { .id = "accelerated-dp-srgd/A.table1.arrive.n", .item = "V5 V12", .attempt = 5, .fresh = true,
      .cite = CITE "Table 1",
      .says = "variant A comes to order n^(-1/2) after n^(1/4) batch steps, in the median run",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .statistic = STAT_MEDIAN,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n",
      .measure = "hit.batch_steps",
      .with = { TO_THE_FLOOR, { "algo.c_T", 4 } },
      .window = { { 1e5, 1e8, 4, 16 }, { 1e5, 1e9, 5, 32 }, { 1e5, 1e10, 6, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 0.25 } }, .band = { 0.13, 0.37 },
      .tests = "acceleration",
      .control = { .algo = "dp-srgd", .with = { { "goal.T", 8, 0.5 } }, .why = "without acceleration: n^(1/2)" } },

    { .id = "accelerated-dp-srgd/B.table1.median.n", .item = "V6 V12", .attempt = 2, .fresh = true,
      .cite = CITE "Table 1",
      .says = "variant B comes to order n^(-1/2) after n^(1/2) batch steps, in the median run",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .statistic = STAT_MEDIAN,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n",
      .measure = "hit.batch_steps",
      .with = { TO_THE_FLOOR, { "algo.c_T", 4 }, { "algo.variant", .text = "B" } },
      .tests = "none", .tests_none = PRICE_OF_B,
      .window = { { 1e4, 1e7, 4, 16 }, { 1e4, 1e8, 5, 32 }, { 1e4, 1e9, 6, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.38, 0.62 },
      .control = { .with = { { "algo.variant", .text = "A" }, { "algo.c_T", 4 } },
                   .why = "variant A: n^(1/4)" } },

    { .id = "accelerated-dp-srgd/sgd.table1.median.n", .item = "V6 BL1", .attempt = 2, .fresh = true,
      .cite = CITE "Section 4.1",
      .says = "plain mini-batch SGD comes to order n^(-1/2) after n^(1/2) batch steps, in the median run",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .statistic = STAT_MEDIAN,
      .algo = "dp-sgd", .problem = "spectral", .axis = "n", .measure = "hit.batch_steps",
      .with = { TO_THE_FLOOR, { "goal.T", 8, 0.5 } }, .tests = "none", .tests_none = PLAIN_SGD,
      .window = { { 1e4, 1e7, 4, 16 }, { 1e4, 1e8, 5, 32 }, { 1e4, 1e9, 6, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.38, 0.62 },
      .control = { .algo = "accelerated-dp-srgd", .with = { { "goal.T", 4, 0.25 } },
                   .why = "variant A: n^(1/4)" } },

    { .id = "accelerated-dp-srgd/sgd.table1.gradients.arrive.n", .attempt = 3, .fresh = true, .item = "V12 BL1",
      .cite = CITE "Section 4",
      .says = "one-pass SGD comes to order n^(-1/2) after order n gradients, in the median run",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .statistic = STAT_MEDIAN,
      .algo = "dp-sgd", .problem = "spectral", .axis = "n", .measure = "hit.sample_grads",
      .with = { TO_THE_FLOOR, { "goal.T", 8, 0.5 } }, .tests = "none", .tests_none = PLAIN_SGD,
      .window = { { 1e4, 1e7, 4, 16 }, { 1e4, 1e8, 5, 32 }, { 1e4, 1e9, 6, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 1 } }, .band = { 0.94, 1.06 },
      .control = { .algo = "dp-gd", .with = { { "goal.T", 8, 0.25 } }, .why = "full batches: n^(5/4)" } },

    { 0 }
};
