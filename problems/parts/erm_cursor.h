/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_cursor.h - the coordinate cursor of an empirical risk: the scores A x, then x, then what
 * every record adds to its partial derivatives. These are those of the samples, a prox takes care of the
 * rest. */
#ifndef ASSAY_PARTS_ERM_CURSOR_H
#define ASSAY_PARTS_ERM_CURSOR_H

#include "erm.h"

/* Made when first asked for, since most methods never ask. */
static inline const struct columns *erm_columns(const struct erm *o)
{
    const struct columns *c = o->columns;
    BUG_IF(!c && data_columns(o->A.t, &c, NULL) != OK);
    return c;
}

static inline bool erm_is_ones(const struct erm *o, long j)
{
    return o->A.ones && j == o->d - 1;
}

static size_t erm_cursor_bytes(const void *self)
{
    const struct erm *o = self;
    return (size_t)(o->n + 2 * o->d) * sizeof(double);
}

/* What every record adds to its partial derivative j. */
static inline double erm_shared(const struct erm *o, double x_j)
{
    return o->own_l2 * x_j + o->own_l1 * simple_sign(x_j);
}

static void erm_cursor_set(const void *self, void *cache, const double *x)
{
    const struct erm *o = self;
    double *shared = (double *)cache + o->n + o->d;
    rows_times(&o->A, 0, o->n, x, cache);
    vec_copy(o->d, x, (double *)cache + o->n);
    for (long j = 0; j < o->d; j++)
        shared[j] = erm_shared(o, x[j]);
}

static long erm_column_nonzeros(const void *self, long j)
{
    const struct erm *o = self;
    return erm_is_ones(o, j) ? o->n : table_column(erm_columns(o), j).count;
}

static long erm_cursor_add(const void *self, void *cache, long j, double step)
{
    const struct erm *o = self;
    double *s = cache, *x = s + o->n;
    x[j] += step;
    x[o->d + j] = erm_shared(o, x[j]);
    if (erm_is_ones(o, j)) {
        for (long i = 0; i < o->n; i++)
            s[i] += step;
        return o->n;
    }
    struct entries a = table_column(erm_columns(o), j);
    if (o->A.t->dense)
        vec_axpy(o->n, step, a.value, s);
    for (long k = 0; !o->A.t->dense && k < a.count; k++)
        s[a.index[k]] += step * a.value[k];
    return a.count;
}

/* c[m] <- the slopes of records index[m], or NULL: first, first + 1, ... */
static inline void erm_slopes_at(const struct erm *o, const double *s, long m, long first,
                                 const int *index, double *c)
{
    double y[LINEAR_ROWS];
    if (!index) {
        vec_copy(m, s + first, c);
        o->loss->slopes(o->h, m, o->y + first, c);
        return;
    }
    for (long k = 0; k < m; k++) {
        c[k] = s[index[k]];
        y[k] = o->y[index[k]];
    }
    o->loss->slopes(o->h, m, y, c);
}

/* sum_k clamp(c_k v_k + shared, C); v NULL: all 1. Four sums hide the latency of an addition. */
static inline double erm_clamped_sum(long m, const double *c, const double *v, double shared,
                                     double C)
{
    double part[LINEAR_ROWS], sum[4] = { 0 };
    for (long k = 0; k < m; k++)
        part[k] = simple_clamp((v ? c[k] * v[k] : c[k]) + shared, C);
    for (long k = 0; k < m; k++)
        sum[k % 4] += part[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Records without an entry in column j have the shared partial derivative alone, and are clipped
 * too. */
static double erm_cursor_coord(const void *self, const void *cache, long j, const double *clip_j)
{
    const struct erm *o = self;
    const double *s = cache;
    double c[LINEAR_ROWS], C = clip_j ? clip_j[j] : INFINITY, shared = s[o->n + o->d + j];
    bool all = erm_is_ones(o, j), sparse = !all && !o->A.t->dense;
    struct entries a = { .count = o->n };
    if (!all)
        a = table_column(erm_columns(o), j);
    double sum = (double)(o->n - a.count) * simple_clamp(shared, C);
    for (long from = 0; from < a.count; from += LINEAR_ROWS) {
        long m = a.count - from < LINEAR_ROWS ? a.count - from : LINEAR_ROWS;
        erm_slopes_at(o, s, m, from, sparse ? a.index + from : NULL, c);
        sum += clip_j || all ? erm_clamped_sum(m, c, all ? NULL : a.value + from, shared, C)
                             : vec_dot(m, c, a.value + from) + (double)m * shared;
    }
    return sum / (double)o->n;
}

/* g[d] += the clipped partial derivatives of sparse rows: those of the shared part alone by number,
 * the others entry by entry. */
static inline void erm_add_sparse(const struct linear_rows *A, const double *c,
                                  const double *shared, const double *clip_j, double *g)
{
    for (long i = 0; i < A->m; i++) {
        for (long k = 0; k < A->count[i]; k++) {
            long j = A->index[i][k];
            g[j] += simple_clamp(c[i] * A->at[i][k] + shared[j], clip_j[j]);
        }
        if (A->ones)
            g[A->d - 1] += simple_clamp(c[i] + shared[A->d - 1], clip_j[A->d - 1]);
    }
}

/* g[d] <- the shared part, of records without an entry; where nothing is clipped, of all. */
static inline void erm_shared_parts(const struct erm *o, const double *shared,
                                    const double *clip_j, double *g)
{
    const struct columns *columns = clip_j && !o->A.t->dense ? erm_columns(o) : NULL;
    for (long j = 0; j < o->d; j++) {
        long stored = !clip_j ? 0 : columns && !erm_is_ones(o, j) ? table_column(columns, j).count
                                                                   : o->n;
        g[j] = (double)(o->n - stored) * simple_clamp(shared[j], clip_j ? clip_j[j] : INFINITY);
    }
}

/* By records. */
static void erm_cursor_grad(const void *self, const void *cache, const double *clip_j, double *g)
{
    const struct erm *o = self;
    const double *s = cache, *shared = s + o->n + o->d;
    double c[LINEAR_ROWS], one[LINEAR_ROWS], norm2[LINEAR_ROWS], lost2[LINEAR_ROWS];
    struct linear_rows A;
    long block = rows_in_block(&o->A);
    vec_fill(LINEAR_ROWS, 1, one);
    erm_shared_parts(o, shared, clip_j, g);
    for (long from = 0; from < o->n; from += block) {
        long m = o->n - from < block ? o->n - from : block;
        rows_block(&o->A, m, from, NULL, &A);
        erm_slopes_at(o, s, m, from, NULL, c);
        if (!clip_j)
            linear_add(&A, c, g);
        else if (A.sparse)
            erm_add_sparse(&A, c, shared, clip_j, g);
        else
            linear_add_clipped(&A, c, shared, clip_j, one, g, norm2, lost2);
    }
    vec_scale(o->d, 1 / (double)o->n, g);
}

/* Of F as a whole, as `value`. */
static double erm_cursor_value(const void *self, const void *cache)
{
    const struct erm *o = self;
    const double *s = cache;
    double sum = 0, v[LINEAR_ROWS];
    for (long from = 0; from < o->n; from += LINEAR_ROWS) {
        long m = o->n - from < LINEAR_ROWS ? o->n - from : LINEAR_ROWS;
        vec_copy(m, s + from, v);
        o->loss->values(o->h, m, o->y + from, v);
        for (long k = 0; k < m; k++)
            sum += v[k];
    }
    return sum / (double)o->n + erm_penalty(o, o->l2, o->l1, s + o->n);
}

#endif
