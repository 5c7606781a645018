/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmath.h - elementary functions of whole vectors, with the same bits on every machine.
 *
 * y[d] <- function of x[d], each entry within 2 units in the last place (within 2 of the smallest subnormal where
 * the result is subnormal). y may be x, but must not overlap it otherwise. NaN gives NaN; the limits at +-infinity,
 * overflow to infinity and gradual underflow to 0 are exact. */
#ifndef ASSAY_VMATH_H
#define ASSAY_VMATH_H

void vmath_exp     (long d, const double *x, double *y);
/* log 0 is -infinity, and the log of a negative number NaN. */
void vmath_log     (long d, const double *x, double *y);
/* y_j <- log(1 + e^x_j), the softplus function; accurate to the last places also where it is small. */
void vmath_log1pexp(long d, const double *x, double *y);
/* y_j <- 1/(1 + e^-x_j). */
void vmath_logistic(long d, const double *x, double *y);
/* y_j <- the derivative of the logistic function at x_j, e^-|x|/(1 + e^-|x|)^2 with x = x_j. */
void vmath_logistic_slope(long d, const double *x, double *y);
/* x_j <- -y_j f(-y_j x_j), each product rounded, where f is the logistic function (vmath_turned_logistic) or its
 * derivative (vmath_turned_logistic_slope). These are the derivatives with respect to x of log(1 + e^(-yx)) and of
 * 1/(1 + e^(yx)). y and x must not overlap. */
void vmath_turned_logistic(long d, const double *y, double *x);
void vmath_turned_logistic_slope(long d, const double *y, double *x);

#endif
