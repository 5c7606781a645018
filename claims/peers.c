/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peers.c - solvers of SciPy and scikit-learn, which run as programs (docs/methods.md), on instances whose
 * optimum is known. Most promises are theorems about what any such solver can do: a lower bound holds for every
 * method whose iterates stay in the span of its gradients, and on a quadratic the counts have the order of
 * conjugate gradients. Comparisons on a data set (ORDER) have no theorem and are evidence. */
#include <math.h>
#include "claim.h"

/* --- formulas of the lower bounds on the chain
 *
 * A method that starts at 0 on the chain of d coordinates has at most k coordinates that are not zero after k
 * gradients. With a^2 = 6 (d+1) |x*|^2/(d (2d+1)) the least excess over these points is
 *
 *     (M a^2/8) (1/(k+1) - 1/(d+1)),   for d = 2k+1 at least 3 M |x*|^2/(32 (k+1)^2)
 *
 * (Nesterov, Introductory Lectures, section 2.1.2 and Theorem 2.1.7). */

/* Returns M a^2/8. */
static double chain_scale(const struct env *e)
{
    double d = e->facts->d;
    return e->facts->M_F * 6 * (d + 1) * e->facts->dist * e->facts->dist / (d * (2 * d + 1)) / 8;
}

/* Returns the least excess that a method in the span of its gradients can have after as many gradients as the run
 * asked for. */
static double least_excess(const struct env *e)
{
    return chain_scale(e) * (1 / (env_count(e, COUNT_full_grads) + 1) - 1 / (e->facts->d + 1));
}

/* Returns the least number of gradients after which a method in the span of its gradients can have an excess of
 * goal.acc. */
static double least_gradients(const struct env *e)
{
    return 1 / (e->goal->acc / chain_scale(e) + 1 / (e->facts->d + 1)) - 1;
}

/* Returns a length of the chain whose end T gradients do not reach. */
static double chain_length(double T, const struct facts *f) { return 2 * T + 1; }

static double decades(double kappa, const struct facts *f) { return log10(kappa); }

/* --- claims */

#define NESTEROV "Nesterov, Introductory Lectures on Convex Optimization (2004), Theorem 2.1.7"
#define CG_RATE "Hestenes and Stiefel, J. Res. NBS 49 (1952); Nocedal and Wright (2006), equation (5.36)"
#define WHOLE .tests = "none", .tests_none = "a program is run as it is: no part of it can be left out"
#define INEXACT \
    "The theorem is about conjugate gradients with exact line searches, and this program searches inexactly."
#define OF(name) { "algo.method", .text = name }
#define RATE(e, low, high) \
    .check = CHECK_RATE, .law = { .form = LAW_POWER, .exponent = { e } }, .band = { low, high }

/* The lower bound least_excess, judged on a method of scipy.optimize.minimize. */
#define FLOOR(name, title)                                                                                   \
    { .id = "peers/" name ".floor.excess.T", .item = "P1", .cite = NESTEROV,                                 \
      .says = title ": the excess is at least the least value over as many coordinates as gradients",        \
      .kind = KIND_THEOREM, .check = CHECK_MOMENT, .sense = SENSE_AT_LEAST, .deterministic = true, WHOLE,    \
      .algo = "scipy", .problem = "chain", .axis = "T", .measure = "excess",                                 \
      .with = { { "problem.d", .of = chain_length }, OF(title) },                                            \
      .window = { { 0 }, { 16, 256, 5, 1 }, { 16, 512, 6, 1 } }, .formula = least_excess,                    \
      .control = { .with = { { "problem.k", 8 } }, .why = "a chain that ends after 8 coordinates" } }

/* On the chain the condition number kappa is about (2 d/pi)^2. goal.T is a budget that suffices for gradient
 * descent. */
#define BY_D(name, title, to, points)                                                                        \
    { .id = "peers/" name ".gradients.d", .item = "P2", .cite = CG_RATE, .remark = INEXACT,                  \
      .says = title ": order d gradients to the optimum of a quadratic whose kappa is of order d^2",         \
      .kind = KIND_EXTENSION, RATE(1, 0.75, 1.25), .deterministic = true, WHOLE,                             \
      .algo = "scipy", .problem = "chain", .axis = "d", .measure = "hit.full_grads",                         \
      .with = { ON_CHAIN, OF(title) },                                                                       \
      .window = { { 0 }, { 16, to, points, 1 }, { 16, 2 * to, points + 1, 1 } }, .lower = least_gradients,   \
      .control = { .algo = "gd", .why = "gradient descent: kappa, d^2" } }
#define ON_CHAIN { "goal.T", 20, 2 }, { "goal.acc", 1e-8 }, { "run.trace", 2 }

#define BY_KAPPA(name, title)                                                                                \
    { .id = "peers/" name ".gradients.kappa", .item = "P3", .cite = CG_RATE, .remark = INEXACT,              \
      .says = title ": order kappa^(1/2) gradients to an accuracy, on a spectrum without gaps",              \
      .kind = KIND_EXTENSION, RATE(0.5, 0.3, 0.7), .deterministic = true, WHOLE,                             \
      .algo = "scipy", .problem = "spectral", .axis = "kappa", .measure = "hit.full_grads",                  \
      .with = { { "problem.s", 0 }, { "problem.radius", INFINITY }, { "problem.d", 400 },                    \
                { "problem.decades", .of = decades }, { "goal.T", 400, 1 }, { "goal.acc", 1e-8 },            \
                { "run.trace", 2 }, OF(title) },                                                             \
      .window = { { 0 }, { 16, 4096, 5, 1 }, { 16, 16384, 6, 1 } },                                          \
      .control = { .algo = "gd", .why = "gradient descent: kappa" } }

/* A claim that one solver needs fewer gradients than another on logistic regression. */
#define ORDER(id_, program, title, rival, whose, to, nth)                                                    \
    { .id = "peers/" id_, .item = "P4", .attempt = nth,                                                      \
      .cite = "no theorem: logistic regression on heart_scale",                                              \
      .says = title " is within 1e-8 of the certified optimum after fewer gradients than " whose,            \
      .kind = KIND_EVIDENCE, .check = CHECK_ORDER, .deterministic = true, WHOLE,                             \
      .algo = program, .problem = "erm", .axis = "l2", .measure = "hit.full_grads",                          \
      .with = { { "goal.T", 10000 }, { "goal.acc", 1e-8 }, { "run.trace", 2 }, OF(title) },                  \
      .window = { { 0 }, { to / 1000, to, 4, 1 }, { to / 1000, to, 7, 1 } },                                 \
      .than = { .algo = rival, .why = whose },                                                               \
      .control = { .with = { { "algo.iterations", 1 } }, .why = "ends after one iteration" } }

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
    ORDER("l-bfgs-b.order.gradients.l2", "scipy", "L-BFGS-B", "nesterov", "Nesterov's method", 0.1, 0),
    ORDER("cg.order.gradients.small-l2", "scipy", "CG", "nesterov", "Nesterov's method", 0.01, 2),
    ORDER("sklearn.order.gradients.l2", "sklearn", "newton-cg", "gd", "gradient descent", 0.1, 0),
    { 0 }
};

static const struct attempt attempts[] = {
    { "peers/cg.order.gradients.l2", "peers/cg.order.gradients.small-l2", 1,
      "l2 = 0.0001 to 0.1", "ends after one iteration",
      "CONTRADICTED: 1.27 x the gradients of Nesterov's method at l2 = 0.1, fewer at 3 of 4 points",
      "Conjugate gradients gain over a fixed momentum where kappa is large; at l2 = 0.1 it is 8." },
    { 0 }
};

/* --- theorems */

#define FLOOR_ROW(title, name)                                                                               \
    { "T", "excess of " title, { "at least (M a^2/8) (1/(k+1) - 1/(d+1)) after k gradients", -2 },           \
      .claim = "peers/" name ".floor.excess.T" }
#define D_ROW(title, name)                                                                                   \
    { "d", "gradients of " title, { "d", 1 }, { { "d^2", 2, .whose = "gradient descent" }, { "constant", 0 } }, \
      .claim = "peers/" name ".gradients.d" }
#define KAPPA_ROW(title, name)                                                                               \
    { "kappa", "gradients of " title, { "kappa^(1/2)", 0.5 },                                                \
      { { "kappa", 1, .whose = "gradient descent" }, { "constant", 0 } },                                    \
      .claim = "peers/" name ".gradients.kappa" }

static const struct theorem_row floor_rows[] = {
    FLOOR_ROW("L-BFGS-B", "l-bfgs-b"), FLOOR_ROW("CG", "cg"), FLOOR_ROW("Newton-CG", "newton-cg"),
    FLOOR_ROW("trust-constr", "trust-constr"), { 0 }
};
static const struct theorem_row count_rows[] = {
    D_ROW("L-BFGS-B", "l-bfgs-b"), D_ROW("CG", "cg"), D_ROW("Newton-CG", "newton-cg"),
    D_ROW("trust-constr", "trust-constr"), KAPPA_ROW("L-BFGS-B", "l-bfgs-b"), KAPPA_ROW("CG", "cg"),
    KAPPA_ROW("Newton-CG", "newton-cg"), { 0 }
};

static const struct theorem theorems[] = {
    { "peers/floor", NESTEROV,
      "After k gradients no method whose iterates stay in their span is below the least value over the first k "
      "coordinates of the chain.", "smooth convex functions in many dimensions", floor_rows },
    { "peers/conjugate", CG_RATE,
      "Conjugate gradients come to an accuracy on a quadratic after order kappa^(1/2) gradients, at most d.",
      "quadratics", count_rows },
    { 0 }
};

/* --- figures */

static const struct plot plots[] = {
    { .id = "peers/figure.chain", .title = "Gradients to an excess of 1e-8 on the chain",
      .says = "Methods of SciPy beside methods of this program: gradient descent needs order d^2, the others order "
              "d.",
      .problem = "chain", .axis = "d", .measure = "hit.full_grads", .deterministic = true, .with = { ON_CHAIN },
      .window = { { 0 }, { 16, 256, 5, 1 }, { 16, 512, 6, 1 } },
      .line = { { .label = "SciPy L-BFGS-B", .algo = "scipy", .with = { OF("L-BFGS-B") } },
                { .label = "SciPy CG", .algo = "scipy", .with = { OF("CG") } },
                { .label = "SciPy Newton-CG", .algo = "scipy", .with = { OF("Newton-CG") } },
                { .label = "SciPy trust-constr", .algo = "scipy", .with = { OF("trust-constr") },
                  .window = { { 0 }, { 16, 64, 4, 1 }, { 16, 128, 5, 1 } } },
                { .label = "Nesterov", .algo = "nesterov" },
                { .label = "gradient descent", .algo = "gd", .exponent = 2, .over = { 16, 512 } } } },

    { .id = "peers/figure.path", .kind = PLOT_PATH, .x = "full_grads",
      .title = "Excess against gradients, logistic regression on heart_scale",
      .says = "l2 from 10^-3 to 10^-1: what is left of the excess of x = 0, in the median over all.",
      .problem = "erm", .axis = "l2", .measure = "excess", .deterministic = true, .with = { { "goal.T", 1000 } },
      .window = { { 0 }, { 0.001, 0.1, 3, 1 }, { 0.001, 0.1, 5, 1 } },
      .line = { { .label = "SciPy L-BFGS-B", .algo = "scipy", .with = { OF("L-BFGS-B") } },
                { .label = "SciPy CG", .algo = "scipy", .with = { OF("CG") } },
                { .label = "SciPy Newton-CG", .algo = "scipy", .with = { OF("Newton-CG") } },
                { .label = "SciPy trust-constr", .algo = "scipy", .with = { OF("trust-constr") } },
                { .label = "scikit-learn newton-cg", .algo = "sklearn", .with = { OF("newton-cg") } },
                { .label = "scikit-learn adam", .algo = "sklearn", .with = { OF("adam") } },
                { .label = "scikit-learn sgd", .algo = "sklearn", .with = { OF("sgd") } },
                { .label = "Nesterov", .algo = "nesterov" },
                { .label = "gradient descent", .algo = "gd" } } },
    { 0 }
};

static const struct item items[] = {
    { "P1", "the lower bound for methods in the span of their gradients", NULL },
    { "P2", "conjugate gradients' order d on the chain", NULL },
    { "P3", "conjugate gradients' order kappa^(1/2)", NULL },
    { "P4", "gradients to the optimum of a logistic regression, beside methods of this program", NULL },
    { 0 }
};

static const struct program programs[] = {
    { "scipy", "python3", "python/scipy_lbfgs.py" },
    { "sklearn", "python3", "python/sklearn_solvers.py" },
    { 0 }
};

const struct paper paper_peers = {
    .key = "peers",
    .title = "Solvers of SciPy and scikit-learn",
    .cite = "SciPy; scikit-learn; Nesterov 2004; Hestenes and Stiefel 1952",
    .claims = claims,
    .items = items,
    .plots = plots,
    .theorems = theorems,
    .attempts = attempts,
    .programs = programs,
};
