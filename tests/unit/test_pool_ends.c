/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pool_ends.c - the pool of worker processes: interruption, kills, and that no process is left behind.
 * Alone: a bound on the seconds until an interrupted pool has ended. */
#include "support/pool_scene.h"

/* pool_stop lasts for the rest of a process, so that each case runs in a separate process. Returns true if the pool
 * ended as promised. */
static bool interrupted_run(int workers)
{
    struct scene *s = calloc(1, sizeof *s);
    struct timespec from, to;
    int times = 0;
    bool good;

    s->stop_after = 20;
    s->deed[JOBS - 23] = workers ? HANG : ANSWER;  /* the 23rd job from the end hangs or, without workers,
                                                      answers */
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

/* All workers hang when a signal comes from outside, while the parent waits. Returns true if this interrupts the
 * run. */
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

/* A job whose worker is killed from outside is started once more, in any worker; a second kill makes it fail. */
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

/* The parent is killed when both of its workers hang: the workers must end, too, although nobody tells them. */
static void workers_die_with_the_parent(void **state)
{
    struct scene *s = new_scene();
    long *ran = mmap(NULL, sizeof *ran, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int fd[2], files;
    pid_t child;
    char c;

    s->ran = ran;
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
    for (int k = 0; k < 20000 && __atomic_load_n(ran, __ATOMIC_SEQ_CST) < 2; k++)
        usleep(1000);
    assert_int_equal(*ran, 2);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    /* The pipe is closed when the last process that holds it has ended. */
    alarm(20);
    assert_int_equal(read(fd[0], &c, 1), 0);
    alarm(0);
    close(fd[0]);
    assert_int_equal(open_files(), files - 2);
    munmap(ran, sizeof *ran);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_worker_is_replaced),
        cmocka_unit_test(interruption),
        cmocka_unit_test(workers_die_with_the_parent),
    };

    return cmocka_run_group_tests_name("pool, ends", tests, NULL, NULL);
}
