/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.c - writes an SQLite file whose tables have a number or a text in each column, for programs that
 * do not know the packed records of a store. */
#include "store/plain.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct plain {
    char path[PATH_MAX], part[PATH_MAX + 8];         /* the rows go to the file `part`, which is renamed to `path`
                                                        in the end */
    sqlite3 *db;
    struct { sqlite3_stmt *insert; struct wide_column *column; int columns; } *table;
    int tables;
};

static enum status trouble(const struct plain *p, struct why *why)
{
    return why_set(why, IO_ERROR, "%.300s: %.150s", p->path, sqlite3_errmsg(p->db));
}

static enum status act(struct plain *p, const char *sql, struct why *why)
{
    return sqlite3_exec(p->db, sql, NULL, NULL, NULL) == SQLITE_OK ? OK : trouble(p, why);
}

/* Opens the file p->part and begins its one transaction. Neither journal nor fsync protects the file, since it gets
 * the name p->path only when it is complete. */
static enum status begin(struct plain *p, bool replace, struct why *why)
{
    if (!replace && access(p->path, F_OK) == 0)
        return why_set(why, BAD_INPUT, "%.300s: the file exists: expected a new name, or --force", p->path);
    if (unlink(p->part) && errno != ENOENT)
        return why_set(why, IO_ERROR, "%.300s: %s", p->part, strerror(errno));
    if (sqlite3_open_v2(p->part, &p->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL)
        != SQLITE_OK)
        return trouble(p, why);
    return act(p, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN", why);
}

enum status plain_open(const char *path, bool replace, struct plain **p, struct why *why)
{
    struct plain *made = calloc(1, sizeof *made);
    BUG_IF(!made);
    *p = NULL;
    enum status s = strlen(path) < sizeof made->path && *path
                        ? OK : why_set(why, BAD_INPUT, "'%.100s': expected the path of a file", path);
    if (s == OK) {
        snprintf(made->path, sizeof made->path, "%s", path);
        snprintf(made->part, sizeof made->part, "%s.part", path);
        s = begin(made, replace, why);
    }
    if (s == OK)
        *p = made;
    else
        plain_close(made, false, NULL);
    return s;
}

/* Writes the name of column k. SQLite does not distinguish n from N. Where several names differ in case only, each
 * of them gets a _ at the end for every such name behind it in byte order; capitals come before small letters in
 * byte order, so these are the names with capitals. */
static void put_name(sqlite3_str *text, const struct wide_column *column, int columns, int k)
{
    sqlite3_str_appendf(text, "\"%w", column[k].name);
    for (int i = 0; i < columns; i++)
        if (strcasecmp(column[i].name, column[k].name) == 0 && strcmp(column[i].name, column[k].name) > 0)
            sqlite3_str_appendchar(text, 1, '_');
    sqlite3_str_appendchar(text, 1, '"');
}

/* Returns the statement CREATE TABLE for a table; to be freed by sqlite3_free. The format %w of SQLite quotes
 * names. */
static char *create_text(const char *name, const struct wide_column *column, int columns)
{
    static const char *const kinds[] = { "INTEGER", "REAL", "TEXT" };
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendf(text, "CREATE TABLE \"%w\"(", name);
    for (int k = 0; k < columns; k++) {
        sqlite3_str_appendall(text, k ? ", " : "");
        put_name(text, column, columns, k);
        sqlite3_str_appendf(text, " %s", kinds[column[k].kind]);
    }
    sqlite3_str_appendall(text, ")");
    return sqlite3_str_finish(text);
}

static char *insert_text(const char *name, int columns)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendf(text, "INSERT INTO \"%w\" VALUES(?", name);
    for (int k = 1; k < columns; k++)
        sqlite3_str_appendall(text, ",?");
    sqlite3_str_appendall(text, ")");
    return sqlite3_str_finish(text);
}

enum status plain_table(struct plain *p, const char *name, const struct wide_column *column, int columns,
                        int *table, struct why *why)
{
    int most = sqlite3_limit(p->db, SQLITE_LIMIT_COLUMN, -1);
    if (columns > most)
        return why_set(why, BAD_INPUT, "%.200s: table %.60s has %d columns, and SQLite has %d at most: select runs "
                       "with --paper, --claim or --where", p->path, name, columns, most);
    p->table = realloc(p->table, (size_t)(p->tables + 1) * sizeof *p->table);
    struct wide_column *copy = malloc((size_t)columns * sizeof *copy);
    BUG_IF(!p->table || !copy);
    memcpy(copy, column, (size_t)columns * sizeof *copy);
    *table = p->tables++;
    p->table[*table].insert = NULL;
    p->table[*table].column = copy;
    p->table[*table].columns = columns;
    char *create = create_text(name, column, columns), *insert = insert_text(name, columns);
    BUG_IF(!create || !insert);
    enum status s = act(p, create, why);
    if (s == OK && sqlite3_prepare_v2(p->db, insert, -1, &p->table[*table].insert, NULL) != SQLITE_OK)
        s = trouble(p, why);
    sqlite3_free(create);
    sqlite3_free(insert);
    return s;
}

static void bind(sqlite3_stmt *q, int at, enum wide_kind kind, const struct wide_value *v)
{
    if (v->text)
        sqlite3_bind_text(q, at, v->text, -1, SQLITE_STATIC);
    else if (isnan(v->number))
        sqlite3_bind_null(q, at);
    else if (kind == WIDE_INTEGER)
        sqlite3_bind_int64(q, at, (sqlite3_int64)v->number);
    else
        sqlite3_bind_double(q, at, v->number);
}

enum status plain_row(struct plain *p, int table, const struct wide_value *value, struct why *why)
{
    sqlite3_stmt *q = p->table[table].insert;
    for (int k = 0; k < p->table[table].columns; k++)
        bind(q, k + 1, p->table[table].column[k].kind, &value[k]);
    int code = sqlite3_step(q);
    sqlite3_reset(q);
    return code == SQLITE_DONE ? OK : trouble(p, why);
}

enum status plain_index(struct plain *p, const char *table, const char *column, struct why *why)
{
    char *text = sqlite3_mprintf("CREATE INDEX \"%w_%w\" ON \"%w\"(\"%w\")", table, column, table, column);
    BUG_IF(!text);
    enum status s = act(p, text, why);
    sqlite3_free(text);
    return s;
}

enum status plain_close(struct plain *p, bool done, struct why *why)
{
    enum status s = OK;
    for (int k = 0; k < p->tables; k++) {
        sqlite3_finalize(p->table[k].insert);
        free(p->table[k].column);
    }
    if (done)
        s = act(p, "COMMIT", why);
    sqlite3_close(p->db);
    if (s == OK && done && rename(p->part, p->path))
        s = why_set(why, IO_ERROR, "%.300s: %s", p->path, strerror(errno));
    if (!done || s != OK)
        unlink(p->part);
    free(p->table);
    free(p);
    return s;
}
