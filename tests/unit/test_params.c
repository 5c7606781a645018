/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_params.c - parameter tables, numbers in the spellings of users, distances of words. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/params.h"
#include "rng.h"

struct example {
    double step, free;
    long B;
    const char *answer, *path;
};

static const struct param table[] = {
    PARAM(example, step, 0.5, 0, 2, "x^2/f", "a step"),
    PARAM(example, free, NAN, 0, INFINITY, "1", "left to tune"),
    PARAM(example, B, 1, 1, 0x1p40, "samples", "batch size"),
    PARAM_WORD(example, answer, "average", "average|last", "which iterate"),
    PARAM_WORD(example, path, "heart_scale", NULL, "a file"),
    PARAM_END
};

static void test_defaults(void **state)
{
    struct example e;
    memset(&e, 0x5a, sizeof e);
    params_default(table, &e);
    assert_true(e.step == 0.5 && isnan(e.free) && e.B == 1);
    assert_string_equal(e.answer, "average");
    assert_string_equal(e.path, "heart_scale");
    params_default(NULL, &e);                /* without a table the function does nothing */
}

static void test_find(void **state)
{
    assert_ptr_equal(params_find(table, "B"), &table[2]);
    assert_null(params_find(table, "b"));
    assert_null(params_find(NULL, "B"));
    assert_string_equal(params_nearest(table, "stpe"), "step");
    assert_string_equal(params_nearest(table, "answr"), "answer");
    assert_null(params_nearest(table, "horizon"));
}

static void test_get(void **state)
{
    struct example e = { .step = 0.1, .free = NAN, .B = 1L << 40, .answer = "last" };
    assert_true(params_get(&table[0], &e) == 0.1);
    assert_true(isnan(params_get(&table[1], &e)));
    assert_true(params_get(&table[2], &e) == 0x1p40);
    assert_true(isnan(params_get(&table[3], &e)));
}

/* A refused value leaves the member unchanged, and the sentence names owner, parameter and value. */
static void test_set_text(void **state)
{
    static const struct { int row; const char *text, *complaint; } cases[] = {
        { 0, "0", NULL }, { 0, "2", NULL }, { 0, "1/4", NULL }, { 0, "1e-3", NULL },
        { 0, "2.0001", "algo.step = 2.0001: expected 0 <= step <= 2 x^2/f" },
        { 0, "-1e-9", "algo.step = -1e-09: expected 0 <= step <= 2 x^2/f" },
        { 0, "nan", "algo.step = 'nan': expected a number" },
        { 0, "", "algo.step = '': expected a number" },
        { 0, "half", "algo.step = 'half': expected a number" },
        { 1, "inf", NULL },
        { 1, "1e999", "algo.free = '1e999': expected a number" },
        { 1, "-inf", "algo.free = -inf: expected 0 <= free <= inf" },
        { 2, "64", NULL }, { 2, "2^10", NULL }, { 2, "1e6", NULL }, { 2, "8/2", NULL },
        { 2, "1.5", "algo.B = 1.5: expected an integer, 1 <= B <= 1.09951e+12 samples" },
        { 2, "1/3", "algo.B = 0.333333: expected an integer" },
        { 2, "0", "algo.B = 0: expected an integer, 1 <= B" },
        { 2, "2^41", "algo.B = 2.19902e+12: expected an integer" },
        { 2, "inf", "algo.B = inf: expected an integer" },
        { 3, "last", NULL }, { 3, "average", NULL },
        { 3, "first", "algo.answer = 'first': expected one of average|last" },
        { 3, "las", "algo.answer = 'las': expected one of average|last" },
        { 3, "average|last", "expected one of average|last" },
        { 3, "", "algo.answer = '': expected one of average|last" },
        { 4, "any/file name", NULL },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct example e, before;
        struct why why = { "" };
        params_default(table, &e);
        before = e;
        enum status s = params_set_text(&table[cases[k].row], &e, cases[k].text, "algo", &why);
        if (!cases[k].complaint) {
            assert_int_equal(s, OK);
        } else {
            assert_int_equal(s, BAD_INPUT);
            if (!strstr(why.text, cases[k].complaint))
                fail_msg("'%s' lacks '%s'", why.text, cases[k].complaint);
            assert_memory_equal(&e, &before, sizeof e);
        }
    }
}

static void test_set(void **state)
{
    struct example e;
    struct why why;
    params_default(table, &e);
    assert_int_equal(params_set(&table[0], &e, NAN, "algo", &why), BAD_INPUT);
    assert_int_equal(params_set(&table[2], &e, NAN, "algo", &why), BAD_INPUT);
    assert_int_equal(params_set(&table[3], &e, 3, "algo", &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "expected a word"));
    assert_int_equal(params_set(&table[2], &e, 12, "algo", NULL), OK);
    assert_int_equal(e.B, 12);
    /* A count beyond 2^53 is refused, whatever the table allows: doubles do not represent all integers of this
     * size. */
    const struct param wide = { "w", PARAM_COUNT, offsetof(struct example, B), 0, 0, INFINITY,
                                NULL, NULL, "", "" };
    assert_int_equal(params_set(&wide, &e, 0x1p53, "algo", NULL), OK);
    assert_int_equal(params_set(&wide, &e, 0x1p54, "algo", NULL), BAD_INPUT);
    assert_int_equal(params_set(&wide, &e, INFINITY, "algo", NULL), BAD_INPUT);
}

static void test_number_parse(void **state)
{
    static const struct { const char *text; double value;
    } good[] = {
        { "0", 0 },          { "-3", -3 },
        { "1e6", 1e6 },      { "2^10", 1024 },
        { "2^-3", 0.125 },   { ".5", 0.5 },
        { "3/4", 0.75 },     { "1e3/8", 125 },
        { "inf", INFINITY }, { "-inf", -INFINITY },
        { "10^2", 100 },     { "4^0.5", 2 },
        { "+7", 7 },         { "1.7976931348623157e308", 0x1.fffffffffffffp1023 },
        { "Inf", INFINITY }, { "5e-324", 0x1p-1074 },
    };
    static const char *const bad[] = {
        "",      " ",     " 1",  "1 ",   "one", "1x",       "0x10",   "nan",    "NaN",
        "-nan",  "1e",    "2^",  "^2",   "/2",  "3/",       "2^10^2", "1/2/3",  "1 /2",
        "1/ 2",  "2^ 3",  "1,5", "0/0",  "1/0", "1e309",    "-1e309", "10^400", "infinity",
        "inf/2", "1/inf", "--1", "1e5e", "i",   "(-1)^0.5", "-1^0.5",
    };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        double v = NAN;
        if (!number_parse(good[k].text, &v) || v != good[k].value)
            fail_msg("'%s' read as %g", good[k].text, v);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        double v = 17;
        if (number_parse(bad[k], &v) || v != 17)
            fail_msg("'%s' read as %g", bad[k], v);
    }
}

static void test_number_text(void **state)
{
    static const struct { double value; const char *text; } known[] = {
        { 0, "0" }, { 1, "1" }, { 40, "40" }, { 1000, "1000" }, { 65536, "65536" },
        { 1e6, "1e6" }, { 1048576, "1048576" }, { -300, "-300" }, { 0.1, "0.1" },
        { 2.5e-8, "2.5e-8" }, { 1e100, "1e100" }, { 1.0 / 3, "0.3333333333333333" },
        { INFINITY, "inf" }, { -INFINITY, "-inf" }, { 1.5e-300, "1.5e-300" }, { 1e10, "1e10" },
    };
    char buffer[32];
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        assert_string_equal(number_text(known[k].value, buffer), known[k].text);
    assert_string_equal(number_text(NAN, buffer), "nan");
}

/* Numbers are printed and read back unchanged: random bit patterns, random integers, every power of two. */
static void test_number_round_trip(void **state)
{
    struct rng r = rng_stream(2);
    char buffer[32];
    for (int k = 0; k < 40000; k++) {
        uint64_t bits = rng_u64(&r);
        double v, back;
        if (k % 3 == 0)
            v = (double)(bits >> (bits & 63));
        else if (k % 3 == 1)
            v = ldexp(1, (int)(bits % 2098) - 1074);
        else
            memcpy(&v, &bits, sizeof v);
        if (isnan(v))
            continue;
        number_text(v, buffer);
        if (!number_parse(buffer, &back) || memcmp(&v, &back, sizeof v))
            fail_msg("%.17g written as '%s'", v, buffer);
    }
}

/* A text has the fewest digits if with fewer digits another number is read back. The test tries decimals of 1 to 17
 * digits, the smallest numbers and whole numbers. */
static void test_number_is_shortest(void **state)
{
    struct rng r = rng_stream(3);
    char buffer[32], text[40], fewest[32];
    for (int k = 0; k < 20000; k++) {
        int digits = 0;
        double v = k % 4 == 3 ? ldexp((double)(rng_u64(&r) >> (11 + k % 53)), -1074) : k % 4 == 2
                 ? (double)(rng_u64(&r) >> (11 + k % 53)) : rng_uniform(&r);
        snprintf(text, sizeof text, "%.*ge%d", k % 17 + 1, v, k % 4 == 1 ? k % 600 - 300 : 0);
        v = k % 4 < 2 ? strtod(text, NULL) : v;
        do
            snprintf(fewest, sizeof fewest, "%.*g", ++digits, v);
        while (strtod(fewest, NULL) != v);
        number_text(v, buffer);
        int last = (int)strlen(buffer), shown = 0, zeros = 0;
        for (int c = 0; c < last && buffer[c] != 'e'; c++)
            if (isdigit((unsigned char)buffer[c]) && (shown || buffer[c] != '0')) {
                shown++;
                zeros = buffer[c] == '0' ? zeros + 1 : 0;
            }
        if (shown != digits && !(v == rint(v) && shown - zeros <= digits) && v != 0)
            fail_msg("%.17g written as '%s': %d digits are enough", v, buffer, digits);
    }
}

/* Returns the edit distance by its definition: the least cost over the four possible first edits. */
static int distance_by_recursion(const char *a, const char *b)
{
    if (!*a || !*b)
        return (int)(strlen(a) + strlen(b));
    int replace = distance_by_recursion(a + 1, b + 1) + (*a != *b);
    int delete = distance_by_recursion(a + 1, b) + 1, insert = distance_by_recursion(a, b + 1) + 1;
    int edit = delete < insert ? delete : insert;
    if (a[1] && b[1] && a[0] == b[1] && a[1] == b[0]) {
        int swap = distance_by_recursion(a + 2, b + 2) + 1;
        edit = swap < edit ? swap : edit;
    }
    return replace < edit ? replace : edit;
}

static void test_word_distance(void **state)
{
    assert_int_equal(word_distance("kitten", "sitting", 9), 3);
    assert_int_equal(word_distance("", "abc", 9), 3);
    assert_int_equal(word_distance("abc", "", 9), 3);
    assert_int_equal(word_distance("same", "same", 9), 0);
    assert_int_equal(word_distance("verfiy", "verify", 9), 1);
    struct rng r = rng_stream(4);
    for (int k = 0; k < 300; k++) {
        char a[8] = "", b[8] = "";
        int n = (int)rng_below(&r, 8), m = (int)rng_below(&r, 8);
        for (int i = 0; i < n; i++)
            a[i] = (char)('a' + rng_below(&r, 3));
        for (int i = 0; i < m; i++)
            b[i] = (char)('a' + rng_below(&r, 3));
        int edits = distance_by_recursion(a, b);
        for (int limit = 1; limit < 8; limit++) {
            int found = word_distance(a, b, limit);
            assert_true(edits < limit ? found == edits : found >= limit);
        }
    }
    char longest[200];
    memset(longest, 'x', sizeof longest);
    longest[199] = 0;
    assert_true(word_distance(longest, "x", 3) > 2 && word_distance("x", longest, 3) > 2);
}

static void test_choose(void **state)
{
    double unset = NAN, set = 3;
    long none = 0, some = 5;
    param_choose(&unset, 7);
    param_choose(&set, 7);
    param_choose_count(&none, 9);
    param_choose_count(&some, 9);
    assert_true(unset == 7 && set == 3 && none == 9 && some == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_find), cmocka_unit_test(test_get),
        cmocka_unit_test(test_set_text), cmocka_unit_test(test_set),
        cmocka_unit_test(test_number_parse), cmocka_unit_test(test_number_text),
        cmocka_unit_test(test_number_is_shortest),
        cmocka_unit_test(test_number_round_trip), cmocka_unit_test(test_word_distance),
        cmocka_unit_test(test_choose),
    };
    return cmocka_run_group_tests_name("params", tests, NULL, NULL);
}
