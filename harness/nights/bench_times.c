/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_times.c - times of kernels from the file of the benchmarks. */
#include "nights/bench_times.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "nights/gbench.h"
#include "record/listing.h"

/* One repetition of a benchmark. */
struct repetition { char name[128]; double seconds; };
struct repetitions { struct repetition *of; int n; };

/* Columns of the file. */
enum { BENCHMARK, QUANTITY, VALUE, COLUMNS };
static const char *const column_name[COLUMNS] = { "benchmark", "quantity", "value" };

void gbench_csv(FILE *out, const char *benchmark, const char *quantity, const char *value)
{
    struct listing l = { .out = out, .format = RECORD_CSV, .columns = COLUMNS, .headed = true };
    listing_row(&l, benchmark ? (const char *const[]){ benchmark, quantity, value } : column_name);
}

static void add(struct repetitions *list, const char *name, double seconds)
{
    list->of = realloc(list->of, (size_t)(list->n + 1) * sizeof *list->of);
    BUG_IF(!list->of);
    struct repetition *r = &list->of[list->n++];
    snprintf(r->name, sizeof r->name, "%s", name);
    for (char *c = r->name; *c; c++)
        *c = (unsigned char)*c < 32 ? ' ' : *c;
    r->seconds = seconds;
}

static int in_order(const void *a, const void *b)
{
    const struct repetition *x = a, *y = b;
    int c = strcmp(x->name, y->name);
    return c ? c : (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Adds the median time of every benchmark. Repetitions of one name stand together, shortest first. */
static void put_medians(struct repetitions *all, struct standings *list)
{
    qsort(all->of, (size_t)all->n, sizeof *all->of, in_order);
    for (int from = 0, to; from < all->n; from = to) {
        struct standing s = { .profile = BENCH_PROFILE, .word = NOT_RUN, .reference = 1 };
        for (to = from; to < all->n && strcmp(all->of[to].name, all->of[from].name) == 0;)
            to++;
        snprintf(s.claim, sizeof s.claim, "%s", all->of[from].name);
        s.seconds = (all->of[(from + to - 1) / 2].seconds + all->of[(from + to) / 2].seconds) / 2;
        standings_put(list, &s);
    }
}

struct reading { struct repetitions all; int of[COLUMNS]; };

static bool take_heading(void *ctx, const struct csv_line *l)
{
    struct reading *r = ctx;
    bool all = true;
    for (int k = 0; k < COLUMNS; k++)
        all &= (r->of[k] = csv_line_column(l, column_name[k])) >= 0;
    return all;
}

/* Takes the time of a repetition from a line. Lines of other quantities, and lines about the machine, which name no
 * benchmark, are ignored. */
static enum status take_line(void *ctx, const struct csv_line *l, struct why *why)
{
    struct reading *r = ctx;
    const char *name = csv_line_field(l, r->of[BENCHMARK]), *value = csv_line_field(l, r->of[VALUE]);
    double seconds;
    if (!*name || strcmp(csv_line_field(l, r->of[QUANTITY]), GBENCH_TIME))
        return OK;
    if (!number_parse(value, &seconds) || !(seconds > 0 && isfinite(seconds)))
        return why_set(why, BAD_INPUT, "column value: '%.60s': expected seconds above 0", value);
    add(&r->all, name, seconds);
    return OK;
}

enum status bench_times_read(const char *path, struct standings *list, struct why *why)
{
    static const struct csv_table table = { "a heading with the columns benchmark, quantity and value, as "
                                            "`make bench CSV=FILE` writes it", take_heading, take_line };
    struct reading r = { { NULL, 0 }, { 0 } };
    enum status s = csv_table_read(path, &table, &r, why) == OK ? OK : BAD_INPUT;
    if (s == OK && !r.all.n)
        s = why_set(why, BAD_INPUT, "%.300s: expected benchmarks with a time", path);
    if (s == OK)
        put_medians(&r.all, list);
    free(r.all.of);
    return s;
}
