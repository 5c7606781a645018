/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_baseline.c - standings as text: they are written and read back, broken lines are refused, contradictions are
 * accepted. */
#include <unistd.h>

#include "support/standing_made.h"

static char file[64];

static int begin(void **state)
{
    snprintf(file, sizeof file, "/tmp/assay-baseline-XXXXXX");
    int fd = mkstemp(file);
    return fd < 0 || close(fd);
}

static int end(void **state) { return unlink(file); }

static void same_side(const struct standing_side *x, const struct standing_side *y)
{
    assert_true(x->groups == y->groups && x->infinite == y->infinite);
    assert_memory_equal(&x->counts, &y->counts, sizeof x->counts);
    for (int g = 0; g < x->groups; g++) {
        assert_true(fabs(x->level[g] - y->level[g]) <= 5e-11 * fabs(x->level[g]));
        assert_true(y->error[g] >= x->error[g] && y->error[g] <= 1.11 * x->error[g]);
    }
}

static void test_round_trip(void **state)
{
    struct standings list = { NULL, 0 }, read;
    struct why why = { "" };
    struct standing s = example("paper/b.n");
    s.word = CONTRADICTED;
    s.control = CONTROL_MISSED;
    s.scale = SCALE_PLAIN;
    s.own.infinite = 3;
    s.own.level[4] = -1.0 / 3;
    s.own.error[0] = 1e-300;
    s.own.error[7] = 0.0123456;
    s.rival = s.own;
    s.rival.infinite = 1;
    s.rival.counts.of[COUNT_depth] = 5;
    s.rival.groups = 3;
    snprintf(s.reason, sizeof s.reason, "a \"reason\", in\ntwo lines");
    snprintf(s.commit, sizeof s.commit, "12ab");
    standings_put(&list, &s);
    s = example("paper/a.n");
    s.own.groups = 0;
    s.control = CONTROL_NONE;
    memset(&s.own.counts, 0, sizeof s.own.counts);
    standings_put(&list, &s);
    assert_int_equal(baseline_write(file, &list, &why), OK);
    assert_int_equal(baseline_read(file, &read, &why), OK);
    assert_int_equal(read.n, 2);
    assert_string_equal(read.of[0].claim, "paper/a.n");
    for (int k = 0; k < 2; k++) {
        const struct standing *x = standings_find(&list, read.of[k].claim, "nightly"), *y = &read.of[k];
        assert_non_null(x);
        assert_string_equal(x->reason, y->reason);
        assert_string_equal(x->commit, y->commit);
        assert_true(x->word == y->word && x->control == y->control && x->cells == y->cells &&
                    x->scale == y->scale);
        same_side(&x->own, &y->own);
        same_side(&x->rival, &y->rival);
        assert_int_equal(kind_of(*x, *y), CHANGE_NONE);
    }
    standings_free(&list);
    standings_free(&read);
}

/* A baseline that is read and written again is the same file, however often. */
static void test_a_file_written_again_is_the_same(void **state)
{
    char before[4000] = "", after[4000] = "";
    struct standings list;
    struct why why = { "" };
    struct standing s = example("paper/a.n");
    struct standings first = { &s, 1 };
    for (int g = 0; g < s.own.groups; g++)
        s.own.error[g] = 0.0101 * (g + 1);
    assert_int_equal(baseline_write(file, &first, &why), OK);
    for (int again = 0; again < 3; again++) {
        FILE *in = fopen(file, "r");
        assert_non_null(in);
        memset(after, 0, sizeof after);
        assert_true(fread(after, 1, sizeof after - 1, in) > 100);
        fclose(in);
        assert_true(again == 0 || strcmp(before, after) == 0);
        memcpy(before, after, sizeof after);
        assert_int_equal(baseline_read(file, &list, &why), OK);
        assert_int_equal(baseline_write(file, &list, &why), OK);
        standings_free(&list);
    }
}

static void test_no_file_is_an_empty_list(void **state)
{
    struct standings list;
    struct why why = { "" };
    assert_int_equal(baseline_read("/nonexistent/verdicts.csv", &list, &why), OK);
    assert_int_equal(list.n, 0);
}

static void test_broken_lines_are_named(void **state)
{
    static const struct { const char *text, *says; } cases[] = {
        { "", ":1: expected a heading" },
        { "claim,verdict\n", ":1: expected a heading" },
        { "claim,profile,verdict\na/b,quick,SUPPORTD\n",
          ":2: column verdict: 'SUPPORTD': expected a verdict such as SUPPORTED" },
        { "claim,profile,verdict\na/b,quick,SUPPORTED\n,quick,SUPPORTED\n", ":3: column claim: ''" },
        { "claim,profile,verdict\na/b,quick,SUPPORTED\na/b,quick,SUSPECT\n",
          ":3: a second line of a/b, profile quick" },
        { "claim,profile,verdict,control\na/b,quick,SUPPORTED,caught\n",
          ":2: column control: 'caught': expected -, CAUGHT or MISSED" },
        { "claim,profile,verdict,cells\na/b,quick,SUPPORTED,many\n", ":2: column cells: 'many'" },
        { "claim,profile,verdict,seconds\na/b,quick,SUPPORTED,inf\n", ":2: column seconds: 'inf'" },
        { "claim,profile,verdict,counts\na/b,quick,SUPPORTED,rounds 7\n",
          ":2: column counts: 'rounds': expected NAME=NUMBER words" },
        { "claim,profile,verdict,levels\na/b,quick,SUPPORTED,1 x\n", ":2: column levels: 'x'" },
        { "claim,profile,verdict,levels\na/b,quick,SUPPORTED,1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8\n",
          ":2: column levels: '8': expected at most 16 numbers" },
        { "claim,profile,verdict,scale\na/b,quick,SUPPORTED,ln\n",
          ":2: column scale: 'ln': expected log, plain or points" },
        { "claim,profile,verdict,levels,errors\na/b,quick,SUPPORTED,1 2,0\n",
          ":2: column errors: '0': expected as many numbers as levels" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        FILE *out = fopen(file, "w");
        struct standings list;
        struct why why = { "" };
        char expected[300];
        fputs(cases[k].text, out);
        fclose(out);
        assert_int_equal(baseline_read(file, &list, &why), BAD_INPUT);
        snprintf(expected, sizeof expected, "%s%s", file, cases[k].says);
        if (strncmp(why.text, expected, strlen(expected)))
            fail_msg("'%s', expected '%s'", why.text, expected);
        standings_free(&list);
    }
}

static void test_accepted_needs_a_reason_and_the_same_word(void **state)
{
    struct standing s = example("paper/a.n");
    struct standings list = { &s, 1 };
    assert_false(standings_accept(&list, "paper/a.n", "nightly", SUPPORTED));
    s.word = CONTRADICTED;
    assert_false(standings_accept(&list, "paper/a.n", "nightly", CONTRADICTED));
    strcpy(s.reason, "known");
    assert_true(standings_accept(&list, "paper/a.n", "nightly", CONTRADICTED));
    assert_false(standings_accept(&list, "paper/a.n", "nightly", SUSPECT));
    assert_false(standings_accept(&list, "paper/a.n", "quick", CONTRADICTED));
    assert_false(standings_accept(&list, "paper/b.n", "nightly", CONTRADICTED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_a_file_written_again_is_the_same),
        cmocka_unit_test(test_no_file_is_an_empty_list), cmocka_unit_test(test_broken_lines_are_named),
        cmocka_unit_test(test_accepted_needs_a_reason_and_the_same_word),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
