/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ball_accel_pooled.c - few rounds by models of the gradient in whole balls: the rounds and queries
 * of Bubeck, Jiang, Lee, Li, Sidford 2019, without their steps of high order (parts/parallel_sco.h,
 * whose ball oracle is deterministic descent on the mean over one pool; the row BJL+19 of Table 1
 * of Carmon et al. 2023). F convex on R^d, E|g|^2 <= L^2 everywhere, |x_0 - x*| <= R, kappa = L
 * R/eps:
 *
 *     N = c d kappa^2 ln(d kappa) queries a round: the model is right to eps/R in a whole ball
 *     order d^(1/3) kappa^(2/3) rounds, d^(4/3) kappa^(8/3) queries */
#define PARALLEL_SOLVER RESQUE_POOLED
#define PARALLEL_NAME "ball-accel-pooled"
#include "parallel_sco.h"

const struct algo algo_ball_accel_pooled = {
    PARALLEL_SLOTS,
    .doc = "ball acceleration on the blurred objective, ball oracles by descent on one large pool",
    .cite = "Bubeck, Jiang, Lee, Li, Sidford, Complexity of highly parallel non-smooth convex "
            "optimization (NeurIPS 2019): rounds and queries",
};
