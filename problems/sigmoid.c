/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sigmoid.c - a stream of two noisy classes under the sigmoid loss (parts/sigmoid.h). Samples are nonconvex
 * and smooth; value, gradient and minimum of their mean F are known. */
#include "parts/sigmoid.h"

static const struct param params[] = { SIGMOID_PARAMS, PARAM_END };

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    struct sigmoid_instance *o = ARENA_ARRAY(a, 1, struct sigmoid_instance);
    *self = o;
    return sigmoid_build(vp, data, a, o, facts, why);
}

static bool minimiser(const void *self, double *x)
{
    const struct sigmoid_instance *o = self;
    if (isinf(o->s.radius))
        return false;
    vec_lincomb(o->s.d, o->s.radius, o->e, 0, o->e, x);
    return true;
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - min F over the ball, or inf F over R^d, which is not attained; by "
      "quadrature", EXACT, sigmoid_excess, NULL },
    SCORED_MEASURES,
    { 0 }
};

const struct problem problem_sigmoid = {
    .name = "sigmoid",
    .doc = "sigmoid loss of two noisy classes: nonconvex, smooth, flat far away; a stream",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct sigmoid),
    SCORED_SLOTS,
    .value = sigmoid_value,
    .grad = sigmoid_grad,
    .minimiser = minimiser,
};
