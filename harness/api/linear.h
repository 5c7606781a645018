/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear.h - rows a_i of linear models, by blocks: scores <a_i,x>, weighted sums of rows, and sums of rows that are
 * clipped one by one. A block stays in the cache from the scores of a gradient to its weighted sum. */
#ifndef ASSAY_LINEAR_H
#define ASSAY_LINEAR_H

#include <stdbool.h>

enum { LINEAR_ROWS = 64 };

/* m <= LINEAR_ROWS rows of length d, all dense or all sparse. The problem family owns the memory that the pointers
 * name. After a copy of the struct, y and norm of the copy still point into the original where they point to its
 * member label or length. */
struct linear_rows {
    long m, d;                       /* d counts the column of ones */
    bool ones;                       /* entry d-1 of every row is 1, and is not stored */
    bool sparse;
    const double *at[LINEAR_ROWS];   /* dense: the d - ones entries of each row; sparse: the count[i] entries of row
                                        i */
    const int *index[LINEAR_ROWS];   /* sparse: the columns of these entries, increasing; dense: not set */
    long count[LINEAR_ROWS];         /* dense: not set */
    const double *y;                 /* [m] labels: points into a table whose rows follow one another, or to
                                        `label` */
    const double *norm;              /* [m] |a_i|: points into a table, or to `length`; NULL: linear_norms computes
                                        them */
    double label[LINEAR_ROWS], length[LINEAR_ROWS];
};

/* Returns how many rows of length d make a block: as many as stay in the cache, at least 8. */
long linear_block(long d);
/* Returns the stride, in doubles, at which n rows of length d should be stored: whole cache lines where the padding
 * is small, since loads that cross cache lines take half as long again. */
long linear_stride(long n, long d);
/* s[m] <- <a_i,x>. A row's score has the same bits in every block. */
void linear_scores(const struct linear_rows *A, const double *x, double *s);
/* Computes what linear_scores computes, and meanwhile prefetches from memory the rows of the next block, of the
 * same length (NULL: no next block). It pays where linear_far is true: the table is larger than the caches. */
void linear_scores_ahead(const struct linear_rows *A, const struct linear_rows *next,
                         const double *x, double *s);
bool linear_far(double rows, double d);
/* g[d] += sum_i c_i a_i, row after row in their order: one block and several blocks give the same bits. */
void linear_add(const struct linear_rows *A, const double *c, double *g);
/* If A->norm is NULL, computes the norms |a_i| into A->length and lets A->norm point there. */
void linear_norms(struct linear_rows *A);
/* g[d] += sum_i w_i clamp(u_i a_i + r, -C, C), where entry j is clamped to the bound C[j] >= 0; r[d] NULL: 0.
 * norm2[m] <- |u_i a_i + r|^2; lost2[m] <- the squared norm of the part that the clamp removed. */
void linear_add_clipped(const struct linear_rows *A, const double *u, const double *r,
                        const double *C, const double *w, double *g, double *norm2,
                        double *lost2);

#endif
