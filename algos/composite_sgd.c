/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composite_sgd.c - few gradients of the smooth part without bias reduction: accelerated composite
 * descent (parts/composite_agd.h), both answers of a round from one long run of EpochSGD
 * (parts/epoch_sgd.h). It is to Algorithm 5 of Asi, Carmon, Jambulapati, Jin, Sidford 2021 what
 * plain EpochSGD is to Algorithm 3. f convex, E|g|^2 <= G^2, the smooth part L-smooth, X within R of
 * x_0, beta_k = 2L/k:
 *
 *     N = ceil(2 sqrt(L R^2/eps)),  delta_k = R/(16N)
 *     vbar = v = EpochSGD, budget T_k = ceil(c G^2/(beta_k delta_k)^2) = ceil(64 c (G k N/(L R))^2)
 *
 * Proposition 3, c = 32: E|v - v*|^2 <= delta_k^2, less than sigma_k^2 = R^2/(4N), and a value within
 * beta_k delta_k^2/2, less than eps_k, so that as in Theorem 5
 *     E Psi(x_N) - Psi* <= eps  after N gradients of the smooth part and about
 *     683 c (G R/eps)^2 sqrt(L R^2/eps) of f
 * c is 32 in theory, 1 in practice. */
#include "composite_agd.h"
#include "epoch_sgd.h"

struct own {
    long N;
    double eps, c;
    double L, G, R;
};

static const struct param params[] = {
    PARAM(own, N, 0, 0, 0x1p40, "rounds", "0: ceil(2 sqrt(L R^2/eps))"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, c, NAN, 1e-12, 1e6, "1", "constant of EpochSGD; default 32 in theory, else 1"),
    PARAM(own, L, NAN, 1e-100, 1e100, "f/x^2", "smoothness; default the fact M_smooth"),
    PARAM(own, G, NAN, 1e-100, 1e100, "f/x", "bound on the gradients of f; default the fact"),
    PARAM(own, R, NAN, 1e-100, 1e100, "x", "X is within R of x_0; default the radius"),
    PARAM_END
};

static double inner(const struct own *p, double k)
{
    double ratio = p->G / p->L * k * (double)p->N / p->R;
    return ceil(64 * p->c * ratio * ratio);
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "composite-sgd";
    struct own *p = vp;

    param_choose(&p->eps, goal->acc);
    param_choose(&p->c, goal->constants == CONSTANTS_THEORY ? 32 : 1);
    param_choose(&p->L, f->M_smooth);
    param_choose(&p->G, f->G);
    param_choose(&p->R, f->radius);
    if (isnan(p->eps) && p->N == 0)
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->L > 0 && p->L < INFINITY))
        return why_set(why, REFUSED, "%s relies on a smooth part apart from the samples: M_smooth = %g",
                       who, p->L);
    if (!(p->G > 0 && p->G < INFINITY && p->R < INFINITY))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= G^2 over a bounded set: G = %g, "
                       "radius = %g", who, p->G, p->R);
    double N = fmax(1, ceil(2 * sqrt(p->L * p->R * p->R / p->eps)));
    if (p->N == 0 && !(N <= 0x1p40))
        return why_set(why, REFUSED, "%s: N = 2 sqrt(L R^2/eps) = %g: expected at most 2^40", who, N);
    if (p->N == 0)
        p->N = (long)N;
    double most = inner(p, (double)p->N);
    if (!(most <= 0x1p52))
        return why_set(why, REFUSED, "%s: T_N = %g: expected at most 2^52", who, most);
    double steps = (double)p->N + epoch_sgd_gradients(epoch_sgd_epochs(most));
    if (goal->T < steps)
        return why_set(why, REFUSED, "%s: a gradient is a batch step: goal T = %g, the last round alone "
                       "needs %g", who, goal->T, steps);
    return OK;
}

/* Budgets grow as k^2: of N rounds, N/3 times that of the last. */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    return (double)p->N / 3 * inner(p, (double)p->N);
}

struct source {
    const struct own *p;
    struct epoch_sgd run;
};

static bool solve(void *ctx, double k, double beta, const double *z, double *vbar, double *v)
{
    struct source *s = ctx;
    long d = oracle_dim(s->run.o);
    s->run.mu = beta;
    s->run.z = z;
    if (!epoch_sgd_run(&s->run, epoch_sgd_epochs(inner(s->p, k))))
        return false;
    vec_copy(d, s->run.x, vbar);
    vec_copy(d, s->run.x, v);
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    struct source source = { .p = p };
    struct composite_agd s = { .o = o, .solve = solve, .ctx = &source, .L = p->L };

    source.run = (struct epoch_sgd){ .o = o, .grad = epoch_sgd_sample, .ctx = o };
    epoch_sgd_reserve(&source.run, w);
    composite_agd_reserve(&s, w);
    arena_seal(w);
    vec_copy(oracle_dim(o), x, s.x);
    composite_agd_begin(&s);
    for (long k = 1; k <= p->N && composite_agd_round(&s, (double)k); k++)
        oracle_mark(o, s.x);
    vec_copy(oracle_dim(o), s.x, x);
    return OK;
}

const struct algo algo_composite_sgd = {
    .name = "composite-sgd",
    .doc = "accelerated descent on a smooth part, the rest by plain EpochSGD",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Section 5, without OptEst",
    .calls = CALL_SAMPLES | CALL_SMOOTH,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(M_smooth) | FACT_BIT(G) | FACT_BIT(radius),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};
