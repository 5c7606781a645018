/* SPDX-License-Identifier: GPL-3.0-or-later */
/* whole_gradient.h - the mean over all records of their gradients, and T Gaussian releases of it. The entries
 * of each gradient are clipped to C_j, or are bounded by L_j without clipping. Replacing one record changes
 * the mean by at most 2/n times the norm of these bounds. */
#ifndef ASSAY_PARTS_WHOLE_GRADIENT_H
#define ASSAY_PARTS_WHOLE_GRADIENT_H

#include "gdp.h"

struct whole_gradient {
    struct oracle *o;
    struct point *at;
    double *C_j;                     /* [d] C_j of the head, used if clips is true */
    bool clips;
};

/* Returns a source of mean gradients. If clip is finite, the caller fills C_j[d] before the first gradient. Call
 * this before arena_seal. */
static inline struct whole_gradient whole_gradient_new(struct oracle *o, struct arena *w,
                                                       double clip)
{
    return (struct whole_gradient){ .o = o, .at = oracle_point(o, w),
                                    .C_j = arena_vec(w, oracle_dim(o)), .clips = isfinite(clip) };
}

/* g[d] <- the mean of the clipped gradients at x[d], in one pass and one round. Returns false if the budget is
 * spent. */
static inline bool whole_gradient(struct whole_gradient *s, const double *x, double *g)
{
    point_set(s->at, x);
    return point_grad(s->at, s->clips ? s->C_j : NULL, g);
}

/* Returns whether noise is asked for: `scale` is positive or, if it is not set, the goal has eps or rho. */
static inline bool whole_is_private(const struct goal *goal, double scale)
{
    return scale > 0 || (isnan(scale) && !(isnan(goal->eps) && isnan(goal->rho)));
}

/* Returns whether all L_j are known and finite; then gradients are bounded without clipping. */
static inline bool whole_is_bounded(const struct facts *f)
{
    for (long j = 0; f->L_j && j < (long)f->d; j++)
        if (!(f->L_j[j] < INFINITY))
            return false;
    return f->L_j;
}

/* Sets *C if it is not set: to infinity (no clipping) if there is no noise or all L_j are known, else to
 * `practice`. Refuses where gradients must be clipped but *C is infinite, or is not set and cannot be chosen: with
 * the constants of theory, or if `practice` is not positive. */
static inline enum status whole_clip(const struct facts *f, const struct goal *goal, bool private,
                                     double practice, double *C, const char *who, struct why *why)
{
    bool open = private && !whole_is_bounded(f);
    if (open && !isfinite(*C) && (isinf(*C) || goal->constants == CONSTANTS_THEORY ||
                                  !(practice > 0)))
        return why_set(why, REFUSED, "%s: derivatives without a bound (L_j) must be clipped: give "
                       "algo.C", who);
    param_choose(C, open ? practice : INFINITY);
    return OK;
}

/* Sets *bound, the method's parameter of this name, if it is not set: to C where gradients are clipped, else to
 * `known`. Refuses a bound below C, as clipped gradients may be longer than it. */
static inline enum status whole_bound(double C, double known, double *bound, const char *name, const char *who,
                                      struct why *why)
{
    param_choose(bound, isfinite(C) ? C : known);
    if (isfinite(C) && *bound < C)
        return why_set(why, REFUSED, "%s: algo.%s = %g bounds gradients that are clipped to algo.C = %g: expected "
                       "at least as much", who, name, *bound, C);
    return OK;
}

/* Sets the number of rounds if it is not set: `wish`, but at most goal T and the passes that a budget of
 * sample gradients allows. wish NaN: goal T, or 16 without one. */
static inline void whole_rounds(const struct facts *f, const struct goal *goal, double wish,
                                long *T)
{
    wish = !isnan(wish) ? wish : isnan(goal->T) ? 16 : goal->T;
    double most = fmin(isnan(goal->T) ? INFINITY : goal->T,
                       isnan(goal->budget) ? INFINITY : floor(goal->budget / f->n));
    param_choose_count(T, (long)fmax(1, fmin(most, fmin(0x1p40, rint(wish)))));
}

/* Sets *z if it is not set: the standard deviation of each of T Gaussian releases, in units of their
 * sensitivity. */
static inline enum status whole_noise(const struct goal *goal, const char *calibration, long T,
                                      double *z, const char *who, struct why *why)
{
    double mu = NAN;
    if (!isnan(*z))
        return OK;
    TRY(gdp_choose(goal, calibration, &mu, who, why));
    *z = isinf(mu) ? 0 : sqrt((double)T) / mu;
    return OK;
}

#endif
