/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_state.h - what parent and worker side of the pool share. */
#ifndef ASSAY_POOL_STATE_H
#define ASSAY_POOL_STATE_H

#include <stdint.h>
#include <sys/types.h>
#include "pool.h"

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

/* Seconds of a clock that only goes forward. */
double pool_now(void);
/* Turns a forked process into a worker on this socket; parent: its process id. */
_Noreturn void pool_become_worker(const struct pool_config *c, int fd, pid_t parent);

#endif
