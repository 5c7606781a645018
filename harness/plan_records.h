/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_records.h - the records of a plan: all its stages run, with what the command line says of store,
 * workers and limits, or read back. */
#ifndef ASSAY_PLAN_RECORDS_H
#define ASSAY_PLAN_RECORDS_H

#include "cli.h"
#include "execute.h"
#include "judge.h"

/* The key of a run's information under which the seconds of its yardstick stand. */
#define RUN_REFERENCE "reference_seconds"

/* *x <- what was run; its records, one a cell of the plan, are the caller's: free_records, also
 * after a failure. list (of judge_none; NULL: no claims) <- what had to be judged between the stages.
 * IO_ERROR, REFUSED: as of the store. */
enum status run_plan(const struct options *o, struct plan *p, struct execution *x, struct judgement *list,
                     struct why *why);
/* *record <- what the store at path holds of the plan, which grows by the stages that follow from it; any:
 * the latest of each cell, whichever program made it. The same of the records and of list. */
enum status read_plan(const struct options *o, const char *path, bool any, struct plan *p,
                      struct record ***record, struct judgement *list, struct why *why);
/* Processor seconds of every cell: what its replicates took by the store, else what the plan believes;
 * free() them. *known (NULL: not wanted) <- cells of the first kind. */
double *plan_costs(const struct options *o, const struct plan *p, int *known);
/* What was not run and why, what ran and what was reused, on stderr. */
void print_ran(const struct plan *p, const struct execution *x);
void free_records(const struct plan *p, struct record **r);

#endif
