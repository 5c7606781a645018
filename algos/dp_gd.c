/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp_gd.c - noisy full-batch gradient descent, plain or accelerated, to which Choquette-Choo, Ganesh, Thakurta 2024
 * compare their single-epoch method: T rounds on the same n samples,
 *
 *     g_t = (1/n) sum_i clip( grad f(x_t, d_i), C ) + N(0, sigma^2 I),   sigma = C sqrt(T)/(n mu),
 *     plain:  x_{t+1} = P( x_t - h g_t ),   answer (1/T) sum_{t=1..T} x_t
 *     ac-sa:  the recursion of parts/ac_sa.h with lambda = 0 on these g_t
 *
 * A run takes n T gradients. It is mu-GDP for any f, by composition over the rounds (zero-out adjacency).
 *
 * The empirical risk F is convex and M-smooth, R is the diameter, p the dimension, v^2 = p sigma^2, and
 * a = v/sqrt(T) = C sqrt(p)/(n mu). The excess is of order
 *     plain:  M R^2/T + R a    with h = min{ 1/(2M), R/(c sqrt(T) v) },  T = c_T sqrt(n),
 *     ac-sa:  M R^2/T^2 + R a  with gamma = max{ 2M, c (v/R) sqrt(T(T+1)(2T+1)/12) },
 *                              T = c_T n^(1/4)
 * (Bassily, Smith, Thakurta 2014 with full batches; Lan 2012, Corollary 1).
 * Without a goal of privacy nothing is clipped and no noise is added. */
#include "ac_sa.h"
#include "gdp.h"
#include "noisy_mean.h"

struct full {
    const char *method, *calibration, *answer;
    long n, T;
    double c_T, c, mu, C, sigma, step, gamma;
};

static const struct param params[] = {
    PARAM_WORD(full, method, "ac-sa", "ac-sa|plain", "accelerated or plain"),
    PARAM_WORD(full, calibration, "exact", "exact|rdp|classical",
               "mu from the exact curve or from the classical bound"),
    PARAM_WORD(full, answer, "average", "average|last", "which iterate is plain's answer"),
    PARAM(full, n, 0, 0, 0x1p52, "samples", "of the batch; 0: what the goal allows"),
    PARAM(full, T, 0, 0, 0x1p40, "steps", "rounds; 0: c_T n^(1/4), plain c_T sqrt(n)"),
    PARAM(full, c_T, 2, 1e-6, 1e6, "1", "T over n^(1/4) or sqrt(n)"),
    PARAM(full, c, 1, 0, INFINITY, "1", "multiplies the noise's share of h or gamma"),
    PARAM(full, mu, NAN, 1e-300, INFINITY, "1", "Gaussian-DP target; default from the goal"),
    PARAM(full, C, NAN, 0, INFINITY, "f/x", "clipping norm of one gradient; default L"),
    PARAM(full, sigma, NAN, 0, INFINITY, "f/x", "sd of the noise of a round; 0: none"),
    PARAM(full, step, NAN, 0, INFINITY, "x^2/f", "h of plain; default as above"),
    PARAM(full, gamma, NAN, 1e-300, INFINITY, "f/x^2", "of ac-sa; default as above"),
    PARAM_END
};

static bool plain(const struct full *s) { return strcmp(s->method, "plain") == 0; }

/* Chooses n and T. If the goal of a stream is a budget of gradients alone, n is such that n T(n) is the budget. */
static enum status shape(const struct facts *f, const struct goal *goal, struct full *s,
                         struct why *why)
{
    double power = plain(s) ? 0.5 : 0.25, n = fmin(goal->n, isnan(f->n) ? INFINITY : f->n);
    if (goal->T >= 1)
        param_choose_count(&s->T, (long)goal->T);
    if (s->n)
        n = (double)s->n;
    else if (!(n < INFINITY) && !isnan(goal->budget))
        n = floor(s->T ? goal->budget / (double)s->T
                       : pow(goal->budget / s->c_T, 1 / (1 + power)));
    if (!(n >= 1 && n < 0x1p52))
        return why_set(why, REFUSED, "dp-gd uses every sample in every round: it needs goal n or "
                       "budget");
    double T = fmax(1, fmin(rint(s->c_T * pow(n, power)),
                            isnan(goal->budget) ? INFINITY : floor(goal->budget / n)));
    param_choose_count(&s->n, (long)n);
    param_choose_count(&s->T, (long)T);
    return OK;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    static const char who[] = "dp-gd";
    struct full *s = vp;

    TRY(shape(f, goal, s, why));
    TRY(gdp_choose(goal, s->calibration, &s->mu, who, why));
    double T = (double)s->T;
    TRY(clip_choose(f, s->n, s->mu / sqrt(T), &s->C, &s->sigma, who, why));
    double v = s->c * sqrt(f->d) * s->sigma;
    param_choose(&s->step, fmin(1 / (2 * f->M), v > 0 ? f->diameter / (sqrt(T) * v) : INFINITY));
    param_choose(&s->gamma, ac_sa_gamma(f->M, v, f->diameter, T));
    bool known = plain(s) ? s->step < INFINITY : s->gamma > 0 && s->gamma < INFINITY;
    if (!known)
        return why_set(why, REFUSED, "%s's step needs M, with noise the diameter too, not M = %g, "
                       "diameter = %g: give algo.%s", who, f->M, f->diameter,
                       plain(s) ? "step" : "gamma");
    return OK;
}

static void descend(struct noisy_mean *source, const struct full *s, double *g, double *mean,
                    double *x)
{
    struct oracle *o = source->o;
    long d = oracle_dim(o);
    bool average = strcmp(s->answer, "average") == 0;
    vec_copy(d, x, mean);
    for (long t = 1; t <= s->T && noisy_mean(source, x, g); t++) {
        vec_axpy(d, -s->step, g, x);
        oracle_project(o, 0, x);
        vec_axpby(d, 1 / (double)t, x, 1 - 1 / (double)t, mean);
        oracle_depth(o, 3);
        oracle_mark(o, average ? mean : x);
    }
    if (average)
        vec_copy(d, mean, x);
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct full *p = vp;
    struct noisy_mean source = { .o = o, .site = "dp-gd.gradient", .C = p->C, .sigma = p->sigma };
    struct ac_sa s = { .o = o, .grad = noisy_mean, .ctx = &source, .mark = true };

    ac_sa_reserve(&s, w);
    arena_seal(w);
    if (!oracle_take(o, p->n, &source.samples))
        return OK;
    if (plain(p)) {
        descend(&source, p, s.g, s.ag, x);
        return OK;
    }
    vec_copy(oracle_dim(o), x, s.ag);
    ac_sa_stage(&s, p->T, p->gamma);
    vec_copy(oracle_dim(o), s.ag, x);
    return OK;
}

const struct algo algo_dp_gd = {
    .name = "dp-gd",
    .doc = "noisy full-batch gradient descent, accelerated or plain",
    .cite = "Bassily, Smith, Thakurta 2014 with full batches; Lan, Math. Program. 133 (2012)",
    .calls = CALL_SAMPLES | CALL_NOISE,
    .may_read = FACT_BIT(d) | FACT_BIT(n) | FACT_BIT(L) | FACT_BIT(M) | FACT_BIT(diameter),
    .adjacency = ADJACENCY_ZERO_OUT,
    .params = params,
    .params_size = sizeof(struct full),
    .tune = tune,
    .run = run,
};
