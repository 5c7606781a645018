/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmath.c - vmath.h by the kernels of the level in use (lanes.h). */
#include "vmath.h"

#include "numeric/lanes.h"

void vmath_exp(long d, const double *x, double *y)
{
    lanes_now()->exp(d, x, y);
}

void vmath_log(long d, const double *x, double *y)
{
    lanes_now()->log(d, x, y);
}

void vmath_log1pexp(long d, const double *x, double *y)
{
    lanes_now()->log1pexp(d, x, y);
}

void vmath_logistic(long d, const double *x, double *y)
{
    lanes_now()->logistic(d, x, y);
}

void vmath_logistic_slope(long d, const double *x, double *y)
{
    lanes_now()->logistic_slope(d, x, y);
}

void vmath_turned_logistic(long d, const double *y, double *x)
{
    lanes_now()->turned_logistic(d, y, x);
}

void vmath_turned_logistic_slope(long d, const double *y, double *x)
{
    lanes_now()->turned_logistic_slope(d, y, x);
}
