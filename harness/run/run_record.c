/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/run_record.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/params.h"
#include "run/run.h"

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

void run_put_inputs(struct record *r, const struct cell *c, const struct facts *f, const void *params)
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

void run_put_measures(struct record *r, const struct cell *c, const void *self, const double *x)
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

/* --- estimators */

enum { STRATA_MAX = 64, FUNCTIONALS_MAX = 32 };

/* Mean and variance as they come (Welford). */
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
        o->ledger.entries = 0;           /* nobody prices an estimator, whose bookings are millions */
        oracle_branch(o);                /* the draws of a stratum are one batch */
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

enum status run_estimator(const struct cell *c, struct oracle *o, const void *params,
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
    return OK;
}

/* --- back from a record */

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
