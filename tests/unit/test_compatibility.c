/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_compatibility.c - formats that outlive a build (CONVENTIONS.md, Compatibility): kept stores of schema 4,
 * kept lines of the baseline, the columns of what is printed as CSV, and exit codes. That a plug-in for another
 * interface is refused is tested in test_plugin.c.
 *
 * golden/store_4.sql is the dump of a store that version 0.1 wrote: a verified claim with its standing, runs with a
 * trace, runs of a private method. golden/store_4_0.2.sql.gz is a store that the last program with schema 4 wrote:
 * a claim at two levels of kernels, a night, records that timed out. The checksums below are those of exports by
 * the same programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/cli.h"
#include "nights/baseline.h"
#include "support/need.h"
#include "support/shell.h"

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

/* A stored file, with the command that unpacks it, and checksums of exports that the program which wrote it has
 * made. sum[k], k = 0 ... 3: of run k + 1; sum[4]: of the newest record of every cell; NULL: not compared. */
struct kept { const char *unpack, *file, *sum[5]; };

static const struct kept kept_4[] = {
    { "cat", "store_4.sql", { "577f29f53414f879", "591417ddb1bc3dec", "98072c6d08575e1a" } },
    { "zcat", "store_4_0.2.sql.gz",
      { "e41f1a79315e4121", "061b2d52e0730959", "e41f1a79315e4121", "9816ddf62ea613d1", "14c6712735b1133c" } },
};

static void unpack(const struct kept *k, const char *store)
{
    assert_int_equal(shell("rm -f %s* && %s '%s/tests/golden/%s' | sqlite3 %s", store, k->unpack, SOURCE_DIR,
                           k->file, store), 0);
}

/* A command that only reads asks for an upgrade of the store, and gc makes it. All records are then equal to those
 * exported before the upgrade. */
static void stores_of_schema_4_are_read(void **state)
{
    need("sqlite3");
    for (size_t k = 0; k < sizeof kept_4 / sizeof *kept_4; k++) {
        unpack(&kept_4[k], "store.db");
        assert_int_equal(shell("assay export --store store.db 2> err.txt > out.txt"), 2);
        assert_true(shell_contains("err.txt", "assay gc"));
        assert_int_equal(shell("assay gc --keep 1000000 --store store.db > out.txt"), 0);
        for (int run = 1; run <= 5 && kept_4[k].sum[run - 1]; run++) {
            char of[40] = "";
            if (run < 5)
                snprintf(of, sizeof of, "--run %d", run);
            assert_int_equal(shell("assay export --store store.db %s --format csv --canonical > run.csv", of), 0);
            assert_int_equal(shell("echo %s > sum; sha256sum < run.csv | cut -c1-16 | cmp - sum",
                                   kept_4[k].sum[run - 1]), 0);
        }
        assert_int_equal(shell("assay doctor --store store.db > out.txt"), 0);
        assert_true(shell_contains("out.txt", "records of level avx2") || k == 0);
        /* a command that writes to the store leaves older records as they are, here those of run 3 */
        assert_int_equal(shell("assay export --store store.db --run 3 --format csv --canonical > run.csv"), 0);
        assert_int_equal(shell("assay run --claim baselines/gd.bound.excess.step --store store.db > out.txt"), 0);
        assert_int_equal(shell("assay export --store store.db --run 3 --format csv --canonical | cmp run.csv"), 0);
        assert_int_equal(shell("assay report --history --store store.db > out.txt"), 0);
    }
}

/* Two copies are upgraded separately: their runs are equal, and so are their records. */
static void copies_upgrade_alike(void **state)
{
    need("sqlite3");
    for (int k = 0; k < 2; k++) {
        unpack(&kept_4[1], k ? "b.db" : "a.db");
        assert_int_equal(shell("assay gc --keep 1000000 --store %s > out.txt", k ? "b.db" : "a.db"), 0);
    }
    assert_int_equal(shell("sqlite3 b.db \"INSERT INTO run_info VALUES(1, 'note', 'another')\""), 0);
    assert_int_equal(shell("assay merge m.db a.db b.db --force > out.txt"), 0);
    assert_true(shell_contains("out.txt", "a.db: 26 records, 26 of them new") &&
                shell_contains("out.txt", "b.db: 26 records, 0 of them new"));
    assert_int_equal(shell("sqlite3 m.db 'SELECT count(*) FROM runs' | grep -qx 4"), 0);
    assert_int_equal(shell("sqlite3 m.db 'SELECT count(*), count(DISTINCT run) FROM standings' | grep -qx '4|3'"),
                     0);
    assert_int_equal(shell("assay export --store m.db --canonical > m.txt && "
                           "assay export --store a.db --canonical | cmp - m.txt"), 0);
}

/* A merge brings its target up to date, and keeps the records there. An input is only read: one of schema 4 is
 * refused, and stays as it is. */
static void a_merge_upgrades_its_target(void **state)
{
    need("sqlite3");
    unpack(&kept_4[1], "old.db");
    assert_int_equal(shell("sqlite3 old.db .dump > before.sql && assay run --claim baselines/gd.bound.excess.step "
                           "--store in.db > out.txt 2> err.txt"), 0);
    assert_int_equal(shell("assay merge new.db in.db old.db > out.txt 2> err.txt"), 2);
    assert_true(shell_lines("err.txt") == 1 && shell_contains("err.txt", "assay gc"));
    assert_int_equal(shell("sqlite3 old.db .dump | cmp - before.sql"), 0);
    assert_int_equal(shell("assay merge old.db in.db > out.txt 2> err.txt"), 0);
    for (int run = 1; run <= 4; run++) {
        assert_int_equal(shell("assay export --store old.db --run %d --format csv --canonical > run.csv", run), 0);
        assert_int_equal(shell("echo %s > sum; sha256sum < run.csv | cut -c1-16 | cmp - sum",
                               kept_4[1].sum[run - 1]), 0);
    }
    assert_int_equal(shell("sqlite3 old.db 'SELECT count(*) FROM runs' | grep -qx 5"), 0);
}

/* An upgrade is complete or has no effect: a damaged record leaves the store as it was. */
static void a_damaged_store_stays_of_schema_4(void **state)
{
    need("sqlite3");
    unpack(&kept_4[1], "bad.db");
    assert_int_equal(shell("sqlite3 bad.db 'UPDATE records SET peak_bytes = peak_bytes + 1 WHERE id = 20' && "
                           "sqlite3 bad.db .dump > before.sql"), 0);
    assert_int_equal(shell("assay gc --keep 1000000 --store bad.db > out.txt 2> err.txt"), 5);
    assert_true(shell_contains("err.txt", "damaged") && shell_contains("err.txt", "bad.db"));
    assert_int_equal(shell_lines("err.txt"), 1);
    assert_int_equal(shell("sqlite3 bad.db .dump | cmp - before.sql"), 0);
}

static void lines_of_the_baseline_are_read(void **state)
{
    struct standings list;
    struct why why = { "" };
    if (baseline_read(SOURCE_DIR "/tests/golden/baseline_0.1.csv", &list, &why) != OK)
        fail_msg("%s", why.text);
    assert_int_equal(list.n, 4);
    const struct standing *s = standings_find(&list, "baselines/gd.bound.excess.step", "quick");
    assert_non_null(s);
    assert_int_equal(s->word, SUPPORTED);
    assert_int_equal(s->control, CONTROL_CAUGHT);
    assert_int_equal(s->cells, 8);
    assert_true(s->own.counts.of[COUNT_full_grads] == 1360 && s->own.groups == 4 && s->own.error[0] == 2.1e-13);
    assert_true(standings_accept(&list, "accelerated-dp-srgd/A.sec1.gain.outside.T", "quick", CONTRADICTED));
    s = standings_find(&list, "baselines/diabetes.order.excess.budget", "quick");
    assert_true(s && standing_side_known(&s->rival));
    standings_free(&list);
}

/* Lines without the columns for errors, yardstick and rival are read, and these values count as unknown. */
static void lines_with_fewer_columns_are_read(void **state)
{
    struct standings list;
    struct why why = { "" };
    assert_int_equal(shell("cut -d, -f1-10 '%s/tests/golden/baseline_0.1.csv' > few.csv", SOURCE_DIR), 0);
    if (baseline_read("few.csv", &list, &why) != OK)
        fail_msg("%s", why.text);
    const struct standing *s = standings_find(&list, "baselines/gd.bound.excess.step", "quick");
    assert_true(s && s->own.groups == 4 && s->reference == 0 && !standing_side_known(&s->rival));
    standings_free(&list);
}

/* The first columns keep these names; columns may be added behind them. */
static void columns_keep_their_names(void **state)
{
    static const struct { const char *command, *heading; } rows[] = {
        { "plan --claim baselines/gd.bound.excess.step", "claim,role,axis,rep,cell" },
        { "verify --claim baselines/gd.bound.excess.step --store store.db",
          "claim,paper,check,kind,verdict,control,exploratory,quantity,value,lo,hi,axis,measured,promised,"
          "points,reps,cells,failed,refused,reason,next" },
        { "export --store store.db", "cell,fingerprint,outcome,message,row,name,value" },
        { "compare store.db store.db", "claim,profile,change,gates,base,now,effect,lo,hi,p,words" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        shell("assay %s --format csv > out.csv", rows[k].command);
        char *text = shell_read("out.csv");
        size_t n = strlen(rows[k].heading);
        if (strncmp(text, rows[k].heading, n) || !strchr(",\n", text[n]))
            fail_msg("%s: '%.*s', expected '%s'", rows[k].command, (int)strcspn(text, "\n"), text, rows[k].heading);
        free(text);
    }
}

static void exit_codes_keep_their_meaning(void **state)
{
    assert_int_equal(EXIT_OK, 0);
    assert_int_equal(EXIT_CONTRADICTED, 1);
    assert_int_equal(EXIT_USAGE, 2);
    assert_int_equal(EXIT_INCOMPLETE, 3);
    assert_int_equal(EXIT_FAILED_CELL, 4);
    assert_int_equal(EXIT_DAMAGED, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_of_schema_4_are_read),
        cmocka_unit_test(copies_upgrade_alike),
        cmocka_unit_test(a_merge_upgrades_its_target),
        cmocka_unit_test(a_damaged_store_stays_of_schema_4),
        cmocka_unit_test(lines_of_the_baseline_are_read),
        cmocka_unit_test(lines_with_fewer_columns_are_read),
        cmocka_unit_test(columns_keep_their_names),
        cmocka_unit_test(exit_codes_keep_their_meaning),
    };
    return cmocka_run_group_tests_name("compatibility", tests, begin, end);
}
