/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reproduce.c - experiments of a planted paper whose outcomes are known in closed form
 * (tests/planted/claims/reproduced.c), as users run them: text, formats, page, tuning, refusals.
 *
 * Serves: dp-gcd */
#include "support/orthogonal.h"
#include "support/need.h"
#include "support/xml.h"

#include "record/record.h"
#include "studies/reproduce.h"

#define PAGE "results/report/reproduce-reproduced.html"

static const double L2 = 0.25;

/* Returns (F - F*)/F* after T steps of gd with the step size `step`; F and F* are multiples of B/2, where B is the
 * sum of b_j^2 (orthogonal.h). */
static double relative(double step, double T)
{
    double u = (1 - pow(1 - step * (1 + L2), T)) / (1 + L2), best = L2 / (1 + L2);
    return ((1 - u) * (1 - u) + L2 * u * u - best) / best;
}

static void published_parameters_give_the_closed_form(void **state)
{
    assert_int_equal(shell("assay reproduce reproduced --format csv > out.csv 2> err"), 3);
    near(csv_number("out.csv", "orthogonal,half,published,", "mean"), relative(0.4, 2));
    near(csv_number("out.csv", "orthogonal,half,published,", "ratio"), relative(0.4, 2) / 0.5);
    near(csv_number("out.csv", "orthogonal,half,published,", "start"), relative(0, 1));
    near(csv_number("out.csv", "orthogonal,half,published,", "right"), 4);
    near(csv_number("out.csv", "orthogonal,half,published,", "wrong"), 0);
    near(csv_number("out.csv", "orthogonal,half,published,", "runs"), 2);
    near(csv_number("out.csv", "long,ten,ablation,", "mean"), relative(0.4, 10));
    assert_true(isnan(csv_number("out.csv", "absent,gd,published,", "mean")));
    assert_true(shell_contains("out.csv", "no-such-set"));
    /* The start is drawn as a horizontal line. The error at T = 1 is a mark of a longer run. */
    assert_true(shell_contains("results/report/figures/reproduce-reproduced.orthogonal.passes.tsv",
                               "\tthe start, w = 0\t"));
    assert_true(shell_contains("results/report/figures/reproduce-reproduced.orthogonal.passes.tsv",
                               "curve1\thalf\t1\t"));
    /* The published curve is drawn with its printed values but the first, at 0 passes: one at every half pass. */
    assert_int_equal(shell("grep -c 'half, published' results/report/figures/"
                           "reproduce-reproduced.orthogonal.passes.tsv | grep -qx 2"), 0);
    assert_true(shell_contains("results/report/figures/reproduce-reproduced.orthogonal.passes.tsv",
                               "half, published\t0.5\t2.5\t"));
    assert_true(shell_contains("results/report/figures/reproduce-reproduced.orthogonal.passes.tsv",
                               "half, published\t1\t0.75\t"));
    assert_int_equal(shell("grep -q published results/report/figures/"
                           "reproduce-reproduced.orthogonal.seconds.tsv"), 1);
}

static void pages_are_well_formed(void **state)
{
    assert_int_equal(shell("assay reproduce reproduced > out 2> err"), 3);
    assert_true(shell_contains("out", "skipped: data: no-such-set"));
    assert_true(shell_contains("out", "published 0.5, ratio 0.50"));
    assert_true(shell_contains("out", "said to be too short"));
    assert_true(shell_contains("err", "0 run, 6 reused"));
    assert_true(shell_contains(PAGE, "Skipped: data: no-such-set"));
    assert_true(shell_contains(PAGE, "said to be too short"));
    need("xmllint");
    assert_true(xml_well_formed(PAGE));
    assert_int_equal(xml_count(PAGE, "//section"), 4);
    assert_int_equal(xml_count(PAGE, "//object[starts-with(@data, \"figures/\")]"), 4);
    assert_int_equal(shell("assay reproduce reproduced --problem long --format json > out 2> err"),
                     0);
    assert_true(shell_contains("out", "[{\"panel\": \"long\", \"method\": \"ten\""));
    /* The page of the whole run is unchanged. */
    assert_true(shell_contains(PAGE, "Skipped: data: no-such-set"));
    assert_true(shell_contains("results/report/reproduce-reproduced-long.html", "Ten steps"));
}

/* The grid has the step lengths 0.1, 0.2, 0.4, 0.8 and 1.6, each with one pass or two, which are as many iterations
 * of gd. The step length 0.8 = 1/(1 + l2) gives the optimum in one iteration; 0.2 passes are less than an iteration
 * and are left out. A search that is continued runs nothing again. The fresh runs have other seeds than the tuning
 * under every master seed. */
static void s8_15_tuning_finds_the_best_of_the_grid(void **state)
{
    const char *line = "assay reproduce reproduced --problem orthogonal --tune --format csv";
    assert_int_equal(shell("%s > out.csv 2> err", line), 0);
    near(csv_number("out.csv", "orthogonal,half,tuned,", "first"), 0.8);
    assert_true(shell_contains("out.csv", "orthogonal,half,tuned,1,algo.step,0.8"));
    near(csv_number("out.csv", "orthogonal,half,tuned,", "mean"), 0);
    near(csv_number("out.csv", "orthogonal,half,tuned,", "runs"), 2);
    near(csv_number("out.csv", "orthogonal,half,fresh,", "runs"), 3);
    near(csv_number("out.csv", "orthogonal,half,fresh,", "mean"), 0);
    assert_true(isnan(csv_number("out.csv", "orthogonal,nesterov,tuned,", "mean")));
    assert_int_equal(shell("%s > again.csv 2> err", line), 0);
    assert_int_equal(shell("cmp out.csv again.csv"), 0);
    assert_true(shell_contains("err", "10 cells: 0 run, 10 reused"));
    assert_int_equal(shell("%s --seed 5 > out 2> err", line), 0);
    assert_int_equal(shell("assay export --format csv | grep -c 'seed=6 .*param.step'"), 0);
}

/* The grid has five step lengths, each with 0.2, 1 and 2 passes. 0.2 passes round to no iteration and are left out,
 * so that 10 choices remain. */
static void s8_14_passes_without_a_step_are_left_out(void **state)
{
    assert_int_equal(shell("assay reproduce reproduced --problem orthogonal --tune "
                           "--algorithm gd > out 2> err"), 0);
    assert_true(shell_contains("err", "orthogonal, half: 10 choices"));
    assert_true(shell_contains("out", "    half, tuned "));
    assert_true(shell_contains("out", "    half, fresh "));
    assert_true(shell_contains("out", "; 1 pass, step = 0.8"));
}

static void bad_lines_are_refused(void **state)
{
    static const char *const bad[][2] = {
        { "", "expected a paper with experiments" },
        { "baselines", "expected a paper with experiments" },
        { "reproduced --problem heart", "--problem heart: expected one of orthogonal absent long" },
        { "reproduced --l2 1,2", "--l2: reproduce takes one value" },
        { "reproduced --set algo.no=1", "orthogonal, half: algo.no" },
        { "reproduced --eps x", "eps" },
        { "reproduced --reps 65", "--reps 65: expected at most 64" },
        { "reproduced more", "unexpected argument" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(shell("assay reproduce %s > out 2> err", bad[k][0]), 2);
        if (!shell_contains("err", bad[k][1]) || shell_lines("err") != 1)
            fail_msg("'%s': expected one line with '%s'", bad[k][0], bad[k][1]);
    }
}

/* If the step differs from the published one, no published value is printed beside the result. More replicates
 * alone leave the experiment the same. */
static void other_settings_have_no_published_value(void **state)
{
    const char *line = "assay reproduce reproduced --problem orthogonal --set algo.step=0.8 "
                       "--algorithm gd";
    assert_int_equal(shell("%s --format csv > o.csv 2> err && %s > o", line, line), 0);
    near(csv_number("o.csv", "orthogonal,half,published,", "mean"), relative(0.8, 2));
    assert_true(isnan(csv_number("o.csv", "orthogonal,half,published,", "published")));
    assert_true(isnan(csv_number("o.csv", "orthogonal,half,published,", "ratio")));
    assert_true(shell_contains("o", "nothing published stands beside"));
    assert_true(shell_contains("results/report/reproduce-reproduced-orthogonal-gd-altered.html",
                               "nothing published stands beside"));
    assert_false(shell_contains("o", "said to be too short"));
    assert_int_equal(shell("assay reproduce reproduced --problem orthogonal --reps 1 > o 2> err"), 0);
    assert_true(shell_contains("o", "published 0.5, ratio 0.50"));
}

/* Makes the record of a run that ends after `all` batch steps with the relative error `last`. Its marks are at the
 * steps by, 2 by, ..., at most `all`, for by > 0, or at 1, 2, 4, ..., below `all`, for by = 0; at t steps the error
 * is scale/t. */
static struct record *ended(double all, double by, double scale, double last)
{
    struct record *r = record_new("cell", "");
    record_trace_columns(r, 2, (const char *const[]){ "batch_steps", "ruler" });
    for (double t = by > 0 ? by : 1; by > 0 ? t <= all : t < all; t = by > 0 ? t + by : 2 * t)
        record_trace_row(r, (const double[]){ t, 2 * scale / t });
    record_put(r, "count.batch_steps", all);
    record_put(r, "fact.f_star", 2);
    record_put(r, "measure.relative", last);
    record_end(r, OUTCOME_OK, NULL);
    return r;
}

/* A point averages runs at the same number of steps, whichever run ended first and however many marks each has. */
static void marks_are_matched_by_steps(void **state)
{
    static struct trial t;
    const struct { double all[2], by; int points; } cases[] = {
        { { 1000, 40 }, 0, 6 }, { { 40, 1000 }, 0, 6 }, { { 500, 500 }, 5, 0 }, { { 500, 495 }, 5, 0 },
        { { 495, 500 }, 5, 0 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct record *r[2];
        t = (struct trial){ .runs = 2, .cell = { 0, 1 } };
        for (int i = 0; i < 2; i++)
            r[i] = ended(cases[k].all[i], cases[k].by, i ? 3 : 1, 0.125);
        trials_collect(&t, r);
        if (cases[k].points)
            assert_int_equal(t.outcome.points, cases[k].points);
        else
            assert_true(t.outcome.points > 16);
        near(t.outcome.steps, fmax(cases[k].all[0], cases[k].all[1]));
        for (int i = 0; i < t.outcome.points; i++) {
            const struct outcome_point *p = &t.outcome.point[i];
            near(p->mean, 2 / p->steps);
            near(p->least, 1 / p->steps);
            near(p->most, 3 / p->steps);
        }
        record_free(r[0]);
        record_free(r[1]);
    }
    /* Runs of one length have a last point at their end. */
    struct record *r[2] = { ended(40, 0, 1, 0.125), ended(40, 0, 3, 0.375) };
    trials_collect(&t, r);
    assert_int_equal(t.outcome.points, 7);
    near(t.outcome.point[6].steps, 40);
    near(t.outcome.point[6].mean, 0.25);
    record_free(r[0]);
    record_free(r[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_parameters_give_the_closed_form),
        cmocka_unit_test(pages_are_well_formed),
        cmocka_unit_test(s8_15_tuning_finds_the_best_of_the_grid),
        cmocka_unit_test(s8_14_passes_without_a_step_are_left_out),
        cmocka_unit_test(bad_lines_are_refused),
        cmocka_unit_test(other_settings_have_no_published_value),
        cmocka_unit_test(marks_are_matched_by_steps),
    };
    return cmocka_run_group_tests_name("reproduce", tests, begin, end);
}
