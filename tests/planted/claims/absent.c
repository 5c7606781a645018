/* SPDX-License-Identifier: GPL-3.0-or-later */
/* absent.c - claims and a plot on a data set that is on no machine unless a test puts it there. gd asks for
 * one full gradient a step, for any data. */
#include "claim.h"

static double steps(const struct env *e) { return e->axis; }
static double half_a_step(double T, const struct facts *f) { return 0.5 / f->M; }

#define STEPS .kind = KIND_THEOREM, .cite = "none", .item = "", .check = CHECK_COUNT, .axis = "T", \
              .measure = "full_grads", .deterministic = true, .algo = "gd", .formula = steps, \
              .window = SMALL
#define SMALL { { 4, 16, 2, 1 }, { 4, 16, 2, 1 }, { 4, 16, 2, 1 } }
#define ABSENT { "problem.data", .text = "planted-rows" }, { "problem.loss", .text = "squares" }
#define SQUARED { "goal.T", 1, 2 }

static const struct claim claims[] = {
    { .id = "absent/here.count.T", .says = "needs no data", STEPS, .problem = "huber",
      .control = { .with = { SQUARED }, .why = "T^2 steps" } },
    { .id = "absent/set.count.T", .says = "a setting reads facts of the data", STEPS,
      .problem = "erm", .with = { ABSENT, { "algo.step", .of = half_a_step } },
      .control = { .with = { SQUARED }, .why = "T^2 steps" } },
    { .id = "absent/control.count.T", .says = "the control alone reads the data", STEPS,
      .problem = "huber",
      .control = { .problem = "erm", .with = { ABSENT, SQUARED }, .why = "T^2 steps" } },
    { 0 }
};

static const struct plot plots[] = {
    { .id = "absent/figure", .title = "Steps", .says = "one line needs the data", .axis = "T",
      .problem = "huber", .measure = "full_grads", .deterministic = true, .window = SMALL,
      .line = {
          { .label = "here", .algo = "gd" },
          { .label = "elsewhere", .algo = "gd", .problem = "erm", .with = { ABSENT } },
      } },
    { 0 }
};

static const struct item items[] = { { 0 } };

const struct paper paper_absent = {
    .key = "absent", .title = "claims without their data", .cite = "none",
    .claims = claims, .items = items, .plots = plots,
};
