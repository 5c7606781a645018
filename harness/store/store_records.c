/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_records.c - records in the store: looks them up, reads and writes them, links them to runs, and verifies
 * them. */
#include "store/store_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The scan: which of many cells have a record, by the index alone.
 *
 * The cells are hashed and sorted in the order of the index. If they are many, they are compared with the index in
 * one pass over it, which reads some 60 bytes a record; if they are few, each is sought for itself. Where a cell is
 * not found, its entry may be damaged, so the scan then checks all entries before it says that there is no
 * record. */

struct sought { int64_t alike, key, print; size_t at; };     /* A cell that is looked up, by its hashes (struct
                                                                entry); at: its index in the caller's array */

struct scan {
    struct store *s;
    struct sought *sought;           /* [n] the cells that are looked up, in the order of the index */
    size_t n, next, found;           /* next: the index of the first cell that the pass over the index has not gone
                                        by; found: number of cells with a record */
    long run;                        /* only records of this run are looked up; 0: those of all runs */
    bool any;                        /* the latest record of each cell is looked up, whatever its fingerprint */
    int64_t own[USES_ALL + 1];       /* own[uses]: the stamp of a record that this kind of machine makes and that
                                        depends on the parts `uses` of the kind (kind.h) */
    int64_t wanted;                  /* a record with this stamp is preferred to all others; 0: no stamp is
                                        preferred */
    struct store_hit *hit;
};

static int entry_order(const struct entry *a, const struct entry *b)
{
    if (a->alike != b->alike)
        return a->alike < b->alike ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->print != b->print)
        return a->print < b->print ? -1 : 1;
    return (a->stamp > b->stamp) - (a->stamp < b->stamp);
}

/* Checks every entry of the index and calls each(ctx, entry, why) for it, in order. If all are sound, s->sound <-
 * true: a record that is not found is then missing, not damaged. */
static enum status each_entry(struct store *s, enum status (*each)(void *ctx, const struct entry *e,
                                                                   struct why *why),
                              void *ctx, struct why *why)
{
    sqlite3_stmt *q = NULL;
    struct entry before = { 0 }, e;
    enum status status = OK;
    int code = SQLITE_ERROR;
    if (sqlite3_prepare_v2(s->db, "SELECT " ENTRY " ORDER BY alike, key, print, stamp", -1, &q, NULL) != SQLITE_OK)
        return store_trouble(s, why);
    for (bool first = true; status == OK && (code = sqlite3_step(q)) == SQLITE_ROW; first = false) {
        status = store_entry_read(s, q, &e, why);
        if (status == OK && !first && entry_order(&before, &e) >= 0)
            status = store_damage_at(s, "the key", e.id, why);
        if (status == OK)
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

/* place[] <- the start and uuid, by which runs are ordered, of the latest run that has the record with this id; "":
 * no run has it. */
enum { PLACE = 64 };
static enum status last_run(struct store *s, long id, char place[PLACE], struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_LAST_RUN);
    sqlite3_bind_int64(q, 1, id);
    int code = sqlite3_step(q);
    snprintf(place, PLACE, "%s", code == SQLITE_ROW ? store_column_text(q, 0) : "");
    sqlite3_reset(q);
    return code == SQLITE_ROW ? OK : store_trouble(s, why);
}

static bool is_result(enum outcome o) { return o == OUTCOME_OK || o == OUTCOME_REFUSED; }

/* is_b <- is record b later than record a? It is if the latest run that has it is later. Of records with one
 * latest run a result is later than a failure, so that in a run that was merged of parts their order does not
 * decide between the two; else the one with the larger id is. A record of no run is older than all others. */
static enum status later(struct store *s, const struct store_hit *a, const struct store_hit *b, bool *is_b,
                         struct why *why)
{
    char of_a[PLACE], of_b[PLACE];
    TRY(last_run(s, a->id, of_a, why));
    TRY(last_run(s, b->id, of_b, why));
    int order = strcmp(of_b, of_a);
    order = order ? order : is_result(b->outcome) - is_result(a->outcome);
    *is_b = order ? order > 0 : b->id > a->id;
    return OK;
}

/* Returns a rank: of several records that fit a cell that is looked up, the one with the highest rank is taken. A
 * record with the wanted stamp ranks first, then one of this kind of machine before one of another, then a result
 * before a failure. Where the latest record is wanted (x->any), all rank alike. */
static int rank(const struct scan *x, const struct store_hit *h)
{
    return x->any ? 0 : 4 * (x->wanted && h->stamp == x->wanted) + 2 * !h->foreign + is_result(h->outcome);
}

enum status store_run_has(struct store *s, long run, long id, bool *has, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_HAS);
    long found = 0;
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, id);
    TRY(store_act(s, q, &found, why));
    *has = found != 0;
    return OK;
}

static enum status take(struct scan *x, struct store_hit *hit, const struct entry *e, struct why *why)
{
    bool of_run = true;
    if (x->run)
        TRY(store_run_has(x->s, x->run, e->id, &of_run, why));
    if (!of_run)
        return OK;
    struct store_hit h = { e->id, (enum outcome)e->outcome, e->seconds, true, e->maker, e->stamp };
    for (int k = 0; k <= USES_ALL; k++)
        h.foreign &= e->stamp != x->own[k];
    bool first = !hit->id, better = first || rank(x, &h) > rank(x, hit);
    if (!first && rank(x, &h) == rank(x, hit))
        TRY(later(x->s, hit, &h, &better, why));
    x->found += first;
    if (better)
        *hit = h;
    return OK;
}

/* Takes the next entry *e of a pass over the index for those of the cells looked up that it fits. */
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

/* Compares two struct sought by the order of the index. */
static int by_key(const void *a, const void *b)
{
    const struct sought *x = a, *y = b;
    if (x->alike != y->alike)
        return x->alike < y->alike ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->print > y->print) - (x->print < y->print);
}

/* Returns the number of the part that has the cell's `alike`, where the range of this hash is divided into 2^bits
 * equal parts. */
static size_t part_of(const struct sought *x, int bits)
{
    return bits ? (size_t)(((uint64_t)x->alike ^ (uint64_t)1 << 63) >> (64 - bits)) : 0;
}

/* to[n] <- from[n] in the order of the index (`by_key`). Hashes are spread evenly, so if they are first divided
 * into 2^bits parts, each part has few for qsort to sort. end[2^bits] is scratch memory. */
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

/* Returns the cells ask[n] by their hashes, in the order of the store's index (`by_key`); NULL: there is no
 * memory. */
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
    /* A pass over the index reads about 16 entries in the time of one seek: for fewer cells than entries / 16
     * seeking each is faster. */
    enum { PASS_OVER = 16 };
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
    return each_entry(x->s, meet, x, why);
}

static enum status scan(struct store *s, long run, const struct store_ask *ask, size_t n, int64_t wanted,
                        struct store_hit *hit, struct why *why)
{
    bool any = n && !ask->fingerprint;
    struct scan x = { .s = s, .n = n, .run = run, .any = any, .wanted = wanted, .hit = hit,
                      .sought = sorted(ask, n, any) };
    struct machine_kind now = kind_now();
    for (unsigned uses = 0; uses <= USES_ALL; uses++)
        x.own[uses] = store_stamp(&now, uses);
    if (!x.sought)
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    memset(hit, 0, n * sizeof *hit);
    enum status status = n ? scan_all(&x, why) : OK;
    free(x.sought);
    return status;
}

enum status store_scan(struct store *s, const struct store_ask *ask, size_t n, struct store_hit *hit,
                       struct why *why)
{
    return scan(s, 0, ask, n, 0, hit, why);
}

enum status store_scan_run(struct store *s, long run, const struct store_ask *ask, size_t n, struct store_hit *hit,
                           struct why *why)
{
    return scan(s, run, ask, n, 0, hit, why);
}

/* --- reading the records that the scan has found */

struct load {
    struct store *s;
    const struct store_ask *ask;
    const struct store_hit *hit;
    size_t *order, n;                /* [n] indices in `ask` and `hit` of the records that were found, in the order
                                        of their ids */
    struct record **found;
};

static int by_id(const void *a, const void *b, void *ctx)
{
    const struct store_hit *hit = ctx;
    long i = hit[*(const size_t *)a].id, k = hit[*(const size_t *)b].id;
    return (i > k) - (i < k);
}

/* l->found[at] <- the record in the current row of q. Checks that it is the record ask[at] that was looked up. */
static enum status load_row(struct load *l, sqlite3_stmt *q, size_t at, struct why *why)
{
    const struct store_ask *ask = &l->ask[at];
    TRY(store_row_read(l->s, q, &l->found[at], NULL, why));
    const struct record *r = l->found[at];
    if (strcmp(r->cell, ask->cell) || (ask->fingerprint && strcmp(r->fingerprint, ask->fingerprint)))
        return store_damage_at(l->s, "the key", l->hit[at].id, why);
    return OK;
}

/* Reads the rows of q in turn, and keeps the records of those that are in l->order; most of the rows are. */
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
    /* Reading 4 rows in vain takes about as long as one seek: where ids differ by more, a new pass begins. */
    enum { DENSE = 4 };
    sqlite3_stmt *q = store_use(l->s, SQL_ROWS);
    enum status status = OK;
    size_t run = 1;
    for (size_t k = 0; k < l->n && status == OK; k += run) {     /* one pass for ids without a larger gap */
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

static enum status find_all(struct store *s, const struct store_ask *ask, size_t n, bool own, struct record **found,
                            struct why *why)
{
    struct store_hit *hit = calloc(n + 1, sizeof *hit);
    if (!hit)
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    memset(found, 0, n * sizeof *found);
    /* Scan and load read one state of the store: that of a transaction, or of the batch that is open. */
    bool alone = !s->batch;
    enum status status = alone ? store_act(s, store_use(s, SQL_SNAPSHOT), NULL, why) : OK;
    if (status == OK) {
        status = store_scan(s, ask, n, hit, why);
        for (size_t k = 0; k < n && own; k++)
            hit[k].id = hit[k].foreign ? 0 : hit[k].id;
        if (status == OK)
            status = store_load(s, ask, hit, n, found, why);
        if (alone)
            status = store_finish(s, status, why);
    }
    free(hit);
    return status;
}

enum status store_find_all(struct store *s, const struct store_ask *ask, size_t n, struct record **found,
                           struct why *why)
{
    return find_all(s, ask, n, false, found, why);
}

enum status store_find_own(struct store *s, const struct store_ask *ask, size_t n, struct record **found,
                           struct why *why)
{
    return find_all(s, ask, n, true, found, why);
}

enum status store_find(struct store *s, const char *cell, const char *fingerprint, struct record **found,
                       struct why *why)
{
    return find_all(s, &(struct store_ask){ cell, fingerprint }, 1, fingerprint != NULL, found, why);
}

/* --- which run has which records: a run has ranges of ids, of which no two overlap or follow each other
 * directly */

/* Deletes those ranges of a run that begin in `from` .. *last + 1, as they will be a part of a new range that ends
 * at *last; *last is raised to the largest of their ends. Most often there are none, so a query asks first: DELETE
 * with RETURNING would set up a temporary table each time. */
static enum status absorb(struct store *s, long run, long from, long *last, struct why *why)
{
    long end = 0, to = *last + 1;
    sqlite3_stmt *q = store_use(s, SQL_WITHIN);
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, from);
    sqlite3_bind_int64(q, 3, to);
    TRY(store_act(s, q, &end, why));
    if (!end)
        return OK;
    q = store_use(s, SQL_UNLINK);
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, from);
    sqlite3_bind_int64(q, 3, to);
    *last = end > *last ? end : *last;
    return store_act(s, q, NULL, why);
}

enum status store_add_range(struct store *s, long run, long first, long last, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_BEFORE);
    int code;
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, first);
    if ((code = sqlite3_step(q)) == SQLITE_ROW && sqlite3_column_int64(q, 1) >= first - 1) {
        long end = sqlite3_column_int64(q, 1);
        first = sqlite3_column_int64(q, 0);
        if (end >= last)
            last = 0;                        /* the run has a range with all these records already */
    }
    sqlite3_reset(q);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return store_trouble(s, why);
    if (!last)
        return OK;
    TRY(absorb(s, run, first + 1, &last, why));
    q = store_use(s, SQL_LINK);
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, first);
    sqlite3_bind_int64(q, 3, last);
    return store_act(s, q, NULL, why);
}

static int by_number(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

static enum status link_all(struct store *s, long run, long *id, size_t n, struct why *why)
{
    qsort(id, n, sizeof *id, by_number);
    for (size_t k = 0, many; k < n; k += many) {
        for (many = 1; k + many < n && id[k + many] - id[k + many - 1] <= 1; many++)
            continue;
        TRY(store_add_range(s, run, id[k], id[k + many - 1], why));
    }
    return OK;
}

enum status store_link(struct store *s, long run, const struct store_hit *hit, size_t n, struct why *why)
{
    long *id = malloc((n + 1) * sizeof *id);
    size_t ids = 0;
    if (!id)
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    for (size_t k = 0; k < n; k++)
        if (hit[k].id)
            id[ids++] = hit[k].id;
    enum status status = ids ? store_act(s, store_use(s, SQL_BEGIN), NULL, why) : OK;
    if (ids && status == OK)
        status = store_finish(s, link_all(s, run, id, ids, why), why);
    free(id);
    return status;
}

/* --- putting records */

/* *id <- a new id. The id of a record that was dropped is not given out again, since a range of some run may still
 * contain it. */
enum status store_new_id(struct store *s, int64_t *id, struct why *why)
{
    if (!s->next)
        TRY(store_act(s, store_use(s, SQL_NEXT), &s->next, why));
    *id = s->next++;
    return OK;
}

/* s->run_maker <- the id of the maker that the run has: the host and kind of machine on which it began. */
static enum status find_maker(struct store *s, long run, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_RUN_MAKER);
    if (s->run == run)
        return OK;
    s->run = s->run_maker = 0;
    sqlite3_bind_int64(q, 1, run);
    TRY(store_act(s, q, &s->run_maker, why));
    if (!store_maker(s, s->run_maker))
        return why_set(why, DAMAGED, DAMAGE "%.150s: run %ld has no maker" ADVICE, s->path, run);
    s->run = run;
    return OK;
}

static enum status put_all(struct store *s, long run, const struct record *r, struct why *why)
{
    struct entry e = store_entry_of(r->cell, r->fingerprint);
    struct store_hit hit;

    TRY(find_maker(s, run, why));
    e.maker = s->run_maker;
    e.stamp = store_maker(s, e.maker)->stamp[r->uses];
    TRY(scan(s, 0, &(struct store_ask){ r->cell, r->fingerprint }, 1, e.stamp, &hit, why));
    e.id = hit.foreign && hit.stamp != e.stamp ? 0 : hit.id;
    if (!e.id)
        TRY(store_new_id(s, &e.id, why));
    TRY(store_row_write(s, r, &e, why));
    return store_add_range(s, run, e.id, e.id, why);
}

enum status store_put(struct store *s, long run, const struct record *r, struct why *why)
{
    if (r->out_of_memory)
        return why_set(why, NO_MEMORY, "incomplete record of cell `%.200s`", r->cell);
    if (!s->batch)
        TRY(store_act(s, store_use(s, SQL_BEGIN), NULL, why));
    enum status status = put_all(s, run, r, why);
    if (s->batch && status == OK)
        return OK;
    s->batch = false;
    return store_finish(s, status, why);
}

enum status store_batch_begin(struct store *s, struct why *why)
{
    TRY(store_act(s, store_use(s, SQL_BEGIN), NULL, why));
    s->batch = true;
    return OK;
}

enum status store_batch_end(struct store *s, struct why *why)
{
    if (!s->batch)
        return OK;
    s->batch = false;
    return store_finish(s, OK, why);
}

/* --- reading the records of a run, and the times of cells */

/* These statements are prepared anew for each call, so that a callback may use the store's other statements. They
 * sort cells and ids only, not whole records. */
#define SQL_EACH                                                                             \
    "SELECT r.id FROM run_records k JOIN records r ON r.id BETWEEN k.first AND k.last WHERE k.run = ?1" \
    " ORDER BY r.cell, r.fingerprint"
/* Ids of the latest record of each cell. Most cells have one record; only for the others are the runs looked up. */
#define SQL_EACH_LATEST                                                                      \
    "SELECT r.id FROM records r WHERE r.id = (SELECT CASE count(*) WHEN 1 THEN r.id ELSE"    \
    " (SELECT q.id FROM records q INDEXED BY record_keys WHERE q.alike = r.alike AND q.key = r.key" \
    " ORDER BY " LAST_RUN("q.id") " DESC, q.outcome IN ('ok', 'refused') DESC, q.id DESC LIMIT 1) END" \
    " FROM records o INDEXED BY record_keys"                                                 \
    " WHERE o.alike = r.alike AND o.key = r.key) ORDER BY r.cell"

/* *r <- the record with this id, which a query has just found. */
static enum status read_row(struct store *s, long id, struct record **r, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_ROW);
    sqlite3_bind_int64(q, 1, id);
    int code = sqlite3_step(q);
    enum status status = code == SQLITE_ROW ? store_row_read(s, q, r, NULL, why)
                       : code == SQLITE_DONE ? store_damage_at(s, "the key", id, why) : store_trouble(s, why);
    sqlite3_reset(q);
    return status;
}

enum status store_hold(struct store *s, struct why *why)
{
    return store_act(s, store_use(s, SQL_SNAPSHOT), NULL, why);
}

enum status store_each_of_run(struct store *s, long run,
                              bool (*each)(void *ctx, const struct record *r), void *ctx,
                              struct why *why)
{
    sqlite3_stmt *q = NULL;
    enum status status = OK;
    struct record *r = NULL;
    bool more = true;
    int code = SQLITE_ERROR;

    if (sqlite3_prepare_v2(s->db, run == STORE_LATEST ? SQL_EACH_LATEST : SQL_EACH, -1, &q, NULL)
        != SQLITE_OK)
        return store_trouble(s, why);
    if (run != STORE_LATEST)
        sqlite3_bind_int64(q, 1, run);
    while (more && status == OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
        status = read_row(s, sqlite3_column_int64(q, 0), &r, why);
        if (status == OK)
            more = each(ctx, r);
    }
    if (status == OK && code != SQLITE_ROW && code != SQLITE_DONE)
        status = store_trouble(s, why);
    record_free(r);
    sqlite3_finalize(q);
    return status;
}

struct timed { int64_t alike; size_t at; };

static int64_t alike_of(const char *cell)
{
    char *whole = NULL;
    BUG_IF(!strstr(cell, " | rep ") && asprintf(&whole, "%s | rep ", cell) < 0);
    int64_t alike = store_alike(whole ? whole : cell);
    free(whole);
    return alike;
}

static int by_alike(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    return (x->alike > y->alike) - (x->alike < y->alike);
}

static enum status seconds_of(struct store *s, int64_t alike, double *seconds, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_SECONDS);
    sqlite3_bind_int64(q, 1, alike);
    int code = sqlite3_step(q);
    *seconds = code == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL
                   ? sqlite3_column_double(q, 0) : NAN;
    sqlite3_reset(q);
    return code == SQLITE_ROW ? OK : store_trouble(s, why);
}

/* The cells are sorted by `alike`, so that the mean of a cell is queried once for all its replicates. */
enum status store_seconds(struct store *s, const char *const *cell, size_t n, double *seconds, struct why *why)
{
    struct timed *timed = malloc((n + 1) * sizeof *timed);
    enum status status = OK;
    double of = NAN;
    if (!timed)
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    for (size_t k = 0; k < n; k++)
        timed[k] = (struct timed){ alike_of(cell[k]), k };
    qsort(timed, n, sizeof *timed, by_alike);
    for (size_t k = 0; k < n && status == OK; k++) {
        if (!k || timed[k].alike != timed[k - 1].alike)
            status = seconds_of(s, timed[k].alike, &of, why);
        seconds[timed[k].at] = of;
    }
    free(timed);
    return status;
}

/* --- checks of the whole store */

enum status store_check(struct store *s, struct why *why)
{
    sqlite3_stmt *q = NULL;
    enum status status = OK;

    if (sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &q, NULL) != SQLITE_OK ||
        sqlite3_step(q) != SQLITE_ROW)
        status = store_trouble(s, why);
    else if (strcmp(store_column_text(q, 0), "ok") != 0)
        status = why_set(why, DAMAGED, DAMAGE "%.150s: %.100s" ADVICE, s->path,
                         store_column_text(q, 0));
    for (char *end; status != OK && why && (end = strchr(why->text, '\n'));)
        *end = ' ';                      /* if SQLite has several findings, they become one line */
    sqlite3_finalize(q);
    return status;
}

struct sums { uint64_t seals; long n, cells; struct entry last; };

static enum status add_entry(void *ctx, const struct entry *e, struct why *why)
{
    struct sums *t = ctx;
    t->cells += !t->n || t->last.alike != e->alike || t->last.key != e->key;
    t->seals += (uint32_t)store_seal(e);
    t->n++;
    t->last = *e;
    return OK;
}

/* Reads every record, by ascending id, which checks its checksum; adds its entry to *t and calls `each`, if it is
 * not NULL. */
static enum status add_rows(struct store *s, struct sums *t, store_row_fn *each, void *ctx, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_ROWS);
    struct record *r = NULL;
    enum status status = OK;
    struct entry e;
    int code = SQLITE_ERROR;
    sqlite3_bind_int64(q, 1, 0);
    sqlite3_bind_int64(q, 2, INT64_MAX);
    while (status == OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
        status = store_row_read(s, q, &r, &e, why);
        if (status == OK)
            status = add_entry(t, &e, why);
        if (status == OK && each)
            status = each(ctx, q, &e, r, why);
    }
    if (status == OK && code != SQLITE_DONE)
        status = store_trouble(s, why);
    sqlite3_reset(q);
    record_free(r);
    return status;
}

/* Returns the error for a record whose row is in the table and whose entry is not in the index; such a record is
 * looked for. */
static enum status unmatched(struct store *s, struct why *why)
{
    long id = 0;
    TRY(store_act(s, store_use(s, SQL_UNMATCHED), &id, why));
    return store_damage_at(s, "the key", id, why);
}

static enum status verify(struct store *s, struct sums *index, store_row_fn *each, void *ctx, struct why *why)
{
    struct sums rows = { 0 };
    TRY(each_entry(s, add_entry, index, why));
    TRY(add_rows(s, &rows, each, ctx, why));
    return rows.n == index->n && rows.seals == index->seals ? OK : unmatched(s, why);
}

enum status store_verify_rows(struct store *s, long *cells, store_row_fn *each, void *ctx, struct why *why)
{
    struct sums index = { 0 };
    *cells = 0;
    TRY(store_check(s, why));
    TRY(store_act(s, store_use(s, SQL_SNAPSHOT), NULL, why));
    TRY(store_finish(s, verify(s, &index, each, ctx, why), why));
    *cells = index.cells;
    return OK;
}

enum status store_verify(struct store *s, long *cells, struct why *why)
{
    return store_verify_rows(s, cells, NULL, NULL, why);
}
