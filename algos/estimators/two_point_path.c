/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_point_path.c - the variance-reduced gradient of private zeroth-order O2NC (Zhang, Tran & Cutkosky 2024,
 * Algorithm 4) at the end of an epoch, and the mean of these gradients over the epoch. The path is that of a
 * learner which always makes the longest step along e_1: w_1 = 0, w_t = (t - 2 + s_t) D e_1, s_t uniform on [0,1],
 * D = delta/T, T the number of steps and delta the smoothing radius. g_1 is GRAD at w_1 over B1 samples, and
 * g_t = g_(t-1) plus DIFF of w_t and w_(t-1) over B2 samples (parts/two_point.h). All is drawn twice, with
 * independent samples. For losses linear along the path with <grad f, e_1>^2 = L^2, d directions, B2 = 1, and
 * V = (1 - 1/d) L^2/B1 + (variance of the data)/B1, the variance of GRAD,
 *
 *     E|g_T - E g_T|^2 = V + d L^2 ((7/6)(T - 2) + 1/3)/T^2       (E (1 + s - s')^2 = 7/6, E s^2 = 1/3) */
#include <string.h>

#include "estimator.h"
#include "two_point.h"

struct own {
    const char *difference;
    double smoothing, L;
    long steps, B1, B2, directions;
};

static const struct param params[] = {
    PARAM_WORD(own, difference, "forward", "forward|symmetric", "DIFF from two values or from four"),
    PARAM(own, smoothing, 0.1, 1e-100, 1e100, "x", "delta"),
    PARAM(own, L, NAN, 1e-100, INFINITY, "f/x", "of the clamp; default the fact"),
    PARAM(own, steps, 64, 1, 0x1p30, "steps", "T of the epoch"),
    PARAM(own, B1, 0, 0, 0x1p40, "samples", "first batch; 0: B2 T + 1"),
    PARAM(own, B2, 1, 1, 0x1p40, "samples", "later batches"),
    PARAM(own, directions, 0, 0, 0x1p20, "directions", "of a sample; 0: d"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    param_choose(&p->L, f->L);
    param_choose_count(&p->directions, (long)f->d);
    param_choose_count(&p->B1, p->B2 * p->steps + 1);
    return OK;
}

/* Returns an estimate of the cost of two epochs, in gradients. A round here takes half the time of a round of
 * two_point_work, whose point is also collected for a certificate (oracle_visit). */
static double expects(const struct facts *f, const void *vp)
{
    const struct own *p = vp;
    double rounds = (double)p->steps, samples = (double)p->B1 + (double)p->B2 * (rounds - 1);
    return 2 * two_point_work(f->d, (double)p->directions * samples, rounds / 2);
}

/* last[d] <- g_T, mean[d] <- the mean of g_1 ... g_T. */
static void epoch(struct oracle *o, const struct own *p, struct rng *rng, double *w, double *before,
                  double *change, double *last, double *mean)
{
    long d = oracle_dim(o);
    double D = p->smoothing / (double)p->steps;
    struct two_point f = { p->smoothing, p->L, p->directions,
                           strcmp(p->difference, "symmetric") == 0 };
    struct ticket z;
    vec_zero(d, w);
    vec_zero(d, mean);
    for (long t = 1; t <= p->steps; t++) {
        vec_copy(d, w, before);
        if (t > 1)
            w[0] = ((double)(t - 2) + rng_uniform(rng)) * D;
        if (!oracle_take(o, t == 1 ? p->B1 : p->B2, &z))
            return;
        if (t == 1)
            two_point_grad(o, &f, &z, w, last);
        else if (two_point_diff(o, &f, &z, w, before, change))
            vec_axpy(d, 1, change, last);
        vec_axpy(d, 1 / (double)p->steps, last, mean);
    }
}

static enum status draw(struct oracle *o, const void *vp, struct arena *a, struct rng *rng,
                        int stratum, double *v)
{
    long d = oracle_dim(o);
    double *w = arena_vec(a, d), *before = arena_vec(a, d), *change = arena_vec(a, d);
    arena_seal(a);
    vec_zero(4 * d, v);
    for (int k = 0; k < 2; k++)
        epoch(o, vp, rng, w, before, change, v + k * d, v + (2 + k) * d);
    return OK;
}

static double half_square(long d, const double *u, const double *v)
{
    double apart = vec_dist(d, u, v);
    return apart * apart / 2;
}

static double last(const struct functional_env *env, const double *v)
{
    return half_square(env->d, v, v + env->d);
}

static double mean(const struct functional_env *env, const double *v)
{
    return half_square(env->d, v + 2 * env->d, v + 3 * env->d);
}

static const struct functional functionals[] = {
    { "last", "f^2/x^2", "|g_T - g_T'|^2/2: the variance of the last", last },
    { "mean", "f^2/x^2", "the same of the epoch's means", mean },
    { 0 }
};

const struct estimator estimator_two_point_path = {
    .name = "two-point-path",
    .doc = "variance-reduced two-point gradient at the end of a straight epoch, and its mean",
    .cite = "Zhang, Tran, Cutkosky, Private Zeroth-Order Nonsmooth Nonconvex Optimization (2024), "
            "Algorithm 4, Lemma 4.8",
    .calls = CALL_SAMPLE_VALUES,
    .may_read = FACT_BIT(d) | FACT_BIT(L),
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = 4,
    .functionals = functionals,
    .tune = tune,
    .expects = expects,
    .draw = draw,
};
