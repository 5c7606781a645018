/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_data_memory.c - loading takes at most 1.2 times the larger of the file and its table; tables whose form
 * changes after their first records are read correctly. */
#include "support/data_files.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "rng.h"

enum shape { SPARSE, BINARY, DENSE, CSV, FANN, LATE_COLUMN, FIRST_FULL };

/* Writes record i of a file of shape s. CSV and FANN text has an entry in each of `columns` columns; SPARSE and
 * BINARY text has one entry in each of `columns` blocks of 30 columns. The other shapes have an entry in the first
 * and the last column of a record, and in about nine in ten of those between. A record has `columns` columns in
 * DENSE; 100 in LATE_COLUMN, and one more after every 700 records; and in FIRST_FULL `columns` in the first 100
 * records and 20 in the others. */
static void record(FILE *f, enum shape s, struct rng *r, int i, int columns)
{
    int width = s == LATE_COLUMN ? i / 700 + 100 : s == FIRST_FULL && i > 99 ? 20 : columns;
    if (s != FANN)
        fprintf(f, "%d", i % 2);
    for (int j = 0; j < width; j++) {
        int v = 100000 + (int)rng_below(r, 900000);
        if (s == SPARSE || s == BINARY) {
            fprintf(f, s == BINARY ? " %d:1" : " %d:%d.%02d", 30 * j + v % 30 + 1, v / 100,
                    v % 100);
        } else if (s == CSV || s == FANN) {
            fprintf(f, s == CSV ? ",%d.%02d" : "%d.%02d ", v / 100, v % 100);
        } else if (j == 0 || j == width - 1 || v % 10) {
            fprintf(f, " %d:%d.%02d", j + 1, v / 100, v % 100);
        }
    }
    fprintf(f, s == FANN ? "\n%d\n" : "\n", i % 2);
}

static struct path large(enum shape s, int records, int columns)
{
    struct path p = written("", 0, false);
    struct rng r = rng_stream(9);
    FILE *f = fopen(p.text, "w");
    assert_non_null(f);
    if (s == FANN)
        fprintf(f, "%d %d 1\n", records, columns);
    for (int i = 0; i < records; i++)
        record(f, s, &r, i, columns);
    assert_int_equal(fclose(f), 0);
    return p;
}

static double table_bytes(const struct table *t)
{
    double n = (double)t->n, d = (double)t->d, k = (double)t->nonzeros;
    return t->dense ? 8 * n * d + 8 * n + 4 * d : 12 * k + 16 * n + 8;
}

/* Returns the peak memory of the load over the larger of file and table. It is measured in a child process, which
 * prints it through a pipe. */
static double memory_ratio(const char *path)
{
    struct rusage before, after;
    struct stat file;
    double ratio = 0;
    int status, ends[2];
    assert_int_equal(stat(path, &file) | pipe(ends), 0);
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct table *t;
        getrusage(RUSAGE_SELF, &before);
        if (data_table(path, &t, NULL) != OK)
            _exit(1);
        getrusage(RUSAGE_SELF, &after);
        double larger = fmax(table_bytes(t), (double)file.st_size);
        ratio = 1024 * (double)(after.ru_maxrss - before.ru_maxrss) / larger;
        _exit(write(ends[1], &ratio, sizeof ratio) != sizeof ratio);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(read(ends[0], &ratio, sizeof ratio), sizeof ratio);
    close(ends[0]);
    close(ends[1]);
    return ratio;
}

static void peak_memory_of_loading(void **state)
{
#ifdef __SANITIZE_ADDRESS__
    printf("skip: the sanitizer's allocator keeps what is freed\n");
    skip();
#endif
    static const struct { enum shape shape; int records, columns; } cases[] = {
        { SPARSE, 700, 1000 }, { BINARY, 2400, 1000 }, { DENSE, 4000, 250 }, { CSV, 14000, 250 },
        { FANN, 14000, 250 }, { LATE_COLUMN, 9000, 0 },
        { FIRST_FULL, 80000, 1000 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct path p = large(cases[k].shape, cases[k].records, cases[k].columns);
        double ratio = memory_ratio(p.text);
        printf("shape %d: peak memory %.3f of the larger of file and table\n", (int)cases[k].shape,
               ratio);
        if (!(ratio <= 1.2))
            fail_msg("%g times the larger of file and table", ratio);
    }
}

/* Returns entry (i, j) of a matrix that is written as LIBSVM text; the table must be this matrix. `kind`: 0 dense
 * records, then sparse ones; 1 sparse, then dense; 2 dense, but for one entry far to the right in record 1500; 3
 * dense, a column wider every 100 records; 4 dense, one entry far to the right in record 1100, then dense in all
 * columns. */
static double entry(int kind, int i, int j)
{
    int v = (i * 31 + j * 17) % 97 + 1;
    switch (kind) {
    case 0: return i < 700 || j == i % 97 ? v : 0;
    case 1: return i >= 1200 || j == i % 97 ? v : 0;
    case 2: return j < 97 || (i == 1500 && j == 299) ? v : 0;
    case 3: return j < 60 + i / 100 ? v : 0;
    default: return j < 40 || i > 1500 || (i == 1100 && j == 199) ? v : 0;
    }
}

static void tables_whose_form_changes(void **state)
{
    static const int columns[] = { 97, 97, 300, 79, 200 };
    static const bool dense[] = { false, true, false, true, true };
    enum { RECORDS = 2000 };
    for (int kind = 0; kind < 5; kind++) {
        int records = kind == 1 ? 20000 : kind == 4 ? 3000 : RECORDS, d = columns[kind];
        struct path p = written("", 0, false);
        FILE *f = fopen(p.text, "w");
        long nonzeros = 0;
        for (int i = 0; i < records; i++) {
            fprintf(f, "%d", i);
            for (int j = 0; j < d; j++)
                if (entry(kind, i, j) != 0) {
                    fprintf(f, " %d:%g", j + 1, entry(kind, i, j));
                    nonzeros++;
                }
            fputc('\n', f);
        }
        fclose(f);
        const struct table *t = load_as((struct data_request){ .data = p.text });
        assert_int_equal(t->n, records);
        assert_int_equal(t->d, d);
        assert_int_equal(t->nonzeros, nonzeros);
        assert_int_equal(t->dense != NULL, dense[kind]);
        double *a = matrix(t);
        for (int i = 0; i < records; i++) {
            assert_true(t->label[i] == i);
            for (int j = 0; j < d; j++)
                assert_true(a[(long)i * d + j] == entry(kind, i, j));
        }
        test_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peak_memory_of_loading), cmocka_unit_test(tables_whose_form_changes),
    };
    return cmocka_run_group_tests_name("data_memory", tests, setup, teardown);
}
