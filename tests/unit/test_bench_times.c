/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bench_times.c - times of kernels from Google Benchmark's JSON to the store, the history and the page. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "nights/bench_times.h"
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

static const char file[] =
    "{ \"context\": { \"date\": \"2026-11-23\", \"caches\": [ { \"size\": 1 }, [] ], \"load_avg\": [1.5,2e0] },\n"
    "  \"benchmarks\": [\n"
    "   { \"name\": \"vectors/dot/d = 8, \\\"far\\\"\", \"run_type\": \"iteration\", \"cpu_time\": 3.0e+00, \"time_unit\": \"ns\" },\n"
    "   { \"name\": \"vectors/dot/d = 8, \\\"far\\\"\", \"run_type\": \"iteration\", \"cpu_time\": 90, \"time_unit\": \"ns\" },\n"
    "   { \"name\": \"data/read/all\", \"run_type\": \"iteration\", \"cpu_time\": 2.5, \"time_unit\": \"ms\", \"threads\": 1 },\n"
    "   { \"name\": \"vectors/dot/d = 8, \\\"far\\\"\", \"run_type\": \"iteration\", \"cpu_time\": 4.0, \"time_unit\": \"ns\" },\n"
    "   { \"name\": \"data/wrong/all\", \"run_type\": \"iteration\", \"error_occurred\": true, \"cpu_time\": 0, \"time_unit\": \"ns\" },\n"
    "   { \"name\": \"vectors/dot/d = 8_mean\", \"run_type\": \"aggregate\", \"cpu_time\": 32.3, \"time_unit\": \"ns\" } ] }\n";

/* Medians of repetitions, in seconds; neither means nor what failed. */
static void medians(void **state)
{
    struct standings list = { NULL, 0 };
    struct why why = { "" };
    assert_int_equal(bench_times_parse(file, strlen(file), "f", &list, &why), OK);
    assert_int_equal(list.n, 2);
    const struct standing *dot = standings_find(&list, "vectors/dot/d = 8, \"far\"", BENCH_PROFILE);
    const struct standing *read = standings_find(&list, "data/read/all", BENCH_PROFILE);
    assert_true(dot && read && fabs(dot->seconds / 4e-9 - 1) < 1e-12 && fabs(read->seconds / 2.5e-3 - 1) < 1e-12);
    standings_free(&list);
}

/* Times that a case found by itself stand for its own, each by its name; what is no time does not. */
static void found_times(void **state)
{
    static const char steps[] =
        "{ \"benchmarks\": [\n"
        " { \"name\": \"steps/sgd/a round\", \"run_type\": \"iteration\", \"cpu_time\": 9.0, \"time_unit\": \"ms\",\n"
        "   \"ratio\": 1.5, \"time_of:a step\": 9e-8, \"time_of:asked\": 6.0e-08 },\n"
        " { \"name\": \"steps/sgd/a round\", \"run_type\": \"iteration\", \"cpu_time\": 9.0, \"time_unit\": \"ms\",\n"
        "   \"time_of:a step\": 7e-8, \"time_of:asked\": -1e-9, \"ratio\": 1.5 },\n"
        " { \"name\": \"vectors/dot/d = 8\", \"run_type\": \"iteration\", \"cpu_time\": 3.0, \"time_unit\": \"ns\" } ] }\n";
    static const struct { const char *name; double seconds; } truth[] = {
        { "steps/sgd/a step", 8e-8 }, { "steps/sgd/asked", 6e-8 }, { "vectors/dot/d = 8", 3e-9 } };
    struct standings list = { NULL, 0 };
    struct why why = { "" };
    assert_int_equal(bench_times_parse(steps, strlen(steps), "f", &list, &why), OK);
    assert_int_equal(list.n, 3);
    for (int k = 0; k < 3; k++) {
        const struct standing *s = standings_find(&list, truth[k].name, BENCH_PROFILE);
        assert_true(s && fabs(s->seconds / truth[k].seconds - 1) < 1e-12);
    }
    standings_free(&list);
}

/* Every beginning of the file is refused but the whole, and none of them is read beyond its end. */
static void beginnings(void **state)
{
    size_t whole = strlen(file) - 1;
    for (size_t n = 0; n < whole; n++) {
        struct standings list = { NULL, 0 };
        struct why why = { "" };
        char *copy = malloc(n + 1);
        assert_non_null(copy);
        memcpy(copy, file, n);
        assert_int_equal(bench_times_parse(copy, n, "f", &list, &why), BAD_INPUT);
        assert_true(strncmp(why.text, "f:", 2) == 0 && strstr(why.text, "expected"));
        standings_free(&list);
        free(copy);
    }
}

static void broken_files(void **state)
{
    static const char *const bad[] = {
        "[]", "{}", "{ \"benchmarks\": [] }", "{ \"benchmarks\": {} }", "{ \"benchmarks\": [ 3 ] }",
        "{ \"benchmarks\": [ { \"name\": \"a\", \"cpu_time\": \"x\" } ] }",
        "{ \"benchmarks\": [ { \"name\": \"a\", \"cpu_time\": -1, \"time_unit\": \"ns\" } ] }",
        "{ \"benchmarks\": [ { \"name\": \"a\", \"cpu_time\": 1, \"time_unit\": \"h\" } ] }",
        "{ \"benchmarks\": [ { \"cpu_time\": 1, \"time_unit\": \"ns\" } ] }",
        "{ \"benchmarks\": [ { \"name\": \"a\", \"cpu_time\": 1, \"time_unit\": \"ns\", \"time_of:b\": \"x\" } ] }",
        "{ \"benchmarks\": [ { \"name\": \"a\", \"cpu_time\": 1 } ] } {" };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct standings list = { NULL, 0 };
        struct why why = { "" };
        assert_int_equal(bench_times_parse(bad[k], strlen(bad[k]), "f", &list, &why), BAD_INPUT);
        standings_free(&list);
    }
    char deep[500] = "{ \"a\": ";
    memset(deep + 7, '[', 400);
    struct standings list = { NULL, 0 };
    struct why why = { "" };
    assert_int_equal(bench_times_parse(deep, strlen(deep), "f", &list, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "fewer levels"));
    assert_int_equal(shell("assay report --bench nowhere.json 2> err"), 2);
    assert_true(shell_contains("err", "nowhere.json"));
}

enum { KERNELS = 7, NIGHTS_MADE = 10, STEP = 6 };

/* Night i: kernel k takes (k+1) us, 1% more or less; kernel 3 from night STEP on 30% more, and all twice as
 * much every third night, which is another machine. */
static void put_night(int i)
{
    FILE *out = fopen("bench.json", "w");
    assert_non_null(out);
    fputs("{ \"benchmarks\": [", out);
    for (int k = 0; k < KERNELS; k++) {
        double jitter = 1 + 0.01 * ((i * 7 + k * 5 + i * k) % 11 - 5) / 5;
        fprintf(out, "%s\n { \"name\": \"group/kernel %d, all\", \"run_type\": \"iteration\", \"cpu_time\": %.6f, "
                "\"time_unit\": \"us\" }", k ? "," : "", k,
                (k + 1) * jitter * (i % 3 ? 1 : 2) * (k == 3 && i >= STEP ? 1.3 : 1));
    }
    fputs(" ] }\n", out);
    fclose(out);
}

/* The slower kernel is named by history and page, at its size and first night; no other is. */
static void a_slower_kernel_is_found(void **state)
{
    for (int i = 0; i < NIGHTS_MADE; i++) {
        put_night(i);
        shell("assay nightly --claim baselines/gd.count* --profile quick -j1 --baseline none.csv --store n.db "
              "--bench bench.json > out 2> err");
    }
    assert_int_equal(shell("assay report --history --profile quick --store n.db > said"), 0);
    assert_true(shell_contains("said", "10 nights of 7 benchmarks (which decide nothing): "));
    assert_true(shell_contains("said", "group/kernel 3, all: step: time +3"));
    assert_int_equal(shell("grep -c 'kernel [012456], all: ' said"), 1);
    assert_int_equal(shell("grep -q 'kernel 3, all</code>: step: time +3' results/report/index.html"), 0);
    assert_int_equal(shell("grep -q 'benchmark by benchmark' results/report/index.html"), 0);
    assert_int_equal(shell("grep -q '^<p>Since the night before (20.*): 0 of 1 claims changed.</p>' "
                           "results/report/index.html"), 0);
    assert_int_equal(shell("assay report --profile quick --claim baselines/gd.count* --store n.db --baseline none.csv "
                           "--canonical > out 2> err; grep -q 'benchmark by benchmark' results/report/index.html"), 1);
}

/* Without a run the store gets one; taken in twice, the last counts; the night's own times are as before. */
static void into_an_empty_store(void **state)
{
    put_night(1);
    assert_int_equal(shell("assay report --history --bench bench.json --store e.db > said 2> err"), 0);
    assert_true(shell_contains("said", "0 nights;") && shell_contains("said", "1 nights of 7 benchmarks"));
    put_night(2);
    assert_int_equal(shell("assay report --history --bench bench.json --store e.db > said 2> err"), 0);
    assert_true(shell_contains("said", "1 nights of 7 benchmarks"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians), cmocka_unit_test(found_times),
        cmocka_unit_test(beginnings),
        cmocka_unit_test_setup_teardown(broken_files, begin, end),
        cmocka_unit_test_setup_teardown(a_slower_kernel_is_found, begin, end),
        cmocka_unit_test_setup_teardown(into_an_empty_store, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
