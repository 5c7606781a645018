/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact.c - claims about the Goldstein norm, which Theorem 4.9 bounds, on families that have it in closed form;
 * other files measure certificates, which are upper bounds of it. Also the inequalities norm <= search <=
 * certificate, whose three sides are computed independently. */
#include "private_zeroth_order.h"

/* Returns by how much a search with random points may violate an inequality. */
static double zo_slack(const struct env *e) { return 0.01 * e->facts->L; }

#define CHAIN .kind = KIND_THEOREM, .algo = PZO, .check = CHECK_BOUND, .statistic = STAT_WORST,  \
              .measure = "set.chain.max", .axis = "n", .formula = zo_slack,                       \
              .cite = CITE "Definition 2.1"
#define UNSEARCHED { .with = { { "problem.centre", 1 } },                                        \
                     .why = "no search: the gradient at the mean, above the certificate" }
#define HALF_BALL { .with = { { "problem.reach", 0.5 } },                                        \
                    .why = "the norm at half of the radius, above the search" }

const struct claim private_zeroth_order_exact[] = {
    { .id = "private-zeroth-order/vr.thm4.9.exact.steep.n", .item = "V22 5.2", .attempt = 3, .fresh = true, RUN,
      .cite = CITE "Theorem 4.9",
      .says = "the norm itself, a steep cone, where it is graded, 0.9 L (1 - r^2/|x|^2)^(1/2): E|grad "
              "F(wbar)|_(2 delta) is at most the bound with the proofs' constants",
      .remark = PRACTICAL_STEP,
      .check = CHECK_BOUND, .measure = "set.stationarity.mean", .axis = "n",
      .with = { CONE, { "problem.share", 0.9 }, { "problem.d", 2 }, { "problem.draws", 0 }, AT_RADIUS,
                { "algo.choice", .text = "bound" } },
      .window = { { 0 }, { 0x1p21, 0x1p22, 2, 8 }, { 0x1p21, 0x1p23, 3, 8 } },
      .formula = zo_bound, .control = STOPPED, A_BOUND },

    { .id = "private-zeroth-order/vr.sec5.2.chain.n", .item = "5.2 6.4", CHAIN, .problem = "sloped",
      .says = "every epoch on a cone: norm <= each of two searches, and the search by shortest elements <= the "
              "sampled certificate, within 0.01 L",
      .with = { CONE, { "problem.d", 3 }, { "problem.hull", 1 }, AT_RADIUS },
      .window = { { 0x1p13, 0x1p13, 1, 2 }, { 0x1p13, 0x1p16, 4, 4 }, { 0x1p13, 0x1p17, 5, 8 } },
      .control = UNSEARCHED, .control2 = HALF_BALL },

    { .id = "private-zeroth-order/vr.sec5.2.chain.valley.n", .item = "5.2 6.4", CHAIN,
      .problem = "sloped",
      .says = "the same on the floor of a valley",
      .with = { VALLEY, { "problem.d", 3 }, { "problem.dist", 0.3 }, { "problem.hull", 1 }, AT_RADIUS },
      .window = { { 0 }, { 0x1p13, 0x1p15, 3, 4 }, { 0x1p13, 0x1p17, 5, 8 } },
      .control = UNSEARCHED, .control2 = HALF_BALL },

    { .id = "private-zeroth-order/vr.sec5.2.chain.peak.n", .item = "5.1 5.2 6.4", CHAIN,
      .problem = "peaked",
      .says = "the same on the largest absolute coordinate, whose norms are 1/#J^(1/2)",
      .with = { { "problem.d", 4 }, { "problem.hull", 1 }, AT_RADIUS },
      .window = { { 0x1p13, 0x1p13, 1, 2 }, { 0x1p13, 0x1p15, 3, 4 }, { 0x1p13, 0x1p17, 5, 8 } },
      .control = UNSEARCHED, .control2 = HALF_BALL },

    { .id = "private-zeroth-order/vr.sec5.1.peak.exact.more.n", .item = "V22 5.1 5.2", .attempt = 3,
      .kind = KIND_THEOREM, .algo = PZO, .problem = "peaked", .axis = "n",
      .cite = CITE "Theorem 4.9",
      .says = "the largest absolute coordinate: the norm itself is at most the bound with the proofs' constants",
      .remark = "0.238 of the bound; the control has 1.23 of it, limits 1.16 to 1.31 of all 16, but not in "
                "both halves. " PRACTICAL_STEP,
      .check = CHECK_BOUND, .measure = "set.stationarity.mean",
      .with = { { "problem.d", 2 }, { "problem.draws", 0 }, AT_RADIUS,
                { "algo.choice", .text = "bound" } },
      .window = { { 0 }, { 0 }, { 0x1p21, 0x1p23, 3, 16 } },
      .formula = zo_bound, .control = STOPPED },

    { 0 }
};
