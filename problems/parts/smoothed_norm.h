/* SPDX-License-Identifier: GPL-3.0-or-later */
/* smoothed_norm.h - N(x) = E |P x + P v|, v uniform in the unit ball of R^d, P a projection on m of the d
 * coordinates. N is radial; with q = |P x| its slope is
 *
 *     N'(q) = k q 2F1(1/2, (1-d)/2; m/2 + 1; q^2)                     q <= 1
 *           = H - 2 s H',  H(s) = 2F1(-1/2, (1-m)/2; d/2 + 1; s)      q >= 1, s = 1/q^2
 *     k = Gamma((m+1)/2) Gamma(d/2 + 1) (d+1)/(Gamma(m/2) Gamma(d/2 + 3/2) m)
 *
 * These follow from the Riesz potentials in R^m of (1 - |w|^2)^((d-m)/2), which is the density of P v up to a
 * constant (Dyda 2012). The terms of the first series cancel unless m >= d - 1. For m = 1, N' = 2 P_d - 1, where
 * P_d is the distribution function of one coordinate of v, an incomplete beta function. The function |P x| smoothed
 * over a ball of radius delta is delta N(x/delta). */
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

/* Returns 2F1(a, b; c; z), 0 <= z <= 1. With b <= 1/2 and c - a - b >= 1 the terms of the series fall at least as
 * fast as n^-2 z^n. */
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

enum { SMOOTHED_LANES = 8 };         /* number of series that are summed side by side */

/* sum[SMOOTHED_LANES] <- 2F1(a, b; c; z) for each z. The ratio of a term to the one before is computed once for all
 * z, and the sums are independent for the processor. All series end with the slowest one. Since |b| < c and a <= 1,
 * terms do not grow again, so that the further terms of a faster series are below half of the last bit of the sum.
 * Every sum is therefore equal to that of smoothed_norm_series to the last bit. */
static inline void smoothed_norm_series_all(double a, double b, double c, const double *z, double *sum)
{
    enum { TERMS = 20000, TURN = 4 };
    double term[SMOOTHED_LANES];
    bool left = true;
    for (int l = 0; l < SMOOTHED_LANES; l++)
        term[l] = sum[l] = 1;
    for (int n = 0; n < TERMS && left; n += TURN) {
        for (int k = n; k < n + TURN; k++) {
            double ratio = (a + k) * (b + k) / ((c + k) * (k + 1));
            for (int l = 0; l < SMOOTHED_LANES; l++) {
                term[l] *= ratio * z[l];
                sum[l] += term[l];
            }
        }
        left = false;
        for (int l = 0; l < SMOOTHED_LANES; l++)
            left |= fabs(term[l]) > 1e-17 * fabs(sum[l]);
    }
}

/* Returns N'(q), q >= 0; m is d or d - 1. */
static inline double smoothed_norm_slope(const struct smoothed_norm *o, double q)
{
    if (q <= 1)
        return o->k * q * smoothed_norm_series(0.5, (1 - o->d) / 2, o->m / 2 + 1, q * q);
    double s = 1 / (q * q), b = (1 - o->m) / 2, c = o->d / 2 + 1;
    return smoothed_norm_series(-0.5, b, c, s) +
           s * b / c * smoothed_norm_series(0.5, b + 1, c + 1, s);
}

/* slope[SMOOTHED_LANES] <- N'(q). The q are either all at most 1 or all above 1. */
static inline void smoothed_norm_slopes_all(const struct smoothed_norm *o, const double *q, double *slope)
{
    double z[SMOOTHED_LANES], sum[SMOOTHED_LANES], rest[SMOOTHED_LANES];
    if (q[0] <= 1) {
        for (int l = 0; l < SMOOTHED_LANES; l++)
            z[l] = q[l] * q[l];
        smoothed_norm_series_all(0.5, (1 - o->d) / 2, o->m / 2 + 1, z, sum);
        for (int l = 0; l < SMOOTHED_LANES; l++)
            slope[l] = o->k * q[l] * sum[l];
        return;
    }
    double b = (1 - o->m) / 2, c = o->d / 2 + 1;
    for (int l = 0; l < SMOOTHED_LANES; l++)
        z[l] = 1 / (q[l] * q[l]);
    smoothed_norm_series_all(-0.5, b, c, z, sum);
    smoothed_norm_series_all(0.5, b + 1, c + 1, z, rest);
    for (int l = 0; l < SMOOTHED_LANES; l++)
        slope[l] = sum[l] + z[l] * b / c * rest[l];
}

/* slope[n] <- N'(q[n]), equal to the bit to smoothed_norm_slope. */
static inline void smoothed_norm_slopes(const struct smoothed_norm *o, int n, const double *q, double *slope)
{
    for (int inside = 0; inside < 2; inside++) {
        double some[SMOOTHED_LANES], of[SMOOTHED_LANES];
        int at[SMOOTHED_LANES], count = 0;
        for (int k = 0; k < n; k++) {
            if ((q[k] <= 1) == inside) {
                at[count] = k;
                some[count++] = q[k];
            }
            if (count == 0 || (count < SMOOTHED_LANES && k < n - 1))
                continue;
            for (int l = count; l < SMOOTHED_LANES; l++)
                some[l] = some[0];
            smoothed_norm_slopes_all(o, some, of);
            for (; count > 0; count--)
                slope[at[count - 1]] = of[count - 1];
        }
    }
}

/* Returns 2 P_d(q) - 1 for q of either sign: the slope of |x_1| smoothed over the unit ball, at x_1 = q. */
static inline double smoothed_sign(double d, double q)
{
    bool inside = fabs(q) < 1 && (d + 1) / 2 * log1p(-q * q) > -40;      /* else 1 within 1e-17 */
    return inside ? copysign(gsl_sf_beta_inc(0.5, (d + 1) / 2, q * q), q) : copysign(1, q);
}

#endif
