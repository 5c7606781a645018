/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cli.c - bad input: one clear line on stderr, exit 2, nothing left on disk; and the shapes of
 * what the lists print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "shell.h"

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

/* Each: exit 2, one line that begins with "assay:" and names what was wrong. */
static void bad_input(void **state)
{
    static const struct { const char *line, *words; } bad[] = {
        { "verify --n banana", "banana" },
        { "verify --n 1..2..3", "2..3" },
        { "verify --paper nothing", "nothing selected" },
        { "verify --claim 'no/such*'", "nothing selected" },
        { "verify --profile weekly", "weekly" },
        { "verify --seed -3", "-3" },
        { "verify --reps 0", "0" },
        { "verify --d 8,32 --claim baselines/gd.count.full_grads.T", "several values" },
        { "verify --set algo.stepp=1 --claim baselines/gd.bound.excess.step", "did you mean step" },
        { "verify --set banana", "NAME=VALUE" },
        { "verify --set fruit.banana=1", "problem.NAME" },
        { "verify --T 2^99 --claim baselines/sgd.count.sample_grads.n --set algo.B=0.5", "integer" },
        { "verfiy", "did you mean verify" },
        { "list fruit", "fruit" },
        { "rerun 'problem spectral'", "expected" },
        { "rerun 'problem spectral | algo nothing | goal T=3 | run | rep 0'", "nothing" },
        { "rerun", "expected" },
        { "explain 'baselines/*'", "assay.db" },
        { "export", "assay.db" },
        { "solve --algorithm sgd", "--problem" },
        { "solve --algorithm sgd --problem spectrall --n 10", "spectrall" },
        { "solve --algorithm sgdd --problem spectral --n 10", "sgdd" },
        { "solve --algorithm sgd --problem spectral --n 10 --d 1.5", "integer" },
        { "solve --algorithm gd --problem spectral --n 10", "give goal T" },
        { "solve --algorithm gd --problem linear --d 2,3", "one value" },
        { "solve --algorithm gd --data no-such-file.libsvm", "no-such-file.libsvm" },
        { "solve --algorithm gd --data x --problem spectral", "not both" },
        { "solve --algorithm gd --data heart_scale --loss fruit", "fruit" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        int code = shell("assay %s > out.txt 2> err.txt", bad[k].line);
        if (code != 2 || shell_lines("err.txt") != 1 || !shell_contains("err.txt", bad[k].words) ||
            !shell_contains("err.txt", "assay:"))
            fail_msg("assay %s: exit %d, %s", bad[k].line, code, shell_read("err.txt"));
        assert_int_equal(shell("test ! -e results"), 0);
    }
}

static void environment_twins(void **state)
{
    assert_int_equal(shell("ASSAY_PROFILE=weekly assay plan 2> err.txt"), 2);
    assert_int_equal(shell("ASSAY_CLAIM='baselines/gd.count*' assay plan > a.txt && "
                           "assay plan --claim 'baselines/gd.count*' > b.txt && cmp a.txt b.txt"), 0);
    assert_int_equal(shell("ASSAY_CLAIM=nothing assay plan --claim 'baselines/gd.count*' > a.txt"), 0);
}

static void lists(void **state)
{
    assert_int_equal(shell("assay list claims --format csv | head -n 1 > a.txt"), 0);
    char *text = shell_read("a.txt");
    assert_string_equal(text, "id,paper,sheet,check,axis,kind,profiles,control\n");
    free(text);
    assert_int_equal(shell("assay list algorithms | grep -q '^sgd ' && assay list problems | grep -q '^spectral '"), 0);
    assert_int_equal(shell("assay list algorithms --planted | grep -q '^planted-crash '"), 0);
    assert_int_equal(shell("assay list algorithms | grep -c planted | grep -qx 0"), 0);
}

/* Numbers as users write them, and the same run from its canonical text. */
static void solve_says_the_same_again(void **state)
{
    assert_int_equal(shell("assay solve --algorithm gd --problem chain --T 2^4 --d 33 --format csv --canonical > a.txt"), 0);
    assert_int_equal(shell("assay rerun 'problem chain d=33 | algo gd | goal T=16 | run | rep 0' --format csv "
                           "--canonical > b.txt 2> err"), 0);
    assert_int_equal(shell("grep -v '^cell,' a.txt | cmp - b.txt || cmp a.txt b.txt"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bad_input, begin, end),
        cmocka_unit_test_setup_teardown(environment_twins, begin, end),
        cmocka_unit_test_setup_teardown(lists, begin, end),
        cmocka_unit_test_setup_teardown(solve_says_the_same_again, begin, end),
    };
    return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
