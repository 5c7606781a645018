/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rates.c - rates of Theorem 4.9 beside those of runs.c: on another instance, in a narrower band, or with a control that
 * can be caught; and two claims of the same kind beside those of rivals.c. */
#include "private_zeroth_order.h"

const struct claim private_zeroth_order_rates[] = {
    { .id = "private-zeroth-order/vr.thm4.9.cone.again.n", .item = "V11", .attempt = 2, RUN, CERTIFIED,
      .cite = CITE "Theorem 4.9", .axis = "n",
      .says = "no privacy, a cone: the mean certificate falls at least as M^(-0.28)",
      .with = { CONE, { "problem.d", 8 }, AT_RADIUS },
      .window = { { 0 }, { 0x1p14, 0x1p19, 6, 16 }, { 0x1p14, 0x1p21, 8, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1. / 3 } }, .band = { -0.5, -0.28 },
      .control = STOPPED },

    { .id = "private-zeroth-order/vr.thm4.9.grid.n", .item = "V11",
      .cite = CITE "Theorem 4.9, T of a grid", .axis = "n",
      .says = "no privacy, a cone, the best T of powers of 2 at each M: the mean certificate falls as M^(-0.2) to "
              "M^(-1/2)",
      .kind = KIND_EVIDENCE, .algo = PZO, .problem = "sloped", CERTIFIED,
      .remark = "The first powers of 2 tried went to 2^14, more than M/2 at the first point: refused.",
      .with = { CONE, { "problem.d", 8 }, AT_RADIUS },
      .search = { .kind = SEARCH_SMALLEST, .name = "algo.T", .from = 16, .to = 4096, .points = 9, .reps = 4 },
      .window = { { 0 }, { 0x1p14, 0x1p18, 5, 8 }, { 0x1p14, 0x1p20, 7, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -1. / 3 } }, .band = { -0.5, -0.2 },
      .control = STOPPED },

    { .id = "private-zeroth-order/vr.thm4.9.cone.fewer.d", .item = "V12", .attempt = 4, RUN, CERTIFIED,
      .cite = CITE "Theorem 4.9", .axis = "d",
      .says = "no privacy, a cone: the mean certificate grows no faster than d^(0.36)",
      .with = { CONE, { "goal.n", 0x1p18 }, AT_RADIUS },
      .window = { { 0 }, { 4, 32, 4, 16 }, { 4, 64, 5, 16 } },
      .law = { .form = LAW_POWER, .exponent = { 1. / 3 } }, .band = { -INFINITY, 0.36 },
      .control = { .with = { { "goal.n", 0x1p20, -1 } }, .why = "samples that fall as 1/d" } },

    { .id = "private-zeroth-order/vr.thm4.9.cone.later.radius", .item = "V13", .attempt = 2, RUN, CERTIFIED,
      .cite = CITE "Theorem 4.9", .axis = "radius",
      .says = "no privacy, a cone from far, Phi far above L delta: the certificate falls as delta^(-1/3)",
      .with = { CONE, { "problem.d", 8 }, { "problem.dist", 4 }, { "goal.n", 0x1p20 }, RADIUS_OF_AXIS },
      .window = { { 0 }, { 0.0125, 0.1, 4, 16 }, { 0.0125, 0.1, 7, 32 } },
      .law = { .form = LAW_POWER, .exponent = { -1. / 3 } }, .band = { -0.45, -0.3 },
      .control = STOPPED },

    { .id = "private-zeroth-order/vr.thm4.9.cone.sixteen.rho", .item = "V15", .attempt = 3, RUN, CERTIFIED,
      .cite = CITE "Theorem 4.9", .axis = "rho",
      .says = "privacy dominates, a cone in 16 dimensions, T of least expected certificate: rho^(-1/2) but for "
              "ln(T)^(1/2)",
      .formula = zo_root_log,
      .with = { CONE, { "problem.d", 16 }, { "goal.n", 0x1p20 }, AT_RADIUS, { "algo.choice", .text = "practical" } },
      .window = { { 0 }, { 0 }, { 0.1, 0.8, 7, 16 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.58, -0.42 },
      .control = { .with = { { "algo.sigma", 0.05 }, { "algo.T", 2048 } }, .why = "noise that knows no rho" } },

    { .id = "private-zeroth-order/vr.data.capped.below.n", .item = "V11 5.1", BELOW_START,
      .says = "robust regression, absolute errors that end at 2, on 11392 records: F(answer) is below 0.99 F(start)",
      .with = { { "problem.data", .text = "census-house" }, { "problem.loss", .text = "capped" },
                { "problem.target", .text = "zscore" }, RECORDS },
      .window = { { 0 }, { 11392, 11392, 1, 16 }, { 5696, 11392, 2, 32 } } },

    { .id = "private-zeroth-order/o2nc.cor.bound.cone.n", .item = "4.1", .attempt = 2,
      .cite = "Cutkosky, Mehta, Orabona 2023, corollary of Theorem 8",
      .says = "with gradients, one a step, on a cone: the mean certificate is at most 2 Phi/(delta N) + max(5 "
              "(G^2 Phi/(N delta))^(1/3), 6 G/N^(1/2))",
      .kind = KIND_THEOREM, .check = CHECK_BOUND, .algo = "o2nc", .problem = "sloped",
      .axis = "n", .measure = "set.certificate.mean", .with = { CONE, AT_RADIUS },
      .window = { { 0 }, { 0x1p14, 0x1p20, 4, 16 }, { 0x1p14, 0x1p20, 7, 16 } },
      .formula = zo_first_order, .control = STOPPED },

    { 0 }
};
