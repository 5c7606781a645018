/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelope_agd.c - few projections for nonsmooth stochastic problems: accelerated descent on the
 * Moreau envelope with bias-reduced gradients (parts/envelope_agd.h, parts/mlmc.h; Asi, Carmon,
 * Jambulapati, Jin, Sidford 2021, Algorithm 3 and Theorem 3). f convex, E|g|^2 <= G^2 on the ball of
 * radius R, |x_0 - x*| <= D:
 *
 *     lam = 2 G^2/eps,  T = ceil(7 G D/eps),  delta = eps/(8R),  sigma_k^2 = 4 G^2/(k+1)
 *     E f(x_T) - f* <= eps  after T projections and O((G D/eps)^2 log^2(G R/eps)) gradients
 *
 * The constant c of the estimator is 32 in theory, 1 in practice. */
#include <string.h>
#include "envelope_agd.h"
#include "mlmc.h"

struct own {
    const char *projections;
    long T;
    double eps, c, lam;
    double G, R;
};

static const struct param params[] = {
    PARAM_WORD(own, projections, "once", "once|twice|printed", "which step keeps v in the set"),
    PARAM(own, T, 0, 0, 0x1p40, "rounds", "0: ceil(7 G D/eps)"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, c, NAN, 1e-6, 1e6, "1", "constant of the estimator; default 32 in theory, else 1"),
    PARAM(own, lam, NAN, 1e-100, 1e100, "f/x^2", "of the envelope; default 2 G^2/eps"),
    PARAM(own, G, NAN, 1e-100, 1e100, "f/x", "bound on the gradients; default the fact"),
    PARAM(own, R, NAN, 1e-100, 1e100, "x", "radius of the cheap ball; default the fact"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "envelope-agd";
    struct own *p = vp;
    double D = isnan(f->dist) ? f->diameter : f->dist;

    param_choose(&p->eps, goal->acc);
    param_choose(&p->c, goal->constants == CONSTANTS_THEORY ? 32 : 1);
    param_choose(&p->G, f->G);
    param_choose(&p->R, f->radius);
    if (isnan(p->eps))
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->G > 0 && p->G < INFINITY && p->R < INFINITY))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= G^2 over a ball: G = %g, radius = %g", who,
                       p->G, p->R);
    param_choose(&p->lam, 2 * p->G * p->G / p->eps);
    double T = fmax(1, ceil(7 * p->G * D / p->eps));
    if (p->T == 0 && !(T <= 0x1p40))
        return why_set(why, REFUSED, "%s: T = 7 G D/eps = %g: expected at most 2^40; D is dist or "
                       "diameter", who, T);
    if (p->T == 0)
        p->T = (long)T;
    if (goal->T < 15 * (double)p->T)
        return why_set(why, REFUSED, "%s: an epoch is 15 batch steps and a round at least one: goal T "
                       "= %g, expected at least %g", who, goal->T, 15 * (double)p->T);
    double most = opt_est_T_max(p->c, p->G, p->eps / (8 * p->R), 4 * p->G * p->G / ((double)p->T + 1));
    if (!(most <= 0x1p52))
        return why_set(why, REFUSED, "%s: T_max = %g: expected at most 2^52", who, most);
    return OK;
}

/* Draws grow as k: of T rounds, T/2 times those of the last. */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    double T = (double)p->T, sigma2 = 4 * p->G * p->G / (T + 1);
    double T_max = opt_est_T_max(p->c, p->G, p->eps / (8 * p->R), sigma2);
    struct mlmc m = { .jmax = mlmc_levels(T_max) };
    return T / 2 * opt_est_N(p->c, p->G, sigma2, T_max) * mlmc_expected_gradients(&m);
}

struct source {
    const struct own *p;
    struct mlmc m;
    struct rng *rng;
};

/* ctx of the inner runs: struct source. */
static bool sample(void *ctx, const double *x, double *h)
{
    return oracle_sgrad(((struct source *)ctx)->m.run.o, 1, x, h);
}

static void cheap(void *ctx, double *x)
{
    const struct source *s = ctx;
    vec_project_ball(oracle_dim(s->m.run.o), NULL, s->p->R, x);
}

static bool envelope_grad(void *ctx, double k, const double *y, double *g)
{
    struct source *s = ctx;
    double G = s->p->G, sigma2 = 4 * G * G / (k + 1);
    double T_max = opt_est_T_max(s->p->c, G, s->p->eps / (8 * s->p->R), sigma2);
    double N = opt_est_N(s->p->c, G, sigma2, T_max);
    s->m.jmax = mlmc_levels(T_max);
    return oracle_charge(s->m.run.o, COUNT_draws, N) && mor_grad_est(&s->m, y, N, s->rng, g);
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    struct source source = { .p = p, .rng = rng };
    struct envelope_agd s = { .o = o, .grad = envelope_grad, .ctx = &source, .lam = p->lam, .R = p->R,
                              .mode = strcmp(p->projections, "printed") == 0 ? PROJECT_PRINTED
                                      : strcmp(p->projections, "twice") == 0 ? PROJECT_TWICE
                                                                             : PROJECT_ONCE };
    source.m.run = (struct epoch_sgd){ .o = o, .grad = sample, .project = cheap, .ctx = &source,
                                       .mu = p->lam };
    mlmc_reserve(&source.m, w);
    envelope_agd_reserve(&s, w);
    arena_seal(w);
    vec_copy(oracle_dim(o), x, s.x);
    envelope_agd_begin(&s);
    for (long k = 1; k <= p->T && envelope_agd_round(&s, (double)k); k++)
        oracle_mark(o, s.x);
    vec_copy(oracle_dim(o), s.x, x);
    return OK;
}

const struct algo algo_envelope_agd = {
    .name = "envelope-agd",
    .doc = "accelerated descent on the Moreau envelope with bias-reduced gradients",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 3 and Theorem 3",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(G) | FACT_BIT(dist) | FACT_BIT(diameter) | FACT_BIT(radius),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};
