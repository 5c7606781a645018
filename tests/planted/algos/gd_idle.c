/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gd_idle.c - wrong on purpose: gradient descent that leaves out every eighth step and still claims T steps.
 * Caught by counts. */
#include "algo.h"

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)
{
    long d = oracle_dim(o);
    double *g = arena_vec(w, d);

    arena_seal(w);
    oracle_mark(o, x);
    for (long t = 1;; t++) {
        if (t % 8 == 0) {
            if (!oracle_charge(o, COUNT_batch_steps, 1))
                break;
            continue;
        }
        if (!oracle_grad(o, x, g))
            break;
        vec_axpy(d, -1, g, x);
        oracle_mark(o, x);
    }
    return OK;
}

static const struct param params[] = { PARAM_END };

const struct algo algo_gd_idle = {
    .name = "planted-gd-idle",
    .doc = "planted: gradient descent that skips steps",
    .cite = "none",
    .calls = CALL_GRAD,
    .params = params,
    .run = run,
};
