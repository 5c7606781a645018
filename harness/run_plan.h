/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_plan.h - running all stages of a plan with what the command line says of store, workers and
 * limits. */
#ifndef ASSAY_RUN_PLAN_H
#define ASSAY_RUN_PLAN_H

#include "cli.h"
#include "execute.h"

/* *x <- what was run; its records, one a cell of the plan, are the caller's: free_records, also
 * after a failure. IO_ERROR, REFUSED: as of the store. */
enum status run_plan(const struct options *o, struct plan *p, struct execution *x,
                     struct why *why);
void free_records(const struct plan *p, struct record **r);

#endif
