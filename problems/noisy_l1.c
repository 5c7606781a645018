/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noisy_l1.c - a norm whose terms have random signs: f(x; s) = (L/sqrt d) sum_j s_j |x_j - c_j|, s_j = +-1
 * independent, E s_j = p, |c| = R; F(x) = (p L/sqrt d) |x - c|_1 over R^d or |x| <= radius.
 *
 * Where no x_j is c_j, every sample gradient has entries +-L/sqrt d, so norm L, and variance (1 - p^2) L^2. This is
 * the largest variance of an L-Lipschitz problem with |grad F| = p L. F is convex, samples are not. */
#include <math.h>
#include "parts/planted.h"
#include "parts/signs.h"
#include "problem.h"

struct noisy_l1 {
    long d;
    double L, p, dist, radius;
};

static const struct param params[] = {
    PARAM(noisy_l1, d, 40, 1, 1e8, "coordinates", "dimension"),
    PARAM(noisy_l1, L, 1, 1e-100, 1e100, "f/x", "norm of every sample gradient"),
    PARAM(noisy_l1, p, 0.1, 0, 1, "1", "mean of a sign; 1: deterministic, 0: F = 0"),
    PARAM(noisy_l1, dist, 1, 1e-100, 1e100, "x", "R = |c|"),
    PARAM(noisy_l1, radius, INFINITY, 1e-100, INFINITY, "x", "of a ball around 0, at least dist"),
    PARAM_END
};

struct self {
    struct planted ball;             /* its x_star is c */
    double L_j, p;                   /* L_j = L/sqrt d */
    struct signs signs;
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct noisy_l1 *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng corner = rng_sub(data, 0), key = rng_sub(data, 1);
    double root = sqrt((double)p->d), *L_j = arena_vec(a, p->d);

    if (p->radius < p->dist)
        return why_set(why, BAD_INPUT, "noisy_l1.radius = %g: expected at least noisy_l1.dist = %g",
                       p->radius, p->dist);
    *o = (struct self){ .ball = { p->d, p->radius, arena_vec(a, p->d) },
                        .L_j = p->L / root, .p = p->p, .signs = signs_build(p->d, p->p, &key, a) };
    for (long j = 0; j < p->d; j++)
        o->ball.x_star[j] = rng_sign(&corner) * p->dist / root;
    vec_fill(p->d, o->L_j, L_j);

    ball_facts(facts, p->d, INFINITY, p->radius);
    facts->L = facts->G = p->L;
    facts->L_j = L_j;
    facts->sigma = p->L * sqrt((1 - p->p) * (1 + p->p));
    facts->mu = facts->weak = 0;     /* M and M_F stay unstated: F is not smooth */
    facts->dist = p->dist;
    facts->Phi = p->p * p->L * p->dist;
    facts->f_star = 0;
    *self = o;
    return OK;
}

static double slope(double e) { return (e > 0 ? 1.0 : 0.0) - (e < 0 ? 1.0 : 0.0); }

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    uint32_t bits = 0;
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++) {
        bits = j % LANES ? bits : signs_word(&o->signs, i, j / LANES);
        sum += signs_of(bits, j) * fabs(x[j] - o->ball.x_star[j]);
    }
    return o->L_j * sum;
}

/* g[d] += a * (gradient of sample i). The loop takes one word of signs at a time and has no branch, so that the
 * compiler uses SIMD lanes. */
static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    double sign[LANES], scale = a * o->L_j;
    for (long from = 0; from < o->ball.d; from += LANES) {
        long left = o->ball.d - from, m = left < LANES ? left : LANES;
        const double *at = x + from, *c = o->ball.x_star + from;
        signs_spread(signs_word(&o->signs, i, from / LANES), m, sign);
        for (long k = 0; k < m; k++)
            g[from + k] += scale * sign[k] * slope(at[k] - c[k]);
    }
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
        g[j] += scale * o->L_j * (2 * plus[j % LANES] - total) * slope(x[j] - o->ball.x_star[j]);
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
        double bias = 2 * signs_share(&o->signs, r, b) - 1;
        for (int p = 0; p < points; p++)
            g[j] += a[p] * o->L_j * bias * slope(x[p][j] - o->ball.x_star[j]);
    }
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++)
        sum += fabs(x[j] - o->ball.x_star[j]);
    return o->p * o->L_j * sum;
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    for (long j = 0; j < o->ball.d; j++)
        g[j] = o->p * o->L_j * slope(x[j] - o->ball.x_star[j]);
}

/* Returns E F(x + rho z), z normal; g[d], unless NULL, <- its gradient. In one coordinate, E|e + rho z| = e erf(t)
 * + 2 rho phi(e/rho), t = e/(rho sqrt 2), phi the normal density, with derivative erf(t). */
static double smoothed(const void *self, double rho, const double *x, double *g)
{
    const struct self *o = self;
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++) {
        double e = x[j] - o->ball.x_star[j], t = e / (rho * M_SQRT2), slope = erf(t);
        sum += e * slope + rho * M_SQRT2 * M_2_SQRTPI / 2 * exp(-t * t);
        if (g)
            g[j] = o->p * o->L_j * slope;
    }
    return o->p * o->L_j * sum;
}

/* --- F as a composite objective whose smooth part is 0 */

/* Returns v_j moved towards c_j by t p L/sqrt d, but not beyond c_j. */
static double prox_coord(const void *self, double t, long j, double v)
{
    const struct self *o = self;
    double e = v - o->ball.x_star[j], step = t * o->p * o->L_j;
    return fabs(e) <= step ? o->ball.x_star[j] : v - copysign(step, e);
}

static void prox(const void *self, double t, const double *v, double *x)
{
    const struct self *o = self;
    for (long j = 0; j < o->ball.d; j++)
        x[j] = prox_coord(self, t, j, v[j]);
}

/* x[d] <- the proximal point over R^d. Returns false if x is outside of the ball, since the proximal point over the
 * ball is then another one. */
static bool proximal_point(const void *self, double lam, const double *y, double *x)
{
    const struct self *o = self;
    prox(self, 1 / lam, y, x);
    return vec_norm(o->ball.d, x) <= o->ball.radius;
}

static double excess(const void *self, const double *x, double *error)
{
    *error = 0;
    return value(self, x);           /* F* = 0 */
}

static const struct measure measures[] = {
    { "excess", "f", "F(x), since F* = 0", EXACT, excess, NULL },
    { "distance", "x", "|x - c|", EXACT, planted_distance, NULL },
    { 0 }
};

static const struct composite_model composite = {
    .smooth_value = planted_nothing, .smooth_grad = planted_no_grad, .prox = prox,
    .prox_coord = prox_coord,
};

static const struct measuring_model measuring = {
    .proximal_point = proximal_point, .smoothed = smoothed,
};

const struct problem problem_noisy_l1 = {
    .name = "noisy_l1",
    .doc = "1-norm of x - c through random signs: every sample gradient has norm L",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct noisy_l1),
    .canaries = 2,
    PLANTED_SLOTS,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .batch_grad = batch_grad,
    .batch_law = batch_law,
    .grad = grad,
    .composite = &composite,
    .measuring = &measuring,
};
