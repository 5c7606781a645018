/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_dense.h - dense rows behind api/linear.h and api/vec.h: the choice of their kernels, and what the oracle
 * does beside these. */
#ifndef ASSAY_LINEAR_DENSE_H
#define ASSAY_LINEAR_DENSE_H

#include "numeric/kind.h"
#include "numeric/lanes.h"
#include "linear.h"

/* s[m] <- <a_i,x> for the rows i = from, ..., from + m - 1, with the bits of linear_scores. */
void linear_scores_of(const struct linear_rows *A, long from, long m, const double *x, double *s);

/* Returns how many dense rows of length d adds_dots takes at a time, beside as many to be scored; 0: rows of this
 * length gain nothing by it. */
long linear_group(long d);

/* Does what the kernel of linear_add_clipped leaves undone for dense row i: computes a lost2 that is NaN anew, and
 * adds the column of ones. */
void linear_clip_beside(const struct linear_rows *A, long i, double u, const double *r,
                        const double *C, double w, double *g, double *norm2, double *lost2);

/* The kernels of the level in use (lanes.h). linear_exact serves axpy, axpys, lincomb and width, whose results have
 * the same bits at every level. */
static inline const struct linear_kernels *linear_exact(void) { return &lanes_now()->rows; }
/* Returns the kernels of the level in use, for all other members; notes that the run depends on the level
 * (kind.h). */
static inline const struct linear_kernels *linear_kernels(void)
{
    uses_level = 1;
    return linear_exact();
}

#endif
