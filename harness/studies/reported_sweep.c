/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reported_sweep.c - makes the plots of a sweep of reported runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "oracle.h"
#include "plan/measure.h"
#include "studies/reported_state.h"
#include "studies/sweep.h"

/* The number and the range of the targets in plots of the share of targets that a method has reached. A target is a
 * share of the measure at the start; `assay sweep` has the same targets. */
enum { TARGETS = 15 };
static const double TARGET[2] = { 0.5, 1e-5 };

/* Is the run one of a line in list[n]? A plot along an axis has a line for each method and each combination of
 * values of the other settings. */
static bool line_exists(const struct reported_wanted *list, int n, const struct reported_made *m,
                        const struct reported_run *run, int axis)
{
    for (int k = 0; k < n; k++)
        if (reported_matches(m, &list[k], axis, run))
            return true;
    return false;
}

static const char *label_of(struct reported_made *m, const struct reported_wanted *w,
                            const struct reported_wanted *all, int axis)
{
    char text[300], number[32];
    snprintf(text, sizeof text, "%.200s", w->method);
    for (int k = 0; k < m->r->settings; k++) {
        const struct reported_value *v = &w->with[k];
        size_t n = strlen(text);
        if (k != axis && (v->text || !isnan(v->number)) && reported_varies(m, all, k))
            snprintf(text + n, sizeof text - n, ", %.40s=%.60s", reported_bare(m->r->setting[k].name),
                     v->text ? v->text : number_text(v->number, number));
    }
    return reported_words(m, "%s", text);
}

static struct plot *add_plot(struct reported_made *m, const struct plot *plot)
{
    m->plot = realloc(m->plot, (size_t)(m->plots + 1) * sizeof *m->plot);
    BUG_IF(!m->plot);
    m->plot[m->plots] = *plot;
    return &m->plot[m->plots++];
}

/* A line of a plot that is not planned yet: plot, at: its indices in m->plot and in plot->line; axis: the index of
 * a setting. Lines are planned when all plots are known, because the array m->plot moves while it grows. */
struct line {
    int plot, at;
    struct reported_wanted runs;
    int axis;
};
struct lines {
    struct line *at;
    int n;
};

static void add_line(struct lines *list, const struct line *l)
{
    list->at = realloc(list->at, (size_t)(list->n + 1) * sizeof *list->at);
    BUG_IF(!list->at);
    list->at[list->n++] = *l;
}

/* Adds plots of a problem along an axis, as many as are needed with at most LINES_MAX lines in each. If one plot is
 * not enough and the axis is not a budget, it adds none, but a note. */
static void add_along(struct reported_made *m, struct reported_plan *p, struct lines *list, const char *problem,
                      int axis)
{
    struct reported_wanted *known = calloc((size_t)m->r->runs + 1, sizeof *known), all = { .problem = problem };
    int plots = m->plots, before = list->n;
    struct why why = { "" };
    const char *name = reported_bare(m->r->setting[axis].name);
    int n = 0, lines = 0;
    BUG_IF(!known);
    reported_fix_settings(m, &all, &why);
    for (int k = 0; k < m->r->runs; k++) {
        const struct reported_run *run = &m->r->run[k];
        if (!reported_matches(m, &all, axis, run) ||
            (m->q->algorithm && !reported_is_listed(m->q->algorithm, run->method)) ||
            line_exists(known, n, m, run, axis))
            continue;
        struct reported_wanted *w = &known[n++];
        w->problem = run->problem;
        w->method = run->method;
        for (int s = 0; s < m->r->settings; s++) {
            w->fixed[s] = s != axis;
            w->with[s] = run->with[s];
        }
        if (reported_points(m, w, axis).n < 2)
            continue;
        if (lines % LINES_MAX == 0) {
            int part = lines / LINES_MAX;
            add_plot(m,
                     &(struct plot){ .kind = PLOT_POINTS,
                                     .axis = name,
                                     .measure = m->measure,
                                     .problem = problem,
                                     .id = reported_words(m, PAPER_REPORTED "/figure.%d.%s.%s.%s", m->plots + 1,
                                                          reported_slug(m, problem), reported_slug(m, m->measure),
                                                          reported_slug(m, name)),
                                     .title = reported_words(m, "%s on %s along %s%s", m->measure, problem, name,
                                                             part ? reported_words(m, ", part %d", part + 1) : ""),
                                     .says = "The mean over the replicates, with its 95% interval, as reported." });
        }
        int at = lines++ % LINES_MAX;
        m->plot[m->plots - 1].line[at] = (struct plot_line){ .label = label_of(m, w, &all, axis),
                                                             .algo = w->method,
                                                             .problem = problem };
        add_line(list, &(struct line){ m->plots - 1, at, *w, axis });
    }
    if (lines > LINES_MAX && !reported_is_budget(m->r->setting[axis].name)) {
        reported_note(
            p, reported_words(m, "along %s there are %d lines: --set NAME=VALUE leaves fewer, which are drawn",
                              name, lines));
        m->plots = plots;
        list->n = before;
    }
    free(known);
}

/* Do the records of all runs have this cost, and is it above 0? */
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
        int s = reported_find_setting(m->r, m->q->cost);
        p->cost = s >= 0 ? m->r->setting[s].name : m->q->cost;
        return all_have(m, p->cost)
                   ? OK
                   : why_set(why, BAD_INPUT, "--x %.60s: expected a column that is above 0 in every run",
                             m->q->cost);
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

/* Adds a plot with the lines of plot number `from`, with the cost in place of the axis. */
static void add_cost(struct reported_made *m, struct lines *list, int from, const char *cost)
{
    struct plot copy = m->plot[from];
    int lines = list->n;
    copy.x = cost;
    copy.id = reported_words(m, "%s.by.%s", copy.id, reported_slug(m, cost));
    copy.title = reported_words(m, "%s, against %s", copy.title, cost);
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
    *c = (struct claim){ .id = plot->id,
                         .cite = "",
                         .item = "",
                         .says = plot->says,
                         .kind = KIND_EVIDENCE,
                         .check = CHECK_FIGURE,
                         .algo = plot->line[at].algo,
                         .problem = plot->line[at].problem,
                         .axis = plot->axis,
                         .measure = plot->measure };
    return c;
}

/* Does the run match the options for methods, problems and ranges of axes? */
static bool is_asked(const struct reported_made *m, const struct reported_run *run)
{
    const struct reported_request *q = m->q;
    return (!q->algorithm || reported_is_listed(q->algorithm, run->method)) &&
           (!q->problem || reported_is_listed(q->problem, run->problem)) && reported_in_ranges(m->r, q, run);
}

/* Plans the curves of plot number `plot`, which shows for each method which share of the targets its runs reached
 * at which cost. */
static void plan_reached(struct reported_made *m, struct reported_plan *p, int plot)
{
    for (int at = 0; at < LINES_MAX && m->plot[plot].line[at].label; at++) {
        const struct claim *claim = claim_of(m, &m->plot[plot], at);
        struct planned_claim *c = plan_add_claim(
            &p->plan, &(struct planned_claim){
                          .claim = claim, .paper = &m->paper, .plot = &m->plot[plot], .line = at, .points = 1 });
        for (int k = 0; k < m->r->runs; k++)
            if (is_asked(m, &m->r->run[k]) && strcmp(m->r->run[k].method, claim->algo) == 0)
                plan_add_task(c, &(struct task){ .claim = claim, .role = ROLE_MAIN, .axis = 1, .rep = k, .grid = -1,
                                                 .searched = NAN, .cell = k });
        c->reps = reported_renumber(c);
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
    struct plot *plot = add_plot(
        m, &(struct plot){ .kind = kind,
                           .x = p->cost,
                           .axis = "",
                           .measure = m->measure,
                           .problem = "",
                           .targets = TARGETS,
                           .target = { TARGET[0], TARGET[1] },
                           .id = reported_words(m, PAPER_REPORTED "/figure.%s.%s", ecdf ? "reached" : "profile",
                                                reported_slug(m, p->cost)),
                           .title = reported_words(
                               m, ecdf ? "Targets reached against %s" : "Performance profile in %s", p->cost),
                           .says = ecdf ? "The part of 15 targets, from 1/2 to 10^-5 of the value at the start, "
                                          "that is reached by each cost "
                                          "as reported, over all problems, settings and replicates."
                                        : "The same targets: at 1 the part at which a method is the first, to the "
                                          "right what it reaches at "
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
            reported_note(p, "more than 16 methods: no figure of targets reached");
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
            struct reported_points points = reported_points(m, &l->runs, l->axis);
            if (points.thinned)
                reported_note(p,
                              "of an axis with more than 33 values, those nearest to a geometric grid are taken");
            struct planned_claim *c = plan_add_claim(
                &p->plan, &(struct planned_claim){ .claim = claim_of(m, &m->plot[plot], l->at),
                                                   .paper = &m->paper,
                                                   .plot = &m->plot[plot],
                                                   .line = l->at });
            reported_add_role(m, c, ROLE_MAIN, &l->runs, l->axis, &points);
            reported_finish_planned(c, &points);
        }
    }
}

static enum status add_plots(struct reported_made *m, struct reported_plan *p, struct lines *list, struct why *why)
{
    struct reported_wanted all = { .method = NULL };
    TRY(reported_fix_settings(m, &all, why));
    for (int axis = 0; axis < m->r->settings; axis++) {
        if (reported_is_of(m->r->setting[axis].name, "algo"))
            continue;
        for (int k = 0; k < m->r->runs; k++) {
            const char *problem = m->r->run[k].problem;
            bool before = m->q->problem && !reported_is_listed(m->q->problem, problem);
            for (int i = 0; i < k && !before; i++)
                before = strcmp(m->r->run[i].problem, problem) == 0;
            if (!before)
                add_along(m, p, list, problem, axis);
        }
    }
    return m->plots ? OK
                    : why_set(why, BAD_INPUT,
                              "no setting of the results has several values: expected a column as n, "
                              "T, d or problem.X, which is the axis");
}

enum status reported_sweep(const struct reported *r, const struct reported_request *q, struct reported_plan *p,
                           struct why *why)
{
    struct lines list = { NULL, 0 };
    reported_begin_plan(r, q, p);
    struct reported_made *m = p->made;
    m->paper = (struct paper){ .key = PAPER_REPORTED, .title = "Results as reported", .cite = "as reported" };
    enum status s = reported_known_names(r, q, why);
    if (s == OK)
        s = add_plots(m, p, &list, why);
    if (s == OK)
        s = choose_cost(m, p, why);
    if (s == OK && p->cost) {
        for (int k = 0; k < r->runs; k++)
            if (!p->record[k]->trace.rows)
                sweep_mark_ends(p->record[k], m->measure, p->cost);
        for (int k = 0, along = m->plots; k < along; k++)
            if (strcmp(m->plot[k].axis, reported_bare(p->cost)))
                add_cost(m, &list, k, p->cost);
        if (marked(m, p->cost)) {
            add_reached(m, p, PLOT_REACHED);
            add_reached(m, p, PLOT_PROFILE);
        } else {
            reported_note(p, "no figure of targets reached: not every run tells its idle value and its cost");
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
