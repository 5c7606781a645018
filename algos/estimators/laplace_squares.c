/* SPDX-License-Identifier: GPL-3.0-or-later */
/* laplace_squares.c - the sum S = sum_{k<=K} X_k^2 of independent X_k ~ Lap(lambda (k/K)^spread), whose tail Lemma
 * B.1 of Mangold, Bellet, Salmon & Tommasi 2023 bounds:
 *
 *     P(S >= b) <= 2^K exp(-sqrt(b)/(2 lambda));   for K = 1, P(S >= b) = exp(-sqrt(b)/lambda) */
#include "estimator.h"

struct laplace_squares {
    long K;
    double lambda, spread, b;
};

static const struct param params[] = {
    PARAM(laplace_squares, K, 3, 1, 1000000, "variables", "how many are summed"),
    PARAM(laplace_squares, lambda, 1, 0, 1e100, "1", "largest scale"),
    PARAM(laplace_squares, spread, 1, 0, 100, "1", "of the scales; 0: all are equal"),
    PARAM(laplace_squares, b, 1, 0, 1e200, "1", "threshold"), PARAM_END
};

static enum status draw(struct oracle *o, const void *vp, struct arena *a, struct rng *rng,
                        int stratum, double *v)
{
    const struct laplace_squares *p = vp;
    double sum = 0;
    arena_seal(a);
    for (long k = 1; k <= p->K; k++) {
        double x = rng_laplace(rng, p->lambda * pow((double)k / (double)p->K, p->spread));
        sum += x * x;
    }
    vec_zero(oracle_dim(o), v);
    v[0] = sum >= p->b;
    return OK;
}

static double above(const struct functional_env *env, const double *v) { return v[0]; }

static const struct functional functionals[] = { { "above", "1", "1 where S >= b", above }, { 0 } };

const struct estimator estimator_laplace_squares = {
    .name = "laplace-squares",
    .doc = "tail of a sum of squared Laplace variables",
    .cite = "Mangold, Bellet, Salmon & Tommasi 2023, Lemma B.1",
    .params = params,
    .params_size = sizeof(struct laplace_squares),
    .vectors = 1,
    .functionals = functionals,
    .draw = draw,
};
