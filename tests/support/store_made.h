/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_made.h - makes records for benchmarks of the store. */
#ifndef ASSAY_TESTS_STORE_MADE_H
#define ASSAY_TESTS_STORE_MADE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/store.h"

/* The fingerprint of all these records. */
#define MADE_BY "00ff00ff00ff00ff00ff00ff00ff00ff"

static inline void must(bool well)
{
    if (!well)
        abort();
}

static inline char *cell_text(long k)
{
    char *text = NULL;
    must(asprintf(&text, "problem spectral d=%ld | algo sgd step=0.5 | goal n=1000000 T=1000 | run trace=1 | rep "
                  "%ld",
                  2 + k / 10, k % 10) > 0);
    return text;
}

/* Returns record k, which is the same at every call, with a trace of `marks` rows. */
static inline struct record *made(long k, long marks)
{
    static const char *const names[] = { "measure.excess", "measure.distance", "count.sample_grads",
                                         "count.batch_steps", "param.step", "flag.told_data" };
    static const char *const columns[] = { "cost", "sample_grads", "excess", "distance" };
    char *cell = cell_text(k);
    struct record *r = record_new(cell, MADE_BY);
    must(r);
    for (int i = 0; i < 6; i++)
        record_put(r, names[i], (double)k / (i + 3));
    if (marks)
        record_trace_columns(r, 4, columns);
    for (long m = 0; m < marks; m++)
        record_trace_row(r, (double[]){ (double)m, (double)(m * m), 1 / (1 + (double)(m + k)),
                                        sqrt((double)(m + k)) });
    r->seconds = 1e-3;
    free(cell);
    return r;
}

#endif
