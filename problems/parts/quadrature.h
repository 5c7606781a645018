/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quadrature.h - composite Gauss-Legendre rules for functions that are analytic inside an interval and change fast,
 * over a known width, near the ends of the interval. Panels are halved towards these ends. */
#ifndef ASSAY_PARTS_QUADRATURE_H
#define ASSAY_PARTS_QUADRATURE_H

#include <gsl/gsl_integration.h>
#include <math.h>
#include "status.h"

enum { QUADRATURE_NODES = 20, QUADRATURE_BREAKS = 8 };

/* The nodes and weights of the Gauss-Legendre rule on [0, 1]. */
struct quadrature { double at[QUADRATURE_NODES], weight[QUADRATURE_NODES]; };

typedef double (*integrand_fn)(const void *ctx, double t);

static inline enum status quadrature_build(struct quadrature *q, struct why *why)
{
    gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(QUADRATURE_NODES);
    if (!table)
        return why_set(why, NO_MEMORY, "quadrature: not enough memory for %d nodes",
                       QUADRATURE_NODES);
    for (size_t k = 0; k < QUADRATURE_NODES; k++)
        gsl_integration_glfixed_point(0, 1, k, &q->at[k], &q->weight[k], table);
    gsl_integration_glfixed_table_free(table);
    return OK;
}

static inline double quadrature_panel(const struct quadrature *q, integrand_fn f, const void *ctx,
                                      double a, double b)
{
    double sum = 0;
    for (int k = 0; k < QUADRATURE_NODES; k++)
        sum += q->weight[k] * f(ctx, a + (b - a) * q->at[k]);
    return (b - a) * sum;
}

/* Returns the integral of f from `end` to `middle`, with the usual sign where `end` is above `middle`. Panels are
 * halved towards `end` until they are no wider than `width`. */
static inline double quadrature_towards(const struct quadrature *q, integrand_fn f,
                                        const void *ctx, double end, double middle, double width)
{
    enum { HALVINGS = 60 };
    double sum = 0, far = middle;
    for (int k = 0; k < HALVINGS && fabs(far - end) > width; k++) {
        double half = end + (far - end) / 2;
        sum += quadrature_panel(q, f, ctx, half, far);
        far = half;
    }
    return sum + quadrature_panel(q, f, ctx, end, far);
}

/* Returns the integral of f over [a, b], divided at those of at[breaks] that are inside. Panels are halved towards
 * a and towards every break; towards b only if b is a break. */
static inline double quadrature_broken(const struct quadrature *q, integrand_fn f,
                                       const void *ctx, double a, double b, double width,
                                       int breaks, const double *at)
{
    double sum = 0, from = a;
    while (from < b) {
        double to = b, middle = b;
        for (int k = 0; k < breaks; k++)
            if (at[k] > from && at[k] <= to) {
                to = at[k];
                middle = from + (to - from) / 2;
            }
        sum += quadrature_towards(q, f, ctx, from, middle, width);
        if (middle < to)
            sum -= quadrature_towards(q, f, ctx, to, middle, width);
        from = to;
    }
    return sum;
}

#endif
