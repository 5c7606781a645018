/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_history.c - what runs came to, kept beside their records and longer than these. */
#include "store/store_state.h"

#define SQL_EACH_STANDING                                                                    \
    "SELECT s.run, r.started, coalesce(i.value, ''), s.line FROM standings s"                \
    " JOIN runs r ON r.id = s.run LEFT JOIN run_info i ON i.run = s.run AND i.key = 'commit'" \
    " ORDER BY s.claim, s.run"
/* The log of a store that has never been written by this version lacks the table. */
#define SQL_HAS_STANDINGS "SELECT count(*) FROM sqlite_master WHERE name = 'standings'"

enum status store_put_standing(struct store *s, long run, const char *claim, const char *line,
                               struct why *why)
{
    sqlite3_stmt *q = store_use(s, SQL_PUT_STANDING);

    sqlite3_bind_int64(q, 1, run);
    store_bind_text(q, 2, claim);
    store_bind_text(q, 3, line);
    return store_act(s, q, NULL, why);
}

static bool has_standings(struct store *s)
{
    sqlite3_stmt *q = NULL;
    long tables = 0;

    if (sqlite3_prepare_v2(s->db, SQL_HAS_STANDINGS, -1, &q, NULL) == SQLITE_OK)
        store_act(s, q, &tables, NULL);
    sqlite3_finalize(q);
    return tables > 0;
}

enum status store_each_standing(struct store *s,
                                void (*each)(void *ctx, const struct store_standing *standing),
                                void *ctx, struct why *why)
{
    sqlite3_stmt *q = NULL;
    int code = SQLITE_DONE;

    if (!has_standings(s))
        return OK;
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

/* Ranges of old runs, then records that no run has, then runs of which nothing is left. */
#define NOWHERE "DELETE FROM runs WHERE id NOT IN (SELECT run FROM run_records UNION SELECT run FROM standings UNION" \
                " SELECT id FROM (SELECT id FROM runs ORDER BY id DESC LIMIT ?1))"
static const char *const collect[] = {
    "DELETE FROM run_records WHERE run NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?1)",
    "DELETE FROM records WHERE " LAST_RUN("records.id") " IS NULL",
    NOWHERE,
    "DELETE FROM run_info WHERE run NOT IN (SELECT id FROM runs)",
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
