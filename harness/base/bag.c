/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bag.c - settings by name, kept in the order in which they were put. Of several settings with one name the last
 * counts. */
#include "base/bag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

static struct assignment *bag_new(struct bag *b, const char *name)
{
    if (b->count == b->room) {
        b->room = b->room ? 2 * b->room : 8;
        b->at = realloc(b->at, (size_t)b->room * sizeof *b->at);
        BUG_IF(!b->at);
    }
    struct assignment *a = &b->at[b->count++];
    memset(a, 0, sizeof *a);
    snprintf(a->name, sizeof a->name, "%s", name);
    return a;
}

void bag_put(struct bag *b, const char *name, double value)
{
    bag_new(b, name)->value = value;
}

void bag_put_text(struct bag *b, const char *name, const char *text)
{
    bag_new(b, name)->text = strdup(text);
}

void bag_copy(struct bag *to, const struct bag *from)
{
    for (int k = 0; k < from->count; k++) {
        if (from->at[k].text)
            bag_put_text(to, from->at[k].name, from->at[k].text);
        else
            bag_put(to, from->at[k].name, from->at[k].value);
    }
}

const struct assignment *bag_find(const struct bag *b, const char *name)
{
    for (int k = b->count - 1; k >= 0; k--)
        if (strcmp(b->at[k].name, name) == 0)
            return &b->at[k];
    return NULL;
}

void bag_free(struct bag *b)
{
    for (int k = 0; k < b->count; k++)
        free(b->at[k].text);
    free(b->at);
    memset(b, 0, sizeof *b);
}
