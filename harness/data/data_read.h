/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_read.h - one file read into a table, past the tables kept for the process. */
#ifndef ASSAY_DATA_READ_H
#define ASSAY_DATA_READ_H

#include "data.h"

/* *t <- the file at path; name: as shown in messages; format: as in a request. Then table_clear(t),
 * in any case. BAD_INPUT, NO_MEMORY, IO_ERROR. */
enum status data_read(const char *path, const char *name, const char *format, struct table *t,
                      struct why *why);

#endif
