/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shards.c - packs cells into shards, and counts which records have come back. */
#include "shards/shards.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "text/folder.h"

/* --- files of a folder */

void path_list_free(struct path_list *l)
{
    for (size_t k = 0; k < l->n; k++)
        free(l->path[k]);
    free(l->path);
    *l = (struct path_list){ NULL, 0 };
}

void path_list_add(struct path_list *l, const char *path)
{
    l->path = reallocarray(l->path, l->n + 1, sizeof *l->path);
    BUG_IF(!l->path);
    l->path[l->n] = strdup(path);
    BUG_IF(!l->path[l->n++]);
}

static bool ends_with(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Appends to l the files of a folder whose names end with `ending`. depth: how many levels of folders below it are
 * searched too. */
static enum status add_files(const char *folder, const char *ending, int depth, struct path_list *l,
                             struct why *why)
{
    struct dirent *e;
    enum status s = OK;
    DIR *d = opendir(folder);
    if (!d)
        return why_set(why, errno == ENOENT ? BAD_INPUT : IO_ERROR, "%.300s: %s", folder, strerror(errno));
    while (s == OK && (e = readdir(d))) {
        char *path = NULL;
        struct stat info;
        if (*e->d_name == '.')
            continue;
        BUG_IF(asprintf(&path, "%s/%s", folder, e->d_name) < 0);
        bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
        if (is_folder && depth > 0)
            s = add_files(path, ending, depth - 1, l, why);
        if (!is_folder && ends_with(e->d_name, ending))
            path_list_add(l, path);
        free(path);
    }
    closedir(d);
    return s;
}

static enum status files_of(const char *folder, const char *ending, int depth, struct path_list *l, struct why *why)
{
    *l = (struct path_list){ NULL, 0 };
    enum status s = add_files(folder, ending, depth, l, why);
    if (l->n)
        qsort(l->path, l->n, sizeof *l->path, by_bytes);
    if (s != OK)
        path_list_free(l);
    return s;
}

enum status shards_files(const char *folder, const char *ending, struct path_list *l, struct why *why)
{
    return files_of(folder, ending, 1, l, why);
}

enum status shard_attempts(const char *shard, struct path_list *l, struct why *why)
{
    const char *slash = strrchr(shard, '/');
    size_t stem = strlen(shard) - strlen(MANIFEST_END), kept = 0;
    char *folder = slash ? strndup(shard, (size_t)(slash - shard)) : strdup(".");
    BUG_IF(!folder);
    enum status s = files_of(*folder ? folder : "/", ".db", 0, l, why);
    const char *name = slash ? slash + 1 : shard;
    stem -= (size_t)(name - shard);
    for (size_t k = 0; s == OK && k < l->n; k++) {
        const char *file = strrchr(l->path[k], '/') + 1;
        if (strncmp(file, name, stem) == 0 && file[stem] == '.')
            l->path[kept++] = l->path[k];
        else
            free(l->path[k]);
    }
    if (s == OK)
        l->n = kept;
    free(folder);
    return s;
}

/* --- writing and reading refusals */

void shard_refuse(const char *shard, const char *job, const char *sentence)
{
    char path[PATH_MAX];
    int stem = (int)(strlen(shard) - strlen(MANIFEST_END));
    snprintf(path, sizeof path, "%.*s.%.100s" REFUSAL_END, stem, shard, job);
    FILE *f = fopen(path, "w");
    if (!f)
        return;
    fprintf(f, "%s\n%s\n", store_host(), sentence);
    fclose(f);
}

bool shard_refusal(const char *path, char **machine, char **sentence)
{
    FILE *f = fopen(path, "r");
    *machine = *sentence = NULL;
    bool good = f && fscanf(f, "%m[^\n]%*1[\n]%m[^\n]", machine, sentence) == 2;
    if (f)
        fclose(f);
    if (good)
        return true;
    free(*machine);
    free(*sentence);
    *machine = *sentence = NULL;
    return false;
}

/* --- packing cells into shards */

/* A cell while the cells are put in order. cost: its expected seconds; first: those of the longest cell of its
 * problem instance; at: its index before. */
struct turn { struct cell *cell; double cost, first; size_t at; };

static int by_instance(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->cell->data_seed != y->cell->data_seed)
        return x->cell->data_seed < y->cell->data_seed ? -1 : 1;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return (x->at > y->at) - (x->at < y->at);
}

static int longest_first(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    return x->first < y->first ? 1 : x->first > y->first ? -1 : by_instance(a, b);
}

static struct turn *in_order(struct cell *const *cell, const double *cost, size_t n)
{
    struct turn *t = malloc((n + 1) * sizeof *t);
    BUG_IF(!t);
    for (size_t k = 0; k < n; k++)
        t[k] = (struct turn){ .cell = cell[k], .cost = fmax(cost[k], 0), .at = k };
    qsort(t, n, sizeof *t, by_instance);
    for (size_t k = 0; k < n; k++)
        t[k].first = k && t[k].cell->data_seed == t[k - 1].cell->data_seed ? t[k - 1].first : t[k].cost;
    qsort(t, n, sizeof *t, longest_first);
    return t;
}

enum status shards_write(const char *folder, const struct manifest *head, struct cell *const *cell,
                         const double *cost, size_t n, long *shards, struct why *why)
{
    char path[PATH_MAX];
    struct cell **part = malloc((n + 1) * sizeof *part);
    struct turn *t = in_order(cell, cost, n);
    enum status s = folder_make(folder, why);
    BUG_IF(!part);
    *shards = 0;
    for (size_t from = 0, to; s == OK && from < n; from = to) {
        struct manifest one = *head;
        one.seconds = 0;
        for (to = from; to < n && (to == from || one.seconds + t[to].cost <= head->seconds); to++) {
            part[to - from] = t[to].cell;
            one.seconds += t[to].cost;
        }
        snprintf(path, sizeof path, "%s/%05ld" MANIFEST_END, folder, ++*shards);
        s = manifest_write(path, &one, part, to - from, why);
    }
    free(part);
    free(t);
    return s;
}

/* --- which records have come back */

static bool is_result(enum outcome o) { return o == OUTCOME_OK || o == OUTCOME_REFUSED; }

static enum status look_at_attempt(const char *path, const struct store_ask *ask, struct store_hit *hit, size_t n,
                                   unsigned char *state, struct why *why)
{
    struct store *store;
    TRY(store_open(path, STORE_READ, 0, &store, why));
    enum status s = store_scan(store, ask, n, hit, why);
    store_close(store);
    for (size_t k = 0; s == OK && k < n; k++) {
        if (hit[k].id && is_result(hit[k].outcome))
            state[k] = SHARD_RESULT;
        else if (hit[k].id && state[k] < SHARD_FAILED_OFTEN)
            state[k]++;
    }
    return s;
}

enum status shard_look(const char *shard, const struct manifest *m, unsigned char *state, struct why *why)
{
    struct path_list attempts;
    size_t n = (size_t)m->cells;
    struct store_ask *ask = calloc(n + 1, sizeof *ask);
    struct store_hit *hit = calloc(n + 1, sizeof *hit);
    BUG_IF(!ask || !hit);
    for (size_t k = 0; k < n; k++)
        ask[k] = (struct store_ask){ m->text[k], m->fingerprint[k] };
    memset(state, SHARD_NONE, n);
    enum status s = shard_attempts(shard, &attempts, why);
    for (size_t k = 0; s == OK && k < attempts.n; k++)
        s = look_at_attempt(attempts.path[k], ask, hit, n, state, why);
    path_list_free(&attempts);
    free(ask);
    free(hit);
    return s;
}

static enum status add_shard(const char *shard, struct shards_state *st, struct why *why)
{
    struct manifest m;
    struct stat info;
    long left = 0;
    TRY(manifest_read(shard, &m, why));
    unsigned char *state = malloc((size_t)m.cells + 1);
    BUG_IF(!state);
    enum status s = shard_look(shard, &m, state, why);
    for (long k = 0; s == OK && k < m.cells; k++) {
        st->results += state[k] == SHARD_RESULT;
        st->failed_once += state[k] == 1;
        st->failed += state[k] == SHARD_FAILED_OFTEN;
        left += state[k] < SHARD_FAILED_OFTEN;
    }
    st->shards++;
    st->complete += !left;
    st->cells += m.cells;
    st->seconds += m.seconds;
    st->left += m.cells ? m.seconds * (double)left / (double)m.cells : 0;
    if (stat(shard, &info) == 0 && (!st->began || (double)info.st_mtime < st->began))
        st->began = (double)info.st_mtime;
    free(state);
    manifest_free(&m);
    return s;
}

enum status shards_look(const char *folder, struct shards_state *st, struct why *why)
{
    struct path_list shards, attempts;
    *st = (struct shards_state){ .shards = 0 };
    TRY(shards_files(folder, MANIFEST_END, &shards, why));
    enum status s = shards_files(folder, ".db", &attempts, why);
    if (s == OK)
        st->attempts = (long)attempts.n;
    for (size_t k = 0; s == OK && k < shards.n; k++)
        s = add_shard(shards.path[k], st, why);
    path_list_free(&shards);
    path_list_free(&attempts);
    return s;
}
