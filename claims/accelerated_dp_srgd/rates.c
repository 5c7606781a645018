/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rates.c - Theorems 5.8 (variant A) and 5.12 (variant B) without privacy, where the excess has a statistical and
 * an optimisation term; errors of the recursive gradient and of the tree's noise; and, with privacy, the gradients
 * and rounds of Table 1. n is the number of samples, B the number of samples in a batch, T the number of rounds, p
 * the dimension, R the diameter of the feasible set.
 *
 * Most claims are about the family spectral, a quadratic whose curvatures fall in equal ratios. Over the windows
 * its excess is linear in the norm of the gradient's error, so that the laws n^(-1/2), T^(-2) and T^(-1) are seen
 * without a bend. With the setting run.aggregate the mean of a batch is drawn at once by its exact law. The claims
 * on errors of the recursive gradient (lemma5.2) and on visits of a sample draw every sample. */
#include "accelerated_dp_srgd.h"

static double once(const struct env *e) { return 1; }

/* Returns E |q_(T-1)|^2, where q_t is the error of the recursive gradient of round t: of the sum of weighted
 * differences divided by eta_t = t + 1. All samples have the same Hessian here. The sum then contains the noise of
 * every batch once, and is divided by eta_(T-1) = T. */
static double srg_error(const struct env *e)
{
    return e->facts->sigma * e->facts->sigma / (env_param(e, "B") * e->goal->T);
}

/* Lemma 5.2: |q_(T-1)|^2 <= 3 Q^2 ln(6/gamma)/(B T), except with probability gamma. Q bounds the norm of a
 * difference minus its mean; here it is the norm of the noise of a sample. */
static const double gamma_said = 0.05;
static double srg_error_bound(const struct env *e)
{
    return 3 * log(6 / gamma_said) * srg_error(e);
}
static double srg_error_failure(const struct env *e) { return gamma_said; }

/* Lemma 5.6: the noise N_t of prefix sum t has max_t |N_t| <= 4 (C/B) (lg T)^(3/2) sqrt(p ln(2T/delta))/mu, except
 * with probability delta, here delta_said. lg is the logarithm to base 2, C/B the most by which one sample moves a
 * summand, mu the parameter of Gaussian privacy. */
static const double delta_said = 0.01;
static double tree_bound(const struct env *e)
{
    double T = e->goal->T, lg = log2(T), C = env_param(e, "C") / env_param(e, "B");
    return 4 * C * lg * sqrt(lg) * sqrt(e->facts->d * log(2 * T / delta_said)) / env_param(e, "mu");
}
/* Returns the 95% quantile of |q_(T-1)|^2 (see srg_error), which is chi-square with 40 degrees of freedom, one for
 * each coordinate, scaled to the mean srg_error. */
static double chi_square_quantile(const struct env *e) { return 55.76 / 40 * srg_error(e); }
static double tenth(const struct env *e) { return 0.1; }

/* Returns C/B, the most by which one sample moves a summand of the prefix sums. */
static double one_summand(const struct env *e) { return env_param(e, "C") / env_param(e, "B"); }

/* Returns the standard deviation of the noise of a node of the tree for (eps, delta), by the classical formula for
 * the Gaussian mechanism. At T = 31 the tree has five levels. The clipping norm is C = L + M R. */
static double classical_scale(const struct env *e)
{
    const struct facts *f = e->facts;
    double C = f->L + f->M * f->diameter;
    return C * sqrt(5) * sqrt(2 * log(2.5 / e->goal->delta)) / (env_param(e, "B") * e->goal->eps);
}

static double tree_failure(const struct env *e) { return delta_said; }

/* Returns the bound of Theorem 5.1, kappa beta |x*|^2/eta_{0:T-1}, at kappa = beta = 1; eta_{0:T-1} is the sum 1 +
 * 2 + ... + T. */
static double potential_bound(const struct env *e)
{
    double T = e->goal->T, r = e->facts->dist;
    return 2 * r * r / (T * (T + 1));
}

static double rounds_B(double n, const struct facts *f) { return 2 * sqrt(n) - 1; }

/* Table 1 with privacy, where at least half of the excess is the privacy term. The gradients and rounds of a run
 * are counted until its excess is at most 1.4 times the predicted one, level_A or level_B (two_terms in
 * accelerated_dp_srgd.h). The axis of the bounds twice_n, quarter_of_n and root_of_n is n. */
static double twice_n(const struct env *e) { return 2 * e->axis; }
static double rounds_A(double n, const struct facts *f) { return 2 * sqrt(sqrt(n)) - 1; }
static double quarter_of_n(const struct env *e) { return 2 * sqrt(sqrt(e->axis)); }
static double root_of_n(const struct env *e) { return 2 * sqrt(e->axis); }
static double table_mu(void) { return gdp_mu(0.1, PRIVATE_DELTA); }
static double level_A(double n, const struct facts *f) { return 1.4 * two_terms_A(n, f->d, table_mu()); }
static double level_B(double n, const struct facts *f) { return 1.4 * two_terms_B(n, f->d, table_mu()); }
#define TABLE                                                                                             \
    .kind = KIND_TABLE, .cite = CITE "Table 1", .algo = "accelerated-dp-srgd", .problem = "spectral",     \
    .axis = "n", .tests = "none",                                                                         \
    .tests_none = "with independent noise, the control, no run arrives, so that nothing is left to compare", \
    .control = { .with = { { "algo.noise", .text = "independent" } }, .why = "independent noise: it never arrives" }
#define TABLE_OF(p)                                                                                       \
    { "goal.eps", 0.1 }, { "goal.delta", PRIVATE_DELTA }, { "problem.d", p }, { "algo.kap_2", 0.5 },      \
        { "algo.kap_p", 64 }, { "algo.clip", .text = "off" }, { "run.aggregate", 1 }
#define TABLE_A                                                                                           \
    TABLE, .check = CHECK_BOUND, .statistic = STAT_MEDIAN,                                                \
    .with = { TABLE_OF(1024), { "goal.T", .of = rounds_A }, { "goal.acc", .of = level_A } },              \
    .window = { { 0 }, { 0x1p20, 0x1p28, 3, 32 }, { 0x1p20, 0x1p28, 3, 64 } }
#define TABLE_B                                                                                           \
    TABLE, .check = CHECK_BOUND, .statistic = STAT_MEDIAN,                                                \
    .with = { TABLE_OF(64), { "algo.variant", .text = "B" }, { "goal.T", .of = rounds_B },                \
              { "goal.acc", .of = level_B } },                                                            \
    .window = { { 0 }, { 0x1p18, 0x1p24, 4, 32 }, { 0x1p18, 0x1p24, 4, 64 } }

static double root_of_axis(double d, const struct facts *f) { return sqrt(d); }

const struct claim accelerated_dp_srgd_rates[] = {
    { .id = "accelerated-dp-srgd/A.thm5.8.excess.n", .item = "V1",
      .cite = CITE "Theorem 5.8",
      .says = "variant A without noise, T ~ n^(1/4) rounds: E F(y_T) - F* ~ n^(-1/2)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "excess",
      .with = { { "algo.c_T", 4 }, { "run.aggregate", 1 } },
      .window = { { 1e4, 1e8, 5, 16 }, { 1e4, 1e9, 11, 32 }, { 1e4, 1e10, 13, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .tests = "acceleration",
      .control = { .algo = "dp-srgd", .with = { { "goal.T", 4, 0.25 } }, .why = "without acceleration: n^(-1/4)" },
      .control2 = { .with = { { "problem.decades", 0.3 } }, .why = "a well-conditioned instance: 1/n" } },

    { .id = "accelerated-dp-srgd/B.thm5.12.exact.level.n", .item = "V2", .attempt = 3, .fresh = true,
      .cite = CITE "Theorem 5.12",
      .says = "variant B without noise, T = 2 n^(1/2) - 1 rounds, minimiser inside: E F(y_T) - F* ~ n^(-1/2), and "
              "three runs of four within 1.5 times 0.034/n^(1/2)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n", .measure = "excess",
      .with = { { "algo.variant", .text = "B" }, { "goal.T", .of = rounds_B }, { "run.aggregate", 1 } },
      .window = { { 0x1p12, 0x1p20, 5, 16 }, { 0x1p12, 0x1p24, 7, 32 }, { 0x1p12, 0x1p26, 8, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .reaches = AT_THE_LEVEL_OF_B, .tests = "none", .tests_none = PRICE_OF_B,
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
      .tests = "none", .tests_none = PRICE_OF_B,
      .control = { .with = { { "problem.rr", 4 } },
                   .why = "far outside, the boundary acts as strong convexity: 1/n" },
      .control2 = { .with = { { "algo.kap_M", 1, 0.25 } }, .why = "a step n^(1/4) times too short" } },

    { .id = "accelerated-dp-srgd/B.thm5.12.hardest.n", .item = "V2", .attempt = 2, .fresh = true,
      .cite = CITE "Theorem 5.12",
      .says = "variant B without noise on the hardest linear loss of each n: E F(y_T) - F* ~ n^(-1/2)",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "linear", .axis = "n", .measure = "excess",
      .with = { { "algo.variant", .text = "B" }, { "algo.c_T", 4 }, { "run.aggregate", 1 } },
      .search = { .kind = SEARCH_LARGEST, .name = "problem.hardness", .from = 1e-4, .to = 1, .points = 25,
                  .reps = 8 },
      .window = { { 0 }, { 1e3, 1e6, 7, 32 }, { 1e3, 1e7, 9, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .tests = "none", .tests_none = PRICE_OF_B,
      .control = { .with = { { "problem.s", 1, -0.2 } }, .why = "noise that falls as n^(-1/5)" },
      .control2 = { .with = { { "algo.kap_M", 1, 0.25 } }, .why = "a step n^(1/4) times too short" } },

    { .id = "accelerated-dp-srgd/A.thm5.1.excess.T", .item = "V3",
      .cite = CITE "Theorem 5.1 (corrected), last term",
      .says = "variant A with exact gradients and beta fixed: F(y_T) - F* ~ 1/T^2",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "problem.s", 0 }, { "problem.d", 400 }, { "algo.B", 1 } },
      .window = { { 7, 255, 6, 1 }, { 7, 511, 7, 1 }, { 7, 1023, 8, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -2 } }, .band = { -2.2, -1.8 },
      .tests = "acceleration",
      .control = { .algo = "dp-srgd", .with = { { "algo.B", 1 }, { "algo.step", 0.5 } },
                   .why = "without acceleration: 1/T" },
      .control2 = { .with = { { "algo.variant", .text = "B" } }, .why = "variant B: 1/T" } },

    { .id = "accelerated-dp-srgd/A.thm5.1.curvature.T", .item = "U11", .attempt = 3,
      .cite = CITE "Theorem 5.1 (corrected), last term",
      .says = "exact gradients, z-step of the proof, hardest curvature: F(y_T) - F* <= 2 beta |x*|^2/(T (T+1))",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "problem.s", 0 }, { "problem.d", 8 }, { "problem.decades", 0 }, { "algo.B", 1 },
                { "algo.beta", 1 }, { "algo.kappa", 1 } },
      .search = { .kind = SEARCH_LARGEST, .name = "problem.M", .from = 1e-6, .to = 1, .points = 61, .reps = 1 },
      .window = { { 7, 127, 3, 1 }, { 7, 511, 7, 1 }, { 7, 1023, 8, 1 } },
      .formula = potential_bound, .tests = "acceleration",
      .control = { .algo = "dp-srgd", .with = { { "algo.B", 1 }, { "algo.step", 1 } },
                   .why = "without acceleration, its own hardest curvature: beta |x*|^2/T" } },

    { .id = "accelerated-dp-srgd/B.thm5.12.excess.T", .item = "V4",
      .cite = CITE "Theorem 5.12, last term",
      .says = "variant B with exact gradients, beta = 2 M T: F(y_T) - F* ~ 1/T",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "excess",
      .with = { { "problem.s", 0 }, { "problem.d", 400 }, { "algo.variant", .text = "B" },
                { "algo.B", 1 } },
      .window = { { 7, 255, 6, 1 }, { 7, 511, 7, 1 }, { 7, 1023, 8, 1 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.8 },
      .tests = "none", .tests_none = PRICE_OF_B,
      .control = { .with = { { "algo.variant", .text = "A" } }, .why = "variant A: 1/T^2" },
      .control2 = { .with = { { "algo.kap_M", 1, 0.5 } },
                    .why = "a step T^(1/2) times too short: 1/T^(1/2)" } },

    { .id = "accelerated-dp-srgd/both.lemma5.2.later.T", .item = "V17", .attempt = 2, .fresh = true,
      .cite = CITE "proof of Lemma 5.2",
      .says = "error of the recursive gradient after T rounds: E |q_T|^2 ~ 1/T at fixed batch size",
      .kind = KIND_THEOREM, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "randhess", .axis = "T", .measure = "estimate.last",
      .with = { { "algo.B", 16 } },
      .window = { { 63, 1023, 3, 32 }, { 63, 4095, 7, 64 }, { 63, 16383, 9, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.2, -0.8 },
      .reaches = BELOW_START, .tests = "recursion",
      .control = { .algo = "accelerated-dp-sgd", .with = { { "algo.B", 16 } },
                   .why = "independent batch gradients: constant" } },

    { .id = "accelerated-dp-srgd/both.lemma5.2.moment.T", .item = "V17 U14",
      .cite = CITE "proof of Lemma 5.2",
      .says = "one Hessian for all samples: E |q_(T-1)|^2 = sigma^2/(B T)",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "estimate.last",
      .with = { { "algo.B", 16 } },
      .window = { { 15, 255, 3, 128 }, { 15, 1023, 4, 256 }, { 15, 4095, 5, 256 } },
      .formula = srg_error, .tolerance = 0.1,
      .reaches = BELOW_START, .tests = "recursion",
      .control = { .algo = "accelerated-dp-sgd", .with = { { "algo.B", 16 } },
                   .why = "independent batch gradients: sigma^2/B" } },

    { .id = "accelerated-dp-srgd/both.lemma5.2.tail.T", .item = "U26",
      .cite = CITE "proof of Lemma 5.2",
      .says = "|q_(T-1)| > Q sqrt(3 ln(6/gamma)/(B T)) with probability at most gamma = 0.05",
      .remark = "It is loose on every instance: by Pinelis' inequality for sums of centred vectors of norm at most "
                "Q the probability is at most 2 (gamma/6)^(3/2) = 0.0015, 33 times less than gamma. One coordinate "
                "with noise of +Q and -Q has 0.00015 in the limit, this instance 10^-95 (chi-square).",
      .kind = KIND_THEOREM, .check = CHECK_LAW, .sense = SENSE_AT_MOST,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "estimate.last",
      .with = { { "algo.B", 16 } },
      .window = { { 15, 255, 3, 128 }, { 15, 1023, 4, 256 }, { 15, 4095, 5, 256 } },
      .threshold = srg_error_bound, .formula = srg_error_failure,
      .reaches = BELOW_START, .tests = "recursion",
      .control = { .algo = "accelerated-dp-sgd", .with = { { "algo.B", 16 } },
                   .why = "independent batch gradients: no decrease in T" } },

    { .id = "accelerated-dp-srgd/both.lemma5.2.quantile.T", .item = "U26",
      .cite = CITE "proof of Lemma 5.2, with the constant of the central limit",
      .says = "|q_(T-1)| > 1.181 sigma/sqrt(B T) with probability at most 0.1, 40 coordinates",
      .remark = "1.181^2 40 is the 95% quantile of chi-square with 40 degrees of freedom.",
      .kind = KIND_LEMMA, .check = CHECK_LAW, .sense = SENSE_AT_MOST,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "estimate.last",
      .with = { { "algo.B", 16 } },
      .window = { { 0 }, { 15, 1023, 3, 512 }, { 15, 4095, 5, 512 } },
      .threshold = chi_square_quantile, .formula = tenth,
      .reaches = BELOW_START, .tests = "recursion",
      .control = { .algo = "accelerated-dp-sgd", .with = { { "algo.B", 16 } },
                   .why = "independent batch gradients: no decrease in T" } },

    { .id = "accelerated-dp-srgd/both.lemma5.6.levels.T", .item = "V21", .attempt = 2, .fresh = true,
      .cite = CITE "Lemma 5.6",
      .says = "the largest noise of a prefix sum over C/B grows as log2(T + 1), T = 2^k - 1",
      .remark = "Lemma 5.6 has lg(T)^(3/2), by a bound over all prefixes. The last prefix is the sum of k levels, "
                "each of variance k C^2/(B mu)^2.",
      .kind = KIND_LEMMA, .check = CHECK_RATE,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "note.noise",
      .with = { { "problem.d", 64 }, { "goal.n", 0x1p22 }, { "goal.T", .of = one_less }, { "goal.eps", 1 },
                { "goal.delta", PRIVATE_DELTA }, { "algo.kap_2", 0.5 }, { "algo.kap_p", 64 },
                { "algo.clip", .text = "off" }, { "run.aggregate", 1 } },
      .window = { { 0 }, { 16, 4096, 5, 16 }, { 16, 4096, 5, 32 } },
      .formula = one_summand,
      .law = { .form = LAW_LOG, .exponent = { 1 } }, .band = { 0.75, 1.25 },
      .reaches = BELOW_START, .tests = "tree",
      .control = { .with = { { "algo.noise", .text = "independent" } }, .why = "independent noise: T^(1/2)" } },

    { .id = "accelerated-dp-srgd/A.cor5.7.scale.delta", .item = "O-10",
      .cite = CITE "Lemma 5.6, Corollary 5.7",
      .says = "the noise of a level is C (1 + floor(lg T))^(1/2) (2 ln(2.5/delta))^(1/2)/(B eps)",
      .kind = KIND_LEMMA, .check = CHECK_COUNT, .deterministic = true,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "delta", .measure = "param.sigma",
      .with = { { "goal.n", 0x1p16 }, { "goal.T", 31 }, { "goal.eps", 1 },
                { "algo.calibration", .text = "classical" }, { "algo.kap_2", 0.5 }, { "algo.kap_p", 64 } },
      .window = { { 1e-30, 1e-2, 8, 1 }, { 1e-30, 1e-2, 8, 1 }, { 1e-30, 1e-2, 8, 1 } },
      .formula = classical_scale, .tolerance = 1e-12,
      .reaches = BELOW_START, .tests = "none", .tests_none = "a formula of delta alone, on runs that use it",
      .control = { .with = { { "algo.calibration", .text = "paper" } },
                   .why = "sigma as Corollary 5.7 prints it" } },

    { .id = "accelerated-dp-srgd/both.lemma5.6.reached.T", .item = "U21 V21", .attempt = 3, .fresh = true,
      .cite = CITE "Lemma 5.6",
      .says = "tree noise: max |N_t| > 4 (C/B) lg(T)^1.5 sqrt(p ln(2T/delta))/mu with probability "
              "at most delta = 0.01",
      .remark = "It is loose on every instance, since the noise depends on T and p alone: by its exact law the "
                "probability is largest at T = 2, p = 1, 10^-11, and less than 10^-100 in this window.",
      .kind = KIND_THEOREM, .check = CHECK_LAW, .sense = SENSE_AT_MOST,
      .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "T", .measure = "note.noise",
      .with = { { "problem.d", 8 }, { "goal.n", 0x1p20 }, { "algo.mu", 1 }, { "algo.kap_2", 0.5 },
                { "algo.kap_p", 64 }, { "algo.clip", .text = "off" }, { "run.aggregate", 1 } },
      .reaches = BELOW_START,
      .tests = "none", .tests_none = "a tail of the noise, which does not depend on where the method goes",
      .window = { { 15, 255, 2, 400 }, { 15, 1023, 4, 800 }, { 15, 4095, 5, 1024 } },
      .threshold = tree_bound, .formula = tree_failure,
      .control = { .with = { { "algo.sigma", 10 } }, .why = "far more noise than mu asks" } },

    { .id = "accelerated-dp-srgd/A.table1.gradients.arrive.n", .attempt = 3, .fresh = true, .item = "V12", TABLE_A,
      .says = "variant A, private: half of the runs are at the level of the tree's noise after 2 n gradients",
      .measure = "hit.sample_grads", .formula = twice_n },

    { .id = "accelerated-dp-srgd/B.table1.gradients.arrive.n", .item = "V12", TABLE_B,
      .says = "variant B, private: half of the runs are at the level of the tree's noise after 2 n gradients",
      .measure = "hit.sample_grads", .formula = twice_n },

    { .id = "accelerated-dp-srgd/A.table1.rounds.arrive.n", .attempt = 3, .fresh = true, .item = "V12", TABLE_A,
      .says = "variant A, private: half of the runs are at the level of the tree after 2 n^(1/4) batch steps",
      .measure = "hit.batch_steps", .formula = quarter_of_n },

    { .id = "accelerated-dp-srgd/B.table1.rounds.arrive.n", .item = "V12", TABLE_B,
      .says = "variant B, private: half of the runs are at the level of the tree after 2 n^(1/2) batch steps",
      .measure = "hit.batch_steps", .formula = root_of_n },

    { .id = "accelerated-dp-srgd/A.table1.epoch.arrive.n", .attempt = 3, .fresh = true, .item = "V12",
      .cite = CITE "Table 1",
      .says = "variant A, private, at the level of the tree's noise: no sample is evaluated in two rounds",
      .kind = KIND_TABLE, .check = CHECK_COUNT, .algo = "accelerated-dp-srgd", .problem = "spectral", .axis = "n",
      .with = { { "goal.eps", 0.1 }, { "goal.delta", PRIVATE_DELTA }, { "problem.d", 256 }, { "algo.kap_2", 0.5 },
                { "algo.kap_p", 64 }, { "algo.clip", .text = "off" } },
      .measure = "max_visits", .formula = once,
      .window = { { 0 }, { 0x1p20, 0x1p20, 1, 8 }, { 0x1p20, 0x1p22, 2, 8 } },
      .reaches = AT_THE_TREES_LEVEL, .tests = "none", .tests_none = "a count of questions",
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
      .tests = "none", .tests_none = "samples of one norm err alike in all dimensions, whatever the method is",
      .control = { .with = { { "problem.s", .of = root_of_axis } },
                   .why = "noise of fixed size per coordinate: d^(1/2) before it saturates" } },

    { 0 }
};
