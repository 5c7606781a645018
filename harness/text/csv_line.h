/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_line.h - reads CSV files (RFC 4180) line by line, with columns by name: tables that the program wrote itself,
 * and results of others. Data sets are read by data/data_read.h. */
#ifndef ASSAY_CSV_LINE_H
#define ASSAY_CSV_LINE_H

#include <stdbool.h>
#include <stdio.h>
#include "status.h"

enum { CSV_FIELDS = 512, CSV_FIELD = 1024 };

/* The fields of one line. Of a field CSV_FIELD - 1 bytes are kept, of a line CSV_FIELDS fields; the rest is
 * dropped. */
struct csv_line { int fields; char field[CSV_FIELDS][CSV_FIELD]; };

/* Reads the next line; returns false where the file has ended. A quoted field may hold commas, quotes and line
 * ends. */
bool csv_line_read(FILE *in, struct csv_line *l);
/* Returns the column whose name in the heading is `name`; -1: there is none. */
int csv_line_column(const struct csv_line *heading, const char *name);
/* Returns the text of a field; "" where the line has none. */
const char *csv_line_field(const struct csv_line *l, int column);

/* A kind of table: the functions that take its heading and each of its other lines. */
struct csv_table {
    const char *expected;            /* `heading` returns false where it cannot use the heading; the message then
                                        says that this was expected: "a heading with the columns ..." */
    bool (*heading)(void *ctx, const struct csv_line *l);
    enum status (*line)(void *ctx, const struct csv_line *l, struct why *why);
};
/* Reads a whole file. The message of an error in a line names path and line number. Returns BAD_INPUT, or IO_ERROR,
 * also where there is no file. */
enum status csv_table_read(const char *path, const struct csv_table *t, void *ctx, struct why *why);

#endif
