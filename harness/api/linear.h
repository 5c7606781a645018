/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear.h - rows a_i of linear models, by blocks: scores <a_i,x>, weighted sums of rows, and sums
 * of rows clipped one by one. A block stays in cache between the two passes of a gradient. */
#ifndef ASSAY_LINEAR_H
#define ASSAY_LINEAR_H

#include <stdbool.h>

enum { LINEAR_ROWS = 64 };

/* m <= LINEAR_ROWS rows of length d, all dense or all sparse. The pointers belong to the family; a copy still
 * points into the block that it is a copy of. */
struct linear_rows {
    long m, d;                       /* d counts the column of ones */
    bool ones;                       /* entry d-1 of every row is 1, and is not stored */
    bool sparse;
    const double *at[LINEAR_ROWS];   /* dense: d - ones entries; sparse: count of them ... */
    const int *index[LINEAR_ROWS];   /* ... in these columns, increasing; dense: not set */
    long count[LINEAR_ROWS];         /* dense: not set */
    const double *y;                 /* [m] labels: of a table where rows follow one another, or label */
    const double *norm;              /* [m] |a_i|, likewise or length; NULL: linear_norms finds them */
    double label[LINEAR_ROWS], length[LINEAR_ROWS];
};

/* Rows in a block: as many as stay in cache, 8 at least. */
long linear_block(long d);
/* Doubles from one of n stored rows to the next: whole lines of a cache where they cost little, since
 * loads that cross lines take half as long again. */
long linear_stride(long n, long d);
/* s[m] <- <a_i,x>. The same bits in whatever block a row stands. */
void linear_scores(const struct linear_rows *A, const double *x, double *s);
/* The same scores; meanwhile rows of the block asked for next (NULL: of none), of the same length,
 * are fetched from memory, which pays where a table is far: larger than the caches. */
void linear_scores_ahead(const struct linear_rows *A, const struct linear_rows *next,
                         const double *x, double *s);
bool linear_far(double rows, double d);
/* g[d] += sum_i c_i a_i, by rows in their order: the same bits in one block or in several. */
void linear_add(const struct linear_rows *A, const double *c, double *g);
/* norm, where it is NULL. */
void linear_norms(struct linear_rows *A);
/* g[d] += sum_i w_i clamp(u_i a_i + r, -C, C), each entry to its own C[j] >= 0; r[d] NULL: 0.
 * norm2[m] <- |u_i a_i + r|^2, lost2[m] <- the square of what the clamp took. */
void linear_add_clipped(const struct linear_rows *A, const double *u, const double *r,
                        const double *C, const double *w, double *g, double *norm2,
                        double *lost2);

#endif
