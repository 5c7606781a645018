/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive.h - the file that `assay archive` writes: a tar of a store, its report, the baseline and SHA256SUMS. */
#ifndef ASSAY_ARCHIVE_H
#define ASSAY_ARCHIVE_H

#include "cli/cli.h"

enum { ARCHIVE_PATH = 256 };
/* Unpacks the file into a new folder and compares every part with its SHA-256; folder <- the path, for which the
 * caller calls archive_remove. BAD_INPUT: a part is missing, is not what it was, or has no SHA-256. IO_ERROR: the
 * file cannot be read, or the folder not be made. After an error there is no folder. */
enum status archive_unpack(const char *file, char folder[ARCHIVE_PATH], struct why *why);
void archive_remove(const char *folder);

#endif
