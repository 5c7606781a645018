/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.h - makes folders, and writes files whole or not at all. */
#ifndef ASSAY_FOLDER_H
#define ASSAY_FOLDER_H

#include <stdio.h>
#include "status.h"

/* Makes a folder, and those above it, where they do not exist. IO_ERROR. */
enum status folder_make(const char *path, struct why *why);
/* Makes the folders above a file, which the message of a failure names. */
enum status folder_above(const char *path, struct why *why);

/* Writes what `put` prints to another name in the folder of path, which is then renamed. IO_ERROR: the file that
 * was there is as it was. */
typedef void file_put(FILE *out, const void *ctx);
enum status file_write(const char *path, file_put *put, const void *ctx, struct why *why);
/* IO_ERROR with the path and the reason in errno. */
enum status file_trouble(const char *path, struct why *why);

#endif
