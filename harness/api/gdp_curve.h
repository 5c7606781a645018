/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdp_curve.h - the exact privacy curve of Gaussian noise. Private methods calibrate by it and
 * accountants price with it, so that both use one copy.
 *
 *      N(0, sd^2 I) on a query of 2-sensitivity C is mu-GDP, mu = C/sd (Dong, Roth, Su 2022);
 *      mu-GDP is (eps, delta)-DP iff delta >= Phi(-a) - e^eps Phi(-a - mu), a = eps/mu - mu/2
 *      (Balle and Wang 2018, Theorem 8); mu-GDP is rho-zCDP with rho = mu^2/2.
 *
 * In this file mu is the parameter of Gaussian differential privacy (GDP), and Phi the standard normal distribution
 * function. */
#ifndef ASSAY_GDP_CURVE_H
#define ASSAY_GDP_CURVE_H

#include <math.h>
#include <stdbool.h>

/* Returns the integral int_0^oo exp(-a s - s^2/2) (1 - exp(-mu s)) ds for a >= -1/2. All terms are positive, so
 * that no digits are lost. With mu = oo it is Mills's ratio. The trapezoidal rule after the substitution
 * s = exp(u - exp(-u)) converges doubly exponentially at both ends. Its step width 1/32 leaves an error of 1e-15
 * for a up to 40, beyond which delta underflows; a larger step loses digits. */
static inline double gdp_tail(double a, double mu)
{
    const double h = 1.0 / 32;
    double sum = 0;
    for (int k = -128; k <= 160; k++) {
        double u = k * h, shrink = exp(-u), s = exp(u - shrink), density = exp(-a * s - s * s / 2);
        if (density == 0)                /* here and at all larger s */
            break;
        sum += s * (1 + shrink) * density * (isinf(mu) ? 1 : -expm1(-mu * s));
    }
    return h * sum;
}

/* Returns the smallest delta of a mu-GDP mechanism at eps >= 0; 0 <= mu <= oo. */
static inline double gdp_delta(double eps, double mu)
{
    const double root_2_pi = 2.5066282746310005;
    if (mu == 0 || isinf(mu))
        return mu > 0;
    double a = eps / mu - mu / 2, density = exp(-a * a / 2) / root_2_pi;
    if (density == 0)                    /* the density underflows */
        return a < 0;
    if (a >= -0.5)
        return density * gdp_tail(a, mu);
    return erfc(a / sqrt(2)) / 2 - density * gdp_tail(a + mu, INFINITY);
}

/* Returns the logarithm of gdp_delta, also where delta itself underflows. Its error is at most 1e-14 (4 + a^2) for
 * a up to 40. */
static inline double gdp_log_delta(double eps, double mu)
{
    const double log_root_2_pi = 0.9189385332046727;
    double a = eps / mu - mu / 2;
    if (!(a >= 0.5) || isinf(mu))
        return log(gdp_delta(eps, mu));
    return log(gdp_tail(a, mu)) - a * a / 2 - log_root_2_pi;
}

/* Is gdp_delta(eps, mu) > delta? Near the smallest doubles logarithms are compared. */
static inline bool gdp_exceeds(double eps, double mu, double delta)
{
    return delta > 1e-290 ? gdp_delta(eps, mu) > delta : gdp_log_delta(eps, mu) > log(delta);
}

/* Returns an approximation of the largest mu with gdp_delta(eps, mu) <= delta. Newton's method solves
 * log gdp_delta(eps, mu) = log delta; the derivative of gdp_delta with respect to mu is the normal density at
 * a = eps/mu - mu/2. The first iterate solves eps = mu^2/2 + mu sqrt(2 log(1/delta)), the conversion of zCDP to
 * (eps, delta)-DP. If eps or delta is extreme, the result may be far from the largest mu, or NaN. */
static inline double gdp_mu_near(double eps, double delta)
{
    const double log_root_2_pi = 0.9189385332046727;
    double l = -log(delta), mu = fmax(sqrt(2) * eps / (sqrt(l + eps) + sqrt(l)), delta), step = mu;
    for (int k = 0; k < 60 && fabs(step) > 1e-7 * mu; k++) {
        double a = eps / mu - mu / 2, value = gdp_log_delta(eps, mu);
        step = (value - log(delta)) * exp(value + a * a / 2 + log_root_2_pi);
        mu -= fmin(step, mu / 2);
    }
    return mu;
}

/* Returns the largest mu with gdp_delta(eps, mu) <= delta, rounded downwards, to 1e-12 relative. Returns oo for
 * eps = oo, and NaN unless eps >= 0 and 0 < delta < 1. mu is found by bisection. It lies between `below` and `above`,
 * so that gdp_delta is computed only between these two. */
static inline double gdp_mu(double eps, double delta)
{
    if (!(eps >= 0 && delta > 0 && delta < 1))
        return NAN;
    if (isinf(eps))
        return INFINITY;
    double near = gdp_mu_near(eps, delta), below = near * (1 - 2e-12), above = near * (1 + 2e-12);
    double low = 1, high = 1;
    if (!(below > 0) || gdp_exceeds(eps, below, delta))
        below = 0;
    if (!(above < INFINITY) || !gdp_exceeds(eps, above, delta))
        above = INFINITY;
    while (low > below && (low >= above || gdp_exceeds(eps, low, delta)))
        low /= 2;
    while (high < above && (high <= below || !gdp_exceeds(eps, high, delta)))
        high *= 2;
    while (high - low > 1e-12 * low) {
        double mid = low + (high - low) / 2;
        if (mid == low)                  /* both are next to each other, or 0 and the smallest double */
            break;
        if (mid <= below || (mid < above && !gdp_exceeds(eps, mid, delta)))
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* Returns the mu of the classical Gaussian mechanism at (eps, delta/2), proven for eps <= 1; smaller than the exact
 * mu. */
static inline double gdp_mu_classical(double eps, double delta)
{
    return eps / sqrt(2 * log(2.5 / delta));
}

static inline double gdp_rho(double mu) { return mu * mu / 2; }

#endif
