/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wide.c - writes runs as rows of one table, with a column for each thing that some run has. */
#include "record/wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "record/listing.h"
#include "status.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* --- columns by name */

struct wide_index {
    int *slot, slots;                /* slot: a hash table of the columns by name, with open addressing: index of a
                                        column plus 1, or 0; slots: its length, a power of two, 4 times `room` */
    int room;                        /* number of columns for which there is memory */
    int *guess, guesses;             /* guess[k]: the column of the k-th value of the last record that had one: most
                                        records have the values of the record before */
    char *text;                      /* [text_room] the text of the cell that was read last, cut into words, each
                                        ended by a zero byte */
    size_t text_room;
    int *shown;
};

static int *place_of(const struct wide_index *x, const struct wide_column *column, const char *name)
{
    unsigned k = (unsigned)XXH3_64bits(name, strlen(name));
    for (;; k++) {
        int *slot = &x->slot[k & (unsigned)(x->slots - 1)];
        if (!*slot || strcmp(column[*slot - 1].name, name) == 0)
            return slot;
    }
}

int wide_find(const struct wide *w, const char *name)
{
    return *place_of(w->index, w->column, name) - 1;
}

static void grow(struct wide *w)
{
    struct wide_index *x = w->index;
    x->room *= 2;
    x->slots = 4 * x->room;
    free(x->slot);
    x->slot = calloc((size_t)x->slots, sizeof *x->slot);
    w->column = realloc(w->column, (size_t)x->room * sizeof *w->column);
    w->value = realloc(w->value, (size_t)x->room * sizeof *w->value);
    BUG_IF(!x->slot || !w->column || !w->value);
    for (int k = 0; k < w->columns; k++)
        *place_of(x, w->column, w->column[k].name) = k + 1;
}

static int column_of(struct wide *w, const char *name)
{
    struct wide_index *x = w->index;
    int found = wide_find(w, name);
    if (found >= 0)
        return found;
    if (w->columns == x->room)
        grow(w);
    struct wide_column *c = &w->column[w->columns];
    *c = (struct wide_column){ .kind = WIDE_INTEGER, .empty = true };
    BUG_IF(snprintf(c->name, sizeof c->name, "%s", name) >= (int)sizeof c->name);
    w->value[w->columns] = (struct wide_value){ NULL, NAN };
    *place_of(x, w->column, name) = ++w->columns;
    return w->columns - 1;
}

struct wide wide_new(bool canonical)
{
    struct wide w = { .canonical = canonical, .index = calloc(1, sizeof *w.index) };
    BUG_IF(!w.index);
    w.index->room = 64;
    grow(&w);
    return w;
}

void wide_free(struct wide *w)
{
    free(w->column);
    free(w->value);
    free(w->index->slot);
    free(w->index->guess);
    free(w->index->text);
    free(w->index->shown);
    free(w->index);
}

/* --- one run as a row */

void wide_clear(struct wide *w)
{
    for (int k = 0; k < w->columns; k++)
        w->value[k] = (struct wide_value){ NULL, NAN };
}

void wide_put(struct wide *w, const char *name, const char *text, double number)
{
    int k = column_of(w, name);
    w->value[k] = (struct wide_value){ text, number };
}

static int hexadecimal(char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

/* Replaces each %XX in a word of a cell's text by the byte that it stands for, in place. */
static void unescape(char *word)
{
    char *to = word;
    for (const char *c = word; *c; c++)
        if (*c == '%' && c[1] && c[2]) {
            *to++ = (char)(16 * hexadecimal(c[1]) + hexadecimal(c[2]));
            c += 2;
        } else {
            *to++ = *c;
        }
    *to = 0;
}

/* Puts one word of a cell's text into the row: the name of the problem or method, or SETTING=VALUE. scope: the
 * first word of the section in which it stands, such as "problem" or "goal". */
static void put_word(struct wide *w, const char *scope, char *word)
{
    char name[WIDE_NAME], *equals = strchr(word, '=');
    double number;
    if (equals)
        *equals = 0;
    if (equals)
        snprintf(name, sizeof name, "%.10s.%.64s", scope, word);
    else
        snprintf(name, sizeof name, "%.20s", strcmp(scope, "algo") ? scope : "algorithm");
    char *value = equals ? equals + 1 : word;
    if (number_parse(value, &number)) {
        wide_put(w, strcmp(name, "run.seed") ? name : "seed", NULL, number);
    } else {
        unescape(value);
        wide_put(w, name, value, NAN);
    }
}

/* Puts the problem, the method and the settings of a cell, all read from the cell's text, into the row. */
static void put_cell(struct wide *w, const char *cell)
{
    struct wide_index *x = w->index;
    size_t n = strlen(cell) + 1;
    char *part, *save = NULL;
    if (n > x->text_room) {
        x->text_room = 2 * n;
        x->text = realloc(x->text, x->text_room);
        BUG_IF(!x->text);
    }
    char *rest = memcpy(x->text, cell, n);
    wide_put(w, "seed", NULL, 1);
    while ((part = strsep(&rest, "|"))) {
        const char *scope = strtok_r(part, " ", &save);
        for (char *word; scope && (word = strtok_r(NULL, " ", &save));)
            put_word(w, scope, word);
    }
    wide_put(w, "cell", cell, NAN);
}

static void put_values(struct wide *w, const struct record *r)
{
    struct wide_index *x = w->index;
    if ((int)r->values > x->guesses) {
        x->guess = realloc(x->guess, r->values * sizeof *x->guess);
        BUG_IF(!x->guess);
        for (; x->guesses < (int)r->values; x->guesses++)
            x->guess[x->guesses] = 0;
    }
    for (size_t k = 0; k < r->values; k++) {
        int at = x->guess[k];
        if (at >= w->columns || strcmp(w->column[at].name, r->name[k]))
            at = x->guess[k] = column_of(w, r->name[k]);
        w->value[at] = (struct wide_value){ NULL, r->value[k] };
    }
}

void wide_read(struct wide *w, const struct record *r)
{
    wide_clear(w);
    put_cell(w, r->cell);
    wide_put(w, "outcome", record_outcome_name(r->outcome), NAN);
    if (*r->message)
        wide_put(w, "message", r->message, NAN);
    if (!w->canonical) {
        wide_put(w, "seconds", NULL, r->seconds);
        wide_put(w, "peak_bytes", NULL, r->peak_bytes);
    }
    put_values(w, r);
}

/* --- the columns of the table: their kinds, and the order in which they are shown */

bool wide_is_integer(double x)
{
    return x == rint(x) && fabs(x) <= 0x1p53 && !(x == 0 && signbit(x));
}

static bool has_value(const struct wide_value *v) { return v->text || !isnan(v->number); }

void wide_keep(struct wide *w)
{
    for (int k = 0; k < w->columns; k++) {
        const struct wide_value *v = &w->value[k];
        struct wide_column *c = &w->column[k];
        if (!has_value(v))
            continue;
        enum wide_kind kind = v->text ? WIDE_TEXT : wide_is_integer(v->number) ? WIDE_INTEGER : WIDE_REAL;
        c->kind = kind > c->kind ? kind : c->kind;
        c->empty = false;
    }
}

/* Returns the rank of the group to which a column belongs: columns are sorted by it, and by name in a group. */
static int group_of(const char *name)
{
    static const char *const before[] = { "id", "row", "problem", "algorithm", "goal.", "problem.", "algo.", "run.",
                                          "rep", "seed", "outcome", "message", "seconds", "peak_bytes",
                                          "measure.", "error.", "count." };
    enum { GROUPS = sizeof before / sizeof *before };
    for (int k = 0; k < GROUPS; k++) {
        size_t n = strlen(before[k]);
        if (strncmp(name, before[k], n) == 0 && (before[k][n - 1] == '.' || !name[n]))
            return k;
    }
    return strcmp(name, "cell") ? GROUPS : GROUPS + 1;
}

static int in_order(const void *a, const void *b, void *column)
{
    const char *x = ((struct wide_column *)column)[*(const int *)a].name,
               *y = ((struct wide_column *)column)[*(const int *)b].name;
    int groups = group_of(x) - group_of(y);
    return groups ? groups : strcmp(x, y);
}

void wide_arrange(struct wide *w)
{
    int *shown = realloc(w->index->shown, (size_t)w->columns * sizeof *shown);
    BUG_IF(!shown);
    w->index->shown = shown;
    w->shown = shown;
    w->shows = 0;
    for (int k = 0; k < w->columns; k++)
        if (!w->column[k].empty)
            shown[w->shows++] = k;
    qsort_r(shown, (size_t)w->shows, sizeof *shown, in_order, w->column);
}

/* --- rows written as CSV or JSON */

/* Returns the text of a number of a column of this kind, for which it may use buffer[32]. */
static const char *digits(enum wide_kind kind, double x, char *buffer)
{
    if (kind == WIDE_INTEGER && x >= 0 && x < 10)        /* for speed, since most counts are below 10 */
        return (const char *const[]){ "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" }[(int)x];
    if (kind != WIDE_INTEGER)
        return number_text(x, buffer);
    snprintf(buffer, 32, "%.0f", x);
    return buffer;
}

void wide_heading(const struct wide *w, FILE *out)
{
    for (int k = 0; k < w->shows; k++) {
        if (k)
            putc_unlocked(',', out);
        listing_csv_text(out, w->column[w->shown[k]].name);
    }
    putc_unlocked('\n', out);
}

static void write_csv(const struct wide *w, FILE *out)
{
    char buffer[32];
    for (int k = 0; k < w->shows; k++) {
        const struct wide_value *v = &w->value[w->shown[k]];
        if (k)
            putc_unlocked(',', out);
        if (v->text)
            listing_csv_text(out, v->text);
        else if (isinf(v->number))
            fputs_unlocked(v->number > 0 ? "inf" : "-inf", out);
        else if (!isnan(v->number))
            fputs_unlocked(digits(w->column[w->shown[k]].kind, v->number, buffer), out);
    }
    putc_unlocked('\n', out);
}

static void write_json(const struct wide *w, FILE *out)
{
    struct json j = { .out = out };
    char buffer[32];
    json_open(&j, NULL, '{');
    for (int k = 0; k < w->shows; k++) {
        const struct wide_column *c = &w->column[w->shown[k]];
        const struct wide_value *v = &w->value[w->shown[k]];
        if (v->text)
            json_text(&j, c->name, v->text);
        else if (isinf(v->number))
            json_digits(&j, c->name, v->number > 0 ? "Infinity" : "-Infinity");
        else if (!isnan(v->number))
            json_digits(&j, c->name, digits(c->kind, v->number, buffer));
    }
    json_close(&j, '}');
    putc_unlocked('\n', out);
}

void wide_write(const struct wide *w, FILE *out, enum record_format format)
{
    if (format == RECORD_JSON)
        write_json(w, out);
    else
        write_csv(w, out);
}
