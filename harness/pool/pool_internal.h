/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_internal.h - the queue of jobs of the pool. A test can use it without starting a process. */
#ifndef ASSAY_POOL_INTERNAL_H
#define ASSAY_POOL_INTERNAL_H

#include "pool/pool.h"

/* The turn of a worker: the positions next..end-1 in the list of jobs, which wait for this worker. */
struct pool_turn { size_t next, end; };

struct pool_queue {
    const struct pool_job *job;
    size_t jobs, next;               /* next: the first position that is in no worker's turn and has not been
                                        begun */
    struct pool_turn *own;           /* [workers] */
    int workers;
};

/* Makes a queue of the jobs. Returns false if there is not enough memory. */
bool pool_queue_open(struct pool_queue *q, const struct pool_job *job, size_t jobs, int workers);
void pool_queue_free(struct pool_queue *q);
/* Returns the turn of a worker; the caller runs the job at `next` and adds 1 to it. NULL: no job is left to begin.
 * If the worker's turn was empty, it gets the jobs of the next kind. Once all kinds are begun it gets one job from
 * the worker that has most of them waiting. */
struct pool_turn *pool_queue_turn(struct pool_queue *q, int worker);

#endif
