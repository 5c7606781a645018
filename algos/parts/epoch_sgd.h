/* SPDX-License-Identifier: GPL-3.0-or-later */
/* epoch_sgd.h - EpochSGD (Hazan, Kale 2014, in the proximal form of Asi, Carmon, Jambulapati, Jin,
 * Sidford 2021, Algorithm 8) for F = f + psi over a convex set X. Epoch k = 1, 2, ...:
 *
 *     eta_k = 1/(2^(k+1) mu),  T_k = 2^(k+3),  eta_k T_k = 4/mu
 *     x_k^1     = argmin over X of eta_k psi(w) + |w - x_k^0|^2/2
 *     x_k^(t+1) = argmin over X of eta_k (<g(x_k^t), w> + psi(w)) + |w - x_k^t|^2/2,  t < T_k
 *     x_(k+1)^0 = mean of x_k^1, ..., x_k^(T_k)
 *
 * f is convex, F mu-strongly convex, E g(x) a subgradient of f, E|g|^2 <= G^2, x_1^0 = argmin psi. With as
 * many whole epochs as the budget T has room for, T_1 + T_2 + ... <= T, for every T >= 1
 *     E F(x) - F* <= 16 G^2/(mu T),    E|x - x*|^2 <= 32 G^2/(mu^2 T)        (Proposition 3)
 * Here psi = (mu/2)|x - z|^2, where a linear term <l,x> would move z by -l/mu; or psi = 0, and f itself is
 * mu-strongly convex. */
#ifndef ASSAY_PARTS_EPOCH_SGD_H
#define ASSAY_PARTS_EPOCH_SGD_H

#include "algo.h"

struct epoch_sgd {
    struct oracle *o;
    /* h[d] <- a stochastic subgradient of f at x[d]. Returns false if the budget is spent. */
    bool (*grad)(void *ctx, const double *x, double *h);
    void (*project)(void *ctx, double *x);       /* projects on X; NULL: X is the feasible set */
    void *ctx;
    double mu, rho;                  /* g(x) = h + rho (x - z), where f alone is not convex; else rho = 0 */
    bool bare;                       /* true: psi = 0 */
    const double *z;                 /* [d] the start, and where psi is not 0 its centre; NULL: the origin */
    double *x,                       /* [d] x_k^0 */
           *w, *h, *sum;             /* [d] the iterate of an epoch, a gradient there, the sum of iterates */
};

/* h[d] <- one sample gradient of the objective at x. ctx is a struct oracle. */
static inline bool epoch_sgd_sample(void *ctx, const double *x, double *h)
{
    return oracle_sgrad(ctx, 1, x, h);
}

/* Returns how many whole epochs a budget of T >= 0 has room for: floor(log2(T/16 + 1)). */
static inline int epoch_sgd_epochs(double T)
{
    int e = 0;
    while (16 * (ldexp(1, e + 1) - 1) <= T)
        e++;
    return e;
}

/* Returns the number of gradients of the first e epochs; each epoch asks for T_k - 1. */
static inline double epoch_sgd_gradients(int e) { return 16 * (ldexp(1, e) - 1) - e; }

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void epoch_sgd_reserve(struct epoch_sgd *s, struct arena *w)
{
    long d = oracle_dim(s->o);
    s->x = arena_vec(w, d);
    s->w = arena_vec(w, d);
    s->h = arena_vec(w, d);
    s->sum = arena_vec(w, d);
}

static inline void epoch_sgd_project(struct epoch_sgd *s, double *x)
{
    if (s->project)
        s->project(s->ctx, x);
    else
        oracle_project(s->o, 0, x);
}

/* s->x <- x_1^0. */
static inline void epoch_sgd_begin(struct epoch_sgd *s)
{
    if (s->z)
        vec_copy(oracle_dim(s->o), s->z, s->x);
    else
        vec_zero(oracle_dim(s->o), s->x);
    epoch_sgd_project(s, s->x);
}

/* s->sum += w, then s->w <- argmin over w' in X of eta (<h + rho (w - z), w'> + psi(w')) + |w' - w|^2/2. The sum
 * and the step are computed in one pass, since several calls of vec.h would take longer than the arithmetic. */
static inline void epoch_sgd_move(struct epoch_sgd *s, const double *h, double eta, double rho)
{
    enum { FEW = 32 };
    long d = oracle_dim(s->o);
    double pull = s->bare ? 0 : s->mu * eta, keep = 1 / (1 + pull), stay = 1 - rho * eta, *w = s->w;
    pull += rho * eta;
    const double *z = pull > 0 ? s->z : NULL;
    if (d < FEW) {
        for (long j = 0; j < d; j++) {
            s->sum[j] += w[j];
            w[j] = keep * (stay * w[j] - eta * h[j] + (z ? pull * z[j] : 0));
        }
    } else {
        vec_step(d, &(struct vec_step){ keep, stay, -eta, pull * keep, 1, 1 }, h, z, w, s->sum);
    }
    epoch_sgd_project(s, w);
    oracle_depth(s->o, 1);
}

static inline void epoch_sgd_step(struct epoch_sgd *s, const double *h, double eta)
{
    epoch_sgd_move(s, h, eta, s->rho);
}

/* Runs epoch k: s->x holds x_k^0 on entry and x_(k+1)^0 on return. Returns false, and leaves x untouched, if the
 * budget is spent. */
static inline bool epoch_sgd_epoch(struct epoch_sgd *s, int k)
{
    long d = oracle_dim(s->o);
    double T_k = ldexp(1, k + 3), eta = 1 / (ldexp(1, k + 1) * s->mu);
    vec_copy(d, s->x, s->w);
    vec_zero(d, s->h);
    epoch_sgd_move(s, s->h, eta, 0);
    vec_zero(d, s->sum);
    for (double t = 1; t < T_k; t++) {
        if (!s->grad(s->ctx, s->w, s->h))
            return false;
        epoch_sgd_step(s, s->h, eta);
    }
    vec_axpy(d, 1, s->w, s->sum);
    vec_lincomb(d, 1 / T_k, s->sum, 0, s->sum, s->x);
    return true;
}

/* s->x <- x_(e+1)^0: runs e epochs from x_1^0. Returns false if the budget is spent. */
static inline bool epoch_sgd_run(struct epoch_sgd *s, int e)
{
    epoch_sgd_begin(s);
    for (int k = 1; k <= e; k++)
        if (!epoch_sgd_epoch(s, k))
            return false;
    return true;
}

#endif
