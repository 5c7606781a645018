/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_report_table.c - the verdict table as text, CSV and JSON, and the reasons of a verdict. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/judged.h"
#include "report/report.h"
#include "report/report_words.h"

static struct judgement j[JUDGED];

static int setup(void **state)
{
    judged_fill(j);
    return 0;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

/* --- the table as text */

static char *table(int n, bool color, int width)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    report_table(out, j, n, color, width);
    fclose(out);
    return text;
}

static void table_is_as_written_by_hand(void **state)
{
    static const char expected[] =
        "claim                     verdict        measured                    promised       control\n"
        "alpha\n"
        "  sgd.rate.excess.n       SUPPORTED      n^-0.5 (-0.52 to -0.48)     n^-0.5 +- 0.1  CAUGHT\n"
        "  sgd.bound.excess.T      INCONCLUSIVE*  0.5 x bound (0.45 to 0.55)  <= bound       MISSED\n"
        "      why: control missed: below\n"
        "      next: more replicates\n"
        "beta\n"
        "  gd.count.batch_steps.T  CONTRADICTED   formula +25%                formula        not run\n"
        "      why: T = 4: 25% more than the formula\n"
        "3 claims: 1 supported, 1 contradicted, 1 inconclusive, 0 suspect, 0 not run; controls: 1 of 2 "
        "caught\n"
        "* EXPLORATORY: not the declared settings; never enters a baseline\n";
    char *text = table(3, false, 0);
    assert_string_equal(text, expected);
    free(text);
}

static void table_is_aligned(void **state)
{
    char *text = table(JUDGED, false, 0);
    size_t column = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "claim", 5) == 0)
            column = (size_t)(strstr(line, "verdict") - line);
        else if (strncmp(line, "  ", 2) == 0 && line[2] != ' ')
            assert_true(line[column - 1] == ' ' && isupper((unsigned char)line[column]));
    }
    assert_true(column > 0);
    free(text);
}

static void table_fits_the_width(void **state)
{
    char *text = table(JUDGED, false, 84);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (strncmp(line, "      ", 6) && strncmp(line, "8 claims", 8) && *line != '*')
            assert_true(strlen(line) <= 84);
    free(text);
}

static void colours_only_if_asked(void **state)
{
    char *plain = table(JUDGED, false, 0), *bright = table(JUDGED, true, 0), *to = bright;
    assert_null(strchr(plain, '\033'));
    assert_non_null(strchr(bright, '\033'));
    for (const char *s = bright; *s;)
        if (*s == '\033')
            s = strchr(s, 'm') + 1;
        else
            *to++ = *s++;
    *to = 0;
    assert_string_equal(plain, bright);
    free(plain);
    free(bright);
}

static void empty_table_says_so(void **state)
{
    char *text = table(0, true, 80);
    assert_string_equal(text, "0 claims: 0 supported, 0 contradicted, 0 inconclusive, 0 suspect, 0 not "
                              "run; controls: 0 of 0 caught\n");
    free(text);
}

/* --- CSV: fields of one line, quotes removed */

static char *csv_line(char *s, char **field, int *n)
{
    for (*n = 0;;) {
        char *to = s;
        bool quoted = *s == '"';
        field[(*n)++] = to;
        s += quoted;
        while (*s && (quoted || (*s != ',' && *s != '\n'))) {
            if (quoted && *s == '"') {
                s++;
                if (*s != '"')
                    break;
            }
            *to++ = *s++;
        }
        char end = *s;
        *to = 0;
        assert_true(end == ',' || end == '\n');
        s++;
        if (end == '\n')
            return s;
    }
}

static void csv_has_its_fields(void **state)
{
    char *text, *field[64];
    size_t size;
    int n, columns;
    FILE *out = open_memstream(&text, &size);
    report_table_csv(out, j, JUDGED);
    fclose(out);
    char *s = csv_line(text, field, &columns);
    assert_string_equal(field[0], "claim");
    assert_string_equal(field[19], "reason");
    for (int k = 0; k < JUDGED; k++) {
        s = csv_line(s, field, &n);
        assert_int_equal(n, columns);
        assert_string_equal(field[0], j[k].claim->id);
        assert_string_equal(field[4], verdict_word(j[k].verdict.word));
        assert_string_equal(field[19], j[k].verdict.reason);
        assert_string_equal(field[20], j[k].verdict.next);
        if (k == J_RATE)
            assert_true(strtod(field[8], NULL) == -0.5 && strtod(field[9], NULL) == -0.52);
        if (k == J_INFINITE)
            assert_string_equal(field[8], "inf");
        if (k == J_NOT_RUN)
            assert_string_equal(field[8], "nan");
    }
    assert_int_equal(*s, 0);
    free(text);
}

/* --- JSON: a recognizer of RFC 8259; NULL: invalid */

static const char *json_value(const char *s);

static const char *json_string(const char *s)
{
    if (*s++ != '"')
        return NULL;
    for (; *s != '"'; s++) {
        if ((unsigned char)*s < 32)
            return NULL;
        if (*s == '\\' && !strchr("\"\\/bfnrtu", *++s))
            return NULL;
    }
    return s + 1;
}

static const char *json_list(const char *s, char end, bool keys)
{
    s += 1 + strspn(s + 1, " \n");
    if (*s == end)
        return s + 1;
    for (;;) {
        if (keys && (!(s = json_string(s)) || *s++ != ':'))
            return NULL;
        if (!(s = json_value(s)))
            return NULL;
        s += strspn(s, " \n");
        if (*s == end)
            return s + 1;
        if (*s++ != ',')
            return NULL;
        s += strspn(s, " \n");
    }
}

static const char *json_value(const char *s)
{
    static const char *const words[] = { "true", "false", "null" };
    char *end;
    if (*s == '{')
        return json_list(s, '}', true);
    if (*s == '[')
        return json_list(s, ']', false);
    if (*s == '"')
        return json_string(s);
    for (int k = 0; k < 3; k++)
        if (strncmp(s, words[k], strlen(words[k])) == 0)
            return s + strlen(words[k]);
    if (*s != '-' && !isdigit((unsigned char)*s))
        return NULL;
    if (!isdigit((unsigned char)s[*s == '-']))
        return NULL;
    strtod(s, &end);
    return end;
}

static void json_is_valid(void **state)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    report_table_json(out, j, JUDGED);
    fclose(out);
    assert_null(json_value("[{\"a\":nan}]"));
    assert_null(json_value("[{\"a\":-inf}]"));
    assert_null(json_value("[{\"a\":1,}]"));
    const char *end = json_value(text);
    assert_non_null(end);
    assert_string_equal(end, "\n");
    assert_int_equal(count(text, "\"verdict\":"), JUDGED);
    assert_int_equal(count(text, "\"control\":\"MISSED\""), 1);
    assert_non_null(strstr(text, "\"value\":\"inf\""));
    assert_non_null(strstr(text, "\"value\":null"));
    assert_non_null(strstr(text, "50% less than \\\"the\\\" formula"));
    free(text);
}

/* --- reasons, measures and promises in words */

static void explain_tells_what_decided(void **state)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int k = 0; k < JUDGED; k++)
        report_explain(out, &(struct report_input){ .profile = PROFILE_NIGHTLY }, &j[k]);
    fclose(out);
    for (int k = 0; k < JUDGED; k++) {
        assert_non_null(strstr(text, j[k].claim->says));
        assert_non_null(strstr(text, j[k].claim->cite));
        assert_non_null(strstr(text, j[k].verdict.reason));
        assert_non_null(strstr(text, j[k].verdict.next));
    }
    assert_non_null(strstr(text, "gd does not sample: CAUGHT, exponent -1."));
    assert_non_null(strstr(text, "assay verify --claim 'alpha/sgd.rate.excess.n' --profile nightly\n"));
    assert_non_null(strstr(text, "assay verify --claim 'beta/gd.rate.late' --profile full\n"));
    assert_non_null(strstr(text, "problem nowhere | algo gd | rep 0: crashed: signal 11"));
    free(text);
}

#define TEST(f) cmocka_unit_test_setup(f, setup)
static double root(const struct env *e) { return 2; }

/* The measure of a rate that is divided by a formula is shown with the formula. The measure of a bound is shown
 * alone. */
static void measure_names_the_formula(void **state)
{
    struct claim c = { .id = "a/b.n", .algo = "sgd", .problem = "spectral", .axis = "n", .measure = "excess",
                       .check = CHECK_RATE };
    assert_string_equal(report_measure(&c).at, "mean excess (in units of F)");
    c.formula = root;
    assert_string_equal(report_measure(&c).at, "mean excess / formula (in units of F)");
    c.check = CHECK_BOUND;
    assert_string_equal(report_measure(&c).at, "mean excess (in units of F)");
}

/* A law of Box and Cox is promised by the interval of its power c, which may lack its lower end. */
static void promise_of_a_logarithm_names_both_ends(void **state)
{
    struct claim c = { .id = "a/b.n", .axis = "n", .check = CHECK_RATE, .band = { -INFINITY, 0.15 },
                       .law = { .form = LAW_BOX_COX, .exponent = { 1 } } };
    assert_string_equal(report_promised(&c).at, "log(n), c <= 0.15");
    c.band[0] = -0.075;
    assert_string_equal(report_promised(&c).at, "log(n), -0.075 <= c <= 0.15");
    c.law.exponent[0] = 2;
    assert_string_equal(report_promised(&c).at, "log(n)^2, -0.075 <= c <= 0.15");
}

/* The interval of a squared measure (moment.error2) is shown from 0 where its lower limit is negative. That of
 * moment.along, which may be negative, is shown as it is. An unknown limit stays NaN. */
static void squares_are_not_below_zero(void **state)
{
    const struct fit_point p = { .axis = 64, .reps = 3, .y = { 0.1, -0.05, 0.25 } };
    const struct fit_point unknown = { .axis = 64, .reps = 1, .y = { 0.1, NAN, NAN } };
    struct judgement one = j[0];
    struct claim c = *one.claim;
    struct report_row row;
    c.measure = "moment.error2";
    one.claim = &c;
    one.fit.points = 1;
    one.fit.point[0] = p;
    assert_true(report_row(&report_points, &one, 0, &row));
    assert_string_equal(row.cell[3].at, "0 to 0.25");
    assert_true(report_mean(&c, &p).lo == 0 && report_mean(&c, &p).hi == 0.25);
    assert_true(isnan(report_mean(&c, &unknown).lo));
    c.measure = "moment.along";
    assert_true(report_row(&report_points, &one, 0, &row));
    assert_string_equal(row.cell[3].at, "-0.05 to 0.25");
    assert_false(report_row(&report_points, &one, 1, &row));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(table_is_as_written_by_hand), TEST(table_is_aligned), TEST(table_fits_the_width),
        TEST(colours_only_if_asked), TEST(empty_table_says_so), TEST(csv_has_its_fields),
        TEST(json_is_valid), TEST(explain_tells_what_decided), TEST(measure_names_the_formula),
        TEST(promise_of_a_logarithm_names_both_ends), TEST(squares_are_not_below_zero),
    };
    return cmocka_run_group_tests_name("report_table", tests, NULL, NULL);
}
