/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noisy_mean.h - the gradient source of noisy descent: clipped means of sample gradients plus
 * N(0, sigma^2 I), released, and plus the gradient of (lambda/2)|x - centre|^2, which is public.
 * With blur they are of the losses convolved with N(0, blur^2 I), one draw a sample and round. */
#ifndef ASSAY_PARTS_NOISY_MEAN_H
#define ASSAY_PARTS_NOISY_MEAN_H

#include "algo.h"

struct noisy_mean {
    struct oracle *o;
    const char *site;                /* name of the release */
    long fresh;                      /* samples of a new batch each round; 0: `samples` every round */
    double rate, n;                  /* rate > 0: a Poisson sample of the n stored records ... */
    const struct ticket *block;      /* ... or of these n alone; NULL: all */
    double blur;
    struct rng draws;                /* round k: substream k */
    uint64_t round;
    struct ticket samples;
    double C, sigma;                 /* C infinite: no clipping */
    double lambda;
    const double *centre;            /* [d]; not used where lambda is 0 */
};

/* samples <- the batch of the next round. Returns false if the budget is spent. */
static inline bool noisy_mean_draw(struct noisy_mean *s)
{
    if (s->rate > 0)
        return s->block ? oracle_poisson_of(s->o, s->block, s->rate, &s->samples)
                        : oracle_poisson(s->o, s->rate, &s->samples);
    return !s->fresh || oracle_take(s->o, s->fresh, &s->samples);
}

/* g[d] <- the noisy gradient at x[d]; one round. ctx is a struct noisy_mean. */
static inline bool noisy_mean(void *ctx, const double *x, double *g)
{
    struct noisy_mean *s = ctx;
    long d = oracle_dim(s->o);
    struct rng z = rng_sub(&s->draws, s->round++);
    if (!noisy_mean_draw(s))
        return false;
    if (!oracle_batch(s->o, &(struct batch){ .ticket = &s->samples, .points = 1, .x = &x,
                                             .clip = CLIP_NORM, .C = s->C, .blur = s->blur,
                                             .draws = &z, .g = g }))
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
