/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.c - the parent side of the pool.
 *
 * Parent and worker share one socket pair. The parent sends the position of a job, the worker sends
 * an answer head and the bytes; the end of the stream is the end of the worker. */
#include "pool/pool_state.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_MS = 200, STARTS_MAX = 8 };
#define TICK_SECONDS 0.2
#define WALL_TIMES 10            /* a job may take so many times its time-out when it does not get a processor */

/* The only state of the file: a signal handler has nowhere else to write. */
static volatile sig_atomic_t stopped;

enum { IDLE = -1 };

struct worker {
    pid_t pid;               /* 0: none */
    int fd;
    long position;           /* of the job it runs, or IDLE */
    long served;             /* jobs given to this process */
    bool second;             /* its present job has been lost once before */
    double started, spent;   /* when its present job began: by clock_of, and by processor_of */
    struct pool_head head;
    size_t got;              /* bytes received of head and answer */
    unsigned char *bytes;
};

struct pool {
    const struct pool_config *c;
    struct worker *worker;
    struct pollfd *poll;
    int workers;
    struct pool_queue queue;
    size_t ended;
    int starts;              /* workers started since one last answered or ended in a job */
    double clock, real, ticked;
    struct why *why;
};

void pool_stop(void)
{
    stopped = 1;
}

bool pool_stopped(void)
{
    return stopped;
}

/* Seconds, at most one from call to call: time in which the parent itself stood still, after Ctrl-Z
 * or in a slow callback, is no time of the jobs. */
static double clock_of(struct pool *p)
{
    double real = pool_now();

    p->clock += fmin(real - p->real, 1);
    p->real = real;
    return p->clock;
}

/* Processor time of a worker so far, seconds; 0: it is gone. */
static double processor_of(const struct worker *w)
{
    clockid_t clock;
    struct timespec t;

    if (!w->pid || clock_getcpuclockid(w->pid, &clock) || clock_gettime(clock, &t))
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool start_worker(struct pool *p, struct worker *w)
{
    pid_t parent = getpid();
    int fd[2];

    *w = (struct worker){ .position = IDLE };
    if (p->starts++ >= STARTS_MAX + p->workers) {
        why_set(p->why, IO_ERROR, "worker processes end before they take a job");
        return false;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0) {
        why_set(p->why, IO_ERROR, "cannot open a socket for a worker: %s", strerror(errno));
        return false;
    }
    fflush(NULL);                    /* a job that calls exit() must not print it again */
    w->pid = fork();
    if (w->pid == 0) {
        close(fd[0]);
        for (int k = 0; k < p->workers; k++) {
            if (p->worker[k].pid)
                close(p->worker[k].fd);
        }
        pool_become_worker(p->c, fd[1], parent);
    }
    close(fd[1]);
    if (w->pid < 0) {
        why_set(p->why, IO_ERROR, "cannot start a worker process: %s", strerror(errno));
        close(fd[0]);
        w->pid = 0;
        return false;
    }
    w->fd = fd[0];
    return true;
}

/* Ends a worker, after patience_ms by force; its wait status. */
static int reap(struct worker *w, int patience_ms)
{
    int status = 0;
    pid_t pid;

    while ((pid = waitpid(w->pid, &status, WNOHANG)) == 0 || (pid < 0 && errno == EINTR)) {
        if (patience_ms-- <= 0) {
            kill(w->pid, SIGKILL);
            while ((pid = waitpid(w->pid, &status, 0)) < 0 && errno == EINTR)
                ;
            break;
        }
        usleep(1000);
    }
    close(w->fd);
    free(w->bytes);
    w->bytes = NULL;
    w->pid = 0;
    return pid < 0 ? 0 : status;
}

/* false: no worker takes the job. */
static bool give(struct pool *p, struct worker *w, long position)
{
    uint64_t message = position;

    while (!w->pid || send(w->fd, &message, sizeof message, MSG_NOSIGNAL) != sizeof message) {
        if (w->pid)
            reap(w, 0);
        if (!start_worker(p, w))
            return false;
    }
    w->position = position;
    w->served++;
    w->second = false;
    w->started = clock_of(p);
    w->spent = processor_of(w);
    w->got = 0;
    return true;
}

static void report(struct pool *p, long position, enum pool_end end, const void *bytes, size_t n,
                   const char *message, double seconds)
{
    p->ended++;
    p->starts = 0;
    p->c->done(p->c->ctx, p->c->job[position].index, end, bytes, n, message, seconds);
}

/* The worker is gone without an answer to its job. doubt: that need not be the job's doing. */
static void lose(struct pool *p, struct worker *w, enum pool_end end, const char *message, bool doubt)
{
    struct worker lost = *w;

    w->position = IDLE;
    if (lost.position == IDLE)
        return;
    if ((lost.served > 1 || doubt) && end != POOL_TIMEOUT && !lost.second && !stopped &&
        give(p, w, lost.position)) {
        w->second = true;
        return;
    }
    report(p, lost.position, end, NULL, 0, message, clock_of(p) - lost.started);
}

static void lose_ended(struct pool *p, struct worker *w)
{
    int status = reap(w, GRACE_MS);
    size_t limit = w->position == IDLE ? 0 : p->c->job[w->position].memory_limit;
    enum pool_end end = POOL_CRASHED;
    char message[128];

    if (WIFSIGNALED(status)) {
        snprintf(message, sizeof message, "killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) == POOL_EXIT_MEMORY) {
        end = POOL_MEMORY;
        if (limit)
            snprintf(message, sizeof message, "out of memory, the limit is %.4g MiB",
                     limit / 1048576.0);
        else
            snprintf(message, sizeof message, "out of memory");
    } else {
        snprintf(message, sizeof message, "left with exit status %d before it answered",
                 WEXITSTATUS(status));
    }
    /* A job does not kill itself; a user or a system short of memory does. */
    lose(p, w, end, message, WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void lose_killed(struct pool *p, struct worker *w, enum pool_end end, const char *message)
{
    reap(w, 0);
    lose(p, w, end, message, false);
}

/* The head of an answer is complete: makes room for the rest. */
static void accept_head(struct pool *p, struct worker *w)
{
    if (w->head.magic != POOL_MAGIC || w->head.position != (uint64_t)w->position) {
        lose_killed(p, w, POOL_CRASHED, "broke the stream to its parent");
        return;
    }
    w->bytes = malloc(w->head.bytes ? w->head.bytes : 1);
    if (!w->bytes)
        lose_killed(p, w, POOL_MEMORY, "its answer does not fit into memory");
}

/* Something has arrived: the next piece of an answer, or the end. */
static void receive(struct pool *p, struct worker *w)
{
    enum { PIECE = 1 << 20 };
    bool in_head = w->got < sizeof w->head;
    size_t at = in_head ? w->got : w->got - sizeof w->head;
    size_t want = (in_head ? sizeof w->head : w->head.bytes) - at;
    unsigned char *to = in_head ? (unsigned char *)&w->head : w->bytes;
    ssize_t k = recv(w->fd, to + at, want < PIECE ? want : PIECE, MSG_DONTWAIT);

    if (k < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (k <= 0) {
        lose_ended(p, w);
        return;
    }
    w->got += k;
    if (w->got == sizeof w->head)
        accept_head(p, w);
    if (w->bytes && w->got == sizeof w->head + w->head.bytes) {
        unsigned char *bytes = w->bytes;
        long position = w->position;

        w->bytes = NULL;
        w->position = IDLE;
        w->got = 0;
        report(p, position, POOL_DONE, bytes, w->head.bytes, "", w->head.seconds);
        free(bytes);
    }
}

/* Seconds its present job may still take, at least: a busy machine is not its fault. */
static double left(struct pool *p, const struct worker *w)
{
    double t = w->position == IDLE ? 0 : p->c->job[w->position].timeout_seconds;

    if (t <= 0)
        return INFINITY;
    return fmin(t - (processor_of(w) - w->spent), WALL_TIMES * t - (clock_of(p) - w->started));
}

static void check_time(struct pool *p, struct worker *w)
{
    char message[64];

    if (left(p, w) > 0)
        return;
    double t = p->c->job[w->position].timeout_seconds;
    bool waited = processor_of(w) - w->spent < t;
    snprintf(message, sizeof message, waited ? "no answer within %g s of waiting" : "no answer within %g s",
             waited ? WALL_TIMES * t : t);
    lose_killed(p, w, POOL_TIMEOUT, message);
}

/* Gives work to idle workers; false: nobody works although jobs are left. */
static bool feed(struct pool *p)
{
    bool busy = false;

    for (int k = 0; k < p->workers; k++) {
        struct worker *w = &p->worker[k];
        struct pool_turn *turn = w->position == IDLE ? pool_queue_turn(&p->queue, k) : NULL;

        if (turn && give(p, w, (long)turn->next))
            turn->next++;
        busy = busy || w->position != IDLE;
    }
    return busy;
}

/* Waits for an answer, a deadline or the next tick. */
static void await(struct pool *p)
{
    double wait = TICK_SECONDS;

    for (int k = 0; k < p->workers; k++) {
        struct worker *w = &p->worker[k];

        p->poll[k] = (struct pollfd){ .fd = w->pid ? w->fd : -1, .events = POLLIN };
        wait = fmin(wait, fmax(0, left(p, w)));
    }
    if (poll(p->poll, p->workers, (int)ceil(wait * 1000)) < 0) {
        for (int k = 0; k < p->workers; k++)
            p->poll[k].revents = 0;
    }
}

static void tick(struct pool *p)
{
    if (p->c->tick && pool_now() - p->ticked >= TICK_SECONDS) {
        p->c->tick(p->c->ctx);
        p->ticked = pool_now();
    }
}

static enum pool_result run_workers(struct pool *p)
{
    enum pool_result result = POOL_COMPLETE;

    while (p->ended < p->c->jobs && result == POOL_COMPLETE) {
        if (stopped) {
            result = POOL_INTERRUPTED;
        } else if (!feed(p)) {
            result = POOL_FAILED;
        } else {
            await(p);
            for (int k = 0; k < p->workers; k++) {
                if (p->worker[k].pid && p->poll[k].revents && !stopped)
                    receive(p, &p->worker[k]);
            }
            for (int k = 0; k < p->workers && !stopped; k++)
                check_time(p, &p->worker[k]);
            tick(p);
        }
    }
    for (int k = 0; k < p->workers; k++) {
        if (p->worker[k].pid)
            reap(&p->worker[k], 0);
    }
    return result;
}

static enum pool_result run_here(const struct pool_config *c)
{
    struct pool p = { .c = c, .ticked = pool_now() };
    struct pool_reply reply = { 0 };

    for (; p.ended < c->jobs && !stopped; tick(&p)) {
        double start = pool_now();

        reply.n = 0;
        c->work(c->ctx, c->job[p.ended].index, &reply);
        report(&p, p.ended, POOL_DONE, reply.bytes, reply.n, "", pool_now() - start);
    }
    free(reply.bytes);
    return p.ended < c->jobs ? POOL_INTERRUPTED : POOL_COMPLETE;
}

enum pool_result pool_run(const struct pool_config *c, struct why *why)
{
    struct pool p = { .c = c, .real = pool_now(), .ticked = pool_now(), .why = why };
    enum pool_result result;

    if (c->workers <= 0)
        return run_here(c);
    p.workers = (size_t)c->workers < c->jobs ? c->workers : (int)c->jobs;
    p.worker = calloc(p.workers + 1, sizeof *p.worker);
    p.poll = calloc(p.workers + 1, sizeof *p.poll);
    for (int k = 0; p.worker && k < p.workers; k++)
        p.worker[k].position = IDLE;
    if (p.worker && p.poll && pool_queue_open(&p.queue, c->job, c->jobs, p.workers)) {
        result = run_workers(&p);
    } else {
        why_set(why, NO_MEMORY, "no memory for %d workers", p.workers);
        result = POOL_FAILED;
    }
    pool_queue_free(&p.queue);
    free(p.worker);
    free(p.poll);
    return result;
}
