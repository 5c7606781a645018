/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opt_est.c - OptEst (parts/mlmc.h; Asi, Carmon, Jambulapati, Jin, Sidford 2021, Algorithm 1 and Theorem 1)
 * for psi(x) = (mu/2)|x|^2: the mean of N draws, with bias at most delta and E|xhat - x*|^2 at most sigma^2.
 * With a finite `cap` a round that asks for more than cap times its mean cost is ended (parts/capped.h); the answer
 * is then that of the round before, or x_0 if there was none. The N draws are made in parallel, so that the depth
 * of a round is that of the longest draw (Appendix A.2). Several rounds run one after the other, and the last one
 * answers. */
#include <string.h>
#include "about_target.h"
#include "capped.h"
#include "mlmc.h"

struct opt {
    double mu, delta, sigma, c, T_max, N, cap;
    long rounds;
    const char *of;
};

static const struct param params[] = {
    PARAM(opt, mu, 1, 1e-100, 1e100, "f/x^2", "modulus of psi"),
    PARAM(opt, delta, 0.1, 1e-100, INFINITY, "x", "bound on the bias"),
    PARAM(opt, sigma, 0.1, 1e-100, 1e100, "x", "bound on the root of E|xhat - x*|^2"),
    PARAM(opt, c, 32, 1e-6, 1e6, "1", "constant of EpochSGD: 32 is proved, 1 practical"),
    PARAM(opt, T_max, NAN, 1, 0x1p52, "gradients", "budget of the largest level; default theirs"),
    PARAM(opt, N, NAN, 1, 0x1p52, "draws", "averaged; default theirs"),
    PARAM(opt, cap, INFINITY, 0, INFINITY, "1", "ends at this many times the mean cost"),
    PARAM_WORD(opt, of, "draws", "draws|runs",
               "the mean of draws, or of as many runs of one epoch, whose bias stays"),
    PARAM(opt, rounds, 1, 1, 0x1p40, "rounds", "one after the other, each with a cap of its own"),
    PARAM_END
};

static const struct method_mechanism mechanisms[] = {
    { "levels", "differences of levels take away the bias of short runs, whose mean keeps it", MECHANISM_HELPS,
      { { "algo.of", .text = "runs" } } },
    { 0 }
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct opt *p = vp;
    double delta = p->mu * p->delta, sigma2 = p->mu * p->mu * p->sigma * p->sigma;
    param_choose(&p->T_max, opt_est_T_max(p->c, f->G, delta, sigma2));
    param_choose(&p->N, opt_est_N(p->c, f->G, sigma2, p->T_max));
    if (!(p->T_max <= 0x1p52 && p->N <= 0x1p52))
        return why_set(why, REFUSED, "opt-est: T_max = %g and N = %g: expected at most 2^52 each; "
                       "delta and sigma are too small", p->T_max, p->N);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct opt *p = vp;
    struct mlmc m = { .jmax = mlmc_levels(p->T_max) };
    return (double)p->rounds * p->N * mlmc_expected_gradients(&m);
}

static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    return target_prox(problem, self, ((const struct opt *)vp)->mu, w, d, out);
}

/* v[d] <- the mean of N runs of one epoch. Returns false, and leaves v untouched, if the budget is spent. */
static bool mean_of_runs(struct mlmc *m, double N, double *v)
{
    long d = oracle_dim(m->run.o);
    vec_zero(d, m->total);
    for (double k = 0; k < N; k++) {
        if (!epoch_sgd_run(&m->run, 1))
            return false;
        vec_axpy(d, 1 / N, m->run.x, m->total);
    }
    vec_copy(d, m->total, v);
    return true;
}

/* v[0..d) <- the estimate; v[d] <- 1 if the cap ended a draw, else 0. */
static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct opt *p = vp;
    long d = oracle_dim(o);
    struct capped source = { .grad = epoch_sgd_sample, .ctx = o };
    struct mlmc m = { .run = { .o = o, .grad = capped_grad, .ctx = &source, .mu = p->mu },
                      .jmax = mlmc_levels(p->T_max) };

    mlmc_reserve(&m, w);
    arena_seal(w);
    vec_zero(2 * d, v);
    for (long k = 0; k < p->rounds; k++) {
        source.left = isinf(p->cap) ? INFINITY : floor(p->cap * p->N * mlmc_expected_gradients(&m));
        if (strcmp(p->of, "runs") == 0 ? !mean_of_runs(&m, p->N, v) : !opt_est(&m, p->N, rng, v))
            break;
    }
    v[d] = source.ended;
    return OK;
}

static double ended(const struct functional_env *env, const double *v) { return v[env->d]; }

static const struct functional functionals[] = {
    TARGET_FUNCTIONALS, { "ended", "1", "1 if the cap ended it", ended }, { 0 }
};

const struct estimator estimator_opt_est = {
    .name = "opt-est",
    .doc = "OptEst: a regularised optimum to a given bias and squared error",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 1 and Theorem 1",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX,
    .reads = FACT_BIT(G),
    .params = params,
    .params_size = sizeof(struct opt),
    .vectors = 2,
    .functionals = functionals,
    .tune = tune,
    .target = target,
    .expects = expects,
    .draw = draw,
    .mechanisms = mechanisms,
};
