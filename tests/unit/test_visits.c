/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_visits.c - visit counts of a stream's positions, compared with a count for each position: passes in order,
 * draws one by one from parts of the stream, batches across both. A span is a range of positions with one count;
 * where there are too many short ones, they become entries of a table, which covers one range of the stream. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "oracle/oracle_state.h"
#include "rng.h"

enum { POSITIONS = 60000 };
static uint32_t tally[POSITIONS];
static struct spans spans;

static void visit(long begin, long end)
{
    uint32_t most = 0;
    for (long i = begin; i < end; i++)
        most = ++tally[i] > most ? tally[i] : most;
    if (spans_visit(&spans, begin, end) != most)
        fail_msg("%ld..%ld: not %u rounds", begin, end, most);
}

static int begin_again(void **state)
{
    for (long i = 0; i < POSITIONS; i++)
        tally[i] = 0;
    return 0;
}

static int end_it(void **state)
{
    spans_free(&spans);
    return 0;
}

/* Every position has its count, in a span or in the table; positions in neither have the count 0. Spans are
 * disjoint, in order and outside of the table. */
static void agree(void)
{
    long at = 0;
    for (long k = 0; k <= spans.count; k++) {
        long next = k < spans.count ? spans.at[k].begin : POSITIONS;
        assert_true(at <= next);
        for (; at < next; at++) {
            bool in = at >= spans.base && at < spans.base + spans.length;
            assert_int_equal(in ? spans.table[at - spans.base] : 0, tally[at]);
        }
        for (; k < spans.count && at < spans.at[k].end; at++) {
            assert_false(at >= spans.base && at < spans.base + spans.length);
            assert_int_equal(spans.at[k].visits, tally[at]);
        }
    }
}

static void passes_are_few_spans(void **state)
{
    for (long at = 0; at < POSITIONS; at += 100)
        visit(at, at + 100);
    assert_int_equal(spans.count, 1);
    visit(1000, 3000);
    visit(1000, 2000);
    assert_int_equal(spans.count, 4);
    assert_int_equal(spans.length, 0);
    agree();
}

/* After a pass over the first 20,000 positions single positions are drawn at random from three other parts, one
 * part after the other; their counts move to the table. Then ranges of up to 1000 positions, from
 * 19,000 on, are visited. */
static void parts_go_to_the_table(void **state)
{
    struct rng r = rng_stream(31);
    visit(0, 20000);
    for (long from = 20000; from < 50000; from += 10000) {
        for (int k = 0; k < 20000; k++) {
            long i = from + (long)rng_below(&r, 10000);
            visit(i, i + 1);
        }
        agree();
        assert_true(spans.base >= 20000 && spans.length > from - 20000);
        assert_true(spans.count < 1000);
    }
    for (int k = 0; k < 300; k++) {
        long i = 19000 + (long)rng_below(&r, 40000);
        visit(i, i + 1 + (long)rng_below(&r, 1000));
    }
    agree();
}

/* Single positions beyond a long span become entries of the table. The span lies between them and the table, so
 * that it becomes entries as well. */
static void passes_between_go_along(void **state)
{
    long at = 10000;
    for (; spans.length == 0; at += 2)
        visit(at, at + 1);
    assert_int_equal(spans.count, 0);
    visit(11000, 13000);
    for (at = 13001; spans.count > 0; at += 2)
        visit(at, at + 1);
    assert_true(spans.base == 10000 && spans.length > 3000);
    agree();
    visit(9000, 14000);
    agree();
}

/* The range from which positions are drawn grows at both ends, and the table with it. */
static void draws_spread_to_both_sides(void **state)
{
    struct rng r = rng_stream(32);
    for (long reach = 500; reach <= POSITIONS / 2; reach += 500)
        for (int k = 0; k < 700; k++) {
            long i = POSITIONS / 2 - reach + (long)rng_below(&r, 2 * (uint64_t)reach - 20);
            visit(i, i + 1 + (long)rng_below(&r, k % 50 ? 2 : 20));
        }
    agree();
    assert_true(spans.length > POSITIONS / 2);
}

/* Positions that are far from each other stay spans, as a table from the first to the last would be long. */
static void far_pieces_stay_spans(void **state)
{
    for (long i = 0; i < 800; i++)
        assert_true(spans_visit(&spans, i * 1000000, i * 1000000 + 1) == 1);
    assert_int_equal(spans.count, 800);
    assert_int_equal(spans.length, 0);
}

/* Long spans with gaps between them, more than the list may have, and then one visit to a single position in a gap:
 * the table has this position alone, and later visits to it are counted there. */
static void a_single_piece_is_a_table(void **state)
{
    for (long k = 0; k < 270; k++)
        visit(200 * k, 200 * k + 100);
    visit(200 * 130 + 150, 200 * 130 + 151);
    assert_int_equal(spans.length, 1);
    for (int k = 0; k < 3; k++) {
        visit(200 * 130 + 150, 200 * 130 + 151);
        visit(200 * 130 + 140, 200 * 130 + 160);
        visit(200 * 130 + 150, 200 * 131 + 50);
        visit(200 * 130 + 50, 200 * 130 + 151);
    }
    agree();
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin_again, end_it)
    const struct CMUnitTest tests[] = {
        CASE(passes_are_few_spans),
        CASE(parts_go_to_the_table),
        CASE(passes_between_go_along),
        CASE(draws_spread_to_both_sides),
        CASE(far_pieces_stay_spans),
        CASE(a_single_piece_is_a_table),
    };
    return cmocka_run_group_tests_name("visits", tests, NULL, NULL);
}
