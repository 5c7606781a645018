/* SPDX-License-Identifier: GPL-3.0-or-later */
/* whole_gradient.h - the mean over all records of gradients whose entries are clipped to C_j, or
 * bounded by L_j without, and T Gaussian releases of it. Replacing one record changes it by at most
 * 2 times the norm of these bounds, over n. */
#ifndef ASSAY_PARTS_WHOLE_GRADIENT_H
#define ASSAY_PARTS_WHOLE_GRADIENT_H

#include "gdp.h"

struct whole_gradient {
    struct oracle *o;
    struct point *at;
    double *C_j;                     /* [d] */
    bool clips;
};

/* clip finite: C_j[d], to be filled before the first gradient. Before the seal. */
static inline struct whole_gradient whole_gradient_new(struct oracle *o, struct arena *w,
                                                       double clip)
{
    return (struct whole_gradient){ .o = o, .at = oracle_point(o, w),
                                    .C_j = arena_vec(w, oracle_dim(o)), .clips = isfinite(clip) };
}

/* One pass, one round. */
static inline bool whole_gradient(struct whole_gradient *s, const double *x, double *g)
{
    point_set(s->at, x);
    return point_grad(s->at, s->clips ? s->C_j : NULL, g);
}

/* Is noise asked for, by the goal or by a scale that is set? */
static inline bool whole_is_private(const struct goal *goal, double scale)
{
    return scale > 0 || (isnan(scale) && !(isnan(goal->eps) && isnan(goal->rho)));
}

/* Whether every L_j is known and finite. */
static inline bool whole_is_bounded(const struct facts *f)
{
    for (long j = 0; f->L_j && j < (long)f->d; j++)
        if (!(f->L_j[j] < INFINITY))
            return false;
    return f->L_j;
}

/* *C where nobody has set it: no clipping of gradients without noise or with known L_j, else the
 * one in practice. */
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

/* Rounds where nobody has set them: `wish`, at most goal T and the passes that a budget of sample
 * gradients holds; no wish (NaN): goal T, or 16. */
static inline void whole_rounds(const struct facts *f, const struct goal *goal, double wish,
                                long *T)
{
    wish = !isnan(wish) ? wish : isnan(goal->T) ? 16 : goal->T;
    double most = fmin(isnan(goal->T) ? INFINITY : goal->T,
                       isnan(goal->budget) ? INFINITY : floor(goal->budget / f->n));
    param_choose_count(T, (long)fmax(1, fmin(most, fmin(0x1p40, rint(wish)))));
}

/* *z, where nobody has set it: the sd of T Gaussian releases in units of their sensitivity. */
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
