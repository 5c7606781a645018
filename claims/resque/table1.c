/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table1.c - claims of the rows of Table 1 whose methods ask for stochastic gradients: SGD, randomised smoothing as
 * published, and models of the gradient in whole balls.
 *
 * A claim with "hit" in its id counts the rounds until the excess is eps for the first time; every round is
 * measured. A number of rounds that a method prescribes is a formula: it is checked as a count, not by an
 * exponent. */
#include "resque.h"

static double shrinking_rounds(const struct env *e)
{
    return ceil(20 * sqrt(sqrt(e->facts->d)) * kappa_of(e));
}

static double shrinking_queries(const struct env *e)
{
    double T = shrinking_rounds(e), kappa = kappa_of(e);
    return T * ceil(100 * kappa * kappa / T);
}

static double thrice_the_rounds(const struct env *e) { return 3 * shrinking_rounds(e); }

static double pooled_queries(const struct env *e)
{
    double kappa = kappa_of(e), d = e->facts->d;
    return env_count(e, COUNT_batch_steps) * ceil(d * kappa * kappa * fmax(1, log(d * kappa)));
}

static double as_many_as_queries(const struct env *e) { return env_count(e, COUNT_sample_grads); }

static double one_quarter(const struct env *e) { return 0.25; }

#define SHRINKING .algo = "shrinking-smoothing"
#define POOLED .algo = "ball-accel-pooled"
#define SMOOTHED .algo = "randomised-smoothing", SIGNED, REACHED, .measure = "batch_steps"
#define DUCHI "Duchi, Bartlett, Wainwright 2012"
#define SHRINKING_CONTROL                                                                        \
    { .algo = "shrinking-smoothing", .with = { { "goal.n", 3e4, 2 } },                            \
      .why = "randomised smoothing: kappa" }

const struct claim resque_table1[] = {
    { .id = "resque/parallel.sgd.hit.kappa", .item = "C17 E8 B1 H2",
      .algo = "sgd", ON_NORM, KAPPA, HITS,
      .remark = "The start is a whole number of steps away from c, so that rounding decides "
                "whether the iterates turn on c or pass beside it: their mean ends at about eps "
                "or eps/2, and comes to eps between kappa^2/2 and kappa^2, or not at all.",
      .cite = CITE "Table 1",
      .says = "SGD comes to eps after order kappa^2 rounds, on a norm too",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .with = { { "problem.d", 16 }, { "goal.acc", 1, -1 }, SGD_BUDGET, EVERY },
      .window = { { 5, 40, 4, 4 }, { 5, 40, 4, 8 }, { 5, 160, 6, 8 } },
      LAW(2, 1.8, 2.2), .control = SHRINKING_CONTROL,
      PLAIN_SGD },

    { .id = "resque/parallel.sgd.hit.B", .item = "C17 B1 E14",
      .algo = "sgd", SIGNED, .axis = "B", HITS,
      .cite = CITE "Section 1.1",
      .says = "larger batches do not lower the depth of SGD: rounds until eps with batches of B, "
              "kappa = 10",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .with = { HALF, { "problem.d", 64 }, { "goal.acc", 0.1 }, { "goal.T", 100 },
                { "algo.B", 1, 1 }, EVERY },
      .window = { { 1, 64, 3, 8 }, { 1, 64, 4, 16 }, { 1, 1024, 6, 32 } },
      LAW(0, -0.1, 0.1),
      .control = { .with = { { "algo.step", 0.1, 0.25 } },
                   .why = "a step that grows with the batch" },
      PLAIN_SGD },

    { .id = "resque/parallel.coin.error.kappa", .item = "H11 E14",
      .algo = "sgd", .problem = "coins", KAPPA,
      .cite = CITE "Section 1.1",
      .says = "kappa^2/64 queries do not tell the sign of a coin of bias 4/kappa: the error is "
              "above eps with "
              "probability 1/4 or more",
      .kind = KIND_THEOREM, .check = CHECK_LAW, .sense = SENSE_AT_LEAST, .measure = "excess",
      .with = { { "problem.d", 1 }, { "problem.bias", 4, -1 }, { "goal.acc", 1, -1 },
                { "goal.T", 1.0 / 64, 2 } },
      .window = { { 16, 64, 3, 64 }, { 16, 256, 3, 128 }, { 16, 1024, 4, 256 } },
      .threshold = accuracy, .formula = one_quarter,
      .control = { .with = { { "goal.T", 4, 2 } }, .why = "4 kappa^2 queries" },
      .tests = "none", .tests_none = "a lower bound for every method" },

    { .id = "resque/parallel.shrinking.excess.kappa", .item = "C17 E8 B2 H3",
      SHRINKING, SIGNED, KAPPA,
      .cite = DUCHI,
      .says = "E f(x_T) - f* <= 10 L R d^(1/4)/T + 5 L R/sqrt(T m) = eps",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { HALF, ACCURATE, { "problem.d", 64 } },
      .window = { { 5, 20, 3, 8 }, { 5, 40, 4, 16 }, { 5, 80, 5, 16 } },
      .formula = accuracy, .control = { .with = { { "algo.T", 2 } }, .why = "two rounds" } },

    { .id = "resque/parallel.shrinking.rounds.d", .item = "C17 E8 B2",
      SHRINKING, ON_NORM, .axis = "d",
      .cite = DUCHI,
      .says = "ceil(20 d^(1/4) kappa) rounds, kappa = 10",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true, .measure = "batch_steps",
      .with = { { "goal.acc", 0.1 }, { "goal.n", 1e6 } },
      .window = { { 16, 256, 3, 1 }, { 16, 1024, 4, 1 }, { 16, 4096, 5, 1 } },
      .formula = shrinking_rounds,
      .control = { .algo = "randomised-smoothing",
                   .why = "one blur for all rounds: ceil(48^(1/2) d^(1/4) kappa)" },
      REACHED, WHOLE_SMOOTHING },

    { .id = "resque/parallel.shrinking.queries.kappa", .item = "C17 E8 B2",
      SHRINKING, ON_NORM, KAPPA,
      .cite = DUCHI,
      .says = "T ceil(100 kappa^2/T) queries: order d^(1/4) kappa + kappa^2",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true, .measure = "sample_grads",
      .with = { { "problem.d", 16 }, ACCURATE },
      .window = { { 2.5, 20, 4, 1 }, { 2.5, 40, 5, 1 }, { 2.5, 80, 6, 1 } },
      .formula = shrinking_queries,
      .control = { .with = { { "algo.m", 1 } }, .why = "one query a round" },
      REACHED, WHOLE_SMOOTHING },

    { .id = "resque/parallel.shrinking.depth.kappa", .item = "C17 E7 B2 1.1",
      SHRINKING, ON_NORM, KAPPA,
      .cite = CITE "Table 1",
      .says = "its computational depth is of the order of its rounds: three vector operations each",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true, .measure = "depth",
      .with = { { "problem.d", 16 }, ACCURATE },
      .window = { { 2.5, 20, 4, 1 }, { 2.5, 40, 5, 1 }, { 2.5, 80, 6, 1 } },
      .formula = thrice_the_rounds,
      .control = { .algo = "ball-accel-epoch-sgd", .why = "as deep as it has queries" },
      REACHED, WHOLE_SMOOTHING },

    { .id = "resque/parallel.shrinking.hit.d", .item = "C17 E8 B2",
      SHRINKING, ON_NORM, .axis = "d", HITS,
      .cite = CITE "Table 1",
      .says = "rounds until eps over those of SGD: d^(1/4), kappa = 20",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .with = { { "goal.acc", 0.05 }, { "goal.n", 2e5 }, EVERY },
      .window = { { 16, 256, 3, 4 }, { 16, 1024, 4, 8 }, { 16, 4096, 5, 8 } },
      LAW(0.25, 0.125, 0.375),
      .than = { .algo = "sgd", .with = { { "goal.n", 400 } }, .why = "SGD: no dimension" },
      .control = { .algo = "sgd", .with = { { "goal.n", 400 } }, .why = "SGD itself" } },

    { .id = "resque/parallel.pooled.excess.kappa", .item = "C17 B3 E12", POOLED, SIGNED, KAPPA,
      .cite = "Bubeck, Jiang, Lee, Li, Sidford 2019",
      .says = "E f(x) - f* <= eps with models of the gradient from d kappa^2 ln(d kappa) queries "
              "a round",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "excess",
      .with = { HALF, { "problem.d", 8 }, { "goal.acc", 1, -1 }, { "goal.n", 1e9 } },
      .window = { { 4, 8, 2, 4 }, { 4, 8, 3, 8 }, { 4, 16, 5, 16 } },
      .formula = accuracy, .control = { .with = { { "algo.rounds", 1 } }, .why = "one round" } },

    { .id = "resque/parallel.pooled.queries.kappa", .item = "C17 B3 E12", POOLED, SIGNED, KAPPA,
      .cite = CITE "Table 1",
      .says = "ceil(d kappa^2 ln(d kappa)) queries in every round: d^(4/3) kappa^(8/3) in all",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .measure = "sample_grads",
      .with = { HALF, { "problem.d", 8 }, { "goal.acc", 1, -1 }, { "goal.n", 1e9 } },
      .window = { { 4, 8, 2, 2 }, { 4, 8, 3, 4 }, { 4, 16, 5, 4 } },
      .formula = pooled_queries,
      .control = { .with = { { "algo.c", 2 } }, .why = "twice as many" },
      REACHED, .tests = "none", .tests_none = "a number of queries that the method is given" },

    { .id = "resque/parallel.pooled.near.kappa", .item = "C17 B3 E12 E7", .attempt = 2, .fresh = true, POOLED,
      SIGNED,
      KAPPA,
      .remark = "The steps are those of AC-SA on the model, so that the depth is far below what the "
                "table has for steps of high order.",
      .cite = CITE "Table 1",
      .says = "computational depth at most the number of queries, d^(4/3) kappa^(8/3)",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "depth",
      .with = { HALF, { "problem.d", 8 }, { "goal.acc", 1, -1 }, { "goal.n", 1e9 }, { "algo.c", 0.3 } },
      .window = { { 0 }, { 4, 8, 3, 8 }, { 4, 16, 5, 16 } },
      .formula = as_many_as_queries,
      .control = { .with = { { "algo.c", 1e-3 } }, .why = "models of a few queries" },
      REACHED, .tests = "none", .tests_none = "what Table 1 allows, which is no promise of less" },

    { .id = "resque/parallel.boundary.sgd.kappa", .item = "E10", EPOCHS, ON_NORM, KAPPA, HITS,
      .cite = CITE "Table 1",
      .says = "beyond kappa = 40 ball acceleration needs fewer rounds until eps than SGD, d = 16",
      .kind = KIND_EXTENSION, .check = CHECK_ORDER,
      .with = { { "problem.d", 16 }, ACCURATE, SEARCHED, EVERY },
      .window = { { 0 }, { 40, 80, 3, 8 }, { 40, 160, 3, 8 } },
      .than = { .algo = "sgd", .with = { SGD_BUDGET }, .why = "SGD" },
      .control = { .algo = "sgd", .with = { SGD_BUDGET, { "algo.c", 0.5 } },
                   .why = "SGD with half the step" },
      .tests = "none", .tests_none = "two methods are compared as wholes" },

    { .id = "resque/parallel.shrinking.late.diagonal", .item = "C17 E9 B2 H1", .attempt = 2, SHRINKING, DIAGONAL,
      .cite = CITE "Table 1",
      .says = "d^(1/4) kappa rounds until eps: kappa^(3/2) on the diagonal",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .with = { DIAGONAL_WITH },
      .window = { { 0 }, { 12, 48, 4, 8 }, { 12, 96, 5, 8 } },
      LAW(1.5, 1.3, 1.7), .control = SGD_CONTROL },

    { .id = "resque/parallel.shrinking.maximum.kappa", .item = "C17 E8 B2 H1", .attempt = 2,
      SHRINKING, KAPPA, HITS,
      .cite = CITE "Table 1",
      .says = "order kappa rounds until eps on the maximum of (kappa/1.5)^2 coordinates, d = 576",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .problem = "coercive_max",
      .with = { { "problem.d", 576 }, { "problem.m", .of = diagonal }, ACCURATE, EVERY },
      .window = { { 0 }, { 6, 36, 4, 8 }, { 6, 36, 6, 16 } },
      LAW(1, 0.8, 1.2), .control = SGD_CONTROL },

    /* All rounds smooth with the same radius. The accuracy determines the number of rounds, so the claim also asks
     * that runs reach this accuracy. */
    { .id = "resque/parallel.smoothing.narrow.kappa", .item = "C17 E8 B2", .attempt = 3, .fresh = true, SMOOTHED,
      KAPPA,
      .cite = CITE "Table 1",
      .says = "accelerated randomised smoothing reaches eps in order kappa rounds, d = 16",
      .kind = KIND_TABLE, .check = CHECK_RATE, .with = { HALF, ACCURATE, { "problem.d", 16 } },
      .window = { { 0 }, { 10, 80, 4, 8 }, { 10, 160, 5, 16 } },
      LAW(1, 0.9, 1.1), WHOLE_SMOOTHING, .control = SGD_CONTROL },

    { .id = "resque/parallel.smoothing.reached.d", .item = "C17 E8 B2", .attempt = 2, .fresh = true, SMOOTHED,
      .axis = "d",
      .cite = CITE "Table 1",
      .says = "accelerated randomised smoothing reaches eps in order d^(1/4) rounds, kappa = 20",
      .kind = KIND_TABLE, .check = CHECK_RATE, .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 1e6 } },
      .window = { { 0 }, { 16, 1024, 4, 8 }, { 16, 4096, 5, 16 } },
      LAW(0.25, 0.21, 0.29), WHOLE_SMOOTHING,
      .control = { .algo = "sgd", .with = { { "goal.n", 400 } }, .why = "SGD: no dimension" } },

    { .id = "resque/parallel.sgd.maximum.d", .item = "C17 E8 B1 H1", .attempt = 2,
      .algo = "sgd", .axis = "d", HITS,
      .cite = CITE "Table 1",
      .says = "SGD does not see the dimension: rounds until eps on the maximum of 64 coordinates, "
              "kappa = 12",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .problem = "coercive_max",
      .with = { { "problem.m", 64 }, { "goal.acc", 1.0 / 12 }, { "goal.n", 144 }, EVERY },
      .window = { { 64, 1024, 3, 8 }, { 64, 4096, 4, 8 }, { 64, 16384, 5, 8 } },
      LAW(0, -0.1, 0.1),
      .control = { .algo = "shrinking-smoothing", .with = { { "goal.n", 1e5 } },
                   .why = "randomised smoothing: d^(1/4)" },
      PLAIN_SGD },

    /* From kappa = 40 on the minimisers of most rounds are at the borders of their balls. c = 0.001 makes few
     * queries in a round, which does not change the number of rounds. */
    { .id = "resque/parallel.pooled.later.kappa", .item = "C17 B3 E12", .attempt = 5, .fresh = true, POOLED,
      SIGNED, KAPPA, REACHED,
      .remark = "Predicted: 6 core-minutes; nearest rival at 1/3, log-sd of a run 0.03, 15 s a run at kappa = 640.",
      .cite = CITE "Table 1",
      .says = "d^(1/3) kappa^(2/3) batches, line searches included, d = 4",
      .kind = KIND_TABLE, .check = CHECK_RATE, .measure = "batch_steps",
      .with = { { "problem.p", 0.9 }, { "problem.d", 4 }, { "goal.acc", 1, -1 }, { "goal.n", 1e10 },
                { "algo.c", 0.001 } },
      .window = { { 0 }, { 0 }, { 160, 640, 3, 8 } },
      LAW(2.0 / 3, 0.5, 5.0 / 6), .control = SGD_CONTROL,
      .tests = "none", .tests_none = "an entry of Table 1: the method is measured as a whole" },

    { 0 }
};

