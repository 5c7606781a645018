/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zo_descent.c - stochastic descent on the smoothed loss F_delta, with two-point gradients along one direction
 * each. f is L-Lipschitz, F(x_1) - inf F <= Phi, H = sqrt d L/delta, u is uniform on the unit sphere, delta is half
 * of goal.radius, N the number of samples, x_R the answer:
 *
 *     plain     x <- x - eta g,  g = (d/(2 delta)) (f(x + delta u) - f(x - delta u)) u
 *               eta = sqrt( 2 (Phi + 2 L delta)/(H d L^2 N) )            (Lin, Zheng & Jordan 2022)
 *               E|grad F_delta(x_R)|^2 <= (1 + c)/2 sqrt( 2 (Phi + 2 L delta) H d L^2/N ) where
 *               E|g|^2 <= c d L^2: c = 1 on linear losses, 16 sqrt(2 pi) always (Shamir 2017, Lemma 10)
 *     reduced   v = the mean of b' gradients at x_t in every m-th step; else v += the mean over b pairs
 *               (u, z) of the gradient at x_t minus that at x_(t-1);  x <- x - eta v    (Chen, Xu & Luo 2023)
 *               b' = d L^2/acc^2, m = L/acc, b = d m, eta = delta/(2 sqrt d L), after N samples
 *               acc ~ (2 d^(3/2) L^2 (Phi + L delta)/(delta N))^(1/3)
 *
 * The answer is an iterate drawn uniformly. The method is not private. zo_o2nc.c is a method with the same
 * gradients and the learner of O2NC. */
#include <string.h>

#include "two_point.h"

struct own {
    const char *gradient;
    double smoothing, L, Phi, acc, step;
    long first, rest, every;
    double N;                        /* number of samples, set by tune; not a parameter */
};

static const struct param params[] = {
    PARAM_WORD(own, gradient, "plain", "plain|reduced", "of one pair, or variance-reduced"),
    PARAM(own, smoothing, NAN, 1e-300, 1e300, "x", "delta; default half of goal.radius, else 0.05"),
    PARAM(own, L, NAN, 1e-300, 1e300, "f/x", "Lipschitz constant; default the fact"),
    PARAM(own, Phi, NAN, 0, 1e300, "f", "F(x_1) - inf F at most; default the fact, else L delta"),
    PARAM(own, acc, NAN, 1e-300, 1e300, "f/x", "reduced: aim, that N samples suffice for"),
    PARAM(own, step, NAN, 0, 1e300, "x^2/f", "eta"),
    PARAM(own, first, 0, 0, 0x1p40, "samples", "b'; plain: 1"),
    PARAM(own, rest, 0, 0, 0x1p40, "samples", "b; plain: 1"),
    PARAM(own, every, 0, 0, 0x1p40, "steps", "m; plain: 1"),
    PARAM_END
};

static const struct method_mechanism mechanisms[] = {
    { "descent", "iterates follow the gradients", MECHANISM_HELPS, { { "algo.step", 0 } } },
    { 0 }
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    bool plain = strcmp(p->gradient, "plain") == 0;
    double N = fmin(isnan(goal->n) ? INFINITY : goal->n, isnan(f->n) ? INFINITY : f->n);
    double root = sqrt(f->d), start;
    if (plain || isinf(N))           /* goal T bounds N: a round of `plain` takes one sample */
        N = fmin(N, goal->T >= 1 ? goal->T : INFINITY);
    param_choose(&p->smoothing, goal->radius > 0 ? goal->radius / 2 : 0.05);
    param_choose(&p->L, f->L);
    if (!(p->L < INFINITY))
        return why_set(why, REFUSED, "zo-descent needs L: give algo.L");
    if (!(N >= 1 && N < INFINITY))
        return why_set(why, REFUSED, "zo-descent needs goal n or T");
    p->N = N;
    param_choose(&p->Phi, isfinite(f->Phi) ? f->Phi : p->L * p->smoothing);
    start = p->Phi + p->L * p->smoothing;
    param_choose(&p->acc, cbrt(2 * f->d * root * p->L * p->L * start / (p->smoothing * N)));
    double share = fmin(1, p->acc / p->L);
    param_choose_count(&p->first, plain ? 1 : (long)fmin(N, ceil(f->d / (share * share))));
    param_choose_count(&p->every, plain ? 1 : (long)ceil(1 / share));
    param_choose_count(&p->rest, plain ? 1 : (long)ceil(f->d * (double)p->every));
    double H = root * p->L / p->smoothing;
    param_choose(&p->step, plain ? sqrt(2 * (start + p->L * p->smoothing) /
                                        (H * f->d * p->L * p->L * N))
                                 : p->smoothing / (2 * root * p->L));
    return OK;
}

static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    double of_cycle = (double)p->first + (double)(p->every - 1) * (double)p->rest;
    return two_point_work(f->d, p->N, ceil(p->N * (double)p->every / of_cycle));
}

static enum status run(struct oracle *o, const void *vp, struct arena *a, struct rng *rng, double *x)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *at = arena_vec(a, d), *before = arena_vec(a, d), *g = arena_vec(a, d);
    double *change = arena_vec(a, d);
    struct two_point f = { .delta = p->smoothing, .L = INFINITY, .directions = 1, .symmetric = true };
    struct ticket z;

    arena_seal(a);
    vec_copy(d, x, at);
    for (long t = 0;; t++) {
        bool fresh = t % p->every == 0;
        if (!oracle_take(o, fresh ? p->first : p->rest, &z) ||
            !(fresh ? two_point_grad(o, &f, &z, at, g)
                    : two_point_diff(o, &f, &z, at, before, change)))
            return OK;
        if (!fresh)
            vec_axpy(d, 1, change, g);
        oracle_visit(o, at);
        oracle_close(o);
        if (rng_uniform(rng) * (double)(t + 1) < 1)
            vec_copy(d, at, x);
        vec_copy(d, at, before);
        vec_axpy(d, -p->step, g, at);
        oracle_depth(o, 1);
        oracle_mark(o, x);
    }
}

const struct algo algo_zo_descent = {
    .name = "zo-descent",
    .doc = "descent on the smoothed loss by two-point gradients, plain or variance-reduced",
    .cite = "Lin, Zheng, Jordan (NeurIPS 2022), SGFM; Chen, Xu, Luo (ICML 2023), GFM+",
    .calls = CALL_SAMPLE_VALUES,
    .assumes = ASSUMES_UNBOUNDED,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(Phi),
    .params = params,
    .params_size = sizeof(struct own),
    .tune = tune,
    .expects = expects,
    .run = run,
    .mechanisms = mechanisms,
};
