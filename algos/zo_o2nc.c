/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zo_o2nc.c - O2NC with one two-point gradient a step, not private (Kornowski & Shamir 2024). r is the smoothing
 * radius, nu = delta - r the averaging radius, G^2 = c d L^2 >= E|g|^2, N the number of pairs of values, and F(x_1)
 * - inf F <= Phi. An epoch has T steps; a step moves x by at most D, and eta is the step length of the learner that
 * chooses the move. u is uniform on the unit sphere, and w the point at which the gradient g is taken:
 *
 *     r = min(delta/2, Phi/L),   D = ((Phi + 2 L r) sqrt(nu)/(G N))^(2/3),   T = floor(nu/D)
 *     eta = D/(G sqrt T),   g = (d/(2r)) (f(w + r u; z) - f(w - r u; z)) u
 *
 * For L-Lipschitz f(.; z) the expected Goldstein norm at radius delta = goal.radius is of order (Phi d L^2/(nu
 * N))^(1/3). With restart = 0 the learner is not restarted at an epoch, as in the paper. With --constants theory
 * c = 16 sqrt(2 pi) (Shamir 2017, Lemma 10); with practical c = 1, the value on linear losses. */
#include <limits.h>

#include "o2nc.h"
#include "two_point.h"

struct own {
    double radius, r, L, Phi, c, D, step;
    long T, restart;
    double N;                        /* number of samples, set by tune; not a parameter */
};

static const struct param params[] = {
    PARAM(own, radius, NAN, 1e-300, 1e300, "x", "delta; default goal.radius, else 0.1"),
    PARAM(own, r, NAN, 1e-300, 1e300, "x", "smoothing radius; default min(delta/2, Phi/L)"),
    PARAM(own, L, NAN, 1e-300, 1e300, "f/x", "Lipschitz constant; default the fact"),
    PARAM(own, Phi, NAN, 0, 1e300, "f", "F(x_1) - inf F at most; default the fact, else L delta"),
    PARAM(own, c, NAN, 1e-300, 1e300, "1", "E|g|^2 <= c d L^2"),
    PARAM(own, D, NAN, 1e-300, 1e300, "x", "radius of the learner's moves"),
    PARAM(own, step, NAN, 0, 1e300, "x^2/f", "eta; default D/(G sqrt T)"),
    PARAM(own, T, 0, 0, 0x1p40, "steps", "of an epoch; 0: floor(nu/D)"),
    PARAM(own, restart, 0, 0, 1, "", "1: the learner begins anew with every epoch"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    double N = fmin(isnan(goal->n) ? INFINITY : goal->n, isnan(f->n) ? INFINITY : f->n), nu, G;
    N = fmin(N, goal->T >= 1 ? goal->T : INFINITY);
    param_choose(&p->radius, goal->radius > 0 ? goal->radius : 0.1);
    param_choose(&p->L, f->L);
    if (!(p->L < INFINITY))
        return why_set(why, REFUSED, "zo-o2nc needs L: give algo.L");
    if (!(N >= 1 && N < INFINITY))
        return why_set(why, REFUSED, "zo-o2nc needs goal n or T");
    p->N = N;
    param_choose(&p->Phi, isfinite(f->Phi) && f->Phi > 0 ? f->Phi : p->L * p->radius);
    param_choose(&p->r, fmin(p->radius / 2, p->Phi / p->L));
    param_choose(&p->c, goal->constants == CONSTANTS_THEORY ? 16 * sqrt(2 * M_PI) : 1);
    nu = p->radius - p->r;
    G = sqrt(p->c * f->d) * p->L;
    if (!(nu > 0))
        return why_set(why, REFUSED, "zo-o2nc: r = %g: expected less than the radius %g", p->r,
                       p->radius);
    param_choose(&p->D, pow((p->Phi + 2 * p->L * p->r) * sqrt(nu) / (G * N), 2.0 / 3));
    param_choose_count(&p->T, (long)fmax(1, fmin(N, floor(nu / p->D))));
    p->D = fmin(p->D, nu / (double)p->T);
    param_choose(&p->step, p->D / (G * sqrt((double)p->T)));
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    return two_point_work(f->d, p->N, p->N);
}

static bool gradient(struct oracle *o, void *ctx, const double *w, double *g)
{
    struct ticket z;
    return oracle_take(o, 1, &z) && two_point_grad(o, ctx, &z, w, g);
}

/* Runs steps until the samples are spent. */
static enum status run(struct oracle *o, const void *vp, struct arena *a, struct rng *rng, double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(a, d);
    struct o2nc c = o2nc_new(a, d, p->D, p->step, rng);
    struct two_point f = { .delta = p->r, .L = INFINITY, .directions = 1 };

    arena_seal(a);
    o2nc_start(&c, x);
    o2nc_epochs(o, &c, rng, LONG_MAX, p->T, !p->restart, gradient, &f, g);
    vec_copy(d, c.answer, x);
    return OK;
}

const struct algo algo_zo_o2nc = {
    .name = "zo-o2nc",
    .doc = "online to nonconvex conversion with one two-point gradient a step",
    .cite = "Kornowski, Shamir, An Algorithm with Optimal Dimension-Dependence for Zero-Order "
            "Nonsmooth Nonconvex Stochastic Optimization (JMLR 2024)",
    .calls = CALL_SAMPLE_VALUES,
    .assumes = ASSUMES_UNBOUNDED,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(Phi),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};
