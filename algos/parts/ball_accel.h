/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ball_accel.h - ball acceleration by three oracles (Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023,
 * Proposition 1, after Algorithm 4 of Asi, Carmon, Jambulapati, Jin, Sidford 2021). It is the method of
 * proximal_agd.h, where x, y, v, x' and A are defined, from A_0 = 0, with v projected on the ball of radius R
 * around x_0. In what follows eps and phi are accuracies, c_lam and c_A constants, and x* = x*(y, lam) is the
 * minimiser of F + (lam/2)|. - y|^2 within r of y. A round chooses lam, then computes x' and g; rounds are made
 * until A >= c_A R^2/eps:
 *
 *     lam: by lambda_bisection.h, from lam_min on, with a line search oracle, whose answer x has |x - x*| <= r/17
 *     x': ball oracle,  E F(x') + (lam/2)|x' - y|^2 <= min + phi
 *     g = lam (y - z), z: stochastic proximal oracle, |E z - x*| and E|z - x*|^2 small
 *     K = (R/r)^(2/3),  lam_max = 2L/r,  lam_min = c_lam eps K^2/R^2
 *
 * If F is convex and L-Lipschitz and has a minimiser within R of x_0, E F - F* <= eps after O(K log(L R/eps))
 * rounds; with lam = lam_min in every round there are 2 K sqrt(c_A c_lam). The paper prints a constant times L/eps
 * for lam_max, which has another unit; at 2L/r a proximal step moves by at most r/2. In theory c_lam = log^2(L
 * R/eps); then lam_min > L/r unless eps is tiny, so that proximal steps, of length at most L/lam, are shorter than
 * r and no ball binds.
 *
 * With `reuse`, x' and z are the last point that the line search found, which costs no further round and is not
 * covered by the theorem. With `least`, lam = lam_min in every round, even if a proximal step is longer than r. */
#ifndef ASSAY_PARTS_BALL_ACCEL_H
#define ASSAY_PARTS_BALL_ACCEL_H

#include "lambda_bisection.h"
#include "proximal_agd.h"

struct ball_accel {
    struct proximal_agd s;
    /* The line search oracle, the ball oracle and the stochastic proximal oracle of the head: x[d] or z[d] <- the
     * answer about y[d]. They return false if the budget is spent. */
    bool (*search)(void *ctx, double lam, const double *y, double *x);
    bool (*optimise)(void *ctx, double lam, const double *y, double *x);
    bool (*prox)(void *ctx, double lam, const double *y, double *z);
    void *ctx;
    double R, r, L, lam_min;
    int most;                        /* the largest number of halvings in a bisection of lam */
    bool reuse, least;
    double probes,                   /* number of line searches */
           binding,                  /* number of rounds with lam above lam_min */
           rounds;                   /* number of rounds */
    double probed;                   /* lam of the last line search */
    double *start, *y,               /* [d] x_0 and y of the head */
           *found;                   /* [d] what the last line search found */
};

static inline bool ball_accel_probe(struct ball_accel *b, double lam)
{
    proximal_agd_point(&b->s, lam, b->y);
    b->probes++;
    b->probed = lam;
    return b->search(b->ctx, lam, b->y, b->found);
}

static inline bool ball_accel_move(void *ctx, double lam, double *Delta)
{
    struct ball_accel *b = ctx;
    if (!ball_accel_probe(b, lam))
        return false;
    *Delta = vec_dist(oracle_dim(b->s.o), b->found, b->y);
    return true;
}

static inline bool ball_accel_next(void *ctx, const struct proximal_agd *s, double *lam)
{
    struct ball_accel *b = ctx;
    double high = 2 * b->L / b->r;
    const struct lambda_bisection q = { .move = ball_accel_move,
                                        .ctx = b,
                                        .r = b->r,
                                        .G = b->L,
                                        .R = b->R,
                                        .lam_min = fmin(b->lam_min, high),
                                        .lam_max = high };
    *lam = q.lam_min;
    if (b->least)
        return !b->reuse || ball_accel_probe(b, *lam);
    if (!lambda_from_least(&q, b->most, lam))
        return false;
    b->binding += *lam > q.lam_min;
    return !b->reuse || b->probed == *lam || ball_accel_probe(b, *lam);
}

static inline bool ball_accel_solve(void *ctx, double lam, double a, const double *y, double *x,
                                    double *g)
{
    struct ball_accel *b = ctx;
    struct oracle *o = b->s.o;
    long d = oracle_dim(o);
    bool whole = true;

    if (b->reuse) {
        vec_copy(d, b->found, x);
    } else {
        oracle_fork(o);
        oracle_branch(o);
        whole = b->optimise(b->ctx, lam, y, b->found);
        oracle_branch(o);
        whole = whole && b->prox(b->ctx, lam, y, g);
        oracle_join(o);
        if (whole)
            vec_copy(d, b->found, x);
    }
    if (whole)
        vec_lincomb(d, lam, y, -lam, b->reuse ? b->found : g, g);
    return whole;
}

static inline void ball_accel_project(void *ctx, double *v)
{
    struct ball_accel *b = ctx;
    vec_project_ball(oracle_dim(b->s.o), b->start, b->R, v);
}

/* Mechanisms of ball acceleration, for methods with the parameters penalty and c_lam and the note binding. With
 * c_lam = 10^6, lam is cut at lam_max, where a proximal step is at most half as long as the radius of its ball. */
#define BALL_ACCEL_MECHANISMS                                                                    \
    { "ball", "lets steps be as long as the radius of their balls; without it no ball binds",     \
      MECHANISM_HELPS, { { "algo.c_lam", 1e6 } }, .note = "binding" },                            \
    { "bisection", "searches the penalty at which a step just fits its ball; without it the least", \
      MECHANISM_HELPS, { { "algo.penalty", .text = "least" } }, .note = "binding" }

/* Takes the memory of *b from w. Call it before arena_seal. */
static inline void ball_accel_reserve(struct ball_accel *b, struct oracle *o, struct arena *w)
{
    long d = oracle_dim(o);
    b->s = (struct proximal_agd){ .o = o, .next = ball_accel_next, .solve = ball_accel_solve,
                                  .project = ball_accel_project, .ctx = b };
    proximal_agd_reserve(&b->s, w);
    b->start = arena_vec(w, d);
    b->y = arena_vec(w, d);
    b->found = arena_vec(w, d);
}

/* Begins ball acceleration at x[d], which becomes x_0. */
static inline void ball_accel_begin(struct ball_accel *b, const double *x)
{
    long d = oracle_dim(b->s.o);
    vec_copy(d, x, b->start);
    vec_copy(d, x, b->s.x);
    proximal_agd_begin(&b->s);
}

/* Makes one round. Returns false if the budget is spent. */
static inline bool ball_accel_round(struct ball_accel *b)
{
    bool whole = proximal_agd_round(&b->s);
    b->rounds += whole;
    return whole;
}

#endif
