/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_shards_verb.c - shards, work, status and merge as users run them. The truth is the store that one run of
 * `verify` makes on this machine.
 * Slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/need.h"
#include "support/fake_slurm.h"

/* The claim planted/rate.open asks for more replicates while it is open, so that there is a second stage. */
#define PLAN "--planted --claim 'planted/rate.open,baselines/gd.rate*' --reps 8 --T 256..4096 "

static int begin(void **state)
{
    shell_begin();
    return shell("assay run " PLAN "--store one.db > out 2>&1 && assay export --canonical --store one.db > "
                 "one.csv");
}

static int end(void **state)
{
    shell_end();
    return 0;
}

static int lines_of_store(const char *store)
{
    assert_int_equal(shell("assay export --canonical --store %s > now.csv", store), 0);
    return shell_lines("now.csv");
}

static void run_all(const char *folder)
{
    assert_int_equal(shell("for s in %s/*.shard; do assay work $s > work.out 2>&1 || exit 1; done", folder), 0);
}

/* The cells in one shard, in several and in many give the same records, merged in either order, and twice. The
 * stage that follows runs in the merge. */
static void any_number_of_shards_gives_the_records_of_one_run(void **state)
{
    static const char *const seconds[] = { "1000", "0.005", "0.001" };
    int before = 0;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(shell("rm -rf s m.db && assay shards " PLAN "--output s --seconds %s > out", seconds[k]),
                         0);
        assert_int_equal(shell("ls s/*.shard > list"), 0);
        assert_true(shell_lines("list") > before);
        before = shell_lines("list");
        assert_int_equal(shell("assay status s > out"), 3);
        assert_true(shell_contains("out", "0 of "));
        run_all("s");
        assert_int_equal(shell("assay status s > out"), 0);
        /* The next stage takes longer than the 0.005 or 0.001 seconds of a shard. The limit in the plan is raised,
         * so that the merge runs the stage itself. */
        assert_int_equal(shell("sed -i 's/^0.00.$/1000/' s/plan"), 0);
        assert_int_equal(shell("assay merge m.db s > out 2>&1"), 0);
        assert_int_equal(shell("assay export --canonical --store m.db | cmp - one.csv"), 0);
        assert_int_equal(shell("assay merge m.db $(ls -r s/*.db) s > out 2>&1"), 0);
        assert_true(shell_contains("out", "merged before"));
        assert_int_equal(shell("assay export --canonical --store m.db | cmp - one.csv"), 0);
    }
    assert_true(before > 17);
}

/* If the next stage is longer than a shard, the merge names it and prints the command that packs it. */
static void a_long_stage_is_packed_again(void **state)
{
    assert_int_equal(shell("rm -rf s s2 m.db && assay shards " PLAN "--output s --seconds 0.001 > out"), 0);
    run_all("s");
    assert_int_equal(shell("assay merge m.db s > out 2>&1"), 0);
    assert_true(shell_contains("out", "the next stage has"));
    assert_true(lines_of_store("m.db") < shell_lines("one.csv"));
    for (int stage = 0; stage < 10; stage++) {
        assert_int_equal(shell("rm -rf s2; assay shards " PLAN "--store m.db --output s2 --seconds 1000 > out"), 0);
        if (shell("grep -q '^0 shards' out") == 0)
            break;
        run_all("s2");
        assert_int_equal(shell("assay merge m.db s2/*.db > merge.out 2>&1"), 0);
    }
    assert_int_equal(shell("assay export --canonical --store m.db | cmp - one.csv"), 0);
}

/* A method that fails is run twice before its failure counts. */
static void a_failure_needs_a_second_try(void **state)
{
    assert_int_equal(shell("assay shards --planted --claim planted/hang --timeout 0.2 --output h > out"), 0);
    assert_int_equal(shell("assay work h/00001.shard > out 2>&1"), 4);
    assert_int_equal(shell("assay status h > out"), 3);
    assert_true(shell_contains("out", "failed once and are due to run again"));
    assert_int_equal(shell("assay merge h.db h > out 2>&1"), 2);
    assert_true(shell_contains("out", "failed once; expected a second try of each"));
    assert_int_equal(shell("test ! -e h.db"), 0);
    assert_int_equal(shell("sleep 1; assay work h/00001.shard > out 2>&1"), 4);
    assert_int_equal(shell("assay status h > out"), 0);
    assert_int_equal(shell("assay merge h.db h > out 2>&1"), 0);
    assert_int_equal(shell("assay export --store h.db | grep -c timeout > n && test $(cat n) -gt 0"), 0);
}

/* The exit code of a merge says that cells of the stage that it ran have failed. Of several folders it is the first
 * one in the order of docs/exit-codes.md: the plan of folder a, whose claim is renamed, selects nothing (2), and
 * folder b is not complete (3). */
static void the_exit_code_of_a_merge(void **state)
{
    assert_int_equal(shell("assay shards --planted --claim planted/rate.open --n 2^16..2^18 --timeout 600 "
                           "--seconds 1000 --output t > out"), 0);
    run_all("t");
    assert_int_equal(shell("sed -i 's/^600$/0.001/' t/plan && assay merge t.db t > out 2>&1"), 4);
    /* A claim lacks its data, and the stage that the merge runs is of the other: the code is that of `run`. */
    assert_int_equal(shell("assay shards --planted --claim planted/rate.open,absent/set.count.T --n 2^16..2^18 "
                           "--seconds 1000 --output u > out"), 0);
    run_all("u");
    assert_int_equal(shell("assay merge u.db u > out 2>&1"), 3);
    assert_true(shell_contains("out", "cells: "));
    assert_int_equal(shell("assay shards --claim 'baselines/gd.rate*' --output a > out && "
                           "assay shards --claim 'baselines/gd.rate*' --output b > out"), 0);
    run_all("a");
    assert_int_equal(shell("sed -i 's/gd.rate/gd.none/' a/plan && assay merge ab.db a b > out 2>&1"), 2);
    assert_true(shell_contains("out", "nothing selected"));
}

/* A value that was typed replaces that of the environment in the plan too; settings are kept beside each other. */
static void a_plan_with_an_environment_goes_on(void **state)
{
    assert_int_equal(shell("export ASSAY_PROFILE=nightly ASSAY_SET=run.trace=1; assay shards --profile quick --set "
                           "problem.d=20 --claim baselines/gd.rate.excess.T --output e > out"), 0);
    run_all("e");
    assert_int_equal(shell("assay merge e.db e > out 2>&1"), 0);
    assert_false(shell_contains("out", "next stage") || shell_contains("out", "cells:"));
    assert_int_equal(shell("grep -c run.trace=1 e/plan | grep -qx 1"), 0);
}

/* Attempts that one job of Slurm makes at a shard share no file: the second one, which runs only the cells that
 * failed, does not replace the first. */
static void attempts_of_one_job_share_no_file(void **state)
{
    static const char cells[] = "--planted --claim 'planted/hang,baselines/gd.rate*' --T 256..4096 --timeout 0.5";
    assert_int_equal(shell("assay run %s --store j1.db > out 2>&1", cells), 4);
    assert_int_equal(shell("assay export --canonical --store j1.db > j1.csv && "
                           "assay shards %s --output j > out && test $(ls j/*.shard | wc -l) -eq 1", cells), 0);
    for (int k = 0; k < 2; k++)
        assert_int_equal(shell("export SLURM_JOB_ID=900; assay work j/00001.shard > out 2>&1"), 4);
    assert_int_equal(shell("test $(ls j/*.db | wc -l) -eq 2 && assay status j > out && "
                           "assay merge j.db j > out 2>&1"), 0);
    assert_int_equal(shell("assay export --canonical --store j.db | cmp - j1.csv"), 0);
}

/* Where the shards are of another kind of machine, their merge runs nothing and prints the command that goes on in
 * their kind. That command runs only what follows. */
static void a_merge_of_another_kind_runs_nothing(void **state)
{
    if (shell("assay doctor | grep -q 'level portable'") == 0) {
        print_message("skip: this machine has portable kernels only\n");
        return;
    }
    assert_int_equal(shell("assay run " PLAN "--arch portable --store ap1.db > out 2> err && "
                           "assay export --canonical --store ap1.db > ap1.csv && "
                           "assay shards " PLAN "--arch portable --output ap > out"), 0);
    assert_int_equal(shell("for s in ap/*.shard; do assay work $s --arch portable > out || exit 1; done"), 0);
    assert_int_equal(shell("assay merge ap.db ap > out 2> err && ! grep cells: err"), 0);
    assert_true(shell_contains("out", "the next stage has ") && shell_contains("out", "the kind of the shards"));
    assert_true(shell_contains("out", "`assay merge 'ap.db' 'ap' --arch portable`"));
    int before = lines_of_store("ap.db");
    assert_int_equal(shell("assay merge ap.db ap --arch portable > out 2> err && grep ' reused' err > ran"), 0);
    assert_true(lines_of_store("ap.db") > before && !shell_contains("ran", ", 0 reused"));
    assert_int_equal(shell("assay export --canonical --store ap.db | cmp - ap1.csv"), 0);
}

/* A plan with a plug-in goes on if the merge is given it too. */
static void a_plan_with_a_plugin_goes_on(void **state)
{
    assert_int_equal(shell("cd '%s/tests/plugin' && cc -std=c17 -O2 -fPIC -shared -I../../harness/api plugin.c "
                           "algos/heavy_ball.c claims/heavy_ball.c -o $OLDPWD/hb.so", SOURCE_DIR), 0);
    assert_int_equal(shell("assay shards --paper heavy-ball --plugin ./hb.so --output hb > out && "
                           "for s in hb/*.shard; do assay work $s --plugin ./hb.so > out || exit 1; done"), 0);
    assert_int_equal(shell("assay merge hb.db hb > out 2> err"), 2);
    assert_true(shell_lines("err") == 1);
    assert_true(shell_contains("err", "hb/plan: the plan has --plugin ./hb.so, expected"));
    assert_int_equal(shell("assay merge hb.db hb --plugin hb.so > out 2> err"), 0);
    assert_int_equal(shell_lines("err"), 0);
}

static void bad_input_is_refused(void **state)
{
    static const struct { const char *line, *said; } bad[] = {
        { "assay shards " PLAN, "expected --output DIR" },
        { "assay shards " PLAN "--output full", "it has shards already" },
        { "assay work", "expected SHARD" },
        { "assay work one.csv", "expected a file NAME.shard" },
        { "assay work full", "SLURM_ARRAY_TASK_ID" },
        { "assay work none.shard", "none.shard: No such file" },
        { "assay work torn.shard", "torn.shard: its checksum is wrong" },
        { "assay work text.shard", "text.shard: not the manifest of a shard" },
        { "assay status", "expected DIR" },
        { "assay status empty", "no shards" },
        { "assay status none", "none: No such file" },
        { "assay merge m2.db empty", "a folder without shards" },
        { "assay verify " PLAN "--engine cloud", "expected one of local, slurm, files" },
        { "assay verify " PLAN "--tries 0", "--tries 0: expected 1 to 20" },
    };
    assert_int_equal(shell("mkdir -p empty && assay shards " PLAN "--output full > out && echo hello > text.shard "
                           "&& head -n 20 full/00001.shard > torn.shard"), 0);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(shell("%s > out 2> err", bad[k].line), 2);
        if (shell_lines("err") != 1 || !shell_contains("err", bad[k].said))
            fail_msg("%s: expected '%s'", bad[k].line, bad[k].said);
    }
}

/* A node that lacks the data set, or has another version of it, refuses before its first cell, in a line that names
 * the host and the data set. */
static void other_data_are_refused(void **state)
{
    assert_int_equal(shell("mkdir -p data none && for i in $(seq 40); do echo \"$((i * i %% 7)),$((i %% 5)),"
                           "$((i %% 2 * 2 - 1))\"; done > mine.csv && sed -i 1ia,b,y mine.csv && "
                           "assay data add mine.csv "
                           "--name mine --task classification --licence none --source here "
                           "--data-dir data > out && "
                           "cp -r data other && sed -i '5s/,/1,/' other/mine/mine.csv"), 0);
    assert_int_equal(shell("assay shards --claim baselines/heart.order.early.budget --set problem.data=mine "
                           "--data-dir data --output d > out"), 0);
    static const char *const folder[] = { "none", "other" };
    for (int k = 0; k < 2; k++) {
        assert_int_equal(shell("assay work d/00001.shard --data-dir %s > out 2> err", folder[k]), 2);
        assert_true(shell_lines("err") == 1 && shell_contains("err", "sources or data") &&
                    shell_contains("err", "data=mine") && shell_contains("err", "on host"));
    }
    assert_int_equal(shell("test -z \"$(ls d/*.db 2> /dev/null)\" && "
                           "assay work d/00001.shard --data-dir data > out"), 0);
}

/* With --engine files other processes run the shards, here a loop over the files, while the command waits for them.
 * Returns the exit code of the command. Where `until` is a number of stages, the command is interrupted as soon as
 * it has written so many. */
static int run_with_files(const char *command, const char *store, int until)
{
    return shell("echo > f.out; (exec '%s/assay' %s --store %s --engine files > f.out 2>&1) & pid=$!; "
                 "for i in $(seq 600); do [ $(grep -c ' shards: ' f.out) -eq %d ] && kill $pid && break; "
                 "for s in %s.shards/*/*.shard; do [ -e $s ] && assay work $s > /dev/null 2>&1; done; "
                 "kill -0 $pid 2> /dev/null || break; sleep 0.1; done; wait $pid", BUILD_DIR, command, store,
                 until, store);
}

static void the_files_engine_waits(void **state)
{
    assert_int_equal(run_with_files("run " PLAN "--seconds 0.01", "f.db", -1), 0);
    assert_int_equal(shell("assay export --canonical --store f.db | cmp - one.csv"), 0);
    assert_int_equal(shell("test -z \"$(ls f.db.shards)\""), 0);
}

/* A night that is interrupted in its second stage, when the shards of the first have been merged, is continued by
 * the next one: only the second stage is left. Its provenance is that of the command, not of `assay work`. */
static void an_interrupted_night_goes_on(void **state)
{
    static const char night[] = "nightly " PLAN "--profile quick";
    char line[300];
    snprintf(line, sizeof line, "%s --seconds 0.001", night);
    assert_int_equal(run_with_files(line, "n.db", 2), 143);
    assert_true(shell_contains("f.out", "the next `assay nightly` continues this run"));
    assert_int_equal(shell("assay export --store n.db | grep -c '^problem' > merged && "
                           "test $(cat merged) -gt 10"), 0);
    shell("assay %s --store n.db > out 2> err", night);
    assert_int_equal(shell("grep -q \" $(cat merged) reused\" err"), 0);
    assert_int_equal(shell("assay export --run 1 --store n.db > out && grep -q 'profile.*quick' out && "
                           "grep -q 'command.*nightly' out && "
                           "test -z \"$(assay export --run 2 --store n.db)\""), 0);
}

/* The records of shards have the profile and the command of `shards`, not of `work`. A command that is given no
 * profile judges the one of the run. */
static void parts_have_the_provenance_of_the_run(void **state)
{
    assert_int_equal(shell("assay shards --claim baselines/gd.rate.excess.T --profile nightly --seconds 0.001 "
                           "--output v > out && test $(ls v/*.shard | wc -l) -gt 1"), 0);
    run_all("v");
    assert_int_equal(shell("assay merge v.db v/*.db > out && assay merge w.db $(ls -r v/*.db) > out && "
                           "assay export --run 1 --store v.db > v.txt && assay export --run 1 --store w.db | "
                           "grep -v '^ *seconds' > w.txt && grep -v '^ *seconds' v.txt | cmp - w.txt"), 0);
    assert_int_equal(shell("grep -q 'profile.*nightly' v.txt && grep -q 'command.*assay shards' v.txt && "
                           "! grep -q 'assay work' v.txt"), 0);
    assert_int_equal(shell("assay explain 'baselines/gd.rate*' --store v.db > explained && "
                           "assay explain 'baselines/gd.rate*' --store v.db --profile nightly | cmp - explained && "
                           "! assay explain 'baselines/gd.rate*' --store v.db --profile quick | cmp - explained"), 0);
}

/* The cells of a run that is made afresh fail on every machine. They count as failed, whatever an earlier run of
 * the store has of them. */
static void failures_of_a_fresh_run_count(void **state)
{
#define SWEEP "sweep --algorithm ac-sa --problem glm_stored --budget 1000,2000,4000,8000,16000 " \
              "--set problem.n=4000 --reps 1 -j1 "
    assert_int_equal(shell("assay " SWEEP "--store g.db > out 2> err"), 0);
    assert_int_equal(run_with_files(SWEEP "--fresh --memory 1 --seconds 0.001 --tries 1", "g.db", -1), 4);
    assert_true(shell_contains("f.out", "5 of 5 runs failed") && !shell_contains("f.out", "they run here"));
    assert_int_equal(shell("assay export --canonical --store g.db | grep -c 'outcome memory' | grep -qx 5"), 0);
}

/* Cells of methods that are programs run elsewhere if their methods are named: Slurm's jobs get them, and `shards`
 * prints them for others. SciPy is replaced by gradient descent, and Slurm by scripts that run the jobs of an
 * array one after another. */
static void jobs_get_methods_that_are_programs(void **state)
{
    need("numpy");
    static const char peers[] = "--claim 'peers/cg.floor*' --profile nightly";
    assert_int_equal(shell("mkdir -p libs/scipy && cd libs/scipy && "
                           "echo '__version__ = \"0\"' > __init__.py && "
                           "printf 'def minimize(f, x, jac, **_):\n    while f(x) > -1:\n        x = x - jac(x)\n' "
                           "> optimize.py"), 0);
    fake_slurm_make();
    assert_int_equal(shell("export PYTHONPATH=$PWD/libs; assay run %s --store o.db > out 2>&1 && "
                           "assay export --canonical --store o.db > o.csv && "
                           "test $(wc -l < o.csv) -gt 10", peers), 0);
    assert_int_equal(shell(FAKE_SLURM "export PYTHONPATH=$PWD/libs; "
                           "assay run %s --store slurm.db --engine slurm --seconds 0.002 > out 2> err", peers), 0);
    assert_true(shell_contains("err", "shards: ") && !shell_contains("err", "left records"));
    assert_int_equal(shell("assay export --canonical --store slurm.db | cmp - o.csv"), 0);
    /* Without Slurm the jobs need the words that `shards` prints: without them the method is unknown. */
    assert_int_equal(shell("export PYTHONPATH=$PWD/libs; assay shards %s --output p > out && "
                           "assay work p/00001.shard > work.out 2> err", peers), 2);
    assert_true(shell_lines("err") == 1 && shell_contains("err", "unknown algorithm 'scipy'"));
    assert_int_equal(shell("export PYTHONPATH=$PWD/libs; "
                           "words=$(sed -n 's/^methods that are programs: //p' out) && "
                           "eval \"$(echo \"$words\" | sed 's/SHARD/p\\/00001.shard/')\" > work.out && "
                           "assay merge p.db p/*.db > out && "
                           "assay export --canonical --store p.db | cmp - o.csv"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_shards_gives_the_records_of_one_run),
        cmocka_unit_test(a_long_stage_is_packed_again),
        cmocka_unit_test(a_failure_needs_a_second_try),
        cmocka_unit_test(the_exit_code_of_a_merge),
        cmocka_unit_test(a_plan_with_an_environment_goes_on),
        cmocka_unit_test(attempts_of_one_job_share_no_file),
        cmocka_unit_test(a_merge_of_another_kind_runs_nothing),
        cmocka_unit_test(a_plan_with_a_plugin_goes_on),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(other_data_are_refused),
        cmocka_unit_test(the_files_engine_waits),
        cmocka_unit_test(an_interrupted_night_goes_on),
        cmocka_unit_test(parts_have_the_provenance_of_the_run),
        cmocka_unit_test(failures_of_a_fresh_run_count),
        cmocka_unit_test(jobs_get_methods_that_are_programs),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
