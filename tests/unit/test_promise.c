/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_promise.c - promises as they are typed: laws, bands and bounds are those worked out by hand, and there is a
 * caret under the place of every mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "plan/promise.h"

static const struct param params[] = {
    { "B", PARAM_COUNT, 0, 1, 1, 10, NULL, NULL, "samples", "batch size" }, PARAM_END };
static const struct promise_names names = { "n", params };

static void rates(void **state)
{
    static const struct { const char *text; double exponent, lo, hi, logs; } cases[] = {
        { "n^-0.5 +- 0.1", -0.5, -0.6, -0.4, 0 },
        { "1/sqrt(n)+-0.1", -0.5, -0.6, -0.4, 0 },
        { "2*n^(-3/4) \u00b1 1/8", -0.75, -0.875, -0.625, 0 },
        { "log(n)^2/n +- 0.25", -1, -1.25, -0.75, 2 },
        { "1 +- 0.05", 0, -0.05, 0.05, 0 },
    };
    struct promise p;
    struct why why;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(promise_parse("--promise", cases[k].text, &names, &p, &why), OK);
        assert_int_equal(p.check, CHECK_RATE);
        assert_int_equal(p.law.form, LAW_POWER);
        assert_true(fabs(p.law.exponent[0] - cases[k].exponent) < 1e-12);
        assert_true(fabs(p.band[0] - cases[k].lo) < 1e-12 && fabs(p.band[1] - cases[k].hi) < 1e-12);
        assert_true(p.log_power == cases[k].logs);
    }
    assert_int_equal(promise_parse("--promise", "n^-0.5 + 3/n +- 0.1", &names, &p, &why), OK);
    assert_int_equal(p.law.form, LAW_SUM);
    assert_int_equal(p.law.terms, 2);
    assert_true(p.law.named == 0 && p.law.exponent[0] == -0.5 && p.law.exponent[1] == -1);
}

/* A bound may use the axis, goal, facts, counts and parameters, which are looked up in this order, and R for
 * dist. */
static void bounds(void **state)
{
    static const struct { const char *text; double value; } cases[] = {
        { "<= 2*L*R/sqrt(n)", 2 * 3 * 0.5 / 10 }, { "\u2264 T", 7 }, { "<= sample_grads/B", 12.5 }, { "<= d", 40 },
    };
    struct facts facts = facts_unknown();
    struct goal goal = goal_unknown();
    struct counts counts = { .of = { 0 } };
    long batch = 4;
    facts.L = 3;
    facts.dist = 0.5;
    facts.d = 40;
    facts.n = 1e9;                       /* the axis is found first */
    goal.T = 7;
    counts.of[COUNT_sample_grads] = 50;
    const struct env e = { 100, &facts, &goal, params, &batch, &counts };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct promise p;
        struct why why = { "" };
        struct claim c = { .id = "x" };
        assert_int_equal(promise_parse("--promise", cases[k].text, &names, &p, &why), OK);
        promise_use(&p, &names, &c);
        assert_int_equal(c.check, CHECK_BOUND);
        assert_true(fabs(c.formula(&e) - cases[k].value) < 1e-12);
    }
    struct promise p;
    struct claim c = { .id = "x" };
    assert_int_equal(promise_parse("--promise", "<= sigma", &names, &p, NULL), OK);
    promise_use(&p, &names, &c);
    assert_true(isnan(c.formula(&e)));   /* the instance does not state the constant */
    assert_int_equal(promise_parse("--promise", "log(n)^2/n +- 0.1", &names, &p, NULL), OK);
    struct claim rate = { .id = "x" };
    promise_use(&p, &names, &rate);
    assert_true(fabs(rate.formula(&e) - log(100) * log(100)) < 1e-12);
}

static void mistakes_have_a_caret(void **state)
{
    static const struct { const char *text; int place; const char *words; } cases[] = {
        { "<= 2*L*/sqrt(n)", 7, "expected a number, a name or '('" },
        { "n^-0.5", 6, "expected +- and the half-width" },
        { "n^-0.5 +- ", 10, "expected a number" },
        { "n^-0.5 +- 0", 9, "one number above 0" },
        { "n^-0.5 +- 0.1x", 13, "one number above 0" },
        { "n^-0.5 +- L", 10, "unknown name 'L'" },
        { "n^-0.5*L +- 0.1", 7, "'<= ...' promises a bound" },
        { "<= 2*foo", 5, "unknown name 'foo'" },
        { "<= n +- 0.1", 5, "a bound has no band" },
        { ">= n", 0, "expected <= and a bound" },
        { "n + n +- 0.1", 0, "different exponents" },
        { "n + log(n) +- 0.1", 0, "without logarithms" },
        { "", 0, "expected a number, a name or '('" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct promise p;
        struct why why = { "" };
        char caret[40];
        snprintf(caret, sizeof caret, "\n  %*s^", cases[k].place, "");
        assert_int_equal(promise_parse("--promise", cases[k].text, &names, &p, &why), BAD_INPUT);
        size_t n = strlen(why.text), c = strlen(caret);
        if (strncmp(why.text, "--promise: ", 11) || !strstr(why.text, cases[k].words) ||
            n < c || strcmp(why.text + n - c, caret) || !strstr(why.text, cases[k].text))
            fail_msg("'%s': %s", cases[k].text, why.text);
    }
}

static void rivals_and_settings(void **state)
{
    double exponent, value, power;
    struct why why;
    assert_int_equal(promise_rival("--rival", "4/n", "n", &exponent, &why), OK);
    assert_true(exponent == -1);
    assert_int_equal(promise_rival("--rival", "log(n)/n", "n", &exponent, &why), BAD_INPUT);
    assert_int_equal(promise_rival("--rival", "n^-1 +- 1", "n", &exponent, &why), BAD_INPUT);
    assert_true(promise_setting("0.3", "n", &value, &power) && value == 0.3 && power == 0);
    assert_true(promise_setting("inf", "n", &value, &power) && isinf(value) && power == 0);
    assert_true(promise_setting("2*n^-0.25", "n", &value, &power) && value == 2 && power == -0.25);
    assert_false(promise_setting("average", "n", &value, &power));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates), cmocka_unit_test(bounds), cmocka_unit_test(mistakes_have_a_caret),
        cmocka_unit_test(rivals_and_settings),
    };
    return cmocka_run_group_tests_name("promise", tests, NULL, NULL);
}
