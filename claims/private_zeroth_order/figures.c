/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figures.c - plots of the certificate (private_zeroth_order.h) against the number of samples, the promise of
 * privacy rho and the dimension d, with the exponents of the bounds. */
#include "private_zeroth_order.h"

#define PRIVATE_AT(r) { "goal.rho", r }, { "algo.choice", .text = "practical" }
#define NAIVE { "algo.oracle", .text = "naive" }

const struct plot private_zeroth_order_figures[] = {
    { .id = "private-zeroth-order/figure.samples",
      .title = "Mean certificate against samples, without privacy, a cone in 8 dimensions",
      .says = "Bounds go as M^(-1/3) with O2NC and with variance-reduced descent, as M^(-1/4) with plain "
              "descent.",
      .problem = "sloped", .axis = "n", .measure = "set.smoothed.mean",
      .with = { CONE, { "problem.draws", 0 }, AT_RADIUS },
      .window = { { 0 }, { 0x1p13, 0x1p18, 6, 2 }, { 0x1p13, 0x1p20, 8, 16 } },
      .line = {
          { .label = "variance-reduced, T of the theorem", .algo = PZO, .exponent = -1. / 3,
            .over = { 0x1p13, 0x1p20 } },
          { .label = "variance-reduced, T of least expectation", .algo = PZO,
            .with = { { "algo.choice", .text = "practical" } } },
          { .label = "O2NC, one pair a step", .algo = "zo-o2nc", .exponent = -1. / 3,
            .over = { 0x1p13, 0x1p20 } },
          { .label = "O2NC, gradients", .algo = "o2nc", .exponent = -1. / 3,
            .over = { 0x1p13, 0x1p20 } },
          { .label = "descent, plain", .algo = "zo-descent", .exponent = -0.25,
            .over = { 0x1p13, 0x1p20 } },
          { .label = "descent, variance-reduced", .algo = "zo-descent",
            .with = { { "algo.gradient", .text = "reduced" } }, .exponent = -1. / 3,
            .over = { 0x1p13, 0x1p20 } },
      } },

    { .id = "private-zeroth-order/figure.private",
      .title = "Mean certificate against samples at rho = 0.3, a cone in 4 dimensions",
      .says = "Variance reduction with tree noise is far below the naive oracle with one sample a step; a "
              "tuned batch of the naive oracle comes near it, 1.1 to 1.7 times as far.",
      .problem = "sloped", .axis = "n", .measure = "set.smoothed.mean",
      .with = { CONE, { "problem.d", 4 }, { "problem.draws", 0 }, AT_RADIUS },
      .window = { { 0 }, { 0x1p15, 0x1p19, 5, 2 }, { 0x1p15, 0x1p22, 8, 16 } },
      .line = {
          { .label = "tree noise", .algo = PZO, .with = { PRIVATE_AT(0.3) }, .exponent = -0.5,
            .over = { 0x1p15, 0x1p22 } },
          { .label = "noise of every summand", .algo = PZO,
            .with = { PRIVATE_AT(0.3), { "algo.noise", .text = "independent" } } },
          { .label = "naive, B = 1", .algo = PZO, .with = { PRIVATE_AT(0.3), NAIVE },
            .exponent = -1. / 3, .over = { 0x1p15, 0x1p22 } },
          { .label = "naive, B = d^(3/2)/rho", .algo = PZO,
            .with = { PRIVATE_AT(0.3), NAIVE, { "algo.batch", .text = "tuned" } } },
          { .label = "no privacy", .algo = PZO,
            .with = { { "algo.choice", .text = "practical" } } },
      } },

    { .id = "private-zeroth-order/figure.rho",
      .title = "Mean certificate against rho, M = 2^17, a cone in 4 dimensions",
      .says = "Where privacy becomes free: the theorem's bounds are equal from rho = d/T1^(1/2) = 0.14 on, T1 "
              "= 828; measured, tree noise comes down to the run without privacy far later, as its constant is "
              "about 4 ln(T)^(1/2).",
      .problem = "sloped", .axis = "rho", .measure = "set.smoothed.mean",
      .with = { CONE, { "problem.d", 4 }, { "problem.draws", 0 }, { "goal.n", 0x1p17 }, AT_RADIUS,
                { "algo.choice", .text = "practical" } },
      .window = { { 0 }, { 0.05, 51.2, 6, 2 }, { 0.05, 51.2, 11, 16 } },
      .line = {
          { .label = "tree noise", .algo = PZO, .exponent = -0.5, .over = { 0.1, 10 } },
          { .label = "noise of every summand", .algo = PZO,
            .with = { { "algo.noise", .text = "independent" } } },
          { .label = "naive, B = 1", .algo = PZO, .with = { NAIVE } },
          { .label = "naive, B = d^(3/2)/rho", .algo = PZO,
            .with = { NAIVE, { "algo.batch", .text = "tuned" } } },
          { .label = "no privacy", .algo = PZO, .with = { { "algo.rho", INFINITY } } },
      } },

    { .id = "private-zeroth-order/figure.d",
      .title = "Mean certificate against d, M = 2^17, a cone",
      .says = "Bounds go as d^(1/3) with O2NC, as d^(1/2) with variance-reduced descent, as d^(3/4) where "
              "privacy dominates; no gradient is longer than 1/2.",
      .problem = "sloped", .axis = "d", .measure = "set.smoothed.mean",
      .with = { CONE, { "problem.draws", 0 }, { "goal.n", 0x1p17 }, AT_RADIUS },
      .window = { { 0 }, { 4, 64, 3, 2 }, { 4, 64, 5, 16 } },
      .line = {
          { .label = "variance-reduced, T of the theorem", .algo = PZO, .exponent = 1. / 3,
            .over = { 4, 64 } },
          { .label = "O2NC, one pair a step", .algo = "zo-o2nc", .exponent = 1. / 3,
            .over = { 4, 64 } },
          { .label = "descent, variance-reduced", .algo = "zo-descent",
            .with = { { "algo.gradient", .text = "reduced" } }, .exponent = 0.5,
            .over = { 4, 64 } },
          { .label = "tree noise, rho = 3, T of least expectation", .algo = PZO, .with = { PRIVATE_AT(3) },
            .window = { { 0 }, { 4, 16, 2, 2 }, { 4, 64, 5, 8 } }, .exponent = 0.75, .over = { 8, 32 } },
      } },

    { 0 }
};
