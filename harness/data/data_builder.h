/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_builder.h - builds a table record by record, dense or sparse by the records seen so far. */
#ifndef ASSAY_DATA_BUILDER_H
#define ASSAY_DATA_BUILDER_H

#include "data.h"
#include "data/data_reader.h"

enum { COLUMNS_MAX = 1 << 27 };      /* the most columns: a vector of as many doubles takes 1 GiB */

struct builder {
    struct table *t;                 /* its arrays are malloc's; table_clear frees them */
    struct reader *r;                /* for messages */
    size_t labels, rows, entries;    /* capacities of label, row, and index and value */
    size_t cells, stride;            /* the dense form: capacity in doubles, doubles of a record */
    size_t scratch;
    int *index;                      /* [scratch] a record before it goes into the dense form */
    double *value;
    size_t limit;                    /* bytes: the machine's memory */
    bool sampled;                    /* the first records have decided between the forms */
};

void builder_begin(struct builder *b, struct reader *r, struct table *t);
/* Room for a record of up to `most` entries, to be filled by the caller: columns from 0,
 * increasing, no value 0. NO_MEMORY; BAD_INPUT beyond INT_MAX records. */
enum status builder_record(struct builder *b, size_t most, int **index, double **value);
/* The record is complete: `count` entries, in columns below `width`. NO_MEMORY. */
enum status builder_close(struct builder *b, double label, long count, long width);
/* The table is complete: gives every array its final length, and the table the form that all records together decide.
 * NO_MEMORY. */
enum status builder_end(struct builder *b);
void builder_free(struct builder *b);

/* t from rows of nonzeros to the dense form, in place except for the indices. false: no memory; table_clear
 * still works. */
bool table_densify(struct table *t);
void table_clear(struct table *t);
/* A new copy of the entries by columns; NULL without memory. */
struct columns *table_columns(const struct table *t);

#endif
