/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nesterov.c - Nesterov's accelerated gradient method, projected
 *
 *     x_{t+1} = P( y_t - grad F(y_t)/M ),   y_{t+1} = x_{t+1} + beta_t (x_{t+1} - x_t)
 *
 * mu = 0: beta_t = (theta_t - 1)/theta_{t+1}, theta_0 = 1, theta_{t+1} = (1 + sqrt(1 + 4 theta_t^2))/2,
 *         F(x_T) - F* <= 2 M D^2/(T+1)^2 (Beck and Teboulle 2009, Theorem 4.4);
 * mu > 0: beta = (1 - q)/(1 + q), q = sqrt(mu/M),
 *         F(x_T) - F* <= (1 - q)^T (M + mu) D^2/2 (Nesterov 2018, Theorem 2.2.3).
 * F convex and M-smooth, D >= |x_0 - x*|. */
#include "algo.h"

struct nesterov { double step, mu; };

static const struct param params[] = {
    PARAM(nesterov, step, NAN, 0, INFINITY, "x^2/f", "step; default 1/M"),
    PARAM(nesterov, mu, NAN, 0, INFINITY, "f/x^2", "strong convexity used; default what is known, else 0"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct nesterov *p = vp;
    if (isnan(p->step) && !(f->M_F > 0))
        return why_set(why, REFUSED, "nesterov's step 1/M needs M_F > 0, or algo.step");
    param_choose(&p->step, 1 / f->M_F);
    param_choose(&p->mu, isnan(f->mu) ? 0 : f->mu);
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)
{
    const struct nesterov *p = vp;
    long d = oracle_dim(o);
    double *y = arena_vec(w, d), *g = arena_vec(w, d), *now = x, *next = arena_vec(w, d);
    double theta = 1, q = sqrt(p->mu * p->step);

    arena_seal(w);
    vec_copy(d, x, y);
    oracle_mark(o, x);
    while (oracle_grad(o, y, g)) {
        double *before = now, later = (1 + sqrt(1 + 4 * theta * theta)) / 2;
        double beta = p->mu > 0 ? (1 - q) / (1 + q) : (theta - 1) / later;
        theta = later;
        vec_lincomb(d, 1, y, -p->step, g, next);
        oracle_project(o, 0, next);
        now = next;
        next = before;
        vec_lincomb(d, 1 + beta, now, -beta, before, y);
        oracle_depth(o, 2);
        oracle_mark(o, now);
    }
    if (now != x)
        vec_copy(d, now, x);
    return OK;
}

const struct algo algo_nesterov = {
    .name = "nesterov",
    .doc = "Nesterov's accelerated gradient method",
    .cite = "Beck and Teboulle, SIAM J. Imaging Sci. 2 (2009), Theorem 4.4",
    .calls = CALL_GRAD,
    .assumes = ASSUMES_CONVEX | ASSUMES_SMOOTH,
    .reads = FACT_BIT(M_F),
    .may_read = FACT_BIT(mu),
    .params = params,
    .params_size = sizeof(struct nesterov),
    .tune = tune,
    .run = run,
};
