/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_queue.c - which job a worker takes next: those of a kind stay with the worker that has begun it. */
#include "pool/pool_state.h"

#include <stdlib.h>

bool pool_queue_open(struct pool_queue *q, const struct pool_job *job, size_t jobs, int workers)
{
    *q = (struct pool_queue){ .job = job, .jobs = jobs, .workers = workers,
                              .own = calloc((size_t)workers + 1, sizeof *q->own) };
    return q->own;
}

void pool_queue_free(struct pool_queue *q)
{
    free(q->own);
    q->own = NULL;
}

/* The next kind, whole. */
static struct pool_turn begin_kind(struct pool_queue *q)
{
    size_t from = q->next++;
    while (q->next < q->jobs && q->job[from].kind && q->job[q->next].kind == q->job[from].kind)
        q->next++;
    return (struct pool_turn){ from, q->next };
}

/* The first of those that wait longest for their worker. */
static struct pool_turn relieve(struct pool_queue *q)
{
    struct pool_turn *most = q->own;
    for (struct pool_turn *o = q->own; o < q->own + q->workers; o++)
        if (o->end - o->next > most->end - most->next)
            most = o;
    if (most->next == most->end)
        return *most;
    most->next++;
    return (struct pool_turn){ most->next - 1, most->next };
}

struct pool_turn *pool_queue_turn(struct pool_queue *q, int worker)
{
    struct pool_turn *own = &q->own[worker];
    if (own->next == own->end)
        *own = q->next < q->jobs ? begin_kind(q) : relieve(q);
    return own->next < own->end ? own : NULL;
}
