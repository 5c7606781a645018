/* SPDX-License-Identifier: GPL-3.0-or-later */
/* certified_erm.h - minimises a regularised empirical risk over the feasible set X until the distance to the
 * minimiser is certified:
 *
 *     F(x) = mean over the samples of f(x,s) + (lambda/2)|x - c|^2,   f(.,s) convex, L-Lipschitz and M-smooth,
 *     M' = M + lambda,   x+ = P(x - grad F(x)/M'),   |x+ - argmin F| <= M'|x+ - x|/lambda
 *
 * where P projects on X, c is a point of X, and x+ is the answer. It makes K steps of Nesterov's method (Nesterov
 * 2018, Theorem 2.2.3) from c. With G = M'(x - x+), D = L/lambda >= |c - argmin F| and gap = F(x) - min F,
 *     |G|^2 <= 2M' gap <= M'(M' + lambda) D^2 (1 - sqrt(lambda/M'))^K.
 * K is such that the certificate cannot fail. K depends on public constants alone.
 *
 * All points are displacements u = x - c. For large lambda, u is so small that lambda times the rounding of x would
 * exceed what the certificate allows, while u itself is known to more digits. If c is on the boundary of X, P
 * rounds u as it rounds x, and the run may be refused. */
#ifndef ASSAY_PARTS_CERTIFIED_ERM_H
#define ASSAY_PARTS_CERTIFIED_ERM_H

#include "algo.h"

struct certified_erm {
    struct oracle *o;
    struct ticket samples;
    const double *c;                 /* [d] c of the head */
    double lambda,
           M,                        /* M' */
           D;                        /* L/lambda */
    double tolerance;                /* the largest |G| at which x+ counts as certified */
    double *g, *y, *far, *at, *other;    /* [d] scratch */
};

/* Takes the memory of *r from w. Call it before arena_seal. */
static inline void certified_erm_reserve(struct certified_erm *r, struct arena *w)
{
    long d = oracle_dim(r->o);
    r->g = arena_vec(w, d);
    r->y = arena_vec(w, d);
    r->far = arena_vec(w, d);
    r->at = arena_vec(w, d);
    r->other = arena_vec(w, d);
}

/* Prepares for L-Lipschitz and M-smooth samples. The answer will be within `error` of argmin F. */
static inline void certified_erm_begin(struct certified_erm *r, const struct ticket *samples,
                                       double L, double M, double lambda, double error)
{
    r->samples = *samples;
    r->lambda = lambda;
    r->M = M + lambda;
    r->D = L / lambda;
    r->tolerance = lambda * error;
}

/* g[d] <- the mean of grad f(c + u, s) over a part of the samples. Returns false if the budget is spent. */
static inline bool certified_erm_mean_of(const struct certified_erm *r, const struct ticket *part,
                                         const double *u, double *g)
{
    const double *const at = r->at;
    vec_lincomb(oracle_dim(r->o), 1, r->c, 1, u, r->at);
    return oracle_batch(r->o, &(struct batch){ .ticket = part, .points = 1, .x = &at, .g = g });
}

/* g[d] <- grad F(c + u) - lambda u. Returns false if the budget is spent. */
static inline bool certified_erm_mean(const struct certified_erm *r, const double *u, double *g)
{
    return certified_erm_mean_of(r, &r->samples, u, g);
}

/* g[d] <- grad F(c + u). Returns false if the budget is spent. */
static inline bool certified_erm_grad(const struct certified_erm *r, const double *u, double *g)
{
    if (!certified_erm_mean(r, u, g))
        return false;
    vec_axpy(oracle_dim(r->o), r->lambda, u, g);
    return true;
}

/* u[d] <- P(c + u) - c. If c + u is feasible, u does not change. */
static inline void certified_erm_project(const struct certified_erm *r, double *u)
{
    long d = oracle_dim(r->o);
    vec_lincomb(d, 1, r->c, 1, u, r->at);
    vec_copy(d, r->at, r->other);
    oracle_project(r->o, 0, r->other);
    vec_axpy(d, -1, r->at, r->other);
    vec_axpy(d, 1, r->other, u);
}

/* u[d] <- x+ - c. Returns false if the budget is spent, or if x+ is not certified; the run is then refused. */
static inline bool certified_erm_certify(const struct certified_erm *r, double *u)
{
    long d = oracle_dim(r->o);
    if (!certified_erm_grad(r, u, r->g))
        return false;
    vec_copy(d, u, r->y);
    vec_axpy(d, -1 / r->M, r->g, u);
    certified_erm_project(r, u);
    oracle_depth(r->o, 2);
    if (r->M * vec_dist(d, u, r->y) <= r->tolerance)
        return true;
    oracle_refuse(r->o, "the solver has not reached its certificate, so nothing may be released: "
                  "are L and M true? Else raise algo.slack");
    return false;
}

/* Makes the K steps of Nesterov's method, from u[d] = 0. Returns false if the budget is spent. */
static inline bool certified_erm_agm(const struct certified_erm *r, double *u)
{
    long d = oracle_dim(r->o);
    double q = sqrt(r->lambda / r->M), beta = (1 - q) / (1 + q);
    double K = 2 * log(sqrt(r->M * (r->M + r->lambda)) * r->D / r->tolerance) / -log1p(-q);

    vec_copy(d, u, r->y);
    for (double k = 0; k < fmax(K, 1); k++) {    /* for M = 0 one step is enough */
        if (!certified_erm_grad(r, r->y, r->g))
            return false;
        vec_copy(d, u, r->far);
        vec_lincomb(d, 1, r->y, -1 / r->M, r->g, u);
        certified_erm_project(r, u);
        vec_lincomb(d, 1 + beta, u, -beta, r->far, r->y);
        oracle_depth(r->o, 2);
    }
    return true;
}

#endif
