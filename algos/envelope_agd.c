/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelope_agd.c - few projections for nonsmooth stochastic problems: accelerated descent on the Moreau envelope
 * with bias-reduced gradients (parts/envelope_agd.h, parts/mlmc.h; Asi, Carmon, Jambulapati, Jin, Sidford 2021,
 * Algorithm 3 and Theorem 3). f is convex, E|g|^2 <= G^2 on the ball of radius R, |x_0 - x*| <= D, and eps is the
 * accuracy. f_lam is the envelope; in round k its gradients are estimated with a bias of at most delta and a mean
 * squared error of at most sigma_k^2:
 *
 *     lam = 2 G^2/eps,  T = ceil(7 G D/eps),  delta = eps/(8R),  sigma_k^2 = 4 G^2/(k+1)
 *     E f(x_T) - f* <= eps  after T projections and O((G D/eps)^2 log^2(G R/eps)) gradients
 *
 * The constant c of the estimator (parts/mlmc.h) is 32 in theory and 1 in practice. */
#include "envelope_method.h"
#include "mlmc.h"

static const struct param params[] = { ENVELOPE_PARAMS, PARAM_END };

static const struct method_mechanism mechanisms[] = {
    { "feasible", "v is projected on the set, where the paper prints the ball", MECHANISM_HELPS,
      { { "algo.projections", .text = "printed" } } },
    { "reduction", "gradients of the envelope by draws with little bias", MECHANISM_HELPS,
      .without = "envelope-sgd" },
    { "envelope", "accelerated descent on the envelope saves projections", MECHANISM_HELPS, .without = "sgd" },
    { 0 }
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "envelope-agd";
    struct envelope_method *p = vp;
    enum status status = envelope_method_tune(who, f, goal, p, why);

    if (status != OK)
        return status;
    if (goal->T < 15 * (double)p->T)
        return why_set(why, REFUSED, "%s: an epoch is 15 batch steps and a round at least one: goal T "
                       "= %g, expected at least %g", who, goal->T, 15 * (double)p->T);
    double most = opt_est_T_max(p->c, p->G, p->eps / (8 * p->R), 4 * p->G * p->G / ((double)p->T + 1));
    if (!(most <= 0x1p52))
        return why_set(why, REFUSED, "%s: T_max = %g: expected at most 2^52", who, most);
    return OK;
}

/* Returns an estimate of the cost of a run, in gradients. The number of draws of round k grows as k, so that T
 * rounds make T/2 times as many as the last one. */
static double expects(const struct facts *f, const void *vp)
{
    const struct envelope_method *p = vp;
    double T = (double)p->T, sigma2 = 4 * p->G * p->G / (T + 1);
    double T_max = opt_est_T_max(p->c, p->G, p->eps / (8 * p->R), sigma2);
    struct mlmc m = { .jmax = mlmc_levels(T_max) };
    return T / 2 * opt_est_N(p->c, p->G, sigma2, T_max) * mlmc_expected_gradients(&m);
}

struct source {
    const struct envelope_method *p;
    struct mlmc m;
    struct rng *rng;
};

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
    const struct envelope_method *p = vp;
    struct envelope_inner inner = { o, p->R };
    struct source source = { .p = p, .rng = rng, .m.run = envelope_inner_run(&inner, p->lam) };
    struct envelope_agd s = { .o = o, .grad = envelope_grad, .ctx = &source };

    mlmc_reserve(&source.m, w);
    envelope_method_run(p, &s, w, x);
    return OK;
}

const struct algo algo_envelope_agd = {
    .name = "envelope-agd",
    .doc = "accelerated descent on the Moreau envelope with bias-reduced gradients",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 3 and Theorem 3",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = ENVELOPE_READS,
    .params = params,
    .params_size = sizeof(struct envelope_method),
    .tune = tune,
    .expects = expects,
    .run = run,
    .mechanisms = mechanisms,
};
