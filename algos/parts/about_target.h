/* SPDX-License-Identifier: GPL-3.0-or-later */
/* about_target.h - functionals of a draw v that estimates a target t: the error v - t and parts of it. */
#ifndef ASSAY_PARTS_ABOUT_TARGET_H
#define ASSAY_PARTS_ABOUT_TARGET_H

#include <math.h>
#include "estimator.h"

static inline double target_error(const struct functional_env *env, const double *v)
{
    return env->target ? vec_dist(env->d, v, env->target) : NAN;
}

static inline double target_error2(const struct functional_env *env, const double *v)
{
    double e = target_error(env, v);
    return e * e;
}

static inline double target_error4(const struct functional_env *env, const double *v)
{
    double e = target_error2(env, v);
    return e * e;
}

/* Returns <v, t>/|t|^2, whose mean is 1 if the draws have no bias along t. */
static inline double target_share(const struct functional_env *env, const double *v)
{
    return env->target ? vec_dot(env->d, v, env->target) /
                             vec_dot(env->d, env->target, env->target)
                       : NAN;
}

/* Returns <v - t, u>, where u = env->direction is a unit vector that all draws of a cell share; the mean is 0 if
 * the draws have no bias along u. */
static inline double target_along(const struct functional_env *env, const double *v)
{
    return env->target ? vec_dot(env->d, v, env->direction) -
                             vec_dot(env->d, env->target, env->direction)
                       : NAN;
}

#define TARGET_FUNCTIONALS                                                             \
    { "share", "1", "<v, t>/|t|^2, t the target", target_share },                      \
    { "along", "x", "<v - t, e>, e a fixed unit vector", target_along },               \
    { "error", "x", "|v - t|", target_error },                                         \
    { "error2", "x^2", "|v - t|^2", target_error2 },                                   \
    { "error4", "x^4", "|v - t|^4", target_error4 }

/* out[d] <- the minimiser of F + (mu/2)|x|^2 over the feasible set. Returns false if the family does not know
 * it. */
static inline bool target_prox(const struct problem *problem, const void *self, double mu,
                               struct arena *w, long d, double *out)
{
    double *origin = arena_vec(w, d);
    vec_zero(d, origin);
    return problem_proximal_point(problem, self, mu, origin, out);
}

#endif
