/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coupling.h - the step of Algorithm 1 of Choquette-Choo, Ganesh, Thakurta, with eta_t = t + 1: linear coupling of
 * a gradient step and a mirror step
 *
 *     z_{t+1} = P( z_t - eta_t g_t/(2 kappa beta) ),     y_{t+1} = P( x_t - g_t/beta )
 *     x_{t+1} = (1 - tau) y_{t+1} + tau z_{t+1},         tau = tau_{t+1} = 2/(t+3)
 *
 * g_t is an estimate of the gradient at x_t, and P projects on the feasible set. The step to y has the step length
 * 1/beta. kappa divides the step length to z; in the printed algorithm it is 1/2. */
#ifndef ASSAY_PARTS_COUPLING_H
#define ASSAY_PARTS_COUPLING_H

#include "algo.h"

struct coupling {
    double *x, *y, *z;               /* [d] x_t, y_t, z_t */
    double kappa, beta;
};

/* Makes step t = 0, 1, ... with the gradient g_t = G/w. Pass w = 1 if G[d] is g_t itself, and w = eta_t if G
 * estimates eta_t g_t, as a sum of weighted terms does. */
static inline void coupling_step(struct oracle *o, const struct coupling *c, long t, double w,
                                 const double *G)
{
    long d = oracle_dim(o);
    double eta = (double)t + 1, tau = 2 / ((double)t + 3);
    vec_axpy(d, -(eta / w) / (2 * c->kappa * c->beta), G, c->z);
    vec_lincomb(d, 1, c->x, -1 / (w * c->beta), G, c->y);
    oracle_project(o, 0, c->z);
    oracle_project(o, 0, c->y);
    vec_lincomb(d, 1 - tau, c->y, tau, c->z, c->x);
}

#endif
