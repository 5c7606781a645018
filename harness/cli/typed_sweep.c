/* SPDX-License-Identifier: GPL-3.0-or-later */
/* typed_sweep.c - makes the plots that the options of `sweep` ask for. All plots of a problem draw the same cells:
 * those of the product of all axes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "cell/registry.h"
#include "cli/typed.h"
#include "studies/sweep.h"

/* Replicates at each point: the fewest for which intervals are worth drawing. */
enum { REPS = 8 };
/* The targets of plots that show which targets a method has reached. A target is a fraction of the measure at the
 * start; the plots of the baselines have the same fractions. */
enum { TARGETS = 15 };
static const double TARGET[2] = { 0.5, 1e-5 };

struct plots { struct plot *at; int n; };

/* A place in the product of all axes but one: the index of the value on each axis. */
struct place { int at[TYPED_AXES]; };

/* Steps to the next place, where axis `but` stays. Returns false where there are no more. */
static bool next_place(const struct typed *t, int but, struct place *p)
{
    for (int k = t->axes - 1; k >= 0; k--) {
        if (k == but)
            continue;
        if (++p->at[k] < typed_values(&t->axis[k]))
            return true;
        p->at[k] = 0;
    }
    return false;
}

/* Returns the label of a line: "sgd, d=10, T=16". */
static const char *label_of(const struct typed *t, const char *algo, int but, const struct place *p)
{
    char text[200], number[32];
    snprintf(text, sizeof text, "%s", algo);
    for (int k = 0; k < t->axes; k++)
        if (k != but)
            snprintf(text + strlen(text), sizeof text - strlen(text), ", %s=%s", t->axis[k].name,
                     number_text(typed_value(&t->axis[k], p->at[k]), number));
    return typed_text("%s", text);
}

static enum status line_of(const struct typed *t, const char *problem, const char *algo, int axis,
                           const struct place *p, struct plot_line *line, struct why *why)
{
    const struct setting trace = { "run.trace", TRACE_GEOMETRIC, 0, NULL, NULL };
    struct typed_settings s;
    *line = (struct plot_line){ .label = label_of(t, algo, axis, p), .algo = algo, .problem = problem };
    TRY(typed_common(t, problem, algo, &s, why));
    TRY(typed_add(&s, &trace, why));
    for (int k = 0; k < t->axes; k++)
        if (k != axis)
            TRY(typed_add_axis(&s, t->axis[k].name, problem, algo, typed_value(&t->axis[k], p->at[k]), 0, why));
    TRY(typed_ending(t, problem, algo, &t->axis[axis], &s, why));
    memcpy(line->with, s.at, sizeof line->with);
    return OK;
}

static struct plot *add_plot(const struct typed *t, struct plots *list, int axis)
{
    list->at = realloc(list->at, (size_t)(list->n + 2) * sizeof *list->at);
    BUG_IF(!list->at);
    struct plot *plot = &list->at[list->n++];
    memset(plot, 0, 2 * sizeof *plot);
    int reps = (int)(t->o->select.reps > 0 ? t->o->select.reps : REPS);
    *plot = (struct plot){ .kind = PLOT_POINTS, .axis = typed_text("%s", t->axis[axis].name), .measure = t->measure,
                           .search = t->search };
    for (int k = 0; k < PROFILES; k++)           /* these windows are replaced by the range of the selection */
        plot->window[k] = (struct window){ 1, 1, 1, reps };
    return plot;
}

/* --- plots along an axis */

/* Adds a plot of a problem along an axis. More than LINES_MAX lines need several plots, of which this is number
 * `part`, from 0. */
static struct plot *add_along(const struct typed *t, struct plots *list, const char *problem, int axis, int part)
{
    struct plot *plot = add_plot(t, list, axis);
    const char *more = part ? typed_text(".%d", part + 1) : "";
    plot->problem = problem;
    plot->id = typed_text(PAPER_TYPED "/figure.%s.%s.%s%s", problem, t->measure, t->axis[axis].name, more);
    plot->title = typed_text("%s on %s along %s%s%s", t->measure, problem, t->axis[axis].name,
                             part ? ", part " : "", part ? more + 1 : "");
    plot->says = "The mean over the replicates, with its 95% interval.";
    return plot;
}

static enum status add_along_axis(const struct typed *t, struct plots *list, const char *problem, int axis,
                                  struct why *why)
{
    struct place p = { { 0 } };
    struct plot *plot = NULL;
    int lines = 0;
    do {
        for (int k = 0; k < t->algos; k++, lines++) {
            if (lines % LINES_MAX == 0)
                plot = add_along(t, list, problem, axis, lines / LINES_MAX);
            TRY(line_of(t, problem, t->algo[k], axis, &p, &plot->line[lines % LINES_MAX], why));
        }
    } while (next_place(t, axis, &p));
    return OK;
}

/* --- plots against cost */

/* Returns the cost that --x names, else one that all methods have: sample gradients where each of them takes
 * samples, or where the problem is a file of --data; else batch steps, of which a full gradient is one. */
static const char *cost_of(const struct typed *t)
{
    if (typed_times(t->o))
        return SWEEP_TIME;
    if (t->o->experiment.cost)
        return t->o->experiment.cost;
    for (int k = 0; k < t->algos && !t->o->data; k++) {
        const struct algo *a = registry_algo(t->algo[k]);
        if (!a || !(a->calls & CALL_SAMPLES))
            return "batch_steps";
    }
    return "sample_grads";
}

/* Adds a plot with the lines of plot `from`, against cost. */
static void add_cost(struct plots *list, int from, const char *cost)
{
    list->at = realloc(list->at, (size_t)(list->n + 2) * sizeof *list->at);
    BUG_IF(!list->at);
    struct plot *plot = &list->at[list->n++];
    *plot = list->at[from];
    memset(plot + 1, 0, sizeof *plot);
    plot->x = cost;
    plot->id = typed_text("%s.by.%s", plot->id, cost);
    plot->title = typed_text("%s, against %s", plot->title, cost);
    plot->says = "The same runs by what they cost.";
}

/* Adds a plot with the lines that the first `along` plots of the list have along the first axis, of all problems.
 * Returns false where there are too many lines. */
static bool add_reached(const struct typed *t, struct plots *list, int along, enum plot_kind kind, const char *cost)
{
    int lines = 0;
    struct plot *plot = add_plot(t, list, 0);
    plot->kind = kind;
    plot->x = cost;
    plot->target[0] = TARGET[0];
    plot->target[1] = TARGET[1];
    plot->targets = TARGETS;
    plot->problem = t->problem[0];
    plot->id = typed_text(PAPER_TYPED "/figure.%s.%s", kind == PLOT_REACHED ? "reached" : "profile", cost);
    plot->title = typed_text(kind == PLOT_REACHED ? "Targets reached against %s" : "Performance profile in %s",
                             cost);
    plot->says = kind == PLOT_REACHED ? "The part of 15 targets, from 1/2 to 10^-5 of the value at the start, that "
                                        "is reached by each cost, over "
                                        "all values of the axes and all replicates: the ECDF of runtimes."
                                      : "The same targets: at 1 the part at which a method is the first, to the "
                                        "right what it reaches at all.";
    for (int k = 0; k < along; k++)
        for (const struct plot_line *l = list->at[k].line; l < list->at[k].line + LINES_MAX && l->label; l++) {
            if (strcmp(list->at[k].axis, plot->axis))
                break;
            if (lines == LINES_MAX) {
                list->n--;
                memset(plot, 0, sizeof *plot);
                return false;
            }
            plot->line[lines++] = *l;
        }
    return true;
}

/* --- all plots */

bool typed_times(const struct options *o)
{
    return o->experiment.cost && strcmp(o->experiment.cost, "seconds") == 0;
}

/* Checks --x: a count of the oracle, or seconds. Seconds differ from run to run, so they are refused with
 * --canonical, whose output must repeat, and with --engine, as they are measured on this machine. */
static enum status check_cost(const struct typed *t, const char *cost, struct why *why)
{
    int k = 0;
    if (typed_times(t->o) && t->o->canonical)
        return why_set(why, BAD_INPUT, "--x seconds: times are no part of --canonical output, expected a count");
    if (typed_times(t->o) && options_engine(t->o))
        return why_set(why, BAD_INPUT, "--x seconds: cells are timed one by one on this machine, expected no "
                       "--engine");
    while (k < COUNT_KINDS && strcmp(count_name(k), cost))
        k++;
    return k < COUNT_KINDS || typed_times(t->o) ? OK
         : why_set(why, BAD_INPUT, "--x %.60s: expected a count, as sample_grads or batch_steps, or seconds", cost);
}

/* Is the axis the length of a run: n, T or the budget? Then the runs along it are those of one method with growing
 * budgets, and show what the method has reached at which time. */
static bool is_budget(const char *axis)
{
    return strcmp(axis, "n") == 0 || strcmp(axis, "T") == 0 || strcmp(axis, "budget") == 0;
}

enum status typed_sweep(const struct typed *t, const struct paper **paper, struct why *why)
{
    static const struct claim none[] = { { 0 } };
    static const struct item items[] = { { 0 } };
    static struct paper typed = { .key = PAPER_TYPED, .title = "A sweep from the command line", .cite = "as typed",
                                  .claims = none, .items = items };
    struct plots list = { NULL, 0 };
    const char *cost = cost_of(t);
    TRY(check_cost(t, cost, why));
    for (int p = 0; p < t->problems; p++)
        for (int k = 0; k < t->axes; k++)
            TRY(add_along_axis(t, &list, t->problem[p], k, why));
    int along = list.n;
    for (int k = 0; k < along; k++)
        if (strcmp(list.at[k].axis, t->axis[0].name) == 0)
            add_cost(&list, k, cost);
    if (typed_times(t->o) && !is_budget(t->axis[0].name))
        typed_note(t, "no figure of targets reached: over time it needs n, T or budget as the first axis");
    else if (!add_reached(t, &list, along, PLOT_REACHED, cost) || !add_reached(t, &list, along, PLOT_PROFILE, cost))
        typed_note(t, "more than %d curves: no figure of targets reached", LINES_MAX);
    typed.plots = list.at;
    registry_add_paper(&typed, "");
    *paper = &typed;
    return OK;
}
