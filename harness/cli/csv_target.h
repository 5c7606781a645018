/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_target.h - CSV files of users whose target may stand in any column, and be a text. */
#ifndef ASSAY_CSV_TARGET_H
#define ASSAY_CSV_TARGET_H

#include "status.h"

enum { TARGET_PATH = 1024, TARGET_SAYS = 300 };

/* What became of a file: the table with its target first that was written from it, and the target in words. */
struct csv_target { char path[TARGET_PATH], says[TARGET_SAYS]; };

/* Writes the CSV file `data` anew into `folder`, with the column `target` first: the name of a column or, where
 * the first line has numbers only, its number from 1. Two texts as targets become -1 and 1, in byte order.
 * BAD_INPUT, with file, line and column: there is no such column, a value is missing, a feature is no number,
 * the texts are not two. IO_ERROR. */
enum status csv_target(const char *data, const char *target, const char *folder, struct csv_target *made,
                       struct why *why);

/* says <- "column 1 'NAME'" where the file is CSV, whose target is its first column; else "". */
void csv_target_first(const char *path, char says[TARGET_SAYS]);

#endif
