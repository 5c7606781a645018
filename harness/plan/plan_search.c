/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_search.c - the stage before the measured runs: one setting is chosen at each point from the
 * records of a grid. A pure function of stored records. */
#include "plan/plan_state.h"

#include <math.h>
#include <string.h>

#include "plan/measure.h"

/* Replicates of the search are other seeds than those of the measured runs. */
enum { SEARCH_REP = 1000000, GRID_MAX = 64 };

bool plan_measures_search(const struct claim *c)
{
    return c->search.kind && strcmp(c->measure, "search") == 0;
}

static double grid_value(const struct search *s, double axis, int k)
{
    double t = s->points > 1 ? (double)k / (s->points - 1) : 0;
    return s->from * pow(s->to / s->from, t) * pow(axis, s->power);
}

/* A measured search is repeated for every replicate of the claim. */
static long groups(const struct planned_claim *p)
{
    return plan_measures_search(p->claim) ? p->reps : 1;
}

enum status plan_add_search(struct planning *g, const struct lineup *r, int point, long from,
                            struct why *why)
{
    const struct search *s = &g->claim->search;
    double axis = plan_axis_value(g, point);
    BUG_IF(s->points > GRID_MAX);
    for (int k = 0; k < s->points; k++) {
        double value = grid_value(s, axis, k);
        int at = -1;
        for (long rep = from * s->reps; rep < groups(g->planned) * s->reps; rep++) {
            TRY(plan_add_replicate(g, r, axis, value, SEARCH_REP + rep, &at, why));
            struct task task = { .claim = g->claim, .role = r->role, .also = r->also, .point = point,
                                 .axis = axis, .rep = rep, .grid = k, .searched = value, .cell = at };
            plan_add_task(g->planned, &task);
        }
    }
    return OK;
}

/* Mean of y over the group's runs at each value of the grid; a run that diverged makes it infinite.
 * false: a record is missing. */
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
    int first = 0;
    while (!(mean[first] <= s->within * mean[best]))
        first++;
    return first;
}

double plan_searched(const struct planned_claim *c, struct record *const *record, enum role role,
                     int also, int point, long group)
{
    double mean[GRID_MAX], value[GRID_MAX];
    if (!grid_means(c, record, role, also, point, group, mean, value))
        return NAN;
    return value[chosen(&c->claim->search, mean)];
}

enum status plan_add_all(struct planning *g, struct record *const *record, long from,
                         struct why *why)
{
    bool search = g->claim->search.kind;
    struct lineup l[LINEUP_MAX];
    struct variant controlled_problem[CONTROLS];
    int n = plan_lineup(g->claim, controlled_problem, l);
    for (int k = 0; k < n; k++)
        for (int point = 0; point < g->planned->points; point++) {
            if (plan_measures_search(g->claim)) {
                if (from > 0)
                    TRY(plan_add_search(g, &l[k], point, from, why));
                continue;
            }
            double value = !search ? NAN
                         : plan_searched(g->planned, record, l[k].role, l[k].also, point, 0);
            if (!search || !isnan(value))
                TRY(plan_add_point(g, &l[k], point, value, from, why));
        }
    return OK;
}
