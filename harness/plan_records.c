/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_records.c - the records of a plan: run stage after stage, or read back from a store. */
#include "plan_records.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "progress.h"
#include "rounds.h"

static struct record **no_records(const struct plan *p)
{
    struct record **r = calloc((size_t)p->cells + 1, sizeof(struct record *));
    BUG_IF(!r);
    return r;
}

void free_records(const struct plan *p, struct record **r)
{
    for (int k = 0; k < p->cells; k++)
        record_free(r[k]);
    free(r);
}

/* Records for cells a new stage has added. */
static struct record **more_records(const struct plan *p, struct record **r, int before)
{
    r = realloc(r, ((size_t)p->cells + 1) * sizeof(struct record *));
    BUG_IF(!r);
    memset(r + before, 0, (size_t)(p->cells + 1 - before) * sizeof(struct record *));
    return r;
}

/* Runs stage after stage; each is planned from the records of the one before. */
static enum status run_stages(const struct options *o, struct plan *p, struct execution *x,
                              struct why *why)
{
    struct execution total = *x;
    for (bool grew = true; grew;) {
        int from = total.cells, cells = p->cells;
        struct execution stage = total;
        stage.cell = p->cell + from;
        stage.cells = cells - from;
        stage.record = total.record + from;
        enum status s = execute(&stage, why);
        total.cells = cells;
        total.ran += stage.ran;
        total.reused += stage.reused;
        total.failed += stage.failed;
        total.interrupted = stage.interrupted;
        *x = total;
        if (s != OK || stage.interrupted)
            return s;
        TRY(rounds_next(&o->select, p, total.record, &grew, why));
        total.record = x->record = more_records(p, total.record, cells);
    }
    return OK;
}

static void keep_run(void *ctx, const struct store_run *run)
{
    *(struct store_run *)ctx = *run;
}

/* A file that is damaged somewhere takes no more records. A run that was cut off is told of. */
static enum status look_at_store(struct store *store, struct why *why)
{
    struct store_run last = { .id = 0 };
    TRY(store_check(store, why));
    TRY(store_runs(store, keep_run, &last, why));
    if (last.id && !*last.ended)
        fprintf(stderr, "the run of %s did not end; its %ld records are kept\n", last.started,
                last.records);
    return OK;
}

enum status run_plan(const struct options *o, struct plan *p, struct execution *x,
                     struct why *why)
{
    size_t infos;
    const struct store_info *info = provenance_now(o, &infos);
    signal(SIGPIPE, SIG_IGN);            /* a worker that died is an outcome, not our end */
    *x = (struct execution){ .workers = o->jobs, .timeout = o->timeout,
                             .memory_limit = (size_t)(o->memory * 0x1p20), .retry = o->retry,
                             .fresh = o->fresh, .progress = progress_wanted(STDERR_FILENO),
                             .record = no_records(p) };
    TRY(store_open(o->store, STORE_WRITE, 10, &x->store, why));
    interrupt_catch();
    enum status s = look_at_store(x->store, why);
    if (s == OK)
        s = store_begin_run(x->store, info, infos, &x->run, why);
    if (s == OK)
        s = run_stages(o, p, x, why);
    if (s == OK && !x->interrupted)
        s = store_end_run(x->store, x->run, why);
    store_close(x->store);
    interrupt_release();
    x->interrupted |= interrupt_code() != 0;
    return s;
}

enum status read_plan(const struct options *o, const char *path, bool any, struct plan *p,
                      struct record ***record, struct why *why)
{
    struct store *store;
    *record = no_records(p);
    TRY(store_open(path, STORE_READ, 10, &store, why));
    enum status s = OK;
    for (int from = 0; s == OK && from < p->cells;) {
        bool grew;
        for (int k = from; k < p->cells && s == OK; k++)
            s = store_find(store, p->cell[k]->text, any ? NULL : p->cell[k]->fingerprint,
                           &(*record)[k], why);
        from = p->cells;
        if (s == OK)
            s = rounds_next(&o->select, p, *record, &grew, why);
        *record = more_records(p, *record, from);
    }
    store_close(store);
    return s;
}
