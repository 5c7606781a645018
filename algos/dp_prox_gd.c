/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp_prox_gd.c - full-batch private proximal gradient descent; neighbours differ in one record, replaced:
 *
 *     x_{t+1} = prox_{h psi}( x_t - h (g_t + N(0, s^2 I)) ),   t = 1 ... T,
 *     g_t = mean of the n gradients, with entries clipped to C_j = C sqrt(M_j/sum_k M_k) or, without
 *     clipping, bounded by L_j;   s = z 2 Lambda/n, Lambda the 2-norm of these bounds (C if clipped)
 *
 * psi is the simple part, which contains no data. The T Gaussian releases with noise z in units of the sensitivity
 * are rho-GDP for z = sqrt(T)/rho, whatever f is. f is convex and beta-smooth, h = step/beta, and the answer is the
 * last iterate or the average. With d the dimension, R = |x_1 - x*| and mu the strong convexity of f the excess is
 * of order
 *     convex            beta R^2/T + R sqrt(d log(1/delta)) Lambda/(n eps)
 *     strongly convex   |x_t - x*|^2 shrinks by the factor 1 - mu/beta a round, down to
 *                       d log(1/delta) Lambda^2/(mu (n eps)^2), up to logarithms
 * (Bassily, Smith, Thakurta, FOCS 2014, with full batches). dp-gd differs in that records are zeroed, and clipped
 * by norm. */
#include "coordinate_clip.h"
#include "whole_gradient.h"

struct prox_gd {
    const char *calibration, *answer;
    long T;
    double step, beta, C, Lambda, z, n;
    const double *M_j;
};

static const struct param params[] = {
    PARAM_WORD(prox_gd, calibration, "rdp", "rdp|exact|classical", "from the goal to z"),
    PARAM_WORD(prox_gd, answer, "last", "last|average", "which iterate is the answer"),
    PARAM(prox_gd, T, 0, 0, 0x1p40, "steps", "rounds; 0: goal T, or 16"),
    PARAM(prox_gd, step, 1, 0, INFINITY, "1", "h times beta"),
    PARAM(prox_gd, beta, NAN, 0, INFINITY, "f/x^2", "smoothness of f; default M_F"),
    PARAM(prox_gd, C, NAN, 0, INFINITY, "f/x", "root of the sum of C_j^2; default none, by L_j, "
          "if public; else sqrt(sum M_j)"),
    PARAM(prox_gd, Lambda, NAN, 0, INFINITY, "f/x", "at least C; default C, or the norm of L_j"),
    PARAM(prox_gd, z, NAN, 0, INFINITY, "1", "sd of the noise over 2 Lambda/n; 0: none"),
    PARAM_END
};

static const char who[] = "dp-prox-gd";

/* Returns, as FACT_BITs, the facts that tune reads: those for constants that no parameter gives. */
static unsigned long looks(const struct facts *f, const struct goal *goal, const void *vp)
{
    const struct prox_gd *s = vp;
    unsigned long always = FACT_BIT(d) | FACT_BIT(n);
    return always | (clip_wants_L(f, goal, s->C) ? FACT_BIT(L_j) : FACT_BIT(M_j)) |
           (isnan(s->beta) ? FACT_BIT(M_F) : 0);
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct prox_gd *s = vp;
    bool private = whole_is_private(goal, s->z) && isnan(s->Lambda);
    double practice = f->M_j ? sqrt(clip_trace((long)f->d, f->M_j, NULL)) : NAN;

    s->n = f->n;
    s->M_j = f->M_j;
    TRY(whole_clip(f, goal, private, practice, &s->C, who, why));
    if (isfinite(s->C) && !f->M_j)
        return why_set(why, REFUSED, "%s: clipping by coordinates needs M_j", who);
    double known = whole_is_bounded(f) ? vec_norm((long)f->d, f->L_j) : 0;
    TRY(whole_bound(s->C, known, &s->Lambda, "Lambda", who, why));
    param_choose(&s->beta, f->M_F);
    if (!(s->beta > 0 && s->beta < INFINITY))
        return why_set(why, REFUSED, "%s's step needs M_F = %g, or algo.beta", who, s->beta);
    whole_rounds(f, goal, NAN, &s->T);
    return whole_noise(goal, s->calibration, s->T, &s->z, who, why);
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct prox_gd *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *mean = arena_vec(w, d), h = s->step / s->beta;
    bool composite = oracle_composite(o), average = strcmp(s->answer, "average") == 0;
    struct whole_gradient source = whole_gradient_new(o, w, s->C);
    const struct release r = { .site = "dp-prox-gd.gradient", .norm = NORM_2,
                               .sensitivity = 2 * s->Lambda / s->n };

    arena_seal(w);
    if (source.clips)
        clip_thresholds(d, s->C, clip_trace(d, s->M_j, NULL), s->M_j, source.C_j);
    vec_copy(d, x, mean);
    for (long t = 1; t <= s->T && whole_gradient(&source, x, g); t++) {
        noise_gaussian(o, &r, s->z * r.sensitivity, d, g);
        vec_axpy(d, -h, g, x);
        if (composite)
            oracle_prox(o, h, x, x);
        vec_axpby(d, 1 / (double)t, x, 1 - 1 / (double)t, mean);
        oracle_depth(o, 3);
        oracle_mark(o, average ? mean : x);
    }
    if (average)
        vec_copy(d, mean, x);
    return OK;
}

static const struct method_mechanism mechanisms[] = {
    { "noise", "Gaussian noise on every gradient, for privacy", MECHANISM_COSTS, { { "algo.z", 0 } } },
    { 0 }
};

const struct algo algo_dp_prox_gd = {
    .name = "dp-prox-gd",
    .doc = "full-batch private proximal gradient descent, one record replaced",
    .cite = "Bassily, Smith, Thakurta, FOCS 2014, with full batches",
    .calls = CALL_POINT | CALL_PROX | CALL_NOISE,
    .assumes = ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(d) | FACT_BIT(n),
    .may_read = FACT_BIT(L_j) | FACT_BIT(M_j) | FACT_BIT(M_F),
    .looks = looks,
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct prox_gd),
    .tune = tune,
    .run = run,
    .mechanisms = mechanisms,
};
