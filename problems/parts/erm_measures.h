/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_measures.h - the rulers of an empirical risk. NaN: not known (no optimum of a loss that is
 * not convex, no classes, no records held out). */
#ifndef ASSAY_PARTS_ERM_MEASURES_H
#define ASSAY_PARTS_ERM_MEASURES_H

#include <float.h>
#include "erm_optimum.h"

static double erm_objective(const void *self, const double *x, double *error)
{
    *error = 0;
    return erm_value(self, x);
}

/* Rounding of F(x): of the losses, and of scores times slopes; squares have slopes sqrt(2 l). */
static inline double erm_rounding(const struct erm *o, const double *x, double f)
{
    double steep = fmin(o->loss->lipschitz(o->h), sqrt(2 * f));
    return DBL_EPSILON * (f + steep * o->length * vec_norm(o->d, x));
}

/* The truth lies in [F(x) - F(best), F(x) - F(best) + gap], both ends known up to the rounding of
 * a loss and of its score. */
static double erm_excess(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    double f = erm_value(o, x), gap = isinf(o->best.gap) ? 0 : o->best.gap;
    double rounding = erm_rounding(o, x, f);
    *error = o->best.gap + 2 * rounding;
    return f - o->best.value + gap + rounding;
}

static double erm_distance(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    *error = 2 * o->best.near;
    if (!o->best.x)
        return NAN;
    return vec_dist(o->d, x, o->best.x) + (isinf(o->best.near) ? 0 : o->best.near);
}

/* What x proves of itself by its own slopes: a bound on the excess that needs no optimum. */
static double erm_gap(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    *error = 0;
    if (!o->loss->conjugate)
        return NAN;
    double f = erm_both(o, o->l2, 0, x, true, o->work);
    double F = f + (o->l1 > 0 ? o->l1 * vec_norm1(o->d, x) : 0);
    struct simple_set set = { o->strong, o->l1, o->radius, o->l1 > 0 ? F / o->l1 : INFINITY };
    return simple_gap(&set, o->d, x, o->work);
}

static inline double erm_share(const struct rows *A, const double *y, const double *x)
{
    long right = 0;
    for (long i = 0; i < A->n; i++)
        right += y[i] * rows_dot(A, i, x) > 0;
    return (double)right / (double)A->n;
}

static double erm_accuracy(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    *error = 0;
    return o->loss->signs ? erm_share(&o->A, o->y, x) : NAN;
}

static double erm_held_loss(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    double sum = 0;
    *error = 0;
    for (long i = 0; i < o->held.n; i++)
        sum += o->loss->value(o->h, rows_dot(&o->held, i, x), o->held_y[i]);
    return o->held.n ? sum / (double)o->held.n : NAN;
}

static double erm_held_accuracy(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    *error = 0;
    return o->loss->signs && o->held.n ? erm_share(&o->held, o->held_y, x) : NAN;
}

static bool erm_minimiser(const void *self, double *x)
{
    const struct erm *o = self;
    if (!o->best.x)
        return false;
    vec_copy(o->d, o->best.x, x);
    return isfinite(o->best.near);
}

#endif
