/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.c - opening, checking and closing a store. */
#include "store/store_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char schema[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL,"
    " ended TEXT NOT NULL DEFAULT '');"
    "CREATE TABLE run_info(run INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY(run, key)) WITHOUT ROWID;";

/* A row a record, what people read first; `data` as in record_data.h. Keys are hashes (struct entry), the
 * seal is one of what the index has, the checksum of all. No declared type where NaN is NULL: a REAL
 * column would store -0.0 as the integer 0. A run has the records first..last of each of its rows. */
const char store_tables[] =
    "CREATE TABLE records(id INTEGER PRIMARY KEY, cell TEXT NOT NULL, outcome TEXT NOT NULL, seconds, peak_bytes,"
    " message TEXT NOT NULL, fingerprint TEXT NOT NULL, alike INTEGER NOT NULL, key INTEGER NOT NULL,"
    " print INTEGER NOT NULL, seal INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL);"
    "CREATE TABLE run_records(run INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,"
    " PRIMARY KEY(run, first)) WITHOUT ROWID;";

/* All that a run asks of records which it does not read: whether they are there, how they ended and when. */
const char store_index[] =
    "CREATE INDEX record_keys ON records(alike, key, print, outcome, seconds, seal);";

/* Younger than the other tables, so made in stores that lack it, too. */
static const char history[] =
    "CREATE TABLE IF NOT EXISTS standings(run INTEGER NOT NULL, claim TEXT NOT NULL,"
    " line TEXT NOT NULL, PRIMARY KEY(run, claim)) WITHOUT ROWID";

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
        return why_set(why, IO_ERROR, DAMAGED "%s: its first bytes are overwritten" ADVICE,
                       path);
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
        return store_trouble(s, why);
    status = store_act(s, q, value, why);
    sqlite3_finalize(q);
    return status;
}

/* *version <- the file's; 0: nothing is in the file yet. Of others than today's only a writer is told, and only
 * of those that it can bring up to date. Writes nothing: what is no store stays as it is. */
static enum status check_schema(struct store *s, enum store_mode mode, long *version, struct why *why)
{
    long tables = 0, meta = 0;

    TRY(ask(s, "SELECT count(*) FROM sqlite_master", &tables, why));
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
    TRY(store_sql(s, store_tables, why));
    TRY(store_sql(s, store_index, why));
    snprintf(version_row, sizeof version_row, "INSERT INTO meta VALUES('schema', %d); COMMIT",
             STORE_SCHEMA);
    return store_sql(s, version_row, why);
}

static enum status connect(struct store *s, int flags, struct why *why)
{
    sqlite3_close(s->db);
    s->db = NULL;
    if (sqlite3_open_v2(s->path, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return store_trouble(s, why);
    sqlite3_busy_timeout(s->db, 10000);
    return OK;
}

/* A kill while the log is folded in leaves a journal of what must be undone first, which a connection
 * that only reads cannot do. */
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

/* The schema is looked at before the lock, which leaves a file, and again under it: another writer may
 * just have made it. */
static enum status open_to_write(struct store *s, const char *lock, double wait_seconds,
                                 struct why *why)
{
    long version;

    TRY(connect(s, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, why));
    TRY(check_schema(s, STORE_WRITE, &version, why));
    TRY(take_lock(s, lock, wait_seconds, why));
    TRY(store_sql(s, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536", why));
    TRY(check_schema(s, STORE_WRITE, &version, why));
    if (!version)
        TRY(make_schema(s, why));
    else if (version < STORE_SCHEMA)
        TRY(store_migrate(s, why));
    return store_sql(s, history, why);
}

static enum status open_all(struct store *s, enum store_mode mode, double wait_seconds,
                            struct why *why)
{
    char lock[PATH_MAX + 8];

    snprintf(lock, sizeof lock, "%s.lock", s->path);
    if (mode == STORE_WRITE)
        TRY(make_folders(s->path, why));
    TRY(look(s->path, lock, mode, why));
    return mode == STORE_READ ? open_to_read(s, why) : open_to_write(s, lock, wait_seconds, why);
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
    record_names_forget(&s->names);
    free(s->data);
    free(s);
}

enum status store_last_run(struct store *s, long *run, struct why *why)
{
    *run = 0;
    return ask(s, "SELECT coalesce(max(id), 0) FROM runs", run, why);
}

const char *store_sqlite_version(void)
{
    return sqlite3_libversion();
}
