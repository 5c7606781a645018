/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_runs.c - runs: begins and ends them, keeps their provenance and standings, exports their records, drops old
 * ones. */
#include "store/store_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "record/listing.h"

/* These statements are prepared anew for each call, so that a callback may use the store's other statements. */
#define SQL_EACH_RUN                                                                         \
    "SELECT id, started, ended, (SELECT coalesce(sum(last - first + 1), 0) FROM run_records k" \
    " WHERE k.run = runs.id) FROM runs ORDER BY started, uuid"
#define SQL_EACH_INFO                                                                        \
    "SELECT key, value FROM run_info WHERE run = ?1 UNION ALL"                               \
    " SELECT 'started', started FROM runs WHERE id = ?1 UNION ALL"                           \
    " SELECT 'ended', ended FROM runs WHERE id = ?1 ORDER BY 1"
#define SQL_EACH_STANDING                                                                    \
    "SELECT s.run, r.started, coalesce(i.value, ''), s.line FROM standings s"                \
    " JOIN runs r ON r.id = s.run LEFT JOIN run_info i ON i.run = s.run AND i.key = 'commit'" \
    " ORDER BY r.started, r.uuid, s.claim"

enum status store_put_info(struct store *s, long run, const struct store_info *info, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_RUN_INFO);

    sqlite3_bind_int64(q, 1, run);
    store_bind_text(q, 2, info->key);
    store_bind_text(q, 3, info->value);
    return store_act(s, q, NULL, why);
}

/* uuid <- a new uuid of version 7 (RFC 9562): 48 bits of milliseconds since 1970, 12 bits of the fraction of the
 * millisecond, 62 random bits. So runs that start in one second are ordered in time by their uuids. */
static void new_uuid(char uuid[37])
{
    struct timespec t = clock_date();
    uint16_t random[4];
    BUG_IF(getentropy(random, sizeof random));
    uint64_t ms = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
    snprintf(uuid, 37, "%08" PRIx64 "-%04" PRIx64 "-7%03lx-%04x-%04x%04x%04x", ms >> 16 & 0xffffffff, ms & 0xffff,
             t.tv_nsec % 1000000 * 4096 / 1000000, 0x8000 | (random[0] & 0x3fff), random[1], random[2], random[3]);
}

void store_identity_new(struct store_identity *id)
{
    clock_date_text(id->started);
    new_uuid(id->uuid);
}

enum status store_identity_of(struct store *s, long run, struct store_identity *id, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_RUN_IDENTITY);
    sqlite3_bind_int64(q, 1, run);
    int code = sqlite3_step(q);
    snprintf(id->started, sizeof id->started, "%s", code == SQLITE_ROW ? store_column_text(q, 0) : "");
    snprintf(id->uuid, sizeof id->uuid, "%s", code == SQLITE_ROW ? store_column_text(q, 1) : "");
    sqlite3_reset(q);
    return code == SQLITE_ROW ? OK : code == SQLITE_DONE
         ? why_set(why, BAD_INPUT, "%.150s: it has no run %ld", s->path, run) : store_trouble(s, why);
}

const char *store_host(void)
{
    static struct utsname host;
    const char *node = getenv("SLURMD_NODENAME");
    uname(&host);
    return node && *node ? node : host.nodename;
}

/* Adds a run with this identity, whose maker is this host and kind of machine; *run <- its id. */
static enum status add_run(struct store *s, const struct store_identity *id, const struct store_info *info,
                           size_t n, long *run, struct why *why)
{
    struct machine_kind kind = kind_now();
    long maker;
    TRY(store_maker_add(s, store_host(), &kind, &maker, why));
    sqlite3_stmt *q = store_use(s, SQL_RUN_COPY);
    store_bind_text(q, 1, "");
    store_bind_text(q, 2, id->started);
    store_bind_text(q, 3, id->uuid);
    sqlite3_bind_int64(q, 4, maker);
    TRY(store_act(s, q, run, why));
    for (size_t k = 0; k < n; k++)
        TRY(store_put_info(s, *run, &info[k], why));
    return OK;
}

/* Makes the identity *id of a new run later than that of the newest run of the store. If the clock of the machine
 * has gone back since that run, *id gets its start, and a uuid of the next millisecond; otherwise `assay gc`, which
 * drops the oldest runs, would drop the new run first. */
static enum status follow_newest(struct store *s, struct store_identity *id, struct why *why)
{
    struct store_identity newest = { "", "" };
    char digits[13];
    long run;
    TRY(store_last_run(s, &run, why));
    if (!run)
        return OK;
    TRY(store_identity_of(s, run, &newest, why));
    int order = strcmp(id->started, newest.started);
    if (order > 0 || (order == 0 && strcmp(id->uuid, newest.uuid) > 0))
        return OK;
    snprintf(digits, sizeof digits, "%.8s%.4s", newest.uuid, newest.uuid + 9);
    uint64_t ms = strtoull(digits, NULL, 16) + 1;
    snprintf(digits, sizeof digits, "%012" PRIx64, ms & 0xffffffffffff);
    memcpy(id->started, newest.started, sizeof id->started);
    memcpy(id->uuid, digits, 8);
    memcpy(id->uuid + 9, digits + 8, 4);
    return OK;
}

enum status store_begin_run(struct store *s, const struct store_info *info, size_t n, long *run,
                            struct why *why)
{
    struct store_identity id;
    store_identity_new(&id);
    TRY(store_act(s, store_use(s, SQL_BEGIN), NULL, why));
    enum status made = follow_newest(s, &id, why);
    return store_finish(s, made == OK ? add_run(s, &id, info, n, run, why) : made, why);
}

enum status store_begin_part(struct store *s, const struct store_identity *of, const struct store_info *info,
                             size_t n, long *run, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_RUN_OF);
    *run = 0;
    store_bind_text(q, 1, of->started);
    store_bind_text(q, 2, of->uuid);
    TRY(store_act(s, q, run, why));
    if (*run)
        return OK;
    TRY(store_act(s, store_use(s, SQL_BEGIN), NULL, why));
    return store_finish(s, add_run(s, of, info, n, run, why), why);
}

enum status store_end_run(struct store *s, long run, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_RUN_END);
    char date[24];

    clock_date_text(date);
    sqlite3_bind_int64(q, 1, run);
    store_bind_text(q, 2, date);
    return store_act(s, q, NULL, why);
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

enum status store_last_run(struct store *s, long *run, struct why *why)
{
    *run = 0;
    return store_act(s, store_use(s, SQL_LAST), run, why);
}

/* --- standings; and dropping the records of old runs, whose standings stay */

enum status store_put_standing(struct store *s, long run, const char *claim, const char *line,
                               struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_PUT_STANDING);

    sqlite3_bind_int64(q, 1, run);
    store_bind_text(q, 2, claim);
    store_bind_text(q, 3, line);
    return store_act(s, q, NULL, why);
}

enum status store_each_standing(struct store *s,
                                void (*each)(void *ctx, const struct store_standing *standing),
                                void *ctx, struct why *why)
{
    sqlite3_stmt *q = NULL;
    int code = SQLITE_DONE;

    if (sqlite3_prepare_v2(s->db, SQL_EACH_STANDING, -1, &q, NULL) != SQLITE_OK)
        return store_trouble(s, why);
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        struct store_standing one = { sqlite3_column_int64(q, 0), store_column_text(q, 1),
                                      store_column_text(q, 2), store_column_text(q, 3) };
        each(ctx, &one);
    }
    enum status status = code == SQLITE_DONE ? OK : store_trouble(s, why);
    sqlite3_finalize(q);
    return status;
}

/* The statements of store_collect. They drop the lists of records of the old runs, then the records that no run has
 * any more, then the old runs without standings, then the provenance of these runs. Some records may come from a
 * store that was merged; so the rows of the table `merged` are dropped too, and each of these stores can be merged
 * again. */
#define NOWHERE "DELETE FROM runs WHERE id NOT IN (SELECT run FROM run_records UNION SELECT run FROM standings" \
                " UNION SELECT id FROM (SELECT id FROM runs" NEWEST "?1))"
static const char *const collect[] = {
    "DELETE FROM run_records WHERE run NOT IN (SELECT id FROM runs" NEWEST "?1)",
    "DELETE FROM records WHERE " LAST_RUN("records.id") " IS NULL",
    NOWHERE,
    "DELETE FROM run_info WHERE run NOT IN (SELECT id FROM runs)",
    "DELETE FROM merged",
};

static enum status collect_all(struct store *s, long keep, long *records, struct why *why)
{
    for (size_t k = 0; k < sizeof collect / sizeof *collect; k++) {
        sqlite3_stmt *q = NULL;
        if (sqlite3_prepare_v2(s->db, collect[k], -1, &q, NULL) != SQLITE_OK)
            return store_trouble(s, why);
        if (sqlite3_bind_parameter_count(q))
            sqlite3_bind_int64(q, 1, keep);
        enum status status = store_act(s, q, NULL, why);
        sqlite3_finalize(q);
        if (status != OK)
            return status;
        if (k == 1)
            *records = sqlite3_changes(s->db);
    }
    return OK;
}

enum status store_collect(struct store *s, long keep, long *records, struct why *why)
{
    *records = 0;
    TRY(store_act(s, store_use(s, SQL_BEGIN), NULL, why));
    TRY(store_finish(s, collect_all(s, keep, records, why), why));
    return sqlite3_exec(s->db, "VACUUM", NULL, NULL, NULL) == SQLITE_OK ? OK : store_trouble(s, why);
}

/* --- export of records */

struct export {
    FILE *out;
    enum record_format format;
    bool canonical, any;             /* any: at least one record has been written */
    struct json info;
};

static void export_info(void *ctx, const char *key, const char *value)
{
    struct export *e = ctx;

    if (e->format == RECORD_JSON) {
        json_text(&e->info, key, value);
    } else {
        fprintf(e->out, "# %s: ", key);
        line_text(e->out, value);
        putc('\n', e->out);
    }
}

static bool export_record(void *ctx, const struct record *r)
{
    struct export *e = ctx;

    if (e->format == RECORD_JSON)
        fputs(e->any ? ",\n" : "\n", e->out);
    record_write(e->out, r, e->format, e->canonical);
    e->any = true;
    return !ferror(e->out);
}

enum status store_export(struct store *s, long run, FILE *out, enum record_format format,
                         bool canonical, struct why *why)
{
    struct export e = { out, format, canonical, false, { .out = out } };
    bool json = format == RECORD_JSON, info = !canonical && run != STORE_LATEST;

    record_write_heading(out, format);
    if (json)
        fputs(info ? "{\"run\":{" : "{", out);
    if (info && format != RECORD_CSV)
        TRY(store_run_info(s, run, export_info, &e, why));
    if (json)
        fputs(info ? "},\n\"records\":[" : "\"records\":[", out);
    TRY(store_each_of_run(s, run, export_record, &e, why));
    if (json)
        fputs("\n]}\n", out);
    if (fflush(out) != 0 || ferror(out))
        return why_set(why, IO_ERROR, "cannot write the export: %s", strerror(errno));
    return OK;
}
