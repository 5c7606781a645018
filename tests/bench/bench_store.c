/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_store.c - times of the store: putting a record, finding out which records of a run exist, reading all
 * records as a report does. Small records have some numbers, large ones a trace. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nights/gbench.h"
#include "support/store_made.h"

enum { SMALL = 50000, LARGE = 1000, MARKS = 1000 };

struct kept {
    const char *name;
    long n, marks;                   /* number of records at the start; rows of the trace of each */
    struct store *store;             /* NULL: not made yet */
    long run, next;                  /* the run that puts the records; the next record to be put */
    char **cell;                     /* [n] texts of the cells */
    struct store_ask *ask;           /* [n] what the store is asked for */
    struct store_hit *hit;           /* [n] its answers */
    struct record **found;           /* [n] the records */
};
static char folder[32] = "/tmp/assay-bench-XXXXXX";
/* New records are put into stores of their own, so that the sizes of the others do not change. */
static struct kept small = { "small.db", SMALL, 0 }, large = { "large.db", LARGE, MARKS },
                   more_small = { "more-small.db", 0, 0 }, more_large = { "more-large.db", 0, MARKS };

static void put_next(struct kept *s)
{
    struct record *r = made(s->next++, s->marks);
    must(store_put(s->store, s->run, r, NULL) == OK);
    record_free(r);
}

static void fill(struct kept *s)
{
    char path[64];
    if (s->store)
        return;
    snprintf(path, sizeof path, "%s/%s", folder, s->name);
    must(store_open(path, STORE_WRITE, 0, &s->store, NULL) == OK);
    must(store_begin_run(s->store, NULL, 0, &s->run, NULL) == OK);
    s->cell = calloc((size_t)s->n + 1, sizeof *s->cell);
    s->ask = calloc((size_t)s->n + 1, sizeof *s->ask);
    s->hit = calloc((size_t)s->n + 1, sizeof *s->hit);
    s->found = calloc((size_t)s->n + 1, sizeof *s->found);
    must(s->cell && s->ask && s->hit && s->found);
    for (long k = 0; k < s->n; k++) {
        put_next(s);
        s->cell[k] = cell_text(k);
        s->ask[k] = (struct store_ask){ s->cell[k], MADE_BY };
    }
}

static void put(void *payload, long iterations)
{
    for (long k = 0; k < iterations; k++)
        put_next(payload);
}

static int put_right(void *payload)
{
    struct kept *s = payload;
    struct record *found = NULL;
    fill(s);
    struct record *truth = made(s->next, s->marks);
    must(store_find(s->store, truth->cell, NULL, &found, NULL) == OK);
    bool absent = !found;
    put_next(s);
    must(store_find(s->store, truth->cell, truth->fingerprint, &found, NULL) == OK);
    bool right = absent && found && record_equal(found, truth);
    record_free(found);
    record_free(truth);
    return !right;
}

static void scan(void *payload, long iterations)
{
    struct kept *s = payload;
    for (long k = 0; k < iterations; k++)
        must(store_scan(s->store, s->ask, (size_t)s->n, s->hit, NULL) == OK);
}

/* All records must be found but the one that is asked for with another fingerprint. */
static int scan_right(void *payload)
{
    struct kept *s = payload;
    fill(s);
    long other = s->n / 3, found = 0;
    const char *own = s->ask[other].fingerprint;
    s->ask[other].fingerprint = "ff";
    scan(s, 1);
    s->ask[other].fingerprint = own;
    for (long k = 0; k < s->n; k++)
        found += s->hit[k].id && s->hit[k].outcome == OUTCOME_OK && s->hit[k].seconds == 1e-3;
    return found != s->n - 1 || s->hit[other].id;
}

static void drop(struct kept *s)
{
    for (long k = 0; k < s->n; k++)
        record_free(s->found[k]);
}

static void read_all(void *payload, long iterations)
{
    struct kept *s = payload;
    for (long k = 0; k < iterations; k++) {
        must(store_find_all(s->store, s->ask, (size_t)s->n, s->found, NULL) == OK);
        drop(s);
    }
}

static int read_right(void *payload)
{
    struct kept *s = payload;
    long right = 0;
    fill(s);
    must(store_find_all(s->store, s->ask, (size_t)s->n, s->found, NULL) == OK);
    for (long k = 0; k < s->n; k++) {
        struct record *truth = made(k, s->marks);
        right += s->found[k] && record_equal(s->found[k], truth);
        record_free(truth);
    }
    drop(s);
    return right != s->n;
}

/* A number counts as 8 bytes: a small record has 6 numbers, and a large one has 4 for each mark. */
static const struct gbench_case cases[] = {
    { "put", "a small one", &more_small, put, put_right, .bytes = 48, .items = 1 },
    { "put", "a large one", &more_large, put, put_right, .bytes = 48 + 32 * MARKS, .items = 1 },
    { "scan", "5e4 small", &small, scan, scan_right, .items = SMALL },
    { "scan", "1e3 large", &large, scan, scan_right, .items = LARGE },
    { "read", "5e4 small", &small, read_all, read_right, .bytes = 48.0 * SMALL, .items = SMALL },
    { "read", "1e3 large", &large, read_all, read_right, .bytes = (48.0 + 32 * MARKS) * LARGE, .items = LARGE },
    { 0 }
};

static void begin(void)
{
    must(mkdtemp(folder));
}

static void end(void)
{
    struct kept *all[] = { &small, &large, &more_small, &more_large };
    char command[64];
    for (int k = 0; k < 4; k++) {
        struct kept *s = all[k];
        store_close(s->store);
        for (long i = 0; s->cell && i < s->n; i++)
            free(s->cell[i]);
        free(s->cell);
        free(s->ask);
        free(s->hit);
        free(s->found);
    }
    snprintf(command, sizeof command, "rm -rf %s", folder);
    must(system(command) == 0);
}

const struct gbench_group bench_store = { "store", cases, begin, end };
