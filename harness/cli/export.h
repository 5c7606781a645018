/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.h - the wide forms of the verb export. */
#ifndef ASSAY_EXPORT_H
#define ASSAY_EXPORT_H

#include "cli/cli.h"

/* Prints a row a run as CSV or JSON lines, or writes the tables of an SQLite file: of the runs that the
 * selection of claims, --run and --where leave. Returns the exit code. */
int export_wide(const struct options *o);

#endif
