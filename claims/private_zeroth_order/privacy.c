/* SPDX-License-Identifier: GPL-3.0-or-later */
/* privacy.c - Corollary 4.4 and Appendix E: the privacy of the methods by the ledger, by replay and by attacks
 * (audit). The record that is exchanged has the loss L <v,x> or its negative, which in one dimension differ as much
 * as L-Lipschitz losses can. */
#include "gdp_curve.h"
#include "private_zeroth_order.h"

#define PRIVATE .check = CHECK_PRIVATE, .algo = PZO, .axis = "eps",          \
                .measure = "privacy.eps",                                                         \
                .window = { { 1, 1, 1, 6 }, { 0.5, 4, 3, 24 }, { 0.25, 4, 5, 96 } }
#define ON_SLOPES .problem = "sloped"

/* Returns the standard deviation of the noise that the paper prints for the naive oracle, d L/(B rho), for d = L =
 * 1 and B = 4; rho is the Gaussian-DP parameter of (eps, 1e-5) by the exact curve. */
static double zo_naive_printed(double eps, const struct facts *f)
{
    return 1 / (4 * gdp_mu(eps, 1e-5));
}

static double zo_whole(const struct env *e) { return 1; }

const struct claim private_zeroth_order_privacy[] = {
    { .id = "private-zeroth-order/vr.cor4.4.exact.eps", .item = "V7 V6 6.6", PRIVATE, ON_SLOPES,
      .cite = CITE "Corollary 4.4",
      .says = "noise by the nodes of a Fenwick tree that cover a step is private as promised",
      .kind = KIND_THEOREM, .with = { SMALL, { "algo.T", 8 } },
      .control = { .with = { { "algo.rho", 3 } }, .why = "noise of rho = 3" } },

    { .id = "private-zeroth-order/vr.cor4.4.paper.eps", .item = "V7 6.6", PRIVATE, ON_SLOPES,
      .cite = CITE "Corollary 4.4",
      .says = "sigma = sqrt(2 ln T) 4 d L/(B2 T rho), as printed, with B1 = T + 1 is private as promised",
      .kind = KIND_THEOREM,
      .with = { SMALL, { "algo.T", 8 }, { "algo.calibration", .text = "paper" } },
      .control = { .with = { { "algo.rho", 3 } }, .why = "noise of rho = 3" } },

    { .id = "private-zeroth-order/vr.cor4.4.corrected.eps", .item = "V7 7.4", PRIVATE, ON_SLOPES,
      .cite = CITE "Corollary 4.4",
      .says = "B1 = T B2/2, T = 4: private with the exact count of nodes; the printed sigma is short by "
              "sqrt(3/(2 ln 4)) = 1.04",
      .kind = KIND_ERRATUM, .with = { SMALL, { "algo.T", 4 }, { "algo.B1", 2 } },
      .control = { .with = { { "algo.calibration", .text = "paper" } }, .why = "sigma as printed" } },

    { .id = "private-zeroth-order/vr.cor4.4.safe.d.eps", .item = "V7 6.6", PRIVATE, ON_SLOPES,
      .cite = CITE "Theorem 4.3",
      .says = "noise by the paper's own count of nodes is private as promised, in eight dimensions",
      .kind = KIND_THEOREM,
      .with = { { "problem.shape", .text = "valley" }, { "problem.d", 8 }, { "goal.n", 64 },
                { "goal.delta", 1e-5 }, { "goal.radius", 0.1 },
                { "algo.calibration", .text = "safe" } },
      .control = { .with = { { "algo.rho", 3 } }, .why = "noise of rho = 3" } },

    { .id = "private-zeroth-order/independent.sec4.1.eps", .item = "V7 AB-notree", PRIVATE, ON_SLOPES,
      .cite = CITE "Section 4.1",
      .says = "noise of every summand is private too",
      .kind = KIND_EXTENSION,
      .with = { SMALL, { "algo.T", 8 }, { "algo.noise", .text = "independent" } },
      .control = { .with = { { "algo.rho", 3 } }, .why = "noise of rho = 3" } },

    { .id = "private-zeroth-order/naive.appE.eps", .item = "V7 7.9", PRIVATE, ON_SLOPES,
      .cite = CITE "Appendix E",
      .says = "sigma = 2 d L/(B rho) is private; half of it, as printed, is not",
      .kind = KIND_ERRATUM, .with = { SMALL, { "algo.oracle", .text = "naive" }, { "algo.B2", 4 } },
      .control = { .with = { { "algo.sigma", .of = zo_naive_printed } }, .why = "sigma as printed" } },

    { .id = "private-zeroth-order/private-zo-o2nc.records.eps", .item = "V7 6.6", PRIVATE,
      .cite = CITE "Corollary 4.4",
      .says = "records of a file, used once: private whatever they are, as values are clamped",
      .kind = KIND_THEOREM,
      .with = { { "problem.data", .text = "heart_scale" }, { "problem.loss", .text = "ramp" },
                { "problem.scaling", .text = "unit" }, { "goal.delta", 1e-5 },
                { "goal.radius", 0.2 }, { "goal.n", 270 }, { "algo.T", 12 },
                { "problem.points", 1 }, { "problem.draws", 0 } },
      .problem = "kinked",
      .control = { .with = { { "algo.rho", 3 } }, .why = "noise of rho = 3" } },

    { .id = "private-zeroth-order/vr.lemma3.1.sensitivity.d", .item = "V6 6.2",
      .cite = CITE "Lemmas 3.1 and 3.2", .axis = "d",
      .says = "the opposite of a sample moves a release by at most 2 d L/b, or 2 d L |x - y|/(b delta)",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .statistic = STAT_WORST,
      .algo = PZO, .problem = "sloped", .measure = "replay.ratio.private-zo-o2nc.gradient",
      .with = { { "problem.shape", .text = "slope" }, { "problem.R", 100 }, { "goal.n", 64 },
                { "goal.radius", 0.1 }, { "goal.rho", 1 }, { "goal.delta", 1e-5 },
                { "run.replay", 3 } },
      .window = { { 1, 4, 2, 8 }, { 1, 32, 6, 24 }, { 1, 64, 7, 48 } }, .formula = zo_whole,
      OF_NO_MECHANISM,
      .control = { .algo = "planted-two-point-half", .why = "planted: half of it is booked" } },

    { 0 }
};
