/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plotted.c - plots as measured. */
#include "plotted.h"

#include <math.h>
#include <stdlib.h>

#include "measure.h"

/* What is drawn to the right of a point, in the mean over its runs; NaN: a run does not tell. */
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

/* The line of the exponent through the middle of the points it is for, and their own slope. */
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

static void add_line(struct plotted *f, const struct planned_claim *c, struct record *const *record,
                     const struct judgement *j)
{
    struct plotted_line *l = &f->line[f->lines++];
    *l = (struct plotted_line){ .line = &c->plot->line[c->line], .runs = j, .slope = NAN };
    f->planned |= c->tasks > 0;
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

struct plotted *plotted_all(const struct plan *p, struct record *const *record,
                            const struct judgement *judgement, int *n)
{
    struct plotted *list = calloc((size_t)p->lines + 1, sizeof *list), *at = list - 1;
    BUG_IF(!list);
    for (int k = p->claims; k < p->claims + p->lines; k++) {
        const struct planned_claim *c = &p->claim[k];
        if (at < list || at->plot != c->plot)
            *++at = (struct plotted){ .plot = c->plot, .paper = c->paper };
        add_line(at, c, record, &judgement[k]);
    }
    *n = (int)(at + 1 - list);
    return list;
}

int plotted_failed(const struct plotted *p)
{
    int n = 0;
    for (int k = 0; k < p->lines; k++)
        n += p->line[k].runs->failed;
    return n;
}

int plotted_cells(const struct plotted *p)
{
    int n = 0;
    for (int k = 0; k < p->lines; k++)
        n += p->line[k].runs->cells;
    return n;
}
