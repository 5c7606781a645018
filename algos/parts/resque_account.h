/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_account.h - upper bounds on the privacy cost of calls of Algorithms 4 and 5 (resque_erm.h), as Renyi
 * divergences that are linear in the order a: D_a <= slope a for a < cap. Methods use them to plan, and to stop
 * before the cost exceeds what was promised. The cost of a run is computed from the ledger by accountants that do
 * not use this file.
 *
 * A phase of Algorithm 4 makes T draws from n samples and releases a mean; each draw of a record moves the mean by
 * at most mu standard deviations of the noise. Except with probability f a record is drawn at most m times, m >= 1
 * the least with (T/n)^(m+1)/(m+1)! <= f. With tau = (m mu)^2/2 <= 1/3 and s = T/n < 1/40 the phase has the slope
 * 13 s^2 tau for a < 3/tau (Bun, Dwork, Rothblum, Steinke 2018, Theorem 12; Proposition 7), else the slope tau.
 * Slopes add. A pair (slope, cap) and a delta' give
 *
 *     eps = min over a < cap of a slope + log(1/delta')/(a - 1)
 *
 * and the failures f add (1 + e^eps) times their sum to delta' (Corollary 1).
 *
 * The account of the paper is kept too, in three readings. In a call of Algorithm 4 with noise parameter beta and T
 * gradients a record is drawn at most b = 2 log(2/delta) times, and s <= 1.2 T/n. With tau = c b^2 beta^2 <= 1/3
 * and s < 1/40 the slope of the call is 13 s^2 tau for a < 3/tau; otherwise A and B give no price:
 *
 *     A  c = 1500 (Lemma 5, where rho/r >= 3456 log^2(log T/delta))
 *     B  c as measured, b = 2, without a proof
 *     C  the slope is (beta log(1/delta) T/n)^2 for a < (beta log(1/delta))^-2: the formula with constant 1 */
#ifndef ASSAY_PARTS_RESQUE_ACCOUNT_H
#define ASSAY_PARTS_RESQUE_ACCOUNT_H

#include "resque_erm.h"

struct renyi_line { double slope, cap; };

/* Returns the epsilon of the line l at the failure probability delta' = delta; infinite if no order above 1 is
 * below the cap of l. */
static inline double renyi_eps(struct renyi_line l, double delta)
{
    double log_1 = log(1 / delta), a = 1 + sqrt(log_1 / l.slope);
    if (l.slope == 0)
        return isinf(l.cap) ? 0 : log_1 / (l.cap - 1);
    if (!(l.cap > 1))
        return INFINITY;
    a = fmin(a, l.cap);
    return a * l.slope + log_1 / (a - 1);
}

/* Returns the largest slope for which renyi_eps is at most eps; 0 if there is none. */
static inline double renyi_slope(double eps, double cap, double delta)
{
    double low = 0, high = eps;
    for (int k = 0; k < 60; k++) {
        double mid = low + (high - low) / 2;
        if (renyi_eps((struct renyi_line){ mid, cap }, delta) <= eps)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static inline void renyi_add(struct renyi_line *to, double times, struct renyi_line l)
{
    if (times > 0)
        to->slope += times * l.slope;
    if (times > 0 && l.cap < to->cap)
        to->cap = l.cap;
}

struct resque_price {
    double n, d, L, r, rho;
    enum resque_drift drift;
    double c_drift;
    double excess;                   /* f of the head, for one phase */
};

static inline double resque_copies(double T, double n, double f)
{
    double term = T / n, m = 0;
    while (term > f && m < T)
        term *= T / n / (++m + 1);
    return fmax(1, m);
}

static inline struct renyi_line resque_price_draw(double s, double tau)
{
    bool amplified = tau <= 1.0 / 3 && s < 1.0 / 40;
    return (struct renyi_line){ amplified ? 13 * s * s * tau : tau,
                                amplified ? 3 / tau : INFINITY };
}

/* Returns the price of a call of Algorithm 4, as the slope and cap of the head, for any start within 2r of the
 * minimiser. */
static inline struct renyi_line resque_price_convex(const struct resque_price *p, double beta,
                                                    double T)
{
    struct renyi_line sum = { 0, INFINITY };
    int k = resque_erm_phases(T);
    double eta = resque_erm_eta(p->L, p->d, 2 * p->r, beta, T);
    for (int i = 1; i <= k; i++) {
        double T_i = ldexp(1, k - i);
        double c = resque_drift_c(p->drift, p->c_drift, p->L, p->d, p->r, p->rho, ldexp(eta, -2 * i), T_i);
        double mu = c * beta * resque_copies(T_i, p->n, p->excess) * (1 + 1e-9);
        renyi_add(&sum, 1, resque_price_draw(T_i / p->n, mu * mu / 2));
    }
    return sum;
}

/* Returns the price of a call of Algorithm 5, as the slope and cap of the head. */
static inline struct renyi_line resque_price_strongly(const struct resque_price *p, double beta,
                                                      double T)
{
    struct renyi_line sum = { 0, INFINITY };
    int k = resque_sc_stages(T);
    for (int i = 0; i < k; i++)
        renyi_add(&sum, 1, resque_price_convex(p, resque_sc_beta(beta, k, i),
                                               resque_sc_steps(T, k, i)));
    return sum;
}

/* --- the price of a call of Algorithm 5 in the three readings of the paper; delta_c is the failure probability of
 * a call of Algorithm 4 */

enum resque_mode { MODE_A, MODE_B, MODE_C, MODES };

static inline struct renyi_line resque_mode_convex(enum resque_mode mode, double c_drift,
                                                   double delta_c, double beta, double T, double n)
{
    double b = mode == MODE_A ? 2 * log(2 / delta_c) : 2, c = mode == MODE_A ? 1500 : c_drift;
    double tau = c * b * b * beta * beta, s = 1.2 * T / n, log_c = beta * log(1 / delta_c);
    if (mode == MODE_C)
        return (struct renyi_line){ log_c * log_c * (T / n) * (T / n), 1 / (log_c * log_c) };
    if (!(tau <= 1.0 / 3 && s < 1.0 / 40))
        return (struct renyi_line){ INFINITY, 1 };
    return (struct renyi_line){ 13 * s * s * tau, 3 / tau };
}

static inline struct renyi_line resque_mode_strongly(enum resque_mode mode, double c_drift,
                                                     double delta_c, double beta, double T,
                                                     double n)
{
    struct renyi_line sum = { 0, INFINITY };
    int k = resque_sc_stages(T);
    for (int i = 0; i < k; i++)
        renyi_add(&sum, 1, resque_mode_convex(mode, c_drift, delta_c, resque_sc_beta(beta, k, i),
                                              resque_sc_steps(T, k, i), n));
    return sum;
}

#endif
