/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ball_accel_exact.c - ball acceleration with exact oracles (parts/ball_accel.h,
 * parts/exact_ball.h; Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, Proposition 1). F is convex,
 * L-Lipschitz, has a proximal step, and |x_0 - x*| <= R. One exact ball oracle serves as all three oracles of
 * ball_accel.h: line search, ball oracle and proximal oracle. r is the radius of a ball, eps the accuracy, A the
 * sum of the weights (parts/proximal_agd.h). With K = (R/r)^(2/3) and lam_min = c_lam eps K^2/R^2, the method runs
 * until A >= R^2/eps, and
 *
 *     F - F* <= eps after O(K log(L R/eps)) rounds, each of a few line searches */
#include <string.h>
#include "ball_accel.h"
#include "exact_ball.h"

struct own {
    const char *penalty;
    double eps, L, R, r, c_lam;
    long halvings;
};

static const struct param params[] = {
    PARAM_WORD(own, penalty, "searched", "searched|least",
               "of a round: by a line search, or lam_min whatever the balls do"),
    EXACT_BALL_PARAMS(own),
    PARAM(own, c_lam, 1, 1e-12, 1e6, "1", "of lam_min; the theorem's is log^2(L R/eps)"),
    PARAM(own, halvings, 12, 1, 1000, "calls", "of a bisection"),
    PARAM_END
};

static const struct note notes[] = {
    { "rounds", "rounds", "of ball acceleration", REDUCE_LAST },
    { "binding", "1", "share of rounds whose lam is above lam_min", REDUCE_LAST },
    { "calls", "calls", "of oracles in a round, in the mean", REDUCE_LAST },
    { 0 }
};

static const struct method_mechanism mechanisms[] = {
    BALL_ACCEL_MECHANISMS,
    { "acceleration",
      "carries the balls along a path that gains from round to round; without it one ball follows the "
      "other", MECHANISM_HELPS, .without = "ball-iteration" },
    { 0 } };

static double penalty(const struct own *p)
{
    double K = pow(p->R / p->r, 2.0 / 3);
    return p->c_lam * p->eps * (K / p->R) * (K / p->R);
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    return exact_ball_tune(f, goal, "ball-accel-exact", &p->eps, &p->L, &p->R, &p->r, why);
}

/* Returns an estimate of the cost of a run, in gradients. `rounds` is the number of rounds of a run in which no
 * ball binds; balls that bind at most double it. A round makes three line searches; in half of them the ball binds,
 * that is, the minimiser lies on its sphere, and only these cost. */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    double lam = fmin(penalty(p), 2 * p->L / p->r), rounds = 2 * sqrt(lam * p->R * p->R / p->eps);
    return 2 * rounds * 3 * EXACT_BALL_PRICE / 2;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    struct exact_ball ball = { .o = o, .L = p->L, .r = p->r };
    struct ball_accel b = { .search = exact_ball, .optimise = exact_ball, .prox = exact_ball,
                            .ctx = &ball, .R = p->R, .r = p->r, .L = p->L, .lam_min = penalty(p),
                            .most = (int)p->halvings, .reuse = true,
                            .least = strcmp(p->penalty, "least") == 0 };

    ball_accel_reserve(&b, o, w);
    arena_seal(w);
    ball_accel_begin(&b, x);
    while (b.s.A < p->R * p->R / p->eps && ball_accel_round(&b)) {
        oracle_mark(o, b.s.x);
        oracle_note(o, 0, b.rounds);
        oracle_note(o, 1, b.binding / b.rounds);
        oracle_note(o, 2, b.probes / b.rounds);
    }
    vec_copy(oracle_dim(o), b.s.x, x);
    return OK;
}

const struct algo algo_ball_accel_exact = {
    .name = "ball-accel-exact",
    .doc = "ball acceleration, its ball oracles exact, by proximal steps",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Proposition 1",
    .calls = CALL_PROX,
    .assumes = ASSUMES_CONVEX | ASSUMES_LIPSCHITZ | ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(d),
    .may_read = EXACT_BALL_READS,
    .params = params,
    .params_size = sizeof(struct own),
    .notes = notes,
    .tune = tune,
    .expects = expects,
    .run = run,
    .random_counts = true,
    .mechanisms = mechanisms,
};
