/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composite_sgd.c - accelerated descent on Psi = Lambda + f as in composite_agd.c, but without bias reduction: one
 * long run of EpochSGD (parts/epoch_sgd.h) gives both vbar and v of a round. The method is the rival of Algorithm 5
 * of Asi, Carmon, Jambulapati, Jin, Sidford 2021. f is convex, E|g|^2 <= G^2, Lambda is L-smooth, the feasible set
 * X within R of x_0, eps the accuracy, beta_k = 2L/k:
 *
 *     N = ceil(2 sqrt(L R^2/eps)),  delta_k = R/(16N)
 *     vbar = v = EpochSGD, budget T_k = ceil(c G^2/(beta_k delta_k)^2) = ceil(64 c (G k N/(L R))^2)
 *
 * v* is the exact solution of the round's subproblem. By Proposition 3 (parts/epoch_sgd.h), for c = 32, E|v - v*|^2
 * <= delta_k^2 <= sigma_k^2 = R^2/(4N), and the value is within beta_k delta_k^2/2 <= eps_k = L R^2/(2kN) of the
 * least one, so that as in Theorem 5
 *     E Psi(x_N) - Psi* <= eps  after N gradients of the smooth part and about
 *     683 c (G R/eps)^2 sqrt(L R^2/eps) of f
 * c is 32 in theory and 1 in practice. */
#include "composite_method.h"

static const struct param params[] = { COMPOSITE_ROUNDS, COMPOSITE_FACTS, PARAM_END };

static double inner(const struct composite_method *p, double k)
{
    double ratio = p->G / p->L * k * (double)p->N / p->R;
    return ceil(64 * p->c * ratio * ratio);
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "composite-sgd";
    struct composite_method *p = vp;
    enum status status = composite_method_tune(who, f, goal, p, why);

    if (status != OK)
        return status;
    double most = inner(p, (double)p->N);
    if (!(most <= 0x1p52))
        return why_set(why, REFUSED, "%s: T_N = %g: expected at most 2^52", who, most);
    double steps = (double)p->N + epoch_sgd_gradients(epoch_sgd_epochs(most));
    if (goal->T < steps)
        return why_set(why, REFUSED, "%s: a gradient is a batch step: goal T = %g, the last round alone "
                       "needs %g", who, goal->T, steps);
    return OK;
}

/* Returns an estimate of the cost of a run, in gradients. The budget of round k grows as k^2, so that N rounds cost
 * N/3 times as much as the last one. */
static double expects(const struct facts *f, const void *vp)
{
    const struct composite_method *p = vp;
    return (double)p->N / 3 * inner(p, (double)p->N);
}

struct source {
    const struct composite_method *p;
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
    const struct composite_method *p = vp;
    struct source source = { .p = p, .run = { .o = o, .grad = epoch_sgd_sample, .ctx = o } };
    struct composite_agd s = { .o = o, .solve = solve, .ctx = &source };

    epoch_sgd_reserve(&source.run, w);
    composite_method_run(p, &s, w, x);
    return OK;
}

const struct algo algo_composite_sgd = {
    .name = "composite-sgd",
    .doc = "accelerated descent on a smooth part, the rest by plain EpochSGD",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Section 5, without OptEst",
    .calls = CALL_SAMPLES | CALL_SMOOTH,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = COMPOSITE_READS,
    .params = params,
    .params_size = sizeof(struct composite_method),
    .tune = tune,
    .expects = expects,
    .run = run,
};
