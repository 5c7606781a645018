/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data.h - tables of records read from files, for the families that work on real data. Loaded once
 * per process and shared by all cells; never modified after loading. */
#ifndef ASSAY_DATA_H
#define ASSAY_DATA_H

#include <stdbool.h>
#include "status.h"

/* n rows, d columns, both as CSR and CSC; column indices from 0, increasing within a row. A table
 * with more than half of its entries stored is also kept dense. */
struct table {
    char  path[1024];
    long  n, d, nonzeros;
    double *label;                   /* [n] */
    long   *row;                     /* [n+1] offsets into index, value */
    int    *index;                   /* [nonzeros] column */
    double *value;
    long   *column;                  /* [d+1] offsets into record, entry */
    int    *record;                  /* [nonzeros] row */
    double *entry;
    double *dense;                   /* [n*d] by rows, or NULL */
    unsigned long long checksum;     /* of the file's bytes */
};

/* Reads LIBSVM text: `label index:value ...`, indices from 1, increasing. name is a path, or the
 * bare name heart_scale, found where Debian's liblinear-tools puts it. BAD_INPUT names file, line and reason. The table
 * belongs to the process. */
enum status data_table(const char *name, const struct table **table, struct why *why);

#endif
