/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execute.c - chooses which cells are run and in which order, and receives and stores their records. */
#include "pool/execute.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "exec/method.h"
#include "numeric/kind.h"
#include "pool/pool.h"
#include "record/record_data.h"
#include "text/progress.h"
#include "run/run.h"

struct session {
    struct execution *x;
    struct runner *runner;       /* NULL: not made yet */
    pid_t runner_owner;          /* the process that made the runner; a worker that was forked afterwards makes a
                                    runner of its own */
    struct progress progress;
    struct record_names_kept names;      /* names of values in the records that workers have sent, which later
                                            records share */
    size_t batch;                /* bytes of the records in the open batch of the store; 0: none is open */
    enum status status;
    struct why why;
};

/* --- in a worker: runs cells */

static void no_memory_left(size_t wanted, size_t limit)
{
    _exit(POOL_EXIT_MEMORY);
}

/* Runs the cell a second time and compares the result with r, that of the first run. If they differ in a bit, or
 * the second run fails, r ends as OUTCOME_UNSTABLE. If the second run times out, r is unchanged. */
static void compare_runs(struct session *s, const struct cell *c, struct record *r)
{
    struct record *again = run_cell(s->runner, c, NULL);
    if (again->outcome != OUTCOME_TIMEOUT && (again->outcome != OUTCOME_OK || !record_equal(r, again)))
        record_end(
            r, OUTCOME_UNSTABLE,
            "two runs of this cell gave other numbers: draw from the seed that the run is given");
    record_free(again);
}

static void work(void *ctx, size_t index, struct pool_reply *reply)
{
    struct session *s = ctx;
    void *bytes;
    size_t n;
    if (!s->runner || s->runner_owner != getpid()) {
        s->runner = runner_new(s->x->memory_limit);
        s->runner_owner = getpid();
        if (s->x->workers > 0)
            arena_on_exhausted(no_memory_left);
    }
    double begin = clock_processor();
    long before = runner_made(s->runner);
    const struct cell *c = s->x->cell[index];
    method_limits(fmin(s->x->timeout, c->run.timeout), s->x->memory_limit);
    struct record *r = run_cell(s->runner, c, NULL);
    if (r->outcome == OUTCOME_OK && method_runs_twice(c->algo, c->seed))
        compare_runs(s, c, r);
    long made = runner_made(s->runner) - before;
    r->seconds = clock_processor() - begin + method_seconds();     /* processor time of this process and of methods
                                                                      that are programs */
    if (!record_pack(r, &bytes, &n))
        no_memory_left(0, 0);
    pool_append(reply, &made, sizeof made);
    pool_append(reply, bytes, n);
    free(bytes);
    record_free(r);
}

/* --- in the parent: receives and stores records */

static bool failed(enum outcome o) { return o != OUTCOME_OK && o != OUTCOME_REFUSED; }

static struct record *failed_record(const struct cell *c, enum pool_end end, const char *message,
                                    double seconds)
{
    static const enum outcome outcome[] = {
        [POOL_DONE] = OUTCOME_CRASHED, [POOL_CRASHED] = OUTCOME_CRASHED,
        [POOL_TIMEOUT] = OUTCOME_TIMEOUT, [POOL_MEMORY] = OUTCOME_MEMORY,
    };
    struct record *r = record_new(c->text, c->fingerprint);
    BUG_IF(!r);
    record_end(r, outcome[end], message);
    r->seconds = seconds;
    r->uses = USES_ALL;                  /* what the run used is not known */
    return r;
}

/* Returns the record in bytes[n], an answer that `work` has made in a worker; adds the number of instances made,
 * which comes first in the answer, to s->x->made. NULL: the answer cannot be read; errno is ENOMEM where this process
 * has no memory for it. */
static struct record *answered(struct session *s, const void *bytes, size_t n)
{
    long made;
    errno = EBADMSG;
    if (n < sizeof made)
        return NULL;
    memcpy(&made, bytes, sizeof made);
    s->x->made += made;
    return record_unpack((const char *)bytes + sizeof made, n - sizeof made, &s->names);
}

/* Compares the record of a cell that was run again with the stored one. The two must have equal numbers, since an
 * equal fingerprint says that the program is the same. Where they do not, adds one to x->unlike, and keeps the text
 * of the first such cell. */
static enum status compare_with_stored(struct session *s, const struct record *r)
{
    struct execution *x = s->x;
    struct record *before = NULL;
    TRY(store_find(x->store, r->cell, r->fingerprint, &before, &s->why));
    if (before && before->outcome == OUTCOME_OK && r->outcome == OUTCOME_OK && !record_equal(before, r) &&
        !x->unlike++)
        snprintf(x->unlike_cell, sizeof x->unlike_cell, "%s", r->cell);
    record_free(before);
    return OK;
}

static enum status end_batch(struct session *s)
{
    if (!s->batch)
        return OK;
    s->batch = 0;
    return store_batch_end(s->x->store, &s->why);
}

/* Stores a record, which has so many bytes. With workers it goes into a batch, which ends with the next call of
 * `tick`, or before it would have more than BATCH bytes. A record for which the disk has no room then takes few
 * others with it. Without workers the next call of `tick` comes only after the next cell, so that every record is
 * committed by itself. */
static enum status put(struct session *s, const struct record *r, size_t bytes)
{
    enum { BATCH = 1 << 17 };
    if (s->x->workers == 0)
        return store_put(s->x->store, s->x->run, r, &s->why);
    if (s->batch + bytes > BATCH)
        TRY(end_batch(s));
    if (!s->batch)
        TRY(store_batch_begin(s->x->store, &s->why));
    s->batch += bytes + 1;
    return store_put(s->x->store, s->x->run, r, &s->why);
}

static void done(void *ctx, size_t index, enum pool_end end, const void *bytes, size_t n,
                 const char *message, double seconds)
{
    struct session *s = ctx;
    const struct cell *c = s->x->cell[index];
    struct record *r = end == POOL_DONE ? answered(s, bytes, n) : NULL;
    if (!r && end == POOL_DONE && errno == ENOMEM) {
        s->status = end_batch(s);
        if (s->status == OK)
            s->status = why_set(&s->why, NO_MEMORY, "out of memory for the record of a cell, of %zu bytes", n);
        pool_stop();                     /* the next run runs the cell again */
        return;
    }
    if (!r)
        r = failed_record(c, end, end == POOL_DONE ? "unreadable answer" : message, seconds);
    s->x->record[index] = r;
    s->x->ran++;
    s->x->failed += failed(r->outcome);
    progress_step(&s->progress, cell_cost(c), failed(r->outcome));
    if (s->x->store && s->status == OK) {
        if (s->x->fresh)
            s->status = compare_with_stored(s, r);
        if (s->status == OK)
            s->status = put(s, r, n);
        if (s->status != OK)
            pool_stop();                 /* further records could not be stored either */
    }
}

static void tick(void *ctx)
{
    struct session *s = ctx;
    if (s->status == OK)
        s->status = end_batch(s);
    if (s->status != OK)
        pool_stop();
    progress_draw(&s->progress);
    if (s->x->yardstick)
        yardstick_tick(s->x->yardstick);
}

/* --- which cells, in which order */

/* hit[cells] <- which stored records are used again; x->record <- these records. With x->fresh they are only
 * records that this run itself has stored, before it was interrupted and continued. A record with OUTCOME_UNSTABLE
 * is never used again. */
static enum status find_reusable(struct execution *x, const struct store_ask *ask, struct store_hit *hit,
                                 struct why *why)
{
    size_t n = (size_t)x->cells;
    TRY(x->fresh ? store_scan_run(x->store, x->run, ask, n, hit, why) : store_scan(x->store, ask, n, hit, why));
    for (size_t k = 0; k < n; k++) {
        if (hit[k].id && hit[k].foreign && !x->foreign++)
            store_hit_kind(x->store, &hit[k], x->foreign_kind);
        if (hit[k].foreign || hit[k].outcome == OUTCOME_UNSTABLE || (x->retry && failed(hit[k].outcome)))
            hit[k].id = 0;
    }
    TRY(store_load(x->store, ask, hit, n, x->record, why));
    return store_link(x->store, x->run, hit, n, why);
}

static enum status reuse(struct execution *x, struct why *why)
{
    struct store_ask *ask = calloc((size_t)x->cells + 1, sizeof *ask);
    struct store_hit *hit = calloc((size_t)x->cells + 1, sizeof *hit);
    BUG_IF(!ask || !hit);
    for (int k = 0; k < x->cells; k++)
        ask[k] = (struct store_ask){ x->cell[k]->text, x->cell[k]->fingerprint };
    enum status s = find_reusable(x, ask, hit, why);
    for (int k = 0; s == OK && k < x->cells; k++) {
        x->reused += x->record[k] != NULL;
        x->failed += x->record[k] && failed(x->record[k]->outcome);
    }
    free(ask);
    free(hit);
    return s;
}

/* A job while the jobs are put in order. Jobs of one kind are cells of one problem instance; they follow each
 * other, so that the instance is made once. cost: expected seconds of this cell; first: those of the longest cell
 * of its kind. */
struct turn { struct pool_job job; double cost, first; };

static int by_kind(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->job.kind != y->job.kind)
        return x->job.kind < y->job.kind ? -1 : 1;
    if (x->cost != y->cost)
        return x->cost < y->cost ? 1 : -1;
    return (x->job.index > y->job.index) - (x->job.index < y->job.index);
}

static int longest_first(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    return x->first < y->first ? 1 : x->first > y->first ? -1 : by_kind(a, b);
}

/* Puts the kind with the longest cell first, and in a kind the longest cell first: so no long cell is left for the
 * end, when other workers have nothing to do. */
static void put_in_order(const struct execution *x, struct pool_job *job, size_t jobs)
{
    struct turn *turn = malloc((jobs + 1) * sizeof *turn);
    BUG_IF(!turn);
    for (size_t k = 0; k < jobs; k++)
        turn[k] = (struct turn){ .job = job[k], .cost = fmax(cell_cost(x->cell[job[k].index]), 0) };
    qsort(turn, jobs, sizeof *turn, by_kind);
    for (size_t k = 0; k < jobs; k++)
        turn[k].first = k && turn[k].job.kind == turn[k - 1].job.kind ? turn[k - 1].first : turn[k].cost;
    qsort(turn, jobs, sizeof *turn, longest_first);
    for (size_t k = 0; k < jobs; k++)
        job[k] = turn[k].job;
    free(turn);
}

/* Calls x->price, which sets the member `expected` of cells, for the cells of the jobs. */
static void price(const struct execution *x, const struct pool_job *job, size_t jobs)
{
    struct cell **cell = malloc((jobs + 1) * sizeof *cell);
    BUG_IF(!cell);
    for (size_t k = 0; k < jobs; k++)
        cell[k] = x->cell[job[k].index];
    x->price(cell, jobs);
    free(cell);
}

/* Returns the jobs of all cells without a record, in the order of put_in_order; free() them. *jobs <- their number;
 * *cost <- the sum of their expected seconds. */
static struct pool_job *waiting(struct execution *x, size_t *jobs, double *cost)
{
    struct pool_job *job = calloc((size_t)x->cells + 1, sizeof *job);
    BUG_IF(!job);
    *jobs = 0;
    *cost = 0;
    for (int k = 0; k < x->cells; k++) {
        if (x->record[k])
            continue;
        double timeout = fmin(x->timeout, x->cell[k]->run.timeout);
        job[(*jobs)++] = (struct pool_job){ (size_t)k, timeout, x->memory_limit, x->cell[k]->data_seed };
    }
    if (x->price)
        price(x, job, *jobs);
    for (size_t k = 0; k < *jobs; k++)
        *cost += cell_cost(x->cell[job[k].index]);
    put_in_order(x, job, *jobs);
    return job;
}

enum status execute(struct execution *x, struct why *why)
{
    struct session s = { .x = x, .status = OK };
    size_t jobs;
    double cost;

    x->reused = x->ran = x->failed = x->unlike = x->foreign = 0;
    x->made = 0;
    memset(x->record, 0, (size_t)x->cells * sizeof *x->record);
    if (x->store)
        TRY(reuse(x, why));
    struct pool_job *job = waiting(x, &jobs, &cost);
    vec_blas_begin();                /* lets BLAS allocate its buffers now: later they would count towards the
                                        memory limit of a cell */
    progress_begin(&s.progress, x->progress, (int)jobs, cost, x->workers);
    struct pool_config config = { .workers = x->workers, .job = job, .jobs = jobs, .ctx = &s,
                                  .work = work, .done = done, .tick = tick };
    enum pool_result result = jobs ? pool_run(&config, &s.why) : POOL_COMPLETE;
    if (s.status == OK)
        s.status = end_batch(&s);
    progress_end(&s.progress);
    free(job);
    record_names_forget(&s.names);
    if (s.runner && s.runner_owner == getpid())
        runner_free(s.runner);
    if (s.status == OK && result == POOL_FAILED)
        s.status = NO_MEMORY;
    x->interrupted = s.status == OK && result == POOL_INTERRUPTED;
    if (s.status != OK && why)
        *why = s.why;
    return s.status;
}
