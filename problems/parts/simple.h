/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simple.h - the simple part (l2/2)|x|^2 + l1 |x|_1 of a composite objective, and a duality gap. With
 * F = f + l1 |x|_1, f mu-strongly convex, mu >= 0, and g a subgradient of f at x, for every feasible y
 *
 *     F(x) - F(y) <= phi(y) - phi(x),   phi(y) = <v,y> - (mu/2)|y|^2 - l1 |y|_1,   v = mu x - g,
 *
 * so that F(x) - F* is at most the gap: the maximum of phi over the feasible set, less phi(x). The gap is computed
 * as a sum of squares and other terms >= 0, so that nothing cancels. */
#ifndef ASSAY_PARTS_SIMPLE_H
#define ASSAY_PARTS_SIMPLE_H

#include <math.h>

/* Returns v clipped to [-bound, bound]; a NaN stays NaN. The comparisons compile to minimum and maximum
 * instructions, without a branch. */
static inline double simple_clamp(double v, double bound)
{
    double below = bound < v ? bound : v;
    return -bound > below ? -bound : below;
}

/* Returns a subgradient of |x|; 0 at the kink. */
static inline double simple_sign(double x) { return (x > 0) - (x < 0); }

/* Returns the minimiser over x of (l2/2) x^2 + l1 |x| + (x - v)^2/(2t). */
static inline double simple_prox(double l2, double l1, double t, double v)
{
    return (v - simple_clamp(v, t * l1)) / (1 + t * l2);
}

/* Returns (l2/2) x^2 + l1 |x|; slopes[2] <- the left and the right derivative. */
static inline double simple_at(double l2, double l1, double x, double slopes[2])
{
    slopes[0] = l2 * x + (x > 0 ? l1 : -l1);
    slopes[1] = l2 * x + (x < 0 ? -l1 : l1);
    return l2 / 2 * x * x + l1 * fabs(x);
}

/* The constants of F that the gap needs: mu, l1, the radius R of the feasible ball (infinite for R^d), and B >=
 * |x*|_1 (infinite where not known), which bounds the gap where mu = 0 and R is infinite. */
struct simple_set { double mu, l1, R, B; };

/* Returns max phi - phi(x), phi as in the head of this file; |x| <= R. It is infinite where nothing bounds phi. */
static inline double simple_gap(const struct simple_set *s, long d, const double *x,
                                const double *g)
{
    static const double ROUNDING = 1e-15;        /* the relative rounding of |x| at which |x| still counts as R */
    double kinks = 0, reach = 0, most = 0, along = 0, size = 0, square = 0, off = 0;
    for (long j = 0; j < d; j++) {
        double v = s->mu * x[j] - g[j], clipped = simple_clamp(v, s->l1), u = v - clipped;
        kinks += s->l1 * fabs(x[j]) - clipped * x[j];
        reach += u * u;
        most = fmax(most, fabs(u));
        along += u * x[j];
        size += x[j] * x[j];
        square += (s->mu * x[j] - u) * (s->mu * x[j] - u);
    }
    reach = sqrt(reach);
    double free_ = s->mu > 0 ? square / (2 * s->mu) : INFINITY;
    if (reach == 0 && s->mu == 0)
        return kinks;
    if (isfinite(s->B))
        free_ = fmin(free_, most * s->B - along + s->mu / 2 * size);
    if (!isfinite(s->R))
        return kinks + free_;
    double nu = fmax(0, reach / s->R - s->mu);
    if (s->mu + nu == 0)
        return kinks;
    for (long j = 0; j < d; j++) {
        double v = s->mu * x[j] - g[j], u = v - simple_clamp(v, s->l1);
        off += (x[j] - u / (s->mu + nu)) * (x[j] - u / (s->mu + nu));
    }
    double inside = fmax(0, s->R * s->R - size) + ROUNDING * s->R * s->R;
    return kinks + fmin(free_, (s->mu + nu) / 2 * off + nu / 2 * inside);
}

#endif
