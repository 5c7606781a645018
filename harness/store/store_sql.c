/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_sql.c - statements, values and errors of SQLite. */
#include "store/store_state.h"

#include <string.h>

static const char *const sql_text[] = {
#define X(id, text) text,
    SQL_LIST(X)
#undef X
};

/* Text from a damaged file, so that the sentence stays one line that can be read. */
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
    return why_set(why, code == SQLITE_NOMEM ? NO_MEMORY : IO_ERROR, "%s%.150s: %.120s%s",
                   damaged ? DAMAGED : "", s->path, reason, damaged ? ADVICE : "");
}

enum status store_damage(struct store *s, const char *what, const char *cell, struct why *why)
{
    char text[150];

    snprintf(text, sizeof text, "%s", cell);
    readable(text);
    return why_set(why, IO_ERROR, DAMAGED "%.100s: %s of cell `%s`" ADVICE, s->path, what, text);
}

enum status store_damage_at(struct store *s, const char *what, long id, struct why *why)
{
    return why_set(why, IO_ERROR, DAMAGED "%.150s: %s of record %ld" ADVICE, s->path, what, id);
}

bool store_damaged(const struct why *why)
{
    return strncmp(why->text, DAMAGED, strlen(DAMAGED)) == 0;
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

enum status store_act_on(struct store *s, enum sql k, long id, struct why *why)
{
    sqlite3_stmt *q = store_use(s, k);

    sqlite3_bind_int64(q, 1, id);
    return store_act(s, q, NULL, why);
}

enum status store_finish(struct store *s, enum status status, struct why *why)
{
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
