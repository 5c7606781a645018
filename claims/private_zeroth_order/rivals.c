/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rivals.c - the methods with which the paper compares its own, and runs on real data. Since the paper compares
 * upper bounds only, claims about which method is better are of the kind evidence. */
#include "private_zeroth_order.h"

/* Returns the bound of zo-descent on the mean square of the smoothed loss's gradient after N steps, Phi'/(eta N) +
 * eta H c d L^2/2, at eta = sqrt( 2 Phi'/(H d L^2 N) ). Phi' = Phi + 2 L delta and H = sqrt(d) L/delta are the
 * excess at the start and the smoothness of the smoothed loss; a gradient estimate g has E|g|^2 <= c d L^2, c =
 * d/(d-1) (draws.c). */
static double zo_plain_descent(const struct env *e)
{
    double L = env_param(e, "L"), delta = env_param(e, "smoothing"), d = e->facts->d, c = d / (d - 1);
    double start = env_param(e, "Phi") + 2 * L * delta, H = sqrt(d) * L / delta;
    return (1 + c) / 2 * sqrt(2 * start * H * d * L * L / env_count(e, COUNT_taken));
}

/* --- private runs on records. The mean noise of an epoch is 4 d^(3/2) L ln(T)^(1/2)/(T rho): 0.19 L on the 8
 * attributes of california at rho = 1, with eight epochs of 1290 steps; 0.27 L with two hidden units, which have 16
 * weights, at rho = 2. Records are scaled to norm 1 one by one, and targets are used as they are, so that a record
 * affects its own loss only. Goldstein's norm is measured at the mean point of an epoch by a search that does not
 * depend on the method: it is the length of the shortest vector in the convex hull of gradients around that
 * point. */

#define ON_RECORDS ON_RECORDS_BLIND, .control = STOPPED
#define ON_RECORDS_BLIND                                                                           \
    .cite = CITE "Theorem 4.9 on records used once", .kind = KIND_EVIDENCE,                        \
    .algo = PZO, .axis = "n", .fresh = true,                                                       \
    .tests = "none", .tests_none = "Whether a private run gains anything; which method gains more is the contest"
#define BY_VALUE .check = CHECK_BOUND, .measure = "objective", .formula = zo_far_below_start
/* For claims about Goldstein's norm at the mean point of every epoch, averaged over the epochs. This is its
 * expectation at the answer, which is the mean point of a random epoch. */
#define BY_NORM(bound) .check = CHECK_BOUND, .measure = "set.hull.mean", .formula = bound
#define OF_UNIT_NORM { "problem.scaling", .text = "unit" }, { "problem.points", 1 }, { "problem.draws", 0 }
#define SEARCHED { "problem.hull", 1 }
#define HOUSES { "problem.data", .text = "california" }, OF_UNIT_NORM
#define CALIFORNIA HOUSES, { "algo.T", 1290 }, { "algo.K", 8 }
#define CAPPED SEARCHED, { "problem.loss", .text = "capped" }, { "problem.c", 3 }, { "goal.rho", 1 }, \
               { "goal.radius", 1 }
#define ALL_OF_CALIFORNIA(runs) .window = { { 0 }, { 20640, 20640, 1, runs }, { 20640, 20640, 1, 2 * (runs) } }

static double zo_far_below_start(const struct env *e) { return 0.9 * e->facts->Phi; }
static double zo_part_of_start(const struct env *e) { return 0.45 * e->facts->Phi; }
static double zo_half_L(const struct env *e) { return 0.5 * e->facts->L; }
static double zo_part_L(const struct env *e) { return 0.4 * e->facts->L; }

#define EVIDENCE .kind = KIND_EVIDENCE, .check = CHECK_ORDER

const struct claim private_zeroth_order_rivals[] = {
    { .id = "private-zeroth-order/sgfm.sharp.n", .item = "4.3", .attempt = 3, .fresh = true,
      .cite = "Lin, Zheng, Jordan 2022, Theorem 3.2 with step and constant derived anew", .kind = KIND_THEOREM,
      .check = CHECK_BOUND, .algo = "zo-descent", .problem = "sloped", .axis = "n",
      .measure = "set.smoothed_2.mean",
      .with = { SLOPE, { "problem.d", 4 }, { "problem.draws", 0 }, AT_RADIUS },
      .window = { { 0x1p16, 0x1p16, 1, 8 }, { 0x1p16, 0x1p20, 3, 16 }, { 0x1p16, 0x1p20, 5, 16 } },
      .says = "plain descent: E|grad F_delta|^2 <= (1 + c)/2 (2 (Phi + 2 L delta) H d L^2/N)^(1/2), c = d/(d-1)",
      .formula = zo_plain_descent, .control = STOPPED, A_BOUND },

    { .id = "private-zeroth-order/zo-o2nc.descent.wide.d", .item = "V19 AB-noo2nc 4.2 4.4", .attempt = 2,
      .fresh = true, EVIDENCE,
      .cite = CITE "Section 1: d against d^(3/2)",
      .says = "at equal data and d >= 64 O2NC with one pair a step is below variance-reduced descent, on a cone",
      .remark = "Both are judged by F smoothed at half of the radius, though descent could put all of it into "
                "its smoothing. For d <= 16 descent is below.",
      .algo = "zo-o2nc", .problem = "sloped", .axis = "d", .measure = "set.smoothed.mean",
      .with = { CONE, { "problem.draws", 0 }, { "goal.n", 0x1p17 }, AT_RADIUS },
      .window = { { 0 }, { 0 }, { 64, 256, 3, 16 } },
      .than = { .algo = "zo-descent", .with = { { "algo.gradient", .text = "reduced" } },
                .why = "GFM+, at its own T" },
      .control = STOPPED },

    { .id = "private-zeroth-order/vr.descent.order.d", .item = "V19 AB-noo2nc", EVIDENCE,
      .cite = CITE "Section 1: variance reduction without O2NC costs d^(3/2)",
      .says = "at equal data, without privacy, the paper's method is below variance-reduced descent, on a cone",
      .remark = "The two cross between d = 16 and 32: the ratio falls with d, from 2 at d = 4 to 0.65 at 64, "
                "faster than d against d^(3/2) in the samples asks for, and no order holds for all d. Both are "
                "judged by F smoothed at half of the radius, though descent could put all of it into its "
                "smoothing.",
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

    /* The control has so much noise that it walks in a random direction. At the best length, such a walk ends below
     * 0.45 of the objective at 0 for a quarter of the directions, and below 0.6 for more than half of them. */
    { .id = "private-zeroth-order/vr.data.phase.often.n", .item = "V11 5.1", .attempt = 10, ON_RECORDS_BLIND,
      .problem = "kinked", .check = CHECK_BOUND, .measure = "objective", .formula = zo_part_of_start,
      .statistic = STAT_QUANTILE, .quantile = 0.4,
      .says = "phase retrieval, california, from 0, rho = 1: in two of five runs F(answer) is below 0.45 F(start)",
      .with = { CALIFORNIA, { "problem.loss", .text = "phase" }, { "goal.rho", 1 }, { "goal.radius", 2 },
                { "problem.start", 0 } },
      .control = { .with = { { "goal.rho", 0.01 }, { "goal.radius", 6 } },
                   .why = "noise in which no record is heard: a blind walk" },
      .window = { { 0 }, { 0 }, { 20640, 20640, 1, 640 } } },

    { .id = "private-zeroth-order/vr.data.phase.stationary.n", .item = "V11 5.1 5.2", .attempt = 6, ON_RECORDS,
      .problem = "kinked",
      .says = "phase retrieval, california, rho = 1: Goldstein's norm at radius 2 is at most 0.4 L",
      BY_NORM(zo_part_L),
      .with = { CALIFORNIA, SEARCHED, { "problem.loss", .text = "phase" }, { "goal.rho", 1 }, { "goal.radius", 2 },
                { "problem.start", 10 } },
      .window = { { 0 }, { 0 }, { 20640, 20640, 1, 96 } } },

    { .id = "private-zeroth-order/vr.data.capped.stationary.n", .item = "V11 5.1 5.2", .attempt = 6, ON_RECORDS,
      .problem = "kinked",
      .says = "robust regression, absolute errors that end at 3, california, rho = 1: Goldstein's norm at radius "
              "1 is at most L/2",
      BY_NORM(zo_half_L),
      .with = { CALIFORNIA, CAPPED },
      ALL_OF_CALIFORNIA(16) },

    { .id = "private-zeroth-order/vr.data.contest.n", .item = "V18 5.1 5.2 5.6", .attempt = 3,
      .fresh = true, EVIDENCE,
      .cite = CITE "Section 1, Appendix E, on records used once",
      .says = "absolute errors that end at 3, california, rho = 1, T of both by its own rule: Goldstein's norm is "
              "below that of the naive oracle with a batch of d^(3/2)/rho",
      .remark = "It is above: a finding, of which docs/papers/private-zeroth-order.md has the reason.",
      .algo = PZO, .problem = "kinked", .axis = "n", .measure = "set.hull.mean",
      .with = { HOUSES, CAPPED, { "algo.choice", .text = "practical" } },
      .window = { { 0 }, { 0 }, { 20640, 20640, 1, 72 } },
      .than = { .with = { { "algo.oracle", .text = "naive" }, { "algo.batch", .text = "tuned" } },
                .why = "Algorithm 6, B = d^(3/2)/rho" },
      .control = STOPPED, .tests = "none",
      .tests_none = "The rival is the method without variance reduction and tree" },

    { .id = "private-zeroth-order/vr.data.ramp.private.n", .item = "V11 5.1", .attempt = 8, ON_RECORDS, BY_VALUE,
      .problem = "kinked",
      .says = "a nonconvex support vector machine, houses above 1.8 against the others, california, rho = 1: "
              "F(answer) is below 0.9 F(start)",
      .with = { CALIFORNIA, { "problem.loss", .text = "ramp" }, { "problem.threshold", 1.8 },
                { "goal.rho", 1 }, { "goal.radius", 0.6 }, { "problem.start", 0.5 } },
      ALL_OF_CALIFORNIA(64) },

    { .id = "private-zeroth-order/vr.data.neurons.private.n", .item = "V11 5.1", .attempt = 5, ON_RECORDS, BY_VALUE,
      .problem = "neurons",
      .says = "a hidden layer of two units, california, rho = 2: F(answer) is below 0.9 F(start)",
      .remark = "The stationarity says nothing here: where both units are inactive on all records within the "
                "radius, every gradient is 0: of six starts tried the norm is at most 0.002.",
      .with = { CALIFORNIA, { "problem.units", 2 }, { "goal.rho", 2 }, { "goal.radius", 1 },
                { "problem.start", 0.1 } },
      ALL_OF_CALIFORNIA(32) },

    { .id = "private-zeroth-order/vr.data.absolute.stationary.n", .item = "V11 5.1 5.2", .attempt = 5, ON_RECORDS,
      .problem = "kinked",
      .says = "absolute errors, california, rho = 1: Goldstein's norm at radius 1 is at most L/2",
      BY_NORM(zo_half_L),
      .with = { CALIFORNIA, SEARCHED, { "problem.loss", .text = "absolute" }, { "goal.rho", 1 },
                { "goal.radius", 1 } },
      .window = { { 0 }, { 0 }, { 20640, 20640, 1, 64 } } },

    { .id = "private-zeroth-order/vr.data.scad.private.n", .item = "V11 5.1", .attempt = 3, ON_RECORDS, BY_VALUE,
      .problem = "kinked",
      .says = "absolute errors with SCAD, california, rho = 1: F(answer) is below 0.9 F(start)",
      .with = { CALIFORNIA, { "problem.loss", .text = "absolute" }, { "problem.penalty", .text = "scad" },
                { "goal.rho", 1 }, { "goal.radius", 1 } },
      .window = { { 0 }, { 0 }, { 20640, 20640, 1, 64 } } },

    { 0 }
};
