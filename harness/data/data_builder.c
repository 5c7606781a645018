/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_builder.c - builds a table record by record; the two forms of a table, turned into each other in place where
 * that is possible; and a table by columns.
 *
 * Arrays grow by realloc, which moves the pages of large arrays without copying them, and pages that have not been
 * written take no memory. So the peak of memory is the table itself if its first records decide the form rightly.
 * If they do not, the table is dense as long as more than half of its entries are nonzero, and from then on sparse
 * to the end. */
#include "data/data_builder.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void table_clear(struct table *t)
{
    free(t->label);
    free(t->block ? t->block : t->dense);
    free(t->row);
    free(t->mean);
    free(t->sd);
    free(t->index);
    free(t->value);
}

/* 0, 1, ..., n-1 for free(); NULL without memory. */
static int *table_counting(long n)
{
    int *k = malloc((size_t)n * sizeof *k);
    for (long i = 0; k && i < n; i++)
        k[i] = (int)i;
    return k;
}

/* Entry k of row i stands at or before its place i d + index[k] in the dense form. Entries move from the last one
 * on, so none is overwritten before it has been read. */
bool table_densify(struct table *t)
{
    double *a = realloc(t->value, (size_t)(t->n * t->d) * sizeof *a);
    if (!a)
        return false;
    t->value = NULL;
    t->dense = a;
    int *all = table_counting(t->d);
    for (long i = t->n - 1, k = t->nonzeros - 1; i >= 0; i--)
        for (long j = t->d - 1; j >= 0; j--)
            a[i * t->d + j] = k >= t->row[i] && t->index[k] == j ? a[k--] : 0;
    free(t->row);
    free(t->index);
    t->row = NULL;
    t->index = all;
    return all != NULL;
}

/* The reverse of table_densify, with the same result. */
static bool table_sparsify(struct table *t)
{
    int *index = malloc((size_t)(t->nonzeros + 1) * sizeof *index);
    long *row = malloc((size_t)(t->n + 1) * sizeof *row), k = 0;
    if (!index || !row) {
        free(index);
        free(row);
        return false;
    }
    row[0] = 0;
    for (long i = 0; i < t->n; row[++i] = k)
        for (long j = 0; j < t->d; j++)
            if (t->dense[i * t->d + j] != 0) {
                index[k] = (int)j;
                t->dense[k++] = t->dense[i * t->d + j];
            }
    free(t->index);
    t->index = index;
    t->row = row;
    t->value = t->dense;
    t->dense = NULL;
    return true;
}

/* --- the builder */

static const size_t SAMPLE = 1 << 16;        /* so many entries, zeros included, decide the form */

void builder_begin(struct builder *b, struct reader *r, struct table *t)
{
    size_t pages = (size_t)sysconf(_SC_PHYS_PAGES), page = (size_t)sysconf(_SC_PAGESIZE);
    *b = (struct builder){ .t = t, .r = r, .limit = pages * page };
}

void builder_free(struct builder *b)
{
    free(b->index);
    free(b->value);
}

/* The array, grown to at least n elements. Without memory: *ok <- false, and the old array. */
static void *widen(const struct builder *b, void *array, size_t n, size_t size, size_t *capacity,
                   bool *ok)
{
    size_t wanted = *capacity + *capacity / 4 + 64;
    if (n <= *capacity)
        return array;
    wanted = wanted < n ? n : wanted;
    void *grown = n <= b->limit / size ? realloc(array, wanted * size) : NULL;
    if (grown)
        *capacity = wanted;
    *ok &= grown != NULL;
    return grown ? grown : array;
}

static bool cells_reserve(struct builder *b, size_t n)
{
    bool ok = true;
    b->t->dense = widen(b, b->t->dense, n, sizeof *b->t->dense, &b->cells, &ok);
    return ok;
}

/* Grows two arrays of equal length, index and value. */
static bool pair_reserve(const struct builder *b, size_t n, int **index, double **value,
                         size_t *capacity)
{
    bool ok = true;
    size_t before = *capacity;
    *index = widen(b, *index, n, sizeof **index, &before, &ok);
    *value = widen(b, *value, n, sizeof **value, capacity, &ok);
    return ok;
}

enum status builder_record(struct builder *b, size_t most, int **index, double **value)
{
    struct table *t = b->t;
    size_t n = (size_t)t->n, used = (size_t)t->nonzeros;
    bool ok = true;
    if (t->n == INT_MAX)
        return reader_bad(b->r, "expected at most %d records", INT_MAX);
    t->label = widen(b, t->label, n + 1, sizeof *t->label, &b->labels, &ok);
    if (t->dense) {
        ok = ok && cells_reserve(b, (n + 1) * b->stride) &&
             pair_reserve(b, most + 1, &b->index, &b->value, &b->scratch);
        *index = b->index;
        *value = b->value;
    } else {
        t->row = widen(b, t->row, n + 2, sizeof *t->row, &b->rows, &ok);
        ok = ok && pair_reserve(b, used + most + 1, &t->index, &t->value, &b->entries);
        *index = ok ? t->index + used : NULL;
        *value = ok ? t->value + used : NULL;
    }
    return ok ? OK : reader_no_memory(b->r);
}

static bool mostly_nonzero(const struct table *t) { return t->nonzeros > t->n * t->d / 2; }

/* n rows of `from` doubles become rows of `to`, in place. Longer rows move from the last one on, and end with
 * zeros. */
static void restride(double *a, size_t n, size_t from, size_t to)
{
    if (to > from)
        for (size_t i = n; i-- > 0;) {
            memmove(a + i * to, a + i * from, from * sizeof *a);
            memset(a + i * to + from, 0, (to - from) * sizeof *a);
        }
    else
        for (size_t i = 0; i < n && to < from; i++)
            memmove(a + i * to, a + i * from, to * sizeof *a);
}

/* Makes the stride at least `width`, and an eighth longer than it was, so that records that keep growing seldom
 * move the whole table. */
static bool stride_widen(struct builder *b, long width)
{
    size_t n = (size_t)b->t->n, wider = b->stride + b->stride / 8;
    wider = wider < (size_t)width ? (size_t)width : wider;
    if (!cells_reserve(b, (n + 1) * wider))
        return false;
    restride(b->t->dense, n, b->stride, wider);
    b->stride = wider;
    return true;
}

/* From rows of nonzeros to the dense form. */
static bool dense_begin(struct builder *b)
{
    struct table *t = b->t;
    b->entries = b->rows = 0;
    b->stride = (size_t)t->d;
    b->cells = (size_t)(t->n * t->d);
    return table_densify(t);
}

/* From the dense form back to rows of nonzeros. */
static bool dense_end(struct builder *b)
{
    struct table *t = b->t;
    restride(t->dense, (size_t)t->n, b->stride, (size_t)t->d);
    b->cells = b->stride = 0;
    b->entries = (size_t)t->nonzeros;
    b->rows = (size_t)t->n + 1;
    return table_sparsify(t);
}

/* Puts the record in b->index and b->value into the dense form. If the record is so wide that at most half of the
 * entries would be nonzero, the table becomes sparse instead, and the record its last row. */
static enum status close_dense(struct builder *b, long count, long width)
{
    struct table *t = b->t;
    int *index;
    double *value;
    if ((size_t)width > b->stride && t->nonzeros + count <= (t->n + 1) * width / 2) {
        if (!dense_end(b))
            return reader_no_memory(b->r);
        TRY(builder_record(b, (size_t)count, &index, &value));
        memcpy(index, b->index, (size_t)count * sizeof *index);
        memcpy(value, b->value, (size_t)count * sizeof *value);
        return OK;
    }
    if ((size_t)width > b->stride && !stride_widen(b, width))
        return reader_no_memory(b->r);
    double *row = t->dense + (size_t)t->n * b->stride;
    memset(row, 0, b->stride * sizeof *row);
    for (long k = 0; k < count; k++)
        row[b->index[k]] = b->value[k];
    return OK;
}

enum status builder_close(struct builder *b, double label, long count, long width)
{
    struct table *t = b->t;
    if (t->dense)
        TRY(close_dense(b, count, width));
    t->d = width > t->d ? width : t->d;
    t->label[t->n++] = label;
    if (!t->dense) {
        t->row[t->n - 1] = t->nonzeros;
        t->row[t->n] = t->nonzeros + count;
    }
    t->nonzeros += count;
    bool ok = true;
    if (t->dense && !mostly_nonzero(t))
        ok = dense_end(b);
    else if (!b->sampled && (size_t)t->n * (size_t)t->d >= SAMPLE) {
        b->sampled = true;
        ok = !mostly_nonzero(t) || dense_begin(b);
    }
    return ok ? OK : reader_no_memory(b->r);
}

/* Returns the memory behind the last element to the system; if that fails, the array keeps it. */
static void *fit(void *array, size_t n, size_t size)
{
    void *same = array && n > 0 ? realloc(array, n * size) : NULL;
    return same ? same : array;
}

/* fit for a dense table, which then begins at a cache line: rows that cross cache lines take a quarter longer. */
static bool fit_dense(struct builder *b, size_t n)
{
    enum { LINE = 64, SLACK = LINE / sizeof(double) };
    struct table *t = b->t;
    if (!cells_reserve(b, n + SLACK))
        return false;
    t->block = fit(t->dense, n + SLACK, sizeof *t->dense);
    t->dense = (double *)(((uintptr_t)t->block + LINE - 1) / LINE * LINE);
    memmove(t->dense, t->block, n * sizeof *t->dense);
    return true;
}

enum status builder_end(struct builder *b)
{
    struct table *t = b->t;
    size_t n = (size_t)t->n, d = (size_t)t->d, k = (size_t)t->nonzeros;
    bool ok = true;
    if (t->dense)
        restride(t->dense, n, b->stride, d);
    else if (mostly_nonzero(t))
        ok = dense_begin(b);
    if (t->dense) {                          /* the columns may have become more since index was made */
        free(t->index);
        t->index = table_counting(t->d);
        ok = ok && t->index && fit_dense(b, n * d);
    }
    if (!ok)
        return reader_no_memory(b->r);
    t->label = fit(t->label, n, sizeof *t->label);
    t->row = fit(t->row, n + 1, sizeof *t->row);
    t->index = fit(t->index, t->dense ? d : k, sizeof *t->index);
    t->value = fit(t->value, k, sizeof *t->value);
    return OK;
}

/* --- a table by columns */

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
    c->record = table_counting(t->n);
    c->dense = malloc((size_t)(t->n * t->d) * sizeof *c->dense);
    for (long from = 0; c->dense && from < t->n; from += TILE)
        for (long j = 0; j < t->d; j++)
            for (long i = from; i < t->n && i < from + TILE; i++)
                c->dense[j * t->n + i] = t->dense[i * t->d + j];
    return c->record && c->dense;
}

struct columns *table_columns(const struct table *t)
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
