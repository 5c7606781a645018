/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_read.c - runs and records out of the store. */
#include "store/store_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Prepared for each call, so that a callback may ask again. Cells alone are sorted, not what hangs on them. */
#define SQL_EACH                                                                             \
    "SELECT r.id FROM run_records k JOIN records r ON r.id BETWEEN k.first AND k.last WHERE k.run = ?1" \
    " ORDER BY r.cell, r.fingerprint"
/* Most cells have one record, and no run needs to be asked. */
#define SQL_EACH_LATEST                                                                      \
    "SELECT r.id FROM records r WHERE r.id = (SELECT CASE count(*) WHEN 1 THEN r.id ELSE"    \
    " (SELECT q.id FROM records q INDEXED BY record_keys WHERE q.alike = r.alike AND q.key = r.key" \
    " ORDER BY " LAST_RUN("q.id") " DESC, q.id DESC LIMIT 1) END FROM records o INDEXED BY record_keys" \
    " WHERE o.alike = r.alike AND o.key = r.key) ORDER BY r.cell"
#define SQL_EACH_RUN                                                                         \
    "SELECT id, started, ended, (SELECT coalesce(sum(last - first + 1), 0) FROM run_records k" \
    " WHERE k.run = runs.id) FROM runs ORDER BY id"
#define SQL_EACH_INFO                                                                        \
    "SELECT key, value FROM run_info WHERE run = ?1 UNION ALL"                               \
    " SELECT 'started', started FROM runs WHERE id = ?1 UNION ALL"                           \
    " SELECT 'ended', ended FROM runs WHERE id = ?1 ORDER BY 1"

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

/* Replicates are asked for once. */
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

/* *r <- the record of an id that a query has just given. */
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

enum status store_runs(struct store *s, void (*each)(void *ctx, const struct store_run *run),
                       void *ctx, struct why *why)
{
    sqlite3_stmt *q = NULL;
    int code = sqlite3_prepare_v2(s->db, SQL_EACH_RUN, -1, &q, NULL);

    while (code == SQLITE_OK || code == SQLITE_ROW) {
        struct store_run run;

        code = sqlite3_step(q);
        if (code != SQLITE_ROW)
            break;
        run.id = sqlite3_column_int64(q, 0);
        snprintf(run.started, sizeof run.started, "%s", store_column_text(q, 1));
        snprintf(run.ended, sizeof run.ended, "%s", store_column_text(q, 2));
        run.records = sqlite3_column_int64(q, 3);
        each(ctx, &run);
    }
    sqlite3_finalize(q);
    return code == SQLITE_DONE ? OK : store_trouble(s, why);
}

enum status store_run_info(struct store *s, long run,
                           void (*each)(void *ctx, const char *key, const char *value), void *ctx,
                           struct why *why)
{
    sqlite3_stmt *q = NULL;
    int code = sqlite3_prepare_v2(s->db, SQL_EACH_INFO, -1, &q, NULL);

    sqlite3_bind_int64(q, 1, run);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(q);
        if (code == SQLITE_ROW)
            each(ctx, store_column_text(q, 0), store_column_text(q, 1));
    }
    sqlite3_finalize(q);
    return code == SQLITE_DONE ? OK : store_trouble(s, why);
}

