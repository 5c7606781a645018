/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_search.c - the search before the measured runs, and costs at which a target is first reached, on records
 * written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/judge.h"
#include "plan/measure.h"
#include "plan/plan.h"

enum { GRID = 5, REPS = 3, GROUPS = 2 };

/* Makes a planned claim whose search grid is 1, 2, 4, 8, 16, with REPS runs for each value, in GROUPS groups.
 * The record of run r at value number k holds y = table[k] + 0.01 r, plus 100 for the first value in the second
 * group. */
static void fill(struct claim *c, struct planned_claim *p, struct record **record, const double *table)
{
    static struct task task[GRID * REPS * GROUPS];
    p->claim = c;
    p->task = task;
    p->tasks = 0;
    for (int k = 0; k < GRID; k++)
        for (int r = 0; r < REPS * GROUPS; r++) {
            struct record *one = record_new("cell", "f");
            record_put(one, "measure.excess", table[k] + 0.01 * (r % REPS) + (k == 0 && r >= REPS ? 100 : 0));
            record[p->tasks] = one;
            task[p->tasks] = (struct task){ .claim = c, .role = ROLE_MAIN, .rep = r,
                                            .grid = k, .searched = ldexp(1, k), .cell = p->tasks };
            p->tasks++;
        }
}

static double choose(enum search_kind kind, double within, const double *table, long group)
{
    struct claim c = { .measure = "excess",
                       .search = { .kind = kind, .points = GRID, .reps = REPS, .within = within } };
    struct planned_claim p = { 0 };
    struct record *record[GRID * REPS * GROUPS];
    fill(&c, &p, record, table);
    double chosen = plan_searched(&p, record, ROLE_MAIN, 0, 0, group);
    for (int k = 0; k < p.tasks; k++)
        record_free(record[k]);
    return chosen;
}

static void chooses_from_a_grid(void **state)
{
    static const double table[GRID] = { 9, 5, 3, 2, 4 }, ends[GRID] = { 1, 2, 3, 4, 5 };
    static const double below[GRID] = { 9, 5, 3, -2, 4 };
    assert_true(choose(SEARCH_SMALLEST, 0, table, 0) == 8);
    assert_true(choose(SEARCH_LARGEST, 0, table, 0) == 1);
    assert_true(choose(SEARCH_FIRST, 1.6, table, 0) == 4);       /* 3.01 <= 1.6 * 2.01 */
    assert_true(choose(SEARCH_FIRST, 1.4, table, 0) == 8);       /* 3.01 >  1.4 * 2.01 */
    assert_true(choose(SEARCH_FIRST, 1.6, below, 0) == 8);       /* no mean is at most 1.6 * -1.99 */
    assert_true(choose(SEARCH_SMALLEST, 0, ends, 0) == 1);
    assert_true(choose(SEARCH_SMALLEST, 0, ends, 1) == 2);       /* 2, as this second group has 101 at 1 */
}

static void a_diverged_run_counts_as_the_largest(void **state)
{
    static const double table[GRID] = { 9, NAN, INFINITY, 2, 4 };
    assert_true(choose(SEARCH_SMALLEST, 0, table, 0) == 8);
    assert_true(choose(SEARCH_LARGEST, 0, table, 0) == 2);       /* the first value whose runs diverged */
}

static void missing_records_decide_nothing(void **state)
{
    static const double table[GRID] = { 9, 5, 3, 2, 4 };
    assert_true(isnan(choose(SEARCH_SMALLEST, 0, table, 7)));    /* NaN, as this group has no runs */
}

static double one(const struct env *e) { return 1; }

/* The search has run its whole grid, and nothing was run after it, as after an interrupt between the stages. The
 * claim then measures nothing. */
static void a_search_alone_measures_nothing(void **state)
{
    static const double table[GRID] = { 9, 5, 3, 2, 4 };
    struct claim c = { .id = "a/b", .measure = "excess", .check = CHECK_BOUND, .formula = one,
                       .search = { .kind = SEARCH_SMALLEST, .points = GRID, .reps = REPS } };
    struct planned_claim planned = { .points = 2, .reps = 8 };
    struct plan plan = { .claim = &planned, .claims = 1 };
    struct record *record[GRID * REPS * GROUPS];
    fill(&c, &planned, record, table);
    struct judgement *list = judge_none(&plan);
    const struct judgement *j = judge_one(&plan, record, 0, list);
    assert_int_equal(j->verdict.word, INCONCLUSIVE);
    assert_non_null(strstr(j->verdict.reason, "search is not complete"));
    free(list);
    for (int k = 0; k < planned.tasks; k++)
        record_free(record[k]);
}

static void first_hit(void **state)
{
    static const char *const columns[] = { "batch_steps", "sample_grads", "full_grads", "ruler" };
    static const double rows[][4] = { { 0, 0, 0, 5 }, { 1, 10, 0, 2 }, { 2, 20, 0, NAN }, { 4, 40, 0, 0.5 },
                                      { 8, 80, 0, 0.7 } };
    struct record *r = record_new("cell", "f");
    double y;
    assert_false(measure_get("hit.batch_steps", r, &y));         /* the record has no marks yet */
    record_trace_columns(r, 4, columns);
    for (int k = 0; k < 5; k++)
        record_trace_row(r, rows[k]);
    assert_false(measure_get("hit.batch_steps", r, &y));         /* the record has no target yet */
    record_put(r, "goal.acc", 0.6);
    assert_true(measure_get("hit.batch_steps", r, &y) && y == 4);
    assert_true(measure_get("hit.sample_grads", r, &y) && y == 40);
    assert_false(measure_get("hit.nothing", r, &y));
    record_put(r, "goal.acc", 0.1);
    assert_true(measure_get("hit.batch_steps", r, &y) && isinf(y));
    record_put(r, "goal.acc", 7);
    assert_true(measure_get("hit.batch_steps", r, &y) && y == 0);
    record_free(r);
}

/* The runs of a claim about the cost to a target keep marks on a geometric grid (trace = 1), unless the claim
 * itself asks for every mark (trace = 2). */
static void marks_of_a_hit(void **state)
{
    static const struct { const char *claim; long trace; } cases[] = {
        { "bias-reduced/mopes.hit.acc", 1 }, { "resque/parallel.naive.straight.kappa", 2 },
    };
    for (int k = 0; k < 2; k++) {
        struct selection s = { .profile = PROFILE_QUICK, .claim = cases[k].claim, .seed = NAN };
        struct plan plan = { 0 };
        struct why why = { "" };
        if (plan_make(&s, &plan, &why) != OK)
            fail_msg("%s", why.text);
        assert_true(plan.cells > 0);
        for (int i = 0; i < plan.cells; i++)
            assert_int_equal(plan.cell[i]->run.trace, cases[k].trace);
        plan_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_from_a_grid),
        cmocka_unit_test(a_diverged_run_counts_as_the_largest),
        cmocka_unit_test(missing_records_decide_nothing),
        cmocka_unit_test(a_search_alone_measures_nothing),
        cmocka_unit_test(first_hit),
        cmocka_unit_test(marks_of_a_hit),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
