/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_store.c - the store: round trips, kills, locks, damage, export. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store.h"

/* Each test has a folder of its own; file(name) is a path in it, valid until the next call. */
static char folder[64];

static const char *file(const char *name)
{
    static char path[200];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    snprintf(folder, sizeof folder, "%s", "/tmp/test_store.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
    char command[200];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static struct store *opened(const char *path, enum store_mode mode)
{
    struct store *s = NULL;
    struct why why = { "" };

    if (store_open(path, mode, 0, &s, &why) != OK)
        fail_msg("%s", why.text);
    return s;
}

/* Cell k with values that depend on k and `salt` only. */
static struct record *sample(long k, double salt)
{
    static const char *const columns[] = { "cost", "excess" };
    char cell[64];
    struct record *r;

    snprintf(cell, sizeof cell, "cell %06ld", k);
    r = record_new(cell, "00ff");
    record_put(r, "count.k", (double)k);
    record_put(r, "measure.excess", salt / 3);
    record_put(r, "zero", -0.0);
    record_put(r, "tiny", 5e-324);
    record_put(r, "nan", NAN);
    record_put(r, "inf", INFINITY);
    record_put(r, "minus", -INFINITY);
    record_put(r, "max", 1.7976931348623157e308);
    record_put(r, "whole", 9007199254740992.0);
    record_trace_columns(r, 2, columns);
    record_trace_row(r, (double[]){ 1, NAN });
    record_trace_row(r, (double[]){ -0.0, -INFINITY });
    record_trace_row(r, (double[]){ 1e-310, salt });
    r->seconds = 0.25;
    r->peak_bytes = 1e6;
    return r;
}

static void put(struct store *s, long run, long k, double salt)
{
    struct record *r = sample(k, salt);

    assert_int_equal(store_put(s, run, r, NULL), OK);
    record_free(r);
}

static long begun(struct store *s)
{
    const struct store_info info[] = { { "commit", "abc" }, { "cpu", "any \"cpu\"" } };
    long run = 0;

    assert_int_equal(store_begin_run(s, info, 2, &run, NULL), OK);
    return run;
}

static void round_trip(void **state)
{
    const char *path = file("deep/er/a.db");
    struct store *s = opened(path, STORE_WRITE);
    struct record *r = sample(7, 0.1), *found = NULL, *bare = record_new("bare, 'quoted'", "");
    long run = begun(s), last = 0;
    double v = 1;

    assert_int_equal(store_put(s, run, r, NULL), OK);
    assert_int_equal(store_put(s, run, bare, NULL), OK);
    store_close(s);
    assert_int_not_equal(access(file("deep/er/a.db-wal"), F_OK), 0);   /* one file at rest */

    s = opened(file("deep/er/a.db"), STORE_READ);
    assert_int_equal(store_check(s, NULL), OK);
    assert_int_equal(store_find(s, r->cell, "00ff", &found, NULL), OK);
    assert_non_null(found);
    assert_true(record_equal(r, found));
    assert_true(record_get(found, "zero", &v) && v == 0 && signbit(v));
    assert_true(record_get(found, "tiny", &v) && v == 5e-324);
    assert_true(record_get(found, "nan", &v) && isnan(v));
    assert_true(signbit(found->trace.value[2]) && found->trace.value[2] == 0);
    assert_true(found->seconds == 0.25 && found->peak_bytes == 1e6);
    record_free(found);
    assert_int_equal(store_find(s, bare->cell, "", &found, NULL), OK);
    assert_true(record_equal(bare, found));
    record_free(found);
    assert_int_equal(store_find(s, r->cell, "other", &found, NULL), OK);
    assert_null(found);
    assert_int_equal(store_last_run(s, &last, NULL), OK);
    assert_int_equal(last, run);
    assert_int_equal(store_put(s, run, r, NULL), IO_ERROR);    /* reading only */
    store_close(s);
    record_free(r);
    record_free(bare);
}

static void a_put_replaces(void **state)
{
    struct store *s = opened(file("a.db"), STORE_WRITE);
    struct record *r = record_new("cell 000001", "00ff"), *found = NULL;
    long run = begun(s);

    put(s, run, 1, 0.5);
    record_end(r, OUTCOME_CRASHED, "it's broken");
    record_put(r, "only", 1);
    assert_int_equal(store_put(s, begun(s), r, NULL), OK);
    assert_int_equal(store_find(s, r->cell, r->fingerprint, &found, NULL), OK);
    assert_true(record_equal(r, found));     /* no value and no trace of the first is left */
    record_free(found);
    r->out_of_memory = true;
    assert_int_equal(store_put(s, run, r, NULL), NO_MEMORY);
    record_free(r);
    store_close(s);
}

struct seen { char text[2000]; long count; };

static bool note_record(void *ctx, const struct record *r)
{
    struct seen *seen = ctx;

    seen->count++;
    strcat(strcat(strcat(strcat(seen->text, r->cell), "/"), r->fingerprint), ";");
    return strcmp(r->cell, "stop") != 0;
}

static void put_named(struct store *s, long run, const char *cell, const char *fingerprint)
{
    struct record *r = record_new(cell, fingerprint);

    assert_int_equal(store_put(s, run, r, NULL), OK);
    record_free(r);
}

static void note_info(void *ctx, const char *key, const char *value)
{
    struct seen *seen = ctx;

    strcat(strcat(strcat(strcat(seen->text, key), "="), strstr(key, "ed") ? "" : value), ";");
}

static void note_run(void *ctx, const struct store_run *run)
{
    struct seen *seen = ctx;

    assert_int_equal(run->id, ++seen->count);
    assert_int_equal(strlen(run->started), strlen("2000-01-01T00:00:00Z"));
    assert_int_equal(strlen(run->ended), run->id == 2 ? 20 : 0);
    assert_int_equal(run->records, run->id == 2 ? 2 : run->id == 3 ? 1 : 3);
}

static void each(struct store *s, long run, const char *expected)
{
    struct seen seen = { "", 0 };

    assert_int_equal(store_each_of_run(s, run, note_record, &seen, NULL), OK);
    assert_string_equal(seen.text, expected);
}

/* Byte order: 'B' < 'a' < 'b' < "\xc3". The latest record is that of the latest run, also if an
 * older record came back by store_link. */
static void runs_and_latest(void **state)
{
    struct store *s = opened(file("a.db"), STORE_WRITE);
    struct seen seen = { "", 0 };
    struct record *found = NULL;
    long one = begun(s), two, three;

    put_named(s, one, "b", "f1");
    put_named(s, one, "B", "f1");
    put_named(s, one, "\xc3\xa9", "f1");
    two = begun(s);
    put_named(s, two, "b", "f2");
    put_named(s, two, "a", "f2");
    three = begun(s);
    assert_int_equal(store_link(s, three, "b", "f1", NULL), OK);
    assert_int_equal(store_link(s, three, "b", "f1", NULL), OK);
    assert_int_equal(store_link(s, three, "b", "none", NULL), REFUSED);
    assert_int_equal(store_end_run(s, two, NULL), OK);
    each(s, one, "B/f1;b/f1;\xc3\xa9/f1;");
    each(s, two, "a/f2;b/f2;");
    each(s, three, "b/f1;");
    each(s, STORE_LATEST, "B/f1;a/f2;b/f1;\xc3\xa9/f1;");
    each(s, 99, "");
    assert_int_equal(store_find(s, "b", NULL, &found, NULL), OK);
    assert_string_equal(found->fingerprint, "f1");
    record_free(found);

    assert_int_equal(store_runs(s, note_run, &seen, NULL), OK);
    assert_int_equal(seen.count, 3);
    assert_int_equal(store_run_info(s, two, note_info, &seen, NULL), OK);
    assert_string_equal(seen.text, "commit=abc;cpu=any \"cpu\";ended=;started=;");
    put_named(s, two, "stop", "");
    put_named(s, two, "stop later", "");
    each(s, two, "a/f2;b/f2;stop/;");
    store_close(s);
}

static char *exported(struct store *s, long run, enum record_format format, bool canonical)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);

    assert_int_equal(store_export(s, run, f, format, canonical, NULL), OK);
    fclose(f);
    return text;
}

/* Two stores filled in different orders, by several runs, with replaced records, other times. */
static void export_ignores_history(void **state)
{
    enum { CELLS = 40 };
    struct store *a = opened(file("a.db"), STORE_WRITE), *b = opened(file("b.db"), STORE_WRITE);
    long run = begun(a), other;
    struct record *r;

    for (long k = 0; k < CELLS; k++)
        put(a, run, k, (double)k);
    begun(b);
    other = begun(b);
    for (long k = 0; k < CELLS; k++) {
        put(b, other, k * 7 % CELLS, -1);
        r = sample(k * 7 % CELLS, (double)(k * 7 % CELLS));
        r->seconds = 99;
        assert_int_equal(store_put(b, other, r, NULL), OK);
        record_free(r);
    }
    for (int format = RECORD_TEXT; format <= RECORD_JSON; format++) {
        char *x = exported(a, run, format, true), *y = exported(b, other, format, true);
        char *z = exported(b, STORE_LATEST, format, true);
        char *times = exported(b, other, format, false);

        assert_string_equal(x, y);
        assert_string_equal(x, z);
        assert_string_not_equal(x, times);
        assert_non_null(strstr(x, "0.3333333333333333"));
        assert_null(strstr(x, "seconds"));
        assert_non_null(strstr(times, "seconds"));
        free(x);
        free(y);
        free(z);
        free(times);
    }
    store_close(a);
    store_close(b);
}

/* SQLite's own parser judges the JSON. */
static void export_is_json(void **state)
{
    struct store *s = opened(file("a.db"), STORE_WRITE);
    long run = begun(s);
    char command[400];
    struct record *r = record_new("quo\"te\\ \t\xff", "f");

    if (system("command -v sqlite3 >/dev/null") != 0) {
        record_free(r);
        store_close(s);
        skip();
    }
    put(s, run, 1, 2);
    assert_int_equal(store_put(s, run, r, NULL), OK);
    for (int k = 0; k < 3; k++) {
        FILE *f = fopen(file("x.json"), "w");

        assert_int_equal(store_export(s, k == 2 ? 99 : run, f, RECORD_JSON, k > 0, NULL), OK);
        fclose(f);
        snprintf(command, sizeof command, "sqlite3 :memory: \"SELECT json_valid(t) AND "
                 "json_array_length(t, '$.records') = %d FROM "
                 "(SELECT CAST(readfile('%s') AS TEXT) t)\" | grep -qx 1",
                 k == 2 ? 0 : 2, file("x.json"));
        assert_int_equal(system(command), 0);
    }
    record_free(r);
    store_close(s);
}

/* A child puts records and tells each commit through a pipe until it is killed at some moment. */
static long write_until_killed(const char *path, long first, useconds_t after)
{
    long told = first - 1, k;
    int fd[2];
    pid_t child;

    assert_int_equal(pipe(fd), 0);
    child = fork();
    if (child == 0) {
        struct store *s = NULL;
        long run;

        if (store_open(path, STORE_WRITE, 0, &s, NULL) != OK ||
            store_begin_run(s, NULL, 0, &run, NULL) != OK)
            _exit(1);
        for (k = first;; k++) {
            struct record *r = sample(k, (double)k);

            if (store_put(s, run, r, NULL) != OK || write(fd[1], &k, sizeof k) != sizeof k)
                _exit(1);
            record_free(r);
        }
    }
    close(fd[1]);
    assert_true(read(fd[0], &told, sizeof told) == sizeof told);
    usleep(after);
    kill(child, SIGKILL);
    while (read(fd[0], &k, sizeof k) == sizeof k)
        told = k;
    close(fd[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return told;
}

static void committed_records_survive_kills(void **state)
{
    char path[200];
    long last = -1;

    snprintf(path, sizeof path, "%s", file("a.db"));
    for (int round = 0; round < 8; round++) {
        struct store *s;
        struct record *found = NULL, *expected;

        last = write_until_killed(path, last + 1, 3000 + 9001 * round);
        s = opened(path, round % 2 ? STORE_WRITE : STORE_READ);
        assert_int_equal(store_check(s, NULL), OK);
        for (long k = 0; k <= last + 2; k++) {
            expected = sample(k, (double)k);
            assert_int_equal(store_find(s, expected->cell, "00ff", &found, NULL), OK);
            assert_true(k > last || found != NULL);
            if (found)               /* one commit may not have been told; it is whole, too */
                assert_true(k <= last + 1 && record_equal(found, expected));
            record_free(found);
            record_free(expected);
        }
        store_close(s);
    }
    assert_true(last > 20);
}

/* Once somebody has opened and closed it after a kill, the log is folded in: the file alone is the
 * whole store. Before that it may be half folded: a copy takes the files beside it, too. */
static void the_file_alone_is_usable(void **state)
{
    char path[200], command[500];
    struct store *s;

    snprintf(path, sizeof path, "%s", file("a.db"));
    long last = write_until_killed(path, 0, 150000);
    store_close(opened(path, STORE_WRITE));
    snprintf(command, sizeof command, "cp %s %s/copy.db", path, folder);
    assert_int_equal(system(command), 0);
    s = opened(file("copy.db"), STORE_READ);
    assert_int_equal(store_check(s, NULL), OK);
    struct record *found = NULL, *expected = sample(last, (double)last);
    assert_int_equal(store_find(s, expected->cell, "00ff", &found, NULL), OK);
    assert_true(found && record_equal(found, expected));
    record_free(found);
    record_free(expected);
    store_close(s);
}

static void second_writer_is_refused(void **state)
{
    char expected[40];
    struct store *s = NULL;
    struct why why = { "" };
    int ready[2];
    pid_t child;
    char c;

    assert_int_equal(pipe(ready), 0);
    child = fork();
    if (child == 0) {
        if (store_open(file("a.db"), STORE_WRITE, 0, &s, NULL) != OK ||
            write(ready[1], "x", 1) != 1)
            _exit(1);
        usleep(400000);
        store_close(s);
        pause();
    }
    assert_int_equal(read(ready[0], &c, 1), 1);
    assert_int_equal(store_open(file("a.db"), STORE_WRITE, 0.1, &s, &why), REFUSED);
    assert_null(s);
    snprintf(expected, sizeof expected, "process %ld ", (long)child);
    assert_non_null(strstr(why.text, expected));
    store_close(opened(file("a.db"), STORE_READ));             /* readers do not mind */
    assert_int_equal(store_open(file("a.db"), STORE_WRITE, 5, &s, &why), OK);  /* after a wait */
    store_close(s);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ready[0]);
    close(ready[1]);
}

static void overwrite(const char *path, long at, long n)
{
    int fd = open(path, O_WRONLY);

    for (long k = 0; k < n; k++)
        assert_int_equal(pwrite(fd, "\xa5", 1, at + k), 1);
    close(fd);
}

static enum status refused(const char *path, enum store_mode mode, struct why *why)
{
    struct store *s = NULL;
    enum status status = store_open(path, mode, 0, &s, why);

    assert_null(s);
    assert_non_null(strstr(why->text, path));
    assert_int_equal(store_damaged(why), strstr(why->text, "damaged") != NULL);
    return status;
}

static void what_is_no_store(void **state)
{
    struct why why = { "" };
    struct store *s;
    FILE *f = fopen(file("text"), "w");
    char command[300];

    fputs("this is a plain text file of some length\n", f);
    fclose(f);
    assert_int_equal(refused(file("none.db"), STORE_READ, &why), BAD_INPUT);
    assert_int_equal(refused(file("text"), STORE_READ, &why), BAD_INPUT);
    assert_int_equal(refused(file("text"), STORE_WRITE, &why), BAD_INPUT);
    assert_int_not_equal(access(file("text.lock"), F_OK), 0);  /* nothing was left beside it */
    assert_int_equal(refused(folder, STORE_WRITE, &why), BAD_INPUT);
    assert_int_equal(refused("", STORE_WRITE, &why), BAD_INPUT);
    assert_int_equal(refused(":memory:", STORE_WRITE, &why), BAD_INPUT);
    fclose(fopen(file("empty"), "w"));
    assert_int_equal(refused(file("empty"), STORE_READ, &why), BAD_INPUT);
    assert_int_equal(refused(file("text/a.db"), STORE_WRITE, &why), IO_ERROR);
    assert_int_equal(store_open(file("text/b/a.db"), STORE_WRITE, 0, &s, &why), IO_ERROR);
    if (system("command -v sqlite3 >/dev/null") == 0) {
        snprintf(command, sizeof command, "sqlite3 %s 'CREATE TABLE t(x)'", file("other.db"));
        assert_int_equal(system(command), 0);
        assert_int_equal(refused(file("other.db"), STORE_WRITE, &why), BAD_INPUT);
    }
    assert_false(store_damaged(&why));
}

static void other_schemas(void **state)
{
    struct why why = { "" };
    char command[300];

    if (system("command -v sqlite3 >/dev/null") != 0)
        skip();
    store_close(opened(file("a.db"), STORE_WRITE));
    snprintf(command, sizeof command, "sqlite3 %s 'UPDATE meta SET value = 99'", file("a.db"));
    assert_int_equal(system(command), 0);
    assert_int_equal(refused(file("a.db"), STORE_READ, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "newer"));
    assert_int_equal(refused(file("a.db"), STORE_WRITE, &why), BAD_INPUT);
    snprintf(command, sizeof command, "sqlite3 %s 'UPDATE meta SET value = 1'", file("a.db"));
    assert_int_equal(system(command), 0);
    assert_int_equal(refused(file("a.db"), STORE_WRITE, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "older"));
}

static void damage_is_reported(void **state)
{
    struct why why = { "" };
    struct stat info;
    struct store *s = opened(file("a.db"), STORE_WRITE);
    struct seen seen = { "", 0 };
    long run = begun(s);

    for (long k = 0; k < 60; k++)
        put(s, run, k, 1);
    store_close(s);
    assert_int_equal(stat(file("a.db"), &info), 0);
    assert_true(info.st_size > 8 * 4096);

    overwrite(file("a.db"), info.st_size / 2, info.st_size / 2);
    s = opened(file("a.db"), STORE_READ);
    assert_int_equal(store_check(s, &why), IO_ERROR);
    assert_true(store_damaged(&why));
    assert_int_equal(store_each_of_run(s, run, note_record, &seen, &why), IO_ERROR);
    assert_true(store_damaged(&why));
    store_close(s);
    assert_int_equal(truncate(file("a.db"), 3 * 4096), 0);     /* half a file */
    assert_int_equal(refused(file("a.db"), STORE_READ, &why), IO_ERROR);
    assert_true(store_damaged(&why));
    overwrite(file("a.db"), 0, 50);                            /* not even a header */
    assert_int_equal(refused(file("a.db"), STORE_WRITE, &why), IO_ERROR);
    assert_true(store_damaged(&why));
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, make_folder, drop_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(round_trip),
        IN_FOLDER(a_put_replaces),
        IN_FOLDER(runs_and_latest),
        IN_FOLDER(export_ignores_history),
        IN_FOLDER(export_is_json),
        IN_FOLDER(committed_records_survive_kills),
        IN_FOLDER(the_file_alone_is_usable),
        IN_FOLDER(second_writer_is_refused),
        IN_FOLDER(what_is_no_store),
        IN_FOLDER(other_schemas),
        IN_FOLDER(damage_is_reported),
    };

    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
