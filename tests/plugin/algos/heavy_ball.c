/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heavy_ball.c - Polyak's heavy ball (Polyak 1964)
 *
 *     x_{t+1} = x_t - (h/M) grad F(x_t) + beta (x_t - x_{t-1}),   x_{-1} = x_0,   answer x_T
 *
 * F is M-smooth, h/M is the step length and beta the momentum. With beta = (1 - sqrt h)^2 the recurrence along an
 * eigendirection of curvature M has a double root 1 - sqrt h: with D = x_0 - x*, the error after t iterations is
 * D (1 + t sqrt h) (1 - sqrt h)^t. */
#include "algo.h"

struct heavy_ball { double h, beta, step; };

static const struct param params[] = {
    PARAM(heavy_ball, h, 0.01, 0, 1, "1/M", "relative step"),
    PARAM(heavy_ball, beta, NAN, 0, 1, "1", "momentum; default (1 - sqrt h)^2"),
    PARAM(heavy_ball, step, NAN, 0, INFINITY, "x^2/f", "step; default h/M"),
    PARAM_END
};

static const struct method_mechanism mechanisms[] = {
    { "momentum", "a step keeps part of the one before", MECHANISM_HELPS, { { "algo.beta", 0 } } }, { 0 } };

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct heavy_ball *p = vp;
    if (isnan(p->step) && !(f->M_F > 0))
        return why_set(why, REFUSED, "heavy-ball needs M_F > 0, or algo.step");
    param_choose(&p->step, p->h / f->M_F);
    param_choose(&p->beta, (1 - sqrt(p->h)) * (1 - sqrt(p->h)));
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct heavy_ball *p = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *v = arena_vec(w, d);

    vec_zero(d, v);
    arena_seal(w);
    oracle_mark(o, x);
    while (oracle_grad(o, x, g)) {
        vec_axpby(d, -p->step, g, p->beta, v);
        vec_axpy(d, 1, v, x);
        oracle_mark(o, x);
    }
    return OK;
}

const struct algo algo_heavy_ball = {
    .name = "heavy-ball",
    .doc = "gradient descent with Polyak's momentum",
    .cite = "Polyak, USSR Comput. Math. Math. Phys. 4 (1964)",
    .calls = CALL_GRAD,
    .assumes = ASSUMES_SMOOTH | ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(M_F),
    .params = params,
    .params_size = sizeof(struct heavy_ball),
    .tune = tune,
    .run = run,
    .mechanisms = mechanisms,
};
