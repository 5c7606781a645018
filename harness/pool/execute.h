/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execute.h - runs the cells of a plan that the store does not hold yet, and stores them. */
#ifndef ASSAY_EXECUTE_H
#define ASSAY_EXECUTE_H

#include "cell/cell.h"
#include "record/record.h"
#include "store/store.h"
#include "pool/yardstick.h"

struct execution {
    struct cell *const *cell;
    int cells;
    int workers;                 /* 0: in this process */
    void (*price)(struct cell **cell, size_t n);     /* asked of those that will run; NULL: they have theirs */
    double timeout;              /* seconds a cell may take */
    size_t memory_limit;         /* bytes a cell may take */
    bool retry;                  /* run stored crashes, time-outs and memory kills again */
    bool fresh;                  /* run every cell again that this run has not run */
    bool progress;               /* draw a bar on stderr */
    struct yardstick *yardstick; /* timed beside the cells; NULL: none */
    struct store *store;         /* NULL: keep nothing */
    long run;
    struct record **record;      /* [cells] <- owned by the caller, NULL: not run */
    int reused, ran, failed;     /* <- */
    long made;                   /* <- problem instances, by those that ran them: of every one that cells share
                                  * one, and another for each worker that helps out at the end */
    int unlike;                  /* <- run afresh by the same program, with other numbers than before */
    char unlike_cell[300];       /* <- the first of these, "": none */
    bool interrupted;            /* <- */
    double reference;            /* <- of a whole run: seconds of the yardstick; NaN: not known */
};

/* IO_ERROR: the store could not be written; what was stored before is kept. */
enum status execute(struct execution *x, struct why *why);

#endif
