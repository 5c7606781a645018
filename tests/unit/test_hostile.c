/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_hostile.c - names and texts of users do no harm. Each of them would, in one of the languages that the
 * program writes, run the command `touch HARMED` or break a page: sh, gnuplot, HTML, SQL, printf formats, paths.
 * They are names of methods and problems in tables to import, of data files, of studies and folders, and what a
 * store from a stranger says of its runs. No file HARMED may appear, and no page may have a tag that stands in a
 * name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

static const char *const hostile[] = {
    "`touch HARMED`",
    "$(touch HARMED)",
    "'; touch HARMED; '",
    "\"; touch HARMED; \"",
    "' . system('touch HARMED') . '",
    "\" . system(\"touch HARMED\") . \"",
    "!touch HARMED",
    "| touch HARMED",
    "@HARMED",
    "<script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "javascript:alert(1)",
    "x'; DROP TABLE records; --",
    "%n%s%s%s%1000000d",
    "..%2f..%2fHARMED",
    "../../HARMED",
    "{/=99 {/:Bold x}}}}}",
    "\\\\\\",
    "-rf --force",
    "\xff\xfe\x01\x1b]0;title\a",
    "\xef\xbf\xbf\xc2\x80\xed\xa0\x80",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

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

static void nothing_was_run(const char *by)
{
    if (shell("find . ../HARMED ../../HARMED -newer began -name HARMED 2> /dev/null | grep .") == 0)
        fail_msg("%s: a file HARMED appeared", by);
}

/* No element and no event handler of a page comes from a name. xmllint reads a page as browsers do, and an XPath
 * expression finds what must not be there. */
static void pages_are_whole(const char *folder, const char *by)
{
    int code = shell("find %s -name '*.html' > pages; test -s pages && while read -r p; do "
                     "xmllint --html --recover --xpath \"count(//*[@onerror or @onload]) + "
                     "count(//script[contains(., 'alert(1)')]) + "
                     "count(//a[starts-with(@href, 'javascript')])\" \"$p\" 2> /dev/null | grep "
                     "-qx 0 || exit 9; done < pages",
                     folder);
    if (code)
        fail_msg("%s: %s has a tag of a name (exit %d)", by, folder, code);
}

/* Writes a text as a quoted CSV field. */
static void put_field(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++)
        fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', f);
}

/* Each hostile text serves as the name of a method, of a problem and of a value of a setting; all curves are
 * drawn. */
static void results_of_others(void **state)
{
    FILE *f = fopen("results.csv", "w");
    fputs("problem,method,problem.kind,n,rep,excess,sample_grads\n", f);
    for (int k = 0; k < HOSTILE; k++)
        for (int n = 10; n <= 40; n *= 2) {
            for (int i = 0; i < 3; i++) {
                put_field(f, i < 2 ? hostile[k] : "x");
                fputc(',', f);
            }
            fprintf(f, "%d,0,%g,%d\n", n, 1.0 / n, n);
        }
    fclose(f);
    assert_int_equal(shell("touch began; assay import results.csv > out 2> err"), 0);
    nothing_was_run("import");
    pages_are_whole("results/import", "import");
    assert_int_equal(shell("find results/import -name '*.svg' | grep -q ."), 0);
    assert_int_equal(shell("find results/import -name '*.svg' -exec xmllint --noout {} +"), 0);
    assert_int_equal(shell("assay import results.csv --algorithm x --promise 'n^-1 +- 0.1' > out2 2> err2"), 2);
    for (int k = 0; k < HOSTILE; k++) {
        setenv("NAME", hostile[k], 1);
        int code = shell("assay import results.csv --algorithm \"$NAME\" --problem \"$NAME\" "
                         "--promise 'n^-1 +- 0.1' "
                         "> out2 2> err2");
        if (code != 3 && code != 0)
            fail_msg("import --algorithm %s: exit %d: %s", hostile[k], code, shell_read("err2"));
        nothing_was_run(hostile[k]);
        pages_are_whole("results/import", hostile[k]);
    }
}

/* Each hostile text without a slash serves as the name of a data file. */
static void names_of_data(void **state)
{
    assert_int_equal(shell("mkdir -p named; touch began"), 0);
    for (int k = 0; k < HOSTILE; k++) {
        if (strchr(hostile[k], '/'))
            continue;
        setenv("NAME", hostile[k], 1);
        assert_int_equal(shell("printf '1 1:1 2:3\\n-1 1:2 2:1\\n1 1:3 2:2\\n' > \"named/$NAME\"; "
                               "assay sweep --algorithm gd,nesterov --data \"named/$NAME\" --loss "
                               "logistic --l2 0.1 --T 10..40 "
                               "--reps 1 --store s.db > out 2> err"),
                         0);
        nothing_was_run(hostile[k]);
        pages_are_whole("results/sweep", hostile[k]);
        /* The store and the export have the name as it is. */
        assert_int_equal(
            shell("assay export --wide --store s.db > wide.csv && python3 -c '\n"
                  "import csv, os\n"
                  "assert any(r[\"problem.data\"].endswith(os.path.basename(os.environ[\"NAME\"])) "
                  "for r in csv.DictReader(open(\"wide.csv\", errors=\"surrogateescape\", "
                  "newline=\"\")))'"),
            0);
    }
}

/* Each hostile text without a slash serves as the name of a report's folder. */
static void folders_of_reports(void **state)
{
    assert_int_equal(shell("mkdir -p folders; touch began"), 0);
    for (int k = 0; k < HOSTILE; k++) {
        if (strchr(hostile[k], '/'))
            continue;
        setenv("NAME", hostile[k], 1);
        int code = shell("assay verify --claim 'baselines/gd.rate*' --store v.db --output "
                         "\"folders/$NAME\" > out 2> err");
        if (code != 0 && code != 3)
            fail_msg("verify --output %s: exit %d: %s", hostile[k], code, shell_read("err"));
        assert_int_equal(shell("test -s \"folders/$NAME/index.html\""), 0);
        nothing_was_run(hostile[k]);
    }
}

/* A study file that holds a hostile text is no study: it is refused in one line. */
static void studies(void **state)
{
    assert_int_equal(shell("touch began"), 0);
    for (int k = 0; k < HOSTILE; k++) {
        FILE *f = fopen("study.ini", "w");
        fprintf(f,
                "algorithm = sgd\nproblem = spectral\nn = 1e3..1e4\npromise = n^-0.5 +- 0.1\nset = "
                "problem.x=%s\n",
                hostile[k]);
        fclose(f);
        assert_int_equal(shell("assay test study.ini > out 2> err"), 2);
        assert_int_equal(shell_lines("err"), 1);
        nothing_was_run(hostile[k]);
    }
}

/* A run on a data file with a hostile name says how it is run again; a shell that is given this line runs the same
 * cell and nothing else. */
static void lines_that_repeat_a_run(void **state)
{
    assert_int_equal(shell("mkdir -p named; touch began"), 0);
    for (int k = 0; k < HOSTILE; k++) {
        if (strchr(hostile[k], '/'))
            continue;
        setenv("NAME", hostile[k], 1);
        assert_int_equal(shell("printf '1 1:1 2:3\n-1 1:2 2:1\n1 1:3 2:2\n' > \"named/$NAME\"; "
                               "assay solve --algorithm gd --data \"named/$NAME\" --loss logistic --l2 0.1 --T 10 "
                               "> out 2> err"), 0);
        assert_int_equal(shell("sed -n 's/^again *//p' out > again; test -s again && . ./again > out2 2> err2"), 0);
        assert_int_equal(shell("awk '$1 == \"excess\" { a = $2 } $1 == \"measure.excess\" { b = $3 } "
                               "END { exit !(b > 0 && (a - b) ^ 2 <= 1e-18 * b * b) }' out out2"), 0);
        nothing_was_run(hostile[k]);
    }
}

static void put_sql_text(FILE *f, const char *text)
{
    putc('\'', f);
    for (; *text; text++)
        fprintf(f, *text == '\'' ? "''" : "%c", *text);
    putc('\'', f);
}

/* The hostile texts stand in a store where it speaks of its runs, of their machine and of claims. What reads it
 * changes no byte of it; the pages are whole; a record that was changed is refused in one line. */
static void a_store_from_a_stranger(void **state)
{
    static const char *const keys[] = { "commit", "host", "cpu", "compiler", "flags", "command", "system", "kind",
                                        "plugins" };
    enum { KEYS = sizeof keys / sizeof *keys };
    static const char *const reads[] = {
        "report --claim 'baselines/gd.rate*' --output stranger", "report --history", "export --wide",
        "export --format sqlite --force made.db" };
    assert_int_equal(shell("touch began; assay verify --claim 'baselines/gd.rate*' --store s2.db > out 2> err"), 0);
    FILE *f = fopen("change.sql", "w");
    for (int k = 0; k < HOSTILE; k++) {
        fprintf(f, "INSERT INTO run_info SELECT id, 'key%d', ", k);
        put_sql_text(f, hostile[k]);
        fputs(" FROM runs;\nINSERT INTO standings SELECT run, ", f);
        put_sql_text(f, hostile[k]);
        fputs(", line FROM standings LIMIT 1;\nUPDATE makers SET host = ", f);
        put_sql_text(f, hostile[k]);
        fputs(";\n", f);
        if (k < KEYS) {
            fputs("UPDATE run_info SET value = ", f);
            put_sql_text(f, hostile[HOSTILE - 1 - k]);
            fprintf(f, " WHERE key = '%s';\n", keys[k]);
        }
    }
    fclose(f);
    assert_int_equal(shell("sqlite3 s2.db < change.sql && cp s2.db kept.db"), 0);
    for (size_t k = 0; k < sizeof reads / sizeof *reads; k++) {
        int code = shell("assay %s --store s2.db > out 2> err", reads[k]);
        if (code || shell("cmp s2.db kept.db"))
            fail_msg("%s: exit %d, or the store is another: %s", reads[k], code, shell_read("err"));
        nothing_was_run(reads[k]);
    }
    pages_are_whole("stranger", "report");
    assert_int_equal(shell("sqlite3 s2.db \"UPDATE records SET message = '<script>alert(1)</script>'\"; "
                           "assay report --claim 'baselines/gd.rate*' --store s2.db --output s2 > out 2> err"), 5);
    assert_int_equal(shell_lines("err"), 1);
    assert_true(shell_contains("err", "damaged store"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_of_others),
        cmocka_unit_test(names_of_data),
        cmocka_unit_test(lines_that_repeat_a_run),
        cmocka_unit_test(a_store_from_a_stranger),
        cmocka_unit_test(folders_of_reports),
        cmocka_unit_test(studies),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
