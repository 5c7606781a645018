/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_marks.c - measures taken during a run: marks, notes and sets of points. */
#include "run/run_internal.h"
#include "support/tiny.h"

static void test_marks(void **state)
{
    for (int mode = 0; mode < 3; mode++) {
        struct bench *b = bench_new(true);
        struct oracle *o = bench_open(b, NULL, 1);
        double x[D] = { 0 }, g[D], next = 0;
        long rows = 0;
        o->marks.mode = (enum trace_mode)mode;
        for (int step = 0; step <= 300; step++) {
            if (step)
                assert_true(oracle_grad(o, x, g));
            x[0] = step;
            oracle_mark(o, x);
            assert_true(o->marked && o->answer[0] == step);
            if (mode == TRACE_NONE || (mode == TRACE_GEOMETRIC && step < next))
                continue;
            const double *row = o->marks.row + rows++ * MARK_COLUMNS;
            assert_true(row[0] == step && row[1] == step * N && row[2] == step);
            assert_true(row[3] == 0 && row[MARK_COLUMNS - 1] == step);
            next = fmax(ceil(step * pow(2, 0.25)), step + 1);
        }
        assert_int_equal(o->marks.rows, rows);
        assert_true(mode != TRACE_EVERY || rows == 301);
        assert_true(mode != TRACE_GEOMETRIC || (rows > 20 && rows < 40));
        bench_free(b);
    }
}

static void test_notes(void **state)
{
    static const struct note table[] = {
        { "last", "1", "", REDUCE_LAST }, { "max", "1", "", REDUCE_MAX },
        { "min", "1", "", REDUCE_MIN },   { "mean", "1", "", REDUCE_MEAN },
        { "sum", "1", "", REDUCE_SUM },   { "worst", "1", "", REDUCE_MAX },
        { "never", "1", "", REDUCE_MAX }, { 0 }
    };
    static const double values[] = { 2, -3, 8, 1 }, truth[] = { 1, 8, -3, 2, 8 };
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 1);
    struct record *r = record_new("cell", "f");
    double v;
    for (int k = 0; k < 4; k++)
        for (int note = 0; note < 5; note++)
            oracle_note(o, note, values[k]);
    oracle_note(o, 5, 1);
    oracle_note(o, 5, NAN);                              /* once a value of a note is NaN, the note stays NaN */
    oracle_note(o, 5, 2);
    run_put_oracle(r, table, o);
    for (int note = 0; note < 5; note++) {
        char name[32];
        snprintf(name, sizeof name, "note.%s", table[note].name);
        assert_true(record_get(r, name, &v) && v == truth[note]);
    }
    assert_true(record_get(r, "note.worst", &v) && isnan(v));
    assert_false(record_get(r, "note.never", &v));
    record_free(r);
    bench_free(b);
}

static void test_point_sets(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 1);
    struct record *r = record_new("cell", "f");
    double v, x[D] = { 0 };
    oracle_close(o);                                     /* closing a set without points adds no measure */
    for (int set = 1; set <= 3; set++) {
        for (int k = 0; k <= 70 * set; k++) {
            x[0] = k % 2 ? k : -k;
            oracle_visit(o, x);
        }
        oracle_close(o);
    }
    run_put_oracle(r, NULL, o);                          /* the ranges of the point sets are 139, 279 and 419 */
    assert_true(record_get(r, "set.spread.mean", &v) && v == 279);
    assert_true(record_get(r, "set.spread.min", &v) && v == 139);
    assert_true(record_get(r, "set.spread.max", &v) && v == 419);
    assert_true(o->counts.of[COUNT_batch_steps] == 0);
    record_free(r);
    bench_free(b);
}

static void test_count_mode_measures_nothing(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 1);
    o->counting = true;
    o->marks.mode = TRACE_EVERY;
    oracle_mark(o, X0);
    oracle_note(o, 0, 1);
    oracle_visit(o, X0);
    oracle_close(o);
    assert_true(!o->marked && o->marks.rows == 0 && o->note[0].count == 0 &&
                o->set_measure[0].count == 0);
    bench_free(b);
}

static void keep_part(void *part, double done)
{
    *(double *)part = done;
}

/* Who watches a run of four planned rounds is told at each mark which part of it is done. The part is 1 also after
 * the method has taken more rounds than it planned. */
static void test_part_done(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 1);
    double x[D] = { 0 }, g[D], part = NAN;
    o->see = keep_part;
    o->see_ctx = &part;
    o->rounds = 4;
    for (int step = 0; step <= 10; step++) {
        if (step)
            assert_true(oracle_grad(o, x, g));
        oracle_mark(o, x);
        assert_true(part == (step < 4 ? step / 4.0 : 1));
    }
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks), cmocka_unit_test(test_notes),
        cmocka_unit_test(test_point_sets), cmocka_unit_test(test_count_mode_measures_nothing),
        cmocka_unit_test(test_part_done),
    };
    return cmocka_run_group_tests_name("marks", tests, NULL, NULL);
}
