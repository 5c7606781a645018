/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_maker.c - the makers of records, each a host and its kind of machine; and the list of kinds in a store. */
#include "store/store_state.h"

#include <stdlib.h>
#include <string.h>

/* Reads those makers of the store that are not in memory yet. Their ids go from 1 on without a gap. */
static void read_more(struct store *s)
{
    sqlite3_stmt *q = store_use(s, SQL_MAKERS);
    sqlite3_bind_int64(q, 1, s->makers);
    while (sqlite3_step(q) == SQLITE_ROW && sqlite3_column_int64(q, 0) == s->makers + 1) {
        s->maker = realloc(s->maker, ((size_t)s->makers + 1) * sizeof *s->maker);
        BUG_IF(!s->maker);
        struct maker *o = &s->maker[s->makers++];
        snprintf(o->host, sizeof o->host, "%s", store_column_text(q, 1));
        snprintf(o->kind.level, sizeof o->kind.level, "%s", store_column_text(q, 2));
        snprintf(o->kind.blas, sizeof o->kind.blas, "%s", store_column_text(q, 3));
        snprintf(o->kind.library, sizeof o->kind.library, "%s", store_column_text(q, 4));
        for (unsigned uses = 0; uses <= USES_ALL; uses++)
            o->stamp[uses] = store_stamp(&o->kind, uses);
    }
    sqlite3_reset(q);
}

const struct maker *store_maker(struct store *s, long id)
{
    if (id > s->makers)
        read_more(s);
    return id > 0 && id <= s->makers ? &s->maker[id - 1] : NULL;
}

static bool same_kind(const struct machine_kind *a, const struct machine_kind *b)
{
    return strcmp(a->level, b->level) == 0 && strcmp(a->blas, b->blas) == 0 && strcmp(a->library, b->library) == 0;
}

enum status store_maker_add(struct store *s, const char *host, const struct machine_kind *k, long *id,
                            struct why *why)
{
    store_maker(s, INT64_MAX);              /* so that all makers are in memory */
    for (*id = 1; *id <= s->makers; ++*id)
        if (strcmp(s->maker[*id - 1].host, host) == 0 && same_kind(&s->maker[*id - 1].kind, k))
            return OK;
    sqlite3_stmt *q = store_use(s, SQL_MAKER);
    sqlite3_bind_int64(q, 1, *id);
    store_bind_text(q, 2, host);
    store_bind_text(q, 3, k->level);
    store_bind_text(q, 4, k->blas);
    store_bind_text(q, 5, k->library);
    return store_act(s, q, NULL, why);
}

/* --- the kinds of machine in a store */

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct store_kind *)a)->text, ((const struct store_kind *)b)->text);
}

static enum status add_kind(struct store *s, long id, long records, struct store_kind *kind, size_t *n,
                            struct why *why)
{
    char text[STORE_KIND];
    const struct maker *o = store_maker(s, id);
    if (!o)
        return why_set(why, DAMAGED, DAMAGE "%.150s: its records are of a maker %ld that it does not have" ADVICE,
                       s->path, id);
    kind_text(&o->kind, text);
    size_t k = 0;
    while (k < *n && strcmp(kind[k].text, text))
        k++;
    if (k == *n)
        strcpy(kind[(*n)++].text, text);
    kind[k].records += records;
    return OK;
}

enum status store_kinds(struct store *s, struct store_kind **kind, size_t *n, struct why *why)
{
    sqlite3_stmt *q = NULL;
    enum status status = OK;
    int code = SQLITE_ERROR;
    store_maker(s, INT64_MAX);
    *n = 0;
    *kind = calloc((size_t)s->makers + 1, sizeof **kind);
    BUG_IF(!*kind);
    if (sqlite3_prepare_v2(s->db, "SELECT maker, count(*) FROM records INDEXED BY record_keys GROUP BY maker", -1,
                           &q, NULL) != SQLITE_OK)
        status = store_trouble(s, why);
    while (status == OK && (code = sqlite3_step(q)) == SQLITE_ROW)
        status = add_kind(s, sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1), *kind, n, why);
    if (status == OK && code != SQLITE_DONE)
        status = store_trouble(s, why);
    sqlite3_finalize(q);
    qsort(*kind, *n, sizeof **kind, by_text);
    return status;
}

const char *store_hit_kind(struct store *s, const struct store_hit *hit, char text[STORE_KIND])
{
    const struct maker *o = store_maker(s, hit->maker);
    return kind_text(o ? &o->kind : &(struct machine_kind){ .level = "" }, text);
}

const char *store_hit_host(struct store *s, const struct store_hit *hit)
{
    const struct maker *o = store_maker(s, hit->maker);
    return o ? o->host : "";
}
