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

/* Do all m >= 1 of them? Looked at without an early end, so that vectors do it. */
static inline bool samples_follow(long m, const long *i)
{
    long off = 0;
    for (long k = 0; k < m; k++)
        off |= i[k] ^ (i[0] + k);
    return off == 0;
}

/* Places and labels of the rows i[m] of a table, `stride` apart; of most batches they follow one
 * another, and nothing is looked up. */
static inline void samples_rows(long m, const long *i, const double *a, long stride,
                                const double *labels, struct linear_rows *A)
{
    if (m > 0 && samples_follow(m, i)) {
        const double *row = a + i[0] * stride;
        for (long k = 0; k < m; k++, row += stride)
            A->at[k] = row;
        vec_copy(m, labels + i[0], A->y);
        return;
    }
    for (long k = 0; k < m; k++) {
        A->at[k] = a + i[k] * stride;
        A->y[k] = labels[i[k]];
    }
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
