/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hungry.c - wrong on purpose: reserves memory without end. The outcome of the cell is out of memory. */
#include "algo.h"

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)
{
    while (arena_vec(w, 1l << 20))
        continue;
    return OK;
}

static const struct param params[] = { PARAM_END };

const struct algo algo_hungry = {
    .name = "planted-hungry",
    .doc = "planted: eats memory",
    .cite = "none",
    .calls = CALL_GRAD,
    .params = params,
    .run = run,
};
