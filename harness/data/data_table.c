/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_table.c - the two forms of a table turned into each other, in place where that can be; and
 * its columns. */
#include "data/data_builder.h"

#include <stdlib.h>

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

int *table_counting(long n)
{
    int *k = malloc((size_t)n * sizeof *k);
    for (long i = 0; k && i < n; i++)
        k[i] = (int)i;
    return k;
}

/* Entry k of row i stands at or before i d + index[k], where it goes: from the last one on, none is
 * overwritten before it has been read. */
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

bool table_sparsify(struct table *t)
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

/* --- columns: the same entries, ordered otherwise */

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
    /* next[j+1] is where column j continues; once all is placed, next[j] is where it begins. */
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
