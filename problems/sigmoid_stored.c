/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sigmoid_stored.c - n records of two noisy classes under the sigmoid loss (parts/sigmoid.h); F is the mean of
 * their losses. Every constant holds for any records, so that all facts are public. */
#include "parts/sigmoid.h"

struct sigmoid_stored {
    struct sigmoid c;
    long n;
};

static const struct param params[] = {
    SIGMOID_PARAMS,
    PARAM(sigmoid_stored, n, 200, 1, 1e8, "records", "records of the data set"),
    PARAM_END
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct sigmoid_stored *p = vp;
    struct sigmoid_instance *o = ARENA_ARRAY(a, 1, struct sigmoid_instance);
    TRY(sigmoid_build(&p->c, data, a, o, facts, why));
    scored_keep(&o->s, p->n, a, facts);
    o->s.low = loss_logit(-o->s.length * o->s.radius);
    /* At `far` times e the loss of a record is within 1/(1 + e^40) = 4e-18 of 1 if the label is flipped, and of 0
     * otherwise. x is that point, or the last one before it in the ball. */
    double *x = arena_vec(a, o->s.d), far = o->eta > 0 ? 40 / (o->eta * o->s.length) : 0;
    vec_lincomb(o->s.d, fmin(far, o->s.radius), o->e, 0, o->e, x);
    o->s.best = fmin(0.5, scored_stored_value(o, x));
    facts->Phi = 0.5 - o->s.low;
    *self = o;
    return OK;
}

static const struct measure measures[] = {
    { "gap", "f", "F(x) - inf F over the ball, inf F known between bounds", CERTIFIED, scored_gap,
      NULL },
    { "objective", "f", "F(x)", EXACT, scored_objective, NULL },
    { "excess_population", "f", "excess of the population, by quadrature", EXACT, sigmoid_excess,
      NULL },
    SCORED_MEASURES,
    { 0 }
};

const struct problem problem_sigmoid_stored = {
    .name = "sigmoid_stored",
    .doc = "sigmoid loss of two noisy classes: nonconvex, smooth, flat far away; n records",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct sigmoid_stored),
    SCORED_STORED_SLOTS,
};
