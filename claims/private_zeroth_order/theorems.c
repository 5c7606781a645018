/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theorems.c - the paper Zhang, Tran, Cutkosky: "Private Zeroth-Order Nonsmooth Nonconvex Optimization" (ICLR
 * 2024): its theorems, each with one row for every axis, and the struct paper. Some promises are exact (tests,
 * counts, privacy), some are statistical with an exact law (draws.c), and those of Theorem 4.9 are upper bounds
 * (runs.c, exact.c, tight.c, floor.c). */
#include "contest.h"
#include "private_zeroth_order.h"

#define CLAIM "private-zeroth-order/"
/* A row whose promise is a statement in words, not a law along the axis. claim_id is the claim that decides the
 * row. */
#define ROW(axis, quantity, promise, claim_id) { axis, quantity, { promise }, .claim = CLAIM claim_id }

/* A row about a count that is a formula of the parameters of a run, with the id of the claim that tests the
 * counter. */
#define IDENTITY_ROW(axis, quantity, promise, claim_id)                                            \
    { axis, quantity, { promise }, .state = ROW_EVIDENCE,                                          \
      .reason = "An identity: K, T and the batches give it, whatever the losses are. "             \
                claim_id " tests the counter." }

#define RIVAL(text, exponent, whose) { text, exponent, NULL, whose }
#define NO_CHANGE RIVAL("constant", 0, "a method that does not see the axis")

/* Theorem 4.9 bounds the certificate by a T + b/T^(1/2) + c/T with a = (Phi + L delta)/(delta n), b = d^(1/2) L and
 * c = d^(3/2) L/rho, up to constants. T = max((b/a)^(2/3), (c/a)^(1/2)) makes this (a b^2)^(1/3) + (a c)^(1/2). The
 * theorem's T has no logarithm, but sigma has the factor ln(T)^(1/2). Claims with privacy divide by this factor.
 *
 * The laws of the rivals follow from the number n of samples that they need for a certificate of acc, or from their
 * terms. SGD on the smoothed loss, without O2NC, has n = d^(3/2)/(delta acc^4), and with variance reduction n =
 * d^(3/2)/(delta acc^3). One direction a sample makes b = d L. Independent noise for every summand, and the naive
 * oracle with B = 1, make a T + c/T^(1/2), and so (a c^2)^(1/3). The naive oracle with B = d^(3/2)/rho has n =
 * d^(3/2)/(rho delta acc^3). */
#define NONPRIVATE_N_RIVALS RIVAL("n^(-1/4)", -0.25, "SGD on the smoothed loss"), NO_CHANGE
#define NONPRIVATE_D_RIVALS RIVAL("constant", 0, "O2NC with gradients"), \
                            RIVAL("d^(3/8)", 0.375, "SGD on the smoothed loss"), \
                            RIVAL("d^(1/2)", 0.5, "variance-reduced SGD on the smoothed loss"), \
                            RIVAL("d^(2/3)", 2.0 / 3, "one direction a sample")
#define NOISE_AS_NUMBER "its mean norm at T = max and the printed sigma, within 15%"
#define NAIVE_N_RIVALS RIVAL("n^(-1/3)", -1.0 / 3, "the naive oracle, and noise of every summand"), NO_CHANGE

/* --- Lemmas of Sections 2 and 3 */

static const struct theorem_row lemma2_2[] = {
    { "d", "smoothness of the smoothed loss", { "d^(1/2) L/delta" }, .state = ROW_EVIDENCE,
      .reason = "A unit test holds closed forms of the smoothed loss against it; nothing in it is random." },
    { "delta", "distance of the smoothed loss", { "at most L delta" }, .state = ROW_EVIDENCE,
      .reason = "A unit test holds closed forms of the smoothed loss against it; nothing in it is random." },
    { 0 }
};

static const struct theorem_row lemma3_1[] = {
    { "b", "variance", { "1/b", -1 }, { RIVAL("constant", 0, "directions that all samples share") },
      CLAIM "grad.lemma3.1.tight.b" },
    ROW("d", "variance, bound", "at most (d/(d-1) + 1 - 1/d) L^2/b, which is at most the printed 16 d L^2/b",
        "grad.lemma3.1.sharp.d"),
    ROW("d", "variance, linear losses", "((1 - 1/d) L^2 + Var g)/b", "grad.lemma3.1.moment.d"),
    ROW("d", "sensitivity", "at most 2 d L/b, and 2 d L |x - y|/(b delta) of a difference",
        "vr.lemma3.1.sensitivity.d"),
    { 0 }
};

static const struct theorem_row lemma3_2[] = {
    { "|x - y|", "variance", { "|x - y|^2", 2 }, { RIVAL("constant", 0, "GRAD at both points") },
      CLAIM "diff.lemma3.2.tight.moved" },
    { "delta", "variance", { "delta^(-2)", -2 }, { RIVAL("constant", 0, "GRAD at both points") },
      CLAIM "diff.lemma3.2.tight.delta" },
    { "d", "variance", { "d", 1 }, { RIVAL("d^2", 2, "one direction a sample"), NO_CHANGE },
      CLAIM "diff.lemma3.2.tight.d" },
    { "b", "variance", { "1/b", -1 }, { RIVAL("constant", 0, "directions that all samples share") },
      CLAIM "diff.lemma3.2.tight.b" },
    ROW("|x - y|", "variance, bound",
        "at most (2 - 1/d) d L^2 |x - y|^2/(b delta^2), an eighth of the printed 16 d L^2 |x - y|^2/(b delta^2)",
        "diff.lemma3.2.sharp.moved"),
    { 0 }
};

static const struct theorem_row section3[] = {
    ROW("d", "square of one direction", "d L^2 on linear losses", "one.sec3.square.d"),
    ROW("d", "square of one direction, bound",
        "at most d^2 L^2/(d-1), which is at most the printed 16 (2 pi)^(1/2) d L^2", "one.sec3.sharp.d"),
    { "d", "longest draw", { "at most d L" }, .state = ROW_EVIDENCE,
      .reason = "It holds in every draw by |f(x + delta u) - f(x - delta u)| <= 2 L delta, whatever the losses "
                "are: one.sec3.longest.free.d tests the estimator." },
    IDENTITY_ROW("n", "values", "2 d a sample", "vr.sec3.values.n"),
    IDENTITY_ROW("n", "samples", "2 K T", "vr.sec3.samples.n"),
    IDENTITY_ROW("n", "rounds", "K T", "vr.sec3.rounds.n"),
    IDENTITY_ROW("n", "vectors of noise", "K T", "vr.sec3.noise.n"),
    IDENTITY_ROW("n", "uses of a sample", "one", "vr.sec3.epoch.n"),
    { 0 }
};

/* --- Section 4: the tree and its privacy */

static const struct theorem_row theorem4_3[] = {
    ROW("eps", "privacy", "(alpha, alpha rho^2/2)-RDP with the paper's count of nodes", "vr.cor4.4.safe.d.eps"),
    ROW("eps", "privacy, exact count of nodes", "(alpha, alpha rho^2/2)-RDP", "vr.cor4.4.exact.eps"),
    { 0 }
};

static const struct theorem_row corollary4_4[] = {
    ROW("eps", "privacy", "(alpha, alpha rho^2/2)-RDP at B1 = T + 1", "vr.cor4.4.paper.eps"),
    ROW("eps", "privacy at B1 = T B2/2", "(alpha, alpha rho^2/2)-RDP once sigma is 1.04 times the printed one",
        "vr.cor4.4.corrected.eps"),
    ROW("eps", "privacy of records", "(alpha, alpha rho^2/2)-RDP whatever the records are",
        "private-zo-o2nc.records.eps"),
    /* With the exact calibration of sigma the square has the factor floor(lg T) + 1. The claim divides by it. */
    { "T", "square of an epoch's mean noise", { "lg(T)/T^2", -2 },
      { RIVAL("1/T", -1, "noise of every summand"), NO_CHANGE }, CLAIM "tree.cor4.4.tight.steps" },
    { "d", "square of an epoch's mean noise", { "d^3", 3 },
      { RIVAL("d", 1, "a sensitivity without d"), RIVAL("d^2", 2, "many directions a sample"),
        NO_CHANGE },
      CLAIM "tree.cor4.4.mean.d" },
    { "rho", "square of an epoch's mean noise", { "rho^(-2)", -2 },
      { RIVAL("constant", 0, "noise that knows no rho") }, CLAIM "tree.cor4.4.mean.rho" },
    { 0 }
};

static const struct theorem_row corollary4_5[] = {
    ROW("t", "square of a step's noise", "popcount(t) d sigma^2", "tree.cor4.5.noise.t"),
    ROW("t", "square of a step's noise, bound", "at most 2 ln(t) d sigma^2", "tree.cor4.5.bound.t"),
    ROW("T", "square of an epoch's mean noise", "d sigma^2 (1/2 - 1/(2 T) + 1/T^2)", "tree.epoch.mean.steps"),
    { 0 }
};

static const struct theorem_row corollary4_7[] = {
    { "K", "descent term", { "1/K", -1 }, { RIVAL("constant", 0, "a learner that does not move") },
      CLAIM "vr.cor4.7.descent.K" },
    { 0 }
};

static const struct theorem_row lemma4_8[] = {
    ROW("T", "variance, bound",
        "at most (d/(d-1) + 1 - 1/d) L^2/B1 + (7/6)(2 - 1/d) d L^2 (T-1)/(B2 T^2), "
        "which is at most the printed 16 d L^2/B1 + 64 d L^2/(B2 T)", "path.lemma4.8.sharp.steps"),
    ROW("T", "variance, straight epoch", "d L^2 ((7/6)(T - 2) + 1/3)/T^2 + (2 - 1/d) L^2/B1",
        "path.lemma4.8.variance.steps"),
    { "T", "variance", { "1/T", -1 }, { RIVAL("constant", 0, "GRAD of one sample at every step") },
      CLAIM "path.lemma4.8.last.again.steps" },
    { "d", "variance", { "d", 1 }, { RIVAL("d^2", 2, "one direction a sample"), NO_CHANGE },
      CLAIM "path.lemma4.8.last.d" },
    { "B2", "variance", { "1/B2", -1 }, { RIVAL("constant", 0, "directions that all samples share") },
      CLAIM "path.lemma4.8.last.B2" },
    { "d", "variance with one direction", { "d^2", 2 }, { RIVAL("d", 1, "d directions a sample"), NO_CHANGE },
      CLAIM "path.sec4.1.one.again.d" },
    { 0 }
};

/* --- Theorem 4.9 */

/* Returns (Phi + 2 L delta)/(delta L) for the claim vr.thm4.9.steep.private.radius, where Phi = 0.45 L and delta is
 * half of the radius. Corollary 4.7 has the 2 in 2 L delta. */
static double zo_gap(double radius) { return 0.9 / radius + 2; }
static double zo_gap_root(double radius) { return sqrt(zo_gap(radius)); }
static double zo_gap_cube_root(double radius) { return cbrt(zo_gap(radius)); }

static const struct theorem_row theorem4_9[] = {
    ROW("n", "certificate, bound without privacy", "at most the bound with the proofs' constants",
        "vr.thm4.9.bound.theory.n"),
    ROW("n", "certificate, bound at rho = 1", "at most the bound with the proofs' constants",
        "vr.thm4.9.bound.private.n"),
    ROW("n", "Goldstein's norm", "at most the bound with the proofs' constants", "vr.thm4.9.exact.steep.n"),
    { "n", "certificate without privacy", { "n^(-1/3)", -1.0 / 3 }, { NONPRIVATE_N_RIVALS },
      CLAIM "vr.thm4.9.steep.n" },
    { "d", "certificate without privacy", { "d^(1/3)", 1.0 / 3 }, { NONPRIVATE_D_RIVALS },
      CLAIM "vr.thm4.9.descent.d" },
    { "radius", "certificate without privacy", { "delta^(-1/3)", -1.0 / 3 },
      { RIVAL("delta^(-1/4)", -0.25, "SGD on the smoothed loss"), NO_CHANGE },
      CLAIM "vr.thm4.9.steep.radius" },
    ROW("radius", "certificate from near", "at most (d L^3/n)^(1/3), whatever delta", "vr.thm4.9.near.radius"),
    { "n", "certificate with privacy", { "n^(-1/2) ln(T)^(1/2)", -0.5 }, { NAIVE_N_RIVALS },
      CLAIM "vr.thm4.9.steep.private.n" },
    { "rho", "certificate with privacy", { "rho^(-1/2) ln(T)^(1/2)", -0.5 },
      { RIVAL("rho^(-1/3)", -1.0 / 3, "the naive oracle, tuned"),
        RIVAL("rho^(-2/3)", -2.0 / 3, "the naive oracle, B = 1, and noise of every summand"), NO_CHANGE },
      CLAIM "vr.thm4.9.steep.private.rho" },
    { "d", "certificate with privacy", { "d^(3/4) ln(T)^(1/2)", 0.75 },
      { RIVAL("d^(1/2)", 0.5, "the naive oracle, tuned, and many directions a sample"),
        RIVAL("d", 1, "the naive oracle, B = 1, and noise of every summand"), NO_CHANGE },
      CLAIM "vr.thm4.9.steep.narrow.d" },
    { "radius", "certificate with privacy", { "((Phi + 2 L delta)/delta)^(1/2) ln(T)^(1/2)", -0.5, zo_gap_root },
      { { "its power 1/3", -1.0 / 3, zo_gap_cube_root, "the naive oracle" }, NO_CHANGE },
      CLAIM "vr.thm4.9.steep.private.radius" },
    { "rho", "epoch's noise at T = max, not min",
      { "at most 4 ln(T)^(1/2) (d^(3/2) L (Phi + L delta)/(rho delta n))^(1/2)" },
      .claim = CLAIM "vr.thm4.9.max.noise.rho" },
    { "n", "epoch's noise at T = n/41, not fed back", { "ln(T)^(1/2)/T", -1 },
      { RIVAL("T^(-1/2)", -0.5, "noise of every summand"), RIVAL("constant", 0, "noise fed back, as line 9 prints "
              "it") },
      CLAIM "vr.alg4.line9.noise.n" },
    ROW("n", "epoch's noise, as a number", NOISE_AS_NUMBER, "vr.thm4.9.level.noise.n"),
    ROW("d", "epoch's noise, as a number", NOISE_AS_NUMBER, "vr.thm4.9.level.noise.d"),
    ROW("rho", "epoch's noise, as a number", NOISE_AS_NUMBER, "vr.thm4.9.level.noise.rho"),
    ROW("radius", "epoch's noise, as a number", NOISE_AS_NUMBER, "vr.thm4.9.level.noise.radius"),
    ROW("n", "private run, phase retrieval: objective", "below 0.45 times that of the start, in two of five "
        "runs", "vr.data.phase.often.n"),
    ROW("n", "private run, capped errors: Goldstein's norm", "at most L/2",
        "vr.data.capped.stationary.n"),
    ROW("n", "private run, ramp: objective", "below 0.9 times that of the start", "vr.data.ramp.private.n"),
    ROW("n", "private run, hidden layer: objective", "below 0.9 times that of the start",
        "vr.data.neurons.private.n"),
    { 0 }
};

/* The sampling term b/T^(1/2) and the privacy term c/T of the bound one by one. The number of epochs is fixed, so
 * that T grows as n. */
static const struct theorem_row theorem4_9_terms[] = {
    { "T", "sampling term", { "T^(-1/2)", -0.5 }, { RIVAL("1/T", -1, "the private term alone"),
                                                    RIVAL("constant", 0,
                                                        "a first batch that does not grow with T") },
      CLAIM "vr.thm4.9.floor.beside.n" },
    { "d", "sampling term", { "d^(1/2)", 0.5 }, { RIVAL("constant", 0, "DIFF of four values, and O2NC with "
      "gradients"),
                                                  RIVAL("d", 1, "one direction a sample") },
      CLAIM "vr.thm4.9.floor.beside.d" },
    { "T", "private term", { "ln(T)^(1/2)/T", -1 }, { RIVAL("T^(-1/2)", -0.5, "noise of every summand"),
        NO_CHANGE },
      CLAIM "vr.thm4.9.noise.beside.n" },
    { "d", "private term", { "d^(3/2)", 1.5 }, { RIVAL("d", 1, "many directions a sample"),
                                                 RIVAL("d^(1/2)", 0.5, "the sampling term alone"),
                                                 NO_CHANGE },
      CLAIM "vr.thm4.9.noise.beside.d" },
    { "rho", "private term", { "1/rho", -1 }, { RIVAL("constant", 0, "noise that knows no rho") },
      CLAIM "vr.thm4.9.noise.beside.rho" },
    { 0 }
};

/* The free rho is the least one for which the certificate is at most (1 + tau) s, where s is the certificate
 * without noise. For a fixed number of epochs, b/T^(1/2) = c/T gives rho = d/T^(1/2), and the factor ln(T)^(1/2) of
 * sigma adds the same factor. Claims set rho by this law along the axis and fit the ratio of the certificate to s.
 * The square of the certificate is s^2 + (g noise)^2 for a constant g. If the exponent of rho is wrong by w, the
 * exponent of the ratio is therefore w (1 - 1/(1 + tau)^2): 0.556 w at tau = 1/2. */
static const struct theorem_row free_privacy[] = {
    { "T", "certificate over that without noise, along the free rho", { "constant where rho ~ d (ln T/T)^(1/2)",
        0 },
      { RIVAL("T^0.28", 0.278, "noise of every summand, a free rho that T does not move") },
      CLAIM "vr.thm4.9.free.beside.n" },
    { "d", "certificate over that without noise, along the free rho", { "constant where rho ~ d (ln T/T)^(1/2)",
        0 },
      { RIVAL("d^0.28", 0.278, "a free rho of d^(3/2), as on a cone"),
        RIVAL("d^(-0.28)", -0.278, "a free rho of d^(1/2)") }, CLAIM "vr.thm4.9.free.beside.d" },
    { "n", "free rho, T tuned",
      { "the certificate over that without noise is constant along n^(-1/3) ln(n)^(1/2)", 0 },
      { RIVAL("n^(0.11)", 0.11, "a free rho that n does not move, as of the naive oracle with T tuned") },
      CLAIM "vr.thm4.9.free.tuned.n" },
    { "d", "free rho, T tuned", { "d^(5/6) ln(T)^(1/2)", 5.0 / 6 },
      { RIVAL("d", 1, "the naive oracle, T tuned"), RIVAL("d^(1/2)", 0.5, "tree SPIDER with gradients"),
          NO_CHANGE },
      .state = ROW_EVIDENCE,
      .reason = "d^(5/6) is where two upper bounds meet. With T tuned a run ends beside a minimum, where the "
                "certificate without noise is L/T^(1/2), without d^(1/2), so that the free rho grows as d^(3/2): "
                "vr.thm4.9.free.cone.d. Beside the floor of a valley, where d^(1/2) is paid, d^(5/6) and d differ "
                "by 0.09 in the exponent of the ratio; the 144 cells of the row above, of log-sd 0.08 and 0.07 s "
                "each, leave 0.04, and as much is lost to small d. From d = 16 to 64 some 600 cells of 1.5 s would "
                "decide it, a quarter of an hour." },
    { 0 }
};

/* --- Sections 1 and 4.1, Appendix E: the other methods */

static const struct theorem_row appendix_e[] = {
    ROW("eps", "privacy", "(alpha, alpha rho^2/2)-RDP at sigma = 2 d L/(B rho), twice the printed one",
        "naive.appE.eps"),
    { "n", "certificate with privacy", { "n^(-1/3)", -1.0 / 3 },
      { RIVAL("n^(-1/2)", -0.5, "variance reduction and the tree"), NO_CHANGE }, CLAIM "naive.appE.steep.n" },
    { "rho", "certificate with privacy", { "rho^(-1/3)", -1.0 / 3 },
      { RIVAL("rho^(-1/2)", -0.5, "variance reduction and the tree"),
        RIVAL("rho^(-2/3)", -2.0 / 3, "B = 1, as printed"), NO_CHANGE }, CLAIM "naive.appE.steep.rho" },
    { "d", "certificate with privacy", { "d^(1/2)", 0.5 },
      { RIVAL("d^(3/4)", 0.75, "variance reduction and the tree"), RIVAL("d", 1, "B = 1, as printed"), NO_CHANGE },
      CLAIM "naive.appE.later.d" },
    { "rho", "certificate with privacy, B = 1", { "rho^(-2/3)", -2.0 / 3 },
      { RIVAL("rho^(-1/3)", -1.0 / 3, "a tuned batch, and what is printed for B = 1"),
        RIVAL("rho^(-1/2)", -0.5, "variance reduction and the tree"), NO_CHANGE }, CLAIM "naive.appE.one.rho" },
    IDENTITY_ROW("n", "values", "two a sample", "naive.appE.values.n"),
    IDENTITY_ROW("n", "rounds", "K T", "naive.appE.rounds.n"),
    { 0 }
};

static const struct theorem_row section1[] = {
    ROW("n", "certificate against the naive oracle, B = 1", "smaller", "vr.sec1.order.again.n"),
    ROW("n", "certificate against the naive oracle, tuned", "smaller", "vr.sec1.peak.tuned.n"),
    ROW("n", "private run on records against the naive oracle, tuned: Goldstein's norm", "smaller",
        "vr.data.contest.n"),
    /* The law of the ratio is d^(1/3) divided by d^(1/2). */
    { "d", "certificate of O2NC over that of variance-reduced SGD", { "d^(-1/6)", -1.0 / 6 },
      { RIVAL("constant", 0, "methods of one dependence on d") }, .state = ROW_EVIDENCE,
      .reason = "It holds and is not tight: both laws are of upper bounds. On a cone the ratio falls as "
                "d^(-0.42), bending from -0.34 to -0.50; on a clipped slope descent needs d^(3/2)/acc samples "
                "a unit of length, so that by calculation the ratio falls as d^(-2/3). zo-o2nc.descent.wide.d "
                "has the order from d = 64 on." },
    { "n", "O2NC with gradients: certificate",
      { "at most 2 Phi/(delta n) + max(5 (L^2 Phi/(n delta))^(1/3), 6 L/n^(1/2))" },
      .claim = CLAIM "o2nc.cor.bound.cone.n" },
    { "n", "SGD on the smoothed loss: squared gradient",
      { "at most order (d^(3/2) L^3 (Phi + L delta)/(delta n))^(1/2)" },
      .claim = CLAIM "sgfm.sharp.n" },
    { 0 }
};

static const struct theorem theorems[] = {
    { "private-zeroth-order/lemma2.2", "Lemma 2.2, Section 2",
      "The mean of an L-Lipschitz loss over a ball of radius delta is within L delta of it and d^(1/2) "
      "L/delta-smooth.",
      NULL, lemma2_2 },
    { "private-zeroth-order/lemma3.1", "Lemma 3.1, Section 3",
      "GRAD is unbiased with a variance of at most 16 d L^2/b and a sensitivity of 2 d L/b.", "d directions a "
      "sample",
      lemma3_1 },
    { "private-zeroth-order/lemma3.2", "Lemma 3.2, Section 3",
      "DIFF is unbiased with a variance of at most 16 d L^2 |x - y|^2/(b delta^2).",
      "d directions a sample; rates on linear losses, where they are attained", lemma3_2 },
    { "private-zeroth-order/section3", "Section 3 and Algorithms 1 to 5",
      "One direction has a squared norm of order d L^2, and an epoch asks 2 d values of every sample, once.", NULL,
      section3 },
    { "private-zeroth-order/thm4.3", "Theorem 4.3, Section 4",
      "Prefix sums of summands of sensitivity s are (alpha, alpha rho^2/2)-RDP with tree noise of order "
      "ln(T)^(1/2) s/rho.", "T >= 2", theorem4_3 },
    { "private-zeroth-order/cor4.4", "Corollary 4.4, Section 4",
      "With sigma = (2 ln T)^(1/2) 4 d L/(B2 T rho) the oracle is (alpha, alpha rho^2/2)-RDP.",
      "B1 >= T B2/2, D = delta/T; T = 2 and 4 need more", corollary4_4 },
    { "private-zeroth-order/cor4.5", "Corollary 4.5, Section 4",
      "The noise of step t has a mean square of at most 2 ln(t) d sigma^2.", "t >= 2", corollary4_5 },
    { "private-zeroth-order/cor4.7", "Corollary 4.7, Section 4",
      "O2NC brings the certificate at radius 2 delta to (Phi + 2 L delta)/(delta K) and what oracle and "
      "learner leave.",
      "T fixed", corollary4_7 },
    { "private-zeroth-order/lemma4.8", "Lemma 4.8, Section 4",
      "The variance-reduced oracle has a variance of at most 16 d L^2/B1 + 64 d L^2/(B2 T) at every step of an "
      "epoch.",
      "D = delta/T; rates on linear losses, where they are attained", lemma4_8 },
    { "private-zeroth-order/thm4.9", "Theorem 4.9, Section 4",
      "The mean certificate at radius 2 delta is of order (Phi d L^2/(delta n))^(1/3) + (d L^3/n)^(1/3) + (Phi "
      "d^(3/2) L/(rho delta n))^(1/2) + (d^(3/2) L^2/(rho n))^(1/2), up to logarithms.",
      "B1 = T + 1, B2 = 1, T the larger of two, where min is printed; without privacy rho is infinite",
          theorem4_9 },
    { "private-zeroth-order/thm4.9-terms", "Theorem 4.9, Section 4, before T is chosen",
      "The certificate is of order (Phi + L delta) T/(delta n) + d^(1/2) L/T^(1/2) + d^(3/2) L/(T rho).",
      "A fixed number of epochs, one term at a time", theorem4_9_terms },
    { "private-zeroth-order/free", "Section 1 and Theorem 4.9",
      "Privacy is free from rho of order d^(1/2) acc/L on, acc the certificate without privacy, which is d^(5/6) "
      "((Phi + L delta)/(L delta n))^(1/3).",
      "Within a factor 3/2 of the certificate without noise, where d^(1/2) L/T^(1/2) limits that", free_privacy },
    { "private-zeroth-order/appendix-e", "Appendix E",
      "The naive oracle, without variance reduction and tree, needs d^(3/2)/(rho delta acc^3) samples "
      "for a certificate of acc.",
      "B = max(1, d^(3/2)/rho); at B = 1, as printed, it does not follow", appendix_e },
    { "private-zeroth-order/section1", "Section 1 and Section 4.1",
      "Variance reduction gains over the naive oracle, and O2NC over SGD on the smoothed loss.",
      "A comparison of upper bounds, which no instance has to keep", section1 },
    { 0 }
};

static const struct claim *const themes[] = { private_zeroth_order_runs, private_zeroth_order_exact,
                                              private_zeroth_order_privacy, private_zeroth_order_rivals,
                                              private_zeroth_order_tight, private_zeroth_order_baselines,
                                              private_zeroth_order_floor, private_zeroth_order_errata, NULL };

const struct paper paper_private_zeroth_order = {
    .key = "private-zeroth-order",
    .title = "Private Zeroth-Order Nonsmooth Nonconvex Optimization",
    .cite = "Zhang, Tran, Cutkosky (ICLR 2024)",
    .claims = private_zeroth_order_draws,
    .items = private_zeroth_order_items,
    .plots = private_zeroth_order_figures,
    .themes = themes,
    .theorems = theorems,
    .attempts = private_zeroth_order_attempts,
    .reproduction = &private_zeroth_order_contest.as,
};
