/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque.h - declares the lists of claims about the paper of theorems.c, one for each theme, and defines the
 * formulas and settings that several of these lists share. */
#ifndef ASSAY_CLAIMS_RESQUE_H
#define ASSAY_CLAIMS_RESQUE_H

#include <math.h>
#include "claim.h"

#define CITE "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, "

/* The lists of claims, in the order in which the report shows them. Each list ends with { 0 }. */
extern const struct claim resque_estimator[], resque_depth[], resque_table1[], resque_exact[],
                          resque_rival_gradients[], resque_rival_excess[], resque_solvers[], resque_privacy[],
                          resque_private[], resque_noise[];
extern const struct item resque_items[];
extern const struct attempt resque_attempts[];
extern const struct plot resque_figures[];
extern const struct exhibit resque_tables[];

/* --- formulas and settings of the part "parallel": the estimator, ball acceleration, Table 1 */

/* Returns (kappa/1.5)^2, rounded: the number of coordinates for the family coercive_max, a maximum of coordinates.
 * With it the excess at the start is 1.5 times the accuracy 1/kappa. */
static inline double diagonal(double kappa, const struct facts *f) { return rint(kappa * kappa / 2.25); }
static inline double coordinates(const struct env *e) { return e->facts->d; }
static inline double accuracy(const struct env *e) { return e->goal->acc; }
/* Returns kappa = G |x0 - x*|/eps for the accuracy eps of the goal; G is the bound on gradients. */
static inline double kappa_of(const struct env *e) { return e->facts->G * e->facts->dist / e->goal->acc; }

#define KAPPA .axis = "kappa"
#define ACCURATE { "goal.acc", 1, -1 }, { "goal.n", 3e4, 2 }
#define DIAGONAL KAPPA, .problem = "coercive_max", .measure = "hit.batch_steps"
#define DIAGONAL_WITH { "problem.d", .of = diagonal }, ACCURATE, { "run.trace", 2 }
#define SIGNED .problem = "noisy_l1"
#define HALF { "problem.p", 0.5 }
#define EPOCHS .algo = "ball-accel-epoch-sgd"
#define STAGES .algo = "ball-accel-ac-sa"
#define SEARCHED { "algo.gradient", .text = "search" }
#define LAW(e, low, high) .law = { .form = LAW_POWER, .exponent = { e } }, .band = { low, high }
#define SGD_CONTROL \
    { .algo = "sgd", .with = { { "goal.n", 1, 2 } }, .why = "SGD, kappa^2 steps: kappa^2" }
#define ON_NORM .problem = "norm"
#define HITS .measure = "hit.batch_steps"
#define EVERY { "run.trace", 2 }
#define SGD_BUDGET { "goal.n", 1, 2 }
#define ENDLESS { "goal.T", 1e9 }
/* The claim asks that nine runs of ten reach an excess of goal.acc. */
#define REACHED .reaches = { "excess", .of = accuracy, .probability = 0.9 }
#define FEW { "algo.c", 3 }
#define PLAIN_SGD .tests = "none", .tests_none = "SGD is the plain method: it has no part that could be left out"
#define WHOLE_SMOOTHING .tests = "none", .tests_none = "randomised smoothing is compared as a whole; its " \
                                                       "steps are a row of Table 1, no theorem of this paper"
#define TWO_ROUNDS_REASON .tests_none = "an accuracy at practical constants; balls are for the number of rounds"
/* A control that builds models of the gradient which hold in a whole ball. Its number of queries is proportional to
 * c. Models that are accurate enough need c = 1; the claims set a smaller c, which does not change the exponent. */
#define WHOLE_BALLS(c_, growth) \
    { .algo = "ball-accel-pooled", .with = { { "algo.c", c_ }, { "goal.n", 1e10 } }, \
      .why = "models of whole balls: " growth }
#define QUERIES_D SIGNED, .axis = "d", REACHED, .with = { HALF, { "goal.acc", 0.05 }, { "goal.n", 2e8 } }, \
                  .window = { { 0 }, { 8, 64, 4, 8 }, { 8, 256, 6, 16 } }
#define OVER_SMOOTHING { .algo = "randomised-smoothing", .why = "accelerated randomised smoothing" }

/* --- settings of the part "private": the rivals of Table 2 */

#define COUNT { "run.count", 1 }
#define PROMISE(e, d_) { "goal.eps", e }, { "goal.delta", d_ }
#define PAPER { "algo.calibration", .text = "paper" }
#define RDP { "algo.calibration", .text = "rdp" }
#define VARIANT(word) { "algo.variant", .text = word }
#define MULTI .algo = "multi-epoch-dp-sgd"
#define FKT20 .algo = "phased-erm"
#define BY_SGD { "algo.solver", .text = "sgd" }
#define AFKT21 .algo = "localised-sgd"
#define KLL21 .algo = "localised-smoothing"
#define POWER(e, half) .law = { .form = LAW_POWER, .exponent = { e } },                            \
                       .band = { (e) - (half), (e) + (half) }
#define SQUARED { "goal.n", 1, 2 }
#define ONCE { "goal.n", 1, 1 }

/* --- settings of the part "private": Algorithms 3 to 7 */

/* For claims in which every draw is one call of Algorithm 3, 5, 6 or 7, with a ball about the origin, on linear
 * losses. */
#define ONE_CALL .algo = "resque-erm", .problem = "linear"
#define LONG_AXIS .axis = "gradients"
#define STRONGLY { "algo.step", .text = "strongly" }, { "algo.lam", 2 }
#define LITERAL { "algo.C_cvx", 16 }
/* STEEP and PLANE are linear losses of slope L whose samples have no noise: the start has the distance L/lam from
 * the minimiser, and the only noise is that for privacy. The samples of EIGHT have noise. */
#define STEEP { "problem.d", 8 }, { "problem.hardness", 1 }, { "problem.s", 0 }, { "problem.radius", 100 }
#define PLANE { "problem.d", 2 }, { "problem.hardness", 1 }, { "problem.s", 0 }, { "problem.radius", 100 }
#define EIGHT { "problem.d", 8 }, { "problem.hardness", 0.1 }, { "problem.radius", 100 }

#endif
