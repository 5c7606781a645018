/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.h - one job: runs the cells of a shard that have no result in an earlier attempt, and leaves their records
 * in a store. */
#ifndef ASSAY_WORK_H
#define ASSAY_WORK_H

#include <limits.h>
#include "pool/execute.h"
#include "shards/shards.h"

struct work_request {
    const char *shard;                   /* path of the manifest */
    int jobs;                            /* number of worker processes; 0: the cells run in this process */
    const char *scratch;                 /* a folder on a disk of this machine, where the store is while cells
                                            run */
    const char *job;                     /* the name of this attempt at the shard: letters, digits, '-' and '.' */
};
struct work_done {
    long cells, before, ran, failed;     /* numbers of cells. cells: all of the shard; before: those that were not
                                            run because of earlier attempts; ran: those that were run; failed: those
                                            of them that failed */
    bool interrupted;
    char attempt[PATH_MAX];              /* path of the store that was left beside the manifest; "": nothing was
                                            run */
};

/* Runs a shard. The run to which its records belong has the provenance that the manifest has. Cells that have a
 * result in another attempt, or have failed in two, are not run. After an interrupt the records made so far are
 * left as an attempt. BAD_INPUT: no cell was run, because the manifest is damaged, or because this build or this
 * machine is not the one that the manifest asks for. In the second case a refusal is left beside the manifest.
 * IO_ERROR: a file could not be read or written. DAMAGED: the store of an attempt is. */
enum status work_shard(const struct work_request *q, struct work_done *done, struct why *why);

#endif
