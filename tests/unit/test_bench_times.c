/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bench_times.c - the times of kernels are read from the file that the benchmarks write, kept in the store,
 * and shown in the history and on the page. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "nights/bench_times.h"
#include "nights/gbench.h"
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

static enum status read_text(const char *text, struct standings *list, struct why *why)
{
    FILE *out = fopen("f.csv", "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    *list = (struct standings){ NULL, 0 };
    return bench_times_read("f.csv", list, why);
}

static const char file[] =
    "benchmark,quantity,value\n"
    ",cpu,\"one, of two cores\"\n"
    "\"vectors/dot/d = 8, \"\"far\"\"\",iterations,100\n"
    "\"vectors/dot/d = 8, \"\"far\"\"\",cpu_time,3.0e-09\n"
    "\"vectors/dot/d = 8, \"\"far\"\"\",bytes_per_second,3e9\n"
    "\"vectors/dot/d = 8, \"\"far\"\"\",cpu_time,90e-9\n"
    "data/read/all,cpu_time,2.5e-3\n"
    "steps/sgd/a round,ratio,nan\n"
    "\"vectors/dot/d = 8, \"\"far\"\"\",cpu_time,4e-9\n"
    "steps/sgd/a step,cpu_time,9e-8\n"
    "steps/sgd/a step,cpu_time,7e-8\n";

/* The times are medians of the repetitions, in seconds; other quantities are ignored. */
static void medians(void **state)
{
    static const struct { const char *name; double seconds; } truth[] = {
        { "vectors/dot/d = 8, \"far\"", 4e-9 }, { "data/read/all", 2.5e-3 }, { "steps/sgd/a step", 8e-8 } };
    struct standings list;
    struct why why = { "" };
    assert_int_equal(read_text(file, &list, &why), OK);
    assert_int_equal(list.n, 3);
    for (int k = 0; k < 3; k++) {
        const struct standing *s = standings_find(&list, truth[k].name, BENCH_PROFILE);
        assert_true(s && fabs(s->seconds / truth[k].seconds - 1) < 1e-12);
    }
    standings_free(&list);
}

/* The file that the benchmarks write is read back. */
static void written_and_read(void **state)
{
    static const char name[] = "group/kernel, \"all\"/8";
    struct standings list = { NULL, 0 };
    FILE *out = fopen("w.csv", "w");
    assert_non_null(out);
    gbench_csv(out, NULL, NULL, NULL);
    gbench_csv(out, "", "cpu", "a, b");
    gbench_csv(out, name, GBENCH_TIME, "1.5e-06");
    fclose(out);
    assert_int_equal(bench_times_read("w.csv", &list, NULL), OK);
    assert_true(list.n == 1 && list.of->seconds == 1.5e-6 && strcmp(list.of->claim, name) == 0);
    standings_free(&list);
}

static void broken_files(void **state)
{
#define HEADING "benchmark,quantity,value\n"
    static const char *const bad[] = {
        "", "[]", "{ \"benchmarks\": [] }", HEADING, "benchmark,value\na,1\n", HEADING "a,cpu_time,x\n",
        HEADING "a,cpu_time,-1\n", HEADING "a,cpu_time,nan\n", HEADING "a,cpu_time,inf\n", HEADING "a,cpu_time\n",
        HEADING ",cpu_time,1\n", HEADING "a,iterations,1\n" };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct standings list;
        struct why why = { "" };
        assert_int_equal(read_text(bad[k], &list, &why), BAD_INPUT);
        assert_true(strncmp(why.text, "f.csv:", 6) == 0 && strstr(why.text, "expected"));
        standings_free(&list);
    }
    assert_int_equal(shell("assay report --bench nowhere.csv 2> err"), 2);
    assert_true(shell_contains("err", "nowhere.csv"));
}

enum { KERNELS = 7, NIGHTS_MADE = 10, STEP = 6 };

/* In night i kernel k takes (k+1) us, give or take 1%. Kernel 3 takes 30% more from night STEP on, and every third
 * night is on another machine, where all kernels take twice as long. */
static void put_night(int i)
{
    FILE *out = fopen("bench.csv", "w");
    assert_non_null(out);
    fputs("benchmark,quantity,value\n", out);
    for (int k = 0; k < KERNELS; k++) {
        double jitter = 1 + 0.01 * ((i * 7 + k * 5 + i * k) % 11 - 5) / 5;
        fprintf(out, "\"group/kernel %d, all\",cpu_time,%.6fe-6\n", k,
                (k + 1) * jitter * (i % 3 ? 1 : 2) * (k == 3 && i >= STEP ? 1.3 : 1));
    }
    fclose(out);
}

/* History and page name the slower kernel with the size of its step, and the history names no other. Pages made
 * with --canonical have no times. */
static void a_slower_kernel_is_found(void **state)
{
    for (int i = 0; i < NIGHTS_MADE; i++) {
        put_night(i);
        shell("assay nightly --claim baselines/gd.count* --profile quick -j1 --baseline none.csv --store n.db "
              "--bench bench.csv > out 2> err");
    }
    assert_int_equal(shell("assay report --history --profile quick --store n.db > said"), 0);
    assert_true(shell_contains("said", "10 nights of 7 benchmarks (which decide nothing): "));
    assert_true(shell_contains("said", "group/kernel 3, all: step: time +3"));
    assert_int_equal(shell("grep -c 'kernel [012456], all: ' said"), 1);
    assert_int_equal(shell("grep -q 'kernel 3, all</code>: step: time +3' results/report/index.html"), 0);
    assert_int_equal(shell("grep -q 'benchmark by benchmark' results/report/nights.html"), 0);
    assert_int_equal(shell("grep -q '^<p>Since the night before (20.*): 0 of 1 claims changed.</p>' "
                           "results/report/index.html"), 0);
    assert_int_equal(
        shell("assay report --profile quick --claim baselines/gd.count* --store n.db --baseline "
              "none.csv --canonical > out 2> err; grep -rq 'benchmark by benchmark' "
              "results/report"),
        1);
}

/* A store without a run gets one when times are read into it; this is no night of cells. Times that are read a
 * second time go to the same night of benchmarks. */
static void into_an_empty_store(void **state)
{
    put_night(1);
    assert_int_equal(shell("assay report --history --bench bench.csv --store e.db > said 2> err"), 0);
    assert_true(shell_contains("said", "0 nights;") && shell_contains("said", "1 nights of 7 benchmarks"));
    put_night(2);
    assert_int_equal(shell("assay report --history --bench bench.csv --store e.db > said 2> err"), 0);
    assert_true(shell_contains("said", "1 nights of 7 benchmarks"));
}

/* Without --profile, the history is that of the profile of the newest run. */
static void the_profile_is_that_of_the_newest_run(void **state)
{
    assert_int_equal(shell("for k in 1 2; do assay verify --claim baselines/gd.count.full_grads.T "
                           "--profile nightly --store p.db > out 2> err || exit; done; "
                           "assay report --history --store p.db > said"), 0);
    assert_true(shell_contains("said", "\n2 nights; "));
    assert_int_equal(shell("assay report --history --profile quick --store p.db > said"), 0);
    assert_true(shell_contains("said", "0 nights; "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(medians, begin, end),
        cmocka_unit_test_setup_teardown(written_and_read, begin, end),
        cmocka_unit_test_setup_teardown(broken_files, begin, end),
        cmocka_unit_test_setup_teardown(a_slower_kernel_is_found, begin, end),
        cmocka_unit_test_setup_teardown(into_an_empty_store, begin, end),
        cmocka_unit_test_setup_teardown(the_profile_is_that_of_the_newest_run, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
