/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hang.c - wrong on purpose: asks for one gradient and never returns. The outcome of the cell is a time-out. */
#include "algo.h"

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)
{
    double *g = arena_vec(w, oracle_dim(o));
    volatile long spins = 0;

    arena_seal(w);
    if (oracle_grad(o, x, g))
        for (;;)
            spins++;
    return OK;
}

static const struct param params[] = { PARAM_END };

const struct algo algo_hang = {
    .name = "planted-hang",
    .doc = "planted: never returns",
    .cite = "none",
    .calls = CALL_GRAD,
    .params = params,
    .run = run,
};
