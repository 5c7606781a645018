/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exec.c - methods that are programs. A method in another language must have the digits and counts of the
 * program's own gradient descent; a program that breaks the protocol gets one line that says how it does.
 * tests/clients/bad.py is written from docs/methods.md and shares no code with the clients. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"
#include "exec/wire.h"

#define BAD(mode) "--method m=\"exec:python3 '" SOURCE_DIR "/tests/clients/bad.py' " mode "\" --algorithm m "
#define PYTHON(file) "--method m=\"exec:python3 '" SOURCE_DIR "/clients/python/" file "'\" --algorithm m "
#define HERE "--problem spectral --T 20 "

static int begin(void **state)
{
    shell_begin();
    return shell("assay solve --algorithm gd --verbose " HERE "--set algo.step=0.5 > own.txt && "
                 "grep -E 'excess|distance|batch_steps|full_grads' own.txt > own && test $(wc -l < own) -eq 4");
}

/* Nothing is left behind: no process of the clients, no folder. */
static int end(void **state)
{
    int left = shell("pgrep -f '[b]ad.py|sleep 98765[4]' > left");
    int folders = shell("ls -d /tmp/assay-methods-* 2> /dev/null | xargs -r -n 1 stat -c %%Y | "
                        "awk -v t=$(stat -c %%Y own.txt) '$1 > t { bad = 1 } END { exit !bad }'");
    shell_end();
    return left == 0 || folders == 0;
}

static bool no_numpy(void)
{
    if (shell("python3 -c 'import numpy' 2> /dev/null") == 0)
        return false;
    print_message("skip: no numpy\n");
    return true;
}

/* The same digits and counts as the program's own method, however the messages are cut. */
static void gradient_descent_is_the_same(void **state)
{
    static const char *const good[] = { "good", "bytewise", "chatty", "orphans" };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        assert_int_equal(shell("assay solve --verbose " BAD("%s") HERE "> out 2> err", good[k]), 0);
        assert_int_equal(shell("grep -E 'excess|distance|batch_steps|full_grads' out | diff - own"), 0);
    }
    assert_int_equal(shell("pgrep -f 'sleep 98765[4]' > left"), 1);
}

static void clients_ask_the_same(void **state)
{
    if (no_numpy())
        skip();
    assert_int_equal(shell("assay solve --verbose " PYTHON("gradient_descent.py") HERE "--set algo.step=0.5 > out 2> err"), 0);
    assert_int_equal(shell("grep -E 'excess|distance|batch_steps|full_grads' out | diff - own"), 0);
    if (shell("command -v Rscript > /dev/null")) {
        print_message("skip: no Rscript\n");
        return;
    }
    assert_int_equal(shell("assay solve --verbose --method m=\"exec:Rscript '" SOURCE_DIR "/clients/r/gradient_descent.R'\" "
                           "--algorithm m " HERE "> out 2> err"), 0);
    assert_int_equal(shell("grep -E 'excess|distance|batch_steps|full_grads' out | diff - own"), 0);
}

/* Every fault ends one run, with one line that says which. */
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
        { "gives-up", "the start is not feasible", 2 },
        { "early", "its first message is of kind 11, expected 1", 2 },
        { "version", "it speaks version 99 of the protocol, expected 1", 2 },
        { "short-hello", "what it declares is not complete", 2 },
        { "lost-file", "/nowhere/module.py, a file that it consists of: No such file or directory", 2 },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        int code = shell("assay solve " BAD("%s") HERE "> out 2> err", bad[k].mode);
        if (code != bad[k].code || !shell_contains("err", bad[k].said) || shell_lines("err") != 1)
            fail_msg("%s: exit %d, expected %d and '%s'", bad[k].mode, code, bad[k].code, bad[k].said);
    }
}

/* A program that never answers, waits for itself, is stopped or lingers fails its cells; the cells of the other
 * method go on. */
static void programs_that_hang_cost_their_cells(void **state)
{
    static const char *const mode[] = { "never", "stopped", "spins", "lingers" };
    for (size_t k = 0; k < sizeof mode / sizeof *mode; k++) {
        assert_int_equal(shell("rm -f s.db; assay sweep --method m=\"exec:python3 '" SOURCE_DIR "/tests/clients/bad.py' %s\" "
                               "--algorithm m,gd --problem spectral --T 10,20 --reps 1 --timeout 0.3 --store s.db -j2 "
                               "> out 2> err", mode[k]), 4);
        assert_int_equal(shell("assay export --canonical --store s.db --format csv > c.csv && grep 'algo gd' c.csv | "
                               "grep -vq timeout && grep 'algo m' c.csv | grep -q timeout"), 0);
    }
}

/* Two runs of a cell that differ in a bit are an outcome. */
static void other_bits_are_told(void **state)
{
    assert_int_equal(shell("rm -f s.db; assay sweep " BAD("random") "--problem spectral --T 10,20 --reps 1 --store s.db -j1 "
                           "> out 2> err"), 4);
    assert_true(shell_contains("out", "not deterministic: two runs of this cell gave other numbers"));
}

/* The fingerprint includes the files of a method: a changed script runs its cells again, an unchanged one does
 * not. */
static void a_changed_file_runs_again(void **state)
{
    static const char line[] = "assay sweep --method m='exec:python3 mine.py good' --algorithm m --problem spectral --T 10,20 "
                               "--reps 1 --store f.db -j1 > out 2> err";
    assert_int_equal(shell("cp '" SOURCE_DIR "/tests/clients/bad.py' mine.py && %s && grep -q '2 run, 0 reused' err", line), 0);
    assert_int_equal(shell("%s && grep -q '0 run, 2 reused' err", line), 0);
    assert_int_equal(shell("echo '# a comment' >> mine.py && %s && grep -q '2 run, 0 reused' err", line), 0);
}

/* A private method in Python: its ledger costs what the classical bound promises, and replay finds nothing. Replay
 * finds the leak of a method that uses the norm of a gradient before noise. */
static void leaks_are_found(void **state)
{
    if (no_numpy())
        skip();
    assert_int_equal(shell("assay audit " PYTHON("dp_sgd.py") "--replay --reps 3 > out 2> err"), 0);
    assert_true(shell_contains("out", "verdict     OK"));
    assert_int_equal(shell("assay audit " PYTHON("leaking_dp_sgd.py") "--replay --reps 3 > out 2> err"), 1);
    assert_true(shell_contains("out", "the answer depends on data that were not released"));
}

/* A study file starts nothing unless the command line allows it. */
static void files_start_nothing(void **state)
{
    assert_int_equal(shell("printf '[sweep]\nalgorithm = m\nproblem = spectral\nT = 10,20\nreps = 1\n"
                           "method = m=exec:sh -c \"touch started\"\n' > study.ini && "
                           "assay sweep study.ini --store st.db > out 2> err"), 2);
    assert_true(shell_contains("err", "study.ini:6: method: a file starts no program, expected --allow-exec"));
    assert_int_equal(shell("test ! -e started"), 0);
    assert_int_equal(shell("printf 'allow-exec = yes\n' >> study.ini && assay sweep study.ini --store st.db > out 2> err"), 2);
    assert_int_equal(shell("sed -i '/allow-exec/d; s|^method = .*|method = m=exec:python3 " SOURCE_DIR "/tests/clients/bad.py "
                           "good|' study.ini && assay sweep study.ini --allow-exec --store st.db > out 2> err"), 0);
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

/* --- fields of messages */

/* What is written is read back. A message that is cut anywhere, or has a byte too many, is not complete. */
static void fields_are_read_back(void **state)
{
    struct wire_out w = { NULL, 0, 0 };
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
        unsigned char *copy = malloc(cut + 1);               /* so that a sanitizer notices a read behind the end */
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
    /* the bytes themselves: size, kind, then little-endian numbers */
    static const unsigned char head[] = { 48, 0, 0, 0, 7, 0, 0, 0, 0x98, 0xba, 0xdc, 0xfe, 4, 0, 0, 0, 'n', 'a', 'm', 'e' };
    assert_memory_equal(w.at, head, sizeof head);
    wire_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_read_back),
        cmocka_unit_test(gradient_descent_is_the_same),
        cmocka_unit_test(clients_ask_the_same),
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(programs_that_hang_cost_their_cells),
        cmocka_unit_test(other_bits_are_told),
        cmocka_unit_test(a_changed_file_runs_again),
        cmocka_unit_test(leaks_are_found),
        cmocka_unit_test(files_start_nothing),
        cmocka_unit_test(bad_specifications),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
