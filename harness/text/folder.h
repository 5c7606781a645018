/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.h - makes folders. */
#ifndef ASSAY_FOLDER_H
#define ASSAY_FOLDER_H

#include "status.h"

/* Makes a folder, and those above it, where they do not exist. IO_ERROR. */
enum status folder_make(const char *path, struct why *why);

#endif
