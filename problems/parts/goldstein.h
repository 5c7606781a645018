/* SPDX-License-Identifier: GPL-3.0-or-later */
/* goldstein.h - bounds on the Goldstein norm of F at a point x, that is, on the least acc for which x is (delta,
 * acc)-stationary:
 *
 *     |grad F(x)|_delta = min |g| over the convex hull of grad F(y), |y - x| < delta   (Goldstein)
 *
 * The upper bound is the length of the shortest element g of the hull of finitely many of these gradients: at x, at
 * points drawn from a fixed stream uniformly in the ball and near its sphere, and at points in the directions near
 * -g/|g|. If the norm is below |g|, F falls by less than |g| delta in that direction, so that gradients there
 * shorten g. Any number of points gives an upper bound; more points tighten it. The gradients are exact ones of F,
 * not means of samples, whose norms are biased upwards.
 *
 * The lower bound is min <grad F(y), u> over all y of the ball, for a unit vector u. The family computes a bound
 * of it that holds for every y, not only for the points drawn. */
#ifndef ASSAY_PARTS_GOLDSTEIN_H
#define ASSAY_PARTS_GOLDSTEIN_H

#include "min_norm.h"
#include "rng.h"

struct goldstein {
    long d;
    double delta;
    struct rng points;
    const void *self;
    void (*grad)(const void *self, const double *x, double *g);      /* grad F, almost everywhere */
    /* A lower bound on Goldstein's norm: min <grad F(y), u> over |y - x| <= delta, |u| = 1, or a better one if the
     * family knows a better u. */
    double (*least)(const void *self, const double *x, double delta, const double *u);
};

/* At most BALL points are drawn in the ball and at most SPHERE near its sphere. At most ROUNDS rounds of
 * goldstein_refine follow, each of which asks for ASKED gradients. */
enum { GOLDSTEIN_BALL = 256, GOLDSTEIN_SPHERE = 64, GOLDSTEIN_ROUNDS = 32, GOLDSTEIN_ASKED = 11,
       GOLDSTEIN_IDLE = 5 };
/* Goldstein's ball is open. All points are within this fraction of delta, so that rounding cannot put one outside.
 * The upper bound then holds for a slightly smaller ball, whose norm is at least as large. */
static const double GOLDSTEIN_INSIDE = 0.999;
/* A round that shortens g by less than GAIN of its length is idle, and GOLDSTEIN_IDLE idle rounds in a row end
 * the search. SPREAD is the first distance between the angles that a round tries, in radians. */
static const double GOLDSTEIN_GAIN = 1e-4, GOLDSTEIN_SPREAD = 0.4;

/* Adds grad F(x + r u) to the points of the hull. y[d] is scratch. */
static inline void goldstein_ask(const struct goldstein *q, struct min_norm *hull, const double *x,
                                 double r, const double *u, double *y)
{
    vec_lincomb(q->d, 1, x, r, u, y);
    q->grad(q->self, y, min_norm_next(hull));
    min_norm_add(hull);
}

static inline void goldstein_draw(const struct goldstein *q, struct min_norm *hull, long ball,
                                  long sphere, const double *x, double *u, double *y)
{
    struct rng r = q->points;
    double inside = GOLDSTEIN_INSIDE * q->delta;
    vec_zero(q->d, u);
    goldstein_ask(q, hull, x, 0, u, y);
    for (long k = 0; k < ball + sphere; k++) {
        if (k < ball)
            rng_ball(&r, q->d, u);
        else
            rng_sphere(&r, q->d, u);
        goldstein_ask(q, hull, x, inside, u, y);
    }
}

/* Adds the gradients at x + inside (-cos(angle) u +- sin(angle) v), u and v orthogonal unit vectors. Returns the
 * sum of their components along u. */
static inline double goldstein_pair(const struct goldstein *q, struct min_norm *hull,
                                    const double *x, double inside, double angle, const double *u,
                                    const double *v, double *step, double *y)
{
    double along = 0;
    for (int side = -1; side <= 1; side += 2) {
        const double *g = min_norm_next(hull);
        vec_lincomb(q->d, -cos(angle), u, side * sin(angle), v, step);
        goldstein_ask(q, hull, x, inside, step, y);
        along += vec_dot(q->d, g, u);
    }
    return along;
}

/* v[d] <- a unit vector orthogonal to u; 0 where there is none. */
static inline void goldstein_beside(struct rng *r, long d, const double *u, double *v)
{
    rng_sphere(r, d, v);
    vec_axpy(d, -vec_dot(d, u, v), u, v);
    double norm = vec_norm(d, v);
    vec_scale(d, d > 1 && norm > 0 ? 1 / norm : 0, v);
}

/* Adds points in rounds until the shortest element g shrinks no more. With u = g/|g|, a round adds gradients at
 * points x + t u, t < 0 and t > 0, and pairs of goldstein_pair, whose components orthogonal to u nearly cancel. The
 * pairs have four angles: the best one so far, one on either side of it, at a distance that shrinks, and a random
 * one. */
static inline void goldstein_refine(const struct goldstein *q, struct min_norm *hull,
                                    const double *x, double *u, double *v, double *step, double *y)
{
    struct rng r = rng_sub(&q->points, 1);
    double inside = GOLDSTEIN_INSIDE * q->delta, best = 0, spread = GOLDSTEIN_SPREAD;
    int idle = 0;
    min_norm_solve(hull);
    for (int round = 0; round < GOLDSTEIN_ROUNDS && idle < GOLDSTEIN_IDLE; round++) {
        if (!(hull->norm > 0))
            return;
        double before = hull->norm, least = INFINITY;
        int first = 0;
        vec_lincomb(q->d, -1 / before, hull->g, 0, hull->g, u);
        goldstein_ask(q, hull, x, -inside, u, y);
        goldstein_ask(q, hull, x, inside / 2, u, y);
        goldstein_ask(q, hull, x, inside, u, y);
        vec_scale(q->d, -1, u);
        goldstein_beside(&r, q->d, u, v);
        const double angle[] = { best, best - spread, best + spread, M_PI * rng_uniform(&r) };
        for (int k = 0; k < 4; k++) {
            double along = goldstein_pair(q, hull, x, inside, angle[k], u, v, step, y);
            first = along < least ? k : first;
            least = fmin(along, least);
        }
        spread = first == 0 ? spread / 2 : first == 3 ? GOLDSTEIN_SPREAD : spread;
        best = angle[first];
        min_norm_solve(hull);
        idle = hull->norm < (1 - GOLDSTEIN_GAIN) * before ? 0 : idle + 1;
    }
}

/* Returns the larger of two lower bounds: for u along the shortest element, and for u along grad F(x), the first
 * point of the hull. */
static inline double goldstein_below(const struct goldstein *q, const struct min_norm *hull,
                                     const double *x, double *u)
{
    double at_x = vec_norm(q->d, hull->p), below = 0;
    if (hull->norm > 0) {
        vec_lincomb(q->d, 1 / hull->norm, hull->g, 0, hull->g, u);
        below = fmax(below, q->least(q->self, x, q->delta, u));
    }
    if (at_x > 0) {
        vec_lincomb(q->d, 1 / at_x, hull->p, 0, hull->p, u);
        below = fmax(below, q->least(q->self, x, q->delta, u));
    }
    return below;
}

/* Returns an upper bound on |grad F(x)|_delta; the true norm is at least that minus *error. NaN if x or a
 * gradient is not finite, or without memory. shortest[d] (or NULL) <- the shortest element. */
static inline double goldstein_element(const struct goldstein *q, const double *x,
                                       double *shortest, double *error)
{
    long ball = 4 * q->d < GOLDSTEIN_BALL ? 4 * q->d : GOLDSTEIN_BALL;
    long sphere = q->d < GOLDSTEIN_SPHERE ? q->d : GOLDSTEIN_SPHERE;
    struct min_norm hull;
    gsl_vector *work = gsl_vector_alloc(4 * (size_t)q->d);
    double norm = *error = NAN;
    if (work && vec_finite(q->d, x) &&
        min_norm_init(&hull, q->d, 1 + ball + sphere + GOLDSTEIN_ROUNDS * GOLDSTEIN_ASKED)) {
        double *u = work->data, *y = u + q->d, *v = y + q->d, *step = v + q->d;
        goldstein_draw(q, &hull, ball, sphere, x, u, y);
        goldstein_refine(q, &hull, x, u, v, step, y);
        norm = hull.norm;
        *error = norm - fmin(norm, goldstein_below(q, &hull, x, u));
        if (shortest)
            vec_copy(q->d, hull.g, shortest);
        min_norm_free(&hull);
    }
    gsl_vector_free(work);
    return norm;
}

static inline double goldstein_norm(const struct goldstein *q, const double *x, double *error)
{
    return goldstein_element(q, x, NULL, error);
}

#endif
