/* SPDX-License-Identifier: GPL-3.0-or-later */
/* huber_pair.c - f(x; g) = sum_j w_j h_k(x_j - c_j - s g_j), g_j = +-1 fair and independent,
 * h_k(u) = u^2/2 where |u| <= k, k|u| - k^2/2 beyond, w_j = M 10^(-D j/(d-1)), over |x| <= r. With
 * e = x - c,
 *
 *     F(x) = sum_j w_j (h_k(e_j - s) + h_k(e_j + s))/2,   x* = c for s <= k
 *
 * F is separable but not quadratic, and the Hessian of a sample loss depends on the sample. */
#include <math.h>
#include "parts/planted.h"
#include "parts/signs.h"
#include "problem.h"

struct huber_pair {
    long d;
    double decades, M, k, s, rr, radius;
};

static const struct param params[] = {
    PARAM(huber_pair, d, 40, 1, 1e8, "coordinates", "dimension"),
    PARAM(huber_pair, decades, 7, 0, 100, "decades", "D: weights fall from M to M 10^-D"),
    PARAM(huber_pair, M, 1, 1e-100, 1e100, "f/x^2", "largest weight"),
    PARAM(huber_pair, k, 1, 1e-100, 1e100, "x", "where a sample's slope stops growing"),
    PARAM(huber_pair, s, 0.9, 0, 1e100, "x", "shift of the samples, at most k"),
    PARAM(huber_pair, rr, 0.5, 0, 1, "radius", "|c|/r"),
    PARAM(huber_pair, radius, 1, 1e-100, INFINITY, "x", "r; infinite: all of R^d, and |c| = rr"),
    PARAM_END
};

struct self {
    struct planted ball;             /* its x_star is c */
    double k, s;
    double *w;                       /* [d] w_j of the head */
    struct signs signs;
};

static double slope(double k, double u) { return u > k ? k : u < -k ? -k : u; }

static double loss(double k, double u)
{
    return fabs(u) <= k ? u * u / 2 : k * (fabs(u) - k / 2);
}

/* Returns (h_k(e - s) + h_k(e + s))/2 - h_k(s), s <= k. It is e^2/2 as long as both arguments are within [-k, k].
 * h_k of an argument |u| > k is smaller than u^2/2 by (|u| - k)^2/2. */
static double pair_excess(const struct self *o, double e)
{
    double far = fabs(e), one = fmax(0, far + o->s - o->k);
    if (far > o->k + o->s)
        return o->k * far - o->k * o->k / 2 - o->s * o->s / 2;
    return far * far / 2 - one * one / 4;
}

/* Returns F''_jj/w_j at |e_j| = far, the farthest point of the ball: 1, 1/2 or 0. */
static double least_curvature(const struct self *o, double far)
{
    return far <= o->k - o->s ? 1 : far < o->k + o->s ? 0.5 : 0;
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct huber_pair *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng corner = rng_sub(data, 0), key = rng_sub(data, 1);
    double size = p->rr * (isinf(p->radius) ? 1 : p->radius), *L_j = arena_vec(a, p->d), sum = 0;

    if (p->s > p->k)
        return why_set(why, BAD_INPUT, "huber_pair.s = %g: expected at most huber_pair.k = %g",
                       p->s, p->k);
    *o = (struct self){ .ball = { p->d, p->radius, arena_vec(a, p->d) }, .k = p->k,
                        .s = p->s, .w = arena_vec(a, p->d),
                        .signs = signs_build(p->d, 0, &key, a) };
    for (long j = 0; j < p->d; j++) {
        double t = p->d > 1 ? (double)j / (double)(p->d - 1) : 0;
        o->w[j] = p->M * pow(10, -p->decades * t);
        o->ball.x_star[j] = rng_sign(&corner) * size / sqrt((double)p->d);
        L_j[j] = p->k * o->w[j];
        sum += o->w[j];
    }
    double norm = vec_norm(p->d, o->w);
    ball_facts(facts, p->d, INFINITY, p->radius);
    facts->L = facts->G = p->k * norm;
    facts->sigma = p->s * norm;      /* (slope(e + s) - slope(e - s))/2 <= s */
    facts->M = facts->M_F = p->M;
    facts->mu = o->w[p->d - 1] * least_curvature(o, p->radius + fabs(o->ball.x_star[0]));
    facts->weak = 0;
    facts->dist = vec_norm(p->d, o->ball.x_star);
    facts->Phi = sum * pair_excess(o, o->ball.x_star[0]);      /* all |c_j| are equal */
    facts->f_star = sum * loss(p->k, p->s);
    facts->M_j = o->w;
    facts->L_j = L_j;
    *self = o;
    return OK;
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    uint32_t bits = 0;
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++) {
        bits = j % LANES ? bits : signs_word(&o->signs, i, j / LANES);
        sum += o->w[j] * loss(o->k, x[j] - o->ball.x_star[j] - o->s * signs_of(bits, j));
    }
    return sum;
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    uint32_t bits = 0;
    for (long j = 0; j < o->ball.d; j++) {
        bits = j % LANES ? bits : signs_word(&o->signs, i, j / LANES);
        g[j] += a * o->w[j] * slope(o->k, x[j] - o->ball.x_star[j] - o->s * signs_of(bits, j));
    }
}

/* Returns the derivative in x_j of a mean of samples, of which the fraction `share` has g_j = +1. */
static double mixed(const struct self *o, long j, double x, double share)
{
    double e = x - o->ball.x_star[j];
    return o->w[j] * (share * slope(o->k, e - o->s) + (1 - share) * slope(o->k, e + o->s));
}

static void batch_grad(const void *self, const struct samples *s, const double *w,
                       const double *x, double a, double *g)
{
    const struct self *o = self;
    double plus[LANES], total = w ? samples_weight(s, w) : (double)s->count;
    double scale = w || s->count < 1 ? a : a / total;
    for (long j = 0; j < o->ball.d; j++) {
        if (j % LANES == 0)
            signs_tally(&o->signs, s, w, j / LANES, plus);
        double e = x[j] - o->ball.x_star[j], up = plus[j % LANES];
        g[j] += scale * o->w[j] * (up * slope(o->k, e - o->s) +
                                   (total - up) * slope(o->k, e + o->s));
    }
}

static void batch_law(const void *self, const struct rng *draw, double b, int points,
                      const double *const *x, const double *a, double *g)
{
    const struct self *o = self;
    struct rng_gsl view;
    struct rng stream = *draw;
    gsl_rng *r = rng_gsl_view(&view, &stream);
    for (long j = 0; j < o->ball.d; j++) {
        double share = signs_share(&o->signs, r, b);
        for (int p = 0; p < points; p++)
            g[j] += a[p] * mixed(o, j, x[p][j], share);
    }
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++) {
        double e = x[j] - o->ball.x_star[j];
        sum += o->w[j] * (loss(o->k, e - o->s) + loss(o->k, e + o->s));
    }
    return sum / 2;
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    for (long j = 0; j < o->ball.d; j++)
        g[j] = mixed(o, j, x[j], 0.5);
}

static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++)
        sum += o->w[j] * pair_excess(o, x[j] - o->ball.x_star[j]);
    *error = 0;
    return sum;
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, closed form", EXACT, excess, NULL },
    { "distance", "x", "|x - x*|", EXACT, planted_distance, NULL },
    { 0 }
};

const struct problem problem_huber_pair = {
    .name = "huber_pair",
    .doc = "Huber functions shifted by random signs, log-spaced weights: smooth, no quadratic",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct huber_pair),
    .canaries = 2,
    PLANTED_SLOTS,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .batch_grad = batch_grad,
    .batch_law = batch_law,
    .grad = grad,
};
