/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proximal_agd.h - accelerated proximal points whose answers may be stochastic (Asi, Carmon, Jambulapati, Jin,
 * Sidford 2021, Algorithm 4 and Proposition 2) for a convex f over X, v_0 = x_0, A_0 > 0:
 *
 *     lam chosen,  a = (1 + sqrt(1 + 4 lam A))/(2 lam),  A' = A + a = lam a^2
 *     y = (A/A') x + (a/A') v,  P = argmin over X of f(w) + (lam/2)|w - y|^2
 *     x' near P in value,   g an estimate of lam (y - P),   v' = P_X(v - (a/2) g)
 *
 * If x' and g are exact, then for x* in X and f* = f(x*) (Lemma 5)
 *     A'(f(x') - f*) + |v' - x*|^2 <= A (f(x) - f*) + |v - x*|^2 - (1/6) lam A' |P - y|^2
 * and sqrt(A') >= sqrt(A) + 1/(2 sqrt(lam)). The paper prints a = sqrt(1 + 4 lam A)/(2 lam), with which A' is not
 * lam a^2, and y is not the point for which lam was chosen. If rounds are made until A >= A_max, and lam >= 1/A_max
 * in each, A ends below (3 + sqrt 5)/2 A_max; the paper prints 2.2 A_max. */
#ifndef ASSAY_PARTS_PROXIMAL_AGD_H
#define ASSAY_PARTS_PROXIMAL_AGD_H

#include "algo.h"

struct proximal_agd {
    struct oracle *o;
    /* *lam <- the lam of the next round, given the state *s. Returns false if the budget is spent. */
    bool (*next)(void *ctx, const struct proximal_agd *s, double *lam);
    /* p[d] <- x', g[d] <- the estimate of lam (y - P), at y[d]. Returns false if the budget is spent. */
    bool (*solve)(void *ctx, double lam, double a, const double *y, double *p, double *g);
    void (*project)(void *ctx, double *v);       /* projects on X; NULL: X is the feasible set */
    void *ctx;
    double A;                        /* A_0 before the first round, then the A' of the last round */
    double lam, a;                   /* lam and a of the last round */
    double *x,                       /* [d] the start, then the answer */
           *v, *y, *g;               /* [d] as in the head */
};

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void proximal_agd_reserve(struct proximal_agd *s, struct arena *w)
{
    long d = oracle_dim(s->o);
    s->x = arena_vec(w, d);
    s->v = arena_vec(w, d);
    s->y = arena_vec(w, d);
    s->g = arena_vec(w, d);
}

/* Sets v_0 = x_0. Call it before the first round. */
static inline void proximal_agd_begin(struct proximal_agd *s)
{
    vec_copy(oracle_dim(s->o), s->x, s->v);
}

/* Returns the positive root a of A + a = lam a^2. */
static inline double proximal_agd_step(double lam, double A)
{
    return (1 + sqrt(1 + 4 * lam * A)) / (2 * lam);
}

/* y[d] <- the point y of the next round, if it has this lam. */
static inline void proximal_agd_point(const struct proximal_agd *s, double lam, double *y)
{
    double a = proximal_agd_step(lam, s->A), share = s->A / (s->A + a);
    vec_lincomb(oracle_dim(s->o), share, s->x, 1 - share, s->v, y);
}

static inline bool proximal_agd_round(struct proximal_agd *s)
{
    double lam;
    if (!s->next(s->ctx, s, &lam))
        return false;
    double a = proximal_agd_step(lam, s->A);
    proximal_agd_point(s, lam, s->y);
    if (!s->solve(s->ctx, lam, a, s->y, s->x, s->g))
        return false;
    vec_axpy(oracle_dim(s->o), -a / 2, s->g, s->v);
    if (s->project)
        s->project(s->ctx, s->v);
    else
        oracle_project(s->o, 0, s->v);
    oracle_depth(s->o, 2);
    s->lam = lam;
    s->a = a;
    s->A += a;
    return true;
}

#endif
