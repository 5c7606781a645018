/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exec.c - methods that are programs. A gradient descent in another language must have the digits and counts
 * of assay's own; a program that breaks the protocol gets one line that says how it does. tests/clients/bad.py is
 * written from docs/methods.md and shares no code with the clients.
 * Waits: a program that hangs is given up after seconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/need.h"
#include "support/shell.h"
#include "base/clock.h"
#include "exec/method_internal.h"
#include "exec/method.h"
#include "exec/wire.h"

#define BAD(mode) "--method m=\"exec:python3 '" SOURCE_DIR "/tests/clients/bad.py' " mode "\" --algorithm m "
#define PYTHON(file) "--method m=\"exec:python3 '" SOURCE_DIR "/clients/python/" file "'\" --algorithm m "
/* A command that succeeds if a client of this test still runs. The brackets in the pattern keep the command from
 * finding itself. */
#define LEFT "pgrep -f '" SOURCE_DIR "/tests/clients/[b]ad.py' > left"
/* A command that succeeds if a program's folder is left */
#define FOLDERS "ls programs | grep -q ."
#define HERE "--problem spectral --T 20 "

static int begin(void **state)
{
    char folder[300];
    shell_begin();
    snprintf(folder, sizeof folder, "%s/programs", shell_folder);
    setenv("TMPDIR", folder, 1);
    return shell("mkdir programs && assay solve --algorithm gd --verbose " HERE "--set algo.step=0.5 > own.txt && "
                 "grep -E 'excess|distance|batch_steps|full_grads' own.txt > own && test $(wc -l < own) -eq 4");
}

/* Checks that no process of the clients and no folder is left. */
static int end(void **state)
{
    int left = shell(LEFT), folders = shell(FOLDERS);
    shell_end();
    return left == 0 || folders == 0;
}

/* The answer has the digits and counts of assay's own method gd, also where a program sends its messages byte by
 * byte, prints text, or leaves a child process. */
static void gradient_descent_is_the_same(void **state)
{
    static const char *const good[] = { "good", "bytewise", "chatty", "orphans", "nan-question" };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        assert_int_equal(shell("assay solve --verbose " BAD("%s") HERE "> out 2> err", good[k]), 0);
        if (strcmp(good[k], "nan-question"))             /* this mode asks one more question, after NaN */
            assert_int_equal(shell("grep -E 'excess|distance|batch_steps|full_grads' out | diff - own"), 0);
    }
    assert_int_equal(shell(LEFT), 1);
}

static void clients_ask_the_same(void **state)
{
    need("numpy");
    assert_int_equal(shell("assay solve --verbose " PYTHON("gradient_descent.py") HERE "--set algo.step=0.5 "
                           "> out 2> err"), 0);
    assert_int_equal(shell("grep -E 'excess|distance|batch_steps|full_grads' out | diff - own"), 0);
    if (shell("command -v Rscript > /dev/null")) {
        print_message("skip: no Rscript\n");
        return;
    }
    /* The name of the folder has a blank, and the texts are longer than what the harness keeps. */
    assert_int_equal(shell("mkdir 'an r' && cp '" SOURCE_DIR "'/clients/r/*.R 'an r' && "
                           "sed 's/doc = \"[^\"]*\"/doc = strrep(\"\\\\u00e9\", 300)/' "
                           "'an r/gradient_descent.R' > 'an r/long.R' && grep -q u00e9 'an r/long.R'"), 0);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(shell("assay solve --verbose --method m=\"exec:Rscript 'an r/%s.R'\" "
                               "--algorithm m " HERE "> out 2> err", k ? "long" : "gradient_descent"), 0);
        assert_int_equal(shell("grep -E 'excess|distance|batch_steps|full_grads' out | diff - own"), 0);
    }
    /* An error in run() is the line that the record keeps. */
    assert_int_equal(shell("sed 's/  x <- p$start/  stop(\"no licence\")/' 'an r/gradient_descent.R' "
                           "> 'an r/bad.R' && assay solve --method m=\"exec:Rscript 'an r/bad.R'\" "
                           "--algorithm m " HERE "> out 2> err"), 4);
    assert_true(shell_contains("err", "(exit code 1): Error: no licence"));
}

/* An error of an R program outside of run() is told too; it stands above the line `Execution halted` of Rscript. */
static void errors_of_r_are_told(void **state)
{
    static const struct { const char *edit, *said; int code; } bad[] = {
        { "1i library(nosuchpackage)", "(exit code 1):   there is no package called", 2 },
        { "1i x <- 1 y", "Error: unexpected symbol in", 2 },
        { "1i f <- function() stop(\"no data\")\\nf()", "Error in f() : no data", 2 },
        { "s/calls = \"gradient\"/calls = \"gradiant\"/", "Error: calls: expected value, gradient, samples", 2 },
        { "s/calls/files = \"helpr.R\", calls/", "r/helpr.R", 2 },
        { "s/  x <- p.start/  return(list(1, 2:3))/", "Error: 'list' object cannot be coerced", 4 },
    };
    if (shell("command -v Rscript > /dev/null")) {
        print_message("skip: no Rscript\n");
        skip();
    }
    assert_int_equal(shell("mkdir -p r && cp '" SOURCE_DIR "'/clients/r/*.R r"), 0);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        int code = shell("sed '%s' r/gradient_descent.R > r/bad.R && ! cmp -s r/bad.R r/gradient_descent.R && "
                         "assay solve --method m='exec:Rscript r/bad.R' --algorithm m " HERE "> out 2> err",
                         bad[k].edit);
        if (code != bad[k].code || !shell_contains("err", bad[k].said) || shell_lines("err") != 1)
            fail_msg("%s: exit %d, expected %d and '%s'", bad[k].edit, code, bad[k].code, bad[k].said);
    }
    /* A file that the script names by its place beside the script is part of the fingerprint. */
    static const char line[] = "assay sweep --method m='exec:Rscript r/two.R' --algorithm m --problem spectral "
                               "--T 10 --d 3,4 --reps 1 --store r.db -j1 > out 2> err";
    assert_int_equal(shell("sed 's/calls/files = \"helper.R\", calls/' r/gradient_descent.R > r/two.R && "
                           "echo 1 > r/helper.R && %s && grep -q '2 run, 0 reused' err && "
                           "%s && grep -q '0 run, 2 reused' err && "
                           "echo 2 > r/helper.R && %s && grep -q '2 run, 0 reused' err", line, line, line), 0);
}

/* Every fault of a program ends one run, with one line that names the fault. */
static void faults_are_told(void **state)
{
    static const struct { const char *mode, *said; int code; } bad[] = {
        { "few", "its answer has not as many numbers as a point", 4 },
        { "nan", "its answer is not finite", 4 },
        { "twice", "a message after its answer", 4 },
        { "dies", "the program ended before its answer (signal 9, Killed): about to die", 4 },
        { "exits", "the program ended before its answer (exit code 7): cannot go on: no licence", 4 },
        { "prints", "a message of 1885697139 bytes, expected at most", 4 },
        { "huge", "a message of 4294967280 bytes, expected at most", 4 },
        { "floods", "Too many open files", 4 },
        { "undeclared", "it asks a question of kind 10 that it has not declared", 4 },
        { "few-points", "gradient: expected points", 4 },
        { "after-stop", "a question after it was told to stop", 4 },
        { "before", "a message before its first question was due", 4 },
        { "closes", "the program ended before its answer", 4 },
        { "marks", "a message before the answer to its question", 4 },
        { "long-points", "gradient: expected points", 4 },
        { "no-kind", "a message of kind 99, which is no question", 4 },
        { "no-records", "batch: this problem has no records, expected fresh or independent samples", 4 },
        { "hungry", "the program ended before its answer (exit code 1): MemoryError", 4 },
        { "gives-up", "the start is not feasible", 2 },
        { "early", "its first message is of kind 11, expected 1", 2 },
        { "version", "it speaks version 99 of the protocol, expected 1", 2 },
        { "short-hello", "what it declares is not complete", 2 },
        { "lost-file", "/nowhere/module.py, a file that it consists of: No such file or directory", 2 },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        int code = shell("assay solve --memory 600 " BAD("%s") HERE "> out 2> err", bad[k].mode);
        if (code != bad[k].code || !shell_contains("err", bad[k].said) || shell_lines("err") != 1)
            fail_msg("%s: exit %d, expected %d and '%s'", bad[k].mode, code, bad[k].code, bad[k].said);
        if (shell(LEFT) != 1)
            fail_msg("%s: a process is left", bad[k].mode);
    }
}

/* A program that fails in 4 dimensions makes one of three cells fail, and the record of this cell says how it
 * failed. */
static void a_fault_costs_one_cell(void **state)
{
    static const struct { const char *mode, *outcome, *said; } bad[] = {
        { "prints", "crashed", "m: a message of 1885697139 bytes" },
        { "few", "crashed", "m: its answer has not as many numbers as a point" },
        { "nan", "crashed", "m: its answer is not finite" },
        { "twice", "crashed", "m: a message after its answer" },
        { "after-stop", "crashed", "m: a question after it was told to stop" },
        { "floods", "crashed", "Too many open files" },
        { "dies", "crashed", "m: the program ended before its answer (signal 9, Killed): about to die" },
        { "never", "timeout", "s of real time" },
        { "stopped", "timeout", "s of real time" },
        { "leaves", "timeout", "s of real time" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(shell("rm -f c.db; assay sweep " BAD("%s 4") "--problem spectral --T 20 "
                               "--d 3,4,5 --reps 1 "
                               "--timeout %s --store c.db -j1 > out 2> err", bad[k].mode,
                               strcmp(bad[k].outcome, "timeout") ? "600" : "0.6"), 4);
        if (shell("test \"$(sqlite3 c.db \"select group_concat(outcome) from (select outcome from records order "
                  "by cell)\")\" "
                  "= ok,%s,ok && sqlite3 c.db \"select message from records where outcome = '%s'\" > said && "
                  "grep -qF '%s' said", bad[k].outcome, bad[k].outcome, bad[k].said) || shell_lines("said") != 1)
            fail_msg("%s: expected one cell that is %s with '%s'", bad[k].mode, bad[k].outcome, bad[k].said);
        if (shell(LEFT) != 1)
            fail_msg("%s: a process is left", bad[k].mode);
    }
}

/* A program that does not end in time, whatever it does meanwhile, makes its own cells fail; the cells of the other
 * method are run. */
static void programs_that_hang_cost_their_cells(void **state)
{
    static const char *const mode[] = { "never", "stopped", "spins", "lingers", "talks", "polite", "leaves" };
    for (size_t k = 0; k < sizeof mode / sizeof *mode; k++) {
        assert_int_equal(shell("rm -f s.db; "
                               "assay sweep --method m=\"exec:python3 '" SOURCE_DIR "/tests/clients/bad.py' %s\" "
                               "--algorithm m,gd --problem spectral --T 10,20 --reps 1 --timeout 0.3 "
                               "--store s.db -j2 "
                               "> out 2> err", mode[k]), 4);
        assert_int_equal(shell("assay export --canonical --store s.db --format csv > c.csv && "
                               "grep 'algo gd' c.csv | "
                               "grep -vq timeout && grep 'algo m' c.csv | grep -q timeout"), 0);
        if (shell(LEFT) != 1)
            fail_msg("%s: a process is left", mode[k]);
    }
}

/* A cell that gives other numbers when it is run again is reported as not deterministic. */
static void other_bits_are_told(void **state)
{
    assert_int_equal(shell("rm -f s.db; assay sweep " BAD("random") "--problem spectral --T 10,20 --reps 1 "
                           "--store s.db -j1 "
                           "> out 2> err"), 4);
    assert_true(shell_contains("out", "not deterministic: two runs of this cell gave other numbers"));
    /* The record of the other cell, which ran once, is used again; the record of this cell is not. */
    shell("assay sweep " BAD("random") "--problem spectral --T 10,20 --reps 1 --store s.db -j1 > out 2> err");
    assert_true(shell_contains("err", "1 run, 1 reused"));
}

/* The first cell of a method that is a program is always run twice, and one in fifty of the other cells are; their
 * seeds decide which. Of the 99 others here 1 to 8 must be run twice. Cells of one program run in forked processes,
 * each of which finds an empty folder. */
static void some_cells_run_twice(void **state)
{
    need("numpy");
    assert_int_equal(shell("cat > counts.py << 'EOF'\n"
                           "import os, sys\n"
                           "from assay_method import method\n"
                           "def run(p):\n"
                           "    with open(sys.argv[1], 'a') as f: f.write('%%s %%s\\n' %% (p.seed, "
                           "os.listdir('.')))\n"
                           "    open('kept', 'w').close()\n"
                           "    return p.start\n"
                           "method(run, doc='counts its runs', calls=['gradient'])\n"
                           "EOF\n"), 0);
    assert_int_equal(shell("export PYTHONPATH='" SOURCE_DIR "/clients/python'; "
                           "assay sweep --method m='exec:python3 counts.py "
                           "'$PWD/runs --algorithm m --problem spectral --T 10,20 --reps 50 --store t.db -j1 "
                           "> out 2> err"), 0);
    assert_int_equal(shell("awk '{ n++; seen[$1$2$3$4]++; if ($5 != \"[]\") bad = 1 } "
                           "END { for (s in seen) { cells++; twice += seen[s] == 2 } "
                           "exit !(n == cells + twice && cells == 100 && twice >= 2 && twice <= 9 && "
                           "!bad) }' runs"), 0);
}

/* Programs of two methods in one worker do not end each other. */
static void methods_live_side_by_side(void **state)
{
    need("numpy");
    assert_int_equal(shell("assay sweep --method m=\"exec:python3 '" SOURCE_DIR "/tests/clients/bad.py' orphans\" "
                           "--method g=\"exec:python3 '" SOURCE_DIR
                           "/clients/python/gradient_descent.py'\" --algorithm m,g --problem spectral "
                           "--T 5..9 --reps 2 "
                           "--store two.db -j1 > out 2> err"), 0);
    assert_int_equal(shell("assay export --store two.db --format csv > c.csv && "
                           "! grep -E 'crashed|timeout|unstable' c.csv"), 0);
    assert_int_equal(shell(LEFT), 1);
}

/* Limits, descriptors, signals and variables of whoever starts assay do not reach the program. */
static void surroundings_are_clean(void **state)
{
    assert_int_equal(shell("python=$(python3 -c 'import sys; print(sys.executable)'); (ulimit -S -s 1024; "
                           "ulimit -S -t 3000; SECRET=1 OMP_NUM_THREADS=7 OPENBLAS_CORETYPE=Prescott env "
                           "--block-signal=USR1 "
                           "--ignore-signal=HUP " BUILD_DIR "/assay solve --memory 700 "
                           "--method m=\"exec:$python '" SOURCE_DIR
                           "/tests/clients/bad.py' surroundings 700\" --algorithm m " HERE "9< /dev/null > out "
                           "2> err)"), 2);
    if (!shell_contains("err", "m: nothing is strange")) {
        shell("cat err >&2");
        fail_msg("surroundings");
    }
}

/* If assay ends while two cells run, for whatever reason, its programs and the processes that these have started
 * end with it, and their folder is removed. */
static void programs_end_with_assay(void **state)
{
    static const char *const mode[] = { "never", "leaves" };
    static const char *const ends[] = { "-KILL", "-TERM", "-INT" };
    for (size_t k = 0; k < 6; k++) {
        const char *m = mode[k / 3];
        assert_int_equal(shell(BUILD_DIR "/assay sweep " BAD("%s") "--problem spectral --T 10,20 --reps 1 "
                               "--store k.db -j2 > out 2> err & "
                               "p=$!; for i in $(seq 600); do sleep 0.05; "
                               "test $(pgrep -fc '" SOURCE_DIR "/tests/clients/bad.py %s$') -ge 2 && "
                               "sleep 0.5 && break; "
                               "done; kill %s $p; wait $p; for i in $(seq 100); do sleep 0.05; "
                               "pgrep -f '" SOURCE_DIR "/tests/clients/bad.py (%s|sleeper)$' "
                               "> left || " FOLDERS " || exit 0; done; "
                               "exit 1", m, m, ends[k % 3], m), 0);
    }
}

/* The time of the forked process in which a cell runs counts as the time of the cell. The program works for half a
 * second. */
static void work_of_programs_is_timed(void **state)
{
    need("numpy");
    assert_int_equal(shell("cat > burns.py << 'EOF'\n"
                           "import time\n"
                           "from assay_method import method\n"
                           "def run(p):\n"
                           "    end = time.process_time() + 0.5\n"
                           "    while time.process_time() < end: pass\n"
                           "    return p.start\n"
                           "method(run, doc='burns', calls=['gradient'])\n"
                           "EOF\n"
                           "export PYTHONPATH='" SOURCE_DIR "/clients/python'; "
                           "assay sweep --method m='exec:python3 burns.py' "
                           "--algorithm m --problem spectral --T 10,20 --reps 1 --store b.db -j1 > out 2> err"), 0);
    assert_int_equal(shell("sqlite3 b.db 'select seconds from records' | awk '$1 < 0.49 || "
                           "$1 > 20 { print; bad = 1 } "
                           "END { exit NR != 2 || bad }'"), 0);
    /* The time limit of a cell counts the time of the forked process, too. */
    assert_int_equal(shell("PYTHONPATH='" SOURCE_DIR "/clients/python' assay sweep "
                           "--method m='exec:python3 burns.py' --algorithm m "
                           "--problem spectral --T 10,20 --reps 1 --timeout 0.2 -j1 > out 2> err"), 4);
    assert_true(shell_contains("out", "its processor time is spent") || shell_contains("out", "s of real time"));
}

/* Long vectors have the same numbers through shared memory as through the pipe, which bad.py uses. */
static void long_vectors_are_shared(void **state)
{
    need("numpy");
    for (int d = 8192; d <= 20000; d += 11808) {
        assert_int_equal(shell("assay solve --verbose " BAD("good") "--problem spectral --d %d --T 5 "
                               "> out 2> err && "
                               "grep -E 'excess|distance|full_grads' out > long", d), 0);
        assert_int_equal(shell("assay solve --verbose " PYTHON("gradient_descent.py") "--problem spectral "
                               "--d %d --T 5 "
                               "--set algo.step=0.5 > out 2> err && grep -E 'excess|distance|full_grads' out | "
                               "diff - long", d),
                         0);
    }
}

/* All calls of the oracle are made from Python, and compared with a closed form where there is one. */
static void every_call_is_answered(void **state)
{
    need("numpy");
    assert_int_equal(shell("assay solve --verbose "
                           "--method m=\"exec:python3 '" SOURCE_DIR "/tests/clients/calls.py'\" "
                           "--algorithm m --data heart_scale --loss logistic --l1 0.01 --radius 2 --budget 10000 "
                           "> out 2> err"),
                     0);
    assert_int_equal(shell("! grep -i 'differ' err"), 0);
    /* The counts follow from the questions that calls.py asks. */
    static const char *const lines[] = { "full_values +70$", "noise_gauss +1$", "noise_laplace +13$", "prox +1$",
                                         "project_0 +1$",
                                         "depth +5$" };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (shell("grep -Eq ' %s' out", lines[k]))
            fail_msg("expected '%s'", lines[k]);
}

/* A parameter whose default is an int is one in Python, also after --set. */
static void whole_parameters_are_whole(void **state)
{
    need("numpy");
    assert_int_equal(shell("cat > whole.py << 'EOF'\n"
                           "from assay_method import method\n"
                           "def run(p):\n"
                           "    said = [(k, p.param[k]) for k in sorted(p.param)]\n"
                           "    if repr(said) != \"[('K', 3), ('T', 7), ('step', 2.0), ('way', 'a')]\":\n"
                           "        raise ValueError(said)\n"
                           "    return p.start + sum(0 for t in range(p.param['T']))\n"
                           "method(run, doc='counts', calls=['gradient'], params={'T': 7, 'step': 2.0, "
                           "'K': {'default': 2, 'range': (1, 5)}, 'way': ['a', 'b']})\n"
                           "EOF\n"
                           "PYTHONPATH='" SOURCE_DIR "/clients/python' assay solve "
                           "--method m='exec:python3 whole.py' --algorithm m --set algo.K=3 " HERE
                           "> out 2> err || { cat err >&2; exit 1; }"), 0);
}

/* A process that a cell leaves behind has ended when the next cell begins, also if it has left the program's
 * group. */
static void no_process_reaches_the_next_cell(void **state)
{
    need("numpy");
    assert_int_equal(shell("cat > leaves.py << 'EOF'\n"
                           "import os, subprocess, sys\n"
                           "from assay_method import method\n"
                           "def run(p):\n"
                           "    with open(sys.argv[1], 'a+') as f:\n"
                           "        f.seek(0)\n"
                           "        for pid in f.read().split():\n"
                           "            if os.path.exists('/proc/' + pid): raise ValueError('left: ' + pid)\n"
                           "        for new in False, True:\n"
                           "            child = subprocess.Popen(['sleep', '600'], start_new_session=new)\n"
                           "            f.write('%%d\\n' %% child.pid)\n"
                           "    return p.start\n"
                           "method(run, doc='leaves processes', calls=['gradient'])\n"
                           "EOF\n"
                           "PYTHONPATH='" SOURCE_DIR "/clients/python' assay sweep "
                           "--method m='exec:python3 leaves.py '$PWD/pids --algorithm m --problem spectral "
                           "--T 5,10,20 --reps 1 --store l.db -j1 > out 2> err && test $(wc -l < pids) -ge 8"), 0);
}

/* If a method answers with no numbers, its last mark is the answer. */
static void the_last_mark_is_kept(void **state)
{
    assert_int_equal(shell("assay solve --verbose " BAD("last-mark") HERE "> out 2> err && "
                           "grep -E 'excess|distance' out > mark"), 0);
    assert_int_equal(shell("assay solve --verbose --algorithm gd --problem spectral --T 1 "
                           "--set algo.step=0.5 > out && "
                           "grep -E 'excess|distance' out | diff - mark"), 0);
}

/* A method that says that it has noise of its own runs, and its privacy is not audited. */
static void noise_of_its_own_is_not_audited(void **state)
{
    need("numpy");
    assert_int_equal(shell("sed 's/adjacency=\"zero-out\"/adjacency=\"zero-out\", own=True/' '" SOURCE_DIR
                           "/clients/python/dp_sgd.py' > own.py && "
                           "export PYTHONPATH='" SOURCE_DIR "/clients/python' && "
                           "assay solve --method m='exec:python3 own.py' --algorithm m --problem linear "
                           "--n 100 --eps 1 "
                           "--set goal.delta=1e-5 > out 2> err && grep -q '^  not audited ' out && "
                           "! assay audit --method m='exec:python3 own.py' --algorithm m --replay "
                           "> out 2> err"), 0);
    assert_true(shell_contains("err", "m is not audited: it says that it has noise or data of its own"));
}

/* The fingerprint includes the files of a method: a changed script runs its cells again, an unchanged one does
 * not. */
static void a_changed_file_runs_again(void **state)
{
    static const char line[] = "assay sweep --method m='exec:python3 mine.py good' --algorithm m "
                               "--problem spectral --T 10,20 "
                               "--reps 1 --store f.db -j1 > out 2> err";
    assert_int_equal(shell("cp '" SOURCE_DIR "/tests/clients/bad.py' mine.py && %s && "
                           "grep -q '2 run, 0 reused' err", line), 0);
    assert_int_equal(shell("%s && grep -q '0 run, 2 reused' err", line), 0);
    assert_int_equal(shell("echo '# a comment' >> mine.py && %s && grep -q '2 run, 0 reused' err", line), 0);
    /* A copy of the script in another folder is the same method. */
    assert_int_equal(shell("mkdir -p there && cp mine.py f.db there && cd there && %s && "
                           "grep -q '0 run, 2 reused' err", line), 0);
    need("numpy");
    /* A module in the folder of the script, and the version of a library, are part of the fingerprint. */
    static const char python[] = "assay sweep --method m='exec:python3 mine.py' --algorithm m "
                                 "--problem spectral --T 10,20 "
                                 "--reps 1 --store v.db -j1 > out 2> err";
    assert_int_equal(shell("libs=libs/site-packages; mkdir -p $libs/scipy && "
                           "echo '__version__ = \"1\"' > $libs/scipy/__init__.py && cp '" SOURCE_DIR
                           "/clients/python/assay_method.py' . && printf 'step = 0.5\n' > beside.py && "
                           "printf 'import scipy, beside\n"
                           "' | cat - '" SOURCE_DIR "/clients/python/gradient_descent.py' > mine.py"),
                     0);
    assert_int_equal(shell("export PYTHONPATH=$PWD/libs/site-packages; %s && grep -q '2 run, 0 reused' err && "
                           "echo '# a comment' >> libs/site-packages/scipy/__init__.py && %s && "
                           "grep -q '0 run, 2 reused' err", python, python), 0);
    assert_int_equal(shell("echo '__version__ = \"2\"' > libs/site-packages/scipy/__init__.py; "
                           "export PYTHONPATH=$PWD/libs/site-packages; %s && "
                           "grep -q '2 run, 0 reused' err", python), 0);
    assert_int_equal(shell("echo 'step = 0.25' > beside.py; export PYTHONPATH=$PWD/libs/site-packages; %s && "
                           "grep -q '2 run, 0 reused' err", python), 0);
    /* So are a module of a package beside the script, and one in a folder of PYTHONPATH. */
    assert_int_equal(shell("mkdir -p mylib other && touch mylib/__init__.py mylib/core.py other/far.py && "
                           "sed -i '1i import mylib.core, far' mine.py && "
                           "export PYTHONPATH=$PWD/other:$PWD/libs/site-packages && "
                           "%s && grep -q '2 run, 0 reused' err && %s && grep -q '0 run, 2 reused' err && "
                           "echo step = 1 > mylib/core.py && %s && grep -q '2 run, 0 reused' err && "
                           "echo step = 1 > other/far.py && %s && grep -q '2 run, 0 reused' err",
                           python, python, python, python), 0);
    /* So is a module beside a script that lies in an installed package. */
    assert_int_equal(shell("mkdir -p in/site-packages/tool && cp mine.py assay_method.py beside.py in/site-packages/tool && "
                           "export PYTHONPATH=$PWD/other:$PWD/libs/site-packages:$PWD && "
                           "cp -r mylib in/site-packages/tool && cd in/site-packages/tool && "
                           "%s && %s && grep -q '0 run, 2 reused' err && echo 'step = 0.125' > beside.py && %s && "
                           "grep -q '2 run, 0 reused' err", python, python, python), 0);
    /* A copy whose folders have another order is the same method. */
    assert_int_equal(shell("rm -rf there && mkdir -p there/aa/other && cp -r *.py mylib v.db there && "
                           "cp other/far.py there/aa/other && cd there && "
                           "export PYTHONPATH=$PWD/aa/other:$PWD/../libs/site-packages && "
                           "%s && grep -q '0 run, 2 reused' err", python), 0);
}

/* What a method is and its source are cut to what the harness keeps, in bytes, and no letter is cut in two. */
static void long_texts_are_cut(void **state)
{
    need("numpy");
    assert_int_equal(shell("sed 's/doc=\"[^\"]*\"/doc=\"\\\\xe9\" * 300, cite=\"a\" + \"\\\\xe9\" * 300/' "
                           "'" SOURCE_DIR "/clients/python/gradient_descent.py' > long.py && "
                           "grep -q 'xe9' long.py && PYTHONPATH='" SOURCE_DIR "/clients/python' assay solve "
                           "--method m='exec:python3 long.py' --algorithm m " HERE "> out 2> err"), 0);
}

/* A private method in Python: its ledger costs what the classical bound promises, and replay finds nothing. Replay
 * finds the leak of a method that uses the norm of a gradient before noise. */
static void leaks_are_found(void **state)
{
    need("numpy");
    assert_int_equal(shell("assay audit " PYTHON("dp_sgd.py") "--replay --reps 3 > out 2> err"), 0);
    assert_true(shell_contains("out", "verdict     OK"));
    assert_int_equal(shell("assay audit " PYTHON("leaking_dp_sgd.py") "--replay --reps 3 > out 2> err"), 1);
    assert_true(shell_contains("out", "the answer depends on data that were not released"));
}

/* A study file starts no program unless the command line allows it. */
static void files_start_nothing(void **state)
{
    assert_int_equal(shell("printf '[sweep]\nalgorithm = m\nproblem = spectral\nT = 10,20\nreps = 1\n"
                           "method = m=exec:sh -c \"touch started\"\n' > study.ini && "
                           "assay sweep study.ini --store st.db > out 2> err"), 2);
    assert_true(shell_contains("err", "study.ini:6: method: a file starts no program, expected --allow-exec"));
    assert_int_equal(shell("test ! -e started"), 0);
    assert_int_equal(shell("printf 'allow-exec = yes\n' >> study.ini && assay sweep study.ini --store st.db "
                           "> out 2> err"), 2);
    assert_int_equal(shell("sed -i '/allow-exec/d; "
                           "s|^method = .*|method = m=exec:python3 " SOURCE_DIR "/tests/clients/bad.py "
                           "good|' study.ini && assay sweep study.ini --allow-exec --store st.db > out 2> err"), 0);
}

/* A claim of a paper runs the program that the paper names; where the program does not start, the claim is not run
 * and its reason says so. The quick profile has no such claim and starts no program. */
static void claims_run_programs_of_papers(void **state)
{
    assert_int_equal(shell("mkdir -p libs/scipy && echo 'raise ImportError(\"no SciPy here\")' "
                           "> libs/scipy/__init__.py; "
                           "PYTHONPATH=$PWD/libs assay verify --claim 'peers/cg.floor*' --profile nightly "
                           "--store n.db "
                           "> out 2> err"), 3);
    assert_true(shell_contains("out", "1 not run"));
    assert_true(shell_contains("err", "peers/cg.floor.excess.T is not run: its program does not run: "));
    assert_int_equal(shell("PYTHONPATH=$PWD/libs assay verify --claim 'peers/*' --profile quick --store n.db "
                           "> out 2> err; "
                           "grep -q 'does not run' out err"), 1);
    if (shell("python3 -c 'import scipy.optimize' 2> /dev/null")) {
        print_message("skip: no scipy\n");
        return;
    }
    assert_int_equal(shell("assay verify --claim 'peers/cg.floor*' --profile nightly --store y.db -j1 "
                           "> out 2> err"), 0);
    assert_true(shell_contains("out", "1 supported") && shell_contains("out", "controls: 1 of 1 caught"));
    /* The program is started also where the name of assay's folder has an apostrophe. */
    assert_int_equal(shell("mkdir -p \"it's/bin\" && cp '" BUILD_DIR "/assay' \"it's/bin\" && "
                           "cp -r '" SOURCE_DIR "/clients' \"it's\" && \"it's/bin/assay\" verify "
                           "--claim 'peers/cg.floor*' --profile nightly --store x.db -j1 > out 2> err"), 0);
    assert_true(shell_contains("out", "1 supported"));
    /* The cells of a paper's program are not known to `solve`: the text of such a cell alone starts nothing. */
    assert_int_equal(shell("sqlite3 y.db \"select count(*) from records where cell like '%%algo scipy "
                           "method=CG%%'\" > n && "
                           "test $(cat n) -eq 10 && assay solve --algorithm scipy --problem chain --T 10 "
                           "> out 2> err"), 2);
    assert_true(shell_contains("err", "unknown algorithm 'scipy'"));
    /* The verb rerun starts the program, and its command names none. */
    assert_int_equal(shell("sqlite3 y.db \"select cell from records where cell like '%%algo scipy method=CG%%' "
                           "limit 1\" > cell && assay rerun \"$(cat cell)\" --store y.db > out 2> err"), 0);
    assert_true(shell_contains("err", "equal to the stored record, bit for bit"));
    assert_int_equal(shell("grep -rq 'assay rerun ' results/report && ! grep -rq -- --method results/report"), 0);
}

/* The printed command that repeats a run names the programs that --method has loaded. */
static void the_printed_command_has_the_program(void **state)
{
    assert_int_equal(shell("assay solve " BAD("good") HERE "--store s.db > out 2> err && "
                           "eval \"$(sed -n 's/^again *//p' out) --format csv\" > again 2> err && "
                           "grep -q measure.excess again"), 0);
}

static void bad_specifications(void **state)
{
    static const struct { const char *method, *said; } bad[] = {
        { "m", "expected NAME='exec:PROGRAM ARGS'" },
        { "m=python3 x.py", "expected NAME='exec:PROGRAM ARGS'" },
        { "M=exec:true", "expected a name of a-z, 0-9, - and _" },
        { "gd=exec:true", "a method of this name exists" },
        { "m=exec:", "expected PROGRAM ARGS" },
        { "m=exec:echo $(id)", "expected PROGRAM ARGS" },
        { "m=exec:/nowhere/program", "/nowhere/program: No such file or directory" },
        { "m=exec:true", "the program ended before its answer (exit code 0)" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(shell("assay solve --method '%s' --algorithm gd " HERE "> out 2> err", bad[k].method), 2);
        if (shell_lines("err") != 1 || !shell_contains("err", bad[k].said))
            fail_msg("%s: expected '%s'", bad[k].method, bad[k].said);
    }
}

/* A program that starts and never says what it declares is given up after the limit, and ended. */
static void a_silent_program_is_given_up(void **state)
{
    struct why why;
    method_hello_limit(0.5);
    double began = clock_monotonic();
    assert_int_equal(method_load("m=exec:python3 '" SOURCE_DIR "/tests/clients/bad.py' silent-hello", &why),
                     BAD_INPUT);
    assert_true(clock_monotonic() - began >= 0.5);
    assert_string_equal(why.text, "--method m: it has not said within 0.5 s what it declares (docs/methods.md)");
    assert_int_equal(shell(LEFT), 1);
    method_hello_limit(60);
}

/* A question for many points is answered with the values and gradients that single questions get. Points of 100
 * entries come through the pipe, points of 1000 through shared memory; single points come through the pipe. */
static void many_points_are_answered_as_one(void **state)
{
    need("numpy");
    assert_int_equal(shell("cat > many.py << 'EOF'\n"
                           "from assay_method import method\n"
                           "def run(p):\n"
                           "    x = p.rng.standard_normal((70, p.d))\n"
                           "    f, g, h = p.values(x), p.gradients(x), p.gradients(list(x[:3]))\n"
                           "    for k in range(70):\n"
                           "        one = p.gradient(x[k])\n"
                           "        if f[k] != p.value(x[k]) or (g[k] != one).any() or k < 3 and (h[k] != one)"
                           ".any():\n"
                           "            raise ValueError('point %%d differs' %% k)\n"
                           "    return x[0]\n"
                           "method(run, doc='asks many points')\n"
                           "EOF\n"), 0);
    for (int d = 100; d <= 1000; d += 900) {
        assert_int_equal(shell("PYTHONPATH='" SOURCE_DIR "/clients/python' assay solve --verbose "
                               "--method m='exec:python3 many.py' --algorithm m --problem spectral --d %d "
                               "--T 1000 > out 2> err", d), 0);
        assert_int_equal(shell("grep -Eq ' full_values +140$' out && grep -Eq ' full_grads +143$' out"), 0);
    }
}

/* --- fields of messages */

/* What is written is read back. A message that is cut anywhere, or has a byte too many, is not complete. */
static void fields_are_read_back(void **state)
{
    struct wire_out w = { 0 };
    double x[3] = { 1.5, -0.0, 1e-310 }, y[3];
    char text[8];
    wire_begin(&w, 7);
    wire_u32(&w, 0xfedcba98u);
    wire_text(&w, "name");
    wire_vec(&w, 3, x);
    wire_f64(&w, -2.25);
    wire_end(&w);
    for (size_t cut = 0; cut <= w.n - WIRE_HEADER + 1; cut++) {
        size_t n = cut <= w.n - WIRE_HEADER ? cut : w.n - WIRE_HEADER;
        unsigned char *copy = malloc(cut + 1);               /* memory of exactly this size, so that a sanitizer
                                                                notices a read behind the end */
        memcpy(copy, w.at + WIRE_HEADER, n);
        struct wire_in in = { .at = copy, .n = cut };
        copy[cut] = 0;
        uint32_t first = wire_get_u32(&in);
        wire_get_text(&in, sizeof text, text);
        wire_get_vec(&in, 3, y);
        double last = wire_get_f64(&in);
        assert_int_equal(wire_whole(&in), cut == w.n - WIRE_HEADER);
        if (cut == w.n - WIRE_HEADER) {
            assert_true(first == 0xfedcba98u && strcmp(text, "name") == 0 && last == -2.25);
            assert_memory_equal(x, y, sizeof x);
        }
        free(copy);
    }
    /* The bytes of a message are: the size, the kind, then little-endian numbers. */
    static const unsigned char head[] = { 48, 0, 0, 0, 7, 0, 0, 0, 0x98, 0xba, 0xdc, 0xfe, 4, 0, 0, 0, 'n',
                                          'a', 'm', 'e' };
    assert_memory_equal(w.at, head, sizeof head);
    wire_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_read_back),
        cmocka_unit_test(gradient_descent_is_the_same),
        cmocka_unit_test(clients_ask_the_same),
        cmocka_unit_test(errors_of_r_are_told),
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(a_silent_program_is_given_up),
        cmocka_unit_test(a_fault_costs_one_cell),
        cmocka_unit_test(programs_that_hang_cost_their_cells),
        cmocka_unit_test(other_bits_are_told),
        cmocka_unit_test(some_cells_run_twice),
        cmocka_unit_test(methods_live_side_by_side),
        cmocka_unit_test(surroundings_are_clean),
        cmocka_unit_test(programs_end_with_assay),
        cmocka_unit_test(work_of_programs_is_timed),
        cmocka_unit_test(long_vectors_are_shared),
        cmocka_unit_test(many_points_are_answered_as_one),
        cmocka_unit_test(every_call_is_answered),
        cmocka_unit_test(the_last_mark_is_kept),
        cmocka_unit_test(whole_parameters_are_whole),
        cmocka_unit_test(no_process_reaches_the_next_cell),
        cmocka_unit_test(noise_of_its_own_is_not_audited),
        cmocka_unit_test(a_changed_file_runs_again),
        cmocka_unit_test(the_printed_command_has_the_program),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(leaks_are_found),
        cmocka_unit_test(files_start_nothing),
        cmocka_unit_test(claims_run_programs_of_papers),
        cmocka_unit_test(bad_specifications),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
