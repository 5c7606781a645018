/* SPDX-License-Identifier: GPL-3.0-or-later */
/* privacy.c - Section 6: Algorithm 6, the lemmas of Theorem 6, and private baselines. As in algos/phased_optimum.c,
 * phase i of k has nbar samples, the step length eta_i = eta/16^i and a regularised objective F_i, and releases an
 * estimate x_i of its minimiser xh_i. (alpha, beta) are the parameters of privacy, B the factor of the noise, C_1
 * and C_2 constants of Definition 3 and Lemma 14.
 *
 * On linear losses of slope h, argmin F_i is at the distance h eta_i nbar/2 from the start of phase i. All phases
 * together reach x*, at distance R, only if h > 30 R/(eta nbar). The hardest slope is of that order, and so is its
 * excess at R = 1. Claims search the slope on a grid that contains this value; G = 2 bounds all slopes of the grid.
 * These claims have four phases without noise and two with it, and a multiple of the paper's eta, both the same
 * over a window, so that the hardest slope is below 1.5 for the n of the nightly profile. With eta/16 and nbar =
 * n/log2 n, as printed, so small a hardest slope would take 2^17 records. */
#include "bias_reduced.h"

/* --- the numbers of phases, gradients and uses of a record, which depend on n alone */

static double private_phases(double n) { return ceil(log2(n)); }

static double private_records(double n) { return floor(n / private_phases(n)); }

/* Returns the expected number of gradients of a run of Algorithm 6: nbar draws in each phase, with budgets up to
 * T_max = 16 nbar. */
static double private_queries(const struct env *e)
{
    double nbar = private_records(e->axis);
    return private_phases(e->axis) * nbar * bias_draw_gradients(bias_log2(16 * nbar));
}

/* Returns the expected number of draws that use a given record, out of the nbar draws of its phase. A draw takes g
 * gradients of records drawn uniformly, and uses the given one with probability 1 - (1 - 1/nbar)^g. */
static double private_reuse(const struct env *e)
{
    double nbar = private_records(e->axis), p = 0;
    for (int j = 1; j <= bias_log2(16 * nbar); j++)
        p -= ldexp(expm1(bias_level_gradients(j) * log1p(-1 / nbar)), -j);
    return nbar * p;
}

/* Returns the bound of Lemma 14 on the number of draws that use a record, for beta = 1/n and C_2 = 1. */
static double private_lemma14(const struct env *e)
{
    double ln = log(e->axis);
    return 20 * ln + 6 * ln * ln;
}

static double private_promise(const struct env *e) { return e->goal->eps; }

/* --- bounds and closed forms of the excess */

/* Returns the proof's bound on the excess, with its constants but for one: sum_i [ E|xh_{i-1} - x_{i-1}|^2/(eta_i
 * nbar) + G^2 eta_i ] + G (E|xh_k - x_k|^2)^(1/2), where xh_0 stands for x*, x_0 for the start, xh_i for the
 * minimiser of F_i, and x_i for what phase i releases. The proof has 2 G^2 eta_i in place of G^2 eta_i. Half of it
 * is enough, for linear and for other convex losses: F_i is 2 mu_i-strongly convex, so that one record replaced
 * moves xh_i by at most G/(mu_i nbar) = G eta_i, and a loss by G^2 eta_i. Without noise E|xh_i - x_i|^2 = C_1
 * ln(sqrt(nbar)) (G eta_i nbar)^2/nbar, C_1 = 1. The factor 1.00001 covers the error of the computed minimisers,
 * 1e-6 G eta_i. */
static double private_proof(const struct env *e)
{
    double G = env_param(e, "G"), R = e->facts->radius, nbar = floor(e->axis / 4);
    double eta = 3 * R / (G * sqrt(e->axis));
    double away2 = R * R, sum = 0;
    for (int i = 1; i <= 4; i++) {
        double eta_i = ldexp(eta, -4 * i);
        sum += away2 / (eta_i * nbar) + G * G * eta_i;
        away2 = log(nbar) / 2 * G * G * eta_i * eta_i * nbar;
    }
    return 1.00001 * (sum + G * sqrt(away2));
}

/* Returns eta nbar of Algorithm 6 where the noise limits eta, for alpha = 8, beta = 1e-6, d = 4, C_2 = 1, b = 1/4
 * (the setting that scales B) and R = G = 1. */
static double private_reach(double n)
{
    double ln = log(n), B = 0.25 * (log(1e6) + ln * ln);
    return 8 / (B * ln * sqrt(4 * log(1e6))) * private_records(n);
}

/* Returns the slope h for which all k phases together, with eta 16 times as large, move by half of the distance R.
 * They move by (h eta nbar/30)(1 - 16^-k), and the last factor is taken as 1. */
static double private_halfway(double n, const struct facts *f)
{
    return 15 / (16 * private_reach(n));
}

static double private_half(const struct env *e)
{
    double h = private_halfway(e->axis, NULL);
    return h * (1 - (1 - pow(16, -private_phases(e->axis))) / 2);
}

/* Parameters of runs with two phases on the quadratic (m/2)|x - x*|^2: n samples, nbar in a phase, d coordinates,
 * privacy alpha, and the step length eta. G = 2 and R = 1. eta is three times the theorem's. B = 3.5, with which it
 * is the noise that limits eta at every point of the windows. */
struct noisy { double n, d, alpha, nbar, eta; };

static struct noisy noisy(double n, double d, double alpha)
{
    struct noisy q = { n, d, alpha, floor(n / 2), 0 };
    q.eta = 1.5 * alpha / (3.5 * log(n) * sqrt(d * log(1e6)));
    return q;
}

/* Returns the curvature m = 3 mu_1, where mu_i = 1/(eta_i nbar) and eta_1 = eta/16. With it phase 1 leaves 2/5 of
 * the distance to x*, and phase 2 removes 3/35 of the distance after phase 1 and its noise. */
static double noisy_curvature(struct noisy q) { return 3 * 16 / (q.eta * q.nbar); }

static double noisy_on_n(double n, const struct facts *f) { return noisy_curvature(noisy(n, 64, 4)); }
static double noisy_on_d(double d, const struct facts *f) { return noisy_curvature(noisy(65536, d, 4)); }
static double noisy_on_alpha(double a, const struct facts *f) { return noisy_curvature(noisy(65536, 64, a)); }

/* Returns the mean excess after both phases. Phase i multiplies x - x* by 2 mu_i/(m + 2 mu_i) and adds three
 * independent vectors of mean 0: the noise of Algorithm 6, sigma eta_i in each coordinate with sigma = 8 G B ((C_1
 * ln n)^(1/2) + 2) ln(2/beta)^(1/2)/alpha; the mean of nbar copies, each (C_1 ln(nbar)/2)^(1/2) G/mu_i from the
 * minimiser; and the mean of the noise of nbar samples, of variance s^2, over m + 2 mu_i. |x| is near 0.6, so that
 * x stays inside the ball. */
static double private_noisy(const struct env *e)
{
    struct noisy q = noisy(e->goal->n, e->facts->d, e->goal->eps);
    double m = e->facts->M_F, s2 = e->facts->sigma * e->facts->sigma, left = e->facts->dist * e->facts->dist;
    double C_1 = 1.0 / 16, sigma = 8 * 2 * 3.5 * (sqrt(C_1 * log(q.n)) + 2) * sqrt(log(2e6)) / q.alpha;
    for (int i = 1; i <= 2; i++) {
        double eta = ldexp(q.eta, -4 * i), mu = 1 / (eta * q.nbar), keep = 2 * mu / (m + 2 * mu);
        double copies = C_1 * log(q.nbar) / 2 * (2 / mu) * (2 / mu) / q.nbar;
        double samples = s2 / q.nbar / ((m + 2 * mu) * (m + 2 * mu));
        left = keep * keep * left + q.d * sigma * eta * (sigma * eta) + copies + samples;
    }
    return m / 2 * left;
}

#define OPTIMUM .algo = "phased-optimum", .problem = "linear"
#define EXACT { "algo.estimator", .text = "exact" }
#define MLMC { "algo.estimator", .text = "mlmc" }
#define NO_NOISE { "algo.sigma", 0 }
#define SLOPES { "algo.k", 4 }, { "algo.G", 2 }, { "problem.s", 0.5 }
#define HARDEST .search = { .kind = SEARCH_LARGEST, .name = "problem.hardness", .from = 0.015, \
                            .to = 1.5, .points = 11, .reps = 4 }
/* Settings for claims about the privacy term on linear losses: two phases, and 4 times the theorem's eta (6 times
 * along alpha). Noise makes eta smaller by the factor rho = B ln(n) (d ln(1/beta))^(1/2)/(alpha n^(1/2)), so that
 * about 1 - 1/rho of the excess on the hardest slope is due to noise. B is chosen such that rho is at least 4 at
 * every point: 4 to 16 along d, 9 to 4 along n, 32 to 4 along alpha. Only the noise along x*, one coordinate of d,
 * changes the excess. With d = 16 the spread of runs is therefore a quarter of that with d = 1. */
#define CARRIED { "goal.delta", 1e-6 }, { "algo.k", 2 }, { "algo.c", 4 }, { "algo.G", 2 }, { "problem.s", 0.5 }
/* The estimator `exact` answers with copies of the minimiser that are spread about it by (C_1 ln(nbar)/2)^(1/2)
 * G/mu_i. The error of their mean is part of the sampling term: with C_1 = 1 it would be 0.4 R to 0.6 R in phase
 * 1. */
#define SMALL_C_1 { "algo.C_1", 1.0 / 16 }
#define HARDEST_OF_16 .search = { .kind = SEARCH_LARGEST, .name = "problem.hardness", \
                                  .from = 0.015, .to = 1.5, .points = 11, .reps = 16 }
#define FREE { .with = { NO_NOISE, { "algo.B", 1e-3 } }, \
               .why = "no noise, and eta as if there were none" }
/* Claims on quadratics, where most of the excess is the effect of the noise itself. The mean excess has a closed
 * form. */
#define NOISY .kind = KIND_CONDITIONAL, .tests = "noise alone", .check = CHECK_MOMENT, .algo = "phased-optimum", \
    .problem = "spectral", .measure = "excess", .formula = private_noisy, .tolerance = 0.15, \
    .control = { .with = { NO_NOISE }, .why = "no noise, and eta as it is" }, .cite = CITE "Theorem 6, second term"
#define NOISY_RUN { "problem.decades", 0 }, { "problem.s", 0.25 }, { "goal.delta", 1e-6 }, EXACT, SMALL_C_1, \
    { "algo.calibration", .text = "paper" }, { "algo.k", 2 }, { "algo.c", 3 }, { "algo.G", 2 }, { "algo.B", 3.5 }
#define SAMPLING \
    .tests = "none", .tests_none = "the sampling term, without noise: the private term has rows of its own"
/* HALF_WAY asks for half of the excess at the start. HALF_WAY_RUN has a slope of 1.5, so that the excess at the
 * start is 1.5, and 20 times the theorem's eta. With these settings runs with bias-reduced draws come to half of
 * that excess from n = 1024 on. */
#define HALF_WAY .reaches = { "excess", .value = 0.75, .probability = 0.9 }, .tests = "none", \
    .tests_none = "levels and indices are those of MLMC, whatever noise and losses are"
#define HALF_WAY_RUN { "problem.d", 8 }, { "problem.hardness", 1.5 }, { "problem.s", 0.5 }, MLMC, NO_NOISE, \
                     { "algo.G", 2 }, { "algo.c", 20 }
#define NONE_KNOWN "No estimator of Definition 3 is known: `exact` is one but for its gradients, " \
                   "which are those of a solver. "

/* --- baselines: the expected number of gradients of the methods of Bassily et al. 2014 and 2019, at eps = 1, delta
 * = 1e-6 and d = 8 */
static double private_bst14(const struct env *e) { return e->axis * e->axis; }

static double private_bftt19(const struct env *e)
{
    double n = e->axis, T = fmax(1, floor(fmin(n / 8, n * n / (32 * 8 * log(2e6)))));
    return T * fmin(n, fmax(1, ceil(n * sqrt(1 / (4 * T)))));
}

#define RECORDS .algo = "multi-epoch-dp-sgd", .problem = "coins_stored", .axis = "n"
#define OF_RECORDS { "problem.n", 1, 1 }, { "problem.d", 8 }, { "goal.n", 1, 2 }, \
                   { "goal.eps", 1 }, { "goal.delta", 1e-6 }, \
                   { "algo.calibration", .text = "paper" }

const struct claim bias_reduced_privacy[] = {
    { .id = "bias-reduced/private.thm6.eps", .item = "V23 3.11 O-13 O-36",
      .cite = CITE "Theorem 6",
      .says = "with an estimator as in Definition 3 and G in sigma, Algorithm 6 is (alpha, "
              "beta)-private for one record replaced",
      .remark = NONE_KNOWN "That one is private is what is shown, not that MLMC is: mlmc books C as "
                "failing with probability 1, and no run of it is called private. Noise as in the "
                "paper is refused unless alpha <= ln(1/beta) and beta <= 1/n.",
      .kind = KIND_CONDITIONAL, .check = CHECK_PRIVATE, OPTIMUM, .axis = "eps",
      .measure = "privacy.eps",
      .with = { { "problem.d", 8 }, { "problem.s", 8 }, { "goal.n", 256 }, { "goal.delta", 1e-5 },
                EXACT, { "algo.calibration", .text = "paper" } },
      .window = { { 1, 1, 1, 6 }, { 0.5, 4, 3, 24 }, { 0.25, 4, 5, 96 } },
      .control = { .with = { { "algo.calibration", .text = "printed" } },
                   .why = "sigma as printed, without G = 8.1" } },

    { .id = "bias-reduced/private.phased-optimum.eps", .item = "V23 3.11 O-36",
      .cite = CITE "Section 6, Appendix F.2",
      .says = "draws of MLMC cut to sqrt(C_1 ln n) G/mu_i, refused where more than B copies use a "
              "record, are private by the paper's own argument; what they lose is the bias",
      .remark = "The paper has no such method. The bound on one record's part needs the cut and B "
                "alone, neither convexity nor an expectation; Theorem 6's excess is not promised.",
      .kind = KIND_EXTENSION, .check = CHECK_PRIVATE, OPTIMUM, .axis = "eps",
      .measure = "privacy.eps",
      .with = { { "problem.d", 8 }, { "goal.n", 256 }, { "goal.delta", 1e-5 } },
      .window = { { 1, 1, 1, 6 }, { 0.5, 4, 3, 24 }, { 0.25, 4, 5, 96 } },
      .control = { .algo = "planted-leak-sensitivity",
                   .why = "planted: half the sensitivity that is due" } },

    { .id = "bias-reduced/private.median.eps", .item = "V23 3.11",
      .cite = CITE "Section 6, Appendix F.2",
      .says = "so they are where losses have kinks, for which Algorithm 6 is made",
      .kind = KIND_EXTENSION, .check = CHECK_PRIVATE, .algo = "phased-optimum",
      .problem = "spatial_median", .axis = "eps", .measure = "privacy.eps",
      .with = { { "problem.d", 8 }, { "goal.n", 256 }, { "goal.delta", 1e-5 } },
      .window = { { 1, 1, 1, 6 }, { 0 }, { 0.25, 4, 5, 96 } },
      .control = { .algo = "planted-leak-sensitivity",
                   .why = "planted: half the sensitivity that is due" } },

    { .id = "bias-reduced/private.lemma13.eps", .item = "O-14 V23",
      .cite = CITE "Lemma 13 with the root that print lacks",
      .says = "sigma = 8 G B (sqrt(C_1 ln n) + 2) sqrt(ln(2/beta))/alpha spends alpha at most, "
              "up to alpha = ln(1/beta)",
      .kind = KIND_ERRATUM, .tests = "none",
      .tests_none = "a formula of the paper against what it becomes: no mechanism is switched off",
      .check = CHECK_BOUND, .deterministic = true, OPTIMUM, .axis = "eps",
      .measure = "privacy.eps",
      .with = { { "problem.d", 8 }, { "problem.s", 8 }, { "goal.n", 256 }, { "goal.delta", 1e-5 },
                { "run.replay", 1 }, EXACT, { "algo.calibration", .text = "paper" } },
      .window = { { 0.25, 11, 3, 1 }, { 0.25, 11, 5, 1 }, { 0.125, 11.5, 9, 1 } },
      .formula = private_promise,
      .control = { .with = { { "algo.calibration", .text = "printed" } },
                   .why = "sigma as printed, without G = 8.1" } },

    { .id = "bias-reduced/private.def3.size.n", .item = "V23 O-36 2.7",
      .cite = CITE "Definition 3, Appendix F.3",
      .says = "the longest of n draws of MLMC grows as n^(1/2), in units of what Definition 3 "
              "allows",
      .remark = "Why privacy of MLMC is not proven: Theorem 6 asks for at most 1. Whole levels and "
                "the (ln n)^(1/2) of the unit leave about n^0.4; 16 quick runs do not decide.",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, OPTIMUM, .axis = "n", .measure = "note.far",
      .with = { { "problem.d", 8 }, MLMC },
      .window = { { 256, 4096, 5, 16 }, { 256, 16384, 7, 32 }, { 256, 65536, 9, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.3, 0.6 },
      .control = { .with = { EXACT }, .why = "an estimator as in Definition 3: bounded" } },

    { .id = "bias-reduced/private.thm6.reached.n", .item = "V23 3.11", .attempt = 2, .fresh = true,
      .cite = CITE "Theorem 6, Proposition 1",
      .says = "without noise, n draws of MLMC come to half of the start's excess with n (log2(16 nbar) - 4.66) "
              "gradients in the mean: order n log n",
      .kind = KIND_CONDITIONAL, .check = CHECK_MOMENT, OPTIMUM, .axis = "n", .measure = "sample_grads", HALF_WAY,
      .with = { HALF_WAY_RUN },
      .window = { { 1024, 4096, 2, 64 }, { 1024, 16384, 3, 64 }, { 1024, 65536, 4, 128 } },
      .rounds = 2, .formula = private_queries, .tolerance = 0.15,
      .control = { .with = { { "algo.T_max", 64 } }, .why = "no level above 6" } },

    { .id = "bias-reduced/private.lemma14.reached.n", .item = "V23 7.14", .attempt = 2, .fresh = true,
      .cite = CITE "proof of Lemma 14",
      .says = "a record is used by nbar p copies in the mean, p = E[1 - (1 - 1/nbar)^gradients], in runs that come "
              "to half of the start's excess",
      .kind = KIND_LEMMA, .check = CHECK_MOMENT, OPTIMUM, .axis = "n", .measure = "note.reuse", HALF_WAY,
      .with = { HALF_WAY_RUN },
      .window = { { 1024, 4096, 2, 64 }, { 1024, 16384, 3, 64 }, { 1024, 65536, 4, 128 } },
      .rounds = 2, .formula = private_reuse, .tolerance = 0.1,
      .control = { .with = { { "algo.T_max", 64 } }, .why = "no level above 6" } },

    { .id = "bias-reduced/private.lemma14.most.n", .item = "V23 O-36 7.14", .attempt = 3, .fresh = true,
      .cite = CITE "Lemma 14, beta = 1/n",
      .says = "no record is used by more than 20 ln(1/beta) + 6 C_2 ln^2 n copies, C_2 = 1",
      .remark = "Levels and indices do not depend on the data: `clipped` looks, and refuses a run.",
      .kind = KIND_LEMMA, .check = CHECK_BOUND, OPTIMUM, .axis = "n", .measure = "note.copies",
      .statistic = STAT_WORST, HALF_WAY, .with = { HALF_WAY_RUN },
      .window = { { 0 }, { 0 }, { 16384, 16384, 1, 4 } },
      .formula = private_lemma14,
      .control = { .with = { { "algo.estimator", .text = "plain" }, { "algo.T_max", 2048 } },
                   .why = "every copy a whole run of 2025 gradients" } },

    { .id = "bias-reduced/private.thm6.excess.n", .item = "V23 3.11",
      .cite = CITE "proof of Theorem 6, its constants written out",
      .says = "without noise E f(x_k) - f* is within the proof's sum: order G R log n/sqrt(n)",
      .remark = NONE_KNOWN "Phases: 4; eta: 3 times the theorem's; slopes: the hardest of a grid.",
      .kind = KIND_CONDITIONAL, SAMPLING, .check = CHECK_BOUND, OPTIMUM, .axis = "n", .measure = "excess",
      .with = { { "problem.d", 8 }, EXACT, NO_NOISE, SLOPES, { "algo.c", 3 } },
      HARDEST,
      .window = { { 4096, 16384, 2, 8 }, { 4096, 65536, 3, 16 }, { 4096, 262144, 4, 32 } },
      .formula = private_proof,
      .control = { .with = { { "algo.c", 1e-3 } }, .why = "it stays where it is" } },

    { .id = "bias-reduced/private.thm6.sampling.n", .item = "V23",
      .cite = CITE "Theorem 6, first term",
      .says = "without noise the excess on the hardest slope falls as n^(-1/2), with k fixed",
      .remark = NONE_KNOWN "k = 4 phases of n/4: with nbar = n/log2 n the logarithm of the theorem.",
      .kind = KIND_CONDITIONAL, SAMPLING, .check = CHECK_RATE, OPTIMUM, .axis = "n", .measure = "excess",
      .with = { { "problem.d", 8 }, EXACT, NO_NOISE, SLOPES, { "algo.c", 3 } },
      HARDEST,
      .window = { { 1024, 16384, 5, 8 }, { 1024, 65536, 7, 16 }, { 1024, 262144, 9, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .control = { .with = { { "algo.c", 17, -0.25 } }, .why = "eta n^(1/4) times too short" } },

    { .id = "bias-reduced/private.mlmc.sampling.n", .item = "V23",
      .cite = CITE "Theorem 6, first term; Proposition 1 for Definition 3",
      .says = "by draws of MLMC, without noise and not private, it falls so too",
      .kind = KIND_CONDITIONAL, .check = CHECK_RATE, OPTIMUM, .axis = "n", .measure = "excess",
      .with = { { "problem.d", 8 }, MLMC, NO_NOISE, SLOPES, { "algo.c", 3 } },
      HARDEST,
      .window = { { 0 }, { 0 }, { 1024, 65536, 7, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.6, -0.4 },
      .control = { .with = { { "algo.c", 17, -0.25 } }, .why = "eta n^(1/4) times too short" } },

    { .id = "bias-reduced/private.mlmc.median.n", .item = "V23",
      .cite = CITE "proof of Theorem 6, its constants written out",
      .says = "by draws of MLMC, without noise and not private, the excess on mean distances is "
              "within the proof's sum with C_1 = 1, though nothing bounds a draw",
      .kind = KIND_EVIDENCE, .check = CHECK_BOUND, .algo = "phased-optimum",
      .problem = "spatial_median", .axis = "n", .measure = "excess",
      .with = { { "problem.d", 8 }, { "problem.w", 0.1 }, { "problem.dist", 0.9 }, MLMC, NO_NOISE,
                { "algo.k", 4 }, { "algo.G", 1 }, { "algo.c", 3 } },
      .window = { { 0 }, { 0 }, { 16384, 262144, 3, 32 } },
      .formula = private_proof,
      .control = { .with = { { "algo.c", 1e-3 } }, .why = "it stays where it is" } },

    { .id = "bias-reduced/private.thm6.carried.d", .item = "V23", .attempt = 2, .fresh = true,
      .cite = CITE "Theorem 6, second term",
      .says = "where noise limits eta the excess on the hardest slope grows as d^(1/2)",
      .kind = KIND_CONDITIONAL, .tests = "noise", .check = CHECK_RATE, OPTIMUM, .axis = "d", .measure = "excess",
      .with = { { "goal.n", 131072 }, { "goal.eps", 1 }, CARRIED, EXACT, { "algo.B", 16 } },
      HARDEST,
      .window = { { 0 }, { 4, 64, 5, 16 }, { 4, 64, 5, 64 } },
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.35, 0.65 },
      .control = FREE },

    { .id = "bias-reduced/private.thm6.carried-near.n", .item = "V23", .attempt = 7, .fresh = true,
      .cite = CITE "Theorem 6, second term",
      .says = "where noise limits eta the excess on the hardest slope falls as ln(n)/n, B and k "
              "fixed",
      .kind = KIND_CONDITIONAL, .tests = "noise", .check = CHECK_RATE, OPTIMUM, .axis = "n", .measure = "excess",
      .with = { { "problem.d", 16 }, { "goal.eps", 4 }, CARRIED, EXACT, SMALL_C_1, { "algo.B", 33 } },
      HARDEST_OF_16,
      .window = { { 0 }, { 16384, 131072, 4, 64 }, { 16384, 131072, 4, 128 } },
      .law = { .form = LAW_POWER, .exponent = { -0.91 } }, .band = { -0.99, -0.83 },
      .control = FREE },

    { .id = "bias-reduced/private.thm6.carried-near.eps", .item = "V23", .attempt = 6, .fresh = true,
      .cite = CITE "Theorem 6, second term",
      .says = "where noise limits eta the excess on the hardest slope falls as 1/alpha",
      .kind = KIND_CONDITIONAL, .tests = "noise", .check = CHECK_RATE, OPTIMUM, .axis = "eps", .measure = "excess",
      .with = { { "problem.d", 16 }, { "goal.n", 65536 }, CARRIED, EXACT, SMALL_C_1, { "algo.B", 50 },
                { "algo.c", 6 } },
      HARDEST_OF_16,
      .window = { { 0 }, { 1, 8, 4, 48 }, { 1, 8, 4, 128 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.1, -0.9 },
      .control = FREE },

    { .id = "bias-reduced/private.thm6.noisy-48.n", .item = "V23", .attempt = 2, .fresh = true, NOISY, .axis = "n",
      .says = "on a quadratic the noise of Algorithm 6 leaves an excess in closed form, of order 1/n but for "
              "logarithms",
      .with = { { "problem.d", 64 }, { "goal.eps", 4 }, { "problem.M", .of = noisy_on_n }, NOISY_RUN },
      .window = { { 0 }, { 16384, 65536, 3, 48 }, { 16384, 65536, 5, 48 } } },

    { .id = "bias-reduced/private.thm6.noisy.d", .item = "V23", NOISY, .axis = "d",
      .says = "there the excess that noise leaves is in closed form, of order d^(1/2)",
      .with = { { "goal.n", 65536 }, { "goal.eps", 4 }, { "problem.M", .of = noisy_on_d }, NOISY_RUN },
      .window = { { 0 }, { 64, 1024, 3, 16 }, { 64, 1024, 5, 32 } } },

    { .id = "bias-reduced/private.thm6.noisy-48.eps", .item = "V23", .attempt = 2, .fresh = true, NOISY,
      .axis = "eps",
      .says = "there the excess that noise leaves is in closed form, of order 1/alpha",
      .with = { { "goal.n", 65536 }, { "problem.d", 64 }, { "problem.M", .of = noisy_on_alpha }, NOISY_RUN },
      .window = { { 0 }, { 1, 4, 3, 48 }, { 1, 4, 5, 48 } } },

    { .id = "bias-reduced/private.clipped.wide.n", .item = "V23 3.11", .attempt = 3, .fresh = true,
      .cite = CITE "Section 6; the extension is ours",
      .says = "by draws of MLMC that are cut, with B = 50 copies, which is above what any record has, the "
              "excess on the hardest slope falls as ln(n)/n",
      .remark = "Private, as private.phased-optimum.eps shows. Theorem 6 does not speak of it, since a cut draw is "
                "biased. Noise is a quarter of G, so that 0.6% of the copies are cut. With noise near G 3% are, "
                "and below n = 10^6 the spread of draws, n^(-1/2), is as large as the private term.",
      .kind = KIND_EXTENSION, .tests = "none",
      .tests_none = "it is about what cut draws reach; without noise they are the draws of private.mlmc.sampling.n",
      .check = CHECK_RATE, OPTIMUM, .axis = "n", .measure = "excess",
      .with = { { "problem.d", 16 }, { "goal.eps", 8 }, CARRIED, { "algo.estimator", .text = "clipped" },
                { "algo.B", 50 } },
      HARDEST,
      .window = { { 0 }, { 32768, 131072, 3, 24 }, { 32768, 524288, 5, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -0.91 } }, .band = { -1.1, -0.75 },
      .control = { .with = { { "algo.c", 724, -0.5 } }, .why = "eta n^(1/2) times too short: n^(-0.4)" } },

    { .id = "bias-reduced/private.thm6.logs.n", .item = "V23 O-13",
      .cite = CITE "Theorem 6 against the last step of its proof",
      .says = "R^2/(eta nbar) has B ln(n) log2(n)/(n alpha): on the slope that is half solved the "
              "excess is 7.5 times that, a factor log2(n) above the second term as printed",
      .remark = "eta has 1/(B ln n) and nbar = n/log2 n; the last inequality of the proof keeps "
                "one of the two logarithms. b = 1/4 and 16 eta; noise is left out.",
      .kind = KIND_ERRATUM, .tests = "none",
      .tests_none = "a formula of the paper against what it becomes: no mechanism is switched off",
      .check = CHECK_COUNT, .deterministic = true, OPTIMUM, .axis = "n",
      .measure = "excess",
      .with = { { "problem.d", 4 }, { "problem.s", 0 },
                { "problem.hardness", .of = private_halfway }, { "goal.eps", 8 },
                { "goal.delta", 1e-6 }, EXACT, NO_NOISE, { "algo.G", 1 }, { "algo.C_1", 1e-300 },
                { "algo.b", 0.25 }, { "algo.c", 16 } },
      .window = { { 1024, 65536, 4, 1 }, { 1024, 131072, 8, 1 }, { 1024, 131072, 8, 1 } },
      .formula = private_half, .tolerance = 1e-9,
      .control = { .with = { { "algo.c", 24 } }, .why = "eta half as large again" } },

    { .id = "bias-reduced/private.phased-sgd.excess.n", .item = "5.14",
      .cite = "Feldman, Koren, Talwar 2020, Theorem 4.4",
      .says = "phased SGD, where noise limits eta: on the hardest slope 1/n, without logarithms",
      .kind = KIND_BASELINE, .check = CHECK_RATE, .algo = "phased-sgd", .problem = "linear",
      .axis = "n", .measure = "excess",
      .with = { { "problem.d", 1024 }, { "problem.s", 2 }, { "goal.eps", 1 },
                { "goal.delta", 1e-6 }, { "algo.c", 0.25 } },
      HARDEST,
      .window = { { 0 }, { 0 }, { 8192, 65536, 4, 64 } },
      .law = { .form = LAW_POWER, .exponent = { -1 } }, .band = { -1.25, -0.8 },
      .control = { .with = { { "algo.mu", 1e6 } }, .why = "no privacy to speak of: n^(-1/2)" } },

    { .id = "bias-reduced/private.bst14.gradients.n", .item = "5.14",
      .cite = "Bassily, Smith, Thakurta 2014",
      .says = "noisy SGD on random records: n^2 gradients",
      .remark = "Quick, 8 runs of Poisson samples leave 3.9% where 3% are promised.",
      .kind = KIND_IDENTITY, .check = CHECK_MOMENT, RECORDS, .measure = "sample_grads",
      .with = { OF_RECORDS, { "algo.variant", .text = "bst14" } },
      .window = { { 32, 128, 3, 8 }, { 32, 256, 4, 16 }, { 32, 512, 5, 16 } },
      .formula = private_bst14, .tolerance = 0.03,
      .control = { .with = { { "algo.variant", .text = "bftt19" } },
                   .why = "n^(3/2) at the most" } },

    { .id = "bias-reduced/private.bftt19.gradients.n", .item = "5.14",
      .cite = "Bassily, Feldman, Talwar, Thakurta 2019",
      .says = "mini-batch noisy SGD: T = min{n/8, n^2/(32 d ln(2/beta))} batches of n/sqrt(4T)",
      .remark = "The method has ln(2/beta). The paper, quoted from memory, has ln(1/beta), with which T is 5% "
                "larger where d decides.",
      .kind = KIND_IDENTITY, .check = CHECK_COUNT, .deterministic = true, RECORDS,
      .measure = "sample_grads",
      .with = { OF_RECORDS, { "algo.variant", .text = "bftt19" } },
      .window = { { 64, 4096, 4, 1 }, { 64, 16384, 5, 1 }, { 64, 65536, 6, 1 } },
      .formula = private_bftt19,
      .control = { .with = { { "algo.T", 3 } }, .why = "three batches" } },

    { 0 }
};
