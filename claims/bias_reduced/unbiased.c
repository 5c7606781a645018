/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unbiased.c - an estimator of the gradient of the softmax by rejection sampling, the unbiased estimator of Theorem
 * 7, and the estimators with which the bias-reduced one is compared. */
#include "bias_reduced.h"

/* Returns the expected number of trials of the rejection at a point where all d pieces are lower than at the centre
 * by share eps'/sqrt(d), eps' being the temperature of the softmax. The axis is the share. */
static double expected_trials(const struct env *e)
{
    return exp(1 + e->axis / sqrt(e->facts->d));
}

/* Returns E<x, x*>/|x*|^2 for the answer x of EpochSGD with a budget of 64, which has two epochs. */
static double two_epochs(const struct env *e)
{
    struct bias_linear l = bias_linear(e);
    double start = l.mean;
    bias_linear_epoch(&l);
    bias_linear_epoch(&l);
    return 1 - l.mean / start;
}

static double one_part_in_20(const struct env *e) { return 0.05; }

static double one_fiftieth(const struct env *e) { return 0.02; }

const struct claim bias_reduced_unbiased[] = {
    { .id = "bias-reduced/softmax.lemma8.trials.share", .item = "V16 3.6",
      .cite = CITE "Lemma 8",
      .says = "values asked in the mean: exp(1 + (f_smax(centre) - f_smax(x))/eps'), e at the centre",
      .kind = KIND_LEMMA, .tests = "none", .tests_none = "a lemma on one gradient", .check = CHECK_MOMENT,
      .algo = "softmax-gradient", .problem = "coercive_max", .axis = "share",
      .measure = "moment.trials",
      .with = { { "problem.d", 2 }, { "problem.R", 10 }, { "run.draws", 4000 } },
      .window = { { 0.25, 1, 3, 8 }, { 0.125, 1, 4, 16 }, { 0.0625, 1, 5, 32 } },
      .formula = expected_trials, .tolerance = 0.04,
      .control = { .with = { { "algo.share", 0 } }, .why = "at the centre: e" } },

    { .id = "bias-reduced/exact.thm7.tail.n", .item = "V22 3.12 O-16", .attempt = 2, .fresh = true,
      .cite = CITE "Theorem 7",
      .says = "E xhat = x* in one dimension, with x_J - x_(J-1) and not its negative",
      .kind = KIND_THEOREM, .tests = "none",
      .tests_none = "a share of x* is no error, which staying at 0 could be worse in; the second control is "
                    "without the tail", .check = CHECK_MOMENT,
      .algo = "exact-optimum", .problem = "medians", .axis = "n", .measure = "moment.share",
      .with = { { "problem.d", 1 }, { "run.draws", 250 } },
      .window = { { 4, 8, 2, 8 }, { 4, 32, 4, 16 }, { 4, 64, 5, 16 } },
      .formula = whole, .margin = one_part_in_20,
      .control = { .with = { { "algo.sign", .text = "printed" } },
                   .why = "the printed sign: 2 x_0 - x*" },
      .control2 = { .with = { { "algo.tail", .text = "none" } },
      .why = "no level above J_0: the bias of x_(J_0)" } },

    { .id = "bias-reduced/exact.thm7.plane.n", .item = "V22",
      .cite = CITE "Theorem 7",
      .says = "E xhat = x* in the plane, by ellipsoids",
      .kind = KIND_THEOREM, .tests = "none",
      .tests_none = "a share of x* is no error, which staying at 0 could be worse in; the second control is "
                    "without the tail", .check = CHECK_MOMENT,
      .algo = "exact-optimum", .problem = "medians", .axis = "n", .measure = "moment.share",
      .with = { { "problem.d", 2 }, { "run.draws", 30 } },
      .window = { { 0 }, { 4, 16, 2, 8 }, { 4, 64, 3, 16 } },
      .formula = whole, .margin = one_tenth,
      .control = { .with = { { "algo.sign", .text = "printed" } },
                   .why = "the printed sign: 2 x_0 - x*" } },

    { .id = "bias-reduced/blanchet.sec1.mean.mu", .item = "5.12",
      .remark = "Too few draws: at mu = 1, 160 of every level leave +- 20% where 10% are promised. "
                "Theory and estimator agree within that.",
      .cite = CITE "Section 1",
      .says = "Blanchet and Glynn's estimator from minimisers of sampled means: E xhat = x*",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT,
      .algo = "blanchet-glynn", .problem = "blurred_l1", .axis = "mu", .measure = "moment.share",
      .with = { { "run.draws", 10 } },
      .window = { { 0 }, { 0 }, { 0.5, 2, 3, 64 } },
      .formula = whole, .margin = one_tenth,
      .control = { .algo = "epoch-sgd-mean", .with = { { "algo.T_max", 15 } },
                   .why = "no epoch: the start" } },

    { .id = "bias-reduced/average.sec2.bias.M", .item = "5.13",
      .cite = CITE "Section 2",
      .says = "the mean of M runs of EpochSGD keeps the bias of one, whatever M is",
      .kind = KIND_THEOREM, .check = CHECK_MOMENT,
      .algo = "epoch-sgd-mean", .problem = "linear", .axis = "M", .measure = "moment.share",
      .with = { LINE, { "algo.T_max", 64 }, { "run.draws", 250 } },
      .window = { { 0 }, { 1, 4, 2, 16 }, { 1, 256, 5, 16 } },
      .formula = two_epochs, .margin = one_fiftieth,
      .control = { .with = { { "algo.T_max", 4096 } }, .why = "longer runs: less bias" } },

    { 0 }
};
