/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ball.h - linear minimisation over the centred ball, and the facts that an instance over it states. */
#ifndef ASSAY_PARTS_BALL_H
#define ASSAY_PARTS_BALL_H

#include "facts.h"
#include "vec.h"

/* x[d] <- argmin of <g,x> over |x| <= radius; 0 where g = 0. The radius must be finite for finite coordinates;
 * methods that call linear_min assume a bounded set. */
static inline void ball_linear_min(long d, double radius, const double *g, double *x)
{
    double norm = vec_norm(d, g);
    if (norm == 0)
        vec_zero(d, x);
    else
        for (long j = 0; j < d; j++)
            x[j] = -radius * (g[j] / norm);
}

/* States the dimension d, the number of records n (infinite for a stream) and the radius of the feasible ball
 * (infinite for R^d). */
static inline void ball_facts(struct facts *f, long d, double n, double radius)
{
    f->d = (double)d;
    f->n = n;
    f->radius = radius;
    f->diameter = 2 * radius;
}

#endif
