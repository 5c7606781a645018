/* SPDX-License-Identifier: GPL-3.0-or-later */
/* huber.c - the smooth convex function on which gradient descent is slowest:
 *
 *     F(x) = M tau |x| - M tau^2/2  where |x| >= tau,   M |x|^2/2 inside;   x_0 = R e_1, x* = 0
 *
 * With tau = R/(2Nh+1), N gradient steps of length h/M, h <= 1, end with F(x) - F* = M R^2/(4Nh+2) exactly, the
 * largest value over all M-smooth convex functions. Every sample of the stream is F itself. */
#include <math.h>
#include "parts/ball.h"
#include "problem.h"

struct huber {
    long d;
    double M, dist, tau;
};

static const struct param params[] = {
    PARAM(huber, d, 2, 1, 1e8, "coordinates", "dimension"),
    PARAM(huber, M, 1, 1e-100, 1e100, "f/x^2", "smoothness"),
    PARAM(huber, dist, 1, 1e-100, 1e100, "x", "R = |x_0|"),
    PARAM(huber, tau, NAN, 1e-100, 1e100, "x", "where the slope stops growing; unset: R/3"),
    PARAM_END
};

struct self {
    long d;
    double M, R, tau;
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct huber *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    double tau = isnan(p->tau) ? p->dist / 3 : p->tau;      /* R/3 is the worst tau for one step with h = 1 */

    *o = (struct self){ .d = p->d, .M = p->M, .R = p->dist, .tau = tau };
    ball_facts(facts, p->d, INFINITY, INFINITY);
    facts->L = facts->G = p->M * tau;
    facts->sigma = 0;
    facts->M = facts->M_F = p->M;
    facts->mu = facts->weak = 0;
    facts->dist = p->dist;
    facts->Phi = p->dist >= tau ? p->M * tau * (p->dist - tau / 2) : p->M * p->dist * p->dist / 2;
    facts->f_star = 0;
    *self = o;
    return OK;
}

static void start(const void *self, double *x0)
{
    const struct self *o = self;
    vec_zero(o->d, x0);
    x0[0] = o->R;
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    double norm = vec_norm(o->d, x);
    return norm >= o->tau ? o->M * o->tau * (norm - o->tau / 2) : o->M * norm * norm / 2;
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    double norm = vec_norm(o->d, x);
    vec_lincomb(o->d, norm >= o->tau ? o->M * (o->tau / norm) : o->M, x, 0, x, g);
}

static bool minimiser(const void *self, double *x)
{
    const struct self *o = self;
    vec_zero(o->d, x);
    return true;
}

/* x[d] <- the proximal point, which is a multiple of y: |x| (1 + M/lam) = |y| where |x| <= tau, and
 * |x| + M tau/lam = |y| elsewhere. */
static bool proximal_point(const void *self, double lam, const double *y, double *x)
{
    const struct self *o = self;
    double norm = vec_norm(o->d, y), ratio = o->M / lam;
    double keep = norm <= o->tau * (1 + ratio) ? 1 / (1 + ratio) : 1 - o->tau * ratio / norm;
    vec_lincomb(o->d, keep, y, 0, y, x);
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
    *error = 0;
    return vec_norm(o->d, x);
}

static const struct measure measures[] = {
    { "excess", "f", "F(x), since F* = 0", EXACT, excess, NULL },
    { "distance", "x", "|x|", EXACT, distance, NULL },
    { 0 }
};

static const struct measuring_model measuring = { .proximal_point = proximal_point };

const struct problem problem_huber = {
    .name = "huber",
    .doc = "Huber function of the norm, hardest for gradient descent; deterministic",
    .cite = "Drori, Teboulle (2014), Performance of first-order methods, Math. Program. 145",
    .params = params,
    .params_size = sizeof(struct huber),
    .fixed = true,
    .make = make,
    .start = start,
    .value = value,
    .grad = grad,
    .measures = measures,
    .minimiser = minimiser,
    .measuring = &measuring,
};
