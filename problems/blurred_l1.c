/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blurred_l1.c - a norm about a moving centre: f(x; s) = (L/sqrt d) |x - c - s|_1, s_j independent,
 * uniform on (-w, w), |c| = R, over R^d or |x| <= radius. With e = x - c
 *
 *     F(x) = (L/sqrt d) sum_j phi(e_j),  phi(e) = (e^2 + w^2)/(2w) where |e| <= w, |e| outside
 *
 * Samples are convex and have kinks; their mean F is smooth. Every sample gradient has norm L. At c the
 * gradient of F is 0, so that sample gradients are noise alone. */
#include <math.h>
#include "parts/planted.h"
#include "problem.h"

struct blurred_l1 {
    long d;
    double L, w, dist, radius;
};

static const struct param params[] = {
    PARAM(blurred_l1, d, 1, 1, 1e8, "coordinates", "dimension"),
    PARAM(blurred_l1, L, 1, 1e-100, 1e100, "f/x", "norm of every sample gradient"),
    PARAM(blurred_l1, w, 1, 1e-100, 1e100, "x", "half-width of the centre's law"),
    PARAM(blurred_l1, dist, 0.7, 1e-100, 1e100, "x", "R = |c|"),
    PARAM(blurred_l1, radius, INFINITY, 1e-100, INFINITY, "x", "of a ball around 0, at least dist"),
    PARAM_END
};

struct self {
    struct planted ball;             /* its x_star is c */
    double L_j, w;                   /* L_j = L/sqrt d */
    struct rng key;
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct blurred_l1 *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng direction = rng_sub(data, 0);
    double root = sqrt((double)p->d), *L_j = arena_vec(a, p->d), *M_j = arena_vec(a, p->d);

    if (p->radius < p->dist)
        return why_set(why, BAD_INPUT, "blurred_l1.radius = %g: expected at least blurred_l1.dist "
                       "= %g", p->radius, p->dist);
    *o = (struct self){ .ball = { p->d, p->radius, arena_vec(a, p->d) },
                        .L_j = p->L / root, .w = p->w, .key = rng_sub(data, 1) };
    rng_sphere(&direction, p->d, o->ball.x_star);
    vec_scale(p->d, p->dist, o->ball.x_star);
    vec_fill(p->d, o->L_j, L_j);
    vec_fill(p->d, o->L_j / p->w, M_j);

    ball_facts(facts, p->d, INFINITY, p->radius);
    facts->L = facts->G = facts->sigma = p->L;   /* sigma is reached at c, where grad F = 0 */
    facts->L_j = L_j;
    facts->M_F = o->L_j / p->w;      /* M stays unstated: no sample is smooth */
    facts->M_j = M_j;
    facts->mu = facts->weak = 0;
    facts->dist = p->dist;
    facts->Phi = p->L * p->dist;
    facts->f_star = p->L * root * p->w / 2;
    *self = o;
    return OK;
}

/* Returns c_j + s_j of the sample whose stream is *r. Call it for j = 0, 1, ... in order, as each call takes
 * one number from the stream. */
static double centre(const struct self *o, struct rng *r, long j)
{
    return o->ball.x_star[j] + o->w * (2 * rng_uniform(r) - 1);
}

static double sample_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    struct rng r = rng_at(&o->key, (uint64_t)i);
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++)
        sum += fabs(x[j] - centre(o, &r, j));
    return o->L_j * sum;
}

static void sample_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    struct rng r = rng_at(&o->key, (uint64_t)i);
    for (long j = 0; j < o->ball.d; j++)
        g[j] += x[j] > centre(o, &r, j) ? a * o->L_j : -a * o->L_j;
}

/* Returns phi(e) - phi(0), where phi(0) = w/2. */
static double rise(const struct self *o, double e)
{
    double size = fabs(e);
    return size <= o->w ? e * e / (2 * o->w) : size - o->w / 2;
}

static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++)
        sum += rise(o, x[j] - o->ball.x_star[j]);
    *error = 0;
    return o->L_j * sum;
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double none;
    return excess(self, x, &none) + o->L_j * (double)o->ball.d * o->w / 2;
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    for (long j = 0; j < o->ball.d; j++)
        g[j] = o->L_j * fmax(-1, fmin(1, (x[j] - o->ball.x_star[j]) / o->w));
}

/* x[d] <- the proximal point over R^d, each coordinate alone. With e = x_j - c_j, k = L_j/lam and u = y_j - c_j the
 * equation is e (1 + k/w) = u where |e| <= w, and e + k sign(e) = u elsewhere. Returns false where x leaves the
 * ball. */
static bool proximal_point(const void *self, double lam, const double *y, double *x)
{
    const struct self *o = self;
    double k = o->L_j / lam;
    for (long j = 0; j < o->ball.d; j++) {
        double u = y[j] - o->ball.x_star[j];
        double e = fabs(u) <= o->w + k ? u * o->w / (o->w + k) : u - copysign(k, u);
        x[j] = o->ball.x_star[j] + e;
    }
    return vec_norm(o->ball.d, x) <= o->ball.radius;
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, closed form", EXACT, excess, NULL },
    { "distance", "x", "|x - c|", EXACT, planted_distance, NULL },
    { 0 }
};

static const struct measuring_model measuring = { .proximal_point = proximal_point };

const struct problem problem_blurred_l1 = {
    .name = "blurred_l1",
    .doc = "1-norm about a uniformly moving centre: kinked samples, smooth mean",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct blurred_l1),
    PLANTED_SLOTS,
    .sample_value = sample_value,
    .sample_grad = sample_grad,
    .grad = grad,
    .measuring = &measuring,
};
