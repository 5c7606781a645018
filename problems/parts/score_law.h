/* SPDX-License-Identifier: GPL-3.0-or-later */
/* score_law.h - the law of one coordinate T of a rotation-invariant vector. Either T is N(0, 1), or it is a
 * coordinate of a point uniform on the unit sphere of R^D, with density proportional to (1 - t^2)^((D-3)/2) (T =
 * +-1 for D = 1). Then T = sin p, where the density of the angle p is proportional to cos^(D-2) p.
 *
 * Stein's identity: E T g(T) = E T^2 E g'(T+), where T+ = T for the normal law and the coordinate
 * in dimension D + 2 for the sphere (integration by parts). */
#ifndef ASSAY_PARTS_SCORE_LAW_H
#define ASSAY_PARTS_SCORE_LAW_H

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdbool.h>
#include "quadrature.h"

struct score_law {
    const struct quadrature *q;
    double D;                        /* D of the head; infinite: T is N(0, 1) */
    double mass;                     /* integral of score_weight_at over [0, end] */
    double end;                      /* the integral beyond `end` is less than rounding */
};

static inline bool score_normal(const struct score_law *l) { return isinf(l->D); }

/* Returns E T^2. */
static inline double score_square(const struct score_law *l)
{
    return score_normal(l) ? 1 : 1 / l->D;
}

/* Returns cosine^(D-2). For small whole D a product of factors is as accurate as pow, within the rounding of the
 * cosine, and takes a tenth of the time. */
static inline double score_power(const struct score_law *l, double cosine)
{
    enum { PRODUCTS = 64 };
    double k = l->D - 2;
    return k == floor(k) && fabs(k) <= PRODUCTS ? gsl_pow_int(cosine, (int)k) : pow(cosine, k);
}

static inline double score_weight_at(const void *self, double p)
{
    const struct score_law *l = self;
    return score_normal(l) ? exp(-p * p / 2) : score_power(l, cos(p));
}

static inline struct score_law score_law_build(const struct quadrature *q, double D)
{
    static const double FAR = 10;    /* the density is e^-50 there */
    struct score_law l = { .q = q, .D = D, .end = FAR };
    if (!score_normal(&l))
        l.end = D > 2 ? fmin(M_PI_2, FAR / sqrt(D - 2)) : M_PI_2;
    l.mass = D == 1 ? 1 : quadrature_broken(q, score_weight_at, &l, 0, l.end, l.end / 8, 0, NULL);
    return l;
}

/* Returns the law of T+ (Stein's identity above), given that of T. */
static inline struct score_law score_law_plus(const struct score_law *l)
{
    return score_law_build(l->q, l->D + 2);
}

struct score_mean {
    const struct score_law *law;
    integrand_fn f;
    const void *ctx;
    double scale;
};

static inline double score_mean_at(const void *self, double p)
{
    const struct score_mean *m = self;
    if (score_normal(m->law))
        return exp(-p * p / 2) * m->f(m->ctx, m->scale * p);
    double t = sin(p);
    return score_power(m->law, cos(p)) * m->f(m->ctx, m->scale * t);
}

/* Returns E f(scale T) for an even f, scale >= 0. f changes over the width `width` near 0 and near at[breaks], and
 * is analytic elsewhere. */
static inline double score_mean(const struct score_law *l, integrand_fn f, const void *ctx,
                                double scale, double width, int breaks, const double *at)
{
    struct score_mean m = { l, f, ctx, scale };
    double p[QUADRATURE_BREAKS] = { 0 }, narrow = fmin(width / scale, l->end / 8);
    BUG_IF(breaks > QUADRATURE_BREAKS);
    if (l->D == 1)
        return f(ctx, scale);
    for (int k = 0; k < breaks; k++) {
        double t = at[k] / scale;
        p[k] = score_normal(l) || t >= 1 ? t : asin(t);
        p[k] = !score_normal(l) && t >= 1 ? l->end : p[k];
    }
    return quadrature_broken(l->q, score_mean_at, &m, 0, l->end, narrow, breaks, p) / l->mass;
}

/* Returns the density of T at t, D > 1. */
static inline double score_density(const struct score_law *l, double t)
{
    if (score_normal(l))
        return exp(-t * t / 2) / sqrt(2 * M_PI);
    double rest = 1 - t * t;
    return rest >= 0 ? pow(rest, (l->D - 3) / 2) * exp(gsl_sf_lnpoch((l->D - 1) / 2, 0.5)) /
                      sqrt(M_PI) : 0;
}

/* Returns P(T < t) - P(T > t), which is odd in t; D > 1. */
static inline double score_centred(const struct score_law *l, double t)
{
    if (score_normal(l))
        return erf(t * M_SQRT1_2);
    double inside = fabs(t) < 1 ? gsl_sf_beta_inc(0.5, (l->D - 1) / 2, t * t) : 1;
    return copysign(inside, t);
}

#endif
