/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.h - makes folders, and writes files whole or not at all. */
#ifndef ASSAY_FOLDER_H
#define ASSAY_FOLDER_H

#include <stdio.h>
#include "status.h"

/* Makes a folder, and the folders above it, where they do not exist. Returns OK or IO_ERROR. */
enum status folder_make(const char *path, struct why *why);
/* Makes the folders above a file; the message of a failure names the file. */
enum status folder_above(const char *path, struct why *why);

/* Writes what `put` prints to a file of another name in the folder of path, and then renames this file to path.
 * IO_ERROR: a file that was at path is unchanged. */
typedef void file_put(FILE *out, const void *ctx);
enum status file_write(const char *path, file_put *put, const void *ctx, struct why *why);
/* Returns IO_ERROR; *why <- the path and the reason in errno. */
enum status file_trouble(const char *path, struct why *why);

#endif
