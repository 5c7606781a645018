/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_price_pure.c - accountants of described mechanisms that are pure, and of DP-GCD. */
#include <math.h>

#include "privacy/account_price.h"
#include "privacy/account_rdp.h"

/* --- pure mechanisms */

/* Of a noisy maximum twice that of its noise, unless all scores move one way; else sides is 0. */
static double share_of(const struct account_case *c)
{
    if (isnan(c->scale))
        return c->eps0;
    double change = fmax(1, (double)c->sides) * c->sensitivity;
    return change > 0 ? change / c->scale * (1 + 1e-15) : 0;
}

static double pure_basic(const struct account_case *c, double *lower)
{
    double k = (double)c->steps, e = share_of(c);
    return account_basic(1, &k, &e);
}

static double pure_advanced(const struct account_case *c, double *lower)
{
    double k = (double)c->steps, e = share_of(c);
    return account_advanced(1, &k, &e, c->delta);
}

static double pure_optimal(const struct account_case *c, double *lower)
{
    return account_pure_optimal(share_of(c), 0, c->steps, c->delta);
}

static double pure_zcdp(const struct account_case *c, double *lower)
{
    double k = (double)c->steps, e = share_of(c);
    return account_zcdp_cks(account_pure_rho(1, &k, &e, false), c->delta, NULL);
}

static double exponential_zcdp(const struct account_case *c, double *lower)
{
    double k = (double)c->steps, e = share_of(c);
    return account_zcdp_cks(account_pure_rho(1, &k, &e, true), c->delta, NULL);
}

static double laplace_rdp(const struct account_case *k, double *lower)
{
    struct rdp c = { .failure = 0 };
    rdp_add_laplace(&c, (double)k->steps, share_of(k));
    return rdp_eps(RDP_CKS, &c, k->delta, NULL);
}

static double exponential_rdp(const struct account_case *k, double *lower)
{
    struct rdp c = { .failure = 0 };
    rdp_add_exponential(&c, (double)k->steps, share_of(k));
    return rdp_eps(RDP_CKS, &c, k->delta, NULL);
}

#define PURE_METHODS                                                          \
    { "optimal", pure_optimal,                                                \
      "Kairouz, Oh and Viswanath 2015: exact for the worst pure mechanism" }, \
        { "basic", pure_basic, "the sum" },                                   \
        { "advanced", pure_advanced, "Dwork, Rothblum and Vadhan 2010" },     \
    {                                                                         \
        "zcdp-cks", pure_zcdp, "as zCDP with rho = k eps0^2/2"                \
    }

const struct account_method account_laplace_methods[] = {
    PURE_METHODS, { "rdp-cks", laplace_rdp, "Laplace's own divergences (Mironov 2017)" }, { 0 }
};
const struct account_method account_exponential_methods[] = {
    PURE_METHODS, { "range-zcdp", exponential_zcdp, "bounded range: rho = k eps0^2/8" },
    { "range-rdp", exponential_rdp, "the same, capped at eps0 a step" }, { 0 }
};
const struct account_method account_pure_methods[] = { PURE_METHODS, { 0 } };

/* --- DP-GCD */

#define GCD(word, kind)                                                    \
    static double word(const struct account_case *c, double *lower)        \
    {                                                                      \
        return account_gcd_eps(kind, c->eps0, (double)c->steps, c->delta); \
    }
GCD(gcd_closed, GCD_CLOSED)
GCD(gcd_eq2, GCD_EQ2)
GCD(gcd_basic, GCD_BASIC)
GCD(gcd_min, GCD_MIN)
GCD(gcd_corrected, GCD_CORRECTED)

const struct account_method account_gcd_methods[] = {
    { "corrected", gcd_corrected, "noisy maximum charged 2 eps'; smallest of three compositions" },
    { "eq2", gcd_eq2, "equation 2 as printed: noisy maximum charged eps'" },
    { "basic", gcd_basic, "the sum of 2T eps'" },
    { "min-basic", gcd_min, "the smaller of equation 2 and the sum" },
    { "closed", gcd_closed, "Theorem 4.2: 4 sqrt(T log 1/delta) eps', stated for epsilon <= 1" },
    { 0 }
};
