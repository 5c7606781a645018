/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_law.h - the exact law of EpochSGD on F(x) = <g,x> + psi(x) with psi = (mu/2)|x|^2 over R^d, where
 * gradients have noise of variance s^2 and x* is the minimiser. x_k^0 is the point at which epoch k starts
 * (parts/epoch_sgd.h); the epoch has T_k iterations with step length eta_k and ends at the mean of their points,
 * x_(k+1)^0. With q = 1/(1 + mu eta_k), the epoch changes mean and variance of the error x_k^0 - x* as follows:
 *     mean error    m -> (1 - q^T_k)/4 (m + eta_k |g|),   m = |g|/mu at the start
 *     variance      V -> ((1 - q^T_k)/4)^2 V + (s/(mu T_k))^2 sum_{i<T_k} (1 - q^i)^2 */
#ifndef ASSAY_TESTS_LINEAR_LAW_H
#define ASSAY_TESTS_LINEAR_LAW_H

#include <math.h>

struct linear_law {
    double mu, g, s;
    int k;                           /* epochs so far */
    double mean, variance;           /* of x_(k+1)^0 - x*, the error after k epochs */
    double move2;                    /* E|x_(k+1)^0 - x_k^0|^2 */
};

static inline struct linear_law linear_law_begin(double mu, double g, double s)
{
    return (struct linear_law){ .mu = mu, .g = g, .s = s, .mean = g / mu };
}

static inline void linear_law_epoch(struct linear_law *l)
{
    double T = ldexp(8, ++l->k), eta = 1 / (ldexp(2, l->k) * l->mu), q = 1 / (1 + l->mu * eta);
    double keep = (1 - pow(q, T)) / 4, before = l->mean, fresh = 0;
    for (double i = 1; i < T; i++)
        fresh += (1 - pow(q, i)) * (1 - pow(q, i));
    fresh *= l->s * l->s / (l->mu * l->mu * T * T);
    l->mean = keep * (l->mean + eta * l->g);
    l->move2 = (l->mean - before) * (l->mean - before) + (1 - keep) * (1 - keep) * l->variance +
               fresh;
    l->variance = keep * keep * l->variance + fresh;
}

/* Returns the number of epochs that a budget of 2^j iterations has room for: floor(log2(2^j/16 + 1)). */
static inline int linear_law_epochs(int j) { return j < 4 ? 0 : j == 4 ? 1 : j - 4; }

#endif
