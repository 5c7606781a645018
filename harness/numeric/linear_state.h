/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_state.h - the kernels of dense rows behind api/linear.h and api/vec.h, one set for each
 * instruction set. Sums of different sets differ by rounding. */
#ifndef ASSAY_LINEAR_STATE_H
#define ASSAY_LINEAR_STATE_H

#include "numeric/lanes.h"
#include "linear.h"

struct linear_kernels {
    double (*dot)(long d, const double *x, const double *y);
    double (*square_distance)(long d, const double *x, const double *y);
    void (*axpy)(long d, double a, const double *x, double *y);      /* not fused */
    /* g[d] += sum_k c_k row_k of A[m*d], with the bits of m such calls in this order */
    void (*axpys)(long m, long d, const double *A, const double *c, double *g);
    /* z = a x + b y, not fused; z may be x or y */
    void (*lincomb)(long d, double a, const double *x, double b, const double *y, double *z);
    /* s[m] <- <row_i, x>; next[fetch] are rows to come, fetched meanwhile */
    void (*dots)(long m, long d, const double *const *row, long fetch, const double *const *next,
                 const double *x, double *s);
    /* s[m] <- <z_i, x> of rows z[m*d], which become b + a z_i: with the bits of dots and lincomb */
    void (*dots_move)(long m, long d, const double *x, double a, const double *b, double *z,
                      double *s);
    /* g[d] += sum_i c_i row_i, fused where the set has it, by rows in their order */
    void (*adds)(long m, long d, const double *const *row, const double *c, double *g);
    /* Both at once, with the bits of each: rows added to g[d] (m = 0: NULL), and s[others] of other
     * rows (x, s NULL where there are none). */
    void (*adds_dots)(long d, long m, const double *const *row, const double *c, double *g,
                      long others, const double *const *other, const double *x, double *s);
    /* linear_add_clipped without a column of ones; lost2 may be NaN where an entry is not finite */
    void (*clips)(long m, long d, const double *const *row, const double *u, const double *r,
                  const double *C, const double *w, double *g, double *norm2, double *lost2);
    /* clips without r and dots of others, with the bits of each; either may have no rows */
    void (*clips_dots)(long d, long m, const double *const *row, const double *u, const double *C,
                       const double *w, double *g, double *norm2, double *lost2, long others,
                       const double *const *other, const double *x, double *s);
    long (*peak)(long d, const double *x, double *square);           /* vec_peak */
    long width;                      /* doubles in a vector */
};

/* s[m] <- <a_i,x> of rows i = from, ..., from + m - 1: the bits of linear_scores. */
void linear_scores_of(const struct linear_rows *A, long from, long m, const double *x, double *s);

/* Dense rows of length d that are added at a time while as many others are scored; 0: longer rows
 * gain nothing by it. */
long linear_group(long d);

/* The rest of linear_add_clipped of a dense row, after clips: losses that are no number, the column
 * of ones. */
void linear_clip_beside(const struct linear_rows *A, long i, double u, const double *r,
                        const double *C, double w, double *g, double *norm2, double *lost2);

/* Of the level in use (lanes.h). */
extern const struct linear_kernels *const linear_kernels_of[LANES_COUNT];
static inline const struct linear_kernels *linear_kernels(void) { return linear_kernels_of[lanes_level()]; }

#endif
