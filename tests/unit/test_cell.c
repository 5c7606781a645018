/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cell.c - the canonical text of a cell is its identity: round trips, refusals, seeds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cell/cell.h"
#include "support/cell_parsed.h"
#include "rng.h"

static struct cell *made(const char *problem, const char *algo, struct bag *b, long rep)
{
    struct cell *c;
    struct why why = { "" };
    if (cell_make(problem, algo, b, rep, &c, &why) != OK)
        fail_msg("%s", why.text);
    bag_free(b);
    return c;
}

static void expect_text(const char *given, const char *canonical)
{
    struct cell *c = parsed(given);
    assert_string_equal(c->text, canonical);
    cell_free(c);
}

/* --- bags */

static void test_bag(void **state)
{
    struct bag a = { 0 }, b = { 0 };
    for (int k = 0; k < 30; k++)
        bag_put(&a, k % 2 ? "goal.T" : "goal.n", k);
    bag_put_text(&a, "algo.answer", "last");
    assert_true(bag_find(&a, "goal.T")->value == 29 && bag_find(&a, "goal.n")->value == 28);
    assert_string_equal(bag_find(&a, "algo.answer")->text, "last");
    assert_null(bag_find(&a, "goal"));
    bag_put(&b, "goal.T", 1);
    bag_copy(&b, &a);
    bag_free(&a);
    assert_int_equal(a.count, 0);
    assert_true(bag_find(&b, "goal.T")->value == 29);
    assert_string_equal(bag_find(&b, "algo.answer")->text, "last");
    bag_free(&b);
}

/* --- canonical text */

static void test_text(void **state)
{
    struct bag b = { 0 };
    bag_put(&b, "run.trace", 1);
    bag_put(&b, "goal.n", 1e6);
    bag_put(&b, "algo.step", 0.5);
    bag_put(&b, "goal.T", 1000);
    bag_put(&b, "problem.d", 7);
    bag_put(&b, "problem.d", 40);
    struct cell *c = made("spectral", "sgd", &b, 3);
    assert_string_equal(c->text, "problem spectral d=40 | algo sgd step=0.5 | goal n=1e6 T=1000 | "
                                 "run trace=1 | rep 3");
    assert_true(c->goal.n == 1e6 && c->goal.T == 1000 && isnan(c->goal.acc));
    assert_int_equal(c->run.trace, 1);
    assert_int_equal(c->rep, 3);
    assert_int_equal(strlen(c->fingerprint), 32);
    cell_free(c);
    cell_free(NULL);
}

static void test_round_trip(void **state)
{
    static const char *const texts[] = {
        "problem spectral | algo gd | goal | run | rep 0",
        "problem spectral d=7 s=0 radius=inf | algo gd h=0.3333333333333333 | goal T=8 | run "
        "seed=5 | rep 11",
        "problem spectral | algo sgd B=64 answer=last | goal n=1e6 budget=2.5e8 | run trace=2 | "
        "rep 9",
        "problem spectral | algo sgd | goal T=1000 | run aggregate=1 count=1 | rep 999999999",
        "problem chain d=9 k=3 | algo nesterov | goal T=5 constants=theory | run | rep 2",
        "problem erm data=heart_scale l2=1e-5 | algo gd | goal T=1 | run | rep 0",
        "problem erm data=a%20b%7cc%3dd%25e | algo gd | goal T=1 | run | rep 0",
        "problem erm data= | algo gd | goal | run | rep 0",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        expect_text(texts[k], texts[k]);
}

/* Cells whose texts differ in the order of settings, in blanks, in the spelling of numbers or in repetitions have
 * one canonical text. */
static void test_one_text_for_one_cell(void **state)
{
    static const char *const canonical =
        "problem spectral d=1024 s=0.25 | algo sgd B=64 | goal T=1000 | run | rep 4";
    expect_text("problem spectral s=1/4 d=2^10|algo sgd B=2^6|goal T=1e3|rep 4", canonical);
    expect_text("rep 4 | goal T=1000 | algo sgd B=64 | problem spectral d=1024 s=0.25", canonical);
    expect_text(
        "problem   spectral d=5 d=1024 s=.25 |  algo sgd B=6.4e1 | goal T=1000.0 | run | rep 4",
        canonical);
    expect_text("problem spectral | algo gd", "problem spectral | algo gd | goal | run | rep 0");
    expect_text("problem spectral | algo gd | goal constants=practical",
                "problem spectral | algo gd | goal | run | rep 0");
}

/* A word of any bytes that a path may contain, incomplete escapes included, is the same after it was written into
 * the text of a cell and read back. */
static void test_words(void **state)
{
    static const char *const words[] = {
        "plain",  "/data/my file.txt",
        "a|b",    "k=v",
        "100%",   "%",
        "%%",     "%2",
        "%zz",    "%41",
        "%-1",    "% 1",
        "t\tn\n", "\xc3\xa4\xff\x80",
        "%2|",    "=",
        " ",      "#;'\"\\",
    };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        struct bag b = { 0 };
        bag_put_text(&b, "problem.data", words[k]);
        struct cell *c = made("erm", "gd", &b, 0), *back = parsed(c->text);
        assert_string_equal(word_of(back), words[k]);
        assert_string_equal(back->text, c->text);
        assert_int_equal(back->seed, c->seed);
        for (const char *t = strstr(c->text, "data=") + 5; *t && *t != ' '; t++)
            assert_true(*t > ' ' && *t < 127);
        cell_free(c);
        cell_free(back);
    }
}

/* Broken escapes written by hand are read as plain text and never beyond the end. */
static void test_broken_escapes(void **state)
{
    static const struct { const char *given, *word;
    } cases[] = {
        { "%", "%" },       { "%4", "%4" },     { "a%", "a%" },       { "%g1", "%g1" },
        { "%4g", "%4g" },   { "%-1", "%-1" },   { "%0x41", "%0x41" }, { "%41", "A" },
        { "%4a%4A", "JJ" }, { "%2541", "%41" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        snprintf(text, sizeof text, "problem erm data=%s | algo gd", cases[k].given);
        struct cell *c = parsed(text);
        assert_string_equal(word_of(c), cases[k].word);
        cell_free(c);
    }
}

/* --- refusals, random texts, fingerprint, goal and cost */

static void test_refusals(void **state)
{
    static const struct { const char *text, *complaint;
    } cases[] = {
        { "problem spectrel | algo gd", "unknown problem 'spectrel'" },
        { "problem spectral | algo gdd", "unknown algorithm 'gdd'" },
        { "problem spectral dd=4 | algo gd",
          "problem.dd: spectral has no such parameter; did you mean d?" },
        { "problem spectral | algo gd stpe=1",
          "algo.stpe: gd has no such parameter; did you mean step?" },
        { "problem spectral | algo gd horizon=1", "algo.horizon: gd has no such parameter" },
        { "problem spectral | algo gd | goal bugdet=4",
          "goal.bugdet: the goal has no such parameter; did you mean budget?" },
        { "problem spectral | algo gd | run traces=1",
          "run.traces: the run has no such parameter; did you mean trace?" },
        { "problem spectral d=0 | algo gd", "spectral.d = 0: expected an integer, 1 <= d" },
        { "problem spectral d=1.5 | algo gd", "spectral.d = 1.5: expected an integer" },
        { "problem spectral d=many | algo gd", "spectral.d = 'many': expected a number" },
        { "problem spectral d= | algo gd", "spectral.d = '': expected a number" },
        { "problem spectral | algo gd h=2.1", "gd.h = 2.1: expected 0 <= h <= 2" },
        { "problem spectral | algo sgd answer=best",
          "sgd.answer = 'best': expected one of average|last" },
        { "problem spectral | algo gd | goal T=-1", "goal.T = -1: expected 0 <= T" },
        { "problem spectral d=4 | algo gd | goal n=1.5", "goal.n = 1.5: expected an integer" },
        { "problem spectral | algo gd | goal T=nan", "goal.T = 'nan': expected a number" },
        { "problem spectral | algo gd | goal constants=both",
          "goal.constants: expected theory or practical" },
        { "problem spectral | algo gd | run trace=3",
          "run.trace = 3: expected an integer, 0 <= trace <= 2" },
        { "problem spectral | algo gd | run seed=1e300", "run.seed = 1e+300" },
        { "problem spectral | algo gd | flags x=1", "expected `problem NAME" },
        { "problem spectral | algo gd | flags", "expected `problem NAME" },
        { "problem spectral | algo gd | rep -1", "rep N" },
        { "problem spectral | algo gd | rep 1.5", "rep N" },
        { "problem spectral | algo gd | rep nine", "rep N" },
        { "problem spectral | algo gd | rep 1e9", "rep N" },
        { "problem spectral | algo gd | rep 1 2", "not '2'" },
        { "problem spectral chain | algo gd", "not 'chain'" },
        { "problem spectral | algo gd | goal T", "expected `problem NAME" },
        { "problem spectral", "expected `problem NAME" },
        { "algo gd", "expected `problem NAME" },
        { "", "expected `problem NAME" },
        { "|||", "expected `problem NAME" },
        { "problem spectral | algo gd | goal "
          "a_name_that_is_much_longer_than_any_name_of_a_setting_can_ever_be_here=1",
          "too long" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct cell *c = (struct cell *)&c;
        struct why why = { "" };
        enum status s = cell_parse(cases[k].text, &c, &why);
        if (s != BAD_INPUT || c)
            fail_msg("accepted: %s", cases[k].text);
        if (!strstr(why.text, cases[k].complaint))
            fail_msg("'%s': '%s' lacks '%s'", cases[k].text, why.text, cases[k].complaint);
        assert_null(strchr(why.text, '\n'));
    }
}

static void test_make_refuses(void **state)
{
    struct bag b = { 0 };
    struct cell *c;
    struct why why = { "" };
    bag_put(&b, "dimension", 4);
    assert_int_equal(cell_make("spectral", "gd", &b, 0, &c, &why), BAD_INPUT);
    assert_null(c);
    assert_non_null(strstr(why.text, "setting 'dimension'"));
    bag_free(&b);
    bag_put(&b, "algo.answer", 4);
    assert_int_equal(cell_make("spectral", "sgd", &b, 0, &c, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "sgd.answer = 4: expected a word"));
    bag_free(&b);
    bag_put(&b, "goal.constants", 1);
    assert_int_equal(cell_make("spectral", "sgd", &b, 0, &c, NULL), BAD_INPUT);
    bag_free(&b);
}

/* Random texts are refused or accepted, and never crash. The canonical text of a cell that is accepted is read back
 * unchanged. */
static void test_any_text(void **state)
{
    static const char *const bits[] = { "problem", "spectral", "erm", "data=", "%",   "4",
                                        " ",       "|",        " ",        "algo",  "gd",  "sgd",
                                        "goal",    "T=3",      "d=2^3",    "run",   "rep", "0",
                                        "=",       "\x80",     "%20" };
    struct rng r = rng_stream(1);
    int accepted = 0;
    for (int k = 0; k < 20000; k++) {
        char text[400] = "problem spectral | algo gd";
        int pieces = (int)rng_below(&r, 12);
        for (int i = 0; i < pieces; i++)
            strcat(text, bits[rng_below(&r, sizeof bits / sizeof *bits)]);
        struct cell *c, *again;
        struct why why;
        if (cell_parse(text, &c, &why) != OK)
            continue;
        assert_int_equal(cell_parse(c->text, &again, &why), OK);
        assert_string_equal(again->text, c->text);
        accepted++;
        cell_free(c);
        cell_free(again);
    }
    assert_true(accepted > 100);
}

/* Cells of the same algorithm and problem have the same fingerprint, whatever their settings are: it depends on the
 * sources only. */
static void test_fingerprint(void **state)
{
    struct cell *a = parsed("problem spectral d=4 | algo gd | rep 1");
    struct cell *b = parsed("problem spectral d=9 | algo gd | run seed=8 | rep 2");
    struct cell *c = parsed("problem spectral d=4 | algo sgd | rep 1");
    struct cell *e = parsed("problem chain d=4 | algo gd | rep 1");
    assert_string_equal(a->fingerprint, b->fingerprint);
    assert_string_not_equal(a->fingerprint, c->fingerprint);
    assert_string_not_equal(a->fingerprint, e->fingerprint);
    assert_int_equal(strspn(a->fingerprint, "0123456789abcdef"), 32);
    cell_free(a);
    cell_free(b);
    cell_free(c);
    cell_free(e);
}

static void test_goal_member(void **state)
{
    struct goal g = goal_unknown();
    assert_ptr_equal(goal_member(&g, "n"), &g.n);
    assert_ptr_equal(goal_member(&g, "kappa"), &g.kappa);
    assert_ptr_equal(goal_member(&g, "radius"), &g.radius);
    assert_null(goal_member(&g, "constants"));
    assert_null(goal_member(&g, "d"));
}

/* The expected cost is larger for larger cells, and is a number for every goal. */
static void test_cost(void **state)
{
    struct cell *small = parsed("problem spectral d=4 | algo gd | goal T=8");
    struct cell *large = parsed("problem spectral d=4 | algo gd | goal T=1e6");
    struct cell *wide = parsed("problem spectral d=1000 | algo gd | goal T=1e6");
    struct cell *none = parsed("problem erm | algo gd");
    assert_true(0 < cell_cost(none) && cell_cost(none) < cell_cost(large));
    assert_true(cell_cost(small) < cell_cost(large) && cell_cost(large) < cell_cost(wide));
    cell_free(small);
    cell_free(large);
    cell_free(wide);
    cell_free(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bag), cmocka_unit_test(test_text), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_one_text_for_one_cell), cmocka_unit_test(test_words),
        cmocka_unit_test(test_broken_escapes), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_make_refuses), cmocka_unit_test(test_any_text),
        cmocka_unit_test(test_fingerprint),
        cmocka_unit_test(test_goal_member), cmocka_unit_test(test_cost),
    };
    return cmocka_run_group_tests_name("cell", tests, NULL, NULL);
}
