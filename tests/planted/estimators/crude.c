/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crude.c - a wrong variant of levels.c without strata: the level is uniform on 0..m, but values are divided by the
 * weights w_k of the geometric law. */
#include <math.h>
#include "estimator.h"

struct crude {
    long m;
    double scale;
};

static const struct param params[] = {
    PARAM(crude, m, 4, 0, 40, "levels", "last level"),
    PARAM(crude, scale, 1, 0, 1e100, "1", "factor of all values"), PARAM_END
};

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct crude *p = vp;
    long d = oracle_dim(o);
    int k = (int)rng_below(rng, (uint64_t)p->m + 1);
    double *x = arena_vec(w, d), *g = arena_vec(w, d);
    arena_seal(w);
    vec_zero(d, x);
    vec_zero(d, v);
    if (oracle_sgrad(o, 1L << k, x, g))
        v[0] = p->scale * pow(2, -0.5 * k) / ldexp(1, k < p->m ? -k - 1 : -k);
    return OK;
}

static double value(const struct functional_env *env, const double *v) { return v[0]; }
static double square(const struct functional_env *env, const double *v) { return v[0] * v[0]; }

static const struct functional functionals[] = { { "value", "1", "v", value },
                                                 { "square", "1", "v^2", square },
                                                 { 0 } };

const struct estimator estimator_crude = {
    .name = "planted-crude",
    .doc = "levels drawn with other weights than they are divided by",
    .cite = "none",
    .calls = CALL_SAMPLES,
    .params = params,
    .params_size = sizeof(struct crude),
    .vectors = 1,
    .functionals = functionals,
    .draw = draw,
};
