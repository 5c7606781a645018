/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_scan.c - which of many cells the store has, by the index alone, and their records.
 *
 * The cells are hashed once and put in the order of the index. Many of them meet it in one pass, which
 * reads some 60 bytes a record; few are sought one by one. One that is not found may have an entry that
 * has changed, so all entries are looked at before that is believed. */
#include "store/store_state.h"

#include <stdlib.h>
#include <string.h>

struct sought { int64_t alike, key, print; size_t at; };     /* at: its place among what was asked */

struct scan {
    struct store *s;
    struct sought *sought;           /* in order */
    size_t n, next, found;
    bool any;                        /* of any fingerprint: the latest */
    struct store_hit *hit;
};

/* --- the index */

static int entry_order(const struct entry *a, const struct entry *b)
{
    if (a->alike != b->alike)
        return a->alike < b->alike ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->print > b->print) - (a->print < b->print);
}

enum status store_each_entry(struct store *s,
                             enum status (*each)(void *ctx, const struct entry *e, struct why *why),
                             void *ctx, struct why *why)
{
    sqlite3_stmt *q = NULL;
    struct entry before = { 0 }, e;
    enum status status = OK;
    int code = SQLITE_ERROR;
    if (sqlite3_prepare_v2(s->db, "SELECT " ENTRY " ORDER BY alike, key, print", -1, &q, NULL) != SQLITE_OK)
        return store_trouble(s, why);
    for (bool first = true; status == OK && (code = sqlite3_step(q)) == SQLITE_ROW; first = false) {
        status = store_entry_read(s, q, &e, why);
        if (status == OK && !first && entry_order(&before, &e) >= 0)
            status = store_damage_at(s, "the key", e.id, why);
        if (status == OK && each)
            status = each(ctx, &e, why);
        before = e;
    }
    if (status == OK && code != SQLITE_DONE)
        status = store_trouble(s, why);
    sqlite3_finalize(q);
    s->sound |= status == OK;
    return status;
}

static int order(const struct scan *x, const struct sought *a, const struct entry *b)
{
    if (a->alike != b->alike)
        return a->alike < b->alike ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return x->any ? 0 : (a->print > b->print) - (a->print < b->print);
}

/* *run <- the latest that has the record; 0: none. */
static enum status last_run(struct store *s, long id, long *run, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_LAST_RUN);
    *run = 0;
    sqlite3_bind_int64(q, 1, id);
    return store_act(s, q, run, why);
}

/* The latest record of a cell is the one of the latest run; records of no run are older still. */
static enum status later(struct store *s, long a, long b, bool *is_b, struct why *why)
{
    long of_a, of_b;
    TRY(last_run(s, a, &of_a, why));
    TRY(last_run(s, b, &of_b, why));
    *is_b = of_a != of_b ? of_b > of_a : b > a;
    return OK;
}

static enum status take(struct scan *x, struct store_hit *hit, const struct entry *e, struct why *why)
{
    bool first = !x->any || !hit->id, better = true;     /* of one fingerprint there is one */
    if (!first)
        TRY(later(x->s, hit->id, e->id, &better, why));
    x->found += first;
    if (better)
        *hit = (struct store_hit){ e->id, (enum outcome)e->outcome, e->seconds };
    return OK;
}

/* The next entry of the index meets those that were asked for it. */
static enum status meet(void *ctx, const struct entry *e, struct why *why)
{
    struct scan *x = ctx;
    while (x->next < x->n && order(x, &x->sought[x->next], e) < 0)
        x->next++;
    for (size_t k = x->next; k < x->n && order(x, &x->sought[k], e) == 0; k++)
        TRY(take(x, &x->hit[x->sought[k].at], e, why));
    return OK;
}

static enum status seek(struct scan *x, const struct sought *one, struct why *why)
{
    sqlite3_stmt *q = store_use(x->s, SQL_ENTRIES);
    enum status status = OK;
    struct entry e;
    int code = SQLITE_ROW;
    sqlite3_bind_int64(q, 1, one->alike);
    sqlite3_bind_int64(q, 2, one->key);
    while (status == OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
        status = store_entry_read(x->s, q, &e, why);
        if (status == OK && order(x, one, &e) == 0)
            status = take(x, &x->hit[one->at], &e, why);
    }
    if (status == OK && code != SQLITE_DONE)
        status = store_trouble(x->s, why);
    sqlite3_reset(q);
    return status;
}

/* --- what was asked */

static int by_key(const void *a, const void *b)
{
    const struct sought *x = a, *y = b;
    if (x->alike != y->alike)
        return x->alike < y->alike ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->print > y->print) - (x->print < y->print);
}

/* Which of 2^bits parts of the order, alike to alike, a hash belongs to. */
static size_t part_of(const struct sought *x, int bits)
{
    return bits ? (size_t)(((uint64_t)x->alike ^ (uint64_t)1 << 63) >> (64 - bits)) : 0;
}

/* to[n] <- from[n] in order: hashes spread evenly, so that they are dealt out first and few are left to
 * be compared with each other. end[2^bits] is for working. */
static void sort(const struct sought *from, struct sought *to, size_t n, size_t *end, int bits)
{
    size_t parts = (size_t)1 << bits, at = 0;
    memset(end, 0, parts * sizeof *end);
    for (size_t k = 0; k < n; k++)
        end[part_of(&from[k], bits)]++;
    for (size_t k = 0; k < parts; k++) {
        size_t size = end[k];
        end[k] = at;
        at += size;
    }
    for (size_t k = 0; k < n; k++)
        to[end[part_of(&from[k], bits)]++] = from[k];
    for (size_t k = 0; k < parts; k++) {
        size_t begin = k ? end[k - 1] : 0;
        qsort(to + begin, end[k] - begin, sizeof *to, by_key);
    }
}

/* NULL: no memory. */
static struct sought *sorted(const struct store_ask *ask, size_t n, bool any)
{
    int bits = 0;
    while ((size_t)64 << bits < n)
        bits++;
    struct sought *sought = malloc((n + 1) * sizeof *sought), *in_order = malloc((n + 1) * sizeof *sought);
    size_t *end = malloc(sizeof *end << bits);
    for (size_t k = 0; sought && k < n; k++) {
        struct entry e = store_entry_of(ask[k].cell, any ? NULL : ask[k].fingerprint);
        sought[k] = (struct sought){ e.alike, e.key, e.print, k };
    }
    if (sought && in_order && end)
        sort(sought, in_order, n, end, bits);
    bool whole = sought && end;
    free(sought);
    free(end);
    if (whole)
        return in_order;
    free(in_order);
    return NULL;
}

static enum status scan_all(struct scan *x, struct why *why)
{
    enum { PASS_OVER = 16 };         /* entries a pass reads in the time of one seek */
    long most = 0;
    TRY(store_act(x->s, store_use(x->s, SQL_MOST), &most, why));
    if (x->n < (size_t)most / PASS_OVER) {
        for (size_t k = 0; k < x->n; k++)
            TRY(seek(x, &x->sought[k], why));
        if (x->found == x->n || x->s->sound)
            return OK;
        memset(x->hit, 0, x->n * sizeof *x->hit);
        x->found = 0;
    }
    return store_each_entry(x->s, meet, x, why);
}

enum status store_scan(struct store *s, const struct store_ask *ask, size_t n, struct store_hit *hit,
                       struct why *why)
{
    bool any = n && !ask->fingerprint;
    struct scan x = { .s = s, .n = n, .any = any, .hit = hit, .sought = sorted(ask, n, any) };
    if (!x.sought)
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    memset(hit, 0, n * sizeof *hit);
    enum status status = n ? scan_all(&x, why) : OK;
    free(x.sought);
    return status;
}

/* --- their records */

struct load {
    struct store *s;
    const struct store_ask *ask;
    const struct store_hit *hit;
    size_t *order, n;                /* the hits, by id */
    struct record **found;
};

static int by_id(const void *a, const void *b, void *ctx)
{
    const struct store_hit *hit = ctx;
    long i = hit[*(const size_t *)a].id, k = hit[*(const size_t *)b].id;
    return (i > k) - (i < k);
}

/* The row at hand is what the entry said it was. */
static enum status load_row(struct load *l, sqlite3_stmt *q, size_t at, struct why *why)
{
    const struct store_ask *ask = &l->ask[at];
    TRY(store_row_read(l->s, q, &l->found[at], NULL, why));
    const struct record *r = l->found[at];
    if (strcmp(r->cell, ask->cell) || (ask->fingerprint && strcmp(r->fingerprint, ask->fingerprint)))
        return store_damage_at(l->s, "the key", l->hit[at].id, why);
    return OK;
}

/* Row after row from the first to the last, of which most are wanted. */
static enum status load_pass(struct load *l, sqlite3_stmt *q, struct why *why)
{
    size_t k = 0;
    int code = SQLITE_ROW;
    while (k < l->n && (code = sqlite3_step(q)) == SQLITE_ROW) {
        long id = sqlite3_column_int64(q, 0);
        for (; k < l->n && l->hit[l->order[k]].id == id; k++)
            TRY(load_row(l, q, l->order[k], why));
        if (k < l->n && l->hit[l->order[k]].id < id)
            break;
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return store_trouble(l->s, why);
    return k == l->n ? OK : store_damage_at(l->s, "the key", l->hit[l->order[k]].id, why);
}

static enum status load_all(struct load *l, struct why *why)
{
    enum { DENSE = 4 };              /* rows passed over in the time of one seek */
    sqlite3_stmt *q = store_use(l->s, SQL_ROWS);
    enum status status = OK;
    size_t run = 1;
    for (size_t k = 0; k < l->n && status == OK; k += run) {     /* stretches without large gaps */
        long first = l->hit[l->order[k]].id, last = first;
        for (run = 1; k + run < l->n && l->hit[l->order[k + run]].id - last <= DENSE; run++)
            last = l->hit[l->order[k + run]].id;
        struct load part = *l;
        part.order += k;
        part.n = run;
        sqlite3_bind_int64(q, 1, first);
        sqlite3_bind_int64(q, 2, last);
        status = load_pass(&part, q, why);
        sqlite3_reset(q);
    }
    return status;
}

enum status store_load(struct store *s, const struct store_ask *ask, const struct store_hit *hit, size_t n,
                       struct record **found, struct why *why)
{
    struct load l = { s, ask, hit, malloc((n + 1) * sizeof(size_t)), 0, found };
    bool in_order = true;
    if (!l.order)
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    for (size_t k = 0; k < n; k++) {
        found[k] = NULL;
        if (!hit[k].id)
            continue;
        in_order &= !l.n || hit[l.order[l.n - 1]].id <= hit[k].id;
        l.order[l.n++] = k;
    }
    if (!in_order)
        qsort_r(l.order, l.n, sizeof *l.order, by_id, (void *)hit);
    enum status status = load_all(&l, why);
    free(l.order);
    for (size_t k = 0; k < n && status != OK; k++) {
        record_free(found[k]);
        found[k] = NULL;
    }
    return status;
}

enum status store_find_all(struct store *s, const struct store_ask *ask, size_t n, struct record **found,
                           struct why *why)
{
    struct store_hit *hit = calloc(n + 1, sizeof *hit);
    if (!hit)
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    memset(found, 0, n * sizeof *found);
    enum status status = store_act(s, store_use(s, SQL_SNAPSHOT), NULL, why);    /* both of one state */
    if (status == OK) {
        status = store_scan(s, ask, n, hit, why);
        if (status == OK)
            status = store_load(s, ask, hit, n, found, why);
        status = store_finish(s, status, why);
    }
    free(hit);
    return status;
}

enum status store_find(struct store *s, const char *cell, const char *fingerprint, struct record **found,
                       struct why *why)
{
    return store_find_all(s, &(struct store_ask){ cell, fingerprint }, 1, found, why);
}
