/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ball_oracle.h - the minimiser of F(w) = f(w) + (lam/2)|w - y|^2 over the part of a convex set X within r of y, to
 * an accuracy of rho (Asi, Carmon, Jambulapati, Jin, Sidford 2021, Definition 4 and Lemma 11):
 *
 *     F(x) <= min F + lam rho^2/2,  so that |x - argmin F| <= rho
 *
 * f is convex, and its stochastic subgradients have norm at most G on this part of X. Any lam > 0 is allowed, since
 * the ball bounds the distance of the minimiser. There are two methods:
 *
 * BALL_EPOCHS is EpochSGD (epoch_sgd.h) with a budget of C (G/(lam rho))^2 gradients, C a constant. By Proposition
 * 3 there, E F(x) - min F <= 16 lam rho^2/C. In experiments C = 8 gave |x - argmin F| < rho.
 *
 * BALL_PRINTED is the method that the lemma cites, Epoch-GD-Proj (Hazan, Kale 2014; Carmon, Jambulapati, Jin,
 * Sidford 2021, Algorithm 2); the bound below holds with probability 1 - p_f. With H = G + lam r, a bound on the
 * gradients of F, and q = p_f/floor(log2(T/450 + 1)):
 *     epoch k: T_k = 450 2^(k-1) steps of 1/(3 lam 2^(k-1)) along -(g(w) + lam (w - y)), projected on the points of
 *     X within D_k = 2 H sqrt(ln(2/q))/(lam 2^((k-1)/2)) of the start of the epoch. The next epoch starts at the
 *     mean of the points where gradients were taken. With as many whole epochs as
 *     T = ceil(3600 H^2 ln(2/q)/(lam rho)^2) has room for:
 *     F(x) - min F <= 1800 H^2 ln(2/q)/(lam T) */
#ifndef ASSAY_PARTS_BALL_ORACLE_H
#define ASSAY_PARTS_BALL_ORACLE_H

#include "epoch_sgd.h"

enum ball_method { BALL_EPOCHS, BALL_PRINTED };

struct ball_oracle {
    /* run->grad is the source of gradients, run->project projects on the part of X within r of y, and run->x is the
     * answer. */
    struct epoch_sgd *run;
    enum ball_method method;
    double G, r;
    double C, p_f;
    double *c,                       /* [d] start of an epoch, for BALL_PRINTED */
           *from, *one, *two;        /* [d] scratch of ball_oracle_project */
};

/* Takes the memory of *b from w, except for that of b->run, which its owner reserves. Call it before arena_seal. */
static inline void ball_oracle_reserve(struct ball_oracle *b, struct arena *w)
{
    long d = oracle_dim(b->run->o);
    double **vector[] = { &b->c, &b->from, &b->one, &b->two };
    for (int k = 0; k < 4 && b->method == BALL_PRINTED; k++)
        *vector[k] = arena_vec(w, d);
}

/* Returns T of the method BALL_PRINTED; *log_term <- ln(2/q). Both are defined in the head. */
static inline double ball_printed_budget(double G, double r, double lam, double rho, double p_f,
                                         double *log_term)
{
    double ratio = (G + lam * r) / (lam * rho), T = 0;
    *log_term = log(2 / p_f);
    for (int k = 0; k < 3; k++) {            /* q and T depend on each other: three steps of a fixed-point
                                                iteration */
        T = ceil(3600 * ratio * ratio * *log_term);
        *log_term = log(2 * fmax(1, floor(log2(T / 450 + 1))) / p_f);
    }
    return T;
}

/* Returns the number of gradients that one call of ball_oracle takes. */
static inline double ball_oracle_gradients(enum ball_method method, double G, double r, double C,
                                           double p_f, double lam, double rho)
{
    double log_term, ratio = G / (lam * rho);
    if (method == BALL_EPOCHS)
        return epoch_sgd_gradients(epoch_sgd_epochs(ceil(C * ratio * ratio)));
    double T = ball_printed_budget(G, r, lam, rho, p_f, &log_term);
    return 450 * (exp2(floor(log2(T / 450 + 1))) - 1);
}

/* x[d] <- the nearest point of the set of run->project that is within D of b->c. If the projection on the set alone
 * is within D, it is that point. Otherwise Dykstra's alternating projections on the ball and the set find it. */
static inline void ball_oracle_project(struct ball_oracle *b, double D, double *x)
{
    enum { MOST = 10000 };
    long d = oracle_dim(b->run->o);
    double tiny = 1e-13 * D;

    vec_copy(d, x, b->from);
    b->run->project(b->run->ctx, x);
    if (vec_dist(d, x, b->c) <= D)
        return;
    vec_zero(d, b->one);
    vec_zero(d, b->two);
    vec_copy(d, b->from, x);
    for (int k = 0; k < MOST; k++) {
        vec_axpy(d, 1, b->two, x);
        vec_copy(d, x, b->two);
        vec_project_ball(d, b->c, D, x);
        vec_axpy(d, -1, x, b->two);
        vec_copy(d, x, b->from);
        vec_axpy(d, 1, b->one, x);
        vec_copy(d, x, b->one);
        b->run->project(b->run->ctx, x);
        vec_axpy(d, -1, x, b->one);
        if (vec_dist(d, x, b->from) <= tiny)
            return;
    }
}

static inline bool ball_printed_epoch(struct ball_oracle *b, double lam, const double *y,
                                      double T_k, double eta, double D)
{
    struct epoch_sgd *s = b->run;
    long d = oracle_dim(s->o);
    vec_copy(d, s->x, b->c);
    vec_copy(d, s->x, s->w);
    vec_zero(d, s->sum);
    for (double t = 0; t < T_k; t++) {
        vec_axpy(d, 1, s->w, s->sum);
        if (!s->grad(s->ctx, s->w, s->h))
            return false;
        vec_axpy(d, lam, s->w, s->h);
        vec_axpy(d, -lam, y, s->h);
        vec_axpy(d, -eta, s->h, s->w);
        ball_oracle_project(b, D, s->w);
        oracle_depth(s->o, 1);
    }
    vec_lincomb(d, 1 / T_k, s->sum, 0, s->sum, s->x);
    return true;
}

static inline bool ball_printed(struct ball_oracle *b, double lam, double rho, const double *y)
{
    double log_term, T = ball_printed_budget(b->G, b->r, lam, rho, b->p_f, &log_term);
    double D = 2 * (b->G + lam * b->r) * sqrt(log_term) / lam, eta = 1 / (3 * lam), used = 0;

    vec_copy(oracle_dim(b->run->o), y, b->run->x);
    for (double T_k = 450; used + T_k <= T; T_k *= 2) {
        if (!ball_printed_epoch(b, lam, y, T_k, eta, D))
            return false;
        used += T_k;
        eta /= 2;
        D /= sqrt(2);
    }
    return true;
}

/* run->x <- the approximate minimiser for y[d], a point of X. Returns false if the budget is spent. */
static inline bool ball_oracle(struct ball_oracle *b, double lam, double rho, const double *y)
{
    if (b->method == BALL_PRINTED)
        return ball_printed(b, lam, rho, y);
    double ratio = b->G / (lam * rho);
    b->run->mu = lam;
    b->run->z = y;
    return epoch_sgd_run(b->run, epoch_sgd_epochs(ceil(b->C * ratio * ratio)));
}

#endif
