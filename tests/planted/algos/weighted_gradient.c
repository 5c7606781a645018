/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weighted_gradient.c - wrong on purpose: Accelerated-DP-SRGD, without noise, whose rounds ask for eta_t grad
 * f(x_t,d) in place of the difference eta_t grad f(x_t,d) - eta_{t-1} grad f(x_{t-1},d), where f(x,d) is the loss
 * of record d and eta_t = t + 1. The norm before clipping (measure clip.largest) is then up to eta_t L, which grows
 * with t. */
#include "algo.h"

struct weighted { long T, B; double C, beta; };

static const struct param params[] = {
    PARAM(weighted, T, 0, 0, 0x1p40, "steps", "rounds; 0: of the goal"),
    PARAM(weighted, B, 1, 1, 0x1p40, "samples", "batch size"),
    PARAM(weighted, C, 1e9, 0, INFINITY, "f/x", "clipping norm"),
    PARAM(weighted, beta, NAN, 0, INFINITY, "f/x^2", "inverse step; default 2M, or 2L/R"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct weighted *p = vp;
    if (!p->T && !(goal->T >= 1))
        return why_set(why, REFUSED, "planted-weighted-gradient needs goal T");
    param_choose_count(&p->T, (long)goal->T);
    param_choose(&p->beta, 2 * (f->M > 0 ? f->M : f->L / f->diameter));
    if (!(p->beta > 0))
        return why_set(why, REFUSED, "planted-weighted-gradient needs M, or L and the diameter");
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *y)
{
    const struct weighted *p = vp;
    long d = oracle_dim(o);
    double *x = arena_vec(w, d), *z = arena_vec(w, d), *g = arena_vec(w, d);
    const double *const at = x;
    struct ticket t;

    arena_seal(w);
    vec_copy(d, y, x);
    vec_copy(d, y, z);
    for (long k = 0; k < p->T && oracle_take(o, p->B, &t); k++) {
        double eta = (double)k + 1, tau = 2 / ((double)k + 3);
        if (!oracle_batch(o, &(struct batch){ .ticket = &t, .points = 1, .x = &at, .a = &eta,
                                              .clip = CLIP_NORM, .C = p->C, .g = g }))
            break;
        vec_axpy(d, -1 / p->beta, g, z);
        vec_lincomb(d, 1, x, -1 / (eta * p->beta), g, y);
        oracle_project(o, 0, z);
        oracle_project(o, 0, y);
        vec_lincomb(d, 1 - tau, y, tau, z, x);
        oracle_mark(o, y);
    }
    return OK;
}

const struct algo algo_weighted_gradient = {
    .name = "planted-weighted-gradient",
    .doc = "planted: releases the weighted gradient, not its difference",
    .cite = "none",
    .calls = CALL_SAMPLES,
    .may_read = FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(diameter),
    .params = params,
    .params_size = sizeof(struct weighted),
    .tune = tune,
    .run = run,
};
