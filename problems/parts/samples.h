/* SPDX-License-Identifier: GPL-3.0-or-later */
/* samples.h - weights of a batch, and the runs of its indices. */
#ifndef ASSAY_PARTS_SAMPLES_H
#define ASSAY_PARTS_SAMPLES_H

#include "problem.h"

/* Returns sum_k w_k, where all w_k are 1/count if w is NULL. The part of the gradients that all samples share gets
 * this factor. */
static inline double samples_weight(const struct samples *s, const double *w)
{
    double sum = 0;
    if (!w)
        return s->count > 0 ? 1 : 0;
    for (long k = 0; k < s->count; k++)
        sum += w[k];
    return sum;
}

/* Returns the length of the longest run i[0], i[0] + 1, i[0] + 2, ... at the beginning of i[m], m >= 1. */
static inline long samples_run(long m, const long *i)
{
    long run = 1;
    while (run < m && i[run] == i[0] + run)
        run++;
    return run;
}

/* Returns the numbers of column[] that belong to the samples: a pointer into column[] where the samples have
 * consecutive indices, else room[count] with a copy. */
static inline const double *samples_column(const struct samples *s, const double *column, double *room)
{
    if (!s->index)
        return column + s->first;
    const long *i = s->index + s->first;
    for (long k = 0; k < s->count; k++)
        room[k] = column[i[k]];
    return room;
}

/* Sets the row pointers of *A to the rows of the samples in the table a, whose rows are `stride` apart. */
static inline void samples_places(const struct samples *s, const double *a, long stride, struct linear_rows *A)
{
    const long *i = s->index ? s->index + s->first : NULL;
    const double *row = a + (i ? 0 : s->first * stride);
    for (long k = 0; !i && k < s->count; k++, row += stride)
        A->at[k] = row;
    for (long k = 0; i && k < s->count; k++)
        A->at[k] = a + i[k] * stride;
}

/* Returns the length of the run of consecutive indices that begins with the k-th sample of a batch, at most `most`;
 * 1 for a canary sample (index < 0). */
static inline long samples_batch_run(const struct samples *s, long k, long most)
{
    long left = s->count - k < most ? s->count - k : most;
    if (sample_index(s, k) < 0)
        return 1;
    return s->index ? samples_run(left, s->index + s->first + k) : left;
}

#endif
