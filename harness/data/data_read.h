/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_read.h - reads one file into a table that the caller owns; data_load keeps tables for the process. */
#ifndef ASSAY_DATA_READ_H
#define ASSAY_DATA_READ_H

#include "data.h"

/* *t <- the file at path. name: the path as messages show it; format: as in struct data_request. The caller calls
 * table_clear(t) in any case. BAD_INPUT, NO_MEMORY, IO_ERROR. */
enum status data_read(const char *path, const char *name, const char *format, struct table *t,
                      struct why *why);
void table_clear(struct table *t);
/* Turns t from rows of nonzeros into the dense form, in place except for the indices. Returns false without memory;
 * table_clear still works. */
bool table_densify(struct table *t);

#endif
