/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.h - a table of records as a matrix A[n*d], dense where the table is, and as two classes. */
#ifndef ASSAY_PARTS_ROWS_H
#define ASSAY_PARTS_ROWS_H

#include <math.h>
#include <gsl/gsl_eigen.h>
#include "arena.h"
#include "data.h"
#include "status.h"
#include "vec.h"

/* <a_i, x> */
static inline double rows_dot(const struct table *t, long i, const double *x)
{
    if (t->dense)
        return vec_dot(t->d, t->dense + i * t->d, x);
    struct entries a = table_row(t, i);
    double sum = 0;
    for (long k = 0; k < a.count; k++)
        sum += a.value[k] * x[a.index[k]];
    return sum;
}

/* |a_i|^2 */
static inline double rows_square(const struct table *t, long i)
{
    struct entries a = table_row(t, i);
    double sum = 0;
    for (long k = 0; k < a.count; k++)
        sum += a.value[k] * a.value[k];
    return sum;
}

/* g += c a_i, touching the stored entries only. */
static inline void rows_axpy(const struct table *t, long i, double c, double *g)
{
    struct entries a = table_row(t, i);
    for (long k = 0; k < a.count; k++)
        g[a.index[k]] += c * a.value[k];
}

/* s[count] <- <a_i, x> for i = first, ... */
static inline void rows_times(const struct table *t, long first, long count, const double *x,
                              double *s)
{
    if (t->dense)
        vec_gemv(count, t->d, 1, t->dense + first * t->d, x, 0, s);
    else
        for (long k = 0; k < count; k++)
            s[k] = rows_dot(t, first + k, x);
}

/* g += sum_k c_k a_(first+k) */
static inline void rows_combine(const struct table *t, long first, long count, const double *c,
                                double *g)
{
    if (t->dense)
        vec_gemv_t(count, t->d, 1, t->dense + first * t->d, c, 1, g);
    else
        for (long k = 0; k < count; k++)
            rows_axpy(t, first + k, c[k], g);
}

/* v[d] <- |A|'|A| v / n; s[n] is scratch. */
static inline void rows_absolute_square(const struct table *t, double *s, double *v)
{
    for (long i = 0; i < t->n; i++) {
        struct entries a = table_row(t, i);
        s[i] = 0;
        for (long k = 0; k < a.count; k++)
            s[i] += fabs(a.value[k]) * v[a.index[k]];
    }
    vec_zero(t->d, v);
    for (long i = 0; i < t->n; i++) {
        struct entries a = table_row(t, i);
        for (long k = 0; k < a.count; k++)
            v[a.index[k]] += fabs(a.value[k]) * s[i] / (double)t->n;
    }
}

/* Largest eigenvalue of A'A/n bounded by that of B = |A|'|A|/n, and this by max_j (Bv)_j/v_j for
 * any v > 0 (Collatz, Wielandt); power steps bring it down. Equal where no entry is negative. */
static inline double rows_eigenvalue_bound(const struct table *t, struct arena *a)
{
    enum { STEPS = 60 };
    double *s = arena_vec(a, t->n), *v = arena_vec(a, t->d), *w = arena_vec(a, t->d);
    double best = INFINITY;
    vec_fill(t->d, 1, v);
    for (int step = 0; step < STEPS; step++) {
        double worst = 0;
        vec_copy(t->d, v, w);
        rows_absolute_square(t, s, w);
        /* An empty column is 0 after the first step; any other 0 is an underflow: no bound. */
        for (long j = 0; j < t->d; j++)
            if (w[j] > 0)
                worst = fmax(worst, w[j] / v[j]);
        best = fmin(best, worst);
        double scale = vec_norm_inf(t->d, w);
        if (!(scale > 0))
            break;
        vec_lincomb(t->d, 1 / scale, w, 0, w, v);
    }
    return best;
}

/* The same by an eigensolver on the d*d matrix; NaN if it does not converge. */
static inline double rows_eigenvalue_exact(const struct table *t)
{
    size_t d = (size_t)t->d;
    double largest = NAN;
    gsl_matrix *gram = gsl_matrix_calloc(d, d);
    gsl_vector *values = gsl_vector_alloc(d);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(d);
    if (gram && values && work) {
        for (long i = 0; i < t->n; i++) {
            struct entries a = table_row(t, i);
            for (long k = 0; k < a.count; k++)
                for (long m = 0; m <= k; m++)               /* the lower triangle is what is read */
                    *gsl_matrix_ptr(gram, (size_t)a.index[k], (size_t)a.index[m]) +=
                        a.value[k] * a.value[m] / (double)t->n;
        }
        if (gsl_eigen_symm(gram, values, work) == 0)
            largest = gsl_vector_max(values);
    }
    gsl_eigen_symm_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(gram);
    return largest;
}

/* An upper bound on the largest eigenvalue of A'A/n, tight to rounding for few columns or
 * nonnegative entries; never above the mean of |a_i|^2. */
static inline double rows_eigenvalue(const struct table *t, struct arena *a)
{
    enum { COLUMNS_MAX = 512 };
    static const double WORK_MAX = 1e9, ROUNDING = 1 + 1e-9;
    double trace = 0, work = 0, largest = NAN;
    for (long i = 0; i < t->n; i++) {
        double length = (double)table_row(t, i).count;
        work += length * length;
        trace += rows_square(t, i) / (double)t->n;
    }
    if (t->d <= COLUMNS_MAX && work <= WORK_MAX)
        largest = rows_eigenvalue_exact(t);
    if (isnan(largest))
        largest = rows_eigenvalue_bound(t, a);
    return ROUNDING * fmin(trace, largest);
}

/* y[n] <- -1 for the smaller label, +1 for the larger. BAD_INPUT: not exactly two. */
static inline enum status rows_signs(const struct table *t, double *y, struct why *why)
{
    double seen[3];
    int different = 0;
    for (long i = 0; i < t->n && different < 3; i++) {
        int k = 0;
        while (k < different && seen[k] != t->label[i])
            k++;
        if (k == different)
            seen[different++] = t->label[i];
    }
    if (different == 1)
        return why_set(why, BAD_INPUT, "%.200s: every label is %.17g: expected two different "
                       "labels", t->path, seen[0]);
    if (different > 2)
        return why_set(why, BAD_INPUT, "%.200s: labels %.17g, %.17g, %.17g: expected only two "
                       "different labels", t->path, seen[0], seen[1], seen[2]);
    for (long i = 0; i < t->n; i++)
        y[i] = t->label[i] == fmax(seen[0], seen[1]) ? 1 : -1;
    return OK;
}

#endif
