/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_point_half.c - wrong on purpose: releases two-point gradients of batches at the start, under the
 * site of private-zo-o2nc, and books half the sensitivity 2 d L/b. Caught by the replay. */
#include "two_point.h"

struct half { double L; long b; };

static const struct param params[] = {
    PARAM(half, L, NAN, 1e-100, 1e100, "f/x", "of the clamp; default the fact"),
    PARAM(half, b, 4, 1, 0x1p40, "samples", "in a batch"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct half *p = vp;
    param_choose(&p->L, f->L);
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct half *p = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d);
    struct two_point f = { 0.05, p->L, d, false };
    struct ticket z;
    double sensitivity = two_point_grad_sensitivity((double)d, p->L, (double)p->b) / 2;

    arena_seal(w);
    while (oracle_take(o, p->b, &z) && two_point_grad(o, &f, &z, x, g))
        noise_gaussian(o, &(struct release){ .site = "private-zo-o2nc.gradient", .norm = NORM_2,
                                             .ticket = &z, .sensitivity = sensitivity },
                       sensitivity, d, g);
    return OK;
}

const struct algo algo_two_point_half = {
    .name = "planted-two-point-half",
    .doc = "planted: two-point gradients with half the sensitivity that is due",
    .cite = "none",
    .calls = CALL_SAMPLE_VALUES | CALL_NOISE,
    .reads = FACT_BIT(L),
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct half),
    .tune = tune,
    .run = run,
};
