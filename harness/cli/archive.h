/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive.h - the file that `assay archive` writes: a tar of a store, its report, the baseline and SHA256SUMS. */
#ifndef ASSAY_ARCHIVE_H
#define ASSAY_ARCHIVE_H

#include "cli/cli.h"

enum { ARCHIVE_PATH = 256 };
/* Unpacks the file into a new folder, whose path is put into `folder`, after comparing every part with its SHA-256.
 * The caller calls archive_remove. BAD_INPUT: a part is not what it was; IO_ERROR. There is no folder then. */
enum status archive_unpack(const char *file, char folder[ARCHIVE_PATH], struct why *why);
void archive_remove(const char *folder);

#endif
