/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_plan_budget.c - whole claims leave a plan until it fits its budget. Lines of plots leave first, then claims
 * whose items other claims serve too. A claim that stays keeps its cells. Nothing is random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan/plan_budget.h"

static struct plan planned(const char *paper)
{
    struct plan p;
    struct why why;
    struct selection s = { .profile = PROFILE_QUICK, .paper = paper, .seed = 1 };
    if (plan_make(&s, &p, &why) != OK)
        fail_msg("%s", why.text);
    return p;
}

static double *costs(const struct plan *p, double each)
{
    double *cost = calloc((size_t)p->cells, sizeof *cost);
    for (int k = 0; k < p->cells; k++)
        cost[k] = each;
    return cost;
}

static void free_all(struct plan *p, double *cost)
{
    plan_free(p);
    free(cost);
}

/* Returns the number of different cells that the claims of the plan, and the lines of its plots, name. */
static int named_cells(const struct plan *p)
{
    char *seen = calloc((size_t)p->cells + 1, 1);
    int n = 0;
    for (int k = 0; k < p->claims + p->lines; k++)
        for (int t = 0; t < p->claim[k].tasks; t++) {
            assert_in_range(p->claim[k].task[t].cell, 0, p->cells - 1);
            n += !seen[p->claim[k].task[t].cell]++;
        }
    free(seen);
    return n;
}

static void test_enough_time_leaves_all(void **state)
{
    struct plan p = planned("baselines");
    int cells = p.cells;
    double *cost = costs(&p, 1);
    plan_budget(&p, cost, cells, "no time");
    assert_int_equal(p.cells, cells);
    for (int k = 0; k < p.claims + p.lines; k++)
        assert_false(p.claim[k].dropped);
    free_all(&p, cost);
}

/* The cells of every claim that stays are in place, with their texts, and no cell is left that no claim names. A
 * dropped claim has no cells, and the given reason. */
static void test_what_stays_is_whole(void **state)
{
    struct plan all = planned("dp-gcd");
    for (int share = 1; share < 10; share += 2) {
        struct plan p = planned("dp-gcd");
        double *cost = costs(&p, 1), budget = p.cells * share / 10.0;
        int dropped = 0;
        plan_budget(&p, cost, budget, "no time");
        assert_true(p.cells <= budget && p.cells > 0);
        assert_int_equal(named_cells(&p), p.cells);
        for (int k = 0; k < p.claims + p.lines; k++) {
            dropped += p.claim[k].dropped;
            if (p.claim[k].dropped) {
                assert_int_equal(p.claim[k].tasks, 0);
                assert_string_equal(p.claim[k].missing, "no time");
                continue;
            }
            assert_int_equal(p.claim[k].tasks, all.claim[k].tasks);
            for (int t = 0; t < p.claim[k].tasks; t++)
                assert_string_equal(p.cell[p.claim[k].task[t].cell]->text,
                                    all.cell[all.claim[k].task[t].cell]->text);
        }
        assert_true(dropped > 0);
        free_all(&p, cost);
    }
    plan_free(&all);
}

/* Lines of plots leave before any claim does. */
static void test_figures_leave_first(void **state)
{
    struct plan p = planned("accelerated-dp-srgd");
    double *cost = costs(&p, 1);
    int kept = 0;
    assert_true(p.lines > 0);
    plan_budget(&p, cost, p.cells - 1, "no time");
    for (int k = 0; k < p.claims; k++)
        assert_false(p.claim[k].dropped);
    for (int k = p.claims; k < p.claims + p.lines; k++)
        kept += !p.claim[k].dropped;
    assert_true(kept < p.lines);
    free_all(&p, cost);
}

/* Here claims can leave until the plan fits, without any item losing its last claim: so every item keeps one.
 * Claims that serve several items are not checked. */
static void test_every_item_is_served_as_long_as_can_be(void **state)
{
    struct plan p = planned("dp-gcd");
    double *cost = costs(&p, 1);
    for (int k = 0; k < p.cells; k++)
        cost[k] = 1e-3;
    plan_budget(&p, cost, p.cells * 0.8e-3, "no time");
    for (int k = 0; k < p.claims; k++) {
        bool served = !p.claim[k].dropped;
        for (int i = 0; i < p.claims && !served; i++)
            served = !p.claim[i].dropped && p.claim[i].tasks && p.claim[k].claim->item &&
                     strstr(p.claim[i].claim->item, p.claim[k].claim->item);
        if (!served && strcspn(p.claim[k].claim->item, " ") == strlen(p.claim[k].claim->item))
            fail_msg("%s: nobody else serves %s", p.claim[k].claim->id, p.claim[k].claim->item);
    }
    free_all(&p, cost);
}

static void test_no_time_at_all(void **state)
{
    struct plan p = planned("baselines");
    double *cost = costs(&p, 1);
    plan_budget(&p, cost, 0.5, "no time");
    assert_int_equal(p.cells, 0);
    free_all(&p, cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enough_time_leaves_all), cmocka_unit_test(test_what_stays_is_whole),
        cmocka_unit_test(test_figures_leave_first),
        cmocka_unit_test(test_every_item_is_served_as_long_as_can_be),
        cmocka_unit_test(test_no_time_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
