/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduced.c - experiments whose outcomes are known in closed form, for tests of `reproduce`: least squares on
 * the rows of ./orthogonal.csv, for which F is separable. b_j is the minimiser in coordinate j without the
 * regulariser l2, and B = |b|^2. From 0, T iterations with step length s reach the point x = u b with
 * u = (1 - (1 - s (1 + l2))^T)/(1 + l2), and
 *
 *     F(x) = ((1 - u)^2 + l2 u^2) B/2,   F* = l2/(1 + l2) B/2. */
#include "claim.h"

static double steps(double passes, const struct facts *f) { return passes; }
static double rounds(double passes, const struct facts *f) { return rint(passes); }

#define ORTHOGONAL                                                                            \
    .problem = "erm",                                                                         \
    .with = { { "problem.data", .text = "./orthogonal.csv" },                                 \
              { "problem.loss", .text = "squares" }, { "problem.l2", 0.25 } }

static const struct panel panels[] = {
    { .name = "orthogonal", .title = "Separable squares", .says = "one step of size 0.8 is enough",
      ORTHOGONAL, .support = 4,
      .method = {
          { .label = "half", .algo = "gd", .passes = 2, .gap = 0.5, .hits = 4,
            .every = 0.5, .curve = { 4, 2.5, 0.75 },
            .with = { { "algo.step", 0.4 }, { "goal.T", .of = steps } },
            .remark = "said to be too short" },
          { .label = "nesterov", .algo = "nesterov", .passes = 1,
            .with = { { "goal.T", .of = steps } } },
      } },
    { .name = "absent", .title = "On data that are not here", .says = "skipped",
      .problem = "erm", .with = { { "problem.data", .text = "no-such-set" } },
      .method = { { .label = "gd", .algo = "gd", .passes = 1, .with = { { "goal.T", 1 } } } } },
    { 0 }
};

static const struct panel ablations[] = {
    { .name = "long", .title = "Ten steps", .says = "u tends to 0.8", ORTHOGONAL,
      .method = { { .label = "ten", .algo = "gd", .passes = 10,
                    .with = { { "algo.step", 0.4 }, { "goal.T", .of = steps } } } } },
    { 0 }
};

/* A grid with a second parameter, of a single value. 0.2 passes are less than one iteration. */
static const struct tuning tunings[] = {
    { .algo = "gd", .passes = { 0.2, 1, 2 }, .rounds = rounds,
      .grid = { { "algo.step", 0.1, 1.6, 5 }, { "problem.h", 1, 1, 1 } } },
    { 0 }
};

static const struct reproduction reproduction = {
    .title = "Known experiments", .says = "all outcomes are known",
    .runs = 2, .fresh = 3, .keep = 0.2, .panels = panels, .ablations = ablations,
    .tunings = tunings,
};

static const struct claim claims[] = { { 0 } };
static const struct item items[] = { { 0 } };

const struct paper paper_reproduced = {
    .key = "reproduced", .title = "experiments in closed form", .cite = "none",
    .claims = claims, .items = items, .reproduction = &reproduction,
};
