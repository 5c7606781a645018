/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_estimators.c - claims about estimators from command line to verdict: planted ones, whose moments have closed
 * forms, get the verdict that their name says, and their controls are caught. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "plan/measure.h"
#include "support/shell.h"

static int begin(void **state)
{
    shell_begin();
    return 0;
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* A moment is sum_k w_k mean_k, without strata of weight 0; where a number is missing the result is unknown. */
static void moments_of_a_record(void **state)
{
    struct record *r = record_new("cell", "0");
    double y = -1, w[4], mean[4], variance[4];
    assert_false(measure_get("moment.x", r, &y));
    for (int k = 0; k < 3; k++) {
        char name[RECORD_NAME];
        snprintf(name, sizeof name, "stratum.%d.weight", k);
        record_put(r, name, k == 2 ? 0 : k ? 0.25 : 0.75);
        snprintf(name, sizeof name, "stratum.%d.mean.x", k);
        record_put(r, name, k == 2 ? NAN : k ? 8 : 4);
        snprintf(name, sizeof name, "stratum.%d.cost", k);
        record_put(r, name, k ? 16 : 2);
    }
    assert_true(measure_get("moment.x", r, &y) && y == 5);
    assert_true(measure_get("moment.cost", r, &y) && y == 5.5);
    y = -1;
    assert_false(measure_get("moment.z", r, &y));
    assert_true(y == -1);
    assert_int_equal(measure_strata("moment.x", r, 4, w, mean, variance), 0);    /* 0: the record has no
                                                                                    variances */
    record_put(r, "stratum.0.variance.x", 9);
    record_put(r, "stratum.1.variance.x", 1);
    assert_int_equal(measure_strata("moment.x", r, 4, w, mean, variance), 2);
    assert_true(w[0] == 0.75 && mean[1] == 8 && variance[0] == 9);
    assert_int_equal(measure_strata("excess", r, 4, w, mean, variance), 0);
    record_free(r);
}

static void planted_estimators_come_out_as_named(void **state)
{
    static const struct { const char *ending, *word; } words[] = {
        { "supported", "SUPPORTED" }, { "contradicted", "CONTRADICTED" }, { "open", "INCONCLUSIVE" },
        { "most", "SUPPORTED" }, { "least", "SUPPORTED" }, { "discrete", "SUPPORTED" }, { "identity", "IDENTITY" },
    };
    assert_int_equal(shell("assay verify --planted --paper planted-estimators -j2 --format csv > all.csv 2> err"),
                     1);
    assert_true(shell_lines("all.csv") == 16);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        assert_int_equal(shell("grep '\\.%s,' all.csv > some && ! cut -d, -f5 some | grep -vx %s", words[k].ending,
                               words[k].word), 0);
    assert_int_equal(shell("sed 1d all.csv | cut -d, -f6 | grep -vx CAUGHT"), 1);
    assert_int_equal(shell("for c in $(sed 1d all.csv | cut -d, -f1); do f=results/report/figures/$(echo $c | sed "
                           "'s,/,__,').svg; test -s $f || exit 1; done"), 0);
    assert_int_equal(shell("grep -qF 'formula +- 2%%' results/report/report.md"), 0);
    /* A draw takes m/2 + 1 gradients in the mean. The claim has m = 2, 4, 8. */
    assert_int_equal(shell("assay verify --planted --claim planted-estimators/levels.count.identity --format json "
                           "2> err | tr '{' '\\n' | grep -c '\"value\":[235],'  | grep -qx 3"), 0);
}

/* The axis m is a parameter of the estimator of the claim, and of the other one that is its control. Its values are
 * rounded. */
static void estimators_are_planned(void **state)
{
    shell("assay plan --planted --claim planted-estimators/levels.moment.supported --format csv > plan.csv");
    assert_int_equal(shell("grep -c ',main,.*| algo planted-levels m=[248] |' plan.csv | grep -qx 24"), 0);
    assert_int_equal(shell("grep -c ',control,.*| algo planted-crude m=[248] |' plan.csv | grep -qx 24"), 0);
    assert_int_equal(shell("assay list estimators --planted > list"), 0);
    assert_true(shell_contains("list", "planted-dice"));
    assert_int_equal(shell("assay list estimators | grep -q planted"), 1);
}

static void what_cannot_be_judged_is_refused(void **state)
{
    assert_int_equal(shell("assay plan --planted --claim planted-estimators/dice.threshold.supported --set "
                           "run.draws=10 2> err"), 2);
    assert_true(shell_contains("err", "run.draws 1, not 10"));
    assert_int_equal(shell("assay plan --planted --claim planted-estimators/levels.moment.supported --set "
                           "algo.sides=6 2> err"), 2);
    assert_true(shell_contains("err", "planted-levels has no such parameter"));
    assert_int_equal(shell("assay solve --algorithm planted-levels --problem linear 2> err"), 2);
    assert_true(shell_contains("err", "is an estimator"));
}

/* At this scale the draws of rare levels overflow, and infinite draws contradict a bound on a moment. */
static void infinite_draws_contradict(void **state)
{
    assert_int_equal(shell("assay verify --planted --claim planted-estimators/levels.moment.most --set "
                           "algo.scale=1e308 > out.txt 2> err"), 1);
    assert_true(shell_contains("out.txt", "8 of 8 runs diverged"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_of_a_record),
        cmocka_unit_test_setup_teardown(planted_estimators_come_out_as_named, begin, end),
        cmocka_unit_test_setup_teardown(estimators_are_planned, begin, end),
        cmocka_unit_test_setup_teardown(what_cannot_be_judged_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(infinite_draws_contradict, begin, end),
    };
    return cmocka_run_group_tests_name("estimators", tests, NULL, NULL);
}
