/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data.c - requests for tables, each read once. Tables outlive every cell that reads them and are
 * the same for all, so they are kept for the process, by request: the only mutable state of this
 * file. Loading is not thread-safe; workers are processes. */
#include "data.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "data/data_format.h"
#include "data/data_load.h"
#include "data/data_prepare.h"
#include "data/data_sets.h"

struct loaded {
    struct loaded *next;
    char format[8], scaling[8];
    double test;
    long split;
    bool heldout;
    struct table table;
    struct columns *columns;         /* once asked for */
};
static struct loaded *cache;

/* path[PATH_MAX] <- the file that data means, all links resolved. */
static enum status resolve(const char *data, char *path, struct why *why)
{
    struct stat s;
    char found[PATH_MAX];
    if (strchr(data, '/') || stat(data, &s) == 0) {
        if (!realpath(data, path))
            return why_set(why, BAD_INPUT, "%s: %s: expected a data file", path_shown(data),
                           strerror(errno));
    } else {
        TRY(data_set_file(data, found, why));
        if (!realpath(found, path))
            return why_set(why, BAD_INPUT, "%s: %s: expected a data file", path_shown(found),
                           strerror(errno));
    }
    if (stat(path, &s) || !S_ISREG(s.st_mode))
        return why_set(why, BAD_INPUT, "%s: %s: expected a data file", path_shown(data),
                       S_ISDIR(s.st_mode) ? "is a directory" : "is no plain file");
    if (strlen(path) >= sizeof ((struct table *)0)->path)
        return why_set(why, BAD_INPUT, "%s: expected a shorter path", path_shown(path));
    return OK;
}

enum status data_read(const char *path, const char *name, const char *format, struct table *t,
                      struct why *why)
{
    struct reader r;
    struct builder b;
    enum status s = reader_open(&r, path, path_shown(name), why);
    builder_begin(&b, &r, t);
    if (s == OK) {
        const struct format *f = format_of(format, &r);
        s = f ? f->parse(&r, &b)
              : why_set(why, BAD_INPUT, "%s: format '%.40s': expected any, libsvm, csv or fann",
                        r.name, format);
    }
    if (s == OK)
        s = builder_end(&b);
    if (s == OK)
        t->checksum = reader_checksum(&r);
    builder_free(&b);
    reader_close(&r);
    return s;
}

/* array[bytes] -> to, page by page: what has moved is given back, so that both together take no more memory
 * than one. */
static void move_pages(unsigned char *array, size_t bytes, unsigned char *to)
{
    enum { PART = 1 << 16, PAGE = 4096 };
    for (size_t from = 0; from < bytes; from += PART) {
        size_t now = bytes - from < PART ? bytes - from : PART;
        memcpy(to + from, array + from, now);
        uintptr_t begin = ((uintptr_t)array + from + PAGE - 1) / PAGE * PAGE;
        uintptr_t end = ((uintptr_t)array + from + now) / PAGE * PAGE;
        if (begin < end)
            madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
}

/* Rows that are read in no order wait for page tables rather than for memory, unless pages are large (see
 * arena.c). What has been read moves to where such ones can begin, and is put into them there; without memory
 * for it it stays where it is. block: what is to be freed, in which array begins. */
static void *enlarge_pages(void *block, void *array, size_t bytes)
{
    enum { LARGE = 2 << 20, COLLAPSE = 25 };     /* MADV_COLLAPSE: not yet in every <sys/mman.h> */
    size_t whole = (bytes + LARGE / 4) / LARGE * LARGE;      /* the last one where three quarters fill it */
    bool worth = array && whole > LARGE;
    unsigned char *wide = worth ? aligned_alloc(LARGE, (bytes + LARGE - 1) / LARGE * LARGE) : NULL;
    if (!wide)
        return NULL;
    move_pages(array, bytes, wide);
    free(block);
    if (madvise(wide, whole, MADV_HUGEPAGE) == 0)            /* refused: they stay ordinary */
        madvise(wide, whole, COLLAPSE);
    return wide;
}

static void enlarge_table(struct table *t)
{
    size_t cells = (size_t)t->n * (size_t)t->d, entries = (size_t)t->nonzeros;
    void *wide;
    if (t->dense) {
        if ((wide = enlarge_pages(t->block ? t->block : t->dense, t->dense, cells * sizeof *t->dense)))
            t->block = t->dense = wide;
        return;
    }
    if ((wide = enlarge_pages(t->index, t->index, entries * sizeof *t->index)))
        t->index = wide;
    if ((wide = enlarge_pages(t->value, t->value, entries * sizeof *t->value)))
        t->value = wide;
}

/* The request with its defaults, its path put into an empty table. */
static void complete(const struct data_request *q, const char *path, struct loaded *l)
{
    *l = (struct loaded){ .test = q->test, .split = q->test > 0 ? q->split : 0,
                          .heldout = q->heldout };
    strncpy(l->format, q->format ? q->format : "any", sizeof l->format - 1);
    strncpy(l->scaling, q->scaling ? q->scaling : "none", sizeof l->scaling - 1);
    memcpy(l->table.path, path, strlen(path) + 1);           /* resolve has checked the length */
}

static bool same(const struct loaded *a, const struct loaded *b)
{
    return strcmp(a->table.path, b->table.path) == 0 && strcmp(a->format, b->format) == 0 &&
           strcmp(a->scaling, b->scaling) == 0 && a->test == b->test && a->split == b->split &&
           a->heldout == b->heldout;
}

enum status data_load(const struct data_request *q, const struct table **table, struct why *why)
{
    char path[PATH_MAX];
    struct loaded wanted;
    TRY(resolve(q->data, path, why));
    complete(q, path, &wanted);
    for (struct loaded *l = cache; l; l = l->next)
        if (same(l, &wanted)) {
            *table = &l->table;
            return OK;
        }
    struct loaded *l = malloc(sizeof *l);
    if (!l)
        return why_set(why, NO_MEMORY, "%s: not enough memory to read it", path_shown(q->data));
    *l = wanted;
    enum status s = data_read(path, q->data, q->format, &l->table, why);
    if (s == OK)
        s = data_prepare(q, path_shown(q->data), &l->table, why);
    if (s != OK) {
        table_clear(&l->table);
        free(l);
        return s;
    }
    enlarge_table(&l->table);
    l->next = cache;
    cache = l;
    *table = &l->table;
    return OK;
}

enum status data_table(const char *data, const struct table **table, struct why *why)
{
    return data_load(&(struct data_request){ .data = data }, table, why);
}

enum status data_columns(const struct table *t, const struct columns **columns, struct why *why)
{
    struct loaded *l = cache;
    while (l && &l->table != t)
        l = l->next;
    BUG_IF(!l);
    if (!l->columns) {
        l->columns = table_columns(t);
        if (!l->columns)
            return why_set(why, NO_MEMORY, "%s: not enough memory for its columns",
                           path_shown(t->path));
    }
    *columns = l->columns;
    return OK;
}
