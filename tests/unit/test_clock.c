/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_clock.c - the clocks, and what depends on them while they jump: the runs of a store, the limits of the pool,
 * the progress line. */
#include "support/pool_scene.h"
#include "support/stored.h"

#include <sys/time.h>

#include "base/clock.h"
#include "text/progress.h"

enum { DAY = 86400, YEAR = 365 * DAY };

static int begin(void **state) { return make_folder(state); }

static int end(void **state)
{
    clock_shift(0, 0);
    return drop_folder(state);
}

/* --- the clocks themselves */

/* Returns the date of the machine in whole seconds. time() is not used, since it may be some milliseconds late. */
static time_t second_now(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return now.tv_sec;
}

/* The expected date is that of gettimeofday, read before and after. */
static void the_date_is_that_of_the_machine(void **state)
{
    time_t before = second_now();
    struct timespec t = clock_date();
    assert_true(t.tv_sec >= before && t.tv_sec <= second_now() && t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
    clock_shift(-YEAR, 0);
    t = clock_date();
    assert_true(t.tv_sec >= before - YEAR && t.tv_sec <= second_now() - YEAR);
}

/* 951827696 is 2000-02-29T12:34:56Z, by `date -u -d @951827696`. The shift is computed twice at most: a second may
 * end between two readings. */
static void a_date_as_text(void **state)
{
    char text[24] = "";
    for (int tries = 0; tries < 2 && strcmp(text, "2000-02-29T12:34:56Z"); tries++) {
        clock_shift((double)(951827696 - second_now()), 0);
        clock_date_text(text);
    }
    assert_string_equal(text, "2000-02-29T12:34:56Z");
    clock_shift(1e18, 0);                    /* a year too large for the text of a date */
    clock_date_text(text);
    assert_string_equal(text, "1970-01-01T00:00:00Z");
}

/* A jump of an hour is an hour of the monotonic clock, and at most a second of the steady one, which goes on after
 * it as before. A jump of the date moves neither of the two. */
static void a_jump_is_a_second_at_most(void **state)
{
    double steady = clock_steady(), real = clock_monotonic();
    clock_shift(YEAR, 0);
    assert_true(clock_monotonic() - real < 5 && clock_steady() - steady < 5);
    steady = clock_steady();
    clock_shift(0, 3600);
    double after = clock_steady();
    assert_true(clock_monotonic() - real >= 3600);
    assert_true(after - steady > 0 && after - steady <= 1);
    usleep(20000);
    assert_true(clock_steady() - after >= 0.02);
    clock_shift(0, 0);                       /* even a clock that goes back takes nothing away */
    assert_true(clock_steady() >= after + 0.02);
}

static void processor_time_is_that_of_work(void **state)
{
    double before = clock_processor(), own = clock_processor_of(getpid());
    assert_true(own >= before && own - before < 1);
    usleep(50000);
    assert_true(clock_processor() - before < 0.04);
    while (clock_processor() - before < 0.05)
        ;
    assert_true(clock_processor_of(getpid()) - own >= 0.04);
    assert_true(clock_processor_of(0) == 0);
}

/* --- what depends on the clocks */

static void keep_value(void *ctx, const char *key, const char *value)
{
    char (*kept)[24] = ctx;
    if (strcmp(key, "started") == 0)
        snprintf(kept[0], 24, "%s", value);
    if (strcmp(key, "ended") == 0)
        snprintf(kept[1], 24, "%s", value);
}

/* kept[0], kept[1] <- start and end of a run. */
static void times_of(struct store *s, long run, char kept[2][24])
{
    assert_int_equal(store_run_info(s, run, keep_value, kept, NULL), OK);
}

/* Four runs, between which the date goes a year forward, ten years back, and a day forward. Each is the newest when
 * it has begun, and none ends before it started. store_collect keeps the last two, and the store is undamaged. */
static void runs_keep_their_order(void **state)
{
    static const double jump[] = { 0, YEAR, -9.0 * YEAR, -9.0 * YEAR + DAY };
    struct store *s = opened(file("a.db"), STORE_WRITE);
    char kept[2][24], before[24], after[24], newest[24] = "";
    long run[4], last, dropped;
    for (int k = 0; k < 4; k++) {
        clock_shift(jump[k], 0);
        clock_date_text(before);
        run[k] = begun(s);
        clock_date_text(after);
        put(s, run[k], k, 0.1);
        assert_int_equal(store_last_run(s, &last, NULL), OK);
        assert_int_equal(last, run[k]);
        clock_shift(jump[k] - DAY, 0);       /* and back by a day before it ends */
        assert_int_equal(store_end_run(s, run[k], NULL), OK);
        times_of(s, run[k], kept);
        assert_true(k < 2 ? strcmp(kept[0], before) >= 0 && strcmp(kept[0], after) <= 0 : !strcmp(kept[0], newest));
        assert_string_equal(kept[0], kept[1]);
        memcpy(newest, kept[0], sizeof newest);
    }
    assert_int_equal(store_collect(s, 2, &dropped, NULL), OK);
    assert_int_equal(dropped, 2);
    assert_int_equal(store_check(s, NULL), OK);
    for (long k = 0; k < 4; k++) {
        struct record *r = sample(k, 0.1), *found = NULL;
        assert_int_equal(store_find(s, r->cell, r->fingerprint, &found, NULL), OK);
        assert_int_equal(found != NULL, k >= 2);
        record_free(found);
        record_free(r);
    }
    store_close(s);
}

/* Called at each answer of a worker: the parent's monotonic clock jumps by an hour, as after the machine slept, and
 * the date goes back by a year. */
static void jump_ahead(void *ctx, size_t index, enum pool_end ended, const void *bytes, size_t n,
                       const char *message, double seconds)
{
    static double hours;
    hours += 3600;
    clock_shift(-YEAR, hours);
    done(ctx, index, ended, bytes, n, message, seconds);
}

static void no_job_times_out_for_a_jump(void **state)
{
    enum { ALL = 12 };
    struct scene *s = new_scene();
    struct pool_job job[ALL];
    struct pool_config c = { 2, job, ALL, s, work, jump_ahead, ticked };
    struct why why = { "" };
    for (size_t k = 0; k < ALL; k++)
        job[k] = (struct pool_job){ k, 60, 0 };
    s->deed[0] = NAP;                        /* job 0 is at work while the answers of the others come */
    assert_int_equal(pool_run(&c, &why), POOL_COMPLETE);
    for (int k = 0; k < ALL; k++)
        assert_true(s->told[k].times == 1 && s->told[k].end == POOL_DONE && s->told[k].right &&
                    s->told[k].seconds >= 0);
    free(s);
}

/* A limit by the steady clock, such as that of a method's program, is reached by waiting, and not by a jump of two
 * hours. */
static void a_jump_is_not_waited_for(void **state)
{
    double until = clock_steady() + 1.2;
    clock_shift(0, 7200);
    assert_true(clock_steady() < until);
    for (int k = 0; k < 400 && clock_steady() < until; k++)
        usleep(10000);
    assert_true(clock_steady() >= until);
}

/* The progress line says how long is left by the monotonic clock: a quarter is done after 100.5 s, so that 301.5 s
 * are left. The date has no part in it. */
static void the_progress_line_knows_no_date(void **state)
{
    struct progress p;
    char line[200] = "";
    int saved = dup(STDERR_FILENO);
    assert_non_null(freopen(file("err"), "w", stderr));
    clock_shift(0, 0);
    progress_begin(&p, true, 4, 4, 1);
    progress_step(&p, 1, false);
    clock_shift(-YEAR, 100.5);
    progress_draw(&p);
    dup2(saved, STDERR_FILENO);
    close(saved);
    FILE *f = fopen(file("err"), "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    if (!strstr(line, "1/4 cells, 5:01 left"))
        fail_msg("%s", line);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(the_date_is_that_of_the_machine), TEST(a_date_as_text), TEST(a_jump_is_a_second_at_most),
        TEST(processor_time_is_that_of_work), TEST(runs_keep_their_order), TEST(no_job_times_out_for_a_jump),
        TEST(a_jump_is_not_waited_for), TEST(the_progress_line_knows_no_date),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
