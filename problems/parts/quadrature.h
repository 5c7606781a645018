/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quadrature.h - composite Gauss-Legendre rule for analytic integrands that turn at one known
 * place, in panels that double with the distance from it: each panel is as far from the place, in
 * its own lengths, as any other, so that 12 nodes give 16 digits on every one. */
#ifndef ASSAY_PARTS_QUADRATURE_H
#define ASSAY_PARTS_QUADRATURE_H

#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdbool.h>

enum { QUADRATURE_NODES = 12 };

struct quadrature { double t[QUADRATURE_NODES], w[QUADRATURE_NODES]; };      /* on [0, 1] */

/* sum[...] += weight times the values of the integrands at t. */
typedef void (*integrands_fn)(const void *ctx, double t, double weight, double *sum);

/* false: no memory. */
static inline bool quadrature_build(struct quadrature *q)
{
    gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(QUADRATURE_NODES);
    for (int k = 0; table && k < QUADRATURE_NODES; k++)
        gsl_integration_glfixed_point(0, 1, (size_t)k, &q->t[k], &q->w[k], table);
    if (table)
        gsl_integration_glfixed_table_free(table);
    return table;
}

/* sum += integrals over [from, to], either end first, in panels no longer than `longest`. */
static inline void quadrature_panels(const struct quadrature *q, double from, double to,
                                     double longest, integrands_fn f, const void *ctx, double *sum)
{
    double pieces = fmax(1, ceil(fabs(to - from) / longest)), step = (to - from) / pieces;
    for (double p = 0; p < pieces; p++)
        for (int k = 0; k < QUADRATURE_NODES; k++)
            f(ctx, from + (p + q->t[k]) * step, fabs(step) * q->w[k], sum);
}

/* sum += integrals over [lo, hi] of integrands that turn at `at` of it, within `width`. */
static inline void quadrature_graded(const struct quadrature *q, double lo, double hi, double at,
                                     double width, double longest, integrands_fn f,
                                     const void *ctx, double *sum)
{
    for (int side = 0; side < 2; side++) {
        double end = side ? hi : lo, sign = side ? 1 : -1, length = fabs(end - at), near = 0;
        double far = fmax(width, 0x1p-60 * length);
        for (; near < length; near = far, far *= 2) {
            bool last = !(far < length);
            quadrature_panels(q, at + sign * near, last ? end : at + sign * far, longest, f, ctx,
                              sum);
        }
    }
}

#endif
