/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vec.h - dense vectors of length d. Norms are 2-norms unless the name says otherwise. Of this program only vec.c
 * calls BLAS; the library GSL calls it, too. */
#ifndef ASSAY_VEC_H
#define ASSAY_VEC_H

#include <stdbool.h>

void   vec_zero (long d, double *x);
void   vec_fill (long d, double a, double *x);
void   vec_copy (long d, const double *x, double *y);                            /* y = x */
void   vec_scale(long d, double a, double *x);                                   /* x = a x */
void   vec_axpy (long d, double a, const double *restrict x, double *restrict y); /* y += a x */
void   vec_axpby(long d, double a, const double *restrict x, double b,
                  double *restrict y);                                           /* y = a x + b y */
void   vec_lincomb(long d, double a, const double *x, double b, const double *y,
                   double *z);                                                   /* z = a x + b y */
/* A step and the mean of the iterates before it in one pass: m = old m + new x, then x = keep (a x + b g) + c z.
 * m = NULL: no mean; z = NULL: c = 0. Each entry has the bits of vec_lincomb. g, z, x and m do not overlap. */
struct vec_step { double keep, a, b, c, old, new; };
void   vec_step (long d, const struct vec_step *f, const double *g, const double *z, double *x, double *m);
void   vec_sub  (long d, const double *x, const double *y, double *z);           /* z = x - y */
double vec_dot  (long d, const double *x, const double *y);
double vec_norm (long d, const double *x);
double vec_norm1(long d, const double *x);
double vec_norm_inf(long d, const double *x);
/* Returns the first j with the largest x[j]; NaNs are ignored, and 0 is returned if there is nothing else.
 * *square <- |x|^2 up to rounding, in the same pass. */
long   vec_peak (long d, const double *x, double *square);
double vec_dist (long d, const double *x, const double *y);                      /* |x - y| */
bool   vec_finite(long d, const double *x);
/* x <- the nearest point of the ball around c (NULL: the origin). Returns true if x moved. */
bool   vec_project_ball(long d, const double *c, double radius, double *x);
/* x <- x min(1, bound/|x|); returns |x| before. */
double vec_clip_norm(long d, double bound, double *x);
/* x_j <- clamp to [-bound_j, bound_j]. */
void   vec_clip_coords(long d, const double *bound, double *x);
/* y[m] = a A x + b y, A[m*d] by rows. */
void   vec_gemv (long m, long d, double a, const double *A, const double *x, double b, double *y);
/* y[d] = a A' x + b y, A[m*d] by rows. */
void   vec_gemv_t(long m, long d, double a, const double *A, const double *x, double b, double *y);
/* y[d] += sum_k c_k row_k of A[m*d], with the bits of one vec_axpy for each row in order. */
void   vec_add_rows(long m, long d, const double *A, const double *c, double *y);
/* For the program, before it measures memory: computes a first product by BLAS, which GSL uses too, so that BLAS
 * allocates its buffers now. */
void vec_blas_begin(void);
/* Returns the BLAS core in use and the library's build, for provenance. */
const char *vec_blas_core(void);
const char *vec_blas_build(void);

#endif
