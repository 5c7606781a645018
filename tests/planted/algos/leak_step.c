/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_step.c - wrong on purpose: the step is scaled by the norm of the gradient without noise. Caught by the
 * replay alone: the answer changes though every release is the same. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d);
    struct ticket batch;
    const struct release r = { .site = "leak-step.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        if (!leak_gradient(o, s, &batch, x, g))
            break;
        double h = s->step / (s->C + vec_norm(d, g));
        noise_gaussian(o, &r, s->sigma, d, g);
        leak_move(o, h, g, x);
    }
    return OK;
}

const struct algo algo_leak_step = {
    .name = "planted-leak-step",
    .doc = "planted: the step looks at the data",
    LEAK_COMMON,
    .run = run,
};
