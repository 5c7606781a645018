/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composite_ac_sa.c - AC-SA for Psi = Lambda + f with exact gradients of the smooth part Lambda and stochastic ones
 * of f (Lan 2012; the recursion is that of parts/ac_sa.h with lambda = 0). An iteration uses one gradient of Lambda
 * and one of f, so that the method needs equally many of both.
 *
 *     md = (1-alpha) ag + alpha x,  alpha = 2/(t+1),  t = 1 ... T
 *     x <- P( x - (t/(2 gamma)) (grad Lambda(md) + g(md)) )
 *     ag <- (1-alpha) ag + alpha x,  answer ag
 *
 * Lambda convex and L-smooth, f convex, E g a subgradient of f and E|g|^2 <= G^2, |x_0 - x*| <= R, eps the
 * accuracy. Let G' bound the slopes of f and delta be the noise of g, G'^2 + E|delta|^2 <= G^2. An iteration that
 * moves ag by s increases the bound on Psi(ag) by 2G'|s| because of the kinks of f, and by |delta||s| because of
 * the noise. Let v^2 := 5 G^2 >= E(2G' + |delta|)^2. With
 *     gamma = max{ 2L, (v/R) sqrt(T(T+1)(2T+1)/12) }
 *     E Psi(ag) - Psi* <= 4 L R^2/(T(T+1)) + R v sqrt(4(2T+1)/(3T(T+1))) <= eps
 * after T = ceil(max{ sqrt(8 L R^2/eps), 32 v^2 R^2/(3 eps^2) }) iterations, for which each of the two terms is at
 * most eps/2. */
#include "ac_sa.h"

struct own {
    long T;
    double eps, gamma, c;
    double L, G, R;
};

static const struct param params[] = {
    PARAM(own, T, 0, 0, 0x1p40, "steps", "0: as above"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, gamma, NAN, 1e-300, INFINITY, "f/x^2", "inverse step; default as above"),
    PARAM(own, c, 1, 1e-6, 1e6, "1", "multiplies T where f decides it"),
    PARAM(own, L, NAN, 1e-100, 1e100, "f/x^2", "smoothness; default the fact M_smooth"),
    PARAM(own, G, NAN, 1e-100, 1e100, "f/x", "bound on the gradients of f; default the fact"),
    PARAM(own, R, NAN, 1e-100, 1e100, "x", "bound on |x_0 - x*|; default dist or diameter"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "composite-ac-sa";
    struct own *p = vp;

    param_choose(&p->eps, goal->acc);
    param_choose(&p->L, f->M_smooth);
    param_choose(&p->G, f->G);
    param_choose(&p->R, isnan(f->dist) ? f->diameter : f->dist);
    if (isnan(p->eps) && p->T == 0)
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->L > 0 && p->L < INFINITY))
        return why_set(why, REFUSED, "%s relies on a smooth part apart from the samples: M_smooth "
                       "= %g", who, p->L);
    if (!(p->G > 0 && p->G < INFINITY && p->R > 0 && p->R < INFINITY))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= G^2 and |x_0 - x*| <= R: G = %g, R = %g",
                       who, p->G, p->R);
    double ratio = p->G * p->R / p->eps;
    double T = ceil(fmax(sqrt(8 * p->L * p->R * p->R / p->eps), p->c * 160 / 3 * ratio * ratio));
    if (p->T == 0 && !(T <= 0x1p40))
        return why_set(why, REFUSED, "%s: T = %g: expected at most 2^40", who, T);
    param_choose_count(&p->T, (long)fmin(T, 0x1p40));
    param_choose(&p->gamma, ac_sa_gamma(p->L, sqrt(5) * p->G, p->R, (double)p->T));
    if (goal->T < 2 * (double)p->T)
        return why_set(why, REFUSED, "%s: a step is two batch steps: goal T = %g, expected at least %g",
                       who, goal->T, 2 * (double)p->T);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    return (double)((const struct own *)vp)->T;
}

struct source {
    struct oracle *o;
    double *h;                       /* [d] the gradient of f */
};

/* g[d] <- a stochastic subgradient of Psi at x. ctx is a struct source. */
static bool both(void *ctx, const double *x, double *g)
{
    const struct source *s = ctx;
    if (!oracle_smooth_grad(s->o, x, g) || !oracle_sgrad(s->o, 1, x, s->h))
        return false;
    vec_axpy(oracle_dim(s->o), 1, s->h, g);
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    struct source source = { .o = o, .h = arena_vec(w, oracle_dim(o)) };
    struct ac_sa s = { .o = o, .grad = both, .ctx = &source, .mark = true };

    ac_sa_reserve(&s, w);
    arena_seal(w);
    vec_copy(oracle_dim(o), x, s.ag);
    ac_sa_stage(&s, p->T, p->gamma);
    vec_copy(oracle_dim(o), s.ag, x);
    return OK;
}

const struct algo algo_composite_ac_sa = {
    .name = "composite-ac-sa",
    .doc = "AC-SA on a smooth part and samples of the rest, one gradient of each a step",
    .cite = "Lan, An optimal method for stochastic composite optimization, Math. Prog. 133 (2012)",
    .calls = CALL_SAMPLES | CALL_SMOOTH,
    .assumes = ASSUMES_CONVEX,
    .may_read = FACT_BIT(M_smooth) | FACT_BIT(G) | FACT_BIT(dist) | FACT_BIT(diameter),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};
