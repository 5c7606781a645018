/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gradient_sliding.c - stochastic gradient sliding for Psi = Lambda + f, where gradients of the L-smooth Lambda are
 * expensive and stochastic subgradients of f are cheap (Lan, Math. Prog. 159 (2016)). f is convex, E|g|^2 <= G^2,
 * |x_0 - x*| <= R, k = 1 ... N:
 *
 *     gam = 2/(k+1),  beta = 2L/k,  T_k = ceil(32 N G^2 k^2/(3 R^2 L^2))
 *     xu = (1-gam) xb + gam x,  x, xt <- PS(grad Lambda(xu), centre x, beta, T_k) of prox_slide.h
 *     xb <- (1-gam) xb + gam xt
 *
 *     E Psi(xb) - Psi* <= 6 L R^2/(N(N+1))
 *
 * This is at most the accuracy eps for N = ceil(sqrt(6 L R^2/eps)) gradients of Lambda and about 128 (G R/eps)^2 of
 * f. */
#include "prox_slide.h"

struct own {
    long N;
    double eps, c;
    double L, G, R;
};

static const struct param params[] = {
    PARAM(own, N, 0, 0, 0x1p40, "rounds", "0: ceil(sqrt(6 L R^2/eps))"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, c, 1, 1e-12, 1e12, "1", "multiplies T_k"),
    PARAM(own, L, NAN, 1e-100, 1e100, "f/x^2", "smoothness; default the fact M_smooth"),
    PARAM(own, G, NAN, 1e-100, 1e100, "f/x", "bound on the gradients of f; default the fact"),
    PARAM(own, R, NAN, 1e-100, 1e100, "x", "bound on |x_0 - x*|; default dist or diameter"),
    PARAM_END
};

/* Returns the number of gradients of both parts: N for Lambda and, for f, sum_k c 32 N (G k)^2/(3 (R L)^2), without
 * the rounding up, but at least N. */
static double total(const struct own *p)
{
    double N = (double)p->N, ratio = p->G / p->L / p->R;
    return N + fmax(N, p->c * 16 / 9 * N * ratio * ratio * N * (N + 1) * (2 * N + 1));
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "gradient-sliding";
    struct own *p = vp;

    param_choose(&p->eps, goal->acc);
    param_choose(&p->L, f->M_smooth);
    param_choose(&p->G, f->G);
    param_choose(&p->R, isnan(f->dist) ? f->diameter : f->dist);
    if (isnan(p->eps) && p->N == 0)
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->L > 0 && p->L < INFINITY))
        return why_set(why, REFUSED, "%s relies on a smooth part apart from the samples: M_smooth = %g",
                       who, p->L);
    if (!(p->G > 0 && p->G < INFINITY && p->R > 0 && p->R < INFINITY))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= G^2 and |x_0 - x*| <= R: G = %g, R = %g",
                       who, p->G, p->R);
    double N = fmax(1, ceil(sqrt(6 * p->L * p->R * p->R / p->eps)));
    if (p->N == 0 && !(N <= 0x1p40))
        return why_set(why, REFUSED, "%s: N = sqrt(6 L R^2/eps) = %g: expected at most 2^40", who, N);
    if (p->N == 0)
        p->N = (long)N;
    if (goal->T < total(p))
        return why_set(why, REFUSED, "%s: a gradient is a batch step: goal T = %g, expected at least %g",
                       who, goal->T, total(p));
    return OK;
}

static double expects(const struct facts *f, const void *vp) { return total(vp); }

static double inner(const struct own *p, double k)
{
    double ratio = p->G / p->L * k / p->R;
    return fmax(1, ceil(p->c * 32 / 3 * (double)p->N * ratio * ratio));
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *centre = arena_vec(w, d), *xu = arena_vec(w, d), *xt = arena_vec(w, d),
           *g = arena_vec(w, d);
    struct prox_slide slide = { .o = o, .R = NAN };

    prox_slide_reserve(&slide, w);
    arena_seal(w);
    vec_copy(d, x, centre);
    for (double k = 1; k <= (double)p->N; k++) {
        double gam = 2 / (k + 1);
        vec_lincomb(d, 1 - gam, x, gam, centre, xu);
        vec_copy(d, centre, xt);
        if (!oracle_smooth_grad(o, xu, g) ||
            !prox_slide(&slide, g, 2 * p->L / k, inner(p, k), centre, xt))
            break;
        vec_axpby(d, gam, xt, 1 - gam, x);
        oracle_depth(o, 2);
        oracle_mark(o, x);
    }
    return OK;
}

const struct algo algo_gradient_sliding = {
    .name = "gradient-sliding",
    .doc = "stochastic gradient sliding: few gradients of the smooth part",
    .cite = "Lan, Gradient sliding for composite optimization, Math. Prog. 159 (2016)",
    .calls = CALL_SAMPLES | CALL_SMOOTH,
    .assumes = ASSUMES_CONVEX,
    .may_read = FACT_BIT(M_smooth) | FACT_BIT(G) | FACT_BIT(dist) | FACT_BIT(diameter),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};
