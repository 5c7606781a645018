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

    { .id = "resque/parallel.search.rounds.diagonal", .item = "C12 E9 H1", EPOCHS, DIAGONAL,
      .remark = "The first points bend: 15, 42, 109 and 279 rounds at kappa = 6, 12, 24, 48, slopes "
                "1.49, 1.38 and 1.36; and no row of the table of coverage is for four replicates. "
                "From 12 on, with eight: late.rounds.diagonal.",
      .cite = CITE "Theorem 1",
      .says = "the same where x' and the gradient are what the line search found: kappa^(4/3)",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .with = { DIAGONAL_WITH, SEARCHED },
      .window = { { 6, 24, 3, 2 }, { 6, 48, 4, 4 }, { 6, 96, 5, 4 } },
      LAW(4.0 / 3, 4.0 / 3 - 0.2, 4.0 / 3 + 0.2), .control = SGD_CONTROL },

    { .id = "resque/parallel.search.gain.diagonal", .item = "C12 C17 E9 B2", EPOCHS, DIAGONAL,
      .remark = "The first points bend, 15 rounds at kappa = 6 being few. From 12 on: "
                "late.gain.diagonal. SGD, the control, is far; thm1.gain.kappa has no gain at all as "
                "control.",
      .cite = CITE "Table 1",
      .says = "rounds over those of accelerated randomised smoothing, d^(1/4) kappa: kappa^(-1/6) on the "
              "diagonal",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .with = { DIAGONAL_WITH, SEARCHED },
      .window = { { 6, 24, 3, 2 }, { 6, 48, 4, 4 }, { 6, 96, 5, 4 } },
      LAW(-1.0 / 6, -1.0 / 6 - 0.15, -1.0 / 6 + 0.15),
      .than = { .algo = "randomised-smoothing", .why = "accelerated randomised smoothing" },
      .control = SGD_CONTROL },

    { .id = "resque/parallel.sgd.rounds.diagonal", .item = "C17 E8 B1", DIAGONAL, .algo = "sgd",
      .remark = "33, 135, 537 and 2141 rounds; no row of the table of coverage is for two "
                "replicates: sgd.late.diagonal has eight, and a control that is straight.",
      .cite = CITE "Table 1",
      .says = "SGD: kappa^2 rounds",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .with = { { "problem.d", .of = diagonal }, { "goal.acc", 1, -1 }, { "goal.n", 1, 2 },
                { "run.trace", 2 } },
      .window = { { 6, 48, 4, 2 }, { 6, 48, 4, 2 }, { 6, 96, 5, 2 } },
      LAW(2, 1.8, 2.2),
      .control = { .algo = "ball-accel-epoch-sgd", .with = { { "goal.n", 3e4, 2 }, SEARCHED },
                   .why = "ball acceleration: kappa^(4/3)" } },

    { .id = "resque/parallel.smoothing.rounds.diagonal", .item = "C17 E8 B2", DIAGONAL,
      .remark = "43, 118, 333 and 935 rounds; no row of the table of coverage is for four replicates: "
                "smoothing.late.diagonal has eight.",
      .algo = "randomised-smoothing",
      .cite = CITE "Table 1",
      .says = "accelerated randomised smoothing: d^(1/4) kappa rounds, kappa^(3/2) on the diagonal",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .with = { DIAGONAL_WITH },
      .window = { { 6, 24, 3, 2 }, { 6, 48, 4, 4 }, { 6, 96, 5, 4 } },
      LAW(1.5, 1.3, 1.7), .control = SGD_CONTROL },

    { .id = "resque/parallel.span.batch.kappa", .item = "E14 B1 H1", DIAGONAL, .algo = "sgd",
      .remark = "The control alone is open: a maximum of four coordinates takes SGD as long. "
                "With a control that leaves the span: span.steps.kappa.",
      .cite = CITE "Section 1.1",
      .says = "mini-batches of 64 do not help: no method in the span of its answers comes to eps before "
              "m = d rounds",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT, .sense = SENSE_AT_LEAST, .deterministic = true,
      .with = { { "problem.d", .of = diagonal }, { "goal.acc", 1, -1 }, { "goal.T", 1, 2 },
                { "algo.B", 64 }, { "run.trace", 2 } },
      .window = { { 6, 48, 4, 1 }, { 6, 48, 4, 1 }, { 6, 96, 5, 1 } },
      .formula = coordinates,
      .control = { .with = { { "problem.m", 4 } }, .why = "a maximum of four coordinates only" } },

    { .id = "resque/parallel.thm1.queries.kappa", .item = "C13 E6 H3", EPOCHS, SIGNED, KAPPA,
      .remark = "kappa^1.96 in the band; the control alone is open: whole epochs make it a staircase. "
                "thm1.cost.kappa has one that is straight.",
      .cite = CITE "Theorem 1",
      .says = "kappa^2 queries, up to logarithms",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, ACCURATE, { "problem.d", 16 } },
      .window = { { 5, 20, 3, 4 }, { 5, 40, 4, 8 }, { 5, 80, 5, 8 } },
      LAW(2, 1.7, 2.3),
      .control = { .with = { { "algo.c", 2, 1 } }, .why = "a constant that grows as kappa: kappa^3" } },

    { .id = "resque/parallel.thm1.queries.d", .item = "C13 E6", EPOCHS, SIGNED, .axis = "d",
      .remark = "d^0.07 in the band to d = 1024; no row of the table of coverage is for four "
                "replicates, and whole epochs make the control a staircase, which costs eight times "
                "what it checks: thm1.total.d.",
      .cite = CITE "Theorem 1",
      .says = "the number of queries does not depend on d, up to logarithms, kappa = 20",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 2e8 } },
      .window = { { 0 }, { 0 }, { 16, 4096, 5, 4 } },
      LAW(0, -0.25, 0.25),
      .control = { .with = { { "algo.c", 3, 0.5 } }, .why = "a constant that grows as d^(1/2)" } },

    { .id = "resque/parallel.thm1.rounds.d", .item = "C12 E5", EPOCHS, SIGNED, .axis = "d",
      .remark = "Four replicates: no row of the table of coverage vouches for them. With eight,"
                " in rounds of ball acceleration: thm1.ball.d. The band holds the 1/4 of "
                "randomised smoothing: thm1.gain.d.",
      .cite = CITE "Theorem 1",
      .says = "d^(1/3) rounds at kappa = 20",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "batch_steps",
      .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 2e8 } },
      .window = { { 16, 256, 3, 4 }, { 16, 1024, 4, 4 }, { 16, 4096, 5, 4 } },
      LAW(1.0 / 3, 1.0 / 3 - 0.16, 1.0 / 3 + 0.16),
      .control = { .algo = "sgd", .with = { { "goal.n", 400 } }, .why = "SGD: 400 rounds in any dimension" } },

    { .id = "resque/parallel.thm1.rounds.kappa", .item = "C12 E4 H3", EPOCHS, SIGNED, KAPPA,
      .remark = "Line searches go from one call to three within the window, which bends: 70, "
                "245 and 459 batch steps at kappa = 5, 10, 20. Rounds of ball acceleration "
                "alone: thm1.iterations.kappa. The band comes near the 1 of randomised smoothing; "
                "half the distance, where balls hardly bind: thm1.maximum.kappa.",
      .cite = CITE "Theorem 1",
      .says = "kappa^(2/3) rounds at d = 64",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "batch_steps",
      .with = { HALF, ACCURATE, { "problem.d", 64 } },
      .window = { { 5, 20, 3, 4 }, { 5, 40, 4, 8 }, { 5, 80, 5, 8 } },
      LAW(2.0 / 3, 2.0 / 3 - 0.3, 2.0 / 3 + 0.3), .control = SGD_CONTROL },

    { .id = "resque/parallel.thm2.depth.kappa", .item = "C16 E7", STAGES, SIGNED, KAPPA,
      .remark = "kappa^1.00; the control alone is open: whole epochs make its depth a staircase, "
                "kappa^2.03 with halves too far apart. With a control that is straight: "
                "thm2.deep.kappa. The band holds the 2/3 of rounds; in d: thm2.depth.d.",
      .cite = CITE "Theorem 2",
      .says = "computational depth d^(1/4) kappa with AC-SA: kappa at d = 16",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "depth",
      .with = { HALF, ACCURATE, { "problem.d", 16 } },
      .window = { { 5, 20, 3, 4 }, { 5, 40, 4, 8 }, { 5, 80, 5, 8 } },
      LAW(1, 0.6, 1.4),
      .control = { .algo = "ball-accel-epoch-sgd", .why = "EpochSGD: as deep as it has queries, kappa^2" } },

    { .id = "resque/parallel.thm2.queries.kappa", .item = "C15 E6", STAGES, SIGNED, KAPPA,
      .remark = "kappa^2.05 in the band; the control alone is open: it asks for more queries than it "
                "may spend. thm2.cost.kappa has room.",
      .cite = CITE "Theorem 2",
      .says = "kappa^2 queries, up to logarithms",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, ACCURATE, { "problem.d", 16 } },
      .window = { { 5, 20, 3, 4 }, { 5, 40, 4, 8 }, { 5, 80, 5, 8 } },
      LAW(2, 1.7, 2.3),
      .control = { .with = { { "algo.c", 2, 1 } }, .why = "a constant that grows as kappa: kappa^3" } },

    /* Declared after the first run of those above: from kappa = 12 on, where line searches have begun to
     * take more than one call, and with as many replicates as the table of coverage requires. */
    { .id = "resque/parallel.late.rounds.diagonal", .item = "C12 E9 H1", EPOCHS, DIAGONAL,
      .remark = "Declared after the first run of search.rounds.diagonal, which bends below "
                "kappa = 12. The band holds the 1.49 of smoothing: late.gain.diagonal.",
      .cite = CITE "Theorem 1",
      .says = "kappa^(4/3) rounds on the diagonal, where x' and the gradient are what the line search found",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .with = { DIAGONAL_WITH, SEARCHED },
      .window = { { 0 }, { 12, 48, 4, 8 }, { 12, 96, 5, 8 } },
      LAW(4.0 / 3, 4.0 / 3 - 0.2, 4.0 / 3 + 0.2), .control = SGD_CONTROL },

    { .id = "resque/parallel.late.gain.diagonal", .item = "C12 C17 E9 B2", EPOCHS, DIAGONAL,
      .remark = "Declared after the first run of search.gain.diagonal, which bends below kappa "
                "= 12. SGD, the control, is far, and no gain at all, 0, hardly outside the band: "
                "thm1.gain.kappa has it as control.",
      .cite = CITE "Table 1",
      .says = "rounds over those of accelerated randomised smoothing: kappa^(-1/6) on the diagonal",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .with = { DIAGONAL_WITH, SEARCHED },
      .window = { { 0 }, { 12, 48, 4, 8 }, { 12, 96, 5, 8 } },
      LAW(-1.0 / 6, -1.0 / 6 - 0.15, -1.0 / 6 + 0.15),
      .than = { .algo = "randomised-smoothing", .why = "accelerated randomised smoothing" },
      .control = SGD_CONTROL },

    { .id = "resque/parallel.sgd.late.diagonal", .item = "C17 E8 B1", DIAGONAL, .algo = "sgd",
      .remark = "Declared after the first run of sgd.rounds.diagonal: more replicates, and a "
                "control that is straight. 135, 338, 851 and 2141 rounds.",
      .cite = CITE "Table 1",
      .says = "SGD: kappa^2 rounds",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .with = { { "problem.d", .of = diagonal }, { "goal.acc", 1, -1 }, { "goal.n", 1, 2 },
                { "run.trace", 2 } },
      .window = { { 12, 48, 4, 8 }, { 12, 48, 4, 8 }, { 12, 96, 5, 8 } },
      LAW(2, 1.8, 2.2),
      .control = { .algo = "randomised-smoothing", .with = { { "goal.n", 3e4, 2 } },
                   .why = "accelerated randomised smoothing: kappa^(3/2)" } },

    { .id = "resque/parallel.smoothing.late.diagonal", .item = "C17 E8 B2", DIAGONAL,
      .algo = "randomised-smoothing",
      .remark = "Declared after the first run of smoothing.rounds.diagonal, which bends below "
                "kappa = 12. 119, 235, 469 and 934 rounds.",
      .cite = CITE "Table 1",
      .says = "accelerated randomised smoothing: d^(1/4) kappa rounds, kappa^(3/2) on the diagonal",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .with = { DIAGONAL_WITH },
      .window = { { 12, 48, 4, 8 }, { 12, 48, 4, 8 }, { 12, 96, 5, 8 } },
      LAW(1.5, 1.3, 1.7), .control = SGD_CONTROL },

    { .id = "resque/parallel.span.steps.kappa", .item = "E14 B1 H1", DIAGONAL, .algo = "sgd",
      .remark = "Declared after the first run of span.batch.kappa, whose control is a span "
                "method too.",
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
      .remark = "Declared after the first run of thm1.rounds.kappa, where line searches go from"
                " one call to three within the window. kappa^0.83 at the end of the band, slopes "
                "0.94 and 0.74: from 2K rounds to 4K as balls begin to bind, as with exact oracles. "
                "Where they hardly do: thm1.maximum.kappa.",
      .cite = CITE "Proposition 1",
      .says = "(R/r)^(2/3) rounds of ball acceleration, of some line searches each: kappa^(2/3) at d = 16",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .measure = "note.rounds",
      .with = { HALF, ACCURATE, SEARCHED, { "problem.d", 16 } },
      .window = { { 10, 40, 3, 8 }, { 10, 80, 4, 8 }, { 10, 80, 5, 16 } },
      LAW(2.0 / 3, 2.0 / 3 - 0.16, 2.0 / 3 + 0.16),
      .control = { .with = { { "algo.c_lam", 0.1, 1 } }, .why = "lam_min that grows as kappa: kappa^(7/6)" } },

    { .id = "resque/parallel.thm1.iterations.d", .item = "C7 E5", EPOCHS, SIGNED, .axis = "d",
      .remark = "Declared after the first run of thm1.rounds.d: more replicates. d^0.289 in the "
                "band; the control alone is open: it bends, and at d = 1024 leaves a ball oracle no "
                "epoch. thm1.ball.d has another.",
      .cite = CITE "Proposition 1",
      .says = "(R/r)^(2/3) rounds of ball acceleration: d^(1/3) at kappa = 20",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .measure = "note.rounds",
      .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 2e8 }, SEARCHED },
      .window = { { 16, 256, 3, 8 }, { 16, 1024, 4, 8 }, { 16, 4096, 5, 8 } },
      LAW(1.0 / 3, 1.0 / 3 - 0.12, 1.0 / 3 + 0.12),
      .control = { .with = { { "algo.c_lam", 0.25, 0.5 } }, .why = "lam_min that grows as d^(1/2): d^(7/12)" } },

    { .id = "resque/parallel.thm1.straight.d", .item = "C7 E5", EPOCHS, SIGNED, .axis = "d",
      .remark = "Declared after the first run of thm1.iterations.d, whose control leaves no epoch to "
                "a ball oracle beyond d = 1000: another control, which at d^0.34 is no other law: where "
                "balls bind, lam is above lam_min whatever that is. thm1.ball.d has another.",
      .cite = CITE "Proposition 1",
      .says = "(R/r)^(2/3) rounds of ball acceleration: d^(1/3) at kappa = 20",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .measure = "note.rounds",
      .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 2e8 }, SEARCHED },
      .window = { { 0 }, { 0 }, { 16, 4096, 5, 8 } },
      LAW(1.0 / 3, 1.0 / 3 - 0.12, 1.0 / 3 + 0.12),
      .control = { .with = { { "algo.c_lam", 0.0625, 0.5 } },
                   .why = "lam_min that grows as d^(1/2): d^(7/12)" } },

    { .id = "resque/parallel.thm1.ball.d", .item = "C7 E5", EPOCHS, SIGNED, .axis = "d",
      .remark = "Declared after the first run of thm1.straight.d: another control, which bends as its "
                "balls begin to bind: 87, 148, 371 and 940 rounds. d^0.289 in the band; on an instance "
                "where they hardly do, decided: thm1.alone.d.",
      .cite = CITE "Proposition 1",
      .says = "(R/r)^(2/3) rounds of ball acceleration: d^(1/3) at kappa = 20",
      .kind = KIND_EXTENSION, .check = CHECK_RATE, .measure = "note.rounds",
      .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 2e8 }, SEARCHED },
      .window = { { 0 }, { 16, 1024, 4, 8 }, { 16, 1024, 4, 16 } },
      LAW(1.0 / 3, 1.0 / 3 - 0.12, 1.0 / 3 + 0.12),
      .control = { .with = { { "algo.blur", 2, -0.5 } },
                   .why = "balls that shrink as 1/d: d^(2/3)" } },

    { .id = "resque/parallel.thm2.deep.kappa", .item = "C16 E7", STAGES, SIGNED, KAPPA,
      .remark = "Declared after the first run of thm2.depth.kappa. The band holds the 2/3 of rounds, "
                "from which the 1.00 measured is far.",
      .cite = CITE "Theorem 2",
      .says = "computational depth d^(1/4) kappa with AC-SA: kappa at d = 16",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "depth",
      .with = { HALF, ACCURATE, { "problem.d", 16 } },
      .window = { { 5, 20, 3, 8 }, { 5, 40, 4, 8 }, { 5, 80, 5, 8 } },
      LAW(1, 0.6, 1.4), .control = SGD_CONTROL },

    /* Declared after the first runs of the claims of queries. Their controls were refused, or whole
     * epochs made them a staircase. Where the power of the axis that T follows doubles it a whole number
     * of times from point to point, the controls of EpochSGD are straight. */
    { .id = "resque/parallel.thm1.cost.kappa", .item = "C13 E6 H3", EPOCHS, SIGNED, KAPPA,
      .remark = "Declared after the first run of thm1.queries.kappa: another control.",
      .cite = CITE "Theorem 1",
      .says = "kappa^2 queries, up to logarithms",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, ACCURATE, { "problem.d", 16 } },
      .window = { { 0 }, { 5, 40, 4, 8 }, { 5, 80, 5, 16 } },
      LAW(2, 1.7, 2.3),
      .control = { .with = { { "algo.c", 0.351, 4.0 / 3 } },
                   .why = "a constant that grows as kappa^(4/3): kappa^(10/3)" } },

    { .id = "resque/parallel.thm1.cost.d", .item = "C13 E6", EPOCHS, SIGNED, .axis = "d",
      .remark = "Declared after the first run of thm1.queries.d: more replicates, another control, which "
                "is still a staircase. d^0.097 (0.066 to 0.127) in the band. thm1.total.d has a "
                "control that is straight.",
      .cite = CITE "Theorem 1",
      .says = "the number of queries does not depend on d, up to logarithms, kappa = 20",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 2e8 } },
      .window = { { 0 }, { 16, 1024, 4, 8 }, { 16, 1024, 4, 16 } },
      LAW(0, -0.25, 0.25),
      .control = { .with = { { "algo.c", 76.2, -2.0 / 3 } },
                   .why = "a constant that falls as d^(2/3)" } },

    { .id = "resque/parallel.thm1.total.d", .item = "C13 E6", EPOCHS, SIGNED, .axis = "d",
      .remark = "Declared after the first run of thm1.cost.d: another control.",
      .cite = CITE "Theorem 1",
      .says = "the number of queries does not depend on d, up to logarithms, kappa = 20",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 2e8 } },
      .window = { { 0 }, { 16, 1024, 4, 8 }, { 16, 1024, 4, 16 } },
      LAW(0, -0.25, 0.25),
      .control = { .algo = "sgd",
                   .with = { { "goal.T", 400 }, { "goal.n", 400, 1 }, { "algo.B", 1, 1 } },
                   .why = "SGD in batches of d" } },

    { .id = "resque/parallel.thm2.cost.kappa", .item = "C15 E6", STAGES, SIGNED, KAPPA,
      .remark = "Declared after the first run of thm2.queries.kappa, whose control asks for more than "
                "it may spend. kappa^2.07 in the band; the control bends, from slope 2.7 to 3.4. "
                "thm2.spent.kappa has one that is farther.",
      .cite = CITE "Theorem 2",
      .says = "kappa^2 queries, up to logarithms",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, { "goal.acc", 1, -1 }, { "goal.n", 2e5, 2 }, { "problem.d", 16 } },
      .window = { { 0 }, { 0 }, { 5, 60, 5, 8 } },
      LAW(2, 1.7, 2.3),
      .control = { .with = { { "algo.c", 2, 1 } }, .why = "a constant that grows as kappa: kappa^3" } },

    { .id = "resque/parallel.thm2.spent.kappa", .item = "C15 E6", STAGES, SIGNED, KAPPA,
      .remark = "Declared after the first run of thm2.cost.kappa: another control.",
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

