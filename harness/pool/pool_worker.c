/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_worker.c - the worker side of the pool. */
#include "pool/pool_state.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define LIMIT_ADDRESS_SPACE 0        /* its shadow memory takes terabytes */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMIT_ADDRESS_SPACE 0
#endif
#endif
#ifndef LIMIT_ADDRESS_SPACE
#define LIMIT_ADDRESS_SPACE 1
#endif

double pool_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

void pool_append(struct pool_reply *reply, const void *bytes, size_t n)
{
    if (n > reply->room - reply->n) {
        size_t room = 2 * reply->room + n;
        unsigned char *more = realloc(reply->bytes, room);

        if (!more)
            _exit(POOL_EXIT_MEMORY);
        reply->bytes = more;
        reply->room = room;
    }
    if (n)
        memcpy(reply->bytes + reply->n, bytes, n);
    reply->n += n;
}

/* The parent is gone or has closed the stream: nothing is left to do. */
static void send_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n > 0) {
        ssize_t k = send(fd, at, n, MSG_NOSIGNAL);

        if (k < 0 && errno != EINTR)
            _exit(0);
        if (k > 0) {
            at += k;
            n -= k;
        }
    }
}

static void receive_all(int fd, void *bytes, size_t n)
{
    char *at = bytes;

    while (n > 0) {
        ssize_t k = recv(fd, at, n, 0);

        if (k == 0 || (k < 0 && errno != EINTR))
            _exit(0);
        if (k > 0) {
            at += k;
            n -= k;
        }
    }
}

/* Address space in use, 0 if the system does not tell. */
static size_t address_space(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");

    if (f) {
        if (fscanf(f, "%lu", &pages) != 1)
            pages = 0;
        fclose(f);
    }
    return pages * sysconf(_SC_PAGESIZE);
}

/* limit: bytes beyond the present use; 0 lifts it. */
static void limit_memory(size_t limit)
{
    size_t used = LIMIT_ADDRESS_SPACE && limit ? address_space() : 0;
    struct rlimit r;

    if (getrlimit(RLIMIT_AS, &r) != 0)
        return;
    r.rlim_cur = r.rlim_max;
    if (used && used + limit > used && used + limit < r.rlim_max)
        r.rlim_cur = used + limit;
    setrlimit(RLIMIT_AS, &r);
}

_Noreturn static void serve(const struct pool_config *c, int fd)
{
    struct pool_reply reply = { 0 };

    for (;;) {
        struct pool_head head = { .magic = POOL_MAGIC };
        const struct pool_job *job;
        double start;

        receive_all(fd, &head.position, sizeof head.position);
        if (head.position >= c->jobs)
            _exit(0);
        job = &c->job[head.position];
        reply.n = 0;
        limit_memory(job->memory_limit);
        start = pool_now();
        c->work(c->ctx, job->index, &reply);
        head.seconds = pool_now() - start;
        limit_memory(0);
        head.bytes = reply.n;
        send_all(fd, &head, sizeof head);
        send_all(fd, reply.bytes, reply.n);
    }
}

void pool_become_worker(const struct pool_config *c, int fd, pid_t parent)
{
    static const int reset[] = { SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGCHLD, SIGPIPE, SIGUSR1,
                                 SIGUSR2, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    struct rlimit no_core = { 0, 0 };
    sigset_t none;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    signal(SIGINT, SIG_IGN);         /* Ctrl-C reaches the whole group; the parent handles it */
    for (size_t k = 0; k < sizeof reset / sizeof *reset; k++)
        signal(reset[k], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setrlimit(RLIMIT_CORE, &no_core);
    serve(c, fd);
}

