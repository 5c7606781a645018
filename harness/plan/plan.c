/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c - from claims and a profile to the cells that decide them: selection, the tasks of a claim (one for each
 * role, point of the axis and replicate), the search stage, lines of plots, rounds of replicates. One file, since
 * each of these adds tasks to the same planned claim; plan_cells.c makes the cells. */
#include "plan/plan.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/registry.h"
#include "plan/measure.h"
#include "plan/plan_cells.h"
#include "plan/names.h"

/* Replicates of the search are numbered from SEARCH_REP on, so that their seeds differ from those of the measured
 * runs. GRID_MAX: the most values in the grid of one search. LINEUP_MAX: the most roles of a claim (lineup_of). */
enum { SEARCH_REP = 1000000, GRID_MAX = 64, CONTROLS = 2, LINEUP_MAX = 12 };

const char *profile_name(enum profile p)
{
    static const char *const name[] = { "quick", "nightly", "full" };
    return name[p];
}

const char *check_name(enum check c)
{
    static const char *const name[] = { "count", "bound", "rate", "order", "moment", "law", "private",
                                        "figure" };
    _Static_assert(sizeof name / sizeof *name == CHECK_FIGURE + 1, "each check has a name");
    return name[c];
}

const char *kind_name(enum kind k)
{
    static const char *const name[] = { "theorem", "erratum", "conditional", "extension", "evidence",
                                        "lemma", "table", "baseline", "identity" };
    return name[k];
}

const char *task_name(const struct planned_claim *c, const struct task *t)
{
    static const char *const role[] = { "main", "rival", "control", "control-rival", "control2",
                                        "control2-rival", "also" };
    return t->grid >= 0 ? "search" : c->plot ? "line" : role[t->role];
}

/* --- which claims, plots, theorems and tables a selection takes */

bool plan_glob(const char *globs, const char *text)
{
    char *copy = strdup(globs), *rest = copy, *glob;
    bool found = false;
    BUG_IF(!copy);
    while (!found && (glob = strsep(&rest, ",")))
        found = fnmatch(glob, text, 0) == 0;
    free(copy);
    return found;
}

bool plan_names(const struct paper *paper, const char *id, const struct selection *s)
{
    return (!s->paper || plan_glob(s->paper, paper->key)) && (!s->claim || plan_glob(s->claim, id));
}

/* Does the selection name, by --claim, a table in which the claim stands? It then selects the claims of the
 * table. */
static bool in_table(const struct claim *c, const struct paper *paper, const struct selection *s)
{
    for (const struct exhibit *t = paper->tables; s->claim && t && t->id; t++)
        for (const struct exhibit_row *r = plan_names(paper, t->id, s) ? t->row : NULL; r && r->label; r++)
            for (int k = 0; k < TABLE_COLUMNS; k++)
                if (r->claim[k] && strcmp(r->claim[k], c->id) == 0)
                    return true;
    return false;
}

bool theorem_named(const char *globs, const char *id)
{
    const char *name = strchr(id, '/'), *part = name ? strchr(name, '-') : NULL;
    char whole[96];
    if (plan_glob(globs, id) || !part)
        return plan_glob(globs, id);
    snprintf(whole, sizeof whole, "%.*s", (int)(part - id), id);
    return plan_glob(globs, whole);
}

/* Does the claim decide a row of a theorem whose id matches the globs? The theorem may belong to another paper than
 * the claim. */
static bool in_theorem(const struct claim *c, const char *globs)
{
    const struct theorem *t;
    for (int k = 0; (t = theorem_at(k)); k++)
        for (const struct theorem_row *r = t->rows; theorem_named(globs, t->id) && r && r->axis; r++)
            if (r->claim && strcmp(r->claim, c->id) == 0)
                return true;
    return false;
}

bool claim_matches(const struct claim *c, const struct paper *paper, const struct selection *s)
{
    return (plan_names(paper, c->id, s) || in_table(c, paper, s)) &&
           (!s->theorem || in_theorem(c, s->theorem)) &&
           (!s->algorithm || plan_glob(s->algorithm, c->algo)) &&
           (!s->problem || plan_glob(s->problem, c->problem)) &&
           (!s->check || plan_glob(s->check, check_name(c->check)));
}

bool plot_matches(const struct plot *p, const struct paper *paper, const struct selection *s)
{
    return !s->theorem && plan_names(paper, p->id, s);
}

/* Is the theorem selected? Where --claim is given, it is only if --claim matches the claim of one of its rows. */
bool theorem_matches(const struct theorem *t, const struct paper *paper, const struct selection *s)
{
    if ((s->paper && !plan_glob(s->paper, paper->key)) || (s->theorem && !theorem_named(s->theorem, t->id)))
        return false;
    for (const struct theorem_row *r = t->rows; s->claim && r && r->axis; r++)
        if (r->claim && plan_glob(s->claim, r->claim))
            return true;
    return !s->claim;
}

bool table_matches(const struct exhibit *t, const struct paper *paper, const struct selection *s)
{
    return !s->theorem && plan_names(paper, t->id, s);
}

/* --- the runs of one claim: roles, points, replicates */

/* Returns the part of a control that concerns the problem: its family and its settings problem.*. The rival that
 * the control is compared with runs on this problem too. */
static struct variant problem_part(const struct variant *v)
{
    struct variant part = { .problem = v->problem };
    int n = 0;
    for (int k = 0; k < SETTINGS_MAX && v->with[k].name; k++)
        if (strncmp(v->with[k].name, "problem.", 8) == 0)
            part.with[n++] = v->with[k];
    return part;
}

struct planned_claim *plan_add_claim(struct plan *p, const struct planned_claim *claim)
{
    p->claim = realloc(p->claim, (size_t)(p->claims + p->lines + 1) * sizeof *p->claim);
    BUG_IF(!p->claim);
    struct planned_claim *c = &p->claim[p->claims + p->lines];
    if (claim->plot)
        p->lines++;
    else
        p->claims++;
    *c = *claim;
    c->tasks = 0;
    c->task_room = 16;
    c->task = malloc((size_t)c->task_room * sizeof *c->task);
    BUG_IF(!c->task);
    return c;
}

void plan_add_task(struct planned_claim *c, const struct task *t)
{
    if (c->tasks == c->task_room) {
        c->task_room *= 2;
        c->task = realloc(c->task, (size_t)c->task_room * sizeof *c->task);
        BUG_IF(!c->task);
    }
    c->task[c->tasks++] = *t;
}

static double axis_value(const struct planning *g, int k)
{
    const struct planned_claim *p = g->planned;
    double t = p->points > 1 ? (double)k / (p->points - 1) : 0;
    double axis = p->listed ? p->listed->value[k] : p->from * pow(p->to / p->from, t);
    return g->claim->axis && plan_whole(g->claim->axis, g->claim->problem, g->claim->algo) ? rint(axis) : axis;
}

/* Adds tasks and cells of a role at one point of the axis, for the replicates from, ..., to - 1. grid < 0: measured
 * runs. grid >= 0: runs of the search stage at `searched`, which is value number `grid` of the search's grid; their
 * replicates are numbered from SEARCH_REP on. */
static enum status add_runs(struct planning *g, const struct lineup *r, int point, int grid, double searched,
                            long from, long to, struct why *why)
{
    double axis = axis_value(g, point);
    int at = -1;
    for (long rep = from; rep < to; rep++) {
        TRY(plan_add_replicate(g, r, axis, searched, grid < 0 ? rep : SEARCH_REP + rep, &at, why));
        plan_add_task(g->planned, &(struct task){ .claim = g->claim, .role = r->role, .also = r->also,
                                                  .point = point, .axis = axis, .rep = rep, .grid = grid,
                                                  .searched = searched, .cell = at });
    }
    return OK;
}

/* Adds the measured runs of a role at one point of the axis, replicates from `from` on. In a deterministic claim
 * every role but ROLE_ALSO has one replicate. */
static enum status add_point(struct planning *g, const struct lineup *r, int point, double searched, long from,
                             struct why *why)
{
    bool once = g->claim->deterministic && r->role != ROLE_ALSO;
    return add_runs(g, r, point, -1, searched, from, once ? 1 : g->planned->reps, why);
}

/* l[] <- the roles of a claim, each with its method and its settings; returns how many. The members `layers` of l[]
 * point into the claim and into controlled_problem, which this function fills in. */
static int lineup_of(const struct claim *c, struct variant controlled_problem[CONTROLS],
                struct lineup l[LINEUP_MAX])
{
    const struct variant *control[CONTROLS] = { &c->control, &c->control2 };
    int n = 0;
    l[n++] = (struct lineup){ ROLE_MAIN, 0, c->algo, { { NULL, NULL } } };
    if (claim_has_rival(c))
        l[n++] = (struct lineup){ ROLE_RIVAL, 0, c->algo, { { &c->than, NULL } } };
    for (int k = 0; k < CONTROLS; k++) {
        if (!variant_given(control[k]))
            continue;
        controlled_problem[k] = problem_part(control[k]);
        l[n++] = (struct lineup){ k ? ROLE_CONTROL2 : ROLE_CONTROL, 0, c->algo,
                                  { { control[k], NULL } } };
        if (claim_has_rival(c))
            l[n++] = (struct lineup){ k ? ROLE_CONTROL2_RIVAL : ROLE_CONTROL_RIVAL, 0, c->algo,
                                      { { &c->than, &controlled_problem[k] } } };
    }
    for (int k = 0; k < 6 && c->also[k]; k++)
        l[n++] = (struct lineup){ ROLE_ALSO, k, c->also[k], { { NULL, NULL } } };
    return n;
}

/* --- The search stage: before the measured runs, one setting is chosen at each point of the axis, from records at
 * the values of a grid. The choice is a pure function of stored records. */

bool plan_measures_search(const struct claim *c)
{
    return c->search.kind && strcmp(c->measure, "search") == 0;
}

static double grid_value(const struct search *s, double axis, int k)
{
    double t = s->points > 1 ? (double)k / (s->points - 1) : 0;
    return s->from * pow(s->to / s->from, t) * pow(axis, s->power);
}

/* Returns the number of groups of search runs, each of which chooses a value of its own: one group for each
 * replicate of the claim where the chosen value is what the claim measures, else one group. */
static long groups(const struct planned_claim *p)
{
    return plan_measures_search(p->claim) ? p->reps : 1;
}

/* Adds the search runs of a role at one point of the axis, at every value of the grid; `from` is the number of the
 * first group (see `groups`) that has no runs yet. */
static enum status add_search(struct planning *g, const struct lineup *r, int point, long from,
                            struct why *why)
{
    const struct search *s = &g->claim->search;
    BUG_IF(s->points > GRID_MAX);
    for (int k = 0; k < s->points; k++)
        TRY(add_runs(g, r, point, k, grid_value(s, axis_value(g, point), k), from * s->reps,
                     groups(g->planned) * s->reps, why));
    return OK;
}

/* value[] <- the values of the search's grid; mean[] <- the mean, at each of them, of the measure by which the
 * search chooses, over the runs of one group. A run whose measure is NaN makes the mean infinite. Returns false
 * where a record is missing, is that of a failed run, or lacks the measure. */
static bool grid_means(const struct planned_claim *p, struct record *const *record, enum role role,
                       int also, int point, long group, double *mean, double *value)
{
    const struct search *s = &p->claim->search;
    const char *measure = s->measure ? s->measure : p->claim->measure;
    int seen = 0;
    memset(mean, 0, GRID_MAX * sizeof *mean);
    for (int k = 0; k < p->tasks; k++) {
        const struct task *t = &p->task[k];
        double y = NAN;
        if (t->grid < 0 || t->role != role || t->also != also || t->point != point ||
            t->rep / s->reps != group)
            continue;
        const struct record *r = record[t->cell];
        if (!r || r->outcome != OUTCOME_OK || !measure_get(measure, r, &y))
            return false;
        mean[t->grid] += (isnan(y) ? INFINITY : y) / s->reps;
        value[t->grid] = t->searched;
        seen++;
    }
    return seen == s->points * s->reps;
}

static int chosen(const struct search *s, const double *mean)
{
    int best = 0;
    for (int k = 1; k < s->points; k++)
        if (s->kind == SEARCH_LARGEST ? mean[k] > mean[best] : mean[k] < mean[best])
            best = k;
    if (s->kind != SEARCH_FIRST)
        return best;
    for (int k = 0; k < best; k++)
        if (mean[k] <= s->within * mean[best])
            return k;
    return best;
}

double plan_searched(const struct planned_claim *c, struct record *const *record, enum role role,
                     int also, int point, long group)
{
    double mean[GRID_MAX], value[GRID_MAX];
    if (!grid_means(c, record, role, also, point, group, mean, value))
        return NAN;
    return value[chosen(&c->claim->search, mean)];
}

/* Adds the measured runs of all roles at all points, replicates from `from` on, each at the value that the search
 * of its role and point chose. Where this value itself is what the claim measures, there are no measured runs; the
 * searches of the new replicates are added if from > 0. */
static enum status add_all(struct planning *g, struct record *const *record, long from,
                         struct why *why)
{
    bool search = g->claim->search.kind;
    struct lineup l[LINEUP_MAX];
    struct variant controlled_problem[CONTROLS];
    int n = lineup_of(g->claim, controlled_problem, l);
    for (int k = 0; k < n; k++)
        for (int point = 0; point < g->planned->points; point++) {
            if (plan_measures_search(g->claim)) {
                if (from > 0)
                    TRY(add_search(g, &l[k], point, from, why));
                continue;
            }
            double value = !search ? NAN
                         : plan_searched(g->planned, record, l[k].role, l[k].also, point, 0);
            if (!search || !isnan(value))
                TRY(add_point(g, &l[k], point, value, from, why));
        }
    return OK;
}

/* --- adding a claim to the plan: its window and its first tasks */

static enum status add_claim(struct planning *g, struct why *why)
{
    struct lineup l[LINEUP_MAX];
    struct variant controlled_problem[CONTROLS];
    int n = lineup_of(g->claim, controlled_problem, l);
    plan_load_programs(g, l, n);
    TRY(plan_check_data(g, l, n, axis_value(g, 0), why));
    for (int k = 0; k < n; k++)
        for (int point = 0; point < g->planned->points; point++)
            TRY(g->claim->search.kind ? add_search(g, &l[k], point, 0, why)
                                      : add_point(g, &l[k], point, NAN, 0, why));
    return OK;
}

const struct range *plan_range(const struct selection *s, const char *axis)
{
    for (int k = 0; axis && k < s->ranges; k++)
        if (strcmp(s->range[k].name, axis) == 0)
            return &s->range[k];
    return NULL;
}

/* Sets the window of p: the one that the claim declares for the profile, changed by the user's ranges and
 * replicates. p->exploratory <- whether the user has changed an axis, a setting, the replicates or the master
 * seed. */
static void set_window(struct planned_claim *p, const struct selection *s)
{
    const struct claim *c = p->claim;
    const struct range *r = plan_range(s, c->axis);
    struct window w = c->window[s->profile];

    p->exploratory = s->overrides.count > 0 || r || (!isnan(s->seed) && s->seed != 1);
    for (int k = 0; k < s->ranges; k++)
        p->exploratory |= s->range[k].values == 1;
    if (w.points && r) {
        w.from = r->value[0];
        w.to = r->value[r->values - 1];
        p->listed = r->ends ? NULL : r;
        w.points = !r->ends ? r->values : r->points ? r->points : w.points;
    }
    if (w.points && s->reps > 0 && !c->deterministic) {
        w.reps = (int)s->reps;
        p->exploratory = true;
    }
    p->from = w.from;
    p->to = w.to;
    p->points = w.points;
    p->reps = w.reps;
    p->searching = w.points && c->search.kind;
}

/* Checks the user's ranges: for a range of several values, at least one selected claim must have its axis, whose
 * window the range replaces. */
static enum status check_ranges(const struct plan *p, const struct selection *s, struct why *why)
{
    for (int k = 0; k < s->ranges; k++) {
        bool used = s->range[k].values == 1;
        for (int c = 0; c < p->claims + p->lines && !used; c++)
            used = plan_range(s, p->claim[c].claim->axis) == &s->range[k];
        if (!used)
            return why_set(why, BAD_INPUT, "--%s: several values, but no selected claim has this axis",
                           s->range[k].name);
    }
    return OK;
}

/* Appends a claim, or a claim made of a line of a plot, to the plan, with its cells. */
static enum status add_planned(struct plan *p, struct runner *r, const struct selection *s,
                           const struct planned_claim *claim, struct why *why)
{
    struct planned_claim *planned = plan_add_claim(p, claim);
    set_window(planned, s);
    struct planning g = { p, r, s, planned->claim, planned };
    struct why reason = { "" };
    if (add_claim(&g, &reason) == OK)
        return OK;
    return why_set(why, BAD_INPUT, "%s %s: %.300s", planned->plot ? "figure" : "claim",
                   planned->claim->id, reason.text);
}

/* --- Plots: each line of a plot becomes a claim that is not judged, so that its runs are planned and run like
 * those of claims. */

static int settings(const struct setting *with)
{
    int n = 0;
    while (n < SETTINGS_MAX && with[n].name)
        n++;
    return n;
}

/* Returns the windows[PROFILES] of a line of a plot: its own or, where it has none, those of the plot. */
static const struct window *windows(const struct plot *p, const struct plot_line *l)
{
    for (int k = 0; k < PROFILES; k++)
        if (l->window[k].points)
            return l->window;
    return p->window;
}

/* Returns the claim for a line of a plot, to be freed by free(); NULL: it has too many settings. The settings of
 * the line come last and win over those of its plot. A plot that reads marks has the setting that stores the trace.
 * The claim has no points in profiles for which the plot has none. */
static struct claim *claim_of(const struct plot *p, const struct plot_line *l, struct why *why)
{
    const struct setting trace = { "run.trace", TRACE_GEOMETRIC };
    int traced = p->kind != PLOT_POINTS, common = settings(p->with), own = settings(l->with);
    if (traced + common + own > SETTINGS_MAX) {
        why_set(why, BAD_INPUT, "figure %s, %s: %d settings: expected at most %d", p->id, l->label,
                traced + common + own, SETTINGS_MAX);
        return NULL;
    }
    struct claim *c = malloc(sizeof *c);
    BUG_IF(!c);
    *c = (struct claim){ .id = p->id, .cite = "", .item = "", .says = p->says,
                         .kind = KIND_EVIDENCE, .check = CHECK_FIGURE, .algo = l->algo,
                         .problem = l->problem ? l->problem : p->problem, .axis = p->axis,
                         .deterministic = p->deterministic, .measure = p->measure,
                         .statistic = p->statistic, .quantile = p->quantile, .formula = l->theory,
                         .search = p->search };
    if (traced)
        c->with[0] = trace;
    memcpy(c->with + traced, p->with, (size_t)common * sizeof *c->with);
    memcpy(c->with + traced + common, l->with, (size_t)own * sizeof *c->with);
    for (int k = 0; k < PROFILES; k++)
        c->window[k] = p->window[k].points ? windows(p, l)[k] : p->window[k];
    return c;
}

static enum status add_line(struct plan *p, struct runner *r, const struct planned_claim *line,
                            const struct selection *s, struct why *why)
{
    struct planned_claim planned = *line;
    struct claim *c = claim_of(line->plot, &line->plot->line[line->line], why);
    if (!c)
        return BAD_INPUT;
    planned.claim = c;
    if (claim_matches(c, line->paper, s))
        return add_planned(p, r, s, &planned, why);
    free(c);
    return OK;
}

/* Adds the selected lines of a paper's plots. */
static enum status add_plots(struct plan *p, struct runner *r, const struct paper *paper,
                           const struct selection *s, struct why *why)
{
    for (const struct plot *plot = paper->plots; plot && plot->id; plot++)
        for (int k = 0; k < LINES_MAX && plot->line[k].label; k++) {
            const char *algo = plot->line[k].algo;
            if (!registry_algo(algo) && !registry_estimator(algo) && !paper_program(paper, algo))
                continue;                /* the method is from a plug-in that is not loaded */
            struct planned_claim line = { .paper = paper, .plot = plot, .line = k };
            TRY(add_line(p, r, &line, s, why));
        }
    return OK;
}

/* --- making the whole plan, and its next stages and rounds */

static enum status add_claims(struct plan *p, struct runner *r, const struct paper *paper,
                              const struct selection *s, struct why *why)
{
    const struct claim *c;
    for (struct claim_walk all = claims_of(paper); (c = next_claim(&all)); )
        if (claim_matches(c, paper, s)) {
            struct planned_claim planned = { .claim = c, .paper = paper };
            TRY(add_planned(p, r, s, &planned, why));
        }
    return OK;
}

/* Adds the selected claims of all papers, then the selected lines of their plots. */
static enum status add_papers(struct plan *p, struct runner *r, const struct selection *s,
                              struct why *why)
{
    const struct paper *paper;
    for (int lines = 0; lines < 2; lines++)
        for (int k = 0; (paper = paper_at(k, s->planted)); k++)
            TRY(lines ? add_plots(p, r, paper, s, why) : add_claims(p, r, paper, s, why));
    return OK;
}

enum status plan_next(const struct selection *s, struct plan *p, struct record *const *record,
                      bool *grew, struct why *why)
{
    struct runner *r = runner_new(0);
    enum status status = OK;
    *grew = false;
    for (int k = 0; k < p->claims + p->lines && status == OK; k++) {
        if (!p->claim[k].searching)
            continue;
        struct planning g = { p, r, s, p->claim[k].claim, &p->claim[k] };
        int before = p->claim[k].tasks;
        status = add_all(&g, record, 0, why);
        *grew |= p->claim[k].tasks > before;
        p->claim[k].searching = false;
    }
    runner_free(r);
    return status;
}

enum status plan_double(const struct selection *s, struct plan *p, int k,
                        struct record *const *record, struct why *why)
{
    struct planned_claim *planned = &p->claim[k];
    struct planning g = { p, runner_new(0), s, planned->claim, planned };
    long before = planned->reps;
    planned->reps *= 2;
    planned->round++;
    enum status status = add_all(&g, record, before, why);
    runner_free(g.runner);
    return status;
}

enum status plan_make(const struct selection *s, struct plan *p, struct why *why)
{
    memset(p, 0, sizeof *p);
    struct runner *r = runner_new(0);
    enum status status = add_papers(p, r, s, why);
    runner_free(r);
    if (status == OK)
        status = check_ranges(p, s, why);
    if (status == OK && p->claims + p->lines == 0)
        status = why_set(why, BAD_INPUT, "nothing selected: no claim matches; see `assay list claims`");
    if (status != OK)
        plan_free(p);
    return status;
}

void plan_free(struct plan *p)
{
    for (int k = 0; k < p->cells; k++)
        cell_free(p->cell[k]);
    for (int k = 0; k < p->claims + p->lines; k++) {
        free(p->claim[k].task);
        if (p->claim[k].plot)
            free((void *)p->claim[k].claim);
    }
    plan_forget_facts(p);
    free(p->cell);
    free(p->slot);
    free(p->claim);
    memset(p, 0, sizeof *p);
}
