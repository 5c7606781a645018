/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp_srgd.c - unaccelerated DP-SRGD: plain projected SGD on stochastic recursive gradients (Choquette-Choo, Ganesh,
 * Thakurta 2024, Section 4.3, a sketch)
 *
 *     Delta_t = (1/B) sum_{d in B_t} clip( eta_t grad f(x_t,d) - eta_{t-1} grad f(x_{t-1},d), C )
 *     G_t     = sum_{i<=t} Delta_i + N_t,     N_t as the parameter noise says, eta_{-1} = 0
 *     x_{t+1} = P( x_t - (h/eta_t) G_t ),     eta_t = t + 1 or 1
 *
 * d is a record of the batch B_t of B records. The answer is x_T or (1/T) sum_{t=1..T} x_t; the paper does not say
 * which. T rounds take 2n - B gradients, n = B T. With sigma = (C/B) sqrt(H)/mu, H the cover of the noise
 * (prefix_cover in noise.h), the releases are mu-GDP for any f (zero-out adjacency).
 *
 * f(.,d) is convex, L-Lipschitz and M-smooth, R is the diameter. The paper has h = B/sqrt(n) in units of R/L; here
 * h is also at most 1/(2M), since gradient steps diverge above 2/M. The paper argues, with L = R = M = 1, that the
 * variance of G_t/eta_t accumulates to t h^2/B = t B/n, which is of order 1 after t = n/B rounds whatever B is.
 * Convergence then needs order n rounds, where acceleration needs fewer. C = kap_c L, kap_c = 1 + c_M, c_M = M R/L.
 * Without acceleration nothing bounds eta_t |x_t - x_{t-1}| as this C assumes, so that gradients may be clipped.
 * Without a goal of privacy nothing is clipped and no noise is added. */
#include "gdp.h"
#include "noisy_sum.h"

struct plain {
    const char *calibration, *noise, *weights, *answer;
    long T, B;
    double kap_c, mu, C, sigma, step, c;
};

static const struct param params[] = {
    PARAM_WORD(plain, calibration, "exact", "exact|classical",
               "mu from the exact curve or from the classical bound"),
    PARAM_WORD(plain, noise, "tree", NOISY_SUM_WORDS, "of the prefix sums"),
    PARAM_WORD(plain, weights, "linear", "linear|constant", "eta_t = t + 1 or 1"),
    PARAM_WORD(plain, answer, "last", "last|average", "which iterate is the answer"),
    PARAM(plain, T, 0, 0, 0x1p40, "steps", "rounds; 0: sqrt(n)"),
    PARAM(plain, B, 0, 0, 0x1p52, "samples", "batch size; 0: floor(n/T)"),
    PARAM(plain, kap_c, NAN, 0, INFINITY, "1", "C over L; default 1 + c_M"),
    PARAM(plain, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(plain, C, NAN, 0, INFINITY, "f/x", "clipping norm of one difference; default kap_c L"),
    PARAM(plain, sigma, NAN, 0, INFINITY, "f/x", "sd of one node or draw; 0: no noise"),
    PARAM(plain, step, NAN, 0, INFINITY, "x^2/f", "h; default the paper's, at most 1/(2M)"),
    PARAM(plain, c, 1, 0, INFINITY, "1", "multiplies the default step"),
    PARAM_END
};

enum { MOVE, NOISE };
static const struct note notes[] = {
    { "move", "x", "largest eta_t |x_t - x_{t-1}|", REDUCE_MAX },
    { "noise", "f/x", "largest |N_t|", REDUCE_MAX },
    { 0 }
};

static const struct method_mechanism mechanisms[] = {
    { "recursion", "differences of gradients are summed up, so that the noise of T rounds is that of prefix sums",
      MECHANISM_HELPS, .without = "dp-sgd" },
    { "noise", "Gaussian noise is added to every prefix sum, and steps are chosen for it", MECHANISM_COSTS,
      { { "algo.mu", INFINITY } } },
    { 0 }
};

static double rounds(double n, const void *ctx) { return fmax(1, rint(sqrt(n))); }

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "dp-srgd";
    struct plain *s = vp;
    double n = one_pass_samples(f, goal, 2);

    TRY(one_pass_shape(goal, n, rounds, NULL, &s->T, &s->B, who, why));
    TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));
    bool noisy = isnan(s->sigma) ? isfinite(s->mu) : s->sigma > 0;
    if (!noisy && isinf(s->mu) && isnan(s->kap_c))
        param_choose(&s->C, INFINITY);
    param_choose(&s->kap_c, 1 + f->M * f->diameter / f->L);
    param_choose(&s->C, s->kap_c * f->L);
    if (isnan(s->C) || (isinf(s->C) && noisy))
        return why_set(why, REFUSED, "%s: clipping at C = %g from M = %g, L = %g: give algo.C", who,
                       s->C, f->M, f->L);
    double cover = noisy_sum_cover(s->noise, s->T);
    param_choose(&s->sigma, isinf(s->mu) ? 0 : s->C / (double)s->B * sqrt(cover) / s->mu);
    double paper = f->diameter / f->L * sqrt((double)s->B / (double)s->T);
    param_choose(&s->step, s->c * fmin(1 / (2 * f->M), paper));
    if (!(s->step < INFINITY))
        return why_set(why, REFUSED, "%s's step needs M, or the diameter and L; or algo.step", who);
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct plain *s = vp;
    long d = oracle_dim(o);
    double *before = arena_vec(w, d), *mean = arena_vec(w, d), *Delta = arena_vec(w, d);
    struct noisy_sum G = noisy_sum_new(o, w, s->noise, s->T, d);
    bool average = strcmp(s->answer, "average") == 0, linear = strcmp(s->weights, "linear") == 0;
    struct ticket batch;
    const struct release r = { .site = "dp-srgd.prefix", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };

    arena_seal(w);
    vec_copy(d, x, mean);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        double t1 = (double)t + 1, eta = linear ? t1 : 1, last = linear ? eta - 1 : 1;
        const double *const points[] = { x, before }, a[] = { eta, -last };
        if (!oracle_batch(o, &(struct batch){ .ticket = &batch, .points = t ? 2 : 1, .x = points,
                                              .a = a, .clip = CLIP_NORM, .C = s->C,
                                              .g = Delta }))
            break;
        if (t)
            oracle_note(o, MOVE, eta * vec_dist(d, x, before));
        noisy_sum_add(o, &G, &r, s->sigma, d, Delta);
        vec_lincomb(d, 1 / eta, G.sum, 0, G.sum, Delta);
        oracle_estimate(o, x, Delta);
        oracle_note(o, NOISE, vec_dist(d, G.noisy, G.sum));
        vec_copy(d, x, before);
        vec_axpy(d, -s->step / eta, G.noisy, x);
        oracle_project(o, 0, x);
        vec_axpby(d, 1 / t1, x, 1 - 1 / t1, mean);
        oracle_depth(o, 3);
        oracle_mark(o, average ? mean : x);
    }
    if (average)
        vec_copy(d, mean, x);
    return OK;
}

const struct algo algo_dp_srgd = {
    .name = "dp-srgd",
    .doc = "unaccelerated DP-SRGD: SGD on recursive gradients, noise on prefix sums",
    .cite = "Choquette-Choo, Ganesh, Thakurta, Optimal Rates for O(1)-Smooth DP-SCO, Section 4.3",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct plain),
    .notes = notes,
    .tune = tune,
    .run = run,
    .mechanisms = mechanisms,
};
