/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_weight.c - wrong on purpose: the record at the last place of each batch counts four times, and the
 * booked sensitivity is that of the others. Caught by the replay, and by audits: both look for the record with
 * the largest weight, since among thousands of records no other shows the fault. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *weight = arena_vec(w, s->B);
    struct ticket batch;
    const struct release r = { .site = "leak-weight.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };
    const double *at = x;
    const struct batch q = { .ticket = &batch, .points = 1, .x = &at, .w = weight,
                             .clip = CLIP_NORM, .C = s->C, .g = g };

    arena_seal(w);
    for (long k = 0; k < s->B; k++)
        weight[k] = (k == s->B - 1 ? 4 : 1) / (double)s->B;
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch) && oracle_batch(o, &q); t++) {
        noise_gaussian(o, &r, s->sigma, d, g);
        leak_move(o, s->step, g, x);
    }
    return OK;
}

const struct algo algo_leak_weight = {
    .name = "planted-leak-weight",
    .doc = "planted: one place of a batch counts four times",
    LEAK_COMMON,
    .run = run,
};
