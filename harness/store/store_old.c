/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_old.c - a store of schema 3, brought to today's when it is opened to be written: a record was many
 * rows there. Nothing else knows that schema, so that this file can go one day.
 *
 * `value` had no declared type, and NULL with a code for what is not finite: 1 NaN, 2 inf, 3 -inf. A trace was
 * one blob of doubles by rows, its columns rows of another table. Records keep their ids. */
#include "store/store_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/record_data.h"

#define OLD_RECORDS "SELECT id, cell, fingerprint, outcome, message, seconds, peak_bytes, checksum" \
                    " FROM old_records ORDER BY id"
#define OLD_VALUES  "SELECT name, value, code FROM record_values WHERE record = ?1 ORDER BY name"
#define OLD_COLUMNS "SELECT name FROM record_columns WHERE record = ?1 ORDER BY position"
#define OLD_TRACE   "SELECT value FROM record_trace WHERE record = ?1"

/* Ids that follow each other are a range. */
#define RANGES "INSERT INTO run_records SELECT run, min(record), max(record) FROM"             \
               " (SELECT run, record, record - row_number() OVER (PARTITION BY run ORDER BY record) AS island" \
               " FROM old_run_records) GROUP BY run, island;"

enum part { RECORDS, VALUES, COLUMNS, TRACE, PARTS };

struct old {
    struct store *s;
    sqlite3_stmt *q[PARTS];
    struct record *r;                /* each in turn */
};

/* A name of the file: one that no record can hold is damage. */
static const char *column_name(sqlite3_stmt *q, int at)
{
    return sqlite3_column_bytes(q, at) < RECORD_NAME ? store_column_text(q, at) : NULL;
}

static double column_value(sqlite3_stmt *q)
{
    static const double special[] = { 0, NAN, INFINITY, -INFINITY };
    int code = sqlite3_column_int(q, 2);
    return code >= 1 && code <= 3 ? special[code] : sqlite3_column_double(q, 1);
}

/* The names of the rows of a part, with their values or as columns. */
static enum status read_names(struct old *o, enum part part, long id, struct why *why)
{
    sqlite3_stmt *q = o->q[part];
    const char *name = "";
    int code;
    sqlite3_bind_int64(q, 1, id);
    while ((code = sqlite3_step(q)) == SQLITE_ROW && (name = column_name(q, 0)))
        if (part == VALUES)
            record_put(o->r, name, column_value(q));
        else
            record_trace_column(o->r, name);
    sqlite3_reset(q);
    if (!name)
        return store_damage(o->s, part == VALUES ? "a value" : "the trace", o->r->cell, why);
    return code == SQLITE_DONE ? OK : store_trouble(o->s, why);
}

static bool put_rows(struct record *r, const unsigned char *bytes, size_t n)
{
    size_t row = r->trace.columns * sizeof(double);
    double *value = malloc(row + sizeof(double));
    bool right = bytes && row && value && n % row == 0;
    for (size_t at = 0; right && at < n; at += row) {
        memcpy(value, bytes + at, row);
        record_trace_row(r, value);
    }
    free(value);
    return right;
}

static enum status read_trace(struct old *o, long id, struct why *why)
{
    sqlite3_stmt *q = o->q[TRACE];
    sqlite3_bind_int64(q, 1, id);
    int code = sqlite3_step(q);
    bool right = true;
    if (code == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(q, 0);
        right = put_rows(o->r, bytes, (size_t)sqlite3_column_bytes(q, 0));
        code = SQLITE_DONE;
    }
    sqlite3_reset(q);
    if (!right)
        return store_damage(o->s, "the trace", o->r->cell, why);
    return code == SQLITE_DONE ? OK : store_trouble(o->s, why);
}

static double column_time(sqlite3_stmt *q, int at)
{
    return sqlite3_column_type(q, at) == SQLITE_NULL ? NAN : sqlite3_column_double(q, at);
}

static enum status read_record(struct old *o, long id, struct why *why)
{
    sqlite3_stmt *q = o->q[RECORDS];
    const char *cell = store_column_text(q, 1), *fingerprint = store_column_text(q, 2);
    uint32_t checksum = 0;
    if (strlen(fingerprint) >= sizeof o->r->fingerprint)
        return store_damage(o->s, "the fingerprint", cell, why);
    if (o->r ? !record_reuse(o->r, cell, fingerprint) : !(o->r = record_new(cell, fingerprint)))
        return why_set(why, NO_MEMORY, "%s: out of memory", o->s->path);
    record_end(o->r, OUTCOME_OK, store_column_text(q, 4));
    o->r->seconds = column_time(q, 5);
    o->r->peak_bytes = column_time(q, 6);
    if (!record_outcome_parse(store_column_text(q, 3), &o->r->outcome))
        return store_damage(o->s, "the outcome", cell, why);
    TRY(read_names(o, VALUES, id, why));
    TRY(read_names(o, COLUMNS, id, why));
    TRY(read_trace(o, id, why));
    if (o->r->out_of_memory || !record_checksum(o->r, &checksum))
        return why_set(why, NO_MEMORY, "%s: out of memory", o->s->path);
    return checksum == sqlite3_column_int64(q, 7) ? OK : store_damage(o->s, "the checksum", cell, why);
}

static enum status copy_records(struct old *o, struct why *why)
{
    static const char *const text[PARTS] = { OLD_RECORDS, OLD_VALUES, OLD_COLUMNS, OLD_TRACE };
    int code;
    for (int k = 0; k < PARTS; k++)
        if (sqlite3_prepare_v2(o->s->db, text[k], -1, &o->q[k], NULL) != SQLITE_OK)
            return store_trouble(o->s, why);
    while ((code = sqlite3_step(o->q[RECORDS])) == SQLITE_ROW) {
        long id = sqlite3_column_int64(o->q[RECORDS], 0);
        TRY(read_record(o, id, why));
        struct entry e = store_entry_of(o->r->cell, o->r->fingerprint);
        e.id = id;
        TRY(store_row_write(o->s, o->r, &e, why));
    }
    return code == SQLITE_DONE ? OK : store_trouble(o->s, why);
}

static enum status copy(struct store *s, struct why *why)
{
    struct old o = { .s = s };
    enum status status = copy_records(&o, why);
    for (int k = 0; k < PARTS; k++)
        sqlite3_finalize(o.q[k]);
    record_free(o.r);
    return status;
}

static enum status migrate(struct store *s, struct why *why)
{
    char version[80];
    TRY(store_sql(s, "ALTER TABLE records RENAME TO old_records;"
                     "ALTER TABLE run_records RENAME TO old_run_records", why));
    TRY(store_sql(s, store_tables, why));
    TRY(copy(s, why));
    TRY(store_sql(s, RANGES "DROP TABLE old_records; DROP TABLE old_run_records; DROP TABLE record_values;"
                     "DROP TABLE record_columns; DROP TABLE record_trace", why));
    TRY(store_sql(s, store_index, why));
    snprintf(version, sizeof version, "UPDATE meta SET value = %d WHERE key = 'schema'", STORE_SCHEMA);
    return store_sql(s, version, why);
}

enum status store_migrate(struct store *s, struct why *why)
{
    TRY(store_act(s, store_use(s, SQL_BEGIN), NULL, why));
    return store_finish(s, migrate(s, why), why);
}
