/* SPDX-License-Identifier: GPL-3.0-or-later */
/* o2nc.c - online-to-nonconvex conversion (O2NC) with stochastic gradients (Cutkosky, Mehta & Orabona 2023;
 * parts/o2nc.h). It uses N samples, one a step, in K epochs of T steps. A step moves x by at most D; eta is the
 * step length of the learner that chooses the move:
 *
 *     T = min( ceil( (G N delta/Phi)^(2/3) ), N/2 ),  K = floor(N/T),  D = delta/T,  eta = D/(G sqrt T)
 *
 * f(.; z) is L-Lipschitz (G = L) and need be neither smooth nor convex; F(x_1) - inf F <= Phi. In expectation,
 *     mean over epochs of |(1/T) sum_t grad F(w_t)| <= 2 Phi/(delta N)
 *         + max( 5 G^(2/3) Phi^(1/3)/(N delta)^(1/3), 6 G/N^(1/2) ),
 * where the w_t are the points at which gradients are taken. The left side is at least the Goldstein norm at radius
 * delta = goal.radius. */
#include "gdp.h"
#include "o2nc.h"

struct own {
    double radius, G, Phi, step;
    long T, K, restart;
};

static const struct param params[] = {
    PARAM(own, radius, NAN, 1e-300, 1e300, "x", "delta; default goal.radius, else 0.1"),
    PARAM(own, G, NAN, 1e-300, 1e300, "f/x", "E|g|^2 <= G^2; default the fact"),
    PARAM(own, Phi, NAN, 0, 1e300, "f", "F(x_1) - inf F at most; default the fact, else G delta"),
    PARAM(own, step, NAN, 0, 1e300, "x^2/f", "eta; default D/(G sqrt T)"),
    PARAM(own, T, 0, 0, 0x1p40, "steps", "of an epoch; 0: the theorem's"),
    PARAM(own, K, 0, 0, 0x1p40, "epochs", "0: as many as the samples allow"),
    PARAM(own, restart, 1, 0, 1, "", "0: the learner goes on from epoch to epoch"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    double N = one_pass_samples(f, goal, 1);
    N = fmin(N, goal->T >= 1 ? goal->T : INFINITY);
    param_choose(&p->radius, goal->radius > 0 ? goal->radius : 0.1);
    param_choose(&p->G, f->G);
    if (!(p->G > 0 && p->G < INFINITY))
        return why_set(why, REFUSED, "o2nc needs G, E|g|^2 <= G^2: give algo.G");
    param_choose(&p->Phi, isfinite(f->Phi) && f->Phi > 0 ? f->Phi : p->G * p->radius);
    if (!(N >= 1 && N < INFINITY))
        return why_set(why, REFUSED, "o2nc needs goal n, T or budget");
    double T = fmin(ceil(pow(p->G * N * p->radius / p->Phi, 2.0 / 3)), floor(N / 2));
    param_choose_count(&p->T, (long)fmax(fmin(2, N), T));        /* in an epoch of one step x would not move */
    param_choose_count(&p->K, (long)floor(N / (double)p->T));
    if (!(p->K >= 1))
        return why_set(why, REFUSED, "o2nc: epochs of T = %ld: expected at most N = %g samples", p->T,
                       N);
    param_choose(&p->step, p->radius / (double)p->T / (p->G * sqrt((double)p->T)));
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    return (double)p->K * (double)p->T;
}

static bool gradient(struct oracle *o, void *ctx, const double *w, double *g)
{
    struct ticket z;
    return oracle_take(o, 1, &z) && oracle_clipped(o, &z, w, INFINITY, g);
}

static enum status run(struct oracle *o, const void *vp, struct arena *a, struct rng *rng, double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(a, d);
    struct o2nc c = o2nc_new(a, d, p->radius / (double)p->T, p->step, rng);

    arena_seal(a);
    o2nc_start(&c, x);
    o2nc_epochs(o, &c, rng, p->K, p->T, !p->restart, gradient, NULL, g);
    vec_copy(d, c.answer, x);
    return OK;
}

const struct algo algo_o2nc = {
    .name = "o2nc",
    .doc = "online to nonconvex conversion with stochastic gradients",
    .cite = "Cutkosky, Mehta, Orabona, Optimal Stochastic Non-smooth Non-convex Optimization through "
            "Online-to-Non-convex Conversion (ICML 2023)",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_UNBOUNDED,
    .may_read = FACT_BIT(n) | FACT_BIT(G) | FACT_BIT(Phi),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};
