/* SPDX-License-Identifier: GPL-3.0-or-later */
/* poisson_noise.h - the noise that R rounds on Poisson samples of rate q need. With s the sd over
 * the sensitivity one round is (a, e(a))-RDP for whole a >= 2 (Mironov, Talwar, Zhang 2019),
 *
 *     e(a) = ln( sum_{k<=a} binom(a,k) (1-q)^(a-k) q^k exp(k(k-1)/(2 s^2)) )/(a-1),
 *
 * records added, removed or zeroed, and R of them (eps, delta)-DP (Canonne, Kamath, Steinke
 * 2020) for
 *
 *     eps = R e(a) + ln(1 - 1/a) - (ln delta + ln a)/(a-1). */
#ifndef ASSAY_PARTS_POISSON_NOISE_H
#define ASSAY_PARTS_POISSON_NOISE_H

#include <math.h>

/* e(a), 0 < q < 1. */
static inline double poisson_divergence(double q, double s, int a)
{
    double sum = a * log1p(-q), term = sum, odds = log(q) - log1p(-q);
    for (int k = 1; k <= a; k++) {           /* of the whole: log-sum-exp, term by term */
        term += log((a - k + 1.0) / k) + odds;
        double with = term + k * (k - 1.0) / (2 * s * s), most = fmax(sum, with);
        sum = most + log1p(exp(fmin(sum, with) - most));
    }
    return sum / (a - 1);
}

/* The least epsilon over orders 2, 3, ... in steps of a tenth, up to 500. */
static inline double poisson_eps(double q, double R, double delta, double s)
{
    double least = INFINITY;
    for (int a = 2; a <= 500; a += 1 + a / 10)
        least = fmin(least, R * poisson_divergence(q, s, a) + log1p(-1.0 / a) -
                            (log(delta) + log(a)) / (a - 1));
    return fmax(least, 0);
}

/* s with poisson_eps <= eps, the least to 1e-6; infinite where no s up to 2^40 will do. */
static inline double poisson_noise(double q, double R, double eps, double delta)
{
    double low = 0x1p-20, high = 0x1p40;
    if (!(poisson_eps(q, R, delta, high) <= eps))
        return INFINITY;
    while (high > (1 + 1e-6) * low) {
        double mid = sqrt(low * high);
        if (poisson_eps(q, R, delta, mid) <= eps)
            high = mid;
        else
            low = mid;
    }
    return high;
}

#endif
