/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_write.c - runs and records into the store. */
#include "store_state.h"

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

static enum status put_values(struct store *s, long id, const struct record *r, struct why *why)
{
    const struct record_trace *t = &r->trace;
    sqlite3_stmt *q = store_use(s, SQL_ADD_VALUE);

    sqlite3_bind_int64(q, 1, id);
    for (size_t k = 0; k < r->values; k++) {
        store_bind_text(q, 2, r->value[k].name);
        store_bind_value(q, 3, r->value[k].value);
        TRY(store_act(s, q, NULL, why));
    }
    q = store_use(s, SQL_ADD_COLUMN);
    sqlite3_bind_int64(q, 1, id);
    for (size_t k = 0; k < t->columns; k++) {
        sqlite3_bind_int64(q, 2, k);
        store_bind_text(q, 3, t->column[k]);
        TRY(store_act(s, q, NULL, why));
    }
    if (t->rows * t->columns == 0)
        return OK;
    q = store_use(s, SQL_ADD_TRACE);
    sqlite3_bind_int64(q, 1, id);
    sqlite3_bind_blob64(q, 2, t->value, t->rows * t->columns * sizeof *t->value, SQLITE_STATIC);
    return store_act(s, q, NULL, why);
}

static enum status put_all(struct store *s, long run, const struct record *r, struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_PUT);
    uint32_t checksum;
    long id = 0;

    if (!record_checksum(r, &checksum))
        return why_set(why, NO_MEMORY, "%s: out of memory", s->path);

    store_bind_text(q, 1, r->cell);
    store_bind_text(q, 2, r->fingerprint);
    store_bind_text(q, 3, record_outcome_name(r->outcome));
    store_bind_text(q, 4, r->message);
    sqlite3_bind_double(q, 5, r->seconds);
    sqlite3_bind_double(q, 6, r->peak_bytes);
    sqlite3_bind_int64(q, 7, checksum);
    TRY(store_act(s, q, &id, why));
    TRY(store_act_on(s, SQL_DROP_VALUES, id, why));
    TRY(store_act_on(s, SQL_DROP_COLUMNS, id, why));
    TRY(store_act_on(s, SQL_DROP_TRACE, id, why));
    TRY(put_values(s, id, r, why));

    q = store_use(s, SQL_LINK);
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, id);
    return store_act(s, q, NULL, why);
}

enum status store_put(struct store *s, long run, const struct record *r, struct why *why)
{
    if (r->out_of_memory)
        return why_set(why, NO_MEMORY, "incomplete record of cell `%.200s`", r->cell);
    TRY(store_act(s, store_use(s, SQL_BEGIN), NULL, why));
    return store_finish(s, put_all(s, run, r, why), why);
}

enum status store_link(struct store *s, long run, const char *cell, const char *fingerprint,
                       struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_LINK_KEY);
    long id = 0;

    sqlite3_bind_int64(q, 1, run);
    store_bind_text(q, 2, cell);
    store_bind_text(q, 3, fingerprint);
    TRY(store_act(s, q, &id, why));
    return id ? OK : why_set(why, REFUSED, "%s: no record of cell `%.200s`", s->path, cell);
}

