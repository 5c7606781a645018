/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena.c - implements arena.h by chunks of memory, each of which is used from its beginning. */
#include "arena.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>

#include "status.h"

/* All sizes are in bytes. ALIGN, a cache line, is the alignment of every allocation. The size of a chunk is a power of
 * two from FIRST to CHUNK, at least what the arena uses already and what is asked for, so that requests which grow
 * slowly find room in the chunks that are there. A request for more than CHUNK gets a chunk of its own size. A chunk
 * of at least LARGE bytes asks the kernel for pages of HUGE bytes: the processor remembers the addresses of only some
 * ten megabytes of ordinary pages, and access to rows beyond them waits for the page tables. Measured: reading a table
 * from memory becomes a third faster. */
enum { ALIGN = 64, FIRST = 1 << 14, CHUNK = 1 << 20, HUGE = 2 << 20, LARGE = 4 << 20 };

/* arena_reset keeps the chunks, so that the later cells of a worker ask the system for no memory. */
struct chunk {
    struct chunk *next;
    size_t size, used;
    unsigned char *bytes;
};

struct arena {
    struct chunk *first, *current;
    size_t limit, used;
    bool sealed;
};

static void (*exhausted)(size_t wanted, size_t limit);

void arena_on_exhausted(void (*handler)(size_t wanted, size_t limit))
{
    exhausted = handler;
}

static _Noreturn void give_up(size_t wanted, size_t limit)
{
    if (exhausted)
        exhausted(wanted, limit);
    fprintf(stderr, "assay: out of memory: %zu bytes wanted, limit %zu\n", wanted, limit);
    abort();
}

struct arena *arena_new(size_t limit)
{
    struct arena *a = calloc(1, sizeof *a);
    if (!a)
        give_up(sizeof *a, 0);
    a->limit = limit;
    return a;
}

static struct chunk *chunk_new(struct arena *a, size_t bytes)
{
    bool large = bytes >= LARGE;
    size_t least = FIRST;
    while (least < CHUNK && (least < bytes || least < a->used))
        least *= 2;
    size_t size = large ? (bytes + HUGE - 1) / HUGE * HUGE : bytes > least ? bytes : least;
    struct chunk *c = malloc(sizeof *c);
    unsigned char *memory = c ? aligned_alloc(large ? HUGE : ALIGN, size) : NULL;
    if (!memory) {
        free(c);
        give_up(bytes, a->limit);
    }
    if (large)
        madvise(memory, size, MADV_HUGEPAGE);    /* if refused, the pages stay ordinary */
    *c = (struct chunk){ .size = size, .bytes = memory };
    return c;
}

/* Returns the first chunk from `current` on with room for `bytes`, or a new one at the end of the list. */
static struct chunk *chunk_with_room(struct arena *a, size_t bytes)
{
    for (struct chunk *c = a->current; c; c = c->next)
        if (c->size - c->used >= bytes)
            return a->current = c;
    struct chunk *c = chunk_new(a, bytes), **tail = &a->first;
    while (*tail)
        tail = &(*tail)->next;
    return a->current = *tail = c;
}

static void *reserve(struct arena *a, size_t bytes)
{
    BUG_IF(a->sealed);
    if (bytes > SIZE_MAX / 2 || (a->limit && (bytes > a->limit || a->used > a->limit - bytes)))
        give_up(bytes, a->limit);
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    struct chunk *c = chunk_with_room(a, bytes);
    void *p = c->bytes + c->used;
    c->used += bytes;
    a->used += bytes;
    return p;
}

void *arena_bytes(struct arena *a, size_t bytes)
{
    void *p = reserve(a, bytes ? bytes : 1);
    memset(p, 0, bytes);
    return p;
}

double *arena_vec(struct arena *a, long d)
{
    BUG_IF(d < 0);
    if ((size_t)d > SIZE_MAX / 4 / sizeof(double))
        give_up(SIZE_MAX, a->limit);
    double *x = reserve(a, d ? (size_t)d * sizeof *x : 1);
    for (long j = 0; j < d; j++)
        x[j] = NAN;
    return x;
}

void arena_seal(struct arena *a)
{
    a->sealed = true;
}

bool arena_sealed(const struct arena *a)
{
    return a->sealed;
}

void arena_reset(struct arena *a)
{
    for (struct chunk *c = a->first; c; c = c->next)
        c->used = 0;
    a->current = a->first;
    a->used = 0;
    a->sealed = false;
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    for (struct chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        free(c->bytes);
        free(c);
    }
    free(a);
}

size_t arena_used(const struct arena *a)
{
    return a->used;
}
