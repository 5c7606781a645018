/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_noise.c - wrong on purpose: half the noise that the goal requires. Caught by accounting, which prices
 * the ledger, and by the audit; the replay finds nothing. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d);
    struct ticket batch;
    const struct release r = { .site = "leak-noise.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        if (!leak_gradient(o, s, &batch, x, g))
            break;
        noise_gaussian(o, &r, s->sigma / 2, d, g);
        leak_move(o, s->step, g, x);
    }
    return OK;
}

const struct algo algo_leak_noise = {
    .name = "planted-leak-noise",
    .doc = "planted: half the noise that is due",
    LEAK_COMMON,
    .run = run,
};
