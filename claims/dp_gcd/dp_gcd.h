/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp_gcd.h - the claims about the paper of theorems.c, one list for each theme, and the formulas and settings that
 * several claims share. n is the number of records, p the dimension, T the number of rounds, M the smoothness of
 * every coordinate. L_j, the Lipschitz constant of coordinate j, is 1 where nothing else is said. */
#ifndef ASSAY_CLAIMS_DP_GCD_H
#define ASSAY_CLAIMS_DP_GCD_H

#include <math.h>
#include "claim.h"

#define CITE "Mangold, Bellet, Salmon, Tommasi (AISTATS 2023), "

/* The lists of claims, in the order in which the report shows them. Each list ends with { 0 }. */
extern const struct claim dp_gcd_experiments[], dp_gcd_lemmas[], dp_gcd_privacy[], dp_gcd_convex[],
                          dp_gcd_rivals[], dp_gcd_strong[], dp_gcd_sparse[];
extern const struct item dp_gcd_items[];
extern const struct attempt dp_gcd_attempts[];
extern const struct plot dp_gcd_figures[];
extern const struct exhibit dp_gcd_tables[];
extern const struct reproduction dp_gcd_reproduction;

/* --- Theorems 4.4 and 4.7: their noise, and runs on private_mean */

/* zeta, the probability with which the bounds of Theorems 4.4 and 4.7 may fail. */
#define GCD_ZETA 0.1

static inline double gcd_log_delta(const struct env *e) { return log(1 / e->goal->delta); }
static inline double gcd_T(const struct env *e) { return env_param(e, "T"); }

/* Returns log(8 T p/zeta), the logarithm in the bounds; it comes from a union bound over the T p noise values of a
 * run. */
static inline double gcd_log(const struct env *e)
{
    return log(8 * gcd_T(e) * e->facts->p / GCD_ZETA);
}

/* Returns the scale of the noise of Theorem 4.2 for L = 1, lambda = 8 sqrt(T log(1/delta))/(n eps). */
static inline double gcd_lambda(const struct env *e)
{
    return 8 * sqrt(gcd_T(e) * gcd_log_delta(e)) / (e->facts->n * e->goal->eps);
}

/* Returns what the noise of a step can add to the excess by the bounds, beta = (2 lambda^2/M) log(8 T p/zeta)^2. */
static inline double gcd_beta(const struct env *e)
{
    double noise = gcd_lambda(e) * gcd_log(e);
    return 2 * noise * noise / e->facts->M;
}

#define ANY_EPS { "goal.delta", 1e-6 }, { "algo.accounting", .text = "thm42" },                  \
                { "algo.rnm_mode", .text = "paper" }
#define THM42 { "goal.eps", 1 }, ANY_EPS
#define OWN_T { "goal.budget", 1e18 }
#define ON_FLAT                                                                                  \
    .algo = "dp-gcd", .problem = "private_mean", .measure = "excess"
/* OF_NOISE is for claims about private runs whose error must be due to the noise: the same run without noise
 * (QUIET) must leave less than half of the error. */
#define QUIET { .with = { { "algo.share", INFINITY } }, .why = "the same run without noise" }
#define OF_NOISE .tests = "noise", .control2 = QUIET
#define OF_NO_MECHANISM(reason) .tests = "none", .tests_none = reason
#define NO_STEP { .with = { { "algo.step", 0 } }, .why = "a method that does not move" }

/* --- settings for the comparison with other methods, in claims and figures */

#define PRIVATE { "goal.eps", 1 }, { "goal.delta", 1e-6 }
/* The quasi-sparse quadratic QS(5, r, p) in p dimensions: five entries of the minimiser have size r, the others are
 * 0, and all curvatures are 1. */
#define QS(n, r) { "problem.n", n }, { "problem.active", 5 }, { "problem.rest", 1 }, \
        { "problem.r", r }, PRIVATE

/* --- settings of the experiments of Section 5, for the claims about them (experiments.c) and for `assay reproduce`
 * (reproduction.c) */

static inline double one_over_n2(double passes, const struct facts *f) { return 1 / (f->n * f->n); }
#define GCD_OF_PAPER                                                                             \
    { "algo.rule", .text = "GS-r" }, { "algo.accounting", .text = "eq2" },                       \
    { "algo.rnm_mode", .text = "paper" }
#define REAL(set, of, scale) \
    { "problem.data", .text = set }, { "problem.loss", .text = of }, \
    { "problem.scaling", .text = scale }, { "problem.prox", .text = "all" }

#endif
