/* SPDX-License-Identifier: GPL-3.0-or-later */
/* methods.c - claims about the methods that Accelerated-DP-SRGD is compared with: how fast the excess falls with
 * the number of rounds T, how it grows when there are too many, its least value, and the entries of Table 1 that
 * are about them. n is the number of samples, p the dimension, R the diameter of the feasible set, mu the parameter
 * of Gaussian privacy. */
#include "accelerated_dp_srgd.h"

static double four(const struct env *e) { return 4; }
static double log_n(const struct env *e) { return log(e->axis); }

/* Exact gradients, and batches of one sample. */
#define EXACT { "problem.s", 0 }, { "problem.d", 400 }, { "algo.B", 1 }
#define BEFORE_THE_FLOOR                                                                    \
    .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true,                       \
    .problem = "spectral", .axis = "T", .measure = "excess",                                \
    .window = { { 7, 255, 6, 1 }, { 7, 511, 7, 1 }, { 7, 1023, 8, 1 } }
#define ONE_OVER_T                                                                          \
    .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.8 },               \
    .control = { .algo = "accelerated-dp-srgd", .with = { { "algo.B", 1 } },                \
                 .why = "variant A: 1/T^2" }
#define PRIVATE_ROUNDS { "goal.eps", 1 }, { "goal.delta", 1e-6 }
/* Returns a fifth of L R (1/sqrt(n) + sqrt(p)/(mu n)), with mu for eps = 1 and delta = 10^-6. Methods whose step
 * lengths are those for the worst case still reach this excess. */
static double fifth(double n, const struct facts *f)
{
    return 0.2 * f->L * f->diameter * (1 / sqrt(n) + sqrt(f->d) / (gdp_mu(1, 1e-6) * n));
}
static double part_of_the_bound(const struct env *e) { return fifth(e->axis, e->facts); }
#define PART_OF_THE_BOUND { .measure = "excess", .of = part_of_the_bound, .probability = 1 }
#define COUNTED                                                                             \
    .kind = KIND_THEOREM, .problem = "spectral", .axis = "n", .deterministic = true
/* The claim is about the mean of the cost at which an excess of goal.acc is first reached. The mean is infinite if
 * one run never reaches it. */
#define ARRIVES(method, cost, e)                                                            \
    .kind = KIND_THEOREM, .problem = "spectral", .axis = "n", .check = CHECK_RATE,          \
    .algo = method, .measure = "hit." cost,                                                 \
    .law = { .form = LAW_POWER, .exponent = { e } }, .tests = "none",                       \
    .tests_none = "an entry of another method, which has nothing that could be switched off"
#define TO_A_FIFTH PRIVATE_ROUNDS, { "goal.acc", .of = fifth }
#define BATCHES_INSTEAD                                                                     \
    .control = { .algo = "dp-sgd",                                                          \
                 .with = { { "algo.mu", INFINITY }, { "goal.T", 8, 0.5 }, { "run.aggregate", 1 }, \
                           { "goal.acc", 0.2, -0.5 } },                                     \
                 .why = "batches, no noise, to 0.2/n^(1/2): n^(1/2)" }
/* For methods that run in phases and answer with the point of the last phase: the cost is that of the whole run. A
 * share `part` of the runs must reach twice the excess that is predicted for variant A (twice_the_order). */
#define WHOLE(method, cost, e, part)                                                        \
    .kind = KIND_THEOREM, .problem = "spectral", .axis = "n", .check = CHECK_RATE,          \
    .algo = method, .measure = cost, .law = { .form = LAW_POWER, .exponent = { e } },       \
    .reaches = { .measure = "excess", .of = twice_the_order, .probability = part },         \
    .tests = "none",                                                                        \
    .tests_none = "an entry of another method, which has nothing that could be switched off"
#define FULL_BATCHES .control = { .algo = "dp-gd", .why = "full batches: n^(5/4)" }

const struct claim accelerated_dp_srgd_methods[] = {
    { .id = "accelerated-dp-srgd/independent.thm5.13.excess.T", .item = "2.10 6.5",
      BEFORE_THE_FLOOR,
      .cite = CITE "Theorem 5.13, last term",
      .says = "independent batch gradients, exact here: F(y_T) - F* ~ 1/T^2",
      .algo = "accelerated-dp-sgd", .with = { EXACT, { "algo.kap_v", 0 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.2, -1.8 },
      .tests = "acceleration",
      .control = { .algo = "dp-sgd", .with = { { "algo.B", 1 } }, .why = "plain gradients: 1/T" } },

    { .id = "accelerated-dp-srgd/plain.sec4.3.excess.T", .item = "2.9 V20 6.5", BEFORE_THE_FLOOR,
      .cite = CITE "Section 4.3",
      .says = "unaccelerated SRGD, exact gradients: F - F* ~ 1/T",
      .algo = "dp-srgd", .with = { EXACT, { "algo.step", 0.5 } }, ONE_OVER_T,
      .tests = "none", .tests_none = "with exact gradients nothing of the method but descent is left" },

    { .id = "accelerated-dp-srgd/ftrl.sec4.excess.T", .item = "BL5 6.5", BEFORE_THE_FLOOR,
      .cite = CITE "Section 4",
      .says = "follow the regularised leader, exact gradients: F - F* ~ 1/T",
      .algo = "dp-ftrl", .with = { EXACT, { "algo.step", 0.5 } }, ONE_OVER_T,
      .tests = "none", .tests_none = "with exact gradients nothing of the method but descent is left" },

    { .id = "accelerated-dp-srgd/plain.sec4.3.arrive.n", .item = "2.9 V20", .attempt = 3, .fresh = true,
      .cite = CITE "Section 4.3",
      .says = "unaccelerated SRGD comes to order n^(-1/2) after n^(1/2) batch steps, in the median run",
      .remark = "The paper's argument bounds the variance of the recursive gradient by t B/n and so promises no "
                "fewer than order n rounds. That is an upper bound of the error: n^(1/2) are enough here.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .statistic = STAT_MEDIAN,
      .algo = "dp-srgd", .problem = "spectral", .axis = "n", .measure = "hit.batch_steps",
      .with = { { "goal.acc", 0.2, -0.5 }, { "run.aggregate", 1 }, { "goal.T", 8, 0.5 } },
      .window = { { 0 }, { 1e4, 1e8, 5, 32 }, { 1e4, 1e9, 6, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.38, 0.62 },
      .tests = "none", .tests_none = "the row is about the method without acceleration",
      .control = { .algo = "accelerated-dp-srgd", .with = { { "goal.T", 4, 0.25 } },
                   .why = "variant A: n^(1/4)" } },

    { .id = "accelerated-dp-srgd/ftrl.sec4.regret.most.T", .item = "BL5 6.5", .attempt = 3, .fresh = true,
      .cite = CITE "Section 4",
      .says = "DP-FTRL with the step of its regret, noise above L: the excess grows as log2(T + 1)^(1/2) at most",
      .remark = "The regret is R (L v/T)^(1/2), v the noise of a prefix sum, of order T log2(T + 1) at fixed n.",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "dp-ftrl", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "goal.n", 0x1p18 }, { "goal.T", .of = one_less }, { "goal.eps", 0.5 }, { "goal.delta", 1e-6 },
                { "problem.d", 64 } },
      .window = { { 0 }, { 2048, 32768, 5, 16 }, { 2048, 32768, 5, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 0.05 } }, .band = { -INFINITY, 0.15 },
      .tests = "tree",
      .control = { .with = { { "algo.noise", .text = "independent" } }, .why = "independent noise: T^(1/4)" } },

    { .id = "accelerated-dp-srgd/independent.sec4.best.private.mu", .item = "V11", .attempt = 3, .fresh = true,
      .cite = CITE "Section 4",
      .says = "at the best number of rounds, independent noise: the error is of order a^(4/5), "
              "a = L sqrt(p)/(mu n)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-sgd", .problem = "spectral", .axis = "mu", .measure = "excess",
      .with = { { "goal.n", 4e6 }, { "problem.d", 256 }, { "problem.s", 0.01 } },
      .search = { .kind = SEARCH_SMALLEST, .name = "goal.T", .from = 4, .to = 128, .points = 11, .reps = 2 },
      .window = { { 0 }, { 0.0033, 0.1, 5, 16 }, { 0.0033, 0.1, 5, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -0.8 } }, .band = { -0.9, -0.734 },
      .tests = "noise", .control = { .with = { { "algo.mu", INFINITY } }, .why = "no noise" },
      .control2 = { .algo = "accelerated-dp-srgd", .with = { { "algo.kap_2", 0.5 }, { "algo.kap_p", 64 } },
                    .why = "tree noise: a" } },

    { .id = "accelerated-dp-srgd/independent.thm5.13.excess.n", .item = "O-21 2.10",
      .cite = CITE "Theorem 5.13",
      .says = "independent gradients err by 1/(B beta), not 1/(sqrt(B) beta): with the beta "
              "that the former balances, E F(y_T) - F* ~ n^(-1/2) in 2 n^(1/4) rounds",
      .kind = KIND_ERRATUM, .check = CHECK_RATE,
      .algo = "accelerated-dp-sgd", .problem = "spectral", .axis = "n", .measure = "excess",
      .with = { { "goal.T", 2, 0.25 }, { "run.aggregate", 1 } },
      .window = { { 1e4, 1e8, 5, 16 }, { 1e4, 1e9, 11, 32 }, { 1e4, 1e10, 13, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -INFINITY, -0.41 },
      .tests = "acceleration",
      .control = { .algo = "dp-sgd", .why = "without acceleration: n^(-1/4)" },
      .control2 = { .with = { { "algo.beta", 4.2, 0.1875 } },
                   .why = "the beta that the printed bound balances: n^(-5/16)" } },

    { .id = "accelerated-dp-srgd/otb.table1.gradients.mean.n", .attempt = 5, .fresh = true, .item = "V12 BL6",
      ARRIVES("online-to-batch", "sample_grads", 1), .cite = CITE "Table 1",
      .says = "private online-to-batch comes to a fifth of the bound after order n gradients",
      .with = { TO_A_FIFTH }, .window = { { 0 }, { 5e4, 1e6, 4, 40 }, { 5e4, 1e7, 5, 40 } }, .band = { 0.92, 1.08 },
      FULL_BATCHES },

    { .id = "accelerated-dp-srgd/otb.table1.rounds.mean.n", .attempt = 5, .fresh = true, .item = "V12 BL6",
      ARRIVES("online-to-batch", "batch_steps", 1), .cite = CITE "Table 1",
      .says = "private online-to-batch comes to a fifth of the bound after order n batch steps",
      .with = { TO_A_FIFTH }, .window = { { 0 }, { 5e4, 1e6, 4, 40 }, { 5e4, 1e7, 5, 40 } }, .band = { 0.88, 1.12 },
      BATCHES_INSTEAD },

    { .id = "accelerated-dp-srgd/phased.table1.gradients.mean.n", .attempt = 5, .fresh = true, .item = "V12 BL3",
      ARRIVES("phased-sgd", "sample_grads", 1), .cite = CITE "Table 1",
      .says = "phased SGD comes to a fifth of the bound after order n gradients",
      .with = { TO_A_FIFTH }, .window = { { 0 }, { 1e5, 1e6, 3, 16 }, { 1e5, 1e7, 4, 32 } }, .band = { 0.94, 1.06 },
      FULL_BATCHES },

    { .id = "accelerated-dp-srgd/phased.table1.rounds.mean.n", .attempt = 6, .fresh = true, .item = "V12 BL3",
      ARRIVES("phased-sgd", "batch_steps", 1), .cite = CITE "Table 1",
      .says = "phased SGD comes to a fifth of the bound after order n batch steps",
      .with = { TO_A_FIFTH }, .window = { { 0 }, { 1e5, 1e6, 3, 16 }, { 1e5, 1e7, 4, 32 } }, .band = { 0.88, 1.12 },
      BATCHES_INSTEAD },

    { .id = "accelerated-dp-srgd/snowball.table1.rounds.mean.n", .attempt = 5, .fresh = true, .item = "BL4",
      ARRIVES("snowball-sgd", "batch_steps", 1), .cite = "Feldman, Koren, Talwar, STOC 2020, Algorithm 1",
      .says = "snowball SGD comes to a fifth of the bound after order n batch steps",
      .with = { TO_A_FIFTH }, .window = { { 0 }, { 1e5, 1e6, 3, 16 }, { 1e5, 1e7, 5, 32 } }, .band = { 0.88, 1.12 },
      BATCHES_INSTEAD },

    { .id = "accelerated-dp-srgd/erm.table1.rounds.whole.n", .attempt = 3, .fresh = true, .item = "V12 BL7",
      WHOLE("phased-erm", "batch_steps", 0.5, 0.9), .cite = CITE "Table 1",
      .says = "phased ERM, variance-reduced solver, comes to twice the order in n^(1/2) batch steps and logarithms",
      .with = { PRIVATE_ROUNDS, { "algo.solver", .text = "katyusha" }, { "problem.d", 8 } },
      .window = { { 0 }, { 1e4, 1e6, 4, 16 }, { 1e4, 1e7, 5, 32 } }, .band = { 0.38, 0.62 },
      .control = { .algo = "phased-sgd", .why = "one sample a step: n" } },

    { .id = "accelerated-dp-srgd/erm.table1.gradients.whole.n", .attempt = 4, .fresh = true, .item = "V12 BL7",
      WHOLE("phased-erm", "sample_grads", 1, 0.9), .cite = CITE "Table 1",
      .says = "phased ERM, variance-reduced solver, comes to twice the order with n gradients and logarithms",
      .with = { PRIVATE_ROUNDS, { "algo.solver", .text = "katyusha" }, { "problem.d", 8 } },
      .window = { { 0 }, { 1e4, 1e6, 4, 16 }, { 1e4, 1e7, 5, 32 } }, .band = { 0.92, 1.08 },
      .control = { .with = { { "algo.solver", .text = "agm" } }, .why = "a solver on full batches: n^(5/4)" } },

    { .id = "accelerated-dp-srgd/localised.table1.steps.median.n", .attempt = 7, .fresh = true, .item = "V12 BL8",
      WHOLE("localised-ac-sa", "batch_steps", 0.25, 0.5), .cite = CITE "Table 1",
      .says = "localised AC-SA comes to twice the order, in half of the runs, in n^(1/4) log n batch steps",
      .with = { PRIVATE_ROUNDS, { "problem.d", 8 } },
      .window = { { 0 }, { 1e5, 1e8, 4, 8 }, { 1e5, 1e8, 4, 16 } }, .band = { 0.218, 0.282 },
      .formula = log_n,
      .control = { .algo = "dp-sgd", .why = "plain steps: n^(1/2)" } },

    { .id = "accelerated-dp-srgd/localised.table1.gradients.n", .item = "V12 BL8", COUNTED,
      .cite = CITE "Table 1", .check = CHECK_RATE,
      .says = "localised AC-SA on full batches: n^(5/4) gradients, up to logarithms",
      .algo = "localised-ac-sa", .measure = "sample_grads",
      .with = { PRIVATE_ROUNDS, { "problem.d", 8 } },
      .window = { { 0 }, { 1e4, 1e6, 4, 1 }, { 1e4, 1e7, 5, 1 } },
      .reaches = TO_THE_ORDER, .tests = "none", .tests_none = "a count of questions",
      .law = { .form = LAW_POWER, .exponent = { 1.25 } }, .band = { 1.13, 1.37 },
      .control = { .algo = "dp-sgd", .why = "one pass: n" } },

    /* K ~ n^(1/4) log n rounds take n/sqrt(K) gradients each: n^(9/8) (log n)^(1/2) in all. Over this window the
     * slope of that law is 0.04 above 9/8, and the slope for full batches 0.08 above 5/4. */
    { .id = "accelerated-dp-srgd/localised.table1.samples.stored.n", .item = "V12 BL8", .attempt = 7,
      .cite = CITE "Table 1", .kind = KIND_THEOREM, .check = CHECK_RATE,
      .says = "localised AC-SA on Poisson samples of stored records, as many rounds as it wants: "
              "n^(9/8) gradients, up to logarithms",
      .algo = "localised-ac-sa", .problem = "spectral_stored", .axis = "n",
      .measure = "sample_grads", .deterministic = true,
      .with = { PRIVATE_ROUNDS, { "goal.T", 1e9 }, { "problem.d", 8 },
                { "algo.sampling", .text = "poisson" } },
      .window = { { 0 }, { 1e5, 4e6, 5, 1 }, { 1e5, 1e7, 6, 1 } },
      .reaches = PART_OF_THE_BOUND,
      .tests = "none", .tests_none = "a count of questions",
      .law = { .form = LAW_POWER, .exponent = { 1.125 } }, .band = { 1.085, 1.2 },
      .control = { .with = { { "algo.sampling", .text = "full" }, { "algo.c_N", 0.5 } },
                   .why = "full batches, half of the rounds: n^(5/4)" } },

    { .id = "accelerated-dp-srgd/full.sec4.gradients.whole.n", .attempt = 3, .fresh = true, .item = "BL9",
      WHOLE("dp-gd", "sample_grads", 1.25, 0.9), .cite = CITE "Section 4",
      .says = "noisy full-batch descent comes to twice the order with n^(5/4) gradients",
      .with = { PRIVATE_ROUNDS, { "problem.d", 8 } },
      .window = { { 0 }, { 1e4, 1.6e5, 4, 8 }, { 1e4, 1e6, 5, 8 } }, .band = { 1.17, 1.33 },
      .control = { .algo = "dp-sgd", .why = "one pass over batches: n" } },

    { .id = "accelerated-dp-srgd/multi.sec4.visits.reached.n", .attempt = 2, .item = "BL2", COUNTED,
      .cite = "Bassily, Smith, Thakurta, FOCS 2014", .check = CHECK_COUNT,
      .says = "DP-SGD in four passes evaluates every sample four times",
      .algo = "multi-epoch-dp-sgd", .measure = "max_visits", .with = { PRIVATE_ROUNDS },
      .window = { { 1e4, 1e5, 2, 1 }, { 1e4, 1e6, 3, 1 }, { 1e4, 1e7, 4, 1 } },
      .reaches = TO_THE_ORDER, .tests = "none", .tests_none = "a count of questions",
      .formula = four,
      .control = { .with = { { "algo.E", 5 } }, .why = "five passes" } },

    { 0 }
};
