/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.c - Nesterov's worst case for methods whose iterates stay in the span of the gradients:
 *
 *     F(x) = (M/4) (x'A x/2 - a x_1),   A = tridiag(-1, 2, -1) on the first k coordinates
 *     x*_i = a (1 - i/(k+1)),   F* = -(M a^2/8) k/(k+1),   |x*|^2 = a^2 k(2k+1)/(6(k+1))
 *
 * From x_0 = 0 every gradient makes one more coordinate nonzero. With k = 2T+1 no such method reaches
 * F(x) - F* < 3 M |x*|^2/(32 (T+1)^2) in T steps. Every sample of the stream is F itself. */
#include <math.h>
#include "parts/ball.h"
#include "problem.h"

struct chain {
    long d, k;
    double M, dist, radius;
};

static const struct param params[] = {
    PARAM(chain, d, 101, 1, 1e8, "coordinates", "dimension"),
    PARAM(chain, k, 0, 0, 1e8, "coordinates", "length of the chain, at most d; 0: d"),
    PARAM(chain, M, 1, 1e-100, 1e100, "f/x^2", "smoothness"),
    PARAM(chain, dist, 1, 1e-100, 1e100, "x", "|x*|: a is chosen to give it"),
    PARAM(chain, radius, INFINITY, 1e-100, INFINITY, "x", "of a ball around 0, at least dist"),
    PARAM_END
};

struct self {
    long d, k;
    double M, a, radius;
};

static enum status make(const void *vp, const struct rng *data, struct arena *arena, void **self,
                        struct facts *facts, struct why *why)
{
    const struct chain *p = vp;
    struct self *o = ARENA_ARRAY(arena, 1, struct self);
    double k = (double)(p->k > 0 ? p->k : p->d);

    if (p->k > p->d)
        return why_set(why, BAD_INPUT, "chain.k = %ld: expected at most chain.d = %ld", p->k, p->d);
    if (p->radius < p->dist)
        return why_set(why, BAD_INPUT, "chain.radius = %g: expected at least chain.dist = %g",
                       p->radius, p->dist);
    *o = (struct self){ .d = p->d, .k = (long)k, .M = p->M, .radius = p->radius,
                        .a = p->dist * sqrt(6 * (k + 1) / (k * (2 * k + 1))) };

    ball_facts(facts, p->d, INFINITY, p->radius);
    facts->L = facts->G = p->M * (p->radius + p->dist);
    facts->sigma = 0;
    facts->M = facts->M_F = p->M;
    double s = sin(M_PI / (2 * (k + 1)));
    facts->mu = o->k == o->d ? p->M * s * s : 0;    /* the least eigenvalue of A is 4 s^2 */
    facts->weak = 0;
    facts->dist = p->dist;
    facts->Phi = p->M * o->a * o->a / 8 * k / (k + 1);
    facts->f_star = -facts->Phi;
    *self = o;
    return OK;
}

/* Returns x'A x, written as the sum of squares x_1^2 + sum (x_i - x_{i+1})^2 + x_k^2. */
static double energy(long k, const double *x)
{
    double sum = x[0] * x[0] + x[k - 1] * x[k - 1];
    for (long i = 0; i + 1 < k; i++)
        sum += (x[i] - x[i + 1]) * (x[i] - x[i + 1]);
    return sum;
}

static double value(const void *self, const double *x)
{
    const struct self *o = self;
    return o->M / 4 * (energy(o->k, x) / 2 - o->a * x[0]);
}

static void grad(const void *self, const double *x, double *g)
{
    const struct self *o = self;
    double scale = o->M / 4;
    vec_zero(o->d, g);
    g[0] = -scale * o->a;
    for (long i = 0; i < o->k; i++) {
        double before = i > 0 ? x[i - 1] : 0, after = i + 1 < o->k ? x[i + 1] : 0;
        g[i] += scale * ((x[i] - before) + (x[i] - after));
    }
}

static double star(const struct self *o, long i)
{
    return i < o->k ? o->a * (double)(o->k - i) / (double)(o->k + 1) : 0;
}

static bool minimiser(const void *self, double *x)
{
    const struct self *o = self;
    for (long i = 0; i < o->d; i++)
        x[i] = star(o, i);
    return true;
}

/* Returns (M/8) e'A e with e = x - x*, which has no cancellation as F(x) - F* would have. */
static double excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double e = x[0] - star(o, 0), sum = e * e;
    for (long i = 1; i < o->k; i++) {
        double next = x[i] - star(o, i);
        sum += (next - e) * (next - e);
        e = next;
    }
    *error = 0;
    return o->M / 8 * (sum + e * e);
}

static double distance(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double sum = 0;
    for (long i = 0; i < o->d; i++)
        sum += (x[i] - star(o, i)) * (x[i] - star(o, i));
    *error = 0;
    return sqrt(sum);
}

static void project(const void *self, double *x)
{
    const struct self *o = self;
    vec_project_ball(o->d, NULL, o->radius, x);
}

static void linear_min(const void *self, const double *g, double *x)
{
    const struct self *o = self;
    ball_linear_min(o->d, o->radius, g, x);
}

static const struct set sets[] = { { "ball", "|x| <= radius", project }, { 0 } };

static const struct measure measures[] = {
    { "excess", "f", "F(x) - F*, closed form", EXACT, excess, NULL },
    { "distance", "x", "|x - x*|, x* the minimiser that is 0 beyond the chain", EXACT, distance,
      NULL },
    { 0 }
};

const struct problem problem_chain = {
    .name = "chain",
    .doc = "tridiagonal quadratic, hardest for first-order methods; deterministic",
    .cite = "Nesterov (2004), Introductory Lectures on Convex Optimization, section 2.1.2",
    .params = params,
    .params_size = sizeof(struct chain),
    .fixed = true,
    .make = make,
    .value = value,
    .grad = grad,
    .sets = sets,
    .linear_min = linear_min,
    .measures = measures,
    .minimiser = minimiser,
};
