/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_plot.c - figures and tables that papers declare, from the plan to the page:
 * tests/planted/claims/plots.c, where the excess is 1/(4T+2) in closed form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "support/need.h"
#include "support/shell.h"
#include "support/xml.h"

#define FIGURE "results/report/figures/plots__figure.both"

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

static double worst(double T) { return 1 / (4 * T + 2); }

/* row[k] <- axis and value of the k-th row of the series `name` in the table of the figure. Returns how many there
 * are. */
static int series(const char *name, double (*row)[2])
{
    char line[400], wanted[64];
    int n = 0;
    FILE *f = fopen(FIGURE ".tsv", "r");
    assert_non_null(f);
    snprintf(wanted, sizeof wanted, "%s\t", name);
    while (fgets(line, sizeof line, f))
        if (strncmp(line, wanted, strlen(wanted)) == 0)
            n += sscanf(strchr(strchr(line, '\t') + 1, '\t') + 1, "%lf\t%lf", &row[n][0],
                        &row[n][1]) == 2;
    fclose(f);
    return n;
}

static void lines_are_the_closed_form(void **state)
{
    static const double T[] = { 4, 16, 64 }, other[] = { 8, 32 };
    double row[16][2];
    assert_int_equal(shell("assay verify --planted --claim plots/figure.both > out 2> err"), 0);
    assert_int_equal(series("curve1", row), 3);
    for (int k = 0; k < 3; k++) {
        assert_true(row[k][0] == T[k]); /* gd asks for one gradient a step */
        assert_true(fabs(row[k][1] / worst(T[k]) - 1) < 1e-9);
    }
    assert_int_equal(series("theory1", row), 3);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(row[k][1] / worst(T[k]) - 1) < 1e-9);
    assert_int_equal(series("curve3", row), 2); /* this line has another window */
    for (int k = 0; k < 2; k++)
        assert_true(row[k][0] == other[k] && fabs(row[k][1] / worst(other[k]) - 1) < 1e-9);
    assert_int_equal(series("curve4", row), 0);
}

/* The line of theory is fitted to the points at 4 and 16, without the point at 64. */
static void theory_goes_through_the_middle_of_its_points(void **state)
{
    double y[16][2], theory[16][2];
    assert_int_equal(shell("assay verify --planted --claim plots/figure.both > out 2> err"), 0);
    assert_int_equal(series("curve2", y), 3);
    assert_int_equal(series("theory2", theory), 2);
    assert_true(fabs(theory[0][1] / theory[1][1] - 4) < 1e-9);
    assert_true(fabs(theory[0][1] * theory[1][1] / (y[0][1] * y[1][1]) - 1) < 1e-9);
    char slope[80];
    snprintf(slope, sizeof slope, "slope %.3g for T from 4 to 20, theory -1",
             log(y[1][1] / y[0][1]) / log(4));
    shell("assay explain --planted plots/figure.both | tr -s ' \\n' ' ' > said");
    assert_true(shell_contains("said", slope));
}

/* A figure on the cells of a claim runs no cell of its own, and draws what the claim measured. */
static void a_claims_cells_are_shared(void **state)
{
    assert_int_equal(shell("assay verify --planted --claim plots/gd.bound.T --store s.db > out "
                           "2> err"), 0);
    assert_true(shell_contains("err", "6 cells: 6 run"));
    assert_int_equal(shell("assay verify --planted --claim plots/figure.both --algorithm gd "
                           "--store s.db > out 2> err"), 0);
    assert_true(shell_contains("err", "8 cells: 5 run, 3 reused"));
    assert_int_equal(shell("assay verify --planted --claim 'plots/gd.bound.T,plots/figure.both' "
                           "--store s.db > out 2> err; "
                           "grep ^measured results/report/figures/plots__gd.bound.T.tsv | "
                           "cut -f4 > a; grep ^curve1 " FIGURE ".tsv | cut -f4 > b; test -s a && cmp a b"), 0);
}

/* Returns the value of a curve of the figure's table at the last point that is not beyond x. */
static double share(const char *figure, int curve, double x)
{
    char line[100] = "";
    assert_int_equal(shell("awk -F'\\t' '$1 == \"curve%d\" && $3 <= %.17g { y = $4 } END { printf \"%%.17g\\n\", y "
                           "}' results/report/figures/plots__figure.%s.tsv > share", curve, x * (1 + 1e-9),
                           figure), 0);
    FILE *f = fopen("share", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    return atof(line);
}

/* The objective of tests/planted/claims/plots.c decreases linearly: after t steps of length h it is 0.095 - h
 * t/100, with h = 1 for one line of the figure and 1/2 for the other. It reaches half of its start after 5 and 10
 * steps (4.75 and 9.5, rounded up to a mark), and a quarter after 8 and 15 steps (7.125 and 14.25). */
static void targets_are_reached_when_the_slope_says(void **state)
{
    assert_int_equal(shell("assay verify --planted --claim 'plots/figure.reached,plots/figure.profile,"
                           "plots/figure.path' > out 2> err"), 0);
    assert_true(share("reached", 1, 4.5) == 0 && share("reached", 1, 7) == 0.5 && share("reached", 1, 9) == 1);
    assert_true(share("reached", 2, 9) == 0 && share("reached", 2, 13) == 0.5 && share("reached", 2, 20) == 1);
    assert_true(share("profile", 1, 1) == 1 && share("profile", 2, 1.8) == 0);
    assert_true(share("profile", 2, 1.95) == 0.5 && share("profile", 2, 2) == 1);
    assert_true(fabs(share("path", 1, 1) - 0.085 / 0.095) < 1e-12);
    shell("assay explain --planted plots/figure.profile | tr -s ' \n' ' ' > said");
    assert_true(shell_contains("said", "whole steps: first at 1 of the targets, within twice the first's cost at "
                               "1, reaches 1"));
    assert_true(shell_contains("said", "half steps: first at 0 of the targets"));
    assert_true(shell_contains("said", "refused: no point") || shell_contains("said", "reaches 0"));
}

/* A figure has no verdict. The exit code tells a crash (4) and that nothing was measured (3: figure.late has no
 * point in the profile quick); a refusal of a method is shown. */
static void nothing_is_judged(void **state)
{
    assert_int_equal(shell("assay verify --planted --claim plots/figure.both > out 2> err"), 0);
    assert_true(shell_contains("out", "0 claims: 0 supported"));
    shell("assay explain --planted plots/figure.both > said");
    assert_true(shell_contains("said", "refused: no point; refused"));
    assert_int_equal(shell("assay verify --planted --claim plots/figure.crash > out 2> err"), 4);
    assert_int_equal(shell("assay report --planted --claim plots/figure.crash > out 2> err"), 4);
    assert_int_equal(shell("assay verify --planted --claim plots/figure.late > out 2> err"), 3);
    assert_int_equal(shell("assay verify --planted --claim plots/figure.late,plots/gd.bound.T "
                           "> out 2> err"), 0);
}

static void names_select(void **state)
{
    assert_int_equal(shell("assay plan --planted --check figure --paper plots > out"), 0);
    assert_true(shell_contains("out", "0 claims, ") && shell_contains("out", "a short step"));
    assert_int_equal(shell("assay plan --planted --check figure --paper plots --profile full | "
                           "grep 'not in profile full *other points' > out"), 0);
    assert_int_equal(shell("assay plan --planted --claim plots/table.one > out"), 0);
    assert_true(shell_contains("out", "2 claims, 9 cells") && !shell_contains("out", "figure"));
    assert_int_equal(shell("assay plan --planted --claim plots/figure.bot 2> err"), 2);
    assert_true(shell_contains("err", "plots/figure.both"));
    assert_int_equal(shell("assay list claims --planted --paper plots --format csv > out"), 0);
    assert_int_equal(shell_lines("out"), 3);
    assert_int_equal(shell("assay list figures --format csv | grep -c plots/"), 1);
}

/* A cell of the table shows what the table of verdicts says of the claim. */
static void cells_are_the_verdicts(void **state)
{
    assert_int_equal(shell("assay verify --planted --claim plots/table.one --format csv > out "
                           "2> err"), 3);
    assert_true(shell_contains("out", "SUPPORTED"));
    shell("assay explain --planted plots/table.one | tr -s ' ' > said");
    char slope[80]; /* the slope of three points on a geometric grid is that of the end points */
    snprintf(slope, sizeof slope, "rate T^%.3g, promised", log(worst(64) / worst(4)) / log(16));
    assert_true(shell_contains("said", slope));
    assert_true(shell_contains("said", "promised T^-1 +- 0.2: INCONCLUSIVE"));
    assert_true(shell_contains("said", "promised <= bound: SUPPORTED"));
    need("xmllint");
    const char *page = "results/report/paper-plots.html";
    assert_true(xml_well_formed(page));
    assert_int_equal(xml_count(page, "//table[@class=\"cells\"]//tbody/tr"), 2);
    assert_int_equal(xml_count(page, "//table[@class=\"cells\"]//td/a[starts-with(@href, "
                                     "\"paper-plots.html#plots__gd\")]"),
                     2);
    assert_string_equal(xml_value(page, "string((//table[@class=\"cells\"]//td)[4])"),
                        "not selected");
    char measured[400];
    snprintf(measured, sizeof measured, "%s",
             xml_value(page, "string((//table[@class=\"cells\"]//td)[2]/a)"));
    assert_string_equal(measured, xml_value(page, "string((//table[@class=\"verdicts\"]//tr"
                                                  "[@data-claim=\"plots__gd.rate.T\"]/td)[2])"));
}

static void the_page_draws_them(void **state)
{
    assert_int_equal(
        shell("assay verify --planted --claim 'plots/figure.[bl]*' --output sel > out 2> err"), 0);
    assert_int_equal(shell("grep -q 'figures/plots__figure.both.svg' sel/report.md"), 0);
    need("xmllint");
    need("gnuplot");
    const char *drawing = "sel/figures/plots__figure.both.svg", *page = "sel/paper-plots.html";
    assert_true(xml_well_formed(page) && xml_well_formed(drawing));
    assert_int_equal(xml_count(page, "//*[@class=\"exhibit\"]"), 2);
    assert_int_equal(xml_count(page, "//*[@class=\"exhibit\"]//object"), 1);
    assert_int_equal(xml_count(page, "//*[@id=\"plots__figure.both\"]//tbody/tr"), 8);
    assert_int_equal(xml_count(page, "//*[@id=\"plots__figure.both\"]//dt"), 4);
    /* Three lines have points and are in the legend. The fourth line has none and is not. */
    assert_int_equal(xml_count(drawing, "//*[local-name()=\"text\"][contains(., "
                                        "\"a short step, theory dashed, slope\")]"),
                     1);
    assert_int_equal(xml_count(drawing, "//*[local-name()=\"text\"][contains(., "
                                        "\"refused\")]"),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_the_closed_form),
        cmocka_unit_test(theory_goes_through_the_middle_of_its_points),
        cmocka_unit_test(a_claims_cells_are_shared),
        cmocka_unit_test(targets_are_reached_when_the_slope_says),
        cmocka_unit_test(nothing_is_judged),
        cmocka_unit_test(names_select),
        cmocka_unit_test(cells_are_the_verdicts),
        cmocka_unit_test(the_page_draws_them),
    };
    return cmocka_run_group_tests_name("plot", tests, begin, end);
}
