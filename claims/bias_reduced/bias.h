/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bias.h - what the themes of bias_reduced.c share: formulas of Section 2, and the exact law of
 * EpochSGD on linear losses. */
#ifndef ASSAY_PARTS_BIAS_H
#define ASSAY_PARTS_BIAS_H

#include <math.h>
#include "claim.h"

#define CITE "Asi, Carmon, Jambulapati, Jin, Sidford 2021, "

/* floor(log2 v), v >= 1 */
static inline int bias_log2(double v)
{
    int e;
    frexp(v, &e);
    return e - 1;
}

/* Epochs that a budget of 2^j has room for. */
static inline int bias_epochs(int j) { return j < 4 ? 0 : j == 4 ? 1 : j - 4; }

/* On f = <g,x> + noise of variance s^2, psi = (mu/2)|x|^2, after k epochs: distance of the mean from
 * x*, variance, and what the last epoch moved in the mean square. */
struct bias_linear { int k; double mu, g, s, mean, variance, move2; };

/* g and s as the family states them: slope = Phi/radius. */
static inline struct bias_linear bias_linear(const struct env *e)
{
    double g = e->facts->Phi / e->facts->radius, mu = env_param(e, "mu");
    return (struct bias_linear){ .mu = mu, .g = g, .s = e->facts->sigma, .mean = g / mu };
}

/* T_k = 2^(k+3) points, eta_k T_k = 4/mu, q = 1/(1 + mu eta_k): m -> ((1 - q^T_k)/4)(m + eta_k g). */
static inline void bias_linear_epoch(struct bias_linear *l)
{
    double T = ldexp(8, ++l->k), eta = 4 / (l->mu * T), q = 1 / (1 + l->mu * eta);
    double keep = (1 - pow(q, T)) / 4, before = l->mean, fresh = 0;
    for (double i = 1; i < T; i++)
        fresh += (1 - pow(q, i)) * (1 - pow(q, i));
    fresh *= l->s * l->s / (l->mu * l->mu * T * T);
    l->mean = keep * (l->mean + eta * l->g);
    l->move2 = (l->mean - before) * (l->mean - before) + (1 - keep) * (1 - keep) * l->variance +
               fresh;
    l->variance = keep * keep * l->variance + fresh;
}

/* Gradients of level j: every epoch asks one less than it has points; 0 where x_j = x_(j-1). */
static inline double bias_level_gradients(int j)
{
    int e = bias_epochs(j);
    return e == bias_epochs(j - 1) ? 0 : 16 * (ldexp(1, e) - 1) - e;
}

/* Of a draw in the mean: 15/16 + sum_(j >= 6) (1 - 2^(4-j) - (j-4) 2^-j). */
static inline double bias_draw_gradients(int jmax)
{
    double sum = 0;
    for (int j = 1; j <= jmax; j++)
        sum += ldexp(bias_level_gradients(j), -j);
    return sum;
}

#endif
