/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/record_names.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { ROOM = 2048 };                /* most records have less */

struct record_names *record_names_new(size_t n)
{
    struct record_names *b = malloc(sizeof *b + n);
    if (b)
        *b = (struct record_names){ .users = 1, .room = n };
    return b;
}

const char *record_names_add(struct record_names **list, const char *name)
{
    struct record_names *b = *list;
    size_t n = strlen(name) + 1;
    if (!b || b->room - b->used < n) {       /* a shared one is full */
        if (!(b = record_names_new(n > ROOM ? n : ROOM)))
            return NULL;
        b->next = *list;
        *list = b;
    }
    char *at = memcpy(b->text + b->used, name, n);
    b->used += n;
    return at;
}

void record_names_release(struct record_names *list)
{
    while (list && --list->users == 0) {
        struct record_names *next = list->next;
        free(list);
        list = next;
    }
}

struct record_names **record_names_place(struct record_names_kept *kept, const char *text, size_t n)
{
    return &kept->at[XXH3_64bits(text, n) % RECORD_NAMES_KEPT];
}

void record_names_forget(struct record_names_kept *kept)
{
    for (int k = 0; k < RECORD_NAMES_KEPT; k++) {
        record_names_release(kept->at[k]);
        kept->at[k] = NULL;
    }
}
