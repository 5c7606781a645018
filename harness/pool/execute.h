/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execute.h - finds the records of cells in the store; runs the cells that have none, and stores their records. */
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
    void (*price)(struct cell **cell, size_t n);     /* called before the run: sets the member `expected` of the n
                                                        cells that will run; NULL: it is set already */
    double timeout;              /* the most seconds that a cell may take */
    size_t memory_limit;         /* the most bytes that a cell may take */
    bool retry;                  /* run cells again whose stored record says that they crashed, timed out or lacked
                                    memory */
    bool fresh;                  /* run every cell again, but for those whose record this run (`run`) itself has
                                    stored */
    bool progress;               /* draw a bar on stderr */
    struct yardstick *yardstick; /* a yardstick that is timed about once a second while cells run; NULL: none */
    struct store *store;         /* the store of the records; NULL: they are not stored */
    long run;
    struct record **record;      /* [cells] <- the records, to be freed by the caller; NULL: the cell was not run */
    int reused, ran, failed;     /* <- numbers of cells: whose stored record was used; that were run; whose record
                                    is a failure */
    long made;                   /* <- how many problem instances workers have made. Cells that share an instance
                                    need one, and one more for each further worker that takes over some of them at
                                    the end of the run */
    int unlike;                  /* <- with `fresh`: how many cells gave other numbers than their stored record of
                                    the same program */
    char unlike_cell[300];       /* <- the text of the first of these cells, or "" */
    int foreign;                 /* <- how many cells were run although the store has a record, because that is of
                                    another kind of machine */
    char foreign_kind[STORE_KIND];   /* <- the kind of machine of the first of these records, in words */
    bool interrupted;            /* <- the run was stopped by pool_stop */
    bool detached;               /* <- the cells were handed to other machines, and this process does not wait
                                    (engine.h) */
    double reference;            /* set by the caller after the run: the median time of the yardstick in seconds;
                                    NaN: not known */
};

/* Sets x->record and the other members marked with <-. IO_ERROR: the store could not be written; DAMAGED: it is
 * damaged. The records that were stored before the error stay in it. */
enum status execute(struct execution *x, struct why *why);

#endif
