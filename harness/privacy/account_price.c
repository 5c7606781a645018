/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_price.c - the kinds of described mechanisms and their accountants. */
#include "privacy/account_price.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "privacy/account_pld.h"
#include "privacy/account_rdp.h"
#include "base/params.h"

/* --- Gaussian noise; mu^2 of `count` releases is count times that of one */

static double mu_of(const struct account_case *c, double count)
{
    return c->sensitivity > 0 ? c->sensitivity / c->sigma * sqrt(count) * (1 + 1e-15) : 0;
}

static double classical(double mu, double delta)
{
    double eps = mu * sqrt(2 * log(1.25 / delta)) * (1 + ACCOUNT_SLACK);
    return eps <= 1 ? eps : INFINITY;
}

/* --- the accountants of normal noise */

enum normal_rule { NORMAL_EXACT, NORMAL_CKS, NORMAL_RDP_CKS, NORMAL_ZCDP, NORMAL_RDP, NORMAL_CLASSICAL };

static double normal_eps(double mu, double delta, int rule)
{
    struct rdp c = { .failure = 0 };
    switch (rule) {
    case NORMAL_EXACT: return account_gaussian_eps(mu, delta);
    case NORMAL_CKS: return account_zcdp_cks(pow(mu, 2) / 2, delta, NULL);
    case NORMAL_ZCDP: return account_zcdp_bun_steinke(pow(mu, 2) / 2, delta);
    case NORMAL_CLASSICAL: return classical(mu, delta);
    default:
        rdp_add_gaussian(&c, 1, mu);
        return rdp_eps(rule == NORMAL_RDP ? RDP_MIRONOV : RDP_CKS, &c, delta, NULL);
    }
}

#define NORMAL_METHODS(eps)                                                                   \
    { "exact", eps, NORMAL_EXACT, "Balle and Wang 2018: exact" },                             \
    { "zcdp-cks", eps, NORMAL_CKS, "Canonne, Kamath and Steinke 2020, best real order" },     \
    { "rdp-cks", eps, NORMAL_RDP_CKS, "the same on the grid of orders" },                     \
    { "zcdp", eps, NORMAL_ZCDP, "Bun and Steinke 2016: rho + 2 sqrt(rho log 1/delta)" },      \
    { "rdp", eps, NORMAL_RDP, "Mironov 2017, on the grid of orders" },                        \
    { "classical", eps, NORMAL_CLASSICAL, "Dwork and Roth 2014; proven for epsilon <= 1 only" }

static double gaussian(const struct account_case *c, int rule, double *lower)
{
    return normal_eps(mu_of(c, (double)c->steps), c->delta, rule);
}

static const struct account_method gaussian_methods[] = { NORMAL_METHODS(gaussian), { 0 } };

/* Returns mu^2 of prefix sums with tree noise, for sensitivity and sigma 1: one tree over all epochs or, with
 * restart, one for each epoch. */
static double tree_mu2(const struct account_case *c)
{
    return c->restart ? (double)c->epochs * account_tree_epochs(c->steps, 1, c->spare)
                      : account_tree_epochs(c->steps, c->epochs, c->spare);
}

/* Returns mu^2 of prefix sums with the noise of the square-root factorisation, for sensitivity and sigma 1. The
 * record that comes first in every epoch pays the most, because its columns of the square root have the most
 * entries. */
static double root_mu2(const struct account_case *c)
{
    long streams = c->restart ? c->epochs : 1, passes = c->epochs / streams;
    struct account_part *part = malloc((size_t)passes * sizeof *part);
    double mu2 = INFINITY;
    for (long e = 0; part && e < passes; e++)
        part[e] = (struct account_part){ 1 + e * c->steps, 1 + e * c->steps, 1 };
    if (part)
        mu2 = account_prefix_mu2(PREFIX_ROOT, c->steps * passes, passes, part);
    free(part);
    return (double)streams * mu2;
}

static double tree(const struct account_case *c, int rule, double *lower)
{
    return normal_eps(mu_of(c, tree_mu2(c)), c->delta, rule);
}

static double root(const struct account_case *c, int rule, double *lower)
{
    return normal_eps(mu_of(c, root_mu2(c)), c->delta, rule);
}

static const struct account_method tree_methods[] = { NORMAL_METHODS(tree), { 0 } };
static const struct account_method root_methods[] = { NORMAL_METHODS(root), { 0 } };

/* --- the accountants of Gaussian noise on Poisson samples */

/* Returns the epsilon of Gaussian noise on Poisson samples by Renyi divergences; how: enum rdp_conversion. For
 * Mironov's conversion only integer orders are used, as in published figures. */
static double sampled(const struct account_case *k, int how, double *lower)
{
    struct rdp c = { .failure = 0 };
    rdp_add_sampled_gaussian(&c, (double)k->steps, k->q, k->sigma / k->sensitivity);
    return how == RDP_MIRONOV ? rdp_eps_integer(RDP_MIRONOV, &c, k->delta, NULL)
                              : rdp_eps(RDP_CKS, &c, k->delta, NULL);
}

static double sampled_pld(const struct account_case *c, int none, double *lower)
{
    struct pld_eps e = pld_sampled_gaussian(c->q, c->sigma / c->sensitivity, (double)c->steps,
                                            c->delta);
    *lower = e.lower;
    return e.upper;
}

static double sampled_inverted(const struct account_case *c, int none, double *lower)
{
    return account_sampled_gaussian_eps(c->q, c->sigma / c->sensitivity, (double)c->steps,
                                        c->delta);
}

static const struct account_method sampled_methods[] = {
    { "pld", sampled_pld, 0,
      "composed privacy loss, from above; a lower bound of the truth beside it" },
    { "inversion", sampled_inverted, 0,
      "of the moment generating function, to 1e-10 but not proved: pld bounds it" },
    { "rdp-cks", sampled, RDP_CKS, "Mironov, Talwar and Zhang 2019, all orders; Canonne et al. 2020" },
    { "rdp-integer", sampled, RDP_MIRONOV, "integer orders; Mironov 2017" },
    { "unsampled", gaussian, NORMAL_EXACT, "exact without amplification by sampling" },
    { 0 }
};

/* --- Sampling with replacement. The values before noise of any two of three cases (the record takes part, it does
 * not, it is changed) differ by at most `sensitivity` in 2-norm. q: the probability that a step draws the
 * record. */

static double replaced(const struct account_case *k, int how, double *lower)
{
    struct rdp one = { .failure = k->failure }, c = { .failure = 0 };
    double mu = mu_of(k, 1);
    rdp_add_replacement(&one, 1, k->q, mu * mu / 2);
    rdp_add(&c, (double)k->steps, &one);
    return rdp_eps((enum rdp_conversion)how, &c, k->delta, NULL);
}

static const char *replaced_open(const struct account_case *c)
{
    double mu = mu_of(c, 1);
    if (!(c->q < 1.0 / 40))
        return "no bound is known: Proposition 7 needs q < 1/40";
    if (!(mu * mu / 2 <= 1.0 / 3))
        return "no bound is known: Proposition 7 needs sensitivity^2/(2 sigma^2) <= 1/3";
    return c->failure > 0 ? "no bound is known: the failures of all steps leave nothing of delta"
                          : NULL;
}

static const struct account_method replacement_methods[] = {
    { "rdp-cks", replaced, RDP_CKS, "ReSQue Proposition 7; Canonne et al. 2020" },
    { "rdp", replaced, RDP_MIRONOV, "ReSQue Proposition 7 and Corollary 1" },
    { 0 }
};

/* --- the accountants of Gaussian noise on subsets of fixed size */

static double subset(const struct account_case *k, int how, double *lower)
{
    struct rdp c = { .failure = 0 };
    rdp_add_subset(&c, (double)k->steps, k->q, mu_of(k, 1));
    return rdp_eps((enum rdp_conversion)how, &c, k->delta, NULL);
}

static const struct account_method subset_methods[] = {
    { "rdp-cks", subset, RDP_CKS, "Wang, Balle and Kasiviswanathan 2019; Canonne et al. 2020" },
    { "rdp", subset, RDP_MIRONOV, "the same; Mironov 2017" },
    { "unsampled", gaussian, NORMAL_EXACT, "exact without amplification by sampling" },
    { 0 }
};

/* --- amplification by iteration: step t of T has a batch of ceil(batch/sqrt(T-t+1)) */

static double snowball(const struct account_case *c, int none, double *lower)
{
    double *batch = malloc((size_t)c->steps * sizeof *batch), mu = INFINITY;
    for (long t = 0; batch && t < c->steps; t++)
        batch[t] = ceil(c->batch / sqrt((double)(c->steps - t)));
    if (batch)
        mu = account_snowball_mu(c->steps, batch, c->sensitivity, c->sigma);
    free(batch);
    return account_gaussian_eps(mu, c->delta);
}

static double every_iterate(const struct account_case *c, int none, double *lower)
{
    double smallest = ceil(c->batch / sqrt((double)c->steps));
    return account_gaussian_eps(mu_of(c, 1) / smallest, c->delta);
}

static const struct account_method snowball_methods[] = {
    { "iteration", snowball, 0,
      "last iterate only; convex, smooth, steps <= 2/M (Feldman et al. 2020)" },
    { "every-iterate", every_iterate, 0, "exact, all iterates released, disjoint batches" },
    { 0 }
};

/* --- the accountants of pure mechanisms */

/* Returns the epsilon of one pure mechanism: eps0 if that is given, else sensitivity/scale. For a noisy maximum it
 * is twice that (sides = 2), unless a record moves all scores in one direction (1); for other mechanisms `sides` is
 * 0. */
static double share_of(const struct account_case *c)
{
    if (isnan(c->scale))
        return c->eps0;
    double change = fmax(1, (double)c->sides) * c->sensitivity;
    return change > 0 ? change / c->scale * (1 + 1e-15) : 0;
}

static double pure_basic(const struct account_case *c, int none, double *lower)
{
    double k = (double)c->steps, e = share_of(c);
    return account_basic(1, &k, &e);
}

static double pure_advanced(const struct account_case *c, int none, double *lower)
{
    double k = (double)c->steps, e = share_of(c);
    return account_advanced(1, &k, &e, c->delta);
}

static double pure_optimal(const struct account_case *c, int none, double *lower)
{
    return account_pure_optimal(share_of(c), 0, c->steps, c->delta);
}

/* Returns epsilon by zCDP: one mechanism has rho = eps0^2/2 or, where it has a bounded range (`ranged`),
 * eps0^2/8. */
static double pure_zcdp(const struct account_case *c, int ranged, double *lower)
{
    double k = (double)c->steps, e = share_of(c);
    return account_zcdp_cks(account_pure_rho(1, &k, &e, ranged), c->delta, NULL);
}

static double laplace_rdp(const struct account_case *k, int none, double *lower)
{
    struct rdp c = { .failure = 0 };
    rdp_add_laplace(&c, (double)k->steps, share_of(k));
    return rdp_eps(RDP_CKS, &c, k->delta, NULL);
}

static double exponential_rdp(const struct account_case *k, int none, double *lower)
{
    struct rdp c = { .failure = 0 };
    rdp_add_exponential(&c, (double)k->steps, share_of(k));
    return rdp_eps(RDP_CKS, &c, k->delta, NULL);
}

#define PURE_METHODS                                                                                     \
    { "optimal", pure_optimal, 0, "Kairouz, Oh and Viswanath 2015: exact for the worst pure mechanism" }, \
    { "basic", pure_basic, 0, "the sum" },                                                               \
    { "advanced", pure_advanced, 0, "Dwork, Rothblum and Vadhan 2010" },                                 \
    { "zcdp-cks", pure_zcdp, false, "as zCDP with rho = k eps0^2/2" }

static const struct account_method laplace_methods[] = {
    PURE_METHODS, { "rdp-cks", laplace_rdp, 0, "Laplace's own divergences (Mironov 2017)" }, { 0 }
};
static const struct account_method exponential_methods[] = {
    PURE_METHODS, { "range-zcdp", pure_zcdp, true, "bounded range: rho = k eps0^2/8" },
    { "range-rdp", exponential_rdp, 0, "the same, capped at eps0 a step" }, { 0 }
};
static const struct account_method pure_methods[] = { PURE_METHODS, { 0 } };

/* --- the accountants of DP-GCD, private greedy coordinate descent */

static double gcd(const struct account_case *c, int kind, double *lower)
{
    return account_gcd_eps((enum gcd_account)kind, c->eps0, (double)c->steps, c->delta);
}

static const struct account_method gcd_methods[] = {
    { "corrected", gcd, GCD_CORRECTED, "noisy maximum charged 2 eps'; smallest of three compositions" },
    { "eq2", gcd, GCD_EQ2, "equation 2 as printed: noisy maximum charged eps'" },
    { "basic", gcd, GCD_BASIC, "the sum of 2T eps'" },
    { "min-basic", gcd, GCD_MIN, "the smaller of equation 2 and the sum" },
    { "closed", gcd, GCD_CLOSED, "Theorem 4.2: 4 sqrt(T log 1/delta) eps', stated for epsilon <= 1" },
    { 0 }
};

/* --- the kinds of mechanisms */

#define REAL(field, def, hi, unit, doc) PARAM(account_case, field, def, 0, hi, unit, doc)
#define COUNT(field, def, doc) PARAM(account_case, field, def, 1, 1e9, "1", doc)
#define STEPS_OF_ONE PARAM(account_case, steps, 1, 1, 1e6, "1", "steps of one epoch")
#define EPOCHS PARAM(account_case, epochs, 1, 1, 1000, "1", "passes in the same order")
#define RESTART PARAM(account_case, restart, 0, 0, 1, "1", "1: fresh noise for every epoch")
#define SIGMA REAL(sigma, NAN, INFINITY, "1", "sd of the noise")
#define SENSITIVITY REAL(sensitivity, 1, INFINITY, "1", "largest change one record makes")
#define STEPS COUNT(steps, 1, "releases")
#define SHARE REAL(eps0, NAN, INFINITY, "1", "epsilon of one mechanism")

static const struct param gaussian_params[] = { SIGMA, SENSITIVITY, STEPS, PARAM_END };
static const struct param tree_params[] = {
    SIGMA, SENSITIVITY, STEPS_OF_ONE, EPOCHS, RESTART,
    PARAM(account_case, spare, 0, 0, 1e6, "1", "steps without data that complete the tree"),
    PARAM_END
};
static const struct param root_params[] = { SIGMA, SENSITIVITY, STEPS_OF_ONE, EPOCHS, RESTART,
                                            PARAM_END };
static const struct param sampled_params[] = {
    SIGMA, REAL(q, NAN, 1, "1", "rate of the Poisson sample"), SENSITIVITY, STEPS, PARAM_END
};
static const struct param subset_params[] = {
    SIGMA, REAL(q, NAN, 1, "1", "size of the subset over that of the data"), SENSITIVITY, STEPS,
    PARAM_END
};
static const struct param replacement_params[] = {
    SIGMA, REAL(q, NAN, 1, "1", "probability that a record is drawn"), SENSITIVITY, STEPS,
    REAL(failure, 0, 1, "1", "probability of each step that the sensitivity fails"), PARAM_END
};
static const struct param laplace_params[] = {
    REAL(scale, NAN, INFINITY, "1", "b of the noise"), SENSITIVITY, STEPS, PARAM_END
};
static const struct param share_params[] = { SHARE, STEPS, PARAM_END };
static const struct param snowball_params[] = {
    SIGMA, REAL(batch, NAN, 1e15, "1", "batch t is batch/sqrt(T-t+1), rounded up"), SENSITIVITY,
    PARAM(account_case, steps, 1, 1, 1e7, "1", "releases"), PARAM_END
};
static const struct param max_params[] = {
    REAL(scale, NAN, INFINITY, "1", "b of the noise of a score"), SENSITIVITY, STEPS,
    PARAM(account_case, sides, 2, 1, 2, "1", "1: one record moves all scores one way"), PARAM_END
};

const struct account_kind account_kinds[] = {
    { "gaussian", "Gaussian noise, all records in every release", gaussian_params, "sigma",
      gaussian_methods },
    { "subsampled-gaussian", "Gaussian noise on Poisson samples; a record added or removed",
      sampled_params, "sigma", sampled_methods },
    { "replacement", "Gaussian noise on samples drawn with replacement", replacement_params,
      "sigma", replacement_methods, replaced_open },
    { "subset", "Gaussian noise on subsets of fixed size; a record replaced", subset_params,
      "sigma", subset_methods },
    { "tree", "prefix sums of steps, noise by a binary tree", tree_params, "sigma", tree_methods },
    { "root", "prefix sums of steps, noise by the square root of their matrix", root_params,
      "sigma", root_methods },
    { "snowball", "one pass of noisy gradient steps, last iterate released", snowball_params,
      "sigma", snowball_methods },
    { "laplace", "Laplace noise", laplace_params, "scale", laplace_methods },
    { "noisy-max", "which of many scores is largest, with Laplace or exponential noise", max_params,
      "scale", pure_methods },
    { "gumbel-max", "the same with Gumbel noise: the exponential mechanism", max_params, "scale",
      exponential_methods },
    { "exponential", "exponential mechanism", share_params, "eps0", exponential_methods },
    { "pure", "any eps0-DP mechanism", share_params, "eps0", pure_methods },
    { "dp-gcd", "greedy coordinate descent: a noisy maximum and a Laplace step a round",
      share_params, "eps0", gcd_methods },
    { 0 }
};

/* --- solving for one parameter of a described mechanism */

/* What eps_at evaluates: the epsilon of case c by accountant m, with another value of the parameter p; share: this
 * parameter is a share of epsilon, and the argument of eps_at is its inverse, so that epsilon falls with the
 * argument. */
struct solving {
    const struct param *p;
    const struct account_method *m;
    const struct account_case *c;
    bool share;
};

static double eps_at(double x, const void *ctx)
{
    const struct solving *s = ctx;
    struct account_case c = *s->c;
    double ignored;
    *(double *)((char *)&c + s->p->offset) = s->share ? 1 / x : x;
    return s->m->eps(&c, s->m->how, &ignored);
}

double account_solve(const struct account_kind *kind, const struct account_method *m,
                     const struct account_case *c, double eps)
{
    bool share = strcmp(kind->solved, "eps0") == 0;
    struct solving s = { params_find(kind->params, kind->solved), m, c, share };
    double x = account_calibrate(eps_at, &s, eps);
    return share ? 1 / x * (1 - 1e-15) : x;
}
