/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_max.c - wrong on purpose: a noisy maximum that reuses the noise of the selection. The coordinate with
 * the largest noisy gradient is chosen and moved by that same noisy value, but only the choice is booked.
 * Caught by the replay alone: the value, which is not released, changes the answer. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *step = arena_vec(w, d);
    struct ticket batch;
    const struct release r = { .site = "leak-max.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch,
                               .hidden = true };

    arena_seal(w);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        if (!leak_gradient(o, s, &batch, x, g))
            break;
        noise_gaussian(o, &r, s->sigma, d, g);
        long j = 0;
        for (long k = 1; k < d; k++)
            j = fabs(g[k]) > fabs(g[j]) ? k : j;
        vec_zero(d, step);
        step[j] = g[j];
        leak_move(o, s->step, step, x);
    }
    return OK;
}

const struct algo algo_leak_max = {
    .name = "planted-leak-max",
    .doc = "planted: a noisy maximum that reuses its selection noise",
    LEAK_COMMON,
    .run = run,
};
