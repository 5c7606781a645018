/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "registry.h"
#include "run.h"

/* Rounding of a closed-form measure, relative to the scale of the problem. */
static const double ROUNDING = 1e-13;
/* An estimated measure is within this many standard errors of the truth. */
static const double ERRORS = 6;

/* --- one number of one record */

static double error_of(const struct claim *c, const struct cell *cell, const struct record *r)
{
    char name[RECORD_NAME];
    double error = 0, scale = 0;
    snprintf(name, sizeof name, "error.%s", c->measure);
    record_get(r, name, &error);
    record_get(r, "fact.Phi", &scale);
    for (const struct measure *m = cell->problem->measures; m && m->name; m++)
        if (m->certainty == ESTIMATED && strcmp(m->name, c->measure) == 0)
            error *= ERRORS;
    return error + ROUNDING * scale;
}

/* --- formulas of one run */

struct evaluated { double y, formula, lower; };

/* The environment of a record; params is scratch of the algorithm's size. */
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

/* How far a mark is from what is promised; a mark that is no number is the farthest. */
static double misfit(const struct claim *c, double y, double formula)
{
    double off = c->check == CHECK_COUNT ? fabs(y - formula) / fabs(formula) : y / formula;
    return isfinite(y) && !isnan(off) ? off : INFINITY;
}

/* every_mark: the marked step with the worst misfit. */
static struct evaluated worst_mark(const struct claim *c, const struct record *r, struct context *x,
                                   struct evaluated e)
{
    double worst = -INFINITY;
    for (int k = 0; k < COUNT_KINDS; k++)
        x->counts.of[k] = NAN;           /* a mark keeps three counts; a formula in others is no number */
    for (size_t k = 0; k < r->trace.rows; k++) {
        const double *row = r->trace.value + k * r->trace.columns;
        x->counts.of[COUNT_batch_steps] = row[0];
        x->counts.of[COUNT_sample_grads] = row[1];
        x->counts.of[COUNT_full_grads] = row[2];
        double formula = c->formula(&x->env), off = misfit(c, row[3], formula);
        if (off > worst) {
            worst = off;
            e = (struct evaluated){ row[3], formula, c->lower ? c->lower(&x->env) : -INFINITY };
        }
    }
    return e;
}

/* false: the record does not hold what the claim measures. */
static bool evaluate(const struct task *t, const struct cell *cell, const struct record *r,
                     struct evaluated *out)
{
    const struct claim *c = t->claim;
    struct evaluated e = { NAN, NAN, -INFINITY };
    struct context x;
    if (!measure_get(c->measure, r, &e.y) || (c->every_mark && r->trace.rows == 0))
        return false;
    void *params = malloc(cell_params_size(cell) + 1);
    BUG_IF(!params);
    context_of(t, cell, r, params, &x);
    if (c->formula)
        e.formula = c->formula(&x.env);
    if (c->lower)
        e.lower = c->lower(&x.env);
    if (c->every_mark && c->formula)
        e = worst_mark(c, r, &x, e);
    free(params);
    *out = e;
    return true;
}

/* --- the series of one role */

struct columns { double *y, *formula, *lower, *error, *rival; int *replicate; };

static struct columns columns_new(struct arena *a, long reps)
{
    return (struct columns){ arena_vec(a, reps), arena_vec(a, reps), arena_vec(a, reps),
                             arena_vec(a, reps), arena_vec(a, reps), ARENA_ARRAY(a, reps, int) };
}

struct source {
    const struct plan *plan;
    struct record *const *record;
    const struct planned_claim *claim;
};

static const struct task *task_of(const struct source *s, enum role role, int also, int point, long rep)
{
    const struct task *t = s->claim->task, *end = t + s->claim->tasks;
    while (t < end && !(t->rep == rep && t->grid < 0 && t->point == point && t->role == role &&
                        t->also == also))
        t++;
    return t < end ? t : NULL;
}

static const struct record *measured(const struct source *s, const struct task *t)
{
    const struct record *r = t ? s->record[t->cell] : NULL;
    return r && r->outcome == OUTCOME_OK ? r : NULL;
}

/* The rival's number of the same replicate; false: it is missing. */
static bool rival_of(const struct source *s, const struct task *t, enum role role, double *y)
{
    const struct record *r = measured(s, task_of(s, role, 0, t->point, t->rep));
    return r && measure_get(t->claim->measure, r, y);
}

static struct series_point point_of(const struct source *s, enum role role, enum role rival, int also,
                                    int point, struct arena *a)
{
    const struct claim *c = s->claim->claim;
    struct columns col = columns_new(a, s->claim->reps);
    struct series_point p = { .replicate = col.replicate, .y = col.y, .error = col.error };
    bool needs_rival = rival != role;

    for (long rep = 0; rep < s->claim->reps; rep++) {
        const struct task *t = task_of(s, role, also, point, rep);
        if (!t)
            continue;
        const struct record *r = measured(s, t);
        double other = NAN;
        p.axis = t->axis;
        struct evaluated e;
        if (!r || !evaluate(t, s->plan->cell[t->cell], r, &e) ||
            (needs_rival && !rival_of(s, t, rival, &other))) {
            p.missing++;
            continue;
        }
        int k = p.reps++;
        col.replicate[k] = (int)rep;
        col.y[k] = e.y;
        col.formula[k] = e.formula;
        col.lower[k] = e.lower;
        col.error[k] = error_of(c, s->plan->cell[t->cell], r);
        col.rival[k] = other;
    }
    p.formula = c->formula ? col.formula : NULL;
    p.lower = c->lower && role == ROLE_MAIN ? col.lower : NULL;
    p.rival = needs_rival ? col.rival : NULL;
    return p;
}

/* The chosen value of the search stage is what is measured, once per group of its runs. */
static struct series_point searched_point(const struct source *s, enum role role, int also, int point,
                                          struct arena *a)
{
    struct columns col = columns_new(a, s->claim->reps);
    struct series_point p = { .replicate = col.replicate, .y = col.y };
    for (int k = 0; k < s->claim->tasks; k++)
        if (s->claim->task[k].point == point)
            p.axis = s->claim->task[k].axis;
    for (long rep = 0; rep < s->claim->reps; rep++) {
        double value = plan_searched(s->claim, s->record, role, also, point, rep);
        if (isnan(value)) {
            p.missing++;
            continue;
        }
        col.replicate[p.reps] = (int)rep;
        col.y[p.reps++] = value;
    }
    return p;
}

static struct series series_of(const struct source *s, enum role role, enum role rival, int also,
                               struct arena *a)
{
    struct series_point *p = ARENA_ARRAY(a, s->claim->points, struct series_point);
    for (int k = 0; k < s->claim->points; k++)
        p[k] = plan_measures_search(s->claim->claim) ? searched_point(s, role, also, k, a)
                                                     : point_of(s, role, rival, also, k, a);
    const char *m = s->claim->claim->measure;
    return (struct series){ .points = s->claim->points, .point = p, .queries = measure_is_count(m),
                            .nonnegative = measure_nonnegative(m) };
}

/* --- one claim */

static void fit_role(const struct source *s, enum role role, enum role rival, struct fit *fit,
                     struct verdict *v)
{
    struct arena *a = arena_new(0);
    struct why why = { "" };
    struct rng r = rng_stream(hash_text(s->claim->claim->id, 0));
    struct series series = series_of(s, role, rival, 0, a);
    if (fit_claim(s->claim->claim, &series, &r, a, fit, &why) == OK) {
        *v = verdict_alone(s->claim->claim, fit);
    } else {
        memset(v, 0, sizeof *v);
        v->word = INCONCLUSIVE;
        snprintf(v->reason, sizeof v->reason, "%.230s", why.text);
    }
    arena_free(a);
}

/* Points of another algorithm, for the figure: the same statistic, no check. */
static void add_curve(struct judgement *j, const struct source *s, enum role role, int also,
                      const char *name)
{
    struct arena *a = arena_new(0);
    struct claim plain = *s->claim->claim;
    struct fit *fit = ARENA_ARRAY(a, 1, struct fit);
    struct rng r = rng_stream(hash_text(name, 0));
    plain.check = CHECK_LAW;
    plain.every_mark = false;
    struct series series = series_of(s, role, role, also, a);
    plain.deterministic = series.points && series.point[0].reps <= 1;
    if (j->curves < CURVES_MAX && fit_claim(&plain, &series, &r, a, fit, NULL) == OK) {
        struct curve *curve = &j->curve[j->curves++];
        curve->name = name;
        for (int k = 0; k < fit->points; k++)
            if (fit->point[k].reps) {
                curve->point[curve->points].axis = fit->point[k].axis;
                curve->point[curve->points++].y = fit->point[k].y;
            }
    }
    arena_free(a);
}

static void tally(struct judgement *j, const struct source *s)
{
    for (int k = 0; k < s->claim->tasks; k++) {
        const struct record *r = s->record[s->claim->task[k].cell];
        double aggregated = 0;
        j->cells++;
        if (!r) {
            j->absent++;
            continue;
        }
        j->seconds += r->seconds;
        j->aggregated |= record_get(r, "flag.aggregated", &aggregated) && aggregated > 0;
        if (r->outcome == OUTCOME_OK)
            continue;
        if (r->outcome == OUTCOME_REFUSED)
            j->refused++;
        else
            j->failed++;
        if (!j->first_failure[0])
            snprintf(j->first_failure, sizeof j->first_failure, "%.180s: %s: %.90s", r->cell,
                     record_outcome_name(r->outcome), r->message);
    }
}

static const char *refusal(const struct source *s)
{
    for (int k = 0; k < s->claim->tasks; k++) {
        const struct record *r = s->record[s->claim->task[k].cell];
        if (r && r->outcome == OUTCOME_REFUSED)
            return r->message;
    }
    return "";
}

static bool has_role(const struct source *s, enum role role)
{
    for (int k = 0; k < s->claim->tasks; k++)
        if (s->claim->task[k].role == role)
            return true;
    return false;
}

static struct judgement judge_claim(const struct source *s)
{
    const struct claim *c = s->claim->claim;
    bool order = c->check == CHECK_ORDER;
    struct judgement j = { .claim = c, .paper = registry_paper_of(c),
                           .exploratory = s->claim->exploratory };
    if (!s->claim->tasks) {
        j.verdict.word = j.alone.word = NOT_RUN;
        snprintf(j.verdict.reason, sizeof j.verdict.reason, "the profile leaves this claim out");
        return j;
    }
    tally(&j, s);
    if (j.absent == j.cells) {
        j.verdict.word = j.alone.word = NOT_RUN;
        snprintf(j.verdict.reason, sizeof j.verdict.reason, "no run of this build is in the store");
        snprintf(j.verdict.next, sizeof j.verdict.next, "assay verify --claim '%s'", c->id);
        return j;
    }
    fit_role(s, ROLE_MAIN, order ? ROLE_RIVAL : ROLE_MAIN, &j.fit, &j.alone);
    j.has_control = has_role(s, ROLE_CONTROL);
    if (j.has_control) {
        fit_role(s, ROLE_CONTROL, order ? ROLE_CONTROL_RIVAL : ROLE_CONTROL, &j.control_fit, &j.control);
        j.caught = verdict_caught(&j.control);
    }
    if (j.absent && j.alone.word == INCONCLUSIVE)
        snprintf(j.alone.reason, sizeof j.alone.reason, "%d of %d runs are not in the store", j.absent,
                 j.cells);
    if (j.refused && j.alone.word == INCONCLUSIVE)
        snprintf(j.alone.reason, sizeof j.alone.reason, "%d of %d cells were refused: %.150s",
                 j.refused, j.cells, refusal(s));
    j.verdict = verdict_with_control(&j.alone, j.has_control ? &j.control : NULL);
    if (order)
        add_curve(&j, s, ROLE_RIVAL, 0, c->than.algo ? c->than.algo : c->algo);
    for (int k = 0; k < 6 && c->also[k]; k++)
        add_curve(&j, s, ROLE_ALSO, k, c->also[k]);
    return j;
}

struct judgement judge_one(const struct plan *p, struct record *const *record, int k)
{
    return judge_claim(&(struct source){ p, record, &p->claim[k] });
}

struct judgement *judge_plan(const struct plan *p, struct record *const *record)
{
    struct judgement *j = calloc((size_t)p->claims + 1, sizeof *j);
    BUG_IF(!j);
    for (int k = 0; k < p->claims; k++)
        j[k] = judge_one(p, record, k);
    return j;
}
