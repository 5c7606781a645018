/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reported_plan.c - from reported runs to a plan with its records: cells that no worker runs, the lines of a sweep,
 * the roles of a claim. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "cell/registry.h"
#include "judge/theorems.h"
#include "oracle.h"
#include "plan/measure.h"
#include "plan/promise.h"
#include "studies/reported.h"
#include "studies/sweep.h"

/* Values of an axis that a plot or a claim takes where the file has more: 33 are four a decade over eight decades. */
enum { POINTS_MOST = 33, AXES_MAX = 6, PARAMS_MAX = 48 };
/* Targets of the curves of what is reached, as of `assay sweep`. */
enum { TARGETS = 15 };
static const double TARGET[2] = { 0.5, 1e-5 };

/* What the plan points to. */
struct reported_made {
    struct arena *arena;
    const struct reported *r;
    const struct reported_request *q;
    const char *measure;
    struct measure measures[2];
    struct problem problem;
    struct algo algo;
    struct param param[PARAMS_MAX + 1];  /* settings of methods, so that a bound may name them */
    int params;
    struct plot *plot;
    int plots;
    struct claim claim[2];
    struct promise promise;
    struct promise_names names;
    struct theorem_row row[2];
    struct theorem theorem[2];
    struct paper paper;
    bool registered;                     /* the registry points to it: it lives as long as the program */
};

__attribute__((format(printf, 2, 3)))
static const char *text_of(struct reported_made *m, const char *format, ...)
{
    char text[600];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return strcpy(arena_bytes(m->arena, strlen(text) + 1), text);
}

/* A name as a part of an id, which becomes the name of a file. */
static const char *slug(struct reported_made *m, const char *name)
{
    char *text = (char *)text_of(m, "%.24s", name);
    for (char *c = text; *c; c++)
        *c = isalnum((unsigned char)*c) || strchr("-_", *c) ? *c : '-';
    return text;
}

static const char *bare(const char *setting) { return strchr(setting, '.') ? strchr(setting, '.') + 1 : setting; }

/* Is the name one of a list by commas? Names may hold commas themselves. */
static bool is_listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at++)
        if ((at == list || at[-1] == ',') && (!at[n] || at[n] == ','))
            return true;
    return false;
}

static int find_setting(const struct reported *r, const char *name)
{
    for (int k = 0; k < r->settings; k++)
        if (strcmp(r->setting[k].name, name) == 0 || strcmp(bare(r->setting[k].name), name) == 0)
            return k;
    return -1;
}

/* --- cells and records */

static void add_param(struct reported_made *m, const char *name)
{
    for (int k = 0; k < m->params; k++)
        if (strcmp(m->param[k].name, name) == 0)
            return;
    if (m->params < PARAMS_MAX) {
        m->param[m->params] = (struct param){ .name = text_of(m, "%s", name), .type = PARAM_REAL,
                                              .offset = (size_t)m->params * sizeof(double), .def = NAN,
                                              .lo = -INFINITY, .hi = INFINITY, .unit = "", .doc = "" };
        m->params++;
    }
}

static void find_params(struct reported_made *m)
{
    for (int k = 0; k < m->r->runs; k++) {
        const struct record *record = m->r->run[k].record;
        for (size_t i = 0; i < record->values; i++)
            if (strncmp(record->name[i], "param.", 6) == 0)
                add_param(m, record->name[i] + 6);
    }
}

static struct cell *cell_of(struct reported_made *m, const struct reported_run *run)
{
    struct cell *c = ARENA_ARRAY(m->arena, 1, struct cell);
    *c = (struct cell){ .text = run->record->cell, .problem = &m->problem, .algo = &m->algo,
                        .algo_params = arena_vec(m->arena, PARAMS_MAX), .goal = goal_unknown(), .rep = run->rep,
                        .expected = NAN };
    for (int k = 0; k < m->r->settings; k++) {
        const char *name = m->r->setting[k].name;
        double *member = strncmp(name, "goal.", 5) ? NULL : goal_member(&c->goal, name + 5);
        if (member && !run->with[k].text)
            *member = run->with[k].number;
    }
    return c;
}

/* The plan's cells and records: those of all runs, and no claim yet. */
static void begin_plan(const struct reported *r, const struct reported_request *q, struct reported_plan *p)
{
    struct reported_made *m = calloc(1, sizeof *m);
    BUG_IF(!m);
    *p = (struct reported_plan){ .made = m };
    *m = (struct reported_made){ .arena = arena_new(0), .r = r, .q = q, .measure = q->measure ? q->measure : r->measure };
    m->measures[0] = (struct measure){ .name = m->measure, .unit = "", .doc = "as reported", .certainty = EXACT };
    m->problem = (struct problem){ .name = "reported", .measures = m->measures };
    find_params(m);
    m->algo = (struct algo){ .name = "reported", .params = m->param, .params_size = PARAMS_MAX * sizeof(double) };
    p->plan.cells = r->runs;
    p->plan.cell = calloc((size_t)r->runs + 1, sizeof *p->plan.cell);
    p->record = calloc((size_t)r->runs + 1, sizeof *p->record);
    BUG_IF(!p->plan.cell || !p->record);
    for (int k = 0; k < r->runs; k++) {
        p->plan.cell[k] = cell_of(m, &r->run[k]);
        p->record[k] = r->run[k].record;
        record_put(p->record[k], "measure.seconds", p->record[k]->seconds > 0 ? p->record[k]->seconds : NAN);
    }
}

void reported_plan_free(struct reported_plan *p)
{
    struct reported_made *m = p->made;
    for (int k = 0; k < p->plan.claims + p->plan.lines; k++)
        free(p->plan.claim[k].task);
    free(p->plan.claim);
    free(p->plan.cell);
    free(p->record);
    free(p->judgement);
    if (m && !m->registered) {
        free(m->plot);
        arena_free(m->arena);
        free(m);
    }
    memset(p, 0, sizeof *p);
}

/* --- which runs */

/* Runs of one method on one problem: fixed settings have the value of `with`. */
struct wanted {
    const char *problem, *method;        /* NULL: any */
    bool fixed[REPORTED_SETTINGS];
    struct reported_value with[REPORTED_SETTINGS];
};

static bool same_value(const struct reported_value *a, const struct reported_value *b)
{
    if (a->text || b->text)
        return a->text && b->text && strcmp(a->text, b->text) == 0;
    return a->number == b->number || (isnan(a->number) && isnan(b->number));
}

static bool in_ranges(const struct reported *r, const struct reported_request *q, const struct reported_run *run)
{
    for (int k = 0; k < q->ranges; k++) {
        const struct range *range = &q->range[k];
        int s = find_setting(r, range->name);
        double x = s < 0 ? NAN : run->with[s].number;
        bool in = range->ends && x >= range->value[0] * (1 - 1e-12) && x <= range->value[1] * (1 + 1e-12);
        for (int i = 0; !range->ends && i < range->values; i++)
            in |= x == range->value[i];
        if (!in)
            return false;
    }
    return true;
}

static bool matches(const struct reported_made *m, const struct wanted *w, int axis, const struct reported_run *run)
{
    const struct reported *r = m->r;
    if ((w->method && strcmp(w->method, run->method)) || (w->problem && strcmp(w->problem, run->problem)))
        return false;
    for (int k = 0; k < r->settings; k++)
        if (k != axis && w->fixed[k] && !same_value(&w->with[k], &run->with[k]))
            return false;
    return in_ranges(r, m->q, run) && (axis < 0 || (!run->with[axis].text && run->with[axis].number > 0 &&
                                                    isfinite(run->with[axis].number)));
}

static enum status fix(const struct reported *r, struct wanted *w, const char *option, const char *name, const char *text,
                       double number, struct why *why)
{
    int s = find_setting(r, name);
    if (s < 0)
        return why_set(why, BAD_INPUT, "--%s %.60s: no column of the results has this name", option, name);
    w->fixed[s] = true;
    w->with[s] = (struct reported_value){ text, number };
    return OK;
}

static enum status fix_settings(const struct reported_made *m, struct wanted *w, struct why *why)
{
    for (int k = 0; m->q->set && k < m->q->set->count; k++) {
        const struct assignment *a = &m->q->set->at[k];
        TRY(fix(m->r, w, "set", a->name, a->text, a->value, why));
    }
    return OK;
}

/* --- the values of an axis */

struct points { int n; double value[FIT_POINTS_MAX]; bool thinned; };

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of more values than are drawn, those nearest to a geometric grid. */
static void thin(double *value, int n, struct points *p)
{
    p->thinned = n > POINTS_MOST;
    for (int k = 0; k < (p->thinned ? POINTS_MOST : n); k++) {
        double wanted = p->thinned ? value[0] * pow(value[n - 1] / value[0], (double)k / (POINTS_MOST - 1)) : value[k];
        double best = value[k];
        for (int i = 0; p->thinned && i < n; i++)
            if (fabs(log(value[i] / wanted)) < fabs(log(best / wanted)))
                best = value[i];
        if (!p->n || best > p->value[p->n - 1])
            p->value[p->n++] = best;
    }
}

static struct points points_of(const struct reported_made *m, const struct wanted *w, int axis)
{
    struct points p = { .n = 0 };
    int n = 0, kept = 0;
    double *value = malloc(((size_t)m->r->runs + 1) * sizeof *value);
    BUG_IF(!value);
    for (int k = 0; k < m->r->runs; k++)
        if (matches(m, w, axis, &m->r->run[k]))
            value[n++] = m->r->run[k].with[axis].number;
    if (n)
        qsort(value, (size_t)n, sizeof *value, by_number);
    for (int k = 0; k < n; k++)
        if (!kept || value[k] > value[kept - 1])
            value[kept++] = value[k];
    if (kept)
        thin(value, kept, &p);
    free(value);
    return p;
}

static int place_on(const struct points *p, double value)
{
    for (int k = 0; k < p->n; k++)
        if (p->value[k] == value)
            return k;
    return -1;
}

/* --- planned claims */

static struct planned_claim *add_planned(struct reported_plan *p, const struct planned_claim *c)
{
    int n = p->plan.claims + p->plan.lines;
    p->plan.claim = realloc(p->plan.claim, (size_t)(n + 1) * sizeof *p->plan.claim);
    BUG_IF(!p->plan.claim);
    p->plan.claim[n] = *c;
    *(c->plot ? &p->plan.lines : &p->plan.claims) += 1;
    return &p->plan.claim[n];
}

static void add_task(struct planned_claim *c, enum role role, int point, double axis, long rep, int cell)
{
    if (c->tasks == c->task_room) {
        c->task_room = c->task_room ? 2 * c->task_room : 64;
        c->task = realloc(c->task, (size_t)c->task_room * sizeof *c->task);
        BUG_IF(!c->task);
    }
    c->task[c->tasks++] = (struct task){ .claim = c->claim, .role = role, .point = point, .axis = axis, .rep = rep,
                                         .grid = -1, .searched = NAN, .cell = cell };
}

static int by_place(const void *a, const void *b)
{
    const struct task *x = a, *y = b;
    int c = (x->role > y->role) - (x->role < y->role);
    c = c ? c : (x->point > y->point) - (x->point < y->point);
    return c ? c : (x->rep > y->rep) - (x->rep < y->rep);
}

static void add_role(const struct reported_made *m, struct planned_claim *c, enum role role, const struct wanted *w,
                     int axis, const struct points *points)
{
    for (int k = 0; k < m->r->runs; k++) {
        const struct reported_run *run = &m->r->run[k];
        int point = matches(m, w, axis, run) ? place_on(points, run->with[axis].number) : -1;
        if (point >= 0)
            add_task(c, role, point, points->value[point], run->rep, k);
    }
}

static int by_long(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* Numbers the replicates from 0 on without gaps, the same number in all roles; returns how many. */
static long renumber(struct planned_claim *c)
{
    long *rep = malloc(((size_t)c->tasks + 1) * sizeof *rep), n = 0;
    BUG_IF(!rep);
    for (int k = 0; k < c->tasks; k++)
        rep[k] = c->task[k].rep;
    if (c->tasks)
        qsort(rep, (size_t)c->tasks, sizeof *rep, by_long);
    for (int k = 0; k < c->tasks; k++)
        if (!n || rep[k] > rep[n - 1])
            rep[n++] = rep[k];
    for (int k = 0; k < c->tasks; k++)
        c->task[k].rep = (long *)bsearch(&c->task[k].rep, rep, (size_t)n, sizeof *rep, by_long) - rep;
    free(rep);
    if (c->tasks)
        qsort(c->task, (size_t)c->tasks, sizeof *c->task, by_place);
    return n;
}

static void finish_planned(struct planned_claim *c, const struct points *points)
{
    c->reps = renumber(c);
    c->points = points->n;
    c->from = points->value[0];
    c->to = points->value[points->n ? points->n - 1 : 0];
}

/* --- a sweep */

static void add_note(struct reported_plan *p, const char *note)
{
    size_t n = strlen(p->note);
    if (!strstr(p->note, note))
        snprintf(p->note + n, sizeof p->note - n, "%s%s", n ? "; " : "", note);
}

/* Does a number setting have several values among these runs? */
static bool varies(const struct reported_made *m, const struct wanted *w, int setting)
{
    const struct reported_value *first = NULL;
    for (int k = 0; k < m->r->runs; k++) {
        const struct reported_run *run = &m->r->run[k];
        if (!matches(m, w, -1, run))
            continue;
        if (first && !same_value(first, &run->with[setting]))
            return true;
        first = first ? first : &run->with[setting];
    }
    return false;
}

static bool is_of(const char *setting, const char *scope)
{
    size_t n = strlen(scope);
    return strncmp(setting, scope, n) == 0 && setting[n] == '.';
}

/* The lines of a plot along an axis: one for each method and each value of all other settings. */
static bool line_exists(const struct wanted *list, int n, const struct reported_made *m, const struct reported_run *run,
                        int axis)
{
    for (int k = 0; k < n; k++)
        if (matches(m, &list[k], axis, run))
            return true;
    return false;
}

static const char *label_of(struct reported_made *m, const struct wanted *w, const struct wanted *all, int axis)
{
    char text[300], number[32];
    snprintf(text, sizeof text, "%.200s", w->method);
    for (int k = 0; k < m->r->settings; k++) {
        const struct reported_value *v = &w->with[k];
        size_t n = strlen(text);
        if (k != axis && (v->text || !isnan(v->number)) && varies(m, all, k))
            snprintf(text + n, sizeof text - n, ", %.40s=%.60s", bare(m->r->setting[k].name),
                     v->text ? v->text : number_text(v->number, number));
    }
    return text_of(m, "%s", text);
}

static struct plot *add_plot(struct reported_made *m, const struct plot *plot)
{
    m->plot = realloc(m->plot, (size_t)(m->plots + 1) * sizeof *m->plot);
    BUG_IF(!m->plot);
    m->plot[m->plots] = *plot;
    return &m->plot[m->plots++];
}

/* The lines are found first and planned when all plots are known, since these move while they grow. */
struct line { int plot, at; struct wanted runs; int axis; };
struct lines { struct line *at; int n; };

static void add_line(struct lines *list, const struct line *l)
{
    list->at = realloc(list->at, (size_t)(list->n + 1) * sizeof *list->at);
    BUG_IF(!list->at);
    list->at[list->n++] = *l;
}

/* The lines of a problem along an axis, in plots of at most LINES_MAX lines. */
static void add_along(struct reported_made *m, struct reported_plan *p, struct lines *list, const char *problem,
                      int axis)
{
    struct wanted *known = calloc((size_t)m->r->runs + 1, sizeof *known), all = { .problem = problem };
    int plots = m->plots, before = list->n;
    struct why why = { "" };
    const char *name = bare(m->r->setting[axis].name);
    int n = 0, lines = 0;
    BUG_IF(!known);
    fix_settings(m, &all, &why);
    for (int k = 0; k < m->r->runs; k++) {
        const struct reported_run *run = &m->r->run[k];
        if (!matches(m, &all, axis, run) || (m->q->algorithm && !is_listed(m->q->algorithm, run->method)) ||
            line_exists(known, n, m, run, axis))
            continue;
        struct wanted *w = &known[n++];
        w->problem = run->problem;
        w->method = run->method;
        for (int s = 0; s < m->r->settings; s++) {
            w->fixed[s] = s != axis;
            w->with[s] = run->with[s];
        }
        if (points_of(m, w, axis).n < 2)
            continue;
        if (lines % LINES_MAX == 0) {
            int part = lines / LINES_MAX;
            add_plot(m, &(struct plot){
                .kind = PLOT_POINTS, .axis = name, .measure = m->measure, .problem = problem,
                .id = text_of(m, PAPER_REPORTED "/figure.%d.%s.%s.%s", m->plots + 1, slug(m, problem), slug(m, m->measure),
                              slug(m, name)),
                .title = text_of(m, "%s on %s along %s%s", m->measure, problem, name,
                                 part ? text_of(m, ", part %d", part + 1) : ""),
                .says = "The mean over the replicates, with its 95% interval, as reported." });
        }
        int at = lines++ % LINES_MAX;
        m->plot[m->plots - 1].line[at] = (struct plot_line){ .label = label_of(m, w, &all, axis), .algo = w->method,
                                                             .problem = problem };
        add_line(list, &(struct line){ m->plots - 1, at, *w, axis });
    }
    if (lines > LINES_MAX && !reported_is_budget(m->r->setting[axis].name)) {
        add_note(p, text_of(m, "along %s there are %d lines: --set NAME=VALUE leaves fewer, which are drawn", name, lines));
        m->plots = plots;
        list->n = before;
    }
    free(known);
}

/* The costs that all runs have, in this order: what is asked for; a count; seconds; what ends a run. */
static bool all_have(const struct reported_made *m, const char *cost)
{
    double y;
    for (int k = 0; k < m->r->runs; k++)
        if (!measure_get(cost, m->r->run[k].record, &y) || !(y > 0))
            return false;
    return true;
}

static enum status choose_cost(struct reported_made *m, struct reported_plan *p, struct why *why)
{
    static const char *const first[] = { "sample_grads", "batch_steps" };
    static const char *const others[] = { "seconds", "goal.budget", "goal.n", "goal.T" };
    if (m->q->cost) {
        int s = find_setting(m->r, m->q->cost);
        p->cost = s >= 0 ? m->r->setting[s].name : m->q->cost;
        return all_have(m, p->cost) ? OK
             : why_set(why, BAD_INPUT, "--x %.60s: expected a column that is above 0 in every run", m->q->cost);
    }
    for (int k = -2; k < COUNT_KINDS; k++) {
        const char *count = k < 0 ? first[k + 2] : count_name(k);
        if (all_have(m, count)) {
            p->cost = count;
            return OK;
        }
    }
    for (int k = 0; k < 4; k++)
        if (all_have(m, others[k])) {
            p->cost = others[k];
            return OK;
        }
    return OK;
}

/* The same lines as those of plot `from`, against cost. */
static void add_cost(struct reported_made *m, struct lines *list, int from, const char *cost)
{
    struct plot copy = m->plot[from];
    int lines = list->n;
    copy.x = cost;
    copy.id = text_of(m, "%s.by.%s", copy.id, slug(m, cost));
    copy.title = text_of(m, "%s, against %s", copy.title, cost);
    copy.says = "The same runs by what they cost, as reported.";
    add_plot(m, &copy);
    for (int k = 0; k < lines; k++)
        if (list->at[k].plot == from) {
            struct line l = list->at[k];
            l.plot = m->plots - 1;
            add_line(list, &l);
        }
}

static const struct claim *claim_of(struct reported_made *m, const struct plot *plot, int at)
{
    struct claim *c = ARENA_ARRAY(m->arena, 1, struct claim);
    *c = (struct claim){ .id = plot->id, .cite = "", .item = "", .says = plot->says, .kind = KIND_EVIDENCE,
                         .check = CHECK_FIGURE, .algo = plot->line[at].algo, .problem = plot->line[at].problem,
                         .axis = plot->axis, .measure = plot->measure };
    return c;
}

/* Do the options name the method and the problem of the run, and its place on the axes? */
static bool is_asked(const struct reported_made *m, const struct reported_run *run)
{
    const struct reported_request *q = m->q;
    return (!q->algorithm || is_listed(q->algorithm, run->method)) &&
           (!q->problem || is_listed(q->problem, run->problem)) && in_ranges(m->r, q, run);
}

/* What each method reached of all its runs: a curve of every method. */
static void plan_reached(struct reported_made *m, struct reported_plan *p, int plot)
{
    for (int at = 0; at < LINES_MAX && m->plot[plot].line[at].label; at++) {
        const struct claim *claim = claim_of(m, &m->plot[plot], at);
        struct planned_claim *c = add_planned(p, &(struct planned_claim){
            .claim = claim, .paper = &m->paper, .plot = &m->plot[plot], .line = at, .points = 1 });
        for (int k = 0; k < m->r->runs; k++)
            if (is_asked(m, &m->r->run[k]) && strcmp(m->r->run[k].method, claim->algo) == 0)
                add_task(c, ROLE_MAIN, 0, 1, k, k);
        c->reps = renumber(c);
    }
}

static bool marked(const struct reported_made *m, const char *cost)
{
    for (int k = 0; k < m->r->runs; k++)
        if (measure_column(&m->r->run[k].record->trace, cost) < 0)
            return false;
    return true;
}

static void add_reached(struct reported_made *m, struct reported_plan *p, enum plot_kind kind)
{
    bool ecdf = kind == PLOT_REACHED;
    int n = 0;
    struct plot *plot = add_plot(m, &(struct plot){
        .kind = kind, .x = p->cost, .axis = "", .measure = m->measure, .problem = "", .targets = TARGETS,
        .target = { TARGET[0], TARGET[1] },
        .id = text_of(m, PAPER_REPORTED "/figure.%s.%s", ecdf ? "reached" : "profile", slug(m, p->cost)),
        .title = text_of(m, ecdf ? "Targets reached against %s" : "Performance profile in %s", p->cost),
        .says = ecdf ? "The part of 15 targets, from 1/2 to 10^-5 of the value at the start, that is reached by each cost "
                       "as reported, over all problems, settings and replicates."
                     : "The same targets: at 1 the part at which a method is the first, to the right what it reaches at "
                       "all." });
    for (int k = 0; k < m->r->runs; k++) {
        const char *method = m->r->run[k].method;
        int at = 0;
        if (!is_asked(m, &m->r->run[k]))
            continue;
        while (at < n && strcmp(plot->line[at].label, method))
            at++;
        if (at == LINES_MAX) {
            m->plots--;
            add_note(p, "more than 16 methods: no figure of targets reached");
            return;
        }
        if (at == n)
            plot->line[n++] = (struct plot_line){ .label = method, .algo = method, .problem = "" };
    }
}

static void plan_lines(struct reported_made *m, struct reported_plan *p, const struct lines *list)
{
    for (int plot = 0; plot < m->plots; plot++) {
        if (m->plot[plot].kind != PLOT_POINTS)
            plan_reached(m, p, plot);
        for (int k = 0; k < list->n; k++) {
            const struct line *l = &list->at[k];
            if (l->plot != plot)
                continue;
            struct points points = points_of(m, &l->runs, l->axis);
            if (points.thinned)
                add_note(p, "of an axis with more than 33 values, those nearest to a geometric grid are taken");
            struct planned_claim *c = add_planned(p, &(struct planned_claim){
                .claim = claim_of(m, &m->plot[plot], l->at), .paper = &m->paper, .plot = &m->plot[plot], .line = l->at });
            add_role(m, c, ROLE_MAIN, &l->runs, l->axis, &points);
            finish_planned(c, &points);
        }
    }
}

static enum status known_names(const struct reported *r, const struct reported_request *q, struct why *why)
{
    char methods[300] = "", problems[300] = "";
    bool method = !q->algorithm, problem = !q->problem;
    for (int k = 0; k < r->runs; k++) {
        const struct { const char *name; char *list; } word[] = { { r->run[k].method, methods }, { r->run[k].problem, problems } };
        method = method || is_listed(q->algorithm, r->run[k].method);
        problem = problem || is_listed(q->problem, r->run[k].problem);
        for (int i = 0; i < 2; i++)
            if (!strstr(word[i].list, word[i].name) && strlen(word[i].list) + strlen(word[i].name) + 3 < sizeof methods)
                snprintf(word[i].list + strlen(word[i].list), sizeof methods - strlen(word[i].list), "%s%s",
                         *word[i].list ? ", " : "", word[i].name);
    }
    if (!method)
        return why_set(why, BAD_INPUT, "--algorithm %.80s: the results have %.200s", q->algorithm, methods);
    return problem ? OK : why_set(why, BAD_INPUT, "--problem %.80s: the results have %.200s", q->problem, problems);
}

static enum status add_plots(struct reported_made *m, struct reported_plan *p, struct lines *list, struct why *why)
{
    struct wanted all = { .method = NULL };
    TRY(fix_settings(m, &all, why));
    for (int axis = 0; axis < m->r->settings; axis++) {
        if (is_of(m->r->setting[axis].name, "algo"))
            continue;
        for (int k = 0; k < m->r->runs; k++) {
            const char *problem = m->r->run[k].problem;
            bool before = m->q->problem && !is_listed(m->q->problem, problem);
            for (int i = 0; i < k && !before; i++)
                before = strcmp(m->r->run[i].problem, problem) == 0;
            if (!before)
                add_along(m, p, list, problem, axis);
        }
    }
    return m->plots ? OK : why_set(why, BAD_INPUT, "no setting of the results has several values: expected a column as n, "
                                                   "T, d or problem.X, which is the axis");
}

enum status reported_sweep(const struct reported *r, const struct reported_request *q, struct reported_plan *p,
                           struct why *why)
{
    struct lines list = { NULL, 0 };
    begin_plan(r, q, p);
    struct reported_made *m = p->made;
    m->paper = (struct paper){ .key = PAPER_REPORTED, .title = "Results as reported", .cite = "as reported" };
    enum status s = known_names(r, q, why);
    if (s == OK)
        s = add_plots(m, p, &list, why);
    if (s == OK)
        s = choose_cost(m, p, why);
    if (s == OK && p->cost) {
        for (int k = 0; k < r->runs; k++)
            if (!p->record[k]->trace.rows)
                sweep_mark_ends(p->record[k], m->measure, p->cost);
        for (int k = 0, along = m->plots; k < along; k++)
            if (strcmp(m->plot[k].axis, bare(p->cost)))
                add_cost(m, &list, k, p->cost);
        if (marked(m, p->cost)) {
            add_reached(m, p, PLOT_REACHED);
            add_reached(m, p, PLOT_PROFILE);
        } else {
            add_note(p, "no figure of targets reached: not every run tells its idle value and its cost");
        }
    }
    if (s == OK) {
        plan_lines(m, p, &list);
        p->cost = p->cost ? p->cost : r->setting[list.at[0].axis].name;
        p->judgement = judge_none(&p->plan);
    }
    free(list.at);
    return s;
}

/* --- a claim */

static bool mentions(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = text; text && (at = strstr(at, name)); at += n)
        if ((at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
            !(isalnum((unsigned char)at[n]) || at[n] == '_'))
            return true;
    return false;
}

/* The setting that the promise is about: that of a range, else the one that varies, and that the promise names where
 * several vary. */
static enum status choose_axis(const struct reported_made *m, const struct wanted *w, int *axis, struct why *why)
{
    char list[200] = "";
    int n = 0, named = 0, last = -1, last_named = -1;
    for (int k = 0; k < m->q->ranges; k++) {
        *axis = find_setting(m->r, m->q->range[k].name);
        if (*axis < 0)
            return why_set(why, BAD_INPUT, "--%s: no column of the results has this name", m->q->range[k].name);
    }
    if (m->q->ranges == 1)
        return OK;
    for (int k = 0; k < m->r->settings; k++) {
        const char *name = bare(m->r->setting[k].name);
        if (is_of(m->r->setting[k].name, "algo") || !varies(m, w, k))
            continue;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.40s", n++ ? ", " : "", name);
        last = k;
        if (mentions(m->q->promise, name)) {
            named++;
            last_named = k;
        }
    }
    *axis = named == 1 ? last_named : last;
    if (n == 1 || named == 1)
        return OK;
    return n ? why_set(why, BAD_INPUT, "the results vary along %s: expected --NAME FROM..TO for the axis of the promise", list)
             : why_set(why, BAD_INPUT, "no setting of these runs has several values, along which anything could be promised");
}

/* Do some of these runs not state a setting that others state? Those are meant where nobody asks for a value. */
static bool some_lack(const struct reported_made *m, const struct wanted *w, int axis, int setting)
{
    bool lacks = false, states = false;
    for (int k = 0; k < m->r->runs; k++)
        if (matches(m, w, axis, &m->r->run[k])) {
            const struct reported_value *v = &m->r->run[k].with[setting];
            *(v->text || !isnan(v->number) ? &states : &lacks) = true;
        }
    return lacks && states;
}

/* Every setting of these runs but the axis has one value, which becomes fixed. */
static enum status fix_rest(const struct reported_made *m, struct wanted *w, int axis, const char *who, struct why *why)
{
    const struct reported_run *first = NULL;
    for (int s = 0; s < m->r->settings; s++)
        if (s != axis && !w->fixed[s] && some_lack(m, w, axis, s)) {
            w->fixed[s] = true;
            w->with[s] = (struct reported_value){ NULL, NAN };
        }
    for (int k = 0; k < m->r->runs; k++) {
        const struct reported_run *run = &m->r->run[k];
        if (!matches(m, w, axis, run))
            continue;
        for (int s = 0; first && s < m->r->settings; s++)
            if (s != axis && !same_value(&first->with[s], &run->with[s]))
                return why_set(why, BAD_INPUT, "%.120s: its runs differ in %.60s too: expected one value of it, as --set "
                               "%.60s=VALUE", who, m->r->setting[s].name, m->r->setting[s].name);
        first = first ? first : run;
    }
    if (!first)
        return why_set(why, BAD_INPUT, "%.120s: no run of the results is of this kind", who);
    w->problem = first->problem;
    w->method = first->method;
    for (int s = 0; s < m->r->settings; s++) {
        w->fixed[s] = s != axis;
        w->with[s] = first->with[s];
    }
    return OK;
}

/* The longest name of a method that a text begins with, before its end or a comma: names may hold commas and equal
 * signs themselves, as "GD[scale=0.1]". NULL: there is none. */
static const char *method_at(const struct reported *r, const char *text)
{
    const char *found = NULL;
    for (int k = 0; k < r->runs; k++) {
        const char *name = r->run[k].method;
        size_t n = strlen(name);
        if (strncmp(text, name, n) == 0 && (!text[n] || text[n] == ',') && (!found || n > strlen(found)))
            found = name;
    }
    return found;
}

/* Runs of another method have settings of their own. */
static void take_method(const struct reported *r, const char *method, struct wanted *w, struct variant *v)
{
    v->algo = w->method = method;
    for (int s = 0; s < r->settings; s++)
        w->fixed[s] &= !is_of(r->setting[s].name, "algo");
}

/* "METHOD", "problem.decades=0.3", "METHOD,algo.step=0.1" */
static enum status read_variant(struct reported_made *m, const struct wanted *own, int axis, const char *option,
                                const char *text, struct wanted *w, struct variant *v, struct why *why)
{
    const char *method = method_at(m->r, text);
    char *rest = (char *)text_of(m, "%.500s", text), *word;
    *w = *own;
    *v = (struct variant){ .why = text_of(m, "as reported: %.400s", text) };
    if (method) {
        take_method(m->r, method, w, v);
        rest += strlen(method);
        rest = *rest ? rest + 1 : NULL;
    }
    while ((word = strsep(&rest, ","))) {
        char *equals = strchr(word, '=');
        double number;
        if (!equals)
            return why_set(why, BAD_INPUT, "--%s %.80s: expected a method of the results or NAME=VALUE, not '%.60s'", option,
                           text, word);
        *equals = '\0';
        if (strcmp(word, "problem") == 0) {
            v->problem = w->problem = equals + 1;
            continue;
        }
        bool is_number = number_parse(equals + 1, &number);
        TRY(fix(m->r, w, option, word, is_number ? NULL : equals + 1, is_number ? number : NAN, why));
        v->algo = v->algo ? v->algo : own->method;
    }
    return fix_rest(m, w, axis, text_of(m, "--%s %.80s", option, text), why);
}

static enum status set_promise(struct reported_made *m, struct why *why)
{
    const struct reported_request *q = m->q;
    struct claim *c = m->claim;
    m->names = (struct promise_names){ c->axis, m->param };
    if (!q->promise) {
        c->check = CHECK_ORDER;
        c->says = text_of(m, "%s of %s is below that of %s", m->measure, c->algo, q->against);
        return OK;
    }
    TRY(promise_parse("--promise", q->promise, &m->names, &m->promise, why));
    if (q->against && (m->promise.check == CHECK_BOUND || m->promise.law.form == LAW_SUM))
        return why_set(why, BAD_INPUT, "--against %.60s: expected one power as the law of the ratio, or no --promise",
                       q->against);
    promise_use(&m->promise, &m->names, c);
    return OK;
}

static enum status set_row(struct reported_made *m, struct why *why)
{
    struct theorem_row *row = m->row;
    struct claim *c = m->claim;
    *row = (struct theorem_row){ .axis = c->axis, .quantity = c->measure, .claim = c->id,
                                 .promise = { .text = c->says, .exponent = c->law.exponent[0] } };
    for (int k = 0; k < RIVALS_MAX && m->q->rival[k]; k++) {
        row->rivals[k] = (struct row_law){ .text = m->q->rival[k] };
        if (c->check != CHECK_RATE || c->law.form != LAW_POWER)
            return why_set(why, BAD_INPUT, "--rival %.60s: expected a --promise of one power with a band", m->q->rival[k]);
        TRY(promise_rival("--rival", m->q->rival[k], c->axis, &row->rivals[k].exponent, why));
    }
    m->theorem[0] = (struct theorem){ .id = PAPER_REPORTED "/promise", .cite = "as reported", .says = c->says,
                                      .rows = row };
    return OK;
}

static enum status make_claim(struct reported_made *m, struct reported_plan *p, struct why *why)
{
    static const struct item none[] = { { 0 } };
    const struct reported_request *q = m->q;
    struct wanted main = { .method = q->algorithm, .problem = q->problem }, other;
    struct claim *c = m->claim;
    int axis;
    TRY(known_names(m->r, q, why));
    TRY(fix_settings(m, &main, why));
    for (int k = 0; k < m->r->runs; k++) {
        const struct reported_run *run = &m->r->run[k];
        if (!q->algorithm && strcmp(run->method, m->r->run[0].method))
            return why_set(why, BAD_INPUT, "the results have several methods: expected --algorithm NAME for that of the promise");
        if (!q->problem && strcmp(run->problem, m->r->run[0].problem))
            return why_set(why, BAD_INPUT, "the results have several problems: expected --problem NAME");
    }
    TRY(choose_axis(m, &main, &axis, why));
    TRY(fix_rest(m, &main, axis, text_of(m, "%s", main.method ? main.method : m->r->run[0].method), why));
    const char *name = bare(m->r->setting[axis].name);
    *c = (struct claim){ .id = text_of(m, PAPER_REPORTED "/%s.%s.%s.%s", slug(m, main.method), slug(m, main.problem),
                                       slug(m, m->measure), slug(m, name)),
                         .cite = text_of(m, "%.500s", q->command), .item = "", .kind = KIND_THEOREM, .algo = main.method,
                         .problem = main.problem, .axis = name, .measure = m->measure, .rounds = 1, .tests = "none",
                         .tests_none = "the method is known by its results alone",
                         .remark = "Counts and measures as reported: this program has not run the method and counted none of "
                                   "its questions." };
    TRY(set_promise(m, why));
    struct points points = points_of(m, &main, axis);
    struct planned_claim *planned = add_planned(p, &(struct planned_claim){ .claim = c, .paper = &m->paper });
    add_role(m, planned, ROLE_MAIN, &main, axis, &points);
    const struct { const char *option, *text; struct variant *variant; enum role role; } roles[] = {
        { "against", q->against, &c->than, ROLE_RIVAL }, { "control", q->control[0], &c->control, ROLE_CONTROL },
        { "control", q->control[1], &c->control2, ROLE_CONTROL2 } };
    for (int k = 0; k < 3; k++)
        if (roles[k].text) {
            TRY(read_variant(m, &main, axis, roles[k].option, roles[k].text, &other, roles[k].variant, why));
            add_role(m, planned, roles[k].role, &other, axis, &points);
            if (k && q->against)         /* the rival of a control is the rival itself */
                TRY(read_variant(m, &main, axis, "against", q->against, &other, &c->than, why));
            if (k && q->against)
                add_role(m, planned, k == 1 ? ROLE_CONTROL_RIVAL : ROLE_CONTROL2_RIVAL, &other, axis, &points);
        }
    for (int k = 0; k < PROFILES; k++)
        c->window[k] = (struct window){ points.value[0], points.value[points.n - 1], points.n, 1 };
    finish_planned(planned, &points);
    if (points.thinned)
        add_note(p, "of the axis, which has more than 33 values, those nearest to a geometric grid are taken");
    TRY(set_row(m, why));
    m->paper = (struct paper){ .key = PAPER_REPORTED, .title = "A promise, judged on results as reported",
                               .cite = "as reported", .claims = c, .items = none, .theorems = m->theorem };
    return OK;
}

enum status reported_claim(const struct reported *r, const struct reported_request *q, struct reported_plan *p,
                           struct why *why)
{
    begin_plan(r, q, p);
    TRY(make_claim(p->made, p, why));
    p->made->registered = true;
    registry_add_paper(&p->made->paper, "");
    p->judgement = judge_none(&p->plan);
    return theorems_check(&p->made->paper, why);
}

void reported_judge(struct reported_plan *p)
{
    judge_plan(&p->plan, p->record, p->judgement);
    for (int k = 0; k < p->plan.claims; k++) {
        struct judgement *j = &p->judgement[k];
        char idle[RECORD_NAME + 8];
        double y;
        bool known = true;
        snprintf(idle, sizeof idle, "idle.%.50s", j->claim->measure);
        for (const struct task *t = p->plan.claim[k].task, *end = t + p->plan.claim[k].tasks; t < end; t++)
            known = known && (t->role != ROLE_MAIN || record_get(p->record[t->cell], idle, &y));
        if (j->verdict.word == SUPPORTED && measure_of_answer(j->claim->measure) && !known) {
            j->verdict = verdict_say(INCONCLUSIVE, "rule 1: the results do not tell what %.60s is at the start, which a "
                                     "method that never moves would have: expected a column %.60s", j->claim->measure, idle);
        }
        /* nobody here can run more of them */
        int more;
        if (sscanf(j->verdict.next, "raise --reps to %d", &more) == 1)
            snprintf(j->verdict.next, sizeof j->verdict.next, "results of %d replicates", more);
    }
}
