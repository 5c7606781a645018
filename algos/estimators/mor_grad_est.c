/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mor_grad_est.c - MorGradEst (parts/mlmc.h; Asi, Carmon, Jambulapati, Jin, Sidford 2021, Algorithm 2
 * and Corollary 2): an estimate ghat of the gradient of the Moreau envelope f_lam at the origin, with bias at most
 * delta and E|ghat - grad f_lam|^2 <= sigma^2. The cost depends neither on lam nor on d. */
#include "about_target.h"
#include "mlmc.h"

struct mor {
    double lam, delta, sigma, c, T_max, N;
};

static const struct param params[] = {
    PARAM(mor, lam, 1, 1e-100, 1e100, "f/x^2", "of the envelope: f(x) + (lam/2)|x - y|^2"),
    PARAM(mor, delta, 0.1, 1e-100, INFINITY, "f/x", "bound on the bias"),
    PARAM(mor, sigma, 0.1, 1e-100, 1e100, "f/x", "bound on the root of the squared error"),
    PARAM(mor, c, 32, 1e-6, 1e6, "1", "constant of EpochSGD: 32 is proved, 1 practical"),
    PARAM(mor, T_max, NAN, 1, 0x1p52, "gradients", "budget of the largest level; default theirs"),
    PARAM(mor, N, NAN, 1, 0x1p52, "draws", "averaged; default theirs"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct mor *p = vp;
    double sigma2 = p->sigma * p->sigma;
    param_choose(&p->T_max, opt_est_T_max(p->c, f->G, p->delta, sigma2));
    param_choose(&p->N, opt_est_N(p->c, f->G, sigma2, p->T_max));
    if (!(p->T_max <= 0x1p52 && p->N <= 0x1p52))
        return why_set(why, REFUSED, "mor-grad-est: T_max = %g and N = %g: expected at most 2^52 "
                       "each; delta and sigma are too small", p->T_max, p->N);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct mor *p = vp;
    struct mlmc m = { .jmax = mlmc_levels(p->T_max) };
    return p->N * mlmc_expected_gradients(&m);
}

/* out[d] <- the target grad f_lam(0) = lam (0 - P(0)), P the proximal point. */
static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    double lam = ((const struct mor *)vp)->lam;
    if (!target_prox(problem, self, lam, w, d, out))
        return false;
    vec_scale(d, -lam, out);
    return true;
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct mor *p = vp;
    long d = oracle_dim(o);
    double *y = arena_vec(w, d);
    struct mlmc m = { .run = { .o = o, .grad = epoch_sgd_sample, .ctx = o, .mu = p->lam },
                      .jmax = mlmc_levels(p->T_max) };

    mlmc_reserve(&m, w);
    arena_seal(w);
    vec_zero(d, y);
    vec_zero(d, v);
    mor_grad_est(&m, y, p->N, rng, v);
    return OK;
}

static const struct functional functionals[] = { TARGET_FUNCTIONALS, { 0 } };

const struct estimator estimator_mor_grad_est = {
    .name = "mor-grad-est",
    .doc = "MorGradEst: a gradient of the Moreau envelope to a given bias and squared error",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 2 and Corollary 2",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX,
    .reads = FACT_BIT(G),
    .params = params,
    .params_size = sizeof(struct mor),
    .vectors = 1,
    .functionals = functionals,
    .tune = tune,
    .target = target,
    .expects = expects,
    .draw = draw,
};
