/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_nightly.c - nightly and gc as users run them, with the example plug-in: an unchanged night, a planted fault,
 * a program that is not deterministic, a kill, a budget. Seeds are fixed.
 * Slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

#define BUILD "cc -std=c17 -O2 -fPIC -shared -I'" SOURCE_DIR "/harness/api' plug/plugin.c " \
              "plug/algos/heavy_ball.c plug/claims/heavy_ball.c -o "
#define NIGHT "assay nightly --paper heavy-ball "

static int begin(void **state)
{
    shell_begin();
    return shell("cp -r '%s/tests/plugin' plug && chmod -R u+w plug && " BUILD "x.so && "
                 NIGHT "--plugin x.so > out 2> err && "
                 "assay accept '*' --paper heavy-ball --plugin x.so --profile nightly "
                 "--store results/store/nightly.db --reason first > accepted", SOURCE_DIR);
}

static int end(void **state)
{
    shell_end();
    return 0;
}

static void plant(const char *edit)
{
    assert_int_equal(shell("rm -rf plug && cp -r '%s/tests/plugin' plug && chmod -R u+w plug && "
                           "sed -i '%s' plug/algos/heavy_ball.c && " BUILD "y.so", SOURCE_DIR, edit), 0);
}

static void first_night_has_no_baseline(void **state)
{
    assert_true(shell_contains("err", "no baseline in results/baseline/verdicts.csv"));
    assert_true(shell_contains("accepted", "1 accepted"));
    assert_true(shell_contains("results/baseline/verdicts.csv", "heavy-ball/root.value.excess.T,nightly,"));
}

/* A night runs all cells again and reuses none; without a change of the plug-in its results are those of the
 * baseline. */
static void unchanged_night(void **state)
{
    assert_int_equal(shell(NIGHT "--plugin x.so > out 2> err"), 0);
    assert_true(shell_contains("err", "16 cells: 16 run, 0 reused"));
    assert_true(shell_contains("err", "1 claims compared: 1 as before"));
    assert_true(shell_contains("results/report/index.html", "No step in 2 nights."));
    assert_int_equal(shell("assay report --history --check count --plugin x.so --profile nightly --store "
                           "results/store/nightly.db | grep -q 'root.value.excess.T, 2 nights'"), 0);
}

/* The step of the method is halved, which its claim must notice. The first lines of the output name the claim. The
 * history names it too, with the night from which on it fails. */
static void planted_fault_gates(void **state)
{
    plant("s/-p->step, g/-p->step \\/ 2, g/");
    assert_int_equal(shell(NIGHT "--plugin y.so > out 2> err"), 1);
    assert_true(shell_contains("err", "verdict  heavy-ball/root.value.excess.T: SUPPORTED -> CONTRADICTED"));
    assert_true(shell_contains("results/report/index.html", "1 to be accepted or mended"));
    assert_true(shell_contains("results/report/index.html", "First seen on the night of"));
    /* The measurements of the night before are drawn under the figure. The level and the time of each night are
     * printed as text. */
    assert_int_equal(shell("grep -q '^before' results/report/figures/heavy-ball__root.value.excess.T.tsv"), 0);
    assert_int_equal(shell("assay report --history --paper heavy-ball --plugin y.so --profile nightly --store "
                           "results/store/nightly.db > drawn && grep -q 'root.value.excess.T, 3 nights' drawn && "
                           "grep -q '^  level ' drawn && grep -q '^  seconds ' drawn"), 0);
    assert_int_equal(shell(NIGHT "--plugin x.so > out 2> err"), 0);      /* the fault is removed */
}

/* The planted method adds a term to each iterate that depends on how many cells its worker has run. One worker and
 * two workers give different results, since a second worker runs at least one cell as its first. */
static void a_nondeterministic_program_is_found(void **state)
{
    plant("s/    arena_seal(w);/    static int calls; ++calls;\\n&/; "
          "s/        oracle_mark(o, x);/        x[0] += 1e-6 * calls;\\n&/");
    shell(NIGHT "--plugin y.so --store z.db -j1 > out 2> err");
    assert_false(shell_contains("err", "gave other numbers"));
    assert_int_equal(shell(NIGHT "--plugin y.so --store z.db -j2 > out 2> err"), 1);
    assert_true(shell_contains("err", "cells gave other numbers than the same program did before, first: problem "
                               ""));
}

/* A new claim that is contradicted is told by the exit code also where another claim lacks its data. */
static void a_new_contradiction_is_told_beside_missing_data(void **state)
{
    assert_int_equal(shell("rm -rf plug && cp -r '%s/tests/plugin' plug && chmod -R u+w plug && "
                           "sed -n '/{ .id = /,/without momentum/p' plug/claims/heavy_ball.c > claim && "
                           "sed 's|/root|/new|; s|.with = { {|.with = { { \"algo.beta\", 0 }, {|' claim > more && "
                           "sed 's|/root|/lacks|; s|\"spectral\"|\"erm\"|; s|{ \"problem.s\", 0 }, ||; "
                           "s|\"problem.d\", 1|\"problem.data\", .text = \"nothing\"|' claim >> more && "
                           "sed -i '/^static const struct claim claims/r more' plug/claims/heavy_ball.c && "
                           BUILD "y.so", SOURCE_DIR), 0);
    int code = shell(NIGHT "--plugin y.so --store n.db > out 2> err");
    assert_true(shell_contains("err", "heavy-ball/lacks.value.excess.T is not run: data: nothing is not on this"));
    assert_int_equal(shell("grep -q 'new.value.excess.T  *CONTRADICTED' out"), 0);
    assert_int_equal(code, 1);
}

#define SGD "assay nightly --profile quick --store k.db -j2 --claim 'baselines/sgd.*' "

/* A night is killed as soon as it has stored a record; the same command continues it. The next night begins
 * anew. */
static void a_killed_night_goes_on(void **state)
{
    assert_int_equal(shell("(exec '%s/assay' nightly --profile quick --store k.db -j2 --claim 'baselines/sgd.*' "
                           "> out 2> err) & p=$!; "
                           "while [ $(assay export --store k.db --format csv 2> err | wc -l) -lt 5 ]; do sleep "
                           "0.1; done; kill -9 $p; wait $p 2> err; " SGD "> out 2> err; "
                           "grep -q '[1-9][0-9]* reused' err", BUILD_DIR), 0);
    assert_int_equal(shell(SGD "> out 2> err; grep -q ' 0 reused' err"), 0);
    assert_int_equal(shell("assay gc --keep 1 --store k.db > out"), 0);
    assert_int_equal(shell(SGD "> out 2> err; grep -q 'No step in 3 nights' results/report/index.html"), 0);
}

static void budgets(void **state)
{
    assert_int_equal(shell("assay nightly --profile quick --store b.db -j2 --paper baselines --budget 1s "
                           "> out 2> err"), 3);
    assert_true(shell_contains("out", "of time)"));
    assert_true(shell_contains("err", "is not run: no time for it in --budget 1s"));
    assert_int_equal(shell("assay verify --claim 'baselines/gd*' --budget 60m 2> err"), 2);
    assert_true(shell_contains("err", "--budget 60m: a time is for `nightly`"));
    assert_int_equal(shell("assay nightly --budget 60x 2> err"), 2);
    assert_int_equal(shell("assay gc --store b.db 2> err"), 2);
    assert_true(shell_contains("err", "gc: --keep: expected"));
    assert_int_equal(shell("assay gc --keep 1 --store none.db 2> err"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_night_has_no_baseline), cmocka_unit_test(unchanged_night),
        cmocka_unit_test(planted_fault_gates), cmocka_unit_test(a_nondeterministic_program_is_found),
        cmocka_unit_test(a_new_contradiction_is_told_beside_missing_data),
        cmocka_unit_test(a_killed_night_goes_on), cmocka_unit_test(budgets),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
