/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.h - an SQLite file of tables with plain columns, for people and other programs. It is not a store: this
 * program never reads it. The file appears under its name when it is complete. */
#ifndef ASSAY_PLAIN_H
#define ASSAY_PLAIN_H

#include "record/wide.h"
#include "status.h"

struct plain;

/* Begins a file that will get the name `path`. replace: an existing file of this name is replaced. BAD_INPUT: there
 * is one and it must not be replaced. IO_ERROR: the file could not be written. */
enum status plain_open(const char *path, bool replace, struct plain **p, struct why *why);
/* Makes a table with these columns; *table <- its number, 0 for the first. SQLite does not distinguish column names
 * that differ in case only; of such names, those with capitals get a _ at the end. BAD_INPUT: there are more
 * columns than SQLite allows in a table. IO_ERROR: the file could not be written. */
enum status plain_table(struct plain *p, const char *name, const struct wide_column *column, int columns,
                        int *table, struct why *why);
/* Adds a row value[columns] to the table of this number; NaN becomes NULL. IO_ERROR: the file could not be
 * written. */
enum status plain_row(struct plain *p, int table, const struct wide_value *value, struct why *why);
/* Makes an index of a table by one of its columns. IO_ERROR: the file could not be written. */
enum status plain_index(struct plain *p, const char *table, const char *column, struct why *why);
/* Frees p. done: completes the file and gives it its name; otherwise the file is removed. IO_ERROR: the file could
 * not be completed or renamed. */
enum status plain_close(struct plain *p, bool done, struct why *why);

#endif
