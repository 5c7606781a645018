/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accelerated_dp_srgd.c - Choquette-Choo, Ganesh, Thakurta: "Optimal Rates for O(1)-Smooth DP-SCO with a
 * Single Epoch and Large Batches". The non-private half of its rates: with the noise off, what is left
 * of Theorems 5.8 (variant A) and 5.12 (variant B) is the statistical and the optimisation term.
 *
 * The family is the log-spaced quadratic: its excess is linear in the norm of the gradient error over
 * the window, so that n^(-1/2), T^(-2) and T^(-1) are clean power laws. Rates use the exact law of the
 * batch mean; counts never do. */
#include <math.h>
#include "claim.h"

#define CITE "Choquette-Choo, Ganesh, Thakurta 2024, "

/* Every round but the first asks two points of its batch: 2 n' - B gradients, n' = B T. */
static double two_per_sample(const struct env *e)
{
    double T = env_param(e, "T"), B = env_param(e, "B");
    return 2 * T * B - B;
}

static double a_round_per_batch(const struct env *e) { return env_count(e, COUNT_taken) / env_param(e, "B"); }
static double once(const struct env *e) { return 1; }
static double root_of_axis(double d, const struct facts *f) { return sqrt(d); }

#define FEWEST_ROUNDS                                                                         \
    { .kind = SEARCH_FIRST, .name = "goal.T", .from = 0.05, .to = 25.6, .power = 0.375,       \
      .points = 19, .reps = 8, .within = 1.5, .measure = "excess" }

static const struct claim claims[] = {
    { .id = "accelerated-dp-srgd/A.thm5.8.excess.n", .item = "V1",
      .cite = CITE "Theorem 5.8",
      .says = "variant A without noise, T ~ n^(1/4) rounds: E F(y_T) - F* ~ n^(-1/2)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "excess",
      .with = { { "algo.c_T", 4 }, { "run.aggregate", 1 } },
      .window = { { 1e4, 1e8, 5, 16 }, { 1e4, 1e9, 11, 32 }, { 1e4, 1e10, 13, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .control = { .with = { { "problem.decades", 0.3 } }, .why = "a well-conditioned instance: 1/n" } },

    { .id = "accelerated-dp-srgd/B.thm5.12.excess.n", .item = "V2",
      .cite = CITE "Theorem 5.12",
      .says = "variant B without noise, T ~ n^(1/2) rounds, minimiser inside: E F(y_T) - F* ~ n^(-1/2)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "excess",
      .with = { { "algo.variant", .text = "B" }, { "algo.c_T", 4 }, { "run.aggregate", 1 } },
      .window = { { 1e3, 1e6, 4, 16 }, { 1e3, 1e7, 9, 32 }, { 1e3, 1e8, 11, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .control = { .with = { { "problem.decades", 0.3 } }, .why = "a well-conditioned instance: 1/n" } },

    { .id = "accelerated-dp-srgd/B.thm5.12.outside.n", .item = "V2",
      .cite = CITE "Theorem 5.12",
      .says = "variant B without noise, minimiser outside the ball: E F(y_T) - F* ~ n^(-1/2)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "excess",
      .with = { { "problem.rr", 1.2 }, { "algo.variant", .text = "B" }, { "algo.c_T", 4 },
                { "run.aggregate", 1 } },
      .window = { { 0 }, { 1e3, 1e7, 9, 32 }, { 1e3, 1e8, 11, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .control = { .with = { { "problem.rr", 4 } },
                   .why = "far outside, the boundary acts as strong convexity: 1/n" } },

    { .id = "accelerated-dp-srgd/B.thm5.12.linear.n", .item = "V2",
      .cite = CITE "Theorem 5.12",
      .says = "variant B without noise on the hardest linear loss of each n: E F(y_T) - F* ~ n^(-1/2)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "linear", .axis = "n", .measure = "excess",
      .with = { { "algo.variant", .text = "B" }, { "algo.c_T", 4 }, { "run.aggregate", 1 } },
      .search = { .kind = SEARCH_LARGEST, .name = "problem.hardness", .from = 0.05, .to = 12.8,
                  .power = -0.5, .points = 13, .reps = 16 },
      .window = { { 0 }, { 1e3, 1e6, 7, 32 }, { 1e3, 1e7, 9, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .control = { .with = { { "problem.s", 1, -0.2 } }, .why = "noise that falls as n^(-1/5)" } },

    { .id = "accelerated-dp-srgd/A.thm5.1.excess.T", .item = "V3",
      .cite = CITE "Theorem 5.1 (corrected), last term",
      .says = "variant A with exact gradients and beta fixed: F(y_T) - F* ~ 1/T^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "problem.s", 0 }, { "problem.d", 400 }, { "algo.B", 1 } },
      .window = { { 7, 255, 6, 1 }, { 7, 511, 7, 1 }, { 7, 1023, 8, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.2, -1.8 },
      .control = { .with = { { "algo.variant", .text = "B" } }, .why = "variant B: 1/T" } },

    { .id = "accelerated-dp-srgd/B.thm5.12.excess.T", .item = "V4",
      .cite = CITE "Theorem 5.12, last term",
      .says = "variant B with exact gradients, beta = 2 M T: F(y_T) - F* ~ 1/T",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "problem.s", 0 }, { "problem.d", 400 }, { "algo.variant", .text = "B" },
                { "algo.B", 1 } },
      .window = { { 7, 255, 6, 1 }, { 7, 511, 7, 1 }, { 7, 1023, 8, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.8 },
      .control = { .with = { { "algo.variant", .text = "A" } }, .why = "variant A: 1/T^2" } },

    /* Fewest rounds: one grid of T serves the three, so that variant, rival and control share cells;
     * between n^(1/4) and n^(1/2) it scales as their mean, and ends 8 times beyond either's T. */
    { .id = "accelerated-dp-srgd/A.thm4.2.rounds.n", .item = "V5",
      .cite = CITE "Theorem 4.2",
      .says = "rounds at which variant A first comes within 1.5 of its own floor: ~ n^(1/4)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "search",
      .with = { { "run.aggregate", 1 } },
      .search = FEWEST_ROUNDS,
      .window = { { 0 }, { 1e4, 1e8, 5, 16 }, { 1e4, 1e9, 6, 32 } },
      .law = { .form = LAW_POWER, .exponent = { 0.25 } }, .band = { 0.13, 0.37 },
      .control = { .with = { { "algo.variant", .text = "B" } }, .why = "variant B: n^(1/2)" } },

    { .id = "accelerated-dp-srgd/B.thm4.2.rounds.n", .item = "V6",
      .cite = CITE "Theorem 4.2",
      .says = "rounds at which variant B first comes within 1.5 of its own floor: ~ n^(1/2)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "search",
      .with = { { "algo.variant", .text = "B" }, { "run.aggregate", 1 } },
      .search = FEWEST_ROUNDS,
      .window = { { 0 }, { 1e4, 1e8, 5, 16 }, { 1e4, 1e9, 6, 32 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.38, 0.62 },
      .control = { .with = { { "algo.variant", .text = "A" } }, .why = "variant A: n^(1/4)" } },

    { .id = "accelerated-dp-srgd/sgd.thm4.2.rounds.n", .item = "V6",
      .cite = CITE "Section 4.1",
      .says = "rounds at which plain mini-batch SGD first comes within 1.5 of its own floor: ~ n^(1/2)",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE,
      .algo = "dp-sgd", .problem = "spectral", .axis = "n", .measure = "search",
      .with = { { "run.aggregate", 1 } },
      .search = FEWEST_ROUNDS,
      .window = { { 0 }, { 1e4, 1e8, 5, 16 }, { 1e4, 1e9, 6, 32 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.38, 0.62 },
      .control = { .algo = "accelerated-dp-srgd", .why = "variant A: n^(1/4)" } },

    { .id = "accelerated-dp-srgd/both.lemma5.2.error.T", .item = "V17",
      .cite = CITE "proof of Lemma 5.2",
      .says = "error of the recursive gradient after T rounds: E |q_T|^2 ~ 1/T at fixed batch size",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "randhess", .axis = "T", .measure = "estimate.last",
      .with = { { "algo.B", 16 } },
      .window = { { 15, 255, 5, 32 }, { 15, 1023, 7, 64 }, { 15, 4095, 9, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.8 },
      .control = { .algo = "dp-sgd", .with = { { "algo.B", 16 } },
                   .why = "independent batch gradients: constant" } },

    { .id = "accelerated-dp-srgd/both.table1.gradients.n", .item = "V12",
      .cite = CITE "Table 1",
      .says = "2n - B gradients: two per sample, but for the first batch",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "sample_grads",
      .with = { { "goal.eps", 1 }, { "goal.delta", 1e-6 } },
      .window = { { 1e3, 1e6, 4, 1 }, { 1e3, 1e7, 5, 1 }, { 1e3, 1e8, 6, 1 } },
      .formula = two_per_sample,
      .control = { .algo = "dp-sgd", .why = "one gradient per sample" } },

    { .id = "accelerated-dp-srgd/both.table1.rounds.n", .item = "V12",
      .cite = CITE "Table 1",
      .says = "T batch gradient steps: a round asks its batch at both points",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "batch_steps",
      .with = { { "goal.eps", 1 }, { "goal.delta", 1e-6 } },
      .window = { { 1e3, 1e6, 4, 1 }, { 1e3, 1e7, 5, 1 }, { 1e3, 1e8, 6, 1 } },
      .formula = a_round_per_batch,
      .control = { .algo = "planted-sgd-twice", .with = { { "algo.B", 64 } },
                   .why = "planted: two rounds a batch" } },

    { .id = "accelerated-dp-srgd/both.table1.epoch.n", .item = "V12",
      .cite = CITE "Table 1",
      .says = "a single epoch: no sample is evaluated in two rounds",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "max_visits",
      .with = { { "goal.eps", 1 }, { "goal.delta", 1e-6 } },
      .window = { { 1e3, 1e6, 4, 1 }, { 1e3, 1e7, 5, 1 }, { 1e3, 1e8, 6, 1 } },
      .formula = once,
      .control = { .algo = "planted-sgd-twice", .with = { { "algo.B", 64 } },
                   .why = "planted: every batch twice" } },

    { .id = "accelerated-dp-srgd/A.thm5.8.excess.d", .item = "V24",
      .cite = CITE "Theorem 5.8, first term",
      .says = "the statistical term does not depend on the dimension",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "d", .measure = "excess",
      .with = { { "goal.n", 1e6 }, { "algo.c_T", 4 }, { "run.aggregate", 1 } },
      .window = { { 64, 2048, 6, 64 }, { 64, 4096, 7, 256 }, { 64, 8192, 8, 256 } },
      .law = { .form = LAW_POWER, .exponent = { 0 } }, .band = { -0.05, 0.05 },
      .control = { .with = { { "problem.s", .of = root_of_axis } },
                   .why = "noise of fixed size per coordinate: d^(1/2) before it saturates" } },

    { 0 }
};

static const struct item items[] = {
    { "V1", "statistical rate of variant A", NULL },
    { "V2", "statistical rate of variant B: inside, outside, linear", NULL },
    { "V3", "optimisation term of variant A", NULL },
    { "V4", "optimisation term of variant B", NULL },
    { "V5", "fewest rounds of variant A", NULL },
    { "V6", "fewest rounds of variant B and of SGD", NULL },
    { "V12", "gradient count, rounds, single epoch", NULL },
    { "V17", "error of the SRG estimate falls as 1/(t+1)", NULL },
    { "V24", "dimension independence of the statistical term", NULL },
    { "U1", "identical examples: Nesterov's method", NULL },
    { "U2", "one fixed batch telescopes", NULL },
    { "U3", "prefix and recursive form of line 5 agree", NULL },
    { "U4", "step weights", NULL },
    { "U5", "linear loss: running mean of all gradients", NULL },
    { "U6", "covariance of the tree", NULL },
    { "U7", "neighbouring data sets part at t_0, by Delta/B", NULL },
    { "U8", "effective mu of the tree", NULL },
    { "U9", "mu(eps, delta) against the table", NULL },
    { "U10", "the potential does not grow for kappa 1 and 2", NULL },
    { "U11", "excess of the noise-free method", NULL },
    { "U12", "counters", NULL },
    { "U13", "z' - z_t = eta_t (y' - x_t)", NULL },
    { "U14", "SRG variance at a frozen point", NULL },
    { "U15", "SRG variance on a frozen path", NULL },
    { "U16", "clipping", NULL },
    { "U17", "projection", NULL },
    { "U18", "DP-FTRL against DP-SGD with noise increments", NULL },
    { "U19", "square-root factorisation",
      "the square-root Toeplitz stream comes with the other noise mechanisms" },
    { "U20", "noisy-prefix form equals the printed form", NULL },
    { "U21", "tail of the tree's noise", NULL },
    { "U22", "beta formulas", NULL },
    { "U23", "inequality (28) along every run", NULL },
    { "U24", "corrected Theorem 5.1 along every run", NULL },
    { "U25", "one round", NULL },
    { "U26", "tail of the sampling error", NULL },
    { 0 }
};

const struct paper paper_accelerated_dp_srgd = {
    .key = "accelerated-dp-srgd",
    .title = "Accelerated-DP-SRGD: one epoch, large batches",
    .cite = "Choquette-Choo, Ganesh, Thakurta 2024",
    .claims = claims,
    .items = items,
};
