/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_curve.c - Renyi divergences on the grid of orders: composition and conversion. */
#include <math.h>

#include "privacy/account_rdp.h"

#define TENTHS(n) \
    n + 0.0, n + 0.1, n + 0.2, n + 0.3, n + 0.4, n + 0.5, n + 0.6, n + 0.7, n + 0.8, n + 0.9
#define ONES(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9

const double rdp_order[RDP_ORDERS] = {
    1.001,     1.01,      1.02,      1.05,      1.1,       1.2,        1.3,       1.4,
    1.5,       1.6,       1.7,       1.8,       1.9,       TENTHS(2),  TENTHS(3), TENTHS(4),
    TENTHS(5), TENTHS(6), TENTHS(7), TENTHS(8), TENTHS(9), TENTHS(10), ONES(11),  ONES(21),
    ONES(31),  ONES(41),  ONES(51),  61,        62,        63,         64,        80,
    96,        128,       256,       512,       1024,
};

/* --- composition; no uses cost nothing, whatever they would cost */

static void add(struct rdp *c, int k, double times, double divergence)
{
    if (times > 0)
        c->divergence[k] += times * divergence * (1 + 1e-15);
    else if (!(times == 0))
        c->divergence[k] = INFINITY;
}

void rdp_add_gaussian(struct rdp *c, double times, double mu)
{
    for (int k = 0; k < RDP_ORDERS; k++)
        add(c, k, times, rdp_gaussian(mu, rdp_order[k]));
}

void rdp_add_sampled_gaussian(struct rdp *c, double times, double q, double sd)
{
    for (int k = 0; k < RDP_ORDERS; k++)
        add(c, k, times, rdp_sampled_gaussian(q, sd, rdp_order[k]));
}

void rdp_add_laplace(struct rdp *c, double times, double eps0)
{
    for (int k = 0; k < RDP_ORDERS; k++)
        add(c, k, times, rdp_laplace(eps0, rdp_order[k]));
}

void rdp_add_pure(struct rdp *c, double times, double eps0)
{
    for (int k = 0; k < RDP_ORDERS; k++)
        add(c, k, times, rdp_pure(eps0, rdp_order[k]));
}

void rdp_add_exponential(struct rdp *c, double times, double eps0)
{
    for (int k = 0; k < RDP_ORDERS; k++)
        add(c, k, times, rdp_exponential(eps0, rdp_order[k]));
}

void rdp_add_replacement(struct rdp *c, double times, double s, double tau)
{
    for (int k = 0; k < RDP_ORDERS; k++)
        add(c, k, times, rdp_replacement(s, tau, rdp_order[k]));
}

void rdp_add_subset(struct rdp *c, double times, double s, double mu)
{
    for (int k = 0; k < RDP_ORDERS; k++)
        add(c, k, times, fmin(rdp_subset(s, mu, rdp_order[k]), rdp_gaussian(mu, rdp_order[k])));
}

void rdp_add(struct rdp *c, double times, const struct rdp *b)
{
    for (int k = 0; k < RDP_ORDERS; k++)
        add(c, k, times, b->divergence[k]);
    c->failure += times > 0 ? times * b->failure : 0;
}

void rdp_max(struct rdp *c, const struct rdp *b)
{
    for (int k = 0; k < RDP_ORDERS; k++)
        c->divergence[k] = fmax(c->divergence[k], b->divergence[k]);
    c->failure = fmax(c->failure, b->failure);
}

/* --- conversion */

double rdp_convert(enum rdp_conversion how, double divergence, double a, double delta)
{
    if (!(divergence >= 0 && a > 1 && delta > 0))
        return INFINITY;
    double cost = -log(delta) / (a - 1), gain = 0;
    if (how == RDP_CKS)
        gain = log(a) / (a - 1) - log1p(-1 / a);
    double eps = divergence + cost - gain;
    return fmax(0, eps + ACCOUNT_SLACK / 4 * (fabs(cost) + gain));
}

/* delta' + (1 + e^eps(delta')) f is convex in delta': e^eps is c delta'^(-1/(a-1)), cut at 1. Its
 * minimum is at the smaller of the stationary point and the cut; right of it the search is for the
 * largest delta' that fits, whose epsilon is the smallest. */
static double convert_failing(enum rdp_conversion how, double divergence, double a, double delta,
                              double f)
{
    if (f == 0)
        return rdp_convert(how, divergence, a, delta);
    if (!(f > 0 && isfinite(divergence)))
        return INFINITY;
    double gain = how == RDP_CKS ? log(a) / (a - 1) - log1p(-1 / a) : 0, log_c = divergence - gain;
    double cut = (a - 1) * log_c, still = (a - 1) / a * (log(f / (a - 1)) + log_c);
    double low = exp(fmin(fmin(still, cut), log(delta))), high = delta;
    if (!(low + (1 + exp(rdp_convert(how, divergence, a, low))) * f <= delta))
        return INFINITY;
    while (high - low > 1e-13 * high) {
        double mid = low + (high - low) / 2;
        if (mid + (1 + exp(rdp_convert(how, divergence, a, mid))) * f <= delta)
            low = mid;
        else
            high = mid;
    }
    return rdp_convert(how, divergence, a, low);
}

static double smallest(enum rdp_conversion how, const struct rdp *c, double delta, double *order,
                       bool integers)
{
    double best = INFINITY;
    if (order)
        *order = NAN;
    for (int k = 0; k < RDP_ORDERS; k++) {
        if (integers && rdp_order[k] != rint(rdp_order[k]))
            continue;
        double eps = convert_failing(how, c->divergence[k], rdp_order[k], delta, c->failure);
        if (eps < best) {
            best = eps;
            if (order)
                *order = rdp_order[k];
        }
    }
    return best;
}

double rdp_eps(enum rdp_conversion how, const struct rdp *c, double delta, double *order)
{
    return smallest(how, c, delta, order, false);
}

double rdp_eps_integer(enum rdp_conversion how, const struct rdp *c, double delta, double *order)
{
    return smallest(how, c, delta, order, true);
}
