/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_clip.c - wrong on purpose: noise and ledger are for gradients clipped at C/2, but nothing is clipped.
 * Caught by the replay, and by audits with enough runs. The accounting does not catch it, since the ledger is
 * consistent. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d);
    const double *const at = x;
    struct ticket batch;
    const struct release r = { .site = "leak-clip.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)(2 * s->B), .ticket = &batch };

    arena_seal(w);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        if (!oracle_batch(o, &(struct batch){ .ticket = &batch, .points = 1, .x = &at, .g = g }))
            break;
        noise_gaussian(o, &r, s->sigma / 2, d, g);
        leak_move(o, s->step, g, x);
    }
    return OK;
}

const struct algo algo_leak_clip = {
    .name = "planted-leak-clip",
    .doc = "planted: gradients are not clipped",
    LEAK_COMMON,
    .run = run,
};
