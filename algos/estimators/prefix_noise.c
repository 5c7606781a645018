/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prefix_noise.c - the noise that parts/noisy_sum.h adds to prefix sums: that of prefix t, and the mean over the T
 * prefixes of an epoch. Summands have sensitivity `sensitivity`, and the epoch is released at privacy level rho.
 * For the tree, whose nodes have standard deviation sigma = sensitivity sqrt(floor(log2 T) + 1)/rho:
 *
 *     E|TREE(t)|^2 = popcount(t) d sigma^2,   E|mean|^2 = d sigma^2 (1/2 - 1/(2T) + 1/T^2), T = 2^m */
#include "estimator.h"
#include "noisy_sum.h"

struct own {
    const char *noise;
    double sigma, sensitivity, rho;
    long steps, t;
};

static const struct param params[] = {
    PARAM_WORD(own, noise, "tree", NOISY_SUM_WORDS, "of the prefix sums"),
    PARAM(own, sigma, NAN, 0, 1e100, "f/x", "sd of a node or draw; default from rho"),
    PARAM(own, sensitivity, 1, 0, 1e100, "f/x", "of a summand"),
    PARAM(own, rho, NAN, 1e-100, 1e100, "1", "privacy level of an epoch; default the goal's, else 1"),
    PARAM(own, steps, 16, 1, 0x1p30, "steps", "T of the epoch"),
    PARAM(own, t, 0, 0, 0x1p30, "steps", "prefix that is looked at; 0: T"),
    PARAM_END
};

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct own *p = vp;
    param_choose_count(&p->t, p->steps);
    param_choose(&p->rho, isnan(goal->rho) ? 1 : goal->rho);
    param_choose(&p->sigma, p->sensitivity * sqrt(noisy_sum_cover(p->noise, p->steps)) / p->rho);
    if (p->t > p->steps)
        return why_set(why, BAD_INPUT, "prefix-noise.t = %ld: expected at most T = %ld", p->t, p->steps);
    return OK;
}

/* v[0..d) <- the noise of prefix t; v[d..2d) <- the mean of the noise over all prefixes. */
static enum status draw(struct oracle *o, const void *vp, struct arena *a, struct rng *rng,
                        int stratum, double *v)
{
    const struct own *p = vp;
    long d = oracle_dim(o);
    double *zero = arena_vec(a, d);
    struct noisy_sum s = noisy_sum_new(o, a, p->noise, p->steps, d);
    const struct release r = { .site = "prefix-noise", .norm = NORM_2,
                               .sensitivity = p->sensitivity };
    arena_seal(a);
    vec_zero(2 * d, v);
    noisy_sum_restart(&s, d);
    for (long t = 1; t <= p->steps; t++) {
        vec_zero(d, zero);
        noisy_sum_add(o, &s, &r, p->sigma, d, zero);
        vec_axpy(d, 1 / (double)p->steps, s.noisy, v + d);
        if (t == p->t)
            vec_copy(d, s.noisy, v);
    }
    return OK;
}

static double at(const struct functional_env *env, const double *v)
{
    return vec_dot(env->d, v, v);
}

static double mean(const struct functional_env *env, const double *v)
{
    return vec_dot(env->d, v + env->d, v + env->d);
}

static const struct functional functionals[] = {
    { "at", "f^2/x^2", "|noise of prefix t|^2", at },
    { "mean", "f^2/x^2", "|mean noise of the epoch|^2", mean },
    { 0 }
};

const struct estimator estimator_prefix_noise = {
    .name = "prefix-noise",
    .doc = "noise of private prefix sums: at one prefix, and in the mean of an epoch",
    .cite = "Zhang, Tran, Cutkosky, Private Zeroth-Order Nonsmooth Nonconvex Optimization (2024), "
            "Algorithm 5, Corollary 4.5",
    .calls = CALL_NOISE,
    .params = params,
    .params_size = sizeof(struct own),
    .vectors = 2,
    .functionals = functionals,
    .tune = tune,
    .draw = draw,
};
