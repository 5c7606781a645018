/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weak_mor_grad_est.c - MorGradEst where f is not convex but lam exceeds its weak convexity
 * (parts/weak_envelope.h): an estimate ghat of the gradient of the Moreau envelope f_lam at y = r (1, ..., 1)/sqrt
 * d, with bias at most delta and E|ghat - grad f_lam(y)|^2 <= sigma^2. */
#include "about_target.h"
#include "weak_envelope.h"

struct own {
    double lam, rho, r, delta, sigma, c, G, T_max, N;
};

static const struct param params[] = {
    PARAM(own, lam, NAN, 1e-100, 1e100, "f/x^2", "of the envelope; default 2 rho"),
    PARAM(own, rho, NAN, 0, 1e100, "f/x^2", "weak convexity; default the fact"),
    PARAM(own, r, 1, 0, 1e100, "x", "|y|"),
    PARAM(own, delta, 0.1, 1e-100, INFINITY, "f/x", "bound on the bias"),
    PARAM(own, sigma, 0.1, 1e-100, 1e100, "f/x", "bound on the root of the squared error"),
    PARAM(own, c, 32, 1e-6, 1e6, "1", "constant of EpochSGD: 32 is proved, 1 practical"),
    PARAM(own, G, NAN, 1e-100, 1e100, "f/x", "bound on the gradients; default the fact"),
    PARAM(own, T_max, NAN, 1, 0x1p52, "gradients", "budget of the largest level; default theirs"),
    PARAM(own, N, NAN, 1, 0x1p52, "draws", "averaged; default theirs"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    param_choose(&p->G, f->G);
    param_choose(&p->rho, f->weak);
    param_choose(&p->lam, p->rho > 0 ? 2 * p->rho : 1);
    if (!(p->lam > p->rho))
        return why_set(why, REFUSED, "weak-mor-grad-est relies on lam > rho: lam = %g, rho = %g",
                       p->lam, p->rho);
    struct weak_size s = weak_envelope_size(p->G, p->rho, p->lam, p->c, p->delta, p->sigma);
    param_choose(&p->T_max, s.T_max);
    param_choose(&p->N, s.N);
    if (!(p->T_max <= 0x1p52 && p->N <= 0x1p52))
        return why_set(why, REFUSED, "weak-mor-grad-est: T_max = %g and N = %g: expected at most "
                       "2^52 each; delta and sigma are too small", p->T_max, p->N);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    struct mlmc m = { .jmax = mlmc_levels(p->T_max) };
    return p->N * mlmc_expected_gradients(&m);
}

static void place(const struct own *p, long d, double *y)
{
    vec_fill(d, p->r / sqrt((double)d), y);
}

/* out[d] <- the target grad f_lam(y) = lam (y - P(y)), P the proximal point. */
static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    const struct own *p = vp;
    double *y = arena_vec(w, d);
    place(p, d, y);
    if (!problem_proximal_point(problem, self, p->lam, y, out))
        return false;
    vec_lincomb(d, p->lam, y, -p->lam, out, out);
    return true;
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *y = arena_vec(w, d);
    struct weak_envelope s = { .m = { .run = { .o = o, .mu = p->lam - p->rho, .rho = p->rho },
                                      .jmax = mlmc_levels(p->T_max) },
                               .lam = p->lam, .radius = 2 * p->G / p->lam };

    weak_envelope_reserve(&s, w);
    arena_seal(w);
    place(p, d, y);
    vec_zero(d, v);
    weak_envelope_grad(&s, y, p->N, rng, v);
    return OK;
}

static const struct functional functionals[] = { TARGET_FUNCTIONALS, { 0 } };

const struct estimator estimator_weak_mor_grad_est = {
    .name = "weak-mor-grad-est",
    .doc = "a gradient of the Moreau envelope of a weakly convex function, with little bias",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Section 1.5; derived",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(G) | FACT_BIT(weak),
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = 1,
    .functionals = functionals,
    .tune = tune,
    .expects = expects,
    .target = target,
    .draw = draw,
};
