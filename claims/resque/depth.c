/* SPDX-License-Identifier: GPL-3.0-or-later */
/* depth.c - claims of Theorems 1 and 2: accuracy, query depth, number of queries, computational depth.
 *
 * A ball binds if the minimiser of its proximal problem is at its border. Where no ball binds, every round has the
 * least penalty, lam_min, and the number of rounds follows from it by a formula, with nothing to measure. So depth
 * is measured on the noisy 1-norm, where balls bind in most rounds. A claim with .tests = "ball" checks this by the
 * note `binding` of its runs. The depth claims ask that nine runs of ten reach the accuracy. Their control has a
 * penalty of lam = 2L/r in every round, so that no ball binds: it makes d^(1/4) kappa rounds. Its ball oracles have
 * an accuracy of lam r^2/kappa or better, so that their errors over so many rounds add up to less than R.
 *
 * Depth depends on kappa and d only, while the number of queries also depends on the noise of gradients. To make
 * few queries, the gradients have the right signs in 95% of the samples (p = 0.9), and algo.c, the factor of the
 * number of queries, is 1.5 in place of the default 12: with so little noise runs still reach eps.
 *
 * A line search halves an interval until it has found the penalty. How many calls this takes depends on where in
 * the interval the penalty lies; the claim prop1.searched bounds their number. The line searches of AC-SA are
 * reliable in 64 dimensions if algo.c >= 6, so that the claims of AC-SA along d have 6, or the default. The
 * settings were chosen after single runs at most points of the windows. Therefore the claims count as later
 * attempts. */
#include "resque.h"

#define BINDING_AT SIGNED, REACHED
#define MOSTLY_RIGHT { "problem.p", 0.9 }, { "algo.c", 1.5 }
#define STAGES_KAPPA BINDING_AT, KAPPA, .with = { MOSTLY_RIGHT, ACCURATE, { "problem.d", 16 } }, \
                     .window = { { 0 }, { 0 }, { 60, 240, 3, 32 } }
/* For the full profile only: a run of AC-SA at kappa = 320 takes 12 s, more than a cell of the nightly profile may
 * take. */
#define WHOLE_KAPPA BINDING_AT, KAPPA, .with = { MOSTLY_RIGHT, ACCURATE, { "problem.d", 16 } }, \
                    .window = { { 0 }, { 0 }, { 40, 320, 4, 16 } }
#define LATER_KAPPA BINDING_AT, KAPPA, .with = { MOSTLY_RIGHT, ACCURATE, { "problem.d", 16 } }, \
                    .window = { { 0 }, { 80, 320, 3, 8 }, { 80, 640, 4, 8 } }
#define DEPTH_D BINDING_AT, .axis = "d", .with = { MOSTLY_RIGHT, { "goal.acc", 1.0 / 160 }, { "goal.n", 1e10 } }, \
                .window = { { 0 }, { 4, 64, 3, 8 }, { 4, 256, 4, 8 } }
/* The window has the points d = 4, 32 and 256, because from one to the next a call of EpochSGD has one whole epoch
 * less. */
#define EPOCHS_D BINDING_AT, .axis = "d", .with = { MOSTLY_RIGHT, { "goal.acc", 1.0 / 160 }, { "goal.n", 1e10 } }, \
                 .window = { { 0 }, { 0 }, { 4, 256, 3, 16 } }
#define DEPTH_D_STAGES BINDING_AT, .axis = "d", \
                       .with = { { "problem.p", 0.9 }, { "algo.c", 6 }, { "goal.acc", 1.0 / 80 }, \
                                 { "goal.n", 1e10 } }, \
                       .window = { { 0 }, { 0 }, { 4, 256, 4, 8 } }
#define DEPTH_DIAGONAL(reps) BINDING_AT, KAPPA, .with = { MOSTLY_RIGHT, ACCURATE, { "problem.d", 1, 1 } }, \
                       .window = { { 0 }, { 0 }, { 32, 256, 4, reps } }

#define NO_BALL(kappa, power, growth) \
    .control = { .with = { { "algo.c_lam", 1e6 }, { "algo.c_search", kappa, power }, \
                           { "algo.c_optimise", kappa, power }, { "algo.c_prox", kappa, power } }, \
                 .why = "a penalty of 2L/r, at which no ball binds: " growth }
/* NO_BALL for claims of EpochSGD along kappa. Its calls have the accuracy lam r^2/(4 kappa): with a coarser one a
 * call at kappa = 16 would end before its first epoch. */
#define SLOWLY(growth) NO_BALL(4, 1, growth)
#define SLOWLY_STAGES(growth) NO_BALL(1, 1, growth)
#define SLOWLY_AT(kappa, growth) NO_BALL(kappa, 0, growth)
/* A control whose computational depth is its number of queries. */
#define QUERY_BY_QUERY { .algo = "ball-accel-epoch-sgd", .with = { { "algo.c", 1.5 } }, \
                         .why = "EpochSGD, as deep as it has queries" }

/* Returns the bound on the number of batches with the constants of the proofs: two in each of 2 (lam A)^(1/2)
 * rounds, where lam = 2L/r, r = eps/(2L sqrt(d)) and A = 6 R^2/eps. */
static double literal_batches(const struct env *e)
{
    return 4 * sqrt(24 * sqrt(e->facts->d)) * kappa_of(e);
}

const struct claim resque_depth[] = {
    { .id = "resque/parallel.thm1.excess.kappa", .item = "C8 C12 3.5 8.8", EPOCHS, SIGNED, KAPPA,
      .cite = CITE "Theorem 1",
      .says = "E f(x) - f* <= eps = L R/kappa, practical constants, levels on",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { HALF, ACCURATE, { "problem.d", 64 } },
      .window = { { 5, 10, 2, 8 }, { 5, 20, 3, 16 }, { 5, 40, 4, 32 } },
      .formula = accuracy, .tests = "none", TWO_ROUNDS_REASON,
      .control = { .with = { { "algo.rounds", 2 } }, .why = "two rounds" } },

    /* With the default c = 12 the excess of AC-SA is a tenth of eps, which tests little. Here c = 1.5 makes AC-SA
     * less accurate. */
    { .id = "resque/parallel.thm2.near.kappa", .item = "C8 C14 3.5 8.8", .attempt = 2, .fresh = true, STAGES,
      SIGNED, KAPPA,
      .cite = CITE "Theorem 2",
      .says = "E f(x) - f* <= eps = L R/kappa, practical constants, levels on",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { HALF, ACCURATE, { "problem.d", 64 }, { "algo.c", 1.5 } },
      .window = { { 5, 10, 2, 8 }, { 5, 20, 3, 16 }, { 5, 40, 4, 32 } },
      .formula = accuracy, .tests = "none", TWO_ROUNDS_REASON,
      .control = { .with = { { "algo.rounds", 2 } }, .why = "two rounds" } },

    { .id = "resque/parallel.literal.excess.kappa", .item = "C8 6.2", EPOCHS, SIGNED, KAPPA,
      .cite = CITE "Theorem 1",
      .says = "E f(x) - f* <= eps with every constant of the proofs, which is 10^9 queries in four "
              "coordinates already",
      .remark = "Predicted: 1.1e9 queries a run, 20 core-minutes.",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { HALF, { "problem.d", 4 }, { "goal.acc", 1, -1 }, { "goal.n", 1e12 },
                { "goal.constants", .text = "theory" } },
      .window = { { 0 }, { 0 }, { 4, 4, 1, 8 } },
      .formula = accuracy, .tests = "none", .tests_none = "with the constants of the proofs no ball binds",
      .control = { .with = { { "algo.rounds", 2 } }, .why = "two rounds" } },

    { .id = "resque/parallel.literal.batches.diagonal", .item = "C8 6.2", EPOCHS, SIGNED, KAPPA,
      .cite = CITE "Theorem 1",
      .says = "in count mode, with every constant of the proofs: at most 4 (24)^(1/2) d^(1/4) kappa batches where "
              "d = kappa, two in each of 2 (lam A)^(1/2) rounds, lam = 2L/r, A = 6 R^2/eps",
      .remark = "lam_min with log^2 kappa is above 2L/r, so that no ball binds and the law is that of the penalty "
                "2L/r. Queries: 4.3e8, 1.1e9 and 2.0e9 at kappa = d = 2, 4 and 8.",
      .kind = KIND_EVIDENCE, .check = CHECK_BOUND, .deterministic = true, .measure = "batch_steps",
      .with = { HALF, COUNT, { "problem.d", 1, 1 }, { "goal.acc", 1, -1 }, { "goal.n", 1e12 },
                { "goal.constants", .text = "theory" } },
      .window = { { 0 }, { 2, 8, 3, 1 }, { 2, 8, 3, 1 } },
      .formula = literal_batches,
      .control = { .with = { { "algo.c_A", 12 } }, .why = "four times the A: twice the rounds" } },

    /* --- query depth: the number of batches of queries. An iteration of ball acceleration, counted as note.rounds,
     * makes a line search, which takes one or more batches. */
    { .id = "resque/parallel.thm1.later.kappa", .item = "C12 E4", .attempt = 5, .fresh = true, EPOCHS, LATER_KAPPA,
      .cite = CITE "Theorem 1",
      .says = "d^(1/3) kappa^(2/3) batches, line searches included, d = 16",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "batch_steps",
      LAW(2.0 / 3, 0.5, 5.0 / 6), .tests = "ball", SLOWLY("kappa") },

    { .id = "resque/parallel.thm1.binding.d", .item = "C12 E5", .attempt = 4, .fresh = true, EPOCHS, DEPTH_D,
      .cite = CITE "Theorem 1",
      .says = "d^(1/3) kappa^(2/3) batches, line searches included, kappa = 160",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "batch_steps",
      LAW(1.0 / 3, 1.0 / 3 - 1.0 / 24, 1.0 / 3 + 1.0 / 24), .tests = "ball", SLOWLY_AT(160, "d^(1/4)") },

    { .id = "resque/parallel.thm1.even.diagonal", .item = "C12 E9", .attempt = 6, .fresh = true, EPOCHS,
      DEPTH_DIAGONAL(16),
      .cite = CITE "Theorem 1",
      .says = "kappa batches where d = kappa",
      .remark = "8 replicates had kappa^1.1 (1.08 to 1.13): the nearest rival at 1/4, log-sd of a run 0.02, 17 s a "
                "run at kappa = 256, 128 cells 12 core-minutes.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "batch_steps",
      LAW(1, 0.875, 1.125), .tests = "ball", SLOWLY("kappa^(5/4)") },

    /* This claim counts rounds; the calls of line searches within a round are not counted. */
    { .id = "resque/parallel.thm1.turns.diagonal", .item = "C12 E9", .attempt = 5, .fresh = true, EPOCHS,
      DEPTH_DIAGONAL(8),
      .cite = CITE "Theorem 1",
      .says = "kappa rounds where d = kappa",
      .remark = "kappa = 32 to 128 had kappa^1.14 (1.09 to 1.19): the nearest rival at 1/4, log-sd of a run 0.02, "
                "8 s a run at kappa = 128, 64 cells 11 core-minutes.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "note.rounds",
      LAW(1, 0.875, 1.125), .tests = "ball", SLOWLY("kappa^(5/4)") },

    { .id = "resque/parallel.thm2.whole.kappa", .item = "C14 E4", .attempt = 6, .fresh = true, STAGES,
      WHOLE_KAPPA,
      .cite = CITE "Theorem 2",
      .says = "d^(1/3) kappa^(2/3) batches, line searches included, d = 16",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "batch_steps",
      LAW(2.0 / 3, 0.5, 5.0 / 6), .tests = "ball", SLOWLY_STAGES("kappa") },

    { .id = "resque/parallel.thm2.binding.d", .item = "C14 E5", .attempt = 4, .fresh = true, STAGES, DEPTH_D_STAGES,
      .cite = CITE "Theorem 2",
      .says = "d^(1/3) kappa^(2/3) batches, line searches included, kappa = 80",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "batch_steps",
      LAW(1.0 / 3, 1.0 / 3 - 1.0 / 24, 1.0 / 3 + 1.0 / 24), .tests = "ball", SLOWLY_AT(80, "d^(1/4)") },

    /* --- computational depth, measured in the cells that the claims of query depth run */
    { .id = "resque/parallel.thm1.serial.kappa", .item = "C13 E7", .attempt = 5, .fresh = true, EPOCHS, LATER_KAPPA,
      .cite = CITE "Theorem 1",
      .says = "computational depth of as many operations as queries: kappa^2, d = 16",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "depth",
      LAW(2, 1.7, 2.3), .tests = "none", .tests_none = "EpochSGD goes query by query: no mechanism lowers this "
                                                       "depth",
      .control = { .algo = "randomised-smoothing", .why = "randomised smoothing, as deep as it has rounds: "
                                                          "kappa" } },

    { .id = "resque/parallel.thm1.level.d", .item = "C13 E7", .attempt = 5, .fresh = true, EPOCHS, EPOCHS_D,
      .cite = CITE "Theorem 1",
      .says = "computational depth of as many operations as queries: constant in d, kappa = 160",
      .remark = "Predicted: 10 core-minutes; the nearest rival at 1/4, log-sd of a run 0.05, 17 s a run at d = "
                "256, 96 cells.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "depth",
      LAW(0, -0.125, 0.125), .tests = "none", .tests_none = "EpochSGD goes query by query: no mechanism lowers "
                                                            "this depth",
      .control = { .algo = "randomised-smoothing", .why = "randomised smoothing, as deep as it has rounds: "
                                                          "d^(1/4)" } },

    { .id = "resque/parallel.thm2.firm.kappa", .item = "C16 E7", .attempt = 7, .fresh = true, STAGES,
      STAGES_KAPPA,
      .remark = "8 replicates had kappa^0.935 (0.829 to 1.04): the nearest rival at 1/3, log-sd of a run 0.1, 5 s "
                "a run at kappa = 240, 192 cells 8 core-minutes.",
      .cite = CITE "Theorem 2",
      .says = "computational depth d^(1/4) kappa: K (1 + 2 kappa/sqrt(K))^(1/2) at d = 16",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "depth",
      LAW(1, 0.85, 1.1), .tests = "stages", .control = QUERY_BY_QUERY },

    /* The control is EpochSGD, whose depth is its number of queries: as in the claim thm1.wide.d, it loses one
     * epoch a call where d grows by a factor of 8. */
    { .id = "resque/parallel.thm2.paired.d", .item = "C16 E7", .attempt = 7, .fresh = true, STAGES, BINDING_AT,
      .axis = "d",
      .cite = CITE "Theorem 2",
      .says = "computational depth d^(1/4) kappa: K (1 + 2 kappa/sqrt(K))^(1/2) at kappa = 80",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "depth",
      .with = { { "problem.p", 0.9 }, { "algo.c", 6 }, { "goal.acc", 1.0 / 80 }, { "goal.n", 1e10 } },
      .window = { { 0 }, { 0 }, { 4, 256, 3, 16 } },
      LAW(0.25, 0.22, 0.294), .tests = "stages", .control = QUERY_BY_QUERY },

    /* --- number of queries
     *
     * About the claim thm1.cost.kappa. A call of EpochSGD makes whole epochs, so that its number of queries grows
     * by steps as its budget grows. The steps would not disturb a fitted power if the budget grew by a power of two
     * from each point to the next. But at the penalty lam_min the budget is proportional to kappa^(4/3), and in the
     * first control to kappa^(8/3). From the first to the last point of the nightly window it grows by 2^4 and 2^8,
     * but between neighbours by 2^(4/3) and 2^(8/3), so that the steps disturb the points between the first and the
     * last.
     *
     * The second control does not reuse queries: it builds models of the gradient that hold in a whole ball. It
     * makes a hundredth of the queries that correct models need, which does not change the exponent. */
    { .id = "resque/parallel.thm1.cost.kappa", .item = "C13 E6 H3", .attempt = 2, EPOCHS, SIGNED, KAPPA, REACHED,
      .cite = CITE "Theorem 1",
      .says = "kappa^2 queries, up to logarithms",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, ACCURATE, { "problem.d", 16 } },
      .window = { { 0 }, { 5, 40, 4, 8 }, { 5, 80, 5, 16 } },
      LAW(2, 1.7, 2.3), .tests = "reuse",
      .control = { .with = { { "algo.c", 0.351, 4.0 / 3 } },
                   .why = "a constant that grows as kappa^(4/3): kappa^(10/3)" },
      .control2 = WHOLE_BALLS(0.01, "kappa^(8/3)") },

    /* The number of queries of one call of EpochSGD falls about as d^(-1/3): when d grows by a factor of 8, a call
     * has one epoch less. */
    { .id = "resque/parallel.thm1.wide.d", .item = "C13 E6", .attempt = 5, .fresh = true, EPOCHS, SIGNED,
      .axis = "d", REACHED, .cite = CITE "Theorem 1",
      .says = "the number of queries does not depend on d, up to logarithms, kappa = 20",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 2e8 } },
      .window = { { 0 }, { 4, 256, 3, 8 }, { 4, 256, 3, 32 } },
      LAW(0, -0.25, 0.25), .tests = "reuse", .control = WHOLE_BALLS(0.0005, "d^(4/3)") },

    { .id = "resque/parallel.thm2.spent.kappa", .item = "C15 E6", .attempt = 3, STAGES, SIGNED, KAPPA, REACHED,
      .cite = CITE "Theorem 2",
      .says = "kappa^2 queries, up to logarithms",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      .with = { HALF, { "goal.acc", 1, -1 }, { "goal.n", 2e5, 2 }, { "problem.d", 16 } },
      .window = { { 0 }, { 5, 40, 4, 8 }, { 5, 60, 5, 8 } },
      LAW(2, 1.7, 2.3), .tests = "reuse",
      .control = { .with = { { "algo.c", 0.03, 2 } },
                   .why = "a constant that grows as kappa^2: kappa^4" },
      .control2 = WHOLE_BALLS(0.01, "kappa^(8/3)") },

    { .id = "resque/parallel.thm2.spread.d", .item = "C15 E6", .attempt = 4, .fresh = true, STAGES, QUERIES_D,
      .cite = CITE "Theorem 2",
      .says = "the number of queries does not depend on d, up to logarithms, kappa = 20",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "sample_grads",
      LAW(0, -0.25, 0.25), .tests = "reuse", .control = WHOLE_BALLS(0.01, "d^(4/3)") },

    /* --- Table 1: the number of batches of ball acceleration divided by that of randomised smoothing on the same
     * instance */
    { .id = "resque/parallel.binding.gain.kappa", .item = "C12 C17 E4 E8 B2", .attempt = 5, .fresh = true, EPOCHS,
      LATER_KAPPA,
      .cite = CITE "Table 1",
      .says = "batches over those of randomised smoothing: kappa^(2/3 - 1), d = 16",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "batch_steps",
      LAW(-1.0 / 3, -0.5, -1.0 / 6), .than = OVER_SMOOTHING, .tests = "ball", SLOWLY("no gain in kappa") },

    { .id = "resque/parallel.binding.gain.d", .item = "C12 C17 E5 E8 B2", .attempt = 4, .fresh = true, EPOCHS,
      DEPTH_D,
      .cite = CITE "Table 1",
      .says = "batches over those of randomised smoothing: d^(1/3 - 1/4), kappa = 160",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "batch_steps",
      LAW(1.0 / 12, 1.0 / 24, 1.0 / 8), .than = OVER_SMOOTHING, .tests = "ball", SLOWLY_AT(160, "no d at all") },

    /* --- claims on a maximum of d = m = (kappa/1.5)^2 coordinates. The excess of the start is 1.5 eps, and no
     * method whose points are in the span of its answers brings F below 0 in m rounds. No ball binds here. */
    { .id = "resque/parallel.sgd.narrow.diagonal", .item = "C17 E8 B1", .attempt = 3, .fresh = true, DIAGONAL,
      .algo = "sgd",
      .remark = "135, 338, 851 and 2141 rounds.",
      .cite = CITE "Table 1",
      .says = "SGD: kappa^2 rounds",
      .kind = KIND_TABLE, .check = CHECK_RATE,
      .with = { { "problem.d", .of = diagonal }, { "goal.acc", 1, -1 }, { "goal.n", 1, 2 },
                { "run.trace", 2 } },
      .window = { { 12, 48, 4, 8 }, { 12, 48, 4, 8 }, { 12, 96, 5, 8 } },
      LAW(2, 1.9, 2.1), PLAIN_SGD,
      .control = { .algo = "randomised-smoothing", .with = { { "goal.n", 3e4, 2 } },
                   .why = "accelerated randomised smoothing: kappa^(3/2)" } },

    { .id = "resque/parallel.smoothing.narrow.diagonal", .item = "C17 E8 E9 B2 H1", .attempt = 3, .fresh = true,
      DIAGONAL,
      .algo = "randomised-smoothing",
      .cite = CITE "Table 1",
      .says = "accelerated randomised smoothing: d^(1/4) kappa rounds, kappa^(3/2) on the diagonal",
      .kind = KIND_TABLE, .check = CHECK_RATE, .with = { DIAGONAL_WITH },
      .window = { { 12, 48, 4, 8 }, { 12, 48, 4, 8 }, { 12, 96, 5, 8 } },
      LAW(1.5, 1.5 - 1.0 / 12, 1.5 + 1.0 / 12), WHOLE_SMOOTHING, .control = SGD_CONTROL },

    { .id = "resque/parallel.span.steps.kappa", .item = "E14 B1 H1", .attempt = 2, DIAGONAL, .algo = "sgd",
      .cite = CITE "Section 1.1",
      .says = "mini-batches of 64 do not help: no method in the span of its answers comes to eps before "
              "m = d rounds",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT, .sense = SENSE_AT_LEAST, .deterministic = true,
      .with = { { "problem.d", .of = diagonal }, { "goal.acc", 1, -1 }, { "goal.T", 1, 2 },
                { "algo.B", 64 }, { "run.trace", 2 } },
      .window = { { 12, 48, 3, 1 }, { 12, 48, 3, 1 }, { 12, 96, 4, 1 } },
      .formula = coordinates, .tests = "none", .tests_none = "a lower bound for every method in the span of its "
                                                             "answers",
      .control = { .algo = "ball-accel-epoch-sgd", .with = { SEARCHED },
                   .why = "Gaussian queries leave the span" } },

    { 0 }
};
