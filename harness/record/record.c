/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - the result of one cell. */
#include "record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/record_data.h"
#include "status.h"

const char *record_outcome_name(enum outcome o)
{
    static const char *const names[] = {
#define X(id, text) text,
        OUTCOME_LIST(X)
#undef X
    };

    return (unsigned)o < OUTCOMES ? names[o] : "unknown";
}

bool record_outcome_parse(const char *name, enum outcome *o)
{
    for (int k = 0; k < OUTCOMES; k++) {
        if (strcmp(name, record_outcome_name(k)) == 0) {
            *o = k;
            return true;
        }
    }
    return false;
}

static char no_message[] = "";

struct record *record_new(const char *cell, const char *fingerprint)
{
    struct record *r = calloc(1, sizeof *r);

    BUG_IF(strlen(fingerprint) >= sizeof r->fingerprint);
    if (!r)
        return NULL;
    r->cell = strdup(cell);
    if (!r->cell) {
        free(r);
        return NULL;
    }
    strcpy(r->fingerprint, fingerprint);
    r->message = no_message;
    return r;
}

void record_free(struct record *r)
{
    if (!r)
        return;
    record_end(r, OUTCOME_OK, NULL);
    free(r->cell);
    record_names_disown(r);
    free(r->value);
    record_names_release(r->names);
    free(r->trace.column);
    free(r->trace.value);
    free(r);
}

void record_end(struct record *r, enum outcome o, const char *message)
{
    r->outcome = o;
    if (r->message != no_message)
        free(r->message);
    r->message = message && *message ? strndup(message, RECORD_MESSAGE - 1) : no_message;
    if (!r->message) {
        r->message = no_message;
        r->out_of_memory = true;
    }
}

/* Returns the index of the first value whose name is not before `name` in byte order. */
static size_t place(const struct record *r, const char *name)
{
    size_t lo = 0, hi = r->values;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (strcmp(r->name[mid], name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool is_at(const struct record *r, size_t k, const char *name)
{
    return k < r->values && strcmp(r->name[k], name) == 0;
}

/* Makes room for one more value, and gives the record an array of names that no other record shares. Returns false
 * if there is no memory. */
static bool make_room(struct record *r)
{
    size_t room = r->values < r->room ? r->room : r->room ? 2 * r->room : 32;
    if (r->own_name && room == r->room)
        return true;
    double *value = realloc(r->value, room * sizeof *value);
    if (!value)
        return false;
    r->value = value;
    const char **name = realloc(r->own_name ? r->name : NULL, room * sizeof *name);
    if (!name)
        return false;
    if (!r->own_name && r->values)
        memcpy(name, r->name, r->values * sizeof *name);
    r->name = name;
    r->own_name = true;
    r->room = room;
    return true;
}

void record_put(struct record *r, const char *name, double value)
{
    size_t k = place(r, name);

    BUG_IF(strlen(name) >= RECORD_NAME);
    if (is_at(r, k, name)) {
        r->value[k] = value;
        return;
    }
    const char *kept = make_room(r) ? record_names_add(&r->names, name) : NULL;
    if (!kept) {
        r->out_of_memory = true;
        return;
    }
    memmove(&r->value[k + 1], &r->value[k], (r->values - k) * sizeof *r->value);
    memmove(&r->name[k + 1], &r->name[k], (r->values - k) * sizeof *r->name);
    r->value[k] = value;
    r->name[k] = kept;
    r->values++;
}

bool record_get(const struct record *r, const char *name, double *value)
{
    size_t k = place(r, name);

    if (!is_at(r, k, name))
        return false;
    *value = r->value[k];
    return true;
}

void record_trace_column(struct record *r, const char *name)
{
    struct record_trace *t = &r->trace;
    char (*more)[RECORD_NAME];

    BUG_IF(t->rows > 0 || strlen(name) >= RECORD_NAME);
    more = realloc(t->column, (t->columns + 1) * sizeof *more);
    if (!more) {
        r->out_of_memory = true;
        return;
    }
    t->column = more;
    strcpy(t->column[t->columns++], name);
}

void record_trace_columns(struct record *r, size_t columns, const char *const *names)
{
    free(r->trace.column);
    free(r->trace.value);
    r->trace = (struct record_trace){ 0 };
    for (size_t k = 0; k < columns; k++)
        record_trace_column(r, names[k]);
}

void record_trace_row(struct record *r, const double *row)
{
    struct record_trace *t = &r->trace;

    if (t->columns == 0)
        return;
    if (t->rows == t->room) {
        size_t room = t->room ? 2 * t->room : 16;
        double *more = reallocarray(t->value, room, t->columns * sizeof *more);

        if (!more) {
            r->out_of_memory = true;
            return;
        }
        t->value = more;
        t->room = room;
    }
    memcpy(t->value + t->rows++ * t->columns, row, t->columns * sizeof *row);
}

static bool same(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

bool record_equal(const struct record *a, const struct record *b)
{
    const struct record_trace *s = &a->trace, *t = &b->trace;

    if (strcmp(a->cell, b->cell) != 0 || strcmp(a->fingerprint, b->fingerprint) != 0 ||
        a->outcome != b->outcome || strcmp(a->message, b->message) != 0 ||
        a->values != b->values || s->columns != t->columns || s->rows != t->rows)
        return false;
    for (size_t k = 0; k < a->values; k++) {
        if (!is_at(b, k, a->name[k]) || !same(a->value[k], b->value[k]))
            return false;
    }
    for (size_t k = 0; k < s->columns; k++) {
        if (strcmp(s->column[k], t->column[k]) != 0)
            return false;
    }
    for (size_t k = 0; k < s->rows * s->columns; k++) {
        if (!same(s->value[k], t->value[k]))
            return false;
    }
    return true;
}
