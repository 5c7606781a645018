/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ball_iteration.c - ball optimisation without acceleration (Carmon, Jambulapati, Jin, Lee, Liu,
 * Sidford, Tian 2023, Section 1.4; Carmon, Jambulapati, Jiang, Jin, Lee, Sidford, Tian 2020):
 *
 *     x <- argmin of F within r of x,   T = ceil(R/r) times
 *
 * F is convex and has a proximal step, |x_0 - x*| <= R. A step from x to x' gives F(x') - F* <= (1 - r/R) (F(x) -
 * F*). T rounds reach x* if the iterates move along the segment to x*. Ball acceleration needs order (R/r)^(2/3)
 * rounds. */
#include "exact_ball.h"

struct own {
    double eps, L, R, r;
    long T;
};

static const struct param params[] = {
    EXACT_BALL_PARAMS(own),
    PARAM(own, T, 0, 0, 0x1p40, "rounds", "0: ceil(R/r)"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "ball-iteration";
    struct own *p = vp;

    TRY(exact_ball_tune(f, goal, who, &p->eps, &p->L, &p->R, &p->r, why));
    double T = ceil(p->R / p->r);
    if (p->T == 0 && !(T <= 0x1p40))
        return why_set(why, REFUSED, "%s: T = R/r = %g rounds: expected at most 2^40", who, T);
    param_choose_count(&p->T, (long)fmin(T, 0x1p40));
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    return EXACT_BALL_PRICE * (double)((const struct own *)vp)->T;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    struct exact_ball ball = { .o = o, .L = p->L, .r = p->r };
    double *y = arena_vec(w, d);
    double lam = 1e-12 * p->L / p->R;        /* stands for 0: it moves the minimiser by rounding only */

    arena_seal(w);
    for (long t = 0; t < p->T; t++) {
        vec_copy(d, x, y);
        if (!exact_ball(&ball, lam, y, x))
            break;
        oracle_mark(o, x);
    }
    return OK;
}

const struct algo algo_ball_iteration = {
    .name = "ball-iteration",
    .doc = "exact minimisation over balls, one after the other, without acceleration",
    .cite = "Carmon, Jambulapati, Jiang, Jin, Lee, Sidford, Tian, Acceleration with a ball "
            "optimization oracle (NeurIPS 2020)",
    .calls = CALL_PROX,
    .assumes = ASSUMES_CONVEX | ASSUMES_LIPSCHITZ | ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(d),
    .may_read = EXACT_BALL_READS,
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
    .random_counts = true,
};
