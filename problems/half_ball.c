/* SPDX-License-Identifier: GPL-3.0-or-later */
/* half_ball.c - f(x; xi) = a|x_1 - D| - b x_2 - <xi, x>, xi = +-s e_J with J and the sign uniform, over the half
 * ball x_2 <= 0, |x| <= D. x* = (D, 0, ..., 0), F* = 0. At x* the objective decreases with slope b along x_2, out
 * of the set: iterates that may leave the half ball move away from x* along x_2. */
#include <math.h>
#include "parts/ball.h"
#include "parts/coordinate_noise.h"
#include "problem.h"

struct half_ball {
    long d;
    double a, b, s, dist;
};

static const struct param params[] = {
    PARAM(half_ball, d, 2, 1, 1e8, "coordinates", "dimension; 1: no constraint and no b"),
    PARAM(half_ball, a, 0.3, 1e-100, 1e100, "f/x", "slope along x_1"),
    PARAM(half_ball, b, 0.9, 0, 1e100, "f/x", "slope against the constraint"),
    PARAM(half_ball, s, 0.3, 0, 1e100, "f/x", "norm of the noise; 0: deterministic"),
    PARAM(half_ball, dist, 1, 1e-100, 1e100, "x", "D, also the radius"),
    PARAM_END
};

struct self {
    long d;
    double a, b, D;
    struct coordinate_noise noise;
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct half_ball *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng key = rng_sub(data, 0);

    *o = (struct self){ .d = p->d, .a = p->a, .b = p->d > 1 ? p->b : 0, .D = p->dist,
                        .noise = coordinate_noise_build(p->d, p->s, &key, a) };
    ball_facts(facts, p->d, INFINITY, p->dist);
    coordinate_noise_facts(facts, hypot(o->a, o->b), p->s);
    facts->mu = facts->weak = 0;     /* M and M_F stay unstated: F is not smooth */
    facts->dist = p->dist;
    facts->Phi = p->a * p->dist;
    facts->f_star = 0;
    *self = o;
    return OK;
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    return o->a * fabs(x[0] - o->D) - (o->d > 1 ? o->b * x[1] : 0);
}

static void add_grad(const struct self *o, const double *x, double a, double *g)
{
    g[0] += a * o->a * ((x[0] > o->D) - (x[0] < o->D));
    if (o->d > 1)
        g[1] -= a * o->b;
}

#define NOISELESS_VALUE value
#define NOISELESS_GRAD add_grad
#include "parts/linear_noise.h"

/* x[d] <- the projection on the half ball. As the half-space passes through the centre of the ball, projecting on
 * the half-space first and on the ball afterwards is exact. */
static void project(const void *self, double *x)
{
    const struct self *o = self;
    if (o->d > 1)
        x[1] = fmin(x[1], 0);
    vec_project_ball(o->d, NULL, o->D, x);
}

static bool minimiser(const void *self, double *x)
{
    const struct self *o = self;
    vec_zero(o->d, x);
    x[0] = o->D;
    return true;
}

static double excess(const void *self, const double *x, double *error)
{
    *error = 0;
    return value(self, x);           /* F* = 0 */
}

static double distance(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double e = x[0] - o->D, rest = vec_norm(o->d - 1, x + 1);
    *error = 0;
    return hypot(e, rest);
}

static const struct set sets[] = { { "half-ball", "x_2 <= 0, |x| <= dist", project }, { 0 } };

static const struct measure measures[] = {
    { "excess", "f", "F(x), since F* = 0", EXACT, excess, NULL },
    { "distance", "x", "|x - x*|", EXACT, distance, NULL },
    { 0 }
};

const struct problem problem_half_ball = {
    .name = "half_ball",
    .doc = "a kink and a slope against the flat side of a half ball",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct half_ball),
    .canaries = 2,
    .make = make,
    .sample_value = noisy_value,
    .sample_grad = noisy_grad,
    .value = value,
    .grad = noiseless_grad,
    .sets = sets,
    .measures = measures,
    .minimiser = minimiser,
};
