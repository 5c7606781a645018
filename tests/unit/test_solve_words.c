/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_solve_words.c - word parameters of a method, defaults included, are shown in all output of solve and audit;
 * where a count is 0, which means that the method chooses it, the chosen count is shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

static int begin(void **state) { shell_begin(); return 0; }
static int end(void **state) { shell_end(); return 0; }

static void solve_prints_words(void **state)
{
    const char *line = "assay solve --algorithm dp-gcd --problem erm --eps 2 --delta 1e-3 --T 2 "
                       "--set algo.rule=GS-r";
    assert_int_equal(shell("%s --verbose > a.txt 2> err", line), 0);
    assert_true(shell_contains("a.txt", "rule = GS-r, accounting = corrected, rnm_mode = "));
    assert_int_equal(shell("%s --format json > a.json 2> err", line), 0);
    assert_int_equal(shell("grep -q '\"words\":\"[^\"]*rule = GS-r, accounting' a.json"), 0);
    assert_int_equal(shell("assay solve --algorithm gd --problem erm --T 2 --verbose > a.txt 2> err"), 0);
    assert_false(shell_contains("a.txt", "words"));
}

static void audit_prints_words(void **state)
{
    shell("assay audit dp-gcd --runs 20 --set algo.accounting=eq2 > a.txt 2> err");
    assert_int_equal(shell("grep -q '^words .*rule = GS-s, accounting = eq2' a.txt"), 0);
    shell("assay audit dp-gcd --replay --reps 1 > a.txt 2> err");
    assert_int_equal(shell("grep -q '^words .*rule = GS-s, accounting = corrected' a.txt"), 0);
}

/* The problem that `audit` takes by default is one that the method accepts: unconstrained, smooth or of more
 * records where the method needs this. */
static void audit_default_problem(void **state)
{
    static const char *const runs[][2] = { { "private-zo-o2nc", "problem sloped d=8 shape=slope" },
                                           { "tree-spider", "problem sigmoid d=8 radius=inf" },
                                           { "dp-sgd", "problem linear d=8" },
                                           /* These methods refuse n = 64 and get the instances of their claims. */
                                           { "resque-private-sco", "n=2000 | algo resque-private-sco M=1" },
                                           { "resque-private-erm", "n=2000 | algo resque-private-erm M=1" } };
    for (int k = 0; k < 5; k++) {
        assert_int_equal(shell("assay audit %s --replay --reps 1 > a.txt 2> err", runs[k][0]), 0);
        assert_true(shell_contains("a.txt", runs[k][1]) && shell_contains("a.txt", "verdict     OK"));
    }
    assert_int_equal(shell("assay audit private-zo-o2nc --replay --reps 1 --set problem.shape=cone > a.txt "
                           "2> err"), 0);
    assert_true(shell_contains("a.txt", "problem sloped d=8 shape=cone"));
}

/* The parameters of a run are the same if a parameter is set to 0 and if it is not set. */
static void zero_is_no_setting(void **state)
{
    static const char *const runs[][2] = {
        { "private-zo-o2nc --problem sloped --n 1e4 --rho 1", "T=0 K=0 B1=0 B2=0 directions=0" },
        { "ac-sa --problem spectral --n 1e4", "T=0 B=0" },
    };
    for (int k = 0; k < 2; k++) {
        assert_int_equal(shell("assay solve --format json --algorithm %s 2> err | grep -o '\"param[.][^,}]*' > "
                               "plain",
                               runs[k][0]), 0);
        assert_int_equal(shell("for s in %s; do set -- \"$@\" --set algo.$s; done; "
                               "assay solve --format json --algorithm %s \"$@\" 2> err | grep -o "
                               "'\"param[.][^,}]*' > zero", runs[k][1], runs[k][0]), 0);
        assert_true(shell_contains("plain", "\"param.T\":"));
        assert_int_equal(shell("cmp plain zero"), 0);
    }
}

/* The line that says which column is the target is of CSV files only: a file with index:value is none, even if a
 * comment in it has a comma. */
static void only_csv_has_a_target_column(void **state)
{
    assert_int_equal(shell("printf '# a comment\\n1 1:2 # x, y\\n-1 2:1\\n' > a.libsvm && "
                           "printf '1,2\\n-1,3\\n' > a.csv"), 0);
    assert_int_equal(shell("assay solve --algorithm gd --data a.libsvm --T 5 > a.txt 2> err"), 0);
    assert_false(shell_contains("a.txt", "target "));
    assert_int_equal(shell("assay solve --algorithm gd --data a.csv --T 5 > a.txt 2> err"), 0);
    assert_true(shell_contains("a.txt", "target    column 1 of a.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(solve_prints_words, begin, end),
        cmocka_unit_test_setup_teardown(audit_prints_words, begin, end),
        cmocka_unit_test_setup_teardown(audit_default_problem, begin, end),
        cmocka_unit_test_setup_teardown(zero_is_no_setting, begin, end),
        cmocka_unit_test_setup_teardown(only_csv_has_a_target_column, begin, end),
    };
    return cmocka_run_group_tests_name("words of a method", tests, NULL, NULL);
}
