/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_store_full.c - a store of as many records as ASSAY_BENCH_RECORDS says; without this variable there is
 * no case. All records are looked up, as by a run that is resumed, and as many are read as the quick profile
 * of all papers has. ASSAY_BENCH_STORE names its file, which is created and kept. For long_store.sh: 1e7
 * records take 4 GB of disk, 3 GB of memory, and minutes. */
#include <string.h>
#include <unistd.h>

#include "nights/gbench.h"
#include "base/params.h"
#include "support/store_made.h"
#include "store/store_state.h"

enum { REPORTED = 50000 };

/* Every stride-th record of the store. */
struct asked {
    long n, stride;
    char **cell;                     /* [n] texts of the cells */
    struct store_ask *ask;           /* [n] what the store is asked for */
    struct store_hit *hit;           /* [n] its answers */
    struct record **found;           /* [n] the records */
};
static struct asked all = { .stride = 1 }, some = { .n = REPORTED };
static struct store *store;
static char folder[] = "/tmp/assay-bench-XXXXXX";
static struct gbench_case cases[3];

/* Writes the same file as single puts would, but in one transaction without synchronisation, and makes the
 * index at the end. */
static void put_all(long run)
{
    must(store_sql(store, "PRAGMA journal_mode = OFF; DROP INDEX record_keys; BEGIN", NULL) == OK);
    for (long k = 0; k < all.n; k++) {
        struct record *r = made(k, 0);
        struct entry e = store_entry_of(r->cell, r->fingerprint);
        e.id = k + 1;
        e.maker = 1;
        e.stamp = store_maker(store, 1)->stamp[r->uses];
        must(store_row_write(store, r, &e, NULL) == OK);
        record_free(r);
    }
    must(store_add_range(store, run, 1, all.n, NULL) == OK);
    must(store_sql(store, "COMMIT", NULL) == OK && store_sql(store, store_index, NULL) == OK);
    must(store_sql(store, "PRAGMA journal_mode = WAL", NULL) == OK);
}

static void fill(void)
{
    const char *kept = getenv("ASSAY_BENCH_STORE");
    char path[4096];
    long run;
    if (store)
        return;
    must(kept || mkdtemp(folder));
    must(snprintf(path, sizeof path, kept ? "%s" : "%s/full.db", kept ? kept : folder) < (int)sizeof path);
    must(kept == NULL || access(path, F_OK) != 0);
    must(store_open(path, STORE_WRITE, 0, &store, NULL) == OK);
    must(store_begin_run(store, NULL, 0, &run, NULL) == OK);
    put_all(run);
}

static void open_asked(struct asked *a)
{
    size_t room = (size_t)a->n;
    fill();
    a->cell = calloc(room, sizeof *a->cell);
    a->ask = calloc(room, sizeof *a->ask);
    a->hit = calloc(room, sizeof *a->hit);
    a->found = calloc(room, sizeof *a->found);
    must(a->cell && a->ask && a->hit && a->found);
    for (long k = 0; k < a->n; k++) {
        a->cell[k] = cell_text(k * a->stride);
        a->ask[k] = (struct store_ask){ a->cell[k], MADE_BY };
    }
}

static void scan(void *p, long iterations)
{
    struct asked *a = p;
    while (iterations--)
        must(store_scan(store, a->ask, (size_t)a->n, a->hit, NULL) == OK);
}

/* All records must be found but the one that is asked for with another fingerprint. */
static int scan_right(void *p)
{
    struct asked *a = p;
    long right = 0;
    open_asked(a);
    a->ask[a->n / 3].fingerprint = "ff";
    scan(a, 1);
    a->ask[a->n / 3].fingerprint = MADE_BY;
    for (long k = 0; k < a->n; k++)
        right += a->hit[k].id == (k == a->n / 3 ? 0 : k * a->stride + 1);
    return right != a->n;
}

static void drop(struct asked *a)
{
    for (long k = 0; k < a->n; k++)
        record_free(a->found[k]);
}

static void read_them(void *p, long iterations)
{
    struct asked *a = p;
    while (iterations--) {
        must(store_find_all(store, a->ask, (size_t)a->n, a->found, NULL) == OK);
        drop(a);
    }
}

static int read_right(void *p)
{
    struct asked *a = p;
    long right = 0;
    open_asked(a);
    must(store_find_all(store, a->ask, (size_t)a->n, a->found, NULL) == OK);
    for (long k = 0; k < a->n; k++) {
        struct record *truth = made(k * a->stride, 0);
        right += a->found[k] && record_equal(a->found[k], truth);
        record_free(truth);
    }
    drop(a);
    return right != a->n;
}

static void begin(void)
{
    const char *text = getenv("ASSAY_BENCH_RECORDS");
    double n;
    if (!text)
        return;
    if (!number_parse(text, &n) || n < REPORTED || n != floor(n) || n > 1e9) {
        fprintf(stderr, "ASSAY_BENCH_RECORDS=%s: expected a whole number from %d to 1e9\n", text, REPORTED);
        exit(2);
    }
    all.n = (long)n;
    some.stride = all.n / some.n;
    cases[0] = (struct gbench_case){ "scan", "all", &all, scan, scan_right, .items = n };
    cases[1] = (struct gbench_case){ "read", "5e4 of them", &some, read_them, read_right, .items = REPORTED };
}

static void free_asked(struct asked *a)
{
    for (long k = 0; a->cell && k < a->n; k++)
        free(a->cell[k]);
    free(a->cell);
    free(a->ask);
    free(a->hit);
    free(a->found);
}

static void end(void)
{
    char command[64];
    free_asked(&all);
    free_asked(&some);
    store_close(store);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    must(!store || getenv("ASSAY_BENCH_STORE") || system(command) == 0);
}

const struct gbench_group bench_store_full = { "full", cases, begin, end };
