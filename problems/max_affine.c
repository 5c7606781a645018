/* SPDX-License-Identifier: GPL-3.0-or-later */
/* max_affine.c - F(x) = max_i <a_i, x - x*> - s_i over |x| <= radius, with N pieces, |a_i| <= L and |x*| =
 * radius/2. The first 2m pieces, m = min(N/2, d), come in pairs with slopes a, -a/2 and s_i = 0. 0 is a convex
 * combination of these slopes, so that x* is a minimiser and F* = 0. As the pairs need not span the space, there
 * may be other minimisers. The other pieces have random slopes and s_i in [0, slack], so that none is above F* at
 * x*. The average of all pieces is affine, with its minimum on the sphere.
 *
 * With cut > 0 the feasible set is the part of the ball with <nu, x> <= 0, where |nu| = 1 and <nu, x*> = 0, and cut
 * nu is subtracted from every slope. F gains -cut<nu, x>, which is >= 0 on the set, so that x* and F* stay; this
 * term decreases out of the half-space. A sample is F(x) - <xi, x>, xi = +-s e_J with J and the sign uniform. */
#include <math.h>
#include "parts/coordinate_noise.h"
#include "parts/planted.h"
#include "problem.h"

struct max_affine {
    long d, N;
    double L, slack, radius, cut, s;
};

static const struct param params[] = {
    PARAM(max_affine, d, 10, 1, 1e6, "coordinates", "dimension"),
    PARAM(max_affine, N, 100, 2, 1e8, "pieces", "of the maximum"),
    PARAM(max_affine, L, 1, 1e-100, 1e100, "f/x", "largest slope of a piece, before cut"),
    PARAM(max_affine, slack, 0.1, 0, 1e100, "f", "how far the other pieces are below F* at most"),
    PARAM(max_affine, radius, 1, 1e-100, 1e100, "x", "of the feasible ball"),
    PARAM(max_affine, cut, 0, 0, 1e100, "f/x", "slope against a half-space through 0; 0: none"),
    PARAM(max_affine, s, 0, 0, 1e100, "f/x", "norm of the noise; 0: deterministic"),
    PARAM_END
};

struct self {
    struct planted ball;
    long N, active;                  /* active: number of pieces with s_i = 0, the first ones */
    double *A,                       /* [N][d] slopes a_i */
           *s,                       /* [N] s_i */
           *mean;                    /* [d] slope of the average of the pieces */
    double *nu,                      /* [d] normal of the half-space; NULL: there is none */
           fall;                     /* |face(mean)|, see face below: from the origin to its minimum on the set the
                                     average of the pieces falls by radius * fall */
    struct coordinate_noise noise;
};

/* to[d] <- g without its part along nu, if -g points out of the half-space; else g. The part is subtracted twice,
 * since one subtraction leaves rounding where g is nearly along nu. */
static void face(const struct self *o, const double *g, double *to)
{
    vec_copy(o->ball.d, g, to);
    for (int twice = 0; o->nu && twice < 2; twice++)
        vec_axpy(o->ball.d, fmax(0, -vec_dot(o->ball.d, o->nu, to)), o->nu, to);
}

/* Chooses the half-space <nu, x> <= 0, whose face contains x* and 0, and subtracts cut nu from every slope. */
static void cut_by(struct self *o, double cut, struct rng *where, struct arena *a)
{
    long d = o->ball.d;
    const double *x = o->ball.x_star;
    o->nu = arena_vec(a, d);
    rng_sphere(where, d, o->nu);
    for (int twice = 0; twice < 2; twice++)  /* one subtraction leaves rounding where nu is close to x */
        vec_axpy(d, -vec_dot(d, o->nu, x) / vec_dot(d, x, x), x, o->nu);
    vec_scale(d, 1 / vec_norm(d, o->nu), o->nu);
    for (long i = 0; i < o->N; i++)
        vec_axpy(d, -cut, o->nu, o->A + i * d);
    vec_axpy(d, -cut, o->nu, o->mean);
}

static enum status make(const void *vp, const struct rng *data, struct arena *a, void **self,
                        struct facts *facts, struct why *why)
{
    const struct max_affine *p = vp;
    struct self *o = ARENA_ARRAY(a, 1, struct self);
    struct rng where = rng_sub(data, 0), below = rng_sub(data, 1), slopes = rng_sub(data, 2);
    struct rng half = rng_sub(data, 3), key = rng_sub(data, 4);
    long pairs = p->N / 2 < p->d ? p->N / 2 : p->d;

    if (p->cut > 0 && p->d < 2)
        return why_set(why, BAD_INPUT,
                       "max_affine.cut = %g: expected d of at least 2, as a half-space through 0 and "
                       "x* has", p->cut);
    *o = (struct self){ .ball = { p->d, p->radius, arena_vec(a, p->d) }, .N = p->N,
                        .active = 2 * pairs, .A = arena_vec(a, p->N * p->d),
                        .s = arena_vec(a, p->N), .mean = arena_vec(a, p->d),
                        .noise = coordinate_noise_build(p->d, p->s, &key, a) };
    rng_sphere(&where, p->d, o->ball.x_star);
    vec_scale(p->d, p->radius / 2, o->ball.x_star);
    vec_zero(p->d, o->mean);
    for (long i = 0; i < p->N; i++) {
        double *row = o->A + i * p->d;
        bool second = i < o->active && i % 2;
        if (second)
            vec_copy(p->d, row - p->d, row);
        else
            rng_sphere(&slopes, p->d, row);
        vec_scale(p->d, second ? -0.5 : p->L, row);
        o->s[i] = i < o->active ? 0 : p->slack * rng_uniform(&below);
        vec_axpy(p->d, 1 / (double)p->N, row, o->mean);
    }
    if (p->cut > 0)
        cut_by(o, p->cut, &half, a);
    double *along = arena_vec(a, p->d);
    face(o, o->mean, along);
    o->fall = vec_norm(p->d, along);

    ball_facts(facts, p->d, INFINITY, p->radius);
    facts->N = (double)p->N;
    coordinate_noise_facts(facts, p->L + p->cut, p->s);
    facts->mu = facts->weak = 0;     /* M and M_F stay unstated: F is not smooth */
    facts->dist = p->radius / 2;
    facts->Phi = p->L * p->radius / 2;   /* F(0) - F* does not depend on cut */
    facts->f_star = 0;
    *self = o;
    return OK;
}

static double piece_value(const void *self, long i, const double *x)
{
    const struct self *o = self;
    const double *row = o->A + i * o->ball.d;
    double sum = -o->s[i];
    for (long j = 0; j < o->ball.d; j++)
        sum += row[j] * (x[j] - o->ball.x_star[j]);
    return sum;
}

static void piece_values(const void *self, const double *x, double *v)
{
    const struct self *o = self;
    for (long i = 0; i < o->N; i++)
        v[i] = piece_value(self, i, x);
}

static void piece_grad(const void *self, long i, const double *x, double a, double *g)
{
    const struct self *o = self;
    vec_axpy(o->ball.d, a, o->A + i * o->ball.d, g);
}

/* Returns the first of the pieces that are largest at x; *F <- the maximum. */
static long largest(const struct self *o, const double *x, double *F)
{
    long best = 0;
    *F = -INFINITY;
    for (long i = 0; i < o->N; i++) {
        double f = piece_value(o, i, x);
        if (f > *F) {
            *F = f;
            best = i;
        }
    }
    return best;
}

static double value(const void *self, const double *x)
{
    double F;
    largest(self, x, &F);
    return F;
}

static void add_grad(const struct self *o, const double *x, double a, double *g)
{
    double F;
    piece_grad(o, largest(o, x, &F), x, a, g);
}

#define NOISELESS_VALUE value
#define NOISELESS_GRAD add_grad
#include "parts/linear_noise.h"

/* --- the set: projection on the half-space and then on the ball is exact, since the boundary of the half-space
 * contains the centre of the ball */

static void project(const void *self, double *x)
{
    const struct self *o = self;
    double out = o->nu ? vec_dot(o->ball.d, o->nu, x) : 0;
    if (out > 0)
        vec_axpy(o->ball.d, -out, o->nu, x);
    planted_project(self, x);
}

/* x[d] <- a minimiser of <g, x> over the set: the point of the sphere opposite to face(g), or 0 if face(g) is 0 up
 * to rounding. */
static void linear_min(const void *self, const double *g, double *x)
{
    const struct self *o = self;
    face(o, g, x);
    if (vec_norm(o->ball.d, x) > 1e-14 * vec_norm(o->ball.d, g))
        ball_linear_min(o->ball.d, o->ball.radius, x, x);
    else
        vec_zero(o->ball.d, x);
}

static double excess(const void *self, const double *x, double *error)
{
    *error = 0;
    return value(self, x);           /* F* = 0 */
}

/* Returns (1/N) sum_i f_i(x) less the minimum of this average over the set. */
static double average_excess(const void *self, const double *x, double *error)
{
    const struct self *o = self;
    long d = o->ball.d;
    *error = 0;
    return vec_dot(d, o->mean, x) + o->ball.radius * o->fall;
}

static const struct set sets[] = { { "ball", "|x| <= radius, by a half-space if cut", project }, { 0 } };

static const struct measure measures[] = {
    { "excess", "f", "F(x), since F* = 0", EXACT, excess, NULL },
    { "average", "f", "of the average of the pieces, less its own minimum", EXACT, average_excess,
      NULL },
    { 0 }
};

static const struct pieces_model pieces = {
    .values = piece_values, .value = piece_value, .grad = piece_grad,
};

const struct problem problem_max_affine = {
    .name = "max_affine",
    .doc = "maximum of affine functions with a planted minimiser, on a ball or half of it",
    .cite = "constructed for this program",
    .params = params,
    .params_size = sizeof(struct max_affine),
    .make = make,
    .sample_value = noisy_value,
    .sample_grad = noisy_grad,
    .value = value,
    .grad = noiseless_grad,
    .pieces = &pieces,
    .sets = sets,
    .linear_min = linear_min,
    .measures = measures,
    .minimiser = planted_minimiser,
};
