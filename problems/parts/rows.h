/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.h - a table of records as a matrix A[n*d], with or without a last column of ones for an intercept. The
 * matrix is stored as the table is, dense or sparse. */
#ifndef ASSAY_PARTS_ROWS_H
#define ASSAY_PARTS_ROWS_H

#include <math.h>
#include <stdbool.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include "arena.h"
#include "data.h"
#include "linear.h"
#include "samples.h"
#include "status.h"
#include "vec.h"

struct rows {
    const struct table *t;
    long n, d;                       /* d = t->d + ones */
    bool ones;                       /* column t->d is 1 in every record */
};

static inline struct rows rows_of(const struct table *t, bool ones)
{
    return (struct rows){ t, t->n, t->d + ones, ones };
}

/* Returns <a_i, x>. */
static inline double rows_dot(const struct rows *r, long i, const double *x)
{
    const struct table *t = r->t;
    double sum = r->ones ? x[t->d] : 0;
    if (t->dense)
        return sum + vec_dot(t->d, t->dense + i * t->d, x);
    struct entries a = table_row(t, i);
    for (long k = 0; k < a.count; k++)
        sum += a.value[k] * x[a.index[k]];
    return sum;
}

/* Returns |a_i|^2. */
static inline double rows_square(const struct rows *r, long i)
{
    struct entries a = table_row(r->t, i);
    double sum = r->ones;
    for (long k = 0; k < a.count; k++)
        sum += a.value[k] * a.value[k];
    return sum;
}

/* g[d] += c a_i, at the stored entries of a_i only. */
static inline void rows_axpy(const struct rows *r, long i, double c, double *g)
{
    struct entries a = table_row(r->t, i);
    for (long k = 0; k < a.count; k++)
        g[a.index[k]] += c * a.value[k];
    if (r->ones)
        g[r->t->d] += c;
}

/* *A <- the rows of at most LINEAR_ROWS samples, without labels and norms. */
static inline void rows_block(const struct rows *r, const struct samples *s, struct linear_rows *A)
{
    const struct table *t = r->t;
    A->m = s->count;
    A->d = r->d;
    A->ones = r->ones;
    A->sparse = !t->dense;
    A->y = A->norm = NULL;
    if (t->dense)
        samples_places(s, t->dense, t->d, A);
    for (long k = 0; A->sparse && k < s->count; k++) {
        struct entries a = table_row(t, sample_index(s, k));
        A->at[k] = a.value;
        A->index[k] = a.index;
        A->count[k] = a.count;
    }
}

/* along[m] <- <a_i, u_j>, u[m*d]. For a dense table they are one matrix-vector product, with the u_j as rows. */
static inline void rows_along(const struct rows *r, long i, int m, const double *u, double *along)
{
    const struct table *t = r->t;
    struct linear_rows U = { .d = t->d };
    for (int j = 0; !t->dense && j < m; j++)
        along[j] = rows_dot(r, i, u + j * r->d);
    for (int from = 0; t->dense && from < m; from += LINEAR_ROWS) {
        U.m = m - from < LINEAR_ROWS ? m - from : LINEAR_ROWS;
        for (long j = 0; j < U.m; j++)
            U.at[j] = u + (from + j) * r->d;
        linear_scores(&U, table_row(t, i).value, along + from);
        for (long j = 0; r->ones && j < U.m; j++)
            along[from + j] += U.at[j][t->d];
    }
}

/* Returns a good number of rows for rows_block. */
static inline long rows_in_block(const struct rows *r)
{
    return linear_block(r->t->dense ? r->d : r->t->nonzeros / (r->n > 0 ? r->n : 1));
}

/* s[count] <- <a_i, x> for i = first, ..., first + count - 1. */
static inline void rows_times(const struct rows *r, long first, long count, const double *x,
                              double *s)
{
    struct linear_rows A;
    for (long from = 0; from < count; from += LINEAR_ROWS) {
        long m = count - from < LINEAR_ROWS ? count - from : LINEAR_ROWS;
        rows_block(r, &(struct samples){ first + from, m, NULL }, &A);
        linear_scores(&A, x, s + from);
    }
}

/* g[d] += sum_{k < count} c_k a_(first+k) */
static inline void rows_combine(const struct rows *r, long first, long count, const double *c,
                                double *g)
{
    struct linear_rows A;
    for (long from = 0; from < count; from += LINEAR_ROWS) {
        long m = count - from < LINEAR_ROWS ? count - from : LINEAR_ROWS;
        rows_block(r, &(struct samples){ first + from, m, NULL }, &A);
        linear_add(&A, c + from, g);
    }
}

/* w[d] <- |A|'|A| v / n, where |A| has the absolute values of the entries of A. */
static inline void rows_absolute_square(const struct rows *r, const double *v, double *w)
{
    vec_zero(r->d, w);
    for (long i = 0; i < r->n; i++) {
        struct entries a = table_row(r->t, i);
        double s = r->ones ? v[r->d - 1] : 0;
        for (long k = 0; k < a.count; k++)
            s += fabs(a.value[k]) * v[a.index[k]];
        s /= (double)r->n;
        for (long k = 0; k < a.count; k++)
            w[a.index[k]] += fabs(a.value[k]) * s;
        if (r->ones)
            w[r->d - 1] += s;
    }
}

/* Returns an upper bound on the largest eigenvalue of A'A/n, tight if no entry of A is negative: that eigenvalue is
 * at most the one of B = |A|'|A|/n, which is between min_j and max_j of (Bv)_j/v_j for any v > 0 (Collatz,
 * Wielandt). Power steps v <- Bv bring the two ends together. */
static inline double rows_eigenvalue_bound(const struct rows *r, struct arena *a)
{
    enum { STEPS = 60 };
    static const double DONE = 1 + 1e-12;
    double *v = arena_vec(a, r->d), *w = arena_vec(a, r->d), best = INFINITY;
    vec_fill(r->d, 1, v);
    for (int step = 0; step < STEPS; step++) {
        double worst = 0, least = INFINITY;
        rows_absolute_square(r, v, w);
        /* w_j is 0 for an empty column; any other 0 is an underflow, after which there is no bound. */
        for (long j = 0; j < r->d; j++)
            if (w[j] > 0) {
                double quotient = w[j] / v[j];
                worst = quotient > worst ? quotient : worst;
                least = quotient < least ? quotient : least;
            }
        best = fmin(best, worst);
        double scale = vec_norm_inf(r->d, w);
        if (!(scale > 0) || best <= DONE * least)
            break;
        vec_lincomb(r->d, 1 / scale, w, 0, w, v);
    }
    return best;
}

/* gram[d*d] += (1/n) sum_i w_i a_i a_i', lower triangle, from the stored entries of each row. w NULL: all w_i =
 * 1. */
static inline void rows_gram_sparse(const struct rows *r, const double *w, gsl_matrix *gram)
{
    for (long i = 0; i < r->n; i++) {
        double weight = w ? w[i] : 1;
        struct entries a = table_row(r->t, i);
        double *last = gram->data + (size_t)(r->d - 1) * gram->tda;
        for (long k = 0; k < a.count; k++) {
            double c = weight * (a.value[k] / (double)r->n), *row = gram->data + (size_t)a.index[k] * gram->tda;
            for (long m = 0; c != 0 && m <= k; m++)
                row[a.index[m]] += c * a.value[m];
            if (r->ones)
                last[a.index[k]] += c;
        }
        if (r->ones)
            last[r->d - 1] += weight * (1 / (double)r->n);
    }
}

/* gram[d*d] += (1/n) sum_i a_i a_i', lower triangle, by products of panels of dense rows that stay in cache. */
static inline void rows_gram_dense(const struct rows *r, gsl_matrix *panel, gsl_matrix *gram)
{
    long d = r->d, most = (long)panel->size1;
    for (long i = 0; i < r->n; i += most) {
        long rows = r->n - i < most ? r->n - i : most;
        gsl_matrix_set_zero(panel);
        for (long k = 0; k < rows; k++) {
            struct entries a = table_row(r->t, i + k);
            double *row = panel->data + (size_t)k * panel->tda;
            for (long m = 0; m < a.count; m++)
                row[a.index[m]] = a.value[m];
            if (r->ones)
                row[d - 1] = 1;
        }
        gsl_matrix_const_view full = gsl_matrix_const_submatrix(panel, 0, 0, (size_t)rows, (size_t)d);
        gsl_blas_dsyrk(CblasLower, CblasTrans, 1 / (double)r->n, &full.matrix, 1, gram);
    }
}

/* Returns the largest eigenvalue of A'A/n, by an eigensolver on the d*d matrix; *smallest <- the smallest one.
 * Returns NaN if the solver does not converge or there is no memory. */
static inline double rows_eigenvalue_exact(const struct rows *r, bool dense, double *smallest)
{
    enum { PANEL = 64 };
    size_t d = (size_t)r->d;
    double largest = NAN;
    *smallest = NAN;
    gsl_matrix *gram = gsl_matrix_calloc(d, d), *panel = dense ? gsl_matrix_calloc(PANEL, d) : NULL;
    gsl_vector *values = gsl_vector_alloc(d);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(d);
    if (gram && values && work) {
        if (dense && panel)
            rows_gram_dense(r, panel, gram);
        else
            rows_gram_sparse(r, NULL, gram);
        if (gsl_eigen_symm(gram, values, work) == 0)
            gsl_vector_minmax(values, smallest, &largest);
    }
    gsl_eigen_symm_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(panel);
    gsl_matrix_free(gram);
    return largest;
}

/* Returns an upper bound on the largest eigenvalue of A'A/n, at most the mean of |a_i|^2; it is tight up to
 * rounding for few columns or nonnegative entries. *smallest <- a lower bound on the smallest eigenvalue, 0 where
 * it is not known to be positive. */
static inline double rows_eigenvalue(const struct rows *r, struct arena *a, double *smallest)
{
    enum { COLUMNS_MAX = 512, DENSE = 16 };  /* dense panels are DENSE times as fast as sparse rows */
    static const double WORK_MAX = 2e9, ROUNDING = 1 + 1e-9, LOST = 1e-11;
    double trace = 0, work = 0, largest = NAN, least = NAN;
    for (long i = 0; i < r->n; i++) {
        double length = (double)table_row(r->t, i).count;
        work += length * length;
        trace += rows_square(r, i) / (double)r->n;
    }
    if (r->d <= COLUMNS_MAX && work <= WORK_MAX)
        largest = rows_eigenvalue_exact(r, DENSE * work >= (double)r->n * (double)r->d * (double)r->d, &least);
    *smallest = fmax(0, least - LOST * largest);     /* 0 if least is NaN */
    if (isnan(largest))
        largest = rows_eigenvalue_bound(r, a);
    return ROUNDING * fmin(trace, largest);
}

#endif
