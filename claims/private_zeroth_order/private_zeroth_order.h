/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_zeroth_order.h - the lists of claims of this paper, one for each theme, and the formulas and settings
 * that several of them use: bounds with the constants of the proofs, instances, windows. Where a file of this
 * folder says nothing else, the method is that of algos/private_zo_o2nc.c: a learner of nonsmooth nonconvex losses
 * (O2NC) makes K epochs of T steps, with B1 samples in the first step and B2 in the others, M samples in all. GRAD
 * estimates a gradient of the smoothed loss, DIFF a difference of two gradients; the naive oracle uses GRAD at
 * every step. L is the Lipschitz constant of the losses, Phi the excess at the start, d the dimension, delta the
 * radius of smoothing, rho the promise of privacy, which is (alpha, alpha rho^2/2)-RDP, sigma the standard
 * deviation of the noise of a node of the tree. The learner takes steps Delta of length D at most, and eta is the
 * step length with which it updates Delta. A certificate is the norm of the mean over an epoch of gradients of F,
 * or of smoothed gradients: an upper bound on Goldstein's norm. */
#ifndef ASSAY_CLAIMS_PRIVATE_ZEROTH_ORDER_H
#define ASSAY_CLAIMS_PRIVATE_ZEROTH_ORDER_H

#include <math.h>
#include "claim.h"

#define CITE "Zhang, Tran, Cutkosky 2024, "

/* The lists of claims, in the order in which the report shows them. Each list ends with { 0 }. */
extern const struct claim private_zeroth_order_draws[], private_zeroth_order_runs[], private_zeroth_order_exact[],
                          private_zeroth_order_privacy[], private_zeroth_order_rivals[],
                          private_zeroth_order_tight[],
                          private_zeroth_order_baselines[], private_zeroth_order_floor[],
                          private_zeroth_order_errata[];
extern const struct item private_zeroth_order_items[];
extern const struct attempt private_zeroth_order_attempts[];
extern const struct plot private_zeroth_order_figures[];
extern const struct contest private_zeroth_order_contest;

#define PZO "private-zo-o2nc"

/* --- the bound BND of a run of private-zo-o2nc on Goldstein's norm at the answer wbar, where eta = D/(G sqrt T):
 * E|grad F(wbar)|_(2 delta) <= BND,
 *     V = 16 d L^2/B1 + 64 d L^2/(B2 T),  N = 2 ln(T) d sigma^2,  G^2 = 3V + 3L^2 + 3N,
 *     BND = (Phi + 2 L delta)/(delta K) + G/sqrt T + 2(sqrt V + sqrt N) */
static inline double zo_bound(const struct env *e)
{
    double d = e->facts->d, L = env_param(e, "L"), T = env_param(e, "T"), K = env_param(e, "K");
    double delta = env_param(e, "smoothing"), sigma = env_param(e, "sigma");
    double V = 16 * d * L * L * (1 / env_param(e, "B1") + 4 / (env_param(e, "B2") * T));
    double N = 2 * log(T) * d * sigma * sigma, G = sqrt(3 * (V + L * L + N));
    return (env_param(e, "Phi") + 2 * L * delta) / (delta * K) + G / sqrt(T) +
           2 * (sqrt(V) + sqrt(N));
}

/* Returns the number of samples of a run, K epochs of B1 + B2 (T - 1). */
static inline double zo_samples(const struct env *e)
{
    return env_param(e, "K") * (env_param(e, "B1") + env_param(e, "B2") * (env_param(e, "T") - 1));
}

static inline double zo_rounds(const struct env *e) { return env_param(e, "K") * env_param(e, "T"); }

/* For claims whose axis is goal.radius: the family measures Goldstein's norm at this radius. */
#define RADIUS_OF_AXIS { "problem.goldstein", 1, 1 }

/* A remark for claims with the default step length eta, for which zo_bound is not proven. */
#define PRACTICAL_STEP                                                                            \
    "The step is the practical one; the bound is proven for that of the proof: vr.thm4.9.bound.theory.n."

#define STOPPED { .with = { { "algo.step", 0 } }, .why = "a learner that never moves" }

/* For claims about an oracle or the noise at given points, where no method moves. */
#define OF_NO_MECHANISM                                                                            \
    .tests = "none",                                                                               \
    .tests_none = "The lemma is about one oracle by itself: nothing moves, and the control has another law"

/* --- for claims about runs of the method (runs.c and others) */

#define RUN .kind = KIND_THEOREM, .algo = PZO, .problem = "sloped"
#define CERTIFIED .check = CHECK_RATE, .measure = "set.smoothed.mean"

/* With drift = 1 all sample losses are equal: they fall with slope L along -v, v a unit vector of the instance,
 * until <v,x> = -R, and are constant beyond. */
#define SLOPE { "problem.shape", .text = "slope" }, { "problem.drift", 1 }, { "problem.R", 0.5 }

#define CONE { "problem.shape", .text = "cone" }
#define VALLEY { "problem.shape", .text = "valley" }, { "problem.R", 10 }
#define AT_RADIUS { "goal.radius", 0.1 }

/* For claims that a run obeys the bound of Theorem 4.9 (BOUNDED), on a clipped slope in two dimensions with the T
 * for which the bound is least (SLOPE_BOUNDED). */
#define BOUNDED .check = CHECK_BOUND, .axis = "n", .formula = zo_bound, .control = STOPPED, A_BOUND
#define A_BOUND                                                                                    \
    .tests = "none", .tests_none = "A bound with all constants, which not moving exceeds: rates test the mechanisms"

#define SLOPE_BOUNDED SLOPE, { "problem.d", 2 }, AT_RADIUS, { "algo.choice", .text = "bound" }

static inline double zo_root_log(const struct env *e) { return sqrt(log(env_param(e, "T"))); }

#define COUNT_OF_RUN .kind = KIND_IDENTITY, .algo = PZO, .problem = "sloped"
#define COUNTED .check = CHECK_COUNT, .deterministic = true, .axis = "n"
#define ASKED { "problem.d", 5 }, { "goal.rho", 1 }, AT_RADIUS
#define COUNTS_WINDOW .window = { { 1e3, 1e4, 2, 1 }, { 1e3, 1e5, 3, 1 }, { 1e3, 1e6, 4, 1 } }

/* --- for claims about privacy (privacy.c and others) */

#define SMALL { "problem.shape", .text = "slope" }, { "problem.R", 100 }, { "problem.d", 1 },     \
              { "goal.n", 64 }, { "goal.delta", 1e-5 }, { "goal.radius", 0.1 }

/* --- for claims about rivals (rivals.c and others) */

/* Returns 2 Phi/(delta N) + max( 5 G^(2/3) Phi^(1/3)/(N delta)^(1/3), 6 G/sqrt N ), the bound of o2nc (O2NC with
 * exact sample gradients) on Goldstein's norm at radius delta after N samples. */
static inline double zo_first_order(const struct env *e)
{
    double N = env_count(e, COUNT_taken), delta = env_param(e, "radius"), G = env_param(e, "G");
    double Phi = env_param(e, "Phi");
    return 2 * Phi / (delta * N) + fmax(5 * cbrt(G * G * Phi / (N * delta)), 6 * G / sqrt(N));
}

#endif
