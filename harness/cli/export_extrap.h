/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_extrap.h - what claims measured, as the JSON lines that Extra-P reads: a line for each point and
 * metric, {"params": {AXIS: number}, "callpath": CLAIM, "metric": NAME, "value": [one a replicate]}. The
 * metrics are what the claim measures, the counts that are not 0, and seconds. */
#ifndef ASSAY_EXPORT_EXTRAP_H
#define ASSAY_EXPORT_EXTRAP_H

#include <stdio.h>
#include "plan/plan.h"

/* *lines <- how many. BAD_INPUT: the claims have several axes, since all lines of a file have the same
 * parameters; or nothing was measured. */
enum status export_extrap(FILE *out, const struct plan *p, struct record *const *record, long *lines,
                          struct why *why);

#endif
