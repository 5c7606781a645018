/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_rdp.h - Renyi differential privacy on a grid of orders (Mironov 2017): divergences of single mechanisms,
 * their sums, and the (eps, delta) that follow.
 *
 * Rounding is as in account.h. At an order where a mechanism has no bound its divergence is infinite, so that the
 * order never decides. The adjacency is that for which the sensitivity was measured; Poisson sampling at rate q is
 * for records added or removed. */
#ifndef ASSAY_ACCOUNT_RDP_H
#define ASSAY_ACCOUNT_RDP_H

#include "privacy/account.h"

/* --- one mechanism at one order a > 1 */

/* Returns the divergence of Gaussian noise with mu = sensitivity/sd: a mu^2/2 (Proposition 7). */
double rdp_gaussian(double mu, double a);
/* Returns the divergence of Gaussian noise sd on a sum of sensitivity 1 over a Poisson sample of rate q (Mironov,
 * Talwar & Zhang 2019), for orders up to 11 and integers up to 1024; infinity at other orders. */
double rdp_sampled_gaussian(double q, double sd, double a);
/* Returns log E (p/p0)^a under p0 = N(0, sd^2), where p = (1-q) p0 + q N(1, sd^2), for any real |a| <= 1024; to
 * 1e-12 relative. Exception: where sd is so small that the integral takes more than half a million points (below
 * 0.0034 at a = 2, 0.04 at a = 300), the result is a bound by convexity, whose divergence is larger. For a > 1 the
 * result is (a-1) times the divergence; for a in (0,1) it is negative. */
double rdp_log_moment(double q, double sd, double a);
/* Returns the divergence of Laplace noise with scale sensitivity/eps0 (Proposition 6). */
double rdp_laplace(double eps0, double a);
/* Returns a bound on the divergence of any eps0-DP mechanism: min(eps0, a eps0^2/2) (Bun & Steinke 2016,
 * Proposition 3.3). */
double rdp_pure(double eps0, double a);
/* Returns a bound on the divergence of the exponential mechanism, which is eps0-DP and has a bounded range:
 * min(eps0, a eps0^2/8) (Cesar & Rogers 2021). */
double rdp_exponential(double eps0, double a);
/* Bounds the divergence of a mechanism on a part s of the data, drawn with replacement. Its divergence is at most a
 * tau between any two of three cases: the record takes part, it does not, it is changed. Returns 13 s^2 a tau for
 * a < 3/tau, tau <= 1/3, s < 1/40, else infinity (Bun, Dwork, Rothblum & Steinke 2018, Theorem 12, as ReSQue's
 * Proposition 7). */
double rdp_replacement(double s, double tau, double a);

/* Returns the divergence of Gaussian noise on a uniform subset, a part s of the data. Any two of these cases differ
 * by at most mu in units of the noise: the record is in the subset, it is not, it is in it and changed (Wang, Balle
 * & Kasiviswanathan 2019, Theorem 9). It is computed for integer orders up to 1024 and, by interpolation, for
 * others up to 11; else it is infinite. The bound may exceed what s = 1 costs: take the smaller of the two. mu is
 * that of a replaced record, and twice that of a zeroed one, since a subset without the record has another record
 * in its place. */
double rdp_subset(double s, double mu, double a);

/* --- sums of divergences on a grid of orders */

enum { RDP_ORDERS = 163 };
/* The orders 1.001, 1.01, 1.02, 1.05; 1.1 to 10.9 by tenths; 11 to 64; 80, 96, 128, 256, 512, 1024. */
extern const double rdp_order[RDP_ORDERS];

/* The Renyi divergence of a composition: divergence[k] at order rdp_order[k]. It holds except with probability
 * `failure` (approximate RDP). */
struct rdp { double divergence[RDP_ORDERS], failure; };

/* c += the divergences of times >= 0 uses of one mechanism, with the arguments of the function of the same name
 * above. */
void rdp_add_gaussian(struct rdp *c, double times, double mu);
void rdp_add_sampled_gaussian(struct rdp *c, double times, double q, double sd);
void rdp_add_laplace(struct rdp *c, double times, double eps0);
void rdp_add_pure(struct rdp *c, double times, double eps0);
void rdp_add_exponential(struct rdp *c, double times, double eps0);
void rdp_add_replacement(struct rdp *c, double times, double s, double tau);
void rdp_add_subset(struct rdp *c, double times, double s, double mu);
/* c += times the divergences of b. Failure probabilities add up, too. */
void rdp_add(struct rdp *c, double times, const struct rdp *b);
/* How a divergence at one order becomes an epsilon, which is at least 0: by Mironov 2017, Proposition 3, or by
 * Canonne, Kamath & Steinke 2020, Proposition 12. */
enum rdp_conversion { RDP_MIRONOV, RDP_CKS };
double rdp_convert(enum rdp_conversion how, double divergence, double a, double delta);
/* Returns the smallest epsilon at delta over all orders; *order (may be NULL) <- the order that gives it. With a
 * failure probability f it is the smallest eps with delta' + (1 + e^eps) f <= delta, where eps is converted at
 * delta' (ReSQue's Corollary 1); infinite if there is none. */
double rdp_eps(enum rdp_conversion how, const struct rdp *c, double delta, double *order);
/* Returns what rdp_eps returns, over integer orders only: for comparison with published figures. */
double rdp_eps_integer(enum rdp_conversion how, const struct rdp *c, double delta, double *order);

#endif
