/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_store_files.c - the file of the store: kills, locks, other schemas, damage. */
#include "support/stored.h"
#include "support/need.h"

#include <sys/utsname.h>

/* A child puts records first, first + 1, ..., and reports each commit through a pipe, until it is killed `after`
 * microseconds after `commits` reports, at least 1. Returns the last record that it has reported. */
static long write_until_killed(const char *path, long first, int commits, useconds_t after)
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
    for (int n = 0; n < commits; n++)
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

        last = write_until_killed(path, last + 1, 3, 3000 + 9001 * round);
        s = opened(path, round % 2 ? STORE_WRITE : STORE_READ);
        assert_int_equal(store_check(s, NULL), OK);
        for (long k = 0; k <= last + 2; k++) {
            expected = sample(k, (double)k);
            assert_int_equal(store_find(s, expected->cell, "00ff", &found, NULL), OK);
            assert_true(k > last || found != NULL);
            if (found)               /* one commit may not have been reported; its record is complete, too */
                assert_true(k <= last + 1 && record_equal(found, expected));
            record_free(found);
            record_free(expected);
        }
        store_close(s);
    }
    assert_true(last > 20);
}

/* After a kill, opening and closing the store merges its log, and the file alone is then the whole store. Before
 * that the log may be merged in part, and a copy of the store needs the files beside it. */
static void the_file_alone_is_usable(void **state)
{
    char path[200], command[500];
    struct store *s;

    snprintf(path, sizeof path, "%s", file("a.db"));
    long last = write_until_killed(path, 0, 20, 150000);
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
    int ready[2], enough[2];
    pid_t child;
    char c;

    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(enough), 0);
    child = fork();
    if (child == 0) {
        if (store_open(file("a.db"), STORE_WRITE, 0, &s, NULL) != OK ||
            write(ready[1], "x", 1) != 1 || read(enough[0], &c, 1) != 1)
            _exit(1);
        usleep(300000);                              /* meanwhile the parent has begun to wait */
        store_close(s);
        pause();
    }
    assert_int_equal(read(ready[0], &c, 1), 1);
    assert_int_equal(store_open(file("a.db"), STORE_WRITE, 0.1, &s, &why), REFUSED);
    assert_null(s);
    snprintf(expected, sizeof expected, "process %ld ", (long)child);
    assert_non_null(strstr(why.text, expected));
    struct utsname host;
    uname(&host);
    assert_true(strstr(why.text, host.nodename) && strstr(why.text, " since 20"));
    store_close(opened(file("a.db"), STORE_READ));             /* readers do not block a writer */
    assert_int_equal(write(enough[1], "x", 1), 1);
    assert_int_equal(store_open(file("a.db"), STORE_WRITE, 60, &s, &why), OK); /* the store was opened after a
                                                                                  wait */
    store_close(s);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ready[0]);
    close(ready[1]);
    close(enough[0]);
    close(enough[1]);
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
    assert_int_equal(status == DAMAGED, strstr(why->text, "damaged") != NULL);
    return status;
}

/* Nobody would find records that are written to a file without a name. Where the file or its folder was moved
 * away or deleted, nothing more is put, and the records from before are in the file wherever it is. */
static void a_file_that_went_away_is_noticed(void **state)
{
    char path[100], home[80], away[80], command[200];
    struct why why = { "" };
    struct record *found = NULL, *first = sample(0, 1), *second = sample(1, 2);
    long run;

    snprintf(home, sizeof home, "%s/home", folder);
    snprintf(away, sizeof away, "%s/away", folder);
    snprintf(path, sizeof path, "%s/a.db", home);
    for (int deleted = 0; deleted < 2; deleted++) {
        assert_int_equal(mkdir(home, 0777), 0);
        struct store *s = opened(path, STORE_WRITE);
        assert_int_equal(store_begin_run(s, NULL, 0, &run, NULL), OK);
        assert_int_equal(store_put(s, run, first, NULL), OK);
        snprintf(command, sizeof command, deleted ? "rm -r '%s'" : "mv '%s' '%s'", home, away);
        assert_int_equal(system(command), 0);
        assert_int_equal(store_put(s, run, second, &why), IO_ERROR);
        assert_true(strstr(why.text, path) && strstr(why.text, "moved away or deleted"));
        store_close(s);
        assert_int_equal(access(home, F_OK), -1);
    }
    snprintf(path, sizeof path, "%s/a.db", away);
    struct store *s = opened(path, STORE_READ);
    assert_int_equal(store_find(s, first->cell, "00ff", &found, NULL), OK);
    assert_true(found && record_equal(found, first));
    record_free(found);
    assert_int_equal(store_find(s, second->cell, "00ff", &found, NULL), OK);
    assert_null(found);
    store_close(s);
    record_free(first);
    record_free(second);
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
    assert_int_not_equal(access(file("text.lock"), F_OK), 0);  /* no lock file was left beside the text file */
    assert_int_equal(refused(folder, STORE_WRITE, &why), BAD_INPUT);
    assert_int_equal(refused("", STORE_WRITE, &why), BAD_INPUT);
    assert_int_equal(refused(":memory:", STORE_WRITE, &why), BAD_INPUT);
    fclose(fopen(file("empty"), "w"));
    assert_int_equal(refused(file("empty"), STORE_READ, &why), BAD_INPUT);
    assert_int_equal(refused(file("text/a.db"), STORE_WRITE, &why), IO_ERROR);
    assert_int_equal(store_open(file("text/b/a.db"), STORE_WRITE, 0, &s, &why), IO_ERROR);
    need("sqlite3");
    snprintf(command, sizeof command, "sqlite3 %s 'CREATE TABLE t(x)'", file("other.db"));
    assert_int_equal(system(command), 0);
    assert_int_equal(refused(file("other.db"), STORE_WRITE, &why), BAD_INPUT);
}

static void other_schemas(void **state)
{
    struct why why = { "" };
    char command[300];

    need("sqlite3");
    store_close(opened(file("a.db"), STORE_WRITE));
    snprintf(command, sizeof command, "sqlite3 %s 'UPDATE meta SET value = 99'", file("a.db"));
    assert_int_equal(system(command), 0);
    assert_int_equal(refused(file("a.db"), STORE_READ, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "newer"));
    assert_int_equal(refused(file("a.db"), STORE_WRITE, &why), BAD_INPUT);
    for (int mode = STORE_READ; mode <= STORE_WRITE; mode++)
        for (int schema = 1; schema < STORE_OLD; schema++) {
            char named[80];
            snprintf(command, sizeof command, "sqlite3 %s 'UPDATE meta SET value = %d'", file("a.db"), schema);
            snprintf(named, sizeof named, "(schema %d, this program reads %d)", schema, STORE_SCHEMA);
            assert_int_equal(system(command), 0);
            assert_int_equal(refused(file("a.db"), (enum store_mode)mode, &why), BAD_INPUT);
            assert_true(strstr(why.text, "older") && strstr(why.text, named) && strstr(why.text, "move it away"));
        }
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
    assert_int_equal(store_check(s, &why), DAMAGED);
    assert_int_equal(store_each_of_run(s, run, note_record, &seen, &why), DAMAGED);
    store_close(s);
    assert_int_equal(truncate(file("a.db"), 3 * 4096), 0);     /* three pages are left */
    assert_int_equal(refused(file("a.db"), STORE_READ, &why), DAMAGED);
    overwrite(file("a.db"), 0, 50);                            /* now the header is lost, too */
    assert_int_equal(refused(file("a.db"), STORE_WRITE, &why), DAMAGED);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(committed_records_survive_kills),
        IN_FOLDER(the_file_alone_is_usable),
        IN_FOLDER(second_writer_is_refused),
        IN_FOLDER(a_file_that_went_away_is_noticed),
        IN_FOLDER(what_is_no_store),
        IN_FOLDER(other_schemas),
        IN_FOLDER(damage_is_reported),
    };

    return cmocka_run_group_tests_name("store, files", tests, NULL, NULL);
}
