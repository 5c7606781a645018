/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execute.h - runs the cells whose records the store does not hold yet, and stores their records. */
#ifndef ASSAY_EXECUTE_H
#define ASSAY_EXECUTE_H

#include "cell/cell.h"
#include "record/record.h"
#include "store/store.h"
#include "pool/yardstick.h"

struct execution {
    struct cell *const *cell;
    int cells;
    int workers;                 /* number of worker processes; 0: the cells run in this process */
    void (*price)(struct cell **cell, size_t n);     /* sets `expected` of the cells that will run; NULL: it is set
                                                        already */
    double timeout;              /* seconds a cell may take */
    size_t memory_limit;         /* bytes a cell may take */
    bool retry;                  /* run cells again whose record is a crash, a time-out or a lack of memory */
    bool fresh;                  /* run every cell again, but for those that this run itself has run */
    bool progress;               /* draw a bar on stderr */
    struct yardstick *yardstick; /* this yardstick is timed beside the cells; NULL: none */
    struct store *store;         /* the store of the records; NULL: they are not stored */
    long run;
    struct record **record;      /* [cells] <- the records, to be freed by the caller; NULL: the cell was not run */
    int reused, ran, failed;     /* <- numbers of cells: with a stored record; run; run with a failure */
    long made;                   /* <- how many problem instances workers have made. Cells that share an instance
                                    need one, and one more for each worker that takes over some of them at the
                                    end */
    int unlike;                  /* <- how many cells were run again by the same program and gave other numbers than
                                    before */
    char unlike_cell[300];       /* <- the first of these, or "" */
    int foreign;                 /* <- how many cells were run again because the store's record is of another kind
                                    of machine */
    char foreign_kind[STORE_KIND];   /* <- the kind of machine of the first of these, in words */
    bool interrupted;            /* <- the run was stopped by pool_stop */
    bool detached;               /* <- the cells were handed to other machines, and this process does not wait
                                    (engine.h) */
    double reference;            /* set by the caller after the run: seconds of the yardstick; NaN: not known */
};

/* Runs the cells. IO_ERROR: the store could not be written; records that were stored before are kept. */
enum status execute(struct execution *x, struct why *why);

#endif
