/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shrinking_smoothing.c - accelerated dual averaging on f(x + u_t Z), Z ~ N(0, I), with a blur u_t that
 * shrinks from round to round (Duchi, Bartlett, Wainwright, SIAM J. Optim. 22 (2012), Theorem 2.1 and its
 * Gaussian corollary; the row DBW12 of Table 1 of Carmon et al. 2023). theta_0 = 1, x = z = x_0, t = 0 ...
 * T-1:
 *
 *     u_t = theta_t u,  u = R d^(-1/4),   y = (1 - theta_t) x + theta_t z
 *     g_t = mean of m fresh sample gradients at y + u_t Z_1, ..., y + u_t Z_m: one round
 *     theta_{t+1} = 2/(1 + sqrt(1 + 4/theta_t^2))
 *     z <- P( x_0 - sum_{s<=t} g_s/theta_s / (L_{t+1} + eta_{t+1}/theta_{t+1}) ),
 *          L_{t+1} = L/(theta_{t+1} u),  eta_{t+1} = L sqrt(t+2)/(R sqrt m)
 *     x <- (1 - theta_t) x + theta_t z
 *
 * F convex, E|g|^2 <= L^2 everywhere, |x_0 - x*| <= R:
 *
 *     E F(x_T) - F* <= 10 L R d^(1/4)/T + 5 L R/sqrt(T m)
 *
 * This is the accuracy eps for T = ceil(20 d^(1/4) kappa), m = ceil(100 kappa^2/T), kappa = L R/eps: order d^(1/4)
 * kappa rounds and d^(1/4) kappa + kappa^2 gradients. randomised_smoothing.c has one blur for all rounds, and a
 * ball in place of the Gaussian. */
#include "algo.h"

struct own {
    long T, m;
    double eps, L, R, u;
};

static const struct param params[] = {
    PARAM(own, T, 0, 0, 0x1p40, "rounds", "0: ceil(20 d^(1/4) L R/eps)"),
    PARAM(own, m, 0, 0, 0x1p40, "samples", "gradients of a round; 0: ceil(100 (L R/eps)^2/T)"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, L, NAN, 1e-100, 1e100, "f/x", "root of the bound on E|g|^2; default the fact G"),
    PARAM(own, R, NAN, 1e-100, 1e100, "x", "bound on |x_0 - x*|; default dist or diameter"),
    PARAM(own, u, NAN, 1e-100, 1e100, "x", "sd of the first blur; default R d^(-1/4)"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "shrinking-smoothing";
    struct own *p = vp;
    double root = sqrt(sqrt(f->d));

    param_choose(&p->eps, goal->acc);
    param_choose(&p->L, f->G);
    param_choose(&p->R, isnan(f->dist) ? f->diameter : f->dist);
    if (isnan(p->eps))
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->L > 0 && p->L < INFINITY && p->R > 0 && p->R < INFINITY))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= L^2 and |x_0 - x*| <= R: L = %g, "
                       "R = %g", who, p->L, p->R);
    param_choose(&p->u, p->R / root);
    double kappa = p->L * p->R / p->eps, T = fmax(1, ceil(20 * root * kappa));
    double m = fmax(1, ceil(100 * kappa * kappa / (p->T > 0 ? (double)p->T : T)));
    if ((p->T == 0 && !(T <= 0x1p40)) || (p->m == 0 && !(m <= 0x1p40)))
        return why_set(why, REFUSED, "%s: T = %g rounds of m = %g gradients: expected at most 2^40 "
                       "of each", who, T, m);
    param_choose_count(&p->T, (long)fmin(T, 0x1p40));
    param_choose_count(&p->m, (long)fmin(m, 0x1p40));
    if ((double)p->m > goal->n || (double)p->m > goal->budget)
        return why_set(why, REFUSED, "%s: a round of m = %ld gradients is more than the run may spend",
                       who, p->m);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    return (double)p->T * (double)p->m;
}

struct state {
    struct oracle *o;
    const struct own *p;
    struct rng base, key;            /* point i of round t is drawn from substream i of substream t */
    double theta,
           share;                    /* 1/(m theta) */
    /* x_0, x, y, z and sum_s g_s/theta_s of the head, [d] each; scratch of cloud_add. */
    double *start, *x, *y, *z, *sum, *work;
};

static void rows(const void *ctx, long first, long m, double *z)
{
    const struct state *s = ctx;
    rng_normals_rows(&s->key, (uint64_t)first, m, oracle_dim(s->o), 1, z);
}

static void weigh(void *ctx, long m, double *w)
{
    for (long k = 0; k < m; k++)
        w[k] = ((const struct state *)ctx)->share;
}

/* s->sum[d] += g_t/theta_t, in one round. Returns false if the budget is spent. */
static bool blurred(struct state *s, uint64_t t)
{
    struct cloud cloud = { .rows = rows, .ctx = s, .centre = s->y, .scale = s->theta * s->p->u };
    struct round q;

    s->key = rng_sub(&s->base, t);
    vec_lincomb(oracle_dim(s->o), 1 - s->theta, s->x, s->theta, s->z, s->y);
    if (!oracle_cloud(s->o, s->p->m, &cloud, &q))
        return false;
    s->share = 1 / ((double)s->p->m * s->theta);
    cloud_add(s->o, &q, 0, s->p->m, NULL, weigh, s, s->work, s->sum);
    return true;
}

static bool step(struct state *s, long t)
{
    long d = oracle_dim(s->o);
    const struct own *p = s->p;
    double next = 2 / (1 + sqrt(1 + 4 / (s->theta * s->theta)));
    double eta = p->L * sqrt((double)t + 2) / (p->R * sqrt((double)p->m));

    if (!blurred(s, (uint64_t)t))
        return false;
    vec_lincomb(d, 1, s->start, -1 / (p->L / (next * p->u) + eta / next), s->sum, s->z);
    oracle_project(s->o, 0, s->z);
    vec_axpby(d, s->theta, s->z, 1 - s->theta, s->x);
    s->theta = next;
    oracle_depth(s->o, 3);
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    struct state s = { .o = o, .p = p, .base = rng_sub(rng, rng_u64(rng)), .theta = 1,
                       .start = arena_vec(w, d), .x = x, .y = arena_vec(w, d), .z = arena_vec(w, d),
                       .sum = arena_vec(w, d), .work = arena_vec(w, cloud_work(d)) };

    arena_seal(w);
    vec_copy(d, x, s.start);
    vec_copy(d, x, s.z);
    vec_zero(d, s.sum);
    for (long t = 0; t < p->T && step(&s, t); t++)
        oracle_mark(o, x);
    return OK;
}

const struct algo algo_shrinking_smoothing = {
    .name = "shrinking-smoothing",
    .doc = "accelerated dual averaging on the objective under a Gaussian blur that shrinks",
    .cite = "Duchi, Bartlett, Wainwright, Randomized smoothing for stochastic optimization, SIAM "
            "J. Optim. 22 (2012)",
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
