/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_engine.c - runs on a cluster, whose Slurm is replaced by scripts: stages, nodes that refuse, cells that
 * fail, and kills of the command. The store must be that which one machine makes.
 * Waits: a run on a cluster sleeps between two queries of the state of its job arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "support/fake_slurm.h"

/* The claim planted/rate.open has three rounds and stays open in each, so that there are three stages. */
#define PLAN "--planted --claim 'planted/rate.open,baselines/gd.rate*' --reps 8 --T 256..4096 "
#define RUN  "run " PLAN "--engine slurm --seconds 0.002 "

static int begin(void **state)
{
    shell_begin();
    fake_slurm_make();
    return shell("assay run " PLAN
                 "--store one.db > out 2>&1 && assay export --canonical --store one.db > one.csv "
                 "&& LC_ALL=C sort one.csv > one.sorted");
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* Of the stages of a run no file may stay but the logs of jobs, which are kept where a job left no records. */
static void nothing_is_left(const char *store)
{
    assert_int_equal(shell("test -z \"$(find %s.shards -path '*/stage-*' -type f ! -name '*.log' 2> /dev/null)\"",
                           store), 0);
}

static void equals_one_machine(const char *store)
{
    assert_int_equal(shell("assay export --canonical --store %s | cmp - one.csv", store), 0);
    nothing_is_left(store);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- stages and nodes */

/* The claim that stays open doubles its replicates twice. Each of the three stages is submitted as an array. */
static void three_stages_are_three_arrays(void **state)
{
    assert_int_equal(shell(FAKE_SLURM "assay " RUN "--store a.db > out 2> err"), 0);
    equals_one_machine("a.db");
    assert_int_equal(shell("test $(grep -c ' shards: ' err) -eq 3"), 0);
    assert_int_equal(shell("test $(wc -l < sbatch.log) -ge 3 && ! grep -q -e --exclude sbatch.log"),
                     0);
}

/* A cell that runs out of time is tried again on another node before it counts as failed. */
static void a_failure_is_tried_elsewhere(void **state)
{
    static const char hang[] = "run --planted --claim 'planted/hang,baselines/gd.rate*' --T 256..4096 "
                               "--timeout 2 -j2";
    assert_int_equal(shell("rm -f sbatch.log; assay %s --store h1.db > out 2>&1", hang), 4);
    assert_int_equal(shell(FAKE_SLURM
                           "assay %s --store h.db --engine slurm --seconds 0.02 > out 2> err",
                           hang),
                     4);
    assert_int_equal(
        shell("test $(grep -c ' shards: ' err) -eq 2 && head -n 1 sbatch.log > first && "
              "tail -n 1 sbatch.log > last && ! grep -q -e --exclude first && "
              "grep -q -e '--exclude=n1 ' last"),
        0);
    assert_int_equal(
        shell("assay export --canonical --store h1.db > h1.csv && test $(wc -l < h1.csv) -gt 1 && "
              "assay export --canonical --store h.db | cmp - h1.csv"),
        0);
}

/* A node of another kind is left out of the next try. If all nodes refuse, the run ends with the sentence of one of
 * them. */
static void nodes_that_refuse_are_left_out(void **state)
{
    if (shell("assay doctor | grep -q 'level portable'") == 0) {
        print_message("skip: this machine has portable kernels only\n");
        return;
    }
    assert_int_equal(
        shell(FAKE_SLURM "export BAD_NODES=n1; assay " RUN "--store b.db > out 2> err"), 0);
    equals_one_machine("b.db");
    assert_true(shell_contains("err", "shards were refused: ") &&
                shell_contains("err", "host n1 is of another kind"));
    assert_int_equal(
        shell(FAKE_SLURM "export BAD_NODES='n1 n2'; assay " RUN "--store c.db > out 2> err"), 2);
    assert_int_equal(shell("tail -n 1 err > last"), 0);
    assert_true(shell_contains("last", "assay: ") &&
                shell_contains("last", "host n2 is of another kind") &&
                shell_contains("last", "expected level"));
    assert_int_equal(
        shell("assay export --canonical --store c.db > c.csv; test $(wc -l < c.csv) -le 1"), 0);
    nothing_is_left("c.db");
}

/* After eight jobs that went on, for each of two tries, nothing is submitted any more, and the cells run here. */
static void a_detached_command_ends(void **state)
{
    assert_int_equal(shell("rm -f sbatch.log"), 0);
    assert_int_equal(shell(FAKE_SLURM "export ASSAY_RESTS=16; assay " RUN "--detach --store r.db > out 2> err"), 0);
    assert_int_equal(shell("test ! -e sbatch.log"), 0);
    equals_one_machine("r.db");
}

/* The job that goes on reads the study file, and its keys count once. */
static void a_detached_study_goes_on(void **state)
{
    assert_int_equal(shell("printf '[test]\nalgorithm = gd\nproblem = chain\nT = 256..4096\npromise = T^-1 +- 0.2\n"
                           "control = algo.step=0.001\ncontrol = algo.step=0.002\n' > st.ini; "
                           "assay test st.ini --store st1.db --output one > one.out 2> err"), 3);
    assert_int_equal(shell(FAKE_SLURM "assay test st.ini --engine slurm --seconds 0.002 --detach --store st.db "
                           "--output two > out 2> err"), 0);
    assert_int_equal(shell("for i in $(seq 3000); do [ -n \"$(ls jobs)\" ] || exit 0; sleep 0.02; done; "
                           "exit 1"), 0);
    if (shell("grep -q '^1 claim: ' st.db.shards/rest.txt"))
        fail_msg("%s", shell_read("st.db.shards/rest.txt"));
    assert_int_equal(shell("assay export --canonical --store st1.db > st.csv && test $(wc -l < st.csv) -gt 10 && "
                           "assay export --canonical --store st.db | cmp - st.csv"), 0);
}

/* What Slurm's programs print to stderr, such as a warning of the site, is neither a refusal nor a job. */
static void warnings_of_slurm_do_no_harm(void **state)
{
    assert_int_equal(shell("mkdir loud && cp bin/* loud && sed -i '1a echo an old partition >&2' loud/* && "
                           "export HERE=$PWD PATH=$PWD/loud:$PATH && "
                           "timeout 120 '%s/assay' " RUN "--store w.db > out 2> err", BUILD_DIR), 0);
    equals_one_machine("w.db");
}

/* --- the command is killed */

/* Runs the program with these words for at most `seconds` seconds, and then kills it. Returns whether it was still
 * running. */
static bool killed(double seconds, const char *words)
{
    char line[1000];
    int status = 0;
    snprintf(line, sizeof line, FAKE_SLURM "exec '%s/assay' %s > out 2> err", BUILD_DIR, words);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(execl("/bin/sh", "sh", "-c", line, (char *)NULL));
    double until = now() + seconds;
    while (now() < until && waitpid(child, &status, WNOHANG) == 0)
        usleep(1000);
    if (now() < until)
        return false;
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status);
}

/* Every record of an unfinished store must be one of the whole store. */
static void holds_a_part(const char *store)
{
    assert_int_equal(shell("assay export --canonical --store %s 2> err > part.csv || : > part.csv; "
                           "test -z \"$(LC_ALL=C sort part.csv | LC_ALL=C comm -23 - one.sorted)\"",
                           store),
                     0);
}

/* The command is killed twice, each time at a random instant of the first half of the time that it needs
 * undisturbed. Arrays run then or are merged; the arrays go on. The same command then ends with the records that
 * one machine makes. */
static void the_command_is_killed(void **state)
{
    enum { RUNS = 5, KILLS = 2 };
    uint64_t seed = 45;
    int hits = 0;
    char words[300], store[20];
    double begun = now();
    assert_int_equal(shell(FAKE_SLURM "assay " RUN "--store whole.db > out 2> err"), 0);
    double whole = now() - begun;
    for (int k = 0; k < RUNS; k++) {
        snprintf(store, sizeof store, "k%d.db", k);
        snprintf(words, sizeof words, RUN "--store %s", store);
        for (int i = 0; i < KILLS; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            hits += killed(whole / 2 * (double)(seed >> 40) / 0x1p24, words);
            holds_a_part(store);
        }
        assert_int_equal(shell(FAKE_SLURM "assay %s > out 2> err", words), 0);
        equals_one_machine(store);
    }
    print_message("%d of %d kills hit a command of %g seconds\n", hits, RUNS * KILLS, whole);
    assert_true(hits > RUNS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_stages_are_three_arrays),
        cmocka_unit_test(a_failure_is_tried_elsewhere),
        cmocka_unit_test(nodes_that_refuse_are_left_out),
        cmocka_unit_test(a_detached_command_ends),
        cmocka_unit_test(a_detached_study_goes_on),
        cmocka_unit_test(warnings_of_slurm_do_no_harm),
        cmocka_unit_test(the_command_is_killed),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
