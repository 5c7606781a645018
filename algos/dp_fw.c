/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp_fw.c - private Frank-Wolfe over the l1 ball of radius R; neighbours differ in one record, replaced:
 *
 *     v_t = argmin over the 2d vertices s = +-R e_j of <s, grad f(x_t)> + Lap(b),
 *     x_{t+1} = (1 - 2/(t+2)) x_t + (2/(t+2)) v_t,   t = 1 ... T
 *
 * Only the choice of v_t is released, not the noisy value. Entries of the gradient of a record are at most L1, or
 * are clipped to L1, so that replacing a record changes a score by at most 2 L1 R/n, up or down. The parameter
 * calibration sets b:
 *     paper       b = L1 R sqrt(8 T log(1/delta))/(n eps), under which the T choices cost up to 2 eps
 *     corrected   b = 4 L1 R sqrt(8 T log(1/delta))/(n eps)
 *     numeric     b = 2 (2 L1 R/n)/eps', where eps' is the larger of eps/T and the epsilon that zCDP allows for
 *                 each of T choices
 * f is convex, M is the largest M_j, and Gamma = c_T 4 M R^2 bounds the curvature of f over the ball. For
 * T = (Gamma n eps/(L1 R))^(2/3) the excess is
 * O( Gamma^(1/3) (L1 R)^(2/3) log(n d) sqrt(log(1/delta))/(n eps)^(2/3) ) (Talwar, Thakurta, Zhang, NeurIPS 2015;
 * Frank, Wolfe 1956). */
#include "coordinate_clip.h"
#include "whole_gradient.h"

struct dp_fw {
    const char *calibration;
    long T;
    double R, C, L1, b, M, c_T, n;
};

static const struct param params[] = {
    PARAM_WORD(dp_fw, calibration, "numeric", "numeric|corrected|paper", "from the goal to b"),
    PARAM(dp_fw, T, 0, 0, 0x1p40, "steps", "rounds; 0: the theorem's, within the goal"),
    PARAM(dp_fw, R, NAN, 0, INFINITY, "x", "of the l1 ball; default sqrt(d) dist, if public"),
    PARAM(dp_fw, C, NAN, 0, INFINITY, "f/x", "clips every entry; default none, by L_j, if public; "
          "else the largest sqrt(M_j)"),
    PARAM(dp_fw, L1, NAN, 0, INFINITY, "f/x", "at least C; default C, or the largest L_j"),
    PARAM(dp_fw, b, NAN, 0, INFINITY, "f", "scale of the noise on a score; 0: none"),
    PARAM(dp_fw, M, NAN, 0, INFINITY, "f/x^2", "of the curvature; default the largest M_j"),
    PARAM(dp_fw, c_T, 1, 0, INFINITY, "1", "multiplies the curvature"),
    PARAM_END
};

static const char who[] = "dp-fw";

static unsigned long looks(const struct facts *f, const struct goal *goal, const void *vp)
{
    const struct dp_fw *s = vp;
    return clip_l1_looks(f, goal, s->C, s->L1, s->R) |
           (s->T || !isnan(s->M) ? 0 : FACT_BIT(M_j));
}

static double largest(const struct facts *f, const double *v)
{
    double most = 0;
    for (long j = 0; v && j < (long)f->d; j++)
        most = fmax(most, v[j]);
    return most;
}

/* Sets b by the calibration, unless b is a parameter of the run. */
static enum status noise_of(const struct goal *goal, struct dp_fw *s, struct why *why)
{
    double T = (double)s->T, mu = NAN, move = 2 * s->L1 * s->R / s->n;
    bool numeric = strcmp(s->calibration, "numeric") == 0;
    if (!isnan(s->b))
        return OK;
    TRY(gdp_choose(goal, "rdp", &mu, who, why));
    if (isinf(mu)) {
        s->b = 0;
    } else if (numeric) {
        double basic = goal->eps < INFINITY ? goal->eps / T : 0;
        s->b = 2 * move / fmax(basic, mu / sqrt(T));
    } else {
        if (!(goal->eps < INFINITY))
            return why_set(why, REFUSED, "%s: calibration %s needs a finite goal eps", who, s->calibration);
        double factor = strcmp(s->calibration, "paper") == 0 ? 0.5 : 2;
        s->b = factor * move * sqrt(8 * T * log(1 / goal->delta)) / goal->eps;
    }
    return OK;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct dp_fw *s = vp;
    bool private = whole_is_private(goal, s->b) && isnan(s->L1);

    s->n = f->n;
    TRY(whole_clip(f, goal, private, sqrt(largest(f, f->M_j)), &s->C, who, why));
    TRY(whole_bound(s->C, whole_is_bounded(f) ? largest(f, f->L_j) : 0, &s->L1, "L1", who, why));
    param_choose(&s->R, sqrt(f->d) * f->dist);
    if (!(s->R > 0 && s->R < INFINITY))
        return why_set(why, REFUSED, "%s needs the radius of its l1 ball: give algo.R", who);
    param_choose(&s->M, largest(f, f->M_j));
    double curvature = 4 * s->c_T * s->M * s->R * s->R;
    double wish = pow(curvature * s->n * goal->eps / (s->L1 * s->R), 2.0 / 3);
    whole_rounds(f, goal, wish > 0 && wish < INFINITY ? wish : 100, &s->T);
    return noise_of(goal, s, why);
}

/* Returns the number of the vertex chosen by noisy maximum: j for +R e_j, d + j for -R e_j. score[2d] <- the scores
 * of the vertices, divided by -R. */
static long choose(struct oracle *o, const struct dp_fw *s, const double *b, const double *g,
                   double *score)
{
    long d = oracle_dim(o);
    const struct release r = { .site = "dp-fw.vertex", .norm = NORM_INF,
                               .sensitivity = 2 * s->L1 / s->n };
    vec_lincomb(d, -1, g, 0, g, score);
    vec_copy(d, g, score + d);
    return noise_choose(o, &r, MAX_LAPLACE,
                        &(struct candidates){ .m = 2 * d, .score = score, .b = b }).block;
}

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct dp_fw *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *score = arena_vec(w, 2 * d), *b = arena_vec(w, 2 * d);
    struct whole_gradient source = whole_gradient_new(o, w, s->C);

    arena_seal(w);
    vec_fill(d, s->C, source.C_j);
    vec_fill(2 * d, s->b / s->R, b);
    for (long t = 1; t <= s->T && whole_gradient(&source, x, g); t++) {
        long j = choose(o, s, b, g, score);
        double share = 2 / ((double)t + 2);
        vec_scale(d, 1 - share, x);
        x[j % d] += j < d ? share * s->R : -share * s->R;
        oracle_depth(o, 2);
        oracle_mark(o, x);
    }
    return OK;
}

static const struct method_mechanism mechanisms[] = {
    { "noise", "Laplace noise on the scores of the vertices, for privacy", MECHANISM_COSTS, { { "algo.b", 0 } } },
    { 0 }
};

const struct algo algo_dp_fw = {
    .name = "dp-fw",
    .doc = "private Frank-Wolfe over an l1 ball: noisy choice of a vertex",
    .cite = "Talwar, Thakurta, Zhang, NeurIPS 2015",
    .calls = CALL_POINT | CALL_NOISE,
    .assumes = ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(d) | FACT_BIT(n),
    .may_read = FACT_BIT(L_j) | FACT_BIT(M_j) | FACT_BIT(dist),
    .looks = looks,
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct dp_fw),
    .tune = tune,
    .run = run,
    .mechanisms = mechanisms,
};
