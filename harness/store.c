/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.c - records and runs in one SQLite file. */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DAMAGED "damaged store: "

/* `value` has no declared type: a REAL column would store -0.0 as the integer 0. SQLite turns NaN
 * into NULL, so all that is not finite is NULL and `code` tells: 0 finite, 1 NaN, 2 inf, 3 -inf. */
static const char schema[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL,"
    " ended TEXT NOT NULL DEFAULT '');"
    "CREATE TABLE run_info(run INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY(run, key)) WITHOUT ROWID;"
    "CREATE TABLE records(id INTEGER PRIMARY KEY, cell TEXT NOT NULL, fingerprint TEXT NOT NULL,"
    " outcome TEXT NOT NULL, message TEXT NOT NULL, seconds, peak_bytes,"
    " UNIQUE(cell, fingerprint));"
    "CREATE TABLE record_values(record INTEGER NOT NULL, name TEXT NOT NULL, value,"
    " code INTEGER NOT NULL, PRIMARY KEY(record, name)) WITHOUT ROWID;"
    "CREATE TABLE record_columns(record INTEGER NOT NULL, position INTEGER NOT NULL,"
    " name TEXT NOT NULL, PRIMARY KEY(record, position)) WITHOUT ROWID;"
    "CREATE TABLE record_trace(record INTEGER NOT NULL, row INTEGER NOT NULL,"
    " position INTEGER NOT NULL, value, code INTEGER NOT NULL,"
    " PRIMARY KEY(record, row, position)) WITHOUT ROWID;"
    "CREATE TABLE run_records(run INTEGER NOT NULL, record INTEGER NOT NULL,"
    " PRIMARY KEY(run, record)) WITHOUT ROWID;"
    "CREATE INDEX run_records_of ON run_records(record, run);";

#define FIELDS "r.id, r.cell, r.fingerprint, r.outcome, r.message, r.seconds, r.peak_bytes"
/* The latest record of a cell is the one of the latest run; records of no run are older still. */
#define LATEST_OF(cell)                                                                      \
    "(SELECT q.id FROM records q LEFT JOIN run_records k ON k.record = q.id"                 \
    " WHERE q.cell = " cell " ORDER BY k.run DESC, q.id DESC LIMIT 1)"

#define SQL_LIST(X)                                                                          \
    X(BEGIN, "BEGIN IMMEDIATE")                                                              \
    X(COMMIT, "COMMIT")                                                                      \
    X(PUT, "INSERT INTO records(cell, fingerprint, outcome, message, seconds, peak_bytes)"   \
      " VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(cell, fingerprint) DO UPDATE SET"         \
      " outcome = ?3, message = ?4, seconds = ?5, peak_bytes = ?6 RETURNING id")             \
    X(DROP_VALUES, "DELETE FROM record_values WHERE record = ?1")                            \
    X(DROP_COLUMNS, "DELETE FROM record_columns WHERE record = ?1")                          \
    X(DROP_TRACE, "DELETE FROM record_trace WHERE record = ?1")                              \
    X(ADD_VALUE, "INSERT INTO record_values(record, name, value, code) VALUES(?1, ?2, ?3, ?4)") \
    X(ADD_COLUMN, "INSERT INTO record_columns(record, position, name) VALUES(?1, ?2, ?3)")   \
    X(ADD_TRACE, "INSERT INTO record_trace(record, row, position, value, code)"              \
      " VALUES(?1, ?2, ?5, ?3, ?4)")                                                         \
    X(LINK, "INSERT OR IGNORE INTO run_records(run, record) VALUES(?1, ?2)")                 \
    X(LINK_KEY, "INSERT INTO run_records(run, record) SELECT ?1, id FROM records"            \
      " WHERE cell = ?2 AND fingerprint = ?3"                                            \
      " ON CONFLICT DO UPDATE SET run = run RETURNING record")                               \
    X(FIND, "SELECT " FIELDS " FROM records r WHERE cell = ?1 AND fingerprint = ?2")         \
    X(FIND_LATEST, "SELECT " FIELDS " FROM records r WHERE id = " LATEST_OF("?1"))           \
    X(VALUES, "SELECT name, value, code FROM record_values WHERE record = ?1 ORDER BY name") \
    X(COLUMNS, "SELECT name FROM record_columns WHERE record = ?1 ORDER BY position")        \
    X(TRACE, "SELECT position, value, code FROM record_trace WHERE record = ?1"              \
      " ORDER BY row, position")                                                             \
    X(RUN, "INSERT INTO runs(started) VALUES(strftime('%Y-%m-%dT%H:%M:%SZ')) RETURNING id")  \
    X(RUN_INFO, "INSERT INTO run_info(run, key, value) VALUES(?1, ?2, ?3)")                  \
    X(RUN_END, "UPDATE runs SET ended = strftime('%Y-%m-%dT%H:%M:%SZ') WHERE id = ?1")

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

enum sql {
#define X(id, text) SQL_##id,
    SQL_LIST(X)
#undef X
    SQLS
};

static const char *const sql_text[] = {
#define X(id, text) text,
    SQL_LIST(X)
#undef X
};

struct store {
    sqlite3 *db;
    sqlite3_stmt *sql[SQLS];         /* prepared at the first use */
    int lock;                        /* file descriptor, -1: reading */
    char path[PATH_MAX];
};

/* The sentence for what SQLite has just refused. */
static enum status trouble(struct store *s, struct why *why)
{
    int code = sqlite3_errcode(s->db) & 0xff;
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;

    return why_set(why, code == SQLITE_NOMEM ? NO_MEMORY : IO_ERROR, "%s%s: %s",
                   damaged ? DAMAGED : "", s->path, sqlite3_errmsg(s->db));
}

static enum status damage(struct store *s, const char *what, const char *cell, struct why *why)
{
    return why_set(why, IO_ERROR, DAMAGED "%s: %s of cell `%.200s`", s->path, what, cell);
}

bool store_damaged(const struct why *why)
{
    return strncmp(why->text, DAMAGED, strlen(DAMAGED)) == 0;
}

/* A statement ready to be bound; NULL, which SQLite takes for a failing statement, on failure. */
static sqlite3_stmt *use(struct store *s, enum sql k)
{
    if (!s->sql[k])
        sqlite3_prepare_v3(s->db, sql_text[k], -1, SQLITE_PREPARE_PERSISTENT, &s->sql[k], NULL);
    return s->sql[k];
}

/* The texts outlive the statement's step: no copy, so that binding cannot fail. */
static void bind_text(sqlite3_stmt *q, int at, const char *text)
{
    sqlite3_bind_text(q, at, text, -1, SQLITE_STATIC);
}

static void bind_value(sqlite3_stmt *q, int at, double v)
{
    if (isfinite(v))
        sqlite3_bind_double(q, at, v);
    else
        sqlite3_bind_null(q, at);
    sqlite3_bind_int(q, at + 1, isfinite(v) ? 0 : isnan(v) ? 1 : v > 0 ? 2 : 3);
}

static double column_value(sqlite3_stmt *q, int at)
{
    static const double special[] = { 0, NAN, INFINITY, -INFINITY };
    int code = sqlite3_column_int(q, at + 1);

    return code >= 1 && code <= 3 ? special[code] : sqlite3_column_double(q, at);
}

static const char *column_text(sqlite3_stmt *q, int at)
{
    const unsigned char *text = sqlite3_column_text(q, at);

    return text ? (const char *)text : "";
}

/* Runs a statement to its end; *id (may be NULL) <- the integer it returns, else untouched. */
static enum status act(struct store *s, sqlite3_stmt *q, long *id, struct why *why)
{
    int code;

    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        if (id)
            *id = sqlite3_column_int64(q, 0);
    }
    sqlite3_reset(q);
    return code == SQLITE_DONE ? OK : trouble(s, why);
}

static enum status act_on(struct store *s, enum sql k, long id, struct why *why)
{
    sqlite3_stmt *q = use(s, k);

    sqlite3_bind_int64(q, 1, id);
    return act(s, q, NULL, why);
}

/* Commits if all went well so far, else takes everything back. */
static enum status finish(struct store *s, enum status status, struct why *why)
{
    if (status == OK)
        status = act(s, use(s, SQL_COMMIT), NULL, why);
    if (status != OK)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* --- opening and closing */

static enum status make_folders(const char *path, struct why *why)
{
    char folder[PATH_MAX];

    snprintf(folder, sizeof folder, "%s", path);
    for (char *end = strchr(folder + 1, '/'); end; end = strchr(end + 1, '/')) {
        *end = 0;
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return why_set(why, IO_ERROR, "cannot create folder %s: %s", folder, strerror(errno));
        *end = '/';
    }
    return OK;
}

/* Refuses what cannot be a store before anything is written beside it. A lock file shows that it
 * once was one. */
static enum status look(const char *path, const char *lock, enum store_mode mode, struct why *why)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    struct stat info;
    ssize_t n;
    int fd;

    if (stat(path, &info) != 0 && errno == ENOENT)
        return mode == STORE_WRITE ? OK : why_set(why, BAD_INPUT, "%s: no such store", path);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return why_set(why, IO_ERROR, "%s: %s", path, strerror(errno));
    n = read(fd, head, sizeof head);
    close(fd);
    if (n == 0 || (n == sizeof head && memcmp(head, magic, sizeof head) == 0))
        return OK;
    if (access(lock, F_OK) == 0)
        return why_set(why, IO_ERROR, DAMAGED "%s: its first bytes are overwritten", path);
    return why_set(why, BAD_INPUT, "%s: not a store, expected an SQLite file", path);
}

static enum status take_lock(struct store *s, const char *path, double wait_seconds,
                             struct why *why)
{
    enum { STEP = 20000 };           /* microseconds between attempts */
    struct flock lock, held;

    s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->lock < 0)
        return why_set(why, IO_ERROR, "cannot write %s: %s", path, strerror(errno));
    lock = held = (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET };
    for (double waited = 0; fcntl(s->lock, F_SETLK, &lock) != 0; waited += STEP / 1e6) {
        if (errno != EACCES && errno != EAGAIN)
            return why_set(why, IO_ERROR, "cannot lock %s: %s", path, strerror(errno));
        held = lock;
        if (waited >= wait_seconds && fcntl(s->lock, F_GETLK, &held) == 0 &&
            held.l_type != F_UNLCK)
            return why_set(why, REFUSED, "%s: process %ld is writing to this store (waited %g s)",
                           s->path, (long)held.l_pid, wait_seconds);
        usleep(STEP);
    }
    /* For people; the kernel names the holder. The file stays: removing a lock file is a race. */
    if (ftruncate(s->lock, 0) != 0 || dprintf(s->lock, "%ld\n", (long)getpid()) < 0)
        return why_set(why, IO_ERROR, "cannot write %s: %s", path, strerror(errno));
    return OK;
}

/* *value <- the integer a query gives, untouched if it gives none. */
static enum status ask(struct store *s, const char *sql, long *value, struct why *why)
{
    sqlite3_stmt *q = NULL;
    enum status status;

    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK)
        return trouble(s, why);
    status = act(s, q, value, why);
    sqlite3_finalize(q);
    return status;
}

static enum status run_sql(struct store *s, const char *sql, struct why *why)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? OK : trouble(s, why);
}

static enum status check_schema(struct store *s, enum store_mode mode, struct why *why)
{
    long tables = 0, meta = 0, version = 0;

    TRY(ask(s, "SELECT count(*) FROM sqlite_master", &tables, why));
    TRY(ask(s, "SELECT count(*) FROM sqlite_master WHERE name = 'meta'", &meta, why));
    if (tables == 0 && mode == STORE_WRITE) {
        TRY(run_sql(s, "BEGIN IMMEDIATE", why));
        TRY(run_sql(s, schema, why));
        TRY(run_sql(s, "INSERT INTO meta VALUES('schema', 1); COMMIT", why));
        return OK;
    }
    if (meta)
        TRY(ask(s, "SELECT value FROM meta WHERE key = 'schema'", &version, why));
    if (version < 1)
        return why_set(why, BAD_INPUT, "%s: not a store, %s", s->path,
                       tables ? "another program's SQLite file" : "empty");
    if (version > STORE_SCHEMA)
        return why_set(why, BAD_INPUT,
                       "%s: written by a newer version (schema %ld, this program knows up to %d)",
                       s->path, version, STORE_SCHEMA);
    return OK;
}

static enum status open_all(struct store *s, enum store_mode mode, double wait_seconds,
                            struct why *why)
{
    char lock[PATH_MAX + 8];

    snprintf(lock, sizeof lock, "%s.lock", s->path);
    if (mode == STORE_WRITE)
        TRY(make_folders(s->path, why));
    TRY(look(s->path, lock, mode, why));
    if (mode == STORE_WRITE)
        TRY(take_lock(s, lock, wait_seconds, why));
    if (sqlite3_open_v2(s->path, &s->db, mode == STORE_WRITE
                        ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY,
                        NULL) != SQLITE_OK)
        return trouble(s, why);
    sqlite3_busy_timeout(s->db, 10000);
    if (mode == STORE_WRITE)
        TRY(run_sql(s, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", why));
    return check_schema(s, mode, why);
}

enum status store_open(const char *path, enum store_mode mode, double wait_seconds,
                       struct store **store, struct why *why)
{
    struct store *s;
    enum status status;

    *store = NULL;
    if (*path == 0 || *path == ':' || strlen(path) >= PATH_MAX)
        return why_set(why, BAD_INPUT, "store `%.100s`: expected the path of a file", path);
    s = calloc(1, sizeof *s);
    if (!s)
        return why_set(why, NO_MEMORY, "%s: out of memory", path);
    s->lock = -1;
    strcpy(s->path, path);
    status = open_all(s, mode, wait_seconds, why);
    if (status != OK)
        store_close(s);
    else
        *store = s;
    return status;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    for (int k = 0; k < SQLS; k++)
        sqlite3_finalize(s->sql[k]);
    if (s->lock >= 0)                /* back to one file; a reader may prevent it, no harm */
        sqlite3_exec(s->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    sqlite3_close(s->db);
    if (s->lock >= 0)
        close(s->lock);
    free(s);
}

enum status store_check(struct store *s, struct why *why)
{
    sqlite3_stmt *q = NULL;
    enum status status = OK;

    if (sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &q, NULL) != SQLITE_OK ||
        sqlite3_step(q) != SQLITE_ROW)
        status = trouble(s, why);
    else if (strcmp(column_text(q, 0), "ok") != 0)
        status = why_set(why, IO_ERROR, DAMAGED "%s: %s", s->path, column_text(q, 0));
    sqlite3_finalize(q);
    return status;
}

/* --- writing */

static enum status add_run(struct store *s, const struct store_info *info, size_t n, long *run,
                           struct why *why)
{
    TRY(act(s, use(s, SQL_RUN), run, why));
    for (size_t k = 0; k < n; k++) {
        sqlite3_stmt *q = use(s, SQL_RUN_INFO);

        sqlite3_bind_int64(q, 1, *run);
        bind_text(q, 2, info[k].key);
        bind_text(q, 3, info[k].value);
        TRY(act(s, q, NULL, why));
    }
    return OK;
}

enum status store_begin_run(struct store *s, const struct store_info *info, size_t n, long *run,
                            struct why *why)
{
    TRY(act(s, use(s, SQL_BEGIN), NULL, why));
    return finish(s, add_run(s, info, n, run, why), why);
}

enum status store_end_run(struct store *s, long run, struct why *why)
{
    return act_on(s, SQL_RUN_END, run, why);
}

static enum status put_values(struct store *s, long id, const struct record *r, struct why *why)
{
    const struct record_trace *t = &r->trace;
    sqlite3_stmt *q = use(s, SQL_ADD_VALUE);

    sqlite3_bind_int64(q, 1, id);
    for (size_t k = 0; k < r->values; k++) {
        bind_text(q, 2, r->value[k].name);
        bind_value(q, 3, r->value[k].value);
        TRY(act(s, q, NULL, why));
    }
    q = use(s, SQL_ADD_COLUMN);
    sqlite3_bind_int64(q, 1, id);
    for (size_t k = 0; k < t->columns; k++) {
        sqlite3_bind_int64(q, 2, k);
        bind_text(q, 3, t->column[k]);
        TRY(act(s, q, NULL, why));
    }
    q = use(s, SQL_ADD_TRACE);
    sqlite3_bind_int64(q, 1, id);
    for (size_t k = 0; k < t->rows * t->columns; k++) {
        sqlite3_bind_int64(q, 2, k / t->columns);
        bind_value(q, 3, t->value[k]);
        sqlite3_bind_int64(q, 5, k % t->columns);
        TRY(act(s, q, NULL, why));
    }
    return OK;
}

static enum status put_all(struct store *s, long run, const struct record *r, struct why *why)
{
    sqlite3_stmt *q = use(s, SQL_PUT);
    long id = 0;

    bind_text(q, 1, r->cell);
    bind_text(q, 2, r->fingerprint);
    bind_text(q, 3, record_outcome_name(r->outcome));
    bind_text(q, 4, r->message);
    sqlite3_bind_double(q, 5, r->seconds);
    sqlite3_bind_double(q, 6, r->peak_bytes);
    TRY(act(s, q, &id, why));
    TRY(act_on(s, SQL_DROP_VALUES, id, why));
    TRY(act_on(s, SQL_DROP_COLUMNS, id, why));
    TRY(act_on(s, SQL_DROP_TRACE, id, why));
    TRY(put_values(s, id, r, why));

    q = use(s, SQL_LINK);
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, id);
    return act(s, q, NULL, why);
}

enum status store_put(struct store *s, long run, const struct record *r, struct why *why)
{
    if (r->out_of_memory)
        return why_set(why, NO_MEMORY, "incomplete record of cell `%.200s`", r->cell);
    TRY(act(s, use(s, SQL_BEGIN), NULL, why));
    return finish(s, put_all(s, run, r, why), why);
}

enum status store_link(struct store *s, long run, const char *cell, const char *fingerprint,
                       struct why *why)
{
    sqlite3_stmt *q = use(s, SQL_LINK_KEY);
    long id = 0;

    sqlite3_bind_int64(q, 1, run);
    bind_text(q, 2, cell);
    bind_text(q, 3, fingerprint);
    TRY(act(s, q, &id, why));
    return id ? OK : why_set(why, REFUSED, "%s: no record of cell `%.200s`", s->path, cell);
}

/* --- reading */

/* A name read from the file: one that no record can hold is damage. */
static const char *column_name(sqlite3_stmt *q, int at)
{
    return sqlite3_column_bytes(q, at) < RECORD_NAME ? column_text(q, at) : NULL;
}

static enum status read_values(struct store *s, long id, struct record *r, struct why *why)
{
    sqlite3_stmt *q = use(s, SQL_VALUES);
    const char *name = "";
    int code;

    sqlite3_bind_int64(q, 1, id);
    while ((code = sqlite3_step(q)) == SQLITE_ROW && (name = column_name(q, 0)))
        record_put(r, name, column_value(q, 1));
    sqlite3_reset(q);
    if (!name)
        return damage(s, "a value", r->cell, why);
    return code == SQLITE_DONE ? OK : trouble(s, why);
}

static enum status read_columns(struct store *s, long id, struct record *r, struct why *why)
{
    sqlite3_stmt *q = use(s, SQL_COLUMNS);
    const char *name = "";
    int code;

    sqlite3_bind_int64(q, 1, id);
    while ((code = sqlite3_step(q)) == SQLITE_ROW && (name = column_name(q, 0)))
        record_trace_column(r, name);
    sqlite3_reset(q);
    if (!name)
        return damage(s, "the trace", r->cell, why);
    return code == SQLITE_DONE ? OK : trouble(s, why);
}

static enum status read_trace(struct store *s, long id, struct record *r, struct why *why)
{
    sqlite3_stmt *q = use(s, SQL_TRACE);
    size_t columns = r->trace.columns, k = 0;
    double *row = calloc(columns + 1, sizeof *row);
    bool right = row != NULL;
    int code;

    if (!row)
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    sqlite3_bind_int64(q, 1, id);
    while ((code = sqlite3_step(q)) == SQLITE_ROW && right) {
        right = columns > 0 && (size_t)sqlite3_column_int64(q, 0) == k;
        row[k] = column_value(q, 1);
        if (right && ++k == columns) {
            record_trace_row(r, row);
            k = 0;
        }
    }
    sqlite3_reset(q);
    free(row);
    if (!right || (code == SQLITE_DONE && k > 0))
        return damage(s, "the trace", r->cell, why);
    return code == SQLITE_DONE ? OK : trouble(s, why);
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
    enum status status = OK;

    if (sqlite3_column_bytes(q, 2) >= (int)sizeof r->fingerprint)
        return damage(s, "the fingerprint", column_text(q, 1), why);
    r = record_new(column_text(q, 1), column_text(q, 2));
    if (!r)
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    record_end(r, OUTCOME_OK, column_text(q, 4));
    r->seconds = column_time(q, 5);
    r->peak_bytes = column_time(q, 6);
    if (!record_outcome_parse(column_text(q, 3), &r->outcome))
        status = damage(s, "the outcome", r->cell, why);
    if (status == OK)
        status = read_values(s, id, r, why);
    if (status == OK)
        status = read_columns(s, id, r, why);
    if (status == OK)
        status = read_trace(s, id, r, why);
    if (status == OK && r->out_of_memory)
        status = why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    if (status == OK)
        *out = r;
    else
        record_free(r);
    return status;
}

enum status store_find(struct store *s, const char *cell, const char *fingerprint,
                       struct record **found, struct why *why)
{
    sqlite3_stmt *q = use(s, fingerprint ? SQL_FIND : SQL_FIND_LATEST);
    enum status status = OK;
    int code;

    *found = NULL;
    bind_text(q, 1, cell);
    if (fingerprint)
        bind_text(q, 2, fingerprint);
    code = sqlite3_step(q);
    if (code == SQLITE_ROW)
        status = read_record(s, q, found, why);
    else if (code != SQLITE_DONE)
        status = trouble(s, why);
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
        return trouble(s, why);
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
        status = trouble(s, why);
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
        snprintf(run.started, sizeof run.started, "%s", column_text(q, 1));
        snprintf(run.ended, sizeof run.ended, "%s", column_text(q, 2));
        run.records = sqlite3_column_int64(q, 3);
        each(ctx, &run);
    }
    sqlite3_finalize(q);
    return code == SQLITE_DONE ? OK : trouble(s, why);
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
            each(ctx, column_text(q, 0), column_text(q, 1));
    }
    sqlite3_finalize(q);
    return code == SQLITE_DONE ? OK : trouble(s, why);
}

enum status store_last_run(struct store *s, long *run, struct why *why)
{
    *run = 0;
    return ask(s, "SELECT coalesce(max(id), 0) FROM runs", run, why);
}

/* --- export */

struct export {
    FILE *out;
    enum record_format format;
    bool canonical, any;             /* any: something stands before, JSON wants a comma */
};

static void export_info(void *ctx, const char *key, const char *value)
{
    struct export *e = ctx;

    if (e->format == RECORD_JSON) {
        fputs(e->any ? "," : "", e->out);
        record_write_json_text(e->out, key);
        putc(':', e->out);
        record_write_json_text(e->out, value);
    } else {
        fprintf(e->out, "# %s: ", key);
        record_write_line_text(e->out, value);
        putc('\n', e->out);
    }
    e->any = true;
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
    struct export e = { out, format, canonical, false };
    bool json = format == RECORD_JSON, info = !canonical && run != STORE_LATEST;

    if (format == RECORD_CSV)
        fputs(RECORD_CSV_HEADER, out);
    if (json)
        fputs(info ? "{\"run\":{" : "{", out);
    if (info && format != RECORD_CSV)
        TRY(store_run_info(s, run, export_info, &e, why));
    if (json)
        fputs(info ? "},\n\"records\":[" : "\"records\":[", out);
    e.any = false;
    TRY(store_each_of_run(s, run, export_record, &e, why));
    if (json)
        fputs("\n]}\n", out);
    if (fflush(out) != 0 || ferror(out))
        return why_set(why, IO_ERROR, "cannot write the export: %s", strerror(errno));
    return OK;
}
