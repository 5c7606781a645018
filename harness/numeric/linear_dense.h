/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_dense.h - the kernels of dense rows behind api/linear.h and api/vec.h: one source, linear_kernels.h, is
 * compiled for each level (lanes.h). The sums of different levels differ by rounding. */
#ifndef ASSAY_LINEAR_DENSE_H
#define ASSAY_LINEAR_DENSE_H

#include "numeric/kind.h"
#include "numeric/lanes.h"
#include "linear.h"
#include "vec.h"

struct linear_kernels {
    double (*dot)(long d, const double *x, const double *y);
    double (*square_distance)(long d, const double *x, const double *y);
    void (*axpy)(long d, double a, const double *x, double *y);      /* not fused */
    /* g[d] += sum_k c_k row_k of A[m*d], with the bits of m calls of axpy in this order */
    void (*axpys)(long m, long d, const double *A, const double *c, double *g);
    /* z = a x + b y, not fused; z may be x or y */
    void (*lincomb)(long d, double a, const double *x, double b, const double *y, double *z);
    /* the kernel of vec_step, not fused */
    void (*step)(long d, const struct vec_step *f, const double *g, const double *z, double *x, double *m);
    /* s[m] <- <row_i, x>; meanwhile the rows next[fetch] are prefetched */
    void (*dots)(long m, long d, const double *const *row, long fetch, const double *const *next,
                 const double *x, double *s);
    /* s[m] <- <z_i, x> for the rows of z[m*d], then z_i <- b + a z_i: the bits of dots and of lincomb */
    void (*dots_move)(long m, long d, const double *x, double a, const double *b, double *z,
                      double *s);
    /* g[d] += sum_i c_i row_i, row after row, by fused multiply-adds where the instruction set has them */
    void (*adds)(long m, long d, const double *const *row, const double *c, double *g);
    /* What adds and dots compute, in one pass and with the same bits: adds takes m rows, dots takes `others`
     * further rows. row, c and g may be NULL where m = 0; other, x and s where others = 0. */
    void (*adds_dots)(long d, long m, const double *const *row, const double *c, double *g,
                      long others, const double *const *other, const double *x, double *s);
    /* linear_add_clipped without a column of ones; lost2 may become NaN where an entry is not finite */
    void (*clips)(long m, long d, const double *const *row, const double *u, const double *r,
                  const double *C, const double *w, double *g, double *norm2, double *lost2);
    /* What clips (with r = NULL) and dots compute, in one pass and with the same bits: clips takes m rows, dots
     * takes `others` further rows. m and others may be 0 */
    void (*clips_dots)(long d, long m, const double *const *row, const double *u, const double *C,
                       const double *w, double *g, double *norm2, double *lost2, long others,
                       const double *const *other, const double *x, double *s);
    long (*peak)(long d, const double *x, double *square);           /* the kernel of vec_peak */
    /* the kernel of vec_combine_rows */
    void (*products)(long k, long m, long d, const double *A, const double *X, double *Y);
    long width;                      /* doubles in a vector; 1 at the portable level */
};

/* s[m] <- <a_i,x> for the rows i = from, ..., from + m - 1, with the bits of linear_scores. */
void linear_scores_of(const struct linear_rows *A, long from, long m, const double *x, double *s);

/* Returns how many dense rows of length d adds_dots takes at a time, beside as many to be scored; 0: rows of this
 * length gain nothing by it. */
long linear_group(long d);

/* Does what the kernel of linear_add_clipped leaves undone for dense row i: computes a lost2 that is NaN anew, and
 * adds the column of ones. */
void linear_clip_beside(const struct linear_rows *A, long i, double u, const double *r,
                        const double *C, double w, double *g, double *norm2, double *lost2);

extern const struct linear_kernels linear_portable, linear_avx2, linear_avx512;
/* The kernels of each level, NULL where this processor has none, and those of the level in use (lanes.h).
 * linear_exact serves width, and axpy, axpys, lincomb and step, whose results have the same bits at every level. */
extern const struct linear_kernels *const linear_kernels_of[LANES_COUNT];
static inline const struct linear_kernels *linear_exact(void) { return linear_kernels_of[lanes_level()]; }
/* Returns the kernels of the level in use, for all other members; notes that the run depends on the level
 * (kind.h). */
static inline const struct linear_kernels *linear_kernels(void)
{
    uses_level = 1;
    return linear_exact();
}

#endif
