/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdp.h - Gaussian differential privacy, and what the goal of a run asks of a private method that
 * sees every sample once.
 *
 *     N(0, sd^2 I) on a query of 2-sensitivity C is mu-GDP, mu = C/sd (Dong, Roth, Su 2022);
 *     mu-GDP is (eps, delta)-DP iff delta >= Phi(-a) - e^eps Phi(-a - mu),  a = eps/mu - mu/2
 *     (Balle and Wang 2018, Theorem 8);  mu-GDP is rho-zCDP with rho = mu^2/2. */
#ifndef ASSAY_PARTS_GDP_H
#define ASSAY_PARTS_GDP_H

#include <string.h>

#include "algo.h"

/* int_0^oo exp(-a s - s^2/2) (1 - exp(-mu s)) ds, a >= -1/2: positive terms only, so no digits are
 * lost. With mu = oo: Mills's ratio. Trapezoid rule after s = exp(u - exp(-u)): double exponential
 * at both ends, and the step leaves 1e-15 for a up to 40, where delta ends. */
static inline double gdp_tail(double a, double mu)
{
    const double h = 1.0 / 32;
    double sum = 0;
    for (int k = -128; k <= 160; k++) {
        double u = k * h, shrink = exp(-u), s = exp(u - shrink);
        double rise = isinf(mu) ? 1 : -expm1(-mu * s);
        sum += s * (1 + shrink) * exp(-a * s - s * s / 2) * rise;
    }
    return h * sum;
}

/* Smallest delta of a mu-GDP mechanism at eps >= 0; 0 <= mu <= oo. */
static inline double gdp_delta(double eps, double mu)
{
    const double root_2_pi = 2.5066282746310005;
    if (mu == 0 || isinf(mu))
        return mu > 0;
    double a = eps / mu - mu / 2, density = exp(-a * a / 2) / root_2_pi;
    if (density == 0)                    /* further out than doubles reach */
        return a < 0;
    if (a >= -0.5)
        return density * gdp_tail(a, mu);
    return erfc(a / sqrt(2)) / 2 - density * gdp_tail(a + mu, INFINITY);
}

/* Largest mu with gdp_delta(eps, mu) <= delta, to 1e-12 relative and from below; 0 < delta < 1. */
static inline double gdp_mu(double eps, double delta)
{
    double low = 1, high = 1;
    while (gdp_delta(eps, low) > delta)
        low /= 2;
    while (gdp_delta(eps, high) <= delta)
        high *= 2;
    while (high - low > 1e-12 * low) {
        double mid = low + (high - low) / 2;
        if (gdp_delta(eps, mid) <= delta)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* The classical Gaussian mechanism at (eps, delta/2), proven for eps <= 1; below the exact mu. */
static inline double gdp_mu_classical(double eps, double delta)
{
    return eps / sqrt(2 * log(2.5 / delta));
}

static inline double gdp_rho(double mu) { return mu * mu / 2; }

/* *mu, where nobody has set it: from goal eps and delta, or from goal rho, whose (alpha,
 * alpha rho^2/2)-RDP is rho-GDP's; infinite if the goal asks for no privacy. calibration: "exact",
 * or another word for the classical bound. */
static inline enum status gdp_choose(const struct goal *goal, const char *calibration, double *mu,
                                     const char *who, struct why *why)
{
    bool exact = strcmp(calibration, "exact") == 0;
    if (!isnan(*mu))
        return OK;
    if (isnan(goal->eps)) {
        *mu = isnan(goal->rho) ? INFINITY : goal->rho;
        return OK;
    }
    if (!(goal->eps >= 0 && goal->delta > 0 && goal->delta < 1))
        return why_set(why, REFUSED, "%s: goal eps = %g, delta = %g: expected eps >= 0 and "
                       "0 < delta < 1", who, goal->eps, goal->delta);
    *mu = exact ? gdp_mu(goal->eps, goal->delta) : gdp_mu_classical(goal->eps, goal->delta);
    return OK;
}

/* Samples of one epoch: goal n or what a budget of gradients buys, at most the data set; infinite
 * if only the number of rounds is limited. */
static inline double one_pass_samples(const struct facts *f, const struct goal *goal,
                                      double grads_per_sample)
{
    double n = isnan(goal->n) ? floor(goal->budget / grads_per_sample) : goal->n;
    n = fmin(n, isnan(f->n) ? INFINITY : f->n);
    return isnan(n) ? INFINITY : n;
}

/* T and B where nobody has set them: goal T and B, then wish(n, ctx) rounds of floor(n/T) samples;
 * the remainder n - B T is dropped. */
static inline enum status one_pass_shape(const struct goal *goal, double n,
                                         double (*wish)(double n, const void *ctx),
                                         const void *ctx, long *T, long *B, const char *who,
                                         struct why *why)
{
    if (goal->T >= 1)
        param_choose_count(T, (long)goal->T);
    if (goal->B >= 1)
        param_choose_count(B, (long)goal->B);
    if (!*T && isinf(n))
        return why_set(why, REFUSED, "%s needs goal n, T or budget", who);
    double rounds = *T ? (double)*T : *B ? floor(n / (double)*B) : wish(n, ctx);
    double batch = *B ? (double)*B : isinf(n) ? 1 : floor(n / rounds);
    if (!(rounds >= 1 && batch >= 1 && rounds * batch <= n))
        return why_set(why, REFUSED, "%s: T = %g rounds of B = %g samples do not fit n = %g", who,
                       rounds, *B ? batch : n / rounds, n);
    *T = (long)rounds;
    *B = (long)batch;
    return OK;
}

#endif
