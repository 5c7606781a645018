/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_line.h - small tables of text by the names of their columns: CSV after RFC 4180. */
#ifndef ASSAY_CSV_LINE_H
#define ASSAY_CSV_LINE_H

#include <stdbool.h>
#include <stdio.h>

enum { CSV_FIELDS = 32, CSV_FIELD = 1024 };

/* The fields of one line; longer or further ones are cut. */
struct csv_line { int fields; char field[CSV_FIELDS][CSV_FIELD]; };

/* The next line; false: the file has ended. Quotes may hold commas, quotes and line ends. */
bool csv_line_read(FILE *in, struct csv_line *l);
/* Which column of a heading has the name; -1: none. */
int csv_line_column(const struct csv_line *heading, const char *name);
/* The text of a field; "" where the line has none. */
const char *csv_line_field(const struct csv_line *l, int column);

#endif
