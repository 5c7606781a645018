/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_reuse.c - wrong on purpose: the noise of the first step is used in all steps, but booked once. Caught
 * by the replay alone: later gradients change the answer although the only release is the same. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *noise = arena_vec(w, d);
    struct ticket batch;
    const struct release r = { .site = "leak-reuse.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        if (!leak_gradient(o, s, &batch, x, g))
            break;
        if (t == 0) {
            vec_copy(d, g, noise);
            noise_gaussian(o, &r, s->sigma, d, g);
            vec_lincomb(d, 1, g, -1, noise, noise);
        } else {
            vec_axpy(d, 1, noise, g);
        }
        leak_move(o, s->step, g, x);
    }
    return OK;
}

const struct algo algo_leak_reuse = {
    .name = "planted-leak-reuse",
    .doc = "planted: one noise for all steps",
    LEAK_COMMON,
    .run = run,
};
