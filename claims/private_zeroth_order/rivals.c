/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rivals.c - the methods with which the paper compares its own, and runs on real data. The paper compares upper
 * bounds, so that claims about which method is better are of the kind evidence. */
#include "private_zeroth_order.h"

/* Returns sqrt( 2 (Phi + 2 L delta) H c d L^2/N ), H = sqrt d L/delta, c = 16 sqrt(2 pi): the bound of zo-descent
 * with the best step for this c. */
static double zo_plain_descent(const struct env *e)
{
    double L = env_param(e, "L"), delta = env_param(e, "smoothing"), d = e->facts->d;
    double start = env_param(e, "Phi") + 2 * L * delta, H = sqrt(d) * L / delta;
    return sqrt(2 * start * H * 16 * sqrt(2 * M_PI) * d * L * L / env_count(e, COUNT_taken));
}

/* Returns the bound of zo-descent with eta = sqrt( 2 Phi'/(H d L^2 N) ), the best step for c = 1. The bound is
 * Phi'/(eta N) + eta H c d L^2/2; the first term is then sqrt( Phi' H d L^2/(2 N) ), and the second c times the
 * first. */
static double zo_plain_descent_any(const struct env *e)
{
    double c = 16 * sqrt(2 * M_PI);
    return (1 + c) / (2 * sqrt(c)) * zo_plain_descent(e);
}

/* Four epochs of 1400 steps on records of 16 attributes. The mean noise of an epoch is 4 d^(3/2) ln(T)^(1/2)/(T
 * rho) = 0.25 L. */
#define A_PRIVATE_RUN                                                                              \
    .cite = CITE "Theorem 4.9 on records used once", .kind = KIND_EVIDENCE, .check = CHECK_BOUND,  \
    .algo = PZO, .problem = "kinked", .axis = "n", .measure = "objective", .formula = zo_far_below_start,  \
    .fresh = true, .control = STOPPED,                                                             \
    .tests = "none", .tests_none = "Whether a private run gains anything; which method gains more is the contest"
#define PRIVATE_RECORDS { "problem.scaling", .text = "unit" }, { "goal.radius", 0.6 }, { "problem.start", 3 }, \
                        { "goal.rho", 2 }, { "algo.T", 1400 }, { "algo.K", 4 }, \
                        { "problem.points", 1 }, { "problem.draws", 0 }

static double zo_far_below_start(const struct env *e) { return 0.9 * e->facts->Phi; }

#define EVIDENCE .kind = KIND_EVIDENCE, .check = CHECK_ORDER

const struct claim private_zeroth_order_rivals[] = {
    { .id = "private-zeroth-order/sgfm.bound.again.n", .item = "4.3", .attempt = 2,
      .cite = "Lin, Zheng, Jordan 2022, Theorem 3.2 with the step derived anew", .kind = KIND_THEOREM,
      .check = CHECK_BOUND, .algo = "zo-descent", .problem = "sloped", .axis = "n",
      .measure = "set.smoothed_2.mean",
      .with = { SLOPE, { "problem.d", 4 }, { "problem.draws", 0 }, AT_RADIUS },
      .window = { { 0x1p16, 0x1p16, 1, 8 }, { 0x1p16, 0x1p20, 3, 16 }, { 0x1p16, 0x1p20, 5, 16 } },
      .says = "plain descent, whose step takes c = 1, on any loss: E|grad F_delta|^2 <= (1 + c)/(2 c^(1/2)) "
              "(2 (Phi + 2 L delta) H c d L^2/N)^(1/2), c = 16 (2 pi)^(1/2)",
      .remark = "At N = 2^16, all that the quick profile has, the control is within the bound: not moving is at "
                "0.90 of it. From N = 2^18 on it is beyond.",
      .formula = zo_plain_descent_any, .control = STOPPED, A_BOUND },

    { .id = "private-zeroth-order/zo-o2nc.descent.order.d", .item = "V19 AB-noo2nc 4.2 4.4", EVIDENCE,
      .cite = CITE "Section 1: d against d^(3/2)",
      .says = "at equal data O2NC with one pair a step is below variance-reduced descent, on a cone",
      .remark = "The two cross between d = 16 and 32: the ratio falls with d, from 2 at d = 4 to 0.65 at 64, "
                "faster "
                "than d against d^(3/2) in the samples asks for, and no order holds for all d. Both are judged by "
                "F "
                "smoothed at half of the radius, though descent could put all of it into its smoothing.",
      .algo = "zo-o2nc", .problem = "sloped", .axis = "d", .measure = "set.smoothed.mean",
      .with = { CONE, { "problem.draws", 0 }, { "goal.n", 0x1p17 }, AT_RADIUS },
      .window = { { 0 }, { 4, 64, 3, 8 }, { 4, 64, 5, 16 } },
      .than = { .algo = "zo-descent", .with = { { "algo.gradient", .text = "reduced" } },
                .why = "GFM+, at its own T" },
      .control = STOPPED },

    { .id = "private-zeroth-order/vr.descent.order.d", .item = "V19 AB-noo2nc", EVIDENCE,
      .cite = CITE "Section 1: variance reduction without O2NC costs d^(3/2)",
      .says = "at equal data, without privacy, the paper's method is below variance-reduced descent, on a "
              "cone",
      .remark = "The two cross between d = 16 and 32: the ratio falls with d, from 2 at d = 4 to 0.65 at 64, "
                "faster "
                "than d against d^(3/2) in the samples asks for, and no order holds for all d. Both are judged by "
                "F "
                "smoothed at half of the radius, though descent could put all of it into its smoothing.",
      .algo = PZO, .problem = "sloped", .axis = "d", .measure = "set.smoothed.mean",
      .with = { CONE, { "problem.draws", 0 }, { "goal.n", 0x1p17 }, AT_RADIUS },
      .window = { { 0 }, { 0 }, { 4, 64, 5, 16 } },
      .than = { .algo = "zo-descent", .with = { { "algo.gradient", .text = "reduced" } },
                .why = "GFM+" },
      .control = STOPPED },

    { .id = "private-zeroth-order/o2nc.cor.bound.cone.n", .item = "4.1", .attempt = 2,
      .cite = "Cutkosky, Mehta, Orabona 2023, corollary of Theorem 8",
      .says = "with gradients, one a step, on a cone: the mean certificate is at most 2 Phi/(delta N) + max(5 "
              "(G^2 Phi/(N delta))^(1/3), 6 G/N^(1/2))",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .algo = "o2nc", .problem = "sloped",
      .axis = "n", .measure = "set.certificate.mean", .with = { CONE, AT_RADIUS },
      .window = { { 0 }, { 0x1p14, 0x1p20, 4, 16 }, { 0x1p14, 0x1p20, 7, 16 } },
      .formula = zo_first_order, .control = STOPPED, A_BOUND },

    { .id = "private-zeroth-order/vr.data.capped.below.n", .item = "V11 5.1", BELOW_START,
      .says = "robust regression, absolute errors that end at 2, on 11392 records: F(answer) is below 0.99 "
              "F(start)",
      .with = { { "problem.data", .text = "census-house" }, { "problem.loss", .text = "capped" },
                { "problem.target", .text = "zscore" }, RECORDS },
      .window = { { 0 }, { 0 }, { 5696, 11392, 2, 32 } } },

    { .id = "private-zeroth-order/vr.data.phase.private.n", .item = "V11 5.1", .attempt = 3, A_PRIVATE_RUN,
      .says = "phase retrieval, rho = 2, 11200 records: F(answer) is below 0.9 F(start)",
      .with = { { "problem.data", .text = "census-house" }, { "problem.loss", .text = "phase" },
                { "problem.target", .text = "zscore" }, PRIVATE_RECORDS },
      .window = { { 0 }, { 11200, 11200, 1, 96 }, { 11200, 11200, 1, 192 } } },

    { .id = "private-zeroth-order/vr.data.absolute.private.n", .item = "V11 5.1", .attempt = 3, A_PRIVATE_RUN,
      .says = "absolute errors, rho = 2, 11200 records: F(answer) is below 0.9 F(start)",
      .with = { { "problem.data", .text = "census-house" }, { "problem.loss", .text = "absolute" },
                { "problem.target", .text = "zscore" }, PRIVATE_RECORDS },
      .window = { { 0 }, { 0 }, { 11200, 11200, 1, 192 } } },

    { .id = "private-zeroth-order/vr.data.phase.below.n", .item = "V11 5.1", .attempt = 2, BELOW_START,
      .says = "phase retrieval: F(answer) is below 0.99 F(start)",
      .with = { { "problem.data", .text = "census-house" }, { "problem.loss", .text = "phase" },
                { "problem.target", .text = "zscore" }, RECORDS },
      .window = { { 0 }, { 11392, 11392, 1, 16 }, { 5696, 11392, 2, 32 } } },

    { .id = "private-zeroth-order/vr.data.ramp.below.n", .item = "V11 5.1", .attempt = 2, BELOW_START,
      .says = "a nonconvex support vector machine: F(answer) is below 0.99 F(start)",
      .with = { { "problem.data", .text = "mushroom" }, { "problem.loss", .text = "ramp" },
                { "problem.penalty", .text = "capped" }, { "problem.lam", 0.001 }, RECORDS },
      .window = { { 0 }, { 0 }, { 2031, 4062, 2, 32 } } },

    { .id = "private-zeroth-order/vr.data.scad.below.n", .item = "V11 5.1", .attempt = 2, BELOW_START,
      .says = "absolute errors with SCAD: F(answer) is below 0.99 F(start)",
      .with = { { "problem.data", .text = "census-house" }, { "problem.loss", .text = "absolute" },
                { "problem.target", .text = "zscore" },
                { "problem.penalty", .text = "scad" }, RECORDS },
      .window = { { 0 }, { 0 }, { 5696, 11392, 2, 32 } } },

    { .id = "private-zeroth-order/vr.data.neurons.below.n", .item = "V11 5.1", .attempt = 3,
      .says = "a hidden layer of four units: F(answer) is below 0.99 F(start)",
      .cite = CITE "Theorem 4.9 on records used once", .kind = KIND_EVIDENCE, .check = CHECK_BOUND,
      .algo = PZO, .problem = "neurons", .axis = "n", .measure = "objective",
      .with = { { "problem.data", .text = "census-house" }, { "problem.target", .text = "zscore" },
                RECORDS },
      .window = { { 0 }, { 0 }, { 5696, 11392, 2, 32 } },
      .formula = zo_below_start, .control = STOPPED },

    { 0 }
};
