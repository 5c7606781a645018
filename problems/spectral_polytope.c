/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spectral_polytope.c - log-spaced quadratic (parts/spectral.h) with one-coordinate noise over a
 * random polytope: a box turned by reflections at random hyperplanes,
 *
 *     P = { x : |<q_j, x>| <= w_j },   Q = (q_1 ... q_d) = H_1 H_2 H_3,   H_k = I - 2 u_k u_k',
 *     w_j = (r/sqrt(d)) U(1/2, 3/2)
 *
 * Projection on P is exact: turn by Q', clamp every coordinate, turn back. The axes of P are not axes of the
 * Hessian. The minimum over P is not known; F(x) - F* is bounded by the gap of Frank and Wolfe (1956),
 * F(x) - F* <= max over y in P of <grad F(x), x - y>. */
#include "parts/coordinate_noise.h"
#include "parts/spectral.h"

enum { REFLECTIONS = 3, D_MAX = 4096 };  /* D_MAX: a turned gradient stands on the stack */

struct self {
    struct spectral_quadratic q;     /* q.x_star is the minimum over R^d, not over P */
    struct coordinate_noise noise;
    double *u[REFLECTIONS], *w;      /* [d] each: u_k and w of the head */
};

#define NOISELESS_VALUE spectral_value
#define NOISELESS_GRAD(o, x, a, g) spectral_add_grad(&(o)->q, x, a, g)
#include "parts/linear_noise.h"

static const struct param params[] = {
    SPECTRAL_RANGES(D_MAX, 1e100, "r, of the polytope's half-widths r/sqrt(d) U(1/2, 3/2)"), PARAM_END
};

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct spectral *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng key = rng_sub(data, 1), shape = rng_sub(data, 2);

    if (p->d > D_MAX)
        return why_set(why, BAD_INPUT, "spectral_polytope.d = %ld: expected at most %d", p->d,
                       D_MAX);
    spectral_build(p, data, a, &o->q);
    o->noise = coordinate_noise_build(p->d, p->s, &key, a);
    for (int k = 0; k < REFLECTIONS; k++)
        rng_sphere(&shape, p->d, o->u[k] = arena_vec(a, p->d));
    o->w = arena_vec(a, p->d);
    for (long j = 0; j < p->d; j++)
        o->w[j] = p->radius / sqrt((double)p->d) * (0.5 + rng_uniform(&shape));

    double reach = vec_norm(p->d, o->w), slope = p->M * (reach + p->rr * p->radius);
    ball_facts(facts, p->d, INFINITY, reach);
    coordinate_noise_facts(facts, slope, p->s);
    facts->M = facts->M_F = p->M;
    facts->mu = o->q.lam[p->d - 1];
    facts->weak = 0;
    facts->dist = reach;
    facts->Phi = slope * reach;
    facts->M_j = o->q.lam;
    *self = o;
    return OK;
}

/* --- the polytope */

static void reflect(const struct self *o, int k, double *x)
{
    vec_axpy(o->q.d, -2 * vec_dot(o->q.d, o->u[k], x), o->u[k], x);
}

/* x[d] <- Q'x. */
static void turn(const struct self *o, double *x)
{
    for (int k = 0; k < REFLECTIONS; k++)
        reflect(o, k, x);
}

static void turn_back(const struct self *o, double *x)
{
    for (int k = REFLECTIONS - 1; k >= 0; k--)
        reflect(o, k, x);
}

/* x[d] <- the projection of x on P. A point of P moves by at most the rounding of the two turns. */
static void project(const void *self, double *x)
{
    static const double ROUNDING = 1e-15;
    const struct self *o = self;
    double seen[D_MAX], outside = 0;
    vec_copy(o->q.d, x, seen);
    turn(o, seen);
    for (long j = 0; j < o->q.d; j++)
        outside = fmax(outside, fabs(seen[j]) - o->w[j] * (1 + ROUNDING));
    if (!(outside > 0))
        return;
    vec_clip_coords(o->q.d, o->w, seen);
    turn_back(o, seen);
    vec_copy(o->q.d, seen, x);
}

static void linear_min(const void *self, const double *g, double *x)
{
    const struct self *o = self;
    vec_copy(o->q.d, g, x);
    turn(o, x);
    for (long j = 0; j < o->q.d; j++)
        x[j] = x[j] > 0 ? -o->w[j] : x[j] < 0 ? o->w[j] : 0;
    turn_back(o, x);
}

static const struct set sets[] = {
    { "polytope", "|<q_j, x>| <= w_j for all j", project }, { 0 }
};

/* --- measuring */

/* Returns <g, x> + sum_j w_j |<q_j, g>| with g = grad F(x). F(x) - F* is between 0 and this number. */
static double gap(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    double g[D_MAX], sum;
    spectral_grad(self, x, g);
    sum = vec_dot(o->q.d, g, x);
    turn(o, g);
    for (long j = 0; j < o->q.d; j++)
        sum += o->w[j] * fabs(g[j]);
    *error = fabs(sum);
    return sum;
}

static const struct measure measures[] = {
    { "gap", "f", "F(x) - F* is between 0 and it: Frank and Wolfe's", CERTIFIED, gap, NULL },
    { "gradient", "f/x", "|grad F(x)|", EXACT, spectral_slope, NULL },
    { 0 }
};

const struct problem problem_spectral_polytope = {
    .name = "spectral_polytope",
    .doc = "quadratic with log-spaced spectrum and one-coordinate noise on a random polytope",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct spectral),
    NOISY_SLOTS,
    .make = make,
    .shared = &noisy_shared,
    .value = spectral_value,
    .grad = spectral_grad,
    .sets = sets,
    .linear_min = linear_min,
    .measures = measures,
};
