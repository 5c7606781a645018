/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_store_damage.c - a store in which bytes have changed gives the records that were put, or an error, but never
 * another number. A file that is not a store of this version is left unchanged, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "rng.h"
#include "support/need.h"
#include "support/shell.h"
#include "store/store.h"

enum { CELLS = 6 };

static int begin(void **state)
{
    shell_begin();
    return 0;
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* Returns a record of cell k, with values and a trace that follow from k alone. */
static struct record *sample(int k)
{
    char cell[32];
    snprintf(cell, sizeof cell, "cell %d", k);
    struct record *r = record_new(cell, "00ff");
    record_put(r, "measure.excess", 1.0 / (k + 3));
    record_put(r, "measure.nan", NAN);
    record_put(r, "count.k", k);
    record_trace_columns(r, 2, (const char *const[]){ "cost", "excess" });
    for (int row = 0; row < 20; row++)
        record_trace_row(r, (double[]){ row, exp(-row / (k + 1.0)) });
    r->seconds = 0.5;
    return r;
}

static void make_store(const char *path)
{
    struct store *s = NULL;
    long run = 0;
    assert_int_equal(store_open(path, STORE_WRITE, 0, &s, NULL), OK);
    assert_int_equal(store_begin_run(s, NULL, 0, &run, NULL), OK);
    for (int k = 0; k < CELLS; k++) {
        struct record *r = sample(k);
        assert_int_equal(store_put(s, run, r, NULL), OK);
        record_free(r);
    }
    store_close(s);
}

static void write_file(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_true(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

static char *read_file(const char *path, size_t *n)
{
    char *bytes = malloc(1 << 20);
    FILE *f = fopen(path, "rb");
    assert_true(bytes && f);
    *n = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    assert_true(*n > 0 && *n < 1 << 20);
    return bytes;
}

struct seen { int right, wrong; };

static bool hold(void *ctx, const struct record *r)
{
    struct seen *seen = ctx;
    bool equal = false;
    for (int k = 0; k < CELLS && !equal; k++) {
        struct record *truth = sample(k);
        equal = record_equal(r, truth);
        record_free(truth);
    }
    equal ? seen->right++ : seen->wrong++;
    return true;
}

/* Reads the file in every way: records by their cells, and all of them in a row. */
static struct seen read_all(const char *path, bool *complained)
{
    struct seen seen = { 0, 0 };
    struct store *s = NULL;
    struct why why = { "" };
    enum status status = store_open(path, STORE_READ, 0, &s, &why);
    *complained = status != OK;
    for (int k = 0; k < CELLS && s; k++) {
        struct record *truth = sample(k), *found = NULL;
        *complained |= store_find(s, truth->cell, truth->fingerprint, &found, &why) != OK;
        if (found)
            hold(&seen, found);
        record_free(found);
        record_free(truth);
    }
    if (s)
        *complained |= store_each_of_run(s, STORE_LATEST, hold, &seen, &why) != OK;
    store_close(s);
    if (*complained)
        assert_true(why.text[0] && !strchr(why.text, '\n'));
    return seen;
}

/* In 400 trials one to eight bytes are changed, beginning at a byte that is not zero, since most of the zeros are
 * unused. The checksum of a changed record agrees by chance with probability below 400 / 2^32. */
static void changed_bytes_are_no_numbers(void **state)
{
    size_t n;
    bool complained;
    int complaints = 0;
    make_store("a.db");
    char *bytes = read_file("a.db", &n), *copy = malloc(n);
    assert_int_equal(read_all("a.db", &complained).right, 2 * CELLS);
    assert_false(complained);
    struct rng r = rng_stream(11);
    for (int k = 0; k < 400; k++) {
        memcpy(copy, bytes, n);
        size_t at;
        do
            at = (size_t)rng_below(&r, (long)n - 8);
        while (!bytes[at]);
        for (long left = 1 + rng_below(&r, 8); left > 0; left--)
            copy[at + (size_t)left - 1] ^= (char)(1 + rng_below(&r, 255));
        write_file("b.db", copy, n);
        struct seen seen = read_all("b.db", &complained);
        if (seen.wrong)
            fail_msg("bytes from %zu: %d records are wrong", at, seen.wrong);
        complaints += complained;
    }
    assert_true(complaints > 100);        /* the changes had an effect on what is read */
    free(bytes);
    free(copy);
}

/* Changes one bit of the double 1/4 of cell 1, which is in the file with its lowest byte first and 0x3fd0 at the
 * end. SQLite itself cannot notice such a change. */
static void one_bit_of_one_number(void **state)
{
    static const char quarter[] = { 0, 0, 0, 0, 0, 0, (char)0xd0, 0x3f };
    size_t n;
    bool complained;
    make_store("a.db");
    char *bytes = read_file("a.db", &n), *at = memmem(bytes, n, quarter, sizeof quarter);
    assert_non_null(at);
    at[2] ^= 1;
    write_file("a.db", bytes, n);
    free(bytes);
    struct seen seen = read_all("a.db", &complained);
    assert_true(complained && seen.wrong == 0 && seen.right >= CELLS - 1);

    struct store *s = NULL;
    struct record *found = NULL;
    struct why why = { "" };
    assert_int_equal(store_open("a.db", STORE_READ, 0, &s, NULL), OK);
    assert_int_equal(store_find(s, "cell 1", "00ff", &found, &why), DAMAGED);
    assert_true(strstr(why.text, "cell 1") && !found);
    store_close(s);
}

/* A process is killed when pages of an unfinished transaction are already in the file, as happens while the log is
 * merged into the file. The next reader first undoes these pages. */
static void a_reader_undoes_an_unfinished_transaction(void **state)
{
    bool complained;
    need("sqlite3");
    make_store("a.db");
    shell("sqlite3 a.db 'PRAGMA cache_size = 1' 'BEGIN' 'UPDATE records SET seconds = 7' "
          "'CREATE TABLE more AS SELECT randomblob(100000) x' '.shell kill -9 $PPID' > out.txt 2>&1");
    assert_int_equal(shell("test -s a.db-journal"), 0);
    struct seen seen = read_all("a.db", &complained);
    assert_true(!complained && seen.right == 2 * CELLS && seen.wrong == 0);
}

static void files_of_other_programs_are_not_changed(void **state)
{
    static const char *const makers[] = {
        "sqlite3 x.db 'CREATE TABLE t(x)'",
        "sqlite3 x.db \"UPDATE meta SET value = 99 WHERE key = 'schema'\"",
        "sqlite3 x.db \"UPDATE meta SET value = 1 WHERE key = 'schema'\"",
        "echo some text > x.db",
    };
    need("sqlite3");
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++) {
        struct why why = { "" };
        struct store *s = NULL;
        shell("rm -f x.db*");
        if (k == 1 || k == 2)
            make_store("x.db");
        assert_int_equal(shell("rm -f x.db.lock; %s", makers[k]), 0);
        shell("cksum x.db > before.txt; ls -A > list.txt");
        assert_int_equal(store_open("x.db", STORE_WRITE, 0, &s, &why), BAD_INPUT);
        assert_non_null(strstr(why.text, "x.db"));
        assert_int_equal(shell("cksum x.db | cmp - before.txt && ls -A | cmp - list.txt"), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(changed_bytes_are_no_numbers, begin, end),
        cmocka_unit_test_setup_teardown(one_bit_of_one_number, begin, end),
        cmocka_unit_test_setup_teardown(a_reader_undoes_an_unfinished_transaction, begin, end),
        cmocka_unit_test_setup_teardown(files_of_other_programs_are_not_changed, begin, end),
    };
    return cmocka_run_group_tests_name("store damage", tests, NULL, NULL);
}
