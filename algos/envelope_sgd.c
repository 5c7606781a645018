/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelope_sgd.c - few projections without bias reduction: accelerated descent on the Moreau envelope
 * (parts/envelope_agd.h), each gradient from one long run of EpochSGD (parts/epoch_sgd.h; Asi,
 * Carmon, Jambulapati, Jin, Sidford 2021, Section 3, the method that Algorithm 3 improves on). f
 * convex, E|g|^2 <= G^2 on the ball of radius R, |x_0 - x*| <= D, delta = eps/(8R):
 *
 *     g_k = lam (y - xhat),  xhat = EpochSGD of f + (lam/2)|. - y|^2 over the ball, budget T_in
 *     lam = 2 G^2/eps,  T = ceil(7 G D/eps),  T_in = ceil(c G^2/delta^2)
 *
 * Proposition 3, c = 32: E|g_k - grad f_lam(y)|^2 <= delta^2, so that the bias is at most eps/(8R)
 * and the squared error less than 2 eps lam/(k+1) while k < 256 (R G/eps)^2: as in Theorem 3
 *     E f(x_T) - f* <= eps  after T projections and 448 c (G D/eps) (G R/eps)^2 gradients
 * c is 32 in theory, 1 in practice. */
#include <string.h>
#include "envelope_agd.h"
#include "epoch_sgd.h"

struct own {
    const char *projections;
    long T, T_in;
    double eps, c, lam;
    double G, R;
};

static const struct param params[] = {
    PARAM_WORD(own, projections, "once", "once|twice|printed", "which step keeps v in the set"),
    PARAM(own, T, 0, 0, 0x1p40, "rounds", "0: ceil(7 G D/eps)"),
    PARAM(own, T_in, 0, 0, 0x1p52, "gradients", "budget of a run of EpochSGD; 0: c (8 G R/eps)^2"),
    PARAM(own, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),
    PARAM(own, c, NAN, 1e-6, 1e6, "1", "constant of EpochSGD; default 32 in theory, else 1"),
    PARAM(own, lam, NAN, 1e-100, 1e100, "f/x^2", "of the envelope; default 2 G^2/eps"),
    PARAM(own, G, NAN, 1e-100, 1e100, "f/x", "bound on the gradients; default the fact"),
    PARAM(own, R, NAN, 1e-100, 1e100, "x", "radius of the cheap ball; default the fact"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "envelope-sgd";
    struct own *p = vp;
    double D = isnan(f->dist) ? f->diameter : f->dist;

    param_choose(&p->eps, goal->acc);
    param_choose(&p->c, goal->constants == CONSTANTS_THEORY ? 32 : 1);
    param_choose(&p->G, f->G);
    param_choose(&p->R, f->radius);
    if (isnan(p->eps))
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->G > 0 && p->G < INFINITY && p->R < INFINITY))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= G^2 over a ball: G = %g, radius = %g", who,
                       p->G, p->R);
    param_choose(&p->lam, 2 * p->G * p->G / p->eps);
    double T = fmax(1, ceil(7 * p->G * D / p->eps)), ratio = 8 * p->G * p->R / p->eps;
    double T_in = fmax(16, ceil(p->c * ratio * ratio));      /* of less there is no epoch */
    if (p->T == 0 && !(T <= 0x1p40))
        return why_set(why, REFUSED, "%s: T = 7 G D/eps = %g: expected at most 2^40; D is dist or "
                       "diameter", who, T);
    if (p->T_in == 0 && !(T_in <= 0x1p52))
        return why_set(why, REFUSED, "%s: T_in = c (8 G R/eps)^2 = %g: expected at most 2^52", who,
                       T_in);
    param_choose_count(&p->T, (long)fmin(T, 0x1p40));
    param_choose_count(&p->T_in, (long)fmin(T_in, 0x1p52));
    if (p->T_in < 16)
        return why_set(why, REFUSED, "%s: T_in = %ld: expected at least 16, an epoch", who, p->T_in);
    double steps = (double)p->T * epoch_sgd_gradients(epoch_sgd_epochs((double)p->T_in));
    if (goal->T < steps)
        return why_set(why, REFUSED, "%s: a gradient is a batch step: goal T = %g, expected at least %g",
                       who, goal->T, steps);
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    return (double)p->T * epoch_sgd_gradients(epoch_sgd_epochs((double)p->T_in));
}

struct source {
    struct epoch_sgd run;
    double R;
    int epochs;
};

static bool sample(void *ctx, const double *x, double *h)
{
    return oracle_sgrad(((struct source *)ctx)->run.o, 1, x, h);
}

static void cheap(void *ctx, double *x)
{
    const struct source *s = ctx;
    vec_project_ball(oracle_dim(s->run.o), NULL, s->R, x);
}

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
    struct source source = { .R = p->R, .epochs = epoch_sgd_epochs((double)p->T_in) };
    struct envelope_agd s = { .o = o, .grad = envelope_grad, .ctx = &source, .lam = p->lam, .R = p->R,
                              .mode = strcmp(p->projections, "printed") == 0 ? PROJECT_PRINTED
                                      : strcmp(p->projections, "twice") == 0 ? PROJECT_TWICE
                                                                             : PROJECT_ONCE };
    source.run = (struct epoch_sgd){ .o = o, .grad = sample, .project = cheap, .ctx = &source,
                                     .mu = p->lam };
    epoch_sgd_reserve(&source.run, w);
    envelope_agd_reserve(&s, w);
    arena_seal(w);
    vec_copy(oracle_dim(o), x, s.x);
    envelope_agd_begin(&s);
    for (long k = 1; k <= p->T && envelope_agd_round(&s, (double)k); k++)
        oracle_mark(o, s.x);
    vec_copy(oracle_dim(o), s.x, x);
    return OK;
}

const struct algo algo_envelope_sgd = {
    .name = "envelope-sgd",
    .doc = "accelerated descent on the Moreau envelope, each gradient by plain EpochSGD",
    .cite = "Asi, Carmon, Jambulapati, Jin, Sidford, Stochastic Bias-Reduced Gradient Methods "
            "(NeurIPS 2021), Section 3",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX | ASSUMES_BOUNDED,
    .may_read = FACT_BIT(G) | FACT_BIT(dist) | FACT_BIT(diameter) | FACT_BIT(radius),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
};
