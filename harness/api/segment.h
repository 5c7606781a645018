/* SPDX-License-Identifier: GPL-3.0-or-later */
/* segment.h - the shortest element of the segment [a, b] of R^d. */
#ifndef ASSAY_SEGMENT_H
#define ASSAY_SEGMENT_H

#include "vec.h"

/* Returns t in [0, 1] such that a + t (b - a) is the shortest element; t is 0 where a = b. */
static inline double segment_shortest(long d, const double *a, const double *b)
{
    double along = 0, length = 0;
    for (long j = 0; j < d; j++) {
        along += a[j] * (a[j] - b[j]);
        length += (a[j] - b[j]) * (a[j] - b[j]);
    }
    double t = length > 0 ? along / length : 0;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* a[d] <- the shortest element of the segment [a, b]. Returns its norm. */
static inline double segment_shorten(long d, double *a, const double *b)
{
    double t = segment_shortest(d, a, b);
    vec_axpby(d, t, b, 1 - t, a);
    return vec_norm(d, a);
}

#endif
