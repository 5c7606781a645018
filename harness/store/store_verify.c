/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_verify.c - is the file whole, and all that it keeps? */
#include "store/store_state.h"

#include <string.h>

enum status store_check(struct store *s, struct why *why)
{
    sqlite3_stmt *q = NULL;
    enum status status = OK;

    if (sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &q, NULL) != SQLITE_OK ||
        sqlite3_step(q) != SQLITE_ROW)
        status = store_trouble(s, why);
    else if (strcmp(store_column_text(q, 0), "ok") != 0)
        status = why_set(why, IO_ERROR, DAMAGED "%.150s: %.100s" ADVICE, s->path,
                         store_column_text(q, 0));
    for (char *end; status != OK && why && (end = strchr(why->text, '\n'));)
        *end = ' ';                      /* a list of findings, as one line */
    sqlite3_finalize(q);
    return status;
}

struct sums { uint64_t seals; long n, cells; struct entry last; };

static enum status add_entry(void *ctx, const struct entry *e, struct why *why)
{
    struct sums *t = ctx;
    t->cells += !t->n || t->last.alike != e->alike || t->last.key != e->key;
    t->seals += (uint32_t)store_seal(e);
    t->n++;
    t->last = *e;
    return OK;
}

/* Every record, in the order of the file; its checksum is part of the reading. */
static enum status add_rows(struct store *s, struct sums *t, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_ROWS);
    struct record *r = NULL;
    enum status status = OK;
    struct entry e;
    int code = SQLITE_ERROR;
    sqlite3_bind_int64(q, 1, 0);
    sqlite3_bind_int64(q, 2, INT64_MAX);
    while (status == OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
        status = store_row_read(s, q, &r, &e, why);
        if (status == OK)
            status = add_entry(t, &e, why);
    }
    if (status == OK && code != SQLITE_DONE)
        status = store_trouble(s, why);
    sqlite3_reset(q);
    record_free(r);
    return status;
}

/* Rows and entries are not of the same records. */
static enum status unmatched(struct store *s, struct why *why)
{
    long id = 0;
    TRY(store_act(s, store_use(s, SQL_UNMATCHED), &id, why));
    return store_damage_at(s, "the key", id, why);
}

static enum status verify(struct store *s, struct sums *index, struct why *why)
{
    struct sums rows = { 0 };
    TRY(store_each_entry(s, add_entry, index, why));
    TRY(add_rows(s, &rows, why));
    return rows.n == index->n && rows.seals == index->seals ? OK : unmatched(s, why);
}

enum status store_verify(struct store *s, long *cells, struct why *why)
{
    struct sums index = { 0 };
    *cells = 0;
    TRY(store_check(s, why));
    TRY(store_act(s, store_use(s, SQL_SNAPSHOT), NULL, why));
    TRY(store_finish(s, verify(s, &index, why), why));
    *cells = index.cells;
    return OK;
}
