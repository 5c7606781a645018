/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp_ftrl.c - one-pass DP-FTRL: follow the regularised leader on noisy prefix sums of gradients (Kairouz, McMahan,
 * Song, Thakkar, Thakurta, Xu, ICML 2021, Algorithm 1, without restarts)
 *
 *     S_t     = sum_{i<=t} (1/B) sum_{d in B_i} clip( grad f(x_i,d), C ),     B_i disjoint,
 *     x_{t+1} = argmin_{x in X} <S_t + N_t, x> + |x - x_0|^2/(2h) = P( x_0 - h (S_t + N_t) ),
 *     answer (1/T) sum_{t=1..T} x_t
 *
 * d is a record of the batch B_i of B records; X is the feasible set, on which P projects; C is the clipping norm.
 * N_t is the noise of a binary tree, of the square-root factorisation, or the sum of independent draws
 * (parts/noisy_sum.h). T rounds, n = B T gradients. A record takes part in one summand, of sensitivity C/B. With
 * sigma = (C/B) sqrt(H)/mu, H the cover of the noise (prefix_cover in noise.h), the releases are mu-GDP whatever f
 * is (zero-out adjacency). Over R^d the method is DP-SGD with step length h and noise N_t - N_{t-1}.
 *
 * F convex, every loss L-Lipschitz, R the diameter, p the dimension, C = L:
 *     h = R/sqrt(T L (L + v)),   v^2 = (1/T) sum_t E|N_t|^2
 * gives a regret, and thus an excess, of order R sqrt(L (L + v)/T) (their Theorem 5.1). T defaults to n, the best
 * for the regret; for the square-root noise, which costs d T^2, to sqrt(n). Without a goal of privacy nothing is
 * clipped and no noise is added. */
#include "gdp.h"
#include "noisy_sum.h"

struct ftrl {
    const char *calibration, *noise, *answer;
    long T, B;
    double mu, C, sigma, step, c;
};

static const struct param params[] = {
    PARAM_WORD(ftrl, calibration, "exact", "exact|classical",
               "mu from the exact curve or from the classical bound"),
    PARAM_WORD(ftrl, noise, "tree", NOISY_SUM_WORDS, "of the prefix sums"),
    PARAM_WORD(ftrl, answer, "average", "average|last", "which iterate is the answer"),
    PARAM(ftrl, T, 0, 0, 0x1p40, "steps", "rounds; 0: n, and sqrt(n) with noise root"),
    PARAM(ftrl, B, 0, 0, 0x1p52, "samples", "batch size; 0: floor(n/T)"),
    PARAM(ftrl, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(ftrl, C, NAN, 0, INFINITY, "f/x", "clipping norm of one gradient; default L"),
    PARAM(ftrl, sigma, NAN, 0, INFINITY, "f/x", "sd of one node or draw; 0: no noise"),
    PARAM(ftrl, step, NAN, 0, INFINITY, "x^2/f", "h; default the theorem's"),
    PARAM(ftrl, c, 1, 0, INFINITY, "1", "multiplies the theorem's step"),
    PARAM_END
};

enum { NOISE };
static const struct note notes[] = {
    { "noise", "f/x", "largest |N_t|", REDUCE_MAX },
    { 0 }
};

static const struct method_mechanism mechanisms[] = {
    { "tree", "the noise of prefix sums is correlated, so that T rounds cost a logarithm in place of T^(1/2)",
      MECHANISM_HELPS, { { "algo.noise", .text = "independent" } } },
    { "noise", "Gaussian noise is added to every prefix sum, and steps are chosen for it", MECHANISM_COSTS,
      { { "algo.mu", INFINITY } } },
    { 0 }
};

/* Returns the default of T for n samples: n or, for the square-root noise, sqrt(n). */
static double rounds(double n, const void *ctx)
{
    const struct ftrl *s = ctx;
    return strcmp(s->noise, "root") == 0 ? fmax(1, rint(sqrt(n))) : n;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "dp-ftrl";
    struct ftrl *s = vp;
    double n = one_pass_samples(f, goal, 1);

    TRY(one_pass_shape(goal, n, rounds, s, &s->T, &s->B, who, why));
    TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));
    bool noisy = isnan(s->sigma) ? isfinite(s->mu) : s->sigma > 0;
    param_choose(&s->C, noisy || isfinite(s->mu) ? f->L : INFINITY);
    if (isnan(s->C) || (isinf(s->C) && noisy))
        return why_set(why, REFUSED, "%s: clipping at C = L = %g: give algo.C", who, s->C);
    double cover = noisy_sum_cover(s->noise, s->T), T = (double)s->T;
    param_choose(&s->sigma, isinf(s->mu) ? 0 : s->C / (double)s->B * sqrt(cover) / s->mu);
    double L = fmin(s->C, isnan(f->L) ? INFINITY : f->L);
    double v = s->sigma * sqrt(f->d * noisy_sum_variance(s->noise, s->T));
    param_choose(&s->step, s->c * f->diameter / sqrt(T * L * (L + v)));
    if (!(s->step < INFINITY))
        return why_set(why, REFUSED, "%s's step needs the diameter and L; or algo.step", who);
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct ftrl *s = vp;
    long d = oracle_dim(o);
    double *x0 = arena_vec(w, d), *mean = arena_vec(w, d), *g = arena_vec(w, d);
    struct noisy_sum S = noisy_sum_new(o, w, s->noise, s->T, d);
    bool average = strcmp(s->answer, "average") == 0;
    struct ticket batch;
    const struct release r = { .site = "dp-ftrl.prefix", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    vec_copy(d, x, x0);
    vec_copy(d, x, mean);
    for (long t = 1; t <= s->T && oracle_take(o, s->B, &batch); t++) {
        if (!oracle_clipped(o, &batch, x, s->C, g))
            break;
        oracle_estimate(o, x, g);
        noisy_sum_add(o, &S, &r, s->sigma, d, g);
        oracle_note(o, NOISE, vec_dist(d, S.noisy, S.sum));
        vec_lincomb(d, 1, x0, -s->step, S.noisy, x);
        oracle_project(o, 0, x);
        vec_axpby(d, 1 / (double)t, x, 1 - 1 / (double)t, mean);
        oracle_depth(o, 3);
        oracle_mark(o, average ? mean : x);
    }
    if (average)
        vec_copy(d, mean, x);
    return OK;
}

const struct algo algo_dp_ftrl = {
    .name = "dp-ftrl",
    .doc = "one-pass DP-FTRL: leader of noisy prefix sums of clipped gradients",
    .cite = "Kairouz, McMahan, Song, Thakkar, Thakurta, Xu, ICML 2021, Algorithm 1",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct ftrl),
    .notes = notes,
    .tune = tune,
    .run = run,
    .mechanisms = mechanisms,
};
