/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noisy_mean.h - the gradients of noisy descent: the mean of clipped sample gradients plus N(0, sigma^2 I), which
 * is released, plus the gradient of (lambda/2)|x - centre|^2, which is public. If blur > 0, sample gradients are
 * those of losses convolved with N(0, blur^2 I), by one draw for each sample and round. */
#ifndef ASSAY_PARTS_NOISY_MEAN_H
#define ASSAY_PARTS_NOISY_MEAN_H

#include "algo.h"

struct noisy_mean {
    struct oracle *o;
    const char *site;                /* name of the release */
    long fresh;                      /* number of fresh samples of a round; 0: every round uses `samples` */
    double rate, n;                  /* if rate > 0, a round uses a Poisson sample, with this rate, of n records */
    const struct ticket *block;      /* these n records; NULL: all stored records */
    double blur;
    struct rng draws;                /* substream k has the random numbers of round k */
    uint64_t round;
    struct ticket samples;
    double C, sigma;                 /* an infinite C means no clipping */
    double lambda;
    const double *centre;            /* [d]; not used where lambda is 0 */
};

/* s->samples <- the batch of the next round; where rate and fresh are 0, every round has the batch that is there.
 * Returns false if a batch is to be drawn and the budget is spent. */
static inline bool noisy_mean_draw(struct noisy_mean *s)
{
    if (s->rate > 0)
        return s->block ? oracle_poisson_of(s->o, s->block, s->rate, &s->samples)
                        : oracle_poisson(s->o, s->rate, &s->samples);
    return !s->fresh || oracle_take(s->o, s->fresh, &s->samples);
}

/* g[d] <- the noisy gradient at x[d], in one round. ctx is a struct noisy_mean. Returns false if the budget is
 * spent. */
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
