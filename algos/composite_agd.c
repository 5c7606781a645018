/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composite_agd.c - accelerated descent on Psi = Lambda + f with few gradients of the smooth part Lambda
 * (parts/composite_agd.h, parts/epoch_sgd.h, parts/mlmc.h; Asi, Carmon, Jambulapati, Jin, Sidford 2021, Algorithm 5
 * and Theorem 5). Each round computes two approximate solutions of a subproblem: vbar, accurate in value, and v, of
 * little bias. f is convex, E|g|^2 <= G^2, Lambda is L-smooth, the feasible set X is within R of x_0, and eps is
 * the accuracy. In round k = 1 ... N, with beta_k = 2L/k:
 *
 *     N = ceil(2 sqrt(L R^2/eps)),  eps_k = L R^2/(2kN),  delta_k = R/(16N),  sigma_k^2 = R^2/(4N)
 *     vbar: EpochSGD, T = ceil(b G^2/(beta_k eps_k)), b = 16;   v: OptEst(delta_k, sigma_k^2)
 *     E Psi(x_N) - Psi* <= eps after N gradients of the smooth part and O((G R/eps)^2) of f, up to a
 *     squared logarithm
 *
 * The constant c of OptEst (parts/mlmc.h) is 32 in theory and 1 in practice; in practice b = 1 too. */
#include <string.h>
#include "composite_method.h"
#include "mlmc.h"

struct own {
    struct composite_method of;
    const char *centre;
    double b;
};

static const struct param params[] = {
    PARAM_WORD(own, centre, "projected", "projected|printed", "of a round's quadratic"),
    COMPOSITE_ROUNDS,
    PARAM(own, b, NAN, 1e-6, 1e6, "1", "budget of vbar; default 16 in theory, else 1"),
    COMPOSITE_FACTS,
    PARAM_END
};

static const struct method_mechanism mechanisms[] = {
    { "rounds", "accelerated rounds on the smooth part", MECHANISM_HELPS, { { "algo.N", 1 } } },
    { "sliding", "samples of f are asked without gradients of the smooth part", MECHANISM_HELPS,
      .without = "composite-ac-sa" },
    { "reduction", "answers with little bias, by levels", MECHANISM_HELPS, .without = "composite-sgd" },
    { 0 }
};

/* What round k needs: the budget T of EpochSGD, from eps_k, and T_max and the number N_k of draws of OptEst, from
 * beta_k delta_k and (beta_k sigma_k)^2. */
struct accuracy { double T, T_max, N_k; };

static struct accuracy accuracy_of(const struct own *own, double k)
{
    const struct composite_method *p = &own->of;
    double N = (double)p->N, beta_k = 2 * p->L / k, eps_k = p->L * p->R * p->R / (2 * k * N);
    double delta = beta_k * p->R / (16 * N), sigma2 = beta_k * beta_k * p->R * p->R / (4 * N);
    double T_max = opt_est_T_max(p->c, p->G, delta, sigma2);
    return (struct accuracy){ .T = ceil(own->b * p->G * p->G / (beta_k * eps_k)), .T_max = T_max,
                              .N_k = opt_est_N(p->c, p->G, sigma2, T_max) };
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "composite-agd";
    struct own *p = vp;
    enum status status = composite_method_tune(who, f, goal, &p->of, why);

    if (status != OK)
        return status;
    param_choose(&p->b, goal->constants == CONSTANTS_THEORY ? 16 : 1);
    double N = (double)p->of.N;
    if (goal->T < 16 * N)
        return why_set(why, REFUSED, "%s: an epoch is 15 batch steps, the smooth part one: goal T = %g, "
                       "expected at least %g", who, goal->T, 16 * N);
    struct accuracy most = accuracy_of(p, N);
    if (!(most.T_max <= 0x1p52 && most.T <= 0x1p52))
        return why_set(why, REFUSED, "%s: T_max = %g, T = %g: expected at most 2^52", who, most.T_max,
                       most.T);
    return OK;
}

/* Returns an estimate of the cost of a run, in gradients. The budgets of round k grow as k^2, so that N rounds cost
 * N/3 times as much as the last one. */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    struct accuracy last = accuracy_of(p, (double)p->of.N);
    struct mlmc m = { .jmax = mlmc_levels(last.T_max) };
    return (double)p->of.N / 3 * (last.T + last.N_k * mlmc_expected_gradients(&m));
}

struct source {
    const struct own *p;
    struct mlmc m;
    struct rng *rng;
};

/* vbar[d], v[d] <- the two solutions of round k around z. They are computed in parallel branches, since neither
 * needs the other. Returns false if the budget is spent. */
static bool solve(void *ctx, double k, double beta, const double *z, double *vbar, double *v)
{
    struct source *s = ctx;
    struct oracle *o = s->m.run.o;
    struct accuracy a = accuracy_of(s->p, k);
    bool whole;

    s->m.run.mu = beta;
    s->m.run.z = z;
    s->m.jmax = mlmc_levels(a.T_max);
    oracle_fork(o);
    oracle_branch(o);
    whole = epoch_sgd_run(&s->m.run, epoch_sgd_epochs(a.T));
    if (whole)
        vec_copy(oracle_dim(o), s->m.run.x, vbar);
    oracle_branch(o);
    whole = whole && oracle_charge(o, COUNT_draws, a.N_k) && opt_est(&s->m, a.N_k, s->rng, v);
    oracle_join(o);
    return whole;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    struct source source = { .p = p, .rng = rng,
                             .m.run = { .o = o, .grad = epoch_sgd_sample, .ctx = o } };
    struct composite_agd s = { .o = o, .solve = solve, .ctx = &source,
                               .printed_centre = strcmp(p->centre, "printed") == 0 };
    mlmc_reserve(&source.m, w);
    composite_method_run(&p->of, &s, w, x);
    return OK;
}

const struct algo algo_composite_agd = {
    .name = "composite-agd",
    .doc = "accelerated descent on a smooth part, with bias-reduced answers for the rest",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 5 and Theorem 5",
    .calls = CALL_SAMPLES | CALL_SMOOTH,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = COMPOSITE_READS,
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
    .mechanisms = mechanisms,
};
