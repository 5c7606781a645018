/* SPDX-License-Identifier: GPL-3.0-or-later */
/* randomised_smoothing.c - accelerated descent on f_u(x) = E f(x + u Z), Z uniform in the unit ball (Duchi,
 * Bartlett, Wainwright, SIAM J. Optim. 22 (2012); with the steps of parts/envelope_agd.h). Assumptions: f convex,
 * E|g|^2 <= G^2 within u of the feasible set X, |x_0 - x*| <= D; eps is the accuracy. Then f <= f_u <= f + G u, and
 * f_u is L_u-smooth, L_u = G sqrt(d)/u:
 *
 *     u = eps/(2G),  T = ceil(sqrt(24 L_u D^2/eps)) = ceil(sqrt(48) d^(1/4) G D/eps)
 *     g_k = mean of m = ceil(T G^2/(3 L_u eps)) fresh sample gradients at y + u Z_1, ..., y + u Z_m
 *     y = ((k-1)/(k+1)) x + (2/(k+1)) v,  v <- P_X(v - (k/(6 L_u)) g_k),
 *     x <- ((k-1)/(k+1)) x + (2/(k+1)) v
 *
 * Smoothing costs eps/2; the distance of the start leaves 6 L_u D^2/T^2 <= eps/4; and the noise, E|g_k - grad
 * f_u|^2 <= G^2/m, leaves T G^2/(12 L_u m) <= eps/4:
 *
 *     E f(x_T) - f* <= eps  after T projections and about 8 (G D/eps)^2 gradients in T batch steps */
#include "envelope_agd.h"

struct own {
    long T, m;
    double eps, G, D, u;
};

static const struct param params[] = {
    PARAM(own, T, 0, 0, 0x1p40, "rounds", "0: ceil(sqrt(24 L_u D^2/eps))"),
    PARAM(own, m, 0, 0, 0x1p40, "samples", "gradients of a round; 0: ceil(T G^2/(3 L_u eps))"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, G, NAN, 1e-100, 1e100, "f/x", "bound on the gradients; default the fact"),
    PARAM(own, D, NAN, 1e-100, 1e100, "x", "bound on |x_0 - x*|; default dist or diameter"),
    PARAM(own, u, NAN, 1e-100, 1e100, "x", "radius of the smoothing; default eps/(2G)"),
    PARAM_END
};

/* Returns the number m = ceil(T G^2/(3 L_u eps)) of gradients a round, where L_u = G sqrt(d)/u. */
static double batch(const struct own *p, double T, double d)
{
    return fmax(1, ceil(T * p->G * p->u / (3 * sqrt(d) * p->eps)));
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "randomised-smoothing";
    struct own *p = vp;

    param_choose(&p->eps, goal->acc);
    param_choose(&p->G, f->G);
    param_choose(&p->D, isnan(f->dist) ? f->diameter : f->dist);
    if (isnan(p->eps))
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->G > 0 && p->G < INFINITY && p->D > 0 && p->D < INFINITY))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= G^2 and |x_0 - x*| <= D: G = %g, D = %g",
                       who, p->G, p->D);
    param_choose(&p->u, p->eps / (2 * p->G));
    double T = fmax(1, ceil(p->D * sqrt(24 * p->G * sqrt(f->d) / (p->u * p->eps))));
    double m = batch(p, p->T > 0 ? (double)p->T : T, f->d);
    if ((p->T == 0 && !(T <= 0x1p40)) || (p->m == 0 && !(m <= 0x1p40)))
        return why_set(why, REFUSED, "%s: T = %g rounds of m = %g gradients: expected at most 2^40 of "
                       "each", who, T, m);
    param_choose_count(&p->T, (long)fmin(T, 0x1p40));
    param_choose_count(&p->m, (long)fmin(m, 0x1p40));
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    return (double)p->T * (double)p->m;
}

struct source {
    struct oracle *o;
    const struct own *p;
    struct rng key;                  /* Z_i is drawn from substream i */
    const double *y;                 /* [d] y of the head */
    double *sum;                     /* [d] scratch of round_add */
};

static void blurred(const void *ctx, long i, double *x)
{
    const struct source *s = ctx;
    struct rng r = rng_at(&s->key, (uint64_t)i);
    long d = oracle_dim(s->o);
    rng_ball(&r, d, x);
    vec_scale(d, s->p->u, x);
    vec_axpy(d, 1, s->y, x);
}

static bool smoothed_grad(void *ctx, double k, const double *y, double *g)
{
    struct source *s = ctx;
    struct source round = *s;
    struct round q;
    long d = oracle_dim(s->o);
    round.key = rng_sub(&s->key, (uint64_t)k);
    round.y = y;
    if (!oracle_round(s->o, s->p->m, blurred, &round, &q))
        return false;
    vec_zero(d, g);
    round_add(s->o, &q, 0, s->p->m, NULL, s->sum, g);
    vec_scale(d, 1 / (double)s->p->m, g);
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    struct source source = { .o = o, .p = p, .key = rng_sub(rng, rng_u64(rng)),
                             .sum = arena_vec(w, d) };
    struct envelope_agd s = { .o = o, .grad = smoothed_grad, .ctx = &source,
                              .lam = p->G * sqrt((double)d) / p->u, .R = INFINITY };

    envelope_agd_reserve(&s, w);
    arena_seal(w);
    vec_copy(d, x, s.x);
    envelope_agd_begin(&s);
    for (long k = 1; k <= p->T && envelope_agd_round(&s, (double)k); k++)
        oracle_mark(o, s.x);
    vec_copy(d, s.x, x);
    return OK;
}

const struct algo algo_randomised_smoothing = {
    .name = "randomised-smoothing",
    .doc = "accelerated descent on the objective blurred by a ball",
    .cite = "Duchi, Bartlett, Wainwright, Randomized smoothing for stochastic optimization, SIAM J. "
            "Optim. 22 (2012)",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX,
    .reads = FACT_BIT(d),
    .may_read = FACT_BIT(G) | FACT_BIT(dist) | FACT_BIT(diameter),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};
