/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nan.c - wrong on purpose: answers NaN, or infinity. The record keeps the value, and no claim may pass on it. */
#include "algo.h"

#include <string.h>

struct nan { const char *what; };

static const struct param params[] = {
    PARAM_WORD(nan, what, "nan", "nan|inf", "the answer"),
    PARAM_END
};

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)
{
    const struct nan *p = vp;
    arena_seal(w);
    vec_fill(oracle_dim(o), strcmp(p->what, "nan") == 0 ? NAN : INFINITY, x);
    oracle_mark(o, x);
    return OK;
}

const struct algo algo_nan = {
    .name = "planted-nan",
    .doc = "planted: answers NaN or infinity",
    .cite = "none",
    .calls = CALL_GRAD,
    .params = params,
    .params_size = sizeof(struct nan),
    .run = run,
};
