/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_records.h - the records of a plan: all stages of the plan are run, with a store, workers and limits, or read
 * back from a store. */
#ifndef ASSAY_PLAN_RECORDS_H
#define ASSAY_PLAN_RECORDS_H

#include "pool/execute.h"
#include "judge/judge.h"
#include "shards/engine.h"

/* How a plan is run. The strings outlive the run. */
struct run_request {
    const struct selection *select;
    const char *store;                   /* path of the store */
    int jobs;                            /* workers */
    double timeout, memory;              /* of a cell. timeout: seconds; memory: MiB */
    bool retry, fresh;                   /* retry: run failed cells again; fresh: run all cells again */
    bool night;                          /* continue a run that was cut off */
    const struct store_info *info;       /* the provenance that the run's row keeps */
    size_t infos;
    const struct engine_request *engine; /* how other machines run cells; NULL: all cells run here */
};

/* The key under which the store keeps, for each run, the seconds that the run's yardstick took. */
#define RUN_REFERENCE "reference_seconds"

/* *x <- what was run, with one record per cell of the plan; free_records() them, also after a failure. list (of
 * judge_none; NULL: the plan has no claims) <- what had to be judged between the stages. IO_ERROR, REFUSED and DAMAGED
 * come from the store. */
enum status run_plan(const struct run_request *q, struct plan *p, struct execution *x, struct judgement *list,
                     struct why *why);
/* Which records of a store count. READ_SAME: those that this program would make; READ_OWN: of these, the ones that
 * run_plan uses on this kind of machine; READ_LATEST: the latest record of each cell, whichever program made it. */
enum read_which { READ_SAME, READ_OWN, READ_LATEST };
/* *record <- the records that the store at path has of the plan, which grows by the stages that follow from them.
 * The caller frees the records by free_records(); list is that of run_plan. */
enum status read_plan(const struct run_request *q, const char *path, enum read_which which, struct plan *p,
                      struct record ***record, struct judgement *list, struct why *why);
/* Returns the processor seconds of every cell: the mean of its replicates in the store (store_seconds), else the
 * expected ones; free() them. *known (NULL: not wanted) <- the number of cells whose seconds come from the
 * store. */
double *plan_costs(const struct run_request *q, const struct plan *p, int *known);
/* Prints to stderr which claims were not run and why, and how many cells ran and were reused. */
void print_ran(const struct plan *p, const struct execution *x);
void free_records(const struct plan *p, struct record **r);

#endif
