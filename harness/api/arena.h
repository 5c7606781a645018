/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena.h - the memory of one run. A method reserves what it needs, then the arena is sealed, then the loop runs.
 * To reserve after the seal is a bug that aborts, which proves that the hot loop allocates nothing. No block is
 * freed singly. */
#ifndef ASSAY_ARENA_H
#define ASSAY_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* Returns d doubles, d >= 0, 64-byte aligned and filled with NaN, so that a value that is read before it is written
 * shows in the result. */
double *arena_vec(struct arena *a, long d);
/* Returns `bytes` bytes of zeroed memory, 64-byte aligned. */
void *arena_bytes(struct arena *a, size_t bytes);
/* Returns memory for `count` elements of a type, all zero. */
#define ARENA_ARRAY(a, count, type) ((type *)arena_bytes((a), (size_t)(count) * sizeof(type)))

/* From this call to arena_reset it is a bug to reserve. */
void arena_seal(struct arena *a);

/* The following functions are for owners of an arena only. `limit` is a number of bytes; 0: there is no limit. To
 * reserve beyond it calls the handler of arena_on_exhausted, which must not return. */
struct arena *arena_new(size_t limit);
void arena_reset(struct arena *a);
void arena_free(struct arena *a);
size_t arena_used(const struct arena *a);
bool arena_sealed(const struct arena *a);
void arena_on_exhausted(void (*handler)(size_t wanted, size_t limit));

#endif
