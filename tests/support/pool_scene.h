/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_scene.h - for tests of the pool: jobs that behave or misbehave, and what the parent receives. */
#ifndef ASSAY_TESTS_POOL_SCENE_H
#define ASSAY_TESTS_POOL_SCENE_H

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

#include "pool/pool.h"

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

/* What the parent has received of one job, by the index of the job. */
struct told {
    int times;               /* how often the end of the job was reported */
    enum pool_end end;
    char message[160];
    double seconds;
    size_t n;                /* bytes of the answer */
    bool right;              /* the answer equals what `answer` writes */
};

/* What a job does. Most words say it; EAT takes all memory, GARBAGE writes nonsense to the parent, BREAK_NEXT makes
 * later jobs of its worker abort, KILLED_ONCE is killed only if no job was started before. */
enum deed {
    ANSWER, NOTHING, SEGFAULT, ABORT, LEAVE, LEAVE_0, HANG, EAT, GARBAGE, CLOSE, BREAK_NEXT, KILLED,
    KILLED_ONCE, SPIN, NAP
};

struct scene {
    enum deed deed[JOBS];
    struct told told[JOBS];
    int ticks, dones, stop_after; /* calls of `ticked`; calls of `done`; the number of `done` at which the pool is
                                     stopped, 0: never */
    size_t size;             /* bytes that an answer has after the index of the job */
    long *ran;               /* shared with the workers: starts of jobs, all jobs together; NULL: not counted */
};

static inline unsigned char byte_of(size_t index, size_t k)
{
    return (unsigned char)(index * 131 + k * 7 + (k >> 11));
}

static inline void answer(const struct scene *s, size_t index, struct pool_reply *reply)
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

static inline void garble_sockets(void)
{
    struct stat info;

    for (int fd = 3; fd < 64; fd++) {
        if (fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode) &&
            write(fd, "garbage, garbage, garbage, garbage, garbage", 43) < 0)
            _exit(1);
    }
}

static inline void eat(void)
{
    for (long eaten = 0;; eaten++) {
        unsigned char *volatile p = ASAN && eaten > 100 ? NULL : malloc(MIB);

        if (!p)
            _exit(POOL_EXIT_MEMORY);
        memset(p, 1, MIB);
    }
}

static inline void close_sockets_and_hang(void)
{
    struct stat info;

    for (int fd = 3; fd < 64; fd++) {
        if (fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode))
            close(fd);
    }
    for (;;)
        pause();
}

static int broken;           /* in a worker: an earlier job has spoiled the process */

static inline void work(void *ctx, size_t index, struct pool_reply *reply)
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
    case SPIN: for (volatile long spins = 0;;) spins++;
    case NAP: usleep(700000); break;
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

static inline void done(void *ctx, size_t index, enum pool_end end, const void *bytes, size_t n,
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

static inline void ticked(void *ctx)
{
    ((struct scene *)ctx)->ticks++;
}

static inline struct scene *new_scene(void)
{
    struct scene *s = calloc(1, sizeof *s);

    assert_non_null(s);
    return s;
}

/* Runs jobs 0..jobs-1 in reverse order. */
static inline enum pool_result run(struct scene *s, int workers, size_t jobs, double timeout, size_t limit)
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

static inline int open_files(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static inline void no_child_is_left(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

#endif
