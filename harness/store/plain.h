/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.h - an SQLite file of tables with plain columns, for people and other programs. It is no store: nothing is
 * read back from it. The file appears when it is complete. */
#ifndef ASSAY_PLAIN_H
#define ASSAY_PLAIN_H

#include "record/wide.h"
#include "status.h"

struct plain;

/* Begins a file that will stand at `path`. replace: an existing file is replaced. BAD_INPUT: a file exists and may
 * not be replaced. IO_ERROR. */
enum status plain_open(const char *path, bool replace, struct plain **p, struct why *why);
/* *table <- the number of a new table, from 0. SQLite does not distinguish column names that differ in case only;
 * of these, names with capitals get a _ at the end. BAD_INPUT: more columns than SQLite allows in a table.
 * IO_ERROR. */
enum status plain_table(struct plain *p, const char *name, const struct wide_column *column, int columns,
                        int *table, struct why *why);
/* Adds a row value[columns] to a table; NaN is NULL. IO_ERROR. */
enum status plain_row(struct plain *p, int table, const struct wide_value *value, struct why *why);
/* Makes an index of a table by one of its columns. IO_ERROR. */
enum status plain_index(struct plain *p, const char *table, const char *column, struct why *why);
/* Ends the file and frees p. done false: the file is removed. IO_ERROR. */
enum status plain_close(struct plain *p, bool done, struct why *why);

#endif
