/* SPDX-License-Identifier: GPL-3.0-or-later */
/* online_to_batch.c - private online-to-batch conversion (Zhang, Tran, Cutkosky 2022) with projected online
 * gradient descent
 *
 *     e_t = (t+1)^k,  E_t = e_0 + ... + e_t,  x_0 = w_0,  t = 0 ... T-1
 *     Delta_t = (1/B) sum_{s in B_t} clip( e_t grad f(x_t,s) - e_{t-1} grad f(x_{t-1},s), C )
 *     G_t     = sum_{i<=t} Delta_i + N_t
 *     w_{t+1} = P( w_t - h G_t ),    x_{t+1} = x_t + (e_{t+1}/E_{t+1}) (w_{t+1} - x_t)
 *
 * s is a record of the batch B_t of B records, and N_t the noise of prefix t (parts/noisy_sum.h). The answer is
 * x_T; T rounds take 2n - B gradients, n = B T. With sigma = (C/B) sqrt(H)/mu, H the cover of the noise
 * (prefix_cover in noise.h), the releases are mu-GDP for any f (zero-out adjacency).
 *
 * If every loss is L-Lipschitz and M-smooth and R is the diameter, nothing is clipped at
 *     C = ((k+1) M R + k L) T^(k-1),      which is 2 M R + L for k = 1.
 * The reason is that the argument of clip is e_t (grad f(x_t) - grad f(x_{t-1})) + (e_t - e_{t-1}) grad f(x_{t-1}).
 * By E_t >= (t+1)^(k+1)/(k+1) and |x_t - x_{t-1}| = (e_t/E_t) |w_t - x_{t-1}| the first term is at most (k+1) M R
 * T^(k-1), and the second at most k (t+1)^(k-1) L. For convex F, E F(x_{T-1}) - F* <= regret/E_{T-1}, which with
 *     h = c R/sqrt( sum_t (e_t^2 L^2 + E|N_t|^2) )
 * is of order L R/sqrt(T) without noise. With noise it is of order R (L/sqrt(n) + C sqrt(d)/(mu n)) up to
 * logarithms, d the dimension, for k = 1 and for B = 1, the default, where T = n. c is the parameter, 1 by default.
 * Without a goal of privacy nothing is clipped and no noise is added. */
#include "gdp.h"
#include "noisy_sum.h"

struct otb {
    const char *calibration, *noise;
    long T, B, k;
    double mu, C, sigma, step, c;
};

static const struct param params[] = {
    PARAM_WORD(otb, calibration, "exact", "exact|classical",
               "mu from the exact curve or from the classical bound"),
    PARAM_WORD(otb, noise, "tree", NOISY_SUM_WORDS, "of the prefix sums"),
    PARAM(otb, T, 0, 0, 0x1p40, "steps", "rounds; 0: n"),
    PARAM(otb, B, 0, 0, 0x1p52, "samples", "batch size; 0: floor(n/T)"),
    PARAM(otb, k, 1, 1, 16, "1", "weights (t+1)^k"),
    PARAM(otb, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(otb, C, NAN, 0, INFINITY, "f/x", "clipping norm of one difference; default as above"),
    PARAM(otb, sigma, NAN, 0, INFINITY, "f/x", "sd of one node or draw; 0: no noise"),
    PARAM(otb, step, NAN, 0, INFINITY, "x^2/f", "h; default the theorem's"),
    PARAM(otb, c, 1, 0, INFINITY, "1", "multiplies the theorem's step"),
    PARAM_END
};

enum { MOVE, NOISE };
static const struct note notes[] = {
    { "move", "x", "largest e_t |x_t - x_{t-1}|", REDUCE_MAX },
    { "noise", "f/x", "largest |N_t|", REDUCE_MAX },
    { 0 }
};

static double rounds(double n, const void *ctx) { return n; }

static double weight(long k, double t)
{
    double e = 1;
    for (long i = 0; i < k; i++)
        e *= t + 1;
    return e;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "online-to-batch";
    struct otb *s = vp;
    double n = one_pass_samples(f, goal, 2);

    TRY(one_pass_shape(goal, n, rounds, NULL, &s->T, &s->B, who, why));
    TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));
    double T = (double)s->T, k = (double)s->k, H = noisy_sum_cover(s->noise, s->T);
    bool noisy = isnan(s->sigma) ? isfinite(s->mu) : s->sigma > 0;
    param_choose(&s->C, noisy || isfinite(s->mu)
                        ? ((k + 1) * f->M * f->diameter + k * f->L) * pow(T, k - 1) : INFINITY);
    if (isnan(s->C) || (isinf(s->C) && noisy))
        return why_set(why, REFUSED, "%s: clipping at C = %g from M = %g, L = %g, diameter = %g: "
                       "give algo.C", who, s->C, f->M, f->L, f->diameter);
    param_choose(&s->sigma, isinf(s->mu) ? 0 : s->C / (double)s->B * sqrt(H) / s->mu);
    double noise = noisy_sum_variance(s->noise, s->T);
    /* The first terms of Faulhaber's formula for sum_t e_t^2. For k = 1 there are no other terms. */
    double squares = pow(T, 2 * k) * (T / (2 * k + 1) + 0.5 + k / (6 * T));
    param_choose(&s->step, s->c * f->diameter /
                 sqrt(squares * f->L * f->L + T * f->d * noise * s->sigma * s->sigma));
    if (!(s->step < INFINITY))
        return why_set(why, REFUSED, "%s's step needs L and the diameter, or algo.step", who);
    return OK;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct otb *s = vp;
    long d = oracle_dim(o);
    double *before = arena_vec(w, d), *online = arena_vec(w, d), *Delta = arena_vec(w, d), E = 1;
    struct noisy_sum G = noisy_sum_new(o, w, s->noise, s->T, d);
    struct ticket batch;
    const struct release r = { .site = "online-to-batch.prefix", .norm = NORM_2,
                               .sensitivity = s->C / (double)s->B, .ticket = &batch };
    const double *const points[] = { x, before };

    arena_seal(w);
    vec_copy(d, x, online);
    for (long t = 0; t < s->T && oracle_take(o, s->B, &batch); t++) {
        double e = weight(s->k, (double)t), next = weight(s->k, (double)t + 1);
        const double a[] = { e, t ? -weight(s->k, (double)t - 1) : 0 };
        if (!oracle_batch(o, &(struct batch){ .ticket = &batch, .points = t ? 2 : 1, .x = points,
                                              .a = a, .clip = CLIP_NORM, .C = s->C,
                                              .g = Delta }))
            break;
        if (t)
            oracle_note(o, MOVE, e * vec_dist(d, x, before));
        noisy_sum_add(o, &G, &r, s->sigma, d, Delta);
        oracle_note(o, NOISE, vec_dist(d, G.noisy, G.sum));
        vec_lincomb(d, 1 / e, G.sum, 0, G.sum, Delta);
        oracle_estimate(o, x, Delta);
        vec_axpy(d, -s->step, G.noisy, online);
        oracle_project(o, 0, online);
        vec_copy(d, x, before);
        E += next;
        vec_axpby(d, next / E, online, 1 - next / E, x);
        oracle_depth(o, 3);
        oracle_mark(o, x);
    }
    return OK;
}

const struct algo algo_online_to_batch = {
    .name = "online-to-batch",
    .doc = "private online-to-batch: weighted averages, tree noise on sums of differences",
    .cite = "Zhang, Tran, Cutkosky, Differentially Private Online-to-Batch for Smooth Losses, 2022",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct otb),
    .notes = notes,
    .tune = tune,
    .run = run,
};
