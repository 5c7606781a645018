/* SPDX-License-Identifier: GPL-3.0-or-later */
/* creased.c - a slope with a crease along it: F(x) = a|x_1| - h x_2 over the ball |x| <= radius. a = (L^2 -
 * h^2)^(1/2), so that every gradient off the crease has the norm L. Every sample of the stream is F itself. x* =
 * radius e_2, F* = -radius h.
 *
 * F smoothed by N(0, rho^2 I) has the curvature (2/pi)^(1/2) a/rho across the crease and none along it. With h far
 * below L a method that minimises the smoothed F needs short steps for the one direction and long ones for the
 * other. */
#include <math.h>
#include "parts/planted.h"
#include "problem.h"

struct creased {
    long d;
    double L, h, radius;
};

static const struct param params[] = {
    PARAM(creased, d, 2, 2, 1e8, "coordinates", "dimension"),
    PARAM(creased, L, 1, 1e-100, 1e100, "f/x", "norm of every gradient off the crease"),
    PARAM(creased, h, 0.1, 0, 1e100, "f/x", "slope along the crease, at most L"),
    PARAM(creased, radius, 1, 1e-100, 1e100, "x", "of the feasible ball"),
    PARAM_END
};

struct self {
    struct planted ball;
    double a, h;
};

static enum status make(const void *vp, const struct rng *data, struct arena *arena, void **self,
                        struct facts *facts, struct why *why)
{
    const struct creased *p = vp;
    struct self *o = ARENA_ARRAY(arena, 1, struct self);

    if (!(p->h <= p->L))
        return why_set(why, BAD_INPUT, "creased.h = %g: expected at most creased.L = %g", p->h, p->L);
    *o = (struct self){ .ball = { p->d, p->radius, arena_vec(arena, p->d) },
                        .a = sqrt((p->L - p->h) * (p->L + p->h)), .h = p->h };
    vec_zero(p->d, o->ball.x_star);
    o->ball.x_star[1] = p->radius;

    ball_facts(facts, p->d, INFINITY, p->radius);
    facts->L = facts->G = p->L;
    facts->sigma = 0;
    facts->mu = facts->weak = 0;     /* M and M_F stay unstated: F is not smooth */
    facts->dist = p->radius;
    facts->Phi = p->radius * p->h;
    facts->f_star = -facts->Phi;
    *self = o;
    return OK;
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    return o->a * fabs(x[0]) - o->h * x[1];
}

/* g[d] <- grad F(x). On the crease the entry 0 is taken. */
static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    vec_zero(o->ball.d, g);
    g[0] = o->a * ((x[0] > 0) - (x[0] < 0));
    g[1] = -o->h;
}

/* Returns E F(x + rho z): the mean of |t + rho z_1| is t erf(t/(rho 2^(1/2))) + rho (2/pi)^(1/2) exp(-t^2/(2
 * rho^2)). */
static double smoothed(const void *self, double rho, const double *x, double *g)
{
    const struct self *o = self;
    double u = x[0] / (rho * M_SQRT2), slope = erf(u);
    if (g) {
        vec_zero(o->ball.d, g);
        g[0] = o->a * slope;
        g[1] = -o->h;
    }
    return o->a * (x[0] * slope + rho * (M_SQRT2 * M_2_SQRTPI / 2) * exp(-u * u)) - o->h * x[1];
}

/* x[d] <- the proximal point. Without the ball x_1 is y_1 moved towards 0 by a/lam, and x_2 = y_2 + h/lam. The
 * multiplier of the ball adds to lam but not to lam y, so that the point in the ball is the projection. */
static bool proximal_point(const void *self, double lam, const double *y, double *x)
{
    const struct self *o = self;
    vec_copy(o->ball.d, y, x);
    x[0] = copysign(fmax(fabs(y[0]) - o->a / lam, 0), y[0]);
    x[1] += o->h / lam;
    planted_project(self, x);
    return true;
}

static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    *error = 0;
    return o->a * fabs(x[0]) + o->h * (o->ball.radius - x[1]);
}

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, closed form", EXACT, excess, NULL },
    { "distance", "x", "|x - x*|", EXACT, planted_distance, NULL },
    { 0 }
};

static const struct measuring_model measuring = {
    .smoothed = smoothed, .proximal_point = proximal_point,
};

const struct problem problem_creased = {
    .name = "creased",
    .doc = "a slope with a crease along it: smoothed, it is steeply curved across and flat along",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct creased),
    .fixed = true,
    PLANTED_SLOTS,
    .grad = grad,
    .measuring = &measuring,
};
