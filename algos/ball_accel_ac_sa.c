/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ball_accel_ac_sa.c - ball acceleration with AC-SA as ball oracle (parts/parallel_sco.h; Carmon,
 * Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, Theorem 2). F convex on R^d, E|g|^2 <= L^2
 * everywhere, |x_0 - x*| <= R. */
#include "parallel_sco.h"

static const struct param params[] = { PARALLEL_SCO_PARAMS };
static const struct note notes[] = { PARALLEL_SCO_NOTES };

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    return parallel_tune(f, goal, vp, RESQUE_AC_SA, "ball-accel-ac-sa", why);
}

static double expects(const struct facts *f, const void *vp)
{
    return parallel_predicted(vp, RESQUE_AC_SA);
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    return parallel_run(o, vp, RESQUE_AC_SA, w, rng, x);
}

const struct algo algo_ball_accel_ac_sa = {
    .name = "ball-accel-ac-sa",
    .doc = "ball acceleration on the blurred objective, ball oracles by AC-SA on reweighted "
           "queries",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Theorem 2",
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
