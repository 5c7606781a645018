/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composite_agd.h - accelerated descent for Psi = Lambda + f over X, where gradients of the L-smooth Lambda are
 * expensive and stochastic subgradients of f are cheap (Asi, Carmon, Jambulapati, Jin, Sidford 2021, Algorithm 5
 * and Proposition 5), X the feasible set, v_0 = x_0 in X, |x_0 - x*| <= R, k = 1, ..., N:
 *
 *     beta_k = 2L/k,  gamma_k = 2/(k+1),  Gamma_k = 2/(k(k+1)),  beta_k gamma_k/Gamma_k = 2L
 *     c = P_X(v_(k-1)),  y = (1 - gamma_k) x_(k-1) + gamma_k c,  g = grad Lambda(y)
 *     Phi_k(w) = f(w) + (beta_k/2)|w - (c - g/beta_k)|^2
 *     vbar with E Phi_k(vbar) <= min Phi_k + eps_k,   eps_k = L R^2/(2kN)
 *     v_k with |E v_k - v*| <= delta_k = R/(16N),  E|v_k - v*|^2 <= sigma_k^2 = R^2/(4N)
 *     x_k = (1 - gamma_k) x_(k-1) + gamma_k vbar
 *     E Psi(x_N) - Psi* <= 4 L R^2/(N(N+1)); if vbar and v_k are exact, 2 L R^2/(N(N+1))
 *
 * Here v* = argmin Phi_k over X. Theorem 5 prints eps_k = L R/(2kN), which has another unit. In the centre of Phi_k
 * the paper prints v_(k-1) in place of c; v_(k-1) may be far outside of X, and the proof needs its projection c.
 * With printed_centre the printed one is used. */
#ifndef ASSAY_PARTS_COMPOSITE_AGD_H
#define ASSAY_PARTS_COMPOSITE_AGD_H

#include "algo.h"

struct composite_agd {
    struct oracle *o;
    /* vbar[d], v[d] <- vbar and v_k of round k, where Phi_k(w) = f(w) + (beta/2)|w - z|^2. Returns false if the
     * budget is spent. */
    bool (*solve)(void *ctx, double k, double beta, const double *z, double *vbar, double *v);
    void *ctx;
    double L;
    bool printed_centre;
    double *x,                       /* [d] the start, then the answer */
           *v, *y, *g, *z, *vbar;    /* [d] as in the head; z: the centre of Phi_k */
};

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void composite_agd_reserve(struct composite_agd *s, struct arena *w)
{
    long d = oracle_dim(s->o);
    s->x = arena_vec(w, d);
    s->v = arena_vec(w, d);
    s->y = arena_vec(w, d);
    s->g = arena_vec(w, d);
    s->z = arena_vec(w, d);
    s->vbar = arena_vec(w, d);
}

/* Sets v_0 = x_0. Call it before round 1. */
static inline void composite_agd_begin(struct composite_agd *s)
{
    vec_copy(oracle_dim(s->o), s->x, s->v);
}

/* Makes round k. Returns false, and leaves x untouched, if the budget is spent. */
static inline bool composite_agd_round(struct composite_agd *s, double k)
{
    long d = oracle_dim(s->o);
    double beta_k = 2 * s->L / k, gamma_k = 2 / (k + 1);

    vec_copy(d, s->v, s->z);
    oracle_project(s->o, 0, s->z);
    vec_lincomb(d, 1 - gamma_k, s->x, gamma_k, s->z, s->y);
    if (!oracle_smooth_grad(s->o, s->y, s->g))
        return false;
    if (s->printed_centre)
        vec_copy(d, s->v, s->z);
    vec_axpy(d, -1 / beta_k, s->g, s->z);
    if (!s->solve(s->ctx, k, beta_k, s->z, s->vbar, s->v))
        return false;
    vec_axpby(d, gamma_k, s->vbar, 1 - gamma_k, s->x);
    oracle_depth(s->o, 3);
    return true;
}

#endif
