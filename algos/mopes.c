/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mopes.c - few projections for nonsmooth stochastic problems without bias reduction. The Moreau envelope is
 * minimised by gradient sliding over two copies x and x' of the point. Only x, which is in the smooth term alone,
 * must be in the set (Thekumparampil, Jain, Netrapalli, Oh, NeurIPS 2020, MOPES). f is convex, E|g|^2 <= G^2 on the
 * ball |x| <= R, which contains the feasible set X, |x_0 - x*| <= D, and eps is the accuracy:
 *
 *     min over x in X, |x'| <= R of  f(x') + (lam/2)|x - x'|^2,   lam = G^2/eps
 *     Lambda = 2 lam,  K = ceil(sqrt(48) G D/eps),  k = 1 ... K:
 *     gam = 2/(k+1),  beta = 2 Lambda/k,  T_k = ceil(16 K G^2 k^2/(3 D^2 Lambda^2))
 *     (y, y') = (1-gam)(x, x') + gam (z, z'),   q = lam (y - y')
 *     z <- P_X(z - q/beta),   z', zt' <- PS(-q, centre z', beta, T_k)       (parts/prox_slide.h)
 *     (x, x') <- (1-gam)(x, x') + gam (z, zt')
 *
 * The expected gap of this problem in (x, x') is at most 12 Lambda D^2/(K(K+1)) <= eps/2, and f(x) - f(x') <= G|x -
 * x'| <= (lam/2)|x - x'|^2 + eps/2, so that
 *     E f(x_K) - f* <= eps  after K projections and about 1024 (G D/eps)^2 gradients */
#include "prox_slide.h"

struct mopes {
    long K;
    double eps, G, R, D, c;
};

static const struct param params[] = {
    PARAM(mopes, K, 0, 0, 0x1p40, "rounds", "0: ceil(sqrt(48) G D/eps)"),
    PARAM(mopes, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(mopes, c, 1, 1e-12, 1e12, "1", "multiplies T_k"),
    PARAM(mopes, G, NAN, 1e-100, 1e100, "f/x", "bound on the gradients; default the fact"),
    PARAM(mopes, R, NAN, 1e-100, 1e100, "x", "radius of the cheap ball; default the fact"),
    PARAM(mopes, D, NAN, 1e-100, 1e100, "x", "bound on |x_0 - x*|; default dist or diameter"),
    PARAM_END
};

/* Returns the number of gradients, sum_k 4 K (eps k)^2/(3 (G D)^2) without the rounding up, and at least K. */
static double total(const struct mopes *p)
{
    double K = (double)p->K, ratio = p->eps / (p->G * p->D);
    return fmax(K, p->c * 2 / 9 * K * ratio * ratio * K * (K + 1) * (2 * K + 1));
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "mopes";
    struct mopes *p = vp;

    param_choose(&p->eps, goal->acc);
    param_choose(&p->G, f->G);
    param_choose(&p->R, f->radius);
    param_choose(&p->D, isnan(f->dist) ? f->diameter : f->dist);
    if (isnan(p->eps))
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->G > 0 && p->G < INFINITY && p->R < INFINITY && p->D > 0 && p->D < INFINITY))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= G^2 over a ball and on |x_0 - x*| <= D: "
                       "G = %g, radius = %g, D = %g", who, p->G, p->R, p->D);
    double K = fmax(1, ceil(sqrt(48) * p->G * p->D / p->eps));
    if (p->K == 0 && !(K <= 0x1p40))
        return why_set(why, REFUSED, "%s: K = sqrt(48) G D/eps = %g: expected at most 2^40", who, K);
    param_choose_count(&p->K, (long)fmin(K, 0x1p40));
    if (goal->T < total(p))
        return why_set(why, REFUSED, "%s: a gradient is a batch step: goal T = %g, expected at least %g",
                       who, goal->T, total(p));
    return OK;
}

static double expects(const struct facts *f, const void *vp) { return total(vp); }

static double inner(const struct mopes *p, double k)
{
    double ratio = p->eps * k / (p->G * p->D);       /* 2 G k/(Lambda D) */
    return fmax(1, ceil(p->c * 4 / 3 * (double)p->K * ratio * ratio));
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct mopes *p = vp;
    long d = oracle_dim(o);
    double lam = p->G * p->G / p->eps, *q = arena_vec(w, d), *z = arena_vec(w, d),
           *xp = arena_vec(w, d), *zp = arena_vec(w, d), *zt = arena_vec(w, d);
    struct prox_slide slide = { .o = o, .R = p->R };

    prox_slide_reserve(&slide, w);
    arena_seal(w);
    vec_copy(d, x, z);
    vec_copy(d, x, xp);
    vec_copy(d, x, zp);
    for (double k = 1; k <= (double)p->K; k++) {
        double gam = 2 / (k + 1), beta = 4 * lam / k;
        vec_lincomb(d, -lam * (1 - gam), x, lam * (1 - gam), xp, q);
        vec_axpy(d, -lam * gam, z, q);
        vec_axpy(d, lam * gam, zp, q);               /* q is -q of the head of this file */
        vec_copy(d, zp, zt);
        if (!prox_slide(&slide, q, beta, inner(p, k), zp, zt))
            break;
        vec_axpy(d, 1 / beta, q, z);
        oracle_project(o, 0, z);
        vec_axpby(d, gam, z, 1 - gam, x);
        vec_axpby(d, gam, zt, 1 - gam, xp);
        oracle_depth(o, 4);
        oracle_mark(o, x);
    }
    return OK;
}

const struct algo algo_mopes = {
    .name = "mopes",
    .doc = "MOPES: the Moreau envelope by gradient sliding, one projection a round",
    .cite = "Thekumparampil, Jain, Netrapalli, Oh, Projection efficient subgradient method and "
            "optimal nonsmooth Frank-Wolfe method (NeurIPS 2020)",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(G) | FACT_BIT(dist) | FACT_BIT(diameter) | FACT_BIT(radius),
    .params = params,
    .params_size = sizeof(struct mopes),
    .tune = tune,
    .expects = expects,
    .run = run,
};
