/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glm_sphere.c - linear models (parts/glm.h), a uniform on the sphere of radius a0. Samples are
 * Lipschitz, so that there is a canary pair: the linear losses -+L x_1, which are the limits of records
 * whose labels go to infinity. */
#include "parts/glm.h"

static const struct param params[] = {
    GLM_PARAMS("absolute", "uniform"),
    PARAM(glm, a0, 1, 1e-100, 1e100, "1", "|a|"),
    PARAM_END
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct glm *p = vp;
    struct glm_instance *o = ARENA_ARRAY(a, 1, struct glm_instance);

    TRY(glm_sphere_build("glm_sphere", p, data, a, o, why));
    glm_facts(o, a, facts);
    *self = o;
    return OK;
}

const struct problem problem_glm_sphere = {
    .name = "glm_sphere",
    .doc = "linear model with design uniform on a sphere, labels drawn from a known one",
    .cite = "constructed for this program",
    .params = params,
    .canaries = 2,
    GLM_SLOTS,
};
