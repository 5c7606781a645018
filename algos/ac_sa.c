/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ac_sa.c - AC-SA on one pass of mini-batches, with or without private noise (Lan 2012, Corollary 1; the recursion
 * and its bounds are those of parts/ac_sa.h with lambda = 0)
 *
 *     md = (1-alpha) ag + alpha x,    alpha = 2/(t+1),  t = 1 ... T
 *     G  = (1/B) sum_{d in B_t} clip( grad f(md,d), C ) + N(0, sigma^2 I),   B_t disjoint,
 *     x <- P( x - (t/(2 gamma)) G ),  ag <- (1-alpha) ag + alpha x,   answer ag
 *
 * d is a record of the batch B_t of B records, and P projects on the feasible set. T rounds, n = B T gradients. A
 * record takes part in one release of sensitivity C/B, so that sigma = C/(B mu) is mu-GDP whatever f is (zero-out
 * adjacency).
 *
 * F is convex and M-smooth, v^2 = L^2/B + p sigma^2 bounds E|G - grad F|^2, R is the diameter, p the dimension. If
 * c = 1 and nothing is clipped,
 *     gamma = max{ 2M, c (v/R) sqrt(T(T+1)(2T+1)/12) },
 *     E F - F* <= 4 M R^2/(T(T+1)) + R v sqrt(4(2T+1)/(3T(T+1)))
 * T defaults to c_T n^(1/4), for which the first term is of order L R/sqrt(n) if M is of order L/R. Without a goal
 * of privacy nothing is clipped and no noise is added. */
#include "ac_sa.h"
#include "gdp.h"
#include "noisy_mean.h"

struct lan {
    const char *calibration;
    long T, B;
    double c_T, c, mu, C, sigma, gamma;
};

static const struct param params[] = {
    PARAM_WORD(lan, calibration, "exact", "exact|classical",
               "mu from the exact curve or from the classical bound"),
    PARAM(lan, T, 0, 0, 0x1p40, "steps", "rounds; 0: c_T n^(1/4)"),
    PARAM(lan, B, 0, 0, 0x1p52, "samples", "batch size; 0: floor(n/T)"),
    PARAM(lan, c_T, 2, 1e-6, 1e6, "1", "T over n^(1/4)"),
    PARAM(lan, c, 1, 0, INFINITY, "1", "multiplies the error's share of gamma"),
    PARAM(lan, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(lan, C, NAN, 0, INFINITY, "f/x", "clipping norm of one gradient; default L"),
    PARAM(lan, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise; 0: none"),
    PARAM(lan, gamma, NAN, 1e-300, INFINITY, "f/x^2", "inverse step; default as above"),
    PARAM_END
};

static double rounds(double n, const void *ctx)
{
    const struct lan *s = ctx;
    return fmax(1, rint(s->c_T * sqrt(sqrt(n))));
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "ac-sa";
    struct lan *s = vp;
    double n = one_pass_samples(f, goal, 1);

    TRY(one_pass_shape(goal, n, rounds, s, &s->T, &s->B, who, why));
    TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));
    TRY(clip_choose(f, s->B, s->mu, &s->C, &s->sigma, who, why));
    double v = s->c * batch_error(f, s->B, s->C, s->sigma);
    param_choose(&s->gamma, ac_sa_gamma(f->M, v, f->diameter, (double)s->T));
    if (!(s->gamma > 0 && s->gamma < INFINITY))
        return why_set(why, REFUSED, "%s: gamma = %g from M = %g, L = %g, diameter = %g: "
                       "give algo.gamma", who, s->gamma, f->M, f->L, f->diameter);
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct lan *p = vp;
    struct noisy_mean source = { .o = o, .site = "ac-sa.gradient", .fresh = p->B, .C = p->C,
                                 .sigma = p->sigma };
    struct ac_sa s = { .o = o, .grad = noisy_mean, .ctx = &source, .mark = true };

    ac_sa_reserve(&s, w);
    arena_seal(w);
    vec_copy(oracle_dim(o), x, s.ag);
    ac_sa_stage(&s, p->T, p->gamma);
    vec_copy(oracle_dim(o), s.ag, x);
    return OK;
}

const struct algo algo_ac_sa = {
    .name = "ac-sa",
    .doc = "AC-SA: accelerated stochastic approximation on one pass of mini-batches",
    .cite = "Lan, An optimal method for stochastic composite optimization, Math. Prog. 133 (2012)",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct lan),
    .tune = tune,
    .run = run,
};
