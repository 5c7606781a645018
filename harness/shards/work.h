/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.h - one job: runs the cells of a shard that no attempt has brought yet, and leaves their records in a
 * store. */
#ifndef ASSAY_WORK_H
#define ASSAY_WORK_H

#include <limits.h>
#include "pool/execute.h"
#include "shards/shards.h"

struct work_request {
    const char *shard;                   /* path of the manifest */
    int jobs;                            /* number of worker processes; 0: the cells run in this process */
    const char *scratch;                 /* a folder of this machine, where the store is while cells run */
    const char *job;                     /* the name of the attempt: letters, digits, '-' and '.' */
    const struct store_info *info;       /* provenance of the run */
    size_t infos;
};
struct work_done {
    long cells, before, ran, failed;     /* numbers of cells. cells: all of the shard; before: those that other
                                            attempts have; ran: those that were run; failed: those that failed */
    bool interrupted;
    char attempt[PATH_MAX];              /* the store that was left beside the shard, "" if nothing was run */
};

/* Runs a shard. Cells that have a result in other attempts, or have failed twice, are not run. After an interrupt
 * the records so far are an attempt too. BAD_INPUT: the manifest, this build or this machine does not fit, and no
 * cell was run; where it is the build or the machine, a refusal is left beside the shard. IO_ERROR. */
enum status work_shard(const struct work_request *q, struct work_done *done, struct why *why);

#endif
