/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_data.h - bytes as a data file: they are refused in one line, or give a table that satisfies data.h. */
#ifndef ASSAY_TESTS_FUZZ_DATA_H
#define ASSAY_TESTS_FUZZ_DATA_H

#include <math.h>

#include "data/data_read.h"
#include "fuzz/fuzz_files.h"

static inline void fuzz_hold_table(const struct table *t)
{
    long nonzeros = 0;
    BUG_IF(t->n < 1 || t->d < 1 || !t->label || !t->dense == !t->row);
    for (long i = 0; i < t->n; i++) {
        struct entries row = table_row(t, i);
        BUG_IF(!isfinite(t->label[i]) || row.count < 0 || row.count > t->d);
        for (long k = 0; k < row.count; k++) {
            BUG_IF(row.index[k] < 0 || row.index[k] >= t->d);
            BUG_IF(k && row.index[k] <= row.index[k - 1]);
            BUG_IF(!isfinite(row.value[k]) || (!t->dense && row.value[k] == 0));
            nonzeros += row.value[k] != 0;
        }
    }
    BUG_IF(nonzeros != t->nonzeros);
}

/* *t <- the table in the bytes, read as a file of a format; free it by table_clear(t). Returns false where the
 * bytes are refused. */
static inline bool fuzz_read(const uint8_t *data, size_t size, const char *format, struct table *t)
{
    struct why why = { "" };
    enum status s = data_read(fuzz_file(data, size), "fuzz", format, t, &why);
    BUG_IF((s == OK) != !why.text[0] || strchr(why.text, '\n'));
    if (s == OK)
        fuzz_hold_table(t);
    return s == OK;
}

static inline void fuzz_table(const uint8_t *data, size_t size, const char *format)
{
    struct table t = { .n = 0 };
    fuzz_read(data, size, format, &t);
    table_clear(&t);
}

#endif
