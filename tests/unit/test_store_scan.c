/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_store_scan.c - looking up many cells at once, the records of each run, and changed keys. The expected
 * contents are kept in plain arrays. */
#include "support/stored.h"
#include "support/need.h"

#include "rng.h"
#include "store/store_state.h"

enum { CELLS = 700, PRINTS = 3, RUNS = 6 };
static const char *const print[PRINTS] = { "aa", "bb", "" };

/* The expected contents. number: the number in the record of each cell and fingerprint, or 0 where there is none;
 * run: which runs have the record. */
struct truth { double number[CELLS][PRINTS]; bool run[RUNS + 1][CELLS][PRINTS]; };

static const char *name(char *text, int cell)
{
    sprintf(text, cell % 3 ? "p x=%d | rep %d" : "p x=%d, %d", cell / 40, cell);
    return text;
}

static void put_one(struct store *s, struct truth *t, long run, int cell, int p, double number)
{
    char text[64];
    struct record *r = record_new(name(text, cell), print[p]);
    record_put(r, "number", number);
    record_end(r, cell % 7 ? OUTCOME_OK : OUTCOME_CRASHED, NULL);
    r->seconds = cell;
    assert_int_equal(store_put(s, run, r, NULL), OK);
    record_free(r);
    t->number[cell][p] = number;
    t->run[run][cell][p] = true;
}

/* Puts 900 records for random runs, cells and fingerprints: some cells have one record, some several, some none. */
static void fill(struct store *s, struct truth *t, struct rng *g)
{
    memset(t, 0, sizeof *t);
    for (int k = 0; k < RUNS; k++)
        assert_int_equal(begun(s), k + 1);
    for (int k = 0; k < 900; k++)
        put_one(s, t, 1 + (long)rng_below(g, RUNS), (int)rng_below(g, CELLS), (int)rng_below(g, PRINTS), k + 1);
}

/* Returns the fingerprint of a cell's latest record, by runs and then by the order of first puts; -1: there is
 * none. */
static int latest(const struct truth *t, const double first[CELLS][PRINTS], int cell)
{
    int best = -1, best_run = 0;
    for (int p = 0; p < PRINTS; p++) {
        int run = 0;
        for (int k = 1; k <= RUNS; k++)
            run = t->run[k][cell][p] ? k : run;
        if (t->number[cell][p] > 0 && (best < 0 || run > best_run ||
                                       (run == best_run && first[cell][p] > first[cell][best])))
            best = p, best_run = run;
    }
    return best;
}

static void hold_number(const struct record *r, double number)
{
    double v = 0;
    if (!number) {
        assert_null(r);
        return;
    }
    assert_non_null(r);
    assert_true(record_get(r, "number", &v) && v == number);
}

/* The test looks up few cells and many, in another order than they were put, by fingerprint and by the latest
 * record. The answers are the records that were put, or that there is none. */
static void what_was_asked(void **state)
{
    static struct truth t;
    static double first[CELLS][PRINTS];
    static char text[CELLS][64];
    struct store_ask ask[CELLS];
    struct store_hit hit[CELLS];
    struct record *found[CELLS];
    struct rng g = rng_stream(5);
    struct store *s = opened(file("a.db"), STORE_WRITE);
    memset(&t, 0, sizeof t);
    for (int k = 0; k < RUNS; k++)
        begun(s);
    for (int k = 0; k < 900; k++) {
        int cell = (int)rng_below(&g, CELLS), p = (int)rng_below(&g, PRINTS);
        first[cell][p] = first[cell][p] > 0 ? first[cell][p] : k + 1;
        put_one(s, &t, 1 + (long)rng_below(&g, RUNS), cell, p, k + 1);
    }
    for (int round = 0; round < 60; round++) {
        int n = round % 2 ? 1 + (int)rng_below(&g, 20) : CELLS, cell[CELLS], p[CELLS], there = 0;
        bool any = round % 3 == 0;
        for (int k = 0; k < n; k++) {
            cell[k] = n == CELLS ? (k * 293 + round) % CELLS : (int)rng_below(&g, CELLS);
            p[k] = (int)rng_below(&g, PRINTS);
            ask[k] = (struct store_ask){ name(text[k], cell[k]), any ? NULL : print[p[k]] };
            if (any)
                p[k] = latest(&t, first, cell[k]);
        }
        assert_int_equal(store_scan(s, ask, (size_t)n, hit, NULL), OK);
        assert_int_equal(store_find_all(s, ask, (size_t)n, found, NULL), OK);
        for (int k = 0; k < n; k++) {
            double number = p[k] < 0 ? 0 : t.number[cell[k]][p[k]];
            hold_number(found[k], number);
            assert_int_equal(hit[k].id > 0, number > 0);
            if (number > 0)
                assert_true(hit[k].seconds == cell[k] && (hit[k].outcome == OUTCOME_CRASHED) == (cell[k] % 7 == 0));
            there += number > 0;
            record_free(found[k]);
        }
        assert_true(n < CELLS || (there > 100 && there < CELLS));
    }
    assert_int_equal(store_scan(s, ask, 0, hit, NULL), OK);
    store_close(s);
}

/* --- the records of each run */

static bool count_one(void *ctx, const struct record *r)
{
    ++*(long *)ctx;
    return true;
}

static void count_run(void *ctx, const struct store_run *run)
{
    ((long *)ctx)[run->id] = run->records;
}

static void hold_runs(struct store *s, const struct truth *t)
{
    long told[RUNS + 2] = { 0 };
    assert_int_equal(store_runs(s, count_run, told, NULL), OK);
    for (int run = 1; run <= RUNS; run++) {
        struct store_ask ask[CELLS];
        struct store_hit hit[CELLS];
        static char text[CELLS][64];
        long wanted = 0, seen = 0;
        for (int p = 0; p < PRINTS; p++) {
            for (int k = 0; k < CELLS; k++)
                ask[k] = (struct store_ask){ name(text[k], k), print[p] };
            assert_int_equal(store_scan_run(s, run, ask, CELLS, hit, NULL), OK);
            for (int k = 0; k < CELLS; k++) {
                assert_int_equal(hit[k].id > 0, t->run[run][k][p]);
                wanted += t->run[run][k][p];
            }
        }
        assert_int_equal(told[run], wanted);
        assert_int_equal(store_each_of_run(s, run, count_one, &seen, NULL), OK);
        assert_int_equal(seen, wanted);
    }
}

/* Records are put and linked in any order: every run has exactly its own records. A run's records are kept as
 * ranges of ids; no range begins where another ends or before. */
static void runs_have_theirs(void **state)
{
    static struct truth t;
    static char text[CELLS][64];
    struct rng g = rng_stream(6);
    struct store *s = opened(file("a.db"), STORE_WRITE);
    fill(s, &t, &g);
    hold_runs(s, &t);
    for (int round = 0; round < 12; round++) {
        struct store_ask ask[CELLS];
        struct store_hit hit[CELLS];
        int p = round % PRINTS, run = 1 + (int)rng_below(&g, RUNS), step = 1 + (int)rng_below(&g, 9);
        size_t n = 0;
        for (int k = 0; k < CELLS; k += step)
            ask[n++] = (struct store_ask){ name(text[k], k), print[p] };
        assert_int_equal(store_scan(s, ask, n, hit, NULL), OK);
        assert_int_equal(store_link(s, run, hit, n, NULL), OK);
        for (int k = 0; k < CELLS; k += step)
            t.run[run][k][p] |= t.number[k][p] > 0;
    }
    hold_runs(s, &t);
    store_close(s);
    char command[400];
    need("sqlite3");
    snprintf(command, sizeof command, "sqlite3 %s 'SELECT count(*) FROM run_records a JOIN run_records b ON "
             "a.run = b.run AND b.first > a.first AND b.first <= a.last + 1' | grep -qx 0", file("a.db"));
    assert_int_equal(system(command), 0);
}

/* Records that none of the last two runs has are removed, the others stay, and ids of removed records are not used
 * again. */
static void collection(void **state)
{
    static struct truth t;
    struct rng g = rng_stream(7);
    struct store *s = opened(file("a.db"), STORE_WRITE);
    long dropped, gone = 0, cells;
    fill(s, &t, &g);
    for (int k = 0; k < CELLS; k++)
        for (int p = 0; p < PRINTS; p++) {
            bool kept = false;
            for (int run = 1; run <= RUNS; run++) {
                t.run[run][k][p] &= run > RUNS - 2;
                kept |= t.run[run][k][p];
            }
            gone += t.number[k][p] > 0 && !kept;
            t.number[k][p] = kept ? t.number[k][p] : 0;
        }
    assert_int_equal(store_collect(s, 2, &dropped, NULL), OK);
    assert_true(gone > 100);
    assert_int_equal(dropped, gone);
    store_close(s);
    s = opened(file("a.db"), STORE_WRITE);
    assert_int_equal(store_verify(s, &cells, NULL), OK);
    for (int k = 0; k < CELLS; k++)                  /* a removed record can be put again, in the last run */
        for (int p = 0; p < PRINTS; p++)
            if (!t.number[k][p])
                put_one(s, &t, RUNS, k, p, 1e6 + k);
    assert_int_equal(store_verify(s, &cells, NULL), OK);
    assert_int_equal(cells, CELLS);
    for (int run = 1; run <= RUNS - 2; run++)
        for (int k = 0; k < CELLS; k++)
            for (int p = 0; p < PRINTS; p++)
                assert_false(t.run[run][k][p]);
    long told[RUNS + 2] = { 0 };
    assert_int_equal(store_runs(s, count_run, told, NULL), OK);
    long five = 0, six = 0;
    for (int k = 0; k < CELLS; k++)
        for (int p = 0; p < PRINTS; p++)
            five += t.run[RUNS - 1][k][p], six += t.run[RUNS][k][p];
    assert_true(told[RUNS - 1] == five && told[RUNS] == six);
    store_close(s);
}

/* --- changed keys */

/* Changes the last byte at the n-th place of the file where the key of cell 3 occurs. The row and the index each
 * contain the key twice, since the text of this cell is also the text of its group of replicates. */
static bool spoil(const char *path, int n)
{
    struct entry e = store_entry_of("cell 000003", "00ff");
    unsigned char key[8];
    static unsigned char bytes[1 << 20];
    FILE *f = fopen(path, "r+b");
    size_t size = fread(bytes, 1, sizeof bytes, f);
    unsigned char *at = bytes;
    for (int k = 0; k < 8; k++)
        key[k] = (unsigned char)((uint64_t)e.key >> (56 - 8 * k));
    for (int k = 0; (at = memmem(at, size - (size_t)(at - bytes), key, 8)) && k < n; k++)
        at++;
    if (at) {
        fseek(f, at - bytes + 7, SEEK_SET);
        fputc(at[7] ^ 1, f);
    }
    fclose(f);
    return at != NULL;
}

/* Cell 3 is looked up alone, among all cells and by its latest record, it is put again, and the store is verified.
 * Each call that meets a changed key says so, and names the store and the record or its cell. */
static void changed_keys_are_told(void **state)
{
    enum { N = 60 };
    int places = 0;
    for (int place = 0; place < 4; place++)
        for (int way = 0; way < 5; way++) {
            static char text[N][64];
            struct store_ask ask[N];
            struct record *found[N], *r = sample(3, 1);
            struct why why = { "" };
            long run, cells;
            remove(file("a.db"));
            struct store *s = opened(file("a.db"), STORE_WRITE);
            run = begun(s);
            for (int k = 0; k < N; k++) {
                put(s, run, k, 1);
                snprintf(text[k], sizeof text[k], "cell %06d", k);
                ask[k] = (struct store_ask){ text[k], "00ff" };
            }
            store_close(s);
            if (!spoil(file("a.db"), place)) {
                record_free(r);
                continue;
            }
            places += way == 0;
            s = opened(file("a.db"), way == 3 ? STORE_WRITE : STORE_READ);
            enum status status =
                way == 0 ? store_find(s, "cell 000003", "00ff", found, &why)
              : way == 1 ? store_find_all(s, ask, N, found, &why)
              : way == 2 ? store_find(s, "cell 000003", NULL, found, &why)
              : way == 3 ? store_put(s, run, r, &why) : store_verify(s, &cells, &why);
            /* If only the row is spoilt, a put replaces it by a good one. */
            if (status == OK)
                assert_true(way == 3 && store_verify(s, &cells, &why) == OK);
            else {
                assert_int_equal(status, DAMAGED);
                assert_true(strstr(why.text, "a.db"));
                assert_true(strstr(why.text, "record 4") || strstr(why.text, "cell 000003"));
            }
            store_close(s);
            record_free(r);
        }
    assert_int_equal(places, 4);
}

/* A row without an entry in the index is reported as damage, and so is an entry without a row. To make these the
 * index is hidden from SQLite. */
static void rows_without_entries(void **state)
{
    static const char *const change[] = {
        "DELETE FROM records WHERE id = 4",
        "INSERT INTO records SELECT 70, 'x' || cell, outcome, seconds, peak_bytes, message, fingerprint, uses,"
        " alike, key, print, stamp, maker, seal, checksum, data FROM records WHERE id = 4",
    };
    need("sqlite3");
    for (int k = 0; k < 2; k++) {
        struct why why = { "" };
        char command[1200];
        struct record *found = NULL;
        long cells;
        remove(file("a.db"));
        struct store *s = opened(file("a.db"), STORE_WRITE);
        long run = begun(s);
        for (int i = 0; i < 60; i++)
            put(s, run, i, 1);
        store_close(s);
        snprintf(command, sizeof command, "f=%s; sqlite3 $f 'PRAGMA writable_schema = ON' 'CREATE TABLE kept AS "
                 "SELECT * FROM sqlite_master WHERE name = \"record_keys\"' 'DELETE FROM sqlite_master WHERE name "
                 "= \"record_keys\"' && sqlite3 $f \"%s\" && sqlite3 $f 'PRAGMA writable_schema = ON' 'INSERT INTO "
                 "sqlite_master SELECT * FROM kept' && sqlite3 $f 'DROP TABLE kept'", file("a.db"), change[k]);
        assert_int_equal(system(command), 0);
        s = opened(file("a.db"), STORE_READ);
        assert_int_equal(store_verify(s, &cells, &why), DAMAGED);
        if (k == 0) {
            assert_int_equal(store_find(s, "cell 000003", "00ff", &found, &why), DAMAGED);
            assert_true(strstr(why.text, "record 4") && !found);
        } else
            assert_non_null(strstr(why.text, "cell"));
        store_close(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_was_asked),
        IN_FOLDER(runs_have_theirs),
        IN_FOLDER(collection),
        IN_FOLDER(changed_keys_are_told),
        IN_FOLDER(rows_without_entries),
    };
    return cmocka_run_group_tests_name("store, scan", tests, NULL, NULL);
}
