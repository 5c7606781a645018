/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cli.c - environment variables in place of options, the columns that `assay list` prints, runs repeated from
 * their text, and failing runs. */
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

static void environment_twins(void **state)
{
    assert_int_equal(shell("ASSAY_PROFILE=weekly assay plan 2> err.txt"), 2);
    assert_int_equal(shell("ASSAY_CLAIM='baselines/gd.count*' assay plan > a.txt && "
                           "assay plan --claim 'baselines/gd.count*' > b.txt && cmp a.txt b.txt"), 0);
    assert_int_equal(shell("ASSAY_CLAIM=nothing assay plan --claim 'baselines/gd.count*' > a.txt"), 0);
    assert_int_equal(shell("ASSAY_n=2,1 assay plan 2> err.txt"), 2);   /* of --n; ASSAY_N is that of --N */
    assert_true(shell_contains("err.txt", "assay: ASSAY_n=2,1: expected increasing"));
    /* options without a value are on or off */
    shell("assay list algorithms > a.txt; assay list algorithms --planted > b.txt");
    assert_int_equal(shell("ASSAY_PLANTED=no assay list algorithms | cmp - a.txt"), 0);
    assert_int_equal(shell("ASSAY_PLANTED=1 assay list algorithms | cmp - b.txt"), 0);
}

/* A typed value replaces that of the environment also where the two are of different kinds. A value of the
 * environment that only another verb reads is ignored. */
static void typed_values_win(void **state)
{
    static const char *const equal[][2] = {
        { "ASSAY_BUDGET=60m assay plan --budget 1000 --claim 'baselines/sgd.rate*'",
          "assay plan --budget 1000 --claim 'baselines/sgd.rate*'" },
        { "ASSAY_BUDGET=60m assay plan --claim 'baselines/gd.count*'", "assay plan --claim 'baselines/gd.count*'" },
        { "ASSAY_FORMAT=sqlite assay list papers", "assay list papers" },
        { "ASSAY_FORMAT=sqlite assay list papers --format csv", "assay list papers --format csv" },
    };
    for (size_t k = 0; k < sizeof equal / sizeof *equal; k++)
        assert_int_equal(shell("%s > a.txt && test -s a.txt && %s | cmp - a.txt", equal[k][0], equal[k][1]), 0);
    assert_int_equal(shell("ASSAY_DETACH=1 ASSAY_TRIES=5 assay run --fresh --claim baselines/gd.count.full_grads.T "
                           "--store f.db > a.txt 2> err.txt"), 0);
    assert_int_equal(shell("ASSAY_BUDGET=0.000001s assay nightly --profile quick --budget 1e5 --claim "
                           "'baselines/gd.count*' --store n.db > a.txt 2> err.txt"), 0);
    assert_false(shell_contains("err.txt", "no time for it"));
    assert_int_equal(shell("assay export --store n.db | grep '^problem ' > a.txt && test -s a.txt && "
                           "! grep -v ' budget=100000 ' a.txt"), 0);
    assert_int_equal(shell("ASSAY_BUDGET=1000 assay nightly --profile quick --budget 60m --claim "
                           "baselines/gd.count.full_grads.T --store m.db > a.txt 2> err.txt"), 0);
    assert_int_equal(shell("assay export --store m.db > a.txt && test -s a.txt && ! grep -q budget=1000 a.txt"), 0);
    assert_int_equal(shell("ASSAY_TUNE=algo.none=1..2:2 assay sweep --algorithm sgd --problem spectral --n 100,200 "
                           "--reps 2 --tune algo.c=0.5..1:2 --store t.db > a.txt 2> err.txt"), 0);
    assert_true(shell_contains("a.txt", "tuning algo.c: "));
    shell("printf 'algorithm = sgd\\nproblem = spectral\\nn = 100,200\\nreps = 2\\ntune = algo.none=1..2:2\\n' > s.ini");
    assert_int_equal(shell("assay sweep s.ini --tune algo.c=0.5..1:2 --store t.db > a.txt 2> err.txt"), 0);
    assert_true(shell_contains("a.txt", "tuning algo.c: "));
}

static void simd_levels(void **state)
{
    assert_int_equal(shell("ASSAY_SIMD=sse assay plan 2> err.txt"), 2);
    assert_true(shell_contains("err.txt", "assay: ASSAY_SIMD=sse: expected portable, avx2 or avx512"));
    shell("ASSAY_SIMD=portable assay doctor > a.txt");
    assert_int_equal(shell("grep -q '^ok *simd *portable$' a.txt"), 0);
    assert_int_equal(shell("assay doctor | grep -qE '^ok *simd *(portable|avx2|avx512)$'"), 0);
}

static void columns_of_the_lists(void **state)
{
    assert_int_equal(shell("assay list claims --format csv | head -n 1 > a.txt"), 0);
    char *text = shell_read("a.txt");
    assert_string_equal(text, "id,paper,sheet,check,axis,kind,profiles,control\n");
    free(text);
    assert_int_equal(shell("assay list algorithms | grep -q '^sgd ' && assay list problems | grep -q '^spectral "
                           "'"), 0);
    assert_int_equal(shell("assay list algorithms --planted | grep -q '^planted-crash '"), 0);
    assert_int_equal(shell("assay list algorithms | grep -c planted | grep -qx 0"), 0);
    assert_int_equal(shell("assay list parameters --algorithm sgd --format csv | sed 1d > a.txt && test -s a.txt "
                           "&& ! grep -v '^sgd,' a.txt"), 0);
    assert_int_equal(shell("assay list parameters --algorithm sgd --problem 'spec*' | grep -q '^spectral '"), 0);
}

/* solve accepts numbers in the spellings of users, and its canonical text gives the same run. */
static void solve_says_the_same_again(void **state)
{
    assert_int_equal(shell("assay solve --algorithm gd --problem chain --T 2^4 --d 33 --format csv --canonical > "
                           "a.txt"), 0);
    assert_int_equal(shell("assay rerun 'problem chain d=33 | algo gd | goal T=16 | run | rep 0' --format csv "
                           "--canonical > b.txt 2> err"), 0);
    assert_int_equal(shell("cmp a.txt b.txt"), 0);
}

/* If the squares of entries nearly overflow, the certificate of the optimum is useless, and the exit code says
 * so. */
static void no_certificate_is_no_success(void **state)
{
    static const char *const losses[] = { "logistic", "squares" };
    shell("printf '1,1,2\\n0,2,1e150\\n1,3,4\\n0,1,1\\n1,2,2\\n' > big.csv");
    for (size_t k = 0; k < sizeof losses / sizeof *losses; k++) {
        assert_int_equal(shell("assay solve --algorithm gd --data big.csv --T 20 --loss %s > a.txt "
                               "2> err", losses[k]), 3);
        assert_true(shell_contains("err", "no certified optimum"));
        assert_true(shell_contains("a.txt", "without certificate") &&
                    !shell_contains("a.txt", "certified to"));
    }
    assert_int_equal(shell("assay solve --algorithm gd --data big.csv --T 20 "
                           "--set problem.optimum=none > a.txt 2> err"), 0);
}

/* The run has 10^12 steps and would take hours; the time limit ends it. */
static void timeout_ends_it(void **state)
{
    assert_int_equal(shell("assay solve --algorithm gd --problem chain --T 1e12 --timeout 0.3 "
                           "> a.txt 2> err"), 4);
    assert_true(shell_lines("a.txt") == 0 && shell_lines("err") == 1);
    assert_true(shell_contains("err", "solve timeout: not done after 0.3 s"));
    assert_int_equal(shell("assay rerun 'problem chain | algo gd | goal T=1e12 | run | rep 0' "
                           "--timeout 0.3 > a.txt 2> err"), 4);
    assert_true(shell_contains("err", "rerun timeout"));
    assert_int_equal(shell("assay solve --algorithm gd --problem chain --T 10 --timeout 60 "
                           "> a.txt 2> err"), 0);
}

/* --version prints what a bug report needs. */
static void version(void **state)
{
    static const char *const words[] = { "commit", "compiler", "GSL", "OpenBLAS", "SQLite", "vectors" };
    assert_int_equal(shell("assay --version > a.txt && assay list claims --version | cmp - a.txt"), 0);
    assert_int_equal(shell("head -n 1 a.txt | grep -qE '^assay [0-9]+[.][0-9]+$'"), 0);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        assert_true(shell_contains("a.txt", words[k]));
    assert_int_equal(shell("assay -h | cmp - $(assay help > b.txt; echo b.txt)"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(environment_twins, begin, end),
        cmocka_unit_test_setup_teardown(typed_values_win, begin, end),
        cmocka_unit_test_setup_teardown(simd_levels, begin, end),
        cmocka_unit_test_setup_teardown(columns_of_the_lists, begin, end),
        cmocka_unit_test_setup_teardown(solve_says_the_same_again, begin, end),
        cmocka_unit_test_setup_teardown(no_certificate_is_no_success, begin, end),
        cmocka_unit_test_setup_teardown(timeout_ends_it, begin, end),
        cmocka_unit_test_setup_teardown(version, begin, end),
    };
    return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
