/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blanchet_glynn.c - the estimator on which the bias-reduced one (mlmc.c) is modelled (Blanchet, Glynn 2015, as
 * Section 1 of Asi, Carmon, Jambulapati, Jin, Sidford 2021 recalls it). X_m is the minimiser of the mean of m
 * sampled losses plus (mu/2)|x|^2, and
 *
 *     xhat = X_1 + (X_(2^J) - (X' + X'')/2)/P(J),   P(J = j) = (2^a - 1) 2^(-a j), j = 1, 2, ...
 *
 * X' and X'' are computed from the two halves of the 2^J samples. E xhat = lim E X_m = x*; there is no largest
 * level. If X_m is a smooth function of means, X_(2^J) - (X' + X'')/2 is of order 2^-J, and variance and
 * expected cost are finite for 1 < a < 3/2. Each X_m is found by bisection (d = 1) or ellipsoids over |x| <= L/mu.
 *
 * There is a stratum for each J = 1, ..., 10, and a last one that draws J from the rest of the law. */
#include "about_target.h"
#include "cutting.h"

enum { LEVELS = 10 };

struct own {
    double mu, a, L, cuts;
};

static const struct param params[] = {
    PARAM(own, mu, 1, 1e-100, 1e100, "f/x^2", "modulus of psi"),
    PARAM(own, a, 1.25, 0.1, 4, "1", "P(J = j) ~ 2^(-a j)"),
    PARAM(own, L, NAN, 1e-100, 1e100, "f/x", "Lipschitz constant of a sample; default the fact"),
    PARAM(own, cuts, NAN, 1, 1e6, "cuts", "of a minimisation; default 50, and 80 d^2 where d > 1"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    param_choose(&p->L, f->L);
    param_choose(&p->cuts, f->d == 1 ? 50 : ceil(80 * f->d * f->d));
    if (!(p->L < INFINITY))
        return why_set(why, REFUSED, "blanchet-glynn searches |x| <= L/mu: L = %g", p->L);
    return OK;
}

static int strata(const void *vp, double *weight)
{
    const struct own *p = vp;
    for (int j = 1; j <= LEVELS; j++)
        weight[j - 1] = (exp2(p->a) - 1) * exp2(-p->a * j);
    weight[LEVELS] = exp2(-p->a * LEVELS);
    return LEVELS + 1;
}

/* Returns the number of gradients that one draw from each level costs in total, the last stratum included: cuts on
 * all samples of a level, and on both halves. */
static double expects(const struct facts *f, const void *vp)
{
    return ((const struct own *)vp)->cuts * exp2(LEVELS + 3);
}

static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    return target_prox(problem, self, ((const struct own *)vp)->mu, w, d, out);
}

struct mean {
    struct oracle *o;
    struct ticket samples;
    double mu;
};

/* *F, g[d] <- the mean loss of the samples plus psi at x. ctx is a struct mean. */
static bool mean_at(void *ctx, const double *x, double *F, double *g)
{
    const struct mean *s = ctx;
    long d = oracle_dim(s->o);
    *F = NAN;
    if (d > 1 && !oracle_values(s->o, &s->samples, NULL, x, F))
        return false;
    if (!oracle_batch(s->o, &(struct batch){ .ticket = &s->samples, .points = 1, .x = &x,
                                             .clip = CLIP_NONE, .g = g }))
        return false;
    vec_axpy(d, s->mu, x, g);
    *F += s->mu / 2 * vec_dot(d, x, x);
    return true;
}

/* v[d] += k times the minimiser of the mean over `samples`. Returns false if the budget is spent. */
static bool add_minimiser(struct cutting *c, struct ticket samples, double cuts, double k, double *v)
{
    ((struct mean *)c->ctx)->samples = samples;
    cutting_begin(c);
    if (!cutting_run(c, cuts))
        return false;
    vec_axpy(c->d, k, c->best, v);
    return true;
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct own *p = vp;
    struct mean mean = { .o = o, .mu = p->mu };
    struct cutting c = { .d = oracle_dim(o), .at = mean_at, .ctx = &mean, .R = p->L / p->mu };
    int J = stratum < LEVELS ? stratum + 1
                             : LEVELS + 1 + (int)floor(-log2(rng_uniform(rng)) / p->a);
    double k = exp2(p->a * J) / (exp2(p->a) - 1);
    long m = 1L << (J < 40 ? J : 40);            /* the number of samples is limited to 2^40, so that a run ends */
    struct ticket one, many;

    cutting_reserve(&c, w);
    arena_seal(w);
    vec_zero(c.d, v);
    if (oracle_draw(o, 1, &one) && oracle_draw(o, m, &many) &&
        add_minimiser(&c, one, p->cuts, 1, v) && add_minimiser(&c, many, p->cuts, k, v) &&
        add_minimiser(&c, ticket_part(&many, 0, m / 2), p->cuts, -k / 2, v))
        add_minimiser(&c, ticket_part(&many, m / 2, m / 2), p->cuts, -k / 2, v);
    return OK;
}

static const struct functional functionals[] = { TARGET_FUNCTIONALS, { 0 } };

const struct estimator estimator_blanchet_glynn = {
    .name = "blanchet-glynn",
    .doc = "unbiased estimate of a regularised optimum from minimisers of sampled means",
    .cite = "Blanchet, Glynn, Unbiased Monte Carlo for optimization and functions of expectations "
            "(WSC 2015)",
    .calls = CALL_SAMPLES | CALL_SAMPLE_VALUES,
    .assumes = ASSUMES_CONVEX,
    .reads = FACT_BIT(d) | FACT_BIT(L),
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = 1,
    .functionals = functionals,
    .tune = tune,
    .strata = strata,
    .target = target,
    .expects = expects,
    .draw = draw,
};
