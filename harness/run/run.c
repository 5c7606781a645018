/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c - runs one cell: makes the instance, tunes the parameters, checks that the method fits, opens the oracle,
 * runs the algorithm or estimator, makes the record. Names in the record, by example: fact.M param.step goal.T
 * count.sample_grads note.NAME clip.fraction set.NAME.mean estimate.last measure.excess error.excess idle.excess
 * centre.excess stratum.0.mean.NAME flag.stopped. The file is long because instance, parameters and oracle of a run
 * are one state, which no other file needs to see. */
#include "run/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/params.h"
#include "numeric/kind.h"
#include "run/run_internal.h"
#include "run/run_private.h"

/* --- problem instances; those that were used last are kept */

enum { INSTANCES = 4 };

struct instance {
    char *key;
    struct arena *memory;
    void *self;
    struct facts facts;
    unsigned uses;                       /* on which parts of the machine's kind making the instance depended
                                            (kind.h); so does every run on it */
    unsigned long used;                  /* what the runner's `clock` was at the last use */
};

struct runner {
    struct arena *work, *draw;           /* work: memory of the run; draw: memory of one estimator draw */
    struct instance instance[INSTANCES];
    unsigned long clock;                 /* how often an instance has been asked for */
    long made;                           /* number of instances made, whether they are still kept or not */
    size_t limit;
    struct ledger ledger;                /* the ledger of the last run */
    struct ledger passed;                /* memory for the ledgers of passes (run_pass), whose entries are not
                                            read */
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
        unsigned before = uses_take();
        enum status s = c->problem->make(c->problem_params, &data, at->memory, &at->self, &at->facts, why);
        at->uses = uses_take();
        uses_add(before | at->uses);
        TRY(s);
        if (isnan(at->facts.p))
            at->facts.p = at->facts.d;
        at->key = strdup(key);
        r->made++;
    }
    uses_add(at->uses);
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

/* --- parameters: values that the cell sets are given to `tune`, and afterwards take the place of what it chose */

/* Appends to the reason of a refusal which facts the method reads (bits of `may`) and the problem does not state.
 * Returns REFUSED. */
static enum status refuse_unknown(const struct cell *c, const struct facts *told, unsigned long may,
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

/* Returns the facts f; those of origin data that the cell declares public have the origin declared. */
static struct facts declared(const struct cell *c, const struct facts *f)
{
    struct facts out = *f;
    for (int k = 0; k < FACT_COUNT; k++)
        if (out.origin[k] == ORIGIN_DATA && c->public >> k & 1)
            out.origin[k] = ORIGIN_DECLARED;
    return out;
}

/* Returns which facts the method is given, one bit each; f: the facts as `declared` returns them. */
static unsigned long may_know(const struct cell *c, const struct facts *f)
{
    if (!c->algo)
        return c->estimator->reads | c->estimator->may_read;
    unsigned long may = c->algo->reads | c->algo->may_read;
    return c->algo->looks ? may & c->algo->looks(f, &c->goal, c->algo_params) : may;
}

/* Is the parameter a count whose default is 0 and whose value is 0? Then `tune` chooses it, even if it
 * was set. */
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
        return s == REFUSED ? refuse_unknown(c, &told, may, why) : s;
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

/* --- does the algorithm fit the problem? */

/* Do entries of x stand for several coordinates each, on this instance? */
static bool has_blocks(const struct problem *p, const void *self)
{
    return problem_multiplicity(p, self);
}

static unsigned offers(const struct problem *p)
{
    const struct composite_model *c = p->composite;
    return (p->value ? CALL_VALUE : 0) | (p->grad ? CALL_GRAD : 0) |
           (p->sample_grad || p->grad ? CALL_SAMPLES : 0) |
           (p->sample_value || p->value ? CALL_SAMPLE_VALUES : 0) | (p->cursor ? CALL_POINT : 0) |
           (p->pieces ? CALL_PIECES : 0) | (c && c->smooth_grad ? CALL_SMOOTH : 0) |
           (c && c->prox ? CALL_PROX : 0) | (p->linear_min ? CALL_LINEAR_MIN : 0) | CALL_NOISE | CALL_BLOCKS;
}

static const char *first_call(unsigned calls)
{
    static const char *const names[] = {
        "CALL_VALUE", "CALL_GRAD", "CALL_SAMPLES", "CALL_SAMPLE_VALUES", "CALL_POINT", "CALL_PIECES",
        "CALL_SMOOTH", "CALL_PROX", "CALL_LINEAR_MIN", "CALL_NOISE",
        "CALL_BLOCKS" };
    return names[__builtin_ctz(calls)];
}

static const char *denied(unsigned assumes, const struct facts *f)
{
    if (assumes & ASSUMES_CONVEX && !(f->weak == 0))
        return "a convex objective";
    if (assumes & ASSUMES_SMOOTH && !isfinite(f->M_F))
        return "a smooth objective (M_F)";
    if (assumes & ASSUMES_LIPSCHITZ && !isfinite(f->L))
        return "Lipschitz sample losses (L)";
    if (assumes & ASSUMES_STRONGLY_CONVEX && !(f->mu > 0))
        return "strong convexity (mu)";
    if (assumes & ASSUMES_BOUNDED && !isfinite(f->radius))
        return "a bounded feasible set";
    if (assumes & ASSUMES_UNBOUNDED && isfinite(f->radius))
        return "an unconstrained problem";
    return NULL;
}

enum status run_check_fit(const struct cell *c, const void *self, const struct facts *f,
                          struct why *why)
{
    unsigned calls = c->algo ? c->algo->calls : c->estimator->calls;
    unsigned assumes = c->algo ? c->algo->assumes : c->estimator->assumes;
    unsigned long reads = c->algo ? c->algo->reads : c->estimator->reads;
    const char *name = c->algo ? c->algo->name : c->estimator->name;
    const char *no = denied(assumes, f);
    int missing = facts_missing(f, reads);
    bool composite = problem_has_rest(c->problem, self);
    unsigned lacking = calls & ~offers(c->problem);

    if (calls & (CALL_SAMPLES | CALL_POINT) && !composite)
        lacking &= ~(unsigned)CALL_PROX;
    if (c->algo && c->algo->random_counts && c->run.count)
        return why_set(why, REFUSED, "what %s asks depends on the answers: its counts are random, and are "
                       "known only from a run without count mode", name);
    if (lacking)
        return why_set(why, REFUSED, "%s asks %s, which %s does not offer", name,
                       first_call(lacking), c->problem->name);
    if (composite && !(calls & CALL_PROX))
        return why_set(why, REFUSED, "%s never asks for the prox: it would not see the simple part "
                       "of %s (its parameter prox says what that is)", name, c->problem->name);
    if (c->problem->composite && c->problem->composite->rest_sampled && !(calls & CALL_SMOOTH))
        return why_set(why, REFUSED, "%s never asks for the smooth part of %s: samples are of the rest "
                       "alone", name, c->problem->name);
    if (has_blocks(c->problem, self) && !(calls & CALL_BLOCKS))
        return why_set(why, REFUSED, "%s moves every coordinate on its own: %s has blocks of them here",
                       name, c->problem->name);
    if (no)
        return why_set(why, REFUSED, "%s relies on %s; %s does not state it", name, no, c->problem->name);
    if (missing >= 0)
        return why_set(why, REFUSED, "%s needs the constant %s (%s); %s does not state it", name,
                       fact_name(missing), fact_doc(missing), c->problem->name);
    return OK;
}

/* --- what a run puts in its record */

__attribute__((format(printf, 3, 4)))
static void put(struct record *r, double v, const char *format, ...)
{
    char name[RECORD_NAME];
    va_list ap;
    va_start(ap, format);
    int length = vsnprintf(name, sizeof name, format, ap);
    va_end(ap);
    BUG_IF(length >= RECORD_NAME);
    record_put(r, name, v);
}

static void put_inputs(struct record *r, const struct cell *c, const struct facts *f, const void *params)
{
    for (int k = 0; k < FACT_COUNT; k++)
        if (!isnan(fact_value(f, k)))
            put(r, fact_value(f, k), "fact.%s", fact_name(k));
    for (const struct param *p = cell_params(c); p && p->name; p++)
        if (p->type != PARAM_TEXT)
            put(r, params_get(p, params), "param.%s", p->name);
#define X(name, unit, doc) if (!isnan(c->goal.name)) put(r, c->goal.name, "goal." #name);
    GOAL_LIST(X)
#undef X
}

static double reduced(const struct tally *t, enum reducer how)
{
    switch (how) {
    case REDUCE_LAST: return t->last;
    case REDUCE_MAX:  return t->max;
    case REDUCE_MIN:  return t->min;
    case REDUCE_MEAN: return t->sum / t->count;
    case REDUCE_SUM:  return t->sum;
    }
    return NAN;
}

static void put_notes(struct record *r, const struct note *notes, const struct oracle *o)
{
    for (int k = 0; notes && notes[k].name; k++)
        if (o->note[k].count)
            put(r, reduced(&o->note[k], notes[k].reducer), "note.%s", notes[k].name);
    if (o->clip_seen) {
        put(r, o->clipped / o->clip_seen, "clip.fraction");
        put(r, o->clip_mass / o->clip_seen, "clip.mass");
        put(r, o->clip_largest, "clip.largest");
    }
    if (o->estimate.count) {
        put(r, o->estimate.last, "estimate.last");
        put(r, o->estimate.max, "estimate.max");
        put(r, o->estimate.sum / o->estimate.count, "estimate.mean");
    }
    int k = 0;
    for (const struct measure *m = o->problem->measures; m && m->name; m++) {
        if (!m->of_set)
            continue;
        const struct tally *t = &o->set_measure[k++];
        if (!t->count)
            continue;
        put(r, t->sum / t->count, "set.%s.mean", m->name);
        put(r, t->min, "set.%s.min", m->name);
        put(r, t->max, "set.%s.max", m->name);
    }
}

static void put_counts(struct record *r, const struct oracle *o)
{
    for (int k = 0; k < COUNT_KINDS; k++)
        put(r, o->counts.of[k], "count.%s", count_name(k));
    put(r, o->spent, "flag.stopped");
    put(r, o->aggregate && o->problem->batch_law, "flag.aggregated");
    put(r, (double)o->ledger.entries, "ledger.entries");
}

static void start(const struct cell *c, const void *self, long d, double *x)
{
    if (c->problem->start)
        c->problem->start(self, x);
    else
        vec_zero(d, x);
}

/* Puts every measure of the family at the answer x[d] into the record, with the bound of its error where it is not
 * exact. */
static void put_measures(struct record *r, const struct cell *c, const void *self, const double *x)
{
    for (const struct measure *m = c->problem->measures; m && m->name; m++) {
        if (!m->at)
            continue;
        double error = 0;
        put(r, m->at(self, x, &error), "measure.%s", m->name);
        if (m->certainty != EXACT)
            put(r, error, "error.%s", m->name);
    }
}

/* Puts the measures of a method that stays at x into the record: each measure at x, as SCOPE.NAME, and each measure
 * of point sets that this run has used, of the set {x}, as SCOPE.set.NAME. */
static void put_idle_at(struct record *r, const struct oracle *o, const char *scope, const double *x)
{
    int set = 0;
    for (const struct measure *m = o->problem->measures; m && m->name; m++) {
        double error = 0;
        if (m->at)
            put(r, m->at(o->self, x, &error), "%s.%s", scope, m->name);
        if (m->of_set && o->set_measure[set++].count)
            put(r, m->of_set(o->self, 1, x, &error), "%s.set.%s", scope, m->name);
    }
}

/* Puts the measures of methods that never move into the record. idle: of one that stays at the start. centre: of
 * one that stays at the projection of the origin on the feasible set, if there is such a set and this is another
 * point. */
static void put_idle(struct record *r, const struct cell *c, const struct oracle *o)
{
    /* not from the arena, which the algorithm has sealed */
    double *x = calloc((size_t)o->d, 2 * sizeof *x), *centre = x + o->d;
    BUG_IF(!x);
    start(c, o->self, o->d, x);
    if (c->problem->sets)
        c->problem->sets[0].project(o->self, centre);
    put_idle_at(r, o, "idle", x);
    if (c->problem->sets && memcmp(x, centre, (size_t)o->d * sizeof *x))
        put_idle_at(r, o, "centre", centre);
    free(x);
}

#define X(name) #name,
const char *const run_marked[MARK_COLUMNS] = { MARKED_LIST(X) NULL };
#undef X

static void put_trace(struct record *r, const struct marks *m)
{
    const char *kept[MARK_COLUMNS];
    int place[MARK_COLUMNS], n = 0;
    if (m->mode == TRACE_NONE)
        return;
    for (int c = 0; c < MARK_COLUMNS; c++)
        if (c < MARK_ALWAYS || c == MARK_COLUMNS - 1 ||
            (m->rows && m->row[(m->rows - 1) * MARK_COLUMNS + c] > 0)) {
            kept[n] = run_marked[c] ? run_marked[c] : "ruler";
            place[n++] = c;
        }
    record_trace_columns(r, (size_t)n, kept);
    for (long k = 0; k < m->rows; k++) {
        double row[MARK_COLUMNS];
        for (int c = 0; c < n; c++)
            row[c] = m->row[k * MARK_COLUMNS + place[c]];
        record_trace_row(r, row);
    }
}

void run_put_oracle(struct record *r, const struct note *notes, const struct oracle *o)
{
    put_counts(r, o);
    put_notes(r, notes, o);
    put_trace(r, &o->marks);
}

/* --- running an estimator: its strata and draws */

enum { STRATA_MAX = 64, FUNCTIONALS_MAX = 32 };

/* Running moments by Welford's method. count: of values; square: the sum of squared deviations from the mean. */
struct moments { double count, mean, square; };

static void moments_add(struct moments *m, double y)
{
    double step = y - m->mean;
    m->count++;
    m->mean += step / m->count;
    m->square += step * (y - m->mean);
}

static enum status run_stratum(const struct cell *c, struct oracle *o, const void *params,
                               const struct functional_env *env, struct arena *draw,
                               const struct rng *rng, int stratum, double *v, struct record *r)
{
    const struct estimator *e = c->estimator;
    struct moments m[FUNCTIONALS_MAX] = { { 0 } };
    double before = o->counts.of[COUNT_sample_grads];

    oracle_fork(o);
    for (long k = 0; k < c->run.draws; k++) {
        struct rng one = rng_at(rng, (uint64_t)(stratum * c->run.draws + k));
        arena_reset(draw);
        o->ledger.entries = 0;           /* no accountant prices the noise of estimators, and the ledger may have
                                            millions of entries */
        oracle_branch(o);                /* the draws of a stratum are parallel: one batch */
        TRY(e->draw(o, params, draw, &one, stratum, v));
        if (o->spent)
            o->refused = "the budget ended an estimator's draws";
        if (o->refused)
            break;
        o->counts.of[COUNT_draws]++;
        for (int f = 0; e->functionals[f].name; f++)
            moments_add(&m[f], e->functionals[f].of(env, v));
    }
    oracle_join(o);
    double draws = (double)c->run.draws;
    put(r, (o->counts.of[COUNT_sample_grads] - before) / draws, "stratum.%d.cost", stratum);
    for (int f = 0; e->functionals[f].name; f++) {
        put(r, m[f].mean, "stratum.%d.mean.%s", stratum, e->functionals[f].name);
        put(r, m[f].square / fmax(m[f].count - 1, 1), "stratum.%d.variance.%s", stratum,
            e->functionals[f].name);
    }
    return OK;
}

/* Sets all vectors of a draw to x. */
static void fill(const struct estimator *e, long d, const double *x, double *v)
{
    for (long k = 0; k < e->vectors; k++)
        vec_copy(d, x, v + k * d);
}

/* Puts the errors that an estimator without draws would have. An error is a functional that vanishes where all
 * vectors of the draw are the target. idle: all vectors are the start; centre: all are 0, which is put where it
 * gives another value. x[d] and v[vectors][d] are overwritten. */
static void put_idle_draws(struct record *r, const struct cell *c, const struct oracle *o,
                           const struct functional_env *env, double *x, double *v)
{
    const struct estimator *e = c->estimator;
    double at[FUNCTIONALS_MAX][3];       /* values of each functional: with all vectors equal to the target, to the
                                            start, and to 0 */
    for (int k = 0; env->target && k < 3; k++) {
        vec_zero(o->d, x);
        if (k == 1)
            start(c, o->self, o->d, x);
        fill(e, o->d, k ? x : env->target, v);
        for (int f = 0; e->functionals[f].name; f++)
            at[f][k] = e->functionals[f].of(env, v);
    }
    for (int f = 0; env->target && e->functionals[f].name; f++) {
        if (!(fabs(at[f][0]) <= 1e-9 * fmax(fabs(at[f][1]), fabs(at[f][2]))))
            continue;
        put(r, at[f][1], "idle.moment.%s", e->functionals[f].name);
        if (at[f][1] != at[f][2])
            put(r, at[f][2], "centre.moment.%s", e->functionals[f].name);
    }
}

/* Makes the draws of every stratum, and puts into the record its weight, the mean cost of a draw, and mean and
 * variance of each functional. draw: memory that is emptied before each draw. */
static enum status run_estimator(const struct cell *c, struct oracle *o, const void *params,
                          struct arena *w, struct arena *draw, struct rng *rng, struct record *r)
{
    const struct estimator *e = c->estimator;
    double weight[STRATA_MAX] = { 1 };
    double *v = arena_vec(w, e->vectors * o->d), *target = arena_vec(w, o->d);
    double *direction = arena_vec(w, o->d);
    int strata = e->strata ? e->strata(params, weight) : 1;

    struct rng draws = rng_sub(rng, 0), fixed = rng_sub(rng, 1);
    rng_sphere(&fixed, o->d, direction);
    bool known = e->target && e->target(o->problem, o->self, params, w, o->d, target);
    struct functional_env env = { o->d, known ? target : NULL, direction };
    for (int s = 0; s < strata; s++) {
        put(r, weight[s], "stratum.%d.weight", s);
        TRY(run_stratum(c, o, params, &env, draw, &draws, s, v, r));
    }
    if (!c->run.count)
        put_idle_draws(r, c, o, &env, arena_vec(w, o->d), v);
    return OK;
}

/* --- running a cell: its budget, the algorithm or the estimator, the record; passes */

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
    bool ends = c->run.once && o->stored;            /* the run ends without a budget, when each record has been
                                                        taken once */
    if (c->estimator || !isnan(g->T) || ((ends || !isnan(g->n)) && samples) ||
        (!isnan(g->budget) && (calls & CALL_SAMPLES || o->stored)))
        return OK;
    return why_set(why, REFUSED, "nothing ends this run of %s: give %s", c->algo->name,
                   samples ? "goal n, T or budget" : o->stored ? "goal T or budget" : "goal T");
}

/* Returns the number of batch steps that a method plans: its parameter T, or 0 if it has none. */
static double horizon(const struct cell *c, const void *params)
{
    const struct param *p = params_find(cell_params(c), "T");
    return p && p->type == PARAM_COUNT ? params_get(p, params) : 0;
}

static enum status run_algo(const struct cell *c, struct oracle *o, const void *params,
                            struct arena *w, struct rng *rng, struct record *r, double *x, struct why *why)
{
    start(c, o->self, o->d, x);
    enum status s = c->algo->run(o, params, w, rng, x);
    if (s != OK)
        return why_set(why, s, "%s", o->refused ? o->refused : status_text(s));
    while (o->forks)                         /* the budget may have ended inside a branch */
        oracle_join(o);
    const double *answer = oracle_answer(o);
    if (o->spent && answer)
        vec_copy(o->d, answer, x);           /* a run that its budget stops answers with its last mark */
    if (r && !c->run.count) {
        put_measures(r, c, o->self, x);
        put_idle(r, c, o);
    }
    return OK;
}

/* Runs the cell's algorithm or estimator with an oracle that has just been opened. r: receives inputs and results;
 * NULL for a pass, which has no record. x[d] <- the answer. */
static enum status run_opened(struct runner *rn, const struct cell *c, struct oracle *o,
                              const void *params, uint64_t seed, struct record *r, double *x,
                              struct why *why)
{
    const struct facts *facts = o->facts;
    struct rng base = rng_stream(seed), rng = rng_sub(&base, 4);

    TRY(set_budget(c, o, why));
    if (r) {
        put_inputs(r, c, facts, params);
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
    TRY(c->algo ? run_algo(c, o, params, rn->work, &rng, r, x, why)
                : run_estimator(c, o, params, rn->work, rn->draw, &rng, r));
    if (o->refused)
        return why_set(why, REFUSED, "%s", o->refused);
    bool made = !o->counting && !has_blocks(o->problem, o->self);
    for (int k = 0; k < COUNT_KINDS && made; k++)
        BUG_IF(o->counts.of[k] > 0x1p53);        /* above this a double does not hold every integer, and the count
                                                    may be wrong */
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
    oracle_open(&o, c->problem, self, facts, c->algo ? c->algo->calls : c->estimator->calls, &data, c->seed,
                rn->work);
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
        return 0;                        /* a refused cell costs nothing */
    struct facts known = declared(c, facts), told = facts_told(&known, may_know(c, &known));
    return expects(&told, params) * (c->estimator ? (double)c->run.draws : 1);
}

/* Makes the place n->i of stream order the record that stands there. A record that would be replaced by itself is
 * replaced by record 0, or by record 1 if it is record 0. */
static void find_record(const long *order, struct neighbour *n)
{
    n->i = order[n->i];
    if (n->kind == NEIGHBOUR_REPLACE && n->with == n->i)
        n->with = n->i == 0;
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
        find_record(o.order, &p->neighbour);
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

struct record *run_cell(struct runner *rn, const struct cell *c, double **answer)
{
    struct record *r = record_new(c->text, c->fingerprint);
    struct why why = { "" };
    double begin = clock_monotonic();

    BUG_IF(!r);
    if (answer)
        *answer = NULL;
    arena_reset(rn->work);
    ledger_free(&rn->ledger);
    uses_take();
    enum status s = run_built(rn, c, r, answer, &why);
    double peak = (double)arena_used(rn->work);
    if (s == OK)
        s = run_private(rn, c, r, &why);
    if (s == NO_MEMORY)
        record_end(r, OUTCOME_MEMORY, why.text);
    else if (s != OK)                    /* IO_ERROR comes from a method that is a separate program
                                            (exec/method.h) */
        record_end(r, s == IO_ERROR ? OUTCOME_CRASHED : s == TIMED_OUT ? OUTCOME_TIMEOUT : OUTCOME_REFUSED,
                   why.text[0] ? why.text : status_text(s));
    r->seconds = clock_monotonic() - begin;
    r->peak_bytes = peak;
    r->uses = uses_take();
    return r;
}

/* --- reading facts, parameters and counts back from a record */

void run_env(const struct cell *c, const struct record *r, struct facts *facts, struct goal *goal,
             void *params, struct counts *counts)
{
    double v;
    char name[RECORD_NAME];
    *facts = facts_unknown();
    *goal = c->goal;
    memcpy(params, c->algo_params, cell_params_size(c));
#define X(fact, unit, doc) if (record_get(r, "fact." #fact, &v)) facts->fact = v;
    FACTS_LIST(X)
#undef X
    for (const struct param *p = cell_params(c); p && p->name; p++) {
        snprintf(name, sizeof name, "param.%s", p->name);
        if (p->type == PARAM_REAL && record_get(r, name, &v))
            *(double *)((char *)params + p->offset) = v;
        else if (p->type == PARAM_COUNT && record_get(r, name, &v))
            *(long *)((char *)params + p->offset) = (long)v;
    }
#define X(kind, doc) counts->of[COUNT_##kind] = record_get(r, "count." #kind, &v) ? v : NAN;
    COUNTS_LIST(X)
#undef X
}
