/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_store.c - the store: round trips, runs, export. */
#include "support/stored.h"
#include "support/need.h"

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
    assert_int_not_equal(access(file("deep/er/a.db-wal"), F_OK), 0);   /* nobody uses the store, which is then a
                                                                          single file */

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
    assert_int_equal(store_put(s, run, r, NULL), IO_ERROR);    /* the store was opened for reading only */
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
    assert_true(record_equal(r, found));     /* nothing is left of the record that was replaced */
    record_free(found);
    r->out_of_memory = true;
    assert_int_equal(store_put(s, run, r, NULL), NO_MEMORY);
    record_free(r);
    store_close(s);
}

static long cells_of(struct store *s)
{
    long cells = 0;
    assert_int_equal(store_verify(s, &cells, NULL), OK);
    return cells;
}

/* The records of a batch are seen by a reader when the batch has ended, and not before. A batch in which a record
 * fails leaves nothing, and the store takes records after it. Closing the store ends the batch. */
static void a_batch_is_one_transaction(void **state)
{
    struct store *s = opened(file("a.db"), STORE_WRITE), *reader = opened(file("a.db"), STORE_READ);
    struct record *bad = record_new("bad", "00ff");
    long run = begun(s), first = cells_of(reader);
    assert_int_equal(store_batch_end(s, NULL), OK);    /* none is open */
    assert_int_equal(store_batch_begin(s, NULL), OK);
    put(s, run, 1, 0.5);
    put(s, run, 2, 0.5);
    assert_int_equal(cells_of(reader), first);
    struct record *found = NULL, *second = sample(2, 0.5);
    assert_int_equal(store_find(s, second->cell, second->fingerprint, &found, NULL), OK);
    assert_true(found && record_equal(found, second));     /* the writer itself reads what the batch has */
    record_free(found);
    record_free(second);
    assert_int_equal(store_batch_end(s, NULL), OK);
    assert_int_equal(cells_of(reader), first + 2);

    assert_int_equal(store_batch_begin(s, NULL), OK);
    put(s, run, 3, 0.5);
    assert_int_equal(store_put(s, run + 99, bad, NULL), DAMAGED);     /* there is no such run */
    assert_int_equal(cells_of(s), first + 2);
    put(s, run, 4, 0.5);
    assert_int_equal(cells_of(reader), first + 3);

    assert_int_equal(store_batch_begin(s, NULL), OK);
    put(s, run, 5, 0.5);
    store_close(s);
    assert_int_equal(cells_of(reader), first + 4);
    record_free(bad);
    store_close(reader);
}

static void put_named(struct store *s, long run, const char *cell, const char *fingerprint)
{
    struct record *r = record_new(cell, fingerprint);

    assert_int_equal(store_put(s, run, r, NULL), OK);
    record_free(r);
}

static void put_timed(struct store *s, long run, const char *cell, double seconds, enum outcome end)
{
    struct record *r = record_new(cell, "f");
    record_end(r, end, "");
    r->seconds = seconds;
    assert_int_equal(store_put(s, run, r, NULL), OK);
    record_free(r);
}

/* The mean of the seconds is over the latest sixteen replicates of the cell that ended well or timed out, and over
 * no other cell. */
static void seconds_of_replicates(void **state)
{
    static const char *const asked[] = { "p | run | rep 99", "p", "p | run x=1 | rep 0", "p | run | rep 0",
                                         "p | run x=2 | rep 1", "p | run x=1 | rep 1", "p | ru | rep 1" };
    static const double truth[] = { (180 + 1e6) / 16, NAN, 7, (180 + 1e6) / 16, NAN, 7, 8 };
    enum { ASKED = sizeof asked / sizeof *asked };       /* (180 + 1e6)/16 is the mean over the replicates 5, ...,
                                                            19, which took 5, ..., 19 seconds, and the one that
                                                            timed out */
    struct store *s = opened(file("seconds.db"), STORE_WRITE);
    long run = begun(s);
    double v[ASKED];
    assert_int_equal(store_seconds(s, asked, ASKED, v, NULL), OK);
    for (int k = 0; k < ASKED; k++)
        assert_true(isnan(v[k]));
    for (int k = 0; k < 20; k++) {
        char cell[40];
        snprintf(cell, sizeof cell, "p | run | rep %d", k);
        put_timed(s, run, cell, k, OUTCOME_OK);
    }
    put_timed(s, run, "p | run | rep 20", 1e6, OUTCOME_TIMEOUT);
    put_timed(s, run, "p | run x=1 | rep 1", 7, OUTCOME_OK);
    put_timed(s, run, "p | ru | rep 1", 8, OUTCOME_OK);
    assert_int_equal(store_seconds(s, asked, ASKED, v, NULL), OK);
    for (int k = 0; k < ASKED; k++)
        assert_true(isnan(truth[k]) ? isnan(v[k]) : v[k] == truth[k]);
    store_close(s);
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

static enum status linked(struct store *s, long run, const char *cell, const char *fingerprint)
{
    struct store_hit hit;

    assert_int_equal(store_scan(s, &(struct store_ask){ cell, fingerprint }, 1, &hit, NULL), OK);
    return hit.id ? store_link(s, run, &hit, 1, NULL) : REFUSED;
}

static void each(struct store *s, long run, const char *expected)
{
    struct seen seen = { "", 0 };

    assert_int_equal(store_each_of_run(s, run, note_record, &seen, NULL), OK);
    assert_string_equal(seen.text, expected);
}

/* Records are ordered by the bytes of their texts: 'B' < 'a' < 'b' < "\xc3". The latest record of a cell is that of
 * the latest run, also if store_link put an older record into this run. */
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
    assert_int_equal(linked(s, three, "b", "f1"), OK);
    assert_int_equal(linked(s, three, "b", "f1"), OK);
    assert_int_equal(linked(s, three, "b", "none"), REFUSED);
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

/* Two stores are filled in different orders, in several runs, with replaced records, at other times: their exports
 * are equal. */
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

/* The parser of JSON in SQLite accepts the export. */
static void export_is_json(void **state)
{
    need("sqlite3");
    struct store *s = opened(file("a.db"), STORE_WRITE);
    long run = begun(s);
    char command[400];
    struct record *r = record_new("quo\"te\\ \t\xff", "f");

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(round_trip), IN_FOLDER(seconds_of_replicates),
        IN_FOLDER(a_put_replaces), IN_FOLDER(a_batch_is_one_transaction),
        IN_FOLDER(runs_and_latest),
        IN_FOLDER(export_ignores_history),
        IN_FOLDER(export_is_json),
    };

    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
