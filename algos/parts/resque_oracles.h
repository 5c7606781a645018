/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_oracles.h - line search and stochastic proximal oracle made of Algorithm 5 (resque_erm.h; Carmon,
 * Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, Algorithms 6 and 7). x* minimises F of resque_erm.h within r of
 * xbar, and A(beta, T) is the answer of Algorithm 5.
 *
 * Algorithm 6, with a constant C, T <= n/(2 C), jmax = floor(log2(floor(n/C)/T)): the mean of jmax independent
 * draws
 *
 *     P(J = j) = 2^-j;  x = x_0 + 2^J (x_J - x_(J-1)) if J <= jmax, else x_0,   x_j = A(2^(-j/2) beta, 2^j T)
 *     E x = E x_jmax;  T jmax (1 + 1.5 jmax) gradients in expectation
 *     |E x - x*| <= order (L/lam) ( sqrt(d)/(beta sqrt(n T)) + 1/sqrt(n) ),
 *     E|x - x*|^2 <= order (L/lam)^2 ( d/(beta T)^2 + 1/T )      (Proposition 9)
 *
 * The paper prints sqrt(d)/(beta n) in the bias. But level jmax runs with 2^(-jmax/2) beta, for which Proposition 8
 * gives the bound above.
 *
 * Algorithm 7: M = ceil(20 log(1/zeta)) answers A(beta, T), combined by aggregate.h. With probability 1 - zeta
 *
 *     |x - x*| <= order (L/lam) ( sqrt(d)/(beta T) + 1/sqrt(T) )      (Proposition 10) */
#ifndef ASSAY_PARTS_RESQUE_ORACLES_H
#define ASSAY_PARTS_RESQUE_ORACLES_H

#include "aggregate.h"
#include "resque_erm.h"

struct resque_oracles {
    struct resque_erm *erm;
    struct rng *rng;
    double beta;
    int jmax;
    long loops;                      /* number of draws of Algorithm 6, which the paper sets to jmax */
    long M;
    int J;                           /* the largest level J that the last call of resque_prox drew */
    /* Returns whether the call A(beta, T) is allowed. A NULL pointer allows all calls. */
    bool (*allow)(void *ctx, double beta, double T);
    void *ctx;
    double *points, *near;           /* [M][d] answers; [M] scratch */
    double *term, *fine, *coarse;    /* [d] a draw of Algorithm 6, its x_J and its x_(J-1), less xbar */
};

/* Returns the largest level jmax. It is 0 for T > floor(n/C)/2, for which Algorithm 6 is not defined. */
static inline int resque_levels(double n, double C, double T)
{
    double ratio = floor(n / C) / T;
    return ratio >= 1 ? (int)floor(log2(ratio)) : 0;
}

/* Takes the memory of *b from w. Call it before arena_seal. */
static inline void resque_oracles_reserve(struct resque_oracles *b, struct arena *w)
{
    long d = oracle_dim(b->erm->o);
    b->points = arena_vec(w, b->M * d);
    b->near = arena_vec(w, b->M);
    b->term = arena_vec(w, d);
    b->fine = arena_vec(w, d);
    b->coarse = arena_vec(w, d);
}

static inline bool resque_answer(struct resque_oracles *b, double beta, double T, double *v)
{
    if (b->allow && !b->allow(b->ctx, beta, T))
        return false;
    oracle_branch(b->erm->o);
    return resque_erm_strongly(b->erm, beta, T, v);
}

/* b->term <- the offset from xbar of the x of Algorithm 6 for one J. Returns false if the budget is spent or a call
 * of Algorithm 5 is not allowed. */
static inline bool resque_level(struct resque_oracles *b, int J, double T)
{
    long d = oracle_dim(b->erm->o);
    if (!resque_answer(b, b->beta, T, b->term))
        return false;
    if (J > b->jmax)
        return true;
    if (!resque_answer(b, b->beta * exp2(-0.5 * J), ldexp(T, J), b->fine) ||
        !resque_answer(b, b->beta * exp2(-0.5 * (J - 1)), ldexp(T, J - 1), b->coarse))
        return false;
    vec_axpy(d, -1, b->coarse, b->fine);
    vec_axpy(d, ldexp(1, J), b->fine, b->term);
    return true;
}

/* Algorithm 6: v[d] <- the offset of the answer from xbar, which may leave the ball. If J > 0, a single draw with
 * this J is made. Returns false if the budget is spent or a call of Algorithm 5 is not allowed. */
static inline bool resque_prox(struct resque_oracles *b, double T, int J, double *v)
{
    struct oracle *o = b->erm->o;
    long d = oracle_dim(o), loops = J > 0 ? 1 : b->loops;
    bool whole = true;

    vec_zero(d, v);
    b->J = 0;
    oracle_fork(o);
    for (long q = 0; q < loops && whole; q++) {
        int drawn = J > 0 ? J : rng_geometric(b->rng);
        b->J = drawn > b->J ? drawn : b->J;
        whole = resque_level(b, drawn, T);
        if (whole)
            vec_axpy(d, 1 / (double)loops, b->term, v);
    }
    oracle_join(o);
    return whole;
}

/* Algorithm 7: v[d] <- the offset of the answer from xbar. Returns false if the budget is spent or a call of
 * Algorithm 5 is not allowed. */
static inline bool resque_search(struct resque_oracles *b, double T, double *v)
{
    struct oracle *o = b->erm->o;
    long d = oracle_dim(o);
    bool whole = true;

    oracle_fork(o);
    for (long i = 0; i < b->M && whole; i++)
        whole = resque_answer(b, b->beta, T, b->points + i * d);
    oracle_join(o);
    if (whole)
        vec_copy(d, b->points + aggregate(b->M, d, b->points, b->near) * d, v);
    return whole;
}

#endif
