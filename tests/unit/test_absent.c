/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_absent.c - claims and lines of plots on a data set that is not on this machine: they are not run and give
 * the reason, while others run. The planted claims hold by construction wherever they run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

#define REASON "data: planted-rows is not on this machine: --data-dir, ASSAY_DATA"
#define VERIFY "assay verify --planted -j1 --claim "

static int begin(void **state)
{
    shell_begin();
    unsetenv("ASSAY_DATA");
    return shell("mkdir -p empty tiny/planted-rows broken/planted-rows listed torn && "
                 "printf '1 1:1\\n-1 2:1\\n' > tiny/planted-rows/rows.libsvm && "
                 "printf '1 1:nan\\n' > broken/planted-rows/rows.libsvm && "
                 "printf 'name\\tfile\\ttask\\tn\\td\\tsha256\\tlicence\\tsource\\n' "
                 "| tee torn/manifest.tsv > listed/manifest.tsv && "
                 "printf 'planted-rows\\tgone.libsvm\\tregression\\t2\\t2\\t%%064d\\tnone\\t\\n' 0 "
                 ">> listed/manifest.tsv && echo planted-rows >> torn/manifest.tsv");
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* In the planted paper absent, two of the three claims and one of the two lines of the plot need a data set that is
 * missing. Every form of the report gives the reason why these three are not run. A program that is given no folder
 * of data sets does as with an empty folder, also where the present folder has a subfolder of the set's name. */
static void claims_with_data_run(void **state)
{
    static const char *const folder[] = { "", "--data-dir empty", "" };
    for (int k = 0; k < 3; k++) {
        assert_int_equal(shell("%s", k < 2 ? "true" : "mkdir planted-rows"), 0);
        assert_int_equal(shell(VERIFY "'absent/*' %s > out 2> err", folder[k]), 3);
        assert_true(shell_contains("out", "3 claims: 0 supported, 0 contradicted, 0 inconclusive, "
                                          "0 suspect, 2 not run (2 for want of data); "
                                          "controls: 1 of 1 caught"));
        assert_int_equal(shell("grep -c 'why: " REASON "$' out | grep -qx 2"), 0);
        assert_int_equal(shell("grep -c 'is not run: " REASON "$' err | grep -qx 3"), 0);
    }
    assert_true(shell_contains("results/report/junit.xml", "tests=\"3\" failures=\"0\" errors=\"0\" "
                                                           "skipped=\"2\""));
    assert_int_equal(shell("grep -c '<skipped message=\"" REASON "\"' results/report/junit.xml "
                           "| grep -qx 2"), 0);
    assert_true(shell_contains("results/report/paper-absent.html", REASON));
    assert_int_equal(shell(VERIFY "'absent/*' --format csv 2> err | grep -c 'NOT_RUN.*" REASON "' "
                           "| grep -qx 2"), 0);
    assert_int_equal(shell(VERIFY "'absent/*' --format json 2> err | grep -q '" REASON "'"), 0);
    assert_int_equal(shell("assay explain --planted absent/set.count.T > out"), 0);
    assert_true(shell_contains("out", REASON));
}

/* The exit code is 3 if data that a command asked for are missing and nothing worse happened, such as a crash or a
 * contradiction. It is 0 if no missing data were asked for. */
static void exit_codes(void **state)
{
    assert_int_equal(shell(VERIFY "absent/here.count.T > out 2> err"), 0);
    assert_true(!shell_contains("out", "want of data"));
    assert_int_equal(shell(VERIFY "absent/figure > out 2> err"), 3);
    assert_int_equal(shell("assay run --planted --claim 'absent/*' > out 2> err"), 3);
    assert_int_equal(shell(VERIFY "'absent/*,plots/figure.crash' > out 2> err"), 4);
    assert_int_equal(shell(VERIFY "'absent/*,planted/bound.nan' > out 2> err"), 1);
    assert_int_equal(shell("assay plan --planted --claim 'absent/*' > out"), 0);
    /* The one claim whose data exist runs T = 4 and 16 and its control T = 16 and 256, which makes three different
     * runs. The line of the plot needs only runs that are among these three. */
    assert_true(shell_contains("out", REASON) && shell_contains("out", "3 claims, 3 cells"));
}

/* If the folder of data sets contains the set that was missing, here a file of two rows, every claim runs. */
static void claims_run_once_the_set_exists(void **state)
{
    assert_int_equal(shell(VERIFY "'absent/*' --data-dir tiny > out 2> err"), 0);
    assert_true(shell_contains("out", "3 claims: 0 supported") &&
                shell_contains("out", "0 not run; controls: 3 of 3 caught; decide nothing: 0 hold by far, 3 "
                               "identities"));
    assert_true(!shell_contains("err", "is not run"));
    assert_int_equal(shell("ASSAY_DATA=tiny; export ASSAY_DATA; " VERIFY "'absent/*' > out 2> err"), 0);
}

/* The command must print one line on stderr, which contains `named`, and nothing on stdout, and exit with 2. */
static void expect_complaint(const char *line, const char *named)
{
    int code = shell("%s > out 2> err", line);
    if (code != 2 || shell_lines("err") != 1 || !shell_contains("err", named) || shell_lines("out"))
        fail_msg("%s: exit %d, %s", line, code, shell_read("err"));
}

static void a_broken_set_is_not_absent(void **state)
{
    expect_complaint(VERIFY "'absent/*' --data-dir broken", "planted-rows:1: '1:nan'");
    expect_complaint("assay plan --planted --claim 'absent/*' --data-dir torn", "manifest.tsv:2");
    expect_complaint(VERIFY "'absent/*' --data-dir nowhere", "ASSAY_DATA=nowhere: expected a folder");
    assert_int_equal(shell(VERIFY "'absent/*' --data-dir listed > out 2> err"), 3);
    assert_true(shell_contains("out", "planted-rows is not on this machine: `assay data get planted-rows`"));
}

/* A data set or a problem that a user names must exist: a wrong name is an error, and is not treated as missing
 * data. */
static void wrong_names_are_complaints(void **state)
{
    expect_complaint(VERIFY "absent/set.count.T --data-dir tiny --set problem.data=planted-row",
                     "did you mean planted-rows?");
    expect_complaint("assay plan --claim 'baselines/heart*' --set problem.data=nowhere",
                     "nowhere: no such file");
    expect_complaint(VERIFY "'baselines/heart*' --set problem.data=./no.csv",
                     "problem.data=./no.csv: No such file");
    expect_complaint("assay solve --algorithm gd --data planted-rows --T 5", "planted-rows: no such file");
    expect_complaint(VERIFY "'absent/*' --problem er", "unknown problem 'er'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(claims_with_data_run, begin, end),
        cmocka_unit_test_setup_teardown(exit_codes, begin, end),
        cmocka_unit_test_setup_teardown(claims_run_once_the_set_exists, begin, end),
        cmocka_unit_test_setup_teardown(a_broken_set_is_not_absent, begin, end),
        cmocka_unit_test_setup_teardown(wrong_names_are_complaints, begin, end),
    };
    return cmocka_run_group_tests_name("absent", tests, NULL, NULL);
}
