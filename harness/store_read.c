/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_read.c - runs and records out of the store. */
#include "store_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Prepared for each call, so that a callback may ask again. */
#define SQL_EACH                                                                             \
    "SELECT " FIELDS " FROM run_records k JOIN records r ON r.id = k.record WHERE k.run = ?1" \
    " ORDER BY r.cell, r.fingerprint"
#define SQL_EACH_LATEST                                                                      \
    "SELECT " FIELDS " FROM records r WHERE r.id = " LATEST_OF("r.cell") " ORDER BY r.cell"
#define SQL_EACH_RUN                                                                         \
    "SELECT id, started, ended, (SELECT count(*) FROM run_records k WHERE k.run = runs.id)"  \
    " FROM runs ORDER BY id"
#define SQL_EACH_INFO                                                                        \
    "SELECT key, value FROM run_info WHERE run = ?1 UNION ALL"                               \
    " SELECT 'started', started FROM runs WHERE id = ?1 UNION ALL"                           \
    " SELECT 'ended', ended FROM runs WHERE id = ?1 ORDER BY 1"

/* A name read from the file: one that no record can hold is damage. */
static const char *column_name(sqlite3_stmt *q, int at)
{
    return sqlite3_column_bytes(q, at) < RECORD_NAME ? store_column_text(q, at) : NULL;
}

static enum status read_values(struct store *s, long id, struct record *r, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_VALUES);
    const char *name = "";
    int code;

    sqlite3_bind_int64(q, 1, id);
    while ((code = sqlite3_step(q)) == SQLITE_ROW && (name = column_name(q, 0)))
        record_put(r, name, store_column_value(q, 1));
    sqlite3_reset(q);
    if (!name)
        return store_damage(s, "a value", r->cell, why);
    return code == SQLITE_DONE ? OK : store_trouble(s, why);
}

static enum status read_columns(struct store *s, long id, struct record *r, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_COLUMNS);
    const char *name = "";
    int code;

    sqlite3_bind_int64(q, 1, id);
    while ((code = sqlite3_step(q)) == SQLITE_ROW && (name = column_name(q, 0)))
        record_trace_column(r, name);
    sqlite3_reset(q);
    if (!name)
        return store_damage(s, "the trace", r->cell, why);
    return code == SQLITE_DONE ? OK : store_trouble(s, why);
}

static enum status read_trace(struct store *s, long id, struct record *r, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_TRACE);
    size_t row = r->trace.columns * sizeof(double);
    bool right = true;

    sqlite3_bind_int64(q, 1, id);
    int code = sqlite3_step(q);
    if (code == SQLITE_ROW) {
        const unsigned char *bytes = sqlite3_column_blob(q, 0);
        size_t n = (size_t)sqlite3_column_bytes(q, 0);
        double *value = malloc(row + sizeof(double));
        right = bytes && row && value && n % row == 0;
        for (size_t at = 0; right && at < n; at += row) {
            memcpy(value, bytes + at, row);
            record_trace_row(r, value);
        }
        free(value);
        code = SQLITE_DONE;
    }
    sqlite3_reset(q);
    if (!right)
        return store_damage(s, "the trace", r->cell, why);
    return code == SQLITE_DONE ? OK : store_trouble(s, why);
}

static double column_time(sqlite3_stmt *q, int at)
{
    return sqlite3_column_type(q, at) == SQLITE_NULL ? NAN : sqlite3_column_double(q, at);
}

/* *out <- the record whose FIELDS are the current row of q. */
static enum status read_record(struct store *s, sqlite3_stmt *q, struct record **out,
                               struct why *why)
{
    long id = sqlite3_column_int64(q, 0);
    struct record *r;
    uint32_t checksum = 0;
    enum status status = OK;

    if (sqlite3_column_bytes(q, 2) >= (int)sizeof r->fingerprint)
        return store_damage(s, "the fingerprint", store_column_text(q, 1), why);
    r = record_new(store_column_text(q, 1), store_column_text(q, 2));
    if (!r)
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    record_end(r, OUTCOME_OK, store_column_text(q, 4));
    r->seconds = column_time(q, 5);
    r->peak_bytes = column_time(q, 6);
    if (!record_outcome_parse(store_column_text(q, 3), &r->outcome))
        status = store_damage(s, "the outcome", r->cell, why);
    if (status == OK)
        status = read_values(s, id, r, why);
    if (status == OK)
        status = read_columns(s, id, r, why);
    if (status == OK)
        status = read_trace(s, id, r, why);
    if (status == OK && (r->out_of_memory || !record_checksum(r, &checksum)))
        status = why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    if (status == OK && checksum != sqlite3_column_int64(q, 7))
        status = store_damage(s, "the checksum", r->cell, why);
    if (status == OK)
        *out = r;
    else
        record_free(r);
    return status;
}

enum status store_find(struct store *s, const char *cell, const char *fingerprint,
                       struct record **found, struct why *why)
{
    sqlite3_stmt *q = store_use(s, fingerprint ? SQL_FIND : SQL_FIND_LATEST);
    enum status status = OK;
    int code;

    *found = NULL;
    store_bind_text(q, 1, cell);
    if (fingerprint)
        store_bind_text(q, 2, fingerprint);
    code = sqlite3_step(q);
    if (code == SQLITE_ROW)
        status = read_record(s, q, found, why);
    else if (code != SQLITE_DONE)
        status = store_trouble(s, why);
    sqlite3_reset(q);
    return status;
}

enum status store_seconds(struct store *s, const char *cell, double *seconds, struct why *why)
{
    const char *rep = strstr(cell, " | rep ");
    char *alike = strndup(cell, rep ? (size_t)(rep - cell) : strlen(cell));
    sqlite3_stmt *q = store_use(s, SQL_SECONDS);
    BUG_IF(!alike);
    store_bind_text(q, 1, alike);
    int code = sqlite3_step(q);
    *seconds = code == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL
                   ? sqlite3_column_double(q, 0) : NAN;
    sqlite3_reset(q);
    free(alike);
    return code == SQLITE_ROW ? OK : store_trouble(s, why);
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
        status = read_record(s, q, &r, why);
        if (status == OK) {
            more = each(ctx, r);
            record_free(r);
        }
    }
    if (status == OK && code != SQLITE_ROW && code != SQLITE_DONE)
        status = store_trouble(s, why);
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

