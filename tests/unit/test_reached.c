/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reached.c - paths, ECDFs of runtimes and performance profiles of five runs, computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "report/reached.h"

/* A run: the ruler at the start, then pairs of cost and ruler. A cost of 0 ends the list. */
struct run { const char *cell; double start, mark[5][2]; };

/* The two replicates are the instances. Method A runs on both; the ruler starts at 1 on the first and at 2 on the
 * second. B runs on the first, where its first mark is at cost 10, and has no mark on the second. A second run of A
 * on the first instance, with n = 90, is worse. */
static const struct run made[] = {
    { "problem p d=2 | algo a | goal n=10 | rep 0", 1, { { 1, 0.5 }, { 2, 0.25 }, { 4, 0.05 } } },
    { "problem p d=2 | algo a | goal n=10 | rep 1", 2, { { 1, 1.6 }, { 2, 1.2 }, { 4, 0.8 }, { 8, 0.4 } } },
    { "problem p d=2 | algo b | goal n=20 | rep 0", 1, { { 10, 0.01 }, { 12, 3 } } },
    { "problem p d=2 | algo b | goal n=20 | rep 1", 1, { { 0 } } },
    { "problem p d=2 | algo a | goal n=90 | rep 0", 1, { { 1, 0.9 }, { 3, 0.5 } } },
};
enum { RUNS = sizeof made / sizeof *made };

static struct record *record_of(const struct run *run)
{
    static const char *const columns[] = { "batch_steps", "sample_grads", "full_grads", "ruler" };
    struct record *r = record_new(run->cell, "f");
    assert_non_null(r);
    record_put(r, "fact.Phi", run->start);
    record_trace_columns(r, 4, columns);
    for (int k = 0; k < 5 && run->mark[k][0] > 0; k++)
        record_trace_row(r, (double[]){ 7, run->mark[k][0], 0, run->mark[k][1] });
    if (!(run->mark[0][0] > 0))
        record_end(r, OUTCOME_REFUSED, "no");
    return r;
}

static const struct measure excess[] = { { "excess", "f" }, { "gap", "f" }, { 0 } },
    gap[] = { { "gap", "f" }, { 0 } };

/* Returns the figure of all runs, on a family whose first measure is the ruler; cell k is run k. */
static struct plotted drawn_by(const struct plot *plot, const struct measure *ruler)
{
    static const int method[RUNS] = { 0, 0, 1, 1, 0 };
    struct record *record[RUNS];
    struct task task[RUNS];
    struct planned_claim claim[RUNS];
    const struct problem family = { .name = "p", .measures = ruler };
    struct cell one = { .problem = &family }, *cell[RUNS];
    struct plan plan = { .claim = claim, .cell = cell };
    struct plotted p = { .plot = plot, .lines = 2 };
    for (int k = 0; k < RUNS; k++) {
        cell[k] = &one;
        record[k] = record_of(&made[k]);
        task[k] = (struct task){ .cell = k, .grid = -1 };
        claim[k] = (struct planned_claim){ .task = &task[k], .tasks = 1 };
    }
    reached_fill(&p, &plan, record, 0, RUNS, method);
    for (int k = 0; k < RUNS; k++)
        record_free(record[k]);
    return p;
}

static struct plotted drawn(const struct plot *plot) { return drawn_by(plot, excess); }

/* Returns the value of a step curve at x: that of its last point up to x. */
static double at(const struct plotted *p, int line, double x)
{
    double y = NAN;
    for (int k = 0; k < p->line[line].points && p->line[line].point[k].x <= x * (1 + 1e-9); k++)
        y = p->line[line].point[k].y.value;
    return y;
}

/* With 2 instances and the targets 0.5 and 0.1 there are 4 pairs of an instance and a target. A reaches the target
 * in three of them, at costs 1, 4 and 4, and B in two, at cost 10. */
static void shares_of_targets_reached(void **state)
{
    const struct plot plot = { .kind = PLOT_REACHED, .x = "sample_grads", .target = { 0.5, 0.1 }, .targets = 2 };
    struct plotted p = drawn(&plot);
    assert_int_equal(p.pairs, 4);
    assert_true(at(&p, 0, 1) == 0.25 && at(&p, 0, 3.9) == 0.25 && at(&p, 0, 4.3) == 0.75 && at(&p, 0, 12) == 0.75);
    assert_true(at(&p, 1, 9.9) == 0 && at(&p, 1, 10.6) == 0.5 && at(&p, 1, 12) == 0.5);
    assert_int_equal(p.line[0].points, p.line[1].points);
}

/* Method A is the first wherever a target is reached; B takes 10 and 2.5 times as long. */
static void times_relative_to_the_fastest(void **state)
{
    const struct plot plot = { .kind = PLOT_PROFILE, .x = "sample_grads", .target = { 0.5, 0.1 }, .targets = 2 };
    struct plotted p = drawn(&plot);
    assert_true(p.line[0].point[0].x == 1 && at(&p, 0, 1) == 0.75 && at(&p, 0, 10) == 0.75);
    assert_true(at(&p, 1, 2.4) == 0 && at(&p, 1, 2.7) == 0.25 && at(&p, 1, 9.4) == 0.25 && at(&p, 1, 10) == 0.5);
}

/* The curves are medians of three runs of A and of two runs of B, one of which has no mark and counts as at the
 * start for ever. The best value so far never increases. */
static void medians_of_the_best_so_far(void **state)
{
    const struct plot plot = { .kind = PLOT_PATH, .x = "sample_grads" };
    struct plotted p = drawn(&plot);
    assert_true(fabs(at(&p, 0, 1) - 0.8) < 1e-12);       /* median of 0.5, 0.8, 0.9 */
    assert_true(fabs(at(&p, 0, 2.1) - 0.6) < 1e-12);     /* median of 0.25, 0.6, 0.9 */
    assert_true(fabs(at(&p, 0, 4.3) - 0.4) < 1e-12);     /* median of 0.05, 0.4, 0.5 */
    assert_true(at(&p, 1, 9) == 1 && fabs(at(&p, 1, 12) - 0.505) < 1e-12);
    const struct plotted_line *a = &p.line[0];
    assert_true(a->point[a->points - 1].x >= 8 && a->point[a->points - 2].x < 8);
}

/* With another ruler than the excess the fact Phi, a bound on the excess at the start, is not its value at the
 * start: the curve starts at the first mark. A then goes from 0.5 to 0.05, from 1.6 to 0.4 and from 0.9 to 0.5; B
 * does not improve. */
static void another_ruler_starts_at_its_first_mark(void **state)
{
    const struct plot plot = { .kind = PLOT_PATH, .x = "sample_grads" };
    struct plotted p = drawn_by(&plot, gap);
    assert_true(at(&p, 0, 1) == 1 && fabs(at(&p, 0, 2.1) - 0.75) < 1e-12);       /* median of 0.5, 0.75, 1 */
    assert_true(fabs(at(&p, 0, 4.3) - 0.5) < 1e-12);                             /* median of 0.1, 0.5, 0.5556 */
    assert_true(at(&p, 1, 9) == 1 && at(&p, 1, 12) == 1);
}

/* For a cost that no run has kept nothing is drawn, and no target is reached. */
static void a_cost_without_records(void **state)
{
    const struct plot plot = { .kind = PLOT_REACHED, .x = "passes", .target = { 0.5, 0.1 }, .targets = 2 };
    struct plotted p = drawn(&plot);
    assert_int_equal(p.line[0].points + p.line[1].points, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_targets_reached),
        cmocka_unit_test(times_relative_to_the_fastest),
        cmocka_unit_test(medians_of_the_best_so_far),
        cmocka_unit_test(another_ruler_starts_at_its_first_mark),
        cmocka_unit_test(a_cost_without_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
