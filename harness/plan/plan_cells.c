/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_cells.c - from a claim, a variant and one value of the axis to a cell; the plan has each cell once. Settings
 * that are functions of an instance's facts need the instance, which is made for this purpose once in the whole
 * plan. */
#include "plan/plan_cells.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plan/measure.h"
#include "base/params.h"
#include "cell/registry.h"
#include "exec/method.h"

/* --- the cells of a plan, each of which it has once */

/* Returns the slot of a cell in the hash table p->slot: the one that holds its index or, if the plan does not have
 * the cell, the free one for it (linear probing by its seed). */
static size_t slot_of(const struct plan *p, const struct cell *c)
{
    size_t k = c->seed & (p->slots - 1);
    while (p->slot[k] && strcmp(p->cell[p->slot[k] - 1]->text, c->text))
        k = (k + 1) & (p->slots - 1);
    return k;
}

static void grow(struct plan *p)
{
    p->cell_room = p->cell_room ? 2 * p->cell_room : 256;
    p->cell = realloc(p->cell, (size_t)p->cell_room * sizeof(struct cell *));
    free(p->slot);
    p->slots = (size_t)p->cell_room * 2;
    p->slot = calloc(p->slots, sizeof *p->slot);
    BUG_IF(!p->cell || !p->slot);
    for (int k = 0; k < p->cells; k++)
        p->slot[slot_of(p, p->cell[k])] = k + 1;
}

int plan_add_cell(struct plan *p, struct cell *c)
{
    if (p->cells == p->cell_room)
        grow(p);
    size_t k = slot_of(p, c);
    if (p->slot[k]) {
        cell_free(c);
        return p->slot[k] - 1;
    }
    p->cell[p->cells] = c;
    p->slot[k] = p->cells + 1;
    return p->cells++;
}

/* --- Facts of instances. They are kept, since roles of a claim, and claims on one problem, use the same instances,
 * and making an instance may take longer than the rest of the plan. */

struct known { bool taken; uint64_t instance; struct facts facts; };

/* A hash table of n instances with their facts. room: the length of the table, a power of two, at least twice n. */
struct plan_facts { struct known *at; size_t room, n; };

/* Returns the entry of an instance or, if there is none, the free one for it. `instance` is the data seed, a hash
 * of all that determines the instance. */
static struct known *entry_of(const struct plan_facts *f, uint64_t instance)
{
    size_t k = instance & (f->room - 1);
    while (f->at[k].taken && f->at[k].instance != instance)
        k = (k + 1) & (f->room - 1);
    return &f->at[k];
}

static void grow_facts(struct plan_facts *f)
{
    struct plan_facts more = { .room = f->room ? 2 * f->room : 256, .n = f->n };
    more.at = calloc(more.room, sizeof *more.at);
    BUG_IF(!more.at);
    for (size_t k = 0; k < f->room; k++)
        if (f->at[k].taken)
            *entry_of(&more, f->at[k].instance) = f->at[k];
    free(f->at);
    *f = more;
}

static enum status make_known(struct planning *g, const struct cell *c, struct known *known, struct why *why)
{
    const void *self;
    const struct facts *facts;
    TRY(runner_instance(g->runner, c, &self, &facts, why));
    *known = (struct known){ true, c->data_seed, *facts };
    known->facts.L_j = known->facts.M_j = NULL;              /* these vectors are freed with the instance */
    return OK;
}

enum status plan_facts_of(struct planning *g, const struct cell *c, struct facts *facts, struct why *why)
{
    struct plan *p = g->plan;
    p->facts = p->facts ? p->facts : calloc(1, sizeof *p->facts);
    BUG_IF(!p->facts);
    if (2 * (p->facts->n + 1) > p->facts->room)
        grow_facts(p->facts);
    struct known *known = entry_of(p->facts, c->data_seed);
    if (!known->taken) {
        TRY(make_known(g, c, known, why));
        p->facts->n++;
    }
    *facts = known->facts;
    return OK;
}

void plan_forget_facts(struct plan *p)
{
    if (p->facts)
        free(p->facts->at);
    free(p->facts);
    p->facts = NULL;
}

/* --- settings at one value of the axis */

/* Returns the parameters of an algorithm or estimator; NULL: there is none of this name. */
static const struct param *params_of(const char *algo)
{
    const struct algo *a = registry_algo(algo);
    const struct estimator *e = a ? NULL : registry_estimator(algo);
    return a ? a->params : e ? e->params : NULL;
}

/* Returns the scope of an axis: "problem" if the family declares a parameter of this name, else "goal" if a goal
 * has such a member, else "algo" if the method declares it, else "problem": the
 * dimension d, which families need not declare. */
static const char *scope_of(const char *axis, const char *problem, const char *algo)
{
    struct goal g = goal_unknown();
    const struct problem *p = registry_problem(problem);
    const struct param *of_algo = params_of(algo);
    if (p && params_find(p->params, axis))
        return "problem";
    if (goal_member(&g, axis))
        return "goal";
    return of_algo && params_find(of_algo, axis) ? "algo" : "problem";
}

bool plan_whole(const char *name, const char *problem, const char *algo)
{
    const char *dot = strchr(name, '.'), *scope = dot ? name : scope_of(name, problem, algo);
    const struct problem *p = registry_problem(problem);
    const struct param *table = strncmp(scope, "problem", 7) == 0 ? p ? p->params : NULL
                                : strncmp(scope, "algo", 4) == 0  ? params_of(algo)
                                                                  : NULL;
    const struct param *declared = table ? params_find(table, dot ? dot + 1 : name) : NULL;
    if (declared)
        return declared->type == PARAM_COUNT;
    return axis_counts(dot ? dot + 1 : name);
}

/* The names of the problem and of the method of a cell, to which its settings apply. */
struct cast { const char *problem, *algo; };

/* Puts the settings with[] at a value of the axis into the bag. foreign: they were written for another algorithm
 * than that of the cell, so that settings algo.* are left out. facts NULL: settings that are functions of facts are
 * left out, but for those of the problem. */
static void put_settings(struct bag *bag, const struct setting *with, const struct cast *cast,
                         bool foreign, double axis, const struct facts *facts)
{
    for (int k = 0; k < SETTINGS_MAX && with[k].name; k++) {
        const struct setting *s = &with[k];
        if (foreign && strncmp(s->name, "algo.", 5) == 0)
            continue;
        if (s->text) {
            bag_put_text(bag, s->name, s->text);
            continue;
        }
        bool of_problem = strncmp(s->name, "problem.", 8) == 0;
        if (s->of && !facts && !of_problem)
            continue;                    /* facts NULL: the instance has not been made yet */
        double v = s->of ? s->of(axis, of_problem ? NULL : facts) : s->value * pow(axis, s->power);
        bag_put(bag, s->name, plan_whole(s->name, cast->problem, cast->algo) ? rint(v) : v);
    }
}

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

/* name[64] <- the setting that an axis is for this problem and method, as goal.T. */
static void axis_setting(char *name, const char *axis, const char *problem, const char *algo)
{
    snprintf(name, 64, "%s.%s", scope_of(axis, problem, algo), axis);
}

void plan_put_axis(struct bag *bag, const char *axis, const char *problem, const char *algo,
                   double value)
{
    char name[64];
    axis_setting(name, axis, problem, algo);
    bag_put(bag, name, value);
}

static const struct variant *layer(const struct layers *l, int k)
{
    static const struct variant none = { 0 };
    return l->variant[k] ? l->variant[k] : &none;
}

/* Puts the settings run.* of a claim of check `private` into the bag. Every replicate is replayed on another
 * neighbouring data set. The audit makes audit[profile] runs on each of two neighbouring data sets; these runs are
 * divided among the replicates that the window declares, and replicates that later rounds add have no part in it.
 * More runs give larger lower bounds on epsilon and take time in proportion. */
static void put_privacy(struct bag *bag, const struct claim *c, enum profile profile, long rep)
{
    static const double audit[] = { 250, 2000, 8000 };
    long parts = c->window[profile].reps;
    bag_put(bag, "run.replay", (double)rep + 1);
    if (rep > 0 && rep >= parts)
        return;
    bag_put(bag, "run.audit", audit[profile]);
    if (parts > 1) {
        bag_put(bag, "run.part", (double)rep + 1);
        bag_put(bag, "run.parts", (double)parts);
    }
}

/* A value of the claim's axis and the number of a replicate, for which a cell is made. searched: the value of the
 * setting that the claim's search chooses, which wins over all settings except the user's; NaN: the claim has no
 * search. */
struct place { double axis, searched; long rep; };

static void fill_bag(struct bag *bag, const struct planning *g, const struct layers *l,
                     const struct cast *cast, const struct place *at, const struct facts *facts)
{
    const struct claim *c = g->claim;
    const struct selection *s = g->s;
    double axis = at->axis, searched = at->searched;
    bool foreign = strcmp(cast->algo, c->algo) != 0;
    if (c->check == CHECK_PRIVATE)
        put_privacy(bag, c, s->profile, at->rep);
    if (c->axis)
        plan_put_axis(bag, c->axis, cast->problem, cast->algo, axis);
    put_settings(bag, c->with, cast, foreign, axis, facts);
    for (int k = 0; k < 2; k++)
        put_settings(bag, layer(l, k)->with, cast, false, axis, facts);
    if (c->every_mark)
        bag_put(bag, "run.trace", TRACE_EVERY);
    else if (measure_of_marks(c->measure) && !bag_find(bag, "run.trace"))
        bag_put(bag, "run.trace", TRACE_GEOMETRIC);
    if (!isnan(searched))
        bag_put(bag, c->search.name,
                plan_whole(c->search.name, cast->problem, cast->algo) ? rint(searched) : searched);
    bag_copy(bag, &s->overrides);
    for (int k = 0; k < s->ranges; k++)
        if (s->range[k].values == 1 && (!c->axis || strcmp(s->range[k].name, c->axis)))
            plan_put_axis(bag, s->range[k].name, cast->problem, cast->algo, s->range[k].value[0]);
    if (!isnan(s->seed) && s->seed != 1)
        bag_put(bag, "run.seed", s->seed);
}

/* Checks a claim about the measure "moment.NAME": its method must be an estimator with the functional NAME, or NAME
 * must be "cost". For check law the estimator must draw without strata and, with a threshold or a distribution,
 * make one draw a run. */
static enum status check_functional(const struct claim *c, const struct cell *cell, struct why *why)
{
    const char *functional = measure_functional(c->measure);
    const struct functional *f = cell->estimator ? cell->estimator->functionals : NULL;
    if (!cell->estimator)
        return why_set(why, BAD_INPUT, "%s is an algorithm: %s is for estimators", cell->algo->name,
                       c->measure);
    if (c->check == CHECK_LAW && cell->estimator->strata)
        return why_set(why, BAD_INPUT, "check law counts events; %s draws by strata: check moment",
                       cell->estimator->name);
    if (c->check == CHECK_LAW && (c->threshold || c->cdf) && cell->run.draws != 1)
        return why_set(why, BAD_INPUT,
                       "a threshold or a distribution needs one number a run: run.draws 1, "
                       "not %ld",
                       cell->run.draws);
    while (f && f->name && strcmp(f->name, functional))
        f++;
    if ((f && f->name) || strcmp(functional, "cost") == 0)
        return OK;
    return why_set(why, BAD_INPUT, "estimator %s has no functional '%s'", cell->estimator->name,
                   functional);
}

/* Checks a claim about the measure "hit.NAME": the family must have a first measure, which marks are measured by,
 * and NAME must be one of the counts run_marked that marks keep. */
static enum status check_hit(const struct claim *c, const struct cell *cell, struct why *why)
{
    const struct measure *ruler = cell->problem->measures;
    const char *count = strchr(c->measure, '.') + 1;
    char kept[256] = "";
    if (!ruler || !ruler->at)
        return why_set(why, BAD_INPUT, "%s reads the family's first measure, and problem %s has none",
                       c->measure, cell->problem->name);
    for (const char *const *name = run_marked; *name; name++) {
        if (strcmp(*name, count) == 0)
            return OK;
        snprintf(kept + strlen(kept), sizeof kept - strlen(kept), "%shit.%s", *kept ? ", " : "", *name);
    }
    return why_set(why, BAD_INPUT, "marks keep no '%s': expected one of %s, not '%s'", count, kept,
                   c->measure);
}

/* Checks that the record of this cell will have the number that the claim measures. */
static enum status check_measure(const struct claim *c, const struct cell *cell, struct why *why)
{
    const struct measure *m = cell->problem->measures;
    const char *name = c->measure;
    if (measure_functional(name))
        return check_functional(c, cell, why);
    if (cell->estimator && !measure_is_count(name) && strncmp(name, "note.", 5))
        return why_set(why, BAD_INPUT,
                       "%s is an estimator: expected moment.NAME, moment.cost, a count or a "
                       "note, not '%s'",
                       cell->estimator->name, name);
    if (plan_measures_search(c) || cell->estimator)
        return OK;
    if (measure_of_marks(name))
        return check_hit(c, cell, why);
    if (c->every_mark && (!m || !m->name || strcmp(m->name, name)))
        return why_set(why, BAD_INPUT, "every_mark reads the family's first measure, which of %s is %s, "
                       "not %s", cell->problem->name, m && m->name ? m->name : "none", name);
    if (measure_is_count(name) || strchr(name, '.'))
        return OK;
    for (; m && m->name; m++)
        if (m->at && strcmp(m->name, name) == 0)
            return OK;
    return why_set(why, BAD_INPUT, "problem %s does not measure '%s'", cell->problem->name, name);
}

/* Refuses a constant setting of the claim's axis, which would win over the axis at every point: one of the claim,
 * or one of the user where there are several points. A line of a plot with one point may have such a setting. */
static enum status check_axis(const struct planning *g, const struct cast *cast, struct why *why)
{
    static const char words[] = "is its axis and set to a constant: nothing would move";
    const struct claim *c = g->claim;
    bool moves = g->planned && g->planned->points > 1;
    char name[64];
    if (!c->axis)
        return OK;
    axis_setting(name, c->axis, c->problem, c->algo);
    for (int k = 0; (moves || c->check != CHECK_FIGURE) && k < SETTINGS_MAX && c->with[k].name; k++)
        if (strcmp(c->with[k].name, name) == 0 && !c->with[k].of && c->with[k].power == 0)
            return why_set(why, BAD_INPUT, "%s %s", name, words);
    axis_setting(name, c->axis, cast->problem, cast->algo);
    if (moves && bag_find(&g->s->overrides, name))
        return why_set(why, BAD_INPUT, "--set %s: %s %s; --%s gives it values", name, name, words, c->axis);
    return OK;
}

/* Returns the problem and the method of a claim's cell: those of the claim and of the role (algo), unless a variant
 * in the layers names others. */
static struct cast cast_of(const struct claim *c, const struct layers *l, const char *algo)
{
    struct cast cast = { c->problem, algo };
    for (int k = 0; k < 2; k++) {
        cast.problem = layer(l, k)->problem ? layer(l, k)->problem : cast.problem;
        cast.algo = layer(l, k)->algo ? layer(l, k)->algo : cast.algo;
    }
    return cast;
}

/* Returns the number that replicate 0 of the claim has in its cells. A claim that says .fresh has numbers, and
 * hence data, that no other attempt at its row has. */
static long first_number(const struct claim *c) { return c->fresh ? 100000L * c->attempt : 0; }

static enum status make_cell(const struct planning *g, const struct layers *l, const char *algo,
                             const struct place *at, const struct facts *facts, struct cell **cell,
                             struct why *why)
{
    struct cast cast = cast_of(g->claim, l, algo);
    struct bag bag = { 0 };
    fill_bag(&bag, g, l, &cast, at, facts);
    enum status s = cell_make(cast.problem, cast.algo, &bag, first_number(g->claim) + at->rep, cell, why);
    bag_free(&bag);
    return s;
}

/* Checks a cell against its claim, if s, the status of making the cell, is OK. On failure frees the cell and sets
 * *cell to NULL. */
static enum status checked(const struct planning *g, const struct layers *l, const char *algo, enum status s,
                           struct cell **cell, struct why *why)
{
    const struct cast cast = cast_of(g->claim, l, algo);
    if (s == OK)
        s = check_axis(g, &cast, why);
    if (s == OK)
        s = check_measure(g->claim, *cell, why);
    if (s != OK) {
        cell_free(*cell);
        *cell = NULL;
    }
    return s;
}

/* Makes a cell of the role only to know its problem and data: settings that are functions of facts are left out;
 * all settings of the problem are there. */
static enum status bare_cell(struct planning *g, const struct lineup *l, double axis, struct cell **cell,
                             struct why *why)
{
    const struct place at = { axis, NAN, 0 };
    enum status s = make_cell(g, &l->layers, l->algo, &at, NULL, cell, why);
    return checked(g, &l->layers, l->algo, s, cell, why);
}

enum status plan_cell_at(struct planning *g, const struct layers *l, const char *algo, double axis,
                         double searched, long rep, struct cell **cell, struct why *why)
{
    const struct place at = { axis, searched, rep };
    enum status status = make_cell(g, l, algo, &at, NULL, cell, why);
    if (status == OK && needs_facts(g->claim, l)) {
        struct facts facts;
        struct cell *first = *cell;
        *cell = NULL;
        status = plan_facts_of(g, first, &facts, why);
        if (status == OK)
            status = make_cell(g, l, algo, &at, &facts, cell, why);
        cell_free(first);
    }
    return checked(g, l, algo, status, cell, why);
}

/* Do the cells of a claim at one value of the axis differ in nothing but the number of the replicate? */
static bool alike(const struct claim *c, const struct layers *l)
{
    return c->check != CHECK_PRIVATE && !needs_facts(c, l);
}

enum status plan_add_replicate(struct planning *g, const struct lineup *l, double axis, double searched,
                               long rep, int *at, struct why *why)
{
    struct cell *cell;
    if (*at >= 0 && alike(g->claim, &l->layers))
        cell = cell_replicate(g->plan->cell[*at], first_number(g->claim) + rep);
    else
        TRY(plan_cell_at(g, &l->layers, l->algo, axis, searched, rep, &cell, why));
    *at = plan_add_cell(g->plan, cell);
    return OK;
}

/* --- Data files that are not on this machine. This is found out when the plan is made, so that the claims that
 * need them are left out and the others run. */

/* Returns the file or name of the data set that the cell's problem reads; NULL: it reads none. */
static const char *data_of(const struct cell *c)
{
    const struct param *p = params_find(c->problem->params, "data");
    if (!p || p->type != PARAM_TEXT)
        return NULL;
    return *(const char *const *)((const char *)c->problem_params + p->offset);
}

/* Refuses a data set that the user named and that is not on this machine: a claim that the program declares is left
 * out in this case, but the user may have mistyped the name. */
static enum status check_named(const char *data, struct why *why)
{
    char path[PATH_MAX];
    if (strchr(data, '/'))
        return why_set(why, BAD_INPUT, "problem.data=%.200s: %s: expected a data file", data,
                       strerror(errno));
    return data_set_file(data, path, why);
}

enum status plan_missing_data(const struct cell *c, const struct bag *overrides, char *missing,
                              struct why *why)
{
    const char *data = data_of(c);
    struct stat found;
    *missing = '\0';
    if (!data || (stat(data, &found) == 0 && (strchr(data, '/') || !S_ISDIR(found.st_mode))))
        return OK;
    if (bag_find(overrides, "problem.data"))
        return check_named(data, why);
    return data_set_missing(data, missing, why);
}

static void leave_out(struct planned_claim *p)
{
    p->points = 0;
    p->searching = false;
}

void plan_load_programs(struct planning *g, const struct lineup *l, int n)
{
    struct planned_claim *p = g->planned;
    for (int k = 0; k < n && p->points; k++) {
        struct cast cast = cast_of(g->claim, &l[k].layers, l[k].algo);
        const struct program *program = paper_program(p->paper, cast.algo);
        struct why why;
        if (!program || method_load_program(program, &why) == OK)
            continue;
        snprintf(p->missing, sizeof p->missing, "its program does not run: %.150s", why.text);
        leave_out(p);
    }
}

enum status plan_check_data(struct planning *g, const struct lineup *l, int n, double axis, struct why *why)
{
    struct planned_claim *p = g->planned;
    for (int k = 0; k < n && p->points; k++) {
        struct cell *c;
        TRY(bare_cell(g, &l[k], axis, &c, why));
        enum status s = plan_missing_data(c, &g->s->overrides, p->missing, why);
        cell_free(c);
        TRY(s);
        if (*p->missing)
            leave_out(p);
    }
    return OK;
}
