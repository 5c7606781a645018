/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_rules.c - the rules about what a claim must be able to fail: planted claims that each rule must stop, and
 * sound ones beside them that pass, on a method whose excess is known in closed form. Ill-made claims are
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cell/registry.h"
#include "judge/rules.h"
#include "support/shell.h"

/* The numbers in the messages follow from the settings of planted-lever in these claims: its excess falls as
 * T^(-1/2) on every instance (1.start); it is 0.95 of that at the start (1.level); noise makes 1/3 = 0.5/1.5 of it
 * (2.carries); the mechanism acts in 0.3 of the iterations (3.acts); the bound is 20 = 10/0.5 times the excess
 * (5.far). */
static const struct { const char *claim, *word, *says; } stopped[] = {
    { "1.start", "INCONCLUSIVE", "rule 1, hollow: staying at the start falls as T^-0.5 too" },
    { "1.follows", "INCONCLUSIVE", "rule 1, hollow: problem.dist follows T without a search, and staying at the "
     "start moves as T^-0.2" },
    { "1.grid", "INCONCLUSIVE", "rule 1, hollow: the hardest problem.dist for staying at the start is 0.758 at T = "
     "4 and 0.66 at 8" },
    { "1.level", "INCONCLUSIVE", "leaves up to 0.95 of what staying at the start has, expected at most 0.9" },
    { "1.bound", "INCONCLUSIVE", "rule 1, hollow: staying at the start passes the check too" },
    { "1.hit", "INCONCLUSIVE", "rule 1, hollow: at T = 4 staying at the start is within the target at no cost" },
    { "1.reaches", "INCONCLUSIVE", "staying at the start has reached the excess at no cost" },
    { "1.missed", "INCONCLUSIVE", "rule 1: at T = 4 0 of the runs reach their excess, expected 1" },
    { "2.unnamed", "INCONCLUSIVE", "rule 2: it names no mechanism of planted-lever" },
    { "2.kept", "INCONCLUSIVE", "rule 2: no control is the run without its mechanism, power" },
    { "2.carries", "INCONCLUSIVE", "the mechanism carries 0.333 of excess" },
    { "2.nothing", "INCONCLUSIVE", "rule 2: without its mechanism, nothing, the method is better than staying at "
     "the start at 0 of 5" },
    { "3.acts", "INCONCLUSIVE", "rule 3: at T = 4 its mechanism acts in 0.3 of the iterations" },
    { "5.far", "HOLDS", "slack 20" },
    { "5.uncaught", "HOLDS", "no control exceeds the bound" },
    { "6.count", "IDENTITY", "rule 6: " },
};

static void hollow_claims_are_stopped(void **state)
{
    assert_int_equal(shell("assay verify --planted --claim 'planted/hollow*' --format csv > out 2> err"), 3);
    assert_int_equal(shell("grep -c '^\"*planted/hollow' out > n && test $(cat n) -eq %d",
                           (int)(sizeof stopped / sizeof *stopped)), 0);
    assert_false(shell_contains("out", "SUPPORTED"));
    for (size_t k = 0; k < sizeof stopped / sizeof *stopped; k++) {
        assert_int_equal(shell("assay explain --planted 'planted/hollow.%s' | tr -s ' \\n' ' ' > one",
                               stopped[k].claim), 0);
        if (!shell_contains("one", stopped[k].word) || !shell_contains("one", stopped[k].says))
            fail_msg("planted/hollow.%s: expected %s, %s", stopped[k].claim, stopped[k].word, stopped[k].says);
    }
}

static void sound_claims_pass(void **state)
{
    assert_int_equal(shell("assay verify --planted --claim 'planted/sound*' --format csv > out 2> err"), 0);
    assert_int_equal(shell("test $(grep -c 'SUPPORTED' out) -eq 10"), 0);
}

static void ill_made_claims_are_refused(void **state)
{
    static const struct { struct claim claim; const char *says; } cases[] = {
        { { .tests = "tree" }, "it tests 'tree': expected a mechanism that planted-lever declares" },
        { { .tests = "none" }, "expected the reason" },
        { { .tests = "power", .acts = { .note = "note.none" } }, "expected note.NAME of a note that planted-lever "
         "records" },
        { { .tests = "power", .acts = { .least = 0.2 } }, "expected at least 0.5, or the reason" },
        { { .reaches = { "batch_steps", 1, .probability = 1 } }, "expected a property of the answer" },
        { { .reaches = { "excess", 1 } }, "a probability above 0" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct claim list[] = { cases[k].claim, { 0 } };
        list[0].id = "mine/claim";
        list[0].algo = "planted-lever";
        struct why why = { "" };
        const struct paper p = { .key = "mine", .claims = list };
        assert_int_equal(rules_check(&p, &why), BAD_INPUT);
        if (!strstr(why.text, cases[k].says) || !strstr(why.text, "mine/claim") || strchr(why.text, '\n'))
            fail_msg("expected '%s', not '%s'", cases[k].says, why.text);
    }
}

static int begin(void **state) { shell_begin(); return 0; }
static int end(void **state) { shell_end(); return 0; }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hollow_claims_are_stopped, begin, end),
        cmocka_unit_test_setup_teardown(sound_claims_pass, begin, end),
        cmocka_unit_test(ill_made_claims_are_refused),
    };
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
