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
    return r;
}

void record_free(struct record *r)
{
    if (!r)
        return;
    free(r->cell);
    free(r->value);
    record_names_release(r->names);
    free(r->trace.column);
    free(r->trace.value);
    free(r);
}

void record_end(struct record *r, enum outcome o, const char *message)
{
    r->outcome = o;
    snprintf(r->message, sizeof r->message, "%s", message ? message : "");
}

/* Index of the first value whose name is not below `name`. */
static size_t place(const struct record *r, const char *name)
{
    size_t lo = 0, hi = r->values;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (strcmp(r->value[mid].name, name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool is_at(const struct record *r, size_t k, const char *name)
{
    return k < r->values && strcmp(r->value[k].name, name) == 0;
}

void record_put(struct record *r, const char *name, double value)
{
    size_t k = place(r, name);

    BUG_IF(strlen(name) >= RECORD_NAME);
    if (is_at(r, k, name)) {
        r->value[k].value = value;
        return;
    }
    if (r->values == r->room) {
        size_t room = r->room ? 2 * r->room : 32;
        struct record_value *more = realloc(r->value, room * sizeof *more);

        if (!more) {
            r->out_of_memory = true;
            return;
        }
        r->value = more;
        r->room = room;
    }
    const char *kept = record_names_add(&r->names, name);
    if (!kept) {
        r->out_of_memory = true;
        return;
    }
    memmove(&r->value[k + 1], &r->value[k], (r->values - k) * sizeof *r->value);
    r->value[k] = (struct record_value){ kept, value };
    r->values++;
}

bool record_get(const struct record *r, const char *name, double *value)
{
    size_t k = place(r, name);

    if (!is_at(r, k, name))
        return false;
    *value = r->value[k].value;
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
        if (!is_at(b, k, a->value[k].name) || !same(a->value[k].value, b->value[k].value))
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
