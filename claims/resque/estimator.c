/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimator.c - claims of Lemmas 1 and 2, on the ReSQue estimator, which weights gradients at points around a
 * centre to estimate a smoothed gradient at another point. The moments of a weight grow with the offset u, the
 * distance of that point from the centre in units of the smoothing radius rho. The mean of few heavy-tailed draws
 * decides little, so offsets are so small that the fourth power of a weight has a mean below 2000. Larger offsets
 * and the bounds of Lemma 2.2 are left to unit tests, which integrate the weights. */
#include "resque.h"

static double one(const struct env *e) { return 1; }
static double one_fifth(const struct env *e) { return 0.2; }
static double two(const struct env *e) { return 2; }
/* Returns the bound on the second moment of the estimator, exp(u^2) L^2. */
static double second_moment(const struct env *e)
{
    double u = env_param(e, "u");
    return exp(u * u) * e->facts->L * e->facts->L;
}
static double three_squares(const struct env *e) { return 3 * e->facts->L * e->facts->L; }
/* Returns the expected product of the weights w and w' for two points x and x' at the offsets v = x - centre and v'
 * = x' - centre, which is exp(<v, v'>/rho^2). The offsets have <v, v'> = |v|^2 = (u rho)^2, because v' - v is
 * orthogonal to v. */
static double product(const struct env *e)
{
    double u = env_param(e, "u");
    return exp(u * u);
}

#define DRAWN .kind = KIND_THEOREM, .algo = "resque", .problem = "noisy_l1"
#define SIGNS { "problem.d", 16 }, { "problem.p", 0.5 }, { "run.draws", 1000 }
#define WEIGHTS_ALONE .tests = "none", .tests_none = "a lemma about the weights alone, which its control spoils"
#define CLAMPED { .with = { { "algo.weights", .text = "clamped" } }, .why = "weights above 1 are cut" }

const struct claim resque_estimator[] = {
    { .id = "resque/parallel.lemma1.1.mean.u", .item = "C1 E1 2.1", DRAWN, .axis = "u",
      .cite = CITE "Lemma 1.1",
      .says = "E w g = grad F_rho(x) at any distance from the centre: an absolute value one rho away",
      .check = CHECK_MOMENT, .measure = "moment.share",
      .with = { { "problem.d", 1 }, { "problem.p", 1 }, { "run.draws", 1000 } },
      .window = { { 0.25, 0.75, 3, 16 }, { 0.25, 0.75, 3, 32 }, { 0.25, 0.75, 5, 64 } },
      .formula = one, .margin = one_fifth,
      .control = { .with = { { "algo.weights", .text = "none" } }, .why = "without weights: grad F_rho(xbar)" },
      WEIGHTS_ALONE },

    { .id = "resque/parallel.lemma1.2.moment.u", .item = "C2 E1 H3", DRAWN, .axis = "u",
      .cite = CITE "equation (7)",
      .says = "E|w g|^2 = exp(|x - xbar|^2/rho^2) L^2 where every gradient is L long",
      .check = CHECK_MOMENT, .measure = "moment.norm2", .with = { SIGNS },
      .window = { { 0.1875, 0.75, 3, 16 }, { 0.1875, 0.75, 3, 32 }, { 0.1875, 0.75, 5, 64 } },
      .formula = second_moment, .tolerance = 0.1, .control = CLAMPED,
      WEIGHTS_ALONE },

    { .id = "resque/parallel.lemma1.2.long.u", .item = "C2 8.2", .attempt = 2, .fresh = true, DRAWN, .axis = "u",
      .cite = CITE "Lemma 1.2",
      .says = "E|w g|^2 <= 3 L^2 within rho of the centre",
      .check = CHECK_BOUND, .measure = "moment.norm2", .with = { { "problem.d", 16 }, { "problem.p", 0.5 },
        { "run.draws", 8000 } },
      .window = { { 0.25, 1, 3, 16 }, { 0.25, 1, 3, 64 }, { 0.25, 1, 5, 64 } },
      .formula = three_squares,
      .control = { .with = { { "algo.u", 1.5, 1 } }, .why = "half as far again: 9.5 L^2" },
      WEIGHTS_ALONE },

    { .id = "resque/parallel.lemma2.1.double.power", .item = "C3 E1", .attempt = 2, DRAWN, .axis = "power",
      .cite = CITE "Lemma 2",
      .says = "E w^p <= 2 within rho/p of the centre, p >= 2",
      .check = CHECK_BOUND, .measure = "moment.power",
      .with = { SIGNS, { "algo.u", 1, -1 } },
      .window = { { 2, 8, 3, 16 }, { 2, 8, 3, 32 }, { 2, 16, 4, 64 } },
      .formula = two,
      .control = { .with = { { "algo.u", 2, -1 } }, .why = "twice as far away: exp(2(1 - 1/p))" },
      WEIGHTS_ALONE },

    { .id = "resque/parallel.weights.product.u", .item = "2.3 E1", DRAWN, .axis = "u",
      .cite = CITE "Section 2.1",
      .says = "weights of one query at two points: E w w' = exp(<v, v'>/rho^2)",
      .check = CHECK_MOMENT, .measure = "moment.product", .with = { SIGNS },
      .window = { { 0.1875, 0.75, 3, 16 }, { 0.1875, 0.75, 3, 32 }, { 0.1875, 0.75, 5, 64 } },
      .formula = product, .tolerance = 0.1, .control = CLAMPED,
      WEIGHTS_ALONE },

    { 0 }
};

