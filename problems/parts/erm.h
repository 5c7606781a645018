/* SPDX-License-Identifier: GPL-3.0-or-later */
/* erm.h - empirical risk of a linear model on the rows of a table,
 *
 *     F(x) = (1/n) sum_i f(x; s_i) + rest(x)
 *     f(x; s_i) = l(<a_i,x>, y_i) + (own_l2/2)|x|^2 + own_l1 |x|_1
 *     rest(x) = ((l2 - own_l2)/2)|x|^2 + (l1 - own_l1)|x|_1
 *
 * Samples, batches and the cursor are those of the mean; value and grad are those of F. */
#ifndef ASSAY_PARTS_ERM_H
#define ASSAY_PARTS_ERM_H

#include <math.h>
#include "losses.h"
#include "problem.h"
#include "rows.h"
#include "samples.h"
#include "simple.h"

struct erm_optimum {
    double *x;                       /* [d]; NULL: none is known */
    double value, gap, near;         /* F(x); F(x) - F* <= gap; |x - x*| <= near */
};

struct erm {
    struct rows A, held;             /* the records of F; those held out, held.n = 0: none */
    double *y, *held_y;              /* [n] -1 or +1, or any target; [held.n] */
    long n, d;
    const struct loss *loss;
    double h, l1, l2, own_l1, own_l2, radius;
    struct erm_optimum best;
    double strong;                   /* F is so strongly convex: l2 and what squares add */
    double length, steepest;         /* root mean square of |a_i|; L of the loss alone */
    double *work;                    /* [d] scratch of a measure */
};

/* (l2/2)|x|^2 + l1 |x|_1 */
static inline double erm_penalty(const struct erm *o, double l2, double l1, const double *x)
{
    return (l2 > 0 ? l2 / 2 * vec_dot(o->d, x, x) : 0) + (l1 > 0 ? l1 * vec_norm1(o->d, x) : 0);
}

/* g += a (l2 x + l1 sign(x)) */
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

/* Derivative of sample i's loss in its score s = <a_i,x>. */
static inline double erm_slope(const struct erm *o, long i, double s)
{
    return o->loss->slope(o->h, s, o->y[i]);
}

/* The loss part over records first, ..., by blocks: g (NULL: not wanted) += a sum_k w_k grad, w
 * NULL: 1/count; *sum (NULL: not wanted) <- the losses added up. */
static inline void erm_losses(const struct erm *o, long first, long count, const double *w,
                              const double *x, double a, double *g, double *sum)
{
    enum { BLOCK = 256 };
    double s[BLOCK], total = 0;
    for (long from = 0; from < count; from += BLOCK) {
        long m = count - from < BLOCK ? count - from : BLOCK;
        double part = 0;
        rows_times(&o->A, first + from, m, x, s);
        for (long k = 0; sum && k < m; k++)
            part += erm_loss(o, first + from + k, s[k]);
        for (long k = 0; g && k < m; k++)
            s[k] = a * (w ? w[from + k] : 1 / (double)count) * erm_slope(o, first + from + k, s[k]);
        if (g)
            rows_combine(&o->A, first + from, m, s, g);
        total += part;
    }
    if (sum)
        *sum = total;
}

/* Mean loss + (l2/2)|x|^2 + l1 |x|_1; g[d] (NULL: not wanted) <- a subgradient. */
static inline double erm_both(const struct erm *o, double l2, double l1, const double *x, double *g)
{
    double sum;
    if (g)
        vec_zero(o->d, g);
    erm_losses(o, 0, o->n, NULL, x, 1, g, &sum);
    if (g)
        erm_penalty_grad(o, l2, l1, x, 1, g);
    return sum / (double)o->n + erm_penalty(o, l2, l1, x);
}

/* --- slots: F, and the mean alone */

static double erm_value(const void *self, const double *x)
{
    const struct erm *o = self;
    return erm_both(o, o->l2, o->l1, x, NULL);
}

static inline void erm_gradient(const struct erm *o, double l2, double l1, const double *x,
                                double *g)
{
    vec_zero(o->d, g);
    erm_losses(o, 0, o->n, NULL, x, 1, g, NULL);
    erm_penalty_grad(o, l2, l1, x, 1, g);
}

static void erm_grad(const void *self, const double *x, double *g)
{
    const struct erm *o = self;
    erm_gradient(o, o->l2, o->l1, x, g);
}

static double erm_smooth_value(const void *self, const double *x)
{
    const struct erm *o = self;
    return erm_both(o, o->own_l2, o->own_l1, x, NULL);
}

static void erm_smooth_grad(const void *self, const double *x, double *g)
{
    const struct erm *o = self;
    erm_gradient(o, o->own_l2, o->own_l1, x, g);
}

static bool erm_composite(const void *self)
{
    const struct erm *o = self;
    return o->own_l1 < o->l1 || o->own_l2 < o->l2;
}

static double erm_prox_coord(const void *self, double t, long j, double v)
{
    const struct erm *o = self;
    return simple_prox(o->l2 - o->own_l2, o->l1 - o->own_l1, t, v);
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

static void erm_batch_grad(const void *self, const struct samples *s, const double *w,
                           const double *x, double a, double *g)
{
    const struct erm *o = self;
    if (!s->index)
        erm_losses(o, s->first, s->count, w, x, a, g, NULL);
    for (long k = 0; s->index && k < s->count; k++) {
        long i = sample_index(s, k);
        double w_k = w ? w[k] : 1 / (double)s->count;
        rows_axpy(&o->A, i, a * w_k * erm_slope(o, i, rows_dot(&o->A, i, x)), g);
    }
    if (o->own_l2 > 0 || o->own_l1 > 0)
        erm_penalty_grad(o, o->own_l2, o->own_l1, x, a * samples_weight(s, w), g);
}

/* A score of x + r u is <a,x> + r <a,u>: the scores of u are kept in the last row of v until that
 * row is due. */
static void erm_values_along(const void *self, long i, int points, const double *const *x,
                             const double *r, int m, const double *u, double *v)
{
    const struct erm *o = self;
    double *along = v + (long)(points - 1) * m;
    bool penalised = o->own_l2 > 0 || o->own_l1 > 0;
    for (int j = 0; j < m; j++)
        along[j] = rows_dot(&o->A, i, u + (long)j * o->d);
    for (int p = 0; p < points; p++) {
        double here = rows_dot(&o->A, i, x[p]);
        for (int j = 0; j < m; j++) {
            const double *u_j = u + (long)j * o->d;
            double square = 0, sum = 0;
            for (long k = 0; penalised && k < o->d; k++) {
                double at = x[p][k] + r[p] * u_j[k];
                square += at * at;
                sum += fabs(at);
            }
            v[(long)p * m + j] = erm_loss(o, i, here + r[p] * along[j]) + o->own_l2 / 2 * square +
                                 (o->own_l1 > 0 ? o->own_l1 * sum : 0);
        }
    }
}

static long erm_sample_nonzeros(const void *self, long i)
{
    const struct erm *o = self;
    return table_row(o->A.t, i).count + o->A.ones;
}

#endif
