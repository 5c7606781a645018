/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_exec.c - what it costs to ask from another process: questions of a method program through its channel,
 * beside a bare ping-pong of eight bytes over two pipes, in the same run. The asking process is in C, so that
 * what is measured is the channel; it is on a processor of its own. Times are real ones, as the asking process
 * sees them: medians over all calls. */
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cell/cell.h"
#include "cell/registry.h"
#include "exec/method_internal.h"
#include "nights/gbench.h"
#include "oracle/oracle_state.h"

enum { D = 1000, CALLS = 100000, BATCHES = 5000, POINTS = 64 };
/* The promised limits. TIMES_MOST: the time of a question, in units of a ping-pong. BEYOND_MOST: the seconds that a
 * point of a batch takes in addition to the work. */
static const double TIMES_MOST = 3, BEYOND_MOST = 2e-6;

/* What is asked, how often, and at how many points. kind 0: a bare ping-pong of 8 bytes. Before the asking process
 * sends them it writes as many vectors as `points` to shared memory, and the other process copies these before it
 * sends the bytes back. */
struct asking { uint32_t kind; long points, calls; };
static struct asking pingpong = { 0, 0, CALLS }, gradient = { ASK_GRADIENT, 1, CALLS },
                     vectors = { 0, POINTS, BATCHES },
                     values = { ASK_VALUE, POINTS, BATCHES }, gradients = { ASK_GRADIENT, POINTS, BATCHES };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Puts this process on the k-th processor that it may use, from the end where k < 0. */
static void pin(int k, const cpu_set_t *allowed)
{
    cpu_set_t one;
    int n = CPU_COUNT(allowed), wanted = ((k % n) + n) % n;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, allowed) && wanted-- == 0)
            CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void read_whole(int fd, void *at, size_t n)
{
    for (ssize_t got; n; n -= (size_t)got, at = (char *)at + got)
        if ((got = read(fd, at, n)) <= 0)
            _exit(1);
}

static void write_whole(int fd, const void *at, size_t n)
{
    for (ssize_t put; n; n -= (size_t)put, at = (const char *)at + put)
        if ((put = write(fd, at, n)) <= 0)
            _exit(1);
}

/* Sends one question and reads the answer, in the asking process. */
static void ask(const struct asking *a, int to, int from, struct wire_out *w, const double *x,
                unsigned char *answer)
{
    unsigned char head[WIRE_HEADER];
    wire_begin(w, a->kind);
    w->points = a->points;
    wire_u32(w, (uint32_t)a->points);
    for (long k = 0; k < a->points; k++)
        wire_vec(w, D, x);
    wire_end(w);
    write_whole(to, w->at, w->n);
    read_whole(from, head, sizeof head);
    struct wire_in h = { .at = head, .n = sizeof head };
    read_whole(from, answer, wire_get_u32(&h));
}

static _Noreturn void ask_all(const struct asking *a, const struct client *c, int to, int from, int result)
{
    double *seconds = calloc((size_t)a->calls, sizeof *seconds), x[D];
    unsigned char *answer = malloc(POINTS * (8 * D + 8));
    struct wire_out w = { .shared = c->shared, .shared_room = c->shared_room };
    uint64_t ball = 1;
    for (long j = 0; j < D; j++)
        x[j] = 0.01;
    for (long k = 0; k < a->calls; k++) {
        double begun = now();
        if (a->kind) {
            ask(a, to, from, &w, x, answer);
        } else {
            for (long i = 0; i < a->points; i++)
                memcpy(c->shared + i * D * (long)sizeof *x, x, sizeof x);
            write_whole(to, &ball, sizeof ball);
            read_whole(from, &ball, sizeof ball);
        }
        seconds[k] = now() - begun;
    }
    wire_begin(&w, ASK_END);
    wire_u32(&w, 0);
    wire_end(&w);
    if (a->kind)
        write_whole(to, w.at, w.n);
    qsort(seconds, (size_t)a->calls, sizeof *seconds, by_size);
    write_whole(result, &seconds[a->calls / 2], sizeof *seconds);
    _exit(0);
}

static void answer_all(const struct asking *a, struct client *c)
{
    struct cell *cell;
    struct bag bag = { 0 };
    struct why why;
    struct facts facts;
    struct oracle o;
    void *self;
    double x[D] = { 0 };
    bag_put(&bag, "problem.d", D);
    if (cell_make("chain", "gd", &bag, 0, &cell, &why) != OK)
        abort();
    struct rng data = rng_stream(1);
    struct arena *memory = arena_new(0);
    if (cell->problem->make(cell->problem_params, &data, memory, &self, &facts, &why) != OK)
        abort();
    oracle_open(&o, cell->problem, self, &facts, CALL_VALUE | CALL_GRAD, &data, 1, memory);
    if (method_answer(&o, CALL_VALUE | CALL_GRAD, c, x, &why) != OK ||
        o.counts.of[a->kind == ASK_VALUE ? COUNT_full_values : COUNT_full_grads] != (double)(a->calls * a->points))
        abort();
    oracle_release(&o);
    arena_free(memory);
    cell_free(cell);
    bag_free(&bag);
}

/* Returns the median of the seconds that the question a takes, or a ping-pong where its kind is 0. */
static double measure(const struct asking *a)
{
    int to[2], from[2], result[2];
    double median = NAN;
    cpu_set_t allowed;
    struct client c = { .keeper = -1, .printed = -1, .memory = memfd_create("bench", MFD_CLOEXEC) };
    struct why why;
    if (pipe(to) || pipe(from) || pipe(result) || client_share(&c, 8 * D * POINTS, &why) != OK)
        abort();
    sched_getaffinity(0, sizeof allowed, &allowed);
    pid_t pid = fork();
    if (pid == 0) {
        pin(-1, &allowed);
        ask_all(a, &c, from[1], to[0], result[1]);
    }
    pin(0, &allowed);
    c.to = to[1];
    c.from = from[0];
    if (a->kind) {
        fcntl(c.to, F_SETFL, O_NONBLOCK);
        fcntl(c.from, F_SETFL, O_NONBLOCK);
        answer_all(a, &c);
    }
    uint64_t ball;
    for (long k = 0; k < a->calls && !a->kind; k++) {
        double seen[D];
        read_whole(c.from, &ball, sizeof ball);
        for (long i = 0; i < a->points; i++) {
            memcpy(seen, c.shared + i * D * (long)sizeof *seen, sizeof seen);
            __asm__ volatile("" : : "r"(seen) : "memory");       /* the copy is made although nobody reads it */
        }
        write_whole(c.to, &ball, sizeof ball);
    }
    read_whole(result[0], &median, sizeof median);
    waitpid(pid, NULL, 0);
    sched_setaffinity(0, sizeof allowed, &allowed);
    for (int k = 0; k < 2; k++) {
        close(to[k]);
        close(from[k]);
        close(result[k]);
    }
    munmap(c.shared, c.shared_room);
    close(c.memory);
    free(c.in);
    return median;
}

/* The median seconds of the work itself for as many points as a question has: a value or a gradient each,
 * without an oracle, on the processor that answers. */
static double work(uint32_t kind)
{
    const struct problem *p = registry_problem("chain");
    struct cell *cell;
    struct bag bag = { 0 };
    struct why why;
    struct facts facts;
    void *self;
    cpu_set_t allowed;
    double x[D], g[D], seconds[BATCHES];
    double sum = 0;
    volatile double kept;                    /* the sum goes there, so that values are computed */
    bag_put(&bag, "problem.d", D);
    if (cell_make("chain", "gd", &bag, 0, &cell, &why) != OK)
        abort();
    struct rng data = rng_stream(1);
    struct arena *memory = arena_new(0);
    if (p->make(cell->problem_params, &data, memory, &self, &facts, &why) != OK)
        abort();
    for (long j = 0; j < D; j++)
        x[j] = 0.01;
    sched_getaffinity(0, sizeof allowed, &allowed);
    pin(0, &allowed);
    for (long k = 0; k < BATCHES; k++) {
        double begun = now();
        for (int i = 0; i < POINTS; i++) {
            if (kind == ASK_VALUE)
                sum += p->value(self, x);
            else
                p->grad(self, x, g);
            x[(POINTS * k + i) % D] += 1e-9;
        }
        seconds[k] = now() - begun;
    }
    kept = sum;
    (void)kept;
    sched_setaffinity(0, sizeof allowed, &allowed);
    qsort(seconds, BATCHES, sizeof *seconds, by_size);
    arena_free(memory);
    cell_free(cell);
    bag_free(&bag);
    return seconds[BATCHES / 2];
}

/* The medians that the rows of the benchmark show, in seconds, measured once. ball: a ping-pong of 8 bytes;
 * question: a gradient at one point; vector: a bare vector, of 64 at a time; value, gradient: a point of a question
 * at 64 points, beyond the work itself. */
static struct { bool known; double ball, question, vector, value, gradient; } found;

static void measure_all(void)
{
    if (found.known)
        return;
    found.known = true;
    found.ball = measure(&pingpong);
    found.question = measure(&gradient);
    found.vector = measure(&vectors) / POINTS;
    found.value = (measure(&values) - work(ASK_VALUE)) / POINTS;
    found.gradient = (measure(&gradients) - work(ASK_GRADIENT)) / POINTS;
}

static void ask_batch(void *p, long iterations)
{
    struct asking a = *(struct asking *)p;
    a.calls = iterations;
    measure(&a);
}

static double seen(void *p, int k, const char **name)
{
    static const char *const names[] = { "time_of:ping-pong", "time_of:question", "time_of:vector of 64, bare",
                                         "time_of:value of 64, beyond the work",
                                         "time_of:gradient of 64, beyond the work" };
    measure_all();
    const double seconds[] = { found.ball, found.question, found.vector, found.value, found.gradient };
    *name = k < 5 ? names[k] : NULL;
    return k < 5 ? seconds[k] : 0;
}

/* Where other processes use the machine, the seconds beyond the work and those of a bare vector rise alike, so that
 * their ratio says more than the limit does. */
static void print_beyond(const char *what, double seconds)
{
    printf("    %-44s %8.2f us  %.2f times the bare vector; at most %g us: %s\n", what, 1e6 * seconds,
           seconds / found.vector, 1e6 * BEYOND_MOST, seconds <= BEYOND_MOST ? "met" : "NOT MET");
}

static void print(void)
{
    measure_all();
    printf("  questions of a method program, d = %d, real time, medians\n", D);
    printf("    %-44s %8.2f us\n", "ping-pong of 8 bytes over two pipes", 1e6 * found.ball);
    printf("    %-44s %8.2f us  %.2f times the ping-pong, at most %g: %s\n", "a gradient asked",
           1e6 * found.question,
           found.question / found.ball, TIMES_MOST, found.question <= TIMES_MOST * found.ball ? "met" : "NOT MET");
    printf("    %-44s %8.2f us\n", "a vector, 64 a ping-pong in shared memory", 1e6 * found.vector);
    print_beyond("a value, 64 a question, beyond the work", found.value);
    print_beyond("a gradient, 64 a question, beyond the work", found.gradient);
}

static const struct gbench_case cases[] = {
    { "gradient asked", "d = 1000", &gradient, ask_batch, NULL, .items = 1, .found = seen },
    { 0 }
};

const struct gbench_group bench_exec = { "exec", cases, .print = print };
