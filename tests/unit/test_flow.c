/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_flow.c - the program from command line to exit code: resumed runs, workers, failures, fingerprints.
 * Slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

#define SMALL "--claim 'baselines/gd.*,baselines/sgd.count*,baselines/sgd.rate.excess.T' --reps 8 --T 256..1024 "

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

/* The second run finds all records in the store and prints the same verdicts. */
static void verify_resumes(void **state)
{
    int first = shell("assay verify " SMALL "-j2 > a.txt 2> a.err");
    assert_true(first == 0 || first == 3);
    assert_int_equal(shell("assay verify " SMALL "-j2 > b.txt 2> b.err"), first);
    assert_true(shell_contains("b.err", ": 0 run,"));
    assert_int_equal(shell("cmp a.txt b.txt"), 0);
}

/* Runs with any number of workers, and a run that is cut in two, leave equal records and equal reports. */
static void workers_do_not_matter(void **state)
{
    const char *const how[] = { "-j1", "-j2", "-j0" };
    for (int k = 0; k < 3; k++) {
        if (k == 1)
            shell("ASSAY_CLAIM='baselines/sgd*' assay run --claim 'baselines/gd.rate*' --T 256..1024 -j2 --store "
                  "1.db 2> err");
        shell("assay verify " SMALL "%s --canonical --store %d.db --output r%d > t%d.txt 2> err", how[k], k, k, k);
        assert_int_equal(shell("assay export --canonical --store %d.db > e%d.txt", k, k), 0);
        assert_true(shell_lines("e0.txt") > 500);
        assert_int_equal(shell("cmp e0.txt e%d.txt && cmp t0.txt t%d.txt && cmp r0/report.md r%d/report.md", k, k,
                               k), 0);
    }
    assert_int_equal(shell("diff -r r0 r1 && diff -r r0 r2"), 0);
}

/* Every planted claim must get the verdict that its name says, and the program the exit code of the table. */
static void planted_claims_come_out_as_named(void **state)
{
    static const struct { const char *claim, *word; int code; } expected[] = {
        { "planted/bound.contradicted", "CONTRADICTED", 1 },
        { "planted/bound.control-missed", "INCONCLUSIVE", 3 },
        { "planted/bound.no-control", "INCONCLUSIVE", 3 },
        { "planted/bound.nan", "CONTRADICTED", 1 },
        { "planted/bound.mark", "CONTRADICTED", 1 },
    };
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        assert_int_equal(shell("assay verify --planted --claim '%s' > out.txt 2> err", expected[k].claim),
                         expected[k].code);
        assert_true(shell_contains("out.txt", expected[k].word));
        assert_false(shell_contains("out.txt", "SUPPORTED"));
    }
    assert_int_equal(shell("assay list claims | grep '^planted/'"), 1);
}

/* A claim with two controls is SUPPORTED only if both are caught. In the first claim here both are, in the second
 * one of them is missed. */
static void every_control_must_be_caught(void **state)
{
    assert_int_equal(shell("assay verify --planted --claim planted/bound.both-caught > out.txt 2> err"), 0);
    assert_true(shell_contains("out.txt", "1 supported") &&
                shell_contains("out.txt", "controls: 2 of 2 caught"));
    assert_int_equal(shell("assay verify --planted --claim planted/bound.second-missed > out.txt 2> err"), 0);
    assert_true(shell_contains("out.txt", "HOLDS") && shell_contains("out.txt", "but no control exceeds the "
                                                                     "bound") &&
                shell_contains("out.txt", "controls: 1 of 2 caught"));
    assert_int_equal(shell("assay explain --planted planted/bound.second-missed > out.txt"), 0);
    assert_true(shell_contains("out.txt", "no step to speak of: CAUGHT") &&
                shell_contains("out.txt", "right: MISSED"));
    assert_int_equal(shell("assay plan --planted --claim planted/bound.both-caught --format csv > out.txt && "
                           "test $(grep -c ',control,' out.txt) = $(grep -c ',control2,' out.txt)"), 0);
}

/* A claim with an open verdict doubles its replicates in the declared rounds, 4, 8, 16, and the next run finds all
 * of them in the store. */
static void open_claims_go_on(void **state)
{
    for (int k = 0; k < 2; k++) {
        assert_int_equal(shell("assay verify --planted --claim planted/rate.open --format csv > out.txt 2> err"),
                         3);
        assert_int_equal(shell("test $(sed -n 2p out.txt | cut -d, -f16) -eq 16"), 0);
        assert_true(shell_contains("err", k ? "96 cells: 0 run, 96 reused" : "96 cells: 96 run, 0 reused"));
    }
    assert_int_equal(shell("assay explain --planted --claim planted/rate.open | grep -q INCONCLUSIVE"), 0);
}

/* The report shows the whole store: a run of other claims, or with settings of its own, does not replace it. The
 * report of a selection is written where --output says. A claim that was not run is shown with the verdict of the
 * baseline. */
static void a_partial_run_does_not_replace_the_whole(void **state)
{
#define ROWS(page) "grep -c 'data-claim=' " page "/paper-baselines.html > n; "
    assert_int_equal(shell("assay verify --claim 'baselines/gd.count*' > out.txt 2> err"), 0);
    assert_int_equal(
        shell(ROWS(
            "results/report") "test $(cat n) = $(assay list claims | grep -c baselines/gd.count)"),
        0);
    assert_int_equal(
        shell("assay verify --claim baselines/gd.rate.excess.T > out.txt 2> err; test $(grep -c "
              "'^  gd' out.txt) -eq 1"),
        0);
    assert_int_equal(
        shell("cp n before; " ROWS("results/report") "test $(cat n) -eq $(($(cat before) + 1))"),
        0);
    assert_int_equal(shell("grep -c NOT_RUN results/report/paper-baselines.html"), 1);
    assert_int_equal(
        shell(
            "assay verify --claim baselines/gd.rate.excess.T --output sel > out.txt 2> err; " ROWS(
                "sel") "test $(cat n) -eq 1"),
        0);
    shell("assay verify --claim baselines/gd.rate.excess.T --T 64..512 > out.txt 2> err");
    assert_int_equal(
        shell(
            ROWS("results/report") "test $(cat n) -eq $(($(cat before) + 1)); grep -q EXPLORATORY "
                                   "results/report/paper-baselines.html"),
        1);
    assert_int_equal(
        shell("mkdir -p results/baseline && printf 'claim,profile,verdict,commit\\nbaselines/"
              "sgd.rate.excess.n,nightly,SUPPORTED,12ab\\n' > results/baseline/verdicts.csv; assay "
              "report "
              "--claim baselines/sgd.rate.excess.n > out.txt 2> err; grep -q 'not run now; before, "
              "in "
              "profile nightly, the baseline of commit 12ab' results/report/paper-baselines.html"),
        0);
#undef ROWS
}

/* Without --profile, `report` takes the profile of the newest run of the store. */
static void a_report_has_the_profile_of_the_last_run(void **state)
{
    static const char *const profile[] = { "nightly", "quick" };
#define OF "--claim 'baselines/gd.count*' --store p.db --output w"
    for (int k = 0; k < 2; k++)
        assert_int_equal(shell("assay verify " OF " --profile %s > out.txt 2> err && "
                               "assay report " OF " > out.txt 2> err && grep -q 'profile %s;' w/index.html",
                               profile[k], profile[k]), 0);
    assert_int_equal(shell("assay report " OF " --profile nightly > out.txt 2> err && "
                           "grep -q 'profile nightly;' w/index.html"), 0);
#undef OF
}

/* A claim of a rate with a rival fits the exponent of the ratio of the method's measure to the rival's, here of
 * Nesterov's 1/T^2 to gradient descent's 1/T, and the figure draws this ratio. The control is divided by the rival
 * too. Here the control is the rival itself, gradient descent, whose cells run once. */
static void differences_are_those_of_the_ratio(void **state)
{
    assert_int_equal(shell("assay verify --claim baselines/nesterov.gain.excess.T --output r > out.txt 2> err"), 0);
    assert_true(shell_contains("err", "10 cells: 10 run"));      /* the control is a run of the rival itself */
    assert_int_equal(shell("awk -F'\t' '$1 == \"measured\" { y[$3] = $4 } $1 == \"curve1\" { z[$3] = $4; n++ } "
                           "$1 == \"curve2\" { d = $4 - y[$3] / z[$3]; bad += d * d > 1e-24 } "
                           "END { exit !(n == 5 && bad == 0) }' r/figures/*.tsv"), 0);
    assert_int_equal(shell("assay explain --claim baselines/nesterov.gain.excess.T | grep -q 'difference of "
                           "exponents -[01]'"), 0);
}

/* A run that lacks the measure of a claim is no evidence, for or against. */
static void an_unmeasured_claim_is_not_decided(void **state)
{
    assert_int_equal(shell("assay verify --claim 'baselines/gd.rate*,baselines/gd.count*' --count > out.txt 2> "
                           "err"), 3);
    assert_true(shell_contains("out.txt", "INCONCLUSIVE") && shell_contains("out.txt", "IDENTITY"));
    assert_false(shell_contains("out.txt", "CONTRADICTED"));
}

/* A failing cell is stored with its outcome; the other cells are run, and the failing cell is not repeated without
 * being asked to. */
static void failures_are_outcomes(void **state)
{
    static const struct { const char *claim, *options, *outcome; } expected[] = {
        { "planted/crash", "", "crashed" },
        { "planted/hang", "--timeout 0.5", "timeout" },
        { "planted/hungry", "--memory 64", "memory" },
    };
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        const char *claim = expected[k].claim, *options = expected[k].options;
        assert_int_equal(shell("assay verify --planted --claim '%s,baselines/gd.count*' %s -j2 > out.txt 2> err",
                               claim, options), 4);
        assert_true(shell_contains("out.txt", "IDENTITY"));
        assert_int_equal(shell("assay export > all.txt"), 0);
        assert_true(shell_contains("all.txt", expected[k].outcome));
        shell("assay verify --planted --claim '%s' %s > out.txt 2> err", claim, options);
        assert_true(shell_contains("err", ": 0 run,"));
        shell("assay verify --planted --claim '%s' %s --retry > out.txt 2> err", claim, options);
        assert_true(shell_contains("err", ": 2 run,"));
    }
}

/* NaN and infinity pass unchanged through worker, store and export. */
static void nan_and_infinity_survive(void **state)
{
    shell("assay verify --planted --claim planted/bound.nan > out.txt 2> err");
    assert_int_equal(shell("assay export --format csv | grep 'algo planted-nan | .*measure.excess,nan' > a"), 0);
    /* The excess at an infinite point is inf - inf, and the distance from the minimiser is infinite. */
    assert_int_equal(shell("assay export --format csv | grep 'what=inf | .*measure.excess,nan$' > b"), 0);
    assert_int_equal(shell("assay export --format csv | grep 'what=inf | .*measure.distance,inf$' > b"), 0);
}

/* If stdout and stderr go to one file, their lines are in the order in which they were written. */
static void streams_in_order(void **state)
{
    assert_int_equal(shell("assay verify --claim 'baselines/gd.count*' -j2 > out.txt 2>&1"), 0);
    assert_int_equal(shell("grep -n '1 identities' out.txt | cut -d: -f1 > a; "
                           "grep -n 'cells: ' out.txt | cut -d: -f1 > b; test $(cat a) -lt $(cat b)"), 0);
    assert_int_equal(shell("tail -n 1 out.txt | grep -q '^report: '"), 0);
}

/* A run is interrupted when it has stored records and others of its cells hang. The next run continues with the
 * store. */
static void interrupted_runs_resume(void **state)
{
#define HANGS "verify --planted --claim 'planted/hang,baselines/gd.count*' "
    int code = shell("'" BUILD_DIR "/assay' " HANGS "--timeout 120 -j4 > out.txt 2> err & pid=$!; "
                     "for k in $(seq 600); do assay export --format csv > records 2> none; "
                     "test $(wc -l < records) -gt 1 && break; sleep 0.1; done; kill -INT $pid; wait $pid");
    assert_int_equal(code, 130);
    assert_true(shell_lines("records") > 1);
    assert_int_equal(shell("assay " HANGS "--timeout 0.3 -j2 > out.txt 2> err"), 4);
    assert_int_equal(shell("grep -q ' [1-9][0-9]* reused' err"), 0);
#undef HANGS
    assert_int_equal(shell("assay doctor | grep '^ok *store'"), 0);
}

/* The verb rerun repeats a stored cell, and gives the same bits. A damaged store has its exit code, a missing one has
 * no influence on it. */
static void rerun_is_equal(void **state)
{
    shell("assay verify --claim baselines/sgd.bound.excess.n --reps 8 --n 256 > out.txt 2> err");
    shell("assay plan --claim baselines/sgd.bound.excess.n --reps 8 --n 256 --format csv | sed -n 2p | cut -d, -f5 "
          "> cell");
    assert_int_equal(shell("assay rerun \"$(cat cell)\" > one.txt 2> err"), 0);
    assert_true(shell_contains("err", "bit for bit"));
    shell("{ echo no store; tail -c +10 results/store/assay.db; } > bad.db; touch bad.db.lock");
    assert_int_equal(shell("assay rerun \"$(cat cell)\" --store bad.db > one.txt 2> err"), 5);
    assert_int_equal(shell("assay rerun \"$(cat cell)\" --store none.db > one.txt 2> err"), 0);
    assert_true(shell_contains("err", "not compared"));
    /* Of two codes, that of a refused cell and that of a damaged store, the damage comes first. */
    assert_int_equal(shell("assay rerun 'problem chain | algo gd | goal | run | rep 0' --store none.db > one.txt "
                           "2> err"), 2);
    assert_true(shell_contains("err", "rerun refused"));
    assert_int_equal(shell("assay rerun 'problem chain | algo gd | goal | run | rep 0' --store bad.db > one.txt "
                           "2> err"), 5);
}

/* The command that `explain` prints makes the runs that it explains, also where the user has changed what the claim
 * declares: the store has all of them. The axis may be set where the claim has one point on it. */
static void printed_commands_repeat_what_was_changed(void **state)
{
    static const char *const of[] = {
        "--claim baselines/gd.rate.excess.T --T 64..512:4 --set problem.d=30",
        "--claim baselines/gd.rate.excess.T --T 64,100,1000 --seed 3",
        "--claim baselines/sgd.bound.excess.n --n 256 --reps 3 --constants theory",
        "--claim baselines/gd.rate.excess.T --T 32 --set goal.T=64",
        "--claim planted/bound.nan --planted",
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        assert_int_equal(shell("rm -f r.db; assay run %s --store r.db > out.txt 2> err; "
                               "assay explain %s --store r.db > why.txt 2> err && "
                               "test $(grep -c '^  reproduce ' why.txt) -eq 1", of[k], of[k]), 0);
        shell("eval \"$(sed -n 's/^  reproduce *//p' why.txt) --store r.db --output again\" > out.txt 2> err");
        if (!shell_contains("out.txt", "cells: 0 run, ") && !shell_contains("err", "cells: 0 run, "))
            fail_msg("%s: '%s': %s%s", of[k], shell_read("why.txt"), shell_read("out.txt"), shell_read("err"));
    }
    assert_int_equal(shell("assay explain --claim baselines/gd.rate.excess.T --set run.trace=1 --store r.db "
                           "> why.txt && grep -q -- ' --set run.trace=1$' why.txt"), 0);
}

/* An edit of one algorithm runs exactly the cells of this algorithm again, with the same seeds. The edit below
 * changes the source but no number, so that the new records must equal the old ones. */
static void an_edit_reruns_its_cells_only(void **state)
{
    if (strcmp(strrchr(BUILD_DIR, '/'), "/build")) {
        print_message("skip: rebuilds are tried by the plain build\n");
        skip();
    }
    const char *const claims = "--claim 'baselines/sgd.count*,baselines/gd.count*,baselines/sgd.rate.excess.n' "
                               "--n 1024..4096 --reps 8";
    assert_int_equal(shell("mkdir tree && cd tree && cp -a '%s'/. . 2> /dev/null; rm -rf .git results",
                           SOURCE_DIR), 0);
    shell("assay verify %s -j2 > a.txt 2> a.err; assay export --canonical > before.txt", claims);
    assert_int_equal(shell("cd tree && sed -i 's/averaging\",/averaging \",/' algos/sgd.c && "
                           "make -s build/assay > ../make.txt 2>&1 || { cat ../make.txt; false; }"), 0);
    shell("tree/build/assay verify %s -j2 > b.txt 2> b.err", claims);
    shell("tree/build/assay export --canonical | grep -v '^ *fingerprint' > after.txt; "
          "grep -v '^ *fingerprint' before.txt > was.txt");
    assert_int_equal(shell("cmp was.txt after.txt"), 0);
    assert_int_equal(shell("cmp a.txt b.txt"), 0);
    int sgd = shell("test $(assay plan %s --format csv | cut -d, -f5 | grep 'algo sgd' | sort -u | wc -l) -eq "
                    "$(sed -n 's/.*: \\([0-9]*\\) run.*/\\1/p' b.err)", claims);
    assert_int_equal(sgd, 0);
    assert_false(shell_contains("b.err", " 0 reused"));

    /* With a changed constant the cells of sgd run again, with the same seeds and other numbers. No cell of gd runs
     * again. */
    assert_int_equal(shell("cd tree && sed -i 's/PARAM(sgd, c, 1,/PARAM(sgd, c, 0.5,/' algos/sgd.c && "
                           "make -s build/assay > ../make.txt 2>&1 || { cat ../make.txt; false; }"), 0);
    shell("tree/build/assay verify %s -j2 > c.txt 2> c.err", claims);
    assert_int_equal(shell("cut -d: -f2 b.err > b.ran; cut -d: -f2 c.err | cmp - b.ran"), 0);
    assert_int_equal(shell("tree/build/assay export --canonical | grep '^[a-z]' > cells.c; test -s cells.c && "
                           "grep '^[a-z]' was.txt | cmp - cells.c"), 0);
    assert_int_equal(shell("tree/build/assay export --canonical | grep measure.excess > excess.c; "
                           "grep measure.excess was.txt | cmp -s - excess.c"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(verify_resumes, begin, end),
        cmocka_unit_test_setup_teardown(workers_do_not_matter, begin, end),
        cmocka_unit_test_setup_teardown(planted_claims_come_out_as_named, begin, end),
        cmocka_unit_test_setup_teardown(every_control_must_be_caught, begin, end),
        cmocka_unit_test_setup_teardown(open_claims_go_on, begin, end),
        cmocka_unit_test_setup_teardown(a_partial_run_does_not_replace_the_whole, begin, end),
        cmocka_unit_test_setup_teardown(a_report_has_the_profile_of_the_last_run, begin, end),
        cmocka_unit_test_setup_teardown(differences_are_those_of_the_ratio, begin, end),
        cmocka_unit_test_setup_teardown(an_unmeasured_claim_is_not_decided, begin, end),
        cmocka_unit_test_setup_teardown(failures_are_outcomes, begin, end),
        cmocka_unit_test_setup_teardown(nan_and_infinity_survive, begin, end),
        cmocka_unit_test_setup_teardown(streams_in_order, begin, end),
        cmocka_unit_test_setup_teardown(interrupted_runs_resume, begin, end),
        cmocka_unit_test_setup_teardown(rerun_is_equal, begin, end),
        cmocka_unit_test_setup_teardown(printed_commands_repeat_what_was_changed, begin, end),
        cmocka_unit_test_setup_teardown(an_edit_reruns_its_cells_only, begin, end),
    };
    return cmocka_run_group_tests_name("flow", tests, NULL, NULL);
}
