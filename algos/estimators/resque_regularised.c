/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resque_regularised.c - private minimisation of an empirical mean, regularised around the origin
 * (parts/private_stages.h; Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, Corollary 3):
 *
 *     v approximates argmin of (1/n) sum f(x; s_i) + (lambda/2)|x|^2 over the feasible set
 *
 * Errors of v are measured from the target t, which is the minimiser of E f(x; s) + (lambda/2)|x|^2 over the set.
 * On linear losses with t inside of the set, (lambda/2)|v - t|^2 is the excess of this function at v. */
#include "about_target.h"
#include "private_stages.h"

struct own {
    struct private_erm erm;
    double lambda;
};

static const char who[] = "resque-regularised";

static const struct param params[] = {
    PRIVATE_ERM_PARAMS,
    PARAM(own, lambda, 1, 1e-300, 1e300, "f/x^2", "weight of the regulariser"),
    PARAM_END
};

static struct private_stages plan(const struct own *s)
{
    const struct private_erm *p = &s->erm;
    return stages_of(p, p->n, s->lambda, (struct promise){ .eps = p->eps, .delta = p->delta });
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *s = vp;
    TRY(private_choose(f, goal, &s->erm, who, why));
    struct private_stages a = plan(s);
    if (!a.n)
        return why_set(why, REFUSED, "%s: n = %ld samples promise nothing better than the start: more samples, a "
                       "larger eps, or --constants practical", who, s->erm.n);
    double cost = stages_gradients(&s->erm, &a);
    if (cost > 0x1p36)
        return why_set(why, REFUSED, "%s: about %.3g gradients: expected at most %.3g", who, cost, 0x1p36);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *s = vp;
    struct private_stages a = plan(s);
    return stages_gradients(&s->erm, &a) + stages_releases(&a);
}

static bool target(const struct problem *problem, const void *self, const void *vp, struct arena *w, long d,
                   double *out)
{
    return target_prox(problem, self, ((const struct own *)vp)->lambda, w, d, out);
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, int stratum, double *v)
{
    const struct own *s = vp;
    long d = oracle_dim(o);
    struct private_run *r = arena_bytes(w, sizeof *r);
    struct private_stages *a = arena_bytes(w, sizeof *a);
    double *origin = arena_vec(w, d);
    struct ticket samples;

    *a = plan(s);
    private_reserve(r, &s->erm, "resque-regularised.mean", o, rng, stages_answers(a), w);
    arena_seal(w);
    vec_zero(d, origin);
    vec_zero(d, v);
    if (oracle_take(o, a->n, &samples)) {
        samples.aggregated = false;
        stages_run(r, a, &samples, origin, NULL, v);
    }
    return OK;
}

static const struct functional functionals[] = { TARGET_FUNCTIONALS, { 0 } };
static const struct method_mechanism mechanisms[] = { PRIVATE_ERM_MECHANISMS };

const struct estimator estimator_resque_regularised = {
    .name = "resque-regularised",
    .doc = "private minimiser of a regularised empirical mean: ball accelerations within balls that shrink",
    .cite = "Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian, ReSQueing Parallel and Private "
            "Stochastic Convex Optimization (2023), Corollary 3",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .assumes = ASSUMES_CONVEX | ASSUMES_LIPSCHITZ | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(weak) | FACT_BIT(radius),
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = 1,
    .functionals = functionals,
    .tune = tune,
    .expects = expects,
    .target = target,
    .draw = draw,
    .mechanisms = mechanisms,
};
