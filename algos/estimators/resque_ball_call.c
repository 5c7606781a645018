/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_ball_call.c - one call of a ball optimisation oracle around the origin (parts/resque_ball.h; Carmon,
 * Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, Propositions 3 and 4): Algorithm 1, EpochSGD, or Algorithm 2,
 * AC-SA, with rho = r. The answer v is within r of the origin, with
 *
 *     E F_rho(v) + (lam/2)|v|^2 <= min over the ball + phi,  so that E|v - t|^2 <= 2 phi/lam
 *
 * The target t minimises F + (lam/2)|x|^2. On linear losses F_rho is F, and if t is inside of the ball, the error
 * of the call is (lam/2)|v - t|^2. */
#include <string.h>
#include "about_target.h"
#include "resque_ball.h"

struct own {
    const char *solver;
    double phi, lam, L, r, c;
};

static const struct param params[] = {
    PARAM_WORD(own, solver, "epochs", "epochs|stages", "Algorithm 1 or 2"),
    PARAM(own, phi, 0.01, 1e-300, 1e300, "f", "accuracy of the call"),
    PARAM(own, lam, 1, 1e-300, 1e300, "f/x^2", "weight of the quadratic"),
    PARAM(own, L, NAN, 1e-300, 1e300, "f/x", "E|g|^2 <= L^2; default the fact G"),
    PARAM(own, r, 1, 1e-300, 1e300, "x", "radius of the ball, and rho"),
    PARAM(own, c, 48, 1e-6, 1e6, "1", "of the number of queries; the proofs have 48"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    param_choose(&p->L, f->G);
    if (!(p->L > 0 && p->L < INFINITY))
        return why_set(why, REFUSED, "resque-ball-call relies on E|g|^2 <= L^2: G = %g", p->L);
    return OK;
}

static struct resque_ball ball_of(const struct own *p, struct oracle *o)
{
    return (struct resque_ball){ .pool = { .o = o, .rho = p->r }, .L = p->L, .r = p->r, .c = p->c,
                                 .solver = strcmp(p->solver, "epochs") == 0 ? RESQUE_EPOCH_SGD : RESQUE_AC_SA };
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    struct resque_ball b = ball_of(p, NULL);
    return resque_ball_queries(&b, p->lam, p->phi);
}

static bool target(const struct problem *problem, const void *self, const void *vp, struct arena *w, long d,
                   double *out)
{
    return target_prox(problem, self, ((const struct own *)vp)->lam, w, d, out);
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, int stratum, double *v)
{
    const struct own *p = vp;
    struct resque_ball b = ball_of(p, o);
    double *origin = arena_vec(w, oracle_dim(o));

    b.pool.base = rng_sub(rng, rng_u64(rng));
    resque_ball_reserve(&b, w);
    arena_seal(w);
    vec_zero(oracle_dim(o), origin);
    vec_zero(oracle_dim(o), v);
    resque_ball(&b, p->lam, p->phi, origin, v);
    return OK;
}

static const struct functional functionals[] = { TARGET_FUNCTIONALS, { 0 } };

const struct estimator estimator_resque_ball_call = {
    .name = "resque-ball-call",
    .doc = "one call of a ball oracle on reweighted queries: EpochSGD or AC-SA",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Algorithms 1 and 2",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX,
    .may_read = FACT_BIT(G),
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = 1,
    .functionals = functionals,
    .tune = tune,
    .expects = expects,
    .target = target,
    .draw = draw,
};
