/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/params.h"
#include "run/run_fit.h"
#include "run/run_private.h"
#include "run/run_record.h"

/* --- problem instances, the last few kept */

enum { INSTANCES = 4 };

struct instance {
    char *key;
    struct arena *memory;
    void *self;
    struct facts facts;
    unsigned long used;
};

struct runner {
    struct arena *work, *draw;           /* of the run; of one estimator draw */
    struct instance instance[INSTANCES];
    unsigned long clock;
    long made;                           /* instances, kept or not */
    size_t limit;
    struct ledger ledger;                /* of the last run */
    struct ledger passed;                /* room for those of passes, which nobody reads */
    void (*see)(void *ctx, double part);
    void *see_ctx;
};

struct runner *runner_new(size_t memory_limit)
{
    struct runner *r = calloc(1, sizeof *r);
    BUG_IF(!r);
    r->limit = memory_limit;
    r->work = arena_new(memory_limit);
    r->draw = arena_new(memory_limit);
    return r;
}

void runner_free(struct runner *r)
{
    for (int k = 0; r && k < INSTANCES; k++) {
        free(r->instance[k].key);
        arena_free(r->instance[k].memory);
    }
    if (r) {
        arena_free(r->work);
        arena_free(r->draw);
        ledger_free(&r->ledger);
        ledger_free(&r->passed);
    }
    free(r);
}

static struct instance *oldest(struct runner *r)
{
    struct instance *best = r->instance;
    for (int k = 1; k < INSTANCES; k++)
        if (r->instance[k].used < best->used)
            best = &r->instance[k];
    return best;
}

enum status runner_instance(struct runner *r, const struct cell *c, const void **self,
                            const struct facts **facts, struct why *why)
{
    char key[32];
    snprintf(key, sizeof key, "%016llx", (unsigned long long)c->data_seed);
    struct instance *at = NULL;
    for (int k = 0; k < INSTANCES; k++)
        if (r->instance[k].key && strcmp(r->instance[k].key, key) == 0)
            at = &r->instance[k];
    if (!at) {
        struct rng data = rng_stream(c->data_seed);
        at = oldest(r);
        free(at->key);
        at->key = NULL;
        if (!at->memory)
            at->memory = arena_new(r->limit);
        arena_reset(at->memory);
        at->facts = facts_unknown();
        TRY(c->problem->make(c->problem_params, &data, at->memory, &at->self, &at->facts, why));
        if (isnan(at->facts.p))
            at->facts.p = at->facts.d;
        at->key = strdup(key);
        r->made++;
    }
    at->used = ++r->clock;
    *self = at->self;
    *facts = &at->facts;
    return OK;
}

long runner_made(const struct runner *r) { return r->made; }

const struct ledger *runner_ledger(const struct runner *r)
{
    return &r->ledger;
}

void runner_watch(struct runner *r, void (*see)(void *ctx, double part), void *ctx)
{
    r->see = see;
    r->see_ctx = ctx;
}

size_t runner_limit(const struct runner *r)
{
    return r->limit;
}

/* --- parameters: explicit values, then the theorem's choice, and explicit values stand */

/* After a refusal by the theorem's choice: which of the constants that it looks at nobody states. */
static enum status tell_unknown(const struct cell *c, const struct facts *told, unsigned long may,
                                struct why *why)
{
    char names[120] = "";
    size_t n = strlen(why->text);
    for (int k; (k = facts_missing(told, may)) >= 0; may &= ~(1ul << k))
        if (k != FACT_L_j && k != FACT_M_j && k != FACT_f_star)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     *names ? ", " : "", fact_name(k));
    if (*names)
        snprintf(why->text + n, sizeof why->text - n, "; %s does not state %s: "
                 "--set algo.NAME=VALUE in their place", c->problem->name, names);
    return REFUSED;
}

/* The facts as origins stand after what the user declares. */
static struct facts declared(const struct cell *c, const struct facts *f)
{
    struct facts out = *f;
    for (int k = 0; k < FACT_COUNT; k++)
        if (out.origin[k] == ORIGIN_DATA && c->public >> k & 1)
            out.origin[k] = ORIGIN_DECLARED;
    return out;
}

/* Which of them the method is told; f: declared. */
static unsigned long may_know(const struct cell *c, const struct facts *f)
{
    if (!c->algo)
        return c->estimator->reads | c->estimator->may_read;
    unsigned long may = c->algo->reads | c->algo->may_read;
    return c->algo->looks ? may & c->algo->looks(f, &c->goal, c->algo_params) : may;
}

/* 0 of a count whose default is 0 asks for what `tune` chooses, set or not. */
static bool leaves_open(const struct param *p, const void *params)
{
    return p->type == PARAM_COUNT && p->def == 0 && params_get(p, params) == 0;
}

static enum status tuned(const struct cell *c, const struct facts *f, void *params, struct why *why)
{
    struct facts known = declared(c, f);
    unsigned long may = may_know(c, &known);
    struct facts told = facts_told(&known, may);
    size_t size = cell_params_size(c);
    memcpy(params, c->algo_params, size);
    enum status (*tune)(const struct facts *, const struct goal *, void *, struct why *) =
        c->algo ? c->algo->tune : c->estimator->tune;
    enum status s = tune ? tune(&told, &c->goal, params, why) : OK;
    if (s != OK)
        return s == REFUSED ? tell_unknown(c, &told, may, why) : s;
    for (const struct param *p = cell_params(c); p && p->name; p++)
        if (c->algo_set >> (p - cell_params(c)) & 1 && !leaves_open(p, c->algo_params))
            memcpy((char *)params + p->offset, (char *)c->algo_params + p->offset,
                   p->type == PARAM_COUNT ? sizeof(long) : 8);
    return OK;
}

unsigned long run_told(const struct cell *c, const struct facts *f, enum origin origin)
{
    struct facts known = declared(c, f);
    unsigned long of = 0;
    if (!c->algo || c->algo->adjacency == ADJACENCY_NONE)
        return 0;
    unsigned long told = may_know(c, &known);
    for (int k = 0; k < FACT_COUNT; k++)
        if (told >> k & 1 && (enum origin)known.origin[k] == origin &&
            facts_missing(f, 1ul << k) < 0)
            of |= 1ul << k;
    return of;
}

/* --- running */

static enum status set_budget(const struct cell *c, struct oracle *o, struct why *why)
{
    const struct goal *g = &c->goal;
    if (!isnan(g->n))
        o->budget.of[COUNT_taken] = g->n;
    if (!isnan(g->T))
        o->budget.of[COUNT_batch_steps] = g->T;
    if (!isnan(g->budget))
        o->budget.of[COUNT_sample_grads] = g->budget;
    unsigned calls = c->algo ? c->algo->calls : 0;
    bool samples = calls & (CALL_SAMPLES | CALL_SAMPLE_VALUES);
    bool ends = c->run.once && o->stored;            /* by itself, with the last record */
    if (c->estimator || !isnan(g->T) || ((ends || !isnan(g->n)) && samples) ||
        (!isnan(g->budget) && (calls & CALL_SAMPLES || o->stored)))
        return OK;
    return why_set(why, REFUSED, "nothing ends this run of %s: give %s", c->algo->name,
                   samples ? "goal n, T or budget" : o->stored ? "goal T or budget" : "goal T");
}

/* The rounds a method means to take: its parameter T, if it has one. */
static double horizon(const struct cell *c, const void *params)
{
    const struct param *p = params_find(cell_params(c), "T");
    return p && p->type == PARAM_COUNT ? params_get(p, params) : 0;
}

static void start(const struct cell *c, const void *self, long d, double *x)
{
    if (c->problem->start)
        c->problem->start(self, x);
    else
        vec_zero(d, x);
}

static enum status run_algo(const struct cell *c, struct oracle *o, const void *params,
                            struct arena *w, struct rng *rng, struct record *r, double *x)
{
    start(c, o->self, o->d, x);
    TRY(c->algo->run(o, params, w, rng, x));
    while (o->forks)                         /* the budget ended inside a branch */
        oracle_join(o);
    const double *answer = oracle_answer(o);
    if (o->spent && answer)
        vec_copy(o->d, answer, x);           /* stopped by its budget: the last mark answers */
    if (r && !c->run.count)
        run_put_measures(r, c, o->self, x);
    return OK;
}

/* r: NULL for a pass, which leaves no record. */
static enum status run_opened(struct runner *rn, const struct cell *c, struct oracle *o,
                              const void *params, uint64_t seed, struct record *r, double *x,
                              struct why *why)
{
    const struct facts *facts = o->facts;
    struct rng base = rng_stream(seed), rng = rng_sub(&base, 4);

    TRY(set_budget(c, o, why));
    if (r) {
        run_put_inputs(r, c, facts, params);
        record_put(r, "flag.told_data", run_told(c, facts, ORIGIN_DATA) != 0);
    }
    o->counting = c->run.count;
    o->unrecorded = !r;
    o->aggregate = c->run.aggregate;
    o->once = c->run.once;
    o->marks.mode = (enum trace_mode)c->run.trace;
    o->see = rn->see;
    o->see_ctx = rn->see_ctx;
    o->rounds = horizon(c, params);
    TRY(c->algo ? run_algo(c, o, params, rn->work, &rng, r, x)
                : run_estimator(c, o, params, rn->work, rn->draw, &rng, r));
    if (o->refused)
        return why_set(why, REFUSED, "%s", o->refused);
    bool made = !o->counting && !run_has_blocks(o->problem, o->self);
    for (int k = 0; k < COUNT_KINDS && made; k++)
        BUG_IF(o->counts.of[k] > 0x1p53);        /* beyond, doubles are no exact integers */
    if (r)
        run_put_oracle(r, c->algo ? c->algo->notes : c->estimator->notes, o);
    return OK;
}

static enum status run_built(struct runner *rn, const struct cell *c, struct record *r,
                             double **answer, struct why *why)
{
    const void *self;
    const struct facts *facts;
    struct oracle o;

    TRY(runner_instance(rn, c, &self, &facts, why));
    TRY(run_check_fit(c, self, facts, why));
    long d = (long)facts->d;
    struct rng data = rng_stream(c->data_seed);
    double *x = arena_vec(rn->work, d);
    void *params = arena_bytes(rn->work, cell_params_size(c));
    TRY(tuned(c, facts, params, why));
    oracle_open(&o, c->problem, self, facts, c->algo ? c->algo->calls : c->estimator->calls, &data, c->seed, rn->work);
    o.ledger.adjacency = c->algo ? c->algo->adjacency : ADJACENCY_NONE;
    enum status s = run_opened(rn, c, &o, params, c->seed, r, x, why);
    rn->ledger = o.ledger;
    memset(&o.ledger, 0, sizeof o.ledger);
    oracle_release(&o);
    if (s == OK && answer && (*answer = malloc((size_t)d * sizeof **answer)))
        vec_copy(d, x, *answer);
    return s;
}

enum status run_fits(struct runner *rn, const struct cell *c, struct why *why)
{
    const void *self;
    const struct facts *facts;
    struct oracle o = { 0 };
    TRY(runner_instance(rn, c, &self, &facts, why));
    TRY(run_check_fit(c, self, facts, why));
    arena_reset(rn->work);
    void *params = arena_bytes(rn->work, cell_params_size(c));
    TRY(tuned(c, facts, params, why));
    o.stored = isfinite(facts->n);
    return set_budget(c, &o, why);
}

double run_expected(struct runner *rn, const struct cell *c)
{
    double (*expects)(const struct facts *, const void *) =
        c->algo ? c->algo->expects : c->estimator->expects;
    const void *self;
    const struct facts *facts;
    struct why no = { "" };
    if (c->run.count)
        return 0;
    if (!expects || runner_instance(rn, c, &self, &facts, &no) != OK ||
        run_check_fit(c, self, facts, &no) != OK)
        return NAN;
    arena_reset(rn->work);
    void *params = arena_bytes(rn->work, cell_params_size(c));
    if (tuned(c, facts, params, &no) != OK)
        return 0;                        /* refused, so it costs nothing */
    struct facts known = declared(c, facts), told = facts_told(&known, may_know(c, &known));
    return expects(&told, params) * (c->estimator ? (double)c->run.draws : 1);
}

enum status run_pass(struct runner *rn, const struct cell *c, struct pass *p, struct why *why)
{
    const void *self;
    const struct facts *facts;
    struct oracle o;

    arena_reset(rn->work);
    TRY(runner_instance(rn, c, &self, &facts, why));
    TRY(run_check_fit(c, self, facts, why));
    struct rng data = rng_stream(c->data_seed);
    if (!p->params) {
        p->params = calloc(1, cell_params_size(c) + 1);
        BUG_IF(!p->params);
        TRY(tuned(c, facts, p->params, why));
    }
    oracle_open(&o, c->problem, self, facts, c->algo->calls, &data, p->seed, rn->work);
    if (p->by_position && o.order)
        p->neighbour.i = o.order[p->neighbour.i];
    o.neighbour = p->neighbour;
    o.ledger.adjacency = c->algo->adjacency;
    ledger_take_room(&o.ledger, &rn->passed);
    o.tape = p->tape;
    enum status s = run_opened(rn, c, &o, p->params, p->seed, NULL, p->x, why);
    p->counts = o.counts;
    rn->passed = o.ledger;
    memset(&o.ledger, 0, sizeof o.ledger);
    oracle_release(&o);
    return s;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct record *run_cell(struct runner *rn, const struct cell *c, double **answer)
{
    struct record *r = record_new(c->text, c->fingerprint);
    struct why why = { "" };
    double begin = now();

    BUG_IF(!r);
    if (answer)
        *answer = NULL;
    arena_reset(rn->work);
    ledger_free(&rn->ledger);
    enum status s = run_built(rn, c, r, answer, &why);
    double peak = (double)arena_used(rn->work);
    if (s == OK)
        s = run_private(rn, c, r, &why);
    if (s == NO_MEMORY)
        record_end(r, OUTCOME_MEMORY, why.text);
    else if (s != OK)
        record_end(r, OUTCOME_REFUSED, why.text[0] ? why.text : status_text(s));
    r->seconds = now() - begin;
    r->peak_bytes = peak;
    return r;
}
