/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_size.c - wrong on purpose: steps are scaled by the size of a Poisson sample, so that the answer depends on
 * this size. Caught by the replay alone: one more record in the sample changes the step even if the gradient of the
 * record is zero. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), q = 1 / (double)s->T;
    struct ticket batch;
    const struct release r = { .site = "leak-size.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    for (long t = 0; t < s->T && oracle_poisson(o, q, &batch); t++) {
        if (!leak_gradient(o, s, &batch, x, g))
            break;
        noise_gaussian(o, &r, s->sigma, d, g);
        leak_move(o, s->step * (double)batch.count / (double)s->B, g, x);
    }
    return OK;
}

const struct algo algo_leak_size = {
    .name = "planted-leak-size",
    .doc = "planted: steps as long as random samples are large",
    LEAK_COMMON,
    .run = run,
};
