/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_stop.c - wrong on purpose: stops as soon as a gradient, before its noise is added, is shorter than the
 * one before it. Caught by the replay alone: the neighbouring run stops at another step. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d);
    double before = INFINITY;
    struct ticket batch;
    const struct release r = { .site = "leak-stop.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        if (!leak_gradient(o, s, &batch, x, g))
            break;
        double norm = vec_norm(d, g);
        noise_gaussian(o, &r, s->sigma, d, g);
        leak_move(o, s->step, g, x);
        if (t > 0 && norm < before)
            break;
        before = norm;
    }
    return OK;
}

const struct algo algo_leak_stop = {
    .name = "planted-leak-stop",
    .doc = "planted: a stopping time that looks at the data",
    LEAK_COMMON,
    .run = run,
};
