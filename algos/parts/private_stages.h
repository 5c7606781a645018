/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_stages.h - private minimisation of a regularised empirical mean (Carmon, Jambulapati, Jin, Lee, Liu,
 * Sidford, Tian 2023, Corollary 3)
 *
 *     G(x) = (1/n) sum_i f(x; s_i) + (lambda/2)|x - x'|^2
 *
 * x' is a given centre and R the radius of the feasible set. There are k = ceil(log2 log2 n) stages, each a ball
 * acceleration (private_erm.h), with z_0 = x' and R_0 = min{ 2R, L/lambda }. Stage j searches within R_j of z_j,
 * the answer of the stage before, to the accuracy L R_j/kappa_j, kappa_j^2 <= 2^(j-k) n, and spends 2^(j-k) of the
 * slope of the promise; R_(j+1) = min{ R_j, (2 L R_j/(kappa_j lambda))^(1/2) }. Then
 *
 *     E G - G* <= order (L^2/lambda) ( 1/n + d log(1/delta) log^3(n/delta) log^2(n)/(n eps)^2 )
 *
 * A stage whose accuracy would be no better than L R_j is left out. All stages spend one promise (see
 * private_erm.h), at Renyi orders at which each of them has a price. */
#ifndef ASSAY_PARTS_PRIVATE_STAGES_H
#define ASSAY_PARTS_PRIVATE_STAGES_H

#include "private_erm.h"

enum { STAGES_MAX = 8 };
struct private_stages {
    long n;
    double lambda;
    struct promise promise;          /* the promise of all stages together; promise.share is not used */
    int k;
    struct private_plan stage[STAGES_MAX];       /* kappa 0: the stage is left out */
    double share[STAGES_MAX];        /* the fraction of the slope of the promise that each stage may spend */
};

static inline struct promise stages_promise(const struct private_stages *a, int j)
{
    struct promise s = a->promise;
    s.share = a->share[j];
    return s;
}

/* Plans all stages. Returns the least Renyi order at which a stage has no price, or 0 if all stages are left
 * out. */
static inline double stages_plan(const struct private_erm *p, struct private_stages *a)
{
    double n = (double)a->n, R = fmin(2 * p->R, p->L / a->lambda), cap = INFINITY;
    bool any = false;
    for (int j = 0; j < a->k; j++) {
        a->share[j] = ldexp(1, j - a->k);
        const struct promise one = stages_promise(a, j);
        a->stage[j] = private_best(p, n, R, a->lambda, sqrt(n * a->share[j]) / p->c_n, &one);
        if (!(a->stage[j].kappa > 1)) {
            a->stage[j].kappa = 0;
            continue;
        }
        R = fmin(R, sqrt(2 * p->L * R / (a->stage[j].kappa * a->lambda)));
        cap = fmin(cap, a->stage[j].cap);
        any = true;
    }
    return any ? cap : 0;
}

/* Returns the plans of all stages for n >= 16 samples. It plans twice: first each stage at all Renyi orders, then
 * at the orders at which all stages have a price. n = 0 in the result means that no stage is left. */
static inline struct private_stages stages_of(const struct private_erm *p, long n, double lambda,
                                              struct promise promise)
{
    struct private_stages a = { .n = n, .lambda = lambda, .promise = promise,
                                .k = (int)ceil(log2(log2((double)n))) };
    a.promise.cap = stages_plan(p, &a);
    if (!(a.promise.cap > 0 && (isnan(p->eps) || stages_plan(p, &a) > 0)))
        a.n = 0;
    return a;
}

/* Returns the expected number of gradients of all stages, with two line searches a round. */
static inline double stages_gradients(const struct private_erm *p, const struct private_stages *a)
{
    double cost = 0;
    for (int j = 0; j < a->k; j++)
        cost += a->stage[j].kappa > 0 ? private_plan_gradients(p, &a->stage[j], 2) : 0;
    return cost;
}

/* Returns the expected number of releases of all stages; a release takes about as long as a gradient. */
static inline double stages_releases(const struct private_stages *a)
{
    double sum = 0;
    for (int j = 0; j < a->k; j++)
        sum += a->stage[j].kappa > 0 ? a->stage[j].phases : 0;
    return sum;
}

/* Returns the largest number of answers that a line search of any stage takes. */
static inline long stages_answers(const struct private_stages *a)
{
    long most = 1;
    for (int j = 0; j < a->k; j++)
        most = a->stage[j].M > most ? a->stage[j].M : most;
    return most;
}

/* x[d] <- the answer of all stages, starting from x; about[d] is the centre x' of the regulariser. `seen` (or NULL)
 * is called with the run after each stage. Returns false if the budget is spent. */
static inline bool stages_run(struct private_run *r, const struct private_stages *a, const struct ticket *samples,
                              const double *about, void (*seen)(const struct private_run *), double *x)
{
    bool whole = true;
    for (int j = 0; j < a->k && whole; j++) {
        if (!(a->stage[j].kappa > 0))
            continue;
        r->q = a->stage[j];
        const struct promise one = stages_promise(a, j);
        private_allowance(r, &one);
        whole = private_accelerate(r, &a->stage[j], samples, about, x) || r->stopped;
        oracle_project(r->o, 0, x);
        if (seen)
            seen(r);
    }
    private_settle(r);
    return whole;
}

#endif
