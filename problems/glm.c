/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glm.c - linear models (parts/glm.h), a ~ N(0, Sigma), Sigma = a0^2 diag(10^(-D j/(d-1))). Sample
 * gradients are unbounded, so that L and M stay unstated and there is no canary pair. */
#include "parts/glm.h"

static const struct param params[] = {
    GLM_PARAMS("logistic", "gaussian"),
    PARAM(glm, a0, 1, 1e-100, 1e100, "1", "largest standard deviation of a coordinate of a"),
    PARAM(glm, decades, 0, 0, 100, "decades", "D: variances fall from a0^2 to a0^2 10^-D"),
    PARAM_END
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct glm *p = vp;
    struct glm_instance *o = ARENA_ARRAY(a, 1, struct glm_instance);
    double *lam = arena_vec(a, p->d);

    o->sd = arena_vec(a, p->d);
    for (long j = 0; j < p->d; j++) {
        double t = p->d > 1 ? (double)j / (double)(p->d - 1) : 0;
        o->sd[j] = p->a0 * pow(10, -p->decades * t / 2);
        lam[j] = o->sd[j] * o->sd[j];
    }
    TRY(glm_build("glm", p, lam, data, a, o, why));
    glm_facts(o, a, facts);
    *self = o;
    return OK;
}

const struct problem problem_glm = {
    .name = "glm",
    .doc = "linear model with gaussian design, labels drawn from a known one",
    .cite = "constructed for this program",
    .params = params,
    GLM_SLOTS,
};
