/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account.h - privacy accountants as pure functions: they compute the epsilon of mechanisms whose noise is given by
 * numbers.
 *
 * Rounding: an epsilon is rounded upwards only. It is at least what its formula gives in exact arithmetic, and
 * exceeds that by at most ACCOUNT_SLACK of the formula's largest term unless the function says otherwise. A noise
 * scale found by inversion is rounded upwards, and a share, the part of epsilon that one mechanism may use,
 * downwards, by at most 1e-10. For arguments out of range, and for NaN, epsilon is infinite and a share is 0.
 *
 * Letters: mu = sensitivity/sd of Gaussian noise, rho = mu^2/2 the zCDP of this noise, eps0 the epsilon of one pure
 * mechanism, k the number of mechanisms composed; 0 < delta < 1. */
#ifndef ASSAY_ACCOUNT_H
#define ASSAY_ACCOUNT_H

#include <stdbool.h>

#include "noise.h"

#define ACCOUNT_SLACK 1e-11

/* --- Gaussian noise, exact (Balle & Wang 2018, Theorem 8); k releases, each of parameter mu, cost as much as one
 * of mu sqrt(k) */

/* Returns the smallest eps >= 0 at which noise of parameter mu is (eps, delta)-private. delta may be any double >
 * 0. */
double account_gaussian_eps(double mu, double delta);
/* Returns the smallest delta at eps >= 0, at most 1e-10 relative too large, and never 0 for mu > 0. */
double account_gaussian_delta(double mu, double eps);
/* Returns the smallest sd, per unit of sensitivity, at which the noise is (eps, delta)-private; eps >= 0. */
double account_gaussian_sigma(double eps, double delta);

/* --- zCDP: epsilon from rho, and rho from epsilon */

/* Returns rho + 2 sqrt(rho log 1/delta) (Bun & Steinke 2016, Proposition 1.3). */
double account_zcdp_bun_steinke(double rho, double delta);
/* Returns the infimum over a > 1 of rho a + log(1/(a delta))/(a-1) + log(1-1/a) (Canonne, Kamath & Steinke 2020,
 * Corollary 13), at least 0; *order (may be NULL) <- the minimiser a. */
double account_zcdp_cks(double rho, double delta, double *order);
/* Returns the largest rho whose Bun-Steinke epsilon is eps. */
double account_zcdp_rho(double eps, double delta);

/* --- pure mechanisms: times[i] mechanisms of eps0[i] each, i < n */

/* Returns the sum of times[i] eps0[i]. */
double account_basic(int n, const double *times, const double *eps0);
/* Returns sqrt(2 log(1/delta) sum_i times[i] eps0[i]^2) + sum_i times[i] eps0[i] (e^eps0[i] - 1) (Dwork, Rothblum &
 * Vadhan 2010). If each of k mechanisms is only (eps0, delta0)-private, this epsilon holds at delta + k delta0. */
double account_advanced(int n, const double *times, const double *eps0, double delta);
/* Returns the zCDP of the composition: rho = sum_i times[i] eps0[i]^2/2, or a quarter of this for exponential
 * mechanisms (bounded range: Cesar & Rogers 2021). */
double account_pure_rho(int n, const double *times, const double *eps0, bool exponential);
/* Returns the smallest epsilon that holds for any k mechanisms, each (eps0, delta0). It is exact, and attained by
 * randomised response (Kairouz, Oh & Viswanath 2015, Theorem 3.3). 1 <= k <= 1e7, 0 <= delta0 < 1; the error is at
 * most 1e-9. */
double account_pure_optimal(double eps0, double delta0, long k, double delta);

/* Returns the smallest eps >= 0 with sum_i mass_i max(0, 1 - e^(eps - loss_i)) <= delta, where loss_i = top - i
 * step, i < n. The sum is the delta of a discrete privacy loss. mass >= 0 may sum to less than 1. The result is
 * infinite for delta < 0, where no eps is enough. */
double account_loss_eps(long n, double top, double step, const double *mass, double delta);

/* --- DP-GCD, private greedy coordinate descent, runs T iterations. Each has a noisy maximum and a step with
 * Laplace noise, and both are booked with the same eps' */

/* Returns the epsilon of T iterations in which each mechanism has eps' = share. GCD_EQ2: advanced composition of 2T
 * mechanisms (equation 2). GCD_BASIC: 2T eps'. GCD_MIN: the smaller of these two. GCD_CORRECTED: the noisy maximum
 * is charged 2 eps', and the smallest of advanced, basic and zCDP composition counts. GCD_CLOSED: 4 sqrt(T log
 * 1/delta) eps' (Theorem 4.2, proven for eps <= 1). */
double account_gcd_eps(enum gcd_account kind, double share, double T, double delta);
/* Returns the largest eps' whose T iterations cost at most eps. noise_gcd_share (noise.h) is this function. */
double account_gcd_share(enum gcd_account kind, double eps, double T, double delta);

/* --- the record that pays most: each record pays for the uses in which it takes part, and the cost of a run is the
 * largest sum that any record pays */

/* One use of a mechanism: all records of [first, first + count) pay price >= 0, in any currency that
 * adds up (eps, rho, mu^2, a Renyi divergence at one order). */
struct account_use { double first, count, price; };
/* Returns the price that the record pays which pays most; 0 for n == 0. */
double account_worst_record(long n, const struct account_use *use);
/* Which nodes of a binary tree over the steps 1..T a release uses. TREE_FENWICK: those in the dyadic decomposition
 * of some prefix, which are the 1st, 3rd, 5th, ... node of each level. TREE_FULL: all nodes. Either form has only
 * nodes that end at a step <= T. */
enum tree_form { TREE_FENWICK, TREE_FULL };
/* Returns mu^2 of one record that takes part in the steps step[k] (ascending, within 1..T) and changes step[j] by
 * up to s[j] in 2-norm, j < k, in the worst case all in one direction: the sum over nodes of (sum of s in the
 * node)^2/sd^2. sd[t - 1]: the noise of the Fenwick node that ends at step t <= T. NULL: 1 for all nodes; TREE_FULL
 * takes no other. */
double account_tree_mu2(enum tree_form form, long T, long k, const long *step, const double *s,
                        const double *sd);
/* Returns what account_tree_mu2 does, for a stream of prefix sums of either kind (noise.h). sd[t - 1] is the noise
 * of the Fenwick node that ends at step t or, for PREFIX_ROOT, of draw Z_t, and infinite where it was never
 * released. For PREFIX_ROOT it takes O(k T) time. */
double account_steps_mu2(enum prefix_kind kind, long T, long k, const long *step, const double *s,
                         const double *sd);
/* One participation of a record in a stream of prefix sums: at some step of first..last, within 1..T, which the
 * record changes by up to s in 2-norm. */
struct account_part { long first, last; double s; };
/* Returns mu^2 of a record with these k participations, with noise of sd 1 per Fenwick node or draw: the sum over
 * all pairs of participations of s s' <h_i, h_j>, at the steps i and j of the two that make it largest, where h_i
 * is what a change of step i does to the nodes or draws. Where first = last, this is exact if all changes go in one
 * direction. Otherwise (epochs in shuffled order) it is an upper bound, because each pair is taken at the steps
 * that are worst for this pair. */
double account_prefix_mu2(enum prefix_kind kind, long T, long k, const struct account_part *part);
/* Returns the squared sensitivity of one full tree over `epochs` passes in the same order, for a record that
 * changes one step of each pass by 1; `spare` steps without data complete the tree (Kairouz et al. 2021, section
 * 5). */
double account_tree_epochs(long steps, long epochs, long spare);

/* Returns, by amplification by iteration, mu of T noisy projected gradient steps of which only the last iterate is
 * released, max_t change/(batch_t sd sqrt(T-t+1)). batch[T]: batch sizes; sd: noise of every step on the mean
 * gradient; change: the largest difference of two sample gradients (2L; where a record is zeroed L). It holds for
 * convex smooth losses and steps <= 2/M only (Feldman, Koren & Talwar 2020, snowball). */
double account_snowball_mu(long T, const double *batch, double change, double sd);

/* --- audits: v correct of r guesses among m canaries (Steinke, Nasr & Jagielski 2023, 5.2) */

/* Returns the p-value of the hypothesis that the training was (eps, delta)-DP. */
double account_audit_p(double m, long r, long v, double eps, double delta);
/* Returns a lower confidence bound on epsilon at level 1 - p, or 0; rounded downwards, to 1e-9. */
double account_audit_eps(double m, long r, long v, double delta, double p);

/* --- inversion of an accountant: the noise scale with a given epsilon */

/* Returns the smallest x > 0 with eps_at(x) <= eps for a falling eps_at, rounded upwards: to 1e-11 relative, or as
 * closely as the rounding errors of eps_at allow. Returns 0 where any positive number is enough, infinity where
 * none is, and NaN where eps_at is NaN on one side of the root. */
double account_calibrate(double (*eps_at)(double x, const void *ctx), const void *ctx, double eps);

#endif
