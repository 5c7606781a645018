/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theorems.c - the theorems of Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian: "ReSQueing Parallel and Private
 * Stochastic Convex Optimization" (2023), with one row for each quantity and axis, and the paper itself. The part
 * "parallel" has the estimator, ball acceleration and Table 1. The part "private" has Algorithms 3 to 7, private
 * ERM and SCO, and Table 2.
 *
 * L is the Lipschitz constant, R the radius, kappa = L R/eps for an accuracy eps, r the radius of a ball, rho the
 * radius of the smoothing, and K = (R/r)^(2/3). Where nothing else is said, a promise has no logarithm, because the
 * runs use practical constants. For example, the least penalty, lam_min, is c_lam eps K^2/R^2, without the factor
 * log^2 kappa; this makes at least 2 K rounds, and 4 K where balls bind. A line search makes at most 12 halvings,
 * and has one answer in place of 20 log(1/zeta), where zeta is the probability that it fails. */
#include "resque.h"

#define PARALLEL_CLAIM "resque/parallel."
/* A row whose promise is a statement in words, not a law along the axis. claim_id is the end of the id of the claim
 * that decides the row. */
#define PARALLEL_ROW(axis, quantity, promise, claim_id) { axis, quantity, { promise }, \
  .claim = PARALLEL_CLAIM claim_id }
#define PRIVATE_CLAIM "resque/private."
#define PRIVATE_ROW(axis, quantity, promise, claim_id) { axis, quantity, { promise }, \
  .claim = PRIVATE_CLAIM claim_id }

#define RIVAL(text, exponent, whose) { text, exponent, NULL, whose }
#define NO_GROWTH RIVAL("constant", 0, "a result that does not depend on the axis")

/* The exponents of query depth that the other methods of Table 1 have. Balls without acceleration make R/r =
 * sqrt(d) kappa rounds, so that their exponent of kappa is 1, as that of randomised smoothing. Cutting planes grow
 * as log kappa, which counts as no growth. */
#define DEPTH_KAPPA_RIVALS RIVAL("kappa", 1, "randomised smoothing, and balls without acceleration"), \
                           RIVAL("kappa^2", 2, "SGD"), NO_GROWTH
#define DEPTH_D_RIVALS RIVAL("d^(1/4)", 0.25, "randomised smoothing"), \
                       RIVAL("d^(1/2)", 0.5, "balls without acceleration"), RIVAL("d", 1, "cutting planes"), \
                       RIVAL("constant", 0, "SGD")
/* The exponents of the number of queries that other methods have. Balls without acceleration solve sqrt(d) kappa
 * problems in a ball, each to an accuracy of eps r/R, which takes (L R/eps)^2 = kappa^2 queries. */
#define QUERIES_KAPPA_RIVALS RIVAL("kappa^3", 3, "balls without acceleration"), \
                             RIVAL("kappa^(8/3)", 8.0 / 3, "models in whole balls"), \
                             RIVAL("kappa", 1, "the rounds of randomised smoothing, one query in each"), NO_GROWTH
#define QUERIES_D_RIVALS RIVAL("d^(1/2)", 0.5, "balls without acceleration"), \
                         RIVAL("d^(4/3)", 4.0 / 3, "models in whole balls"), RIVAL("d", 1, "cutting planes")

/* --- Lemmas 1 and 2 */

static const struct theorem_row lemma1[] = {
    PARALLEL_ROW("u", "mean", "grad F_rho(x), at any distance u rho from the centre", "lemma1.1.mean.u"),
    PARALLEL_ROW("u", "second moment, bound", "at most 3 L^2 within rho of the centre", "lemma1.2.long.u"),
    PARALLEL_ROW("u", "second moment", "exp(u^2) L^2 where every gradient is L long", "lemma1.2.moment.u"),
    { 0 }
};

static const struct theorem_row lemma2[] = {
    PARALLEL_ROW("power", "moment of a weight", "at most 2 within rho/p of the centre", "lemma2.1.double.power"),
    PARALLEL_ROW("u", "weights of one query at two points", "a mean product of exp(<v, v'>/rho^2)",
        "weights.product.u"),
    { "distance", "moment of a difference of weights", { "at most (24 p |x - x'|/rho)^p within rho/p of the "
                                                         "centre" },
      .state = ROW_EVIDENCE,
      .reason = "Powers of weights have tails too heavy for means of draws; a unit test integrates them instead." },
    { 0 }
};

/* --- Propositions 1 to 4, and Section 1.4 */

static const struct theorem_row prop1[] = {
    PARALLEL_ROW("kappa", "excess", "at most L R/kappa", "prop1.near.kappa"),
    /* The number of rounds is of order K = (R/r)^(2/3) with r = eps/(L sqrt(d)). */
    { "kappa", "rounds", { "kappa^(2/3)", 2.0 / 3 }, { DEPTH_KAPPA_RIVALS },
      PARALLEL_CLAIM "prop1.binding.kappa" },
    { "d", "rounds", { "d^(1/3)", 1.0 / 3 }, { DEPTH_D_RIVALS }, PARALLEL_CLAIM "prop1.binding.d" },
    /* The paper promises a logarithm, C log2(R kappa/r). A bisection of log lam, the logarithm of the penalty,
     * needs only the logarithm of a logarithm. */
    PARALLEL_ROW("kappa", "calls of oracles in a round", "at most C log2(R kappa/r) line searches",
        "prop1.searched.kappa"),
    PARALLEL_ROW("d", "calls of oracles in a round", "at most C log2(R kappa/r) line searches", "prop1.bisected.d"),
    { 0 }
};

static const struct theorem_row prop2[] = {
    { "round", "calls of ball oracles", { "at most C log2(R kappa/r)^2 in a line search" },
      .state = ROW_EVIDENCE,
      .reason = "With one answer a line search, one call of a ball oracle answers it; the rows of "
                "Proposition 1 bound how many a round asks." },
    { "level", "calls at accuracy lambda r^2/2^j", { "2^-j of the rounds" }, .state = ROW_EVIDENCE,
      .reason = "A unit test holds the law of the levels and their accuracies against this; no claim counts the "
                "calls of "
                "a run." },
    { 0 }
};

/* Proposition 3: error and queries of one call of a ball oracle by EpochSGD. */
static const struct theorem_row prop3[] = {
    /* A call makes T = 48 L^2/(lam phi) queries, so that an error of order 1/T is of order phi. */
    { "phi", "error of a call", { "phi", 1 }, { RIVAL("phi^(1/2)", 0.5, "SGD without strong convexity"),
      NO_GROWTH },
      PARALLEL_CLAIM "prop3.falls.phi" },
    { "phi", "queries of a call", { "1/phi", -1 },
      { RIVAL("phi^(-2)", -2, "SGD without strong convexity"), NO_GROWTH }, PARALLEL_CLAIM "prop3.asked.phi" },
    { 0 }
};

static const struct theorem_row prop4[] = {
    { "L/(rho lambda)", "computational depth of a call", { "(L/(rho lambda))^(1/2)", 0.5 },
      { RIVAL("L/(rho lambda)", 1, "AC-SA without acceleration"), NO_GROWTH },
      PARALLEL_CLAIM "prop4.calm.condition" },
    { "phi", "queries of a call", { "1/phi", -1 },
      { RIVAL("phi^(-2)", -2, "SGD without strong convexity"), NO_GROWTH }, PARALLEL_CLAIM "prop4.asked.phi" },
    { 0 }
};

static const struct theorem_row naive[] = {
    { "kappa", "rounds until eps", { "kappa", 1 },
      { RIVAL("kappa^(2/3)", 2.0 / 3, "ball acceleration"), RIVAL("kappa^2", 2, "SGD"), NO_GROWTH },
      PARALLEL_CLAIM "naive.straight.kappa" },
    PARALLEL_ROW("kappa", "rounds, counted", "ceil(R/r)", "naive.rounds.kappa"),
    { 0 }
};

/* --- Theorems 1 and 2. The query depth is that of K rounds, each with a line search of at most 12 halvings. */

static const struct theorem_row thm1[] = {
    PARALLEL_ROW("kappa", "excess", "at most L R/kappa", "thm1.excess.kappa"),
    PARALLEL_ROW("kappa", "excess, literal constants", "at most L R/kappa", "literal.excess.kappa"),
    { "kappa = d", "query depth, literal constants", { "at most 4 (24)^(1/2) d^(1/4) kappa" },
      .state = ROW_EVIDENCE,
      .reason = "parallel.literal.batches.diagonal counts 28, 88 and 238 batches and 4.3e8, 1.1e9 and 2.0e9 "
                "queries at kappa = d = 2, 4 and 8 in count mode. lam_min with log^2 kappa is above 2L/r, so that "
                "no ball binds and the law is that of randomised smoothing; at kappa = d = 16 a run has 1.3e10 "
                "queries." },
    { "kappa", "query depth", { "kappa^(2/3)", 2.0 / 3 }, { DEPTH_KAPPA_RIVALS },
      PARALLEL_CLAIM "thm1.later.kappa" },
    { "d", "query depth", { "d^(1/3)", 1.0 / 3 }, { DEPTH_D_RIVALS }, PARALLEL_CLAIM "thm1.binding.d" },
    { "kappa = d", "query depth", { "kappa", 1 },
      { RIVAL("kappa^(5/4)", 1.25, "randomised smoothing"), RIVAL("kappa^(3/2)", 1.5, "balls without acceleration"),
        RIVAL("kappa^2", 2, "SGD"), NO_GROWTH }, PARALLEL_CLAIM "thm1.even.diagonal" },
    { "kappa = d", "rounds", { "kappa", 1 },
      { RIVAL("kappa^(5/4)", 1.25, "randomised smoothing"), RIVAL("kappa^(3/2)", 1.5, "balls without acceleration"),
        RIVAL("kappa^2", 2, "SGD"), NO_GROWTH }, PARALLEL_CLAIM "thm1.turns.diagonal" },
    /* This row is about a maximum of d = m = (kappa/1.5)^2 coordinates, on which the claims ran that were replaced
     * (attempts.c). */
    { "kappa^2 = 2.25 d", "query depth", { "kappa^(4/3)", 4.0 / 3 },
      { RIVAL("kappa^(3/2)", 1.5, "randomised smoothing"),
        RIVAL("kappa^2", 2, "SGD, cutting planes, balls without acceleration"), NO_GROWTH }, .state = ROW_EVIDENCE,
      .reason = "On a maximum no ball binds, so that its rounds are a formula; the diagonal kappa = d is run "
                "where balls "
                "bind." },
    /* The promise is d^(1/3) kappa^(2/3) + kappa^2 queries. The second term is the larger one if kappa >
     * d^(1/4). */
    { "kappa", "queries", { "kappa^2", 2 }, { QUERIES_KAPPA_RIVALS }, PARALLEL_CLAIM "thm1.cost.kappa" },
    { "d", "queries", { "constant", 0 }, { QUERIES_D_RIVALS }, PARALLEL_CLAIM "thm1.wide.d" },
    { "kappa", "computational depth", { "kappa^2", 2 },
      { RIVAL("kappa^(8/3)", 8.0 / 3, "models in whole balls"), RIVAL("kappa", 1, "AC-SA, randomised smoothing"),
        RIVAL("kappa^(2/3)", 2.0 / 3, "rounds alone"), NO_GROWTH }, PARALLEL_CLAIM "thm1.serial.kappa" },
    { "d", "computational depth", { "constant", 0 },
      { RIVAL("d^(1/4)", 0.25, "AC-SA, randomised smoothing"), RIVAL("d^(1/3)", 1.0 / 3, "rounds alone"),
        RIVAL("d^(4/3)", 4.0 / 3, "models in whole balls") }, PARALLEL_CLAIM "thm1.level.d" },
    { "kappa", "work", { "kappa^2", 2 }, { QUERIES_KAPPA_RIVALS }, .state = ROW_EVIDENCE,
      .reason = "Work is counted as queries times d, so that a claim of it would repeat that of the queries." },
    { "d", "work", { "d", 1 }, { RIVAL("d^(3/2)", 1.5, "balls without acceleration"),
                                 RIVAL("d^(7/3)", 7.0 / 3, "models in whole balls"), NO_GROWTH },
                                   .state = ROW_EVIDENCE,
      .reason = "Work is counted as queries times d, so that a claim of it would repeat that of the queries." },
    { 0 }
};

/* Returns the computational depth of K rounds of AC-SA, up to a constant. A round makes a fixed number of phases of
 * 4 (1 + L/(rho lam))^(1/2) steps. With rho = r = eps/(2 L sqrt(d)) and the lam_min of accuracy eps/2 for lam,
 * L/(rho lam) = 2 kappa/sqrt(K) and K = (2 sqrt(d) kappa)^(2/3). */
static double deep(double kappa, double d)
{
    double K = pow(2 * sqrt(d) * kappa, 2.0 / 3);
    return K * sqrt(1 + 2 * kappa / sqrt(K));
}
static double deep_in_kappa(double kappa) { return deep(kappa, 16); }
static double deep_in_d(double d) { return deep(80, d); }

static const struct theorem_row thm2[] = {
    PARALLEL_ROW("kappa", "excess", "at most L R/kappa", "thm2.near.kappa"),
    { "kappa", "query depth", { "kappa^(2/3)", 2.0 / 3 }, { DEPTH_KAPPA_RIVALS },
      PARALLEL_CLAIM "thm2.whole.kappa" },
    { "d", "query depth", { "d^(1/3)", 1.0 / 3 }, { DEPTH_D_RIVALS }, PARALLEL_CLAIM "thm2.binding.d" },
    { "kappa", "queries", { "kappa^2", 2 }, { QUERIES_KAPPA_RIVALS }, PARALLEL_CLAIM "thm2.spent.kappa" },
    { "d", "queries", { "constant", 0 }, { QUERIES_D_RIVALS }, PARALLEL_CLAIM "thm2.spread.d" },
    { "kappa", "computational depth", { "K (1 + 2 kappa/sqrt(K))^(1/2), K = (2 sqrt(d) kappa)^(2/3), d = 16", 1,
                                        deep_in_kappa },
      { RIVAL("kappa^(2/3)", 2.0 / 3, "rounds alone"), RIVAL("kappa^2", 2, "EpochSGD, SGD"),
        RIVAL("kappa^(8/3)", 8.0 / 3, "models in whole balls"), NO_GROWTH }, PARALLEL_CLAIM "thm2.firm.kappa" },
    { "d", "computational depth", { "K (1 + 2 kappa/sqrt(K))^(1/2), K = (2 sqrt(d) kappa)^(2/3), kappa = 80", 0.25,
                                    deep_in_d },
      { RIVAL("d^(1/3)", 1.0 / 3, "rounds alone"), RIVAL("d^(4/3)", 4.0 / 3, "models in whole balls"),
        RIVAL("d", 1, "cutting planes"), RIVAL("constant", 0, "EpochSGD, SGD") },
      PARALLEL_CLAIM "thm2.paired.d" },
    { "kappa", "work", { "kappa^2", 2 }, { QUERIES_KAPPA_RIVALS }, .state = ROW_EVIDENCE,
      .reason = "Work is counted as queries times d, so that a claim of it would repeat that of the queries." },
    { "d", "work", { "d", 1 }, { RIVAL("d^(3/2)", 1.5, "balls without acceleration"),
                                 RIVAL("d^(7/3)", 7.0 / 3, "models in whole balls"), NO_GROWTH },
                                   .state = ROW_EVIDENCE,
      .reason = "Work is counted as queries times d, so that a claim of it would repeat that of the queries." },
    { 0 }
};

/* --- Section 1.1: lower bounds; Table 1: the other methods, and ball acceleration beside them */

static const struct theorem_row bounds[] = {
    PARALLEL_ROW("kappa", "rounds of span methods", "at least d on a maximum of d = (kappa/1.5)^2 coordinates",
        "span.steps.kappa"),
    { "B", "rounds of SGD in batches", { "constant", 0 },
      { RIVAL("B^(-1/2)", -0.5, "a step that grows with the root of the batch"),
        RIVAL("1/B", -1, "a method whose queries are what counts") }, PARALLEL_CLAIM "sgd.hit.B" },
    PARALLEL_ROW("kappa", "queries", "an error above eps with probability 1/4 at kappa^2/64 queries",
        "coin.error.kappa"),
    { 0 }
};

static double logarithm(double kappa) { return log(kappa); }
static double logarithm_squared(double kappa) { return log(kappa) * log(kappa); }

#define CUTS_D_RIVALS RIVAL("d^2", 2, "the ellipsoid around"), RIVAL("d^(1/2)", 0.5, "balls without " \
    "acceleration"), \
                      RIVAL("d^(1/3)", 1.0 / 3, "ball acceleration"), \
                      RIVAL("d^(1/4)", 0.25, "randomised smoothing"), RIVAL("constant", 0, "SGD")

static const struct theorem_row table1[] = {
    /* The claim runs with d = (kappa/1.5)^2. There cutting planes and balls without acceleration grow as kappa^2
     * too; the row along d separates SGD from these. */
    { "kappa", "SGD: query depth", { "kappa^2", 2 },
      { RIVAL("kappa^(3/2)", 1.5, "randomised smoothing on the diagonal"),
        RIVAL("kappa^(4/3)", 4.0 / 3, "ball acceleration on the diagonal"), NO_GROWTH },
      PARALLEL_CLAIM "sgd.narrow.diagonal" },
    { "d", "SGD: query depth", { "constant", 0 },
      { RIVAL("d^(1/4)", 0.25, "randomised smoothing"), RIVAL("d^(1/3)", 1.0 / 3, "ball acceleration"),
        RIVAL("d", 1, "cutting planes") }, PARALLEL_CLAIM "sgd.maximum.d" },

    { "kappa", "randomised smoothing: query depth", { "kappa", 1 },
      { RIVAL("kappa^(2/3)", 2.0 / 3, "ball acceleration"), RIVAL("kappa^2", 2, "SGD"), NO_GROWTH },
      PARALLEL_CLAIM "smoothing.narrow.kappa" },
    { "d", "randomised smoothing: query depth", { "d^(1/4)", 0.25 },
      { RIVAL("d^(1/3)", 1.0 / 3, "ball acceleration"), RIVAL("d", 1, "cutting planes"), RIVAL("constant", 0,
        "SGD") },
      PARALLEL_CLAIM "smoothing.reached.d" },
    { "kappa^2 = 2.25 d", "randomised smoothing: query depth", { "kappa^(3/2)", 1.5 },
      { RIVAL("kappa^(4/3)", 4.0 / 3, "ball acceleration"), RIVAL("kappa^2", 2, "SGD"), NO_GROWTH },
      PARALLEL_CLAIM "smoothing.narrow.diagonal" },
    PARALLEL_ROW("kappa", "randomised smoothing: queries", "T ceil(100 kappa^2/T), T = ceil(20 d^(1/4) kappa)",
        "shrinking.queries.kappa"),
    PARALLEL_ROW("kappa", "randomised smoothing: computational depth", "3 T, T = ceil(20 d^(1/4) kappa)",
        "shrinking.depth.kappa"),

    { "kappa", "models in whole balls: query depth", { "kappa^(2/3)", 2.0 / 3 }, { DEPTH_KAPPA_RIVALS },
      PARALLEL_CLAIM "pooled.later.kappa" },
    { "d", "models in whole balls: query depth", { "d^(1/3)", 1.0 / 3 }, { DEPTH_D_RIVALS },
      .state = ROW_EVIDENCE,
      .reason = "Single runs at kappa = 80 take 729, 1107 and 1603 batches at d = 4, 16 and 64, d^0.28, "
                "where the staircase of line searches decides: the nearest rival is 1/12 away, the log-sd "
                "0.03, a run at d = 64 takes 25 s, and kappa = 160, where Theorem 1 shows its power, 4 "
                "times as long in each of 48." },
    PARALLEL_ROW("kappa", "models in whole balls: queries", "ceil(d kappa^2 ln(d kappa)) in each round",
        "pooled.queries.kappa"),
    PARALLEL_ROW("kappa", "models in whole balls: computational depth", "at most the number of queries",
        "pooled.near.kappa"),

    { "d", "cutting planes, centre of gravity: query depth", { "d", 1 }, { CUTS_D_RIVALS },
      PARALLEL_CLAIM "gravity.late.d" },
    { "d", "cutting planes, inscribed ellipsoid: query depth", { "d", 1 }, { CUTS_D_RIVALS },
      PARALLEL_CLAIM "inscribed.fixed.d" },
    { "kappa", "cutting planes, centre of gravity: query depth", { "log kappa", 0, logarithm },
      { { "log^2 kappa", 0, logarithm_squared, "a dimension that grows as log kappa" },
        RIVAL("kappa^(2/3)", 2.0 / 3, "ball acceleration"), RIVAL("kappa", 1, "randomised smoothing"),
        RIVAL("kappa^2", 2, "SGD"), NO_GROWTH }, PARALLEL_CLAIM "gravity.hit.kappa" },

    { "kappa", "ball acceleration over randomised smoothing: query depth", { "kappa^(-1/3)", -1.0 / 3 },
      { RIVAL("constant", 0, "randomised smoothing itself"), RIVAL("kappa", 1, "SGD"),
        RIVAL("1/kappa", -1, "cutting planes") }, PARALLEL_CLAIM "binding.gain.kappa" },
    { "d", "ball acceleration over randomised smoothing: query depth", { "d^(1/12)", 1.0 / 12 },
      { RIVAL("constant", 0, "randomised smoothing itself"), RIVAL("d^(1/4)", 0.25, "balls without acceleration"),
        RIVAL("d^(-1/4)", -0.25, "SGD"), RIVAL("d^(3/4)", 0.75, "cutting planes") },
          PARALLEL_CLAIM "binding.gain.d" },
    { "kappa^2 = 2.25 d", "ball acceleration over randomised smoothing: query depth",
      { "kappa^(-1/6)", -1.0 / 6 },
      { RIVAL("constant", 0, "randomised smoothing itself"), RIVAL("kappa^(1/2)", 0.5, "SGD, cutting planes") },
      .state = ROW_EVIDENCE,
      .reason = "On a maximum no ball binds, so that its rounds are a formula; gains are measured where balls "
                "bind." },
    PARALLEL_ROW("kappa", "ball acceleration before SGD", "fewer rounds beyond kappa = 40, d = 16",
        "boundary.sgd.kappa"),
    PARALLEL_ROW("kappa", "cutting planes before ball acceleration", "fewer rounds where kappa is far above d",
        "boundary.far.kappa"),
    { 0 }
};

/* --- Section 4: Algorithms 3 to 7 */

static const struct theorem_row prop6[] = {
    PRIVATE_ROW("gradients", "excess", "at most C L r (sqrt(d)/(beta T) + 1/sqrt(T)); C = 16 in the proof, 1.6 "
                                       "here, calibrated on other runs", "prop6.steep.gradients"),
    { 0 }
};

static const struct theorem_row lemma5[] = {
    /* The constant of the bound is 1500 in the paper; the claim lemma5.proven.c_rho measures 4. The claim
     * lemma5.again.c_rho measures 1, since its iterates come to the border of the ball half-way. The bound with c
     * is close to what lemma5.proven.c_rho measures. */
    PRIVATE_ROW("c_rho", "what one record moves", "at most 1500 (b eta L)^2 in square, or (b c eta L)^2 with the "
                                                  "c of "
        "algos/parts/resque_erm.h", "lemma5.proven.c_rho"),
    { 0 }
};

static const struct theorem_row lemma7[] = {
    { "eps", "privacy", { "Renyi divergence at most alpha C (beta log(1/delta) T/n)^2" }, .state = ROW_EVIDENCE,
      .reason = "With the constants of its proof, 112320 and a rho/r of 1728 log^2(log T/delta), it affords no "
                "release at "
                "any size that runs; thm3.replay.eps charges a proven bound on what one record moves instead." },
    { 0 }
};

static const struct theorem_row cor2[] = {
    { "gradients", "excess", { "at most C L r' (sqrt(d)/(beta T) + 1/sqrt(T))" },
      .state = ROW_EVIDENCE,
      .reason = "Algorithm 5 is stages of Algorithm 4, and no method here ends after one; Proposition 8 "
                "measures all of them." },
    { 0 }
};

static const struct theorem_row prop8[] = {
    PRIVATE_ROW("gradients", "squared distance, bound", "at most C (L/lam)^2 (d/(beta T)^2 + 1/T); C = 2 8192 in "
                                                        "the proof, "
        "300 in closed form on linear losses", "prop8.near.gradients"),
    { "gradients", "squared distance from noise", { "T^(-2)", -2 },
      { RIVAL("1/T", -1, "sampling, without noise"), NO_GROWTH }, PRIVATE_CLAIM "prop8.strict.gradients" },
    { "gradients", "squared distance from sampling", { "1/T", -1 },
      { RIVAL("T^(-1/2)", -0.5, "Algorithm 4, without strong convexity"), RIVAL("T^(-2)", -2, "the noise term"),
        NO_GROWTH }, PRIVATE_CLAIM "prop8.narrow.gradients" },
    { 0 }
};

static const struct theorem_row prop9[] = {
    PRIVATE_ROW("data", "mean", "that of the highest level", "prop9.mean.data"),
    { "data", "bias, what the proof leaves",
      { "at most C (L/lam) (d/(beta_j T_j)^2 + 1/T_j)^(1/2) of the highest level, C = (2 8192)^(1/2) in the "
        "proof" },
      .claim = PRIVATE_CLAIM "prop9.highest.data" },
    { "data", "bias from noise, as printed", { "1/n", -1 },
      { RIVAL("n^(-1/2)", -0.5, "the noise of the highest level"), NO_GROWTH }, .state = ROW_EVIDENCE,
      .reason = "Where the minimiser touches the ball prop9.fold.data measures n^(-1/2), but the second term of "
                "the "
                "printed bound, 1/sqrt(n), is as large there and hides it." },
    /* The highest level j has T_j = n/C_priv gradients and the noise of beta_j = 2^(-j/2) beta. So d/(beta_j T_j)^2
     * falls as 1/(n T). */
    { "data", "squared distance of the highest level from noise", { "1/n", -1 },
      { RIVAL("n^(-2)", -2, "the noise of beta at that level"), NO_GROWTH }, PRIVATE_CLAIM "prop9.narrow.data" },
    PRIVATE_ROW("gradients", "second moment", "at most C (L/lam)^2 (d/(beta T)^2 + 1/T)", "prop9.second.gradients"),
    { 0 }
};

static const struct theorem_row lemma10[] = {
    PRIVATE_ROW("data", "gradients of a loop", "T, and with probability 2^-j 2^j T and 2^(j-1) T more",
        "alg6.reached.data"),
    { 0 }
};

static const struct theorem_row prop10[] = {
    PRIVATE_ROW("gradients", "failure probability", "at most zeta", "prop10.failure.gradients"),
    PRIVATE_ROW("zeta", "gradients", "20 T log(1/zeta)", "prop10.asked.zeta"),
    { 0 }
};

/* --- Theorem 3 */

/* Returns the second term of Theorem 3 as a function of n, at delta = 10^-3. Its logarithms are what the ledger
 * spends: beta begins at eps/(log(n/delta) log(1/delta)^(1/2)), and a call makes one release in each of its about
 * log2 T phases. */
static double private_in_n(double n) { return pow(log(n / 1e-3), 1.5) * log(n) / n; }

#define PRIVATE_N_RIVALS RIVAL("n^(-1/2)", -0.5, "sampling, without privacy"), NO_GROWTH
#define SAMPLED_N_RIVALS RIVAL("1/n", -1, "the privacy term"), NO_GROWTH
/* The reason of rows about the number of gradients in the case kappa = sqrt(n), where the numbers are counted by
 * formulas, without runs. */
#define COUNTED_BY_FORMULA(id, away) "private." id " counts what the formulas of this reconstruction ask for, " \
    "without logarithms and with constants of one; it makes no run. The ledger affords this kappa = sqrt(n) " \
    "beyond n = 10^7 only: the nearest rival is " away " away, the log-sd of a count 0.07, a run takes half an " \
    "hour or more, and 32 cells would be needed."

/* The rows of Theorem 3. Up to the factor log^6(n/delta), its number of gradients is of the order of the larger of
 * two terms:
 *
 *     n > d/eps^2:   n             and   (n d)^(2/3)/eps; the first is the larger if n > d^2/eps^3
 *     n < d/eps^2:   n^2 eps^2/d   and   n^(4/3) eps^(1/3); the second is the larger for all eps < 1
 *
 * For n > d/eps^2 the rivals have n^(3/2) (Asi et al. 2021) and n^(5/4) d^(1/8) eps^(1/2) (Kulkarni et al. 2021);
 * for n < d/eps^2 they have n^2 eps/d^(1/2) and n^(3/2) eps/d^(1/8). */
static const struct theorem_row thm3[] = {
    { "n", "excess from privacy", { "log(n/delta)^(3/2) log(n)/n", -1, private_in_n }, { PRIVATE_N_RIVALS },
      PRIVATE_CLAIM "thm3.later.n" },
    { "d", "excess from privacy", { "d^(1/2)", 0.5 },
      { RIVAL("constant", 0, "sampling, without privacy"), RIVAL("d", 1, "noise of every coordinate, added up") },
      PRIVATE_CLAIM "thm3.later.d" },
    { "eps", "excess from privacy", { "1/eps", -1 },
      { RIVAL("constant", 0, "sampling, without privacy"), RIVAL("eps^(-2)", -2, "noise in square") },
      PRIVATE_CLAIM "thm3.later.eps" },
    { "n", "excess from sampling", { "n^(-1/2)", -0.5 }, { SAMPLED_N_RIVALS }, PRIVATE_CLAIM "thm3.long.n" },

    { "n", "gradients for n > d^2/eps^3", { "n", 1 },
      { RIVAL("n^(5/4)", 1.25, "Kulkarni et al. 2021"), RIVAL("n^(3/2)", 1.5, "Asi et al. 2021"),
        RIVAL("n^2", 2, "Bassily et al. 2014, Feldman et al. 2020"), RIVAL("n^(2/3)", 2.0 / 3, "the other term"),
        NO_GROWTH }, .state = ROW_EVIDENCE, .reason = COUNTED_BY_FORMULA("thm3.asked.many", "1/4") },
    { "d", "gradients for n > d^2/eps^3", { "constant", 0 },
      { RIVAL("d^(2/3)", 2.0 / 3, "the other term"), RIVAL("d^(1/8)", 0.125, "Kulkarni et al. 2021") },
      .state = ROW_EVIDENCE,
      .reason = COUNTED_BY_FORMULA("thm3.asked.level", "1/8") },
    { "eps", "gradients for n > d^2/eps^3", { "constant", 0 },
      { RIVAL("1/eps", -1, "the other term"), RIVAL("eps^(1/2)", 0.5, "Kulkarni et al. 2021") },
      .state = ROW_EVIDENCE,
      .reason = COUNTED_BY_FORMULA("thm3.asked.plenty", "1/2") },

    { "n", "gradients for d/eps^2 < n < d^2/eps^3", { "n^(2/3)", 2.0 / 3 },
      { RIVAL("n", 1, "the other term"), RIVAL("n^(5/4)", 1.25, "Kulkarni et al. 2021"),
        RIVAL("n^(3/2)", 1.5, "Asi et al. 2021"), RIVAL("n^2", 2, "Bassily et al. 2014, Feldman et al. 2020"),
        NO_GROWTH }, .state = ROW_EVIDENCE, .reason = COUNTED_BY_FORMULA("thm3.asked.middle", "1/3") },
    { "d", "gradients for d/eps^2 < n < d^2/eps^3", { "d^(2/3)", 2.0 / 3 },
      { RIVAL("d^(1/8)", 0.125, "Kulkarni et al. 2021"), RIVAL("constant", 0, "the other term, Asi et al. 2021") },
      .state = ROW_EVIDENCE, .reason = COUNTED_BY_FORMULA("thm3.gradients.dimension", "0.54") },
    { "eps", "gradients for d/eps^2 < n < d^2/eps^3", { "1/eps", -1 },
      { RIVAL("eps^(1/2)", 0.5, "Kulkarni et al. 2021"), RIVAL("constant", 0, "the other term, Asi et al. 2021") },
      .state = ROW_EVIDENCE, .reason = COUNTED_BY_FORMULA("thm3.asked.eps", "1") },

    { "n", "gradients for n < d/eps^2", { "n^(4/3)", 4.0 / 3 },
      { RIVAL("n^(3/2)", 1.5, "Kulkarni et al. 2021"), RIVAL("n^2", 2, "Asi et al. 2021, and the other term"),
        RIVAL("n", 1, "more records"), NO_GROWTH }, .state = ROW_EVIDENCE,
      .reason = "private.thm3.allowed.few counts formulas of this reconstruction, not a run, and its band, 1.2 to "
                "1.45, reaches further than half of the way to the 3/2 of Kulkarni et al. 2021, 1/6 away. A run "
                "would need 6 10^7 records of 2 10^8 coordinates, and makes no step of it." },
    { "d", "gradients for n < d/eps^2", { "constant", 0 },
      { RIVAL("d^(2/3)", 2.0 / 3, "more records"), RIVAL("d^(-1/2)", -0.5, "Asi et al. 2021"),
        RIVAL("d^(-1/8)", -0.125, "Kulkarni et al. 2021") },
      .state = ROW_EVIDENCE,
      .reason = "private.thm3.allowed.level counts formulas. Here kappa is at most n eps/sqrt(d), less than "
                "sqrt(n). By what the ledger affords on 32000 records of 16 coordinates, kappa = 9.6, it would be "
                "sqrt(n)/1500 at n = d/(4 eps^2): 5 on 6 10^7 records of 2 10^8 coordinates, of which no run "
                "makes a step." },
    { "eps", "gradients for n < d/eps^2", { "eps^(1/3)", 1.0 / 3 },
      { RIVAL("eps", 1, "Asi et al. 2021, Kulkarni et al. 2021"), RIVAL("eps^2", 2, "the other term"),
        RIVAL("1/eps", -1, "more records"), NO_GROWTH },
      .state = ROW_EVIDENCE,
      .reason = "private.thm3.allowed.eps counts formulas. Here kappa is at most n eps/sqrt(d), less than "
                "sqrt(n). By what the ledger affords on 32000 records of 16 coordinates, kappa = 9.6, it would be "
                "sqrt(n)/1500 at n = d/(4 eps^2): 5 on 6 10^7 records of 2 10^8 coordinates, of which no run "
                "makes a step." },
    /* The ratio of n^2 eps^2/d to n^(4/3) eps^(1/3) is (n eps^2/d)^(2/3) (eps/d)^(1/3), less than 1 for
     * n < d/eps^2. */
    { "n", "gradients, the term n^2 eps^2/d", { "n^2", 2 }, .state = ROW_EVIDENCE,
      .reason = "For n < d/eps^2 and eps < 1 this term is below n^(4/3) eps^(1/3), so that no number of gradients "
                "shows "
                "it." },
    { "d", "gradients, the term n^2 eps^2/d", { "1/d", -1 }, .state = ROW_EVIDENCE,
      .reason = "For n < d/eps^2 and eps < 1 this term is below n^(4/3) eps^(1/3), so that no number of gradients "
                "shows "
                "it." },
    { "eps", "gradients, the term n^2 eps^2/d", { "eps^2", 2 }, .state = ROW_EVIDENCE,
      .reason = "For n < d/eps^2 and eps < 1 this term is below n^(4/3) eps^(1/3), so that no number of gradients "
                "shows "
                "it." },

    PRIVATE_ROW("eps", "privacy", "(eps, delta), one record replaced, by a proven bound on what it moves",
        "thm3.replay.eps"),
    { "eps", "privacy by Lemmas 5 and 7", { "(eps, delta), one record replaced" }, .state = ROW_EVIDENCE,
      .reason = "A finding: the constants of the lemmas give an eps of infinity at every size that runs." },
    { 0 }
};

/* --- Corollary 3 and Theorem 4 */

static const struct theorem_row cor3[] = {
    { "n", "excess from sampling", { "1/n", -1 },
      { RIVAL("n^(-1/2)", -0.5, "Theorem 3, without the regulariser"), RIVAL("n^(-2)", -2, "the privacy term"),
        NO_GROWTH }, .state = ROW_EVIDENCE,
      .reason = "The band of cor3.regime.n, -0.75 and below, holds the -2 of the privacy term, and "
                "what they measure, n^-1.58, bends: its stages are three at n = 256 and four beyond. The nearest "
                "rival is 1/2 away, the log-sd of a run 0.23, a run takes 0.2 s at n = 4096, and 224 cells from n "
                "= 512 to 65536 would be needed." },
    PRIVATE_ROW("n", "excess, bound", "a squared distance of at most 0.011 of what the last stage promises, "
                                      "16 (L/lambda)^2/n or a little more", "cor3.near.n"),
    { "n", "excess from privacy", { "n^(-2)", -2 }, { RIVAL("1/n", -1, "sampling, without privacy"), NO_GROWTH },
      .state = ROW_EVIDENCE,
      .reason = "The band of cor3.noise.n, -1.5 and below, has one edge only, and its full window was never "
                "judged. On 20000 records the squared distance saturates at that of the start: the nearest rival "
                "is 1 away, the log-sd 0.5, a run on 320000 records takes 20 s, and 200 cells would be needed." },
    { "d", "excess from privacy", { "d", 1 },
      { RIVAL("d^(1/2)", 0.5, "Theorem 3, without the regulariser"), NO_GROWTH },
      .state = ROW_EVIDENCE,
      .reason = "On 20000 records, 0.7 s a run, a squared distance falls from 0.11 to 0.0195 between eps "
                "= 0.225 and 0.9, where the start has 0.25: it saturates. The nearest rival is 1/2 away "
                "in d and 1 in eps, the log-sd 0.5; on 320000 records a run takes 20 s, and 200 cells "
                "would be needed." },
    { "eps", "excess from privacy", { "eps^(-2)", -2 },
      { RIVAL("1/eps", -1, "Theorem 3, without the regulariser"), NO_GROWTH },
      .state = ROW_EVIDENCE,
      .reason = "On 20000 records, 0.7 s a run, a squared distance falls from 0.11 to 0.0195 between eps "
                "= 0.225 and 0.9, where the start has 0.25: it saturates. The nearest rival is 1/2 away "
                "in d and 1 in eps, the log-sd 0.5; on 320000 records a run takes 20 s, and 200 cells "
                "would be needed." },
    { "lambda", "excess", { "1/lambda", -1 }, { NO_GROWTH },
      .state = ROW_EVIDENCE,
      .reason = "On linear losses the whole run scales with 1/lambda, so that a method that stays at the "
                "start has this law as well." },
    { 0 }
};

static const struct theorem_row thm4[] = {
    { "n", "excess from sampling", { "n^(-1/2)", -0.5 }, { SAMPLED_N_RIVALS }, PRIVATE_CLAIM "thm4.sampled.n" },
    { "n", "excess from privacy", { "log(n/delta)^(3/2) log(n)/n", -1, private_in_n }, { PRIVATE_N_RIVALS },
      PRIVATE_CLAIM "thm4.hardest.n" },
    { "d", "excess from privacy", { "d^(1/2)", 0.5 },
      { RIVAL("constant", 0, "sampling, without privacy"), RIVAL("d^(1/4)", 0.25, "Bassily et al. 2014") },
      PRIVATE_CLAIM "thm4.hardest.d" },
    { "eps", "excess from privacy", { "1/eps", -1 },
      { RIVAL("constant", 0, "sampling, without privacy"), RIVAL("eps^(-2)", -2, "noise in square") },
      PRIVATE_CLAIM "thm4.found.eps" },
    { "n", "gradients for n > d^2/eps^3", { "n", 1 },
      { RIVAL("n^(5/4)", 1.25, "Kulkarni et al. 2021"), RIVAL("n^(3/2)", 1.5, "Asi et al. 2021"),
        RIVAL("n^2", 2, "Bassily et al. 2014, Feldman et al. 2020"), RIVAL("n^(2/3)", 2.0 / 3, "the other term"),
        NO_GROWTH },
      .state = ROW_EVIDENCE,
      .reason = "The branch has kappa = sqrt(n). On coins the ledger affords kappa = 11.6 to 130.5 at n = "
                "16000 to 256000, a tenth to a quarter of sqrt(n), and would come to it near n = 10^7: "
                "the nearest rival is 1/4 away, the log-sd of a count 0.07, a run takes half an hour, and "
                "32 cells would be needed." },
    { "n", "gradients for d/eps^2 < n < d^2/eps^3", { "n^(2/3)", 2.0 / 3 },
      { RIVAL("n", 1, "the other term"), RIVAL("n^(5/4)", 1.25, "Kulkarni et al. 2021"),
        RIVAL("n^(3/2)", 1.5, "Asi et al. 2021"), NO_GROWTH },
      .state = ROW_EVIDENCE,
      .reason = "The branch has kappa = sqrt(n), which the ledger affords beyond n = 10^7 only, and later "
                "in more dimensions: the nearest rival is 1/3 away, the log-sd of a count 0.07, a run "
                "takes hours, and 32 cells would be needed." },
    { "n", "gradients for n < d/eps^2", { "n^(4/3)", 4.0 / 3 },
      { RIVAL("n^(3/2)", 1.5, "Kulkarni et al. 2021"), RIVAL("n^2", 2, "Asi et al. 2021"),
        RIVAL("n", 1, "more records"), NO_GROWTH },
      .state = ROW_EVIDENCE,
      .reason = "Here kappa is at most n eps/sqrt(d), less than sqrt(n). By what the ledger affords on "
                "32000 records of 16 coordinates, kappa = 9.6, it would be sqrt(n)/1500 at n = d/(4 "
                "eps^2): 5 on 6 10^7 records of 2 10^8 coordinates, of which no run makes a step." },
    PRIVATE_ROW("eps", "privacy", "(eps, delta), one record replaced, by a proven bound on what it moves",
        "thm4.replay.eps"),
    { 0 }
};

/* --- Table 2: the other methods. Numbers of gradients in count mode follow the formulas of the papers. */

#define PRIVATE_D { "d^(1/2)", 0.5 }, { RIVAL("constant", 0, "sampling, without privacy"), \
                                        RIVAL("d^(1/4)", 0.25, "the regulariser of Bassily et al. 2014") }
#define SQUARE_RIVALS RIVAL("n^(3/2)", 1.5, "Asi et al. 2021"), RIVAL("n^(5/4)", 1.25, "Kulkarni et al. 2021"), \
                      RIVAL("n", 1, "Theorem 4"), RIVAL("n^(9/2)", 4.5, "Bassily et al. 2019"), NO_GROWTH

static const struct theorem_row table2[] = {
    { "n", "one pass of SGD: excess", { "n^(-1/2)", -0.5 }, { SAMPLED_N_RIVALS }, PRIVATE_CLAIM "sgd.onepass.n" },

    { "n", "BST14: excess from sampling", { "n^(-1/2)", -0.5 }, { SAMPLED_N_RIVALS },
      PRIVATE_CLAIM "bst14.quiet.n" },
    { "n", "BST14: excess from privacy", { "1/n", -1 }, { PRIVATE_N_RIVALS }, PRIVATE_CLAIM "bst14.erm.n" },
    { "d", "BST14: excess from the regulariser", { "d^(1/4)", 0.25 },
      { RIVAL("constant", 0, "no regulariser"), RIVAL("d^(1/2)", 0.5, "the privacy term") },
      PRIVATE_CLAIM "bst14.weight.d" },
    /* The excess is over the records, and the method runs without the regulariser, which serves the excess over the
     * population. The regulariser's part of the excess would grow as d^(1/4). */
    { "d", "BST14: excess from privacy", { "d^(1/2)", 0.5 },
      { RIVAL("constant", 0, "no noise"), RIVAL("d", 1, "noise of every coordinate, added up") },
      PRIVATE_CLAIM "bst14.noisy.d" },
    { "eps", "BST14: excess from privacy", { "1/eps", -1 },
      { RIVAL("constant", 0, "no noise"), RIVAL("eps^(-2)", -2, "noise in square") },
        PRIVATE_CLAIM "bst14.narrow.eps" },
    { "n", "BST14: gradients", { "n^2", 2 }, { SQUARE_RIVALS }, PRIVATE_CLAIM "bst14.free.n" },

    { "n", "BFTT19: excess", { "n^(-1/2)", -0.5 }, { SAMPLED_N_RIVALS }, PRIVATE_CLAIM "bftt19.narrow.n" },
    { "d", "BFTT19: excess from privacy", PRIVATE_D, PRIVATE_CLAIM "bftt19.narrow.d" },
    { "n", "BFTT19: gradients", { "n^(9/2)", 4.5 },
      { RIVAL("n^2", 2, "Bassily et al. 2014, Feldman et al. 2020"), RIVAL("n^(3/2)", 1.5, "closed proximal "
          "points"),
        NO_GROWTH }, PRIVATE_CLAIM "bftt19.counted.n" },

    { "n", "FKT20, phased ERM: excess", { "n^(-1/2)", -0.5 }, { SAMPLED_N_RIVALS },
      PRIVATE_CLAIM "fkt20.finer.n" },
    { "d", "FKT20, phased ERM: excess from privacy", PRIVATE_D, PRIVATE_CLAIM "fkt20.privacy.d" },
    { "n", "FKT20, phased ERM: gradients", { "n^2", 2 }, { SQUARE_RIVALS }, PRIVATE_CLAIM "fkt20.narrow.n" },
    { "n", "FKT20, phased SGD: excess", { "n^(-1/2)", -0.5 }, { SAMPLED_N_RIVALS },
      PRIVATE_CLAIM "phased.slopes.n" },
    { "n", "FKT20, snowball SGD: excess", { "n^(-1/2)", -0.5 }, { SAMPLED_N_RIVALS },
      PRIVATE_CLAIM "snowball.wide.n" },

    { "n", "BFGT20: excess from sampling", { "n^(-1/2)", -0.5 }, { SAMPLED_N_RIVALS },
      PRIVATE_CLAIM "bfgt20.whole.n" },
    { "n", "BFGT20: excess from privacy", { "1/n", -1 }, { PRIVATE_N_RIVALS }, PRIVATE_CLAIM "bfgt20.deep.n" },
    { "d", "BFGT20: excess from privacy", PRIVATE_D, PRIVATE_CLAIM "bfgt20.deep.d" },
    { "n", "BFGT20: gradients", { "n^2", 2 }, { SQUARE_RIVALS }, PRIVATE_CLAIM "bfgt20.free.n" },

    { "n", "AFKT21: excess from sampling", { "n^(-1/2)", -0.5 }, { SAMPLED_N_RIVALS },
      PRIVATE_CLAIM "afkt21.more.n" },
    { "n", "AFKT21: excess from privacy", { "1/n", -1 }, { PRIVATE_N_RIVALS }, PRIVATE_CLAIM "afkt21.provable.n" },
    { "d", "AFKT21: excess from privacy", PRIVATE_D, PRIVATE_CLAIM "afkt21.privacy.d" },
    { "n", "AFKT21: gradients for d < n eps^2", { "n^(3/2)", 1.5 },
      { RIVAL("n^2", 2, "the other branch"), RIVAL("n^(5/4)", 1.25, "Kulkarni et al. 2021"),
        RIVAL("n", 1, "Theorem 4"), NO_GROWTH }, PRIVATE_CLAIM "afkt21.spent.n" },
    { "n", "AFKT21: gradients for d > n eps^2", { "n^2", 2 },
      { RIVAL("n^(3/2)", 1.5, "the other branch, Kulkarni et al. 2021"), RIVAL("n^(4/3)", 4.0 / 3, "Theorem 4"),
        NO_GROWTH }, PRIVATE_CLAIM "afkt21.near.n" },
    { "d", "AFKT21: gradients for d > n eps^2", { "d^(-1/2)", -0.5 },
      { RIVAL("d^(-1/8)", -0.125, "Kulkarni et al. 2021"), RIVAL("constant", 0, "the other branch, Theorem 4") },
      PRIVATE_CLAIM "afkt21.near.d" },
    { "d", "AFKT21: gradients", { "the sum over phases of b_i ceil(n_i^2/b_i^2), through the switch" },
      .state = ROW_EVIDENCE,
      .reason = "afkt21.formula.d counts this in count mode, a formula of the method's own numbers; runs that "
                "reach a target decide the rows on either side of the switch." },

    { "n", "KLL21: excess", { "n^(-1/2)", -0.5 }, { SAMPLED_N_RIVALS }, PRIVATE_CLAIM "kll21.narrow.n" },
    { "d", "KLL21: excess from privacy", PRIVATE_D, PRIVATE_CLAIM "kll21.privacy.d" },
    { "n", "KLL21: gradients for d < n eps^2", { "n^(5/4)", 1.25 },
      { RIVAL("n^(3/2)", 1.5, "Asi et al. 2021"), RIVAL("n", 1, "Theorem 4"),
        RIVAL("n^2", 2, "Bassily et al. 2014, Feldman et al. 2020"), NO_GROWTH }, PRIVATE_CLAIM "kll21.spent.n" },
    { "n", "KLL21: gradients for d > n eps^2", { "n^(3/2)", 1.5 },
      { RIVAL("n^2", 2, "Asi et al. 2021"), RIVAL("n^(4/3)", 4.0 / 3, "Theorem 4"),
        RIVAL("n^(5/4)", 1.25, "the other branch"), NO_GROWTH }, PRIVATE_CLAIM "kll21.reached.n" },
    { "d", "KLL21: gradients for d < n eps^2", { "d^(1/8)", 0.125 },
      { RIVAL("constant", 0, "Asi et al. 2021"), RIVAL("d^(2/3)", 2.0 / 3, "Theorem 4") },
      PRIVATE_CLAIM "kll21.small.d" },
    { "d", "KLL21: gradients for d > n eps^2", { "d^(-1/8)", -0.125 },
      { RIVAL("constant", 0, "Theorem 4"), RIVAL("d^(-1/2)", -0.5, "Asi et al. 2021") },
      PRIVATE_CLAIM "kll21.reached.d" },
    { 0 }
};

static const struct theorem theorems[] = {
    { "resque/lemma1", "Lemma 1, Section 2",
      "The estimator w g is unbiased for the gradient of the smoothed function, and its second moment is at most "
      "3 L^2.",
      "The bound: within rho of the centre.", lemma1 },
    { "resque/lemma2", "Lemma 2, Section 2",
      "Weights have p-th moments of at most 2, and their differences of at most (24 p |x - x'|/rho)^p.",
      "Within rho/p of the centre, p >= 2.", lemma2 },
    { "resque/section1.4", "Section 1.4",
      "Without acceleration balls of radius r take R/r rounds.", "r = eps/(L sqrt(d))", naive },
    { "resque/prop1", "Proposition 1, Section 3",
      "Ball acceleration comes to eps in order K log kappa rounds of order log(R kappa/r) line searches, a ball "
      "oracle "
      "and a stochastic proximal oracle.", "eps <= L R; r = eps/(L sqrt(d))", prop1 },
    { "resque/prop2", "Proposition 2, Section 3",
      "All oracles of Proposition 1 come from ball oracles, log^2(R kappa/r) calls in a line search and levels of "
      "accuracy 2^-j in a 2^-j of the rounds.", NULL, prop2 },
    { "resque/prop3", "Proposition 3, Section 3",
      "EpochSGD is a ball oracle of accuracy phi with order L^2/(lambda phi) queries in one batch.", "rho = r",
        prop3 },
    { "resque/prop4", "Proposition 4, Section 3",
      "AC-SA is a ball oracle of accuracy phi whose computational depth is the square root of L/(rho lambda), up "
      "to a "
      "logarithm.", "rho = r", prop4 },
    { "resque/thm1", "Theorem 1, Section 3",
      "With EpochSGD: eps after order d^(1/3) kappa^(2/3) batches, d^(1/3) kappa^(2/3) + kappa^2 queries, and as "
      "much "
      "computational depth.", "d^(1/4) <= kappa <= d, r = rho = eps/(L sqrt(d)); beyond, other rows of Table 1 "
                              "lead.",
      thm1 },
    { "resque/thm2", "Theorem 2, Section 3",
      "With AC-SA: the same batches, the same queries but for d^(1/4) kappa, and a computational depth of order "
      "d^(1/3) kappa^(2/3) + d^(1/4) kappa.", "d^(1/4) <= kappa <= d, r = rho = eps/(L sqrt(d))", thm2 },
    { "resque/section1.1", "Section 1.1",
      "Methods in the span of their answers need min(d, kappa^2) rounds, whatever the batch, and all methods "
      "kappa^2 "
      "queries.", NULL, bounds },
    { "resque/table1", "Table 1, Section 1",
      "Query depth, queries and computational depth of SGD, randomised smoothing, models in whole balls and "
      "cutting "
      "planes, and who leads.", NULL, table1 },
    { "resque/prop6", "Proposition 6, Section 4",
      "Algorithm 3 has an excess of at most C L r (sqrt(d)/(beta T) + 1/sqrt(T)) in its ball.", NULL, prop6 },
    { "resque/lemma5", "Lemma 5, Section 4",
      "One record that is drawn b times moves the mean of a phase by at most 1500 (b eta L)^2 in square.",
      "rho/r >= 1728 log^2(log T/delta); measured at 16 to 4096, where more may move.", lemma5 },
    { "resque/lemma7", "Lemma 7, Section 4",
      "Algorithm 3 on random records is (alpha, alpha tau, delta)-RDP, tau = C (beta log(1/delta) T/n)^2.",
      "T/n and beta log(1/delta) small", lemma7 },
    { "resque/cor2", "Corollary 2, Section 4",
      "Algorithm 4, from a start within r' of the minimiser, has an excess of at most C L r' (sqrt(d)/(beta T) + "
      "1/sqrt(T)).", NULL, cor2 },
    { "resque/prop8", "Proposition 8, Section 4",
      "Algorithm 5 comes to a mean squared distance of order (L/lambda)^2 (d/(beta T)^2 + 1/T).", NULL, prop8 },
    { "resque/prop9", "Proposition 9, Section 4",
      "Algorithm 6 has a bias of order (L/lambda) (sqrt(d)/(beta n) + 1/sqrt(n)) and the second moment of "
      "Proposition 8.",
      "T <= n/(2 C_priv)", prop9 },
    { "resque/lemma10", "Lemma 10, Section 4",
      "A loop of Algorithm 6 of level J takes at most 2^(J+1) T gradients.", NULL, lemma10 },
    { "resque/prop10", "Proposition 10, Section 4",
      "With probability 1 - zeta Algorithm 7 is within C (L/lambda) (sqrt(d)/(beta T) + 1/sqrt(T)) of the "
      "minimiser, "
      "with order T log(1/zeta) gradients.", NULL, prop10 },
    { "resque/thm3", "Theorem 3, Section 4",
      "Private ERM has an excess of order L R (1/sqrt(n) + sqrt(d log(1/delta)) log(n/delta)^(3/2) log(n)/(n "
      "eps)) with "
      "order min(n, n^2 eps^2/d) + min((n d)^(2/3)/eps, n^(4/3) eps^(1/3)) gradients, up to log^6(n/delta).",
      "eps < 1, delta < 1/6", thm3 },
    { "resque/cor3", "Corollary 3, Section 4",
      "Private regularised ERM has an excess of order (L^2/lambda) (1/n + d log(1/delta) log(n/delta)^3 "
      "log(n)^2/(n "
      "eps)^2) with the gradients of Theorem 3.", "lambda > 0, eps < 1, delta < 1/6", cor3 },
    { "resque/thm4", "Theorem 4, Section 4",
      "Private SCO has the excess of Theorem 3 on the population, with as many gradients.", "eps < 1, delta < 1/6",
      thm4 },
    { "resque/table2", "Table 2, Section 1",
      "Excess and gradients of earlier private methods.", "The excess: n^(-1/2) where sampling decides, "
                                                          "sqrt(d)/(n eps) "
      "where privacy does.", table2 },
    { 0 }
};

static const struct claim *const themes[] = { resque_depth, resque_table1, resque_exact, resque_rival_gradients,
                                              resque_rival_excess, resque_solvers, resque_privacy, resque_private,
                                              resque_noise, NULL };

const struct paper paper_resque = {
    .key = "resque",
    .title = "ReSQue: ball acceleration with reweighted queries",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023",
    .claims = resque_estimator,
    .items = resque_items,
    .plots = resque_figures,
    .tables = resque_tables,
    .themes = themes,
    .theorems = theorems,
    .attempts = resque_attempts,
};
