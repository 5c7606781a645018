/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zo_terms.h - noise, step length and length of an epoch of private zeroth-order O2NC (Zhang, Tran & Cutkosky
 * 2024). The objective has F(x_1) - inf F <= Phi; delta is the smoothing radius, M the number of samples of the
 * run, T the number of steps of an epoch, B1 the batch size of its first step and B2 that of the others. rho is the
 * privacy: the run is (alpha, alpha rho^2/2)-RDP for all alpha > 1. Let phi = Phi + L delta, a = phi/(delta M), m =
 * floor(lg T), lg to base 2. s_1 is the sensitivity of GRAD (two_point.h), and s that of DIFF at two points at
 * distance 2D = 2 delta/T:
 *
 *     s_1 = 2 d L/B1,  s = 4 d L/(B2 T)
 *     paper   sigma = sqrt(2 ln T) s/rho,  B1 >= T B2/2               (Corollary 4.4)
 *     safe    sigma = sqrt(ceil(lg T) + 1) max(s_1, s)/rho
 *     exact   sigma = sqrt(max( (m+1) s_1^2, m s^2 ))/rho, as a step t >= 2 is in at most m nodes
 *
 *     T1 = (sqrt d L/a)^(2/3),  T2 = (d^(3/2) L/(rho a))^(1/2),  T = max(T1, T2)      (Theorem 4.9)
 *
 * T1 and T2 equate the terms d^(1/2) L/T^(1/2) and d^(3/2) L/(T rho) of the bound with its term T a. The paper
 * prints T = min(T1, T2), for which one of the two may exceed T a. */
#ifndef ASSAY_PARTS_ZO_TERMS_H
#define ASSAY_PARTS_ZO_TERMS_H

#include <math.h>
#include <string.h>

#include "algo.h"
#include "tree_reach.h"
#include "two_point.h"

struct zo_terms {
    double d, L, Phi, delta, M, rho; /* an infinite rho means no noise */
    double T, B1, B2, directions;
};

static inline double zo_sensitivity_first(const struct zo_terms *z)
{
    return two_point_grad_sensitivity(z->d, z->L, z->B1);
}

static inline double zo_sensitivity_rest(const struct zo_terms *z)
{
    return two_point_diff_sensitivity(z->d, z->L, z->B2, 1, 2 / z->T);
}

/* Returns sigma times rho by the calibration `exact`: the reach of one record. */
static inline double zo_nodes_sensitivity(const struct zo_terms *z, bool tree)
{
    return tree_reach(tree, z->T, zo_sensitivity_first(z), zo_sensitivity_rest(z));
}

/* Returns sigma, the standard deviation of the noise of each node or, without a tree, of each summand. */
static inline double zo_sigma(const struct zo_terms *z, const char *calibration, bool tree)
{
    double s = fmax(zo_sensitivity_first(z), z->T > 1 ? zo_sensitivity_rest(z) : 0);
    if (isinf(z->rho))
        return 0;
    if (!tree || strcmp(calibration, "exact") == 0)
        return zo_nodes_sensitivity(z, tree) / z->rho;
    if (strcmp(calibration, "safe") == 0)
        return sqrt(ceil(log2(z->T)) + 1) * s / z->rho;
    return sqrt(2 * log(z->T)) * zo_sensitivity_rest(z) / z->rho;
}

/* --- the G in the step length D/(G sqrt T) of the learner: G^2 >= E|g~|^2, g~ the noisy gradient */

/* Returns an upper bound on E|grad F_delta(w_t) - g_t|^2 (Lemma 4.8), where w_t is the point of step t, and g_t the
 * estimate of its gradient before noise is added. */
static inline double zo_variance(const struct zo_terms *z)
{
    return 16 * z->d * z->L * z->L * (1 / z->B1 + 4 / (z->B2 * z->T));
}

/* Returns the mean over the epoch of the number of noise vectors in a prefix. */
static inline double zo_nodes(const struct zo_terms *z, bool tree)
{
    return !tree ? (1 + z->T) / 2 : z->T > 1 ? log2(z->T) / 2 : 1;
}

/* Returns an upper bound on E|TREE(t)|^2 (Corollary 4.5), TREE(t) the noise of prefix t, also for T = 1, where the
 * paper counts no node. With independent noise, returns the mean over t, which the regret depends on. */
static inline double zo_noise(const struct zo_terms *z, double sigma, bool tree)
{
    return (tree ? fmax(2 * log(z->T), 1) : zo_nodes(z, false)) * z->d * sigma * sigma;
}

/* Returns G, the bound on gradient estimates, with the constants of the proof of Theorem 4.9. */
static inline double zo_G_theory(const struct zo_terms *z, double sigma, bool tree)
{
    return sqrt(3 * (zo_variance(z) + z->L * z->L + zo_noise(z, sigma, tree)));
}

/* Returns G for linear losses and points on a straight path. The term with 7/6 is the variance of DIFF over
 * directions, and the term 2 that over the data. `nodes` is the mean number of noise vectors in a prefix. */
static inline double zo_G_practical(const struct zo_terms *z, double sigma, double nodes)
{
    double square = z->L * z->L, shared = z->d / z->directions;
    return sqrt(square + (7 * z->d * shared / 6 + 2) * square / (z->B2 * z->T) +
                z->d * sigma * sigma * nodes);
}

/* --- the number T of steps of an epoch */

static inline double zo_T1(const struct zo_terms *z)
{
    return pow(sqrt(z->d) * z->L * z->delta * z->M / (z->Phi + z->L * z->delta), 2.0 / 3);
}

static inline double zo_T2(const struct zo_terms *z)
{
    double a = (z->Phi + z->L * z->delta) / (z->delta * z->M);
    return sqrt(pow(z->d, 1.5) * z->L / (z->rho * a));
}

/* Returns the bound on E|grad F(wbar)|_(2 delta), Goldstein's norm at radius 2 delta and the mean wbar of the
 * points of an epoch, with the constants of the proofs, for B1 = T + 1, B2 = 1. */
static inline double zo_bound_at(const struct zo_terms *at, double T)
{
    struct zo_terms z = *at;
    z.T = T, z.B1 = T + 1, z.B2 = 1;
    double sigma = zo_sigma(&z, "paper", true), V = zo_variance(&z);
    double N = zo_noise(&z, sigma, true), G = zo_G_theory(&z, sigma, true);
    return 2 * T * (z.Phi + 2 * z.L * z.delta) / (z.delta * z.M) + G / sqrt(T) +
           2 * (sqrt(V) + sqrt(N));
}

/* Returns an estimate of E|grad F(wbar)|_(2 delta) for losses that are linear along a straight path. */
static inline double zo_predicted_at(const struct zo_terms *z, double T)
{
    return 2 * T * (z->Phi + 2 * z->L * z->delta) / (z->delta * z->M) + z->L / sqrt(T) +
           z->L * sqrt((7 * z->d / 18 + 2) / T) +
           4 * pow(z->d, 1.5) * z->L * sqrt(log(T)) / (T * z->rho);
}

/* Returns the whole T in [2, M/2] for which `at` is least. It searches a grid of ratio 1.02, then the whole numbers
 * around the best grid point. */
static inline double zo_least(const struct zo_terms *z,
                              double (*at)(const struct zo_terms *z, double T))
{
    const double ratio = 1.02;
    double most = floor(z->M / 2), best = 2, least = at(z, 2), from, to;
    for (double T = 2; T <= most; T = fmax(T + 1, floor(T * ratio)))
        if (at(z, T) < least)
            least = at(z, best = T);
    from = fmax(2, floor(best / ratio) - 1);
    to = fmin(most, ceil(best * ratio) + 1);
    for (double T = from; T <= to; T++)
        if (at(z, T) < least)
            least = at(z, best = T);
    return best;
}

/* Returns the T of a choice "paper", "printed", "bound" or "practical", before it is cut to [2, M/2]. */
static inline double zo_length(const struct zo_terms *z, const char *choice)
{
    double T1 = zo_T1(z), T2 = zo_T2(z);
    if (strcmp(choice, "bound") == 0)
        return zo_least(z, zo_bound_at);
    if (strcmp(choice, "practical") == 0)
        return zo_least(z, zo_predicted_at);
    return ceil(strcmp(choice, "printed") == 0 ? fmin(T1, T2) : fmax(T1, T2));
}

#endif
