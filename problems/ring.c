/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ring.c - a nonconvex and nonsmooth function of |x|: f(x; xi) = phi(|x|) - <xi, x>, xi = +-s e_J with J and the
 * sign uniform, over R^d,
 *
 *     phi(r) = |r^2 - 1| for r <= edge,  edge^2 - 1 + 2 edge (r - edge) beyond,  edge > 1
 *
 * F = phi(|x|) has a local maximum at 0; its minima, F* = 0, are the points of the kink |x| = 1. F + |x|^2 is
 * convex (weak = 2), and |grad F| <= 2 edge. For lam > 2 the proximal point of y is a multiple of y. With r = |y|,
 * its norm is
 *
 *     lam r/(lam - 2)    where r < 1 - 2/lam
 *     1                  else where r <= 1 + 2/lam
 *     lam r/(lam + 2)    else where r <= (1 + 2/lam) edge
 *     r - 2 edge/lam     beyond */
#include <math.h>
#include "parts/ball.h"
#include "parts/coordinate_noise.h"
#include "problem.h"

struct ring {
    long d;
    double edge, s, start;
};

static const struct param params[] = {
    PARAM(ring, d, 4, 1, 1e8, "coordinates", "dimension"),
    PARAM(ring, edge, 1.5, 1, 1e100, "x", "radius beyond which F is linear along rays"),
    PARAM(ring, s, 0.5, 0, 1e100, "f/x", "norm of the noise; 0: deterministic"),
    PARAM(ring, start, 1.4, 0, 1e100, "x", "|x_0|"),
    PARAM_END
};

struct self {
    long d;
    double edge, start;
    struct coordinate_noise noise;
};

/* The lam of the Moreau envelope whose gradient is measured: twice the fact `weak`. */
static const double lam_measured = 4;

static double profile(const struct self *o, double r)
{
    double e = o->edge;
    return r <= e ? fabs(r * r - 1) : e * e - 1 + 2 * e * (r - e);
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct ring *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng key = rng_sub(data, 0);

    *o = (struct self){ .d = p->d, .edge = p->edge, .start = p->start,
                        .noise = coordinate_noise_build(p->d, p->s, &key, a) };
    ball_facts(facts, p->d, INFINITY, INFINITY);
    coordinate_noise_facts(facts, 2 * p->edge, p->s);
    facts->weak = 2;                 /* unstated: M and M_F, as F is not smooth; mu, as F is not convex */
    facts->dist = fabs(p->start - 1);
    facts->Phi = profile(o, p->start);
    facts->f_star = 0;
    *self = o;
    return OK;
}

static void start(const void *self, double *x)
{
    const struct self *o = self;
    vec_zero(o->d, x);
    x[0] = o->start;
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    return profile(o, vec_norm(o->d, x));
}

/* g[d] += a * grad F(x). On the kink |x| = 1 the subgradient 0 is taken. */
static void add_grad(const struct self *o, const double *x, double a, double *g)
{
    double r = vec_norm(o->d, x);
    double slope = r < 1 ? -2 : r == 1 ? 0 : r <= o->edge ? 2 : 2 * o->edge / r;
    vec_axpy(o->d, a * slope, x, g);
}

#define NOISELESS_VALUE value
#define NOISELESS_GRAD add_grad
#include "parts/linear_noise.h"

static bool minimiser(const void *self, double *x)
{
    vec_zero(((const struct self *)self)->d, x);
    x[0] = 1;
    return true;
}

/* Returns the norm of the proximal point of a y with |y| = r, lam > 2. */
static double ray(const struct self *o, double lam, double r)
{
    double step = 2 / lam;
    return r < 1 - step                 ? r / (1 - step)
           : r <= 1 + step              ? 1
           : r <= (1 + step) * o->edge  ? r / (1 + step)
                                        : r - step * o->edge;
}

static bool proximal_point(const void *self, double lam, const double *y, double *x)
{
    const struct self *o = self;
    double r = vec_norm(o->d, y);
    if (!(lam > 2))
        return false;
    vec_lincomb(o->d, r > 0 ? ray(o, lam, r) / r : 1, y, 0, y, x);
    return true;
}

static double excess(const void *self, const double *x, double *error)
{
    *error = 0;
    return value(self, x);           /* F* = 0 */
}

static double distance(const void *self, const double *x, double *error)
{
    *error = 0;
    return fabs(vec_norm(((const struct self *)self)->d, x) - 1);
}

static double stationarity(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double r = vec_norm(o->d, x), g = lam_measured * (r - ray(o, lam_measured, r));
    *error = 0;
    return g * g;
}

static double mean_stationarity(const void *self, long m, const double *points, double *error)
{
    double sum = 0;
    for (long k = 0; k < m; k++)
        sum += stationarity(self, points + k * ((const struct self *)self)->d, error);
    return sum / (double)m;
}

static const struct measure measures[] = {
    { "excess", "f", "F(x), since F* = 0", EXACT, excess, NULL },
    { "distance", "x", "||x| - 1|, to the nearest minimiser", EXACT, distance, NULL },
    { "stationarity", "f^2/x^2", "|grad of the Moreau envelope|^2, lam = 4; of a set: the mean",
      EXACT, stationarity, mean_stationarity },
    { 0 }
};

static const struct measuring_model measuring = { .proximal_point = proximal_point };

const struct problem problem_ring = {
    .name = "ring",
    .doc = "| |x|^2 - 1 |, linear far out: weakly convex, with a kink of minima around a maximum",
    .cite = "Davis, Drusvyatskiy (SIAM J. Optim. 29, 2019), Section 1; the linear part is ours",
    .params = params,
    .params_size = sizeof(struct ring),
    .canaries = 2,
    .make = make,
    .start = start,
    .sample_value = noisy_value,
    .sample_grad = noisy_grad,
    .value = value,
    .grad = noiseless_grad,
    .measures = measures,
    .minimiser = minimiser,
    .measuring = &measuring,
};
