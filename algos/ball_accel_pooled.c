/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ball_accel_pooled.c - ball acceleration that asks the N queries of a ball in one round. It has the rounds and
 * queries of Bubeck, Jiang, Lee, Li, Sidford 2019, but not their steps of high order (the row BJL+19 of Table 1 of
 * Carmon et al. 2023). The ball oracle of parts/parallel_sco.h is deterministic descent on the mean over the pool
 * of queries. F is convex on R^d, sample gradients g have E|g|^2 <= L^2 everywhere, |x_0 - x*| <= R, eps is the
 * accuracy, and kappa = L R/eps:
 *
 *     N = c d kappa^2 ln(d kappa) queries a round, so that gradients err by at most eps/R in the whole ball
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
