/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interpolation.h - a second search for Goldstein's norm from above, which shares no point and no solver
 * with goldstein.h: the inner loop of interpolated normalised gradient descent (Zhang, Lin, Jegelka, Sra &
 * Jadbabaie 2020) held at x,
 *
 *     m <- shortest element of [m, grad F(p)],  p uniform on [x, x - delta m/|m|],  from m = grad F(x).
 *
 * m stays in the hull. Where F falls by less than |m|/4 a unit towards -m, |m|^2 shrinks by its
 * (9/64) |m|^2/L^2-th part in the mean: after k draws it is of order L/sqrt k above the norm. */
#ifndef ASSAY_PARTS_INTERPOLATION_H
#define ASSAY_PARTS_INTERPOLATION_H

#include "goldstein.h"
#include "segment.h"

enum { INTERPOLATION_DRAWS = 512 };

/* An upper bound on |grad F(x)|_delta; NaN where x is not finite, or without memory. */
static inline double interpolation_norm(const struct goldstein *q, const double *x)
{
    gsl_vector *work = gsl_vector_alloc(3 * (size_t)q->d);
    struct rng r = rng_sub(&q->points, 3);
    double norm = NAN;
    if (work && vec_finite(q->d, x)) {
        double *m = work->data, *p = m + q->d, *g = p + q->d;
        q->grad(q->self, x, m);
        norm = vec_norm(q->d, m);
        for (int k = 0; k < INTERPOLATION_DRAWS && norm > 0; k++) {
            double far = GOLDSTEIN_INSIDE * q->delta * rng_uniform(&r);
            vec_lincomb(q->d, 1, x, -far / norm, m, p);
            q->grad(q->self, p, g);
            norm = segment_shorten(q->d, m, g);
        }
    }
    gsl_vector_free(work);
    return norm;
}

#endif
