/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduce.c - plans the trials of a reproduction (reproduce.h) as cells, computes their outcomes from the
 * records, and tunes methods on the grids of a paper in three stages. */
#include "studies/reproduce.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/plan_records.h"
#include "plan/measure.h"

void trials_begin(struct trials *t, const struct reproduction *what, const struct selection *s)
{
    *t = (struct trials){ .what = what };
    stage_begin(&t->stage, s);
}

void trials_end(struct trials *t)
{
    stage_end(&t->stage);
    free(t->at);
    memset(t, 0, sizeof *t);
}

/* --- planning the cells of trials */

static struct study_run run_of(const struct trials *t, const struct trial *trial, bool fresh, bool watched)
{
    const struct choice *c = &trial->choice;
    struct study_run run = { .name = trial->panel->name, .problem = trial->panel->problem,
                             .algo = trial->method->algo,
                             .measure = "relative", .at = c->passes, .of_problem = trial->panel->with,
                             .of_study = t->what->with, .of_method = trial->method->with, .fresh = fresh };
    int n = 0;
    for (int k = 0; c->tuning && k < GRID_SETTINGS; k++)
        run.chosen.with[n++] = (struct setting){ c->tuning->grid[k].name, c->value[k] };
    if (watched)
        run.chosen.with[n++] = (struct setting){ "run.trace", TRACE_GEOMETRIC };
    return run;
}

/* trial->missing <- why the data of its panel are not on this machine, "" if they are. A trial whose data are
 * missing gets no cells. */
static enum status has_data(struct trials *t, struct trial *trial, struct why *why)
{
    const struct panel *p = trial->panel;
    struct bag bag = { 0 };
    struct cell *c;
    for (int k = 0; k < SETTINGS_MAX && p->with[k].name; k++)
        if (p->with[k].text)
            bag_put_text(&bag, p->with[k].name, p->with[k].text);
    bag_copy(&bag, &t->stage.s.overrides);
    enum status s = cell_make(p->problem, trial->method->algo, &bag, 0, &c, why);
    bag_free(&bag);
    if (s != OK)
        return s;
    s = plan_missing_data(c, &t->stage.s.overrides, trial->missing, why);
    cell_free(c);
    return s;
}

/* Plans `runs` replicates of a trial whose kind, panel, method and choice are set. fresh: the replicates have seeds
 * that no other stage has; watched: their records have a trace of marks. BAD_INPUT: no cell accepts the
 * settings. */
static enum status trials_add(struct trials *t, const struct trial *trial, int runs, bool fresh,
                       bool watched, struct why *why)
{
    struct why reason = { "" };
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->at = realloc(t->at, (size_t)t->room * sizeof *t->at);
        BUG_IF(!t->at);
    }
    BUG_IF(runs > TRIAL_RUNS);
    struct trial *at = &t->at[t->count++];
    *at = *trial;
    at->runs = 0;
    at->altered = t->stage.s.overrides.count || t->stage.s.ranges;
    enum status s = has_data(t, at, &reason);
    const struct study_run run = run_of(t, at, fresh, watched);
    for (int rep = 0; s == OK && rep < runs && !*at->missing; rep++) {
        s = stage_add(&t->stage, &run, rep, &at->cell[rep], &reason);
        at->runs += s == OK;
    }
    return s == OK ? OK : why_set(why, s, "%s, %s: %.300s", trial->panel->name,
                                  trial->method->label, reason.text);
}

static bool panel_selected(const struct selection *s, const struct panel *p, const struct contender *c)
{
    return (!s->problem || fnmatch(s->problem, p->name, 0) == 0) &&
           (!s->algorithm || fnmatch(s->algorithm, c->algo, 0) == 0);
}

static enum status add_panels(struct trials *t, const struct panel *p, enum trial_kind kind,
                              struct why *why)
{
    int runs = t->stage.s.reps > 0 ? (int)t->stage.s.reps : t->what->runs;
    for (; p && p->name; p++)
        for (int k = 0; k < CONTENDERS_MAX && p->method[k].label; k++) {
            const struct contender *c = &p->method[k];
            struct trial trial = { .kind = kind, .panel = p, .method = c,
                                   .choice.passes = c->passes };
            if (panel_selected(&t->stage.s, p, c))
                TRY(trials_add(t, &trial, runs, false, true, why));
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
    for (int k = 0; k < t->stage.s.ranges; k++)
        if (t->stage.s.range[k].values > 1)
            return why_set(why, BAD_INPUT, "--%s: reproduce takes one value", t->stage.s.range[k].name);
    if (t->stage.s.reps > TRIAL_RUNS)
        return why_set(why, BAD_INPUT, "--reps %ld: expected at most %d", t->stage.s.reps, TRIAL_RUNS);
    TRY(add_panels(t, t->what->panels, TRIAL_PUBLISHED, why));
    TRY(add_panels(t, t->what->ablations, TRIAL_ABLATION, why));
    if (t->count)
        return OK;
    why_set(why, BAD_INPUT, "--problem %s%s%s: expected one of", t->stage.s.problem ? t->stage.s.problem : "*",
            t->stage.s.algorithm ? ", --algorithm " : "", t->stage.s.algorithm ? t->stage.s.algorithm : "");
    add_names(t->what->panels, why);
    add_names(t->what->ablations, why);
    return BAD_INPUT;
}

/* --- computing the outcomes of trials from records */

static double value_of(const struct record *r, const char *name)
{
    double v = NAN;
    return record_get(r, name, &v) ? v : NAN;
}

/* Returns the relative error of the answer; INFINITY for a run that diverged, whose record has NaN. */
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
        o->mean = INFINITY;                  /* an infinite mean became NaN above, as inf - inf, whatever y is */
    o->least = fmin(o->least, y);
    o->most = fmax(o->most, y);
    o->hits += (value_of(r, "measure.support_hits") - o->hits) / n;
    o->errors += (value_of(r, "measure.support_errors") - o->errors) / n;
    o->seconds = fmin(o->seconds, r->seconds);
    o->steps = fmax(o->steps, value_of(r, "count.batch_steps"));
}

/* Fixes the points of a trial's outcome by its first run: the marks of that run, or if they are more than fit,
 * every stride-th one, counted back from the last. If the last mark is before the end of the run, the end becomes
 * one more point. */
static void choose_points(struct outcome_of *o, const struct record *r)
{
    const struct record_trace *t = &r->trace;
    const struct outcome_point empty = { 0, 0, INFINITY, -INFINITY };
    long steps = measure_column(t, "batch_steps");
    size_t stride = t->rows / (TRIAL_POINTS - 2) + 1;
    double all = value_of(r, "count.batch_steps"), last = 0;
    for (size_t k = 0; steps >= 0 && k < t->rows; k++) {
        if ((t->rows - 1 - k) % stride)
            continue;
        o->point[o->points] = empty;
        o->point[o->points++].steps = last = t->value[k * t->columns + (size_t)steps];
    }
    if (t->columns && last < all) {
        o->point[o->points] = empty;
        o->point[o->points++].steps = all;
    }
}

/* *y <- the error that the run would have if it stopped after this number of batch steps. Returns false if it has
 * no mark there and does not end there. */
static bool error_after(const struct record *r, double steps, double *y)
{
    const struct record_trace *t = &r->trace;
    long at = measure_column(t, "batch_steps"), ruler = measure_column(t, "ruler");
    for (size_t k = 0; at >= 0 && ruler >= 0 && k < t->rows; k++) {
        const double *row = t->value + k * t->columns;
        if (row[at] == steps) {
            *y = row[ruler] / value_of(r, "fact.f_star");
            *y = isnan(*y) ? INFINITY : *y;
            return true;
        }
    }
    *y = error_of(r);
    return steps == value_of(r, "count.batch_steps");
}

/* Adds a run to the points of a trial's outcome. A run that ended early lacks the later ones: the first point that
 * a run lacks is dropped, with all that follow. */
static void add_marks(struct outcome_of *o, const struct record *r)
{
    double y;
    int k = 0;
    if (o->runs == 1)
        choose_points(o, r);
    for (; k < o->points && error_after(r, o->point[k].steps, &y); k++) {
        struct outcome_point *p = &o->point[k];
        p->mean += (y - p->mean) / o->runs;
        p->mean = isnan(p->mean) ? INFINITY : p->mean;
        p->least = fmin(p->least, y);
        p->most = fmax(p->most, y);
    }
    o->points = k;
}

void trials_collect(struct trial *t, struct record *const *record)
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

/* --- running the cells of trials; the grids and instances of trials */

enum status trials_run(const struct study_request *q, struct trials *t, int *code, struct why *why)
{
    struct execution x = { 0 };
    enum status s = stage_run(q, &t->stage, &x, code, why);
    for (int k = 0; k < t->count && s == OK; k++)
        trials_collect(&t->at[k], x.record);
    free_records(&t->stage.plan, x.record);
    return s;
}


static const struct tuning *tuning_of(const struct reproduction *r, const char *algo)
{
    for (const struct tuning *t = r->tunings; t && t->algo; t++)
        if (strcmp(t->algo, algo) == 0)
            return t;
    return NULL;
}

static double grid_value(const struct tuning *t, int which, int k)
{
    return study_grid(t->grid[which].from, t->grid[which].to, t->grid[which].points, k);
}

/* *f <- the facts of the instance that a trial runs on. */
static enum status facts_of(struct trials *t, const struct trial *trial, const struct facts **f,
                            struct why *why)
{
    const void *self;
    BUG_IF(!trial->runs);
    return runner_instance(t->stage.runner, t->stage.plan.cell[trial->cell[0]], &self, f, why);
}

/* --- tuning, the first stage: one run of every choice */

static enum status add_grid(struct trials *t, const struct trial *like, const struct tuning *grid,
                            const struct facts *f, struct why *why)
{
    struct trial trial = *like;
    trial.kind = TRIAL_GRID;
    for (const double *passes = grid->passes; *passes > 0; passes++) {
        if (grid->rounds(*passes, f) < 1)        /* the method would make no step and answer the start */
            continue;
        for (int a = 0; a < grid->grid[0].points; a++)
            for (int b = 0; b < grid->grid[1].points; b++) {
                trial.choice = (struct choice){ grid, *passes, { grid_value(grid, 0, a),
                                                                 grid_value(grid, 1, b) } };
                TRY(trials_add(t, &trial, 1, false, false, why));
            }
    }
    return OK;
}

/* Returns the expected seconds of the trials t->at[from], ..., if a pass takes as long as one in the trial
 * `published`. */
static double seconds_of(const struct trials *t, int from, const struct trial *published)
{
    static const double CELL = 3e-4;             /* seconds that starting and storing a cell takes */
    double pass = published->outcome.seconds / published->choice.passes, all = 0;
    for (int k = from; k < t->count; k++)
        all += CELL + (isfinite(pass) ? pass : 0) * t->at[k].choice.passes;
    return all;
}

/* --- tuning, the second stage: all replicates of the best choices */

/* Compares two trials by mean error; those with equal means keep their order, that of the grid. */
static int by_mean(const void *a, const void *b)
{
    const struct trial *const *s = a, *const *t = b;
    if ((*s)->outcome.mean != (*t)->outcome.mean)
        return (*s)->outcome.mean < (*t)->outcome.mean ? -1 : 1;
    return *s < *t ? -1 : *s > *t;
}

/* Returns those trials of t that have the method and panel of `of` and at least one run, the smallest mean error
 * first; *n <- how many they are. free() the list. */
static const struct trial **ranked(const struct trials *t, const struct trial *of, int *n)
{
    const struct trial **list = calloc((size_t)t->count + 1, sizeof *list);
    BUG_IF(!list);
    *n = 0;
    for (const struct trial *k = t->at; k < t->at + t->count; k++)
        if (k->method == of->method && k->panel == of->panel && k->outcome.runs)
            list[(*n)++] = k;
    qsort(list, (size_t)*n, sizeof *list, by_mean);
    return list;
}

static enum status add_kept(struct trials *kept, const struct trials *grid, const struct trial *of,
                            struct why *why)
{
    int n, most;
    const struct trial **list = ranked(grid, of, &n);
    enum status s = OK;
    most = (int)ceil(kept->what->keep * n);
    for (int k = 0; k < most && s == OK; k++)
        s = trials_add(kept, list[k], kept->what->runs, false, false, why);
    free(list);
    return s;
}

/* --- tuning, the third stage: the winner on fresh seeds */

static enum status add_winner(struct trials *best, const struct trials *kept,
                              const struct trial *of, struct why *why)
{
    int n;
    const struct trial **list = ranked(kept, of, &n);
    enum status s = OK;
    if (n) {
        struct trial winner = *list[0];
        winner.kind = TRIAL_TUNED;
        s = trials_add(best, &winner, best->what->runs, false, false, why);
        winner.kind = TRIAL_FRESH;
        if (s == OK)
            s = trials_add(best, &winner, best->what->fresh, true, true, why);
    }
    free(list);
    return s;
}

/* --- tuning, the three stages one after the other */

typedef enum status (*stage_fn)(struct trials *to, const struct trials *from,
                                const struct trial *of, struct why *why);

static enum status each_tuned(const struct trials *published, struct trials *to,
                              const struct trials *from, stage_fn add, struct why *why)
{
    for (const struct trial *k = published->at; k < published->at + published->count; k++)
        if (k->kind == TRIAL_PUBLISHED && k->runs && tuning_of(to->what, k->method->algo))
            TRY(add(to, from, k, why));
    return OK;
}

static enum status plan_grids(struct trials *published, struct trials *grid, struct why *why)
{
    double all = 0;
    for (const struct trial *k = published->at; k < published->at + published->count; k++) {
        const struct tuning *tuning = tuning_of(grid->what, k->method->algo);
        const struct facts *f;
        int from = grid->count;
        if (k->kind != TRIAL_PUBLISHED || !k->runs || !tuning)
            continue;
        TRY(facts_of(published, k, &f, why));
        TRY(add_grid(grid, k, tuning, f, why));
        double more = grid->what->keep * (grid->what->runs - 1);
        double seconds = seconds_of(grid, from, k) * (1 + more);
        fprintf(stderr, "%s, %s: %d choices, about %.0f s on one core\n", k->panel->name,
                k->method->label, grid->count - from, seconds);
        all += seconds;
    }
    fprintf(stderr, "tuning: %d choices; stage 1: a run of each; stage 2: %d runs of the best %g%% "
            "by the first; stage 3: %d fresh seeds for the best mean; about %.0f s on one core, less "
            "what the store holds\n", grid->count, grid->what->runs, 100 * grid->what->keep,
            grid->what->fresh, all);
    return OK;
}

enum status trials_tune(const struct study_request *q, const struct reproduction *r,
                        const struct trials *published, struct trials *best, int *code,
                        struct why *why)
{
    struct trials grid, kept, first = *published;
    trials_begin(&grid, r, q->run.select);
    trials_begin(&kept, r, q->run.select);
    enum status s = plan_grids(&first, &grid, why);
    if (s == OK)
        s = trials_run(q, &grid, code, why);
    if (s == OK && !*code)
        s = each_tuned(published, &kept, &grid, add_kept, why);
    if (s == OK && !*code)
        s = trials_run(q, &kept, code, why);
    if (s == OK && !*code)
        s = each_tuned(published, best, &kept, add_winner, why);
    if (s == OK && !*code)
        s = trials_run(q, best, code, why);
    trials_end(&grid);
    trials_end(&kept);
    return s;
}
