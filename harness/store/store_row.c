/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_row.c - reads and writes a record as a row of the table `records`, and an entry of its index. */
#include "store/store_state.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "record/record_data.h"

/* --- hashes of cells, of kinds of machine and of entries */

static int64_t hash(const void *bytes, size_t n) { return (int64_t)XXH3_64bits(bytes, n); }

static const char rep[] = " | rep ";

int64_t store_alike(const char *cell)
{
    const char *at = strstr(cell, rep);
    return hash(cell, at ? (size_t)(at - cell) + strlen(rep) : strlen(cell));
}

struct entry store_entry_of(const char *cell, const char *fingerprint)
{
    return (struct entry){ .alike = store_alike(cell), .key = hash(cell, strlen(cell)),
                           .print = fingerprint ? hash(fingerprint, strlen(fingerprint)) : 0 };
}

int64_t store_stamp(const struct machine_kind *k, unsigned uses)
{
    char text[sizeof *k + 8];
    int n = snprintf(text, sizeof text, "%s|%s|%s", k->library, uses & USES_LEVEL ? k->level : "",
                     uses & USES_BLAS ? k->blas : "");
    return hash(text, (size_t)n);
}

/* The hash of an entry. With stamp and maker 0 it is the hash that schema 4 had, whose records had neither. */
int32_t store_seal(const struct entry *e)
{
    struct entry one = *e;
    one.seconds = isnan(e->seconds) ? NAN : e->seconds;
    return (int32_t)(uint32_t)XXH3_64bits_withSeed(&one, offsetof(struct entry, stamp),
                                                   (XXH64_hash_t)e->stamp + (XXH64_hash_t)e->maker);
}

/* --- values of columns, and entries of the index */

static double column_time(sqlite3_stmt *q, int at)
{
    return sqlite3_column_type(q, at) == SQLITE_NULL ? NAN : sqlite3_column_double(q, at);
}

static bool column_outcome(sqlite3_stmt *q, int at, int64_t *outcome)
{
    enum outcome o;
    bool known = record_outcome_parse(store_column_text(q, at), &o);
    if (known)
        *outcome = o;
    return known;
}

enum status store_entry_read(struct store *s, sqlite3_stmt *q, struct entry *e, struct why *why)
{
    *e = (struct entry){ .alike = sqlite3_column_int64(q, 0), .key = sqlite3_column_int64(q, 1),
                         .print = sqlite3_column_int64(q, 2), .stamp = sqlite3_column_int64(q, 3),
                         .maker = sqlite3_column_int64(q, 4), .seconds = column_time(q, 6),
                         .id = sqlite3_column_int64(q, 8) };
    if (!column_outcome(q, 5, &e->outcome) || store_seal(e) != sqlite3_column_int64(q, 7))
        return store_damage_at(s, "the key", e->id, why);
    return OK;
}

/* --- rows of the table `records` */

/* The columns of a row, in the order of FIELDS. */
enum { ID, ALIKE, KEY, PRINT, STAMP, MAKER, OUTCOME, SECONDS, SEAL, CHECKSUM, PEAK, USES, CELL, FINGERPRINT,
       MESSAGE, DATA };

/* The texts and the blob of a row, taken from the result of a statement or from a record. */
struct parts {
    const void *part[4];             /* cell, fingerprint, message, data */
    size_t size[4];
};

/* Returns the checksum of a row: a hash of its entry, its peak_bytes, and the lengths and bytes of its parts. With
 * the lengths in it, a byte that moved from one part to the next would be noticed. */
static int64_t checksum(const struct entry *e, double peak, const struct parts *p)
{
    struct { int64_t seal; double peak; uint64_t size[4]; } head = {
        store_seal(e), isnan(peak) ? NAN : peak, { p->size[0], p->size[1], p->size[2], p->size[3] } };
    XXH64_hash_t sum = XXH3_64bits_withSeed(&head, sizeof head, (XXH64_hash_t)(e->key ^ e->print));
    for (int k = 0; k < 4; k++)
        sum = XXH3_64bits_withSeed(p->part[k], p->size[k], sum);
    return (int64_t)sum;
}

static struct parts column_parts(sqlite3_stmt *q)
{
    struct parts p;
    for (int k = 0; k < 4; k++) {
        const void *bytes = k < 3 ? (const void *)sqlite3_column_text(q, CELL + k) : sqlite3_column_blob(q, DATA);
        p.part[k] = bytes ? bytes : "";
        p.size[k] = (size_t)sqlite3_column_bytes(q, CELL + k);
    }
    return p;
}

/* Is part k a text that fits into `room` bytes with its zero byte, and has no zero byte inside? */
static bool is_text(const struct parts *p, int k, size_t room)
{
    return p->size[k] < room && strlen(p->part[k]) == p->size[k];
}

static enum status fill(struct store *s, struct record *r, const struct parts *p, struct why *why)
{
    if (record_take_data(r, p->part[3], p->size[3], &s->names))
        return OK;
    return r->out_of_memory ? why_set(why, NO_MEMORY, "%s: out of memory", s->path)
                            : store_damage(s, "the data", r->cell, why);
}

/* Is the stamp of the entry the one that follows from its maker and from `uses`, the parts of the machine's kind
 * that the record depends on? */
static bool comes_from(struct store *s, const struct entry *e, int64_t uses)
{
    const struct maker *o = store_maker(s, e->maker);
    return o && uses >= 0 && uses <= USES_ALL && o->stamp[uses] == e->stamp;
}

enum status store_row_read(struct store *s, sqlite3_stmt *q, struct record **r, struct entry *entry,
                           struct why *why)
{
    struct entry e = { .alike = sqlite3_column_int64(q, ALIKE), .key = sqlite3_column_int64(q, KEY),
                       .print = sqlite3_column_int64(q, PRINT), .id = sqlite3_column_int64(q, ID),
                       .stamp = sqlite3_column_int64(q, STAMP), .maker = sqlite3_column_int64(q, MAKER),
                       .seconds = column_time(q, SECONDS) };
    double peak = column_time(q, PEAK);
    int64_t uses = sqlite3_column_int64(q, USES);
    bool known = column_outcome(q, OUTCOME, &e.outcome);
    struct parts p = column_parts(q);
    if (!known)
        return store_damage(s, "the outcome", p.part[0], why);
    if (store_seal(&e) != sqlite3_column_int64(q, SEAL) ||
        checksum(&e, peak, &p) != sqlite3_column_int64(q, CHECKSUM)
        || !is_text(&p, 0, SIZE_MAX) || !is_text(&p, 1, sizeof (*r)->fingerprint) ||
        !is_text(&p, 2, RECORD_MESSAGE))
        return store_damage(s, "the checksum", p.part[0], why);
    if (!s->old && !comes_from(s, &e, uses))
        return store_damage(s, "the maker", p.part[0], why);
    if (*r ? !record_reuse(*r, p.part[0], p.part[1]) : !(*r = record_new(p.part[0], p.part[1])))
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    record_end(*r, (enum outcome)e.outcome, p.part[2]);
    (*r)->seconds = e.seconds;
    (*r)->peak_bytes = peak;
    (*r)->uses = (unsigned)uses;
    if (entry)
        *entry = e;
    return fill(s, *r, &p, why);
}

enum status store_row_write(struct store *s, const struct record *r, struct entry *e, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_PUT);
    struct parts p = { { r->cell, r->fingerprint, r->message }, { strlen(r->cell), strlen(r->fingerprint),
                       strlen(r->message) } };
    if (r->out_of_memory || !record_data(r, &s->data, &s->data_room, &p.size[3]))
        return why_set(why, NO_MEMORY, "incomplete record of cell `%.200s`", r->cell);
    p.part[3] = s->data;
    e->outcome = r->outcome;
    e->seconds = r->seconds;
    sqlite3_bind_int64(q, 1 + ID, e->id);
    sqlite3_bind_int64(q, 1 + ALIKE, e->alike);
    sqlite3_bind_int64(q, 1 + KEY, e->key);
    sqlite3_bind_int64(q, 1 + PRINT, e->print);
    sqlite3_bind_int64(q, 1 + STAMP, e->stamp);
    sqlite3_bind_int64(q, 1 + MAKER, e->maker);
    store_bind_text(q, 1 + OUTCOME, record_outcome_name(r->outcome));
    sqlite3_bind_double(q, 1 + SECONDS, r->seconds);         /* NaN becomes NULL */
    sqlite3_bind_int64(q, 1 + SEAL, store_seal(e));
    sqlite3_bind_int64(q, 1 + CHECKSUM, checksum(e, r->peak_bytes, &p));
    sqlite3_bind_double(q, 1 + PEAK, r->peak_bytes);
    sqlite3_bind_int64(q, 1 + USES, r->uses);
    for (int k = 0; k < 3; k++)
        sqlite3_bind_text64(q, 1 + CELL + k, p.part[k], p.size[k], SQLITE_STATIC, SQLITE_UTF8);
    sqlite3_bind_blob64(q, 1 + DATA, p.part[3], p.size[3], SQLITE_STATIC);
    enum status status = store_act(s, q, NULL, why);
    if (status != OK && (sqlite3_errcode(s->db) & 0xff) == SQLITE_CORRUPT)
        return store_damage(s, "the index", r->cell, why);
    return status;
}

struct digest store_row_digest(sqlite3_stmt *q)
{
    struct parts p = column_parts(q);
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, p.size, sizeof p.size);
    XXH3_128bits_update(&state, store_column_text(q, OUTCOME), (size_t)sqlite3_column_bytes(q, OUTCOME));
    for (int k = 0; k < 4; k++)
        XXH3_128bits_update(&state, p.part[k], p.size[k]);
    XXH128_hash_t sum = XXH3_128bits_digest(&state);
    return (struct digest){ (int64_t)sum.high64, (int64_t)sum.low64 };
}
