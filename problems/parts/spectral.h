/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spectral.h - a quadratic with log-spaced eigenvalues, for the families spectral, spectral_sphere,
 * spectral_stored, spectral_polytope and randhess:
 *
 *     f(x; xi) = (x-c)'H(x-c)/2 - <xi, x>,   E xi = 0, |xi| = s,   H = diag(lam_j),
 *     lam_j = M 10^(-D j/(d-1)),  c_j = (+/-) rr r/sqrt(d),   over |x| <= r
 *
 * D is the number of decades between the largest and the smallest eigenvalue, rr = |c|/r. The signs of the c_j are
 * random and all |c_j| are equal. A gradient error of norm v then causes an excess that is linear in v, as long as
 * v/|c| lies in [M 10^-D, M], so that rates are power laws over a wide range. */
#ifndef ASSAY_PARTS_SPECTRAL_H
#define ASSAY_PARTS_SPECTRAL_H

#include <math.h>
#include "ball.h"
#include "problem.h"

struct spectral {
    long d;
    double decades, M, s, rr, radius;
};

#define SPECTRAL_RANGES(d_max, radius_max, radius_doc)                                            \
    PARAM(spectral, d, 40, 1, d_max, "coordinates", "dimension"),                                 \
    PARAM(spectral, decades, 7, 0, 100, "decades", "D: the spectrum falls from M to M 10^-D"),    \
    PARAM(spectral, M, 1, 1e-100, 1e100, "f/x^2", "largest eigenvalue"),                          \
    PARAM(spectral, s, 1, 0, 1e100, "f/x", "norm of the noise; 0: deterministic"),                \
    PARAM(spectral, rr, 0.5, 0, 1e6, "radius", "|c|/r; above 1: minimiser on the sphere"),        \
    PARAM(spectral, radius, 1, 1e-100, radius_max, "x", radius_doc)
#define SPECTRAL_PARAMS(d_max)                                                                    \
    SPECTRAL_RANGES(d_max, INFINITY, "r; infinite: all of R^d, and |c| = rr"), PARAM_END

struct spectral_quadratic {
    long d;
    double radius, nu;               /* H(x* - c) = -nu x*; nu = 0: x* = c */
    double *lam, *c, *x_star;        /* [d] each */
};

/* Returns |(H + nu I)^-1 H c|. */
static inline double spectral_norm_at(const struct spectral_quadratic *q, double nu)
{
    double sum = 0;
    for (long j = 0; j < q->d; j++) {
        double x = q->c[j] * (q->lam[j] / (q->lam[j] + nu));
        sum += x * x;
    }
    return sqrt(sum);
}

/* Returns the nu with |x*| = r, for |c| > r, by bisection until no double lies between the ends. */
static inline double spectral_multiplier(const struct spectral_quadratic *q)
{
    double low = 0, high = 0;
    for (long j = 0; j < q->d; j++)
        high += q->lam[j] * q->c[j] * (q->lam[j] * q->c[j]);
    high = sqrt(high) / q->radius;   /* an upper bound on the multiplier, as |x| <= |Hc|/nu */
    for (;;) {
        double mid = low + (high - low) / 2;
        if (mid <= low || mid >= high)
            return high;
        if (spectral_norm_at(q, mid) > q->radius)
            low = mid;
        else
            high = mid;
    }
}

/* Makes *q. The signs of c are drawn from key 0 of `data`; key 1 is for the noise of the family. */
static inline void spectral_build(const struct spectral *p, const struct rng *data,
                                  struct arena *a, struct spectral_quadratic *q)
{
    struct rng signs = rng_sub(data, 0);
    double size = p->rr * (isinf(p->radius) ? 1 : p->radius);

    *q = (struct spectral_quadratic){ .d = p->d, .radius = p->radius, .lam = arena_vec(a, p->d),
                                      .c = arena_vec(a, p->d), .x_star = arena_vec(a, p->d) };
    for (long j = 0; j < p->d; j++) {
        double t = p->d > 1 ? (double)j / (double)(p->d - 1) : 0;
        q->lam[j] = p->M * pow(10, -p->decades * t);
        q->c[j] = rng_sign(&signs) * size / sqrt((double)p->d);
    }
    q->nu = size > p->radius ? spectral_multiplier(q) : 0;
    for (long j = 0; j < p->d; j++)
        q->x_star[j] = q->nu > 0 ? q->c[j] * (q->lam[j] / (q->lam[j] + q->nu)) : q->c[j];
}

static inline double spectral_value_at(const struct spectral_quadratic *q, const double *x)
{
    double sum = 0;
    for (long j = 0; j < q->d; j++)
        sum += q->lam[j] * (x[j] - q->c[j]) * (x[j] - q->c[j]);
    return sum / 2;
}

/* g[d] += a H(x - c) */
static inline void spectral_add_grad(const struct spectral_quadratic *q, const double *x, double a,
                                     double *restrict g)
{
    for (long j = 0; j < q->d; j++)
        g[j] += a * (q->lam[j] * (x[j] - q->c[j]));
}

/* Returns F(x) - F*, without cancellation. It can be negative only outside of the ball. */
static inline double spectral_excess_at(const struct spectral_quadratic *q, const double *x)
{
    double quadratic = 0, linear = 0;
    for (long j = 0; j < q->d; j++) {
        double e = x[j] - q->x_star[j];
        quadratic += q->lam[j] * e * e;
        linear += q->x_star[j] * e;
    }
    return q->nu > 0 ? quadratic / 2 - q->nu * linear : quadratic / 2;
}

static inline void spectral_facts(const struct spectral *p, const struct spectral_quadratic *q,
                                  struct arena *a, struct facts *f)
{
    double *origin = arena_vec(a, q->d);
    double size = p->rr * (isinf(p->radius) ? 1 : p->radius);
    double slope = p->M * (p->radius + size);

    vec_zero(q->d, origin);
    ball_facts(f, p->d, INFINITY, p->radius);
    f->L = slope + p->s;
    f->G = hypot(slope, p->s);
    f->sigma = p->s;
    f->M = f->M_F = p->M;
    f->mu = q->lam[q->d - 1];
    f->weak = 0;
    f->dist = fmin(size, p->radius);
    f->Phi = spectral_excess_at(q, origin);
    f->f_star = spectral_value_at(q, q->x_star);
    f->M_j = q->lam;
}

/* --- slots; `self` begins with a struct spectral_quadratic */

static inline double spectral_value(const void *self, const double *x)
{
    return spectral_value_at(self, x);
}

static inline void spectral_grad(const void *self, const double *x, double *g)
{
    const struct spectral_quadratic *q = self;
    vec_zero(q->d, g);
    spectral_add_grad(q, x, 1, g);
}

static inline void spectral_project(const void *self, double *x)
{
    const struct spectral_quadratic *q = self;
    vec_project_ball(q->d, NULL, q->radius, x);
}

static inline void spectral_linear_min(const void *self, const double *g, double *x)
{
    const struct spectral_quadratic *q = self;
    ball_linear_min(q->d, q->radius, g, x);
}

static inline bool spectral_minimiser(const void *self, double *x)
{
    const struct spectral_quadratic *q = self;
    vec_copy(q->d, q->x_star, x);
    return true;
}

static inline double spectral_excess(const void *self, const double *x, double *error)
{
    *error = 0;
    return spectral_excess_at(self, x);
}

static inline double spectral_distance(const void *self, const double *x, double *error)
{
    const struct spectral_quadratic *q = self;
    *error = 0;
    return vec_dist(q->d, x, q->x_star);
}

static inline double spectral_slope(const void *self, const double *x, double *error)
{
    const struct spectral_quadratic *q = self;
    double sum = 0;
    for (long j = 0; j < q->d; j++)
        sum += q->lam[j] * (x[j] - q->c[j]) * (q->lam[j] * (x[j] - q->c[j]));
    *error = 0;
    return sqrt(sum);
}

static const struct set spectral_sets[] = {
    { "ball", "|x| <= radius", spectral_project }, { 0 }
};

static const struct measure spectral_measures[] = {
    { "excess", "f", "F(x) - F*, closed form", EXACT, spectral_excess, NULL },
    { "distance", "x", "|x - x*|", EXACT, spectral_distance, NULL },
    { "gradient", "f/x", "|grad F(x)|", EXACT, spectral_slope, NULL },
    { 0 }
};

/* Slots of a family whose F is the quadratic itself. */
#define SPECTRAL_SLOTS                                                                           \
    .value = spectral_value, .grad = spectral_grad, .sets = spectral_sets,                       \
    .linear_min = spectral_linear_min, .measures = spectral_measures, .minimiser = spectral_minimiser

#endif
