/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger.c - books entries in the ledger. */
#include "privacy/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

/* Are equal positions (first, count) of two entries equal records? */
static bool same_order(const struct ledger_entry *a, const struct ledger_entry *b)
{
    return a->scheme == b->scheme && (a->scheme == SAMPLING_FRESH ||
                                      (a->scheme == SAMPLING_SHUFFLED && a->draw == b->draw));
}

/* Does entry b continue entry a, so that the two can become one entry with more repeats? A single epoch of a
 * million steps then books one entry instead of a million. */
static bool continues(const struct ledger_entry *a, const struct ledger_entry *b)
{
    return a->site == b->site && a->mechanism == b->mechanism && a->norm == b->norm &&
           a->sensitivity == b->sensitivity && a->scale == b->scale && same_order(a, b) &&
           a->first + a->count == b->first && a->batch == b->batch &&
           a->failure == b->failure && a->hidden == b->hidden && a->dimension == b->dimension &&
           a->stream == b->stream && a->cover == b->cover &&
           (a->step == 0 || a->step + (long)a->repeats == b->step);
}

void ledger_book(struct ledger *l, const struct ledger_entry *e)
{
    struct ledger_entry *last = l->entries ? l->entry + l->entries - 1 : NULL;
    memcpy(l->before, l->drawn, sizeof l->before);
    if (last && continues(last, e)) {
        last->count += e->count;
        last->repeats += e->repeats;
        return;
    }
    if (l->entries == l->room) {
        l->room = l->room ? 2 * l->room : 16;
        l->entry = realloc(l->entry, (size_t)l->room * sizeof *l->entry);
        BUG_IF(!l->entry);
    }
    l->entry[l->entries++] = *e;
}

void ledger_take_room(struct ledger *l, struct ledger *from)
{
    BUG_IF(l->room);
    l->entry = from->entry;
    l->room = from->room;
    memset(from, 0, sizeof *from);
}

void ledger_free(struct ledger *l)
{
    free(l->entry);
    memset(l, 0, sizeof *l);
}
