/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data.h - tables of records read from files, for the problem families that work on real data. A process loads each
 * request once, and all cells share the table; it is never modified after loading. */
#ifndef ASSAY_DATA_H
#define ASSAY_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include "param.h"
#include "status.h"

/* n rows and d columns, stored in one of two forms: dense by rows where more than half of the entries are nonzero,
 * else sparse as rows of nonzeros. table_row reads both forms alike. */
struct table {
    char  path[1024];
    long  n, d;
    long  nonzeros;                  /* entries that are not 0, in either form */
    double *label;                   /* [n] target, or class as a number */
    double *dense;                   /* [n*d] by rows; NULL: the table is sparse, and row, index, value hold it */
    void   *block;                   /* the allocation that `dense` points into; NULL: `dense` is an allocation
                                        itself */
    long   *row;                     /* [n+1] offsets into index, value; dense: NULL */
    int    *index;                   /* [nonzeros] columns, increasing in a row; dense: [d] 0, 1.. */
    double *value;                   /* [nonzeros]; dense: NULL */
    long   constant;                 /* how many columns do not vary, so that zscore made them 0 */
    unsigned long long checksum;     /* of the file's text, decompressed */
    double *mean, *sd;               /* [d] mean and deviation by which zscore scaled a column, sd 1 where
                                        it does not vary; NULL without zscore */
};

/* A row (or column) as stored: value[k] stands in column (or row) index[k]; index increases. */
struct entries {
    long count;
    const int *index;
    const double *value;
};

static inline struct entries table_row(const struct table *t, long i)
{
    if (t->dense)
        return (struct entries){ t->d, t->index, t->dense + i * t->d };
    return (struct entries){ t->row[i + 1] - t->row[i], t->index + t->row[i],
                             t->value + t->row[i] };
}

/* The entries of a table, by columns. */
struct columns {
    long  n, d;
    double *dense;                   /* [d*n] by columns where the table is dense, or NULL */
    long   *column;                  /* [d+1] offsets into record, entry; dense: NULL */
    int    *record;                  /* [nonzeros] row, increasing in a column; dense: [n] 0, 1.. */
    double *entry;                   /* [nonzeros]; dense: NULL */
};

static inline struct entries table_column(const struct columns *c, long j)
{
    if (c->dense)
        return (struct entries){ c->n, c->record, c->dense + j * c->n };
    return (struct entries){ c->column[j + 1] - c->column[j], c->record + c->column[j],
                             c->entry + c->column[j] };
}

/* A request for a table. A word that is NULL has its default, so { .data = NAME } is the whole file, unscaled. */
struct data_request {
    const char *data;       /* a path if it has a slash or such a file exists, else the name of a set of `assay data
                               list` */
    const char *format;     /* any (found from the content; the default), libsvm, csv, fann */
    const char *scaling;    /* none (the default), zscore, unit */
    double test;            /* share of the records held out, in [0,1), rounded to whole records */
    long split;             /* seed of the choice of the records held out */
    bool heldout;           /* true: the table of the held-out records; false: of the others */
};

/* Rows of a family's parameter table for its member `struct data_request request`. */
#define DATA_PARAMS(tag, request)                                                               \
    { "data", PARAM_TEXT, offsetof(struct tag, request.data), 0, 0, 0, "heart_scale", NULL, "", \
      "a file, or a set of `assay data list`" },                                                \
    { "format", PARAM_TEXT, offsetof(struct tag, request.format), 0, 0, 0, "any",               \
      "any|libsvm|csv|fann", "", "of the file; any: told by its content" },                     \
    { "scaling", PARAM_TEXT, offsetof(struct tag, request.scaling), 0, 0, 0, "none",            \
      "none|zscore|unit", "", "columns to mean 0, sd 1; or rows to norm 1" },                   \
    { "test", PARAM_REAL, offsetof(struct tag, request.test), 0, 0, 0.999, NULL, NULL, "1",     \
      "share of the records held out" },                                                        \
    { "split", PARAM_COUNT, offsetof(struct tag, request.split), 0, 0, 1e15, NULL, NULL, "1",   \
      "seed of the choice of held-out records" }

/* Reads a file, plain or gzip:
 *   libsvm  `label index:value ...`, indices from 1, increasing; # begins a comment;
 *   csv     target first; , ; or tab; a first line without a number is a header;
 *   fann    `records inputs outputs`, then lines of inputs and of outputs by turns. One output is
 *           the label. Of several outputs the largest gives the class 0, 1, ...; the others must be equal.
 * zscore: every column minus its mean, divided by its standard deviation (with n, not n - 1), both over the records
 * that are not held out; constant columns become 0. The table becomes dense; a sparse one that would exceed 1 GiB
 * is refused. unit: every row divided by its Euclidean norm; rows of zeros stay. A failure returns
 * BAD_INPUT, with file, line and reason in *why, or NO_MEMORY. The table belongs to the process. */
enum status data_load(const struct data_request *q, const struct table **table, struct why *why);

/* *table <- the table of the whole file, unscaled. */
enum status data_table(const char *data, const struct table **table, struct why *why);

/* *columns <- the table by columns. The columns are made at the first call, and belong to the process. Returns
 * NO_MEMORY if there is too little memory for them. */
enum status data_columns(const struct table *t, const struct columns **columns, struct why *why);

#endif
