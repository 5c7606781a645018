/* SPDX-License-Identifier: GPL-3.0-or-later */
/* epoch_sgd_mean.c - the mean of M independent runs of EpochSGD (parts/epoch_sgd.h), each of at most T_max
 * gradients, as an estimate of argmin F + (mu/2)|x|^2. With M = 1 it is a part of the bias-reduced estimator, and
 * E|x - x*|^2 <= 32 G^2/(mu^2 T_max). With M > 1 it is the rival of that estimator: its bias is that of one run. */
#include "about_target.h"
#include "epoch_sgd.h"

struct mean {
    double mu;
    long T_max, M;
};

static const struct param params[] = {
    PARAM(mean, mu, 1, 1e-100, 1e100, "f/x^2", "modulus of psi"),
    PARAM(mean, T_max, 4096, 0, 0x1p40, "gradients", "budget of a run"),
    PARAM(mean, M, 1, 1, 0x1p40, "runs", "averaged"),
    PARAM_END
};

static double expects(const struct facts *f, const void *vp)
{
    const struct mean *p = vp;
    return (double)p->M * epoch_sgd_gradients(epoch_sgd_epochs((double)p->T_max));
}

static bool target(const struct problem *problem, const void *self, const void *vp,
                   struct arena *w, long d, double *out)
{
    return target_prox(problem, self, ((const struct mean *)vp)->mu, w, d, out);
}

static enum status draw(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                        int stratum, double *v)
{
    const struct mean *p = vp;
    long d = oracle_dim(o);
    struct epoch_sgd s = { .o = o, .grad = epoch_sgd_sample, .ctx = o, .mu = p->mu };

    epoch_sgd_reserve(&s, w);
    arena_seal(w);
    vec_zero(d, v);
    oracle_fork(o);
    for (long k = 0; k < p->M; k++) {
        oracle_branch(o);
        if (!epoch_sgd_run(&s, epoch_sgd_epochs((double)p->T_max)))
            break;
        vec_axpy(d, 1 / (double)p->M, s.x, v);
    }
    oracle_join(o);
    return OK;
}

static const struct functional functionals[] = { TARGET_FUNCTIONALS, { 0 } };

const struct estimator estimator_epoch_sgd_mean = {
    .name = "epoch-sgd-mean",
    .doc = "mean of runs of EpochSGD as an estimate of a regularised optimum",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Algorithm 8 and Proposition 3",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX,
    .params = params,
    .params_size = sizeof(struct mean),
    .vectors = 1,
    .functionals = functionals,
    .target = target,
    .expects = expects,
    .draw = draw,
};
