/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ac_sa.h - AC-SA, accelerated stochastic approximation (Lan 2012; Ghadimi and Lan 2012, Algorithm 1, and 2013, the
 * multi-stage scheme) for F convex and M-smooth over a convex set, lambda-strongly convex where lambda > 0. It
 * keeps three points: x, the mean ag, which is the answer, and md, where gradients are taken. One stage starts from
 * x = ag, t = 1 ... T:
 *
 *     alpha = 2/(t+1),  gamma_t = 4 gamma/(t(t+1)),  G = unbiased gradient of F at md
 *     md = ((1-alpha)(lambda + gamma_t) ag + alpha ((1-alpha) lambda + gamma_t) x)
 *          / (gamma_t + (1-alpha^2) lambda)
 *     x <- P( ((gamma_t + lambda (1-alpha)) x + lambda alpha md - alpha G)/(gamma_t + lambda) )
 *     ag <- (1-alpha) ag + alpha x
 *
 * P projects on the set, and gamma > 0 is constant. Let v^2 >= E|G - grad F|^2 and D >= |x_0 - x*| at the start.
 * Then
 *     lambda = 0, gamma >= 2M:  E F(ag) - F* <= 2 gamma D^2/(T(T+1)) + (2T+1) v^2/(6 gamma)
 *     lambda > 0, gamma = M:    E F(ag) - F* <= 2 M D^2/(T(T+1)) + 2 v^2/(lambda (T+1))
 * The second bound is Proposition 9 of 2012, which has 8 v^2 in place of 2 v^2 and thereby covers subgradients too.
 * The multi-stage scheme halves a bound V of the gap F - F*. As (lambda/2)|x_0 - x*|^2 <= V, a stage may take D^2 =
 * 2V/lambda. A stage with the recursion for lambda = 0, T >= max{ 4 sqrt(2M/lambda), 256 v^2/(3 lambda V) } and the
 * gamma of ac_sa_stage_gamma ends with an expected gap of at most V/2. */
#ifndef ASSAY_PARTS_AC_SA_H
#define ASSAY_PARTS_AC_SA_H

#include "algo.h"

struct ac_sa {
    struct oracle *o;
    /* g[d] <- an unbiased gradient of F at x[d]. Returns false if the budget is spent. */
    bool (*grad)(void *ctx, const double *x, double *g);
    void (*project)(void *ctx, double *x);       /* NULL: oracle_project on the feasible set */
    void *ctx;
    double lambda;
    bool mark;                       /* true: every ag is marked, which is allowed where iterates are public */
    double *x,
           *ag,                      /* [d] the start, then the answer */
           *md, *g;                  /* [d] md: where gradients are taken; g: the gradient there */
};

/* Takes the memory of *s from w. Call it before arena_seal. */
static inline void ac_sa_reserve(struct ac_sa *s, struct arena *w)
{
    long d = oracle_dim(s->o);
    s->x = arena_vec(w, d);
    s->ag = arena_vec(w, d);
    s->md = arena_vec(w, d);
    s->g = arena_vec(w, d);
}

/* Makes round t = 1, 2, ... of a stage with the given gamma (not gamma_t). Returns false if the budget is spent. */
static inline bool ac_sa_round(struct ac_sa *s, double t, double gamma)
{
    long d = oracle_dim(s->o);
    double alpha = 2 / (t + 1), rest = 1 - alpha, l = s->lambda;
    double step = 4 * gamma / (t * (t + 1)), sum = step + (1 - alpha * alpha) * l;

    vec_lincomb(d, rest * (l + step) / sum, s->ag, alpha * (rest * l + step) / sum, s->x, s->md);
    if (!s->grad(s->ctx, s->md, s->g))
        return false;
    vec_axpby(d, -alpha / (step + l), s->g, (step + l * rest) / (step + l), s->x);
    if (l > 0)
        vec_axpy(d, l * alpha / (step + l), s->md, s->x);
    if (s->project)
        s->project(s->ctx, s->x);
    else
        oracle_project(s->o, 0, s->x);
    vec_axpby(d, alpha, s->x, rest, s->ag);
    oracle_depth(s->o, 3);
    if (s->mark)
        oracle_mark(s->o, s->ag);
    return true;
}

/* Makes T rounds from ag. Returns false if the budget is spent; ag is then the point reached so far. */
static inline bool ac_sa_stage(struct ac_sa *s, long T, double gamma)
{
    vec_copy(oracle_dim(s->o), s->ag, s->x);
    for (long t = 1; t <= T; t++)
        if (!ac_sa_round(s, (double)t, gamma))
            return false;
    return true;
}

/* Returns the gamma >= 2M at which the bound for lambda = 0 is least. */
static inline double ac_sa_gamma(double M, double v, double D, double T)
{
    return fmax(2 * M, v > 0 ? v / D * sqrt(T * (T + 1) * (2 * T + 1) / 12) : 0);
}

/* Returns the gamma of a stage that begins with a gap of at most V, so that D^2 = 2V/lambda. */
static inline double ac_sa_stage_gamma(double M, double lambda, double v, double V, double T)
{
    return ac_sa_gamma(M, v, sqrt(2 * V / lambda), T);
}

/* Returns the number of rounds, as a real number, after which a gap of at most V is at most V/2 in expectation. */
static inline double ac_sa_halving(double M, double lambda, double v, double V)
{
    return fmax(4 * sqrt(2 * M / lambda), 256 * v * v / (3 * lambda * V));
}

#endif
