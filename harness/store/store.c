/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.c - opening and closing a store; statements, values and errors of SQLite. */
#include "store/store_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "text/folder.h"

/* --- statements of SQLite, their values and errors */

static const char *const sql_text[] = {
#define X(id, text) text,
    SQL_LIST(X)
#undef X
};

/* Replaces all bytes that are not printable ASCII by '?', since text of a damaged file must not break the line of a
 * message. */
static void readable(char *text)
{
    for (char *c = text; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
}

enum status store_trouble(struct store *s, struct why *why)
{
    int code = sqlite3_errcode(s->db) & 0xff;
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    char reason[121];

    snprintf(reason, sizeof reason, "%s", sqlite3_errmsg(s->db));
    readable(reason);
    return why_set(why, code == SQLITE_NOMEM ? NO_MEMORY : damaged ? DAMAGED : IO_ERROR, "%s%.150s: %.120s%s",
                   damaged ? DAMAGE : "", s->path, reason, damaged ? ADVICE : "");
}

enum status store_damage(struct store *s, const char *what, const char *cell, struct why *why)
{
    char text[150];

    snprintf(text, sizeof text, "%s", cell);
    readable(text);
    return why_set(why, DAMAGED, DAMAGE "%.100s: %s of cell `%s`" ADVICE, s->path, what, text);
}

enum status store_damage_at(struct store *s, const char *what, long id, struct why *why)
{
    return why_set(why, DAMAGED, DAMAGE "%.150s: %s of record %ld" ADVICE, s->path, what, id);
}

sqlite3_stmt *store_use(struct store *s, enum sql k)
{
    if (!s->sql[k])
        sqlite3_prepare_v3(s->db, sql_text[k], -1, SQLITE_PREPARE_PERSISTENT, &s->sql[k], NULL);
    return s->sql[k];
}

void store_bind_text(sqlite3_stmt *q, int at, const char *text)
{
    sqlite3_bind_text(q, at, text, -1, SQLITE_STATIC);
}

const char *store_column_text(sqlite3_stmt *q, int at)
{
    const unsigned char *text = sqlite3_column_text(q, at);

    return text ? (const char *)text : "";
}

enum status store_act(struct store *s, sqlite3_stmt *q, long *id, struct why *why)
{
    int code;

    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        if (id)
            *id = sqlite3_column_int64(q, 0);
    }
    sqlite3_reset(q);
    return code == SQLITE_DONE ? OK : store_trouble(s, why);
}

/* Is the store's file still there under its name? If it has been moved away, SQLite would go on writing to a log
 * that no later opening finds. */
static enum status in_place(struct store *s, struct why *why)
{
    int moved = 0;
    sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved ? why_set(why, IO_ERROR, "%s: the file was moved away or deleted while it was written to", s->path)
                 : OK;
}

enum status store_finish(struct store *s, enum status status, struct why *why)
{
    if (status == OK)
        status = in_place(s, why);
    if (status == OK)
        status = store_act(s, store_use(s, SQL_COMMIT), NULL, why);
    if (status != OK)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

enum status store_sql(struct store *s, const char *sql, struct why *why)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? OK : store_trouble(s, why);
}

/* --- the tables */

static const char schema[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL,"
    " ended TEXT NOT NULL DEFAULT '', uuid TEXT NOT NULL, maker INTEGER NOT NULL);"
    "CREATE TABLE run_info(run INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY(run, key)) WITHOUT ROWID;";

/* A record is a row of the table `records`; the columns that people read come first. `data` is the blob of
 * record_data.h. alike, key, print and stamp are hashes (struct entry); `uses` are the flags of kind.h; `seal` is a
 * hash of what the index holds, `checksum` one of the whole row. seconds and peak_bytes have no declared type,
 * since a REAL column would store -0.0 as the integer 0; NULL stands for NaN. The records of a run are those with
 * ids first..last of each row that it has in run_records. */
static const char record_tables[] =
    "CREATE TABLE records(id INTEGER PRIMARY KEY, cell TEXT NOT NULL, outcome TEXT NOT NULL, seconds, peak_bytes,"
    " message TEXT NOT NULL, fingerprint TEXT NOT NULL, uses INTEGER NOT NULL, alike INTEGER NOT NULL,"
    " key INTEGER NOT NULL, print INTEGER NOT NULL, stamp INTEGER NOT NULL, maker INTEGER NOT NULL,"
    " seal INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL);"
    "CREATE TABLE run_records(run INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,"
    " PRIMARY KEY(run, first)) WITHOUT ROWID;";

/* The index has what is looked up of records that are not read: whether a cell has a record, how the run of this
 * record ended and how long it took. */
const char store_index[] =
    "CREATE INDEX record_keys ON records(alike, key, print, stamp, maker, outcome, seconds, seal);";

/* Tables and an index that schema 5 adds to schema 4; a store of schema 4 may have the table of standings already.
 * A row of `merged` is a store that was merged into this one, with a digest of everything in it. */
const char store_tables_5[] =
    "CREATE TABLE IF NOT EXISTS standings(run INTEGER NOT NULL, claim TEXT NOT NULL,"
    " line TEXT NOT NULL, PRIMARY KEY(run, claim)) WITHOUT ROWID;"
    "CREATE TABLE makers(id INTEGER PRIMARY KEY, host TEXT NOT NULL, level TEXT NOT NULL, blas TEXT NOT NULL,"
    " library TEXT NOT NULL);"
    "CREATE TABLE merged(digest TEXT PRIMARY KEY, path TEXT NOT NULL, records INTEGER NOT NULL,"
    " ended TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX run_order ON runs(started, uuid);";

/* --- the file, its lock and its schema */

/* Refuses a file that does not begin as an SQLite file, before a lock file is written beside it. Where there is a
 * lock file already, the file was a store once, so its first bytes must be damaged. */
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
        return why_set(why, DAMAGED, DAMAGE "%s: its first bytes are overwritten" ADVICE,
                       path);
    return why_set(why, BAD_INPUT, "%s: not a store, expected an SQLite file", path);
}

static bool never_waits;

void store_never_waits(void) { never_waits = true; }

/* words <- what the process that has the lock has written into the lock file: process, host and start. */
static void read_holder(int lock, char words[200])
{
    ssize_t n = pread(lock, words, 199, 0);
    words[n > 0 ? n : 0] = 0;
    words[strcspn(words, "\n")] = 0;
    if (!*words)                     /* a process has the lock and has not written yet */
        strcpy(words, "another process");
    readable(words);
}

/* Writes process, host and start into the lock file, for messages; the lock itself is one of fcntl. The file is
 * never removed: otherwise a writer that has opened it before its removal, and one that makes it again, could both
 * get a lock. */
static bool write_holder(int lock)
{
    struct utsname host;
    char since[24];
    uname(&host);
    clock_date_text(since);
    return ftruncate(lock, 0) == 0 &&
           dprintf(lock, "process %ld on %s since %s\n", (long)getpid(), host.nodename, since) > 0;
}

static enum status take_lock(struct store *s, const char *path, double wait_seconds,
                             struct why *why)
{
    enum { STEP = 20000 };           /* microseconds between two tries to get the lock */
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    char holder[200];

    s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->lock < 0)
        return why_set(why, IO_ERROR, "cannot write %s: %s", path, strerror(errno));
    if (never_waits)
        wait_seconds = 0;
    for (double waited = 0; fcntl(s->lock, F_SETLK, &lock) != 0; waited += STEP / 1e6) {
        if (errno != EACCES && errno != EAGAIN)
            return why_set(why, IO_ERROR, "cannot lock %s: %s", path, strerror(errno));
        read_holder(s->lock, holder);
        if (waited >= wait_seconds)
            return why_set(why, REFUSED, "%.120s: %s is writing to this store (waited %g s)", s->path, holder,
                           wait_seconds);
        if (!waited)
            fprintf(stderr, "%s: %s is writing to this store; waiting for it, at most %g s\n", s->path, holder,
                    wait_seconds);
        usleep(STEP);
    }
    if (!write_holder(s->lock))
        return why_set(why, IO_ERROR, "cannot write %s: %s", path, strerror(errno));
    return OK;
}

/* *value <- the integer that a query returns; *value is untouched if it returns none. */
static enum status ask(struct store *s, const char *sql, long *value, struct why *why)
{
    sqlite3_stmt *q = NULL;
    enum status status;

    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK)
        return store_trouble(s, why);
    status = store_act(s, q, value, why);
    sqlite3_finalize(q);
    return status;
}

/* *version <- the schema of the file; 0: the file is empty. Refuses versions that cannot be used: a reader needs
 * STORE_SCHEMA, a writer accepts STORE_OLD to STORE_SCHEMA. Writes nothing, so that a file that is no store stays
 * as it is. */
static enum status check_schema(struct store *s, enum store_mode mode, long *version, struct why *why)
{
    long tables = 0, meta = 0, computed = 0;

    TRY(ask(s, "SELECT count(*) FROM sqlite_master", &tables, why));
    TRY(ask(s, "SELECT count(*) FROM sqlite_master m WHERE coalesce(rootpage, 0) = 0"
               " OR EXISTS (SELECT 1 FROM pragma_table_xinfo(m.name) WHERE hidden)", &computed, why));
    if (computed)                    /* such things would act when the store is read or written */
        return why_set(why, BAD_INPUT, "%s: not a store, it has triggers, views, virtual tables or computed "
                       "columns", s->path);
    TRY(ask(s, "SELECT count(*) FROM sqlite_master WHERE name = 'meta'", &meta, why));
    *version = 0;
    if (!tables && mode == STORE_WRITE)
        return OK;
    if (meta)
        TRY(ask(s, "SELECT value FROM meta WHERE key = 'schema'", version, why));
    if (*version < 1)
        return why_set(why, BAD_INPUT, "%s: not a store, %s", s->path,
                       tables ? "another program's SQLite file" : "empty");
    if (*version > STORE_SCHEMA)
        return why_set(why, BAD_INPUT,
                       "%s: written by a newer version (schema %ld, this program knows up to %d)",
                       s->path, *version, STORE_SCHEMA);
    if (*version < STORE_OLD)
        return why_set(why, BAD_INPUT,
                       "%s: written by an older version (schema %ld, this program reads %d): move it away, "
                       "the next run makes a new one", s->path, *version, STORE_SCHEMA);
    if (*version < STORE_SCHEMA && mode == STORE_READ)
        return why_set(why, BAD_INPUT,
                       "%s: written by an older version (schema %ld, this program reads %d): what writes to it "
                       "brings it up to date, such as `assay gc --keep 1000000 --store FILE`", s->path, *version,
                       STORE_SCHEMA);
    return OK;
}

static enum status make_schema(struct store *s, struct why *why)
{
    char version_row[64];

    TRY(store_sql(s, "BEGIN IMMEDIATE", why));
    TRY(store_sql(s, schema, why));
    TRY(store_sql(s, record_tables, why));
    TRY(store_sql(s, store_tables_5, why));
    TRY(store_sql(s, store_index, why));
    snprintf(version_row, sizeof version_row, "INSERT INTO meta VALUES('schema', %d); COMMIT",
             STORE_SCHEMA);
    return store_sql(s, version_row, why);
}

/* --- upgrading an older schema */

/* upgrade[v - STORE_OLD] changes the tables of schema v to those of v + 1. */
static enum status (*const upgrade[])(struct store *s, struct why *why) = { store_upgrade_4 };

static enum status upgrade_all(struct store *s, long version, struct why *why)
{
    char text[80];

    for (; version < STORE_SCHEMA; version++)
        TRY(upgrade[version - STORE_OLD](s, why));
    snprintf(text, sizeof text, "UPDATE meta SET value = %d WHERE key = 'schema'", STORE_SCHEMA);
    return store_sql(s, text, why);
}

/* Upgrades the tables from schema `version` to STORE_SCHEMA in one transaction: if the process is killed meanwhile,
 * the store is as it was before. */
static enum status bring_up_to_date(struct store *s, long version, struct why *why)
{
    TRY(store_act(s, store_use(s, SQL_BEGIN), NULL, why));
    return store_finish(s, upgrade_all(s, version, why), why);
}

/* --- opening and closing a store */

static enum status connect(struct store *s, int flags, struct why *why)
{
    sqlite3_close(s->db);
    s->db = NULL;
    if (sqlite3_open_v2(s->path, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return store_trouble(s, why);
    sqlite3_busy_timeout(s->db, 10000);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return OK;
}

/* Opens the file for reading. If a process was killed while it copied the log into the file, there is a rollback
 * journal, which a connection for reading cannot roll back. The file is then opened once more for writing, with all
 * statements that write forbidden. */
static enum status open_to_read(struct store *s, struct why *why)
{
    long version;

    TRY(connect(s, SQLITE_OPEN_READONLY, why));
    enum status status = check_schema(s, STORE_READ, &version, why);
    if (status != IO_ERROR || (sqlite3_errcode(s->db) & 0xff) != SQLITE_READONLY)
        return status;
    TRY(connect(s, SQLITE_OPEN_READWRITE, why));
    TRY(store_sql(s, "PRAGMA query_only = ON", why));
    return check_schema(s, STORE_READ, &version, why);
}

/* Opens the file for writing. The schema is checked before the lock is taken, so that no lock file is left beside a
 * file that is not a store, and again under the lock, since another writer may have upgraded it meanwhile. */
static enum status open_to_write(struct store *s, const char *lock, double wait_seconds,
                                 struct why *why)
{
    long version;

    TRY(connect(s, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, why));
    TRY(check_schema(s, STORE_WRITE, &version, why));
    TRY(take_lock(s, lock, wait_seconds, why));
    TRY(store_sql(s, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536", why));
    TRY(check_schema(s, STORE_WRITE, &version, why));
    return !version ? make_schema(s, why) : version < STORE_SCHEMA ? bring_up_to_date(s, version, why) : OK;
}

static enum status open_all(struct store *s, enum store_mode mode, double wait_seconds,
                            struct why *why)
{
    char lock[PATH_MAX + 8];

    snprintf(lock, sizeof lock, "%s.lock", s->path);
    if (mode == STORE_WRITE)
        TRY(folder_above(s->path, why));
    TRY(look(s->path, lock, mode, why));
    return mode == STORE_READ ? open_to_read(s, why) : open_to_write(s, lock, wait_seconds, why);
}

bool store_is_new(const char *path)
{
    struct store s = { .lock = -1 };
    long tables = 1;
    if (access(path, F_OK) != 0)
        return true;
    snprintf(s.path, sizeof s.path, "%s", path);
    bool read = connect(&s, SQLITE_OPEN_READONLY, NULL) == OK &&
                ask(&s, "SELECT count(*) FROM sqlite_master", &tables, NULL) == OK;
    sqlite3_close(s.db);
    return read && !tables;
}

bool store_is_old(const char *path)
{
    struct store s = { .lock = -1 };
    long version = 0;
    snprintf(s.path, sizeof s.path, "%s", path);
    bool read = connect(&s, SQLITE_OPEN_READONLY, NULL) == OK &&
                check_schema(&s, STORE_WRITE, &version, NULL) == OK;
    sqlite3_close(s.db);
    return read && version && version < STORE_SCHEMA;
}

enum status store_path(const char *path, struct why *why)
{
    if (*path == 0 || *path == ':' || strlen(path) >= PATH_MAX)
        return why_set(why, BAD_INPUT, "store `%.100s`: expected the path of a file", path);
    return OK;
}

enum status store_open(const char *path, enum store_mode mode, double wait_seconds,
                       struct store **store, struct why *why)
{
    struct store *s;
    enum status status;

    *store = NULL;
    TRY(store_path(path, why));
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

enum status store_copy_log(struct store *s, struct why *why)
{
    return store_sql(s, "PRAGMA journal_mode = DELETE", why);
}

void store_close(struct store *s)
{
    if (!s)
        return;
    store_batch_end(s, NULL);
    for (int k = 0; k < SQLS; k++)
        sqlite3_finalize(s->sql[k]);
    if (s->lock >= 0)                /* opened for writing; the log stays if a reader still uses it */
        store_copy_log(s, NULL);
    sqlite3_close(s->db);
    if (s->lock >= 0)
        close(s->lock);
    record_names_forget(&s->names);
    free(s->data);
    free(s->maker);
    free(s);
}

const char *store_sqlite_version(void)
{
    return sqlite3_libversion();
}
