/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_expression.c - formulas as users type them: their values are those that C computes, their terms have
 * exponents worked out by hand; their form in C, and the position of every mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/expression.h"

static double value_of(const void *ctx, const char *name)
{
    return strcmp(name, "n") == 0 ? 100 : strcmp(name, "L") == 0 ? 3 : NAN;
}

static bool is_known(const void *ctx, const char *name) { return !isnan(value_of(ctx, name)); }

static void values_are_those_of_c(void **state)
{
    const struct { const char *text; double value; } cases[] = {
        { "1 + 2*3", 7 }, { "(1 + 2)*3", 9 }, { "2 - 3 - 4", -5 }, { "24/4/2", 3 }, { "2^3^2", 512 },
        { "-2^2", -4 }, { "2^-1", 0.5 }, { "-n^-0.5", -0.1 }, { "2*L/sqrt(n)", 0.6 }, { "log(exp(2))", 2 },
        { "min(L, 2) + max(L, 2)", 5 }, { "1e-3*n", 0.1 }, { "1/2", 0.5 }, { " ( n ) ", 100 }, { ".5", 0.5 },
    };
    struct expression e;
    struct mistake m;
    int end;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(expression_parse(cases[k].text, 0, is_known, NULL, &e, &end, &m));
        assert_int_equal(end, (int)strlen(cases[k].text));
        double v = expression_value(&e, value_of, NULL);
        if (!(fabs(v - cases[k].value) <= 1e-15 * fabs(cases[k].value)))
            fail_msg("%s = %.17g, expected %.17g", cases[k].text, v, cases[k].value);
    }
    assert_true(expression_parse("min(x, 1)", 0, NULL, NULL, &e, &end, &m));
    assert_true(isnan(expression_value(&e, value_of, NULL)));        /* an unknown constant gives no bound */
}

static void mistakes_have_a_place(void **state)
{
    static const struct { const char *text; int place; const char *words; } cases[] = {
        { "", 0, "expected a number, a name or '('" },
        { "2*", 2, "expected a number, a name or '('" },
        { "2*L*/sqrt(n)", 4, "expected a number, a name or '('" },
        { "(n + 1", 6, "expected ')'" },
        { "sqrt(n", 6, "expected ')'" },
        { "min(n)", 5, "expected ','" },
        { "sin(n)", 0, "expected sqrt, log, exp, min or max" },
        { "n + foo", 4, "unknown name 'foo'" },
        { "n^", 2, "expected a number, a name or '('" },
        { "n + abcdefghijklmnopqrstuvwxyz", 4, "fewer than 24 letters" },
    };
    struct expression e;
    struct mistake m;
    int end;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_false(expression_parse(cases[k].text, 0, is_known, NULL, &e, &end, &m));
        if (m.place != cases[k].place || !strstr(m.text, cases[k].words))
            fail_msg("'%s': %d, %s", cases[k].text, m.place, m.text);
    }
}

/* A text with too many nodes or levels is refused, and overflows nothing. */
static void long_texts_are_refused(void **state)
{
    static char text[4096];
    struct expression e;
    struct mistake m;
    int end;
    for (size_t k = 0; k + 2 < sizeof text; k += 2)
        memcpy(text + k, "n+", 2);
    assert_false(expression_parse(text, 0, NULL, NULL, &e, &end, &m));
    assert_non_null(strstr(m.text, "at most 64"));
    memset(text, '(', sizeof text - 1);
    assert_false(expression_parse(text, 0, NULL, NULL, &e, &end, &m));
    assert_non_null(strstr(m.text, "at most 32 levels"));
    memset(text, '-', sizeof text - 1);
    assert_false(expression_parse(text, 0, NULL, NULL, &e, &end, &m));
}

static void a_band_ends_the_formula(void **state)
{
    struct expression e;
    struct mistake m;
    int end;
    assert_true(expression_parse("n^-0.5 +- 0.1", 0, NULL, NULL, &e, &end, &m));
    assert_int_equal(end, 7);
    assert_true(expression_parse("n^-0.5+-0.1", 0, NULL, NULL, &e, &end, &m));
    assert_int_equal(end, 6);
    assert_true(expression_parse("n^-0.5 + n", 0, NULL, NULL, &e, &end, &m));
    assert_int_equal(end, 10);
}

static void terms_are_powers(void **state)
{
    static const struct { const char *text; int n; struct monomial term[2];
    } cases[] = {
        { "n^-0.5", 1, { { 1, -0.5, 0 } } },
        { "3/sqrt(n)", 1, { { 3, -0.5, 0 } } },
        { "n^(-1/2)", 1, { { 1, -0.5, 0 } } },
        { "log(n)^2/n", 1, { { 1, -1, 2 } } },
        { "(2*n)^2*sqrt(log(n))", 1, { { 4, 2, 0.5 } } },
        { "1", 1, { { 1, 0, 0 } } },
        { "1/n + 5*n^-2", 2, { { 1, -1, 0 }, { 5, -2, 0 } } },
        { "(n + 3*n)/n^3", 1, { { 4, -2, 0 } } },
        { "n^log(exp(2))", 0, { { 0 } } }, /* exp(2) is not taken for a number */
        { "L*n", 0, { { 0 } } },
        { "n^n", 0, { { 0 } } },
        { "(n + 1)*n", 0, { { 0 } } },
        { "-n", 0, { { 0 } } },
        { "log(n^2)", 0, { { 0 } } },
        { "n - 2*n", 0, { { 0 } } },
        { "min(n, 2)", 0, { { 0 } } },
        { "0*n", 0, { { 0 } } },
    };
    struct expression e;
    struct mistake m;
    struct monomial term[2];
    int end;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(expression_parse(cases[k].text, 0, NULL, NULL, &e, &end, &m));
        int n = expression_terms(&e, "n", 2, term, &m);
        if (n != cases[k].n)
            fail_msg("%s: %d terms", cases[k].text, n);
        for (int i = 0; i < n; i++) {
            assert_true(fabs(term[i].c - cases[k].term[i].c) < 1e-12);
            assert_true(fabs(term[i].power - cases[k].term[i].power) < 1e-12);
            assert_true(fabs(term[i].log_power - cases[k].term[i].log_power) < 1e-12);
        }
    }
    assert_true(expression_parse("n + n^2 + n^3", 0, NULL, NULL, &e, &end, &m));
    assert_int_equal(expression_terms(&e, "n", 2, term, &m), 0);
    assert_non_null(strstr(m.text, "at most 2 terms"));
}

static void put_name(FILE *out, const void *ctx, const char *name) { fprintf(out, "e->%s", name); }

static void c_keeps_the_value(void **state)
{
    static const struct { const char *text, *c; } cases[] = {
        { "2*L/sqrt(n)", "2.0 * e->L / sqrt(e->n)" },
        { "1/2*(L + 1)", "1.0 / 2.0 * (e->L + 1.0)" },
        { "L/(2*n)", "e->L / (2.0 * e->n)" },
        { "L - (n - 1)", "e->L - (e->n - 1.0)" },
        { "L + n - 1", "e->L + e->n - 1.0" },
        { "-L^2", "-pow(e->L, 2.0)" },
        { "-(L + 1)", "-(e->L + 1.0)" },
        { "min(L, 1e6)*0.5", "fmin(e->L, 1e6) * 0.5" },
    };
    struct expression e;
    struct mistake m;
    int end;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        assert_true(expression_parse(cases[k].text, 0, NULL, NULL, &e, &end, &m));
        expression_print(out, &e, put_name, NULL);
        fclose(out);
        assert_string_equal(text, cases[k].c);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_c), cmocka_unit_test(mistakes_have_a_place),
        cmocka_unit_test(long_texts_are_refused), cmocka_unit_test(a_band_ends_the_formula),
        cmocka_unit_test(terms_are_powers), cmocka_unit_test(c_keeps_the_value),
    };
    return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
