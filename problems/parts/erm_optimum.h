/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_optimum.h - the certified optimum of an empirical risk: smooth losses by their gradient,
 * losses with a kink by a dual point, kept on disk; losses that are not convex have none. */
#ifndef ASSAY_PARTS_ERM_OPTIMUM_H
#define ASSAY_PARTS_ERM_OPTIMUM_H

#include "erm.h"
#include "reference_ball.h"
#include "reference_dual.h"

/* Gaps aimed at, of F(0): a smooth loss's is the square of a gradient. An F below SEPARATED is
 * taken to be near its infimum 0. */
static const double ERM_SMOOTH_TARGET = 1e-18, ERM_KINK_TARGET = 1e-12, ERM_SEPARATED = 1e-6;

/* All but l1 |x|_1. */
static double erm_smooth_part(const void *ctx, const double *x, double *g)
{
    const struct erm *o = ctx;
    return erm_both(o, o->l2, 0, x, true, g);
}

static inline struct ball_problem erm_ball(const struct erm *o)
{
    return (struct ball_problem){ o->d, erm_smooth_part, o, o->strong, o->l1, o->radius };
}

static void erm_times(const void *ctx, const double *x, double *s)
{
    const struct erm *o = ctx;
    rows_times(&o->A, 0, o->n, x, s);
}

static void erm_combine(const void *ctx, const double *c, double *g)
{
    const struct erm *o = ctx;
    rows_combine(&o->A, 0, o->n, c, g);
}

static inline struct dual_problem erm_dual(const struct erm *o)
{
    return (struct dual_problem){ { o, o->n, o->d, erm_times, erm_combine }, o->y, o->loss, o->h,
                                  o->l2, o->radius, o->l1 };
}

/* Is what was recalled what its certificate says? values: x, what else the certificate needs, F(x)
 * and the gap, both to be found again to the last bit. */
static inline bool erm_confirmed(const double *claimed, double value, double gap)
{
    return claimed[0] == value && claimed[1] == gap;
}

static inline enum status erm_optimum_smooth(struct erm *o, struct reference_key *key,
                                             double target, struct arena *a, struct why *why)
{
    struct ball_problem p = erm_ball(o);
    struct ball_reference best;
    double *values = arena_vec(a, key->count = o->d + 2), *g = arena_vec(a, o->d);
    best.x = values;
    if (reference_recall(key, values) && vec_norm(o->d, values) <= o->radius * (1 + 1e-15)) {
        ball_certificate(&p, &best, g);
        if (erm_confirmed(values + o->d, best.value, best.gap)) {
            o->best = (struct erm_optimum){ best.x, best.value, best.gap, best.near };
            return OK;
        }
    }
    TRY(ball_reference(&p, target, a, &best, why));
    ball_certificate(&p, &best, g);
    vec_copy(o->d, best.x, values);
    values[o->d] = best.value;
    values[o->d + 1] = best.gap;
    reference_keep(key, values);
    o->best = (struct erm_optimum){ best.x, best.value, best.gap, best.near };
    return OK;
}

static inline enum status erm_optimum_kinked(struct erm *o, struct reference_key *key,
                                             double target, struct arena *a, struct why *why)
{
    struct dual_problem p = erm_dual(o);
    struct dual_reference best = { .x = NULL };
    long length = o->d + o->n;
    double *values = arena_vec(a, key->count = length + 2);
    double *s = arena_vec(a, o->n), *v = arena_vec(a, o->d);
    if (reference_recall(key, values) && vec_norm(o->d, values) <= o->radius * (1 + 1e-15)) {
        best.x = values;
        best.alpha = values + o->d;
        dual_judge(&p, &best, s, v);
        if (erm_confirmed(values + length, best.value, best.gap)) {
            o->best = (struct erm_optimum){ best.x, best.value, best.gap, best.near };
            return OK;
        }
    }
    TRY(dual_reference(&p, target, a, &best, why));
    vec_copy(o->d, best.x, values);
    vec_copy(o->n, best.alpha, values + o->d);
    values[length] = best.value;
    values[length + 1] = best.gap;
    reference_keep(key, values);
    o->best = (struct erm_optimum){ best.x, best.value, best.gap, best.near };
    return OK;
}

/* o->best <- the optimum; its x stays NULL for losses that are not convex. */
static inline enum status erm_optimum(struct erm *o, struct reference_key *key, struct arena *a,
                                      struct why *why)
{
    double *origin = arena_vec(a, o->d), first;
    o->best = (struct erm_optimum){ NULL, NAN, NAN, NAN };
    if (!o->loss->conjugate)
        return OK;
    vec_zero(o->d, origin);
    first = erm_value(o, origin);
    first = first > 0 ? first : 1;
    if (isfinite(o->loss->smooth(o->h)))
        TRY(erm_optimum_smooth(o, key, ERM_SMOOTH_TARGET * first, a, why));
    else
        TRY(erm_optimum_kinked(o, key, ERM_KINK_TARGET * first, a, why));
    /* Without regulariser and ball F* >= 0 is all that is certain: it tells something near 0. */
    if (o->best.value < ERM_SEPARATED)
        o->best.gap = fmin(o->best.gap, o->best.value);
    else if (!(o->best.gap < o->best.value))
        o->best.gap = o->best.near = INFINITY;
    return OK;
}

#endif
