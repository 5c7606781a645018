/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_write.c - runs and records into the store. */
#include "store/store_state.h"

#include <stdlib.h>

enum status store_put_info(struct store *s, long run, const struct store_info *info, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_RUN_INFO);

    sqlite3_bind_int64(q, 1, run);
    store_bind_text(q, 2, info->key);
    store_bind_text(q, 3, info->value);
    return store_act(s, q, NULL, why);
}

static enum status add_run(struct store *s, const struct store_info *info, size_t n, long *run,
                           struct why *why)
{
    TRY(store_act(s, store_use(s, SQL_RUN), run, why));
    for (size_t k = 0; k < n; k++)
        TRY(store_put_info(s, *run, &info[k], why));
    return OK;
}

enum status store_begin_run(struct store *s, const struct store_info *info, size_t n, long *run,
                            struct why *why)
{
    TRY(store_act(s, store_use(s, SQL_BEGIN), NULL, why));
    return store_finish(s, add_run(s, info, n, run, why), why);
}

enum status store_end_run(struct store *s, long run, struct why *why)
{
    return store_act_on(s, SQL_RUN_END, run, why);
}

/* --- which run has which records: ranges of their ids that neither overlap nor touch */

/* Takes ranges that begin from `from` to *last + 1 away, and *last with them. Most often there are none; to be
 * told of what it deletes SQLite would set up a table. */
static enum status absorb(struct store *s, long run, long from, long *last, struct why *why)
{
    long end = 0, to = *last + 1;
    sqlite3_stmt *q = store_use(s, SQL_WITHIN);
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, from);
    sqlite3_bind_int64(q, 3, to);
    TRY(store_act(s, q, &end, why));
    if (!end)
        return OK;
    q = store_use(s, SQL_UNLINK);
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, from);
    sqlite3_bind_int64(q, 3, to);
    *last = end > *last ? end : *last;
    return store_act(s, q, NULL, why);
}

enum status store_add_range(struct store *s, long run, long first, long last, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_BEFORE);
    int code;
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, first);
    if ((code = sqlite3_step(q)) == SQLITE_ROW && sqlite3_column_int64(q, 1) >= first - 1) {
        long end = sqlite3_column_int64(q, 1);
        first = sqlite3_column_int64(q, 0);
        if (end >= last)
            last = 0;                        /* it has them all */
    }
    sqlite3_reset(q);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return store_trouble(s, why);
    if (!last)
        return OK;
    TRY(absorb(s, run, first + 1, &last, why));
    q = store_use(s, SQL_LINK);
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, first);
    sqlite3_bind_int64(q, 3, last);
    return store_act(s, q, NULL, why);
}

static int by_number(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

static enum status link_all(struct store *s, long run, long *id, size_t n, struct why *why)
{
    qsort(id, n, sizeof *id, by_number);
    for (size_t k = 0, many; k < n; k += many) {
        for (many = 1; k + many < n && id[k + many] - id[k + many - 1] <= 1; many++)
            continue;
        TRY(store_add_range(s, run, id[k], id[k + many - 1], why));
    }
    return OK;
}

enum status store_link(struct store *s, long run, const struct store_hit *hit, size_t n, struct why *why)
{
    long *id = malloc((n + 1) * sizeof *id);
    size_t ids = 0;
    if (!id)
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);
    for (size_t k = 0; k < n; k++)
        if (hit[k].id)
            id[ids++] = hit[k].id;
    enum status status = ids ? store_act(s, store_use(s, SQL_BEGIN), NULL, why) : OK;
    if (ids && status == OK)
        status = store_finish(s, link_all(s, run, id, ids, why), why);
    free(id);
    return status;
}

enum status store_keep_linked(struct store *s, long run, struct store_hit *hit, size_t n, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_HAS);
    for (size_t k = 0; k < n; k++) {
        long id = 0;
        sqlite3_bind_int64(q, 1, run);
        sqlite3_bind_int64(q, 2, hit[k].id);
        TRY(store_act(s, q, &id, why));
        hit[k].id = id;
    }
    return OK;
}

/* --- records */

/* Ids are not given out twice, also not those of records that are gone: a range may still have them. */
static enum status new_id(struct store *s, int64_t *id, struct why *why)
{
    if (!s->next)
        TRY(store_act(s, store_use(s, SQL_NEXT), &s->next, why));
    *id = s->next++;
    return OK;
}

static enum status put_all(struct store *s, long run, const struct record *r, struct why *why)
{
    struct entry e = store_entry_of(r->cell, r->fingerprint);
    struct store_hit hit;

    TRY(store_scan(s, &(struct store_ask){ r->cell, r->fingerprint }, 1, &hit, why));
    e.id = hit.id;
    if (!hit.id)
        TRY(new_id(s, &e.id, why));
    TRY(store_row_write(s, r, &e, why));
    return store_add_range(s, run, e.id, e.id, why);
}

enum status store_put(struct store *s, long run, const struct record *r, struct why *why)
{
    if (r->out_of_memory)
        return why_set(why, NO_MEMORY, "incomplete record of cell `%.200s`", r->cell);
    TRY(store_act(s, store_use(s, SQL_BEGIN), NULL, why));
    return store_finish(s, put_all(s, run, r, why), why);
}
