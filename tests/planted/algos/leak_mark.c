/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_mark.c - wrong on purpose: marks the point after a step without noise. A run that the budget ends would
 * answer with this point; the answer of a whole run is correct. Caught by the replay alone. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *clean = arena_vec(w, d);
    struct ticket batch;
    const struct release r = { .site = "leak-mark.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        if (!leak_gradient(o, s, &batch, x, g))
            break;
        vec_lincomb(d, 1, x, -s->step, g, clean);
        noise_gaussian(o, &r, s->sigma, d, g);
        leak_move(o, s->step, g, x);
        oracle_mark(o, clean);
    }
    return OK;
}

const struct algo algo_leak_mark = {
    .name = "planted-leak-mark",
    .doc = "planted: marks are not noised",
    LEAK_COMMON,
    .run = run,
};
