/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelope_sgd.c - few projections without bias reduction: accelerated descent on the Moreau envelope
 * (parts/envelope_agd.h), each gradient from one long run of EpochSGD (parts/epoch_sgd.h; Asi,
 * Carmon, Jambulapati, Jin, Sidford 2021, Section 3, the method that Algorithm 3 improves on). f is
 * convex, E|g|^2 <= G^2 on the ball of radius R, |x_0 - x*| <= D, f_lam is the envelope, eps the accuracy, and
 * delta = eps/(8R):
 *
 *     g_k = lam (y - xhat),  xhat = EpochSGD of f + (lam/2)|. - y|^2 over the ball, budget T_in
 *     lam = 2 G^2/eps,  T = ceil(7 G D/eps),  T_in = ceil(c G^2/delta^2)
 *
 * By Proposition 3 (parts/epoch_sgd.h), for c = 32, E|g_k - grad f_lam(y)|^2 <= delta^2. The bias is then at most
 * eps/(8R), and the squared error is less than 2 eps lam/(k+1) as long as k < 256 (R G/eps)^2, so that as in
 * Theorem 3
 *     E f(x_T) - f* <= eps  after T projections and 448 c (G D/eps) (G R/eps)^2 gradients
 * c is 32 in theory and 1 in practice. */
#include "envelope_method.h"

struct own {
    struct envelope_method of;
    long T_in;
};

static const struct param params[] = {
    ENVELOPE_PARAMS,
    PARAM(own, T_in, 0, 0, 0x1p52, "gradients", "budget of a run of EpochSGD; 0: c (8 G R/eps)^2"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "envelope-sgd";
    struct own *own = vp;
    const struct envelope_method *p = &own->of;
    enum status status = envelope_method_tune(who, f, goal, &own->of, why);

    if (status != OK)
        return status;
    double ratio = 8 * p->G * p->R / p->eps;
    double T_in = fmax(16, ceil(p->c * ratio * ratio));      /* EpochSGD has no epoch with a smaller budget */
    if (own->T_in == 0 && !(T_in <= 0x1p52))
        return why_set(why, REFUSED, "%s: T_in = c (8 G R/eps)^2 = %g: expected at most 2^52", who,
                       T_in);
    param_choose_count(&own->T_in, (long)fmin(T_in, 0x1p52));
    if (own->T_in < 16)
        return why_set(why, REFUSED, "%s: T_in = %ld: expected at least 16, an epoch", who, own->T_in);
    double steps = (double)p->T * epoch_sgd_gradients(epoch_sgd_epochs((double)own->T_in));
    if (goal->T < steps)
        return why_set(why, REFUSED, "%s: a gradient is a batch step: goal T = %g, expected at least %g",
                       who, goal->T, steps);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    return (double)p->of.T * epoch_sgd_gradients(epoch_sgd_epochs((double)p->T_in));
}

struct source {
    struct epoch_sgd run;
    int epochs;
};

static bool envelope_grad(void *ctx, double k, const double *y, double *g)
{
    struct source *s = ctx;
    s->run.z = y;
    if (!epoch_sgd_run(&s->run, s->epochs))
        return false;
    vec_lincomb(oracle_dim(s->run.o), s->run.mu, y, -s->run.mu, s->run.x, g);
    return true;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct own *p = vp;
    struct envelope_inner inner = { o, p->of.R };
    struct source source = { .run = envelope_inner_run(&inner, p->of.lam),
                             .epochs = epoch_sgd_epochs((double)p->T_in) };
    struct envelope_agd s = { .o = o, .grad = envelope_grad, .ctx = &source };

    epoch_sgd_reserve(&source.run, w);
    envelope_method_run(&p->of, &s, w, x);
    return OK;
}

const struct algo algo_envelope_sgd = {
    .name = "envelope-sgd",
    .doc = "accelerated descent on the Moreau envelope, each gradient by plain EpochSGD",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Section 3",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = ENVELOPE_READS,
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};
