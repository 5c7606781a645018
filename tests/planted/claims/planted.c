/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planted.c - claims whose outcomes are known and named by their ids: contradicted, open, with controls that are
 * caught or missed, about an answer that is no number, or with a worker that does not end well. They test
 * everything from the plan to the exit code, and are hidden without --planted. */
#include <math.h>
#include "claim.h"

static double too_small(const struct env *e)
{
    return 0.01 * e->facts->M_F * e->facts->dist * e->facts->dist / (4 * e->goal->T + 2);
}

/* A bound of half the excess at the start: the start violates it, and the end of a run satisfies it. */
static double below_the_start(const struct env *e) { return 0.5 * e->facts->Phi; }
static double generous(const struct env *e) { return 1e6; }

#define SMALL { { 4, 16, 2, 1 }, { 4, 16, 2, 1 }, { 4, 16, 2, 1 } }
#define ON_CHAIN .kind = KIND_THEOREM, .cite = "none", .item = "", .problem = "chain", .axis = "T", \
                 .measure = "excess", .deterministic = true, .window = SMALL

static const struct claim claims[] = {
    { .id = "planted/bound.contradicted", .says = "a bound cut to 1%", ON_CHAIN,
      .check = CHECK_BOUND, .algo = "gd", .formula = too_small,
      .control = { .with = { { "algo.step", 0.5 } }, .why = "a shorter step" } },
    { .id = "planted/bound.control-missed", .says = "a control nobody can catch", ON_CHAIN,
      .check = CHECK_BOUND, .algo = "gd", .formula = generous,
      .control = { .algo = "nesterov", .why = "a method that is right" } },
    { .id = "planted/bound.second-missed", .says = "the second control is a method that is right",
      ON_CHAIN, .check = CHECK_BOUND, .algo = "gd", .formula = below_the_start,
      .control = { .with = { { "algo.step", 1e-6 } }, .why = "no step to speak of" },
      .control2 = { .algo = "nesterov", .why = "a method that is right" } },
    { .id = "planted/bound.both-caught", .says = "both controls are wrong", ON_CHAIN,
      .check = CHECK_BOUND, .algo = "gd", .formula = below_the_start,
      .control = { .with = { { "algo.step", 1e-6 } }, .why = "no step to speak of" },
      .control2 = { .with = { { "algo.h", 1e-6 } }, .why = "the same by the relative step" } },
    { .id = "planted/bound.no-control", .says = "a claim without a control", ON_CHAIN,
      .check = CHECK_BOUND, .algo = "gd", .formula = generous },
    { .id = "planted/bound.nan", .says = "an answer that is no number", ON_CHAIN,
      .check = CHECK_BOUND, .algo = "planted-nan", .formula = generous,
      .control = { .with = { { "algo.what", .text = "inf" } }, .why = "infinity" } },
    { .id = "planted/bound.mark", .says = "a bound that fails at the first mark only", ON_CHAIN,
      .check = CHECK_BOUND, .every_mark = true, .algo = "gd", .formula = below_the_start,
      .control = { .with = { { "algo.step", 0.5 } }, .why = "a shorter step" } },
    { .id = "planted/rate.open", .says = "a band too narrow for any number of runs", .kind = KIND_THEOREM,
      .cite = "none", .item = "", .check = CHECK_RATE, .algo = "sgd", .problem = "linear", .axis = "n",
      .measure = "excess", .with = { { "problem.hardness", 1.7, -0.5 } }, .rounds = 3,
      .window = { { 64, 256, 3, 4 }, { 64, 256, 3, 4 }, { 64, 256, 3, 4 } },
      .law = { .form = LAW_POWER, .exponent = { -0.5 } }, .band = { -0.50001, -0.49999 },
      .control = { .with = { { "algo.c", 0.5 } }, .why = "another step" } },
    { .id = "planted/crash", .says = "a worker that crashes", ON_CHAIN,
      .check = CHECK_BOUND, .algo = "planted-crash", .formula = generous },
    { .id = "planted/hang", .says = "a worker that never returns", ON_CHAIN,
      .with = { { "run.timeout", 15 } }, .check = CHECK_BOUND, .algo = "planted-hang",
      .formula = generous },
    { .id = "planted/hungry", .says = "a worker that eats memory", ON_CHAIN,
      .check = CHECK_BOUND, .algo = "planted-hungry", .formula = generous },
    { 0 }
};

static const struct item items[] = { { 0 } };

const struct paper paper_planted = {
    .key = "planted", .title = "Wrong on purpose", .cite = "none", .claims = claims, .items = items,
};
