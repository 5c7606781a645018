/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ahead.c - oracle_ahead.h draws the random numbers of several coming questions at once. They are compared
 * with those drawn for one question at a time, in regular sequences of questions and after questions that interrupt
 * a sequence. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/levels.h"
#include "oracle/oracle_ahead.h"

static void expect_numbers(const struct rng *base, uint64_t label, const struct ahead_ask *q, const double *v)
{
    double one[AHEAD_SMALL];
    struct rng stream = rng_sub(base, q->serial);
    if (label)
        stream = rng_sub(&stream, label);
    if (q->sd > 0)
        rng_normals_rows(&stream, q->first, q->rows, q->d, q->sd, one);
    else
        rng_sphere_rows(&stream, q->first, q->rows, q->d, one);
    assert_memory_equal(one, v, (size_t)(q->rows * q->d) * sizeof *one);
}

/* Asks n questions, whose serial numbers rise by `stride` and whose first rows rise by `step`. Returns how many
 * were answered from numbers drawn ahead. Every such answer must be right. */
static long ask_run(struct ahead *a, uint64_t label, struct ahead_ask *q, long n, uint64_t stride, uint64_t step)
{
    struct rng base = rng_stream(17);
    long answered = 0;
    for (long k = 0; k < n; k++, q->serial += stride, q->first += step) {
        const double *v = ahead_numbers(a, &base, label, q);
        if (v)
            expect_numbers(&base, label, q, v);
        answered += v != NULL;
    }
    return answered;
}

/* The first two questions of a regular sequence set its stride, the difference between their serial numbers. All
 * questions that follow are answered from numbers drawn ahead. */
static void expect_runs(int level, void *ctx)
{
    static const struct { long rows, d; double sd; uint64_t label, stride, step; } runs[] = {
        { 2, 2, 0, 7, 2, 2 },   { 1, 1, 0, 7, 3, 1 },  { 5, 3, 0, 7, 3, 5 },
        { 8, 8, 0, 7, 2, 8 },   { 1, 5, 0.5, 0, 3, 0 }, { 1, 64, 2, 0, 1, 0 },
        { 64, 1, 1, 0, 1, 64 }, { 2, 7, 1, 3, 1, 0 },  { 1, 4, 1, 0, 0, 0 },
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        double numbers[AHEAD_NUMBERS];
        struct ahead a = { .numbers = numbers };
        struct ahead_ask q = { 5, 11, runs[k].rows, runs[k].d, runs[k].sd };
        assert_int_equal(ask_run(&a, runs[k].label, &q, 150, runs[k].stride, runs[k].step), 148);
        q.serial += 1;               /* a gap; the stride of the questions after it is as before */
        assert_int_equal(ask_run(&a, runs[k].label, &q, 9, runs[k].stride, runs[k].step), 7);
    }
}

static void regular_runs_are_answered_ahead(void **state) { each_level(expect_runs, NULL); }

/* A question that differs in any property from the next one of a regular sequence is not answered from numbers
 * drawn ahead. Of the 40 questions after it those that are answered ahead must be answered right. */
static void irregular_questions_interrupt_a_run(void **state)
{
    double numbers[AHEAD_NUMBERS];
    struct rng base = rng_stream(17);
    for (int what = 0; what < 5; what++) {
        struct ahead a = { .numbers = numbers };
        struct ahead_ask q = { 5, 11, 2, 4, 1 };
        assert_int_equal(ask_run(&a, 0, &q, 7, 2, 1), 5);
        q.serial += what == 0;
        q.first += what == 1;
        q.rows += what == 2;
        q.d -= what == 3;
        q.sd += what == 4;
        assert_null(ahead_numbers(&a, &base, 0, &q));
        q.serial += 2;
        q.first += 1;
        ask_run(&a, 0, &q, 40, 2, 1);
    }
}

/* Questions for many numbers, for none, and into an array without room are not answered ahead. */
static void some_questions_are_not_answered_ahead(void **state)
{
    static const struct { long rows, d; } none[] = {
        { 0, 4 }, { 4, 0 }, { 65, 1 }, { 1, 65 }, { 9, 8 }, { INT64_MAX, 2 }
    };
    double numbers[AHEAD_NUMBERS];
    struct ahead a = { .numbers = numbers }, bare = { .numbers = NULL };
    struct ahead_ask q = { 1, 0, 1, 4, 1 };
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        struct ahead_ask big = { 1, 0, none[k].rows, none[k].d, 1 };
        assert_int_equal(ask_run(&a, 0, &big, 5, 1, 0), 0);
    }
    assert_int_equal(ask_run(&bare, 0, &q, 5, 1, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_runs_are_answered_ahead),
        cmocka_unit_test(irregular_questions_interrupt_a_run),
        cmocka_unit_test(some_questions_are_not_answered_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
