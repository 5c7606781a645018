/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spatial_median.c - mean distance from records on a sphere: f(x; s) = L|x - s|, s = c + w u, u
 * uniform on the unit sphere of R^d, |c| = R, over R^d or |x| <= radius. By symmetry c is a minimiser. For
 * d = 1, F = L max{ |x - c|, w }, and all points between c - w and c + w are minimisers. With r = |x - c| and t
 * the angle between u and x - c, whose density is proportional to sin(t)^(d-2),
 *
 *     F(x) - L w = L E[ (r^2 - 2 r w cos t)/(h + w) ],  h = sqrt(r^2 + w^2 - 2 r w cos t),
 *     grad F(x) = L E[ (r - w cos t)/h ] (x - c)/r
 *
 * Samples are convex and have kinks, and every sample gradient has norm L; at c the gradient of F is 0. Samples -1
 * and -2, the canary pair, are the linear losses -+L x_1, the limits of records that go to infinity. */
#include <math.h>
#include "parts/planted.h"
#include "problem.h"

enum { D_MAX = 1000 };

struct spatial_median {
    long d;
    double L, w, dist, radius;
};

static const struct param params[] = {
    PARAM(spatial_median, d, 3, 1, D_MAX, "coordinates", "dimension"),
    PARAM(spatial_median, L, 1, 1e-100, 1e100, "f/x", "norm of every sample gradient"),
    PARAM(spatial_median, w, 0.5, 1e-100, 1e100, "x", "radius of the sphere of records"),
    PARAM(spatial_median, dist, 0.5, 1e-100, 1e100, "x", "R = |c|"),
    PARAM(spatial_median, radius, 1, 1e-100, INFINITY, "x", "of a ball around 0, at least dist"),
    PARAM_END
};

/* Nodes of a double exponential rule on 0 < t < pi/2, t = (pi/4)(1 + tanh a), a = (pi/2) sinh(k/64). Such a rule
 * is needed because for r near w the integrands are nearly singular at t = 0. */
enum { STEPS = 64, REACH = 4 * STEPS, NODES = 2 * REACH + 1 };

struct self {
    struct planted ball;             /* its x_star is c */
    double L, w;
    double *versine,                 /* [NODES] 1 - cos t */
           *weight;                  /* [NODES] weights of the nodes, with sum 1/2 */
    struct rng key;
};

static void quadrature(struct self *o)
{
    const double half_pi = 1.5707963267948966;
    double sum = 0;
    for (int k = -REACH; k <= REACH; k++) {
        double u = (double)k / STEPS, a = half_pi * sinh(u), t = half_pi / (1 + exp(-2 * a));
        double sine = sin(t / 2), jacobian = cosh(u) / (cosh(a) * cosh(a));
        o->versine[k + REACH] = 2 * sine * sine;
        o->weight[k + REACH] = jacobian * pow(sin(t), (double)o->ball.d - 2);
        sum += o->weight[k + REACH];
    }
    for (int k = 0; k < NODES; k++)
        o->weight[k] /= 2 * sum;
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct spatial_median *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng direction = rng_sub(data, 0);

    if (p->radius < p->dist)
        return why_set(why, BAD_INPUT, "spatial_median.radius = %g: expected at least "
                       "spatial_median.dist = %g", p->radius, p->dist);
    *o = (struct self){ .ball = { p->d, p->radius, arena_vec(a, p->d) }, .L = p->L, .w = p->w,
                        .versine = arena_vec(a, NODES), .weight = arena_vec(a, NODES),
                        .key = rng_sub(data, 1) };
    rng_sphere(&direction, p->d, o->ball.x_star);
    vec_scale(p->d, p->dist, o->ball.x_star);
    quadrature(o);

    ball_facts(facts, p->d, INFINITY, p->radius);
    facts->L = facts->G = facts->sigma = p->L;   /* sigma is reached at c, where grad F = 0 */
    facts->mu = facts->weak = 0;                 /* M stays unstated: no sample is smooth */
    facts->dist = p->dist;
    facts->Phi = p->L * p->dist;
    facts->f_star = p->L * p->w;
    *self = o;
    return OK;
}

/* u[d] <- x - s_i. Returns |x - s_i|. */
static double away(const struct self *o, long i, const double *x, double *u)
{
    struct rng r = rng_at(&o->key, (uint64_t)i);
    rng_sphere(&r, o->ball.d, u);
    for (long j = 0; j < o->ball.d; j++)
        u[j] = x[j] - o->ball.x_star[j] - o->w * u[j];
    return vec_norm(o->ball.d, u);
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    double u[D_MAX];
    return i < 0 ? (i == -1 ? -o->L : o->L) * x[0] : o->L * away(o, i, x, u);
}

/* g[d] += a * (gradient of sample i). At x = s_i the subgradient 0 is taken. */
static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    double u[D_MAX];
    if (i < 0) {
        g[0] += i == -1 ? -a * o->L : a * o->L;
        return;
    }
    double norm = away(o, i, x, u);
    if (norm > 0)
        vec_axpy(o->ball.d, a * o->L / norm, u, g);
}

/* Returns E[(r^2 - 2 r w cos t)/(h + w)] for d > 1; *slope, unless NULL, <- the derivative in r. The angles t and
 * pi - t are taken together, so that the terms of first order in r cancel in the formula. */
static double rise(const struct self *o, double r, double *slope)
{
    double sum = 0, rate = 0, w = o->w;
    for (int k = 0; k < NODES; k++) {
        double v = o->versine[k], wc = w * (1 - v), rv = 2 * r * w * v;
        double h = sqrt((r - w) * (r - w) + rv), g = sqrt((r + w) * (r + w) - rv);
        double A = h + w, B = g + w;
        sum += o->weight[k] * (1 / A + 1 / B - 8 * wc * wc / (A * B * (h + g)));
        if (h > 0)
            rate += o->weight[k] * (1 / h + 1 / g - 4 * wc * wc / (h * g * (h + g)));
    }
    if (slope)
        *slope = r * rate;
    return r * r * sum;
}

static double distance(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double r = vec_dist(o->ball.d, x, o->ball.x_star);
    *error = 0;
    return o->ball.d > 1 ? r : fmax(0, r - o->w);
}

static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    *error = 0;
    if (o->ball.d == 1)
        return o->L * distance(self, x, error);
    return o->L * rise(o, vec_dist(o->ball.d, x, o->ball.x_star), NULL);
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double none;
    return excess(self, x, &none) + o->L * o->w;
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    double r = vec_dist(o->ball.d, x, o->ball.x_star), slope = r > o->w;
    if (o->ball.d > 1)
        rise(o, r, &slope);
    double each = r > 0 ? o->L * slope / r : 0;
    vec_lincomb(o->ball.d, each, x, -each, o->ball.x_star, g);
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, by quadrature to rounding", EXACT, excess, NULL },
    { "distance", "x", "to the nearest minimiser", EXACT, distance, NULL },
    { 0 }
};

const struct problem problem_spatial_median = {
    .name = "spatial_median",
    .doc = "mean distance from records on a sphere: kinked samples, a known minimiser; a stream",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct spatial_median),
    .canaries = 2,
    PLANTED_SLOTS,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .grad = grad,
};
