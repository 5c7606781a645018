/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plotted.c - collects the measured points of each line of a plot from the records of a plan. */
#include "report/plotted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/measure.h"
#include "report/reached.h"

/* Returns the horizontal coordinate of a point of a plot: its axis value or, where the plot has a measure x, the
 * mean of x over the runs at this point. NaN: a run lacks the measure, or there is no run. */
static double right_of(const struct planned_claim *c, struct record *const *record, int point,
                       double axis)
{
    double sum = 0;
    int runs = 0;
    if (!c->plot->x)
        return axis;
    for (const struct task *t = c->task; t < c->task + c->tasks; t++) {
        const struct record *r = record[t->cell];
        double x = NAN;
        if (t->grid >= 0 || t->point != point || !r || r->outcome != OUTCOME_OK)
            continue;
        if (!measure_get(c->plot->x, r, &x))
            return NAN;
        sum += x;
        runs++;
    }
    return runs ? sum / runs : NAN;
}

static bool over(const struct plotted_line *l, const struct plotted_point *p)
{
    const double *range = l->line->over;
    return p->axis >= range[0] && p->axis <= range[1] && p->x > 0 && isfinite(p->x) &&
           p->y.value > 0 && isfinite(p->y.value);
}

/* Considers the points of a line on its range `over`. Sets l->slope to their slope by least squares and, where the
 * line has no formula, the theoretical curve to the power law with the promised exponent through the centre of
 * these points. */
static void add_theory(struct plotted_line *l)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const struct plotted_point *p = l->point; p < l->point + l->points; p++) {
        if (!over(l, p))
            continue;
        double u = log(p->x), v = log(p->y.value);
        n++;
        x += u;
        y += v;
        xx += u * u;
        xy += u * v;
    }
    if (n < 2)
        return;
    double spread = xx - x * x / n;
    l->slope = spread > 0 ? (xy - x * y / n) / spread : NAN;
    for (struct plotted_point *p = l->point; p < l->point + l->points; p++)
        if (over(l, p) && !l->line->theory)
            p->theory = exp(y / n + l->line->exponent * (log(p->x) - x / n));
}

static void add_points(struct plotted_line *l, const struct planned_claim *c, struct record *const *record,
                       const struct judgement *j)
{
    for (int k = 0; k < j->fit.points; k++) {
        const struct fit_point *p = &j->fit.point[k];
        double x = right_of(c, record, k, p->axis);
        if (p->reps && !isnan(x))
            l->point[l->points++] = (struct plotted_point){
                p->axis, x, p->y, c->claim->formula ? p->zone.formula : NAN, p->reps, p->missing
            };
    }
    add_theory(l);
}

/* Returns the index in f->line of the curve for a declared line of the plot. With PLOT_POINTS each line is a curve;
 * in other plots lines with one label share a curve. */
static int place_of(const struct plotted *f, const struct plot_line *line)
{
    int m = f->plot->kind == PLOT_POINTS ? f->lines : 0;
    while (m < f->lines && strcmp(f->line[m].line->label, line->label))
        m++;
    return m;
}

static int add_line(struct plotted *f, const struct planned_claim *c, struct record *const *record,
                    const struct judgement *j)
{
    const struct plot_line *line = &c->plot->line[c->line];
    int m = place_of(f, line);
    struct plotted_line *l = &f->line[m];
    if (m == f->lines) {
        *l = (struct plotted_line){ .line = line, .runs = j, .slope = NAN };
        f->lines++;
    }
    l->cells += j->cells;
    l->failed += j->failed;
    l->refused += j->refused;
    f->planned |= c->tasks > 0;
    if (f->plot->kind == PLOT_POINTS)
        add_points(l, c, record, j);
    return m;
}

/* Fills in *f, the plot whose planned claims, one a line, begin at p->claim[k]. Returns the number of these
 * claims. */
static int add_plot(struct plotted *f, const struct plan *p, struct record *const *record,
                    const struct judgement *judgement, int k)
{
    int line[LINES_MAX], n = 0;
    *f = (struct plotted){ .plot = p->claim[k].plot, .paper = p->claim[k].paper };
    for (; k + n < p->claims + p->lines && p->claim[k + n].plot == f->plot; n++)
        line[n] = add_line(f, &p->claim[k + n], record, &judgement[k + n]);
    if (f->plot->kind != PLOT_POINTS)
        reached_fill(f, p, record, k, k + n, line);
    return n;
}

struct plotted *plotted_all(const struct plan *p, struct record *const *record,
                            const struct judgement *judgement, int *n)
{
    struct plotted *list = calloc((size_t)p->lines + 1, sizeof *list);
    BUG_IF(!list);
    *n = 0;
    for (int k = p->claims; k < p->claims + p->lines; ++*n)
        k += add_plot(&list[*n], p, record, judgement, k);
    return list;
}
