/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest.c - a contest for an open question: at sizes that can be run, is variance reduction with tree noise
 * better than the naive oracle, which estimates each gradient afresh, with a tuned batch? By their bounds the naive
 * oracle needs 1/acc times as many samples for a certificate of acc; the methods can differ by so much only on an
 * instance that requires many short steps. Both methods are tuned on grids at every size. The instances have a
 * smoothed gradient in closed form, so that the certificate has no sampling error, or the Goldstein norm in closed
 * form. They are cones, with a start far from and near the apex, in several dimensions and at several levels of
 * privacy; a bowl, a valley and a clipped slope; and a peak, on which every step crosses kinks. */
#include "contest.h"
#include "private_zeroth_order.h"

#define AT_RHO(r) { "goal.rho", r }
#define LENGTHS { "algo.T", 4, 16384, 7 }

static const struct contest_instance zo_instances[] = {
    { "cone", "A cone in 4 dimensions, rho = 0.3", "sloped",
      { CONE, { "problem.d", 4 }, AT_RHO(0.3) } },
    { "cone-loud", "A cone in 4 dimensions, rho = 3: little noise", "sloped",
      { CONE, { "problem.d", 4 }, AT_RHO(3) } },
    { "cone-wide", "A cone in 16 dimensions, rho = 1", "sloped",
      { CONE, { "problem.d", 16 }, AT_RHO(1) } },
    { "cone-far", "A cone in 4 dimensions from 40 radii away, rho = 0.3", "sloped",
      { CONE, { "problem.d", 4 }, { "problem.dist", 4 }, AT_RHO(0.3) } },
    { "bowl", "A bowl in 8 dimensions, rho = 1", "sloped",
      { { "problem.shape", .text = "bowl" }, { "problem.d", 8 }, AT_RHO(1) } },
    { "cone-quiet", "A cone in 4 dimensions, rho = 0.1: much noise", "sloped",
      { CONE, { "problem.d", 4 }, AT_RHO(0.1) } },
    { "valley-wide", "A valley in 32 dimensions that ends, rho = 3", "sloped",
      { { "problem.shape", .text = "valley" }, { "problem.R", 0.5 }, { "problem.dist", 0.25 },
        { "problem.d", 32 }, AT_RHO(3) } },
    { "valley", "A valley in 4 dimensions that ends, rho = 0.3", "sloped",
      { { "problem.shape", .text = "valley" }, { "problem.R", 0.5 }, { "problem.dist", 0.25 },
        { "problem.d", 4 }, AT_RHO(0.3) } },
    { "slope", "A clipped slope in 4 dimensions, rho = 0.3", "sloped",
      { { "problem.shape", .text = "slope" }, { "problem.R", 0.5 }, { "problem.d", 4 }, AT_RHO(0.3) } },
    { "peak", "The largest absolute of 4 coordinates, rho = 0.3", "peaked",
      { { "problem.d", 4 }, AT_RHO(0.3) }, "set.stationarity.mean" },
    { 0 }
};

const struct contest private_zeroth_order_contest = {
    .as = { .title = "Does variance reduction with a tree beat the naive oracle with a tuned batch?",
            .says = "The paper compares with one sample a step. With its batch tuned, the naive oracle has the "
                    "same bound where steps of a radius are harmless, without the logarithm of a tree and the "
                    "factor 2 of data. Sizes are samples, each used once; an epoch of one step never moves, so "
                    "that T = 2 is the least. Earlier searches gave variance reduction later batches of one "
                    "sample: below 0, above 18 and open 6 of 24.",
            .with = { { "problem.draws", 0 }, AT_RADIUS }, .runs = 2, .fresh = 16 },
    .yes = "Yes, within this search: there are instances on which it does.",
    .no = "No instance of this search shows it.",
    .axis = "n", .measure = "set.smoothed.mean", .from = 0x1p14, .to = 0x1p18, .points = 3,
    .method = {
        { .label = "variance-reduced, tree", .algo = PZO, .grid = { { "algo.B2", 1, 256, 3 }, LENGTHS } },
        { .label = "naive, B = 1", .algo = PZO,
          .with = { { "algo.oracle", .text = "naive" }, { "algo.B2", 1 } },
          .grid = { LENGTHS } },
        { .label = "naive, tuned B", .algo = PZO, .with = { { "algo.oracle", .text = "naive" } },
          .grid = { { "algo.B2", 1, 1024, 6 }, { "algo.T", 2, 4096, 12 } } },
    },
    .rival = 2,
    .instances = zo_instances,
};
