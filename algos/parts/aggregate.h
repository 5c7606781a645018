/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.h - chooses, of k points, one that is near most of them (Kelner, Li, Liu, Sidford, Tian 2022, Claim 1;
 * Lemma 11 of Carmon et al. 2023): the point with the least distance to its ceil(0.51 k)-th nearest point.
 *
 * Assume that at least 0.51 k points, the good ones, are within Delta/3 of some y. Each good point has 0.51 k
 * points within 2 Delta/3, and so has the chosen point. One of these is good, so that the chosen point is within
 * Delta of y. Delta need not be known. */
#ifndef ASSAY_PARTS_AGGREGATE_H
#define ASSAY_PARTS_AGGREGATE_H

#include <math.h>
#include "vec.h"

/* Returns the index of the chosen point among points[k][d], in time O(d k^2); near[k] is scratch. */
static inline long aggregate(long k, long d, const double *points, double *near)
{
    long enough = (long)ceil(0.51 * (double)k), best = 0;
    double least = INFINITY;

    for (long i = 0; i < k; i++) {
        for (long j = 0; j < k; j++) {       /* insertion sort of the distances */
            double e = vec_dist(d, points + i * d, points + j * d);
            long at = j;
            for (; at > 0 && !(near[at - 1] <= e); at--)
                near[at] = near[at - 1];
            near[at] = e;
        }
        if (near[enough - 1] < least) {
            least = near[enough - 1];
            best = i;
        }
    }
    return best;
}

#endif
