/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_contest.c - contests, which `assay reproduce` runs: a planted contest with outcomes in closed form
 * (tests/planted/claims/contested.c) as users run it, and planted pairs of curves for the conclusions.
 *
 * Serves: private-zeroth-order
 *
 * Of 400 planted ties at a joint level of 99% fewer than 16 may be decided (4 expected; a false alarm has
 * probability 4e-6). */
#include "support/orthogonal.h"
#include "support/need.h"

#include "studies/contest_run.h"
#include "rng.h"

#define PAGE "results/report/reproduce-contested.html"

/* --- contests as users run them */

static void s7_19_closed_forms(void **state)
{
    static const char *const name[] = { "flat", "steep", "even" };
    static const double l2[] = { 0.25, 3, 7.0 / 3 };
    assert_int_equal(shell("assay reproduce contested --format csv > out.csv 2> err"), 0);
    for (int k = 0; k < 6; k++) {
        int T = 1 + k % 2;
        double c = 1 + l2[k / 2], a = pow(1 - 0.2 * c, 2 * T), b = pow(1 - 0.4 * c, 2 * T);
        double scale = k / 2 == 2 ? 15 * l2[2] / c : 1;      /* on `even` the excess F - F* is compared */
        char row[80];
        snprintf(row, sizeof row, "%s,%d,short,", name[k / 2], T);
        near(csv_number("out.csv", row, "mean"), scale * a / l2[k / 2]);
        near(csv_number("out.csv", row, "first"), 0.2);
        near(csv_number("out.csv", row, "edge"), 1);
        snprintf(row, sizeof row, "%s,%d,long,", name[k / 2], T);
        near(csv_number("out.csv", row, "mean"), scale * b / l2[k / 2]);
        near(csv_number("out.csv", row, "ratio"), a / b);
        near(csv_number("out.csv", row, "runs"), 3);
        snprintf(row, sizeof row, "%s,%d,refusing,", name[k / 2], T);
        near(csv_number("out.csv", row, "refused"), 1);
        assert_true(isnan(csv_number("out.csv", row, "mean")));
    }
    assert_int_equal(shell("grep -c ',above$' out.csv | grep -qx 2 && grep -c ',below$' out.csv | grep -qx 2 "
                           "&& grep -c ',open$' out.csv | grep -qx 2"), 0);
}

static void text_page_and_store(void **state)
{
    assert_int_equal(shell("assay reproduce contested > out 2> err"), 0);
    assert_true(shell_contains("out", "Somewhere. Of 6 instances and sizes, short is below long in 2, above "
                                      "in 2, open in 2"));
    assert_true(shell_contains("out", "on steep at T = 2"));
    assert_true(shell_contains("out", "even: as much as makes them equal; excess\n"));
    assert_true(shell_contains("out", "falls on 1 of 3 instances"));
    assert_true(shell_contains("out", "refuses every choice"));
    assert_true(shell_contains("out", "step = 0.2 (end of its grid)"));
    assert_true(shell_contains("err", "48 cells: 0 run, 48 reused"));
    assert_true(shell_contains(PAGE, "Somewhere."));
    assert_true(shell_contains("results/report/figures/reproduce-contested.steep.tsv", "curve1\tshort\t2\t"));
    need("xmllint");
    assert_int_equal(shell("xmllint --noout " PAGE), 0);
    assert_int_equal(shell("assay reproduce contested --format json > out.json 2> err && "
                           "python3 -m json.tool out.json > /dev/null"), 0);
}

static void selections_and_bad_lines(void **state)
{
    static const char *const bad[][2] = {
        { "--problem nothing", "--problem nothing: expected one of flat steep even" },
        { "--algorithm gd", "--algorithm gd: this search compares all its methods" },
        { "--l2 1,2", "--l2: this search" },
        { "--set algo.no=1", "algo.no" },
        { "--reps 65", "--reps 65: expected at most 64" },
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(shell("assay reproduce contested %s > out 2> err", bad[k][0]), 2);
        if (!shell_contains("err", bad[k][1]))
            fail_msg("'%s': expected '%s'", bad[k][0], bad[k][1]);
    }
    assert_int_equal(shell("assay reproduce contested --problem flat --reps 5 --format csv > o.csv 2> err"),
                     0);
    near(csv_number("o.csv", "flat,1,long,", "runs"), 5);
    assert_int_equal(shell("assay reproduce contested --problem flat > o 2> err"), 0);
    assert_true(shell_contains("o", "Nowhere. Of 2 instances and sizes"));
    assert_int_equal(shell("assay reproduce contested --problem flat --l2 3 > o 2> err"), 0);
    assert_true(shell_contains("o", "not the search that is declared") &&
                shell_contains("o", "Somewhere."));
}

/* Every run that fails counts, also those of one choice. */
static void failed_runs_are_counted(void **state)
{
    assert_int_equal(shell("assay reproduce contested-crash --format csv > o.csv 2> err"), 4);
    near(csv_number("o.csv", "chain,4,crashing,", "failed"), 2);
    near(csv_number("o.csv", "chain,4,good,", "failed"), 0);
    assert_int_equal(shell("assay reproduce contested-crash > o 2> err"), 4);
    assert_true(shell_contains("o", "no choice ran; crashed"));
    assert_true(shell_contains("o", "good / crashing: not compared"));
    assert_true(shell_contains("o", "Nothing was compared. Of 1 instances and sizes"));
}

/* A run on one seed has no interval, and a run without the data no numbers: in both cases nothing is compared.
 * Other numbers of seeds, and another seed, do not replace the page and the finding of the contest as declared. */
static void what_is_not_compared_is_said(void **state)
{
    assert_int_equal(shell("assay reproduce contested > o 2> err && assay reproduce contested --reps 1 > o 2> err"),
                     0);
    assert_true(shell_contains("o", " no interval (runs: 1)"));
    assert_true(shell_contains("o", "Nothing was compared. Of 6 instances and sizes"));
    assert_false(shell_contains("o", "diverged or failed") || shell_contains("o", "nan"));
    assert_true(shell_contains("o", "not the search that is declared"));
    assert_int_equal(shell("assay reproduce contested --seed 2 > o 2> err"), 0);
    assert_true(shell_contains("results/report/reproduce-contested-altered.txt", "Somewhere."));
    assert_true(shell_contains("results/report/reproduce-contested.txt", "Somewhere."));
    assert_int_equal(shell("mkdir away && cd away && assay reproduce contested > o 2> err"), 0);
    assert_true(shell_contains("away/o", "refuses every choice; refused: "));
    assert_true(shell_contains("away/o", "Nothing was compared."));
}

/* --- conclusions from planted pairs of curves */

enum { PAIRS = 16 };
static const struct contest_instance somewhere[] = { { .name = "here", .title = "here" }, { 0 } };
static struct contest planted = {
    .yes = "Yes.", .no = "No.", .axis = "n", .points = 1, .rival = 1,
    .method = { { .label = "first" }, { .label = "rival" } }, .instances = somewhere,
};

/* Plants the runs y of the first method and z of its rival: y = ratio z apart from noise, with z of any size.
 * `shared` is the sd of the noise that the logarithms of y and z share, `own` that of the noise of y alone. */
static void plant(struct contest_row *r, struct rng *rng, double ratio, double shared, double own)
{
    *r = (struct contest_row){ .on = somewhere, .size = 1 };
    for (int m = 0; m < 2; m++)
        r->entry[m].runs = PAIRS;
    for (int k = 0; k < PAIRS; k++) {
        double z = exp(3 + shared * rng_normal(rng));
        r->entry[1].y[k] = z;
        r->entry[0].y[k] = ratio * z * exp(own * rng_normal(rng) - own * own / 2);
    }
}

static enum contest_word word_of(struct contest_row *r, int rows)
{
    struct contest_table t = { .what = &planted, .methods = 2, .rows = rows, .row = r };
    contest_compare(&t);
    return r->ratio.word;
}

/* Three properties of planted pairs of curves are checked: noise that the two curves of a pair share does not hide
 * their ratio; a curve that is an exact multiple of the other has the exact ratio; and the table counts the
 * outcomes of its rows. */
static void s7_19_planted_pairs(void **state)
{
    struct rng rng = rng_stream(801);
    struct contest_row r[4];
    struct contest_answer a;
    plant(&r[0], &rng, 0.5, 1, 0);
    assert_true(word_of(&r[0], 1) == CONTEST_BELOW);
    near(r[0].ratio.value, 0.5);
    near(r[0].ratio.limits.hi, 0.5);
    plant(&r[0], &rng, 1, 1, 0);
    assert_true(word_of(&r[0], 1) == CONTEST_OPEN);
    /* log 0.7 is more than 12 standard errors from 0: the error of the logarithm of a ratio of means is about
     * 0.1 e^(1/8)/sqrt(16) = 0.028. */
    plant(&r[0], &rng, 0.7, 0.5, 0.1);
    plant(&r[1], &rng, 1.4, 0.5, 0.1);
    plant(&r[2], &rng, 1, 0.5, 0);
    plant(&r[3], &rng, 1, 0.5, 0.1);
    r[3].entry[0].runs = 1;
    struct contest_table t = { .what = &planted, .methods = 2, .rows = 4, .row = r };
    contest_compare(&t);
    contest_conclude(&t, &a);
    for (int w = 0; w < 4; w++)
        assert_int_equal(a.count[w], 1);
    assert_true(a.best == &r[0] && strncmp(a.text, "Yes. Of 4", 9) == 0);
    t.row = &r[1], t.rows = 3;
    contest_compare(&t);
    contest_conclude(&t, &a);
    assert_true(a.count[CONTEST_BELOW] == 0 && strncmp(a.text, "No. Of 3", 8) == 0);
}

static void s7_19_ties_are_open(void **state)
{
    struct rng rng = rng_stream(802);
    int called = 0;
    for (int k = 0; k < 400; k++) {
        struct contest_row r;
        plant(&r, &rng, 1, 1, 0.3);
        called += word_of(&r, 1) != CONTEST_OPEN;
    }
    assert_true(called < 16);
}

/* A pair with a missing run is left out. If the two methods have unequal numbers of diverged runs, the one with
 * more counts as above the other. If the numbers are equal, the pairs without a diverged run decide. */
static void missing_and_infinite(void **state)
{
    struct rng rng = rng_stream(803);
    struct contest_row r;
    plant(&r, &rng, 0.5, 1, 0);
    r.entry[0].y[3] = NAN;
    r.entry[1].y[5] = NAN;
    assert_true(word_of(&r, 1) == CONTEST_BELOW);
    near(r.ratio.value, 0.5);
    r.entry[0].y[7] = INFINITY;
    assert_true(word_of(&r, 1) == CONTEST_ABOVE && isnan(r.ratio.value));
    r.entry[1].y[7] = INFINITY;
    assert_true(word_of(&r, 1) == CONTEST_BELOW);
    r.entry[1].y[8] = INFINITY;
    r.entry[0].y[8] = 1;
    assert_true(word_of(&r, 1) == CONTEST_BELOW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s7_19_closed_forms), cmocka_unit_test(text_page_and_store),
        cmocka_unit_test(selections_and_bad_lines), cmocka_unit_test(failed_runs_are_counted),
        cmocka_unit_test(what_is_not_compared_is_said), cmocka_unit_test(s7_19_planted_pairs),
        cmocka_unit_test(s7_19_ties_are_open), cmocka_unit_test(missing_and_infinite),
    };
    return cmocka_run_group_tests_name("contest", tests, begin, end);
}
