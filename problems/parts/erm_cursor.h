/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_cursor.h - the coordinate cursor of an empirical risk: the scores A x, then x. Its partial
 * derivatives are those of the samples, a prox takes care of the rest. */
#ifndef ASSAY_PARTS_ERM_CURSOR_H
#define ASSAY_PARTS_ERM_CURSOR_H

#include "erm.h"

/* Made when first asked for, since most methods never ask. */
static inline const struct columns *erm_columns(const struct erm *o)
{
    const struct columns *c = NULL;
    BUG_IF(data_columns(o->A.t, &c, NULL) != OK);
    return c;
}

static inline bool erm_is_ones(const struct erm *o, long j)
{
    return o->A.ones && j == o->d - 1;
}

static size_t erm_cursor_bytes(const void *self)
{
    const struct erm *o = self;
    return (size_t)(o->n + o->d) * sizeof(double);
}

static void erm_cursor_set(const void *self, void *cache, const double *x)
{
    const struct erm *o = self;
    rows_times(&o->A, 0, o->n, x, cache);
    vec_copy(o->d, x, (double *)cache + o->n);
}

static long erm_column_nonzeros(const void *self, long j)
{
    const struct erm *o = self;
    return erm_is_ones(o, j) ? o->n : table_column(erm_columns(o), j).count;
}

static long erm_cursor_add(const void *self, void *cache, long j, double step)
{
    const struct erm *o = self;
    double *s = cache;
    s[o->n + j] += step;
    if (erm_is_ones(o, j)) {
        for (long i = 0; i < o->n; i++)
            s[i] += step;
        return o->n;
    }
    struct entries a = table_column(erm_columns(o), j);
    for (long k = 0; k < a.count; k++)
        s[a.index[k]] += step * a.value[k];
    return a.count;
}

/* What every record adds to its partial derivative j. */
static inline double erm_shared(const struct erm *o, double x_j)
{
    return o->own_l2 * x_j + o->own_l1 * simple_sign(x_j);
}

/* Records without an entry in column j have the shared partial derivative alone, and are clipped
 * too. */
static double erm_cursor_coord(const void *self, const void *cache, long j, const double *clip_j)
{
    const struct erm *o = self;
    const double *s = cache;
    double C = clip_j ? clip_j[j] : INFINITY, shared = erm_shared(o, s[o->n + j]), sum = 0;
    if (erm_is_ones(o, j)) {
        for (long i = 0; i < o->n; i++)
            sum += simple_clamp(erm_slope(o, i, s[i]) + shared, C);
        return sum / (double)o->n;
    }
    struct entries a = table_column(erm_columns(o), j);
    sum = (double)(o->n - a.count) * simple_clamp(shared, C);
    for (long k = 0; k < a.count; k++) {
        long i = a.index[k];
        sum += simple_clamp(erm_slope(o, i, s[i]) * a.value[k] + shared, C);
    }
    return sum / (double)o->n;
}

/* By records: those without an entry in column j are counted, those with one are added. */
static void erm_cursor_grad(const void *self, const void *cache, const double *clip_j, double *g)
{
    const struct erm *o = self;
    const double *s = cache, *x = s + o->n;
    const struct columns *columns = o->A.t->dense ? NULL : erm_columns(o);
    for (long j = 0; j < o->d; j++) {
        long stored = columns && !erm_is_ones(o, j) ? table_column(columns, j).count : o->n;
        g[j] = (double)(o->n - stored) *
               simple_clamp(erm_shared(o, x[j]), clip_j ? clip_j[j] : INFINITY);
    }
    for (long i = 0; i < o->n; i++) {
        double c = erm_slope(o, i, s[i]);
        struct entries a = table_row(o->A.t, i);
        for (long k = 0; k < a.count; k++) {
            long j = a.index[k];
            g[j] += simple_clamp(c * a.value[k] + erm_shared(o, x[j]),
                                 clip_j ? clip_j[j] : INFINITY);
        }
        if (o->A.ones)
            g[o->d - 1] += simple_clamp(c + erm_shared(o, x[o->d - 1]),
                                        clip_j ? clip_j[o->d - 1] : INFINITY);
    }
    vec_scale(o->d, 1 / (double)o->n, g);
}

/* Of F as a whole, as `value`. */
static double erm_cursor_value(const void *self, const void *cache)
{
    const struct erm *o = self;
    const double *s = cache;
    double sum = 0;
    for (long i = 0; i < o->n; i++)
        sum += erm_loss(o, i, s[i]);
    return sum / (double)o->n + erm_penalty(o, o->l2, o->l1, s + o->n);
}

#endif
