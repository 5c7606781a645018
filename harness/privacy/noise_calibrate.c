/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise_calibrate.c - the noise that a privacy promise needs, for `tune`: accountants are solved for the noise.
 * Where sampling amplifies, the accountant is the composed privacy loss, or the Renyi divergences that published
 * experiments use. */
#include <math.h>

#include "privacy/account.h"
#include "privacy/account_pld.h"
#include "privacy/account_rdp.h"
#include "gdp_curve.h"
#include "noise.h"

/* The part of the given epsilon that noise_poisson_sd may leave unused, 0.2%. One evaluation of
 * pld_sampled_gaussian takes a tenth of a second, and a smaller margin takes more evaluations. */
static const double MARGIN = 2e-3;

struct bracket { double low, high; };    /* the sd `low` is not enough noise, `high` is */

/* Returns the next sd to try. Near the solution epsilon falls as a power of sd: the exponent is -1 at the first
 * call and then follows from the last two values of epsilon. */
static double next_guess(const struct bracket *b, double sd, double eps, double before,
                         double eps_before, double target)
{
    double power = isfinite(eps_before) ? log(eps / eps_before) / log(sd / before) : -1;
    double guess = sd * pow(target / eps, 1 / power);
    if (guess > b->low && guess < b->high)
        return guess;
    return b->low == 0 ? b->high / 2 : isinf(b->high) ? 2 * b->low : sqrt(b->low * b->high);
}

double noise_gcd_share(enum gcd_account account, double eps, double T, double delta)
{
    return account_gcd_share(account, eps, T, delta);
}

double noise_poisson_sd(double q, double times, double eps, double delta)
{
    struct bracket b = { 0, INFINITY };
    double before = NAN, eps_before = INFINITY;
    if (!(q > 0 && q <= 1 && times >= 1 && eps > 0 && delta > 0 && delta < 1))
        return INFINITY;
    double mu = gdp_mu(eps, delta), sd = 1 / sqrt(log1p(mu * mu / (times * q * q)));
    for (int turn = 0; turn < 60 && b.high > b.low * (1 + 1e-6); turn++) {
        double at = pld_sampled_gaussian(q, sd, times, delta).upper;
        *(at <= eps ? &b.high : &b.low) = sd;
        if (at <= eps && at >= (1 - MARGIN) * eps)
            break;
        double guess = next_guess(&b, sd, at, before, eps_before, (1 - MARGIN / 2) * eps);
        before = sd;
        eps_before = at;
        sd = guess;
    }
    return b.high;
}

/* --- the noise of Poisson samples by Renyi divergences */

struct poisson {
    double q, times, eps, delta;
    int *order;                      /* the best order of the last evaluation */
};
enum { ORDER_LEAST = 2, ORDER_MOST = 256 };      /* the orders are all integers between these */

static double eps_of_order(const struct poisson *p, double sd, int a)
{
    return p->times * rdp_sampled_gaussian(p->q, sd, a) + log(1 / p->delta) / (a - 1);
}

/* Returns the smallest epsilon over all orders. As a function of the order a, epsilon falls and then rises, because
 * it is a convex function of a (the log moment plus a constant) over a - 1. From one call to the next the best
 * order moves little: the search starts at the best order of the last call, with steps that double until the best
 * order lies between two orders that were tried. */
static double best_order(double sd, const void *ctx)
{
    const struct poisson *p = ctx;
    int low = ORDER_LEAST, high = ORDER_MOST, at = *p->order < high ? *p->order : high - 1;
    for (int step = 1; low < high; step *= 2) {
        bool rises = eps_of_order(p, sd, at) <= eps_of_order(p, sd, at + 1);
        *(rises ? &high : &low) = rises ? at : at + 1;
        int next = rises ? at - step : at + step;
        at = low <= next && next < high ? next : (low + high) / 2;
    }
    *p->order = low;
    return eps_of_order(p, sd, low);
}

static double calibrated(struct poisson p)
{
    int order = ORDER_MOST / 2;
    p.order = &order;
    return account_calibrate(best_order, &p, p.eps);
}

/* The last results are kept, since every run of a method under audit asks for the same noise again. */
double noise_poisson_rdp_sd(double q, double times, double eps, double delta)
{
    enum { KEPT = 16 };
    static _Thread_local struct { struct poisson of; double sd; } kept[KEPT];
    static _Thread_local int next;
    const struct poisson p = { q, times, eps, delta, NULL };
    if (!(q > 0 && q <= 1 && times >= 1 && eps > log(1 / delta) / 255 && delta > 0 && delta < 1))
        return INFINITY;
    for (int k = 0; k < KEPT; k++) {
        const struct poisson *known = &kept[k].of;
        if (known->q == q && known->times == times && known->eps == eps && known->delta == delta)
            return kept[k].sd;
    }
    double sd = calibrated(p);
    kept[next].of = p;
    kept[next].sd = sd;
    next = (next + 1) % KEPT;
    return sd;
}
