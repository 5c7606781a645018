/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glm_sphere.c - linear models (parts/glm.h), a uniform on the sphere of radius a0. Samples are
 * Lipschitz, hence a canary pair: the linear losses -+L x_1, limits of records with far labels. */
#include "parts/glm.h"

static const struct param params[] = {
    GLM_PARAMS("absolute", "uniform"),
    PARAM(glm, a0, 1, 1e-100, 1e100, "1", "|a|"),
    PARAM_END
};

/* The largest slope of a sample on the ball; infinite: none. */
static double lipschitz(const struct glm *p, const struct glm_population *F)
{
    if (isfinite(F->loss->lipschitz(p->h)))
        return p->a0 * F->loss->lipschitz(p->h);
    double noise = F->noise->bounded || p->s == 0 ? F->noise->reach * p->s : INFINITY;
    return p->a0 * (p->a0 * p->radius + F->length + noise);
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct glm *p = vp;
    struct glm_instance *o = ARENA_ARRAY(a, 1, struct glm_instance);
    double *lam = arena_vec(a, p->d);

    o->sphere = true;
    vec_fill(p->d, p->a0 * p->a0, lam);
    TRY(glm_build("glm_sphere", p, lam, data, a, o, why));
    o->canary = lipschitz(p, &o->F);
    if (!isfinite(o->canary))
        return why_set(why, BAD_INPUT, "glm_sphere.loss = squares: expected a finite radius and "
                       "noise = uniform, for a bounded gradient");
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
