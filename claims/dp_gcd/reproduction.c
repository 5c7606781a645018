/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduction.c - the experiments of Section 5: eight problems, three methods, the parameters of Table 4, the
 * errors and supports of Table 3, the grids of Table 2.
 *
 * The paper leaves some choices open; they are the following. Columns and regression targets are centred and
 * scaled, except the columns of dorothea, which are sparse. The regularisers stand in the prox, where neither clip
 * nor noise reaches them. Penalties that are not printed are such that the optimum has as many non-zeros as is
 * printed. The noise of the labels of log1 and log2 is such that F(0)/F* - 1 is the value at which the curves of
 * their figures begin. For square this value is 0.75, which Table 3 prints for the methods that stay at 0. The
 * weights of square are uniform on (0, 200), so that every draw can have this value. The seed of square is the
 * first with 7 non-zeros, as in Table 3. Neighbouring data sets differ by a replaced record, so that DP-SGD has
 * noise for the sensitivity 2 C. DP-CD answers with its last iterate. */
#include "dp_gcd.h"

/* A pass is p updates of DP-CD, n steps of DP-SGD, one round of DP-GCD. */
static double gcd_rounds(double passes, const struct facts *f) { return rint(passes); }
static double cd_rounds(double passes, const struct facts *f) { return rint(passes * f->d); }
static double sgd_rounds(double passes, const struct facts *f) { return rint(passes * f->n); }

#define DP_GCD(clip, size)                                                                       \
    .label = "DP-GCD", .algo = "dp-gcd",                                                         \
    .with = { { "goal.T", .of = gcd_rounds }, { "algo.C", clip }, { "algo.step", size },         \
              GCD_OF_PAPER }
#define DP_CD(clip, size)                                                                        \
    .label = "DP-CD", .algo = "dp-cd",                                                           \
    .with = { { "goal.T", .of = cd_rounds }, { "algo.passes", 1, 1 }, { "algo.C", clip },        \
              { "algo.gamma", size } }
#define DP_SGD_OF(change, clip, size)                                                            \
    .algo = "multi-epoch-dp-sgd",                                                                \
    .with = { { "goal.T", .of = sgd_rounds }, { "algo.passes", 1, 1 }, { "algo.C", clip },       \
              { "algo.step", size }, { "algo.variant", .text = "poisson" },                      \
              { "algo.calibration", .text = "rdp" }, { "algo.sensitivity", .text = change } }
#define DP_SGD(clip, size) .label = "DP-SGD", DP_SGD_OF("2C", clip, size)

/* Methods that the paper names without parameters. They are tuned as the paper tunes its own methods: over the
 * numbers of passes of DP-GCD, ten step lengths, and clipping norms a third of a decade apart. Frank-Wolfe has the
 * steps 2/(t + 2); the radius of its l1 ball is tuned in their place. The radius of the ball of mirror descent is
 * |w*|. These two methods have no prox, so that their gradients are those of loss and penalty together. */
static double optimum_norm(double passes, const struct facts *f) { return f ? f->dist : NAN; }
#define WHOLE(name, method, T, clip, ...)                                                        \
    .label = name, .algo = method, .passes = T,                                                  \
    .with = { { "goal.T", .of = gcd_rounds }, { "algo.C", clip }, __VA_ARGS__ }
#define DP_FW(T, clip, ball)                                                                     \
    WHOLE("Frank-Wolfe", "dp-fw", T, clip, { "algo.R", ball }, { "problem.prox", .text = "none" })
#define DP_MIRROR(T, clip, size)                                                                 \
    WHOLE("mirror descent", "dp-mirror", T, clip, { "algo.c", size },                            \
          { "algo.R", .of = optimum_norm }, { "problem.prox", .text = "none" })
#define DP_GD(T, clip, size) WHOLE("DP-GD", "dp-prox-gd", T, clip, { "algo.step", size })

#define LOG1                                                                                     \
    .problem = "erm-drawn",                                                                      \
    .with = { { "problem.n", 1000 }, { "problem.d", 100 }, { "problem.relative", 0.63 },         \
              { "problem.l2", 1e-3 }, { "problem.prox", .text = "all" } }
#define LOG2                                                                                     \
    .problem = "erm-drawn",                                                                      \
    .with = { { "problem.n", 1000 }, { "problem.d", 100 }, { "problem.spread", 2 },              \
              { "problem.relative", 0.585 }, { "problem.l2", 1e-3 },                             \
              { "problem.prox", .text = "all" } }
#define SQUARE                                                                                   \
    .problem = "erm-drawn",                                                                      \
    .with = { { "problem.n", 1000 }, { "problem.d", 1000 }, { "problem.seed", 4 },               \
              { "problem.loss", .text = "squares" }, { "problem.spread", 0 },                    \
              { "problem.size", 200 }, { "problem.relative", 0.75 },                             \
              { "problem.l2", 0 }, { "problem.l1", 30 }, { "problem.prox", .text = "all" } }
#define MTP                                                                                      \
    .problem = "erm",                                                                            \
    .with = { REAL("meltingpoint", "squares", "zscore"),                                         \
              { "problem.target", .text = "zscore" }, { "problem.l2", 5e-8 } }
#define MADELON_L2                                                                               \
    .problem = "erm",                                                                            \
    .with = { REAL("madelon", "logistic", "zscore"), { "problem.intercept", 1 },                 \
              { "problem.l2", 1 } }
#define MADELON_L1                                                                               \
    .problem = "erm",                                                                            \
    .with = { REAL("madelon", "logistic", "zscore"), { "problem.intercept", 1 },                 \
              { "problem.l2", 0 }, { "problem.l1", 0.05 } }
#define CALIFORNIA                                                                               \
    .problem = "erm",                                                                            \
    .with = { REAL("california", "squares", "zscore"),                                           \
              { "problem.target", .text = "zscore" }, { "problem.l2", 0 },                       \
              { "problem.support", 3 } }
#define DOROTHEA                                                                                 \
    .problem = "erm",                                                                            \
    .with = { REAL("dorothea", "logistic", "none"), { "problem.l2", 0 },                         \
              { "problem.support", 72 } }

static const struct panel gcd_panels[] = {
    { .name = "log1", .title = "log1: logistic + l2, n = 1000, p = 100", LOG1,
      .says = "Figure 1a: DP-GCD clearly ahead; the others hardly progress.",
      .method = { { DP_CD(0.184, 1), .passes = 10 }, { DP_SGD(0.184, 4.64e-4), .passes = 20 },
                  { DP_GCD(3.09, 2.15), .passes = 10,
                    .remark = "No number is printed. Of equal signal, who wins still depends on the "
                              "draw: claim sec5.log1.cd.seed. Tuned, on fresh seeds, DP-GCD has "
                              "0.57 here and 0.44 with problem.seed=4, DP-CD 0.53 and 0.52." } } },
    { .name = "log2", .title = "log2: logistic + l2, n = 1000, p = 100", LOG2,
      .says = "Figure 1b: DP-GCD takes more passes and ends much lower.",
      .method = { { DP_CD(0.754, 2.15), .passes = 1 }, { DP_SGD(0.184, 4.64e-4), .passes = 20 },
                  { DP_GCD(1.93, 0.464), .passes = 20 } } },
    { .name = "mtp", .title = "mtp: least squares + l2, here meltingpoint, n = 4401, p = 202", MTP,
      .says = "Figure 1c: DP-GCD is not better; the solution is not imbalanced.",
      .method = { { DP_CD(20.2, 0.0215), .passes = 3 },
                  { DP_SGD(12.6, 2.15e-5), .passes = 20,
                    .remark = "Worse than w = 0 with the noise of replaced records; 0.80 with "
                              "half of it." },
                  { DP_GCD(20.2, 0.464), .passes = 7,
                    .remark = "Other rows, perhaps other descriptors, than the paper's set: the "
                              "order of the methods need not carry over." } } },
    { .name = "madelon-l2", .title = "madelon: logistic + l2, n = 2600, p = 501", MADELON_L2,
      .says = "Figure 1d, with its curve's last values: DP-GCD clearly ahead.",
      .method = { { DP_CD(1.21, 0.1), .passes = 10, .gap = 0.0464, .every = 1,
                    .curve = { 0.0512, 0.0508, 0.0502, 0.0496, 0.0488, 0.0476, 0.0473, 0.0470,
                               0.0466, 0.0465, 0.0464 },
                    .remark = "With steps gamma/M_j the noise ends above w = 0. The printed "
                              "value and much of the curve come out with gamma/(M_j + l2), a "
                              "fifth of the step: see madelon-l2-noise." },
                  { DP_SGD(0.184, 1e-4), .passes = 20, .gap = 0.0499, .every = 2,
                    .curve = { 0.0512, 0.0512, 0.0517, 0.0515, 0.0514, 0.0513, 0.0513, 0.0510,
                               0.0503, 0.0497, 0.0499 },
                    .remark = "Sensitivity C, removed records, gives 0.0495 in 60 runs: see "
                              "madelon-l2-noise." },
                  { DP_GCD(7.91, 1), .passes = 10, .gap = 0.0340, .every = 1,
                    .curve = { 0.0512, 0.0444, 0.0390, 0.0380, 0.0368, 0.0361, 0.0356, 0.0349,
                               0.0345, 0.0340, 0.0340 },
                    .remark = "Within 3% of the printed curve at every round." } } },
    { .name = "square", .title = "square: least squares + l1, n = 1000, p = 1000", SQUARE,
      .says = "Figure 1e: only DP-GCD lowers the objective.", .support = 7,
      .method = { { DP_CD(9.10e3, 10), .passes = 0.01, .gap = 0.75,
                    .remark = "The printed value is that of no progress. In a few runs one of ten steps, "
                              "ten times too long, is noise beyond the penalty." },
                  { DP_SGD(4.94, 1e-4), .passes = 0.01, .gap = 0.75, .errors = 3 },
                  { DP_GCD(1.46e4, 2.15), .passes = 2, .gap = 0.35, .hits = 2,
                    .remark = "0.42 in 512 runs, of which 18 are below the printed mean, the best of 3500 "
                              "choices. Equation 2 wastes budget at T = 2: with basic composition 0.38, see "
                              "square-accounts." } } },
    { .name = "california", .title = "california: least squares + l1, n = 20640, p = 8", CALIFORNIA,
      .says = "Figure 1f: DP-GCD on par with DP-CD.", .support = 3,
      .method = { { DP_CD(20.2, 1), .passes = 5, .gap = 0.0024, .hits = 3, .errors = 2,
                    .remark = "Runs spread over two decades: five of them, the best of 4500 "
                              "choices, lie below the mean, 0.0060 in 60 runs." },
                  { DP_SGD(12.6, 2.15e-5), .passes = 20, .gap = 0.020, .hits = 3, .errors = 5,
                    .remark = "Sensitivity C, removed records, gives 0.036 with runs from "
                              "0.012: see california-noise." },
                  { DP_GCD(51.8, 1), .passes = 4, .gap = 0.00056, .hits = 2,
                    .remark = "Runs from 0.0001 to 0.015, mean 0.0035 in 60: the printed mean "
                              "of five is the best of 3500 choices." } } },
    { .name = "dorothea", .title = "dorothea: logistic + l1, n = 800, p = 88119", DOROTHEA,
      .says = "Figure 1g: only DP-GCD lowers the objective.", .support = 72,
      .method = { { DP_CD(0.0450, 4.64), .passes = 3, .gap = 0.77, .hits = 1, .errors = 1,
                    .remark = "No progress, as printed; the penalty, which is not printed, is "
                              "that of 72 non-zeros, and w = 0 agrees." },
                  { DP_SGD(1e-4, 1e-6), .passes = 0.001, .gap = 0.78 },
                  { DP_GCD(12.6, 2.15), .passes = 2, .gap = 0.64, .hits = 1 } } },
    { .name = "madelon-l1", .title = "madelon: logistic + l1, n = 2600, p = 501", MADELON_L1,
      .says = "Figure 1h: DP-GCD finds one of three coordinates and no wrong one.", .support = 3,
      .method = { { DP_CD(7.91, 2.15), .passes = 0.1, .gap = 0.0085,
                    .remark = "Fifty random coordinates: whether the best one is among them "
                              "decides a run; 0.0089 in 60." },
                  { DP_SGD(6.87e-3, 1), .passes = 10, .gap = 0.012 },
                  { DP_GCD(7.91, 2.15), .passes = 1, .gap = 0.0015, .hits = 1,
                    .remark = "One step; runs from 0.00004 to 0.0027, mean 0.00065 in 60. Why "
                              "the printed mean is twice that we do not know." } } },
    { .name = "log1-others", .title = "log1, methods that the paper names without parameters", LOG1,
      .says = "Tuned on the first draw of log1, by the protocol of Section 5.",
      .method = { { DP_FW(7, 0.215, 2.15) }, { DP_MIRROR(15, 1e-4, 2.15) }, { DP_GD(1, 0.464, 4.64) } } },
    { .name = "madelon-l2-others", .title = "madelon, l2, methods that the paper names without parameters",
      MADELON_L2,
      .says = "Tuned by the protocol of Section 5.",
      .method = { { DP_FW(7, 0.464, 0.215) }, { DP_MIRROR(10, 2.15e-4, 4.64) }, { DP_GD(1, 1, 2.15) } } },
    { 0 }
};

/* --- panels that the paper does not have: other privacy accounts, neighbouring data sets, answers and greedy
 * rules */

#define GCD_WITH(name, clip, size, by, account, mode)                                            \
    .label = name, .algo = "dp-gcd",                                                             \
    .with = { { "goal.T", .of = gcd_rounds }, { "algo.C", clip }, { "algo.step", size },         \
              { "algo.rule", .text = by }, { "algo.accounting", .text = account },               \
              { "algo.rnm_mode", .text = mode } }
#define ACCOUNTS(clip, size, T)                                                                  \
    { GCD_WITH("DP-GCD, eq2, noise of the choice corrected", clip, size, "GS-r", "eq2",          \
               "corrected"), .passes = T },                                                      \
    { GCD_WITH("DP-GCD, GS-s, corrected", clip, size, "GS-s", "corrected", "corrected"),         \
      .passes = T },                                                                             \
    { GCD_WITH("DP-GCD, better of eq2 and basic", clip, size, "GS-r", "min_basic", "paper"),     \
      .passes = T }
#define RULES(clip, size, T)                                                                     \
    { GCD_WITH("DP-GCD, GS-s", clip, size, "GS-s", "eq2", "paper"), .passes = T },               \
    { GCD_WITH("DP-GCD, GS-r", clip, size, "GS-r", "eq2", "paper"), .passes = T },               \
    { GCD_WITH("DP-GCD, GS-q", clip, size, "GS-q", "eq2", "paper"), .passes = T }

static const struct panel gcd_ablations[] = {
    { .name = "log1-accounts", .title = "log1, accounts, adjacency, answer", LOG1,
      .says = "Who wins depends on what a record may do: sensitivity C is for records removed.",
      .method = { { .label = "DP-SGD, sensitivity C", DP_SGD_OF("C", 0.184, 4.64e-4),
                    .passes = 20 },
                  { .label = "DP-CD, average", .algo = "dp-cd", .passes = 10,
                    .with = { { "goal.T", .of = cd_rounds }, { "algo.passes", 1, 1 },
                              { "algo.C", 0.184 }, { "algo.gamma", 1 },
                              { "algo.answer", .text = "average" } } },
                  ACCOUNTS(3.09, 2.15, 10) } },
    { .name = "square-accounts", .title = "square, accounts", SQUARE, .support = 7,
      .says = "Twice the noise of the choice, and what a rigorous account gives back.",
      .method = { ACCOUNTS(1.46e4, 2.15, 2) } },
    { .name = "madelon-l2-noise", .title = "madelon, l2, adjacency and step", MADELON_L2,
      .says = "Which reading of DP-SGD's noise and of DP-CD's step gives Figure 1d's last "
              "values, 0.0499 and 0.0464.",
      .method = { { .label = "DP-SGD, sensitivity C", DP_SGD_OF("C", 0.184, 1e-4), .passes = 20 },
                  { .label = "DP-CD, step gamma/(M_j + l2)", .algo = "dp-cd", .passes = 10,
                    .with = { { "goal.T", .of = cd_rounds }, { "algo.passes", 1, 1 },
                              { "algo.C", 1.21 }, { "algo.gamma", 0.02 } } },
                  { .label = "DP-CD, average", .algo = "dp-cd", .passes = 10,
                    .with = { { "goal.T", .of = cd_rounds }, { "algo.passes", 1, 1 },
                              { "algo.C", 1.21 }, { "algo.gamma", 0.1 },
                              { "algo.answer", .text = "average" } } } } },
    { .name = "california-noise", .title = "california, adjacency and answer", CALIFORNIA,
      .says = "The same of Table 3's 0.020 of DP-SGD and 0.0024 of DP-CD.", .support = 3,
      .method = { { .label = "DP-SGD, sensitivity C", DP_SGD_OF("C", 12.6, 2.15e-5), .passes = 20 },
                  { .label = "DP-CD, average", .algo = "dp-cd", .passes = 5,
                    .with = { { "goal.T", .of = cd_rounds }, { "algo.passes", 1, 1 },
                              { "algo.C", 20.2 }, { "algo.gamma", 1 },
                              { "algo.answer", .text = "average" } } } } },
    { .name = "square-rules", .title = "square, the three greedy rules", SQUARE, .support = 7,
      .says = "Figure 3: the rules agree where no coordinate is visited twice.",
      .method = { RULES(1.46e4, 2.15, 2) } },
    { .name = "california-rules", .title = "california, the three greedy rules", CALIFORNIA,
      .says = "Figure 3: they differ where coordinates are visited again.", .support = 3,
      .method = { RULES(51.8, 1, 4) } },
    { .name = "madelon-l1-rules", .title = "madelon, l1, the three greedy rules", MADELON_L1,
      .says = "Figure 3: the rules agree.", .support = 3, .method = { RULES(7.91, 2.15, 1) } },
    { .name = "dorothea-rules", .title = "dorothea, the three greedy rules", DOROTHEA,
      .says = "Figure 3: the rules agree.", .support = 72, .method = { RULES(12.6, 2.15, 2) } },
    { 0 }
};

#define PASSES { 0.001, 0.01, 0.1, 1, 2, 3, 5, 10, 20 }
#define CLIPS { "algo.C", 1e-4, 1e6, 50 }

#define ROUNDS { 1, 2, 4, 7, 10, 15, 20 }
#define FEWER_CLIPS { "algo.C", 1e-4, 1000, 22 }

static const struct tuning gcd_tunings[] = {
    { .algo = "dp-gcd", .passes = ROUNDS, .rounds = gcd_rounds,
      .grid = { { "algo.step", 0.01, 10, 10 }, CLIPS } },
    { .algo = "dp-cd", .passes = PASSES, .rounds = cd_rounds,
      .grid = { { "algo.gamma", 0.01, 10, 10 }, CLIPS } },
    { .algo = "multi-epoch-dp-sgd", .passes = PASSES, .rounds = sgd_rounds,
      .grid = { { "algo.step", 1e-6, 1, 10 }, CLIPS } },
    { .algo = "dp-fw", .passes = ROUNDS, .rounds = gcd_rounds,
      .grid = { { "algo.R", 0.01, 10, 10 }, FEWER_CLIPS } },
    { .algo = "dp-mirror", .passes = ROUNDS, .rounds = gcd_rounds,
      .grid = { { "algo.c", 0.01, 10, 10 }, FEWER_CLIPS } },
    { .algo = "dp-prox-gd", .passes = ROUNDS, .rounds = gcd_rounds,
      .grid = { { "algo.step", 0.01, 10, 10 }, FEWER_CLIPS } },
    { 0 }
};

const struct reproduction dp_gcd_reproduction = {
    .title = "DP-GCD: the experiments of its paper",
    .says = "Eight problems, three methods, epsilon = 1, delta = 1/n^2, five runs: relative "
            "error (F - F*)/F* with the parameters of Table 4, beside what Table 3 and Figure "
            "1d print. M_j is taken as public. Epsilon of DP-GCD is equation 2's, of which ledgers "
            "prove less: claims 2.6.corrected.eps.T, C.gsr.choice.K.",
    .with = { { "goal.eps", 1 }, { "goal.delta", .of = one_over_n2 },
              { "run.public", .text = "M_j" } },
    .runs = 5, .fresh = 20, .keep = 0.1,
    .panels = gcd_panels, .ablations = gcd_ablations, .tunings = gcd_tunings,
};
