/* SPDX-License-Identifier: GPL-3.0-or-later */
/* radial.h - the Huber function phi(q) = q^2/(2R) for q < R, q - R/2 beyond, of a norm q = |x|; for R = 0, phi(q) =
 * q. The functions give the slope of phi, the slope of phi(|x|) smoothed over a ball, and the Goldstein norm of
 * phi(|x|). */
#ifndef ASSAY_PARTS_RADIAL_H
#define ASSAY_PARTS_RADIAL_H

#include <math.h>
#include "quadrature.h"

static inline double radial_value(double R, double q)
{
    return q < R ? q * q / (2 * R) : q - R / 2;
}

/* Returns phi'(q); 0 at the kink q = R = 0. */
static inline double radial_slope(double R, double q)
{
    return q < R ? q / R : q > 0;
}

struct radial_mean { double R, d, q, delta; };

/* Returns phi(|x + delta u|) u_1 sin(theta)^(d-2), where |x| = q and u_1 = cos theta. The last factor is the
 * density of theta up to a constant. */
static inline double radial_integrand(const void *ctx, double theta)
{
    const struct radial_mean *s = ctx;
    double u = cos(theta), square = s->q * s->q + s->delta * (2 * s->q * u + s->delta);
    return pow(sin(theta), s->d - 2) * radial_value(s->R, sqrt(fmax(0, square))) * u;
}

/* Returns the slope at |x| = q of phi(|x|) smoothed over a ball of radius delta: (d/delta) E phi(|x + delta u|)
 * u_1, u uniform on the unit sphere of R^d. It is q/R where q + delta <= R. */
static inline double radial_smoothed(const struct quadrature *rule, double R, double d, double q,
                                     double delta)
{
    if (q + delta <= R)
        return q / R;
    if (d == 1)
        return (radial_value(R, q + delta) - radial_value(R, fabs(q - delta))) / (2 * delta);
    struct radial_mean s = { R, d, q, delta };
    double at = (R * R - q * q - delta * delta) / (2 * q * delta);
    /* For large d the density of theta is a peak at pi/2, of width 1/sqrt(d). */
    double breaks[] = { fabs(at) < 1 ? acos(at) : M_PI, M_PI_2, M_PI };
    double sum = quadrature_broken(rule, radial_integrand, &s, 0, M_PI, 1e-3, 3, breaks);
    double all = sqrt(M_PI) * exp(lgamma((d - 1) / 2) - lgamma(d / 2));
    return d / delta * sum / all;
}

/* Returns the Goldstein norm at radius r of phi(|x|) in R^dims, |x| = q: the least of phi'(p) c(p) over the points
 * y of the ball, |y| = p. c(p) = (p^2 + q^2 - r^2)/(2 p q) is the least cosine of the angle between x and y. The
 * product increases with p where p < R; where p > R it is least for y on a tangent from 0 to the ball, or at p =
 * R. */
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
