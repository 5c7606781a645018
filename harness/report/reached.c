/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reached.c - computes which values of the ruler (the family's first measure) methods reach, and at which cost. */
#include "report/reached.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/stats.h"
#include "plan/measure.h"
#include "text/memstream.h"

/* The number of points of a curve, at costs in geometric progression: 49 draws a smooth curve over six decades,
 * eight points a decade. It must be at most FIT_POINTS_MAX; another number changes the tables of the figures. */
enum { PLACES = 49 };

/* A run of a method on an instance, with the trace of its marks. */
struct course {
    char *instance;                  /* the problem's text and the replicate */
    int method, number;              /* number: the index of the instance */
    const struct record_trace *trace;    /* NULL: the run failed */
    long cost, ruler;                /* indices of the columns of the trace for the cost and the ruler */
    double start;                    /* an upper bound of the ruler's value at the start or, where none is known,
                                        its value at the first mark */
};

struct courses { struct course *of; int n, instances, methods; };

/* --- courses of runs, from their records */

/* Returns the parts of a cell's text that name the instance, "problem ... | rep 3"; free() it. */
static char *instance_of(const char *cell)
{
    const char *end = strstr(cell, " | "), *rep = strstr(cell, "| rep ");
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    BUG_IF(!out);
    fprintf(out, "%.*s%s", end ? (int)(end - cell) : (int)strlen(cell), cell, rep ? rep : "");
    memstream_close(out, &text);
    return text;
}

static double at(const struct course *c, size_t row, long column)
{
    return c->trace->value[row * c->trace->columns + (size_t)column];
}

/* *start <- an upper bound of the ruler's value at the start. Returns false where none is known: it is only known
 * if the ruler is the excess, by the fact Phi, a bound of F(x_0) - inf F. */
static bool knows_start(const struct problem *family, const struct record *r, double *start)
{
    const char *ruler = family->measures ? family->measures->name : NULL;
    return ruler && strcmp(ruler, "excess") == 0 && record_get(r, "fact.Phi", start) && *start > 0 &&
           isfinite(*start);
}

static struct course course_of(const struct problem *family, const struct record *r, const char *cost, int method)
{
    struct course c = { .instance = instance_of(r->cell), .method = method, .trace = &r->trace };
    c.cost = measure_column(c.trace, cost);
    c.ruler = measure_column(c.trace, "ruler");
    if (r->outcome != OUTCOME_OK || c.cost < 0 || c.ruler < 0 || !c.trace->rows)
        c.trace = NULL;
    if (c.trace && !knows_start(family, r, &c.start))
        c.start = at(&c, 0, c.ruler);
    return c;
}

static int by_instance(const void *a, const void *b)
{
    const struct course *x = a, *y = b;
    int c = strcmp(x->instance, y->instance);
    return c ? c : x->method - y->method;
}

static struct courses courses_of(const struct plotted *p, const struct plan *plan, struct record *const *record,
                                 int from, int to, const int *line)
{
    struct courses all = { NULL, 0, 0, p->lines };
    for (int k = from; k < to; k++)
        for (const struct task *t = plan->claim[k].task, *end = t + plan->claim[k].tasks; t < end; t++) {
            if (t->grid >= 0 || !record[t->cell])
                continue;
            all.of = realloc(all.of, (size_t)(all.n + 1) * sizeof *all.of);
            BUG_IF(!all.of);
            all.of[all.n++] = course_of(plan->cell[t->cell]->problem, record[t->cell], p->plot->x, line[k - from]);
        }
    if (all.n)
        qsort(all.of, (size_t)all.n, sizeof *all.of, by_instance);
    for (int k = 0; k < all.n; k++) {
        all.instances += k == 0 || strcmp(all.of[k].instance, all.of[k - 1].instance) != 0;
        all.of[k].number = all.instances - 1;
    }
    return all;
}

/* Returns the cost of the first mark at which the ruler is at most `part` times c->start; `least` if that cost is
 * lower. INFINITY: the run never reaches it. */
static double first(const struct course *c, double part, double least)
{
    for (size_t k = 0; c->trace && k < c->trace->rows; k++)
        if (at(c, k, c->ruler) <= part * c->start)
            return fmax(least, at(c, k, c->cost));
    return INFINITY;
}

/* Returns the smallest value of the ruler at marks up to a cost, divided by c->start; at most 1. */
static double best_by(const struct course *c, double cost)
{
    double best = 1;
    for (size_t k = 0; c->trace && k < c->trace->rows && at(c, k, c->cost) <= cost * (1 + 1e-12); k++)
        best = fmin(best, at(c, k, c->ruler) / c->start);
    return best;
}

/* --- horizontal coordinates */

static double place(const double *range, int k)
{
    return k == 0 ? range[0] : k == PLACES - 1 ? range[1]
         : range[0] * pow(range[1] / range[0], (double)k / (PLACES - 1));
}

/* range[2] <- the smallest and the largest positive cost of any mark of any run. Returns false where they do not
 * differ. */
static bool costs_range(const struct courses *all, double *range)
{
    range[0] = INFINITY;
    range[1] = 0;
    for (const struct course *c = all->of, *end = c + all->n; c < end; c++)
        for (size_t k = 0; c->trace && k < c->trace->rows; k++)
            if (at(c, k, c->cost) > 0) {
                range[0] = fmin(range[0], at(c, k, c->cost));
                range[1] = fmax(range[1], at(c, k, c->cost));
            }
    return range[0] < range[1];
}

static void put(struct plotted_line *l, double x, double y, int runs)
{
    BUG_IF(l->points == FIT_POINTS_MAX);
    l->point[l->points++] = (struct plotted_point){ x, x, { y, y, y }, NAN, runs, 0 };
}

static int runs_of(const struct courses *all, int method)
{
    int n = 0;
    for (int k = 0; k < all->n; k++)
        n += all->of[k].method == method;
    return n;
}

/* --- paths: the best value so far, against the cost */

/* Returns the largest cost at which a run of a method ends. */
static double end_of(const struct courses *all, int method)
{
    double end = 0;
    for (const struct course *c = all->of, *past = c + all->n; c < past; c++)
        if (c->method == method && c->trace)
            end = fmax(end, at(c, c->trace->rows - 1, c->cost));
    return end;
}

/* PLOT_PATH: the line of each method gets, at each cost, the median of best_by over its runs, up to the first cost
 * at or after the end of its longest run. */
static void fill_path(struct plotted *p, const struct courses *all)
{
    double range[2], *y = calloc(2 * (size_t)all->n + 1, sizeof *y);
    BUG_IF(!y);
    for (int m = 0; costs_range(all, range) && m < p->lines; m++)
        for (int k = 0; k < PLACES && (k == 0 || place(range, k - 1) < end_of(all, m)); k++) {
            int n = 0;
            for (const struct course *c = all->of, *end = c + all->n; c < end; c++)
                if (c->method == m)
                    y[n++] = best_by(c, place(range, k));
            if (n)
                put(&p->line[m], place(range, k), stats_quantile(n, y, 0.5, y + all->n), n);
        }
    free(y);
}

/* --- shares of the targets that are reached */

/* Returns time[instance][target][method]: the cost at which the method first reaches the target on the instance,
 * infinite if it does not. A target is a share of the ruler's value at the start. Costs below `least` > 0 count as
 * `least`, since ratios need positive costs. free() it. */
static double *times_of(const struct plot *plot, const struct courses *all, double least)
{
    size_t n = (size_t)all->instances * (size_t)plot->targets * (size_t)all->methods;
    double *time = malloc((n + 1) * sizeof *time);
    BUG_IF(!time);
    for (size_t k = 0; k < n; k++)
        time[k] = INFINITY;
    for (const struct course *c = all->of, *end = c + all->n; c < end; c++)
        for (int t = 0; t < plot->targets; t++) {
            double u = plot->targets > 1 ? (double)t / (plot->targets - 1) : 0;
            double *y = &time[((size_t)c->number * (size_t)plot->targets + (size_t)t) * (size_t)all->methods +
                              (size_t)c->method];
            *y = fmin(*y, first(c, plot->target[0] * pow(plot->target[1] / plot->target[0], u), least));
        }
    return time;
}

/* Divides each time by that of the fastest method on the same instance and target; range[2] <- 1 and the largest
 * finite ratio, at least 2. */
static void to_ratios(int pairs, int methods, double *time, double *range)
{
    range[0] = 1;
    range[1] = 2;
    for (double *y = time; y < time + (size_t)pairs * (size_t)methods; y += methods) {
        double best = INFINITY;
        for (int m = 0; m < methods; m++)
            best = fmin(best, y[m]);
        for (int m = 0; m < methods; m++) {
            y[m] = isinf(y[m]) ? INFINITY : y[m] / best;
            range[1] = isinf(y[m]) ? range[1] : fmax(range[1], y[m]);
        }
    }
}

static double part_within(int pairs, int methods, const double *time, int m, double x)
{
    int n = 0;
    for (int k = 0; k < pairs; k++)
        n += time[(size_t)k * (size_t)methods + (size_t)m] <= x * (1 + 1e-12);
    return (double)n / pairs;
}

static void fill_parts(struct plotted *p, const struct courses *all)
{
    int pairs = all->instances * p->plot->targets;
    double range[2];
    bool any = costs_range(all, range) && pairs > 0;
    double *time = times_of(p->plot, all, any ? fmin(1, range[0]) : 1);    /* `least` is 1 for costs that are
                                                                              counts, and less for costs that are
                                                                              below 1, such as seconds */
    if (p->plot->kind == PLOT_PROFILE)
        to_ratios(pairs, all->methods, time, range);
    for (int m = 0; any && m < p->lines; m++)
        for (int k = 0; k < PLACES && runs_of(all, m); k++)
            put(&p->line[m], place(range, k), part_within(pairs, all->methods, time, m, place(range, k)),
                runs_of(all, m));
    free(time);
    p->pairs = pairs;
}

void reached_fill(struct plotted *p, const struct plan *plan, struct record *const *record, int from, int to,
                  const int *line)
{
    struct courses all = courses_of(p, plan, record, from, to, line);
    if (all.n == 0)
        return;    /* no run, no line */
    if (p->plot->kind == PLOT_PATH)
        fill_path(p, &all);
    else
        fill_parts(p, &all);
    for (int k = 0; k < all.n; k++)
        free(all.of[k].instance);
    free(all.of);
}
