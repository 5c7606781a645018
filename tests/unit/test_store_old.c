/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_store_old.c - a store of schema 3 comes to today's: all of it or nothing. golden/store_3.sql is the dump
 * of a store that the last program of that schema wrote (-0.0 put back by hand, which a dump writes as 0.0),
 * golden/store_3.csv what the same program exported of it: its runs, and the latest of every cell. */
#include "support/stored.h"

enum { MANY = 4000, VALUES = 12 };

static int sql(const char *path, const char *format, const char *words)
{
    char command[700];
    int n = snprintf(command, sizeof command, "sqlite3 %s ", path);
    snprintf(command + n, sizeof command - (size_t)n, format, words);
    return system(command);
}

/* A test without sqlite3 is skipped. */
static void make_old(const char *path)
{
    if (system("command -v sqlite3 > /dev/null") != 0)
        skip();
    assert_int_equal(sql(path, "< '%s/tests/golden/store_3.sql'", SOURCE_DIR), 0);
}

static long schema_of(const char *path)
{
    char command[300];
    snprintf(command, sizeof command, "exit $(sqlite3 %s \"SELECT value FROM meta WHERE key = 'schema'\")", path);
    return WEXITSTATUS(system(command));
}

static void write_exports(struct store *s, const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (long run = 1; run <= 4; run++) {
        fprintf(f, "run %ld\n", run < 4 ? run : STORE_LATEST);
        assert_int_equal(store_export(s, run < 4 ? run : STORE_LATEST, f, RECORD_CSV, false, NULL), OK);
    }
    fclose(f);
}

static void note_standing(void *ctx, const struct store_standing *standing)
{
    struct seen *seen = ctx;
    seen->count++;
    snprintf(seen->text, sizeof seen->text, "%ld %s %s", standing->run, standing->commit, standing->line);
}

static void all_of_it_comes_over(void **state)
{
    char command[500];
    struct seen seen = { "", 0 };
    long cells;
    make_old(file("a.db"));
    struct store *s = opened(file("a.db"), STORE_WRITE);
    snprintf(command, sizeof command, "cmp %s '%s/tests/golden/store_3.csv'", file("out.csv"), SOURCE_DIR);
    write_exports(s, file("out.csv"));
    assert_int_equal(system(command), 0);
    assert_int_equal(store_verify(s, &cells, NULL), OK);
    assert_int_equal(cells, 5);
    assert_int_equal(store_each_standing(s, note_standing, &seen, NULL), OK);
    assert_string_equal(seen.text, "2 abc a line, of standing");
    long run = begun(s);
    assert_int_equal(run, 4);
    put(s, run, 1, 1);                                 /* it goes on as a store of today */
    store_close(s);
    assert_int_equal(schema_of(file("a.db")), STORE_SCHEMA);
    s = opened(file("a.db"), STORE_READ);
    assert_int_equal(store_verify(s, &cells, NULL), OK);
    assert_int_equal(cells, 6);
    store_close(s);
}

/* Who only reads is told what to do, and changes nothing. */
static void a_reader_is_told(void **state)
{
    char command[1200];
    struct store *s = NULL;
    struct why why = { "" };
    make_old(file("a.db"));
    assert_int_equal(store_open(file("a.db"), STORE_READ, 0, &s, &why), BAD_INPUT);
    assert_null(s);
    assert_non_null(strstr(why.text, "older version"));
    assert_non_null(strstr(why.text, "assay gc --keep"));
    assert_int_equal(schema_of(file("a.db")), 3);
    snprintf(command, sizeof command, "'%s/assay' export --store %s > %s/out.txt 2>&1", BUILD_DIR,
             file("a.db"), folder);
    assert_int_equal(WEXITSTATUS(system(command)), 2);
    assert_int_equal(schema_of(file("a.db")), 3);
    snprintf(command, sizeof command, "'%s/assay' gc --keep 1000000 --store %s > %s/out.txt 2>&1", BUILD_DIR,
             file("a.db"), folder);
    assert_int_equal(WEXITSTATUS(system(command)), 0);             /* as the sentence says */
    assert_int_equal(schema_of(file("a.db")), STORE_SCHEMA);
}

static void damage_of_old_is_told(void **state)
{
    static const char *const damage[] = {
        "\"UPDATE record_values SET value = 8.5 WHERE record = 4\"",
        "\"UPDATE record_trace SET value = x'00' WHERE record = 1\"",
        "\"UPDATE records SET outcome = 'fine' WHERE id = 5\"",
        "\"UPDATE record_columns SET name = hex(zeroblob(40)) WHERE record = 5\"",
    };
    for (size_t k = 0; k < sizeof damage / sizeof *damage; k++) {
        struct store *s = NULL;
        struct why why = { "" };
        remove(file("a.db"));
        make_old(file("a.db"));
        assert_int_equal(sql(file("a.db"), "%s", damage[k]), 0);
        assert_int_equal(store_open(file("a.db"), STORE_WRITE, 0, &s, &why), IO_ERROR);
        assert_true(store_damaged(&why) && strstr(why.text, "a.db") && strstr(why.text, "of cell `problem chain"));
        assert_int_equal(schema_of(file("a.db")), 3);
    }
}

/* --- a larger one: cell k, and its values, follow from k */

static struct record *many(long k)
{
    char text[64];
    snprintf(text, sizeof text, "many | rep %ld", k);
    struct record *r = record_new(text, "ff");
    for (long i = 0; i < VALUES; i++) {
        snprintf(text, sizeof text, "value.%ld", i);
        record_put(r, text, (double)(k * VALUES + i));
    }
    return r;
}

static void make_many(const char *name)
{
    FILE *f = fopen(file("many.sql"), "w");
    char path[200];
    snprintf(path, sizeof path, "%s", file(name));
    fputs("PRAGMA synchronous = OFF; BEGIN;\n", f);
    for (long k = 0; k < MANY; k++) {
        struct record *r = many(k);
        uint32_t sum;
        assert_true(record_checksum(r, &sum));
        fprintf(f, "INSERT INTO records VALUES(%ld, '%s', 'ff', 'ok', '', 0.0, 0.0, %lu);\n", 100 + k, r->cell,
                (unsigned long)sum);
        for (size_t i = 0; i < r->values; i++)
            fprintf(f, "INSERT INTO record_values VALUES(%ld, '%s', %.17g, 0);\n", 100 + k, r->value[i].name,
                    r->value[i].value);
        fprintf(f, "INSERT INTO run_records VALUES(%ld, %ld);\n", 1 + k % 2, 100 + k);
        record_free(r);
    }
    fputs("COMMIT;\n", f);
    fclose(f);
    make_old(path);
    assert_int_equal(sql(path, "< %s", file("many.sql")), 0);
}

struct counted { long n, right; };

static bool count_many(void *ctx, const struct record *r)
{
    struct counted *c = ctx;
    long k;
    if (sscanf(r->cell, "many | rep %ld", &k) != 1)
        return true;
    struct record *truth = many(k);
    c->n++;
    c->right += record_equal(r, truth);
    record_free(truth);
    return true;
}

static void hold_many(const char *path)
{
    struct counted c = { 0, 0 };
    struct store *s = opened(path, STORE_READ);
    long cells;
    assert_int_equal(store_verify(s, &cells, NULL), OK);
    assert_int_equal(cells, MANY + 5);
    assert_int_equal(store_each_of_run(s, STORE_LATEST, count_many, &c, NULL), OK);
    assert_true(c.n == MANY && c.right == MANY);
    c = (struct counted){ 0, 0 };
    assert_int_equal(store_each_of_run(s, 2, count_many, &c, NULL), OK);
    assert_true(c.n == MANY / 2 && c.right == MANY / 2);
    store_close(s);
}

static pid_t open_in_child(const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        struct store *s = NULL;
        struct why why = { "" };
        if (store_open(path, STORE_WRITE, 60, &s, &why) != OK) {
            fprintf(stderr, "%s\n", why.text);
            _exit(1);
        }
        store_close(s);
        _exit(0);
    }
    return child;
}

/* Killed at some moment it is of the old schema or of the new one, and whole. */
static void a_kill_leaves_one_or_the_other(void **state)
{
    char path[200], copy[500];
    int old = 0;
    make_many("sound.db");
    snprintf(path, sizeof path, "%s", file("a.db"));
    snprintf(copy, sizeof copy, "rm -f %s* && cp %s/sound.db %s", path, folder, path);
    for (int k = 0; k < 16; k++) {
        struct store *s = NULL;
        struct why why = { "" };
        assert_int_equal(system(copy), 0);
        pid_t child = open_in_child(path);
        usleep((useconds_t)(500 + 6000 * k));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        enum status status = store_open(path, STORE_READ, 0, &s, &why);
        old += status != OK;
        if (status == OK)
            store_close(s);
        else
            assert_true(status == BAD_INPUT && strstr(why.text, "schema 3"));
        store_close(opened(path, STORE_WRITE));
        hold_many(path);
    }
    assert_true(old > 0);
}

static void several_at_once(void **state)
{
    enum { CHILDREN = 4 };
    pid_t child[CHILDREN];
    int status;
    make_many("a.db");
    for (int k = 0; k < CHILDREN; k++)
        child[k] = open_in_child(file("a.db"));
    for (int k = 0; k < CHILDREN; k++) {
        assert_int_equal(waitpid(child[k], &status, 0), child[k]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    hold_many(file("a.db"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(all_of_it_comes_over),
        IN_FOLDER(a_reader_is_told),
        IN_FOLDER(damage_of_old_is_told),
        IN_FOLDER(a_kill_leaves_one_or_the_other),
        IN_FOLDER(several_at_once),
    };
    return cmocka_run_group_tests_name("store, old", tests, NULL, NULL);
}
