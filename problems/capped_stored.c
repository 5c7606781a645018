/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capped_stored.c - n records of truncated robust regression (parts/capped.h); F is the mean of their losses. Every
 * constant holds for any records, so that all facts are public. */
#include "parts/capped.h"

struct capped_stored {
    struct capped c;
    long n;
};

static const struct param params[] = {
    CAPPED_PARAMS,
    PARAM(capped_stored, n, 200, 1, 1e8, "records", "records of the data set"),
    PARAM_END
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct capped_stored *p = vp;
    struct capped_instance *o = ARENA_ARRAY(a, 1, struct capped_instance);
    TRY(capped_build(&p->c, data, a, o, facts, why));
    scored_keep(&o->s, p->n, a, facts);
    o->s.best = scored_stored_value(o, o->x_star);
    facts->Phi = o->s.L * o->s.h;
    facts->dist = isfinite(o->s.radius) ? o->s.radius : NAN;
    *self = o;
    return OK;
}

static const struct measure measures[] = {
    { "gap", "f", "F(x) - inf F, inf F between 0 and F(x*)", CERTIFIED, scored_gap, NULL },
    { "objective", "f", "F(x)", EXACT, scored_objective, NULL },
    { "excess_population", "f", "excess of the population, closed form", EXACT, capped_excess,
      NULL },
    SCORED_MEASURES,
    { 0 }
};

const struct problem problem_capped_stored = {
    .name = "capped_stored",
    .doc = "capped absolute loss of a linear regression with outliers: nonconvex; n records",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct capped_stored),
    SCORED_STORED_SLOTS,
};
