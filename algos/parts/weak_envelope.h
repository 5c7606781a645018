/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weak_envelope.h - the gradient of the Moreau envelope of a weakly convex function f, by bias-reduced draws
 * (parts/mlmc.h). Asi, Carmon, Jambulapati, Jin, Sidford 2021 remark that this is possible (Section 1.5); the
 * derivation below is not in the paper.
 *
 * Assume that f + (rho/2)|x|^2 is convex, E g(x) is a subgradient of f, E|g|^2 <= G^2, and lam > rho. The minimiser
 * P(y) of f(x) + (lam/2)|x - y|^2 in x is unique and within 2G/lam of y. Over the ball B of this radius around y
 *
 *     f(x) + (lam/2)|x - y|^2 = (f(x) + (rho/2)|x - y|^2) + ((lam - rho)/2)|x - y|^2
 *
 * is the sum of a convex function with gradients g(x) + rho (x - y), whose mean square is at most (G + 2 rho
 * G/lam)^2, and of psi = ((lam - rho)/2)|x - y|^2, which is (lam - rho)-strongly convex. OptEst with bias delta/lam
 * and squared error (sigma/lam)^2 gives xhat, and
 *
 *     ghat = lam (y - xhat),
 *     |E ghat - grad f_lam(y)| <= delta,  E|ghat - grad f_lam(y)|^2 <= sigma^2 */
#ifndef ASSAY_PARTS_WEAK_ENVELOPE_H
#define ASSAY_PARTS_WEAK_ENVELOPE_H

#include "mlmc.h"

/* The sizes of OptEst: the constant G of the convex part, the curvature mu = lam - rho, the budget T_max and the
 * number N of draws. */
struct weak_size { double G, mu, T_max, N; };

static inline struct weak_size weak_envelope_size(double G, double rho, double lam, double c,
                                                  double delta, double sigma)
{
    struct weak_size s = { .G = G + 2 * rho * G / lam, .mu = lam - rho };
    double unit = s.mu / lam, sigma2 = unit * unit * sigma * sigma;
    s.T_max = opt_est_T_max(c, s.G, unit * delta, sigma2);
    s.N = opt_est_N(c, s.G, sigma2, s.T_max);
    return s;
}

struct weak_envelope {
    struct mlmc m;                   /* the caller sets run.o, run.mu = lam - rho, run.rho = rho and jmax */
    double lam,
           radius;                   /* radius of B */
    const double *y;                 /* [d] the centre of B */
};

/* h[d] <- g(x), to which the steps add rho (x - y). ctx is a struct weak_envelope. */
static inline bool weak_envelope_sample(void *ctx, const double *x, double *h)
{
    return oracle_sgrad(((struct weak_envelope *)ctx)->m.run.o, 1, x, h);
}

static inline void weak_envelope_project(void *ctx, double *x)
{
    const struct weak_envelope *s = ctx;
    vec_project_ball(oracle_dim(s->m.run.o), s->y, s->radius, x);
}

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void weak_envelope_reserve(struct weak_envelope *s, struct arena *w)
{
    s->m.run.grad = weak_envelope_sample;
    s->m.run.project = weak_envelope_project;
    s->m.run.ctx = s;
    mlmc_reserve(&s->m, w);
}

/* g[d] <- ghat at y, from N draws. Returns false, and leaves g untouched, if the budget is spent. */
static inline bool weak_envelope_grad(struct weak_envelope *s, const double *y, double N,
                                      struct rng *rng, double *g)
{
    s->y = s->m.run.z = y;
    if (!opt_est(&s->m, N, rng, g))
        return false;
    vec_lincomb(oracle_dim(s->m.run.o), s->lam, y, -s->lam, g, g);
    return true;
}

#endif
