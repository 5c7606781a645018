/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composite_method.h - parameters, choices and the main loop of the methods composite_agd and composite_sgd, which
 * differ in how a round of composite_agd.h is solved (Asi, Carmon, Jambulapati, Jin, Sidford 2021, Section 5). For
 * f convex with E|g|^2 <= G^2, an L-smooth smooth part, the feasible set X within R of x_0, and the accuracy eps,
 * they make
 *
 *     N = ceil(2 sqrt(L R^2/eps)) rounds
 *
 * The budget of gradients of the inner method is proportional to a constant c, which is 32 in theory and 1 in
 * practice. */
#ifndef ASSAY_PARTS_COMPOSITE_METHOD_H
#define ASSAY_PARTS_COMPOSITE_METHOD_H

#include "composite_agd.h"
#include "epoch_sgd.h"

/* The parameters that composite_agd and composite_sgd share; the first member of their own struct of parameters. */
struct composite_method {
    long N;
    double eps, c;
    double L, G, R;
};

/* The parameters stand in two macros, because a method has further ones between them: the text of a cell, and so
 * the seed, depends on the order of parameters in the table. */
#define COMPOSITE_ROUNDS                                                                         \
    PARAM(composite_method, N, 0, 0, 0x1p40, "rounds", "0: ceil(2 sqrt(L R^2/eps))"),            \
    PARAM(composite_method, eps, NAN, 1e-100, 1e100, "f", "accuracy; default goal acc"),         \
    PARAM(composite_method, c, NAN, 1e-12, 1e6, "1",                                             \
          "constant of the inner method; default 32 in theory, else 1")
#define COMPOSITE_FACTS                                                                          \
    PARAM(composite_method, L, NAN, 1e-100, 1e100, "f/x^2",                                      \
          "smoothness; default the fact M_smooth"),                                              \
    PARAM(composite_method, G, NAN, 1e-100, 1e100, "f/x",                                        \
          "bound on the gradients of f; default the fact"),                                      \
    PARAM(composite_method, R, NAN, 1e-100, 1e100, "x",                                          \
          "X is within R of x_0; default the radius")

#define COMPOSITE_READS (FACT_BIT(M_smooth) | FACT_BIT(G) | FACT_BIT(radius))

static inline enum status composite_method_tune(const char *who, const struct facts *f,
                                                const struct goal *goal,
                                                struct composite_method *p, struct why *why)
{
    param_choose(&p->eps, goal->acc);
    param_choose(&p->c, goal->constants == CONSTANTS_THEORY ? 32 : 1);
    param_choose(&p->L, f->M_smooth);
    param_choose(&p->G, f->G);
    param_choose(&p->R, f->radius);
    if (isnan(p->eps) && p->N == 0)
        return why_set(why, REFUSED, "%s needs an accuracy: give goal acc, or algo.eps", who);
    if (!(p->L > 0 && p->L < INFINITY))
        return why_set(why, REFUSED, "%s relies on a smooth part apart from the samples: M_smooth = %g",
                       who, p->L);
    if (!(p->G > 0 && p->G < INFINITY && p->R < INFINITY))
        return why_set(why, REFUSED, "%s relies on E|g|^2 <= G^2 over a bounded set: G = %g, "
                       "radius = %g", who, p->G, p->R);
    double N = fmax(1, ceil(2 * sqrt(p->L * p->R * p->R / p->eps)));
    if (p->N == 0 && !(N <= 0x1p40))
        return why_set(why, REFUSED, "%s: N = 2 sqrt(L R^2/eps) = %g: expected at most 2^40", who, N);
    if (p->N == 0)
        p->N = (long)N;
    return OK;
}

/* x[d] <- the answer after N rounds, or as many as the budget allows. The caller has reserved the memory of the
 * inner method. */
static inline void composite_method_run(const struct composite_method *p, struct composite_agd *s,
                                        struct arena *w, double *x)
{
    s->L = p->L;
    composite_agd_reserve(s, w);
    arena_seal(w);
    vec_copy(oracle_dim(s->o), x, s->x);
    composite_agd_begin(s);
    for (long k = 1; k <= p->N && composite_agd_round(s, (double)k); k++)
        oracle_mark(s->o, s->x);
    vec_copy(oracle_dim(s->o), s->x, x);
}

#endif
