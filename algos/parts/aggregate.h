/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.h - one of k points that is near where most of them are (Kelner, Li, Liu, Sidford, Tian
 * 2022, Claim 1; Lemma 11 of Carmon et al. 2023): that whose ceil(0.51 k)-th nearest is nearest.
 *
 * If 0.51 k points or more are within Delta/3 of some y, each of these has that many within 2
 * Delta/3, so the chosen one does; one of its neighbours is among them: it is within Delta of y.
 * Delta is not needed. */
#ifndef ASSAY_PARTS_AGGREGATE_H
#define ASSAY_PARTS_AGGREGATE_H

#include <math.h>
#include "vec.h"

/* The index of that point among points[k][d]; near[k] is scratch. Costs O(d k^2). */
static inline long aggregate(long k, long d, const double *points, double *near)
{
    long enough = (long)ceil(0.51 * (double)k), best = 0;
    double least = INFINITY;

    for (long i = 0; i < k; i++) {
        for (long j = 0; j < k; j++) {       /* by insertion, a NaN last */
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
