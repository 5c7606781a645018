/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - runs jobs in forked worker processes; the parent alone gets results. A job that crashes,
 * exits, hangs or eats memory ends as such and costs no other job.
 *
 * Workers are forked from the parent as it is when pool_run starts (later replacements: as it is
 * then), and take jobs one after the other. A crash or lack of memory in a worker that has served
 * other jobs before is not believed, nor is a SIGKILL, which comes from outside: the job runs once
 * more in a fresh worker, so that no job pays for what it has not broken, and ends do not depend on
 * the number of workers. */
#ifndef ASSAY_POOL_H
#define ASSAY_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "status.h"

/* For out-of-memory handlers: _exit(POOL_EXIT_MEMORY) in a worker ends the job as POOL_MEMORY. */
enum { POOL_EXIT_MEMORY = 77 };

enum pool_end {
    POOL_DONE,
    POOL_CRASHED,            /* a signal, an exit, an answer that is none */
    POOL_TIMEOUT,
    POOL_MEMORY
};

struct pool_job {
    size_t index;            /* what the callbacks are told */
    double timeout_seconds;  /* of processor time, and ten times as much of waiting; 0: none */
    size_t memory_limit;     /* bytes of address space beyond what the worker has; 0: none. Not
                              * enforced under AddressSanitizer, nor with workers == 0. */
    uint64_t kind;           /* jobs in a row of one kind, not 0, go to one worker one after the other, as long as
                              * the others have something to begin: what it made for one serves all */
};

struct pool_reply;
/* Appends n bytes to the answer of the running job. */
void pool_append(struct pool_reply *reply, const void *bytes, size_t n);

struct pool_config {
    int workers;             /* 0: in this process, one after the other, unprotected */
    const struct pool_job *job;      /* [jobs], started in this order: longest first */
    size_t jobs;
    void *ctx;
    /* In a worker. */
    void (*work)(void *ctx, size_t index, struct pool_reply *reply);
    /* In the parent, as jobs end. bytes[n]: the answer if DONE; message: why not, else "";
     * seconds: of the job alone. */
    void (*done)(void *ctx, size_t index, enum pool_end end, const void *bytes, size_t n,
                 const char *message, double seconds);
    /* In the parent, about five times a second; may be NULL. */
    void (*tick)(void *ctx);
};

enum pool_result {
    POOL_COMPLETE,           /* done was called once for every job */
    POOL_INTERRUPTED,        /* pool_stop: not for jobs that were running or waiting */
    POOL_FAILED              /* no worker could be started; why says the reason */
};

enum pool_result pool_run(const struct pool_config *c, struct why *why);

/* From now on no job starts, in this pool_run or a later one, and running ones are killed. May be
 * called by a signal handler. */
void pool_stop(void);
bool pool_stopped(void);

#endif
