/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_records.c - the records of a plan: its stages are run one after the other, or read back from a store. */
#include "judge/plan_records.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judge/rules.h"
#include "pool/interrupt.h"
#include "plan/plan_budget.h"
#include "text/progress.h"

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

/* Returns the array r of records, enlarged to the cells of the plan. The cells from index `before` on, which a new
 * stage has added, have NULL. */
static struct record **more_records(const struct plan *p, struct record **r, int before)
{
    r = realloc(r, ((size_t)p->cells + 1) * sizeof(struct record *));
    BUG_IF(!r);
    memset(r + before, 0, (size_t)(p->cells + 1 - before) * sizeof(struct record *));
    return r;
}

/* Would more replicates help? They help an open verdict of the claim or of its control, but not a verdict that is
 * open for want of runs. A bound that holds and is near has an open control: with more replicates this may be
 * caught. A bound that is too far away to be near stays so. */
static bool wants_more(const struct plan *p, struct record *const *record, int k, struct judgement *list)
{
    const struct planned_claim *c = &p->claim[k];
    if (!c->tasks || c->round + 1 >= fit_rounds(c->claim) || c->claim->deterministic)
        return false;
    const struct judgement *j = judge_one(p, record, k, list);
    bool open = j->verdict.word == INCONCLUSIVE ||
                (j->verdict.word == HOLDS && j->alone.word == SUPPORTED && j->has_control && !j->caught &&
                 rules_near(j->claim, &j->fit));
    return open && !j->failed && !j->refused && !j->absent;
}

/* Plans the next stage: after the search the measured runs; then, for claims with declared rounds whose verdict is
 * open, twice the replicates. Adds the cells of the stage; *grew <- there are some. Each stage is a pure function
 * of the records. To see which verdicts are open it judges claims, and
 * keeps these judgements in list. */
static enum status next_stage(const struct selection *s, struct plan *p, struct record *const *record,
                        struct judgement *list, bool *grew, struct why *why)
{
    TRY(plan_next(s, p, record, grew, why));
    if (*grew)
        return OK;
    int before = p->cells;
    for (int k = 0; k < p->claims; k++)
        if (wants_more(p, record, k, list))
            TRY(plan_double(s, p, k, record, why));
    *grew = p->cells > before;
    return OK;
}

/* Runs the stages; each is planned from the records of the one before. */
static enum status run_stages(const struct run_request *q, struct plan *p, struct execution *x,
                              struct judgement *list, struct why *why)
{
    struct execution total = *x;
    for (bool grew = true; grew;) {
        int from = total.cells, cells = p->cells;
        struct execution stage = total;
        stage.cell = p->cell + from;
        stage.cells = cells - from;
        stage.record = total.record + from;
        enum status s = q->engine ? engine_stage(q->engine, &stage, q->store, why) : OK;
        if (s == OK && !stage.interrupted && !stage.detached)
            s = execute(&stage, why);
        total.store = stage.store;
        total.detached = stage.detached;
        total.cells = cells;
        total.ran += stage.ran;
        total.reused += stage.reused;
        total.failed += stage.failed;
        total.unlike += stage.unlike;
        if (!total.foreign)
            memcpy(total.foreign_kind, stage.foreign_kind, sizeof total.foreign_kind);
        total.foreign += stage.foreign;
        if (!*total.unlike_cell)
            memcpy(total.unlike_cell, stage.unlike_cell, sizeof total.unlike_cell);
        total.interrupted = stage.interrupted;
        *x = total;
        if (s != OK || stage.interrupted || stage.detached)
            return s;
        s = next_stage(q->select, p, total.record, list, &grew, why);
        total.record = x->record = more_records(p, total.record, cells);
        TRY(s);
    }
    return OK;
}

static void keep_run(void *ctx, const struct store_run *run)
{
    *(struct store_run *)ctx = *run;
}

/* Refuses a store whose file is damaged somewhere: REFUSED, as it takes no more records. Prints whether the last
 * run was cut off. */
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

/* --- continuing a run that was cut off: one of the same program, with the same profile */

struct sought { const struct store_info *info; size_t infos; int same; };

/* Counts the entries of `decide` in which this run and the one that was cut off agree; all of them must agree. */
static void count_same(void *ctx, const char *key, const char *value)
{
    struct sought *s = ctx;
    static const char *const decide[] = { "commit", "core", "flags", "host", "kind", "profile", "night" };
    for (size_t k = 0; k < s->infos; k++)
        for (size_t i = 0; i < sizeof decide / sizeof *decide; i++)
            s->same += strcmp(decide[i], key) == 0 && strcmp(s->info[k].key, key) == 0 &&
                       strcmp(s->info[k].value, value) == 0;
}

/* *run <- the newest run if it was cut off and can be continued, else a new one. */
static enum status begin_run(const struct run_request *q, struct store *store, long *run, struct why *why)
{
    struct store_run last = { .id = 0 };
    struct sought sought = { .info = q->info, .infos = q->infos };
    TRY(store_runs(store, keep_run, &last, why));
    if (q->night && last.id && !*last.ended)
        TRY(store_run_info(store, last.id, count_same, &sought, why));
    if (sought.same == 7) {
        *run = last.id;
        return OK;
    }
    return store_begin_run(store, sought.info, sought.infos, run, why);
}

static enum status end_run(struct execution *x, struct why *why)
{
    char text[32];
    x->reference = yardstick_seconds(x->yardstick);
    snprintf(text, sizeof text, "%.6g", x->reference);
    TRY(store_put_info(x->store, x->run, &(struct store_info){ RUN_REFERENCE, text }, why));
    return store_end_run(x->store, x->run, why);
}

enum status run_plan(const struct run_request *q, struct plan *p, struct execution *x, struct judgement *list,
                     struct why *why)
{
    signal(SIGPIPE, SIG_IGN);            /* writing to a worker that died must not end this process */
    *x = (struct execution){ .workers = q->jobs, .timeout = q->timeout,
                             .memory_limit = (size_t)(q->memory * 0x1p20), .price = plan_price,
                             .retry = q->retry,
                             .fresh = q->fresh, .progress = progress_wanted(STDERR_FILENO),
                             .record = no_records(p), .reference = NAN };
    TRY(store_open(q->store, STORE_WRITE, 10, &x->store, why));
    struct yardstick yardstick;
    yardstick_begin(&yardstick);
    x->yardstick = &yardstick;
    interrupt_catch();
    enum status s = look_at_store(x->store, why);
    if (s == OK)
        s = begin_run(q, x->store, &x->run, why);
    if (s == OK)
        s = run_stages(q, p, x, list, why);
    if (s == OK && !x->interrupted && !x->detached)
        s = end_run(x, why);
    x->yardstick = NULL;                 /* the yardstick exists during this call only */
    store_close(x->store);
    interrupt_release();
    x->interrupted |= interrupt_code() != 0;
    return s;
}

/* Reads the records of the plan's cells from index `from` on. */
static enum status read_cells(struct store *store, const struct plan *p, int from, enum read_which which,
                              struct record **record, struct why *why)
{
    size_t n = (size_t)(p->cells - from);
    struct store_ask *ask = calloc(n + 1, sizeof *ask);
    BUG_IF(!ask);
    for (size_t k = 0; k < n; k++) {
        const struct cell *c = p->cell[(size_t)from + k];
        ask[k] = (struct store_ask){ c->text, which == READ_LATEST ? NULL : c->fingerprint };
    }
    enum status s = which == READ_OWN ? store_find_own(store, ask, n, record + from, why)
                  : store_find_all(store, ask, n, record + from, why);
    free(ask);
    return s;
}

enum status read_plan(const struct run_request *q, const char *path, enum read_which which, struct plan *p,
                      struct record ***record, struct judgement *list, struct why *why)
{
    struct store *store;
    *record = no_records(p);
    TRY(store_open(path, STORE_READ, 10, &store, why));
    enum status s = OK;
    for (int from = 0; s == OK && from < p->cells;) {
        bool grew;
        s = read_cells(store, p, from, which, *record, why);
        from = p->cells;
        if (s == OK)
            s = next_stage(q->select, p, *record, list, &grew, why);
        *record = more_records(p, *record, from);
    }
    store_close(store);
    return s;
}

/* cost[p->cells] <- the processor seconds of each cell by the store at path; NaN: the store has no record of the
 * cell, or cannot be read. */
static void known_costs(const char *path, const struct plan *p, double *cost)
{
    size_t n = (size_t)p->cells;
    const char **text = malloc((n + 1) * sizeof *text);
    struct store *store = NULL;
    BUG_IF(!text);
    for (size_t k = 0; k < n; k++)
        text[k] = p->cell[k]->text;
    enum status s = access(path, F_OK) == 0 ? store_open(path, STORE_READ, 10, &store, NULL) : REFUSED;
    if (s == OK)
        s = store_seconds(store, text, n, cost, NULL);
    for (size_t k = 0; k < n && s != OK; k++)
        cost[k] = NAN;
    store_close(store);
    free(text);
}

double *plan_costs(const struct run_request *q, const struct plan *p, int *known)
{
    double *cost = calloc((size_t)p->cells + 1, sizeof *cost);
    struct cell **unknown = calloc((size_t)p->cells + 1, sizeof *unknown);
    size_t n = 0;
    BUG_IF(!cost || !unknown);
    known_costs(q->store, p, cost);
    for (int k = 0; k < p->cells; k++)
        if (isnan(cost[k]))
            unknown[n++] = p->cell[k];
    plan_price(unknown, n);
    for (int k = 0; k < p->cells; k++)
        cost[k] = isnan(cost[k]) ? cell_cost(p->cell[k]) : cost[k];
    if (known)
        *known = p->cells - (int)n;
    free(unknown);
    return cost;
}

void print_ran(const struct plan *p, const struct execution *x)
{
    for (int k = 0; k < p->claims + p->lines; k++)
        if (*p->claim[k].missing)
            fprintf(stderr, "%s is not run: %s\n", p->claim[k].claim->id, p->claim[k].missing);
    fprintf(stderr, "%d cells: %d run, %d reused from the store%s\n", x->cells, x->ran, x->reused,
            x->interrupted ? "; interrupted, the next run resumes" : "");
    if (x->foreign)
        fprintf(stderr, "%d of them are in the store from another kind of machine (%s) and may differ here in the "
                "last bits: they are run again\n", x->foreign, x->foreign_kind);
}
