/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series.c - from the records of a planned claim to the numbers of a role: the numbers of each run, and the series
 * of all runs. A role is what a run is for: the claim itself, its rival, a control. */
#include "judge/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/measure.h"
#include "cell/registry.h"
#include "run/run.h"

/* --- the numbers of one run */

/* Rounding of a closed-form measure, relative to the scale of the problem: some hundred times 2^-52. */
static const double ROUNDING = 1e-13;
/* An estimated measure is taken to be within this many standard errors of the truth, which fails with probability
 * 2e-9. */
static const double ERRORS = 6;

/* Returns the error that the record states of the claim's measure, plus rounding. Of a measure that is estimated it
 * is `times` standard errors. */
static double error_with(const struct claim *c, const struct cell *cell, const struct record *r, double times)
{
    char name[RECORD_NAME];
    double error = 0, scale = 0;
    if (measure_is_count(c->measure))
        return 0;
    snprintf(name, sizeof name, "error.%s", c->measure);
    record_get(r, name, &error);
    record_get(r, "fact.Phi", &scale);
    for (const struct measure *m = cell->problem->measures; m && m->name; m++)
        if (m->certainty == ESTIMATED && strcmp(m->name, c->measure) == 0)
            error *= times;
    return error + ROUNDING * scale;
}

/* Returns how far y may be from the truth, rounding included. */
static double error_of(const struct claim *c, const struct cell *cell, const struct record *r)
{
    return error_with(c, cell, r, ERRORS);
}

double judge_slack(const struct claim *c, const struct cell *cell, const struct record *r)
{
    return error_with(c, cell, r, 0);
}

/* --- formulas of one run */

/* The environment in which formulas are evaluated at a record, and what it points to. The parameters are in memory
 * of the caller: params, of the size of the algorithm's parameters. */
struct context {
    struct facts facts;
    struct goal goal;
    struct counts counts;
    struct env env;
};

static void context_of(const struct task *t, const struct cell *cell, const struct record *r,
                       void *params, struct context *x)
{
    run_env(cell, r, &x->facts, &x->goal, params, &x->counts);
    x->env = (struct env){ t->axis, &x->facts, &x->goal, cell_params(cell), params, &x->counts };
}

/* Returns how far a mark is from the promise. A y equal to its formula keeps the promise, also where both are 0.
 * Where both are 0 the formula asks for nothing, and no mark is nearer. NaN counts as the farthest. */
static double misfit(const struct claim *c, double y, double formula)
{
    double off = c->check == CHECK_COUNT ? fabs(y - formula) / fabs(formula) : y / formula;
    if (y == formula)
        off = c->check == CHECK_COUNT || formula == 0 ? 0 : 1;
    return isfinite(y) && !isnan(off) ? off : INFINITY;
}

/* For every_mark: returns y and the formula at the mark with the worst misfit. The ruler is the last column of a
 * trace; for a method that never moves it is `idle` at every mark. */
static struct evaluated worst_mark(const struct claim *c, const struct record *r, const double *idle,
                                   struct context *x, struct evaluated e)
{
    double worst = -INFINITY;
    long column[COUNT_KINDS];
    for (int i = 0; i < COUNT_KINDS; i++)
        column[i] = measure_column(&r->trace, count_name(i));
    for (size_t k = 0; k < r->trace.rows; k++) {
        const double *row = r->trace.value + k * r->trace.columns;
        for (int i = 0; i < COUNT_KINDS; i++)    /* NaN: marks do not keep this count */
            x->counts.of[i] = column[i] < 0 ? NAN : row[column[i]];
        double ruler = idle ? *idle : row[r->trace.columns - 1];
        double formula = c->formula(&x->env), off = misfit(c, ruler, formula);
        if (off > worst) {
            worst = off;
            e = (struct evaluated){ ruler, formula, c->lower ? c->lower(&x->env) : -INFINITY, NAN,
                                    NAN };
        }
    }
    return e;
}

/* Is y > threshold? A y that is not finite counts against the claim: as an event where the probability is bounded
 * above, as no event where it is bounded below, and as an infinite y where it is to be equal. */
static double event(const struct claim *c, double y, double threshold)
{
    if (isfinite(y))
        return y > threshold;
    return c->sense == SENSE_AT_MOST ? 1 : c->sense == SENSE_AT_LEAST ? 0 : INFINITY;
}

/* For moment and law. Sets the margin. With a threshold, y becomes the indicator of the event y > threshold; with
 * cdf, formula becomes F(y) and below F just below y. */
static void compare_law(const struct claim *c, const struct env *env, struct evaluated *e)
{
    if (c->threshold) {
        double threshold = c->threshold(env);
        e->y = event(c, e->y, threshold);
        if (isnan(threshold))
            e->formula = NAN;
    }
    if (c->cdf && isfinite(e->y)) {
        e->formula = c->cdf(env, e->y);
        e->below = c->cdf(env, nextafter(e->y, -INFINITY));
    } else if (c->cdf) {
        e->formula = e->below = 1;
    }
    e->margin = c->cdf      ? c->tolerance
                : c->margin ? c->margin(env)
                            : c->tolerance * fabs(e->formula);
}

/* Does judging the run need a formula? Only then the facts and parameters are read, which takes most of the
 * time. */
static bool has_formula(const struct claim *c)
{
    return c->formula || c->lower || c->check == CHECK_MOMENT || c->check == CHECK_LAW;
}

/* Does what judge_run (series.h) does. idle: the number of a method that never moves, which is taken in place of
 * the measured one; NULL: the measured one is taken. */
static bool evaluate(const struct task *t, const struct cell *cell, const struct record *r, const double *idle,
                     struct evaluated *out)
{
    const struct claim *c = t->claim;
    struct evaluated e = { NAN, NAN, -INFINITY, NAN, NAN };
    struct context x;
    if (idle)
        e.y = *idle;
    else if (!measure_get(c->measure, r, &e.y))
        return false;
    if (c->every_mark && r->trace.rows == 0)
        return false;
    if (!has_formula(c)) {
        *out = e;
        return true;
    }
    void *params = malloc(cell_params_size(cell) + 1);
    BUG_IF(!params);
    context_of(t, cell, r, params, &x);
    if (c->formula)
        e.formula = c->formula(&x.env);
    if (c->lower)
        e.lower = c->lower(&x.env);
    if (c->every_mark && c->formula)
        e = worst_mark(c, r, idle, &x, e);
    if (c->check == CHECK_MOMENT || c->check == CHECK_LAW)
        compare_law(c, &x.env, &e);
    if (c->check == CHECK_RATE && c->formula) {
        e.y /= e.formula;
        e.lower /= e.formula;
    }
    free(params);
    *out = e;
    return true;
}

bool judge_run(const struct task *t, const struct cell *cell, const struct record *r, struct evaluated *out)
{
    return evaluate(t, cell, r, NULL, out);
}

double series_target(const struct task *t, const struct cell *cell, const struct record *r)
{
    const struct reach *reach = &t->claim->reaches;
    if (!reach->of)
        return reach->value;
    struct context x;
    void *params = malloc(cell_params_size(cell) + 1);
    BUG_IF(!params);
    context_of(t, cell, r, params, &x);
    double target = reach->of(&x.env);
    free(params);
    return target;
}

/* Returns the block of draws of which y is the mean; no strata: y is a single number. Memory comes from the arena
 * a. */
static struct draws draws_of(const struct claim *c, const struct cell *cell, const struct record *r,
                             struct arena *a)
{
    enum { ROOM = 64 };              /* the largest number of strata of an estimator */
    double *weight = arena_vec(a, 3 * ROOM), *mean = weight + ROOM, *variance = mean + ROOM;
    int strata = measure_strata(c->measure, r, ROOM, weight, mean, variance);
    return (struct draws){ strata, (double)cell->run.draws, weight, mean, variance };
}

/* --- the series of one role: the numbers of all its runs */

struct columns {
    double *y, *formula, *lower, *error, *rival, *margin, *below;
    int *replicate;
    struct draws *draws;
};

static struct columns columns_new(struct arena *a, long reps)
{
    return (struct columns){
        arena_vec(a, reps), arena_vec(a, reps),        arena_vec(a, reps),
        arena_vec(a, reps), arena_vec(a, reps),        arena_vec(a, reps),
        arena_vec(a, reps), ARENA_ARRAY(a, reps, int), ARENA_ARRAY(a, reps, struct draws)
    };
}

/* Returns the task of a replicate; NULL: there is none. The search starts at *at; *at <- the place behind the task,
 * where the task of the next replicate mostly is. */
static const struct task *task_of(const struct source *s, enum role role, int also, int point, long rep, int *at)
{
    int n = s->claim->tasks, k = *at;
    for (int looked = 0; looked < n; looked++, k++) {
        k = k < n ? k : 0;
        const struct task *t = &s->claim->task[k];
        if (t->rep == rep && t->grid < 0 && t->point == point && t->role == role && t->also == also) {
            *at = k + 1;
            return t;
        }
    }
    return NULL;
}

double source_axis(const struct source *s, int point)
{
    for (const struct task *t = s->claim->task, *end = t + s->claim->tasks; t < end; t++)
        if (t->point == point)
            return t->axis;
    return NAN;
}

const struct record *source_measured(const struct source *s, const struct task *t)
{
    const struct record *r = t ? s->record[t->cell] : NULL;
    return r && r->outcome == OUTCOME_OK ? r : NULL;
}

/* *y <- the number of the rival's run of the same replicate. Returns false where it is missing. */
static bool rival_of(const struct source *s, const struct task *t, enum role role, int *at, double *y)
{
    const struct record *r = source_measured(s, task_of(s, role, 0, t->point, t->rep, at));
    return r && measure_get(t->claim->measure, r, y);
}

static struct series_point point_of(const struct source *s, enum role role, enum role rival, int also,
                                    int point, struct arena *a)
{
    const struct claim *c = s->claim->claim;
    struct columns col = columns_new(a, s->claim->reps);
    struct series_point p = { .replicate = col.replicate, .y = col.y, .error = col.error };
    bool needs_rival = rival != role, moments = measure_functional(c->measure);
    int at = 0, at_rival = 0;

    for (long rep = 0; rep < s->claim->reps; rep++) {
        const struct task *t = task_of(s, role, also, point, rep, &at);
        if (!t)
            continue;
        const struct record *r = source_measured(s, t);
        double other = NAN;
        p.axis = t->axis;
        struct evaluated e;
        if (!r || !judge_run(t, s->plan->cell[t->cell], r, &e) ||
            (needs_rival && !rival_of(s, t, rival, &at_rival, &other))) {
            p.missing++;
            continue;
        }
        int k = p.reps++;
        col.replicate[k] = (int)rep;
        col.y[k] = e.y;
        col.formula[k] = e.formula;
        col.lower[k] = e.lower;
        col.error[k] = error_of(c, s->plan->cell[t->cell], r) /
                       (c->check == CHECK_RATE && c->formula ? e.formula : 1);
        col.rival[k] = other;
        col.margin[k] = e.margin;
        col.below[k] = e.below;
        if (moments)
            col.draws[k] = draws_of(c, s->plan->cell[t->cell], r, a);
        moments = moments && col.draws[k].strata;
    }
    p.margin = col.margin;
    p.below = col.below;
    p.draws = moments ? col.draws : NULL;
    p.formula = c->formula || c->cdf ? col.formula : NULL;
    p.lower = c->lower && role == ROLE_MAIN ? col.lower : NULL;
    p.rival = needs_rival ? col.rival : NULL;
    return p;
}

/* Returns a point of a role for the measure "search": y is the value that the search has chosen, once for each
 * replicate, which searches with runs of its own. */
static struct series_point searched_point(const struct source *s, enum role role, enum role rival,
                                          int also, int point, struct arena *a)
{
    struct columns col = columns_new(a, s->claim->reps);
    struct series_point p = { .replicate = col.replicate, .y = col.y,
                              .rival = rival != role ? col.rival : NULL };
    for (int k = 0; k < s->claim->tasks; k++)
        if (s->claim->task[k].point == point)
            p.axis = s->claim->task[k].axis;
    for (long rep = 0; rep < s->claim->reps; rep++) {
        double value = plan_searched(s->claim, s->record, role, also, point, rep);
        double other = rival == role ? 0
                     : plan_searched(s->claim, s->record, rival, also, point, rep);
        if (isnan(value) || isnan(other)) {
            p.missing++;
            continue;
        }
        col.replicate[p.reps] = (int)rep;
        col.rival[p.reps] = other;
        col.y[p.reps++] = value;
    }
    return p;
}

struct series source_series(const struct source *s, enum role role, enum role rival, int also,
                               struct arena *a)
{
    struct series_point *p = ARENA_ARRAY(a, s->claim->points, struct series_point);
    for (int k = 0; k < s->claim->points; k++)
        p[k] = plan_measures_search(s->claim->claim) ? searched_point(s, role, rival, also, k, a)
                                                     : point_of(s, role, rival, also, k, a);
    const char *m = s->claim->claim->measure;
    return (struct series){ .points = s->claim->points, .point = p, .queries = measure_is_count(m),
                            .nonnegative = measure_nonnegative(m) };
}

/* --- the series of a method that never moves */

static const struct measure *ruler_of(const struct source *s, const struct task *t)
{
    return s->plan->cell[t->cell]->problem->measures;
}

/* Returns the mean of an idle method's y over the runs of the search at one value of the grid. NaN: there are none,
 * or a record has no such number. *value <- the value of the grid. */
static double idle_at_grid(const struct source *s, enum idle where, int point, int grid, double *value)
{
    const struct claim *c = s->claim->claim;
    double sum = 0, y;
    int n = 0;
    for (const struct task *t = s->claim->task, *end = t + s->claim->tasks; t < end; t++) {
        if (t->role != ROLE_MAIN || t->grid != grid || t->point != point)
            continue;
        const struct record *r = source_measured(s, t);
        if (!r || !measure_idle(c->search.measure ? c->search.measure : c->measure, ruler_of(s, t), where, r, &y))
            return NAN;
        sum += y;
        n++;
        *value = t->searched;
    }
    return n ? sum / n : NAN;
}

/* Returns which value of the search's grid is the hardest instance of a method that never moves; -1: the claim does
 * not search for one. */
static int idle_hardest(const struct source *s, enum idle where, int point, double *value)
{
    const struct search *search = &s->claim->claim->search;
    double best = -INFINITY, at_grid = NAN;
    int at = -1;
    for (int g = 0; search->kind == SEARCH_LARGEST && g < search->points; g++) {
        double y = idle_at_grid(s, where, point, g, &at_grid);
        if (y > best) {
            best = y;
            at = g;
            *value = at_grid;
        }
    }
    return at;
}

struct series source_idle(const struct source *s, enum idle where, double *hardest, struct arena *a)
{
    const struct planned_claim *p = s->claim;
    const struct claim *c = p->claim;
    struct series_point *list = ARENA_ARRAY(a, p->points, struct series_point);
    for (int point = 0; point < p->points; point++) {
        hardest[point] = NAN;
        int grid = idle_hardest(s, where, point, &hardest[point]), at = 0;
        struct columns col = columns_new(a, p->reps > c->search.reps ? p->reps : c->search.reps);
        struct series_point *q = &list[point];
        for (const struct task *t = p->task, *end = t + p->tasks; t < end; t++) {
            struct evaluated e;
            double idle, rival = NAN;
            if (t->role != ROLE_MAIN || t->point != point || t->grid != grid)
                continue;
            const struct record *r = source_measured(s, t);
            q->axis = t->axis;
            if (!r || !measure_idle(c->measure, ruler_of(s, t), where, r, &idle) ||
                !evaluate(t, s->plan->cell[t->cell], r, &idle, &e) ||
                (claim_has_rival(c) && !rival_of(s, t, ROLE_RIVAL, &at, &rival))) {
                q->missing++;
                continue;
            }
            int k = q->reps++;
            col.replicate[k] = (int)t->rep;
            col.y[k] = e.y;
            col.formula[k] = e.formula;
            col.rival[k] = rival;
            col.margin[k] = e.margin;
            col.below[k] = e.below;
        }
        q->replicate = col.replicate;
        q->y = col.y;
        q->margin = col.margin;
        q->below = col.below;
        q->formula = c->formula || c->cdf ? col.formula : NULL;
        q->rival = claim_has_rival(c) ? col.rival : NULL;
    }
    return (struct series){ .points = p->points, .point = list, .nonnegative = measure_nonnegative(c->measure) };
}
