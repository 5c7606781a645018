/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque.h - for tests of ReSQue's estimators: an oracle over one instance, and the part struct resque that draws
 * query points and gradients from it. */
#ifndef ASSAY_TESTS_RESQUE_H
#define ASSAY_TESTS_RESQUE_H

#include "support/draw.h"

#include "algos/parts/resque.h"

/* Returns an instance of F(x) = |x - c|_1/sqrt(d), all of whose sample gradients have norm 1. */
static inline struct instance line_of(struct arena *a, double d)
{
    return INSTANCE(a, "noisy_l1", { "d", d }, { "p", 1 });
}

struct scene { struct arena *a; struct instance in; struct oracle o; struct resque s; };

static inline struct scene *scene_new(struct instance (*make)(struct arena *, double), double d,
                                      double rho)
{
    struct scene *q = calloc(1, sizeof *q);
    q->a = arena_new(0);
    q->in = make(q->a, d);
    contract_open(&q->o, &q->in, NULL, 5, q->a);
    q->s = (struct resque){ .o = &q->o, .rho = rho, .base = rng_stream(6) };
    resque_reserve(&q->s, q->a);
    return q;
}

static inline void scene_free(struct scene *q)
{
    oracle_release(&q->o);
    arena_free(q->a);
    free(q);
}

#endif
