/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_target.h - CSV files of users whose target may stand in any column, and be a text. */
#ifndef ASSAY_CSV_TARGET_H
#define ASSAY_CSV_TARGET_H

#include "status.h"

enum { TARGET_PATH = 1024, TARGET_SAYS = 300 };

/* The result of csv_target. path: the table that was written, whose first column is the target; says: the target in
 * words. */
struct csv_target { char path[TARGET_PATH], says[TARGET_SAYS]; };

/* Writes the CSV file `data` anew into the folder `tables` of `folder`, with the column `target` first. `target` is
 * the name of a column or, where the first line contains a number and so no names, the number of a column, from 1.
 * If the target has two texts as values, they become -1 and 1, in byte order. BAD_INPUT, with file, line and
 * column: there is no such column, a value is missing, a feature is no number, or the target has a text, but not
 * exactly two different ones. IO_ERROR. */
enum status csv_target(const char *data, const char *target, const char *folder, struct csv_target *made,
                       struct why *why);

/* says <- "column 1 'NAME'", or "column 1" if the columns have no names, where the file is CSV, so that its first
 * column is the target; else "". */
void csv_target_first(const char *path, char says[TARGET_SAYS]);

#endif
