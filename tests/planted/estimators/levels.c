/* SPDX-License-Identifier: GPL-3.0-or-later */
/* levels.c - an estimator with known moments. Level k = 0, ..., m-1 has weight w_k = 2^-(k+1), and level m has
 * 2^-m:
 *
 *     v = scale r^k (1 + noise N(0,1)) / w_k,   r = 2^(-1/2),   2^k sample gradients,
 *     E v = scale (1 - r^(m+1))/(1 - r),        E cost = m/2 + 1.
 *
 * Values grow as 2^(k/2), so that rare levels have large values. `forget` is the number of last levels that are
 * dropped, which gives a bias of known size. */
#include <math.h>
#include "estimator.h"

struct levels {
    long m, forget;
    double scale, noise;
};

static const struct param params[] = {
    PARAM(levels, m, 4, 0, 40, "levels", "last level"),
    PARAM(levels, forget, 0, 0, 40, "levels", "levels at the end that answer 0"),
    PARAM(levels, scale, 1, 0, 1.7e308, "1", "factor of all values"),
    PARAM(levels, noise, 0.5, 0, 1e100, "1", "relative standard deviation of a draw"), PARAM_END
};

static double weight_of(const struct levels *p, int k) { return ldexp(1, k < p->m ? -k - 1 : -k); }

static int strata(const void *vp, double *weight)
{
    const struct levels *p = vp;
    for (int k = 0; k <= p->m; k++)
        weight[k] = weight_of(p, k);
    return (int)p->m + 1;
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, int k,
                        double *v)
{
    const struct levels *p = vp;
    long d = oracle_dim(o);
    double *x = arena_vec(w, d), *g = arena_vec(w, d);
    arena_seal(w);
    vec_zero(d, x);
    vec_zero(d, v);
    if (!oracle_sgrad(o, 1L << k, x, g))
        return OK;
    v[0] = p->scale * pow(2, -0.5 * k) * (1 + p->noise * rng_normal(rng)) / weight_of(p, k);
    if (k > p->m - p->forget)
        v[0] = 0;
    return OK;
}

static double value(const struct functional_env *env, const double *v) { return v[0]; }
static double square(const struct functional_env *env, const double *v) { return v[0] * v[0]; }

static const struct functional functionals[] = { { "value", "1", "v", value },
                                                 { "square", "1", "v^2", square },
                                                 { 0 } };

const struct estimator estimator_levels = {
    .name = "planted-levels",
    .doc = "levels of known weight and mean",
    .cite = "none",
    .calls = CALL_SAMPLES,
    .params = params,
    .params_size = sizeof(struct levels),
    .vectors = 1,
    .functionals = functionals,
    .strata = strata,
    .draw = draw,
};
