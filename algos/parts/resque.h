/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque.h - ReSQue: stochastic gradients of F_rho(x) = E F(x + rho z), z ~ N(0, I), at any x from queries around a
 * centre xbar, which do not depend on x (Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, Definitions 1
 * and 2):
 *
 *     g_i = stochastic subgradient of F at xbar + rho z_i,  i = 1 ... m, in one round
 *     u = (x - xbar)/rho,  w_i = gamma(u - z_i)/gamma(z_i) = exp( <u, z_i> - |u|^2/2 ), gamma the density of z
 *     estimate of grad F_rho(x): w_i g_i, or its mean over some i
 *
 * E w_i g_i = grad F_rho(x) for any x (Lemma 1), E w = 1, E w^p = exp((p^2 - p)|u|^2/2); with
 * E|g|^2 <= L^2 everywhere E|w g|^2 <= exp(|u|^2) L^2 <= 3 L^2 where |u| <= 1. F convex and
 * L-Lipschitz: F <= F_rho <= F + L rho sqrt(d), and F_rho is L/rho-smooth.
 *
 * log w is computed without |z|^2, so that it has the digits of <u, z>. The m queries are called the pool. Their
 * z_i are not stored; each is drawn again when it is used, from substream i of the key of the pool. */
#ifndef ASSAY_PARTS_RESQUE_H
#define ASSAY_PARTS_RESQUE_H

#include "algo.h"
#include "linear.h"
#include "vmath.h"

/* Which weights w_i are used. RESQUE_CLAMPED limits them to 1, and RESQUE_NONE sets all to 1; both are wrong on
 * purpose, for controls. */
enum resque_weights { RESQUE_EXACT, RESQUE_CLAMPED, RESQUE_NONE };

struct resque {
    struct oracle *o;
    double rho;
    enum resque_weights kind;
    struct rng base;                 /* pool k has the key rng_sub(base, k) */
    uint64_t pools;                  /* pools drawn so far */
    struct rng key;                  /* the key of the pool in use */
    struct cloud cloud;
    struct round round;
    double *xbar, *u, *work;         /* xbar, u: [d] */
    double half,                     /* |u|^2/2 */
           even;                     /* the weight of each query in the mean of resque_grad: 1/count */
    double log_w_max;                /* the largest log w so far */
    double weights, sum_w, sum_w2;   /* number of the weights w so far, their sum and the sum of their squares */
};

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void resque_reserve(struct resque *s, struct arena *w)
{
    long d = oracle_dim(s->o);
    s->xbar = arena_vec(w, d);
    s->u = arena_vec(w, d);
    s->work = arena_vec(w, cloud_work(d));
    s->log_w_max = -INFINITY;
}

/* Returns the weight of the query z at u less its weight w at v, without cancellation if u and v are close. */
static inline double resque_difference(long d, const double *u, const double *v, const double *z,
                                       double w)
{
    double e = 0;
    for (long j = 0; j < d; j++)
        e += (u[j] - v[j]) * (z[j] - (u[j] + v[j]) / 2);
    return w * expm1(e);
}

static inline void resque_rows(const void *ctx, long first, long m, double *z)
{
    const struct resque *s = ctx;
    rng_normals_rows(&s->key, (uint64_t)first, m, oracle_dim(s->o), 1, z);
}

/* w[m] <- <u, z_k> for the rows z[m*d]. */
static inline void resque_scores(const struct resque *s, long m, const double *z, double *w)
{
    struct linear_rows A;
    A.m = m;
    A.d = oracle_dim(s->o);
    A.ones = A.sparse = false;
    for (long k = 0; k < m; k++)
        A.at[k] = z + k * A.d;
    linear_scores(&A, s->u, w);
}

/* w[m] <- the weights, divided by the number of queries in the mean; w[m] holds the scores <u, z_k> on entry. ctx
 * is a struct resque. */
static inline void resque_weigh(void *ctx, long m, double *w)
{
    struct resque *s = ctx;
    for (long k = 0; k < m; k++) {
        w[k] = s->kind == RESQUE_NONE ? 0 : w[k] - s->half;
        w[k] = s->kind == RESQUE_CLAMPED ? fmin(w[k], 0) : w[k];
        s->log_w_max = fmax(s->log_w_max, w[k]);
    }
    vmath_exp(m, w, w);
    for (long k = 0; k < m; k++) {
        s->sum_w += w[k];
        s->sum_w2 += w[k] * w[k];
        w[k] *= s->even;
    }
    s->weights += (double)m;
}

/* Makes m queries around xbar[d] in one round: the new pool. Returns false if the budget is spent; the former pool
 * is then lost too. */
static inline bool resque_ask(struct resque *s, const double *xbar, long m)
{
    vec_copy(oracle_dim(s->o), xbar, s->xbar);
    s->key = rng_sub(&s->base, s->pools++);
    s->cloud = (struct cloud){ .rows = resque_rows, .ctx = s, .centre = s->xbar, .scale = s->rho };
    return oracle_cloud(s->o, m, &s->cloud, &s->round);
}

/* g[d] <- the mean of the estimates at x[d] from queries first, ..., first+count-1 of the pool. */
static inline void resque_grad(struct resque *s, const double *x, long first, long count, double *g)
{
    long d = oracle_dim(s->o);
    for (long j = 0; j < d; j++)
        s->u[j] = (x[j] - s->xbar[j]) * (1 / s->rho);
    s->half = vec_dot(d, s->u, s->u) / 2;
    s->even = 1 / (double)count;
    vec_zero(d, g);
    cloud_add(s->o, &s->round, first, count, s->u, resque_weigh, s, s->work, g);
}

/* Returns the effective sample size divided by the number of weights so far, which is about exp(-|u|^2). */
static inline double resque_ess(const struct resque *s)
{
    return s->sum_w * s->sum_w / (s->sum_w2 * s->weights);
}

#endif
