/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_merge.c - copies the records, runs and standings of several stores into one, the target.
 *
 * A first pass reads every input whole, and keeps the identity and the digest of every record in a temporary table:
 * records of one identity must be equal, in all inputs and in the target. Then each input is written to the target
 * in one transaction, so that after a kill the target has whole inputs; the transaction also stores the digest of
 * the input, by which a repeated command knows that it is done. Only the temporary table grows with the number of
 * records. */
#include "store/store_state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/clock.h"

#define CONTRADICTION "stores contradict each other: "

struct merge {
    const struct store_merge *of;
    const char *target;
    struct store *seen;              /* has the temporary tables `seen` and `moved`; it is no store otherwise, only
                                        its connection and statements are used */
    struct store *to;                /* the target; in the first pass it is opened for reading, and NULL if it does
                                        not exist */
};

/* --- which of two records of one identity stays */

/* What decides between two records of one identity: they are equal if their digests are; the other members decide
 * which of them stays in the target (goes_before). */
struct held { int64_t outcome; const char *message; struct digest digest; const struct maker *maker; };

static bool is_result(int64_t outcome) { return outcome == OUTCOME_OK || outcome == OUTCOME_REFUSED; }

static bool same_digest(struct digest a, struct digest b) { return a.high == b.high && a.low == b.low; }

static int maker_order(const struct maker *a, const struct maker *b)
{
    int c = strcmp(a->host, b->host);
    c = c ? c : strcmp(a->kind.level, b->kind.level);
    c = c ? c : strcmp(a->kind.blas, b->kind.blas);
    return c ? c : strcmp(a->kind.library, b->kind.library);
}

/* Of two records of one identity, does a stay in the target and not b? A result stays before a failure. Between two
 * equal results, or two failures, outcome, message and maker decide, so that the order of the inputs does not
 * matter. */
static bool goes_before(const struct held *a, const struct held *b)
{
    if (is_result(a->outcome) != is_result(b->outcome))
        return is_result(a->outcome);
    if (a->outcome != b->outcome)
        return a->outcome < b->outcome;
    int c = strcmp(a->message, b->message);
    return c ? c < 0 : maker_order(a->maker, b->maker) < 0;
}

/* --- the sentence of an error that says how two records contradict each other */

/* *r <- the record of the store with this id, *maker <- its maker. */
static enum status read_one(struct store *s, int64_t id, struct record **r, const struct maker **maker,
                            struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_ROW);
    struct entry e;
    sqlite3_bind_int64(q, 1, id);
    int code = sqlite3_step(q);
    enum status status = code == SQLITE_ROW ? store_row_read(s, q, r, &e, why)
                       : store_damage_at(s, "the key", id, why);
    sqlite3_reset(q);
    *maker = status == OK ? store_maker(s, e.maker) : NULL;
    return status;
}

/* words <- a text with the first value in which two records differ, or with their outcomes if these differ. */
static void first_difference(const struct record *a, const struct record *b, char words[120])
{
    snprintf(words, 120, "%s and %s", record_outcome_name(a->outcome), record_outcome_name(b->outcome));
    for (size_t k = 0; a->outcome == b->outcome && k < a->values; k++) {
        double v = 0, u = a->value[k];
        bool there = record_get(b, a->name[k], &v);
        if (there && (memcmp(&u, &v, sizeof u) == 0 || (u != u && v != v)))
            continue;
        snprintf(words, 120, there ? "%s is %.17g and %.17g" : "%s is %.17g and missing", a->name[k], u, v);
        return;
    }
    if (a->outcome == b->outcome)
        snprintf(words, 120, "message, values or trace differ");
}

/* Returns the end of a store's path, which tells two stores apart more often than its beginning. */
static const char *path_end(const struct store *s)
{
    size_t n = strlen(s->path);
    return n > 60 ? s->path + n - 60 : s->path;
}

/* The cell comes last in the sentence, where struct why cuts off what it has no room for: beside paths and hosts of
 * the longest kind it has room for 88 bytes. */
static enum status contradict(struct store *a, int64_t of_a, struct store *b, int64_t of_b, struct why *why)
{
    struct record *x = NULL, *y = NULL;
    const struct maker *from_x, *from_y;
    char words[120];
    enum status status = read_one(a, of_a, &x, &from_x, why);
    if (status == OK)
        status = read_one(b, of_b, &y, &from_y, why);
    if (status == OK) {
        first_difference(x, y, words);
        status = why_set(why, DAMAGED, CONTRADICTION "%s (host %.63s) and %s (host %.63s): %s, in cell `%.120s`",
                         path_end(a), from_x->host, path_end(b), from_y->host, words, x->cell);
    }
    record_free(x);
    record_free(y);
    return status;
}

/* --- the first pass, which reads every input whole and writes only to the temporary table */

struct look {
    struct merge *m;
    struct store *in;
    size_t at;                       /* the index of this input in the list of inputs */
    XXH3_state_t all;                /* a hash of everything that the input has */
    long records;
};

static void bind_identity(sqlite3_stmt *q, const struct entry *e)
{
    sqlite3_bind_int64(q, 1, e->alike);
    sqlite3_bind_int64(q, 2, e->key);
    sqlite3_bind_int64(q, 3, e->print);
    sqlite3_bind_int64(q, 4, e->stamp);
}

/* Puts a record of the input into the temporary table, in place of one of the same identity. */
static enum status note(struct look *l, const struct entry *e, struct digest d, struct why *why)
{
    sqlite3_stmt *q = store_use(l->m->seen, SQL_SEEN_PUT);
    bind_identity(q, e);
    sqlite3_bind_int64(q, 5, d.high);
    sqlite3_bind_int64(q, 6, d.low);
    sqlite3_bind_int64(q, 7, is_result(e->outcome));
    sqlite3_bind_int64(q, 8, (int64_t)l->at);
    sqlite3_bind_int64(q, 9, e->id);
    return store_act(l->m->seen, q, NULL, why);
}

static enum status contradict_input(struct look *l, size_t other, int64_t of_other, int64_t id, struct why *why)
{
    struct store *before = l->in;
    if (other != l->at)
        TRY(store_open(l->m->of->input[other], STORE_READ, 0, &before, why));
    enum status status = contradict(before, of_other, l->in, id, why);
    if (other != l->at)
        store_close(before);
    return status;
}

static enum status look_at_row(void *ctx, sqlite3_stmt *row, const struct entry *e, const struct record *r,
                               struct why *why)
{
    struct look *l = ctx;
    struct digest d = store_row_digest(row), there;
    sqlite3_stmt *q = store_use(l->m->seen, SQL_SEEN_GET);
    bind_identity(q, e);
    int code = sqlite3_step(q);
    there = (struct digest){ sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1) };
    bool result = sqlite3_column_int64(q, 2);
    size_t other = (size_t)sqlite3_column_int64(q, 3);
    int64_t of_other = sqlite3_column_int64(q, 4);
    sqlite3_reset(q);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return store_trouble(l->m->seen, why);
    l->records++;
    XXH3_64bits_update(&l->all, e, offsetof(struct entry, seconds));
    XXH3_64bits_update(&l->all, &d, sizeof d);
    if (code == SQLITE_ROW && result && is_result(e->outcome) && !same_digest(d, there))
        return contradict_input(l, other, of_other, e->id, why);
    return code == SQLITE_ROW && (result || !is_result(e->outcome)) ? OK : note(l, e, d, why);
}

/* Adds all columns of all rows that the query `sql` finds in the input to l->all, the hash of the input. */
static enum status look_at_table(struct look *l, const char *sql, struct why *why)
{
    sqlite3_stmt *q = NULL;
    int code = sqlite3_prepare_v2(l->in->db, sql, -1, &q, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(q);
        for (int k = 0; code == SQLITE_ROW && k < sqlite3_column_count(q); k++) {
            const char *text = store_column_text(q, k);
            XXH3_64bits_update(&l->all, text, strlen(text) + 1);
        }
    }
    sqlite3_finalize(q);
    return code == SQLITE_DONE ? OK : store_trouble(l->in, why);
}

struct builds { struct merge *m; char core[65]; bool known; };

static void take_core(void *ctx, const char *key, const char *value)
{
    struct builds *b = ctx;
    if (strcmp(key, "core") != 0)
        return;
    long n = 0;
    if (b->m->to) {
        sqlite3_stmt *q = store_use(b->m->to, SQL_CORE);
        store_bind_text(q, 1, value);
        store_act(b->m->to, q, &n, NULL);
    }
    snprintf(b->core, sizeof b->core, "%s", value);
    b->known |= n > 0 || strcmp(value, b->m->of->core) == 0;
}

struct runs { struct look *l; struct builds b; enum status status; struct why *why; };

static void look_at_run(void *ctx, const struct store_run *run)
{
    struct runs *r = ctx;
    if (r->status == OK)
        r->status = store_run_info(r->l->in, run->id, take_core, &r->b, r->why);
}

/* Refuses an input whose runs are all of other builds: neither of this program's, nor of one of which the target
 * has a run. An input that names no builds is not refused, nor is any with --force. */
static enum status look_at_builds(struct look *l, struct why *why)
{
    struct runs r = { .l = l, .b = { .m = l->m }, .why = why };
    TRY(store_runs(l->in, look_at_run, &r, why));
    TRY(r.status);
    if (l->m->of->force || r.b.known || !*r.b.core)
        return OK;
    return why_set(why, BAD_INPUT, "%.100s: its records are of another build (core %.16s; expected %.16s, this "
                   "program's, or one that %.60s has): --force merges them all the same", l->in->path, r.b.core,
                   l->m->of->core, l->m->target);
}

static enum status look_at_open(struct look *l, struct why *why)
{
    static const char *const tables[] = {
        "SELECT * FROM makers ORDER BY id", "SELECT * FROM runs ORDER BY id", "SELECT * FROM run_records",
        "SELECT * FROM run_info", "SELECT * FROM standings",
    };
    struct store_merged *out = &l->m->of->merged[l->at];
    long cells;
    TRY(look_at_builds(l, why));
    TRY(store_verify_rows(l->in, &cells, look_at_row, l, why));
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        TRY(look_at_table(l, tables[k], why));
    *out = (struct store_merged){ .records = l->records };
    snprintf(out->digest, sizeof out->digest, "%016llx", (unsigned long long)XXH3_64bits_digest(&l->all));
    return OK;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static enum status look_at_input(struct merge *m, size_t at, struct why *why)
{
    struct look l = { .m = m, .at = at };
    const char *path = m->of->input[at];
    if (same_file(path, m->target))
        return why_set(why, BAD_INPUT, "%.150s: it is the store that is merged into, expected another one", path);
    TRY(store_open(path, STORE_READ, 0, &l.in, why));
    XXH3_64bits_reset(&l.all);
    enum status status = look_at_open(&l, why);
    store_close(l.in);
    return status;
}

/* --- comparing the inputs' records with those of the target */

/* *e <- the entry of store s with the identity of *identity; e->id 0: there is none. */
static enum status find_entry(struct store *s, const struct entry *identity, struct entry *e, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_ENTRY);
    bind_identity(q, identity);
    int code = sqlite3_step(q);
    *e = (struct entry){ .id = 0 };
    enum status status = code == SQLITE_ROW ? store_entry_read(s, q, e, why)
                       : code == SQLITE_DONE ? OK : store_trouble(s, why);
    sqlite3_reset(q);
    return status;
}

/* *r <- the record of the target (store s) that has the id of entry e, *digest <- the digest of this record. */
static enum status read_there(struct store *s, const struct entry *e, struct record **r, struct digest *digest,
                              struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_ROW);
    sqlite3_bind_int64(q, 1, e->id);
    int code = sqlite3_step(q);
    enum status status = code == SQLITE_ROW ? store_row_read(s, q, r, NULL, why)
                       : store_damage_at(s, "the key", e->id, why);
    if (status == OK)
        *digest = store_row_digest(q);
    sqlite3_reset(q);
    return status;
}

/* Compares a record, given by its row of the temporary table, with the target's record of the same identity, if
 * there is one and both are results. */
static enum status compare_seen(struct merge *m, sqlite3_stmt *seen, struct record **r, struct why *why)
{
    struct entry e, there;
    struct digest d = { sqlite3_column_int64(seen, 4), sqlite3_column_int64(seen, 5) }, of_there;
    struct store *in;
    e = (struct entry){ .alike = sqlite3_column_int64(seen, 0), .key = sqlite3_column_int64(seen, 1),
                        .print = sqlite3_column_int64(seen, 2), .stamp = sqlite3_column_int64(seen, 3) };
    TRY(find_entry(m->to, &e, &there, why));
    if (!there.id || !is_result(there.outcome) || !sqlite3_column_int64(seen, 6))
        return OK;
    TRY(read_there(m->to, &there, r, &of_there, why));
    if (same_digest(d, of_there))
        return OK;
    TRY(store_open(m->of->input[sqlite3_column_int64(seen, 7)], STORE_READ, 0, &in, why));
    enum status status = contradict(m->to, there.id, in, sqlite3_column_int64(seen, 8), why);
    store_close(in);
    return status;
}

static enum status look_at_target(struct merge *m, struct why *why)
{
    sqlite3_stmt *q = NULL;
    struct record *r = NULL;
    enum status status = OK;
    int code = SQLITE_ERROR;
    TRY(store_check(m->to, why));
    if (sqlite3_prepare_v2(m->seen->db, "SELECT * FROM seen", -1, &q, NULL) != SQLITE_OK)
        return store_trouble(m->seen, why);
    while (status == OK && (code = sqlite3_step(q)) == SQLITE_ROW)
        status = compare_seen(m, q, &r, why);
    if (status == OK && code != SQLITE_DONE)
        status = store_trouble(m->seen, why);
    sqlite3_finalize(q);
    record_free(r);
    return status;
}

/* --- writing the target */

/* Records old..old+n-1 of an input have become records new..new+n-1 of the target. */
struct moved { long old, new, n; };

struct copy {
    struct merge *m;
    struct store *in, *to;
    struct store_merged *out;
    long *maker;                    /* [in->makers] maker[k]: the id that the input's maker k + 1 has in the
                                       target */
    long *run, runs;                 /* [2 runs] for each run its id in the input and its id in the target */
    struct moved moved;              /* the latest range of records, which is not in the temporary table `moved`
                                        yet */
};

static enum status move_makers(struct copy *c, struct why *why)
{
    store_maker(c->in, LONG_MAX);
    c->maker = calloc((size_t)c->in->makers + 1, sizeof *c->maker);
    BUG_IF(!c->maker);
    for (long k = 0; k < c->in->makers; k++) {
        const struct maker o = c->in->maker[k];
        TRY(store_maker_add(c->to, o.host, &o.kind, &c->maker[k], why));
    }
    return OK;
}

struct moving_run { struct copy *c; long to; enum status status; struct why *why; };

static void move_info(void *ctx, const char *key, const char *value)
{
    struct moving_run *m = ctx;
    sqlite3_stmt *q = store_use(m->c->to, SQL_INFO_MORE);
    if (strcmp(key, "started") == 0 || strcmp(key, "ended") == 0 || m->status != OK)
        return;
    sqlite3_bind_int64(q, 1, m->to);
    store_bind_text(q, 2, key);
    store_bind_text(q, 3, value);
    m->status = store_act(m->c->to, q, NULL, m->why);
}

/* Copies a run. If the target has a run of this identity already, that run gets the later of the two ends, unless
 * it goes on, and, for each key of the provenance, the text that is larger in byte order. */
static enum status move_run(struct copy *c, sqlite3_stmt *row, struct why *why)
{
    struct moving_run m = { .c = c, .why = why };
    const char *started = store_column_text(row, 1), *ended = store_column_text(row, 2);
    const char *uuid = store_column_text(row, 3);
    long from = sqlite3_column_int64(row, 0), maker = sqlite3_column_int64(row, 4);
    if (maker < 1 || maker > c->in->makers)
        return why_set(why, DAMAGED, DAMAGE "%.150s: run %ld has no maker" ADVICE, c->in->path, from);
    sqlite3_stmt *q = store_use(c->to, SQL_RUN_OF);
    store_bind_text(q, 1, started);
    store_bind_text(q, 2, uuid);
    TRY(store_act(c->to, q, &m.to, why));
    q = store_use(c->to, m.to ? SQL_RUN_LATER : SQL_RUN_COPY);
    store_bind_text(q, 1, m.to && m.to == c->m->of->going ? "" : ended);
    sqlite3_bind_int64(q, 2, m.to);
    if (!m.to) {
        store_bind_text(q, 2, started);
        store_bind_text(q, 3, uuid);
        sqlite3_bind_int64(q, 4, c->maker[maker - 1]);
    }
    TRY(store_act(c->to, q, &m.to, why));
    c->run = reallocarray(c->run, (size_t)++c->runs, 2 * sizeof *c->run);
    BUG_IF(!c->run);
    c->run[2 * c->runs - 2] = from;
    c->run[2 * c->runs - 1] = m.to;
    TRY(store_run_info(c->in, from, move_info, &m, why));
    return m.status;
}

static long run_there(const struct copy *c, long run)
{
    for (long k = 0; k < c->runs; k++)
        if (c->run[2 * k] == run)
            return c->run[2 * k + 1];
    return 0;
}

static enum status flush_moved(struct copy *c, struct why *why)
{
    sqlite3_stmt *q = store_use(c->m->seen, SQL_MOVED_PUT);
    if (!c->moved.n)
        return OK;
    sqlite3_bind_int64(q, 1, c->moved.old);
    sqlite3_bind_int64(q, 2, c->moved.new);
    sqlite3_bind_int64(q, 3, c->moved.n);
    return store_act(c->m->seen, q, NULL, why);
}

static enum status note_moved(struct copy *c, long old, long new, struct why *why)
{
    struct moved *m = &c->moved;
    if (m->n && m->old + m->n == old && m->new + m->n == new) {
        m->n++;
        return OK;
    }
    TRY(flush_moved(c, why));
    *m = (struct moved){ old, new, 1 };
    return OK;
}

/* *write <- whether the record r of the input is to replace the target's record `there` of the same identity. Two
 * results that differ are an error. */
static enum status decide(struct copy *c, const struct entry *e, const struct record *r, struct digest d,
                          const struct entry *there, bool *write, struct why *why)
{
    struct record *other = NULL;
    struct digest of_other;
    enum status status = read_there(c->to, there, &other, &of_other, why);
    if (status == OK && is_result(e->outcome) && is_result(there->outcome) && !same_digest(d, of_other))
        status = contradict(c->to, there->id, c->in, e->id, why);
    if (status == OK) {
        struct held a = { e->outcome, r->message, d, store_maker(c->in, e->maker) };
        struct held b = { there->outcome, other->message, of_other, store_maker(c->to, there->maker) };
        *write = goes_before(&a, &b);
    }
    record_free(other);
    return status;
}

/* replaces <- does the record r of the input take the place of a record of the target that is of earlier runs
 * only? A failure of a run that is made afresh does. there: the target's record of the same identity. Where there
 * is none (there->id 0), there->id <- the record to be replaced: the one that counts on this kind of machine,
 * since a result may depend on less of the kind than a failure, which is taken to depend on all of it. */
static enum status replaces_earlier(struct copy *c, const struct record *r, struct entry *there, bool *replaces,
                                    struct why *why)
{
    const struct store_ask ask = { r->cell, r->fingerprint };
    struct store_hit hit = { there->id, OUTCOME_OK, 0, false, 0, 0 };
    bool own = false;
    *replaces = false;
    if (!c->m->of->fresh || is_result(r->outcome))
        return OK;
    if (!there->id)
        TRY(store_scan(c->to, &ask, 1, &hit, why));
    if (!hit.id || hit.foreign)
        return OK;
    TRY(store_run_has(c->to, c->m->of->going, hit.id, &own, why));
    *replaces = !own;
    there->id = own ? there->id : hit.id;
    return OK;
}

static enum status move_row(void *ctx, sqlite3_stmt *row, const struct entry *e, const struct record *r,
                            struct why *why)
{
    struct copy *c = ctx;
    struct entry there, one = *e;
    bool replaces, write = true;
    if (c->m->of->results && !is_result(e->outcome))
        return OK;
    TRY(find_entry(c->to, e, &there, why));
    TRY(replaces_earlier(c, r, &there, &replaces, why));
    if (there.id && !replaces)
        TRY(decide(c, e, r, store_row_digest(row), &there, &write, why));
    else if (!there.id)
        TRY(store_new_id(c->to, &there.id, why));
    one.id = there.id;
    one.maker = c->maker[e->maker - 1];
    c->out->added += there.key == 0;
    if (write)
        TRY(store_row_write(c->to, r, &one, why));
    return note_moved(c, e->id, one.id, why);
}

static enum status move_range(struct copy *c, sqlite3_stmt *row, struct why *why)
{
    long run = run_there(c, sqlite3_column_int64(row, 0));
    long first = sqlite3_column_int64(row, 1), last = sqlite3_column_int64(row, 2);
    sqlite3_stmt *q = store_use(c->m->seen, SQL_MOVED_GET);
    enum status status = OK;
    int code = SQLITE_ROW;
    sqlite3_bind_int64(q, 1, first);
    sqlite3_bind_int64(q, 2, last);
    while (status == OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
        struct moved m = { sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1), sqlite3_column_int64(q, 2) };
        long from = first > m.old ? first : m.old, to = last < m.old + m.n - 1 ? last : m.old + m.n - 1;
        if (run && from <= to)
            status = store_add_range(c->to, run, m.new + from - m.old, m.new + to - m.old, why);
    }
    sqlite3_reset(q);
    return status != OK || code == SQLITE_ROW || code == SQLITE_DONE ? status : store_trouble(c->m->seen, why);
}

static enum status move_standing(struct copy *c, sqlite3_stmt *row, struct why *why)
{
    sqlite3_stmt *q = store_use(c->to, SQL_STANDING_MORE);
    sqlite3_bind_int64(q, 1, run_there(c, sqlite3_column_int64(row, 0)));
    store_bind_text(q, 2, store_column_text(row, 1));
    store_bind_text(q, 3, store_column_text(row, 2));
    return store_act(c->to, q, NULL, why);
}

/* Calls each(c, row, why) for every row that the query `sql` finds in the input. */
static enum status each_row(struct copy *c, const char *sql,
                            enum status (*each)(struct copy *, sqlite3_stmt *, struct why *), struct why *why)
{
    sqlite3_stmt *q = NULL;
    enum status status = OK;
    int code = SQLITE_ERROR;
    if (sqlite3_prepare_v2(c->in->db, sql, -1, &q, NULL) != SQLITE_OK)
        return store_trouble(c->in, why);
    while (status == OK && (code = sqlite3_step(q)) == SQLITE_ROW)
        status = each(c, q, why);
    if (status == OK && code != SQLITE_DONE)
        status = store_trouble(c->in, why);
    sqlite3_finalize(q);
    return status;
}

static enum status move_all(struct copy *c, struct why *why)
{
    long cells;
    TRY(store_sql(c->m->seen, "DELETE FROM moved", why));
    TRY(move_makers(c, why));
    TRY(each_row(c, "SELECT id, started, ended, uuid, maker FROM runs ORDER BY started, uuid", move_run, why));
    TRY(store_verify_rows(c->in, &cells, move_row, c, why));
    TRY(flush_moved(c, why));
    TRY(each_row(c, "SELECT run, first, last FROM run_records", move_range, why));
    TRY(each_row(c, "SELECT run, claim, line FROM standings", move_standing, why));
    sqlite3_stmt *q = store_use(c->to, SQL_MERGED_PUT);
    char date[24];
    clock_date_text(date);
    store_bind_text(q, 1, c->out->digest);
    store_bind_text(q, 2, c->in->path);
    sqlite3_bind_int64(q, 3, c->out->records);
    store_bind_text(q, 4, date);
    return store_act(c->to, q, NULL, why);
}

/* Copies input number `at` into the target, as a whole or not at all. */
static enum status move_input(struct merge *m, size_t at, struct why *why)
{
    struct copy c = { .m = m, .to = m->to, .out = &m->of->merged[at] };
    long before = 0;
    sqlite3_stmt *q = store_use(c.to, SQL_MERGED_GET);
    store_bind_text(q, 1, c.out->digest);
    TRY(store_act(c.to, q, &before, why));
    c.out->before = before > 0;
    if (before)
        return OK;
    TRY(store_open(m->of->input[at], STORE_READ, 0, &c.in, why));
    enum status status = store_act(c.to, store_use(c.to, SQL_BEGIN), NULL, why);
    if (status == OK)
        status = store_finish(c.to, move_all(&c, why), why);
    c.to->next = c.to->makers = c.to->run = 0;      /* these are read again from the target, since a rollback may
                                                       have undone what they were read from */
    store_close(c.in);
    free(c.maker);
    free(c.run);
    return status;
}

/* --- the whole merge */

static enum status open_seen(struct merge *m, struct why *why)
{
    m->seen = calloc(1, sizeof *m->seen);
    BUG_IF(!m->seen);
    m->seen->lock = -1;
    strcpy(m->seen->path, "temporary table of a merge");
    if (sqlite3_open_v2("", &m->seen->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL)
        != SQLITE_OK)
        return store_trouble(m->seen, why);
    return store_sql(m->seen, "PRAGMA journal_mode = OFF; PRAGMA cache_size = -65536;"
                     "CREATE TABLE seen(alike, key, print, stamp, high, low, result, input, id,"
                     " PRIMARY KEY(alike, key, print, stamp)) WITHOUT ROWID;"
                     "CREATE TABLE moved(old INTEGER PRIMARY KEY, new, n); BEGIN", why);
}

/* Brings a target of an older schema up to date, since the first pass reads it. */
static enum status renew_target(const char *target, double wait_seconds, struct why *why)
{
    struct store *to;
    if (!store_is_old(target))
        return OK;
    TRY(store_open(target, STORE_WRITE, wait_seconds, &to, why));
    store_close(to);
    return OK;
}

static enum status first_pass(struct merge *m, struct why *why)
{
    if (!store_is_new(m->target))
        TRY(store_open(m->target, STORE_READ, 0, &m->to, why));
    enum status status = OK;
    for (size_t k = 0; k < m->of->inputs && status == OK; k++)
        status = look_at_input(m, k, why);
    if (m->to && status == OK)
        status = look_at_target(m, why);
    store_close(m->to);
    m->to = NULL;
    return status;
}

enum status store_merge(const char *target, const struct store_merge *of, double wait_seconds, struct why *why)
{
    struct merge m = { .of = of, .target = target };
    enum status status = open_seen(&m, why);
    if (status == OK)
        status = renew_target(target, wait_seconds, why);
    if (status == OK)
        status = first_pass(&m, why);
    if (status == OK)
        status = store_open(target, STORE_WRITE, wait_seconds, &m.to, why);
    for (size_t k = 0; k < of->inputs && status == OK; k++)
        status = move_input(&m, k, why);
    store_close(m.to);
    store_close(m.seen);
    return status;
}
