/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dp_mirror.c - private mirror descent over the l1 ball of radius R; neighbours differ in one record, replaced:
 *
 *     x_{t+1} = argmin over |x|_1 <= R of <g_t + N(0, s^2 I), x> + D_h(x, x_t)/eta,   t = 1 ... T,
 *     h(x) = |x|_q^2/(2(q-1)), q = 1 + 1/log d;   answer (1/T) sum_{t=1..T} x_t
 *
 * D_h is the Bregman divergence of h; x_1 is the start, which is 0 in the bound below. Entries of the gradient of a
 * record are at most L1, or are clipped to L1. Each of the T Gaussian releases has noise s = z 2 L1 sqrt(d)/n,
 * which is z times the sensitivity. For convex f, since h is 1-strongly convex in |.|_q and the dual norm is
 * |.|_{q*} <= e |.|_inf, 1/q + 1/q* = 1, eta = R/sqrt((q-1) T (L1^2 + 2 s^2 log 2d)) gives an excess of
 * O( R sqrt(log d (L1^2 + s^2 log d)/T) ), which is R L1 sqrt(log d/T) + R L1 sqrt(d) log d/(n eps)
 * (Nemirovski, Yudin 1983; the noise as in Bassily, Smith, Thakurta 2014). */
#include "coordinate_clip.h"
#include "vmath.h"
#include "whole_gradient.h"

struct mirror {
    const char *calibration;
    long T;
    double R, C, L1, z, c, n, q, eta;
};

static const struct param params[] = {
    PARAM_WORD(mirror, calibration, "rdp", "rdp|exact|classical", "from the goal to z"),
    PARAM(mirror, T, 0, 0, 0x1p40, "steps", "rounds; 0: goal T, or 16"),
    PARAM(mirror, R, NAN, 0, INFINITY, "x", "of the l1 ball; default sqrt(d) dist, if public"),
    PARAM(mirror, C, NAN, 0, INFINITY, "f/x", "clips every entry; default none, by L_j, if public; "
          "else the largest sqrt(M_j)"),
    PARAM(mirror, L1, NAN, 0, INFINITY, "f/x", "at least C; default C, or the largest L_j"),
    PARAM(mirror, z, NAN, 0, INFINITY, "1", "sd of the noise over 2 L1 sqrt(d)/n; 0: none"),
    PARAM(mirror, c, 1, 0, INFINITY, "1", "multiplies eta"),
    PARAM_END
};

static const char who[] = "dp-mirror";

static unsigned long looks(const struct facts *f, const struct goal *goal, const void *vp)
{
    const struct mirror *s = vp;
    return clip_l1_looks(f, goal, s->C, s->L1, s->R);
}

static double noise_sd(const struct mirror *s, double d)
{
    return s->z * 2 * s->L1 * sqrt(d) / s->n;
}

static enum status tune(const struct facts *f, const struct goal *goal, void *vp, struct why *why)
{
    struct mirror *s = vp;
    double L = 0, M = 0;

    s->n = f->n;
    for (long j = 0; j < (long)f->d; j++) {
        L = f->L_j ? fmax(L, f->L_j[j]) : 0;
        M = f->M_j ? fmax(M, f->M_j[j]) : 0;
    }
    TRY(whole_clip(f, goal, isnan(s->L1), sqrt(M), &s->C, who, why));
    TRY(whole_bound(s->C, L, &s->L1, "L1", who, why));
    param_choose(&s->R, sqrt(f->d) * f->dist);
    if (!(s->R > 0 && s->R < INFINITY))
        return why_set(why, REFUSED, "%s needs the radius of its l1 ball: give algo.R", who);
    whole_rounds(f, goal, NAN, &s->T);
    TRY(whole_noise(goal, s->calibration, s->T, &s->z, who, why));
    double sd = noise_sd(s, f->d), noise2 = 2 * sd * sd * log(2 * f->d);
    s->q = 1 + 1 / fmax(1, log(f->d));
    s->eta = s->c * s->R / sqrt((s->q - 1) * (double)s->T * (s->L1 * s->L1 + noise2));
    return OK;
}

/* --- the map from gradients of h to points. soft(v, lambda) is v with the soft threshold lambda. */

/* The point with grad h(x) = soft(v, lambda) is x_j = scale u_j^(q*-1) with the sign of v_j, where 1/q + 1/q* = 1,
 * u = |soft(v, lambda)|/m and m is the largest entry of |soft(v, lambda)|, against overflow. */
struct link {
    double dual;                     /* q* */
    double *size, *u, *lower, *power, *ones;     /* [d] |v|; u; u^(q*-2), 0 where u = 0; u^(q*-1), not scaled; 1 */
    double most, scale;              /* the largest entry of size; scale of x_j */
};

/* Computes u, lower, power and scale for lambda < most. Returns |x|_1; *slope <- its derivative by lambda. */
static double length_at(const struct mirror *s, struct link *l, long d, double lambda, double *slope)
{
    double m = l->most - lambda, per_m = 1 / m;
    for (long j = 0; j < d; j++) {
        double beyond = l->size[j] - lambda;
        l->u[j] = (beyond > 0 ? beyond : 0) * per_m;
    }
    vmath_log(d, l->u, l->power);
    vec_scale(d, l->dual - 2, l->power);
    vmath_exp(d, l->power, l->lower);
    for (long j = 0; j < d; j++) {
        l->lower[j] = l->u[j] > 0 ? l->lower[j] : 0;
        l->power[j] = l->lower[j] * l->u[j];
    }
    double sum = vec_dot(d, l->power, l->ones), norm = vec_dot(d, l->power, l->u),
           rest = vec_dot(d, l->lower, l->ones);
    double root = (s->q - 1) * pow(norm, (2 - l->dual) / l->dual);
    *slope = root * ((l->dual - 2) * sum * sum / norm - (l->dual - 1) * rest);
    l->scale = root * m;
    return l->scale * sum;
}

/* x[d] <- the minimiser of h(x) - <v, x> over the ball; v[d] <- grad h(x). |x|_1 falls with lambda, and the lambda
 * with |x|_1 = R is found by Newton's method. A Newton step that leaves the interval where lambda must be
 * is replaced by a halving of this interval. */
static void into_ball(const struct mirror *s, struct link *l, long d, double *v, double *x)
{
    double low = 0, lambda = 0, slope, square;
    for (long j = 0; j < d; j++)
        l->size[j] = fabs(v[j]);
    double largest = l->size[vec_peak(d, l->size, &square)];
    double high = l->most = isnan(square) ? NAN : largest;
    if (high == 0) {
        vec_zero(d, x);
        return;
    }
    double over = length_at(s, l, d, 0, &slope) - s->R;
    bool inside = over <= 0;
    for (int k = 0; k < 100 && !inside && fabs(over) > 1e-13 * s->R; k++) {
        *(over > 0 ? &low : &high) = lambda;
        double next = lambda - over / slope;
        lambda = next > low && next < high ? next : (low + high) / 2;
        over = length_at(s, l, d, lambda, &slope) - s->R;
    }
    for (long j = 0; j < d; j++) {
        x[j] = copysign(l->scale * l->power[j], v[j]);
        v[j] = copysign(l->size[j] > lambda ? l->size[j] - lambda : 0, v[j]);
    }
}

/* v[d] <- grad h(x). */
static void to_dual(const struct mirror *s, long d, const double *x, double *v)
{
    double m = vec_norm_inf(d, x), sum = 0;
    for (long j = 0; j < d; j++)
        sum += m > 0 ? pow(fabs(x[j]) / m, s->q) : 0;
    for (long j = 0; j < d; j++)
        v[j] = m > 0 ? copysign(pow(fabs(x[j]) / m, s->q - 1), x[j]) * m *
                           pow(sum, (2 - s->q) / s->q) / (s->q - 1) : 0;
}

/* --- the method */

static enum status run(struct oracle *o, const void *vp, struct arena *w, struct rng *rng,
                       double *x)
{
    const struct mirror *s = vp;
    long d = oracle_dim(o);
    double *g = arena_vec(w, d), *v = arena_vec(w, d), *mean = arena_vec(w, d);
    struct link link = { .dual = s->q / (s->q - 1), .size = arena_vec(w, d), .u = arena_vec(w, d),
                         .lower = arena_vec(w, d), .power = arena_vec(w, d), .ones = arena_vec(w, d) };
    struct whole_gradient source = whole_gradient_new(o, w, s->C);
    const struct release r = { .site = "dp-mirror.gradient", .norm = NORM_2,
                               .sensitivity = 2 * s->L1 * sqrt((double)d) / s->n };

    arena_seal(w);
    vec_fill(d, s->C, source.C_j);
    vec_fill(d, 1, link.ones);
    to_dual(s, d, x, v);
    vec_zero(d, mean);
    for (long t = 1; t <= s->T && whole_gradient(&source, x, g); t++) {
        vec_axpby(d, 1 / (double)t, x, 1 - 1 / (double)t, mean);
        noise_gaussian(o, &r, s->z * r.sensitivity, d, g);
        vec_axpy(d, -s->eta, g, v);
        into_ball(s, &link, d, v, x);
        oracle_depth(o, 4);
        oracle_mark(o, mean);
    }
    vec_copy(d, mean, x);
    return OK;
}

static const struct method_mechanism mechanisms[] = {
    { "noise", "Gaussian noise on every gradient, for privacy", MECHANISM_COSTS, { { "algo.z", 0 } } },
    { 0 }
};

const struct algo algo_dp_mirror = {
    .name = "dp-mirror",
    .doc = "private mirror descent over an l1 ball",
    .cite = "Nemirovski, Yudin 1983; Bassily, Smith, Thakurta, FOCS 2014",
    .calls = CALL_POINT | CALL_NOISE,
    .assumes = ASSUMES_UNBOUNDED,
    .reads = FACT_BIT(d) | FACT_BIT(n),
    .may_read = FACT_BIT(L_j) | FACT_BIT(M_j) | FACT_BIT(dist),
    .looks = looks,
    .adjacency = ADJACENCY_REPLACE_ONE,
    .params = params,
    .params_size = sizeof(struct mirror),
    .tune = tune,
    .run = run,
    .mechanisms = mechanisms,
};
