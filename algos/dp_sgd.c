/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp_sgd.c - one-pass mini-batch DP-SGD with noise that is independent from round to round
 *
 *     g_t = (1/B) sum_{d in B_t} clip( grad f(x_t,d), C ) + N(0, sigma^2 I),   B_t disjoint,
 *     x_{t+1} = P( x_t - h g_t ),   answer (1/T) sum_{t=1..T} x_t
 *
 * d is a record of the batch B_t of B records. T rounds, n = B T gradients. A record takes part in one release of
 * sensitivity C/B, so that sigma = C/(B mu) is mu-GDP whatever f is (parallel composition; zero-out adjacency).
 *
 * F convex, every loss L-Lipschitz and M-smooth, R the diameter, p the dimension:
 *     h = min{ 1/(2M), R/(sqrt(T) v) },   v^2 = L^2/B + p sigma^2,   C = L
 * gives an excess of M R^2/T + R v/sqrt(T) up to constants (Bassily, Feldman, Talwar, Thakurta 2019, with disjoint
 * batches). T defaults to sqrt(n), for which the first term is of order L R/sqrt(n) if M is of order L/R. Without a
 * goal of privacy nothing is clipped and no noise is added. */
#include "gdp.h"

struct dp_sgd {
    const char *calibration, *answer;
    long T, B;
    double mu, C, sigma, step, c;
};

static const struct param params[] = {
    PARAM_WORD(dp_sgd, calibration, "exact", "exact|classical",
               "mu from the exact curve or from the classical bound"),
    PARAM_WORD(dp_sgd, answer, "average", "average|last", "which iterate is the answer"),
    PARAM(dp_sgd, T, 0, 0, 0x1p40, "steps", "rounds; 0: sqrt(n)"),
    PARAM(dp_sgd, B, 0, 0, 0x1p52, "samples", "batch size; 0: floor(n/T)"),
    PARAM(dp_sgd, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(dp_sgd, C, NAN, 0, INFINITY, "f/x", "clipping norm of one gradient; default L"),
    PARAM(dp_sgd, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise; 0: none"),
    PARAM(dp_sgd, step, NAN, 0, INFINITY, "x^2/f", "h; default the theorem's"),
    PARAM(dp_sgd, c, 1, 0, INFINITY, "1", "multiplies the theorem's step"),
    PARAM_END
};

static const struct method_mechanism mechanisms[] = {
    { "noise", "Gaussian noise is added to every gradient, and steps are chosen for it", MECHANISM_COSTS,
      { { "algo.mu", INFINITY } } },
    { 0 }
};

static double rounds(double n, const void *ctx) { return fmax(1, rint(sqrt(n))); }

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "dp-sgd";
    struct dp_sgd *s = vp;
    double n = one_pass_samples(f, goal, 1);

    TRY(one_pass_shape(goal, n, rounds, NULL, &s->T, &s->B, who, why));
    TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));
    TRY(clip_choose(f, s->B, s->mu, &s->C, &s->sigma, who, why));
    double T = (double)s->T, v = batch_error(f, s->B, s->C, s->sigma);
    param_choose(&s->step, s->c * fmin(1 / (2 * f->M), f->diameter / (sqrt(T) * v)));
    if (!(s->step < INFINITY))
        return why_set(why, REFUSED, "%s's step needs M, or the diameter and L; or algo.step", who);
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct dp_sgd *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *mean = arena_vec(w, d);
    bool average = strcmp(s->answer, "average") == 0;
    struct ticket batch;
    const struct release r = { .site = "dp-sgd.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    vec_copy(d, x, mean);
    for (long t = 1; t <= s->T && oracle_take(o, s->B, &batch); t++) {
        if (!oracle_clipped(o, &batch, x, s->C, g))
            break;
        oracle_estimate(o, x, g);
        noise_gaussian(o, &r, s->sigma, d, g);
        vec_axpy(d, -s->step, g, x);
        oracle_project(o, 0, x);
        vec_axpby(d, 1 / (double)t, x, 1 - 1 / (double)t, mean);
        oracle_depth(o, 3);
        oracle_mark(o, average ? mean : x);
    }
    if (average)
        vec_copy(d, mean, x);
    return OK;
}

const struct algo algo_dp_sgd = {
    .name = "dp-sgd",
    .doc = "one-pass mini-batch DP-SGD: clipped gradients, independent Gaussian noise",
    .cite = "Bassily, Feldman, Talwar, Thakurta, NeurIPS 2019; one pass over disjoint batches",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct dp_sgd),
    .tune = tune,
    .run = run,
    .mechanisms = mechanisms,
};
