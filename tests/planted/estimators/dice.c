/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dice.c - events of known probability: u = U^power, U uniform, is at most p with probability
 * p^(1/power); with sides > 0 it is the face 1, ..., sides of a die. */
#include <math.h>
#include "estimator.h"

struct dice {
    double p, power, sides;
};

static const struct param params[] = {
    PARAM(dice, p, 0.3, 0, 1, "1", "the event is u <= p"),
    PARAM(dice, power, 1, 1e-6, 1e6, "1", "u = U^power"),
    PARAM(dice, sides, 0, 0, 1e6, "1", "values of u; 0: a continuum"), PARAM_END
};

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct dice *p = vp;
    double u = pow(rng_uniform(rng), p->power);
    arena_seal(w);
    vec_zero(oracle_dim(o), v);
    v[0] = p->sides > 0 ? ceil(p->sides * u) : u;
    v[oracle_dim(o)] = p->p;
    return OK;
}

static double face(const struct functional_env *env, const double *v) { return v[0]; }
static double event(const struct functional_env *env, const double *v) { return v[0] <= v[env->d]; }

static const struct functional functionals[] = { { "face", "1", "u, or the face of the die", face },
                                                 { "event", "1", "u <= p", event },
                                                 { 0 } };

const struct estimator estimator_dice = {
    .name = "planted-dice",
    .doc = "events of known probability",
    .cite = "none",
    .params = params,
    .params_size = sizeof(struct dice),
    .vectors = 2,
    .functionals = functionals,
    .draw = draw,
};
