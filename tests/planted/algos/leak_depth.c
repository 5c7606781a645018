/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leak_depth.c - wrong on purpose: the noise of a binary tree is calibrated to one level less than the tree
 * has. Caught by accounting alone. */
#include "../parts/leak.h"

static const struct param params[] = { LEAK_PARAMS };

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct leak *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *sum = arena_vec(w, d), *G = arena_vec(w, d);
    double sd = s->sigma * sqrt(tree_height(s->T) - 1.0);
    struct prefix *noise = noise_prefix(o, w, PREFIX_TREE, s->T, d);
    struct ticket batch;
    const struct release r = { .site = "leak-depth.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    vec_zero(d, sum);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        if (!leak_gradient(o, s, &batch, x, g))
            break;
        vec_axpy(d, 1, g, sum);
        vec_copy(d, sum, G);
        prefix_release(noise, &r, sd, G);
        leak_move(o, s->step / (double)(t + 1), G, x);
    }
    return OK;
}

const struct algo algo_leak_depth = {
    .name = "planted-leak-depth",
    .doc = "planted: a tree calibrated one level short",
    LEAK_COMMON,
    .run = run,
};
