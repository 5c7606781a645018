/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "params.h"
#include "registry.h"

const char *profile_name(enum profile p)
{
    static const char *const name[] = { "quick", "nightly", "full" };
    return name[p];
}

const char *check_name(enum check c)
{
    static const char *const name[] = { "count", "bound", "rate", "order", "moment", "law", "private" };
    return name[c];
}

const char *kind_name(enum kind k)
{
    static const char *const name[] = { "theorem", "erratum", "conditional", "extension", "evidence" };
    return name[k];
}

/* --- selection */

static bool any_glob(const char *globs, const char *text)
{
    char copy[512], *rest = copy, *glob;
    snprintf(copy, sizeof copy, "%s", globs);
    while ((glob = strsep(&rest, ",")))
        if (fnmatch(glob, text, 0) == 0)
            return true;
    return false;
}

bool claim_matches(const struct claim *c, const struct selection *s)
{
    const struct paper *p = registry_paper_of(c);
    return (!s->paper || any_glob(s->paper, p->key)) && (!s->claim || any_glob(s->claim, c->id)) &&
           (!s->algorithm || any_glob(s->algorithm, c->algo)) &&
           (!s->problem || any_glob(s->problem, c->problem)) &&
           (!s->check || any_glob(s->check, check_name(c->check)));
}

/* --- cells, each once */

static int add_cell(struct plan *p, struct cell *c)
{
    for (int k = p->cells - 1; k >= 0; k--)
        if (p->cell[k]->seed == c->seed && strcmp(p->cell[k]->text, c->text) == 0) {
            cell_free(c);
            return k;
        }
    if (p->cells == p->cell_room) {
        p->cell_room = p->cell_room ? 2 * p->cell_room : 256;
        p->cell = realloc(p->cell, (size_t)p->cell_room * sizeof(struct cell *));
        BUG_IF(!p->cell);
    }
    p->cell[p->cells] = c;
    p->cost += cell_cost(c);
    return p->cells++;
}

static void add_task(struct plan *p, const struct task *t)
{
    if (p->tasks == p->task_room) {
        p->task_room = p->task_room ? 2 * p->task_room : 256;
        p->task = realloc(p->task, (size_t)p->task_room * sizeof *p->task);
        BUG_IF(!p->task);
    }
    p->task[p->tasks++] = *t;
}

/* --- settings at one value of the axis */

static bool whole(const char *name)
{
    static const char *const counts[] = { "n", "d", "T", "B", "N", "budget" };
    const char *dot = strchr(name, '.');
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        if (strcmp(dot ? dot + 1 : name, counts[k]) == 0)
            return true;
    return false;
}

static void put_settings(struct bag *bag, const struct setting *with, double axis,
                         const struct facts *facts)
{
    for (int k = 0; k < SETTINGS_MAX && with[k].name; k++) {
        const struct setting *s = &with[k];
        if (s->text) {
            bag_put_text(bag, s->name, s->text);
            continue;
        }
        if (s->of && !facts && strncmp(s->name, "problem.", 8))
            continue;                    /* waits for the instance */
        double v = s->of ? s->of(axis, facts) : s->value * pow(axis, s->power);
        bag_put(bag, s->name, whole(s->name) ? rint(v) : v);
    }
}

/* What a run replaces in the claim, layer on layer. */
struct layers { const struct variant *variant[2]; };

static bool needs_facts(const struct claim *c, const struct layers *l)
{
    const struct setting *lists[] = { c->with, l->variant[0] ? l->variant[0]->with : NULL,
                                      l->variant[1] ? l->variant[1]->with : NULL };
    for (int k = 0; k < 3; k++)
        for (int j = 0; lists[k] && j < SETTINGS_MAX && lists[k][j].name; j++)
            if (lists[k][j].of && strncmp(lists[k][j].name, "problem.", 8))
                return true;
    return false;
}

/* An axis is a goal, except for the dimension and what a family declares. */
void plan_put_axis(struct bag *bag, const char *axis, const char *problem, double value)
{
    char name[64];
    struct goal g = goal_unknown();
    const struct problem *p = registry_problem(problem);
    bool of_problem = (p && params_find(p->params, axis)) || !goal_member(&g, axis);
    snprintf(name, sizeof name, "%s.%s", of_problem ? "problem" : "goal", axis);
    bag_put(bag, name, value);
}

static const struct variant *layer(const struct layers *l, int k)
{
    static const struct variant none = { 0 };
    return l->variant[k] ? l->variant[k] : &none;
}

static void fill_bag(struct bag *bag, const struct claim *c, const struct layers *l,
                     const char *problem, double axis, const struct selection *s,
                     const struct facts *facts)
{
    if (c->axis)
        plan_put_axis(bag, c->axis, problem, axis);
    put_settings(bag, c->with, axis, facts);
    for (int k = 0; k < 2; k++)
        put_settings(bag, layer(l, k)->with, axis, facts);
    bag_copy(bag, &s->overrides);
    for (int k = 0; k < s->ranges; k++)
        if (s->range[k].values == 1 && (!c->axis || strcmp(s->range[k].name, c->axis)))
            plan_put_axis(bag, s->range[k].name, problem, s->range[k].value[0]);
    if (!isnan(s->seed) && s->seed != 1)
        bag_put(bag, "run.seed", s->seed);
}

/* Settings of another algorithm's parameters do not follow a variant that changes the algorithm. */
static void drop_foreign(struct bag *bag, const struct claim *c, const char *algo)
{
    const struct algo *a = registry_algo(algo);
    if (strcmp(algo, c->algo) == 0 || !a)
        return;
    int kept = 0;
    for (int k = 0; k < bag->count; k++) {
        struct assignment *at = &bag->at[k];
        if (strncmp(at->name, "algo.", 5) == 0 && !params_find(a->params, at->name + 5))
            free(at->text);
        else
            bag->at[kept++] = *at;
    }
    bag->count = kept;
}

static enum status cell_at(struct runner *facts_of, const struct claim *c, const struct layers *l,
                           const char *algo, double axis, long rep, const struct selection *s,
                           struct cell **cell, struct why *why)
{
    const char *problem = c->problem;
    for (int k = 0; k < 2; k++) {
        problem = layer(l, k)->problem ? layer(l, k)->problem : problem;
        algo = layer(l, k)->algo ? layer(l, k)->algo : algo;
    }
    struct bag bag = { 0 };
    fill_bag(&bag, c, l, problem, axis, s, NULL);
    drop_foreign(&bag, c, algo);
    enum status status = cell_make(problem, algo, &bag, rep, cell, why);
    if (status == OK && needs_facts(c, l)) {
        const void *self;
        const struct facts *facts;
        struct cell *first = *cell;
        status = runner_instance(facts_of, first, &self, &facts, why);
        bag_free(&bag);
        if (status == OK)
            fill_bag(&bag, c, l, problem, axis, s, facts);
        cell_free(first);
        *cell = NULL;
        drop_foreign(&bag, c, algo);
        if (status == OK)
            status = cell_make(problem, algo, &bag, rep, cell, why);
    }
    bag_free(&bag);
    return status;
}

/* --- one claim */

static bool has_variant(const struct variant *v)
{
    return v->algo || v->problem || v->with[0].name;
}

/* The settings of a variant that make the data; a rival under the control meets the same problem. */
static struct variant problem_part(const struct variant *v)
{
    struct variant part = { .problem = v->problem };
    int n = 0;
    for (int k = 0; k < SETTINGS_MAX && v->with[k].name; k++)
        if (strncmp(v->with[k].name, "problem.", 8) == 0)
            part.with[n++] = v->with[k];
    return part;
}

struct planning {
    struct plan *plan;
    struct runner *runner;
    const struct selection *s;
    const struct claim *claim;
    struct window window;
    const struct range *listed;  /* the axis values given by the user, or NULL */
};

static double axis_value(const struct planning *g, int k)
{
    const struct window *w = &g->window;
    double t = w->points > 1 ? (double)k / (w->points - 1) : 0;
    double axis = g->listed ? g->listed->value[k] : w->from * pow(w->to / w->from, t);
    return g->claim->axis && whole(g->claim->axis) ? rint(axis) : axis;
}

static enum status add_role(struct planning *g, enum role role, int also, const char *algo,
                            const struct variant *first, const struct variant *second, struct why *why)
{
    const struct claim *c = g->claim;
    struct layers l = { { first, second } };
    for (int k = 0; k < g->window.points; k++) {
        double axis = axis_value(g, k);
        long reps = c->deterministic && role != ROLE_ALSO ? 1 : g->window.reps;
        for (long rep = 0; rep < reps; rep++) {
            struct cell *cell;
            TRY(cell_at(g->runner, c, &l, algo, axis, rep, g->s, &cell, why));
            struct task task = { c, role, also, k, axis, rep, add_cell(g->plan, cell) };
            add_task(g->plan, &task);
        }
    }
    return OK;
}

static enum status add_claim(struct planning *g, struct why *why)
{
    const struct claim *c = g->claim;
    const struct variant controlled_problem = problem_part(&c->control);
    TRY(add_role(g, ROLE_MAIN, 0, c->algo, NULL, NULL, why));
    if (c->check == CHECK_ORDER)
        TRY(add_role(g, ROLE_RIVAL, 0, c->algo, &c->than, NULL, why));
    if (has_variant(&c->control)) {
        TRY(add_role(g, ROLE_CONTROL, 0, c->algo, &c->control, NULL, why));
        if (c->check == CHECK_ORDER)
            TRY(add_role(g, ROLE_CONTROL_RIVAL, 0, c->algo, &c->than, &controlled_problem, why));
    }
    for (int k = 0; k < 6 && c->also[k]; k++)
        TRY(add_role(g, ROLE_ALSO, k, c->also[k], NULL, NULL, why));
    return OK;
}

static const struct range *range_of(const struct selection *s, const char *axis)
{
    for (int k = 0; axis && k < s->ranges; k++)
        if (strcmp(s->range[k].name, axis) == 0)
            return &s->range[k];
    return NULL;
}

/* The declared window under the user's overrides. */
static void set_window(struct planning *g, bool *exploratory)
{
    const struct selection *s = g->s;
    const struct range *r = range_of(s, g->claim->axis);
    struct window *w = &g->window;

    *w = g->claim->window[s->profile];
    *exploratory = s->overrides.count > 0 || r || (!isnan(s->seed) && s->seed != 1);
    for (int k = 0; k < s->ranges; k++)
        *exploratory |= s->range[k].values == 1;
    if (w->points && r) {
        w->from = r->value[0];
        w->to = r->value[r->values - 1];
        g->listed = r->ends ? NULL : r;
        w->points = r->ends ? w->points : r->values;
    }
    if (w->points && s->reps > 0 && !g->claim->deterministic) {
        w->reps = (int)s->reps;
        *exploratory = true;
    }
}

/* Several values are for the claims that have this axis; others keep their own setting. */
static enum status check_ranges(const struct plan *p, const struct selection *s, struct why *why)
{
    for (int k = 0; k < s->ranges; k++) {
        bool used = s->range[k].values == 1;
        for (int c = 0; c < p->claims && !used; c++)
            used = range_of(s, p->claim[c].claim->axis) == &s->range[k];
        if (!used)
            return why_set(why, BAD_INPUT, "--%s: several values, but no selected claim has this axis",
                           s->range[k].name);
    }
    return OK;
}

static enum status add_paper(struct plan *p, struct runner *r, const struct paper *paper,
                             const struct selection *s, struct why *why)
{
    for (const struct claim *c = paper->claims; c && c->id; c++) {
        if (!claim_matches(c, s))
            continue;
        struct planning g = { .plan = p, .runner = r, .s = s, .claim = c };
        struct planned_claim planned = { .claim = c, .first_task = p->tasks };
        set_window(&g, &planned.exploratory);
        struct why reason = { "" };
        if (g.window.points && add_claim(&g, &reason) != OK)
            return why_set(why, BAD_INPUT, "claim %s: %.300s", c->id, reason.text);
        planned.tasks = p->tasks - planned.first_task;
        planned.points = g.window.points;
        planned.reps = g.window.reps;
        p->claim = realloc(p->claim, (size_t)(p->claims + 1) * sizeof *p->claim);
        BUG_IF(!p->claim);
        p->claim[p->claims++] = planned;
    }
    return OK;
}

enum status plan_make(const struct selection *s, struct plan *p, struct why *why)
{
    memset(p, 0, sizeof *p);
    struct runner *r = runner_new(0);
    enum status status = OK;
    for (int planted = 0; planted <= s->planted && status == OK; planted++) {
        const struct paper *const *list = planted ? registry_planted_papers() : registry_papers();
        for (; *list && status == OK; list++)
            status = add_paper(p, r, *list, s, why);
    }
    runner_free(r);
    if (status == OK)
        status = check_ranges(p, s, why);
    if (status == OK && p->claims == 0)
        status = why_set(why, BAD_INPUT, "nothing selected: no claim matches; see `assay list claims`");
    if (status != OK)
        plan_free(p);
    return status;
}

void plan_free(struct plan *p)
{
    for (int k = 0; k < p->cells; k++)
        cell_free(p->cell[k]);
    free(p->cell);
    free(p->task);
    free(p->claim);
    memset(p, 0, sizeof *p);
}
