/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduce_trials.c - trials as cells of a plan, and what their records say. */
#include "studies/reproduce.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool/interrupt.h"
#include "judge/plan_records.h"

const char *trial_word(enum trial_kind k)
{
    static const char *const word[] = { "published", "ablation", "grid", "tuned", "fresh" };
    return word[k];
}

const char trials_altered[] = "With settings of your own: nothing published stands beside them.";

bool trial_is_published(const struct trial *t)
{
    return t->kind == TRIAL_PUBLISHED && !t->altered;
}

void trials_begin(struct trials *t, const struct reproduction *what, const struct selection *s)
{
    *t = (struct trials){ .what = what, .s = *s, .seed = isnan(s->seed) ? 1 : s->seed,
                          .runner = runner_new(0) };
    t->s.seed = NAN;                     /* it would win over that of fresh runs */
}

void trials_end(struct trials *t)
{
    plan_free(&t->plan);
    runner_free(t->runner);
    free(t->at);
    memset(t, 0, sizeof *t);
}

/* --- planning */

static void append(struct setting *to, const struct setting *from)
{
    int n = 0;
    while (n < SETTINGS_MAX && to[n].name)
        n++;
    for (int k = 0; k < SETTINGS_MAX && from[k].name; k++) {
        BUG_IF(n == SETTINGS_MAX);
        to[n++] = from[k];
    }
}

/* A grid's values, and how the runs are watched, win over what was published. */
static struct variant chosen(const struct choice *c, double seed, bool watched)
{
    struct variant v = { 0 };
    int n = 0;
    for (int k = 0; c->tuning && k < GRID_SETTINGS; k++)
        v.with[n++] = (struct setting){ c->tuning->grid[k].name, c->value[k] };
    if (watched)
        v.with[n++] = (struct setting){ "run.trace", TRACE_GEOMETRIC };
    if (seed != 1)
        v.with[n++] = (struct setting){ "run.seed", seed };
    return v;
}

static enum status cell_of(struct trials *t, const struct trial *trial, long rep, bool fresh,
                           bool watched, struct cell **cell, struct why *why)
{
    struct claim c = { .id = trial->panel->name, .check = CHECK_FIGURE, .kind = KIND_EVIDENCE,
                       .algo = trial->method->algo, .problem = trial->panel->problem,
                       .measure = "relative" };
    struct variant method = { 0 };
    struct variant choice = chosen(&trial->choice, t->seed + (fresh ? 1 : 0), watched);
    struct layers layers = { { &method, &choice } };
    struct planning g = { &t->plan, t->runner, &t->s, &c, NULL };
    append(c.with, trial->panel->with);
    append(c.with, t->what->with);
    append(method.with, trial->method->with);
    return plan_cell_at(&g, &layers, c.algo, trial->choice.passes, NAN, rep, cell, why);
}

/* A panel on data that are not here is left out before anything tries to read them. */
static enum status has_data(struct trials *t, struct trial *trial, struct why *why)
{
    const struct panel *p = trial->panel;
    struct bag bag = { 0 };
    struct cell *c;
    for (int k = 0; k < SETTINGS_MAX && p->with[k].name; k++)
        if (p->with[k].text)
            bag_put_text(&bag, p->with[k].name, p->with[k].text);
    bag_copy(&bag, &t->s.overrides);
    enum status s = cell_make(p->problem, trial->method->algo, &bag, 0, &c, why);
    bag_free(&bag);
    if (s != OK)
        return s;
    s = plan_missing_data(c, &t->s.overrides, trial->missing, why);
    cell_free(c);
    return s;
}

enum status trials_add(struct trials *t, const struct trial *trial, int runs, bool fresh,
                       bool watched, struct why *why)
{
    struct why reason = { "" };
    struct cell *c;
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->at = realloc(t->at, (size_t)t->room * sizeof *t->at);
        BUG_IF(!t->at);
    }
    struct trial *at = &t->at[t->count++];
    *at = *trial;
    at->runs = 0;
    at->altered = t->s.overrides.count || t->s.ranges;
    enum status s = has_data(t, at, &reason);
    for (int rep = 0; s == OK && rep < runs && !*at->missing; rep++) {
        s = cell_of(t, at, rep, fresh, watched, &c, &reason);
        if (s == OK)
            at->cell[at->runs++] = plan_add_cell(&t->plan, c);
    }
    return s == OK ? OK : why_set(why, s, "%s, %s: %.300s", trial->panel->name,
                                  trial->method->label, reason.text);
}

bool panel_selected(const struct selection *s, const struct panel *p, const struct contender *c)
{
    return (!s->problem || fnmatch(s->problem, p->name, 0) == 0) &&
           (!s->algorithm || fnmatch(s->algorithm, c->algo, 0) == 0);
}

static enum status add_panels(struct trials *t, const struct panel *p, enum trial_kind kind,
                              struct why *why)
{
    long runs = t->s.reps > 0 ? t->s.reps : t->what->runs;
    for (; p && p->name; p++)
        for (int k = 0; k < CONTENDERS_MAX && p->method[k].label; k++) {
            const struct contender *c = &p->method[k];
            struct trial trial = { .kind = kind, .panel = p, .method = c,
                                   .choice.passes = c->passes };
            if (panel_selected(&t->s, p, c))
                TRY(trials_add(t, &trial, (int)(runs < TRIAL_RUNS ? runs : TRIAL_RUNS), false, true,
                               why));
        }
    return OK;
}

static void add_names(const struct panel *p, struct why *why)
{
    for (; p && p->name; p++) {
        size_t n = strlen(why->text);
        snprintf(why->text + n, sizeof why->text - n, " %s", p->name);
    }
}

enum status trials_published(struct trials *t, struct why *why)
{
    for (int k = 0; k < t->s.ranges; k++)
        if (t->s.range[k].values > 1)
            return why_set(why, BAD_INPUT, "--%s: reproduce takes one value", t->s.range[k].name);
    TRY(add_panels(t, t->what->panels, TRIAL_PUBLISHED, why));
    TRY(add_panels(t, t->what->ablations, TRIAL_ABLATION, why));
    if (t->count)
        return OK;
    why_set(why, BAD_INPUT, "--problem %s%s%s: expected one of", t->s.problem ? t->s.problem : "*",
            t->s.algorithm ? ", --algorithm " : "", t->s.algorithm ? t->s.algorithm : "");
    add_names(t->what->panels, why);
    add_names(t->what->ablations, why);
    return BAD_INPUT;
}

/* --- running */

enum status trials_run(const struct study_request *q, struct trials *t, int *code, struct why *why)
{
    struct execution x = { 0 };
    enum status s = run_plan(&q->run, &t->plan, &x, NULL, why);
    if (s == OK && x.interrupted)
        *code = interrupt_code();
    if (s == OK) {
        trials_collect(t, x.record);
        fprintf(stderr, "%d cells: %d run, %d reused from the store%s\n", x.cells, x.ran, x.reused,
                x.interrupted ? "; interrupted, the next run resumes" : "");
    }
    free_records(&t->plan, x.record);
    return s;
}

/* --- collecting */

static double value_of(const struct record *r, const char *name)
{
    double v = NAN;
    return record_get(r, name, &v) ? v : NAN;
}

/* NaN is a run that diverged. */
static double error_of(const struct record *r)
{
    double y = value_of(r, "measure.relative");
    return isnan(y) ? INFINITY : y;
}

static void add_run(struct outcome_of *o, const struct record *r)
{
    double y = error_of(r), n = ++o->runs;
    o->mean += (y - o->mean) / n;
    if (isnan(o->mean))
        o->mean = INFINITY;                  /* two infinite runs */
    o->least = fmin(o->least, y);
    o->most = fmax(o->most, y);
    o->hits += (value_of(r, "measure.support_hits") - o->hits) / n;
    o->errors += (value_of(r, "measure.support_errors") - o->errors) / n;
    o->seconds = fmin(o->seconds, r->seconds);
}

static int column(const struct record_trace *t, const char *name)
{
    for (size_t k = 0; k < t->columns; k++)
        if (strcmp(t->column[k], name) == 0)
            return (int)k;
    return -1;
}

static void add_point(struct outcome_of *o, int k, double part, double y)
{
    if (o->runs == 1) {
        o->point[k] = (struct outcome_point){ part, 0, INFINITY, -INFINITY };
        o->points = k + 1;
    }
    if (k >= o->points)
        return;
    struct outcome_point *p = &o->point[k];
    y = isnan(y) ? INFINITY : y;
    p->mean += (y - p->mean) / o->runs;
    p->mean = isnan(p->mean) ? INFINITY : p->mean;
    p->least = fmin(p->least, y);
    p->most = fmax(p->most, y);
}

/* The marks stand at the same steps in every run; a run that ended before has none later. The
 * answer is a point of its own where no mark stands at the end. */
static void add_marks(struct outcome_of *o, const struct record *r)
{
    const struct record_trace *t = &r->trace;
    int steps = column(t, "batch_steps"), ruler = column(t, "ruler"), point = 0;
    double all = value_of(r, "count.batch_steps"), best = value_of(r, "fact.f_star"), last = 0;
    size_t stride = t->rows / (TRIAL_POINTS - 2) + 1;
    for (size_t k = 0; steps >= 0 && ruler >= 0 && k < t->rows; k++) {
        const double *row = t->value + k * t->columns;
        if ((t->rows - 1 - k) % stride)
            continue;
        last = row[steps];
        add_point(o, point++, last / all, row[ruler] / best);
    }
    if (t->columns && last < all)
        add_point(o, point++, 1, error_of(r));
    o->points = point < o->points ? point : o->points;
}

static void collect(struct trial *t, struct record *const *record)
{
    struct outcome_of *o = &t->outcome;
    *o = (struct outcome_of){ .least = INFINITY, .most = -INFINITY, .seconds = INFINITY,
                              .start = NAN, .support = NAN };
    for (int k = 0; k < t->runs; k++) {
        const struct record *r = record[t->cell[k]];
        if (!r)
            continue;
        if (r->outcome != OUTCOME_OK) {
            if (!o->failed++)
                snprintf(o->message, sizeof o->message, "%s: %.150s",
                         record_outcome_name(r->outcome), r->message);
            continue;
        }
        double best = value_of(r, "fact.f_star");
        o->support = value_of(r, "measure.support_size");
        o->start = value_of(r, "fact.Phi") / best;
        add_run(o, r);
        add_marks(o, r);
    }
}

void trials_collect(struct trials *t, struct record *const *record)
{
    for (int k = 0; k < t->count; k++)
        collect(&t->at[k], record);
}
