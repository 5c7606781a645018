/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_private.h - Section 4: Algorithms 3 to 7, private ERM and SCO. The estimators run one call about the
 * origin; on linear losses smoothing changes nothing, and n is so large that the samples are the law. */
#ifndef ASSAY_PARTS_RESQUE_PRIVATE_H
#define ASSAY_PARTS_RESQUE_PRIVATE_H

#include "resque.h"

/* --- Proposition 6 on linear losses of slope h in a ball of radius r: error h r (1 - share) */
static double prop6(const struct env *e)
{
    double T = e->axis, h = e->facts->Phi / e->facts->radius, d = e->facts->d, beta = env_param(e, "beta");
    return 16 * e->facts->L / h * (sqrt(d) / (beta * T) + 1 / sqrt(T));
}
static double lemma5(const struct env *e) { return 1500; }

/* Gradients of Algorithm 5 with T = 2^t: T less T/2^k of the first stage and one a stage. */
static double strongly(double T)
{
    double k = ceil(log2(log2(T)));
    return T - T * exp2(-k) - k;
}
/* Of a loop of Algorithm 6, C_priv = 4 and T = 256. */
static double loop_cost(const struct env *e)
{
    double T = 256, jmax = floor(log2(floor(e->axis / 4) / T)), sum = strongly(T);
    for (double j = 1; j <= jmax; j++)
        sum += exp2(-j) * (strongly(T * exp2(j)) + strongly(T * exp2(j - 1)));
    return sum;
}

#define ONE_CALL .algo = "resque-erm", .problem = "linear"
#define LONG_AXIS .axis = "gradients"
#define STRONGLY { "algo.step", .text = "strongly" }, { "algo.lam", 2 }
#define EIGHT { "problem.d", 8 }, { "problem.hardness", 0.1 }, { "problem.radius", 100 }
#define FALLS(e, low, high) .law = { .form = LAW_POWER, .exponent = { e } }, .band = { low, high }

#define ERM .algo = "resque-private-erm", .problem = "coins_stored"
#define SCO .algo = "resque-private-sco", .problem = "coins"
#define RECORDS_AS_N .axis = "n"
#define AS_MANY { "problem.n", 1, 1 }, { "goal.n", 1, 1 }
#define MANY { "goal.budget", 1e12 }

/* Formulas without logarithms and with small constants: beta = eps, one level, one answer; what is drawn
 * stays two-dimensional, d is told. */
#define ASKED .algo = "resque-private-erm", .problem = "coins", .measure = "sample_grads", \
                .kind = KIND_EVIDENCE, .check = CHECK_RATE, .deterministic = true
#define ALLOWED .algo = "resque-private-erm", .problem = "coins", .measure = "issued", \
                .kind = KIND_EVIDENCE, .check = CHECK_RATE, .deterministic = true
#define RECONSTRUCTED "Counts of this reconstruction by formulas with practical constants, without logarithms: not " \
                      "what the theorem proves. "
#define STEPS RECONSTRUCTED \
              "A call of T takes 2^floor(log2 T) gradients at the most: over a window of a factor of 8 these " \
              "steps of 2 may decide the slope, here n^1.7 and n^0.78 with halves of n^0.38; that they do was " \
              "not tested. Of the sum of T: thm3.asked.*"
/* Records with which replay has runs of some thousand gradients to look at, within eps < 1. */
#define FEW_RECORDS { "problem.d", 2 }, { "problem.n", 2000 }, { "problem.bias", 0.5 }, { "goal.n", 2000 }, \
                    { "goal.delta", 1e-3 }, { "algo.M", 1 }, { "algo.c_T", 1 }
#define REPLAYED "In the place of the claim that every private method has: at its 64 records a promise affords not " \
                 "one release, and nothing is to be judged."
#define BY_FORMULA { "problem.d", 2 }, { "run.count", 1 }, { "goal.delta", 1e-6 }, \
                   { "algo.calibration", .text = "paper" }, { "algo.drift", .text = "measured" }, \
                   { "algo.jmax", 1 }, { "algo.M", 1 }, { "algo.c_T", 1 }
#define HALF_EPS { "goal.eps", 0.5 }, { "algo.beta", 0.5 }

static const struct claim resque_private[] = {
    { .id = "resque/private.prop6.bound.gradients", .item = "C18 3.6", ONE_CALL, LONG_AXIS,
      .cite = CITE "Proposition 6, the constant of its proof",
      .says = "Algorithm 3: E F(x) - F* <= 16 L r (sqrt(d)/(beta T) + 1/sqrt(T))",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .measure = "moment.short",
      .with = { { "problem.d", 8 }, { "problem.hardness", 1 }, { "algo.beta", 0.1 },
                { "run.draws", 1 } },
      .window = { { 16384, 16384, 1, 16 }, { 16384, 65536, 2, 32 }, { 16384, 262144, 3, 64 } },
      .formula = prop6,
      .control = { .with = { { "algo.gradients", 16 } }, .why = "a call of 16 gradients" } },

    { .id = "resque/private.lemma5.drift.c_rho", .item = "C19 3.6", .algo = "resque-drift",
      .problem = "coins", .axis = "c_rho",
      .cite = CITE "Lemma 5",
      .says = "one record drawn once moves the mean of a phase by 1500 (eta L)^2 in square at the most, "
              "where rho/r is far smaller than the lemma asks too",
      .remark = "The lemma asks rho/r >= 1728 log^2(log T/delta), with which it is a proof. The control reaches "
                "0.22 of the bound: what turned coins move may add up as a random walk, not tested. With one "
                "gradient for all: lemma5.again.c_rho.",
      .kind = KIND_EVIDENCE, .check = CHECK_BOUND, .measure = "moment.moved",
      .with = { { "problem.d", 32 }, { "problem.bias", 0.2 }, { "algo.T", 512 }, { "run.draws", 16 } },
      .window = { { 1, 8, 2, 16 }, { 1, 64, 4, 16 }, { 1, 64, 7, 64 } },
      .formula = lemma5,
      .control = { .with = { { "algo.b", 256 } }, .why = "drawn 256 times" } },

    { .id = "resque/private.lemma5.again.c_rho", .item = "C19 3.6", .algo = "resque-drift",
      .problem = "linear", .axis = "c_rho",
      .cite = CITE "Lemma 5",
      .says = "one record drawn once moves the mean of a phase by 1500 (eta L)^2 in square at the most, "
              "where all gradients are alike",
      .remark = "Declared after lemma5.drift.c_rho, whose control was missed.",
      .kind = KIND_EVIDENCE, .check = CHECK_BOUND, .measure = "moment.moved",
      .with = { { "problem.d", 8 }, { "problem.hardness", 1 }, { "problem.s", 0 }, { "algo.T", 128 },
                { "run.draws", 8 } },
      .window = { { 2, 8, 2, 16 }, { 2, 64, 4, 16 }, { 1, 64, 7, 64 } },
      .formula = lemma5,
      .control = { .with = { { "algo.b", 128 } }, .why = "drawn 128 times" } },

    { .id = "resque/private.prop8.sampling.gradients", .item = "C23 3.8", ONE_CALL, LONG_AXIS,
      .cite = CITE "Proposition 8, second term",
      .says = "Algorithm 5 without noise: E|x - x*|^2 falls as 1/T",
      .remark = "Nightly T^-1.03; the control, T^-0.48, is left open: 32 sqrt(T) is no power of two, and steps of "
                "2^floor(log2 T) may bend its line, not tested.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "moment.error2",
      .with = { EIGHT, STRONGLY, { "run.draws", 2 } },
      .window = { { 1024, 16384, 3, 8 }, { 1024, 65536, 4, 32 }, { 1024, 65536, 7, 64 } },
      FALLS(-1, -1.2, -0.8),
      .control = { .with = { { "algo.gradients", 32, 0.5 } }, .why = "sqrt(T) gradients" } },

    { .id = "resque/private.prop8.noise.gradients", .item = "C23 3.8", ONE_CALL, LONG_AXIS,
      .cite = CITE "Proposition 8, first term",
      .says = "where noise decides: E|x - x*|^2 falls as 1/T^2",
      .remark = "T^-1.34, which is what Algorithm 5 has to give here: prop8.law.gradients, a closed form. With C_cvx = "
                "1, not the 16 of the proof, drift does not undo the noise of earlier stages, and at one number of "
                "stages k the error bends by T^(2^(2-k)). The bound itself holds: prop8.bound.gradients.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "moment.error2",
      .with = { EIGHT, STRONGLY, { "algo.beta", 0.002 }, { "run.draws", 2 } },
      .window = { { 1024, 16384, 3, 16 }, { 1024, 65536, 4, 32 }, { 1024, 65536, 7, 64 } },
      FALLS(-2, -2.4, -1.6),
      .control = { .with = { { "algo.beta", INFINITY } }, .why = "without noise: 1/T" } },

    { .id = "resque/private.prop8.late.gradients", .item = "C23 3.8", ONE_CALL, LONG_AXIS,
      .cite = CITE "Proposition 8, first term",
      .says = "where noise decides and beta T is beyond sqrt(d): E|x - x*|^2 falls as 1/T^2",
      .remark = "Declared after the quick run of prop8.noise.gradients, whose window begins at beta T = 0.7 "
                "sqrt(d). Nightly T^-1.4, and bent, as the closed form is: noise of the first stages is still in the "
                "answer. With the radii of the proof: prop8.proof.gradients.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "moment.error2",
      .with = { EIGHT, STRONGLY, { "algo.beta", 0.002 }, { "run.draws", 2 } },
      .window = { { 0 }, { 16384, 131072, 4, 16 }, { 16384, 262144, 5, 64 } },
      FALLS(-2, -2.4, -1.6),
      .control = { .with = { { "algo.beta", INFINITY } }, .why = "without noise: 1/T" } },

    { .id = "resque/private.alg6.cost.data", .item = "C25 3.9", ONE_CALL, .axis = "data",
      .cite = CITE "Algorithm 6, Lemma 10",
      .says = "a loop takes T and, with probability 2^-j, 2^j T and 2^(j-1) T gradients more, j <= jmax",
      .kind = KIND_THEOREM, .check = CHECK_COUNT, .measure = "moment.cost",
      .with = { EIGHT, { "algo.step", .text = "prox" }, { "algo.gradients", 256 },
                { "run.draws", 1 } },
      .window = { { 16384, 65536, 3, 1 }, { 16384, 262144, 5, 1 }, { 16384, 262144, 5, 1 } },
      .deterministic = true, .formula = loop_cost, .tolerance = 1e-9,
      .control = { .with = { { "algo.step", .text = "strongly" } }, .why = "no levels" } },

    { .id = "resque/private.prop9.top.data", .item = "C24 8.18 3.9", ONE_CALL, .axis = "data",
      .cite = CITE "Proposition 9 and its proof",
      .says = "the level that Algorithm 6 is unbiased for has the noise of 2^(-jmax/2) beta: where noise "
              "decides E|x_jmax - x*|^2 falls as 1/n, not 1/n^2, so that the bias of order sqrt(d)/(beta "
              "n) does not follow from Proposition 8",
      .remark = "Zero-mean noise need not be a bias: that the printed bias is false is not said. Quick, the "
                "control is missed at n^-1.4: at C_cvx = 1 the closed form has no power law here "
                "(prop8.law.gradients). With the radii of the proof: prop9.wide.data.",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, .measure = "moment.error2",
      .with = { EIGHT, { "algo.step", .text = "top" }, { "algo.lam", 2 }, { "algo.gradients", 64 },
                { "algo.beta", 0.002 }, { "run.draws", 2 } },
      .window = { { 4096, 65536, 3, 16 }, { 4096, 262144, 4, 32 }, { 4096, 262144, 7, 64 } },
      FALLS(-1, -1.4, -0.6),
      .control = { .with = { { "algo.step", .text = "quiet" } },
                   .why = "the noise of beta at that level: 1/n^2" } },

    { .id = "resque/private.prop9.late.data", .item = "C24 8.18 3.9", ONE_CALL, .axis = "data",
      .cite = CITE "Proposition 9 and its proof",
      .says = "the same where beta T is 7 sqrt(d) from the start: E|x_jmax - x*|^2 falls as 1/n, with the "
              "noise of beta it would as 1/n^2",
      .remark = "Declared after the quick run of prop9.top.data, whose control begins where noise may fill all "
                "of the radius, not tested. Nightly n^-0.65: not faster than 1/n, as the erratum says, and not "
                "decided. The closed form at C_cvx = 1 has n^-0.65. With the radii of the proof: prop9.wide.data.",
      .kind = KIND_EVIDENCE, .check = CHECK_RATE, .measure = "moment.error2",
      .with = { EIGHT, { "algo.step", .text = "top" }, { "algo.lam", 2 }, { "algo.gradients", 1024 },
                { "algo.beta", 0.02 }, { "run.draws", 2 } },
      .window = { { 8192, 65536, 4, 16 }, { 8192, 65536, 4, 32 }, { 8192, 65536, 4, 128 } },
      FALLS(-1, -1.4, -0.6),
      .control = { .with = { { "algo.step", .text = "quiet" } },
                   .why = "the noise of beta at that level: 1/n^2" } },

    { .id = "resque/private.thm3.eps", .item = "C20 C27 1.3 3.11", .algo = "resque-private-erm",
      .problem = "coins", .axis = "eps", .measure = "privacy.eps",
      .cite = CITE "Theorem 3; what one record moves by parts/resque_erm.h",
      .says = "private ERM is (eps, delta)-private for one record replaced",
      .remark = "By an elementary bound on what one record moves, in every run and with rho/r = 64; the paper's "
                "own asks rho/r >= 3456 log^2(1/delta_0). The notes eps_A, eps_B, eps_C are its readings.",
      .kind = KIND_EXTENSION, .check = CHECK_PRIVATE,
      .with = { { "problem.d", 4 }, { "problem.bias", 0.5 }, { "goal.n", 2000 }, { "goal.delta", 1e-3 },
                { "algo.c_T", 1 }, { "algo.M", 1 } },
      .window = { { 0 }, { 4, 4, 1, 12 }, { 2, 8, 3, 48 } },
      .control = { .algo = "planted-leak-sensitivity",
                   .why = "planted: half the sensitivity that is due" } },

    { .id = "resque/private.thm4.eps", .item = "C30 C31 1.3 3.13", .algo = "resque-private-sco",
      .problem = "coins", .axis = "eps", .measure = "privacy.eps",
      .cite = CITE "Theorem 4; what one record moves by parts/resque_erm.h",
      .says = "private SCO is (eps, delta)-private for one record replaced, each phase with all of eps",
      .kind = KIND_EXTENSION, .check = CHECK_PRIVATE,
      .with = { { "problem.d", 4 }, { "problem.bias", 0.5 }, { "goal.n", 4000 }, { "goal.delta", 1e-3 },
                { "algo.c_T", 1 }, { "algo.M", 1 }, { "algo.c_n", 4 } },
      .window = { { 0 }, { 4, 4, 1, 6 }, { 4, 8, 2, 24 } },
      .control = { .algo = "planted-leak-sensitivity",
                   .why = "planted: half the sensitivity that is due" } },

    { .id = "resque/private.thm3.replay.eps", .item = "C20 C27 1.3 3.11", .algo = "resque-private-erm",
      .problem = "coins_stored", .axis = "eps", .measure = "privacy.eps",
      .cite = CITE "Theorem 3; what one record moves by parts/resque_erm.h",
      .says = "private ERM is (eps, delta)-private for one record replaced, on stored records",
      .remark = REPLAYED,
      .kind = KIND_EXTENSION, .check = CHECK_PRIVATE,
      .with = { FEW_RECORDS, { "algo.c_n", 8 } },
      .window = { { 0.9, 0.9, 1, 6 }, { 0.45, 0.9, 2, 12 }, { 0.45, 0.9, 2, 48 } },
      .control = { .algo = "planted-leak-sensitivity",
                   .why = "planted: half the sensitivity that is due" } },

    { .id = "resque/private.thm4.replay.eps", .item = "C30 C31 1.3 3.13", .algo = "resque-private-sco",
      .problem = "coins_stored", .axis = "eps", .measure = "privacy.eps",
      .cite = CITE "Theorem 4; what one record moves by parts/resque_erm.h",
      .says = "private SCO is (eps, delta)-private for one record replaced, on stored records, each phase with all of "
              "eps",
      .remark = REPLAYED,
      .kind = KIND_EXTENSION, .check = CHECK_PRIVATE,
      .with = { FEW_RECORDS, { "algo.c_n", 8 } },
      .window = { { 0.9, 0.9, 1, 6 }, { 0.45, 0.9, 2, 12 }, { 0.45, 0.9, 2, 48 } },
      .control = { .algo = "planted-leak-sensitivity",
                   .why = "planted: half the sensitivity that is due" } },

    { .id = "resque/private.thm3.excess.n", .item = "C27 C34", ERM, RECORDS_AS_N,
      .cite = CITE "Theorem 3, second term",
      .says = "where privacy decides, the excess on the sample falls as 1/n up to logarithms",
      .remark = "Full n^-1.11 (-1.18 to -1.04) but curved, slopes -0.80 and -1.96; the control asks for more than the "
                "promise affords.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 2 }, { "problem.bias", 0.5 }, AS_MANY, { "goal.eps", 0.99 },
                { "goal.delta", 1e-3 }, MANY },
      .window = { { 0 }, { 0 }, { 20000, 160000, 4, 16 } },
      FALLS(-1, -1.25, -0.75),
      .control = { .with = { { "algo.kappa", 0.01, 0.5 } }, .why = "accuracies that fall as 1/sqrt(n)" } },

    { .id = "resque/private.thm3.excess.d", .item = "C27", ERM, .axis = "d",
      .cite = CITE "Theorem 3, second term",
      .says = "where privacy decides, the excess on the sample grows as d^(1/2) up to logarithms",
      .remark = "Nightly d^0.448 (0.399 to 0.496), in the band; the control, d^0.01, is not surely out of it in both halves "
                "of 16 runs. With T 16 times smaller, as it was: d^0.413.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.n", 20000 }, { "goal.n", 20000 }, { "problem.bias", 0.5 }, { "goal.eps", 0.9 },
                { "goal.delta", 1e-3 }, MANY },
      .window = { { 0 }, { 2, 16, 4, 16 }, { 2, 16, 4, 64 } },
      FALLS(0.5, 0.25, 0.75),
      .control = { .with = { { "algo.kappa", 4 } }, .why = "the same accuracy asked at every d" } },

    { .id = "resque/private.thm3.excess.eps", .item = "C27", ERM, .axis = "eps",
      .cite = CITE "Theorem 3, second term",
      .says = "where privacy decides, the excess on the sample falls as 1/eps up to logarithms",
      .remark = "Nightly eps^-0.846 (-0.963 to -0.729). With T 16 times smaller, as it was: eps^-0.913. The control's plan "
                "now costs more than the promise at the least eps, where it is cut short: not the same accuracy.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 2 }, { "problem.n", 20000 }, { "goal.n", 20000 }, { "problem.bias", 0.5 },
                { "goal.delta", 1e-3 }, MANY },
      .window = { { 0 }, { 0.225, 0.9, 3, 16 }, { 0.225, 0.9, 5, 32 } },
      FALLS(-1, -1.25, -0.75),
      .control = { .with = { { "algo.kappa", 8 } }, .why = "the same accuracy asked at every eps" } },

    { .id = "resque/private.thm3.falls.eps", .item = "C27", ERM, .axis = "eps",
      .cite = CITE "Theorem 3, second term",
      .says = "the same in three times as many runs",
      .remark = "Declared after the nightly run of thm3.excess.eps. Nightly eps^-0.787 (-0.856 to -0.718), and curved: at "
                "the least eps the excess is near the 0.5 of the start, which may bend it, not tested. With T 16 times "
                "smaller, as it was: eps^-0.783. The control as there.",
      .kind = KIND_THEOREM, .check = CHECK_RATE, .measure = "excess",
      .with = { { "problem.d", 2 }, { "problem.n", 20000 }, { "goal.n", 20000 }, { "problem.bias", 0.5 },
                { "goal.delta", 1e-3 }, MANY },
      .window = { { 0 }, { 0.225, 0.9, 3, 48 }, { 0.225, 0.9, 5, 96 } },
      FALLS(-1, -1.25, -0.75),
      .control = { .with = { { "algo.kappa", 8 } }, .why = "the same accuracy asked at every eps" } },

    /* --- gradients by regimes, by count: kappa^(4/3) d^(2/3)/eps + kappa^2, kappa the smaller of sqrt(n)
     * and n eps/sqrt(d) up to logarithms of delta */
    { .id = "resque/private.thm3.gradients.few", .item = "C28 4.2 6.5", ASKED, RECORDS_AS_N,
      .cite = CITE "Theorem 3",
      .says = "n^(4/3) gradients for n < d/eps^2: d = 10^6",
      .remark = STEPS,
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1, 1 }, { "algo.dimension", 1e6 } },
      .window = { { 0 }, { 32000, 256000, 4, 1 }, { 32000, 256000, 7, 1 } },
      FALLS(4.0 / 3, 1.2, 1.45),
      .control = { .with = { { "algo.kappa", 0.05, 0.5 } }, .why = "accuracies of 1/sqrt(n): n^(2/3)" } },

    { .id = "resque/private.thm3.gradients.middle", .item = "C28 4.2 6.5", ASKED, RECORDS_AS_N,
      .cite = CITE "Theorem 3",
      .says = "(n d)^(2/3)/eps gradients for d/eps^2 < n < d^2/eps^3: 2/3 in n, d = 10^4",
      .remark = STEPS,
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1, 1 }, { "algo.dimension", 1e4 } },
      .window = { { 0 }, { 8e6, 64e6, 4, 1 }, { 8e6, 128e6, 7, 1 } },
      FALLS(2.0 / 3, 0.55, 0.8),
      .control = { .with = { { "algo.kappa", 1e-3, 1 } }, .why = "accuracies of 1/n: n^(4/3)" } },

    { .id = "resque/private.thm3.gradients.dimension", .item = "C28 4.2 6.5", ASKED, .axis = "dimension",
      .cite = CITE "Theorem 3",
      .says = "there 2/3 in d: n = 10^9, sqrt(n) of accuracy",
      .remark = STEPS,
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1e9 }, { "algo.dimension", 1, 1 } },
      .window = { { 0 }, { 65536, 524288, 4, 1 }, { 32768, 524288, 5, 1 } },
      FALLS(2.0 / 3, 0.55, 0.8),
      .control = { .with = { { "algo.beta", 1e6 } }, .why = "no noise: kappa^2, no d" } },

    { .id = "resque/private.thm3.gradients.eps", .item = "C28 4.2 6.5", ASKED, .axis = "eps",
      .cite = CITE "Theorem 3",
      .says = "there 1/eps: n = 10^8, d = 10^4",
      .remark = STEPS,
      .with = { BY_FORMULA, { "goal.n", 1e8 }, { "algo.dimension", 1e4 }, { "algo.beta", 1, 1 } },
      .window = { { 0 }, { 0.125, 0.5, 3, 1 }, { 0.125, 0.5, 5, 1 } },
      FALLS(-1, -1.15, -0.7),
      .control = { .with = { { "algo.beta", 1e6 } }, .why = "no noise: kappa^2" } },

    { .id = "resque/private.thm3.gradients.many", .item = "C28 C34 4.2 6.5", ASKED, RECORDS_AS_N,
      .cite = CITE "Theorem 3",
      .says = "n gradients for n > d^2/eps^3: near-linear, d = 4",
      .remark = STEPS,
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1, 1 }, { "algo.dimension", 4 }, { "algo.c_rho", 2 } },
      .window = { { 0 }, { 1e8, 1e10, 4, 1 }, { 1e8, 1e11, 5, 1 } },
      FALLS(1, 0.87, 1.1),
      .control = { .with = { { "algo.beta", 1e-5 } }, .why = "noise decides: n^(2/3)" } },

    { .id = "resque/private.thm3.asked.few", .item = "C28 4.2 6.5", ALLOWED, RECORDS_AS_N,
      .cite = CITE "Theorem 3",
      .says = "n^(4/3) gradients for n < d/eps^2: d = 10^6",
      .remark = RECONSTRUCTED "The T of all calls. n^1.63: at kappa = 4 to 34 and rho/r = 64 lam_min is above 2L/r "
                "and is cut there, so that no ball may bind and rounds may grow as kappa, not kappa^(2/3): the "
                "instance may be outside the regime. With a rho/r of 1: thm3.allowed.few.",
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1, 1 }, { "algo.dimension", 1e6 } },
      .window = { { 0 }, { 32000, 256000, 4, 1 }, { 32000, 256000, 7, 1 } },
      FALLS(4.0 / 3, 1.2, 1.45),
      .control = { .with = { { "algo.kappa", 0.05, 0.5 } }, .why = "accuracies of 1/sqrt(n): n^(2/3)" } },

    { .id = "resque/private.thm3.allowed.few", .item = "C28 4.2 6.5", ALLOWED, RECORDS_AS_N,
      .cite = CITE "Theorem 3",
      .says = "n^(4/3) gradients for n < d/eps^2: d = 10^8, rho = r",
      .remark = RECONSTRUCTED "Declared after thm3.asked.few, where kappa^2 < sqrt(d) rho/(5 r), so that no ball may "
                "bind.",
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1, 1 }, { "algo.dimension", 1e8 }, { "algo.c_rho", 1 } },
      .window = { { 0 }, { 4e6, 32e6, 4, 1 }, { 4e6, 32e6, 7, 1 } },
      FALLS(4.0 / 3, 1.2, 1.45),
      .control = { .with = { { "algo.kappa", 0.05, 0.5 } }, .why = "accuracies of 1/sqrt(n): n^(2/3)" } },

    { .id = "resque/private.thm3.asked.middle", .item = "C28 4.2 6.5", ALLOWED, RECORDS_AS_N,
      .cite = CITE "Theorem 3",
      .says = "(n d)^(2/3)/eps gradients for d/eps^2 < n < d^2/eps^3: 2/3 in n, d = 10^4",
      .remark = RECONSTRUCTED "The T of all calls; declared after thm3.gradients.*, which count 2^floor(log2 T).",
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1, 1 }, { "algo.dimension", 1e4 } },
      .window = { { 0 }, { 8e6, 64e6, 4, 1 }, { 8e6, 128e6, 7, 1 } },
      FALLS(2.0 / 3, 0.55, 0.8),
      .control = { .with = { { "algo.kappa", 1e-3, 1 } }, .why = "accuracies of 1/n: n^(4/3)" } },

    { .id = "resque/private.thm3.asked.eps", .item = "C28 4.2 6.5", ALLOWED, .axis = "eps",
      .cite = CITE "Theorem 3",
      .says = "there 1/eps: n = 10^8, d = 10^4",
      .remark = RECONSTRUCTED "The T of all calls; declared after thm3.gradients.*, which count 2^floor(log2 T).",
      .with = { BY_FORMULA, { "goal.n", 1e8 }, { "algo.dimension", 1e4 }, { "algo.beta", 1, 1 } },
      .window = { { 0 }, { 0.125, 0.5, 3, 1 }, { 0.125, 0.5, 5, 1 } },
      FALLS(-1, -1.15, -0.7),
      .control = { .with = { { "algo.beta", 1e6 } }, .why = "no noise: kappa^2" } },

    { .id = "resque/private.thm3.asked.many", .item = "C28 C34 4.2 6.5", ALLOWED, RECORDS_AS_N,
      .cite = CITE "Theorem 3",
      .says = "n gradients for n > d^2/eps^3: near-linear, d = 4",
      .remark = RECONSTRUCTED "The T of all calls; declared after thm3.gradients.*, which count 2^floor(log2 T). "
                "The control is missed: it may bend from 1 to 2/3 in this window, not tested.",
      .with = { BY_FORMULA, HALF_EPS, { "goal.n", 1, 1 }, { "algo.dimension", 4 }, { "algo.c_rho", 2 } },
      .window = { { 0 }, { 1e8, 1e10, 4, 1 }, { 1e8, 1e11, 5, 1 } },
      FALLS(1, 0.87, 1.1),
      .control = { .with = { { "algo.beta", 1e-5 } }, .why = "noise decides: n^(2/3)" } },

    { 0 }
};

#endif
