/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimators.c - claims about planted estimators with known moments, costs and probabilities. Each must get the
 * verdict that its id ends with (open: INCONCLUSIVE; most, least and discrete: SUPPORTED), and every control must
 * be caught. They are hidden without --planted. */
#include <math.h>
#include "claim.h"

static const double r = 0.70710678118654752;     /* 2^(-1/2), the r of estimators/levels.c */

static double mean(const struct env *e)
{
    return env_param(e, "scale") * (1 - pow(r, env_param(e, "m") + 1)) / (1 - r);
}
static double mean_and_a_tenth(const struct env *e) { return 1.1 * mean(e); }
static double limit(const struct env *e) { return 1 / (1 - r); }
static double two_percent(const struct env *e) { return 0.02 * mean(e); }
static double cost(const struct env *e) { return env_param(e, "m") / 2 + 1; }
static double axis(const struct env *e) { return e->axis; }
static double below_it(const struct env *e) { return 0.7 * e->axis; }
static double one_hundredth(const struct env *e) { return 0.01; }
static double half(const struct env *e) { return 0.5; }
static double uniform(const struct env *e, double y) { return fmin(fmax(y, 0), 1); }
static double six_sides(const struct env *e, double y) { return fmin(fmax(floor(y), 0), 6) / 6; }

#define THEOREM .kind = KIND_THEOREM, .cite = "none", .item = "", .problem = "linear"
#define ALWAYS(from, to, points, reps) \
    { { from, to, points, reps }, { from, to, points, reps }, { from, to, points, reps } }
#define LEVELS THEOREM, .algo = "planted-levels", .axis = "m", .window = ALWAYS(2, 8, 3, 8), \
               .measure = "moment.value"
#define DICE THEOREM, .algo = "planted-dice", .axis = "p", .window = ALWAYS(0.1, 0.9, 3, 8), \
             .measure = "moment.event"

static const struct claim claims[] = {
    { .id = "planted-estimators/levels.moment.supported", .says = "E v to 2%", LEVELS,
      .check = CHECK_MOMENT, .formula = mean, .margin = two_percent,
      .control = { .algo = "planted-crude", .why = "wrong weights" } },
    { .id = "planted-estimators/levels.moment.most", .says = "E v <= 1/(1 - r)", LEVELS,
      .check = CHECK_MOMENT, .sense = SENSE_AT_MOST, .formula = limit,
      .control = { .with = { { "algo.scale", 2 } }, .why = "twice the value" } },
    { .id = "planted-estimators/levels.moment.least", .says = "E v >= its value, less 5%", LEVELS,
      .check = CHECK_MOMENT, .sense = SENSE_AT_LEAST, .formula = mean, .tolerance = 0.05,
      .control = { .with = { { "algo.forget", 1 } }, .why = "the last level is lost" } },
    { .id = "planted-estimators/levels.moment.contradicted", .says = "E v is 10% more", LEVELS,
      .check = CHECK_MOMENT, .formula = mean_and_a_tenth, .tolerance = 0.02,
      .control = { .algo = "planted-crude", .why = "wrong weights" } },
    { .id = "planted-estimators/levels.moment.open", .says = "E v exactly", LEVELS,
      .check = CHECK_MOMENT, .formula = mean,
      .control = { .algo = "planted-crude", .why = "wrong weights" } },
    { .id = "planted-estimators/levels.count.identity", THEOREM,
      .says = "m/2 + 1 gradients a draw",
      .algo = "planted-levels", .axis = "m", .window = ALWAYS(2, 8, 3, 1), .measure = "moment.cost",
      .check = CHECK_COUNT, .deterministic = true, .formula = cost,
      .control = { .algo = "planted-crude", .why = "dear levels too often" } },
    { .id = "planted-estimators/levels.bound.supported", .says = "E v <= 1/(1 - r)", LEVELS,
      .check = CHECK_BOUND, .formula = limit,
      .control = { .with = { { "algo.scale", 2 } }, .why = "twice the value" } },
    { .id = "planted-estimators/levels.rate.supported", .says = "E v ~ scale", THEOREM,
      .algo = "planted-levels", .axis = "scale", .window = ALWAYS(1, 16, 5, 8),
      .measure = "moment.value", .check = CHECK_RATE,
      .law = { .form = LAW_POWER, .exponent = { 1 } },
      .band = { 0.9, 1.1 },
      .control = { .with = { { "algo.scale", 1, 0.5 } }, .why = "its root" } },
    { .id = "planted-estimators/levels.order.supported", .says = "less noise, less E v^2", THEOREM,
      .algo = "planted-levels", .axis = "m", .window = ALWAYS(2, 8, 3, 8),
      .measure = "moment.square",
      .check = CHECK_ORDER,
      .than = { .with = { { "algo.noise", 2 } }, .why = "four times the noise" },
      .control = { .with = { { "algo.noise", 4 } }, .why = "more noise than the rival" } },

    { .id = "planted-estimators/dice.law.supported", .says = "P(u <= p) = p", DICE,
      .check = CHECK_LAW, .formula = axis, .margin = one_hundredth,
      .with = { { "run.draws", 10000 } },
      .control = { .with = { { "algo.power", 1.5 } }, .why = "another law" } },
    { .id = "planted-estimators/dice.law.most", .says = "P(u <= p) <= p + 1%", DICE,
      .check = CHECK_LAW, .sense = SENSE_AT_MOST, .formula = axis, .margin = one_hundredth,
      .with = { { "run.draws", 10000 } },
      .control = { .with = { { "algo.power", 1.5 } }, .why = "another law" } },
    { .id = "planted-estimators/dice.law.contradicted", .says = "P(u <= p) = 0.7 p", DICE,
      .check = CHECK_LAW, .formula = below_it, .margin = one_hundredth,
      .control = { .with = { { "algo.power", 1.5 } }, .why = "another law" } },
    { .id = "planted-estimators/dice.threshold.supported", .says = "P(u > 1/2) <= 0.6", THEOREM,
      .algo = "planted-dice", .axis = "p", .window = ALWAYS(0.5, 0.5, 1, 400),
      .measure = "moment.face",
      .with = { { "run.draws", 1 } }, .check = CHECK_LAW, .sense = SENSE_AT_MOST, .threshold = half,
      .formula = half, .tolerance = 0.2,
      .control = { .with = { { "algo.power", 0.25 } }, .why = "larger values" } },
    { .id = "planted-estimators/dice.distribution.supported", .says = "u is uniform", THEOREM,
      .algo = "planted-dice", .axis = "p", .window = ALWAYS(0.5, 0.5, 1, 400),
      .measure = "moment.face",
      .with = { { "run.draws", 1 } }, .check = CHECK_LAW, .cdf = uniform, .tolerance = 0.15,
      .control = { .with = { { "algo.power", 3 } }, .why = "another law" } },
    { .id = "planted-estimators/dice.distribution.discrete", .says = "a fair die", THEOREM,
      .algo = "planted-dice", .axis = "p", .window = ALWAYS(0.5, 0.5, 1, 400),
      .measure = "moment.face",
      .with = { { "run.draws", 1 }, { "algo.sides", 6 } }, .check = CHECK_LAW, .cdf = six_sides,
      .tolerance = 0.15,
      .control = { .with = { { "algo.power", 4 } }, .why = "a loaded one" } },
    { 0 }
};

static const struct item items[] = { { 0 } };

const struct paper paper_estimators = {
    .key = "planted-estimators", .title = "Estimators whose moments are known", .cite = "none",
    .claims = claims, .items = items,
};
