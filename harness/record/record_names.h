/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_names.h - the names of a record's values, in blocks that records share: of a hundred thousand records
 * in a store most have the names of another. */
#ifndef ASSAY_RECORD_NAMES_H
#define ASSAY_RECORD_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Names one after the other, each ended by its zero byte; what is in a block stays where it is. */
struct record_names {
    struct record_names *next;       /* more of the same records */
    long users;                      /* records, and whoever keeps it for more of them */
    size_t values, used, room;       /* room: bytes of text */
    char text[];
};

/* A block of its own for n bytes, to be filled before it is shared. NULL: no memory. */
struct record_names *record_names_new(size_t n);
/* Copies a name into the blocks that begin with *list, which may grow by one in front. NULL: no memory. */
const char *record_names_add(struct record_names **list, const char *name);
/* One user less; NULL: nothing. */
void record_names_release(struct record_names *list);

/* Blocks that may be met again, by a hash of their text: { NULL } at first, in the end to be forgotten. */
enum { RECORD_NAMES_KEPT = 256 };
struct record_names_kept { struct record_names *at[RECORD_NAMES_KEPT]; };
/* Where a block of this text stands, or would. */
struct record_names **record_names_place(struct record_names_kept *kept, const char *text, size_t n);
void record_names_forget(struct record_names_kept *kept);

#endif
