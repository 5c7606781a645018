/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmath.h - elementary functions of whole vectors, the same bits on every machine.
 *
 * y[d] <- function of x[d], each within 2 units in the last place (2 of the smallest unit where the
 * result is subnormal); y may be x, but not overlap it otherwise. NaN gives NaN; the limits at
 * +-infinity, overflow to infinity and gradual underflow to 0 are exact. */
#ifndef ASSAY_VMATH_H
#define ASSAY_VMATH_H

void vmath_exp     (long d, const double *x, double *y);
/* Of 0: -infinity; of less: NaN. */
void vmath_log     (long d, const double *x, double *y);
/* log(1 + e^x), the softplus; relative accuracy also where it is small. */
void vmath_log1pexp(long d, const double *x, double *y);
/* 1/(1 + e^-x). */
void vmath_logistic(long d, const double *x, double *y);
/* Its derivative, e^-|x|/(1 + e^-|x|)^2. */
void vmath_logistic_slope(long d, const double *x, double *y);
/* x_j <- -y_j f(-y_j x_j), each product rounded, f the last two in turn: the derivatives of
 * log(1 + e^(-yx)) and of 1/(1 + e^(yx)) by x. y and x do not overlap. */
void vmath_turned_logistic(long d, const double *y, double *x);
void vmath_turned_logistic_slope(long d, const double *y, double *x);

#endif
