/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_redraw.c - wrong on purpose: a Poisson sample is drawn again until it is as large as expected, so that
 * a record is in it with a higher probability than the rate that is priced. Caught by the replay: without a record
 * that makes the sample large enough, the sample is drawn once more. The accounting also finds draws that no
 * release used, and prices the others without amplification. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), q = 1 / (double)s->T;
    struct ticket batch;
    const struct release r = { .site = "leak-redraw.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    for (long t = 0; t < s->T; t++) {
        do {
            if (!oracle_poisson(o, q, &batch))
                return OK;
        } while (batch.count < s->B);
        if (!leak_gradient(o, s, &batch, x, g))
            return OK;
        noise_gaussian(o, &r, s->sigma, d, g);
        leak_move(o, s->step, g, x);
    }
    return OK;
}

const struct algo algo_leak_redraw = {
    .name = "planted-leak-redraw",
    .doc = "planted: random samples drawn again until they are large",
    LEAK_COMMON,
    .run = run,
};
