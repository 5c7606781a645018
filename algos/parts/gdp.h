/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdp.h - how a private method that uses every sample once chooses noise, rounds and batches from the goal of a
 * run. In this file mu is the parameter of mu-GDP (gdp_curve.h), not strong convexity. */
#ifndef ASSAY_PARTS_GDP_H
#define ASSAY_PARTS_GDP_H

#include <string.h>

#include "algo.h"
#include "gdp_curve.h"

/* Returns the mu for which (mu^2/2)-zCDP is (eps, delta)-DP by the conversion of Bun & Steinke: eps is the minimum
 * of a mu^2/2 + log(1/delta)/(a-1) over all real orders a. */
static inline double gdp_mu_rdp(double eps, double delta)
{
    double L = log(1 / delta);
    return sqrt(2) * eps / (sqrt(L + eps) + sqrt(L));
}

/* Sets *mu, unless it is set: from goal eps and delta by the calibration, which is "exact", "rdp", or any other
 * word for the classical bound, but at most the exact mu, since that bound is too large for large eps; or to goal
 * rho, as rho-GDP has the (alpha, alpha rho^2/2)-RDP that goal rho asks for. A goal with neither rho nor a finite
 * eps asks for no privacy: *mu is then infinite. */
static inline enum status gdp_choose(const struct goal *goal, const char *calibration, double *mu,
                                     const char *who, struct why *why)
{
    bool exact = strcmp(calibration, "exact") == 0, rdp = strcmp(calibration, "rdp") == 0;
    if (!isnan(*mu))
        return OK;
    if (!(goal->eps < INFINITY)) {
        *mu = isnan(goal->rho) ? INFINITY : goal->rho;
        return OK;
    }
    if (!(goal->eps >= 0 && goal->delta > 0 && goal->delta < 1))
        return why_set(why, REFUSED, "%s: goal eps = %g, delta = %g: expected eps >= 0 and "
                       "0 < delta < 1", who, goal->eps, goal->delta);
    *mu = rdp ? gdp_mu_rdp(goal->eps, goal->delta) : gdp_mu(goal->eps, goal->delta);
    if (!exact && !rdp)
        *mu = fmin(*mu, gdp_mu_classical(goal->eps, goal->delta));
    return OK;
}

/* Returns the number of samples of one epoch: goal n or, without it, as many as a budget of gradients allows, and
 * at most the size of the data set. The number is infinite if only the number of rounds is limited. */
static inline double one_pass_samples(const struct facts *f, const struct goal *goal,
                                      double grads_per_sample)
{
    double n = isnan(goal->n) ? floor(goal->budget / grads_per_sample) : goal->n;
    n = fmin(n, isnan(f->n) ? INFINITY : f->n);
    return isnan(n) ? INFINITY : n;
}

/* Sets the number *T of rounds and the batch size *B, unless they are set (0: not set): to goal T and B. If the
 * goal has no T, *T is floor(n/B) where B is known, else wish(n, ctx), the method's own choice. If it has no B, *B
 * is floor(n/T), or 1 if n is infinite. The remaining n - B T samples are not used. */
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

/* Sets *C to the fact L and *sigma = C/(B mu), unless they are set: the clipping norm, and the standard deviation
 * of the noise in a batch mean. Without noise, *C is infinite: nothing is clipped. */
static inline enum status clip_choose(const struct facts *f, long B, double mu, double *C,
                                      double *sigma, const char *who, struct why *why)
{
    bool noisy = isnan(*sigma) ? isfinite(mu) : *sigma > 0;
    param_choose(C, noisy || isfinite(mu) ? f->L : INFINITY);
    if (isnan(*C) || (isinf(*C) && noisy))
        return why_set(why, REFUSED, "%s: clipping at C = L = %g: give algo.C", who, *C);
    param_choose(sigma, isinf(mu) ? 0 : *C / ((double)B * mu));
    return OK;
}

/* Returns v = sqrt(L^2/B + d sigma^2), d the fact, where v^2 bounds the mean squared error of a batch mean with
 * noise. L is the fact, but at most C; v is infinite if neither is finite. */
static inline double batch_error(const struct facts *f, long B, double C, double sigma)
{
    double L = fmin(C, isnan(f->L) ? INFINITY : f->L);
    return sqrt(L * L / (double)B + f->d * sigma * sigma);
}

#endif
