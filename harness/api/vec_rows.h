/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vec_rows.h - several combinations of the same rows, computed together. The sum of one combination waits for its
 * last addition; the others fill that time, and every row is loaded once for all. */
#ifndef ASSAY_VEC_ROWS_H
#define ASSAY_VEC_ROWS_H

/* Y[k*d] <- X A for X[k*m] and A[m*d], all by rows; Y overlaps neither. Row i of Y has the bits of
 * vec_gemv_t(m, d, 1, A, row i of X, 0, row i of Y). */
void vec_combine_rows(long k, long m, long d, const double *A, const double *X, double *Y);

#endif
