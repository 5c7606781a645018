/* SPDX-License-Identifier: GPL-3.0-or-later */
/* poisson_noise.h - the noise that R rounds on Poisson samples of rate q need, by a bound in closed form
 * (Mironov, Talwar, Zhang 2019, Theorem 11): with s the sd over the sensitivity, q <= 1/5, s >= 4 and
 *
 *     l = ln(1 + 1/(q(a-1))),   a <= s^2 l/2 - 2 ln s,
 *     a <= (s^2 l^2/2 - ln 5 - 2 ln s)/(l + ln(q a) + 1/(2 s^2))
 *
 * one round is (a, 2 q^2 a/s^2)-RDP, so that all are (eps, delta)-DP for eps = 2 R q^2 a/s^2 +
 * ln(1/delta)/(a-1) (Mironov 2017). Records added, removed or zeroed. About twice the exact noise. */
#ifndef ASSAY_PARTS_POISSON_NOISE_H
#define ASSAY_PARTS_POISSON_NOISE_H

#include <math.h>

/* Least epsilon over the orders a = 1 + 1.1^k, k < 100, within the range; infinite: none is. */
static inline double poisson_eps(double q, double R, double delta, double s)
{
    double least = INFINITY;
    for (int k = 0; k < 100 && q <= 0.2 && s >= 4; k++) {
        double a = 1 + pow(1.1, k), l = log1p(1 / (q * (a - 1)));
        double up = s * s * l * l / 2 - log(5) - 2 * log(s), down = l + log(q * a) + 1 / (2 * s * s);
        if (a <= s * s * l / 2 - 2 * log(s) && a * fmax(down, 0) <= up)
            least = fmin(least, 2 * R * q * q * a / (s * s) + log(1 / delta) / (a - 1));
    }
    return least;
}

/* An s with poisson_eps <= eps, to 1e-6 relative the least above which this was found; infinite: none
 * up to 2^40. */
static inline double poisson_noise(double q, double R, double eps, double delta)
{
    double low = 4, high = 4;
    while (high < 0x1p40 && !(poisson_eps(q, R, delta, high) <= eps)) {
        low = high;
        high *= 2;
    }
    while (high - low > 1e-6 * high && high < 0x1p40) {
        double mid = low + (high - low) / 2;
        if (poisson_eps(q, R, delta, mid) <= eps)
            high = mid;
        else
            low = mid;
    }
    return high < 0x1p40 ? high : INFINITY;
}

#endif
