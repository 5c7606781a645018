/* SPDX-License-Identifier: GPL-3.0-or-later */
/* certified_erm.h - a regularised empirical risk over X, solved to a certificate:
 *
 *     F(x) = mean over the samples of f(x,s) + (lambda/2)|x - c|^2,   f(.,s) convex and smooth,
 *     M' = M + lambda,   x+ = P(x - grad F(x)/M'),   |x+ - argmin F| <= M'|x+ - x|/lambda
 *
 * by Nesterov's method (Nesterov 2018, Theorem 2.2.3) from c in X: with G = M'(x - x+) and D =
 * L/lambda >= |c - argmin F|,
 *     |G|^2 <= 2M' gap <= M'(M' + lambda) D^2 (1 - sqrt(lambda/M'))^K,
 * K so that the certificate cannot fail: how many rounds that is depends on public constants.
 *
 * All points are displacements u = x - c: where 1/lambda is 10^-16, lambda times the rounding of x
 * is more than a certificate allows, but u has an exponent of its own. With c on the boundary P
 * rounds as x does, and such a run may be refused. */
#ifndef ASSAY_PARTS_CERTIFIED_ERM_H
#define ASSAY_PARTS_CERTIFIED_ERM_H

#include "algo.h"

struct certified_erm {
    struct oracle *o;
    struct ticket samples;
    const double *c;                 /* [d] */
    double lambda, M, D;             /* M: M' */
    double tolerance;                /* on |G| */
    double *g, *y, *far, *at, *other;    /* [d] */
};

/* Call this before arena_seal. */
static inline void certified_erm_reserve(struct certified_erm *r, struct arena *w)
{
    long d = oracle_dim(r->o);
    r->g = arena_vec(w, d);
    r->y = arena_vec(w, d);
    r->far = arena_vec(w, d);
    r->at = arena_vec(w, d);
    r->other = arena_vec(w, d);
}

/* Prepares for L-Lipschitz and M-smooth samples; the answer is to be within `error` of argmin F. */
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

/* u <- P(c + u) - c. Where c + u is feasible u keeps its last bit. */
static inline void certified_erm_project(const struct certified_erm *r, double *u)
{
    long d = oracle_dim(r->o);
    vec_lincomb(d, 1, r->c, 1, u, r->at);
    vec_copy(d, r->at, r->other);
    oracle_project(r->o, 0, r->other);
    vec_axpy(d, -1, r->at, r->other);
    vec_axpy(d, 1, r->other, u);
}

/* u <- x+ - c. false: the budget is spent, or x+ is not certified to be near enough and the run is
 * refused. */
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

/* u: from 0 to where the certificate holds. Returns false if the budget is spent. */
static inline bool certified_erm_agm(const struct certified_erm *r, double *u)
{
    long d = oracle_dim(r->o);
    double q = sqrt(r->lambda / r->M), beta = (1 - q) / (1 + q);
    double K = 2 * log(sqrt(r->M * (r->M + r->lambda)) * r->D / r->tolerance) / -log1p(-q);

    vec_copy(d, u, r->y);
    for (double k = 0; k < fmax(K, 1); k++) {    /* one step solves M = 0 */
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
