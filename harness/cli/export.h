/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.h - the forms of the verb export with a row for each run. */
#ifndef ASSAY_EXPORT_H
#define ASSAY_EXPORT_H

#include "cli/cli.h"

/* Prints a row for each run as CSV or JSON lines, or writes the tables of an SQLite file. The runs are those that
 * the selection of claims, --run and --where leave. Returns the exit code. */
int export_wide(const struct options *o);

#endif
