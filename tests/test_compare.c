/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_compare.c - standings as text, and what counts as a change. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "compare.h"
#include "compare_print.h"
#include "rng.h"

static char file[64];

static int begin(void **state)
{
    snprintf(file, sizeof file, "/tmp/assay-baseline-XXXXXX");
    int fd = mkstemp(file);
    return fd < 0 || close(fd);
}

static int end(void **state) { return unlink(file); }

/* A claim of sixteen groups of replicates, supported. */
static struct standing example(const char *claim)
{
    struct standing s = { .profile = "nightly", .word = SUPPORTED, .control = CONTROL_CAUGHT,
                          .cells = 96, .groups = STANDING_GROUPS, .seconds = 2.5 };
    snprintf(s.claim, sizeof s.claim, "%s", claim);
    s.counts.of[COUNT_sample_grads] = 9007199254740993.0;
    s.counts.of[COUNT_batch_steps] = 17;
    for (int k = 0; k < s.groups; k++)
        s.level[k] = -3 + 0.1 * k;
    return s;
}

static struct change change_of(struct standing base, struct standing now)
{
    struct standings a = { &base, 1 }, b = { &now, 1 };
    struct comparison c = compare(&a, &b, "nightly", NULL, NULL);
    assert_int_equal(c.n, 1);
    struct change x = c.change[0];
    x.base = x.now = NULL;               /* they do not outlive this call */
    free(c.change);
    return x;
}

static enum change_kind kind_of(struct standing base, struct standing now)
{
    return change_of(base, now).kind;
}

/* --- text */

static void test_round_trip(void **state)
{
    struct standings list = { NULL, 0 }, read;
    struct why why = { "" };
    struct standing s = example("paper/b.n");
    s.word = CONTRADICTED;
    s.control = CONTROL_MISSED;
    s.plain = true;
    s.infinite = 3;
    s.level[4] = -1.0 / 3;
    snprintf(s.reason, sizeof s.reason, "a \"reason\", in\ntwo lines");
    snprintf(s.commit, sizeof s.commit, "12ab");
    standings_put(&list, &s);
    s = example("paper/a.n");
    s.groups = 0;
    s.control = CONTROL_NONE;
    memset(&s.counts, 0, sizeof s.counts);
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
                    x->plain == y->plain && x->groups == y->groups && x->infinite == y->infinite);
        assert_memory_equal(&x->counts, &y->counts, sizeof x->counts);
        for (int g = 0; g < x->groups; g++)
            assert_true(fabs(x->level[g] - y->level[g]) <= 5e-11 * fabs(x->level[g]));
        assert_int_equal(kind_of(*x, *y), CHANGE_NONE);
    }
    standings_free(&list);
    standings_free(&read);
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
        { "", ": expected a heading" },
        { "claim,verdict\n", ": expected a heading" },
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

/* --- changes */

static void test_verdicts(void **state)
{
    static const struct { enum word base, now; enum change_kind kind; } cases[] = {
        { SUPPORTED, SUPPORTED, CHANGE_NONE },      { SUPPORTED, INCONCLUSIVE, CHANGE_VERDICT },
        { SUPPORTED, CONTRADICTED, CHANGE_VERDICT }, { INCONCLUSIVE, SUSPECT, CHANGE_VERDICT },
        { CONTRADICTED, INCONCLUSIVE, CHANGE_VERDICT }, { INCONCLUSIVE, SUPPORTED, CHANGE_BETTER },
        { SUPPORTED, NOT_RUN, CHANGE_ABSENT },      { CONTRADICTED, CONTRADICTED, CHANGE_NONE },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct standing a = example("paper/a.n"), b = a;
        a.word = cases[k].base;
        b.word = cases[k].now;
        assert_int_equal(kind_of(a, b), cases[k].kind);
    }
    struct standing a = example("paper/a.n"), b = a;
    b.control = CONTROL_MISSED;
    assert_int_equal(kind_of(a, b), CHANGE_VERDICT);
    assert_int_equal(kind_of(b, a), CHANGE_NONE);    /* caught now */
    b = a;
    b.absent = 1;
    assert_int_equal(kind_of(a, b), CHANGE_ABSENT);
}

/* One more query in 2^53 is seen, and the count that changed most is told of. */
static void test_counts_are_exact(void **state)
{
    struct standing a = example("paper/a.n"), b = a;
    b.counts.of[COUNT_sample_grads] = nextafter(b.counts.of[COUNT_sample_grads], INFINITY);
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
    b.counts.of[COUNT_batch_steps] = 18;
    struct change c = change_of(a, b);
    assert_int_equal(c.count, COUNT_batch_steps);
    b = a;
    b.counts.of[COUNT_depth] = 1;                    /* from nothing */
    assert_int_equal(change_of(a, b).count, COUNT_depth);
    b = a;
    b.cells++;
    assert_int_equal(kind_of(a, b), CHANGE_COUNTS);
}

/* P(|T| > t) with 4 degrees of freedom is 1 - (3/4) s (1 - s^2/12 ...), in closed form; t_0.975 of
 * the tables is 2.7764451. */
static void test_measure_is_student_on_pairs(void **state)
{
    struct standing a = example("paper/a.n"), b = a;
    a.groups = b.groups = 5;
    for (int k = 0; k < 5; k++)
        b.level[k] = a.level[k] + 0.01 * (k + 1);
    struct change c = change_of(a, b);
    double t2 = 18, s = sqrt(t2 / (1 + t2 / 4)), p = 1 - 0.75 * s * (1 - t2 / (12 * (1 + t2 / 4)));
    assert_true(fabs(c.p - p) < 1e-10);
    assert_int_equal(c.kind, CHANGE_MOVED);          /* 0.0132 is more than 1% */
    assert_true(fabs(c.effect - expm1(0.03)) < 1e-12);
    double half = 2.7764451 * 0.01 * sqrt(2.5 / 5);
    assert_true(fabs(c.lo - expm1(0.03 - half)) < 1e-8 && fabs(c.hi - expm1(0.03 + half)) < 1e-8);
    for (int k = 0; k < 5; k++)
        b.level[k] = a.level[k] + 0.03 + 0.001 * k;
    assert_int_equal(kind_of(a, b), CHANGE_MEASURE);
    a.plain = b.plain = true;
    c = change_of(a, b);
    assert_true(fabs(c.effect - 0.032) < 1e-12);     /* in units of y */
}

static void test_without_randomness_any_move_is_one(void **state)
{
    struct standing a = example("paper/a.n"), b = a;
    for (int k = 0; k < a.groups; k++)
        b.level[k] *= 1 + 1e-12;
    assert_int_equal(kind_of(a, b), CHANGE_NONE);    /* rounding */
    a.groups = b.groups = 1;
    b.level[0] = a.level[0] + 1e-6;
    assert_int_equal(kind_of(a, b), CHANGE_MEASURE);
    b.level[0] = a.level[0];
    b.infinite = 1;
    assert_int_equal(kind_of(a, b), CHANGE_MEASURE); /* a run diverges */
    b.infinite = 0;
    b.plain = true;
    struct change c = change_of(a, b);
    assert_int_equal(c.kind, CHANGE_MEASURE);
    assert_true(isnan(c.effect));
}

/* 500 nights of 60 claims whose numbers moved by chance alone, with another deviation in each: an
 * alarm in 1% of the nights. More than 18 of 500 has probability 1e-6 (binomial, 5 expected). */
static void test_false_alarms(void **state)
{
    struct rng r = rng_stream(11);
    struct standing a[60], b[60];
    int alarms = 0;
    for (int night = 0; night < 500; night++) {
        for (int k = 0; k < 60; k++) {
            char claim[16];
            snprintf(claim, sizeof claim, "p/c%02d.n", k);
            a[k] = b[k] = example(claim);
            for (int g = 0; g < a[k].groups; g++)
                b[k].level[g] += 0.01 * (k + 1) * rng_normal(&r);
        }
        struct standings x = { a, 60 }, y = { b, 60 };
        struct comparison c = compare(&x, &y, "nightly", NULL, NULL);
        assert_int_equal(c.kinds[CHANGE_MOVED] + c.kinds[CHANGE_MEASURE], 60);
        alarms += c.kinds[CHANGE_MEASURE] > 0;
        free(c.change);
    }
    assert_true(alarms <= 18);
    assert_true(alarms > 0);             /* none in 500 has probability 0.0066; the seed is fixed */
}

static bool is_known(const void *name, const char *claim) { return strcmp(claim, name) == 0; }

static void test_lists(void **state)
{
    struct standing a[4] = { example("p/same.n"), example("p/known.n"), example("p/gone.n"),
                             example("p/same.n") };
    struct standing b[3] = { example("p/same.n"), example("p/new.n"), example("p/slow.n") };
    strcpy(a[3].profile, "quick");       /* another profile is no part of it */
    b[0].seconds = 5;
    struct standings x = { a, 4 }, y = { b, 3 };
    struct comparison c = compare(&x, &y, "nightly", is_known, "p/known.n");
    assert_int_equal(c.n, 5);
    assert_int_equal(c.compared, 1);
    assert_int_equal(c.kinds[CHANGE_NONE], 1);
    assert_int_equal(c.kinds[CHANGE_GONE], 1);
    assert_int_equal(c.kinds[CHANGE_ABSENT], 1);
    assert_int_equal(c.kinds[CHANGE_NEW], 2);
    assert_int_equal(c.times, 1);
    assert_true(c.slower == 2 && c.slowest_ratio == 2);
    assert_string_equal(c.slowest->now->claim, "p/same.n");
    free(c.change);
}

static void test_words(void **state)
{
    struct standing a = example("p/a.n"), b = a;
    struct standings x = { &a, 1 }, y = { &b, 1 };
    char text[400];
    b.word = INCONCLUSIVE;
    b.counts.of[COUNT_batch_steps] = 34;
    struct comparison c = compare(&x, &y, "nightly", NULL, NULL);
    compare_words(&c.change[0], text, sizeof text);
    assert_string_equal(text, "SUPPORTED -> INCONCLUSIVE; batch_steps 17 -> 34 (+100%)");
    free(c.change);
    b = a;
    a.groups = b.groups = 1;
    b.level[0] = a.level[0] + log(0.75);
    c = compare(&x, &y, "nightly", NULL, NULL);
    compare_words(&c.change[0], text, sizeof text);
    assert_string_equal(text, "measure -25%");
    free(c.change);
    b.level[0] = a.level[0] + log(18.5);
    c = compare(&x, &y, "nightly", NULL, NULL);
    compare_words(&c.change[0], text, sizeof text);
    assert_string_equal(text, "measure times 18.5");
    free(c.change);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_no_file_is_an_empty_list),
        cmocka_unit_test(test_broken_lines_are_named),
        cmocka_unit_test(test_accepted_needs_a_reason_and_the_same_word),
        cmocka_unit_test(test_verdicts), cmocka_unit_test(test_counts_are_exact),
        cmocka_unit_test(test_measure_is_student_on_pairs),
        cmocka_unit_test(test_without_randomness_any_move_is_one),
        cmocka_unit_test(test_false_alarms), cmocka_unit_test(test_lists), cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
