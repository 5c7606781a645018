/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_upgrade.c - changes a store of schema 4 to schema 5, in the transaction of the caller, which opens the
 * store.
 *
 * Schema 4 had neither uuids of runs nor makers of records. The uuid of a run is made from its id and a hash of its
 * provenance, so that copies of one store get equal uuids. A record gets as its maker the machine of the first run
 * that has it. On which parts of the machine's kind it depends is not known, so it counts as depending on all. */
#include "store/store_state.h"

#include <inttypes.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Adds columns, whose defaults in the existing rows are replaced afterwards, and drops the index of records, which
 * is made again at the end. */
static const char columns[] =
    "ALTER TABLE runs ADD COLUMN uuid TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE runs ADD COLUMN maker INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE records ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE records ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE records ADD COLUMN maker INTEGER NOT NULL DEFAULT 0;"
    "DROP INDEX record_keys;";

/* What schema 4 knows of a run; uuid and maker follow from it. */
struct before {
    char host[65], level[12], core[31], openblas[128], gsl[21];
    XXH64_hash_t hash;
};

static void take(void *ctx, const char *key, const char *value)
{
    struct before *b = ctx;
    const struct { const char *key; char *to; size_t room; } kept[] = {
        { "host", b->host, sizeof b->host }, { "simd", b->level, sizeof b->level },
        { "blas_core", b->core, sizeof b->core }, { "openblas", b->openblas, sizeof b->openblas },
        { "gsl", b->gsl, sizeof b->gsl },
    };
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        if (strcmp(kept[k].key, key) == 0)
            snprintf(kept[k].to, kept[k].room, "%s", value);
    b->hash = XXH3_64bits_withSeed(key, strlen(key), b->hash);
    b->hash = XXH3_64bits_withSeed(value, strlen(value), b->hash);
}

/* uuid <- a uuid of version 8, made from the id of a run and a hash; uuids are ordered as the ids are. */
static void uuid_of(long run, XXH64_hash_t hash, char uuid[37])
{
    snprintf(uuid, 37, "%08" PRIx64 "-%04" PRIx64 "-8%03x-8%03x-%012" PRIx64, (uint64_t)run >> 16 & 0xffffffff,
             (uint64_t)run & 0xffff, (unsigned)(hash >> 52), (unsigned)(hash >> 40 & 0xfff), hash & 0xffffffffff);
}

static enum status upgrade_run(struct store *s, long run, struct why *why)
{
    struct before b = { .hash = 0 };
    struct machine_kind k = { .library = "" };
    char uuid[37];
    long maker;
    TRY(store_run_info(s, run, take, &b, why));
    memcpy(k.level, b.level, sizeof k.level);
    if (*b.core)
        kind_blas(k.blas, b.core, b.openblas);
    if (*b.gsl)
        snprintf(k.library, sizeof k.library, "glibc unknown, GSL %s", b.gsl);
    TRY(store_maker_add(s, b.host, &k, &maker, why));
    uuid_of(run, b.hash, uuid);
    sqlite3_stmt *q = store_use(s, SQL_OLD_RUN);
    sqlite3_bind_int64(q, 1, run);
    store_bind_text(q, 2, uuid);
    sqlite3_bind_int64(q, 3, maker);
    return store_act(s, q, NULL, why);
}

/* *run <- the smallest id of a run above *run; 0: there is none. */
static enum status next_run(struct store *s, long *run, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_RUN_AFTER);
    sqlite3_bind_int64(q, 1, *run);
    *run = 0;
    return store_act(s, q, run, why);
}

/* Reads the record with the smallest id above *id, and writes it as schema 5 has it; *id <- its id, or 0 if there
 * was none. */
static enum status upgrade_record(struct store *s, int64_t *id, struct record **r, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_ROW_AFTER);
    struct entry e;
    long maker = 0;
    sqlite3_bind_int64(q, 1, *id);
    *id = 0;
    s->old = true;
    int code = sqlite3_step(q);
    enum status status = code == SQLITE_ROW ? store_row_read(s, q, r, &e, why)
                       : code == SQLITE_DONE ? OK : store_trouble(s, why);
    s->old = false;
    sqlite3_reset(q);
    if (status != OK || code != SQLITE_ROW)
        return status;
    *id = e.id;
    q = store_use(s, SQL_FIRST_MAKER);
    sqlite3_bind_int64(q, 1, e.id);
    TRY(store_act(s, q, &maker, why));
    if (!maker)
        TRY(store_maker_add(s, "", &(struct machine_kind){ .level = "" }, &maker, why));
    (*r)->uses = USES_ALL;
    e.maker = maker;
    e.stamp = store_maker(s, maker)->stamp[USES_ALL];
    return store_row_write(s, *r, &e, why);
}

enum status store_upgrade_4(struct store *s, struct why *why)
{
    struct record *r = NULL;
    enum status status = OK;
    int64_t id = 0;
    TRY(store_sql(s, columns, why));
    TRY(store_sql(s, store_tables_5, why));
    for (long run = 0; ; ) {
        TRY(next_run(s, &run, why));
        if (!run)
            break;
        TRY(upgrade_run(s, run, why));
    }
    do
        status = upgrade_record(s, &id, &r, why);
    while (status == OK && id);
    record_free(r);
    TRY(status);
    return store_sql(s, store_index, why);
}
