/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peers.c - solvers of SciPy and scikit-learn, which run as programs (docs/methods.md), on instances with a known optimum.
 * What is promised of them is no property of their code: a lower bound holds for every method whose iterates stay in the
 * span of its gradients, and on a quadratic their counts have the law of conjugate gradients. */
#include <math.h>
#include "claim.h"

/* --- formulas. The chain of d coordinates with start 0: after k gradients at most k coordinates are not zero, and the
 * least value over these is known. With F* = -(M a^2/8) d/(d+1) and a^2 = 6 (d+1) |x*|^2/(d (2d+1)) it is above F* by
 *
 *     (M a^2/8) (1/(k+1) - 1/(d+1)),   which for d = 2k+1 is at least 3 M |x*|^2/(32 (k+1)^2).
 *
 * (Nesterov, Introductory Lectures, Lemma 2.1.4 and Theorem 2.1.7.) */

static double chain_scale(const struct env *e)
{
    double d = e->facts->d;
    return e->facts->M_F * 6 * (d + 1) * e->facts->dist * e->facts->dist / (d * (2 * d + 1)) / 8;
}

/* The least excess that a method in the span of its gradients has after those that were asked. */
static double least_excess(const struct env *e)
{
    return chain_scale(e) * (1 / (env_count(e, COUNT_full_grads) + 1) - 1 / (e->facts->d + 1));
}

/* The least number of gradients after which such a method can be within goal.acc of the optimum. */
static double least_gradients(const struct env *e)
{
    return 1 / (e->goal->acc / chain_scale(e) + 1 / (e->facts->d + 1)) - 1;
}

/* A value comes with each gradient, so that T questions are at most T gradients: they do not reach the end of the chain. */
static double chain_length(double T, const struct facts *f) { return 2 * T + 1; }

static double decades(double kappa, const struct facts *f) { return log10(kappa); }

/* --- claims */

#define NESTEROV "Nesterov, Introductory Lectures on Convex Optimization (2004), Theorem 2.1.7"
#define CG_RATE "Hestenes and Stiefel, J. Res. NBS 49 (1952); Nocedal and Wright (2006), equation (5.36)"
#define WHOLE .tests = "none", .tests_none = "a program is run as it is: no part of it can be left out"
#define SCIPY(name) .algo = "scipy", .deterministic = true
#define OF(name) { "algo.method", .text = name }

/* A lower bound, judged on a program. */
#define FLOOR(id_, name)                                                                                     \
    { .id = "peers/floor." id_ ".excess.T", .item = "P1", .cite = NESTEROV,                                  \
      .says = name " of SciPy: the excess is at least the least value over as many coordinates as gradients", \
      .kind = KIND_THEOREM, .check = CHECK_MOMENT, .sense = SENSE_AT_LEAST, WHOLE, SCIPY(name),             \
      .problem = "chain", .axis = "T", .measure = "excess",                                                  \
      .with = { { "problem.d", .of = chain_length }, OF(name) },                                             \
      .window = { { 0 }, { 16, 256, 5, 1 }, { 16, 512, 6, 1 } }, .formula = least_excess,                    \
      .control = { .with = { { "problem.k", 8 } }, .why = "a chain that ends after 8 coordinates" } }

/* On the chain kappa is of order d^2. */
#define BY_D(id_, name, to, points)                                                                          \
    { .id = "peers/" id_ ".gradients.d", .item = "P2", .cite = CG_RATE,                                      \
      .says = name " of SciPy: order d gradients to the optimum of a quadratic with kappa of order d^2",     \
      .kind = KIND_THEOREM, .check = CHECK_RATE, WHOLE, SCIPY(name),                                        \
      .problem = "chain", .axis = "d", .measure = "hit.full_grads",                                          \
      .with = { { "goal.T", 1e7 }, { "goal.acc", 1e-8 }, { "run.trace", 2 }, OF(name) },                     \
      .window = { { 0 }, { 16, to, points, 1 }, { 16, 2 * to, points + 1, 1 } },                             \
      .law = { .form = LAW_POWER, .exponent = { 1 } }, .band = { 0.75, 1.25 }, .lower = least_gradients,     \
      .control = { .algo = "gd", .why = "gradient descent: kappa, d^2" } }

#define BY_KAPPA(id_, name)                                                                                  \
    { .id = "peers/" id_ ".gradients.kappa", .item = "P3", .cite = CG_RATE,                                  \
      .says = name " of SciPy: order kappa^(1/2) gradients to an accuracy, on a spectrum without gaps",      \
      .kind = KIND_THEOREM, .check = CHECK_RATE, WHOLE, SCIPY(name),                                        \
      .problem = "spectral", .axis = "kappa", .measure = "hit.full_grads",                                   \
      .with = { { "problem.s", 0 }, { "problem.radius", INFINITY }, { "problem.d", 400 },                    \
                { "problem.decades", .of = decades }, { "goal.T", 1e7 }, { "goal.acc", 1e-8 },               \
                { "run.trace", 2 }, OF(name) },                                                              \
      .window = { { 0 }, { 16, 4096, 5, 1 }, { 16, 16384, 6, 1 } },                                          \
      .law = { .form = LAW_POWER, .exponent = { 0.5 } }, .band = { 0.3, 0.7 },                               \
      .control = { .algo = "gd", .why = "gradient descent: kappa" } }

static const struct claim claims[] = {
    FLOOR("l-bfgs-b", "L-BFGS-B"),
    FLOOR("cg", "CG"),
    FLOOR("newton-cg", "Newton-CG"),
    FLOOR("trust-constr", "trust-constr"),
    BY_D("l-bfgs-b", "L-BFGS-B", 256, 5),
    BY_D("cg", "CG", 256, 5),
    BY_D("newton-cg", "Newton-CG", 256, 5),
    BY_D("trust-constr", "trust-constr", 64, 4),
    BY_KAPPA("l-bfgs-b", "L-BFGS-B"),
    BY_KAPPA("cg", "CG"),
    BY_KAPPA("newton-cg", "Newton-CG"),
    { 0 }
};

static const struct program programs[] = {
    { "scipy", "python3", "python/scipy_lbfgs.py" },
    { "sklearn", "python3", "python/sklearn_solvers.py" },
    { 0 }
};

static const struct item items[] = {
    { "P1", "the lower bound for methods in the span of their gradients", NULL },
    { "P2", "conjugate gradients' order d on the chain", NULL },
    { "P3", "conjugate gradients' order kappa^(1/2)", NULL },
    { 0 }
};

const struct paper paper_peers = {
    .key = "peers",
    .title = "Solvers that nobody here wrote",
    .cite = "SciPy; scikit-learn; Nesterov 2004; Hestenes and Stiefel 1952",
    .claims = claims,
    .items = items,
    .programs = programs,
};
