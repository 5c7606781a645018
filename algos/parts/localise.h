/* SPDX-License-Identifier: GPL-3.0-or-later */
/* localise.h - iterative localisation (Feldman, Koren, Talwar 2020, Algorithms 2 and 3)
 *
 *     i = 1, 2, ...:  n_i = floor(n/2^i) fresh samples, eta_i = eta/4^i, c = P(x_{i-1}),
 *         c + u = a solution on these samples,   x_i = c + u + N(0, (sigma eta_i)^2 I) is released,
 *     eta = (R/L) min{ 4/sqrt(n), 2 mu/sqrt(p) },      answer the last x_i, projected,
 *
 * over the floor(log2 n) phases with n_i >= 1. P projects on the feasible set, R is the diameter of the set and p
 * the dimension; how a phase is solved is up to the method. Each sample belongs to one phase: if its change moves
 * the solution by at most C eta_i, sigma = C/mu makes the answer mu-GDP. The paper's noise, sigma = 4 L
 * sqrt(ln(1/delta))/eps, is that of mu = eps/(4 sqrt(ln(1/delta))) where C = L; eta takes this mu.
 *
 * c is public, so that only u depends on the samples. u is of order L eta_i n_i, which in the last phases of
 * n = 10^7 is less than the rounding of x. Solutions are therefore computed and released as u; only after a
 * projection that moves x are they differences of points.
 *
 * Asi, Carmon, Jambulapati, Jin, Sidford 2021, Algorithm 6, has k phases of n_i = floor(n/k), eta_i = eta/16^i. */
#ifndef ASSAY_PARTS_LOCALISE_H
#define ASSAY_PARTS_LOCALISE_H

#include <string.h>

#include "algo.h"
#include "gdp.h"

struct phase {
    int i;                           /* 1, 2, ... */
    long n;                          /* n_i */
    double eta;                      /* eta_i */
    struct ticket samples;           /* the n_i samples; parts of the ticket are drawn one by one */
};

/* What all phases have in common. The members C and sigma are in units of eta_i; no noise is added if sigma is
 * 0. */
struct localise {
    const char *site;                /* name of the release */
    long n;                          /* number of samples of all phases */
    long k;                          /* number of equal phases; 0: each phase has half the samples of the one
                                      * before */
    double eta, C, sigma;
    double failure;                  /* probability, in each phase, that the change of one sample moves the solution
                                        by more than C eta_i */
};

/* Returns phase i without its samples; n = 0 after the last phase. */
static inline struct phase localise_phase(long n, double eta, int i)
{
    return (struct phase){ .i = i, .n = i < 63 ? n >> i : 0, .eta = ldexp(eta, -2 * i) };
}

/* Returns phase i of k equal phases without its samples; n = 0 after the last phase. */
static inline struct phase localise_equal(long n, long k, double eta, int i)
{
    return (struct phase){ .i = i, .n = i <= k ? n / k : 0, .eta = ldexp(eta, -4 * i) };
}

/* Sets *mu if it is not set: as in the head for calibration "paper", else by gdp_choose. */
static inline enum status localise_mu(const struct goal *goal, const char *calibration, double *mu,
                                      const char *who, struct why *why)
{
    if (isnan(*mu) && strcmp(calibration, "paper") == 0 && goal->eps < INFINITY) {
        if (!(goal->eps > 0 && goal->delta > 0 && goal->delta < 1))
            return why_set(why, REFUSED, "%s: goal eps = %g, delta = %g: expected eps > 0 and "
                           "0 < delta < 1", who, goal->eps, goal->delta);
        *mu = goal->eps / (4 * sqrt(log(1 / goal->delta)));
    }
    return gdp_choose(goal, calibration, mu, who, why);
}

/* Returns eta for n samples in all, by the facts d, L and diameter; NaN if one of them is unknown. */
static inline double localise_eta(const struct facts *f, double n, double mu)
{
    return f->diameter / f->L * fmin(4 / sqrt(n), 2 * mu / sqrt(f->d));
}

/* A solver: u[d] <- an offset such that c + u solves the phase; c[d] is feasible. Returns false if the budget is
 * spent. */
typedef bool (*localise_solve)(struct oracle *o, const struct phase *p, const void *ctx,
                               const double *c, double *u);

/* Runs the phases from x[d]. x[d] <- the answer. x_i is projected at the end of its phase, after the noise, so that
 * the point given to oracle_mark is feasible; as a function of released values it needs no noise of its own. u[d]
 * is scratch. */
static inline void localise(struct oracle *o, const struct localise *l, localise_solve solve,
                            const void *ctx, double *u, double *x)
{
    long d = oracle_dim(o);
    oracle_project(o, 0, x);
    for (int i = 1;; i++) {
        struct phase p = l->k ? localise_equal(l->n, l->k, l->eta, i)
                              : localise_phase(l->n, l->eta, i);
        if (p.n < 1 || !oracle_take(o, p.n, &p.samples))
            return;
        p.samples.aggregated = false;    /* solvers ask for parts of the ticket */
        if (!solve(o, &p, ctx, x, u))
            return;
        const struct release r = { .site = l->site, .norm = NORM_2, .sensitivity = l->C * p.eta,
                                   .ticket = &p.samples, .failure = l->failure };
        noise_gaussian(o, &r, l->sigma * p.eta, d, u);
        vec_axpy(d, 1, u, x);
        oracle_project(o, 0, x);
        oracle_depth(o, 2);
        oracle_mark(o, x);
    }
}

#endif
