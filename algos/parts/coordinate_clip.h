/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coordinate_clip.h - the norms C_j to which the partial derivatives of one record are clipped. M_j is the
 * smoothness of the objective along coordinate j, and L_j the Lipschitz constant of every loss along it. One scalar
 * C gives
 *
 *     C_j = C sqrt(M_j / sum_k M_k),   sum_j C_j^2 = C^2
 *
 * (Mangold, Bellet, Salmon & Tommasi, ICML 2022, section 5), so that C_j/sqrt(M_j) is the same for all j. */
#ifndef ASSAY_PARTS_COORDINATE_CLIP_H
#define ASSAY_PARTS_COORDINATE_CLIP_H

#include "algo.h"

/* Returns whether a method with the clipping norm C reads the facts L_j. It does if nothing is clipped: if C is
 * infinite, or if C is not given (NaN) and either L_j does not depend on the data or the constants are those of
 * theory. */
static inline bool clip_wants_L(const struct facts *f, const struct goal *goal, double C)
{
    bool public = f->origin[FACT_L_j] != ORIGIN_DATA || goal->constants == CONSTANTS_THEORY;
    return isinf(C) || (isnan(C) && public);
}

/* Returns the FACT_BITs of the facts that a method over the l1 ball reads, given its parameters: clipping norm C,
 * bound L1 on every entry, and radius R, each NaN if it is not set. */
static inline unsigned long clip_l1_looks(const struct facts *f, const struct goal *goal, double C,
                                          double L1, double R)
{
    unsigned long bound = isfinite(C) || isfinite(L1) ? 0
                          : clip_wants_L(f, goal, C) ? FACT_BIT(L_j) : FACT_BIT(M_j);
    bool public = f->origin[FACT_dist] != ORIGIN_DATA;
    return FACT_BIT(d) | FACT_BIT(n) | bound | (isnan(R) && public ? FACT_BIT(dist) : 0);
}

/* Returns sum_k M_k over all coordinates; entry k stands for count[k] of them, or for one if count is NULL. */
static inline double clip_trace(long d, const double *M_j, const double *count)
{
    double sum = 0;
    for (long j = 0; j < d; j++)
        sum += (count ? count[j] : 1) * M_j[j];
    return sum;
}

/* Returns sum_k M_k over all coordinates before a run, when the sizes of blocks are not known. If all M_j are
 * equal, the number p of coordinates is enough. Returns NaN if there are blocks (p is not d) and the M_j differ. */
static inline double clip_trace_told(const struct facts *f)
{
    if (isnan(f->p) || f->p == f->d)
        return clip_trace((long)f->d, f->M_j, NULL);
    for (long j = 1; j < (long)f->d; j++)
        if (f->M_j[j] != f->M_j[0])
            return NAN;
    return f->p * f->M_j[0];
}

static inline void clip_thresholds(long d, double C, double trace, const double *M_j, double *C_j)
{
    for (long j = 0; j < d; j++)
        C_j[j] = C * sqrt(M_j[j] / trace);
}

#endif
