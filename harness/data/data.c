/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data.c - requests for tables: a file is found, read, split, scaled and kept. A table outlives every cell that
 * reads it, and all cells share it, so the process keeps it in a list by request; this list is the only mutable
 * state of the file. Loading is not thread-safe; workers are processes. */
#include "data.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "data/data_reader.h"
#include "data/data_read.h"
#include "data/data_sets.h"
#include "rng.h"

/* A request (members as in struct data_request; the path is in `table`) and the table that answers it. */
struct loaded {
    struct loaded *next;
    char format[8], scaling[8];
    double test;
    long split;
    bool heldout;
    struct table table;
    struct columns *columns;         /* NULL until data_columns is called */
};
static struct loaded *cache;

/* path[PATH_MAX] <- the file that `data` names, a path or a set, with all links resolved. A folder
 * has no precedence over a set of its name. */
static enum status resolve(const char *data, char *path, struct why *why)
{
    struct stat s;
    char found[PATH_MAX];
    if (strchr(data, '/') || (stat(data, &s) == 0 && !S_ISDIR(s.st_mode))) {
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

/* --- the split into held-out records and others, then scaling by the others alone */

static const double DENSE_MAX = 0x1p30;      /* the most bytes that zscore may make of a sparse table */

/* held[n] <- `share` of the n records are held out, and every choice of so many is equally likely (Knuth, TAOCP 2,
 * 3.4.2, algorithm S). */
static void draw(long n, long share, long seed, bool *held)
{
    struct rng r = rng_stream((uint64_t)seed);
    for (long i = 0; i < n; i++) {
        held[i] = (long)rng_below(&r, (uint64_t)(n - i)) < share;
        share -= held[i];
    }
}

/* Removes the records with held[i] != wanted, in place. */
static void keep(struct table *t, const bool *held, bool wanted)
{
    long n = 0, k = 0;
    for (long i = 0; i < t->n; i++) {
        if (held[i] != wanted)
            continue;
        struct entries a = table_row(t, i);
        t->label[n] = t->label[i];
        if (t->dense) {
            memmove(t->dense + n * t->d, a.value, (size_t)t->d * sizeof *a.value);
            for (long j = 0; j < t->d; j++)
                k += t->dense[n * t->d + j] != 0;
        } else {
            memmove(t->value + k, a.value, (size_t)a.count * sizeof *a.value);
            memmove(t->index + k, a.index, (size_t)a.count * sizeof *a.index);
            t->row[n] = k;           /* row[n] is not read any more: either n < i, or table_row has read it */
            k += a.count;
        }
        n++;
    }
    if (t->row)
        t->row[n] = k;
    t->n = n;
    t->nonzeros = k;
}

/* The mean, the standard deviation and the first entry of a column, over the records that are not held out; varies:
 * not all entries of these records are equal. */
struct column { double mean, sd, first; bool varies; };

/* c[d] <- for each column of a dense table, what struct column says. */
static void columns_about(const struct table *t, const bool *held, struct column *c)
{
    long n = 0;
    for (long i = 0; i < t->n; i++) {
        const double *a = t->dense + i * t->d;
        if (held[i])
            continue;
        for (long j = 0; j < t->d; j++) {
            if (n == 0)
                c[j].first = a[j];
            c[j].varies |= a[j] != c[j].first;
            c[j].mean += (a[j] - c[j].mean) / (double)(n + 1);
        }
        n++;
    }
    for (long i = 0; i < t->n; i++)
        for (long j = 0; j < t->d && !held[i]; j++) {
            double deviation = t->dense[i * t->d + j] - c[j].mean;
            c[j].sd += deviation * deviation / (double)n;
        }
    for (long j = 0; j < t->d; j++)
        c[j].sd = sqrt(c[j].sd);
}

static enum status zscore(struct table *t, const bool *held, const char *name, struct why *why)
{
    double bytes = (double)t->n * (double)t->d * sizeof(double);
    if (!t->dense && bytes > DENSE_MAX)
        return why_set(why, BAD_INPUT, "%s: zscore would fill a sparse table of %ld columns, %.3g "
                       "GiB: expected scaling unit or none", name, t->d, bytes / 0x1p30);
    struct column *c = calloc((size_t)t->d, sizeof *c);
    t->mean = calloc((size_t)t->d, sizeof *t->mean);
    t->sd = calloc((size_t)t->d, sizeof *t->sd);
    if (!c || !t->mean || !t->sd || (!t->dense && !table_densify(t))) {
        free(c);
        return why_set(why, NO_MEMORY, "%s: not enough memory to scale its columns", name);
    }
    columns_about(t, held, c);
    bool finite = true;
    for (long j = 0; j < t->d; j++) {
        finite &= isfinite(c[j].sd);
        t->constant += !c[j].varies;
        t->mean[j] = c[j].mean;
        t->sd[j] = c[j].varies ? c[j].sd : 1;
    }
    t->nonzeros = 0;
    for (long i = 0; i < t->n; i++)
        for (long j = 0; j < t->d; j++) {
            double *a = &t->dense[i * t->d + j];
            *a = c[j].varies ? (*a - c[j].mean) / c[j].sd : 0;
            finite &= isfinite(*a);
            t->nonzeros += *a != 0;
        }
    free(c);
    return finite ? OK
        : why_set(why, BAD_INPUT, "%s: expected entries whose squares are numbers of normal size, "
                  "for zscore", name);
}

/* Scales rows to norm 1. They are first divided by their largest entry, so that no square overflows. */
static void unit(struct table *t)
{
    for (long i = 0; i < t->n; i++) {
        struct entries a = table_row(t, i);
        double *value = t->dense ? t->dense + i * t->d : t->value + t->row[i];
        double largest = 0, square = 0;
        for (long k = 0; k < a.count; k++)
            largest = fmax(largest, fabs(value[k]));
        for (long k = 0; k < a.count; k++)
            square += (value[k] / largest) * (value[k] / largest);
        for (long k = 0; k < a.count && largest > 0; k++)
            value[k] = value[k] / largest / sqrt(square);
    }
}

static enum status check(const struct data_request *q, const char *name, const struct table *t,
                         struct why *why)
{
    double share = rint(q->test * (double)t->n);
    if (!(q->test >= 0 && q->test < 1))
        return why_set(why, BAD_INPUT, "%s: test = %g: expected a share in [0,1)", name, q->test);
    if (q->split < 0)
        return why_set(why, BAD_INPUT, "%s: split = %ld: expected a seed from 0", name, q->split);
    if ((q->test > 0 && share == 0) || share == (double)t->n || (q->heldout && share == 0))
        return why_set(why, BAD_INPUT, "%s: test = %g of %ld records: expected a share that leaves "
                       "records on both sides", name, q->test, t->n);
    return OK;
}

/* Makes of t, the table of a whole file, the table that q requests. name: for messages. BAD_INPUT; NO_MEMORY. */
static enum status prepare(const struct data_request *q, const char *name, struct table *t,
                         struct why *why)
{
    const char *scaling = q->scaling ? q->scaling : "none";
    bool columns = strcmp(scaling, "zscore") == 0, rows = strcmp(scaling, "unit") == 0;
    if (!columns && !rows && strcmp(scaling, "none"))
        return why_set(why, BAD_INPUT, "%s: scaling '%.40s': expected none, zscore or unit", name,
                       scaling);
    TRY(check(q, name, t, why));
    bool *held = calloc((size_t)t->n, sizeof *held);
    if (!held)
        return why_set(why, NO_MEMORY, "%s: not enough memory to split it", name);
    if (q->test > 0)
        draw(t->n, (long)rint(q->test * (double)t->n), q->split, held);
    enum status s = columns ? zscore(t, held, name, why) : OK;
    if (s == OK && q->test > 0)
        keep(t, held, q->heldout);
    if (s == OK && rows)
        unit(t);
    free(held);
    return s;
}

/* --- a copy of a table by columns */

static void columns_free(struct columns *c)
{
    free(c->dense);
    free(c->column);
    free(c->record);
    free(c->entry);
    free(c);
}

static bool columns_sparse(const struct table *t, struct columns *c)
{
    long *next = c->column = calloc((size_t)t->d + 2, sizeof *next);
    c->record = malloc((size_t)(t->nonzeros + 1) * sizeof *c->record);
    c->entry = malloc((size_t)(t->nonzeros + 1) * sizeof *c->entry);
    if (!next || !c->record || !c->entry)
        return false;
    /* next[j+1] is the place of the next entry of column j; in the end next[j] is where column j begins. */
    for (long k = 0; k < t->nonzeros; k++)
        next[t->index[k] + 2]++;
    for (long j = 0; j < t->d; j++)
        next[j + 2] += next[j + 1];
    for (long i = 0; i < t->n; i++)
        for (long k = t->row[i]; k < t->row[i + 1]; k++) {
            long place = next[t->index[k] + 1]++;
            c->record[place] = (int)i;
            c->entry[place] = t->value[k];
        }
    return true;
}

static bool columns_dense(const struct table *t, struct columns *c)
{
    enum { TILE = 32 };
    c->record = malloc((size_t)t->n * sizeof *c->record);
    c->dense = malloc((size_t)(t->n * t->d) * sizeof *c->dense);
    for (long i = 0; c->record && i < t->n; i++)
        c->record[i] = (int)i;
    for (long from = 0; c->dense && from < t->n; from += TILE)
        for (long j = 0; j < t->d; j++)
            for (long i = from; i < t->n && i < from + TILE; i++)
                c->dense[j * t->n + i] = t->dense[i * t->d + j];
    return c->record && c->dense;
}

/* Returns a new copy of the entries by columns; NULL without memory. */
static struct columns *table_columns(const struct table *t)
{
    struct columns *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->n = t->n;
    c->d = t->d;
    if (t->dense ? columns_dense(t, c) : columns_sparse(t, c))
        return c;
    columns_free(c);
    return NULL;
}

/* --- the arrays of a table, moved into large pages */

/* Copies array[bytes] to `to` in parts, and returns the pages of each part to the system, so that both arrays
 * together take hardly more memory than one. */
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

/* Rows that are read in random order wait for page tables rather than for memory, unless pages are large (see
 * arena.c). So the array moves to memory that begins at a boundary of large pages, and the kernel is asked to use
 * large pages there. Returns the new array. Returns NULL where the array stays, because it is small or memory is
 * short. block: the allocation that contains the array, which is freed if the array moves. */
static void *enlarge_pages(void *block, void *array, size_t bytes)
{
    enum { LARGE = 2 << 20, COLLAPSE = 25 };     /* MADV_COLLAPSE, which not every <sys/mman.h> defines */
    size_t whole = (bytes + LARGE / 4) / LARGE * LARGE;      /* the last page counts if filled to 3/4 */
    bool worth = array && whole > LARGE;
    unsigned char *wide = worth ? aligned_alloc(LARGE, (bytes + LARGE - 1) / LARGE * LARGE) : NULL;
    if (!wide)
        return NULL;
    move_pages(array, bytes, wide);
    free(block);
    if (madvise(wide, whole, MADV_HUGEPAGE) == 0)            /* if refused, the pages stay ordinary */
        madvise(wide, whole, COLLAPSE);
    return wide;
}

/* Moves the arrays of a table into large pages. */
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

/* --- requests for a table, which is found in the list of tables or read from a file */

/* *l <- a request in which NULL words have their defaults, and an empty table with the path. */
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
        s = prepare(q, path_shown(q->data), &l->table, why);
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
