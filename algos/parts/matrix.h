/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix.h - small dense systems, rows contiguous: Cholesky, and elimination with pivots. */
#ifndef ASSAY_PARTS_MATRIX_H
#define ASSAY_PARTS_MATRIX_H

#include <math.h>
#include <stdbool.h>
#include "vec.h"

/* The lower triangle of A[n][n] <- L, A = L L'. false: A is not positive definite, and is
 * spoilt. */
static inline bool matrix_factor(long n, double *A)
{
    for (long i = 0; i < n; i++) {
        double *row = A + i * n;
        for (long j = 0; j <= i; j++) {
            double rest = row[j] - vec_dot(j, row, A + j * n);
            if (i == j && !(rest > 0 && rest < INFINITY))
                return false;
            row[j] = i == j ? sqrt(rest) : rest / A[j * n + j];
        }
    }
    return true;
}

/* v[n] <- inverse of L times v */
static inline void matrix_forward(long n, const double *L, double *v)
{
    for (long i = 0; i < n; i++)
        v[i] = (v[i] - vec_dot(i, L + i * n, v)) / L[i * n + i];
}

/* v[n] <- inverse of L' times v */
static inline void matrix_backward(long n, const double *L, double *v)
{
    for (long i = n - 1; i >= 0; i--) {
        v[i] /= L[i * n + i];
        vec_axpy(i, -v[i], L + i * n, v);
    }
}

/* v[n] <- inverse of A[n][n] times v; A is spoilt. false: A is singular. */
static inline bool matrix_eliminate(long n, double *A, double *v)
{
    for (long k = 0; k < n; k++) {
        long pivot = k;
        for (long i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k]))
                pivot = i;
        if (!(fabs(A[pivot * n + k]) > 0))
            return false;
        for (long j = k; j < n && pivot != k; j++) {
            double a = A[k * n + j];
            A[k * n + j] = A[pivot * n + j];
            A[pivot * n + j] = a;
        }
        double b = v[k];
        v[k] = v[pivot];
        v[pivot] = b;
        for (long i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / A[k * n + k];
            vec_axpy(n - k, -factor, A + k * n + k, A + i * n + k);
            v[i] -= factor * v[k];
        }
    }
    for (long i = n - 1; i >= 0; i--)
        v[i] = (v[i] - vec_dot(n - 1 - i, A + i * n + i + 1, v + i + 1)) / A[i * n + i];
    return true;
}

#endif
