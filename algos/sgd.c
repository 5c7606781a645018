/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sgd.c - projected stochastic gradient descent with mini-batches and averaging
 *
 *     x_{t+1} = P( x_t - eta g_t ),  g_t = mean of B fresh sample gradients at x_t,
 *     answer (1/T) sum_{t=1..T} x_t   (x_0 is the start)
 *
 * F is convex, v = sigma/sqrt(B) bounds the standard deviation of g_t, D >= |x_0 - x*|.
 *
 *     M-smooth:    eta = 1/(M + v sqrt(T)/D),   E F - F* <= M D^2/(2T) + D v/sqrt(T)
 *                  (Bubeck 2015, Theorem 6.3 with the mirror map |x|^2/2)
 *     Lipschitz:   eta = D/(G sqrt(T)),         E F - F* <= D G/sqrt(T) for the mean of
 *                  x_0, ..., x_{T-1} (Bubeck 2015, Theorem 6.1); the answer is the mean above all the same */
#include "algo.h"

#include <string.h>

struct sgd {
    long B, T;
    double step, c;
    const char *answer;
};

static const struct param params[] = {
    PARAM(sgd, B, 1, 1, 0x1p40, "samples", "batch size"),
    PARAM(sgd, T, 0, 0, 0x1p52, "steps", "horizon of the step size; 0: from goal T, n or budget"),
    PARAM(sgd, step, NAN, 0, INFINITY, "x^2/f", "eta; default the theorem's"),
    PARAM(sgd, c, 1, 0, INFINITY, "1", "multiplies the theorem's step"),
    PARAM_WORD(sgd, answer, "average", "average|last", "which iterate is the answer"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct sgd *p = vp;
    double D = isnan(f->dist) ? f->diameter : f->dist, B = (double)p->B;
    double T = !isnan(goal->T) ? goal->T : floor((isnan(goal->n) ? goal->budget : goal->n) / B);

    if (p->T == 0 && !(T >= 1 && T < 0x1p52))
        return why_set(why, REFUSED, "sgd needs a horizon: give T, or n or budget of at least one batch");
    param_choose_count(&p->T, (long)T);
    if (!isnan(p->step))
        return OK;
    if (!(D > 0 && D < INFINITY))
        return why_set(why, REFUSED, "sgd's step needs a bound on |x_0 - x*| (dist or diameter), or algo.step");
    if (!isnan(f->M_F) && !isnan(f->sigma))
        p->step = p->c / (f->M_F + f->sigma / sqrt(B) * sqrt((double)p->T) / D);
    else if (!isnan(f->G))
        p->step = p->c * D / (f->G * sqrt((double)p->T));
    else
        return why_set(why, REFUSED, "sgd's step needs M_F and sigma, or G; or algo.step");
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng, double *x)
{
    const struct sgd *p = vp;
    struct walk *at = oracle_walk(o, p->B, strcmp(p->answer, "average") == 0, w);

    arena_seal(w);
    walk_begin(at, x);
    while (walk_step(at, p->step))           /* moves x to P(x - eta g) and marks the answer so far */
        oracle_depth(o, 2);
    walk_end(at, x);
    return OK;
}

const struct algo algo_sgd = {
    .name = "sgd",
    .doc = "projected mini-batch SGD with averaging",
    .cite = "Bubeck, Found. Trends Mach. Learn. 8 (2015), Theorem 6.3",
    .calls = CALL_SAMPLES,
    .assumes = ASSUMES_CONVEX,
    .may_read = FACT_BIT(M_F) | FACT_BIT(sigma) | FACT_BIT(G) | FACT_BIT(dist) | FACT_BIT(diameter),
    .params = params,
    .params_size = sizeof(struct sgd),
    .tune = tune,
    .run = run,
};
