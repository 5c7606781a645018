/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.c - the pool: the queue of jobs, the worker processes, and their parent.
 *
 * The parent shares a socket pair with each worker. The parent sends the position of a job in the list; the worker
 * sends the head of an answer and the bytes of the answer. It gives both to one call of send, so that
 * an answer wakes the parent once, if it fits into the socket. If the worker's stream ends, the worker has ended. */
#include "pool/pool_internal.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

struct pool_reply {
    unsigned char *bytes;
    size_t n, room;
};

/* The head that comes before an answer; if other bytes arrive the job counts as crashed. seconds: how long the job
 * took. */
struct head {
    uint64_t magic, position, bytes;
    double seconds;
};
#define MAGIC 0x7265777361796c70u

/* --- the queue */

bool pool_queue_open(struct pool_queue *q, const struct pool_job *job, size_t jobs, int workers)
{
    *q = (struct pool_queue){ .job = job, .jobs = jobs, .workers = workers,
                              .own = calloc((size_t)workers + 1, sizeof *q->own) };
    return q->own;
}

void pool_queue_free(struct pool_queue *q)
{
    free(q->own);
    q->own = NULL;
}

/* Returns the positions of the next jobs of the list that no worker has begun, as far as they are of one kind, and
 * takes them from the list. One job, if it has kind 0. */
static struct pool_turn begin_kind(struct pool_queue *q)
{
    size_t from = q->next++;
    while (q->next < q->jobs && q->job[from].kind && q->job[q->next].kind == q->job[from].kind)
        q->next++;
    return (struct pool_turn){ from, q->next };
}

/* Returns one position, which it takes from the worker that has most positions waiting; an empty turn if none
 * wait. */
static struct pool_turn relieve(struct pool_queue *q)
{
    struct pool_turn *most = q->own;
    for (struct pool_turn *o = q->own; o < q->own + q->workers; o++)
        if (o->end - o->next > most->end - most->next)
            most = o;
    if (most->next == most->end)
        return *most;
    most->next++;
    return (struct pool_turn){ most->next - 1, most->next };
}

struct pool_turn *pool_queue_turn(struct pool_queue *q, int worker)
{
    struct pool_turn *own = &q->own[worker];
    if (own->next == own->end)
        *own = q->next < q->jobs ? begin_kind(q) : relieve(q);
    return own->next < own->end ? own : NULL;
}

/* --- in a worker: takes jobs and sends answers */

#if defined(__SANITIZE_ADDRESS__)
#define LIMIT_ADDRESS_SPACE 0        /* AddressSanitizer maps terabytes of shadow memory */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMIT_ADDRESS_SPACE 0
#endif
#endif
#ifndef LIMIT_ADDRESS_SPACE
#define LIMIT_ADDRESS_SPACE 1
#endif

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

/* Sends bytes[n] to the parent. If the parent has ended or closed the stream, the worker exits. */
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

/* Returns how many bytes of address space this process uses; 0: it is not known. */
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

/* Limits the address space of this process to `limit` bytes more than it uses now; 0 removes the limit. */
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
        struct head head = { .magic = MAGIC };
        const struct pool_job *job;
        double start;

        receive_all(fd, &head.position, sizeof head.position);
        if (head.position >= c->jobs)
            _exit(0);
        job = &c->job[head.position];
        reply.n = 0;
        pool_append(&reply, &head, sizeof head);     /* room for the head, which is written below */
        limit_memory(job->memory_limit);
        start = clock_monotonic();
        c->work(c->ctx, job->index, &reply);
        head.seconds = clock_monotonic() - start;
        limit_memory(0);
        head.bytes = reply.n - sizeof head;
        memcpy(reply.bytes, &head, sizeof head);
        send_all(fd, reply.bytes, reply.n);
    }
}

_Noreturn static void become_worker(const struct pool_config *c, int fd, pid_t parent)
{
    static const int reset[] = { SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGCHLD, SIGPIPE, SIGUSR1,
                                 SIGUSR2, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    struct rlimit no_core = { 0, 0 };
    sigset_t none;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    signal(SIGINT, SIG_IGN);         /* Ctrl-C goes to all processes of the group; only the parent is to handle
                                        it */
    for (size_t k = 0; k < sizeof reset / sizeof *reset; k++)
        signal(reset[k], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setrlimit(RLIMIT_CORE, &no_core);
    serve(c, fd);
}

/* --- in the parent: starts workers, gives them jobs, replaces those that have ended */

/* GRACE_MS: how long a worker that has closed its stream may take to exit before it is killed; a larger value only
 * delays the next job after a crash. STARTS_MAX: how many workers, in addition to p->workers, may be started before
 * a job ends. After so many the pool fails instead of forking for ever. */
enum { GRACE_MS = 200, STARTS_MAX = 8 };
/* Seconds between calls of the caller's `tick`; a progress bar needs no more than five a second. */
#define TICK_SECONDS 0.2
/* The limit of real time of a job is this many times its time-out, the limit of its processor time. With a smaller
 * factor innocent jobs would time out on a busy machine; with a larger one a job that sleeps for ever holds its
 * worker longer. */
#define WALL_TIMES 10

/* Set by pool_stop, which a signal handler may call: hence the type, and hence a variable at file scope. */
static volatile sig_atomic_t stopped;

enum { IDLE = -1 };

struct worker {
    pid_t pid;               /* 0: there is no process */
    int fd;
    long position;           /* the position of the job that it runs, or IDLE */
    long served;             /* jobs given to this process */
    bool second;             /* the job that it runs has already been lost once with another worker */
    double started, spent;   /* started: when its present job began, by clock_steady; spent: the processor time that
                                the process had used then, in seconds */
    struct head head;
    size_t got;              /* how many bytes of head and answer have been received */
    unsigned char *bytes;
};

struct pool {
    const struct pool_config *c;
    struct worker *worker;
    struct pollfd *poll;
    int workers;
    struct pool_queue queue;
    size_t ended;            /* number of jobs that have ended */
    int starts;              /* workers started since the last job ended */
    double ticked;           /* when `tick` was called last, by clock_monotonic */
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
    fflush(NULL);                    /* without this a job that calls exit() would print a second time what the
                                        parent has in its buffers */
    w->pid = fork();
    if (w->pid == 0) {
        close(fd[0]);
        for (int k = 0; k < p->workers; k++) {
            if (p->worker[k].pid)
                close(p->worker[k].fd);
        }
        become_worker(p->c, fd[1], parent);
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

/* Waits until a worker has ended, and kills it after patience_ms milliseconds; returns its status, as of
 * waitpid. */
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

/* Sends the job at this position to worker w, whose process is started if there is none or it has ended. Returns
 * false where none can be started. */
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
    w->started = clock_steady();
    w->spent = clock_processor_of(w->pid);
    w->got = 0;
    return true;
}

/* Gives an idle worker the next job of its turn. Returns whether the worker has a job. */
static bool employ(struct pool *p, struct worker *w)
{
    struct pool_turn *turn = w->position == IDLE ? pool_queue_turn(&p->queue, (int)(w - p->worker)) : NULL;

    if (turn && give(p, w, (long)turn->next))
        turn->next++;
    return w->position != IDLE;
}

static void report(struct pool *p, long position, enum pool_end end, const void *bytes, size_t n,
                   const char *message, double seconds)
{
    p->ended++;
    p->starts = 0;
    p->c->done(p->c->ctx, p->c->job[position].index, end, bytes, n, message, seconds);
}

/* Handles a worker that has ended without an answer to its job. The job runs once more, in a fresh process, if the
 * old one had run other jobs before, or if for another reason the job may not be to blame (doubt). It does not
 * after a time-out, or if it has been lost once before; it then fails with `end`. */
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
    report(p, lost.position, end, NULL, 0, message, clock_steady() - lost.started);
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
    /* doubt after a SIGKILL: it comes from a user, or from a system that is short of memory, and not from the
     * job */
    lose(p, w, end, message, WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void lose_killed(struct pool *p, struct worker *w, enum pool_end end, const char *message)
{
    reap(w, 0);
    lose(p, w, end, message, false);
}

/* Checks the head of an answer, which has arrived whole, and allocates memory for the bytes of the answer. Returns
 * false if the head is wrong or there is no memory; the worker is then lost. */
static bool accept_head(struct pool *p, struct worker *w)
{
    if (w->head.magic != MAGIC || w->head.position != (uint64_t)w->position) {
        lose_killed(p, w, POOL_CRASHED, "broke the stream to its parent");
        return false;
    }
    w->bytes = malloc(w->head.bytes ? w->head.bytes : 1);
    if (w->bytes)
        return true;
    reap(w, 0);
    lose(p, w, POOL_MEMORY, "its answer does not fit into memory", true);      /* or this process had none left */
    return false;
}

/* to[n] <- what has arrived from a worker, at most n bytes; n > 0. Returns false if the worker's stream has ended;
 * the worker is then lost. */
static bool read_some(struct pool *p, struct worker *w, void *to, size_t n)
{
    enum { PIECE = 1 << 20 };
    ssize_t k = recv(w->fd, to, n < PIECE ? n : PIECE, MSG_DONTWAIT);

    if (k == 0 || (k < 0 && errno != EINTR && errno != EAGAIN)) {
        lose_ended(p, w);
        return false;
    }
    w->got += k > 0 ? k : 0;
    return true;
}

/* Reads what has arrived from a worker, a piece of an answer or the end of the stream, and reports the job if the
 * answer is complete. */
static void receive(struct pool *p, struct worker *w)
{
    const size_t head = sizeof w->head;

    if (w->got < head && (!read_some(p, w, (unsigned char *)&w->head + w->got, head - w->got) || w->got < head ||
                          !accept_head(p, w)))
        return;
    size_t n = w->head.bytes, at = w->got - head;
    if (at < n && !read_some(p, w, w->bytes + at, n - at))
        return;
    if (w->got == head + n) {
        unsigned char *bytes = w->bytes;
        long position = w->position;
        double seconds = w->head.seconds;

        w->bytes = NULL;
        w->position = IDLE;
        w->got = 0;
        if (!stopped)
            employ(p, w);            /* before the report, so that the worker need not wait for it */
        report(p, position, POOL_DONE, bytes, n, "", seconds);
        free(bytes);
    }
}

/* Returns the seconds until the present job of a worker can time out at the earliest, by processor time or by real
 * time. A worker has one thread, so its processor time cannot exceed the real time. It is not read while the
 * real time is below the limit, which saves a system call. */
static double left(struct pool *p, const struct worker *w)
{
    double t = w->position == IDLE ? 0 : p->c->job[w->position].timeout_seconds;

    if (t <= 0)
        return INFINITY;
    double real = clock_steady() - w->started;
    return real < t ? t - real : fmin(t - (clock_processor_of(w->pid) - w->spent), WALL_TIMES * t - real);
}

static void check_time(struct pool *p, struct worker *w)
{
    char message[64];

    if (left(p, w) > 0)
        return;
    double t = p->c->job[w->position].timeout_seconds;
    bool waited = clock_processor_of(w->pid) - w->spent < t;
    snprintf(message, sizeof message, waited ? "no answer within %g s of waiting" : "no answer within %g s",
             waited ? WALL_TIMES * t : t);
    lose_killed(p, w, POOL_TIMEOUT, message);
}

/* Gives jobs to idle workers. Returns whether any worker has a job now. */
static bool feed(struct pool *p)
{
    bool busy = false;

    for (int k = 0; k < p->workers; k++)
        busy = employ(p, &p->worker[k]) || busy;
    return busy;
}

/* Waits until a worker has sent something, a job times out, or the next tick is due. */
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
    if (p->c->tick && clock_monotonic() - p->ticked >= TICK_SECONDS) {
        p->c->tick(p->c->ctx);
        p->ticked = clock_monotonic();
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
    struct pool p = { .c = c, .ticked = clock_monotonic() };
    struct pool_reply reply = { 0 };

    for (; p.ended < c->jobs && !stopped; tick(&p)) {
        double start = clock_monotonic();

        reply.n = 0;
        c->work(c->ctx, c->job[p.ended].index, &reply);
        report(&p, p.ended, POOL_DONE, reply.bytes, reply.n, "", clock_monotonic() - start);
    }
    free(reply.bytes);
    return p.ended < c->jobs ? POOL_INTERRUPTED : POOL_COMPLETE;
}

enum pool_result pool_run(const struct pool_config *c, struct why *why)
{
    struct pool p = { .c = c, .ticked = clock_monotonic(), .why = why };
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
