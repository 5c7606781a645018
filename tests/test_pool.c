/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pool.c - the pool: answers, misbehaving jobs, interruption, leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pool.h"

#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif
#ifndef ASAN
#define ASAN 0
#endif

enum { JOBS = 500, MIB = 1 << 20 };

/* What the parent has been told, by index. */
struct told {
    int times;
    enum pool_end end;
    char message[160];
    double seconds;
    size_t n;
    bool right;              /* the answer is the one `expected` writes */
};

enum deed {
    ANSWER, NOTHING, SEGFAULT, ABORT, LEAVE, LEAVE_0, HANG, EAT, GARBAGE, CLOSE, BREAK_NEXT, KILLED,
    KILLED_ONCE
};

struct scene {
    enum deed deed[JOBS];
    struct told told[JOBS];
    int ticks, dones, stop_after;
    size_t size;             /* bytes of an answer, beside its index */
    long *ran;               /* shared: how often jobs were started, NULL: not counted */
};

static unsigned char byte_of(size_t index, size_t k)
{
    return (unsigned char)(index * 131 + k * 7 + (k >> 11));
}

static void answer(const struct scene *s, size_t index, struct pool_reply *reply)
{
    unsigned char piece[1000];

    pool_append(reply, &index, sizeof index);
    for (size_t k = 0; k < s->size; k += sizeof piece) {
        size_t n = s->size - k < sizeof piece ? s->size - k : sizeof piece;

        for (size_t j = 0; j < n; j++)
            piece[j] = byte_of(index, k + j);
        pool_append(reply, piece, n);
    }
}

static void garble_sockets(void)
{
    struct stat info;

    for (int fd = 3; fd < 64; fd++) {
        if (fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode) &&
            write(fd, "garbage, garbage, garbage, garbage, garbage", 43) < 0)
            _exit(1);
    }
}

static void eat(void)
{
    for (long eaten = 0;; eaten++) {
        unsigned char *volatile p = ASAN && eaten > 100 ? NULL : malloc(MIB);

        if (!p)
            _exit(POOL_EXIT_MEMORY);
        memset(p, 1, MIB);
    }
}

static void close_sockets_and_hang(void)
{
    struct stat info;

    for (int fd = 3; fd < 64; fd++) {
        if (fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode))
            close(fd);
    }
    for (;;)
        pause();
}

static int broken;           /* of a worker: an earlier job has spoiled the process */

static void work(void *ctx, size_t index, struct pool_reply *reply)
{
    struct scene *s = ctx;

    if (s->ran)
        __atomic_add_fetch(s->ran, 1, __ATOMIC_SEQ_CST);
    if (broken)
        abort();
    switch (s->deed[index]) {
    case SEGFAULT: raise(SIGSEGV); break;
    case ABORT: abort();
    case LEAVE: exit(3);
    case LEAVE_0: exit(0);
    case HANG: for (;;) pause();
    case EAT: eat(); break;
    case GARBAGE: garble_sockets(); break;
    case CLOSE: close_sockets_and_hang(); break;
    case BREAK_NEXT: broken = 1; break;
    case KILLED: raise(SIGKILL); break;
    case KILLED_ONCE:
        if (*s->ran == 1)
            raise(SIGKILL);
        break;
    case NOTHING: return;
    case ANSWER: break;
    }
    answer(s, index, reply);
}

static void done(void *ctx, size_t index, enum pool_end end, const void *bytes, size_t n,
                 const char *message, double seconds)
{
    struct scene *s = ctx;
    struct told *t = &s->told[index];
    const unsigned char *at = bytes;

    t->times++;
    t->end = end;
    t->n = n;
    t->seconds = seconds;
    snprintf(t->message, sizeof t->message, "%s", message);
    t->right = n == sizeof index + s->size && memcmp(bytes, &index, sizeof index) == 0;
    for (size_t k = 0; t->right && k < s->size; k++)
        t->right = at[sizeof index + k] == byte_of(index, k);
    if (++s->dones == s->stop_after)
        pool_stop();
}

static void ticked(void *ctx)
{
    ((struct scene *)ctx)->ticks++;
}

static struct scene *new_scene(void)
{
    struct scene *s = calloc(1, sizeof *s);

    assert_non_null(s);
    return s;
}

/* Jobs 0..jobs-1 in reverse order. */
static enum pool_result run(struct scene *s, int workers, size_t jobs, double timeout, size_t limit)
{
    struct pool_job job[JOBS];
    struct pool_config c = { workers, job, jobs, s, work, done, ticked };
    struct why why = { "" };
    enum pool_result result;

    for (size_t k = 0; k < jobs; k++)
        job[k] = (struct pool_job){ jobs - 1 - k, timeout, limit };
    result = pool_run(&c, &why);
    if (result == POOL_FAILED)
        fail_msg("%s", why.text);
    return result;
}

static int open_files(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void no_child_is_left(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

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

/* Every deed once, spread over good jobs; the ends must be the same whatever the workers. */
static void misbehaving_jobs(void **state)
{
    static const struct { enum deed deed; enum pool_end end; const char *says; } bad[] = {
        { SEGFAULT, POOL_CRASHED, "signal 11" }, { ABORT, POOL_CRASHED, "signal 6" },
        { LEAVE, POOL_CRASHED, "exit status 3" }, { LEAVE_0, POOL_CRASHED, "exit status 0" },
        { HANG, POOL_TIMEOUT, "within 0.5 s" }, { EAT, POOL_MEMORY, "limit is 64 MiB" },
        { GARBAGE, POOL_CRASHED, "broke the stream" }, { CLOSE, POOL_CRASHED, "signal 9" },
    };
    enum { BAD = sizeof bad / sizeof *bad, ALL = 60 };
    int files = open_files();

    for (int workers = 1; workers <= 4; workers += 3) {
        struct scene *s = new_scene();

        for (int k = 0; k < BAD; k++)
            s->deed[3 + 7 * k] = bad[k].deed;
        assert_int_equal(run(s, workers, ALL, 0.5, 64 * MIB), POOL_COMPLETE);
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

/* Job 5 spoils its worker for the jobs after it, which must not pay for that. */
static void no_job_pays_for_another(void **state)
{
    struct scene *s = new_scene();

    s->ran = mmap(NULL, sizeof *s->ran, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(s->ran != MAP_FAILED);
    s->deed[5] = BREAK_NEXT;
    assert_int_equal(run(s, 1, 10, 0, 0), POOL_COMPLETE);
    for (int k = 0; k < 10; k++)
        assert_true(s->told[k].times == 1 && s->told[k].end == POOL_DONE && s->told[k].right);
    assert_int_equal(*s->ran, 11);           /* one job ran twice */
    munmap(s->ran, sizeof *s->ran);
    free(s);
}

/* A limit counts from what the worker has, and holds for one job only. */
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

static void ticks_come(void **state)
{
    struct scene *s = new_scene();

    s->deed[0] = HANG;
    assert_int_equal(run(s, 1, 1, 0.7, 0), POOL_COMPLETE);
    assert_true(s->ticks >= 1 && s->ticks <= 4);   /* one each 0.2 s, fewer on a busy machine */
    assert_true(s->told[0].seconds >= 0.7);
    free(s);
}

/* pool_stop holds for the rest of a process: each case has its own. true: all as promised. */
static bool interrupted_run(int workers)
{
    struct scene *s = calloc(1, sizeof *s);
    struct timespec from, to;
    int times = 0;
    bool good;

    s->stop_after = 20;
    s->deed[JOBS - 23] = workers ? HANG : ANSWER;  /* the 23rd: it runs while others end */
    clock_gettime(CLOCK_MONOTONIC, &from);
    good = run(s, workers, JOBS, 60, 0) == POOL_INTERRUPTED && pool_stopped();
    clock_gettime(CLOCK_MONOTONIC, &to);
    for (int k = 0; k < JOBS; k++)
        times += s->told[k].times;
    good = good && times == 20 && to.tv_sec - from.tv_sec < 10;
    good = good && run(s, workers, JOBS, 60, 0) == POOL_INTERRUPTED && s->dones == 20;
    good = good && waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
    free(s);
    return good;
}

static void on_signal(int signal)
{
    pool_stop();
}

/* All workers hang; the signal comes from outside while the parent waits. */
static bool signalled_run(void)
{
    struct scene *s = calloc(1, sizeof *s);
    struct sigaction action = { .sa_handler = on_signal };
    bool good;

    s->deed[0] = s->deed[1] = s->deed[2] = HANG;
    sigaction(SIGALRM, &action, NULL);
    ualarm(300000, 0);
    good = run(s, 2, 3, 60, 0) == POOL_INTERRUPTED && s->dones == 0;
    free(s);
    return good;
}

static void expect_in_child(bool (*holds)(int), int argument)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0)
        _exit(holds(argument) ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static bool signalled(int unused)
{
    return signalled_run();
}

static void interruption(void **state)
{
    expect_in_child(interrupted_run, 0);
    expect_in_child(interrupted_run, 1);
    expect_in_child(interrupted_run, 4);
    expect_in_child(signalled, 0);
}

/* A kill from outside costs the job one more start, in any worker; the second one is its end. */
static void a_killed_worker_is_replaced(void **state)
{
    long *ran = mmap(NULL, sizeof *ran, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    static const struct { enum deed deed; enum pool_end end; } expected[] = {
        { KILLED_ONCE, POOL_DONE }, { KILLED, POOL_CRASHED } };

    for (int k = 0; k < 2; k++) {
        struct scene *s = new_scene();

        *ran = 0;
        s->ran = ran;
        s->deed[0] = expected[k].deed;
        assert_int_equal(run(s, 1, 1, 20, 0), POOL_COMPLETE);
        assert_int_equal(s->told[0].end, expected[k].end);
        assert_int_equal(s->told[0].times, 1);
        assert_int_equal(*ran, 2);
        free(s);
    }
    munmap(ran, sizeof *ran);
    no_child_is_left();
}

/* The parent is killed while its workers hang: they must go too, although nobody tells them. */
static void workers_die_with_the_parent(void **state)
{
    struct scene *s = new_scene();
    int fd[2], files;
    pid_t child;
    char c;

    assert_int_equal(pipe(fd), 0);
    files = open_files();
    s->deed[0] = s->deed[1] = HANG;
    child = fork();
    if (child == 0) {
        close(fd[0]);
        run(s, 2, 2, 60, 0);
        _exit(0);
    }
    close(fd[1]);
    usleep(200000);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    /* The pipe ends when the last process that holds it is gone. */
    alarm(20);
    assert_int_equal(read(fd[0], &c, 1), 0);
    alarm(0);
    close(fd[0]);
    assert_int_equal(open_files(), files - 2);
    free(s);
}

/* Answering costs far less than 2 ms a job, so that small cells can be jobs. */
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
    assert_true(seconds / JOBS < 2e-3);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_answers_arrive),
        cmocka_unit_test(no_jobs_and_empty_answers),
        cmocka_unit_test(large_answers),
        cmocka_unit_test(misbehaving_jobs),
        cmocka_unit_test(a_killed_worker_is_replaced),
        cmocka_unit_test(no_job_pays_for_another),
        cmocka_unit_test(memory_below_the_limit),
        cmocka_unit_test(ticks_come),
        cmocka_unit_test(interruption),
        cmocka_unit_test(workers_die_with_the_parent),
        cmocka_unit_test(jobs_are_cheap),
    };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
