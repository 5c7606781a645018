/* SPDX-License-Identifier: GPL-3.0-or-later */
/* from_ball.h - line search and stochastic proximal oracles made of ball optimisation oracles (Carmon, Hinder 2022,
 * Proposition 1 and Algorithm 2; Proposition 2 of Carmon et al. 2023). O(lam, phi) is the answer of a ball oracle
 * for F + (lam/2)|. - y|^2 within r of y, whose value exceeds the least one by at most phi in expectation. x* is
 * the minimiser that it approximates. c_search, c_optimise and c_prox are constants:
 *
 *     ball oracle: O(lam, lam r^2/c_optimise)
 *     line search: M answers O(lam, lam r^2/c_search) in parallel, of which aggregate.h chooses one. It is within
 *         r/17 of x* if 0.51 M answers are within r/51 of x*. For c_search = 2*3*51^2 = 15606 each answer is, with
 *         probability at least 2/3
 *     proximal: phi = lam r^2/c_prox, P(J = j) = 2^-j, j = 1, 2, ..., and with independent answers
 *         z = x_0 + 2^J (x_J - x_(J-1)) if J <= jmax, else x_0,    x_j = O(lam, 2^-j phi)
 *         E z = E x_jmax, so |E z - x*| <= sqrt(2^(1-jmax) phi/lam);  if the cost of O is proportional to
 *         1/phi, the expected cost is 1 + 1.5 jmax times that of x_0 */
#ifndef ASSAY_PARTS_FROM_BALL_H
#define ASSAY_PARTS_FROM_BALL_H

#include "aggregate.h"
#include "algo.h"

struct from_ball {
    struct oracle *o;
    struct rng *rng;
    /* x[d] <- O(lam, phi) around y[d]. Returns false if the budget is spent. */
    bool (*solve)(void *ctx, double lam, double phi, const double *y, double *x);
    void *ctx;
    double r;
    long M;
    double c_search, c_optimise, c_prox;
    int jmax;
    int J;                           /* the level J that the last call of the proximal oracle drew */
    double *points, *near;           /* [M][d] the answers of a line search; [M] scratch of aggregate */
    double *fine, *coarse;           /* [d] x_J and x_(J-1) of the proximal oracle */
};

/* Takes the memory of *b from w. Call it before arena_seal. */
static inline void from_ball_reserve(struct from_ball *b, struct arena *w)
{
    long d = oracle_dim(b->o);
    b->points = arena_vec(w, b->M * d);
    b->near = arena_vec(w, b->M);
    b->fine = arena_vec(w, d);
    b->coarse = arena_vec(w, d);
}

static inline bool from_ball_at(struct from_ball *b, double lam, double share, const double *y,
                                double *x)
{
    oracle_branch(b->o);
    return b->solve(b->ctx, lam, lam * b->r * b->r * share, y, x);
}

/* The line search oracle: x[d] <- a point near the minimiser x* of the head. ctx is a struct from_ball. Returns
 * false if the budget is spent. */
static inline bool from_ball_search(void *ctx, double lam, const double *y, double *x)
{
    struct from_ball *b = ctx;
    long d = oracle_dim(b->o);
    bool whole = true;
    oracle_fork(b->o);
    for (long i = 0; i < b->M && whole; i++)
        whole = from_ball_at(b, lam, 1 / b->c_search, y, b->points + i * d);
    oracle_join(b->o);
    if (whole)
        vec_copy(d, b->points + aggregate(b->M, d, b->points, b->near) * d, x);
    return whole;
}

static inline bool from_ball_optimise(void *ctx, double lam, const double *y, double *x)
{
    struct from_ball *b = ctx;
    return b->solve(b->ctx, lam, lam * b->r * b->r / b->c_optimise, y, x);
}

/* The proximal oracle: z[d] <- a nearly unbiased estimate of the minimiser, which may be outside of the ball. ctx
 * is a struct from_ball. Returns false if the budget is spent. */
static inline bool from_ball_prox(void *ctx, double lam, const double *y, double *z)
{
    struct from_ball *b = ctx;
    long d = oracle_dim(b->o);
    double share = 1 / b->c_prox;
    b->J = rng_geometric(b->rng);
    bool levels = b->J <= b->jmax;
    oracle_fork(b->o);
    bool whole = from_ball_at(b, lam, share, y, z) &&
                 (!levels || (from_ball_at(b, lam, ldexp(share, -b->J), y, b->fine) &&
                              from_ball_at(b, lam, ldexp(share, 1 - b->J), y, b->coarse)));
    oracle_join(b->o);
    if (whole && levels) {
        vec_axpy(d, -1, b->coarse, b->fine);
        vec_axpy(d, ldexp(1, b->J), b->fine, z);
    }
    return whole;
}

#endif
