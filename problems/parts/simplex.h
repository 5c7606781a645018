/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simplex.h - the nearest point of { p >= 0, sum_j p_j = s }: p = max(x - theta, 0), theta found by
 * sorting (Held, Wolfe, Crowder 1974). */
#ifndef ASSAY_PARTS_SIMPLEX_H
#define ASSAY_PARTS_SIMPLEX_H

#include <stdlib.h>
#include "vec.h"

static inline int simplex_descending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

/* x[d] <- its projection, s > 0; sorted[d] is work. A point of the simplex moves by rounding. */
static inline void simplex_project(long d, double s, double *x, double *sorted)
{
    double sum = -s, theta = 0;

    vec_copy(d, x, sorted);
    qsort(sorted, (size_t)d, sizeof *sorted, simplex_descending);
    for (long j = 0; j < d; j++) {
        sum += sorted[j];
        double next = sum / (double)(j + 1);
        if (j > 0 && !(sorted[j] > next))
            break;
        theta = next;
    }
    for (long j = 0; j < d; j++)
        x[j] = x[j] > theta ? x[j] - theta : 0;
}

#endif
