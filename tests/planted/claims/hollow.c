/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hollow.c - claims that would be supported without the rules of docs/verdicts.md. Each planted/hollow.K.* must be
 * stopped by rule K, and each planted/sound.K.* must pass it. The method is planted-lever, whose excess is
 * |c| part T^(-power) (1 + noise) by formula, |c| being problem.dist. The claims are hidden without --planted. */
#include <math.h>
#include "claim.h"

static double near(const struct env *e) { return 1.5 * pow(e->axis, -0.5); }
static double four(const struct env *e) { return 4; }
static double tenfold(const struct env *e) { return 10 * pow(e->axis, -0.5); }
static double twice_the_start(const struct env *e) { return 2; }
static double one(const struct env *e) { return 1; }

#define ALWAYS { { 4, 64, 5, 1 }, { 4, 64, 5, 1 }, { 4, 64, 5, 1 } }
#define FAR { { 256, 4096, 5, 1 }, { 256, 4096, 5, 1 }, { 256, 4096, 5, 1 } }
#define LEVER(...) .window = __VA_ARGS__, .kind = KIND_THEOREM, .cite = "none", .item = "", .deterministic = true, \
                   .algo = "planted-lever", .problem = "norm", .axis = "T"
#define RATE(e) LEVER(ALWAYS), .measure = "excess", .check = CHECK_RATE, \
                .law = { .form = LAW_POWER, .exponent = { e } }, .band = { (e) - 0.1, (e) + 0.1 }
#define SLOW .control = { .with = { { "algo.power", 0.1 } }, .why = "the power 1/10" }
#define LOUD .control = { .with = { { "algo.part", 50 } }, .why = "a hundred times the excess" }

static const struct claim claims[] = {
    /* Rule 1. In the first claim the excess at the start falls as T^(-1/2) already, because problem.dist follows T;
     * in the second the distance is fixed. */
    { .id = "planted/hollow.1.start", .says = "excess ~ T^(-1/2), of the instance", RATE(-0.5),
      .with = { { "problem.dist", 1, -0.5 }, { "algo.power", 0 } },
      .control = { .with = { { "algo.power", 1 } }, .why = "1/T" } },
    { .id = "planted/sound.1.start", .says = "excess ~ T^(-1/2), of the method", RATE(-0.5), SLOW },
    /* The excess at the start falls as T^(-0.2), which is outside of the band, but the instance still changes with
     * T. */
    { .id = "planted/hollow.1.follows", .says = "excess ~ T^(-1/2), in part of the instance", RATE(-0.5),
      .with = { { "problem.dist", 1, -0.2 }, { "algo.power", 0.3 } },
      .control = { .with = { { "algo.power", 1 } }, .why = "1/T" } },
    /* In the first claim the grid of the search follows T, so that the hardest instance changes with T; in the
     * second the grid is fixed. */
    { .id = "planted/hollow.1.grid", .says = "excess ~ T^(-1/2), in part of the grid", RATE(-0.5),
      .with = { { "algo.power", 0.3 } }, .search = { SEARCH_LARGEST, "problem.dist", 0.1, 1, -0.2, 3, 1 },
      .control = { .with = { { "algo.power", 1 } }, .why = "1/T" } },
    { .id = "planted/sound.1.grid", .says = "excess ~ T^(-1/2), on the hardest of a fixed grid", RATE(-0.5),
      .search = { SEARCH_LARGEST, "problem.dist", 0.1, 1, 0, 3, 1 }, SLOW },
    /* An exponent of 0 is judged by how large the excess is: 0.95 and 0.85 of that at the start. */
    { .id = "planted/hollow.1.level", .says = "excess ~ 1, near the start's", RATE(0),
      .with = { { "algo.power", 0 }, { "algo.part", 0.95 } },
      .control = { .with = { { "algo.power", 1 } }, .why = "1/T" } },
    { .id = "planted/sound.1.level", .says = "excess ~ 1, below the start's", RATE(0),
      .with = { { "algo.power", 0 }, { "algo.part", 0.85 } },
      .control = { .with = { { "algo.power", 1 } }, .why = "1/T" } },
    { .id = "planted/hollow.1.bound", .says = "excess <= twice the start's", LEVER(ALWAYS), .measure = "excess",
      .check = CHECK_BOUND, .formula = twice_the_start, LOUD },
    /* A cost until a target: the start, whose excess is 1, is within 2 but not within 0.3. */
    { .id = "planted/hollow.1.hit", .says = "one round to excess 2", LEVER(ALWAYS), .measure = "hit.batch_steps",
      .check = CHECK_COUNT, .formula = one, .with = { { "goal.acc", 2 } },
      .control = { .with = { { "goal.acc", 0.001 } }, .why = "a target that is missed" } },
    { .id = "planted/sound.1.hit", .says = "one round to excess 0.3", LEVER(ALWAYS), .measure = "hit.batch_steps",
      .check = CHECK_COUNT, .formula = one, .with = { { "goal.acc", 0.3 } },
      .control = { .with = { { "goal.acc", 0.001 } }, .why = "a target that is missed" } },
    { .id = "planted/hollow.1.reaches", .says = "one round, at excess 2", LEVER(ALWAYS), .measure = "batch_steps",
      .check = CHECK_COUNT, .formula = one, .reaches = { "excess", 2, .probability = 1 },
      .control = { .with = { { "algo.rounds", 2 } }, .why = "two rounds" } },
    { .id = "planted/hollow.1.missed", .says = "one round, at excess 0.1, which is missed at T = 4", LEVER(ALWAYS),
      .measure = "batch_steps", .check = CHECK_COUNT, .formula = one,
      .reaches = { "excess", 0.1, .probability = 1 },
      .control = { .with = { { "algo.rounds", 2 } }, .why = "two rounds" } },
    { .id = "planted/sound.1.reaches", .says = "one round, at excess 0.3", LEVER(ALWAYS), .measure = "batch_steps",
      .check = CHECK_COUNT, .formula = one, .reaches = { "excess", 0.3, .probability = 1 },
      .control = { .with = { { "algo.rounds", 2 } }, .why = "two rounds" } },
    /* Rule 2, about the mechanism under test. In the order of the claims: none is named; no control switches it
     * off; it contributes a third of the effect, then two thirds, then two thirds of an effect divided by 4;
     * without it the method stays at the start; a control switches it off. */
    { .id = "planted/hollow.2.unnamed", .says = "excess ~ T^(-1/2), of no mechanism", RATE(-0.5), SLOW },
    { .id = "planted/hollow.2.kept", .says = "excess ~ T^(-1/2), the power kept", RATE(-0.5), .tests = "power",
      .control = { .with = { { "algo.power", 1 } }, .why = "1/T" } },
    { .id = "planted/hollow.2.carries", .says = "excess ~ T^(-1/2), a third of it noise", RATE(-0.5),
      .tests = "noise",
      .with = { { "algo.noise", 0.5 } }, SLOW, .control2 = { .with = { { "algo.noise", 0 } }, .why = "no noise" } },
    { .id = "planted/sound.2.carries", .says = "excess ~ T^(-1/2), two thirds of it noise", RATE(-0.5),
      .tests = "noise", .with = { { "algo.noise", 2 }, { "algo.part", 0.25 } }, SLOW,
      .control2 = { .with = { { "algo.noise", 0 } }, .why = "no noise" } },
    { .id = "planted/sound.2.divided", .says = "excess/4 ~ T^(-1/2), two thirds of it noise", RATE(-0.5),
      .tests = "noise",
      .formula = four, .with = { { "algo.noise", 2 }, { "algo.part", 0.25 } }, SLOW,
      .control2 = { .with = { { "algo.noise", 0 } }, .why = "no noise" } },
    { .id = "planted/hollow.2.nothing", .says = "excess ~ T^(-1/2), against a method that stays", RATE(-0.5),
      .tests = "nothing", .control = { .with = { { "algo.power", 0 }, { "algo.part", 1 } }, .why = "stays at the "
                                      "start" } },
    { .id = "planted/sound.2.power", .says = "excess ~ T^(-1/2), of the power", RATE(-0.5), .tests = "power",
      SLOW },
    /* Rule 3: the mechanism `power` acts in 0.3 of the iterations. */
    { .id = "planted/hollow.3.acts", .says = "excess ~ T^(-1/2), where the power is idle", RATE(-0.5),
      .tests = "power", .with = { { "algo.often", 0.3 } }, SLOW },
    { .id = "planted/sound.3.acts", .says = "excess ~ T^(-1/2), where a third is enough", RATE(-0.5),
      .tests = "power",
      .with = { { "algo.often", 0.3 } }, .acts = { .least = 0.25, .why = "one step of four" }, SLOW },
    /* Rule 5: the bounds are 20 times and 3 times the excess T^(-1/2)/2. */
    { .id = "planted/hollow.5.far", .says = "excess <= 10 T^(-1/2)", LEVER(FAR), .measure = "excess",
      .check = CHECK_BOUND, .formula = tenfold, LOUD },
    { .id = "planted/hollow.5.uncaught", .says = "excess <= 1.5 T^(-1/2), with nothing that exceeds it",
      LEVER(ALWAYS),
      .measure = "excess", .check = CHECK_BOUND, .formula = near,
      .control = { .with = { { "algo.part", 0.4 } }, .why = "better" } },
    { .id = "planted/sound.5.near", .says = "excess <= 1.5 T^(-1/2)", LEVER(ALWAYS), .measure = "excess",
      .check = CHECK_BOUND, .formula = near, LOUD },
    /* Rule 6: a count of a run that need not reach any target. */
    { .id = "planted/hollow.6.count", .says = "one round", LEVER(ALWAYS), .measure = "batch_steps",
      .check = CHECK_COUNT, .formula = one, .control = { .with = { { "algo.rounds", 2 } }, .why = "two rounds" } },
    { 0 }
};

#define PROMISE { "T^(-1/2)", -0.5 }
#define ROW(name) { name, "excess", PROMISE, .claim = "planted/hollow.2." name }
static const struct theorem_row rows[] = { ROW("unnamed"), ROW("kept"), ROW("carries"), ROW("nothing"), { 0 } };
static const struct theorem theorems[] = {
    { "planted-hollow/theorem", "none", "The excess is T^(-1/2).", NULL, rows }, { 0 } };
static const struct item items[] = { { 0 } };

const struct paper paper_hollow = {
    .key = "planted-hollow", .title = "Hollow on purpose", .cite = "none", .claims = claims, .items = items,
    .theorems = theorems,
};
