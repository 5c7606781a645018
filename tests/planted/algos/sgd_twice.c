/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sgd_twice.c - wrong on purpose: SGD that evaluates every batch at a second point. Caught by
 * counts of gradients and of batch steps. */
#include "algo.h"

struct sgd_twice { long B; };

static const struct param params[] = {
    PARAM(sgd_twice, B, 1, 1, 0x1p40, "samples", "batch size"),
    PARAM_END
};

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)
{
    const struct sgd_twice *p = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d);
    struct ticket t;

    arena_seal(w);
    while (oracle_take(o, p->B, &t)) {
        struct batch q = { .ticket = &t, .points = 1, .x = (const double *const[]){ x }, .g = g };
        for (int k = 0; k < 2 && oracle_batch(o, &q); k++)
            vec_axpy(d, -0.01, g, x);
        oracle_project(o, 0, x);
        oracle_mark(o, x);
    }
    return OK;
}

const struct algo algo_sgd_twice = {
    .name = "planted-sgd-twice",
    .doc = "planted: SGD that asks every batch twice",
    .cite = "none",
    .calls = CALL_SAMPLES,
    .params = params,
    .params_size = sizeof(struct sgd_twice),
    .run = run,
};
