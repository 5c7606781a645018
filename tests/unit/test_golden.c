/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_golden.c - the baselines, end to end: the cells of a plan to the letter (they are the identities of all
 * stored results, and determine every seed), and all quick verdicts.
 *
 * A deliberate change is accepted by hand:
 *     build/assay plan --paper baselines --reps 2 --format csv | grep -v ,search, > tests/golden/plan.csv
 *     build/assay verify --paper baselines --format csv | cut -d, -f1,5,6 > tests/golden/verdicts.csv */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

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

static void plan_is_golden(void **state)
{
    assert_int_equal(shell("assay plan --paper baselines --reps 2 --format csv | grep -v ,search, > plan.csv"), 0);
    assert_int_equal(shell("diff plan.csv '%s/tests/golden/plan.csv'", SOURCE_DIR), 0);
}

static void verdicts_are_golden(void **state)
{
    assert_int_equal(shell("assay verify --paper baselines --format csv 2> err | cut -d, -f1,5,6 > verdicts.csv"),
                     0);
    assert_int_equal(shell("diff verdicts.csv '%s/tests/golden/verdicts.csv'", SOURCE_DIR), 0);
    assert_int_equal(shell("test $(wc -l < verdicts.csv) -gt 10"), 0);
}

/* Every claim of the paper `baselines` has its figure, and the report links to it. */
static void every_claim_has_a_figure(void **state)
{
    assert_int_equal(shell("assay verify --paper baselines --format csv 2> err | sed 1d | cut -d, -f1 | tr -d '\"' "
                           "> ids"), 0);
    assert_int_equal(shell("while read id; do f=figures/$(echo $id | sed 's,/,__,').svg; "
                           "test -s results/report/$f && grep -qF \"($f)\" results/report/report.md || exit 1; "
                                   "done < ids"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan_is_golden),
        cmocka_unit_test(verdicts_are_golden),
        cmocka_unit_test(every_claim_has_a_figure),
    };
    return cmocka_run_group_tests_name("golden", tests, begin, end);
}
