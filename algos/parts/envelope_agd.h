/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelope_agd.h - accelerated gradient descent on the Moreau envelope f_lam(y) = min f + (lam/2)|. - y|^2 over a
 * cheap ball, with projections on an expensive set X inside it (Asi, Carmon, Jambulapati, Jin, Sidford 2021,
 * Algorithm 3), v_0 = x_0 in X, k = 1, 2, ..., in three variants:
 *
 *     y = ((k-1)/(k+1)) x + (2/(k+1)) v,   g an estimate of grad f_lam(y)
 *     once:     v <- P_X(v - (k/(6 lam)) g),   x <- ((k-1)/(k+1)) x + (2/(k+1)) v
 *     twice:    x <- P_X(y - g/(3 lam)),   v <- P_X(v - (k/(6 lam)) g)
 *     printed:  x <- P_X(y - g/(3 lam)),   v <- P_ball(v - (k/(6 lam)) g)
 *
 * The proof needs v in X. With the printed step v may leave X, and the excess need not fall below a constant times
 * G D, where E|g|^2 <= G^2 for the subgradients g of f and |x_0 - x*| <= D. The steps `once` and `twice` satisfy,
 * for u in X and exact gradients,
 *     P_k = k(k+1)(f_lam(x_k) - f_lam(u)) + 6 lam |v_k - u|^2 <= P_(k-1)                (Lemma 4)
 * and E P_k <= P_(k-1) + eps k, eps the accuracy and R the radius of the ball, if the bias of the estimate g is at
 * most eps/(8R) and its squared error at most 2 eps lam/(k+1). */
#ifndef ASSAY_PARTS_ENVELOPE_AGD_H
#define ASSAY_PARTS_ENVELOPE_AGD_H

#include "algo.h"

enum envelope_projections { PROJECT_ONCE, PROJECT_TWICE, PROJECT_PRINTED };

struct envelope_agd {
    struct oracle *o;
    /* g[d] <- an estimate of grad f_lam at y[d], in round k. Returns false if the budget is spent. */
    bool (*grad)(void *ctx, double k, const double *y, double *g);
    void *ctx;
    enum envelope_projections mode;
    double lam, R;                   /* R: radius of the ball; infinite: there is no ball */
    double *x,                       /* [d] the start, then the answer */
           *v, *y, *g;               /* [d] as in the head */
};

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void envelope_agd_reserve(struct envelope_agd *s, struct arena *w)
{
    long d = oracle_dim(s->o);
    s->x = arena_vec(w, d);
    s->v = arena_vec(w, d);
    s->y = arena_vec(w, d);
    s->g = arena_vec(w, d);
}

/* Sets v_0 = x_0. Call it before round 1. */
static inline void envelope_agd_begin(struct envelope_agd *s)
{
    vec_copy(oracle_dim(s->o), s->x, s->v);
}

static inline bool envelope_agd_round(struct envelope_agd *s, double k)
{
    long d = oracle_dim(s->o);
    double old = (k - 1) / (k + 1), new = 2 / (k + 1);

    vec_lincomb(d, old, s->x, new, s->v, s->y);
    if (!s->grad(s->ctx, k, s->y, s->g))
        return false;
    if (s->mode != PROJECT_ONCE) {
        vec_lincomb(d, 1, s->y, -1 / (3 * s->lam), s->g, s->x);
        oracle_project(s->o, 0, s->x);
    }
    vec_axpy(d, -k / (6 * s->lam), s->g, s->v);
    if (s->mode != PROJECT_PRINTED)
        oracle_project(s->o, 0, s->v);
    else if (s->R < INFINITY)
        vec_project_ball(d, NULL, s->R, s->v);
    if (s->mode == PROJECT_ONCE)
        vec_axpby(d, new, s->v, old, s->x);
    oracle_depth(s->o, 3);
    return true;
}

#endif
