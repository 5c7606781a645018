/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelope_method.h - parameters, choices and the main loop of the methods envelope_agd and envelope_sgd, which
 * differ in how they estimate the gradient of the Moreau envelope (envelope_agd.h; Asi, Carmon, Jambulapati, Jin,
 * Sidford 2021, Section 3). For f convex with E|g|^2 <= G^2 on the ball of radius R, |x_0 - x*| <= D, and the
 * accuracy eps, they take
 *
 *     lam = 2 G^2/eps,  T = ceil(7 G D/eps) rounds
 *
 * The budget of gradients of the inner method is proportional to a constant c, which is 32 in theory and 1 in
 * practice. */
#ifndef ASSAY_PARTS_ENVELOPE_METHOD_H
#define ASSAY_PARTS_ENVELOPE_METHOD_H

#include <string.h>
#include "envelope_agd.h"
#include "epoch_sgd.h"

/* The parameters that envelope_agd and envelope_sgd share; the first member of their own struct of parameters. */
struct envelope_method {
    const char *projections;
    long T;
    double eps, c, lam;
    double G, R;
};

#define ENVELOPE_PARAMS                                                                            \
    PARAM_WORD(envelope_method, projections, "once", "once|twice|printed",                         \
               "which step keeps v in the set"),                                                   \
    PARAM(envelope_method, T, 0, 0, 0x1p40, "rounds", "0: ceil(7 G D/eps)"),                       \
    PARAM(envelope_method, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),            \
    PARAM(envelope_method, c, NAN, 1e-6, 1e6, "1",                                                 \
          "constant of the inner method; default 32 in theory, else 1"),                           \
    PARAM(envelope_method, lam, NAN, 1e-100, 1e100, "f/x^2", "of the envelope; default 2 G^2/eps"), \
    PARAM(envelope_method, G, NAN, 1e-100, 1e100, "f/x",                                           \
          "bound on the gradients; default the fact"),                                             \
    PARAM(envelope_method, R, NAN, 1e-100, 1e100, "x",                                             \
          "radius of the cheap ball; default the fact")

#define ENVELOPE_READS (FACT_BIT(G) | FACT_BIT(dist) | FACT_BIT(diameter) | FACT_BIT(radius))

static inline enum status envelope_method_tune(const char *who, const struct facts *f,
                                               const struct goal *goal, struct envelope_method *p,
                                               struct why *why)
{
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
    double T = fmax(1, ceil(7 * p->G * D / p->eps));
    if (p->T == 0 && !(T <= 0x1p40))
        return why_set(why, REFUSED, "%s: T = 7 G D/eps = %g: expected at most 2^40; D is dist or "
                       "diameter", who, T);
    param_choose_count(&p->T, (long)fmin(T, 0x1p40));
    return OK;
}

/* The context of an inner run: gradients are samples of the oracle, projections those on the ball of radius R. */
struct envelope_inner {
    struct oracle *o;
    double R;
};

static inline bool envelope_sample(void *ctx, const double *x, double *h)
{
    return oracle_sgrad(((struct envelope_inner *)ctx)->o, 1, x, h);
}

static inline void envelope_cheap(void *ctx, double *x)
{
    const struct envelope_inner *s = ctx;
    vec_project_ball(oracle_dim(s->o), NULL, s->R, x);
}

/* Returns EpochSGD over the ball of radius R, with curvature lam. It points to *inner, which must live as long. */
static inline struct epoch_sgd envelope_inner_run(struct envelope_inner *inner, double lam)
{
    return (struct epoch_sgd){ .o = inner->o, .grad = envelope_sample, .project = envelope_cheap,
                               .ctx = inner, .mu = lam };
}

/* x[d] <- the answer after T rounds, or as many as the budget allows. The caller has reserved the memory of the
 * inner method. */
static inline void envelope_method_run(const struct envelope_method *p, struct envelope_agd *s,
                                       struct arena *w, double *x)
{
    s->lam = p->lam;
    s->R = p->R;
    s->mode = strcmp(p->projections, "printed") == 0 ? PROJECT_PRINTED
              : strcmp(p->projections, "twice") == 0 ? PROJECT_TWICE
                                                     : PROJECT_ONCE;
    envelope_agd_reserve(s, w);
    arena_seal(w);
    vec_copy(oracle_dim(s->o), x, s->x);
    envelope_agd_begin(s);
    for (long k = 1; k <= p->T && envelope_agd_round(s, (double)k); k++)
        oracle_mark(s->o, s->x);
    vec_copy(oracle_dim(s->o), s->x, x);
}

#endif
