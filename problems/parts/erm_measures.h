/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_measures.h - the measures of an empirical risk. A measure is NaN where it is not known: where there is no
 * reference optimum (losses that are not convex have none), or where the labels are no classes. */
#ifndef ASSAY_PARTS_ERM_MEASURES_H
#define ASSAY_PARTS_ERM_MEASURES_H

#include <float.h>
#include "erm_optimum.h"

static double erm_objective(const void *self, const double *x, double *error)
{
    *error = 0;
    return erm_value(self, x);
}

/* Returns the size of the rounding error of F(x) = f: that of the losses, plus that of the scores times the
 * slopes of the losses. A slope is at most the Lipschitz constant, and at most sqrt(2 l) where the loss l >= 0 has
 * a second derivative of at most 1; the root of the mean of 2 l is then at most sqrt(2 f). */
static inline double erm_rounding(const struct erm *o, const double *x, double f)
{
    double steep = o->loss->lipschitz(o->h);
    if (o->loss->smooth(o->h) <= 1)
        steep = fmin(steep, sqrt(2 * f));
    return DBL_EPSILON * (f + steep * o->length * vec_norm(o->d, x));
}

/* Returns an upper bound on F(x) - F*, which lies between F(x) - F(best) and F(x) - F(best) + gap. Both ends are
 * known up to the rounding of F. An infinite gap is in *error alone. */
static double erm_excess(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    double f = erm_value(o, x), gap = isinf(o->best.gap) ? 0 : o->best.gap;
    double rounding = erm_rounding(o, x, f);
    *error = o->best.gap + 2 * rounding;
    return f - o->best.value + gap + rounding;
}

/* Returns (F(x) - F*)/F*, which papers plot; NaN where F* is not known, or not positive. */
static double erm_relative(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    double excess = erm_excess(self, x, error);
    *error /= o->best.value;
    return o->best.value > 0 ? excess / o->best.value : NAN;
}

/* Returns the number of nonzero coordinates of x that are nonzero in the reference optimum if `right` is true, else
 * of those that are zero in it. */
static inline double erm_hits(const struct erm *o, const double *x, bool right)
{
    double count = 0;
    for (long j = 0; j < o->d; j++)
        count += x[j] != 0 && (o->best.x[j] != 0) == right;
    return count;
}

static double erm_support_hits(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    *error = 0;
    return o->best.x ? erm_hits(o, x, true) : NAN;
}

static double erm_support_errors(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    *error = 0;
    return o->best.x ? erm_hits(o, x, false) : NAN;
}

static double erm_support_size(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    *error = 0;
    return o->best.x ? erm_nonzeros(o->d, o->best.x) : NAN;
}

static double erm_l1(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    *error = 0;
    return o->l1;
}

static double erm_distance(const void *self, const double *x, double *error)
{
    const struct erm *o = self;
    *error = 2 * o->best.near;
    if (!o->best.x)
        return NAN;
    return vec_dist(o->d, x, o->best.x) + (isinf(o->best.near) ? 0 : o->best.near);
}

/* Returns a bound on F(x) - F* from the slopes of the losses at x, which needs no reference optimum. */
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

/* Entries of a table of measures, for those that need no records held out. */
#define ERM_MEASURES                                                                            \
    { "excess", "f", "F(x) - F*, F* a certified reference", CERTIFIED, erm_excess, NULL },      \
    { "relative", "1", "(F(x) - F*)/F*", CERTIFIED, erm_relative, NULL },                       \
    { "objective", "f", "F(x)", EXACT, erm_objective, NULL },                                   \
    { "gap", "f", "bound on F(x) - F* by the slopes at x alone", EXACT, erm_gap, NULL },        \
    { "distance", "x", "|x - x*|, x* a certified reference", CERTIFIED, erm_distance, NULL },   \
    { "support_hits", "", "non-zeros of x that the reference has too", EXACT,                   \
      erm_support_hits, NULL },                                                                 \
    { "support_errors", "", "non-zeros of x that the reference has not", EXACT,                 \
      erm_support_errors, NULL },                                                               \
    { "support_size", "", "non-zeros of the reference", EXACT, erm_support_size, NULL },        \
    { "l1", "f/x", "the penalty in use", EXACT, erm_l1, NULL },                                 \
    { "accuracy", "1", "share of records on the right side", EXACT, erm_accuracy, NULL }

static bool erm_minimiser(const void *self, double *x)
{
    const struct erm *o = self;
    if (!o->best.x)
        return false;
    vec_copy(o->d, o->best.x, x);
    return isfinite(o->best.near);
}

/* Slots of both families. `make`, `sets` and `measures` are functions and tables that each family defines. */
#define ERM_SLOTS                                                                                \
    .fixed = true, .make = make, .sample_value = erm_sample_value, .sample_grad = erm_sample_grad,\
    .linear = &erm_linear, .values_along = erm_values_along, .sample_nonzeros = erm_sample_nonzeros,\
    .value = erm_value, .grad = erm_grad, .cursor = &erm_cursor, .composite = &erm_composite, .sets = sets,\
    .measures = measures, .minimiser = erm_minimiser

#endif
