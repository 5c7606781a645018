/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_data.h - the numbers of a record as one blob, and the blocks of names that records share. */
#ifndef ASSAY_RECORD_DATA_H
#define ASSAY_RECORD_DATA_H

#include "record/record.h"

/* --- the names of a record's values. Most of the hundred thousand records of a store have the same names as
 * another record, with which they share them */

/* A block of names, one after the other in `text`, each ended by its zero byte. The address of a name in a block
 * never changes. */
struct record_names {
    struct record_names *next;       /* the block with more names of the same records; NULL: there is none */
    long users;                      /* number of records that use the block, plus one for each list that keeps it
                                        for later records */
    const char **name;               /* [values] pointers to the first names, for all records that share the block;
                                        NULL: the block is used by one record only, which has pointers of its own */
    size_t values, used, room;       /* values: number of pointers in `name`; used, room: bytes of `text` in use,
                                        and in all */
    char text[];
};

/* Copies a name into the first block of the list, or into a new one put before it, and returns the copy. NULL:
 * there is no memory. */
const char *record_names_add(struct record_names **list, const char *name);
/* Removes one user of the list of blocks, and frees the blocks that have none left. NULL: nothing is done. */
void record_names_release(struct record_names *list);
/* Takes the array `name` from a record, and frees it if it belongs to this record alone. */
void record_names_disown(struct record *r);

/* Blocks kept for later records that have the same names, by a hash of their text. To be initialised with { NULL }
 * and freed by record_names_forget. */
enum { RECORD_NAMES_KEPT = 256 };
struct record_names_kept { struct record_names *at[RECORD_NAMES_KEPT]; };
void record_names_forget(struct record_names_kept *kept);

/* --- the blob: values and trace of a record as bytes */

/* (*bytes)[*n] <- values and trace, in memory that grows to *room bytes; free() it. All NaNs get the same bytes, so
 * that equal records have equal bytes. Returns false if there is no memory. */
bool record_data(const struct record *r, unsigned char **bytes, size_t *room, size_t *n);
/* Replaces values and trace by those of a blob. If a block of *kept has the same names, the record shares it.
 * Returns false, and leaves r without values, if the bytes are not a blob of record_data, or if there is no memory;
 * in the latter case r->out_of_memory is set. */
bool record_take_data(struct record *r, const void *bytes, size_t n, struct record_names_kept *kept);
/* Makes r a record of another cell, with OUTCOME_OK and without values, in the same memory. The fingerprint is as
 * for record_new. Returns false if there is no memory. */
bool record_reuse(struct record *r, const char *cell, const char *fingerprint);

#endif
