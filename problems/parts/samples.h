/* SPDX-License-Identifier: GPL-3.0-or-later */
/* samples.h - weights of a batch, and the runs of its indices. */
#ifndef ASSAY_PARTS_SAMPLES_H
#define ASSAY_PARTS_SAMPLES_H

#include "problem.h"

/* sum_k w_k, the factor of every gradient part that all samples share; w NULL: all 1/count. */
static inline double samples_weight(const struct samples *s, const double *w)
{
    double sum = 0;
    if (!w)
        return s->count > 0 ? 1 : 0;
    for (long k = 0; k < s->count; k++)
        sum += w[k];
    return sum;
}

/* How many of the indices i[m], m >= 1, follow one another from the first on. */
static inline long samples_run(long m, const long *i)
{
    long run = 1;
    while (run < m && i[run] == i[0] + run)
        run++;
    return run;
}

/* One number of a table for each sample: a pointer into the table where the samples follow one another, else
 * copied to room[count]. */
static inline const double *samples_column(const struct samples *s, const double *column, double *room)
{
    if (!s->index)
        return column + s->first;
    const long *i = s->index + s->first;
    for (long k = 0; k < s->count; k++)
        room[k] = column[i[k]];
    return room;
}

/* The positions of the rows in a table, `stride` apart. */
static inline void samples_places(const struct samples *s, const double *a, long stride, struct linear_rows *A)
{
    const long *i = s->index ? s->index + s->first : NULL;
    const double *row = a + (i ? 0 : s->first * stride);
    for (long k = 0; !i && k < s->count; k++, row += stride)
        A->at[k] = row;
    for (long k = 0; i && k < s->count; k++)
        A->at[k] = a + i[k] * stride;
}

/* samples_run of a batch from its k-th sample on, `most` or fewer; samples < 0 stand alone. */
static inline long samples_batch_run(const struct samples *s, long k, long most)
{
    long left = s->count - k < most ? s->count - k : most;
    if (sample_index(s, k) < 0)
        return 1;
    return s->index ? samples_run(left, s->index + s->first + k) : left;
}

#endif
