/* SPDX-License-Identifier: GPL-3.0-or-later */
/* epoch_sgd.c - EpochSGD on the objective (parts/epoch_sgd.h; Asi, Carmon, Jambulapati, Jin, Sidford 2021,
 * Algorithm 8 and Proposition 3). From epoch to epoch the number of steps doubles and the step length is halved;
 * the next epoch begins at the mean of the points of an epoch.
 *
 * T is the budget of gradients, and E|g|^2 <= G^2. If F is mu-strongly convex,
 *     E F(x) - F* <= 16 G^2/(mu T)
 * If F is convex and D >= |x_0 - x*|, (lambda/2)|x - x_0|^2 is added to F, lambda = sqrt(32/T) G/D, and
 *     E F(x) - F* <= lambda D^2/2 + 16 G^2/(lambda T) = sqrt(32) G D/sqrt(T) */
#include "epoch_sgd.h"

struct own {
    long T;
    double mu, lambda;
};

static const struct param params[] = {
    PARAM(own, T, 0, 0, 0x1p52, "gradients", "budget; 0: from goal budget, n or T"),
    PARAM(own, mu, NAN, 0, INFINITY, "f/x^2", "strong convexity of F; default the fact, or 0"),
    PARAM(own, lambda, NAN, 0, INFINITY, "f/x^2", "weight of psi; default 0 where mu > 0"),
    PARAM_END
};

static double least(double a, double b) { return isnan(a) || b < a ? b : a; }

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "epoch-sgd";
    struct own *p = vp;
    double T = least(least(least(goal->budget, goal->n), goal->T), 0x1p52);
    double D = isnan(f->dist) ? f->diameter : f->dist, G = isnan(f->G) ? f->L : f->G;

    if (!(G < INFINITY))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= G^2: G and L are unknown or infinite",
                       who);
    if (p->T == 0 && isnan(goal->budget) && isnan(goal->n) && isnan(goal->T))
        return why_set(why, REFUSED, "%s needs a budget: give T, or goal budget, n or T", who);
    param_choose_count(&p->T, (long)T);
    param_choose(&p->mu, f->mu > 0 ? f->mu : 0);
    if (isnan(p->lambda) && p->mu > 0)
        p->lambda = 0;
    if (isnan(p->lambda) && !(D > 0 && D < INFINITY))
        return why_set(why, REFUSED, "%s: without strong convexity lambda needs a bound on |x_0 - x*| "
                       "(dist or diameter), or algo.lambda", who);
    param_choose(&p->lambda, G / D * sqrt(32 / fmax(1, (double)p->T)));
    if (!(p->mu + p->lambda > 0))
        return why_set(why, REFUSED, "%s: mu + lambda = %g: expected more than 0", who,
                       p->mu + p->lambda);
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *z = arena_vec(w, d);
    struct epoch_sgd s = { .o = o, .grad = epoch_sgd_sample, .ctx = o, .z = z,
                           .mu = p->lambda > 0 ? p->lambda : p->mu, .bare = p->lambda == 0 };
    int e = epoch_sgd_epochs((double)p->T);

    epoch_sgd_reserve(&s, w);
    arena_seal(w);
    vec_copy(d, x, z);
    epoch_sgd_begin(&s);
    for (int k = 1; k <= e && epoch_sgd_epoch(&s, k); k++)
        oracle_mark(o, s.x);
    vec_copy(d, s.x, x);
    return OK;
}

const struct algo algo_epoch_sgd = {
    .name = "epoch-sgd",
    .doc = "EpochSGD: epochs of doubling length, halving steps and averages",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 8; Hazan, Kale, JMLR 15 (2014)",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX,
    .may_read = FACT_BIT(mu) | FACT_BIT(G) | FACT_BIT(L) | FACT_BIT(dist) | FACT_BIT(diameter),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .run = run,
};
