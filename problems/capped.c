/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capped.c - a stream of truncated robust regression (parts/capped.h). Samples are nonconvex with
 * kinks; value, gradient and minimum of their mean F are known. */
#include "parts/capped.h"

static const struct param params[] = { CAPPED_PARAMS, PARAM_END };

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    struct capped_instance *o = ARENA_ARRAY(a, 1, struct capped_instance);
    *self = o;
    return capped_build(vp, data, a, o, facts, why);
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, closed form", EXACT, capped_excess, NULL },
    { "distance", "x", "|x - x*|", EXACT, capped_distance, NULL },
    SCORED_MEASURES,
    { 0 }
};

const struct problem problem_capped = {
    .name = "capped",
    .doc = "capped absolute loss of a linear regression with outliers: nonconvex; a stream",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct capped),
    SCORED_SLOTS,
    .value = capped_value,
    .grad = capped_grad,
    .minimiser = capped_minimiser,
};
