/* SPDX-License-Identifier: GPL-3.0-or-later */
/* depth.c - Theorems 1 and 2: accuracy, rounds, queries, computational depth. Rounds are those until
 * the excess is eps, every round measured; a run makes about twice as many. On the diagonal d = m =
 * (kappa/1.5)^2 of the maximum the start is 1.5 eps away, and no method in the span of its answers
 * comes below 0 in m rounds. */
#include "resque.h"

const struct claim resque_depth[] = {
    { .id = "resque/parallel.thm1.excess.kappa", .item = "C8 C12 3.5 8.8", EPOCHS, SIGNED, KAPPA,
      .cite = CITE "Theorem 1",
      .says = "E f(x) - f* <= eps = L R/kappa, practical constants, levels on",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { HALF, ACCURATE, { "problem.d", 64 } },
      .window = { { 5, 10, 2, 8 }, { 5, 20, 3, 16 }, { 5, 40, 4, 32 } },
      .formula = accuracy,
      .control = { .with = { { "algo.rounds", 2 } }, .why = "two rounds" } },

    { .id = "resque/parallel.thm2.excess.kappa", .item = "C8 C14 3.5 8.8", STAGES, SIGNED, KAPPA,
      .cite = CITE "Theorem 2",
      .says = "E f(x) - f* <= eps = L R/kappa, practical constants, levels on",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { HALF, ACCURATE, { "problem.d", 16 } },
      .window = { { 5, 10, 2, 8 }, { 5, 20, 3, 16 }, { 5, 40, 4, 32 } },
      .formula = accuracy,
      .control = { .with = { { "algo.rounds", 2 } }, .why = "two rounds" } },

    { .id = "resque/parallel.literal.excess.kappa", .item = "C8 6.2", EPOCHS, SIGNED, KAPPA,
      .cite = CITE "Theorem 1",
      .says = "E f(x) - f* <= eps with every constant of the proofs, which is 10^9 queries in four "
              "coordinates already",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { HALF, { "problem.d", 4 }, { "goal.acc", 1, -1 }, { "goal.n", 1e12 },
                { "goal.constants", .text = "theory" } },
      .window = { { 0 }, { 0 }, { 4, 4, 1, 8 } },
      .formula = accuracy,
      .control = { .with = { { "algo.rounds", 2 } }, .why = "two rounds" } },

    { .id = "resque/parallel.thm1.rounds.diagonal", .item = "C12 E9 H1", EPOCHS, DIAGONAL,
      .remark = "Four replicates: no row of the table of coverage vouches for them. 30, 85.5 and 222 "
                "rounds at kappa = 6, 12, 24: kappa^1.45, slopes 1.51 and 1.38. On one axis, and "
                "with eight: thm1.maximum.kappa.",
      .cite = CITE "Theorem 1",
      .says = "d^(1/3) kappa^(2/3) rounds: kappa^(4/3) where d ~ kappa^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .with = { DIAGONAL_WITH },
      .window = { { 0 }, { 6, 24, 3, 4 }, { 6, 48, 4, 4 } },
      LAW(4.0 / 3, 4.0 / 3 - 0.2, 4.0 / 3 + 0.2), .control = SGD_CONTROL },

    /* From kappa = 12 on line searches take more than one call. */
    { .id = "resque/parallel.late.rounds.diagonal", .item = "C12 E9 H1", .attempt = 2, EPOCHS, DIAGONAL,
      .remark = "The band holds the 1.49 of smoothing: late.gain.diagonal.",
      .cite = CITE "Theorem 1",
      .says = "kappa^(4/3) rounds on the diagonal, where x' and the gradient are what the line search found",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .with = { DIAGONAL_WITH, SEARCHED },
      .window = { { 0 }, { 12, 48, 4, 8 }, { 12, 96, 5, 8 } },
      LAW(4.0 / 3, 4.0 / 3 - 0.2, 4.0 / 3 + 0.2), .control = SGD_CONTROL },

    { .id = "resque/parallel.late.gain.diagonal", .item = "C12 C17 E9 B2", .attempt = 2, EPOCHS, DIAGONAL,
      .remark = "SGD, the control, is far, and no gain at all, 0, hardly outside the band: thm1.gain.kappa has "
                "it as control.",
      .cite = CITE "Table 1",
      .says = "rounds over those of accelerated randomised smoothing: kappa^(-1/6) on the diagonal",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .with = { DIAGONAL_WITH, SEARCHED },
      .window = { { 0 }, { 12, 48, 4, 8 }, { 12, 96, 5, 8 } },
      LAW(-1.0 / 6, -1.0 / 6 - 0.15, -1.0 / 6 + 0.15),
      .than = { .algo = "randomised-smoothing", .why = "accelerated randomised smoothing" },
      .control = SGD_CONTROL },

    { .id = "resque/parallel.sgd.late.diagonal", .item = "C17 E8 B1", .attempt = 2, DIAGONAL, .algo = "sgd",
      .remark = "135, 338, 851 and 2141 rounds.",
      .cite = CITE "Table 1",
      .says = "SGD: kappa^2 rounds",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .with = { { "problem.d", .of = diagonal }, { "goal.acc", 1, -1 }, { "goal.n", 1, 2 },
                { "run.trace", 2 } },
      .window = { { 12, 48, 4, 8 }, { 12, 48, 4, 8 }, { 12, 96, 5, 8 } },
      LAW(2, 1.8, 2.2),
      .control = { .algo = "randomised-smoothing", .with = { { "goal.n", 3e4, 2 } },
                   .why = "accelerated randomised smoothing: kappa^(3/2)" } },

    { .id = "resque/parallel.smoothing.late.diagonal", .item = "C17 E8 B2", .attempt = 2, DIAGONAL,
      .algo = "randomised-smoothing",
      .remark = "119, 235, 469 and 934 rounds.",
      .cite = CITE "Table 1",
      .says = "accelerated randomised smoothing: d^(1/4) kappa rounds, kappa^(3/2) on the diagonal",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .with = { DIAGONAL_WITH },
      .window = { { 12, 48, 4, 8 }, { 12, 48, 4, 8 }, { 12, 96, 5, 8 } },
      LAW(1.5, 1.3, 1.7), .control = SGD_CONTROL },

    { .id = "resque/parallel.span.steps.kappa", .item = "E14 B1 H1", .attempt = 2, DIAGONAL, .algo = "sgd",
      .cite = CITE "Section 1.1",
      .says = "mini-batches of 64 do not help: no method in the span of its answers comes to eps before "
              "m = d rounds",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT, .sense = SENSE_AT_LEAST, .deterministic = true,
      .with = { { "problem.d", .of = diagonal }, { "goal.acc", 1, -1 }, { "goal.T", 1, 2 },
                { "algo.B", 64 }, { "run.trace", 2 } },
      .window = { { 12, 48, 3, 1 }, { 12, 48, 3, 1 }, { 12, 96, 4, 1 } },
      .formula = coordinates,
      .control = { .algo = "ball-accel-epoch-sgd", .with = { SEARCHED },
                   .why = "Gaussian queries leave the span" } },

    { .id = "resque/parallel.thm1.iterations.kappa", .item = "C7 E4", EPOCHS, SIGNED, KAPPA,
      .remark = "kappa^0.83 at the end of the band, slopes 0.94 and 0.74: from 2K rounds to 4K as balls begin to "
                "bind, as with exact oracles. Where they hardly do: thm1.maximum.kappa.",
      .cite = CITE "Proposition 1",
      .says = "(R/r)^(2/3) rounds of ball acceleration, of some line searches each: kappa^(2/3) at d = 16",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .measure = "note.rounds",
      .with = { HALF, ACCURATE, SEARCHED, { "problem.d", 16 } },
      .window = { { 10, 40, 3, 8 }, { 10, 80, 4, 8 }, { 10, 80, 5, 16 } },
      LAW(2.0 / 3, 2.0 / 3 - 0.16, 2.0 / 3 + 0.16),
      .control = { .with = { { "algo.c_lam", 0.1, 1 } }, .why = "lam_min that grows as kappa: kappa^(7/6)" } },

    { .id = "resque/parallel.thm1.ball.d", .item = "C7 E5", .attempt = 3, EPOCHS, SIGNED, .axis = "d",
      .remark = "The control bends as its balls begin to bind: 87, 148, 371 and 940 rounds. d^0.289 in the band; "
                "on an instance where they hardly do, decided: thm1.alone.d.",
      .cite = CITE "Proposition 1",
      .says = "(R/r)^(2/3) rounds of ball acceleration: d^(1/3) at kappa = 20",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .measure = "note.rounds",
      .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 2e8 }, SEARCHED },
      .window = { { 0 }, { 16, 1024, 4, 8 }, { 16, 1024, 4, 16 } },
      LAW(1.0 / 3, 1.0 / 3 - 0.12, 1.0 / 3 + 0.12),
      .control = { .with = { { "algo.blur", 2, -0.5 } },
                   .why = "balls that shrink as 1/d: d^(2/3)" } },

    { .id = "resque/parallel.thm2.deep.kappa", .item = "C16 E7", .attempt = 2, STAGES, SIGNED, KAPPA,
      .remark = "The band holds the 2/3 of rounds, from which the 1.00 measured is far.",
      .cite = CITE "Theorem 2",
      .says = "computational depth d^(1/4) kappa with AC-SA: kappa at d = 16",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "depth",
      .with = { HALF, ACCURATE, { "problem.d", 16 } },
      .window = { { 5, 20, 3, 8 }, { 5, 40, 4, 8 }, { 5, 80, 5, 8 } },
      LAW(1, 0.6, 1.4), .control = SGD_CONTROL },

    /* Whole epochs make a staircase of queries. Where the power of the axis that T follows doubles it a whole number
     * of times from point to point, the controls of EpochSGD are straight. */
    { .id = "resque/parallel.thm1.cost.kappa", .item = "C13 E6 H3", .attempt = 2, EPOCHS, SIGNED, KAPPA,
      .cite = CITE "Theorem 1",
      .says = "kappa^2 queries, up to logarithms",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, ACCURATE, { "problem.d", 16 } },
      .window = { { 0 }, { 5, 40, 4, 8 }, { 5, 80, 5, 16 } },
      LAW(2, 1.7, 2.3),
      .control = { .with = { { "algo.c", 0.351, 4.0 / 3 } },
                   .why = "a constant that grows as kappa^(4/3): kappa^(10/3)" } },

    { .id = "resque/parallel.thm1.total.d", .item = "C13 E6", .attempt = 3, EPOCHS, SIGNED, .axis = "d",
      .cite = CITE "Theorem 1",
      .says = "the number of queries does not depend on d, up to logarithms, kappa = 20",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 2e8 } },
      .window = { { 0 }, { 16, 1024, 4, 8 }, { 16, 1024, 4, 16 } },
      LAW(0, -0.25, 0.25),
      .control = { .algo = "sgd",
                   .with = { { "goal.T", 400 }, { "goal.n", 400, 1 }, { "algo.B", 1, 1 } },
                   .why = "SGD in batches of d" } },

    { .id = "resque/parallel.thm2.spent.kappa", .item = "C15 E6", .attempt = 3, STAGES, SIGNED, KAPPA,
      .cite = CITE "Theorem 2",
      .says = "kappa^2 queries, up to logarithms",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, { "goal.acc", 1, -1 }, { "goal.n", 2e5, 2 }, { "problem.d", 16 } },
      .window = { { 0 }, { 5, 40, 4, 8 }, { 5, 60, 5, 8 } },
      LAW(2, 1.7, 2.3),
      .control = { .with = { { "algo.c", 0.03, 2 } },
                   .why = "a constant that grows as kappa^2: kappa^4" } },

    { 0 }
};

