/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noisy_mean.h - the gradient source of noisy descent: clipped means of sample gradients plus
 * N(0, sigma^2 I), released, and plus the gradient of (lambda/2)|x - centre|^2, which is public. */
#ifndef ASSAY_PARTS_NOISY_MEAN_H
#define ASSAY_PARTS_NOISY_MEAN_H

#include "algo.h"

struct noisy_mean {
    struct oracle *o;
    const char *site;                /* of the release */
    long fresh;                      /* samples of a new batch each time; 0: `samples` again */
    double rate, n;                  /* rate > 0: a Poisson sample of the n stored records */
    struct ticket samples;
    double C, sigma;                 /* C infinite: no clipping */
    double lambda;
    const double *centre;            /* [d]; not used where lambda is 0 */
};

/* g[d] <- the noisy gradient at x[d]; one round. ctx: struct noisy_mean. */
static inline bool noisy_mean(void *ctx, const double *x, double *g)
{
    struct noisy_mean *s = ctx;
    long d = oracle_dim(s->o);
    if (s->rate > 0 ? !oracle_poisson(s->o, s->rate, &s->samples)
                    : s->fresh && !oracle_take(s->o, s->fresh, &s->samples))
        return false;
    if (!oracle_clipped(s->o, &s->samples, x, s->C, g))
        return false;
    oracle_estimate(s->o, x, g);
    double count = s->rate > 0 ? s->rate * s->n : (double)s->samples.count;
    const struct release r = { .site = s->site, .norm = NORM_2, .sensitivity = s->C / count,
                               .ticket = &s->samples };
    noise_gaussian(s->o, &r, s->sigma, d, g);
    if (s->lambda > 0) {
        vec_axpy(d, s->lambda, x, g);
        vec_axpy(d, -s->lambda, s->centre, g);
    }
    return true;
}

#endif
