/* SPDX-License-Identifier: GPL-3.0-or-later */
/* method_run.c - the run of a cell by a program: starts the program unless it runs already, answers its
 * questions by the calls of the oracle, and takes its answer. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "exec/method_internal.h"
#include "exec/method_state.h"
#include "oracle/oracle_state.h"

/* TICKETS: how many of its latest batches a program may name. POINTS_MAX: the most points of a question. */
enum { TICKETS = 1024, POINTS_MAX = 64 };
/* A cell may take, in real time, REAL_TIMES times its limit of processor seconds. The pool ends this process after
 * ten times that limit, so the number must be below ten. */
enum { REAL_TIMES = 9 };
/* HELLO_MOST: the most bytes of a declaration, the message ASK_HELLO. STOP_SECONDS: real time for the answer of a
 * run whose budget is spent, and for the end of its process after the answer. */
enum { HELLO_MOST = 1 << 20, STOP_SECONDS = 5 };
/* Seconds of real time for a declaration: importing scipy takes some seconds from a slow file system. */
static double hello_seconds = 60;

void method_hello_limit(double seconds) { hello_seconds = seconds; }

/* The limits of the present cell, kept here because a process runs one cell at a time. */
static double most_seconds = INFINITY;       /* processor seconds of a run */
static double until = INFINITY;              /* limit of real time: a time of clock_steady */
static size_t most_memory;                   /* bytes of a process; 0: no limit */
static double used_seconds;                  /* processor seconds of programs since the last method_seconds() */

void method_limits(double seconds, size_t memory)
{
    most_seconds = seconds > 0 ? seconds : INFINITY;
    until = clock_steady() + REAL_TIMES * most_seconds;
    most_memory = memory;
}

double method_seconds(void)
{
    double seconds = used_seconds;
    used_seconds = 0;
    return seconds;
}

/* --- the start of a program */

static enum status say_hello(struct exec_method *m, struct why *why)
{
    struct wire_out w = { 0 };
    wire_begin(&w, SAY_HELLO);
    wire_u32(&w, WIRE_VERSION);
    wire_end(&w);
    enum status s = client_send(&m->client, &w, why);
    wire_free(&w);
    return s;
}

enum status method_start(struct exec_method *m, struct wire_in *in, struct why *why)
{
    uint32_t kind = 0;
    TRY(client_start(&m->client, m->argv, most_memory, why));
    client_limits(&m->client, INFINITY, hello_seconds);
    TRY(say_hello(m, why));
    enum status s = client_receive(&m->client, 4, &kind, in, why);   /* the number of its process: say_ready in
                                                                        client.c */
    if (s == OK) {
        m->client.pid = (pid_t)wire_get_u32(in);
        s = client_receive(&m->client, HELLO_MOST, &kind, in, why);
    }
    if (s == TIMED_OUT)
        return why_set(why, s, "it has not said within %.3g s what it declares (docs/methods.md)", hello_seconds);
    TRY(s);
    if (kind == ASK_HELLO)
        return OK;
    return why_set(why, IO_ERROR, "its first message is of kind %u, expected %d, what it declares", kind,
                   ASK_HELLO);
}

/* --- a run: the program's questions and the oracle's answers */

struct run {
    struct exec_method *m;
    struct client *c;                /* the client of m */
    struct oracle *o;
    const struct exec_params *p;
    struct wire_in in;               /* the last message of the program */
    struct wire_out out;             /* the message to the program that is being written */
    double *x, *g;                   /* [d] each: a point, and the gradient there */
    long d;
    struct ticket ticket[TICKETS];   /* the latest batches: number k stands at k modulo TICKETS */
    uint32_t tickets;                /* batches drawn so far */
    bool stopped;                    /* SAY_STOP was sent, as the budget is spent: only the answer may follow */
    double *mark;                    /* [d] the last mark; before the first mark the start */
    struct why why;                  /* the reason that ends the run */
};

static enum status broken(struct run *r, const char *what)
{
    return why_set(&r->why, IO_ERROR, "%s", what);
}

static const struct ticket *ticket_of(struct run *r, uint32_t number)
{
    return number < r->tickets && r->tickets - number <= TICKETS ? &r->ticket[number % TICKETS] : NULL;
}

/* Returns how many points a question has; 0: no number that is allowed. */
static uint32_t points(struct run *r)
{
    uint32_t m = wire_get_u32(&r->in);
    r->in.points = (long)m;
    return m <= POINTS_MAX ? m : 0;
}

/* Reads the next point of a question into r->x. `last`: nothing may follow it. */
static bool next_point(struct run *r, bool last)
{
    wire_get_vec(&r->in, r->d, r->x);
    return last ? wire_whole(&r->in) : !r->in.bad;
}

static bool all_finite(long d, const double *x)
{
    for (long k = 0; k < d; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

/* Answers the values at the points of a question. A point is answered before the next one is copied, so that it
 * stays in the first cache. */
static enum status values(struct run *r, bool *stop)
{
    double f[POINTS_MAX];
    uint32_t m = points(r), k = 0;
    for (; k < m && next_point(r, k + 1 == m); k++)
        if (!oracle_value(r->o, r->x, &f[k])) {
            *stop = true;
            return OK;
        }
    if (!m || k < m)
        return broken(r, "value: expected points");
    wire_vec(&r->out, (long)m, f);
    return OK;
}

/* Answers the gradients at the points of a question. In shared memory each gradient overwrites its point, which
 * has been copied before. */
static enum status gradients(struct run *r, bool *stop)
{
    uint32_t m = points(r), k = 0;
    r->out.points = (long)m;
    for (; k < m && next_point(r, k + 1 == m); k++) {
        if (!oracle_grad(r->o, r->x, r->g)) {
            *stop = true;
            return OK;
        }
        wire_vec(&r->out, r->d, r->g);
    }
    return m && k == m ? OK : broken(r, "gradient: expected points");
}

static enum status batch(struct run *r, bool *stop)
{
    enum { TAKE, DRAW, ALL, POISSON, SUBSET, SHUFFLE };
    struct ticket t;
    uint32_t scheme = wire_get_u32(&r->in);
    double b = wire_get_f64(&r->in);
    bool whole = b >= 1 && b <= 0x1p52 && b == rint(b), records = r->o->stored;
    if (!wire_whole(&r->in) || scheme > SHUFFLE || (scheme == POISSON ? !(b >= 0 && b <= 1) : scheme != ALL &&
        scheme != SHUFFLE && !whole))
        return broken(r, "batch: expected a scheme, and a whole number of samples or a rate");
    if (scheme >= ALL && !records)
        return broken(r, "batch: this problem has no records, expected fresh or independent samples");
    if (scheme == SUBSET && b > r->o->facts->n)
        return broken(r, "batch: more different records than there are");
    *stop = !(scheme == TAKE ? oracle_take(r->o, (long)b, &t) : scheme == DRAW ? oracle_draw(r->o, (long)b, &t)
            : scheme == ALL ? oracle_all(r->o, &t) : scheme == POISSON ? oracle_poisson(r->o, b, &t)
            : scheme == SUBSET ? oracle_subset(r->o, (long)b, &t) : oracle_shuffle(r->o, &t));
    if (*stop)
        return OK;
    r->ticket[r->tickets % TICKETS] = t;
    wire_u32(&r->out, r->tickets++);
    wire_f64(&r->out, scheme == POISSON ? NAN : (double)t.count);    /* the size of a Poisson sample is secret */
    return OK;
}

static enum status sample_value(struct run *r, bool *stop)
{
    const struct ticket *t = ticket_of(r, wire_get_u32(&r->in));
    double f = 0;
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in) || !t)
        return broken(r, "sample value: expected one of the last 1024 batches, and a point");
    *stop = !oracle_values(r->o, t, NULL, r->x, &f);
    wire_f64(&r->out, f);
    return OK;
}

static enum status sample_gradient(struct run *r, bool *stop)
{
    const struct ticket *t = ticket_of(r, wire_get_u32(&r->in));
    double C = wire_get_f64(&r->in);
    const double *x = r->x;
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in) || !t || !(C >= 0))
        return broken(r, "sample gradient: expected one of the last 1024 batches, a norm and a point");
    *stop = !oracle_batch(r->o, &(struct batch){ .ticket = t, .points = 1, .x = &x, .g = r->g, .C = C,
                                                 .clip = isfinite(C) ? CLIP_NORM : CLIP_NONE });
    if (!*stop)
        wire_vec(&r->out, r->d, r->g);
    return OK;
}

static enum status prox(struct run *r)
{
    double t = wire_get_f64(&r->in);
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in) || !(t > 0 && t < INFINITY))
        return broken(r, "prox: expected t > 0 and a point");
    oracle_prox(r->o, t, r->x, r->g);
    wire_vec(&r->out, r->d, r->g);
    return OK;
}

static enum status project(struct run *r)
{
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in))
        return broken(r, "project: expected a point");
    oracle_project(r->o, 0, r->x);
    wire_vec(&r->out, r->d, r->x);
    return OK;
}

/* Returns the name of a place where noise is added, in memory that lasts: the ledger keeps the pointer until the
 * record is made. NULL: the method has SITES_MAX other names already. */
static const char *site_of(struct exec_method *m, const char *name)
{
    for (int k = 0; k < m->sites; k++)
        if (strcmp(m->site[k].name, name) == 0)
            return m->site[k].name;
    if (m->sites == SITES_MAX)
        return NULL;
    snprintf(m->site[m->sites].name, sizeof m->site->name, "%s", name);
    return m->site[m->sites++].name;
}

static enum status release(struct run *r)
{
    enum { GAUSS, LAPLACE };
    char name[64];
    wire_get_text(&r->in, sizeof name, name);
    uint32_t law = wire_get_u32(&r->in), norm = wire_get_u32(&r->in);
    double sensitivity = wire_get_f64(&r->in), scale = wire_get_f64(&r->in);
    uint32_t number = wire_get_u32(&r->in);
    const struct ticket *t = number == UINT32_MAX ? NULL : ticket_of(r, number);
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in) || law > LAPLACE || norm > NORM_INF || !(sensitivity > 0 && sensitivity < INFINITY) ||
        !(scale >= 0 && scale < INFINITY) ||
        (!t && number != UINT32_MAX) || !method_word(name, "-." METHOD_LETTERS))
        return broken(r, "release: expected a name, a law, a norm, a sensitivity, a scale, a batch and a vector");
    const char *site = site_of(r->m, name);
    if (!site)
        return broken(r, "release: more than 16 names of releases");
    const struct release q = { .site = site, .norm = (enum norm)norm, .sensitivity = sensitivity, .ticket = t };
    if (law == GAUSS)
        noise_gaussian(r->o, &q, scale, r->d, r->x);
    else
        noise_laplace(r->o, &q, scale, r->d, r->x);
    wire_vec(&r->out, r->d, r->x);
    return OK;
}

static enum status mark(struct run *r)
{
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in))
        return broken(r, "mark: expected a point");
    oracle_mark(r->o, r->x);
    vec_copy(r->d, r->x, r->mark);
    return OK;
}

static enum status depth(struct run *r)
{
    double v = wire_get_f64(&r->in);
    if (!wire_whole(&r->in) || !(v >= 0 && v < 0x1p53))
        return broken(r, "depth: expected a number of vector operations");
    oracle_depth(r->o, v);
    return OK;
}

static unsigned needed(uint32_t kind)
{
    switch (kind) {
    case ASK_VALUE:           return CALL_VALUE;
    case ASK_GRADIENT:        return CALL_GRAD;
    case ASK_BATCH:           return CALL_SAMPLES | CALL_SAMPLE_VALUES;
    case ASK_SAMPLE_VALUE:    return CALL_SAMPLE_VALUES;
    case ASK_SAMPLE_GRADIENT: return CALL_SAMPLES;
    case ASK_PROX:            return CALL_PROX;
    case ASK_RELEASE:         return CALL_NOISE;
    }
    return 0;
}

/* Answers one question, or sends SAY_STOP where the budget does not suffice. */
static enum status answer(struct run *r, uint32_t kind)
{
    if (r->c->in_got > r->c->in_used)
        return broken(r, "a message before the answer to its question");
    bool stop = false;
    enum status s = OK;
    unsigned calls = needed(kind);
    if (calls && !(calls & r->m->algo.calls))
        return why_set(&r->why, IO_ERROR, "it asks a question of kind %u that it has not declared", kind);
    if (r->stopped)
        return broken(r, "a question after it was told to stop");
    wire_begin(&r->out, SAY_ANSWER);
    switch (kind) {
    case ASK_VALUE:           s = values(r, &stop); break;
    case ASK_GRADIENT:        s = gradients(r, &stop); break;
    case ASK_BATCH:           s = batch(r, &stop); break;
    case ASK_SAMPLE_VALUE:    s = sample_value(r, &stop); break;
    case ASK_SAMPLE_GRADIENT: s = sample_gradient(r, &stop); break;
    case ASK_PROX:            s = prox(r); break;
    case ASK_PROJECT:         s = project(r); break;
    case ASK_RELEASE:         s = release(r); break;
    case ASK_MARK:            s = mark(r); break;
    case ASK_DEPTH:           s = depth(r); break;
    default: return why_set(&r->why, IO_ERROR, "a message of kind %u, which is no question", kind);
    }
    TRY(s);
    if (stop) {
        r->stopped = true;
        wire_begin(&r->out, SAY_STOP);
    }
    wire_end(&r->out);
    return client_send(r->c, &r->out, &r->why);
}

static void put_named(struct wire_out *w, const char *name, double v)
{
    wire_text(w, name);
    wire_f64(w, v);
}

static enum status begin(struct run *r, struct rng *rng, const double *x)
{
    struct wire_out *w = &r->out;
    uint32_t n = 0;
    wire_begin(w, SAY_BEGIN);
    wire_vec(w, r->d, x);
    wire_f64(w, oracle_radius(r->o));
    for (int k = 0; k < 4; k++)
        wire_u32(w, rng_u32(rng));
    const struct param *p = r->m->param + 1;
    while (p[n].name)
        n++;
    wire_u32(w, n);
    for (uint32_t k = 0; k < n; k++) {
        wire_text(w, p[k].name);
        wire_u32(w, p[k].type == PARAM_TEXT);
        if (p[k].type == PARAM_TEXT)
            wire_text(w, r->p->value[k].word);
        else
            wire_f64(w, p[k].type == PARAM_REAL ? r->p->value[k].real : (double)r->p->value[k].count);
    }
    n = 0;
    for (int k = 0; k < FACT_COUNT; k++)
        n += r->m->facts >> k & 1;
    wire_u32(w, n);
    for (int k = 0; k < FACT_COUNT; k++)
        if (r->m->facts >> k & 1)
            put_named(w, fact_name(k), fact_value(&r->p->facts, k));
#define X(goal, unit, doc) + 1
    wire_u32(w, 0 GOAL_LIST(X));
#undef X
#define X(member, unit, doc) put_named(w, #member, r->p->goal.member);
    GOAL_LIST(X)
#undef X
    wire_end(w);
    return client_send(r->c, w, &r->why);
}

/* Makes the program ready for a cell. It is started if it does not run in this process, or serves one cell only. */
static enum status ready_program(struct run *r)
{
    struct client *c = r->c;
    struct wire_in hello;
    if (c->keeper > 0 && c->owner == getpid() && r->m->forks)
        client_empty_folder(c);              /* files of one cell must not reach the next */
    else {
        client_stop(c);
        TRY(method_start(r->m, &hello, &r->why));
    }
    return client_has_more(c) ? broken(r, "a message before its first question was due") : OK;
}

/* Makes memory for long vectors, if the program has said that it shares memory and the vectors are long. */
static enum status share(struct run *r)
{
    size_t one = (size_t)r->d * sizeof(double), all = POINTS_MAX * one;
    if (!r->m->shares || POINTS_MAX * r->d <= WIRE_SHARED)
        return OK;
    size_t room = all < WIRE_SHARED_BYTES ? all : one > WIRE_SHARED_BYTES ? one : WIRE_SHARED_BYTES;
    TRY(client_share(r->c, room, &r->why));
    r->out.shared = r->c->shared;
    r->out.shared_room = r->c->shared_room;
    return OK;
}

/* Reads the number of the process that runs the cell, which must belong to the program's group. */
static enum status process_of_cell(struct run *r)
{
    pid_t pid = (pid_t)wire_get_u32(&r->in), group = pid > 0 ? getpgid(pid) : -1;
    if (!wire_whole(&r->in) || (group >= 0 && group != r->c->pid))
        return broken(r, "ready: expected a process that it has forked");
    r->c->runs = pid;
    return OK;
}

/* x[d] <- the answer of the program; the last mark if the answer has no numbers. */
static enum status end(struct run *r, double *x)
{
    struct wire_in in = r->in;
    if (wire_get_u32(&in) == 0 && wire_whole(&in)) {
        vec_copy(r->d, r->mark, x);
        return OK;
    }
    wire_get_vec(&r->in, r->d, r->x);
    if (!wire_whole(&r->in))
        return broken(r, "its answer has not as many numbers as a point");
    if (!all_finite(r->d, r->x))
        return broken(r, "its answer is not finite");
    vec_copy(r->d, r->x, x);
    return OK;
}

/* Returns REFUSED with the reason that the program has sent. */
static enum status give_up(struct run *r)
{
    char words[200];
    wire_get_text(&r->in, sizeof words, words);
    for (char *at = words; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            *at = '?';
    return why_set(&r->why, REFUSED, "%s", *words ? words : "it gives up without a reason");
}

/* Answers questions until the program sends its answer; x[d] <- that answer. */
static enum status serve(struct run *r, double *x)
{
    size_t most = 4096 + 8 * (size_t)(r->d + 8) * POINTS_MAX;
    for (;;) {
        uint32_t kind = 0;
        TRY(client_receive(r->c, most, &kind, &r->in, &r->why));
        if (kind == ASK_END)
            return end(r, x);
        if (kind == ASK_FAIL)
            return give_up(r);
        bool stopped = r->stopped;
        TRY(kind == ASK_READY ? process_of_cell(r) : answer(r, kind));
        if (r->stopped && !stopped)
            client_hurry(r->c, STOP_SECONDS);
    }
}

/* Waits, after the program's answer, until the process of the cell has ended. */
static enum status finish(struct run *r)
{
    uint32_t kind = 0;
    client_limits(r->c, INFINITY, STOP_SECONDS);
    if (!r->m->forks)
        return client_finish(r->c, &r->why);
    TRY(client_receive(r->c, 4096, &kind, &r->in, &r->why));
    return kind == ASK_IDLE && wire_whole(&r->in) ? OK : broken(r, "a message after its answer");
}

/* Runs the cell: from the start of the program to the end of the process that ran it. x[d] <- the answer. If that
 * process ends before its processor time is read, the time of the program's ended children is taken instead. */
static enum status converse(struct run *r, struct rng *rng, double *x)
{
    TRY(ready_program(r));
    TRY(share(r));
    r->c->runs = 0;
    client_limits(r->c, most_seconds, fmax(until - clock_steady(), 0));
    double before = client_seconds(r->c), ended = client_ended_seconds(r->c);
    TRY(begin(r, rng, x));
    vec_copy(r->d, x, r->mark);
    enum status s = serve(r, x);
    double used = client_seconds(r->c) - before;
    r->c->runs = 0;
    if (s == OK)
        s = finish(r);
    used_seconds += fmax(fmax(used, client_ended_seconds(r->c) - ended), 0);
    return s;
}

static struct run *run_new(struct exec_method *m, struct client *c, struct oracle *o, const struct exec_params *p)
{
    struct run *r = calloc(1, sizeof *r);
    BUG_IF(!r);
    *r = (struct run){ .m = m, .c = c, .o = o, .p = p, .d = oracle_dim(o) };
    r->mark = calloc((size_t)r->d, sizeof *r->mark);
    r->x = calloc((size_t)r->d, sizeof *r->x);
    r->g = calloc((size_t)r->d, sizeof *r->g);
    BUG_IF(!r->mark || !r->x || !r->g);
    return r;
}

static void run_free(struct run *r)
{
    wire_free(&r->out);
    free(r->x);
    free(r->g);
    free(r->mark);
    free(r);
}

enum status method_run(struct oracle *o, const void *params, struct arena *w, struct rng *rng, double *x)
{
    static char sentence[400];               /* the oracle keeps the pointer; it is read before the next run */
    const struct exec_params *p = params;
    struct exec_method *m = method_named(p->method);
    struct run *r = run_new(m, &m->client, o, p);
    arena_seal(w);
    enum status s = converse(r, rng, x);
    if (s != OK || !m->forks)
        client_stop(&m->client);
    if (s != OK) {
        snprintf(sentence, sizeof sentence, "%s: %.300s", m->name, r->why.text);
        oracle_refuse(o, sentence);
    }
    run_free(r);
    return s;
}

enum status method_answer(struct oracle *o, unsigned calls, struct client *c, double *x, struct why *why)
{
    struct exec_method *m = calloc(1, sizeof *m);
    BUG_IF(!m);
    m->algo.calls = calls;
    m->shares = c->memory >= 0;
    struct run *r = run_new(m, c, o, NULL);
    vec_copy(r->d, x, r->mark);
    client_limits(c, INFINITY, INFINITY);
    enum status s = share(r);
    if (s == OK)
        s = serve(r, x);
    *why = r->why;
    run_free(r);
    free(m);
    return s;
}

enum status method_tune(const struct facts *f, const struct goal *goal, void *params, struct why *why)
{
    struct exec_params *p = params;
    p->facts = *f;
    p->goal = *goal;
    return OK;
}
