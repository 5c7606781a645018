/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak.h - what the planted leaks have in common: one-pass DP-SGD with the noise that (eps, delta) requires,
 *
 *     g_t = (1/B) sum_{d in B_t} clip( grad f(x_t,d), C ) + N(0, sigma^2 I)
 *     x_{t+1} = P( x_t - h g_t )
 *
 * f(x,d) is the loss of record d, B_t the batch of step t, P the projection and h the step length. The noise has
 * sigma = C/(B mu), where mu is the parameter of Gaussian privacy that (eps, delta) allows. The adjacency is
 * zero-out. Each leak differs from this method in one place; algos/dp_sgd.c is the correct method. */
#ifndef ASSAY_PLANTED_LEAK_H
#define ASSAY_PLANTED_LEAK_H

#include "gdp.h"

struct leak { double C, sigma, step; long T, B; };

/* The parameters of struct leak. */
#define LEAK_PARAMS                                                                              \
    PARAM(leak, C, NAN, 0, INFINITY, "f/x", "clipping norm; default L"),                         \
    PARAM(leak, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise; default C/(B mu)"),            \
    PARAM(leak, step, 0.05, 0, INFINITY, "x^2/f", "h"),                                          \
    PARAM(leak, T, 0, 0, 0x1p40, "steps", "rounds; 0: 8"),                                       \
    PARAM(leak, B, 0, 0, 0x1p40, "samples", "batch size; 0: floor(n/T)"), PARAM_END

static inline double leak_rounds(double n, const void *ctx) { return fmin(8, n); }

static inline enum status leak_tune(const struct facts *f, const struct goal *goal, void *vp,
                                    struct why *why)
{
    struct leak *s = vp;
    double mu = NAN;
    TRY(one_pass_shape(goal, one_pass_samples(f, goal, 1), leak_rounds, NULL, &s->T, &s->B, "leak",
                       why));
    TRY(gdp_choose(goal, "exact", &mu, "leak", why));
    param_choose(&s->C, f->L);
    if (!(s->C < INFINITY))
        return why_set(why, REFUSED, "a leak needs L, or algo.C");
    param_choose(&s->sigma, s->C / ((double)s->B * mu));
    return OK;
}

/* g[d] <- the mean of the clipped gradients of a batch at x, without noise. */
static inline bool leak_gradient(struct oracle *o, const struct leak *s, const struct ticket *batch,
                                 const double *x, double *g)
{
    return oracle_batch(
        o, &(struct batch){
               .ticket = batch, .points = 1, .x = &x, .clip = CLIP_NORM, .C = s->C, .g = g });
}

/* x[d] <- P(x - h g), which is marked. */
static inline void leak_move(struct oracle *o, double h, const double *g, double *x)
{
    vec_axpy(oracle_dim(o), -h, g, x);
    oracle_project(o, 0, x);
    oracle_mark(o, x);
}

/* The slots that the leaks have in common. */
#define LEAK_COMMON                                                                              \
    .cite = "none", .calls = CALL_SAMPLES | CALL_NOISE,                                          \
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L), .adjacency = ADJACENCY_ZERO_OUT,        \
    .params = params, .params_size = sizeof(struct leak), .tune = leak_tune

#endif
