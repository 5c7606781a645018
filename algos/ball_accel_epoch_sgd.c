/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ball_accel_epoch_sgd.c - ball acceleration with EpochSGD as ball oracle (parts/parallel_sco.h; Carmon,
 * Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, Theorem 1). F is convex on R^d, sample gradients g have
 * E|g|^2 <= L^2 everywhere, and |x_0 - x*| <= R. With the accuracy eps and kappa = L R/eps it takes of order
 * d^(1/3) kappa^(2/3) rounds, up to logarithms. */
#define PARALLEL_SOLVER RESQUE_EPOCH_SGD
#define PARALLEL_NAME "ball-accel-epoch-sgd"
#define PARALLEL_MECHANISM PARALLEL_REUSE
#include "parallel_sco.h"

const struct algo algo_ball_accel_epoch_sgd = {
    PARALLEL_SLOTS,
    .doc = "ball acceleration on the blurred objective, ball oracles by EpochSGD on reweighted "
           "queries",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Theorem 1",
};
