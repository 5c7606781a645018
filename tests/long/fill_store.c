/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill_store.c - for long_size.sh and long_rows.sh: fills large stores, and measures a command.
 *
 * fill_store STORE < PLAN.csv: puts a record for every cell of the plan (assay plan --format csv) that has none.
 * The record is a copy of that of another replicate of the same cell; the store must have the replicates 0 to
 * REPLICATES - 1 of every cell.
 *
 * fill_store small STORE FIRST RECORDS: puts records of the replicates FIRST, FIRST + 1, ... of one cell. A record
 * holds one number and takes some 200 bytes.
 *
 * fill_store run COMMAND...: runs a command, and prints its seconds, its largest size in MiB, and its exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/store_state.h"
#include "text/csv_line.h"

enum { REPLICATES = 16, CELL = 4 };          /* CELL: the column of the plan with the cell */

static void must(bool well, const char *what)
{
    if (well)
        return;
    fprintf(stderr, "fill_store: %s\n", what);
    exit(1);
}

static char kept[CSV_FIELD];                 /* the cell without its replicate */
static struct record *of[REPLICATES];

static void keep_replicates(struct store *s, const char *cell)
{
    struct why why = { "" };
    snprintf(kept, sizeof kept, "%s", cell);
    for (int k = 0; k < REPLICATES; k++) {
        char text[CSV_FIELD + 20];
        snprintf(text, sizeof text, "%s | rep %d", cell, k);
        struct store_ask ask = { text, NULL };
        struct store_hit hit;
        record_free(of[k]);
        must(store_scan(s, &ask, 1, &hit, &why) == OK && hit.id, text);
        must(store_load(s, &ask, &hit, 1, &of[k], &why) == OK, why.text);
    }
}

static void put(struct store *s, struct record *r, long *first, long *n)
{
    struct why why = { "" };
    struct entry e = store_entry_of(r->cell, r->fingerprint);
    e.maker = 1;
    e.stamp = store_maker(s, 1)->stamp[r->uses];
    must(store_new_id(s, &e.id, &why) == OK && store_row_write(s, r, &e, &why) == OK, why.text);
    *first = *first ? *first : e.id;
    ++*n;
}

static long fill(struct store *s, long run)
{
    struct csv_line *line = calloc(1, sizeof *line);
    long first = 0, n = 0;
    must(line && csv_line_read(stdin, line), "no plan on standard input");
    while (csv_line_read(stdin, line)) {
        char cell[CSV_FIELD];
        struct store_hit hit;
        struct why why = { "" };
        snprintf(cell, sizeof cell, "%s", line->field[CELL]);
        char *rep = strstr(cell, " | rep ");
        must(rep, cell);
        long number = strtol(rep + strlen(" | rep "), NULL, 10);
        if (number < REPLICATES)
            continue;
        *rep = 0;
        if (strcmp(cell, kept))
            keep_replicates(s, cell);
        *rep = ' ';
        struct record *copy = record_copy(of[number % REPLICATES]);
        free(copy->cell);
        copy->cell = strdup(cell);
        copy->uses = of[number % REPLICATES]->uses;
        must(store_scan(s, &(struct store_ask){ cell, copy->fingerprint }, 1, &hit, &why) == OK, why.text);
        if (!hit.id)
            put(s, copy, &first, &n);
        record_free(copy);
    }
    must(!n || store_add_range(s, run, first, first + n - 1, NULL) == OK, "the run");
    free(line);
    return n;
}

static long fill_small(struct store *s, long run, long from, long records)
{
    long first = 0, n = 0;
    for (long k = from; k < from + records; k++) {
        char cell[100];
        snprintf(cell, sizeof cell, "problem chain | algo gd | goal T=10 | run | rep %ld", k);
        struct record *r = record_new(cell, "0123456789abcdef0123456789abcdef");
        must(r, "no memory");
        record_put(r, "measure.excess", 1.0 / (double)(k + 1));
        put(s, r, &first, &n);
        record_free(r);
    }
    must(!n || store_add_range(s, run, first, first + n - 1, NULL) == OK, "the run");
    return n;
}

static int measure(char **command)
{
    struct timespec from, to;
    struct rusage use;
    int status;
    clock_gettime(CLOCK_MONOTONIC, &from);
    pid_t child = fork();
    if (child == 0) {
        execvp(*command, command);
        _exit(127);
    }
    must(child > 0 && wait4(child, &status, 0, &use) == child, "fork");
    clock_gettime(CLOCK_MONOTONIC, &to);
    fprintf(stderr, "%.1f %ld %d\n", (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec),
            use.ru_maxrss / 1024, WIFEXITED(status) ? WEXITSTATUS(status) : 255);
    return 0;
}

int main(int argc, char **argv)
{
    struct store *s = NULL;
    struct why why = { "" };
    long run;
    if (argc > 2 && strcmp(argv[1], "run") == 0)
        return measure(argv + 2);
    bool small = argc == 5 && strcmp(argv[1], "small") == 0;
    must(argc == 2 || small, "expected STORE, small STORE FIRST RECORDS, or run COMMAND...");
    must(store_open(argv[small ? 2 : 1], STORE_WRITE, 0, &s, &why) == OK, why.text);
    must(store_begin_run(s, NULL, 0, &run, &why) == OK && store_sql(s, "BEGIN", &why) == OK, why.text);
    long n = small ? fill_small(s, run, strtol(argv[3], NULL, 10), strtol(argv[4], NULL, 10)) : fill(s, run);
    must(store_sql(s, "COMMIT", &why) == OK && store_end_run(s, run, &why) == OK, why.text);
    store_close(s);
    printf("%ld records\n", n);
    return 0;
}
