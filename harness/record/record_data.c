/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_data.c - the numbers of a record as one blob, and the blocks of names that records share. */
#include "record/record_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "status.h"

/* --- blocks of names */

/* The number of bytes of a new block of names, enough for all names of most records. */
enum { ROOM = 2048 };

/* Returns an empty block for n bytes of names, with one user; NULL: there is no memory. */
static struct record_names *new_block(size_t n)
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
    if (!b || b->room - b->used < n) {       /* always so if the block is shared, since it has no room left */
        if (!(b = new_block(n > ROOM ? n : ROOM)))
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
        free(list->name);
        free(list);
        list = next;
    }
}

void record_names_disown(struct record *r)
{
    if (r->own_name)
        free(r->name);
    r->name = NULL;
    r->own_name = false;
}

/* Returns the element of kept->at for blocks with this hash of their text; it may be NULL or hold a block with
 * another text. */
static struct record_names **place_of(struct record_names_kept *kept, const char *text, size_t n)
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

/* --- a record written as a blob */

struct head { uint32_t values, columns; uint64_t rows; };

static size_t names_size(const struct record *r)
{
    size_t n = 0;
    for (size_t k = 0; k < r->values; k++)
        n += strlen(r->name[k]) + 1;
    for (size_t k = 0; k < r->trace.columns; k++)
        n += strlen(r->trace.column[k]) + 1;
    return n;
}

static unsigned char *put_bytes(unsigned char *to, const void *from, size_t n)
{
    if (n)
        memcpy(to, from, n);
    return to + n;
}

static unsigned char *put_real(unsigned char *to, double v)
{
    v = isnan(v) ? NAN : v;              /* all NaNs get the same bytes */
    return put_bytes(to, &v, sizeof v);
}

static unsigned char *put_name(unsigned char *to, const char *name)
{
    return put_bytes(to, name, strlen(name) + 1);
}

bool record_data(const struct record *r, unsigned char **bytes, size_t *room, size_t *n)
{
    const struct record_trace *t = &r->trace;
    struct head h = { (uint32_t)r->values, (uint32_t)t->columns, t->rows };
    *n = sizeof h + (r->values + t->rows * t->columns) * sizeof(double) + names_size(r);
    if (*n > *room) {
        unsigned char *more = realloc(*bytes, 2 * *n);
        if (!more)
            return false;
        *bytes = more;
        *room = 2 * *n;
    }
    unsigned char *to = put_bytes(*bytes, &h, sizeof h);
    for (size_t k = 0; k < r->values; k++)
        to = put_real(to, r->value[k]);
    for (size_t k = 0; k < t->rows * t->columns; k++)
        to = put_real(to, t->value[k]);
    for (size_t k = 0; k < r->values; k++)
        to = put_name(to, r->name[k]);
    for (size_t k = 0; k < t->columns; k++)
        to = put_name(to, t->column[k]);
    return true;
}

/* --- Reading a blob. It may come from a damaged file, so every count and name in it is checked. */

static bool room_for_values(struct record *r, size_t n)
{
    if (n <= r->room)
        return true;
    double *more = realloc(r->value, n * sizeof *more);
    if (!more)
        return false;
    r->value = more;
    r->room = n;
    return true;
}

static bool room_for_trace(struct record_trace *t, size_t columns, size_t rows)
{
    void *names = columns ? realloc(t->column, columns * sizeof *t->column) : t->column;
    if (!names)
        return columns == 0;
    t->column = names;
    double *value = rows ? realloc(t->value, rows * columns * sizeof *value) : t->value;
    if (!value)
        return rows == 0;
    t->value = value;
    t->room = rows;
    return true;
}

/* out[RECORD_NAME] <- the name that begins at `from`. Returns the address behind its zero byte, or NULL if it does
 * not end before `end` or is too long for a record. */
static const char *take_name(const char *from, const char *end, char *out)
{
    const char *zero = from && from < end ? memchr(from, 0, (size_t)(end - from)) : NULL;
    if (!zero || zero - from >= RECORD_NAME)
        return NULL;
    memcpy(out, from, (size_t)(zero - from) + 1);
    return zero + 1;
}

/* Returns a new block with a copy of the bytes from..end, which begin with the names of h->values values. Returns
 * NULL where these are not so many names in byte order, or if there is no memory. */
static struct record_names *names_of(const struct head *h, const char *from, const char *end, bool *out_of_memory)
{
    size_t n = (size_t)(end - from);
    struct record_names *b = new_block(n);
    const char *at = from, *before = "";
    if (!b) {
        *out_of_memory = true;
        return NULL;
    }
    memcpy(b->text, from, n);
    b->used = n;
    b->values = h->values;
    b->name = malloc((h->values + 1) * sizeof *b->name);
    *out_of_memory |= !b->name;
    for (size_t k = 0; b->name && k < h->values && at; k++) {
        const char *zero = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
        bool good = zero && zero - at < RECORD_NAME && (k == 0 || strcmp(before, at) < 0);
        b->name[k] = b->text + (at - from);
        before = at;
        at = good ? zero + 1 : NULL;
    }
    if (b->name && at)
        return b;
    record_names_release(b);
    return NULL;
}

/* Returns a block with the bytes from..end: one that is kept in *kept, if it has the same bytes, else a new block,
 * which takes its place there. */
static struct record_names *shared_names(const struct head *h, const char *from, const char *end,
                                         struct record_names_kept *kept, bool *out_of_memory)
{
    size_t n = (size_t)(end - from);
    struct record_names **place = place_of(kept, from, n), *b = *place;
    if (b && b->values == h->values && b->used == n && memcmp(b->text, from, n) == 0)
        return b;
    b = names_of(h, from, end, out_of_memory);
    if (b) {
        record_names_release(*place);
        *place = b;
    }
    return b;
}

static bool take_names(struct record *r, const struct head *h, const char *from, const char *end,
                       struct record_names_kept *kept)
{
    struct record_names *b = shared_names(h, from, end, kept, &r->out_of_memory);
    if (!b)
        return false;
    record_names_disown(r);
    record_names_release(r->names);
    r->names = b;
    r->name = b->name;
    b->users++;
    if (h->values)
        from += b->name[h->values - 1] - b->text + (ptrdiff_t)strlen(b->name[h->values - 1]) + 1;
    for (size_t k = 0; k < h->columns; k++)
        from = take_name(from, end, r->trace.column[k]);
    return from == end;
}

/* Do the numbers of values, columns and rows in the head of a blob fit into the n bytes behind it, with at least
 * one byte for each name? */
static bool fits(const struct head *h, size_t n)
{
    size_t doubles = n / sizeof(double);
    if (h->values > doubles || (h->columns ? h->rows > (doubles - h->values) / h->columns : h->rows > 0))
        return false;
    return (size_t)h->values + h->columns <= n - (h->values + h->rows * h->columns) * sizeof(double);
}

bool record_take_data(struct record *r, const void *bytes, size_t n, struct record_names_kept *kept)
{
    const char *at = bytes, *end = at + n;
    struct head h;
    r->values = r->trace.columns = r->trace.rows = 0;
    if (n < sizeof h)
        return false;
    memcpy(&h, at, sizeof h);
    at += sizeof h;
    if (!fits(&h, n - sizeof h))
        return false;
    if (!room_for_values(r, h.values) || !room_for_trace(&r->trace, h.columns, h.rows)) {
        r->out_of_memory = true;
        return false;
    }
    if (h.values)
        memcpy(r->value, at, h.values * sizeof(double));
    at += h.values * sizeof(double);
    size_t size = h.rows * h.columns * sizeof(double);
    if (size)
        memcpy(r->trace.value, at, size);
    if (!take_names(r, &h, at + size, end, kept))
        return false;
    r->values = h.values;
    r->trace.columns = h.columns;
    r->trace.rows = h.rows;
    return true;
}

bool record_reuse(struct record *r, const char *cell, const char *fingerprint)
{
    size_t n = strlen(cell) + 1;
    char *text = realloc(r->cell, n);
    BUG_IF(strlen(fingerprint) >= sizeof r->fingerprint);
    if (!text)
        return false;
    r->cell = memcpy(text, cell, n);
    strcpy(r->fingerprint, fingerprint);
    record_end(r, OUTCOME_OK, NULL);
    record_names_disown(r);
    record_names_release(r->names);
    r->names = NULL;
    r->values = r->trace.columns = r->trace.rows = r->trace.room = 0;
    r->seconds = r->peak_bytes = 0;
    r->uses = 0;
    r->out_of_memory = false;
    return true;
}
