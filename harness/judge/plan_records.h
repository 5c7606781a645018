/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_records.h - the records of a plan: all its stages run, with a store, workers and limits, or
 * read back. */
#ifndef ASSAY_PLAN_RECORDS_H
#define ASSAY_PLAN_RECORDS_H

#include "pool/execute.h"
#include "judge/judge.h"

/* What a run of a plan is asked for. The strings outlive the run. */
struct run_request {
    const struct selection *select;
    const char *store;                   /* path of the store */
    int jobs;                            /* workers */
    double timeout, memory;              /* of a cell: seconds; MiB */
    bool retry, fresh;                   /* cells that failed run again; all cells run again */
    bool night;                          /* a run that was cut off goes on */
    const struct store_info *info;       /* the provenance that the run's row keeps */
    size_t infos;
};

/* The key of a run's information under which the seconds of its yardstick stand. */
#define RUN_REFERENCE "reference_seconds"

/* *x <- what was run; its records, one a cell of the plan, are the caller's: free_records, also
 * after a failure. list (of judge_none; NULL: no claims) <- what had to be judged between the stages.
 * IO_ERROR, REFUSED: as of the store. */
enum status run_plan(const struct run_request *q, struct plan *p, struct execution *x, struct judgement *list,
                     struct why *why);
/* *record <- what the store at path holds of the plan, which grows by the stages that follow from it; any:
 * the latest of each cell, whichever program made it. The same of the records and of list. */
enum status read_plan(const struct run_request *q, const char *path, bool any, struct plan *p,
                      struct record ***record, struct judgement *list, struct why *why);
/* Processor seconds of every cell: what its replicates took by the store, else what the plan believes;
 * free() them. *known (NULL: not wanted) <- cells of the first kind. */
double *plan_costs(const struct run_request *q, const struct plan *p, int *known);
/* What was not run and why, what ran and what was reused, on stderr. */
void print_ran(const struct plan *p, const struct execution *x);
void free_records(const struct plan *p, struct record **r);

#endif
