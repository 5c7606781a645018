/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm_cursor.h - the coordinate cursor of an empirical risk (struct cursor_model of problem.h). Its cache is: the
 * scores A x [n], A the matrix of the rows a_i; x [d]; the part of each partial derivative that all samples share
 * [d]; the derivatives of the losses in the scores [n]. The partial derivatives are those of the mean of the
 * samples f(x; s_i) of erm.h; a regulariser that is the simple part of a proximal step is not in them. The value of
 * the cursor is F(x), with that regulariser. */
#ifndef ASSAY_PARTS_ERM_CURSOR_H
#define ASSAY_PARTS_ERM_CURSOR_H

#include "erm.h"

/* Returns the table by columns. It is made when it is first asked for, since most methods never need it. */
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
    return (size_t)(2 * o->n + 2 * o->d) * sizeof(double);
}

/* Returns the part of partial derivative j that is the same for every record. */
static inline double erm_shared(const struct erm *o, double x_j)
{
    return o->own_l2 * x_j + o->own_l1 * simple_sign(x_j);
}

/* Computes the derivatives of the losses at the scores of all records in the cache. */
static inline void erm_cursor_slopes(const struct erm *o, double *cache)
{
    double *c = cache + o->n + 2 * o->d;
    vec_copy(o->n, cache, c);
    o->loss->slopes(o->h, o->n, o->y, c);
}

/* Computes the derivatives of the losses of records index[m] again, after their scores changed. */
static inline void erm_slopes_again(const struct erm *o, double *cache, long m, const int *index)
{
    double *c = cache + o->n + 2 * o->d, at[LINEAR_ROWS], y[LINEAR_ROWS];
    for (long from = 0; from < m; from += LINEAR_ROWS) {
        long some = m - from < LINEAR_ROWS ? m - from : LINEAR_ROWS;
        for (long k = 0; k < some; k++) {
            at[k] = cache[index[from + k]];
            y[k] = o->y[index[from + k]];
        }
        o->loss->slopes(o->h, some, y, at);
        for (long k = 0; k < some; k++)
            c[index[from + k]] = at[k];
    }
}

static void erm_cursor_set(const void *self, void *cache, const double *x)
{
    const struct erm *o = self;
    double *shared = (double *)cache + o->n + o->d;
    rows_times(&o->A, 0, o->n, x, cache);
    vec_copy(o->d, x, (double *)cache + o->n);
    for (long j = 0; j < o->d; j++)
        shared[j] = erm_shared(o, x[j]);
    erm_cursor_slopes(o, cache);
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
        erm_cursor_slopes(o, cache);
        return o->n;
    }
    struct entries a = table_column(erm_columns(o), j);
    if (o->A.t->dense) {
        vec_axpy(o->n, step, a.value, s);
        erm_cursor_slopes(o, cache);
        return a.count;
    }
    for (long k = 0; k < a.count; k++)
        s[a.index[k]] += step * a.value[k];
    erm_slopes_again(o, cache, a.count, a.index);
    return a.count;
}

/* Returns sum_k clamp(c_k v_k + shared, C); v NULL: all v_k = 1. Four partial sums hide the latency of an
 * addition. */
static inline double erm_clamped_sum(long m, const double *c, const double *v, double shared,
                                     double C)
{
    double part[LINEAR_ROWS], sum[4] = { 0 };
    for (long from = 0; from < m; from += LINEAR_ROWS) {
        long some = m - from < LINEAR_ROWS ? m - from : LINEAR_ROWS;
        for (long k = 0; k < some; k++)
            part[k] = simple_clamp((v ? c[from + k] * v[from + k] : c[from + k]) + shared, C);
        for (long k = 0; k < some; k++)
            sum[k % 4] += part[k];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Returns partial derivative j of the mean of the samples, each clipped to [-clip_j[j], clip_j[j]] (clip_j NULL:
 * not clipped). A record without an entry in column j has the shared part alone, which is clipped too. */
static double erm_cursor_coord(const void *self, const void *cache, long j, const double *clip_j)
{
    const struct erm *o = self;
    const double *x = (const double *)cache + o->n, *slope = x + 2 * o->d;
    double gathered[LINEAR_ROWS], C = clip_j ? clip_j[j] : INFINITY, shared = x[o->d + j];
    bool all = erm_is_ones(o, j), sparse = !all && !o->A.t->dense;
    struct entries a = { .count = o->n };
    if (!all)
        a = table_column(erm_columns(o), j);
    double sum = (double)(o->n - a.count) * simple_clamp(shared, C);
    for (long from = 0; from < a.count; from += LINEAR_ROWS) {
        long m = a.count - from < LINEAR_ROWS ? a.count - from : LINEAR_ROWS;
        const double *c = sparse ? gathered : slope + from;
        for (long k = 0; k < m && sparse; k++)
            gathered[k] = slope[a.index[from + k]];
        sum += clip_j || all ? erm_clamped_sum(m, c, all ? NULL : a.value + from, shared, C)
                             : vec_dot(m, c, a.value + from) + (double)m * shared;
    }
    return sum / (double)o->n;
}

/* g[d] <- n times the clipped gradient, for sparse tables. The loop goes by columns, since the slopes of all
 * records are computed already and the sum of a column stays in a register. */
static inline void erm_clipped_columns(const struct erm *o, const double *slope,
                                       const double *shared, const double *clip_j, double *g)
{
    const struct columns *columns = erm_columns(o);
    for (long j = 0; j < columns->d; j++) {
        struct entries a = table_column(columns, j);
        double both = shared[j], C = clip_j[j];
        double sum = (double)(o->n - a.count) * simple_clamp(both, C);
        for (long k = 0; k < a.count; k++)
            sum += simple_clamp(slope[a.index[k]] * a.value[k] + both, C);
        g[j] = sum;
    }
    if (o->A.ones)
        g[o->d - 1] = erm_clamped_sum(o->n, slope, NULL, shared[o->d - 1], clip_j[o->d - 1]);
}

/* g[d] <- n times the gradient, clipped if clip_j is not NULL (dense tables only), in blocks of records. */
static inline void erm_by_rows(const struct erm *o, const double *slope, const double *shared,
                               const double *clip_j, double *g)
{
    double one[LINEAR_ROWS], norm2[LINEAR_ROWS], lost2[LINEAR_ROWS];
    struct linear_rows A;
    long block = rows_in_block(&o->A);
    vec_fill(LINEAR_ROWS, 1, one);
    for (long j = 0; j < o->d; j++)
        g[j] = clip_j ? 0 : (double)o->n * shared[j];
    for (long from = 0; from < o->n; from += block) {
        long m = o->n - from < block ? o->n - from : block;
        rows_block(&o->A, &(struct samples){ from, m, NULL }, &A);
        if (clip_j)
            linear_add_clipped(&A, slope + from, shared, clip_j, one, g, norm2, lost2);
        else
            linear_add(&A, slope + from, g);
    }
}

static void erm_cursor_grad(const void *self, const void *cache, const double *clip_j, double *g)
{
    const struct erm *o = self;
    const double *shared = (const double *)cache + o->n + o->d, *slope = shared + o->d;
    if (clip_j && !o->A.t->dense)
        erm_clipped_columns(o, slope, shared, clip_j, g);
    else
        erm_by_rows(o, slope, shared, clip_j, g);
    vec_scale(o->d, 1 / (double)o->n, g);
}

/* Returns F(x) for the x of the cache. */
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

static const struct cursor_model erm_cursor = {
    .bytes = erm_cursor_bytes, .set = erm_cursor_set, .add = erm_cursor_add,
    .coord = erm_cursor_coord, .grad = erm_cursor_grad, .value = erm_cursor_value,
    .nonzeros = erm_column_nonzeros,
};

#endif
