/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_data.h - the numbers of a record as one blob, and the blocks of names that records share. */
#ifndef ASSAY_RECORD_DATA_H
#define ASSAY_RECORD_DATA_H

#include "record/record.h"

/* --- the names of a record's values. Most of the hundred thousand records of a store have the same names as
 * another record, with which they share them */

/* A block of names, one after the other, each ended by its zero byte. A name that is in a block never moves. */
struct record_names {
    struct record_names *next;       /* more names of the same records */
    long users;                      /* number of records that use the block, plus one for each list that keeps it
                                        for later records */
    const char **name;               /* [values] the first names; NULL: this block is of one record, which has
                                        them */
    size_t values, used, room;       /* names, bytes in use, bytes of text */
    char text[];
};

/* Copies a name into the blocks that begin with *list, before which it may put a new block. NULL: no memory. */
const char *record_names_add(struct record_names **list, const char *name);
/* Takes one user away, and frees the blocks that have none left; NULL: nothing. */
void record_names_release(struct record_names *list);
/* Frees the array of names of a record if it is its own, and leaves it none. */
void record_names_disown(struct record *r);

/* Blocks kept for later records, by a hash of their text: { NULL } at first, to be forgotten in the end. */
enum { RECORD_NAMES_KEPT = 256 };
struct record_names_kept { struct record_names *at[RECORD_NAMES_KEPT]; };
void record_names_forget(struct record_names_kept *kept);

/* --- the blob */

/* (*bytes)[*n] <- values and trace, in memory that grows to *room bytes; free() it. Every NaN becomes the same one,
 * so that equal records have equal bytes. Returns false if there is no memory. */
bool record_data(const struct record *r, unsigned char **bytes, size_t *room, size_t *n);
/* Replaces values and trace by those of a blob. The names are those of a block of *kept, if one has the same.
 * Returns false, and leaves r without values, if the bytes are no such blob or, with r->out_of_memory set, if there
 * is no memory. */
bool record_take_data(struct record *r, const void *bytes, size_t n, struct record_names_kept *kept);
/* Makes r an OK record of another cell, without values, in the same memory. The fingerprint is as for record_new.
 * Returns false if there is no memory. */
bool record_reuse(struct record *r, const char *cell, const char *fingerprint);

#endif
