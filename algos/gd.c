/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gd.c - (projected) gradient descent
 *
 *     x_{t+1} = P( x_t - (h/M) grad F(x_t) ),   answer x_T
 *
 * F is convex and M-smooth over R^d, D >= |x_0 - x*|. For h in (0,1], F(x_T) - F* <= M D^2 / (4 h T + 2), and no
 * smaller bound holds (Drori and Teboulle 2014, Theorem 3.1). For h in (1,2) the bound cannot be below
 * (1-h)^{2T} M D^2 / 2, the value on the quadratic (M/2)|x|^2. */
#include "algo.h"

struct gd { double h, step; };

static const struct param params[] = {
    PARAM(gd, h, 1, 0, 2, "1/M", "relative step"),
    PARAM(gd, step, NAN, 0, INFINITY, "x^2/f", "step; default h/M"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct gd *p = vp;
    if (isnan(p->step) && !(f->M_F > 0))
        return why_set(why, REFUSED, "gd's step h/M needs M_F > 0, or algo.step");
    param_choose(&p->step, p->h / f->M_F);
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)
{
    const struct gd *p = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d);

    arena_seal(w);
    oracle_mark(o, x);
    while (oracle_grad(o, x, g)) {
        vec_axpy(d, -p->step, g, x);
        oracle_project(o, 0, x);
        oracle_depth(o, 1);
        oracle_mark(o, x);
    }
    return OK;
}

const struct algo algo_gd = {
    .name = "gd",
    .doc = "gradient descent with a constant step",
    .cite = "Drori and Teboulle, Math. Program. 145 (2014), Theorem 3.1",
    .calls = CALL_GRAD,
    .assumes = ASSUMES_SMOOTH,
    .reads = FACT_BIT(M_F),
    .params = params,
    .params_size = sizeof(struct gd),
    .tune = tune,
    .run = run,
};
