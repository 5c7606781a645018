/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdp.h - the noise and the batches that the goal of a run implies for a private method that sees every sample
 * once. */
#ifndef ASSAY_PARTS_GDP_H
#define ASSAY_PARTS_GDP_H

#include <string.h>

#include "algo.h"
#include "gdp_curve.h"

/* (mu^2/2)-zCDP that is (eps, delta)-DP by Bun & Steinke's conversion, the minimum of a mu^2/2 +
 * log(1/delta)/(a-1) over all real orders a. */
static inline double gdp_mu_rdp(double eps, double delta)
{
    double L = log(1 / delta);
    return sqrt(2) * eps / (sqrt(L + eps) + sqrt(L));
}

/* *mu, where nobody has set it: from goal eps and delta, or from goal rho, whose (alpha,
 * alpha rho^2/2)-RDP is rho-GDP's; infinite if the goal asks for no privacy. calibration: "exact",
 * "rdp", or another word for the classical bound. */
static inline enum status gdp_choose(const struct goal *goal, const char *calibration, double *mu,
                                     const char *who, struct why *why)
{
    bool exact = strcmp(calibration, "exact") == 0, rdp = strcmp(calibration, "rdp") == 0;
    if (!isnan(*mu))
        return OK;
    if (isnan(goal->eps)) {
        *mu = isnan(goal->rho) ? INFINITY : goal->rho;
        return OK;
    }
    if (!(goal->eps >= 0 && goal->delta > 0 && goal->delta < 1))
        return why_set(why, REFUSED, "%s: goal eps = %g, delta = %g: expected eps >= 0 and "
                       "0 < delta < 1", who, goal->eps, goal->delta);
    *mu = exact ? gdp_mu(goal->eps, goal->delta)
        : rdp ? gdp_mu_rdp(goal->eps, goal->delta) : gdp_mu_classical(goal->eps, goal->delta);
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

/* T and B, where no parameter sets them: goal T and B, else wish(n, ctx) rounds of floor(n/T) samples. The
 * remainder n - B T is not used. */
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

/* Clipping norm C = L and sd sigma = C/(B mu) of a batch mean, where nobody has set them; without
 * noise or a goal nothing is clipped. */
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

/* v: v^2 = L^2/B + p sigma^2 bounds the mean square error of such a mean, of unclipped losses L at
 * most C; infinite where neither is known. */
static inline double batch_error(const struct facts *f, long B, double C, double sigma)
{
    double L = fmin(C, isnan(f->L) ? INFINITY : f->L);
    return sqrt(L * L / (double)B + f->d * sigma * sigma);
}

#endif
