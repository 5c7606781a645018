/* SPDX-License-Identifier: GPL-3.0-or-later */
/* smoothed_norm.h - N(x) = E |P x + P v|, v uniform in the unit ball of R^d, P a projection on m of
 * the d coordinates: radial, and with q = |P x| its slope is
 *
 *     N'(q) = k q 2F1(1/2, (1-d)/2; m/2 + 1; q^2)                     q <= 1
 *           = H - 2 s H',  H(s) = 2F1(-1/2, (1-m)/2; d/2 + 1; s)      q >= 1, s = 1/q^2
 *     k = Gamma((m+1)/2) Gamma(d/2 + 1) (d+1)/(Gamma(m/2) Gamma(d/2 + 3/2) m)
 *
 * from the Riesz potentials of (1 - |w|^2)^((d-m)/2) in R^m, the density of P v (Dyda 2012). The
 * first series cancels unless m >= d - 1; for m = 1, N' = 2 P_d - 1 with P_d the distribution
 * function of one coordinate of v, an incomplete beta function. Times delta: the smoothing of
 * |P x| at radius delta, at |P x|/delta. */
#ifndef ASSAY_PARTS_SMOOTHED_NORM_H
#define ASSAY_PARTS_SMOOTHED_NORM_H

#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdbool.h>

struct smoothed_norm { double d, m, k; };

static inline struct smoothed_norm smoothed_norm_of(double d, double m)
{
    double log_k = lgamma((m + 1) / 2) + lgamma(d / 2 + 1) - lgamma(m / 2) - lgamma(d / 2 + 1.5);
    return (struct smoothed_norm){ d, m, exp(log_k) * (d + 1) / m };
}

/* 2F1(a, b; c; z), 0 <= z <= 1, b <= 1/2, c - a - b >= 1: terms fall at least as n^-2 z^n. */
static inline double smoothed_norm_series(double a, double b, double c, double z)
{
    enum { TERMS = 20000 };
    double term = 1, sum = 1;
    for (int n = 0; n < TERMS && fabs(term) > 1e-17 * fabs(sum); n++) {
        term *= (a + n) * (b + n) / ((c + n) * (n + 1)) * z;
        sum += term;
    }
    return sum;
}

/* N'(q), q >= 0; m is d or d - 1. */
static inline double smoothed_norm_slope(const struct smoothed_norm *o, double q)
{
    if (q <= 1)
        return o->k * q * smoothed_norm_series(0.5, (1 - o->d) / 2, o->m / 2 + 1, q * q);
    double s = 1 / (q * q), b = (1 - o->m) / 2, c = o->d / 2 + 1;
    return smoothed_norm_series(-0.5, b, c, s) +
           s * b / c * smoothed_norm_series(0.5, b + 1, c + 1, s);
}

/* 2 P_d(q) - 1 for q of either sign: the smoothing's slope of |x_1|. */
static inline double smoothed_sign(double d, double q)
{
    bool inside = fabs(q) < 1 && (d + 1) / 2 * log1p(-q * q) > -40;      /* beyond: 1 - 1e-17 */
    return inside ? copysign(gsl_sf_beta_inc(0.5, (d + 1) / 2, q * q), q) : copysign(1, q);
}

#endif
