/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crash.c - wrong on purpose: writes through a null pointer in the third step. The outcome of
 * the cell is a crash, and no other cell is affected. */
#include "algo.h"

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)
{
    double *g = arena_vec(w, oracle_dim(o)), *volatile nowhere = NULL;

    arena_seal(w);
    for (int t = 1; oracle_grad(o, x, g); t++)
        if (t == 3)
            *nowhere = 1;
    return OK;
}

static const struct param params[] = { PARAM_END };

const struct algo algo_crash = {
    .name = "planted-crash",
    .doc = "planted: crashes at the third step",
    .cite = "none",
    .calls = CALL_GRAD,
    .params = params,
    .run = run,
};
