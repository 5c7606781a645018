/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composite_agd.c - few gradients of the smooth part: accelerated descent with two stochastic answers
 * a round, one accurate in value, one with little bias (parts/composite_agd.h, parts/epoch_sgd.h,
 * parts/mlmc.h; Asi, Carmon, Jambulapati, Jin, Sidford 2021, Algorithm 5 and Theorem 5). f convex,
 * E|g|^2 <= G^2, the smooth part L-smooth, X within R of x_0:
 *
 *     N = ceil(2 sqrt(L R^2/eps)),  eps_k = L R^2/(2kN),  delta_k = R/(16N),  sigma_k^2 = R^2/(4N)
 *     vbar: EpochSGD, T = ceil(b G^2/(beta_k eps_k)), b = 16;   v: OptEst(delta_k, sigma_k^2)
 *     E Psi(x_N) - Psi* <= eps after N gradients of the smooth part and O((G R/eps)^2 log^2) of f
 *
 * The constant c of OptEst is 32 in theory, 1 in practice, where b is 1 too. */
#include <string.h>
#include "composite_agd.h"
#include "mlmc.h"

struct own {
    const char *centre;
    long N;
    double eps, c, b;
    double L, G, R;
};

static const struct param params[] = {
    PARAM_WORD(own, centre, "projected", "projected|printed", "of a round's quadratic"),
    PARAM(own, N, 0, 0, 0x1p40, "rounds", "0: ceil(2 sqrt(L R^2/eps))"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, c, NAN, 1e-6, 1e6, "1", "constant of the estimator; default 32 in theory, else 1"),
    PARAM(own, b, NAN, 1e-6, 1e6, "1", "budget of vbar; default 16 in theory, else 1"),
    PARAM(own, L, NAN, 1e-100, 1e100, "f/x^2", "smoothness; default the fact M_smooth"),
    PARAM(own, G, NAN, 1e-100, 1e100, "f/x", "bound on the gradients of f; default the fact"),
    PARAM(own, R, NAN, 1e-100, 1e100, "x", "X is within R of x_0; default the radius"),
    PARAM_END
};

/* In units of a gradient, beta_k delta_k and (beta_k sigma_k)^2. */
struct accuracy { double T, T_max, N_k; };

static struct accuracy accuracy_of(const struct own *p, double k)
{
    double N = (double)p->N, beta_k = 2 * p->L / k, eps_k = p->L * p->R * p->R / (2 * k * N);
    double delta = beta_k * p->R / (16 * N), sigma2 = beta_k * beta_k * p->R * p->R / (4 * N);
    double T_max = opt_est_T_max(p->c, p->G, delta, sigma2);
    return (struct accuracy){ .T = ceil(p->b * p->G * p->G / (beta_k * eps_k)), .T_max = T_max,
                              .N_k = opt_est_N(p->c, p->G, sigma2, T_max) };
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "composite-agd";
    struct own *p = vp;
    bool theory = goal->constants == CONSTANTS_THEORY;

    param_choose(&p->eps, goal->acc);
    param_choose(&p->c, theory ? 32 : 1);
    param_choose(&p->b, theory ? 16 : 1);
    param_choose(&p->L, f->M_smooth);
    param_choose(&p->G, f->G);
    param_choose(&p->R, f->radius);
    if (isnan(p->eps) && p->N == 0)
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->L > 0 && p->L < INFINITY))
        return why_set(why, REFUSED, "%s relies on a smooth part apart from the samples: M_smooth = %g",
                       who, p->L);
    if (!(p->G > 0 && p->G < INFINITY && p->R < INFINITY))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= G^2 over a bounded set: G = %g, radius = "
                       "%g", who, p->G, p->R);
    double N = fmax(1, ceil(2 * sqrt(p->L * p->R * p->R / p->eps)));
    if (p->N == 0 && !(N <= 0x1p40))
        return why_set(why, REFUSED, "%s: N = 2 sqrt(L R^2/eps) = %g: expected at most 2^40", who, N);
    param_choose_count(&p->N, (long)N);
    if (goal->T < 16 * (double)p->N)
        return why_set(why, REFUSED, "%s: an epoch is 15 batch steps, the smooth part one: goal T = %g, "
                       "expected at least %g", who, goal->T, 16 * (double)p->N);
    struct accuracy most = accuracy_of(p, (double)p->N);
    if (!(most.T_max <= 0x1p52 && most.T <= 0x1p52))
        return why_set(why, REFUSED, "%s: T_max = %g, T = %g: expected at most 2^52", who, most.T_max,
                       most.T);
    return OK;
}

/* Both budgets grow as k^2: of N rounds, N/3 times those of the last. */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    struct accuracy last = accuracy_of(p, (double)p->N);
    struct mlmc m = { .jmax = mlmc_levels(last.T_max) };
    return (double)p->N / 3 * (last.T + last.N_k * mlmc_expected_gradients(&m));
}

struct source {
    const struct own *p;
    struct mlmc m;
    struct rng *rng;
};

/* Asked in parallel: neither answer needs the other. */
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
    struct source source = { .p = p, .rng = rng };
    struct composite_agd s = { .o = o, .solve = solve, .ctx = &source, .L = p->L,
                               .printed_centre = strcmp(p->centre, "printed") == 0 };
    source.m.run = (struct epoch_sgd){ .o = o, .grad = epoch_sgd_sample, .ctx = o };
    mlmc_reserve(&source.m, w);
    composite_agd_reserve(&s, w);
    arena_seal(w);
    vec_copy(oracle_dim(o), x, s.x);
    composite_agd_begin(&s);
    for (long k = 1; k <= p->N && composite_agd_round(&s, (double)k); k++)
        oracle_mark(o, s.x);
    vec_copy(oracle_dim(o), s.x, x);
    return OK;
}

const struct algo algo_composite_agd = {
    .name = "composite-agd",
    .doc = "accelerated descent on a smooth part, with bias-reduced answers for the rest",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 5 and Theorem 5",
    .calls = CALL_SAMPLES | CALL_SMOOTH,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(M_smooth) | FACT_BIT(G) | FACT_BIT(radius),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};
