/* SPDX-License-Identifier: GPL-3.0-or-later */
/* o2nc.h - online-to-nonconvex conversion (Cutkosky, Mehta & Orabona 2023; Zhang, Tran & Cutkosky 2024, Algorithm
 * 3) with projected subgradient descent as the learner. An epoch has T steps. In epoch k, from Delta = 0 on, where
 * g~ is the estimate of the gradient from the step before:
 *
 *     t >= 2:  Delta <- P_D( Delta - eta g~ ),  P_D(y) = y min(1, D/|y|)
 *     s uniform on [0,1],  w_t = x + s Delta,  x <- x + Delta,  g~ <- an estimate of grad F(w_t)
 *     wbar_k = (1/T) sum_t w_t;      answer: one of wbar_1 ... wbar_K, uniformly
 *
 * With D = delta/T all w_t are within delta of wbar_k, so that |mean of grad F(w_t)| is at least the Goldstein norm
 * of F at wbar_k for the radius delta. eta is D/(G sqrt T) with G^2 >= E|g~|^2, with which the learner's regret is
 * at most G D sqrt T; or it is adaptive, sqrt 2 D/sqrt(sum |g~|^2). */
#ifndef ASSAY_PARTS_O2NC_H
#define ASSAY_PARTS_O2NC_H

#include "algo.h"

struct o2nc {
    long d,
         t,                          /* steps of the epoch so far */
         k;                          /* epochs that have ended */
    double D,
           eta,                      /* NaN: adaptive */
           square;                   /* sum of |g~|^2 in the epoch */
    double *x,                       /* [d] x_t */
           *step,                    /* [d] Delta */
           *w,                       /* [d] w_t */
           *sum,                     /* [d] sum of the w_t of the epoch */
           *answer;                  /* [d] the answer so far */
    struct rng pick;                 /* its numbers choose the answer among the epochs */
};

/* Returns a learner in R^d with its memory from a; an eta of NaN is adaptive. Call this before arena_seal. */
static inline struct o2nc o2nc_new(struct arena *a, long d, double D, double eta,
                                   const struct rng *rng)
{
    return (struct o2nc){ .d = d, .D = D, .eta = eta, .x = arena_vec(a, d), .step = arena_vec(a, d),
                          .w = arena_vec(a, d), .sum = arena_vec(a, d), .answer = arena_vec(a, d),
                          .pick = rng_sub(rng, 1) };
}

static inline void o2nc_start(struct o2nc *c, const double *x)
{
    vec_copy(c->d, x, c->x);
    vec_copy(c->d, x, c->answer);
    vec_zero(c->d, c->step);
}

/* Begins an epoch. Delta, the step of the learner, restarts from 0 unless goes_on is true. */
static inline void o2nc_epoch(struct o2nc *c, bool goes_on)
{
    c->t = 0;
    c->square = 0;
    vec_zero(c->d, c->sum);
    if (!goes_on)
        vec_zero(c->d, c->step);
}

/* Makes a step of the epoch. g[d] is the estimate at c->w; NULL in the first step of an epoch for which Delta
 * restarted from 0. c->w <- the point of the next estimate. Returns true if Delta was projected on the ball of
 * radius D. */
static inline bool o2nc_next(struct o2nc *c, struct rng *rng, const double *g)
{
    bool edge = false;
    if (g) {
        c->square += vec_dot(c->d, g, g);
        double eta = !isnan(c->eta) ? c->eta : c->square > 0 ? c->D * sqrt(2 / c->square) : 0;
        vec_axpy(c->d, -eta, g, c->step);
        edge = vec_project_ball(c->d, NULL, c->D, c->step);
    }
    vec_lincomb(c->d, 1, c->x, rng_uniform(rng), c->step, c->w);
    vec_axpy(c->d, 1, c->step, c->x);
    vec_axpy(c->d, 1, c->w, c->sum);
    c->t++;
    return edge;
}

/* Ends an epoch: wbar becomes the answer with probability 1/k, so that the answer is uniform over the epochs
 * so far. */
static inline void o2nc_close(struct o2nc *c, struct oracle *o)
{
    c->k++;
    if (rng_uniform(&c->pick) * (double)c->k < 1)
        vec_lincomb(c->d, 1 / (double)c->t, c->sum, 0, c->sum, c->answer);
    oracle_close(o);
    oracle_mark(o, c->answer);
}

/* g[d] <- an estimate of grad F(w). Returns false if the budget is spent. */
typedef bool (*o2nc_gradient)(struct oracle *o, void *ctx, const double *w, double *g);

/* Runs K epochs of T steps, one estimate a step, or fewer if the budget is spent. If goes_on, Delta is kept from
 * epoch to epoch. g[d] is scratch. */
static inline void o2nc_epochs(struct oracle *o, struct o2nc *c, struct rng *rng, long K, long T,
                               bool goes_on, o2nc_gradient gradient, void *ctx, double *g)
{
    for (long k = 0; k < K; k++) {
        o2nc_epoch(c, goes_on);
        for (long t = 0; t < T; t++) {
            o2nc_next(c, rng, t > 0 || (k > 0 && goes_on) ? g : NULL);
            if (!gradient(o, ctx, c->w, g))
                return;
            oracle_visit(o, c->w);
            oracle_depth(o, 2);
        }
        o2nc_close(c, o);
    }
}

#endif
