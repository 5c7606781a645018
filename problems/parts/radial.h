/* SPDX-License-Identifier: GPL-3.0-or-later */
/* radial.h - Huber's function of a norm q, phi(q) = q^2/(2R) for q < R, q - R/2 beyond; R = 0: the norm
 * itself. Its slope, that of its smoothing over a ball, and Goldstein's norm of phi(|x|). */
#ifndef ASSAY_PARTS_RADIAL_H
#define ASSAY_PARTS_RADIAL_H

#include <math.h>
#include "quadrature.h"

static inline double radial_value(double R, double q)
{
    return q < R ? q * q / (2 * R) : q - R / 2;
}

/* 0 at the kink of the norm. */
static inline double radial_slope(double R, double q)
{
    return q < R ? q / R : q > 0;
}

struct radial_mean { double R, d, q, delta; };

/* phi(|x + delta u|) u_1 at u_1 = cos theta, |x| = q, times sin^(d-2), which is the density of theta
 * but for a constant. */
static inline double radial_integrand(const void *ctx, double theta)
{
    const struct radial_mean *s = ctx;
    double u = cos(theta), square = s->q * s->q + s->delta * (2 * s->q * u + s->delta);
    return pow(sin(theta), s->d - 2) * radial_value(s->R, sqrt(fmax(0, square))) * u;
}

/* (d/delta) E phi(|x + delta u|) u_1, u uniform on the sphere of R^d: the slope of the smoothing at
 * |x| = q, q/R as long as q + delta <= R. */
static inline double radial_smoothed(const struct quadrature *rule, double R, double d, double q,
                                     double delta)
{
    if (q + delta <= R)
        return q / R;
    if (d == 1)
        return (radial_value(R, q + delta) - radial_value(R, fabs(q - delta))) / (2 * delta);
    struct radial_mean s = { R, d, q, delta };
    double at = (R * R - q * q - delta * delta) / (2 * q * delta);
    double breaks[] = { fabs(at) < 1 ? acos(at) : M_PI, M_PI };
    double sum = quadrature_broken(rule, radial_integrand, &s, 0, M_PI, 1e-3, 2, breaks);
    double all = sqrt(M_PI) * exp(lgamma((d - 1) / 2) - lgamma(d / 2));
    return d / delta * sum / all;
}

/* Goldstein's norm at radius r of phi(|x|), |x| = q, in R^dims: the least of phi'(p) times the cosine of
 * the angle between x and a point at p, (p^2 + q^2 - r^2)/(2 p q), which grows with p inside R and
 * is least at the tangent outside. */
static inline double radial_goldstein(double R, double dims, double q, double r)
{
    double low = q - r, high = q + r, tangent, at, outside;
    if (low <= 0)
        return 0;
    if (dims == 1)
        return radial_slope(R, low);
    tangent = sqrt(low * high);
    at = fmax(tangent, R);
    outside = (at * at + tangent * tangent) / (2 * at * q);
    return high < R ? low / R : low >= R ? outside : fmin(low / R, outside);
}

#endif
