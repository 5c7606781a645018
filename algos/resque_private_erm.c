/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_private_erm.c - private empirical risk minimisation by ball acceleration (parts/private_erm.h;
 * Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, Theorem 3)
 *
 *     E F(x) - F* <= order L R ( 1/sqrt(n) + sqrt(d log(1/delta)) log^1.5(n/delta) log(n)/(n eps) )
 *
 * F is the mean over n samples, R the radius of the feasible set. The method is (eps, delta)-private for one sample
 * replaced, and takes of order log^6(n/delta) ( min{n, n^2 eps^2/d} + min{(n d)^(2/3)/eps, n^(4/3) eps^(1/3)} )
 * gradients. The n samples are taken once; the method then draws from them with replacement. Losses are convex and
 * L-Lipschitz. */
#include "private_erm.h"

static const char who[] = "resque-private-erm";

static const struct param params[] = { PRIVATE_ERM_PARAMS, PARAM_END };
static const struct note notes[] = { PRIVATE_ERM_NOTES };
static const struct method_mechanism mechanisms[] = { PRIVATE_ERM_MECHANISMS };

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    return private_erm_tune(f, goal, vp, who, why);
}

static struct private_plan plan(const struct private_erm *p)
{
    return private_plan_of(p, (double)p->n, p->R, p->kappa, p->beta, 0);
}

/* Returns an estimate of the cost of a run, in gradients: gradients plus releases. A release takes about as long as
 * a gradient, and half of the releases end phases of only a few gradients. In count mode nothing is evaluated, and
 * the estimate is the number of rounds. */
static double expects(const struct facts *f, const void *vp)
{
    const struct private_erm *p = vp;
    struct private_plan q = plan(p);
    return p->counted ? q.rounds : private_plan_gradients(p, &q, 2) + q.phases;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct private_erm *p = vp;
    struct private_run *s = arena_bytes(w, sizeof *s);
    struct private_plan q = plan(p);
    struct ticket data;

    private_reserve(s, p, "resque-private-erm.mean", o, rng, q.M, w);
    arena_seal(w);
    s->q = q;
    private_allowance(s, &(struct promise){ .eps = p->eps, .delta = p->delta, .share = 1 });
    if (!oracle_take(o, p->n, &data))
        return OK;
    data.aggregated = false;
    private_accelerate(s, &q, &data, NULL, x);
    private_settle(s);
    oracle_project(o, 0, x);
    private_notes(s);
    return OK;
}

const struct algo algo_resque_private_erm = {
    .name = "resque-private-erm",
    .doc = "private empirical risk: ball acceleration on subsampled, reweighted gradients",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Theorem 3",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .assumes = ASSUMES_CONVEX | ASSUMES_LIPSCHITZ | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(weak) | FACT_BIT(radius),
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct private_erm),
    .notes = notes,
    .tune = tune,
    .expects = expects,
    .run = run,
    .nominal_counts = true,
    .mechanisms = mechanisms,
};
