/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear.c - f(x; d_i) = -<d_i, x>, d_i = mu_v + xi_i, over the ball of radius r. mu_v is a fixed random vector,
 * |mu_v| = h, and xi_i = +-s e_J with J and the sign uniform (parts/coordinate_noise.h). F has no
 * curvature and no unconstrained minimiser; x* = r mu_v/h and F* = -r h. Which h is hard depends on n,
 * so that claims search for it. */
#include "parts/coordinate_noise.h"
#include "parts/planted.h"

struct linear {
    long d;
    double hardness, s, radius;
};

static const struct param params[] = {
    PARAM(linear, d, 40, 1, 1e8, "coordinates", "dimension"),
    PARAM(linear, hardness, 0.1, 0, 1e100, "f/x", "h = |mu_v|, the slope of F"),
    PARAM(linear, s, 1, 0, 1e100, "f/x", "norm of the noise; 0: deterministic"),
    PARAM(linear, radius, 1, 1e-100, 1e100, "x", "r, of the feasible ball"),
    PARAM_END
};

struct self {
    struct planted ball;
    double *mu_v;                    /* [d] */
    struct coordinate_noise noise;
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct linear *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng direction = rng_sub(data, 0), key = rng_sub(data, 1);

    *o = (struct self){ .ball = { p->d, p->radius, arena_vec(a, p->d) },
                        .mu_v = arena_vec(a, p->d),
                        .noise = coordinate_noise_build(p->d, p->s, &key, a) };
    rng_sphere(&direction, p->d, o->ball.x_star);
    for (long j = 0; j < p->d; j++)
        o->mu_v[j] = p->hardness * o->ball.x_star[j];
    vec_scale(p->d, p->radius, o->ball.x_star);

    ball_facts(facts, p->d, INFINITY, p->radius);
    coordinate_noise_facts(facts, p->hardness, p->s);
    facts->M = facts->M_F = facts->mu = facts->weak = 0;
    facts->dist = p->radius;
    facts->Phi = p->radius * p->hardness;
    facts->f_star = -facts->Phi;
    *self = o;
    return OK;
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    return -vec_dot(o->ball.d, o->mu_v, x);
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    for (long j = 0; j < o->ball.d; j++)
        g[j] = -o->mu_v[j];
}

static double smoothed(const void *self, double rho, const double *x, double *g)
{
    if (g)
        grad(self, x, g);
    return value(self, x);
}

static void add_grad(const struct self *o, const double *x, double a, double *g)
{
    vec_axpy(o->ball.d, -a, o->mu_v, g);
}

#define NOISELESS_VALUE value
#define NOISELESS_GRAD add_grad
#include "parts/linear_noise.h"

static void batch_law(const void *self, const struct rng *draw, double b, int points,
                      const double *const *x, const double *a, double *g)
{
    const struct self *o = self;
    double sum = 0;
    for (int p = 0; p < points; p++)
        sum += a[p];
    vec_axpy(o->ball.d, -sum, o->mu_v, g);
    coordinate_noise_law(&o->noise, draw, b, -sum, g);
}

/* x[d] <- the proximal point. For a linear function it is the projection of y - grad F/lam on the set. */
static bool proximal_point(const void *self, double lam, const double *y, double *x)
{
    const struct self *o = self;
    vec_lincomb(o->ball.d, 1, y, 1 / lam, o->mu_v, x);
    planted_project(self, x);
    return true;
}

/* Returns F(x) - F* = <mu_v, x* - x>. The differences x*_j - x_j are taken first, so that digits survive near
 * x*. */
static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double sum = 0;
    for (long j = 0; j < o->ball.d; j++)
        sum += o->mu_v[j] * (o->ball.x_star[j] - x[j]);
    *error = 0;
    return sum;
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, closed form", EXACT, excess, NULL },
    { "distance", "x", "|x - x*|", EXACT, planted_distance, NULL },
    { 0 }
};

static const struct measuring_model measuring = {
    .smoothed = smoothed, .proximal_point = proximal_point,
};

const struct problem problem_linear = {
    .name = "linear",
    .doc = "linear losses on a ball: no curvature, no unconstrained minimiser",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct linear),
    NOISY_SLOTS,
    PLANTED_SLOTS,
    .batch_law = batch_law,
    .shared = &noisy_shared,
    .grad = grad,
    .measuring = &measuring,
};
