/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theorems.c - Mangold, Bellet, Salmon, Tommasi: "High-Dimensional Private Empirical Risk Minimization by Greedy
 * Coordinate Descent" (AISTATS 2023): its theorems, with one row for each quantity and axis, and the paper.
 *
 * n is the number of records, p the number of coordinates, T the number of rounds. L_j and M_j are the Lipschitz
 * and smoothness constants of coordinate j. R = R_{M,1} is the radius of the initial level set in the norm
 * |x|_{M,1} = sum_j sqrt(M_j) |x_j|, and mu_{M,q} the strong convexity in |x|_{M,q}. w* is the minimiser, xi_t the
 * excess after t rounds, lambda the scale of the noise, zeta a probability of failure. In Theorem 4.7 w* is
 * quasi-sparse: all but tau entries are at most alpha. */
#include "dp_gcd.h"

#define CLAIM "dp-gcd/"
/* A row whose promise is a statement in words, not a law along the axis. claim_id is the claim that decides the
 * row. */
#define ROW(axis, quantity, promise, claim_id) { axis, quantity, { promise }, .claim = CLAIM claim_id }
#define RIVAL(text, exponent, whose) { text, exponent, NULL, whose }
#define NO_GROWTH RIVAL("constant", 0, "a result that does not depend on the axis")
/* Laws of the excess of rivals along n or eps, which the paper names: 1/(n eps) for DP-SGD, DP-CD and mirror
 * descent on convex losses, and (n eps)^(-4/3) for Asi et al. (2021) on strongly convex losses in l1. On strongly
 * convex losses DP-SGD and DP-CD have the same (n eps)^(-2) as DP-GCD and differ from it by powers of p. */
#define CONVEX_RIVALS(axis) RIVAL("1/" axis, -1, "DP-SGD, DP-CD, mirror descent"), NO_GROWTH
#define STRONG_RIVALS(axis) RIVAL(axis "^(-4/3)", -4. / 3, "Asi et al. (2021), by a reduction"), \
                            RIVAL("1/" axis, -1, "DP-SGD, DP-CD without strong convexity"), NO_GROWTH

/* --- privacy */

static const struct theorem_row thm42[] = {
    ROW("eps", "privacy", "(eps, delta) of the ledger and of attacks", "3.1.thm42.eps"),
    /* The scale of the noise is lambda = 8 L sqrt(T log(1/delta))/(n eps). */
    { "T", "scale of the noise", { "T^(1/2)", 0.5 }, { RIVAL("T", 1, "basic composition"), NO_GROWTH },
      CLAIM "4.2.scale.T" },
    { "n", "scale of the noise", { "1/n", -1 },
      { RIVAL("n^(-1/2)", -0.5, "a number of rounds that grows as n"), NO_GROWTH }, CLAIM "4.2.scale.n" },
    { "eps", "scale of the noise", { "1/eps", -1 },
      { RIVAL("eps^(-1/2)", -0.5, "rounds that grow as eps"), NO_GROWTH }, CLAIM "4.2.scale.eps" },
    { "log(1/delta)", "scale of the noise", { "log(1/delta)^(1/2)", 0.5 },
      { RIVAL("log(1/delta)", 1, "the square root left out"), NO_GROWTH }, CLAIM "4.2.scale.delta" },
    { 0 }
};

static const struct theorem_row eq2[] = {
    ROW("eps", "privacy", "(eps, delta) for any eps, with twice the printed noise of a choice, which then costs "
        "eps'", "3.1.eq2.eps"),
    ROW("T", "privacy, as printed", "above eps: a choice charged eps' is not paid for", "2.6.corrected.eps.T"),
    { 0 }
};

static const struct theorem_row noisy_max[] = {
    ROW("gap", "loss of a choice", "eps' with twice the printed noise, 1.97 eps' with the printed",
        "2.3.choice.loss.gap"),
    ROW("eps", "loss of a choice, all S_j equal", "at most 2 eps' with the printed noise", "2.3.choice.equal.eps"),
    ROW("own", "loss of a choice, any S_j", "at most eps' with noise for twice the largest S_k; more with twice "
        "the own S_j, and with noise for the largest S_k", "2.3.choice.races.own"),
    ROW("eps", "audit of a round", "2 eps' with the proven noise, more with the printed", "2.3.choice.audit.eps"),
    { 0 }
};

static const struct theorem_row appendix_c[] = {
    ROW("eps", "privacy", "(eps, delta) of the ledger and of attacks, noise on the scores of GS-r", "C.prox.eps"),
    ROW("K", "loss of a choice by GS-r", "at most eps' with noise on scores, of twice the printed scale; more with "
        "the same noise on gradients, and with noise on scores of the printed scale", "C.gsr.choice.K"),
    { 0 }
};

static const struct theorem_row algorithm1[] = {
    ROW("T", "passes", "T", "1.passes.reached.T"),
    ROW("T", "batch steps", "T", "1.rounds.reached.T"),
    ROW("T", "noisy maxima", "T", "1.choices.reached.T"),
    ROW("T", "Laplace values", "(p + 1) T", "1.laplace.reached.T"),
    ROW("T", "partial derivatives", "n p T", "1.coords.reached.T"),
    { 0 }
};

/* --- lemmas of Appendix B */

static const struct theorem_row lemma_b1[] = {
    ROW("b", "tail", "at most e^(-s) sum_{i<K} s^i/i!, s = sqrt(b)/lambda_max, which implies the printed one",
        "lemma.B1.sharp.b"),
    ROW("b", "tail of one variable", "exp(-sqrt(b)/lambda)", "lemma.B1.single.b"),
    { 0 }
};

static const struct theorem_row eq14[] = {
    ROW("t", "descent of a step, f_jj = M_j", "g_j^2/(2 M_j) - eta^2/(2 M_j)", "lemma.14.step.t"),
    ROW("t", "descent of a step, f_jj <= M_j", "at least g_j^2/(2 M_j) - eta^2/(2 M_j)", "lemma.14.slack.t"),
    { 0 }
};

static const struct theorem_row lemma_b2[] = {
    ROW("t", "descent of a step", "at least max_k g_k^2/(8 M_k), less the noise's squares", "lemma.B2.descent.t"),
    { 0 }
};

static const struct theorem_row lemma_b3[] = {
    ROW("t", "descent of a step", "at least xi^2/(8 |w - w*|_{M,1}^2), less the noise's squares",
        "lemma.B3.descent.t"),
    { 0 }
};

static const struct theorem_row lemma_b4[] = {
    ROW("beta", "first part", "falls up to some step, then stays below 2 sqrt(beta c_0)", "lemma.B4.falls.beta"),
    ROW("beta", "second part", "xi_t <= c_0/t + 2 sqrt(beta c_0)", "lemma.B4.below.beta"),
    { 0 }
};

static const struct theorem_row lemma_b5[] = {
    ROW("t", "squared dual norm of the gradient", "at least 2 mu^(t+tau)_{M,1} (xi_t - M_max (p - tau) alpha^2/2)",
        "lemma.B5.gradient.t"),
    { 0 }
};

static const struct theorem_row corollary_b6[] = {
    ROW("t", "squared dual norm of the gradient, w* sparse", "at least 2 mu^(t+tau)_{M,1} xi_t",
        "lemma.B6.sparse.t"),
    ROW("t", "squared dual norm of the gradient, strongly convex", "at least 2 mu_{M,1} xi_t", "lemma.B6.strong.t"),
    { 0 }
};

static const struct theorem_row eq53[] = {
    ROW("t", "contraction of a step", "xi_(t+1) <= (1 - mu_{M,1}/4) xi_t + the noise's squares",
        "lemma.53.strong.t"),
    { 0 }
};

/* --- Theorem 4.4, convex losses. The T of the proof is (n eps R/(8 L))^(2/3) (M/log(1/delta))^(1/3).
 *
 * The proof's bound has the factor log(8 T p/zeta), from a union bound over the T p noise values of a run; T grows
 * with n, eps, R, 1/L and M. The main text has log(p/zeta), without T. The laws of these rows leave the growth of T
 * in the logarithm out too: the claims fit the mean excess after the last round, at the curvature where it is
 * largest, and a mean needs no union bound. With log(8 T p/zeta) the slope in n would be -0.63, not -0.67. The
 * scale of the noise is that of Theorem 4.2, whose only logarithm is log(1/delta). */

/* Returns log(8 T p/zeta) for the proof's T = 1042 at n = 10^6, R = L = M = eps = 1 and delta = 10^-6; zeta =
 * 0.1. */
static double log_of_p(double p) { return log(8 * 1042 * p / 0.1); }

static const struct theorem_row thm44_convex[] = {
    { "n", "excess", { "n^(-2/3)", -2. / 3 }, { CONVEX_RIVALS("n") }, CLAIM "convex.again.excess.n" },
    { "eps", "excess", { "eps^(-2/3)", -2. / 3 }, { CONVEX_RIVALS("eps") }, CLAIM "convex.again.excess.eps" },
    { "R", "excess", { "R_{M,1}^(4/3)", 4. / 3 },
      { RIVAL("R", 1, "DP-SGD, DP-CD"), RIVAL("R^2", 2, "a number of rounds that is fixed"), NO_GROWTH },
      CLAIM "convex.radius.excess.r" },
    { "L", "excess", { "L_max^(2/3)", 2. / 3 }, { RIVAL("L", 1, "DP-SGD, DP-CD"), NO_GROWTH },
      CLAIM "convex.again.excess.L" },
    /* The distance r = |w*| is fixed along M. With R = sqrt(M) r the promised R^(4/3) M^(-1/3) is r^(4/3)
     * M^(1/3). */
    { "M", "excess", { "M^(1/3) at a fixed distance", 1. / 3 },
      { RIVAL("M^(2/3)", 2. / 3, "R_{M,1}^(4/3) without M_min^(-1/3)"),
        RIVAL("M", 1, "a number of rounds that is fixed"), RIVAL("constant", 0, "DP-SGD, DP-CD") },
      CLAIM "convex.again.excess.M" },
    /* The claim distinguishes a + b log p, with any a and b, from powers of p. */
    { "p", "excess", { "log(8 T p/zeta)", 0, log_of_p },
      { RIVAL("p^0.15", 0.15, "the nearest power that is told from a logarithm"),
        RIVAL("p^(1/2)", 0.5, "DP-SGD, DP-CD on records of norm 1, mirror descent"),
        RIVAL("p", 1, "DP-SGD, DP-CD on records bounded by coordinate"),
        RIVAL("p^(2/3)", 2. / 3, "DP-GCD on dense optima"), NO_GROWTH },
      CLAIM "convex.closed.excess.p" },
    /* The promise is that of the proof, log(1/delta)^(1/3); the main text prints log(1/delta). */
    { "log(1/delta)", "excess", { "log(1/delta)^(1/3)", 1. / 3 },
      { RIVAL("log(1/delta)", 1, "the theorem as printed in the main text"),
        RIVAL("log(1/delta)^(1/2)", 0.5, "DP-SGD, DP-CD"), NO_GROWTH }, CLAIM "convex.delta.excess.n" },
    { "T", "excess without noise", { "1/T", -1 },
      { RIVAL("T^(-1/2)", -0.5, "descent without smoothness"), RIVAL("T^(-2)", -2, "accelerated descent"),
        RIVAL("constant", 0, "a method that does not move") }, CLAIM "convex.steps.rate.T" },
    ROW("T", "excess without noise, bound",
        "at most (1 - 1/(2T + 1))^(2T) R^2/(4T + 2) on one active coordinate, which implies 8 R^2/T",
        "convex.exact.excess.T"),
    ROW("n", "excess, bound", "at most 0.024 of (28), in every run", "convex.near28.excess.n"),
    ROW("eps", "excess, bound with T of the proof", "at most 0.011 of (37), with log(8 T p/zeta)",
        "convex.near37.excess.eps"),
    { 0 }
};

/* --- Theorem 4.4, strongly convex losses. T = (4/mu) log(mu M n^2 eps^2 xi_0/(128 L^2 log(1/delta) log(8
 * p/zeta))), with mu = mu_{M,1}, and the last term of the bound (55) is T/mu times squares of noise. The promises
 * keep the logarithm in T. They have no logarithm from a union bound over the noise values of a run, since the
 * claims are about the mean excess. */

/* Laws along kappa for the Hessian diag(kappa, 1, .., 1), p = 64: 1/mu = 63 + 1/kappa, its cube, and the promised
 * T/mu at xi_0 = kappa/2, n = 10^9, M = L = eps = 1, delta = 10^-6 and zeta = 0.1. */
static double slow_inverse(double kappa) { return 63 + 1 / kappa; }
static double slow_cube(double kappa) { return pow(slow_inverse(kappa), 3); }
static double slow_excess(double kappa)
{
    double inverse = slow_inverse(kappa);
    return 4 * inverse * inverse * log(1e18 * kappa / 2 / inverse / (128 * log(1e6) * log(8 * 64 / 0.1)));
}

static const struct theorem_row thm44_strong[] = {
    { "n", "excess, T fixed", { "n^(-2)", -2 }, { STRONG_RIVALS("n") }, CLAIM "strong.greedy.excess.n" },
    /* On records whose entries are bounded DP-SGD and DP-CD have p^2 as well (Section 4.3), so that they are no
     * rivals in this row. */
    { "p", "excess over the logarithm of T", { "p^2", 2 },
      { RIVAL("p", 1, "DP-SGD, DP-CD on records of norm 1"),
        RIVAL("p^(2/3)", 2. / 3, "DP-GCD without strong convexity"), NO_GROWTH },
      CLAIM "strong.divided.excess.p" },
    /* The axis of the claim is the curvature kappa of its instance, on which mu depends. The laws are functions of
     * kappa. */
    { "mu", "excess", { "T/mu_{M,1} = 4 mu^(-2) log(A), 1/mu = 63 + 1/kappa", -2, slow_excess },
      { { "1/mu", -1, slow_inverse, "DP-SGD, DP-CD, and DP-GCD where every coordinate is chosen often" },
        { "mu^(-3)", -3, slow_cube, "T ~ 1/mu^2 rounds" }, NO_GROWTH },
      CLAIM "strong.slowest.excess.mu" },
    { "eps", "excess, T fixed", { "eps^(-2)", -2 }, { STRONG_RIVALS("eps") }, CLAIM "strong.greedy.excess.eps" },
    ROW("p", "excess, bound", "at most 0.00025 of (55), with 512 for 128, in the mean", "strong.mean55.excess.p"),
    { 0 }
};

/* --- Section 4.3: what Theorems 4.4 and 4.7 say where w* is bounded in l1 or in l2 */

static const struct theorem_row section43[] = {
    { "p", "excess, convex, w*_j = p^(-1/2)", { "p^(2/3)", 2. / 3 },
      { RIVAL("p^(1/2)", 0.5, "DP-SGD, DP-CD on records of norm 1"),
        RIVAL("p", 1, "DP-SGD, DP-CD on records bounded by coordinate"),
        RIVAL("constant", 0, "one active coordinate: log p") }, CLAIM "dense.thm4.4.excess.p" },
    { "k", "excess, convex, k active coordinates", { "k^(2/3)", 2. / 3 },
      { RIVAL("k^(1/2)", 0.5, "DP-SGD where p is a multiple of k"), RIVAL("k^(4/3)", 4. / 3, "|w*_j| fixed"),
        NO_GROWTH },
      CLAIM "dense.share.excess.k" },
    { "p", "excess, strongly convex, mu_{M,1} fixed", { "log p", 0, log_of_p },
      { RIVAL("p", 1, "DP-SGD"), RIVAL("p^2", 2, "DP-GCD with mu_{M,1} = 1/p"), NO_GROWTH },
      .state = ROW_EVIDENCE,
      .reason = "mu_{M,1} <= 1/p for every f, so that no f has a fixed mu_{M,1} as p grows; Theorem 4.7 is "
                "measured instead." },
    ROW("tau above", "order against DP-GD on records of norm 1", "DP-GCD is better at p = 250 tau^2",
        "rivals.sec6.7.crossover.above.active"),
    ROW("tau below", "order against DP-GD on records of norm 1", "DP-GD is better at p = 15 tau^2",
        "rivals.sec6.7.crossover.below.active"),
    { 0 }
};

/* --- Theorem 4.7, with T = 2 tau rounds where the large entries are far above the noise */

/* Returns log(8 T p/zeta)^2 at T = 10 and zeta = 0.1. The proof has the square of the logarithm, the main text
 * prints its first power. */
static double log2_of_p(double p) { return pow(log(8 * 10 * p / 0.1), 2); }

static const struct theorem_row thm47[] = {
    { "n", "excess, T fixed", { "n^(-2)", -2 }, { STRONG_RIVALS("n") }, CLAIM "sparse.thm4.7.excess.n" },
    { "tau", "excess", { "(s + tau)^2 = 9 tau^2, s = T = 2 tau", 2 },
      { RIVAL("tau", 1, "noise that does not grow with the number of rounds"),
        RIVAL("tau^3", 3, "T ~ tau^(3/2) rounds"), RIVAL("constant", 0, "DP-SGD, DP-CD") },
      CLAIM "sparse.unit.excess.tau" },
    /* The claim distinguishes (a + b log p)^2 from powers of p. The printed log p is no rival, since a method with
     * it would be better than is promised. */
    { "p", "excess", { "log(8 T p/zeta)^2", 0, log2_of_p },
      { RIVAL("p^0.3", 0.3, "the square of p^0.15, the nearest power that is told from a logarithm"),
        RIVAL("p", 1, "DP-SGD, DP-CD on records of norm 1"),
        RIVAL("p^2", 2, "DP-SGD, DP-CD on records bounded by coordinate"), NO_GROWTH },
      CLAIM "sparse.closed.excess.p" },
    { "p", "excess, clear entries", { "constant where p >> T", 0 },
      { RIVAL("p^(1/5)", 0.2, "the nearest power that is told from none"),
        RIVAL("p", 1, "DP-SGD on records of norm 1"),
        RIVAL("p^2", 2, "DP-SGD, DP-CD on records bounded by coordinate") }, CLAIM "sparse.easy.excess.p" },
    { "alpha", "excess above the noise's part", { "p alpha^2", 2 },
      { RIVAL("alpha", 1, "small entries whose sizes add up, not their squares"), NO_GROWTH },
      CLAIM "sparse.thm4.7.excess.alpha" },
    { "eps", "excess, T fixed", { "eps^(-2)", -2 }, { STRONG_RIVALS("eps") }, CLAIM "sparse.thm4.7.excess.eps" },
    ROW("T", "excess, clear entries", "T lambda^2/M, within 5%", "sparse.easy.excess.T"),
    ROW("n", "excess, bound", "at most 0.00075 of the bound of the theorem, corrected, and its last term",
        "sparse.near.excess.n"),
    { "M", "excess of one step, last term", { "M (p - tau) alpha^2/2", 1 },
      { RIVAL("constant", 0, "(58) as printed, whose last term lacks M"),
        RIVAL("M^2", 2, "a term with the squared constant") }, CLAIM "sparse.eq58.excess.M" },
    ROW("M", "excess of one step, as printed", "above (57) and (58), whose last term lacks M",
        "sparse.eq58.printed.steep"),
    ROW("tau", "excess without noise, bound", "at most xi_0 prod_{u<t} (1 - mu_{M,2}/(tau + u))",
        "sparse.product.excess.tau"),
    ROW("tau", "entries of the iterates without noise", "tau", "sparse.screening.sparsity.tau"),
    { 0 }
};

/* --- Sections 4.3 and 6: the laws of the other methods. DP-SGD is represented by DP-GD, which is DP-SGD with
 * batches of all records. */

static double log_alone(double p) { return log(p); }
static double mirror_of_p(double p) { return sqrt(p) * log(p); }
/* Returns log(2 p n) at n = 10^5, the logarithm in the law of Frank-Wolfe, which chooses among 2 p vertices. */
static double fw_log(double p) { return log(2e5 * p); }

static const struct theorem_row rivals[] = {
    { "p", "excess of DP-CD, clear entries, L_j = 1", { "p^2", 2 },
      { RIVAL("p", 1, "records of norm 1"), RIVAL("constant", 0, "DP-GCD") },
      CLAIM "rivals.sec6.7.cd.passes.p" },
    { "p", "excess of DP-GD, clear entries, L_j = 1", { "p^2", 2 },
      { RIVAL("p", 1, "records of norm 1"), RIVAL("constant", 0, "DP-GCD") }, CLAIM "rivals.sec6.7.gd.p" },
    { "p", "excess of DP-GD, strongly convex, l2", { "p", 1 },
      { RIVAL("p^(1/2)", 0.5, "DP-GD, convex"), RIVAL("p^2", 2, "L_j = 1"), RIVAL("constant", 0, "DP-GCD") },
      CLAIM "rivals.sec6.7.gd.l2.p" },
    { "p", "excess of DP-CD, strongly convex, l2", { "p", 1 },
      { RIVAL("p^(1/2)", 0.5, "DP-CD, convex"), RIVAL("p^2", 2, "L_j = 1"), RIVAL("constant", 0, "DP-GCD") },
      CLAIM "rivals.sec5.1.cd.strong.p" },
    ROW("p", "excess of DP-CD, K = 2 p, exact", "(p/2) (1 - q) 12 K log(1/delta)/(n eps)^2 + q xi_0",
        "rivals.sec6.7.cd.moment.p"),
    { "n", "excess of DP-GD, strongly convex, l2", { "n^(-2)", -2 },
      { RIVAL("1/n", -1, "DP-GD, convex"), NO_GROWTH }, CLAIM "rivals.sec5.2.gd.l2.n" },
    { "p", "excess of DP-CD, convex, l2", { "p^(1/2)", 0.5 },
      { RIVAL("p^(2/3)", 2. / 3, "DP-GCD"), RIVAL("p", 1, "L_j = 1"), NO_GROWTH },
      CLAIM "rivals.sec5.1.cd.worst.p" },
    { "p", "excess of DP-GD, convex, l2", { "p^(1/2)", 0.5 },
      { RIVAL("p^(2/3)", 2. / 3, "DP-GCD"), RIVAL("p", 1, "L_j = 1"), NO_GROWTH },
      CLAIM "rivals.sec5.2.gd.worst.p" },
    { "n", "excess of DP-CD, convex, l2", { "1/n", -1 },
      { RIVAL("n^(-2/3)", -2. / 3, "DP-GCD, Frank-Wolfe"), RIVAL("n^(-2)", -2, "DP-CD, strongly convex"),
        NO_GROWTH },
      CLAIM "rivals.sec5.1.cd.worst.n" },
    { "n", "excess of DP-GD, convex, l2", { "1/n", -1 },
      { RIVAL("n^(-2/3)", -2. / 3, "DP-GCD, Frank-Wolfe"), RIVAL("n^(-2)", -2, "DP-GD, strongly convex"),
        NO_GROWTH },
      CLAIM "rivals.sec5.2.gd.worst.n" },
    { "n", "excess of Frank-Wolfe, l1", { "n^(-2/3)", -2. / 3 },
      { RIVAL("1/n", -1, "mirror descent, DP-SGD"), NO_GROWTH }, CLAIM "rivals.sec5.3.fw.worst.n" },
    { "p", "excess of Frank-Wolfe, l1", { "log(2 p n)", 0, fw_log },
      { RIVAL("p^(1/2)", 0.5, "mirror descent"), NO_GROWTH }, .state = ROW_EVIDENCE,
      .reason = "The band of rivals.sec5.3.fw.p, -0.05 to 0.25, holds no growth." },
    ROW("T", "privacy of Frank-Wolfe", "eps with four times the printed noise, above it with the printed",
        "rivals.sec5.3.fw.private.T"),
    /* One factor (log p)^(1/2) of the law comes from the method's q-norm, where 1/(q - 1) = log p, the other from
     * the largest of p noise values. */
    { "p", "excess of mirror descent, l1", { "p^(1/2) log p", 0.5, mirror_of_p },
      { { "log p", 0, log_alone, "DP-GCD, Frank-Wolfe" }, RIVAL("p", 1, "DP-SGD on records bounded by coordinate"),
        NO_GROWTH }, CLAIM "rivals.sec5.4.mirror.noisy.p" },
    { "n", "excess of mirror descent, l1", { "1/n", -1 },
      { RIVAL("n^(-2/3)", -2. / 3, "DP-GCD, Frank-Wolfe"), NO_GROWTH }, CLAIM "rivals.sec5.4.mirror.worst.n" },
    ROW("p", "excess of mirror descent, l1, bound", "at most 0.08 of R^2/(2 (q-1) eta T) + (eta/2) E|g + N|_{q*}^2",
        "rivals.sec5.4.mirror.near.p"),
    { 0 }
};

/* --- Section 5: experiments. Which method has the smaller relative error at the end, at eps = 1, delta = 1/n^2 and
 * the parameters of Table 4. */

#define BELOW_DP_CD "order against DP-CD", { "DP-GCD below DP-CD" }
#define BELOW_DP_SGD "order against DP-SGD", { "DP-GCD below DP-SGD" }

static const struct theorem_row figure1[] = {
    { "log1", BELOW_DP_CD, .claim = CLAIM "sec5.log1.cd.seed" },
    { "log2", BELOW_DP_CD, .claim = CLAIM "sec5.log2.cd.seed" },
    { "mtp", "order against DP-CD", { "DP-GCD not below DP-CD" }, .state = ROW_DATA,
      .reason = "The set mtp is on no machine of ours; meltingpoint, which has other rows, takes its place in "
                "assay reproduce." },
    { "madelon, l2", BELOW_DP_CD, .claim = CLAIM "sec5.madelon.printed-cd.T" },
    { "square", BELOW_DP_CD, .claim = CLAIM "sec5.square.printed-cd.seed" },
    { "california", BELOW_DP_CD, .claim = CLAIM "sec5.california.cd.T" },
    { "dorothea", BELOW_DP_CD, .claim = CLAIM "sec5.dorothea.more-cd.T" },
    { "madelon, l1", BELOW_DP_CD, .claim = CLAIM "sec5.sparse-madelon.cd.T" },
    { "log1", BELOW_DP_SGD, .claim = CLAIM "sec5.log1.sgd.seed" },
    { "log2", BELOW_DP_SGD, .claim = CLAIM "sec5.log2.sgd.seed" },
    { "mtp", "order against DP-SGD", { "DP-GCD not below the better of DP-SGD and DP-CD" }, .state = ROW_DATA,
      .reason = "The set mtp is on no machine of ours; meltingpoint, which has other rows, takes its place in "
                "assay reproduce." },
    { "madelon, l2", BELOW_DP_SGD, .claim = CLAIM "sec5.madelon.printed-sgd.T" },
    { "square", BELOW_DP_SGD, .claim = CLAIM "sec5.square.stays-sgd.seed" },
    { "california", BELOW_DP_SGD, .claim = CLAIM "sec5.california.more-sgd.T" },
    { "dorothea", BELOW_DP_SGD, .claim = CLAIM "sec5.dorothea.more-sgd.T" },
    { "madelon, l1", BELOW_DP_SGD, .claim = CLAIM "sec5.sparse-madelon.stays-sgd.T" },
    /* Comparisons with methods that the paper names without an experiment. */
    ROW("log1", "order against Frank-Wolfe", "DP-GCD below Frank-Wolfe", "sec5.log1.tuned-fw.seed"),
    ROW("log1", "order against mirror descent", "DP-GCD below mirror descent", "sec5.log1.longest-mirror.seed"),
    ROW("log1", "order against proximal gradient descent", "DP-GCD below DP-GD", "sec5.log1.tuned-gd.seed"),
    ROW("madelon, l2", "order against Frank-Wolfe", "DP-GCD below Frank-Wolfe", "sec5.madelon.tuned-fw.T"),
    ROW("madelon, l2", "order against mirror descent", "DP-GCD below mirror descent",
        "sec5.madelon.tuned-mirror.T"),
    ROW("madelon, l2", "order against proximal gradient descent", "DP-GCD below DP-GD", "sec5.madelon.tuned-gd.T"),
    ROW("adjacency", "order of DP-SGD's two noises", "DP-SGD for removed records below DP-SGD for replaced ones",
        "sec5.adjacency.printed.seed"),
    ROW("madelon, l2", "relative error of DP-GCD after ten passes", "0.0331 to 0.0352", "sec5.madelon.curve.T"),
    ROW("madelon, l2", "relative error of DP-CD after ten passes", "0.0456 to 0.0484, with steps gamma/(M_j + l2)",
        "sec5.madelon.cd-curve.T"),
    { "madelon, l2", "relative error of DP-SGD after twenty passes", { "0.0493 to 0.0507" }, .state = ROW_EVIDENCE,
      .reason = "The mean of 60 runs, 0.0495 with noise for removed records, is 0.0002 from the edge of "
                "the spread of five runs." },
    { 0 }
};

static const struct theorem_row figure2[] = {
    { "eight sets", "sizes of the optimum's entries",
      { "(alpha, 5)-quasi-sparse with a small alpha on all but mtp" },
      .state = ROW_EVIDENCE, .reason = "The text gives neither alpha nor counts: there is no number to "
                                       "compare with." },
    { 0 }
};

#define ALIKE                                                                                               \
    "While no coordinate was chosen twice the scores of the three rules grow with one number, so that they "   \
    "choose alike: test_dp_gcd_path holds it, and errors of runs differ by their noise alone."
static const struct theorem_row figure3[] = {
    { "square", "rules GS-s, GS-r, GS-q", { "the same error" }, .state = ROW_EVIDENCE, .reason = ALIKE },
    { "dorothea", "rules GS-s, GS-r, GS-q", { "the same error" }, .state = ROW_EVIDENCE, .reason = ALIKE },
    { "madelon, l1", "rules GS-s, GS-r, GS-q", { "the same error" }, .state = ROW_EVIDENCE, .reason = ALIKE },
    { "california", "rules GS-s, GS-r, GS-q", { "errors that differ" }, .state = ROW_EVIDENCE,
      .reason = "The text says neither which rule is the best nor by how much; assay reproduce prints all three." },
    { 0 }
};

static const struct theorem_row figure4[] = {
    { "eight sets", "seconds", { "DP-GCD faster than DP-SGD, about as fast as DP-CD" }, .state = ROW_EVIDENCE,
      .reason = "The text prints no seconds, and those of another machine and program decide nothing." },
    { 0 }
};

static const struct theorem_row table2[] = {
    { "grids", "parameters of Table 4", { "each on the grid of its method" }, .state = ROW_EVIDENCE,
      .reason = "No run decides it: test_gcd_reproduce compares all 24 with the grids, from which assay reproduce "
                "--tune chooses anew." },
    { 0 }
};

static const struct theorem_row table3[] = {
    ROW("square", "right coordinates", "2 in the mean", "sec5.square.correct.seed"),
    ROW("california", "right coordinates", "2 in the mean", "sec5.california.correct.T"),
    ROW("dorothea", "right coordinates", "1 in the mean", "sec5.dorothea.correct.T"),
    ROW("madelon, l1", "right coordinates", "1 in the mean", "sec5.madelon.correct.T"),
    ROW("square", "relative error of DP-GCD", "0.35, in the middle eight tenths of the runs",
        "sec5.square.more-gap.seed"),
    ROW("california", "relative error of DP-GCD", "0.00056, in the middle eight tenths of the runs",
        "sec5.california.more-gap.T"),
    ROW("dorothea", "relative error of DP-GCD", "0.64, in the middle eight tenths of the runs",
        "sec5.dorothea.gap.T"),
    ROW("madelon, l1", "relative error of DP-GCD", "0.0015, in the middle eight tenths of the runs",
        "sec5.madelon.most-gap.T"),
    { "four sets", "relative errors of DP-CD and DP-SGD",
      { "square 0.75 and 0.75, california 0.0024 and 0.020, dorothea 0.77 and 0.78, madelon 0.0085 and 0.012" },
      .state = ROW_EVIDENCE,
      .reason = "DP-SGD ends at the error of w = 0 on square, dorothea and madelon, and DP-CD on square, as a "
                "method that never moves does; DP-CD on dorothea (0.77 against 0.78) and madelon (0.0085 against "
                "0.012) moves, and no claim is made." },
    { "four sets", "wrong coordinates", { "none in nine runs of ten" }, .state = ROW_EVIDENCE,
      .reason = "A method that never moves has none either. 0 of 512 runs on madelon have one, 4 of 512 on "
                "square, 19 of 1024 on california, 21 of 128 on dorothea." },
    { 0 }
};

static const struct theorem theorems[] = {
    { "dp-gcd/algorithm1", "Algorithm 1", "T rounds, each a pass over the data, a noisy maximum of p scores "
      "and a noisy step.", NULL, algorithm1 },
    { "dp-gcd/thm4.2", "Theorem 4.2", "With Laplace noise of scale 8 L_j sqrt(T log(1/delta))/(n eps) for "
      "choices and steps DP-GCD is (eps, delta)-private.", "eps <= 1, delta <= 0.1, L_j/sqrt(M_j) one number",
      thm42 },
    { "dp-gcd/eq2", "equation (2), Remark 4.3", "2 T mechanisms of eps' each are (eps, delta)-private, eps = "
      "sqrt(4 T log(1/delta)) eps' + 2 T eps' (e^eps' - 1).", NULL, eq2 },
    { "dp-gcd/section4.1", "Section 4.1", "A noisy maximum whose noise is scaled to the sensitivity over eps' "
      "costs eps'; corrected: eps' (1 + max_k S_k/S_j).", NULL, noisy_max },
    { "dp-gcd/appendix-c", "Appendix C", "Algorithm 2, with a proximal step and one of three greedy rules, is "
      "(eps, delta)-private.", NULL, appendix_c },
    { "dp-gcd/lemmaB.1", "Lemma B.1, Appendix B", "A sum of K squared Laplace variables exceeds b with "
      "probability at most 2^K exp(-sqrt(b)/(2 lambda_max)).", NULL, lemma_b1 },
    { "dp-gcd/eq14", "(14), Appendix B", "A step on coordinate j lowers f by g_j^2/(2 M_j) - eta^2/(2 M_j) at "
      "least.",
      "steps 1/M_j", eq14 },
    { "dp-gcd/lemmaB.2", "Lemma B.2, Appendix B", "A step lowers f by an eighth of the squared dual norm of "
      "the gradient, less the noise's squares.", "steps 1/M_j", lemma_b2 },
    { "dp-gcd/lemmaB.3", "Lemma B.3, Appendix B", "A step on a convex f lowers the excess xi by xi^2/(8 |w - "
      "w*|_{M,1}^2), less the noise's squares.", "steps 1/M_j", lemma_b3 },
    { "dp-gcd/lemmaB.4", "Lemma B.4, Appendix B", "xi_(t+1) <= xi_t - xi_t^2/c_t + beta stays below c_0/t + 2 "
      "sqrt(beta c_0).", "c_t <= c_0 while xi_t <= xi_0; xi_0 >= 2 sqrt(beta c_0)", lemma_b4 },
    { "dp-gcd/lemmaB.5", "Lemma B.5, (42), the norm squared", "Under quasi-sparsity the dual norm of the "
      "gradient bounds the excess.", NULL, lemma_b5 },
    { "dp-gcd/corollaryB.6", "Corollary B.6, (49), the norm squared", "Lemma B.5 where the minimiser is "
      "sparse, or f strongly convex.", NULL, corollary_b6 },
    { "dp-gcd/eq53", "(53), Appendix B", "A step on a strongly convex f multiplies the excess by 1 - "
      "mu_{M,1}/4 at most, and adds the noise's squares.", "steps 1/M_j", eq53 },
    { "dp-gcd/thm4.4-convex", "Theorem 4.4, convex", "The excess is of order (R_{M,1}^4 L_max^2 "
      "log(1/delta)/(M_min n^2 eps^2))^(1/3) log(p/zeta).", "xi_0 above the bound's noise, T of the proof; "
      "the worst curvature", thm44_convex },
    { "dp-gcd/thm4.4-strong", "Theorem 4.4, strongly convex", "The excess is of order L_max^2 log(1/delta) "
      "log(2 p/(mu zeta))/(M_min mu_{M,1}^2 n^2 eps^2); its proof squares the last logarithm.", "mu_{M,1} > "
      "0, T of the proof",
      thm44_strong },
    { "dp-gcd/section4.3", "Section 4.3", "In l1 DP-GCD depends on log p; in l2 on log p at best and on "
      "p^(2/3), or p^2 if strongly convex, at worst.", NULL, section43 },
    { "dp-gcd/thm4.7", "Theorem 4.7", "If w* is (alpha, tau)-quasi-sparse and iterates are s-sparse, the "
      "excess is of order L_max^2 (s + tau)^2 log(2 p/zeta)/(M_min mu_{M,2} n^2 eps^2), its proof squaring "
      "the logarithm.",
      "w_0 = 0, alpha small", thm47 },
    { "dp-gcd/rivals", "Sections 4.3 and 6", "Excess of DP-CD, DP-SGD, Frank-Wolfe and mirror descent.", NULL,
      rivals },
    { "dp-gcd/figure1", "Figure 1, Section 5", "On eight problems DP-GCD ends lower than DP-CD and DP-SGD, "
      "but on mtp and california.", "eps = 1, delta = 1/n^2, tuned parameters", figure1 },
    { "dp-gcd/figure2", "Figure 2, Section 5", "Optima are imbalanced on all sets but mtp.", NULL, figure2 },
    { "dp-gcd/figure3", "Figure 3, Section 5", "The three greedy rules agree where no coordinate is visited "
      "twice.", NULL,
      figure3 },
    { "dp-gcd/figure4", "Figure 4, Section 5", "Errors against seconds.", NULL, figure4 },
    { "dp-gcd/table2", "Table 2, Section 5", "Passes, steps and clips from which the parameters of each method are "
      "chosen.", NULL, table2 },
    { "dp-gcd/table3", "Table 3, Section 5", "Right and wrong coordinates and relative errors on the l1 "
      "problems.",
      "means of five runs", table3 },
    { 0 }
};

static const struct claim *const themes[] = { dp_gcd_lemmas, dp_gcd_privacy, dp_gcd_convex, dp_gcd_rivals,
                                              dp_gcd_strong, dp_gcd_sparse, NULL };

const struct paper paper_dp_gcd = {
    .key = "dp-gcd",
    .title = "DP-GCD: private greedy coordinate descent",
    .cite = "Mangold, Bellet, Salmon, Tommasi 2023",
    .claims = dp_gcd_experiments,
    .items = dp_gcd_items,
    .plots = dp_gcd_figures,
    .tables = dp_gcd_tables,
    .themes = themes,
    .reproduction = &dp_gcd_reproduction,
    .theorems = theorems,
    .attempts = dp_gcd_attempts,
};
