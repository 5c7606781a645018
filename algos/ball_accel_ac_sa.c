/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ball_accel_ac_sa.c - ball acceleration with AC-SA as ball oracle (parts/parallel_sco.h; Carmon, Jambulapati, Jin,
 * Lee, Liu, Sidford, Tian 2023, Theorem 2). F is convex on R^d, sample gradients g have E|g|^2 <= L^2 everywhere,
 * and |x_0 - x*| <= R. With the accuracy eps and kappa = L R/eps it takes of order d^(1/3) kappa^(2/3) rounds, up
 * to logarithms. */
#define PARALLEL_SOLVER RESQUE_AC_SA
#define PARALLEL_NAME "ball-accel-ac-sa"
#define PARALLEL_MECHANISM \
    PARALLEL_REUSE, \
    { "stages", "solves a ball in accelerated steps of batches, by AC-SA; without it by EpochSGD, query " \
                "by query", MECHANISM_HELPS, .without = "ball-accel-epoch-sgd" }
#include "parallel_sco.h"

const struct algo algo_ball_accel_ac_sa = {
    PARALLEL_SLOTS,
    .doc = "ball acceleration on the blurred objective, ball oracles by AC-SA on reweighted "
           "queries",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Theorem 2",
};
