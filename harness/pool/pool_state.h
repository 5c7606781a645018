/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_state.h - what parent and worker side of the pool share. */
#ifndef ASSAY_POOL_STATE_H
#define ASSAY_POOL_STATE_H

#include <stdint.h>
#include <sys/types.h>
#include "pool/pool.h"

struct pool_reply {
    unsigned char *bytes;
    size_t n, room;
};

/* What precedes an answer; anything else on the stream is a crash. */
struct pool_head {
    uint64_t magic, position, bytes;
    double seconds;
};
#define POOL_MAGIC 0x7265777361796c70u

/* Positions next..end-1, which wait for one worker. */
struct pool_turn { size_t next, end; };

struct pool_queue {
    const struct pool_job *job;
    size_t jobs, next;               /* the first that no worker has begun or waits for */
    struct pool_turn *own;           /* [workers] */
    int workers;
};

/* false: no memory. */
bool pool_queue_open(struct pool_queue *q, const struct pool_job *job, size_t jobs, int workers);
void pool_queue_free(struct pool_queue *q);
/* Those of a worker, the next of them first, which the caller takes by next++; NULL: there is nothing
 * left to begin. An idle worker begins the next kind, and once all are begun takes one job after the other
 * off the worker that has most of them waiting. */
struct pool_turn *pool_queue_turn(struct pool_queue *q, int worker);

/* Seconds of a clock that only goes forward. */
double pool_now(void);
/* Turns a forked process into a worker on this socket; parent: its process id. */
_Noreturn void pool_become_worker(const struct pool_config *c, int fd, pid_t parent);

#endif
