/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pool.c - the pool of worker processes: answers, misbehaving jobs, limits, cost.
 * Alone: it bounds the milliseconds that a job costs. */
#include "support/pool_scene.h"

#include <sys/resource.h>

static void all_answers_arrive(void **state)
{
    static const int workers[] = { 0, 1, 2, 5 };
    int files = open_files();

    for (int k = 0; k < 4; k++) {
        struct scene *s = new_scene();

        s->size = 3000;
        assert_int_equal(run(s, workers[k], JOBS, 20, 0), POOL_COMPLETE);
        for (int j = 0; j < JOBS; j++) {
            assert_int_equal(s->told[j].times, 1);
            assert_int_equal(s->told[j].end, POOL_DONE);
            assert_true(s->told[j].right);
            assert_string_equal(s->told[j].message, "");
            assert_true(s->told[j].seconds >= 0 && s->told[j].seconds < 20);
        }
        free(s);
    }
    assert_int_equal(open_files(), files);
    no_child_is_left();
}

static void no_jobs_and_empty_answers(void **state)
{
    struct scene *s = new_scene();

    assert_int_equal(run(s, 3, 0, 0, 0), POOL_COMPLETE);
    assert_int_equal(s->dones, 0);
    for (int k = 0; k < 7; k++)
        s->deed[k] = NOTHING;
    assert_int_equal(run(s, 2, 7, 0, 0), POOL_COMPLETE);
    for (int k = 0; k < 7; k++)
        assert_true(s->told[k].times == 1 && s->told[k].end == POOL_DONE && s->told[k].n == 0);
    free(s);
}

static void large_answers(void **state)
{
    struct scene *s = new_scene();

    s->size = 100 * (size_t)MIB / (ASAN ? 10 : 1);
    assert_int_equal(run(s, 2, 2, 0, 0), POOL_COMPLETE);
    assert_true(s->told[0].right && s->told[1].right);
    free(s);
}

/* Each misbehaviour of `bad` occurs once, among good jobs. The ends of the jobs must be the same for one worker and
 * for four. */
static void misbehaving_jobs(void **state)
{
    static const struct { enum deed deed; enum pool_end end; const char *says; } bad[] = {
        { SEGFAULT, POOL_CRASHED, "signal 11" }, { ABORT, POOL_CRASHED, "signal 6" },
        { LEAVE, POOL_CRASHED, "exit status 3" }, { LEAVE_0, POOL_CRASHED, "exit status 0" },
        { HANG, POOL_TIMEOUT, "within 2 s of waiting" }, { SPIN, POOL_TIMEOUT, "within 0.2 s" },
        { GARBAGE, POOL_CRASHED, "broke the stream" }, { CLOSE, POOL_CRASHED, "signal 9" },
    };
    enum { BAD = sizeof bad / sizeof *bad, ALL = 70 };
    int files = open_files();

    for (int workers = 1; workers <= 4; workers += 3) {
        struct scene *s = new_scene();

        for (int k = 0; k < BAD; k++)
            s->deed[3 + 7 * k] = bad[k].deed;
        assert_int_equal(run(s, workers, ALL, 0.2, 0), POOL_COMPLETE);
        for (int k = 0; k < ALL; k++) {
            const struct told *t = &s->told[k];

            assert_int_equal(t->times, 1);
            if (k % 7 != 3 || k / 7 >= BAD) {
                assert_true(t->end == POOL_DONE && t->right);
            } else if (t->end != bad[k / 7].end || !strstr(t->message, bad[k / 7].says)) {
                fail_msg("job %d ended as %d: %s", k, t->end, t->message);
            }
        }
        free(s);
    }
    assert_int_equal(open_files(), files);
    no_child_is_left();
}

/* The limit of 0.2 s is on processor time: job 0, which sleeps for 0.7 s, is not ended; job 1, which computes
 * without end, is. */
static void waiting_is_not_timed_out(void **state)
{
    struct scene *s = new_scene();

    s->deed[0] = NAP;
    s->deed[1] = SPIN;
    assert_int_equal(run(s, 4, 4, 0.2, 0), POOL_COMPLETE);
    assert_true(s->told[0].end == POOL_DONE && s->told[0].right && s->told[0].seconds >= 0.7);
    assert_true(s->told[1].end == POOL_TIMEOUT && s->told[1].seconds >= 0.2);
    free(s);
}

/* Job 5 spoils its worker for the jobs after it, which must succeed all the same. */
static void no_job_pays_for_another(void **state)
{
    struct scene *s = new_scene();

    s->ran = mmap(NULL, sizeof *s->ran, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(s->ran != MAP_FAILED);
    s->deed[5] = BREAK_NEXT;
    assert_int_equal(run(s, 1, 10, 0, 0), POOL_COMPLETE);
    for (int k = 0; k < 10; k++)
        assert_true(s->told[k].times == 1 && s->told[k].end == POOL_DONE && s->told[k].right);
    assert_int_equal(*s->ran, 11);           /* the job whose worker was spoiled was started twice */
    munmap(s->ran, sizeof *s->ran);
    free(s);
}

/* Jobs with answers of 20 MiB end well under a limit of 200 MiB, and each of them fails under one of 4 MiB. */
static void memory_below_the_limit(void **state)
{
    struct scene *s = new_scene();

    s->size = 20 * (size_t)MIB;
    assert_int_equal(run(s, 1, 3, 0, 200 * (size_t)MIB), POOL_COMPLETE);
    assert_true(s->told[0].right && s->told[1].right && s->told[2].right);
    if (!ASAN) {
        assert_int_equal(run(s, 1, 2, 0, 4 * MIB), POOL_COMPLETE);
        assert_int_equal(s->told[0].end, POOL_MEMORY);
        assert_int_equal(s->told[1].end, POOL_MEMORY);
    }
    free(s);
}

/* Job 1 takes memory until it is ended. The run has no limit on time, since on a busy machine the kernel may need a
 * good part of a second to hand out 64 MiB. */
static void memory_above_the_limit(void **state)
{
    struct scene *s = new_scene();

    s->deed[1] = EAT;
    assert_int_equal(run(s, 1, 3, 0, 64 * MIB), POOL_COMPLETE);
    assert_true(s->told[0].end == POOL_DONE && s->told[2].end == POOL_DONE);
    assert_int_equal(s->told[1].end, POOL_MEMORY);
    assert_non_null(strstr(s->told[1].message, "limit is 64 MiB"));
    free(s);
}

/* Limits the memory of this process to 8 MiB more than it uses now. Returns the limits that it had before. */
static struct rlimit limit_address_space(void)
{
    struct rlimit before, tight;
    unsigned long pages;
    FILE *f = fopen("/proc/self/statm", "r");

    assert_non_null(f);
    assert_int_equal(fscanf(f, "%lu", &pages), 1);
    fclose(f);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    tight = (struct rlimit){ pages * sysconf(_SC_PAGESIZE) + 8 * MIB, before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    return before;
}

/* Job 1 answers with 64 MiB. Its worker has memory for them, the parent has not. Since the job may not be to blame, the
 * pool runs it a second time, in a fresh worker. The second answer does not fit either, and the job fails. Job 0 runs
 * as if nothing had happened. */
static void an_answer_without_room_is_asked_for_twice(void **state)
{
    if (ASAN) {
        print_message("skip: a limit of the address space, which the sanitizer does not stand\n");
        skip();
    }
    struct scene *s = new_scene();

    s->ran = mmap(NULL, sizeof *s->ran, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(s->ran != MAP_FAILED);
    s->size = 64 * (size_t)MIB;
    s->deed[0] = NOTHING;
    struct rlimit before = limit_address_space();
    enum pool_result result = run(s, 1, 2, 0, 0);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(result, POOL_COMPLETE);
    assert_int_equal(s->told[1].times, 1);
    assert_int_equal(s->told[1].end, POOL_MEMORY);
    assert_string_equal(s->told[1].message, "its answer does not fit into memory");
    assert_true(s->told[0].times == 1 && s->told[0].end == POOL_DONE);
    assert_int_equal(*s->ran, 3);
    munmap(s->ran, sizeof *s->ran);
    free(s);
}

static void ticks_come(void **state)
{
    struct scene *s = new_scene();

    s->deed[0] = NAP;
    assert_int_equal(run(s, 1, 1, 0.7, 0), POOL_COMPLETE);
    assert_true(s->ticks >= 1 && s->ticks <= 4);   /* the progress is reported every 0.2 s, less often on a busy
                                                      machine */
    assert_true(s->told[0].seconds >= 0.7);
    free(s);
}

struct early { long *started; int reports; bool in_time; };

static void count_start(void *ctx, size_t index, struct pool_reply *reply)
{
    __atomic_add_fetch(((struct early *)ctx)->started, 1, __ATOMIC_SEQ_CST);
}

/* At the first report waits up to 20 s for the start of the second job. */
static void await_second(void *ctx, size_t index, enum pool_end end, const void *bytes, size_t n,
                         const char *message, double seconds)
{
    struct early *e = ctx;
    for (int ms = 0; !e->reports && ms < 20000 && !e->in_time; ms++) {
        e->in_time = __atomic_load_n(e->started, __ATOMIC_SEQ_CST) == 2;
        usleep(1000);
    }
    e->reports++;
}

/* One worker has two jobs. The second one runs while the parent still handles the answer of the first. */
static void a_worker_does_not_wait_for_the_report(void **state)
{
    struct pool_job job[2] = { { .index = 0 }, { .index = 1 } };
    struct early e = { .started = mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                                       0) };
    struct pool_config c = { .workers = 1, .job = job, .jobs = 2, .ctx = &e, .work = count_start,
                             .done = await_second };
    assert_true(e.started != MAP_FAILED);
    assert_int_equal(pool_run(&c, NULL), POOL_COMPLETE);
    assert_int_equal(e.reports, 2);
    assert_true(e.in_time);
    munmap(e.started, sizeof(long));
}

/* A job that only answers takes less than a millisecond, so that small cells can be jobs. */
static void jobs_are_cheap(void **state)
{
    struct scene *s = new_scene();
    struct timespec from, to;
    double seconds;

    clock_gettime(CLOCK_MONOTONIC, &from);
    assert_int_equal(run(s, 2, JOBS, 20, 64 * MIB), POOL_COMPLETE);
    clock_gettime(CLOCK_MONOTONIC, &to);
    seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    print_message("%.3g ms a job\n", seconds / JOBS * 1e3);
    assert_true(seconds / JOBS < 1e-3);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_answers_arrive),
        cmocka_unit_test(no_jobs_and_empty_answers),
        cmocka_unit_test(large_answers),
        cmocka_unit_test(misbehaving_jobs),
        cmocka_unit_test(waiting_is_not_timed_out),
        cmocka_unit_test(no_job_pays_for_another),
        cmocka_unit_test(memory_below_the_limit), cmocka_unit_test(memory_above_the_limit),
        cmocka_unit_test(an_answer_without_room_is_asked_for_twice),
        cmocka_unit_test(ticks_come),
        cmocka_unit_test(a_worker_does_not_wait_for_the_report), cmocka_unit_test(jobs_are_cheap),
    };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
