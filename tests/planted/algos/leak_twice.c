/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_twice.c - wrong on purpose: every batch is used in two rounds, but booked as in a single epoch. Caught
 * by accounting, which knows the records of each release, and by audits with enough runs; the replay finds
 * nothing. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d);
    struct ticket batch;
    const struct release r = { .site = "leak-twice.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        for (int k = 0; k < 2 && leak_gradient(o, s, &batch, x, g); k++) {
            noise_gaussian(o, &r, s->sigma, d, g);
            leak_move(o, s->step, g, x);
        }
    }
    return OK;
}

const struct algo algo_leak_twice = {
    .name = "planted-leak-twice",
    .doc = "planted: every sample twice in a single epoch",
    LEAK_COMMON,
    .run = run,
};
