/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm.h - empirical risk of a linear model on the rows of a table,
 *
 *     F(x) = (1/n) sum_i f(x; s_i) + rest(x)
 *     f(x; s_i) = l(<a_i,x>, y_i) + (own_l2/2)|x|^2 + own_l1 |x|_1
 *     rest(x) = ((l2 - own_l2)/2)|x|^2 + (l1 - own_l1)|x|_1
 *
 * The gradients of samples and batches, and the partial derivatives of the coordinate cursor (struct cursor_model
 * of problem.h), are those of the f(x; s_i) or of their mean, without rest. The slots value and grad, and the value
 * of the cursor, are those of F. */
#ifndef ASSAY_PARTS_ERM_H
#define ASSAY_PARTS_ERM_H

#include <math.h>
#include "losses.h"
#include "model_mean.h"
#include "problem.h"
#include "rows.h"
#include "samples.h"
#include "simple.h"

struct erm_optimum {
    double *x;                       /* [d]; NULL: none is known */
    double value,                    /* F(x) */
           gap,                      /* F(x) - F* <= gap */
           near;                     /* |x - x*| <= near */
};

struct erm {
    struct rows A,                   /* the records of F */
                held;                /* the records held out; held.n = 0: none */
    const struct columns *columns;   /* columns of a table that was not loaded from a file; else NULL */
    double *y,                       /* [n] labels: -1 or +1, or any target */
           *held_y;                  /* [held.n] labels of the records held out */
    double *norm;                    /* [n] |a_i| */
    long n, d;
    const struct loss *loss;
    double h, l1, l2, own_l1, own_l2, radius;    /* h: shape parameter of the loss */
    struct erm_optimum best;
    double strong;                   /* strong convexity of F: l2 plus, for squares, that of the mean loss */
    double length,                   /* root mean square of |a_i| */
           steepest;                 /* max_i sup |dl/dz| |a_i|: L without the regularisers */
    double *work;                    /* [d] scratch of a measure */
};

/* Returns (l2/2)|x|^2 + l1 |x|_1. */
static inline double erm_penalty(const struct erm *o, double l2, double l1, const double *x)
{
    return (l2 > 0 ? l2 / 2 * vec_dot(o->d, x, x) : 0) + (l1 > 0 ? l1 * vec_norm1(o->d, x) : 0);
}

/* g[d] += a (l2 x + l1 sign(x)) */
static inline void erm_penalty_grad(const struct erm *o, double l2, double l1, const double *x,
                                    double a, double *g)
{
    if (l2 > 0)
        vec_axpy(o->d, a * l2, x, g);
    for (long j = 0; l1 > 0 && j < o->d; j++)
        g[j] += a * l1 * simple_sign(x[j]);
}

static inline double erm_loss(const struct erm *o, long i, double s)
{
    return o->loss->value(o->h, s, o->y[i]);
}

/* Returns the derivative of the loss of sample i in the score s = <a_i,x>. */
static inline double erm_slope(const struct erm *o, long i, double s)
{
    return o->loss->slope(o->h, s, o->y[i]);
}

/* --- slots: rows */

static void erm_rows(const void *self, const struct samples *s, double *room, struct linear_rows *A)
{
    const struct erm *o = self;
    rows_block(&o->A, s, A);
    A->y = samples_column(s, o->y, A->label);
    A->norm = samples_column(s, o->norm, A->length);
}

static void erm_slopes(const void *self, long m, const double *y, const double *s, double *c)
{
    const struct erm *o = self;
    if (c != s)
        vec_copy(m, s, c);
    o->loss->slopes(o->h, m, y, c);
}

static void erm_values(const void *self, long m, const double *y, const double *s, double *v)
{
    const struct erm *o = self;
    if (v != s)
        vec_copy(m, s, v);
    o->loss->values(o->h, m, y, v);
}

static double erm_rest(const void *self, const double *x)
{
    const struct erm *o = self;
    return erm_penalty(o, o->own_l2, o->own_l1, x);
}

static void erm_rest_grad(const void *self, const double *x, double a, double *g)
{
    const struct erm *o = self;
    erm_penalty_grad(o, o->own_l2, o->own_l1, x, a, g);
}

static double erm_square(const void *self)
{
    const struct erm *o = self;
    return o->own_l1 > 0 ? NAN : o->own_l2;
}

static void erm_expect(const void *self, long m, const long *i)
{
    const struct erm *o = self;
    for (long k = 0; k < m; k++) {
        if (o->A.t->row)
            __builtin_prefetch(o->A.t->row + i[k]);
        __builtin_prefetch(o->y + i[k]);
        __builtin_prefetch(o->norm + i[k]);
    }
}

static const struct linear_model erm_linear = { erm_rows, erm_slopes, erm_values, erm_rest,
                                                erm_rest_grad, erm_square, erm_expect };

/* Returns (1/n) sum_i l(<a_i,x>, y_i) + (l2/2)|x|^2 + l1 |x|_1 if `value` is true, else 0. g[d], unless NULL, <- a
 * subgradient of this function. */
static inline double erm_both(const struct erm *o, double l2, double l1, const double *x,
                              bool value, double *g)
{
    if (g)
        vec_zero(o->d, g);
    double mean = model_mean(&erm_linear, o, o->n, rows_in_block(&o->A), x, value, g);
    if (g)
        erm_penalty_grad(o, l2, l1, x, 1, g);
    return value ? mean + erm_penalty(o, l2, l1, x) : 0;
}

/* --- slots: F, and the mean of the samples alone */

static double erm_value(const void *self, const double *x)
{
    const struct erm *o = self;
    return erm_both(o, o->l2, o->l1, x, true, NULL);
}

static void erm_grad(const void *self, const double *x, double *g)
{
    const struct erm *o = self;
    erm_both(o, o->l2, o->l1, x, false, g);
}

static double erm_smooth_value(const void *self, const double *x)
{
    const struct erm *o = self;
    return erm_both(o, o->own_l2, o->own_l1, x, true, NULL);
}

static void erm_smooth_grad(const void *self, const double *x, double *g)
{
    const struct erm *o = self;
    erm_both(o, o->own_l2, o->own_l1, x, false, g);
}

static bool erm_has_rest(const void *self)
{
    const struct erm *o = self;
    return o->own_l1 < o->l1 || o->own_l2 < o->l2;
}

static double erm_prox_coord(const void *self, double t, long j, double v)
{
    const struct erm *o = self;
    return simple_prox(o->l2 - o->own_l2, o->l1 - o->own_l1, t, v);
}

static double erm_rest_coord(const void *self, long j, double x, double slopes[2])
{
    const struct erm *o = self;
    return simple_at(o->l2 - o->own_l2, o->l1 - o->own_l1, x, slopes);
}

static void erm_prox(const void *self, double t, const double *v, double *x)
{
    const struct erm *o = self;
    for (long j = 0; j < o->d; j++)
        x[j] = erm_prox_coord(o, t, j, v[j]);
}

/* --- slots: samples */

static double erm_sample_value(const void *self, long i, const double *x)
{
    const struct erm *o = self;
    return erm_loss(o, i, rows_dot(&o->A, i, x)) + erm_penalty(o, o->own_l2, o->own_l1, x);
}

static void erm_sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct erm *o = self;
    rows_axpy(&o->A, i, a * erm_slope(o, i, rows_dot(&o->A, i, x)), g);
    erm_penalty_grad(o, o->own_l2, o->own_l1, x, a, g);
}

/* Returns (own_l2/2)|y|^2 + own_l1 |y|_1 at y = x + r u: the part of the regularisers in every sample. */
static inline double erm_penalty_along(const struct erm *o, const double *x, double r,
                                       const double *u)
{
    double square = 0, sum = 0;
    for (long k = 0; k < o->d; k++) {
        double at = x[k] + r * u[k];
        square += at * at;
        sum += fabs(at);
    }
    return o->own_l2 / 2 * square + (o->own_l1 > 0 ? o->own_l1 * sum : 0);
}

/* v[points][m] <- values of sample i at x_k + r_k u_j. A score at x + r u is <a,x> + r <a,u>; the products <a,u_j>
 * are kept in the last row of v until that row is computed. */
static void erm_values_along(const void *self, long i, int points, const double *const *x,
                             const double *r, int m, const double *u, double *v)
{
    const struct erm *o = self;
    double *along = v + (long)(points - 1) * m, here = 0;
    bool penalised = o->own_l2 > 0 || o->own_l1 > 0;
    rows_along(&o->A, i, m, u, along);
    for (int p = 0; p < points; p++) {
        double *z = v + (long)p * m;
        if (p == 0 || x[p] != x[p - 1])
            here = rows_dot(&o->A, i, x[p]);
        for (int j = 0; j < m; j++)
            z[j] = here + r[p] * along[j];
        loss_of_sample(o->loss, o->h, o->y[i], m, z);
        for (int j = 0; penalised && j < m; j++)
            z[j] += erm_penalty_along(o, x[p], r[p], u + (long)j * o->d);
    }
}

static long erm_sample_nonzeros(const void *self, long i)
{
    const struct erm *o = self;
    return table_row(o->A.t, i).count + o->A.ones;
}

static const struct composite_model erm_composite = {
    .smooth_value = erm_smooth_value, .smooth_grad = erm_smooth_grad, .prox = erm_prox,
    .prox_coord = erm_prox_coord, .rest_coord = erm_rest_coord, .has_rest = erm_has_rest,
};

#endif
