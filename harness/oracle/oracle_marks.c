/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle_marks.c - measurements during a run: marks, estimates, notes, point sets. They are free of charge,
 * and the algorithm never sees their values. */
#include "oracle/oracle_state.h"

#include <math.h>
#include <stdlib.h>

/* The ratio of batch steps from one measured mark to the next, 2^(1/4): four marks per doubling, so that a
 * trace stays short at any budget. A smaller ratio gives finer and longer traces. */
static const double MARK_RATIO = 1.189207115002721;    /* 2^(1/4) */

bool oracle_mark_due(const struct oracle *o)
{
    const struct measure *ruler = o->problem->measures;
    return !o->unrecorded && o->marks.mode != TRACE_NONE &&
           o->counts.of[COUNT_batch_steps] >= o->marks.next && ruler && ruler->at;
}

static void measure_mark(struct oracle *o, const double *x)
{
    struct marks *m = &o->marks;
    double steps = o->counts.of[COUNT_batch_steps], error = 0;

    if (!oracle_mark_due(o))
        return;
    if (m->rows == m->room) {
        m->room = m->room ? 2 * m->room : 64;
        m->row = realloc(m->row, (size_t)m->room * MARK_COLUMNS * sizeof *m->row);
        BUG_IF(!m->row);
    }
    double *row = m->row + m->rows++ * MARK_COLUMNS;
#define X(name) *row++ = o->counts.of[COUNT_##name];
    MARKED_LIST(X)
#undef X
    *row = o->problem->measures->at(o->self, x, &error);
    m->next = m->mode == TRACE_EVERY ? 0 : fmax(ceil(steps * MARK_RATIO), steps + 1);
}

/* The part of the run that is done, by the budget or number of rounds that ends it first. */
static double part_done(const struct oracle *o)
{
    double steps = o->counts.of[COUNT_batch_steps], part = o->rounds > 0 ? steps / o->rounds : 0;
    for (int k = 0; k < COUNT_KINDS; k++)
        if (isfinite(o->budget.of[k]) && o->budget.of[k] > 0)
            part = fmax(part, o->counts.of[k] / o->budget.of[k]);
    return fmin(part, 1);
}

static void call_watcher(struct oracle *o)
{
    if (o->see)
        o->see(o->see_ctx, part_done(o));
}

void oracle_mark_later(struct oracle *o, const struct walk *p)
{
    call_watcher(o);
    o->unwritten = p;
    o->marked = true;
}

const double *oracle_answer(struct oracle *o)
{
    if (o->unwritten)
        oracle_walk_write(o->unwritten, o->answer);
    o->unwritten = NULL;
    return o->marked ? o->answer : NULL;
}

void oracle_mark(struct oracle *o, const double *x)
{
    call_watcher(o);
    if (o->counting)
        return;
    vec_copy(o->d, x, o->answer);
    o->unwritten = NULL;
    o->marked = true;
    if (o->tape)
        tape_mark(o, x);
    measure_mark(o, x);
}

void tally_add(struct tally *t, double v)
{
    if (t->count == 0)
        t->min = t->max = v;
    t->last = v;
    t->min = v < t->min || isnan(v) ? v : t->min;
    t->max = v > t->max || isnan(v) ? v : t->max;
    t->sum += v;
    t->count++;
}

void oracle_estimate(struct oracle *o, const double *x, const double *g)
{
    const struct problem *p = o->problem;
    void (*grad)(const void *, const double *, double *) =
        p->measuring && p->measuring->grad ? p->measuring->grad : p->grad;
    if (o->counting || o->unrecorded || !grad)
        return;
    grad(o->self, x, o->at);
    double error = vec_dist(o->d, o->at, g);
    tally_add(&o->estimate, error * error);
}

void oracle_note(struct oracle *o, int note, double value)
{
    BUG_IF(note < 0 || note >= NOTES_MAX);
    if (!o->counting)
        tally_add(&o->note[note], value);
}

void oracle_visit(struct oracle *o, const double *x)
{
    if (o->counting || o->unrecorded)
        return;
    if (o->visits == o->visit_room) {
        o->visit_room = o->visit_room ? 2 * o->visit_room : 64;
        o->visit = realloc(o->visit, (size_t)o->visit_room * (size_t)o->d * sizeof *o->visit);
        BUG_IF(!o->visit);
    }
    vec_copy(o->d, x, o->visit + o->visits++ * o->d);
}

/* v[k] <- the k-th measure of the set of visited points; returns the number of measures. */
static int measure_visits(struct oracle *o, double *v)
{
    const struct measuring_model *together = o->problem->measuring;
    int count = 0;
    double error;
    if (together && !together->of_sets)
        together = NULL;
    for (const struct measure *m = o->problem->measures; m && m->name; m++) {
        if (!m->of_set)
            continue;
        BUG_IF(count == SET_MEASURES_MAX);
        if (!together)
            v[count] = m->of_set(o->self, o->visits, o->visit, &error);
        count++;
    }
    if (together && count)
        together->of_sets(o->self, o->visits, o->visit, v);
    return count;
}

void oracle_close(struct oracle *o)
{
    double v[SET_MEASURES_MAX];
    int count = o->visits ? measure_visits(o, v) : 0;
    for (int k = 0; k < count; k++)
        tally_add(&o->set_measure[k], v[k]);
    o->visits = 0;
}
