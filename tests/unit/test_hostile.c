/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_hostile.c - names and texts of users do no harm. They are names of methods and problems in tables to
 * import, of data files, of studies and folders, and what a store from a stranger says of its runs. No file HARMED
 * may appear, and no page may have a tag that stands in a name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>

#include "support/hostile.h"

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

/* Writes a text as a quoted CSV field. */
static void put_field(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++)
        fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', f);
}

/* Each hostile text serves as the name of a method and of a problem; all curves are drawn. */
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

/* A store whose tables were changed on purpose is refused in one line by whatever opens it, and is not changed.
 * What does no harm is read. */
static void strange_stores(void **state)
{
    static const struct { const char *sql; int code; const char *words; } change[] = {
        { "PRAGMA application_id = 252006674", 0, "" },
        { "UPDATE run_info SET value = hex(zeroblob(2000000)) WHERE key = 'command'", 0, "" },
        { "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM records; END", 2, "triggers" },
        { "ALTER TABLE records RENAME TO kept; CREATE VIEW records AS SELECT * FROM kept", 2, "views" },
        { "DROP TABLE meta; CREATE VIEW meta AS WITH RECURSIVE r(key, value) AS (SELECT 'no', 5 UNION ALL "
          "SELECT key, value FROM r) SELECT * FROM r", 2, "views" },
        { "ALTER TABLE run_info ADD COLUMN more AS (hex(zeroblob(1000000)))", 2, "computed columns" },
        { "CREATE VIRTUAL TABLE v USING fts5(x)", 2, "virtual tables" },
        { "UPDATE meta SET value = 1e300 WHERE key = 'schema'", 2, "newer version" },
        { "UPDATE meta SET value = '5; DROP TABLE records' WHERE key = 'schema'; "
          "UPDATE records SET data = 'text'", 5, "damaged store" },
        { "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE records(' "
          "WHERE name = 'records'", 5, "damaged store" },
        { "UPDATE records SET cell = hex(zeroblob(2000000)) WHERE id = 1", 5, "damaged store" },
        { "UPDATE records SET outcome = char(27) || ']0;title' || char(7)", 5, "damaged store" },
        { "UPDATE run_records SET last = 9223372036854775807", -1, "" },
        { "UPDATE run_records SET first = -9223372036854775807", -1, "" },
        { "UPDATE makers SET host = hex(zeroblob(2000000))", -1, "" },
        { "ALTER TABLE records DROP COLUMN message", -1, "no such column" },
    };
    static const char *const reads[] = { "export --store s4.db", "export --wide --store s4.db",
                                         "report --claim 'baselines/gd.rate*' --output of_s4 --store s4.db",
                                         "merge new.db s4.db" };
    assert_int_equal(shell("touch began; assay verify --claim 'baselines/gd.rate*' --reps 1 --store s3.db > out "
                           "2> err"), 0);
    for (size_t k = 0; k < sizeof change / sizeof *change; k++) {
        FILE *f = fopen("change.sql", "w");
        fprintf(f, "%s;\n", change[k].sql);
        fclose(f);
        assert_int_equal(shell("cp s3.db s4.db && sqlite3 s4.db < change.sql && cp s4.db kept.db"), 0);
        for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
            int code = shell("rm -f new.db*; timeout 60 '%s/assay' %s > out 2> err", BUILD_DIR, reads[i]);
            bool one_line = code == 0 || shell_lines("err") == 1;
            if (code != change[k].code && !(change[k].code < 0 && (code == 0 || code == 2 || code == 5)))
                fail_msg("%s: %s: exit %d: %.300s", change[k].sql, reads[i], code, shell_read("err"));
            if (!one_line || !shell_contains("err", change[k].words))
                fail_msg("%s: %s: %.300s", change[k].sql, reads[i], shell_read("err"));
            assert_int_equal(shell("cmp s4.db kept.db && test $(wc -c < err) -lt 1000"), 0);
        }
        if (change[k].code == 2) {       /* nor is it written to */
            assert_int_equal(shell("timeout 60 '%s/assay' verify --claim 'baselines/gd.rate*' --fresh "
                                   "--store s4.db > out 2> err", BUILD_DIR), 2);
            assert_int_equal(shell("cmp s4.db kept.db"), 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_of_others),
        cmocka_unit_test(names_of_data),
        cmocka_unit_test(lines_that_repeat_a_run),
        cmocka_unit_test(a_store_from_a_stranger),
        cmocka_unit_test(strange_stores),
        cmocka_unit_test(folders_of_reports),
        cmocka_unit_test(studies),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
