/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theorems.c - Choquette-Choo, Ganesh, Thakurta: "Optimal Rates for O(1)-Smooth DP-SCO with a Single Epoch and
 * Large Batches" (2024): its theorems, with one row for each quantity and axis, and the paper.
 *
 * n is the number of samples, p the dimension, B the batch size, T = n/B the number of rounds, R the diameter of
 * the feasible set, L and M the Lipschitz and smoothness constants of every loss, c_M = M R/L, mu the Gaussian-DP
 * parameter of (eps, delta), beta the inverse step length. The theorems' constants contain logarithms of n. Where
 * nothing else is said a promise has none, because the runs use practical constants instead, with T near c_T
 * n^(1/4) (variant A) or c_T n^(1/2) (variant B). */
#include "accelerated_dp_srgd.h"

#define CLAIM "accelerated-dp-srgd/"
/* A row whose promise is a statement in words, not a law along the axis. claim_id is the claim that decides the
 * row. */
#define ROW(axis, quantity, promise, claim_id) { axis, quantity, { promise }, .claim = CLAIM claim_id }
#define RIVAL(text, exponent, whose) { text, exponent, NULL, whose }
#define NO_GROWTH RIVAL("constant", 0, "a result that does not depend on the axis")

/* Laws of the numbers of rounds of the methods of Table 1. */
#define QUARTER RIVAL("n^(1/4)", 0.25, "variant A, localised AC-SA")
#define ROOT RIVAL("n^(1/2)", 0.5, "variant B, phased ERM, mini-batch SGD")
#define ALL RIVAL("n", 1, "phased SGD, online-to-batch")

/* The privacy term is of order a = L sqrt(p)/(mu n). At the best number of rounds one-pass DP-SGD has a^(2/3) in
 * its place, and the accelerated method with independent noise a^(4/5). The regret bound of DP-FTRL has a^(1/2).
 * The first three arguments are the texts of these laws along the axis of a row, and `a` is proportional to the
 * axis to the power e. */
#define PRIVATE_RIVALS(two_thirds, four_fifths, half, e)                                          \
    RIVAL(two_thirds, 2. / 3 * (e), "one-pass DP-SGD at its best number of rounds"),              \
    RIVAL(four_fifths, 0.8 * (e), "acceleration with independent noise, at its best number of rounds"), \
    RIVAL(half, 0.5 * (e), "DP-FTRL by its regret"), NO_GROWTH

/* --- Theorem 4.2: rounds and gradients, with practical constants, where the numbers of rounds have no logarithm */

static const struct theorem_row thm42[] = {
    { "n", "rounds to order n^(-1/2), minimiser inside", { "n^(1/4)", 0.25 }, { ROOT, ALL, NO_GROWTH },
      CLAIM "A.table1.arrive.n" },
    { "n", "rounds to order n^(-1/2), no assumption", { "n^(1/2)", 0.5 }, { QUARTER, ALL, NO_GROWTH },
      CLAIM "B.table1.median.n" },
    ROW("n", "gradients", "at most 2 n", "A.table1.gradients.arrive.n"),
    { 0 }
};

/* --- Theorem 4.1, and Sections 5.1 to 5.4: potential, sensitivity, noise */

/* The printed bound on the excess is a sum of five terms. At B T = n and beta = 2 M T they fall as 1/T, except one
 * of order 1/(n T^(1/2)). The corrected sum also contains the term S R/T^(1/2) with S^2 = Q^2/B, where Q bounds the
 * noise of a sample; at B = n/T this is Q R/n^(1/2), constant in T. */
static const struct theorem_row thm41[] = {
    { "T", "excess beyond n^(1/2) rounds, beta = 2 M T", { "constant, by Theorem 5.1", 0 },
      { RIVAL("1/T", -1, "the five terms as printed"), RIVAL("T", 1, "noise that adds up") },
      CLAIM "B.thm4.1.excess.T" },
    { 0 }
};

static const struct theorem_row thm51[] = {
    { "T", "excess, exact gradients and beta fixed", { "T^(-2)", -2 },
      { RIVAL("1/T", -1, "variant B, DP-SGD, SRGD without acceleration"), NO_GROWTH },
      CLAIM "A.thm5.1.excess.T" },
    ROW("T", "excess, bound, exact gradients", "at most kappa beta |x*|^2/eta_{0:T-1}", "A.thm5.1.curvature.T"),
    { "T", "excess, bound with errors", { "at most the sum over rounds, corrected" }, .state = ROW_EVIDENCE,
      .reason = "Its terms are the run's own errors, which no claim sees. The unit test u24 holds the corrected "
                "bound along 96 runs of 31 rounds, at every round: the largest part of it that is reached lies "
                "between 0.05 and 1." },
    { 0 }
};

static const struct theorem_row lemma52[] = {
    { "T", "squared error of the recursive gradient", { "1/T", -1 },
      { RIVAL("constant", 0, "independent batch gradients") }, CLAIM "both.lemma5.2.later.T" },
    ROW("T", "squared error of the recursive gradient, one Hessian", "sigma^2/(B T)", "both.lemma5.2.moment.T"),
    ROW("T", "tail of the error", "above Q (3 ln(6/gamma)/(B T))^(1/2) with probability at most gamma",
        "both.lemma5.2.tail.T"),
    ROW("T", "quantile of the error", "above 1.181 sigma/(B T)^(1/2) with probability at most 0.1",
        "both.lemma5.2.quantile.T"),
    { "T", "potential without noise", { "does not grow" }, .state = ROW_EVIDENCE,
      .reason = "The potential is made of z_t, which no claim sees. The unit test u10 holds it along random runs, "
                "for z-steps of eta_t/(2 beta) and eta_t/(4 beta); what it implies of y_T is the bound of "
                "Theorem 5.1." },
    { 0 }
};

static const struct theorem_row lemma54[] = {
    { "T", "gradient at the answer, exact gradients", { "1/T at least", -1 },
      { RIVAL("T^(-1/2)", -0.5, "descent without acceleration"),
        RIVAL("constant", 0, "a minimiser far outside") }, CLAIM "A.lemma5.4.gradient.T" },
    { 0 }
};

static const struct theorem_row lemma55[] = {
    { "T", "largest difference", { "constant", 0 },
      { RIVAL("T", 1, "weighted gradients in place of differences") },
      CLAIM "A.lemma5.5.sensitivity.T" },
    ROW("n", "largest difference, bound", "at most (2/3) (M |C| + L)", "A.lemma5.5.near.n"),
    ROW("n", "largest difference, bound, many Hessians", "at most M |C| + L", "A.lemma5.5.random.n"),
    ROW("n", "largest difference with privacy, bound", "at most (M |C| + L)/3", "A.lemma5.5.private.n"),
    { 0 }
};

/* Returns the factor of Lemma 5.6's bound on the noise that depends on T, lg(T)^(3/2) with lg the logarithm to base
 * 2. The argument is a value 2^k of the axis, at which a run has T = 2^k - 1 rounds. */
static double tree_printed(double T) { return pow(log2(T), 1.5); }

static const struct theorem_row lemma56[] = {
    { "eps", "privacy", { "mu-GDP, sigma = C (1 + floor(lg T))^(1/2)/mu" },
      .claim = CLAIM "A.cor5.7.eps" },
    { "T", "largest noise over C/B", { "log2(T + 1)", 0, log2 },
      { { "lg(T)^(3/2)", 0, tree_printed, "the bound of the lemma" }, RIVAL("T^(1/2)", 0.5, "independent noise"),
        NO_GROWTH },
      CLAIM "both.lemma5.6.levels.T" },
    { "T", "tail of the largest noise", { "above 4 C lg(T)^(3/2) (p ln(2 T/delta))^(1/2)/mu with probability "
      "at most delta" }, .claim = CLAIM "both.lemma5.6.reached.T" },
    { 0 }
};

static const struct theorem_row cor57[] = {
    ROW("eps", "privacy", "(eps, delta) with sigma of Lemma 5.6; the printed sigma is too small", "A.cor5.7.eps"),
    ROW("delta", "scale of the noise", "C (1 + floor(lg T))^(1/2) (2 ln(2.5/delta))^(1/2)/(B eps)",
        "A.cor5.7.scale.delta"),
    { 0 }
};

/* --- Theorem 5.8. Variant A with practical constants: T = 2^k - 1 near c_T n^(1/4) rounds, and beta is chosen so
 * that beta R^2/T^2 balances the noise. The only logarithm is then the factor of the tree's noise, (H m)^(1/2) =
 * k/sqrt(2), where H = k is the number of levels and m = k/2 the mean number of nodes in a prefix. It is constant
 * where T does not depend on the axis. */

static double tree(double T) { return log2(T + 1); }
/* Returns log2(T + 1)^(1/2), the promised law of the excess of DP-FTRL. */
static double tree_root(double T) { return sqrt(tree(T)); }
static double private_of_n(double n) { return tree(2 * sqrt(sqrt(n))) / n; }
static double gain_of_n(double n) { return n * private_of_n(n) / pow(n, 0.125); }
static double inverse_mu(double eps) { return 1 / gdp_mu(eps, PRIVATE_DELTA); }
/* Laws along delta at eps = 0.1 for the privacy term divided by 1/mu: the rival's term is 1 (none_of_delta),
 * log(1/delta) or log(1/delta)^(3/2). */
static double none_of_delta(double delta) { return gdp_mu(0.1, delta); }
static double log_of_delta(double delta) { return log(1 / delta) * gdp_mu(0.1, delta); }
static double log_of_delta_3_2(double delta) { return pow(log(1 / delta), 1.5) * gdp_mu(0.1, delta); }
static double inverse_mu_2_3(double eps) { return cbrt(inverse_mu(eps) * inverse_mu(eps)); }
static double inverse_mu_4_5(double eps) { return pow(inverse_mu(eps), 0.8); }
static double inverse_mu_1_2(double eps) { return sqrt(inverse_mu(eps)); }

static const struct theorem_row thm58[] = {
    { "n", "excess without privacy", { "n^(-1/2)", -0.5 },
      { RIVAL("n^(-1/4)", -0.25, "as many rounds of SGD without acceleration"),
        RIVAL("1/n", -1, "a strongly convex loss"), NO_GROWTH }, CLAIM "A.thm5.8.excess.n" },
    { "p", "excess without privacy", { "constant", 0 },
      { RIVAL("p^(1/2)", 0.5, "noise of a fixed size per coordinate, which privacy adds") },
      CLAIM "A.thm5.8.excess.d" },
    { "n", "privacy term", { "log2(2 n^(1/4) + 1)/n", -1, private_of_n },
      { RIVAL("n^(-7/8)", -0.875, "as many rounds with independent noise"),
        PRIVATE_RIVALS("n^(-2/3)", "n^(-4/5)", "n^(-1/2)", -1) }, CLAIM "A.thm5.8.noise.n" },
    /* The exponent of independent noise in the row above differs from the promised one by 0.08 only. So this row
     * compares the two noises on the same data. */
    { "n", "privacy term over that with independent noise", { "log2(2 n^(1/4) + 1) n^(-1/8)", -0.125, gain_of_n },
      { RIVAL("constant", 0, "a tree that gains nothing on n") }, CLAIM "A.thm5.8.gain.n" },
    { "p", "privacy term", { "p^(1/2)", 0.5 }, { PRIVATE_RIVALS("p^(1/3)", "p^(2/5)", "p^(1/4)", 0.5) },
      CLAIM "A.thm5.8.balanced.p" },
    { "eps", "privacy term", { "1/mu(eps)", -1, inverse_mu },
      { { "mu^(-2/3)", 0, inverse_mu_2_3, "one-pass DP-SGD at its best number of rounds" },
        { "mu^(-4/5)", 0, inverse_mu_4_5, "acceleration with independent noise, at its best number of rounds" },
        { "mu^(-1/2)", 0, inverse_mu_1_2, "DP-FTRL by its regret" }, NO_GROWTH }, CLAIM "A.thm5.8.narrow.eps" },
    ROW("n", "both terms", "c_s/sqrt(n) + c_p log2(T + 1) sqrt(p)/(mu n) for all n, p, eps, within half",
        "A.thm5.8.predicted.n"),
    /* The claim divides by 1/mu, of order log(1/delta)^(1/2); the laws of this row are divided by it as well. */
    { "delta", "privacy term over 1/mu(eps, delta)", { "constant", 0 },
      { { "log(1/delta)", 0, log_of_delta, "noise that pays for delta twice" },
        { "log(1/delta)^(3/2)", 0, log_of_delta_3_2, "c_DP, the literal constant" },
        { "1", 0, none_of_delta, "a result that does not depend on delta" } },
      CLAIM "A.thm5.8.narrow.delta" },
    { "n", "excess, literal constants", { "n^(-1/2), n^(1/4) rounds" }, .state = ROW_EVIDENCE,
      .reason = "At n = 10^7, the smallest, there are 3.5 10^6 rounds and noise of norm 2.8 L in the last gradient "
                "(p = 40, eps = 1). Noise is below beta R^2/T^2 = L R/sqrt(n) from n = 10^14 on: distance 0.25 "
                "to the nearest rival, log-sd 0.47 in 8 runs at n = 10^7 and 0.30 at 2 10^7, 700 s a cell, 124 "
                "cells of log-sd 0.30 for an exponent to +-0.05." },
    /* The promise is an upper bound. A method without growth obeys it, so that it is no rival. */
    { "T", "privacy term, tree noise", { "log2(T + 1) at most", 0, tree },
      { RIVAL("T^(1/2)", 0.5, "independent noise") },
      CLAIM "A.balanced.excess.T" },
    /* A slope along n = c p/mu^2 does not tell noise of another scale from the promised one. So the row asks for
     * the level. */
    ROW("p", "excess at n = c p/mu^2", "its second moments, within 2.5%: 5 to 6 times those without privacy at "
        "c = 7, 1.49 to 1.76 times at c = 110, 1.1 to 1.15 times at c = 1760",
        "A.thm5.8.crossover.level.p"),
    { 0 }
};

/* --- Sections 5.4 and 5.5. Theorem 5.12 and its corollaries are about variant B: where no literal constants and no
 * axis T or B are named, T is near c_T n^(1/2) and beta = 2 M T. Theorem 5.13 is about acceleration with
 * independent gradients. */

static const struct theorem_row cor510[] = {
    ROW("n", "largest difference, bound, minimiser outside", "at most (2/3) (M |C| + L), less than (8 c_M + 4) L",
        "B.cor5.10.near.n"),
    ROW("n", "largest difference, bound, many Hessians", "at most (2/3) (M |C| + L), less than (8 c_M + 4) L",
        "B.cor5.10.near.random.n"),
    { 0 }
};

static const struct theorem_row cor511[] = {
    ROW("eps", "privacy", "(eps, delta) with the sigma that is printed", "B.cor5.11.eps"),
    { 0 }
};

/* Laws of the privacy term of variant B along n at T + 1 = 2 n^(1/2), and along B at n = 2^20. */
static double private_of_n_B(double n) { return tree(2 * sqrt(n)) / n; }
static double tree_of_batch(double B) { return log2(0x1p20 / B); }

/* Of the two variants only A comes to n^(-1/2) in n^(1/4) rounds. The excess of variant B after as many rounds is
 * of order 1/T = n^(-1/4). */
#define B_RIVALS RIVAL("n^(-1/4)", -0.25, "variant B in the rounds of variant A"), \
                 RIVAL("1/n", -1, "a strongly convex loss"), NO_GROWTH

/* The theorem's T is the larger of sqrt(n) and sqrt(p)/(M eps sqrt(n)), at L = R = 1 and up to constants. The
 * second is larger only where M < sqrt(p)/(eps n). If the minimiser is inside, the excess at the start is then at
 * most M R^2/2, which is within the theorem's bound: nothing is left to promise. The claims are therefore about
 * linear losses, M = 0, with the minimiser outside. */
#define LINEAR_PROMISE "at most 1.4 L R (1/sqrt(n) + log2(T + 1) sqrt(p)/(mu n))"

static const struct theorem_row thm512[] = {
    { "n", "excess without privacy, minimiser inside", { "n^(-1/2)", -0.5 }, { B_RIVALS },
      CLAIM "B.thm5.12.exact.level.n" },
    { "n", "excess without privacy, minimiser outside", { "n^(-1/2)", -0.5 }, { B_RIVALS },
      CLAIM "B.thm5.12.outside.n" },
    { "n", "excess without privacy, hardest linear loss", { "n^(-1/2)", -0.5 }, { B_RIVALS },
      CLAIM "B.thm5.12.hardest.n" },
    { "T", "excess, exact gradients", { "1/T", -1 },
      { RIVAL("T^(-2)", -2, "variant A"), RIVAL("T^(-1/2)", -0.5, "descent without smoothness"), NO_GROWTH },
      CLAIM "B.thm5.12.excess.T" },
    { "B", "excess, B above n^(1/2)", { "B", 1 },
      { RIVAL("B^2", 2, "the first term of the theorem"),
        RIVAL("constant", 0, "mini-batch SGD below its floor") },
      CLAIM "B.thm5.12.batch.more.B" },
    { "B", "excess, B below n^(1/2)", { "constant", 0 }, { RIVAL("B", 1, "the law above n^(1/2)") },
      CLAIM "B.thm5.12.below.level.B" },
    { "B", "first term, M R^2 B^2/n^2", { "B^2", 2 },
      { RIVAL("B", 1, "the term L R B/n of the introduction, and descent without acceleration"), NO_GROWTH },
      CLAIM "B.thm5.12.square.B" },
    { "B", "privacy term, B below n^(1/2)", { "log2(n/B)", 0, tree_of_batch },
      { RIVAL("B^(-1/2)", -0.5, "independent noise"), RIVAL("B", 1, "the law above n^(1/2)") },
      CLAIM "B.thm5.12.private.more.B" },
    { "n", "privacy term", { "log2(2 n^(1/2) + 1)/n", -1, private_of_n_B },
      { RIVAL("n^(-3/4)", -0.75, "as many rounds with independent noise"),
        PRIVATE_RIVALS("n^(-2/3)", "n^(-4/5)", "n^(-1/2)", -1) }, CLAIM "B.thm5.12.more.level.n" },
    { "p", "privacy term", { "p^(1/2)", 0.5 }, { PRIVATE_RIVALS("p^(1/3)", "p^(2/5)", "p^(1/4)", 0.5) },
      CLAIM "B.thm5.12.level.p" },
    { "eps", "privacy term", { "1/mu(eps)", -1, inverse_mu },
      { { "mu^(-2/3)", 0, inverse_mu_2_3, "one-pass DP-SGD at its best number of rounds" },
        { "mu^(-4/5)", 0, inverse_mu_4_5, "acceleration with independent noise, at its best number of rounds" },
        { "mu^(-1/2)", 0, inverse_mu_1_2, "DP-FTRL by its regret" }, NO_GROWTH },
      CLAIM "B.thm5.12.level.eps" },
    ROW("n", "both terms", "c_s/sqrt(n) + c_p log2(T + 1) sqrt(p)/(mu n) for all n, p, eps, within half",
        "B.thm5.12.predicted.more.n"),
    ROW("n", "excess in n^(1/2) rounds, second branch infinite", LINEAR_PROMISE, "B.thm5.12.nearer.n"),
    ROW("p", "excess in n^(1/2) rounds, second branch infinite", LINEAR_PROMISE, "B.thm5.12.later.p"),
    ROW("eps", "excess in n^(1/2) rounds, second branch infinite", LINEAR_PROMISE, "B.thm5.12.later.eps"),
    { "n", "excess, literal constants, n^(1/2) rounds", { "n^(-1/2)", -0.5 }, { B_RIVALS },
      CLAIM "B.thm5.12.literal.n" },
    { "n", "privacy term, literal constants", { "log2(n^(1/2))/n at most" }, .state = ROW_EVIDENCE,
      .reason = "The literal beta depends on neither p nor eps, so that noise counts by its square. At eps = 0.01, "
                "p = 256 it carries 0.94 to 0.68 of the excess from n = 2^26 to 2^30, whose slope goes from -0.95 "
                "to -1.23: the promise is an upper bound there. Distance 0.15 to the nearest rival, log-sd 0.25, "
                "0.2 s a cell; no number of cells straightens the bend." },
    { 0 }
};

static const struct theorem_row thm513[] = {
    { "T", "excess, exact gradients", { "T^(-2)", -2 }, { RIVAL("1/T", -1, "plain gradients"), NO_GROWTH },
      CLAIM "independent.thm5.13.excess.T" },
    /* The claim asks for n^(-1/2) or a faster fall, because the corrected theorem is an upper bound. */
    { "n", "excess in n^(1/4) rounds, corrected", { "n^(-1/2) at most", -0.5 },
      { RIVAL("n^(-5/16)", -5. / 16, "beta that the printed bound balances"),
        RIVAL("n^(-1/4)", -0.25, "as many rounds without acceleration"), NO_GROWTH },
      CLAIM "independent.thm5.13.excess.n" },
    { 0 }
};

/* --- Section 4: the other methods, and why variant A needs acceleration, recursive gradients and the tree */

static const struct theorem_row section4[] = {
    { "T", "excess of DP-SGD, exact gradients", { "1/T", -1 },
      { RIVAL("T^(-2)", -2, "variant A"), RIVAL("T^(-1/2)", -0.5, "descent without smoothness"), NO_GROWTH },
      CLAIM "sgd.sec4.excess.rounds" },
    { "T", "excess of DP-FTRL, exact gradients", { "1/T", -1 },
      { RIVAL("T^(-2)", -2, "variant A"), RIVAL("T^(-1/2)", -0.5, "the regret's step"), NO_GROWTH },
      CLAIM "ftrl.sec4.excess.T" },
    { "n", "rounds of SGD to order n^(-1/2)", { "n^(1/2)", 0.5 }, { QUARTER, ALL, NO_GROWTH },
      CLAIM "sgd.table1.median.n" },
    { "T", "excess of DP-SGD beyond its best rounds", { "T^(1/2)", 0.5 },
      { { "log2(T + 1)", 0, tree, "tree noise" }, RIVAL("T", 1, "basic composition"), NO_GROWTH },
      CLAIM "sgd.sec4.growth.T" },
    { "T", "excess with independent noise beyond the best rounds", { "T^(1/2)", 0.5 },
      { { "log2(T + 1)", 0, tree, "tree noise" }, RIVAL("T", 1, "basic composition"), NO_GROWTH },
      CLAIM "independent.sec4.growth.later.T" },
    /* The promise is an upper bound. A method without growth obeys it, so that it is no rival. */
    { "T", "excess of DP-FTRL beyond its best rounds", { "log2(T + 1)^(1/2) at most", 0, tree_root },
      { RIVAL("T^(1/4)", 0.25, "independent noise, the step of its regret"),
        RIVAL("T^(1/2)", 0.5, "independent noise, a fixed step") }, CLAIM "ftrl.sec4.regret.most.T" },
    { "mu", "excess of variant A at its best rounds", { "1/mu", -1 },
      { PRIVATE_RIVALS("mu^(-2/3)", "mu^(-4/5)", "mu^(-1/2)", -1) }, CLAIM "A.sec4.best.later.mu" },
    { "mu", "excess with independent noise at its best rounds", { "mu^(-4/5)", -0.8 },
      { RIVAL("1/mu", -1, "tree noise"), RIVAL("mu^(-2/3)", -2. / 3, "one-pass DP-SGD"), NO_GROWTH },
      CLAIM "independent.sec4.best.private.mu" },
    { "mu", "excess of DP-SGD at its best rounds", { "mu^(-2/3)", -2. / 3 },
      { RIVAL("1/mu", -1, "tree noise"), RIVAL("mu^(-4/5)", -0.8, "acceleration with independent noise"),
        NO_GROWTH }, CLAIM "sgd.sec4.best.again.mu" },
    { "n", "gradients of noisy full-batch descent", { "n^(5/4)", 1.25 },
      { RIVAL("n", 1, "one pass"), RIVAL("n^(3/2)", 1.5, "full batches without acceleration"), NO_GROWTH },
      CLAIM "full.sec4.gradients.whole.n" },
    ROW("n", "visits of DP-SGD in four passes", "4", "multi.sec4.visits.reached.n"),
    { 0 }
};

static const struct theorem_row section43[] = {
    { "T", "excess without acceleration, exact gradients", { "1/T", -1 },
      { RIVAL("T^(-2)", -2, "variant A"), RIVAL("T^(-1/2)", -0.5, "descent without smoothness"), NO_GROWTH },
      CLAIM "plain.sec4.3.excess.T" },
    { "n", "rounds without acceleration to order n^(-1/2)", { "n^(1/2)", 0.5 }, { QUARTER, ALL, NO_GROWTH },
      CLAIM "plain.sec4.3.arrive.n" },
    { "t", "variance of its gradient", { "t", 1 }, { RIVAL("1/t", -1, "the accelerated weights"), NO_GROWTH },
      .state = ROW_EVIDENCE,
      .reason = "Moves of total length R add about 1/T of the variance of the first gradient, so that a run hardly "
                "shows them: distance 1 to the nearest rival, log-sd 0.2, 0.01 s a cell, (0.4 T)^2 cells to see "
                "the addition at all. The unit test u15 holds the variance on a frozen path." },
    { 0 }
};

static const struct theorem_row section1[] = {
    { "T", "sensitivity over that of weighted gradients, linear losses", { "1/T", -1 },
      { RIVAL("T^(-1/2)", -0.5, "half of the gain"), RIVAL("constant", 0, "weighted gradients") },
      CLAIM "A.sec1.gain.T" },
    { "T", "sensitivity over that of weighted gradients, minimiser outside", { "1/T", -1 },
      { RIVAL("T^(-1/2)", -0.5, "half of the gain"), RIVAL("constant", 0, "weighted gradients") },
      CLAIM "A.sec1.gain.later.T" },
    { 0 }
};

static const struct theorem_row section6[] = {
    { "T", "largest difference, minimiser outside", { "constant", 0 },
      { RIVAL("T", 1, "weighted gradients in place of differences") }, CLAIM "A.open.sensitivity.T" },
    ROW("n", "largest difference on polytopes with noise, bound", "at most M |C| + L", "A.open.polytope.private.n"),
    { "n", "excess in 4 n^(1/4) rounds, minimiser outside", { "n^(-1/2)", -0.5 },
      { RIVAL("n^(-1/4)", -0.25, "variant B in as many rounds"), RIVAL("1/n", -1, "a strongly convex loss"),
        NO_GROWTH },
      CLAIM "A.open.excess.n" },
    { 0 }
};

/* --- Table 1; the rows on rounds of variants A and B without privacy are under Theorem 4.2 */

/* Laws along n. Localised AC-SA on samples takes K ~ n^(1/4) log n rounds of n/sqrt(K) records each. */
static double quarter_over_log(double n) { return sqrt(sqrt(n)) / log(n); }
static double root_over_log(double n) { return sqrt(n) / log(n); }
static double localised_gradients(double n) { return pow(n, 1.125) * sqrt(log(n)); }

#define OTHER_GRADIENTS                                                                                       \
    { "n^(9/8) log(n)^(1/2)", 0, localised_gradients, "localised AC-SA on samples" },                             \
        RIVAL("n^(5/4)", 1.25, "solvers on full batches"), NO_GROWTH

static const struct theorem_row table1[] = {
    ROW("n", "gradients of variant A", "at most 2 n", "A.table1.gradients.arrive.n"),
    ROW("n", "gradients of variant B", "at most 2 n", "B.table1.gradients.arrive.n"),
    ROW("n", "rounds of variant A with privacy", "at most 2 n^(1/4)", "A.table1.rounds.arrive.n"),
    ROW("n", "rounds of variant B with privacy", "at most 2 n^(1/2)", "B.table1.rounds.arrive.n"),
    ROW("n", "visits of a sample", "1", "A.table1.epoch.arrive.n"),
    { "n", "gradients of phased SGD", { "n", 1 }, { OTHER_GRADIENTS }, CLAIM "phased.table1.gradients.mean.n" },
    { "n", "rounds of phased SGD", { "n", 1 }, { ROOT, QUARTER, NO_GROWTH },
      CLAIM "phased.table1.rounds.mean.n" },
    { "n", "rounds of snowball SGD", { "n", 1 }, { ROOT, QUARTER, NO_GROWTH },
      CLAIM "snowball.table1.rounds.mean.n" },
    { "n", "gradients of online-to-batch", { "n", 1 }, { OTHER_GRADIENTS }, CLAIM "otb.table1.gradients.mean.n" },
    { "n", "rounds of online-to-batch", { "n", 1 }, { ROOT, QUARTER, NO_GROWTH },
      CLAIM "otb.table1.rounds.mean.n" },
    { "n", "gradients of phased ERM", { "n", 1 }, { OTHER_GRADIENTS }, CLAIM "erm.table1.gradients.whole.n" },
    { "n", "rounds of phased ERM", { "n^(1/2)", 0.5 }, { QUARTER, ALL, NO_GROWTH },
      CLAIM "erm.table1.rounds.whole.n" },
    { "n", "gradients of localised AC-SA", { "n^(9/8) log(n)^(1/2)", 0, localised_gradients },
      { RIVAL("n", 1, "phased SGD, phased ERM"), RIVAL("n^(5/4)", 1.25, "localised AC-SA on full batches"),
        NO_GROWTH },
      CLAIM "localised.table1.samples.stored.n" },
    /* The claim divides by log(n); the laws of this row are divided by it as well. */
    { "n", "rounds of localised AC-SA over log(n)", { "n^(1/4)", 0.25 },
      { { "n^(1/4)/log(n)", 0, quarter_over_log, "n^(1/4) rounds without a logarithm" },
        { "n^(1/2)/log(n)", 0, root_over_log, "variant B, phased ERM, mini-batch SGD" },
        RIVAL("constant", 0, "log(n) rounds") },
      CLAIM "localised.table1.steps.median.n" },
    { "n", "gradients of one-pass DP-SGD", { "n", 1 }, { OTHER_GRADIENTS }, CLAIM "sgd.table1.gradients.arrive.n" },
    ROW("eps", "privacy without convexity, variants A and B", "(eps, delta) on losses that are not convex",
        "both.table1.nonconvex.eps"),
    { 0 }
};

static const struct theorem theorems[] = {
    { "accelerated-dp-srgd/thm4.1", "Theorem 4.1", "The excess is at most five terms in the errors of "
      "gradients and noise.", "beta >= M", thm41 },
    { "accelerated-dp-srgd/thm4.2", "Theorem 4.2", "Order L R (1/sqrt(n) + sqrt(p)/(eps n)) is reached with 2 "
      "n gradients in n^(1/4) batch steps if the minimiser lies inside C, else in n^(1/2).", "M R/L = O(1), p "
      "<= (eps n)^2", thm42 },
    { "accelerated-dp-srgd/thm5.1", "Theorem 5.1, corrected", "The excess is at most beta R^2/T^2 and sums of "
      "the errors of gradients and noise.", "beta >= M, f convex", thm51 },
    { "accelerated-dp-srgd/lemma5.2", "Lemma 5.2", "The potential grows by no more than the errors of "
      "gradients and noise, and the recursive gradient errs by Q/sqrt(B t).", NULL, lemma52 },
    { "accelerated-dp-srgd/lemma5.4", "Lemma 5.4", "The gradient at x_t falls as sqrt(beta M) R/t and the "
      "roots of the error terms.", "minimiser inside", lemma54 },
    { "accelerated-dp-srgd/lemma5.5", "Lemma 5.5", "One sample moves a weighted difference by at most c_DP L.",
      "minimiser inside", lemma55 },
    { "accelerated-dp-srgd/lemma5.6", "Lemma 5.6", "Noise of a binary tree, sigma = C (1 + ceil(lg "
      "T))^(1/2)/mu, makes all prefix sums mu-GDP with errors of order C lg(T)^(3/2) sqrt(p)/mu.", NULL,
      lemma56 },
    { "accelerated-dp-srgd/cor5.7", "Corollary 5.7", "Variant A is (eps, delta)-private.", NULL, cor57 },
    { "accelerated-dp-srgd/thm5.8", "Theorem 5.8", "Variant A has an excess of order L R (1/sqrt(n) + "
      "sqrt(p)/(eps n)), up to polylog(n, 1/delta), in c_DP n^(1/4) batch steps.", "minimiser inside, delta "
      "<= 1/n, p <= (eps n)^2", thm58 },
    { "accelerated-dp-srgd/cor5.10", "Lemma 5.9, Corollary 5.10", "In variant B one sample moves a weighted "
      "difference by at most (8 c_M + 4) L.", "beta >= 2 M T", cor510 },
    { "accelerated-dp-srgd/cor5.11", "Corollary 5.11", "Variant B is (eps, delta)-private.", NULL, cor511 },
    { "accelerated-dp-srgd/thm5.12", "Theorem 5.12", "Variant B has an excess of order M R^2 B^2/n^2 + (L + M "
      "R) R/sqrt(n) + (L + M R/sqrt(B)) R sqrt(p) polylog/(eps n), in max{sqrt(n), sqrt(p) polylog/(M eps "
      "sqrt(n))} batch steps.", "B <= sqrt(n)", thm512 },
    { "accelerated-dp-srgd/thm5.13", "Theorem 5.13, corrected", "With independent batch gradients the excess "
      "is at most beta R^2/T^2 and the sums of errors, 1/(B beta) in place of 1/(sqrt(B) beta).", NULL,
      thm513 },
    { "accelerated-dp-srgd/section4", "Section 4", "One-pass DP-SGD needs n^(1/2) rounds, independent noise "
      "grows as sqrt(T), tree noise by logarithms.", NULL, section4 },
    { "accelerated-dp-srgd/section4.3", "Section 4.3", "Recursive gradients without acceleration err by t B/n "
      "in variance and need more rounds.", NULL, section43 },
    { "accelerated-dp-srgd/section1", "Sections 1 and 2.1", "Weighted differences are 1/T as sensitive as "
      "weighted gradients.", NULL, section1 },
    { "accelerated-dp-srgd/section6", "Section 6, open question", "Is n^(1/4) enough where the minimiser lies "
      "outside?",
      NULL, section6 },
    { "accelerated-dp-srgd/table1", "Table 1", "Gradients, batch steps and epochs of six methods at optimal "
      "error, logarithms left out.", "M = O(1)", table1 },
    { 0 }
};

static const struct claim *const themes[] = { accelerated_dp_srgd_private, accelerated_dp_srgd_privacy,
                                              accelerated_dp_srgd_balanced, accelerated_dp_srgd_sensitivity,
                                              accelerated_dp_srgd_rounds,
                                              accelerated_dp_srgd_methods, NULL };

const struct paper paper_accelerated_dp_srgd = {
    .key = "accelerated-dp-srgd",
    .title = "Accelerated-DP-SRGD: one epoch, large batches",
    .cite = "Choquette-Choo, Ganesh, Thakurta 2024",
    .claims = accelerated_dp_srgd_rates,
    .items = accelerated_dp_srgd_items,
    .plots = accelerated_dp_srgd_figures,
    .tables = accelerated_dp_srgd_tables,
    .themes = themes,
    .theorems = theorems,
    .attempts = accelerated_dp_srgd_attempts,
};
