/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_import.c - results of other programs, as users import them. The values that are expected do not come from
 * the reader: they are closed forms that the test writes into tables, the same runs judged by `test` and drawn by
 * `sweep`, what COCO wrote about its own runs (tests/golden/coco_2.8, by coco-experiment 2.8.2), and means that
 * pandas computed of benchopt's table (tests/golden/benchopt_1.10.csv, by benchopt 1.10.0). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "support/shell.h"

static char golden[400]; /* the absolute path of tests/golden, as the test works in another folder */

static int begin(void **state)
{
    char here[300];
    if (!getcwd(here, sizeof here))
        return 1;
    snprintf(golden, sizeof golden, "%s/tests/golden", here);
    shell_begin();
    return 0;
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* Writes a table of two methods, y = c n^power (1 + noise_rep). The noise is +-10%, so that the mean of an even
 * number of replicates is the power law. idle: the excess at the start, as text. */
static void write_table(const char *name, const char *heading, const char *idle)
{
    FILE *out = fopen(name, "w");
    fprintf(out, "%s\n", heading);
    for (int method = 0; method < 2; method++)
        for (int k = 0; k < 5; k++)
            for (int rep = 0; rep < 8; rep++) {
                double n = 1000 * pow(2, k), noise = 1 + (rep % 2 ? 0.1 : -0.1);
                fprintf(out, "%s,%.17g,%d,%.17g,%.17g,%s,2.5\n", method ? "slow" : "fast", n, rep,
                        (method ? 4 * pow(n, -0.25) : 3 / sqrt(n)) * noise, n, idle);
            }
    fclose(out);
}
#define HEADING "method,n,rep,excess,sample_grads,idle.excess,fact.M_F"

static void verdicts_follow_from_the_closed_form(void **state)
{
    static const struct {
        const char *line;
        int code;
        const char *word, *says;
    } cases[] = {
        { "--algorithm fast --promise 'n^-0.5 +- 0.1' --control slow", 0, "SUPPORTED", "CAUGHT" },
        { "--algorithm slow --promise 'n^-0.5 +- 0.1' --control fast --rival n^-0.25", 1, "CONTRADICTED",
          "it agrees with n^-0.25" },
        { "--algorithm fast --promise 'n^-0.5 +- 0.1'", 3, "INCONCLUSIVE", "control not run" },
        /* The measured 3/sqrt(n) is 3/3.5 of the bound 1.4 M_F/sqrt(n) and 3/2.5 of the bound M_F/sqrt(n), where
         * M_F = 2.5 in the file */
        { "--algorithm fast --promise '<= 1.4*M_F/sqrt(n)' --control slow", 0, "SUPPORTED", "0.857 x bound" },
        { "--algorithm fast --promise '<= M_F/sqrt(n)' --control slow", 1, "CONTRADICTED", "1.2 times the bound" },
        { "--algorithm fast --against slow --control slow", 3, "INCONCLUSIVE", "" },
        { "--algorithm fast --against slow", 3, "INCONCLUSIVE", "control not run" },
        { "--algorithm fast --against slow --promise 'n^-0.25 +- 0.05'", 3, "INCONCLUSIVE", "" },
    };
    write_table("good.csv", HEADING, "1");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int code = shell("assay import good.csv %s > out 2> err", cases[k].line);
        if (code != cases[k].code || !shell_contains("out", cases[k].word) || !shell_contains("out", cases[k].says))
            fail_msg("%s: exit %d\n%s%s", cases[k].line, code, shell_read("out"), shell_read("err"));
        assert_true(shell_contains("err", "80 runs, counts as reported"));
    }
    assert_true(shell_contains("results/import/index.html", "as reported"));
    /* The report has the command line, however long, to its end. */
    char folder[700];
    memset(folder, 'a', sizeof folder);
    for (size_t k = 99; k < sizeof folder; k += 100)
        folder[k] = '/';
    folder[sizeof folder - 1] = 0;
    assert_int_equal(shell("assay import good.csv --output %s --algorithm fast --promise 'n^-0.5 +- 0.1' "
                           "--control slow > out 2> err && "
                           "grep -q \"^    assay import .* 'n^-0.5 +- 0.1' --control slow$\" %s/report.md",
                           folder, folder), 0);
}

/* Rule 1 of the judge compares a method with one that never moves. A file without the excess at the start supports
 * nothing. */
static void a_file_without_the_start_supports_nothing(void **state)
{
    write_table("mute.csv", "method,n,rep,excess,sample_grads,problem.x,fact.M_F", "1");
    assert_int_equal(
        shell("assay import mute.csv --algorithm fast --promise 'n^-0.5 +- 0.1' --control slow > out 2> err"), 3);
    assert_true(shell_contains("out", "idle.excess"));
    /* In this file the excess of the start is as small as that of the results, so that no progress was made. */
    write_table("near.csv", HEADING, "0.1");
    assert_int_equal(
        shell("assay import near.csv --algorithm fast --promise 'n^-0.5 +- 0.1' --control slow > out 2> err"), 3);
    assert_true(shell_contains("out", "rule 1"));
    /* Rows of budget 0 give the excess of the start, in place of the column idle.excess. */
    write_table("row.csv", "method,n,rep,excess,sample_grads,problem.x,fact.M_F", "1");
    assert_int_equal(
        shell("for m in fast slow; do for r in 0 1 2 3 4 5 6 7; do echo $m,0,$r,1,0,1,2.5; done; done >> row.csv;"
              "assay import row.csv --algorithm fast --promise 'n^-0.5 +- 0.1' --control slow > out 2> err"),
        0);
    assert_true(shell_contains("err", "80 runs"));
}

/* A sweep of this program that is exported and imported has the same means, intervals, exponents and costs. A
 * promise on imported runs has the same slope. */
static void runs_of_this_program_come_back(void **state)
{
    assert_int_equal(
        shell("assay sweep --store a.db --algorithm sgd,ac-sa --problem spectral --n 100..1000:5 --d 4,8 --reps 4 "
              "--x sample_grads --format csv > sweep.csv 2> err &&"
              "assay export --store a.db --wide --format csv > wide.csv &&"
              "assay import wide.csv --x sample_grads --format csv > import.csv 2> err"),
        0);
    assert_int_equal(
        shell("LC_ALL=C sort sweep.csv > a; sed 's/reported,//' import.csv | LC_ALL=C sort > b;"
              "test -s a && cmp a b"),
        0);
    assert_int_equal(
        shell("assay test --store b.db --algorithm sgd --problem spectral --n 1e3..1e5:5 --promise 'n^-0.5 +- 0.2' "
              "--control problem.decades=0.3 --format csv > test.csv 2> err"),
        0);
    assert_int_equal(
        shell("assay export --store b.db --wide --format csv > wide.csv;"
              "assay import wide.csv --promise 'n^-0.5 +- 0.2' --control problem.decades=0.3 --format csv "
              "> import.csv 2> err"),
        0);
    assert_int_equal(
        shell("for f in test import; do python3 -c \"import csv, sys; r = next(csv.DictReader(sys.stdin));\n"
              "print(r['verdict'], r['control'], r['value'], r['points'], r['reps'])\" < $f.csv > $f.says "
              "|| exit 1; done; grep -q '^SUPPORTED ' test.says && cmp test.says import.says"),
        0);
}

/* COCO's own files are read, with the means that COCO states. */
static void coco_writes_what_is_read(void **state)
{
    /* The .info files have the last evaluations and values, with two digits. */
    assert_int_equal(shell("assay import %s/coco_2.8 --format csv > out 2> err", golden), 0);
    assert_true(shell_contains("err", "24 runs of COCO, counts as reported"));
    assert_int_equal(shell("cat > read.py <<'E'\n"
                           "import csv, glob, re, sys\n"
                           "row = {(r['algorithm'], float(r['value'])): r for r in csv.DictReader(open('out'))}\n"
                           "n = 0\n"
                           "for info in glob.glob(sys.argv[1] + '/*/*.info'):\n"
                           "    lines = open(info).read().splitlines()\n"
                           "    for k in range(0, len(lines), 3):\n"
                           "        d = float(re.search(r'DIM = (\\d+)', lines[k])[1])\n"
                           "        who = re.search(r\"algId = '([^']*)'\", lines[k])[1]\n"
                           "        runs = re.findall(r'\\d+:(\\d+)\\|([^, ]+)', lines[k + 2])\n"
                           "        mean = sum(float(v) for _, v in runs) / len(runs)\n"
                           "        cost = sum(float(e) for e, _ in runs) / len(runs)\n"
                           "        r = row[who, d]\n"
                           "        assert abs(float(r['mean']) - mean) <= 0.06 * mean, (who, d)\n"
                           "        assert float(r['cost']) == cost and r['count'] == 'full_values', (who, d)\n"
                           "        n += 1\n"
                           "assert n == len(row) == 8\n"
                           "E\n"
                           "python3 read.py %s/coco_2.8",
                           golden),
                     0);
    assert_true(shell_contains("results/import/index.html", "Targets reached against full_values"));
    /* Three replicates are too few: the table of coverage for skewed data (judge/skew.c) vouches for no
     * interval. */
    assert_int_equal(shell("assay import %s/coco_2.8 --algorithm random-search --promise 'd^3 +- 2' "
                           "--control one-plus-one "
                           "> out 2> err", golden), 3);
    assert_true(shell_contains("out", "skew"));
}

static void benchopt_writes_what_is_read(void **state)
{
    /* The numbers are pandas' groupby('stop_val').objective_value.mean() - objective_value.min() of
     * GD[scale=1.0]. */
    static const struct {
        int T;
        double mean;
    } known[] = { { 1, 1.429460 }, { 9, 1.891861e-03 }, { 63, 2.664535e-15 } };
    assert_int_equal(shell("assay import %s/benchopt_1.10.csv --format csv > out 2> err", golden), 0);
    assert_true(shell_contains("err", "71 runs of benchopt, counts as reported"));
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        assert_int_equal(
            shell("python3 -c \"import csv\n"
                  "r = [x for x in csv.DictReader(open('out')) if x['algorithm'] == 'GD[scale=1.0]' and "
                  "float(x['value']) == %d]\n"
                  "assert len(r) == 1 and abs(float(r[0]['mean']) - %.17g) < 1e-6 * %.17g and "
                  "r[0]['count'] == 'seconds'\"",
                  known[k].T, known[k].mean, known[k].mean),
            0);
    assert_int_equal(
        shell("assay import %s/benchopt_1.10.csv --measure value --algorithm SGD --against 'GD[scale=0.1]' "
              "> out 2> err",
              golden),
        3);
    assert_true(shell_contains("out", "reported"));
    /* Names of methods have commas and equal signs; names of the files of figures have neither. */
    assert_int_equal(shell("find results/import -name '*[][ =]*' | grep -q .; test $? -eq 1"), 0);
}

static void bad_input_is_one_line(void **state)
{
    static const struct {
        const char *file, *line, *says;
    } cases[] = {
        { "method,n\na,1\n", "", "f.csv:1: no column has a measure" },
        { "n,excess\n1,2\n", "", "f.csv:1: no column says the method" },
        { "method,n,excess,n\na,1,2,3\n", "", "f.csv:1: columns 2 and 4 are both goal.n" },
        { "method,n,rep,excess\na,1,0,2\na,2,0,x\n", "", "f.csv:3: excess: 'x': expected a number" },
        { "method,n,rep,excess\na,1,0,2\na,2,0.5,1\n", "", "f.csv:3: rep: '0.5': expected a whole number" },
        { "method,n,rep,excess\na,1,0,2\na,2,0\n", "", "f.csv:3: 3 fields: expected 4" },
        { "method,n,rep,excess\na,1,0,2\na,2,0,1\na,1,0,3\n", "", "f.csv:4: the same method and rep" },
        { "method,n,rep,seed,excess\na,1,0,7,2\na,2,0,7,1\na,1,1,7,3\n", "", "f.csv:4: the same method and seed" },
        { "method,n,rep,seconds,excess\na,1,0,-1,2\n", "", "seconds: '-1': expected seconds" },
        { "method,n,rep,outcome,excess\na,1,0,fine,2\n", "", "outcome: 'fine': expected ok" },
        { "method,excess\na,1\n", "", "no setting of the results has several values" },
        { "method,n,excess\n", "", "no runs were read" },
        { "", "", "f.csv:1: expected a heading" },
        { "method,n,excess\na,1,2\na,2,1\n", "--algorithm b", "--algorithm b: the results have a" },
        { "method,n,excess\na,1,2\na,2,1\n", "--problem b", "--problem b: the results have results" },
        { "method,n,excess\na,1,2\na,2,1\nb,1,1\n", "--promise 'n^-1 +- 0.1'",
          "several methods: expected --algorithm" },
        { "method,n,excess\na,1,2\na,2,1\n", "--promise 'n^-1 + 0.1'", "^" },
        { "method,n,rep,excess\na,1,0,2\na,2,0,\"1\nx\"\n", "", "f.csv:3: excess: '1?x': expected a number" },
        { "method,n,excess,problem\na,1,2,\"b\nc^\"\na,2,1,\"b\nc^\"\n", "--problem b",
          "--problem b: the results have b?c^" },
        { "method,n,excess\na,1,2\na,2,1\n", "--promise 'n^-1 +- 0.1' --control b",
          "--control b: expected a method of the results" },
        { "method,n,excess\na,1,2\na,2,1\n", "--promise 'n^-1 +- 0.1' --control step=1",
          "--control step: no column" },
        { "method,n,excess\na,1,2\na,2,1\n", "--control b", "need --promise" },
        { "method,n,d,excess\na,1,1,2\na,2,2,1\n", "--promise '<= 1'", "vary along n, d: expected" },
        { "method,n,d,excess\na,1,1,2\na,2,2,1\n", "--promise 'n^-1 +- 0.1'", "differ in problem.d too" },
        { "method,n,excess\na,1,2\na,2,1\n", "--x coords", "--x coords: expected a column" },
        { "method,n,excess\na,1,2\na,2,1\n", "--d 3..5", "" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        FILE *out = fopen("f.csv", "w");
        fputs(cases[k].file, out);
        fclose(out);
        int code = shell("assay import f.csv %s > out 2> err", cases[k].line);
        int lines = strcmp(cases[k].says, "^") ? 1 : 3;
        if (code != 2 || !shell_contains("err", cases[k].says) || shell_lines("err") != lines)
            fail_msg("%s%s: exit %d\n%s", cases[k].file, cases[k].line, code, shell_read("err"));
    }
    assert_int_equal(shell("assay import 2> err"), 2);
    assert_int_equal(shell("assay import none.csv 2> err"), 2);
    assert_true(shell_contains("err", "none.csv: No such file"));
    assert_int_equal(shell("mkdir -p empty; assay import empty 2> err"), 2);
    assert_true(shell_contains("err", "expected one that COCO wrote"));
    assert_int_equal(shell("touch x.parquet; assay import x.parquet 2> err"), 2);
    assert_true(shell_contains("err", "expected CSV"));
}

/* Columns that are not read are named on stderr. Equal rows are one run. */
static void what_is_not_read_is_said(void **state)
{
    assert_int_equal(
        shell("printf 'method,n,rep,excess,colour\\na,1,0,4,red\\na,2,0,2,red\\na,4,0,1,red\\na,4,0,1,red\\n' > "
              "f.csv;"
              "assay import f.csv > out 2> err"),
        0);
    assert_true(shell_contains("err", "columns that are not read: colour"));
    assert_true(shell_contains("err", "3 runs, counts as reported"));
    assert_true(shell_contains("out", "excess ~ n^-1"));
}

/* The word none is a value of a setting, that of runs without a proximal term; an empty field is no value. The
 * excess is 3 n^-1/2 of the runs with none, 3/n of those with all, and 3 n^-3/4 of those that state nothing. */
static void the_word_none_is_a_value(void **state)
{
    static const struct {
        const char *line;
        int code;
        const char *file, *says;
    } cases[] = {
        { "--set problem.prox=none --promise 'n^-0.5 +- 0.05'", 3, "out", "control not run" },
        { "--set problem.prox=all --promise 'n^-1 +- 0.05'", 3, "out", "control not run" },
        { "--set problem.prox=none --promise 'n^-1 +- 0.05'", 1, "out", "CONTRADICTED" },
        { "--promise 'n^-0.75 +- 0.05'", 3, "out", "control not run" },
        { "--promise 'n^-0.5 +- 0.05' --problem stated", 2, "err", "its runs differ in problem.prox too" },
    };
    static const struct { const char *problem, *prox; double power; } parts[] = {
        { "all", "none", -0.5 }, { "all", "all", -1 }, { "all", "", -0.75 },
        { "stated", "none", -0.5 }, { "stated", "all", -1 },
    };
    for (int problem = 0; problem < 2; problem++) {
        FILE *out = fopen(problem ? "stated.csv" : "prox.csv", "w");
        fprintf(out, "method,problem,problem.prox,n,rep,excess,idle.excess\n");
        for (size_t part = problem ? 3 : 0; part < (problem ? 5 : 3); part++)
            for (int k = 0; k < 40; k++)
                fprintf(out, "a,%s,%s,%d,%d,%.17g,9\n", parts[part].problem, parts[part].prox, 1000 << k / 8, k % 8,
                        3 * pow(1000 << k / 8, parts[part].power) * (k % 2 ? 1.1 : 0.9));
        fclose(out);
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int code = shell("assay import %s %s > out 2> err", k < 4 ? "prox.csv" : "stated.csv", cases[k].line);
        if (code != cases[k].code || !shell_contains(cases[k].file, cases[k].says))
            fail_msg("%s: exit %d\n%s%s", cases[k].line, code, shell_read("out"), shell_read("err"));
    }
}

/* --n means the goal, also where the problem has an n in a column before. */
static void a_bare_name_is_that_of_the_goal(void **state)
{
    write_table("bare.csv", "method,n,rep,excess,sample_grads,idle.excess,fact.M_F", "1");
    assert_int_equal(shell("sed -e '1s/^/problem.n,/' -e '1!s/^/500,/' bare.csv > two.csv && "
                           "assay import two.csv --algorithm fast --n 1000..16000 --promise 'n^-0.5 +- 0.1' "
                           "--control slow > out 2> err"), 0);
    assert_true(shell_contains("out", "SUPPORTED"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_follow_from_the_closed_form),
        cmocka_unit_test(a_file_without_the_start_supports_nothing),
        cmocka_unit_test(runs_of_this_program_come_back),
        cmocka_unit_test(coco_writes_what_is_read),
        cmocka_unit_test(benchopt_writes_what_is_read),
        cmocka_unit_test(bad_input_is_one_line),
        cmocka_unit_test(what_is_not_read_is_said),
        cmocka_unit_test(the_word_none_is_a_value),
        cmocka_unit_test(a_bare_name_is_that_of_the_goal),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
