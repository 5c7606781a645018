/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ball_accel_pooled.c - few rounds by models of the gradient in whole balls: the rounds and queries
 * of Bubeck, Jiang, Lee, Li, Sidford 2019, without their steps of high order (parts/parallel_sco.h,
 * whose ball oracle is deterministic descent on the mean over one pool; the row BJL+19 of Table 1
 * of Carmon et al. 2023). F convex on R^d, E|g|^2 <= L^2 everywhere, |x_0 - x*| <= R, kappa = L
 * R/eps:
 *
 *     N = c d kappa^2 ln(d kappa) queries a round: the model is right to eps/R in a whole ball
 *     order d^(1/3) kappa^(2/3) rounds, d^(4/3) kappa^(8/3) queries */
#include "parallel_sco.h"

static const struct param params[] = { PARALLEL_SCO_PARAMS };
static const struct note notes[] = { PARALLEL_SCO_NOTES };

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    return parallel_tune(f, goal, vp, RESQUE_POOLED, "ball-accel-pooled", why);
}

static double expects(const struct facts *f, const void *vp)
{
    return parallel_predicted(vp, RESQUE_POOLED);
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    return parallel_run(o, vp, RESQUE_POOLED, w, rng, x);
}

const struct algo algo_ball_accel_pooled = {
    .name = "ball-accel-pooled",
    .doc = "ball acceleration on the blurred objective, ball oracles by descent on one large pool",
    .cite = "Bubeck, Jiang, Lee, Li, Sidford, Complexity of highly parallel non-smooth convex "
            "optimization (NeurIPS 2019): rounds and queries",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX | ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(d),
    .may_read = FACT_BIT(G) | FACT_BIT(dist),
    .params = params,
    .params_size = sizeof(struct parallel_sco),
    .notes = notes,
    .tune = tune,
    .expects = expects,
    .run = run,
    .nominal_counts = true,
};
