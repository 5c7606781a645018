/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_expected.c - the costs that methods predict, compared with those of their runs; plans, and the order of
 * their cells, use the predictions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/run.h"

/* *mean, *expected <- the means over three replicates: of a count, and of what run_expected predicts, a number of
 * sample gradients. */
static void spent(const char *text, const char *count, double *mean, double *expected)
{
    struct runner *rn = runner_new(0);
    *mean = *expected = 0;
    for (int rep = 0; rep < 3; rep++) {
        char whole[300];
        struct cell *c = NULL;
        struct why why = { "" };
        double v;
        snprintf(whole, sizeof whole, "%s | rep %d", text, rep);
        if (cell_parse(whole, &c, &why) != OK)
            fail_msg("%s", why.text);
        assert_true(isnan(c->expected));
        struct record *r = run_cell(rn, c, NULL);
        if (!record_get(r, count, &v))
            fail_msg("%s: no %s", text, count);
        *mean += v / 3;
        *expected += run_expected(rn, c) / 3;
        record_free(r);
        cell_free(c);
    }
    runner_free(rn);
}

/* The cost that a method expects must be that of a run, within a factor of two, since numbers of draws have heavy
 * tails and epochs are whole. */
static void methods_know_their_cost(void **state)
{
    static const struct { const char *text, *count; } cells[] = {
        { "problem half_ball | algo envelope-agd | goal acc=0.2 budget=1e12", "sample_grads" },
        { "problem half_ball | algo envelope-sgd | goal acc=0.4 budget=1e12", "sample_grads" },
        { "problem half_ball | algo mopes | goal acc=0.2 budget=1e12", "sample_grads" },
        { "problem half_ball | algo randomised-smoothing | goal acc=0.2 T=1e9", "sample_grads" },
        { "problem composite_l1 | algo composite-agd | goal acc=0.4 budget=1e12", "sample_grads" },
        { "problem composite_l1 M=9 | algo composite-sgd | goal acc=0.2 budget=1e12", "sample_grads" },
        { "problem composite_l1 | algo gradient-sliding | goal acc=0.1 budget=1e12", "sample_grads" },
        { "problem composite_l1 | algo composite-ac-sa | goal acc=0.2 budget=1e12", "sample_grads" },
        { "problem max_affine N=2 | algo largest-piece | goal acc=0.1 T=1e9", "piece_grads" },
        { "problem max_affine | algo average-piece | goal acc=0.1 T=1e9", "piece_grads" },
        { "problem max_affine d=2 N=4 | algo max-agd c=0.05 | goal acc=0.3 T=1e9", "piece_grads" },
        { "problem max_affine d=2 N=8 | algo max-agd c=0.05 | goal acc=0.2 T=1e9", "piece_grads" },
        { "problem max_affine d=2 N=4 | algo max-agd gradient=ball | goal acc=0.3 T=1e9",
          "piece_grads" },
        { "problem coercive_max d=8 | algo ball-accel-epoch-sgd c=12 | goal n=1e8 acc=0.2",
          "sample_grads" },
        { "problem coercive_max d=8 | algo ball-accel-ac-sa c=12 | goal n=1e8 acc=0.2",
          "sample_grads" },
        { "problem ring | algo envelope-descent K=40 | goal budget=1e12", "sample_grads" },
        { "problem linear | algo mlmc T_max=256 | run draws=20", "sample_grads" },
        { "problem linear | algo opt-est T_max=256 N=2000 rounds=3 | run draws=5", "sample_grads" },
        { "problem norm | algo mor-grad-est T_max=256 N=2000 | run draws=5", "sample_grads" },
        { "problem ring | algo weak-mor-grad-est T_max=256 N=2000 | run draws=5", "sample_grads" },
        { "problem linear | algo epoch-sgd-mean T_max=100 M=7 | run draws=5", "sample_grads" },
        { "problem medians d=1 n=16 | algo exact-optimum | run draws=3", "sample_grads" },
        { "problem blurred_l1 | algo blanchet-glynn | run draws=3", "sample_grads" },
    };
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        double mean, expected;
        char count[40];
        snprintf(count, sizeof count, "count.%s", cells[k].count);
        spent(cells[k].text, count, &mean, &expected);
        if (!(expected < 2 * mean && mean < 2 * expected))
            fail_msg("%s: expected %g, spent %g", cells[k].text, expected, mean);
    }
}

/* The cost that a method of finite differences expects is told as a number of sample gradients that take as long.
 * It must follow from the sample values and batch steps that the run counted. values: the sample values that a
 * direction needs, two, or 2.99 in the mean where the gradient is variance-reduced. part: the time of a batch step,
 * in units of its time in a method; in an estimator, which keeps no certificate, it is half. */
static void pairs_of_values_are_priced(void **state)
{
    static const struct { const char *text; double d, part, values; } cells[] = {
        { "problem sloped shape=slope d=8 | algo private-zo-o2nc | goal n=16384 rho=1 radius=0.1", 8, 1, 2 },
        { "problem sloped d=4 | algo private-zo-o2nc oracle=naive | goal n=4096 rho=1 radius=0.1", 4, 1, 2 },
        { "problem sloped d=4 | algo zo-descent | goal n=4096 radius=0.1", 4, 1, 2 },
        { "problem sloped d=4 | algo zo-descent gradient=reduced | goal n=4194304 radius=0.1", 4, 1, 2.99 },
        { "problem sloped d=4 | algo zo-o2nc | goal n=4096 radius=0.1", 4, 1, 2 },
        { "problem sloped d=16 | algo two-point-path steps=64 B2=2 | run draws=3", 16, 0.5, 2 },
        { "problem sloped d=16 | algo two-point-gradient b=9 directions=5 | run draws=7", 16, 0.5, 2 },
    };
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        double values, steps, expected, again, d = cells[k].d;
        spent(cells[k].text, "count.sample_values", &values, &expected);
        spent(cells[k].text, "count.batch_steps", &steps, &again);
        double draws = strstr(cells[k].text, "draws=3") ? 3 : strstr(cells[k].text, "draws=7") ? 7 : 1;
        steps *= draws;                  /* an estimator makes its draws in one batch */
        double truth = (values / cells[k].values * (10 + 2 * d) + cells[k].part * steps * 700) / (100 + 5 * d);
        if (!(fabs(expected / truth - 1) < 0.2))
            fail_msg("%s: expected %g, spent %g", cells[k].text, expected, truth);
    }
}

/* A budget that does not bind does not change the expected cost; one that binds does. */
static void a_budget_that_does_not_bind_changes_no_price(void **state)
{
    static const char *const budget[] = { "1e18", "1e12", "1000" };
    struct runner *rn = runner_new(0);
    double cost[3];
    for (int k = 0; k < 3; k++) {
        char text[200];
        struct cell *c = NULL;
        snprintf(text, sizeof text, "problem half_ball | algo mopes | goal acc=0.1 budget=%s | rep 0",
                 budget[k]);
        assert_int_equal(cell_parse(text, &c, NULL), OK);
        c->expected = run_expected(rn, c);
        cost[k] = cell_cost(c);
        cell_free(c);
    }
    assert_true(cost[0] == cost[1] && cost[2] < cost[1] / 10 && cost[2] > 0 && cost[0] < 1);
    runner_free(rn);
}

/* A run of 393,216 steps of one coordinate each at d = 16384 took 0.17 s when it was measured. Its expected cost
 * must be within a factor of two of this, and the same at d = 4. Steps of dp-gcd, which looks at all coordinates,
 * cost more than 100 times as much. */
static void a_coordinate_costs_the_same_whatever_d(void **state)
{
    static const char *const text[] = {
        "problem private_mean d=16384 n=1e6 | algo dp-cd passes=24 | goal T=393216 eps=1",
        "problem private_mean d=4 n=1e6 | algo dp-cd passes=24 | goal T=393216 eps=1",
        "problem private_mean d=16384 n=1e6 | algo dp-gcd | goal T=393216 eps=1",
    };
    double cost[3];
    for (int k = 0; k < 3; k++) {
        struct cell *c = NULL;
        assert_int_equal(cell_parse(text[k], &c, NULL), OK);
        cost[k] = cell_cost(c);
        cell_free(c);
    }
    assert_true(cost[0] == cost[1] && cost[2] > 100 * cost[0]);
    assert_true(cost[0] > 0.17 / 2 && cost[0] < 2 * 0.17);
}

/* The cost is unknown for a method that cannot predict it, and for a method that asks what the problem does not
 * offer. A method that refuses the goal costs nothing. */
static void unknown_costs_are_not_guessed(void **state)
{
    static const struct { const char *text; double cost; } cells[] = {
        { "problem half_ball | algo sgd | goal T=10 | rep 0", NAN },
        { "problem half_ball | algo envelope-agd | goal budget=1e12 | rep 0", 0 },
        { "problem norm | algo composite-agd | goal acc=0.1 budget=1e12 | rep 0", NAN },
    };
    struct runner *rn = runner_new(0);
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        struct cell *c = NULL;
        assert_int_equal(cell_parse(cells[k].text, &c, NULL), OK);
        double cost = run_expected(rn, c);
        if (isnan(cells[k].cost) ? !isnan(cost) : cost != cells[k].cost)
            fail_msg("%s: %g, expected %g", cells[k].text, cost, cells[k].cost);
        cell_free(c);
    }
    runner_free(rn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_know_their_cost),
        cmocka_unit_test(pairs_of_values_are_priced),
        cmocka_unit_test(a_budget_that_does_not_bind_changes_no_price),
        cmocka_unit_test(a_coordinate_costs_the_same_whatever_d),
        cmocka_unit_test(unknown_costs_are_not_guessed),
    };
    return cmocka_run_group_tests_name("expected costs", tests, NULL, NULL);
}
