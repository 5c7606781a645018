/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - runs jobs in forked worker processes; the parent receives their answers. A job that crashes, exits,
 * hangs or takes too much memory fails, and the other jobs go on.
 *
 * Workers are forked when pool_run starts, and later to replace workers that have ended. Each has a copy of the
 * memory of the parent at that moment, and takes jobs one after the other. A crash or lack of memory in a worker
 * that has run other jobs before may be due to those jobs, and a SIGKILL comes from outside. In both cases the job
 * runs once more in a fresh worker. So the end of a job depends neither on other jobs nor on the number of
 * workers. */
#ifndef ASSAY_POOL_H
#define ASSAY_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "status.h"

/* If a worker calls _exit(POOL_EXIT_MEMORY), as a handler for lack of memory may do, its job ends as
 * POOL_MEMORY. */
enum { POOL_EXIT_MEMORY = 77 };

enum pool_end {
    POOL_DONE,
    POOL_CRASHED,            /* the worker ended by a signal or an exit, or its answer could not be read */
    POOL_TIMEOUT,
    POOL_MEMORY
};

struct pool_job {
    size_t index;            /* passed to the callbacks `work` and `done` */
    double timeout_seconds;  /* limit of processor time; the limit of real time is ten times as much; 0: no limit */
    size_t memory_limit;     /* bytes of address space that the job may take in addition to what the worker has; 0:
                                no limit. Not enforced under AddressSanitizer, nor with workers == 0. */
    uint64_t kind;           /* jobs that follow each other in the list and have the same kind, not 0, go to one
                                worker, so that what it made for the first of them serves all. When no kind is left
                                to begin, an idle worker takes over single jobs that wait for other workers */
};

struct pool_reply;
/* To be called by `work`: appends n bytes to the answer of the job. */
void pool_append(struct pool_reply *reply, const void *bytes, size_t n);

struct pool_config {
    int workers;             /* number of worker processes; 0: jobs run in this process, one after the other, and a
                                crash ends the program */
    const struct pool_job *job;      /* [jobs], started in this order as far as their kinds allow; the caller puts
                                        the longest first */
    size_t jobs;
    void *ctx;
    /* Runs the job that has this index, in a worker, and makes its answer with pool_append. */
    void (*work)(void *ctx, size_t index, struct pool_reply *reply);
    /* Called in the parent whenever a job ends. bytes[n]: the answer, if end is POOL_DONE; message: otherwise the
     * reason, or ""; seconds: how long the job took. */
    void (*done)(void *ctx, size_t index, enum pool_end end, const void *bytes, size_t n,
                 const char *message, double seconds);
    /* Called in the parent about five times a second; may be NULL. */
    void (*tick)(void *ctx);
};

enum pool_result {
    POOL_COMPLETE,           /* done was called once for every job */
    POOL_INTERRUPTED,        /* pool_stop was called; done was not called for jobs that were running or waiting */
    POOL_FAILED              /* no worker could be started; *why has the reason */
};

enum pool_result pool_run(const struct pool_config *c, struct why *why);

/* From this call on no job starts, in this pool_run or a later one, and running jobs are killed. A signal handler
 * may call it. */
void pool_stop(void);
bool pool_stopped(void);

#endif
