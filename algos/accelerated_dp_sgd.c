/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accelerated_dp_sgd.c - the iteration of Accelerated-DP-SRGD with independent batch gradients (Choquette-Choo,
 * Ganesh, Thakurta 2024, Section 5.5, Theorem 5.13)
 *
 *     g_t     = (1/B) sum_{d in B_t} clip( grad f(x_t,d), C ) + N(0, sigma^2 I),   B_t disjoint,
 *     z_{t+1} = P( z_t - eta_t g_t/(2 kappa beta) ),     y_{t+1} = P( x_t - g_t/beta )
 *     x_{t+1} = (1 - tau) y_{t+1} + tau z_{t+1},         eta_t = t + 1, tau = tau_{t+1} = 2/(t+3)
 *
 * d is a record of the batch B_t of B records. Answer y_T; T rounds, n = B T gradients. kappa = 1/2 is line 7 of
 * Algorithm 1 as printed. A record takes part in one release of sensitivity C/B, so that sigma = C/(B mu) is mu-GDP
 * whatever f is (zero-out adjacency).
 *
 * F is convex, every loss L-Lipschitz and M-smooth, R the diameter, p the dimension, C = L. Theorem 5.13 holds for
 * every beta >= M; v^2 = L^2/B + p sigma^2 bounds the squared error of g_t. The default
 *     beta = max{ kap_M M, kap_v sqrt(T) T v/R }
 * balances the terms beta R^2/T^2 and v^2 T/beta of its bound. The excess is then M R^2/T^2 + R v/sqrt(T), as in
 * Lan (2012). T defaults to 2 n^(1/4), for which the first term is of order L R/sqrt(n) if M is of order L/R.
 * Without a goal of privacy nothing is clipped and no noise is added. */
#include "coupling.h"
#include "gdp.h"

struct acc {
    const char *calibration;
    long T, B;
    double kap_M, kap_v, kappa, mu, beta, C, sigma;
};

static const struct param params[] = {
    PARAM_WORD(acc, calibration, "exact", "exact|classical",
               "mu from the exact curve or from the classical bound"),
    PARAM(acc, T, 0, 0, 0x1p40, "steps", "rounds; 0: 2 n^(1/4)"),
    PARAM(acc, B, 0, 0, 0x1p52, "samples", "batch size; 0: floor(n/T)"),
    PARAM(acc, kap_M, 2, 0, INFINITY, "1", "beta over M, at least"),
    PARAM(acc, kap_v, 1, 0, INFINITY, "1", "weight of the gradients' error in beta"),
    PARAM(acc, kappa, 0.5, 1e-6, 1e6, "1", "z-step eta_t/(2 kappa beta)"),
    PARAM(acc, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(acc, beta, NAN, 1e-300, INFINITY, "f/x^2", "inverse step; default as above"),
    PARAM(acc, C, NAN, 0, INFINITY, "f/x", "clipping norm of one gradient; default L"),
    PARAM(acc, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise; 0: none"),
    PARAM_END
};

static const struct method_mechanism mechanisms[] = {
    { "acceleration", "gradient and mirror steps are coupled, so that the optimisation error falls as 1/T^2",
      MECHANISM_HELPS, .without = "dp-sgd" },
    { "noise", "Gaussian noise is added to every gradient, and steps are chosen for it", MECHANISM_COSTS,
      { { "algo.mu", INFINITY } } },
    { 0 }
};

static double rounds(double n, const void *ctx) { return fmax(1, rint(2 * sqrt(sqrt(n)))); }

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "accelerated-dp-sgd";
    struct acc *s = vp;
    double n = one_pass_samples(f, goal, 1);

    TRY(one_pass_shape(goal, n, rounds, NULL, &s->T, &s->B, who, why));
    TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));
    TRY(clip_choose(f, s->B, s->mu, &s->C, &s->sigma, who, why));
    double v = batch_error(f, s->B, s->C, s->sigma), T = (double)s->T;
    param_choose(&s->beta, fmax(s->kap_M * f->M, s->kap_v * sqrt(T) * T * v / f->diameter));
    if (!(s->beta > 0 && s->beta < INFINITY))
        return why_set(why, REFUSED, "%s: beta = %g from M = %g, L = %g, diameter = %g: "
                       "give algo.beta", who, s->beta, f->M, f->L, f->diameter);
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *y)
{
    const struct acc *s = vp;
    long d = oracle_dim(o);
    double *x = arena_vec(w, d), *z = arena_vec(w, d), *g = arena_vec(w, d);
    const struct coupling c = { .x = x, .y = y, .z = z, .kappa = s->kappa, .beta = s->beta };
    struct ticket batch;
    const struct release r = { .site = "accelerated-dp-sgd.gradient", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    vec_copy(d, y, x);
    vec_copy(d, y, z);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        if (!oracle_clipped(o, &batch, x, s->C, g))
            break;
        oracle_estimate(o, x, g);
        noise_gaussian(o, &r, s->sigma, d, g);
        coupling_step(o, &c, t, 1, g);
        oracle_depth(o, 3);
        oracle_mark(o, y);
    }
    return OK;
}

const struct algo algo_accelerated_dp_sgd = {
    .name = "accelerated-dp-sgd",
    .doc = "one-pass accelerated DP-SGD: large batches, independent noise on their gradients",
    .cite = "Choquette-Choo, Ganesh, Thakurta, Optimal Rates for O(1)-Smooth DP-SCO, Section 5.5",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct acc),
    .tune = tune,
    .run = run,
    .mechanisms = mechanisms,
};
