/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reported_plan.c - what sweeps and claims of reported runs share in making a plan: its cells, which no worker
 * runs; the choice of runs; the values of an axis; the tasks of a claim. */
#include "studies/reported_state.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "plan/measure.h"

/* The most values of an axis that a plot or a claim takes: 33 are four in each of eight decades. */
enum { POINTS_MOST = 33 };

const char *reported_words(struct reported_made *m, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    size_t n = (size_t)vsnprintf(NULL, 0, format, list) + 1;
    va_end(list);
    char *text = arena_bytes(m->arena, n);
    va_start(list, format);
    vsnprintf(text, n, format, list);
    va_end(list);
    return text;
}

const char *reported_slug(struct reported_made *m, const char *name)
{
    char *text = (char *)reported_words(m, "%.24s", name);
    for (char *c = text; *c; c++)
        *c = isalnum((unsigned char)*c) || strchr("-_", *c) ? *c : '-';
    return text;
}

const char *reported_bare(const char *setting) { return strchr(setting, '.') ? strchr(setting, '.') + 1 : setting; }

bool reported_is_listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at++)
        if ((at == list || at[-1] == ',') && (!at[n] || at[n] == ','))
            return true;
    return false;
}

int reported_find_setting(const struct reported *r, const char *name)
{
    static const char *const scopes[] = { "", "goal.", "problem.", "algo.", "run." };
    for (size_t s = 0; s < sizeof scopes / sizeof *scopes; s++)
        for (int k = 0; k < r->settings; k++) {
            size_t n = strlen(scopes[s]);
            if (strncmp(r->setting[k].name, scopes[s], n) == 0 && strcmp(r->setting[k].name + n, name) == 0)
                return k;
        }
    return -1;
}

/* --- cells and records */

static void add_param(struct reported_made *m, const char *name)
{
    for (int k = 0; k < m->params; k++)
        if (strcmp(m->param[k].name, name) == 0)
            return;
    if (m->params < REPORTED_PARAMS) {
        m->param[m->params] = (struct param){ .name = reported_words(m, "%s", name),
                                              .type = PARAM_REAL,
                                              .offset = (size_t)m->params * sizeof(double),
                                              .def = NAN,
                                              .lo = -INFINITY,
                                              .hi = INFINITY,
                                              .unit = "",
                                              .doc = "" };
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
    *c = (struct cell){ .text = run->record->cell,
                        .problem = &m->problem,
                        .algo = &m->algo,
                        .algo_params = arena_vec(m->arena, REPORTED_PARAMS),
                        .goal = goal_unknown(),
                        .rep = run->rep,
                        .expected = NAN };
    for (int k = 0; k < m->r->settings; k++) {
        const char *name = m->r->setting[k].name;
        double *member = strncmp(name, "goal.", 5) ? NULL : goal_member(&c->goal, name + 5);
        if (member && !run->with[k].text)
            *member = run->with[k].number;
    }
    return c;
}

void reported_begin_plan(const struct reported *r, const struct reported_request *q, struct reported_plan *p)
{
    struct reported_made *m = calloc(1, sizeof *m);
    BUG_IF(!m);
    *p = (struct reported_plan){ .made = m };
    *m = (struct reported_made){
        .arena = arena_new(0), .r = r, .q = q, .measure = q->measure ? q->measure : r->measure
    };
    m->measures[0] = (struct measure){ .name = m->measure, .unit = "", .doc = "as reported", .certainty = EXACT };
    m->problem = (struct problem){ .name = "reported", .measures = m->measures };
    find_params(m);
    m->algo = (struct algo){ .name = "reported",
                             .params = m->param,
                             .params_size = REPORTED_PARAMS * sizeof(double) };
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

/* --- the choice of runs */

bool reported_same_value(const struct reported_value *a, const struct reported_value *b)
{
    if (a->text || b->text)
        return a->text && b->text && strcmp(a->text, b->text) == 0;
    return a->number == b->number || (isnan(a->number) && isnan(b->number));
}

bool reported_in_ranges(const struct reported *r, const struct reported_request *q, const struct reported_run *run)
{
    for (int k = 0; k < q->ranges; k++) {
        const struct range *range = &q->range[k];
        int s = reported_find_setting(r, range->name);
        double x = s < 0 ? NAN : run->with[s].number;
        bool in = range->ends && x >= range->value[0] * (1 - 1e-12) && x <= range->value[1] * (1 + 1e-12);
        for (int i = 0; !range->ends && i < range->values; i++)
            in |= x == range->value[i];
        if (!in)
            return false;
    }
    return true;
}

bool reported_matches(const struct reported_made *m, const struct reported_wanted *w, int axis,
                      const struct reported_run *run)
{
    const struct reported *r = m->r;
    if ((w->method && strcmp(w->method, run->method)) || (w->problem && strcmp(w->problem, run->problem)))
        return false;
    for (int k = 0; k < r->settings; k++)
        if (k != axis && w->fixed[k] && !reported_same_value(&w->with[k], &run->with[k]))
            return false;
    return reported_in_ranges(r, m->q, run) &&
           (axis < 0 || (!run->with[axis].text && run->with[axis].number > 0 && isfinite(run->with[axis].number)));
}

enum status reported_fix(const struct reported *r, struct reported_wanted *w, const char *option, const char *name,
                         const char *text, double number, struct why *why)
{
    int s = reported_find_setting(r, name);
    if (s < 0)
        return why_set(why, BAD_INPUT, "--%s %.60s: no column of the results has this name", option, name);
    w->fixed[s] = true;
    w->with[s] = (struct reported_value){ text, number };
    return OK;
}

enum status reported_fix_settings(const struct reported_made *m, struct reported_wanted *w, struct why *why)
{
    for (int k = 0; m->q->set && k < m->q->set->count; k++) {
        const struct assignment *a = &m->q->set->at[k];
        TRY(reported_fix(m->r, w, "set", a->name, a->text, a->value, why));
    }
    return OK;
}

/* --- the values of an axis */

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Copies value[n], which rises, to *p. If n > POINTS_MOST, only those values are copied that are nearest to a
 * geometric grid of POINTS_MOST points. */
static void thin(double *value, int n, struct reported_points *p)
{
    p->thinned = n > POINTS_MOST;
    for (int k = 0; k < (p->thinned ? POINTS_MOST : n); k++) {
        double wanted = p->thinned ? value[0] * pow(value[n - 1] / value[0], (double)k / (POINTS_MOST - 1))
                                   : value[k];
        double best = value[k];
        for (int i = 0; p->thinned && i < n; i++)
            if (fabs(log(value[i] / wanted)) < fabs(log(best / wanted)))
                best = value[i];
        if (!p->n || best > p->value[p->n - 1])
            p->value[p->n++] = best;
    }
}

struct reported_points reported_points(const struct reported_made *m, const struct reported_wanted *w, int axis)
{
    struct reported_points p = { .n = 0 };
    int n = 0, kept = 0;
    double *value = malloc(((size_t)m->r->runs + 1) * sizeof *value);
    BUG_IF(!value);
    for (int k = 0; k < m->r->runs; k++)
        if (reported_matches(m, w, axis, &m->r->run[k]))
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

static int place_on(const struct reported_points *p, double value)
{
    for (int k = 0; k < p->n; k++)
        if (p->value[k] == value)
            return k;
    return -1;
}

/* --- planned claims */

static int by_place(const void *a, const void *b)
{
    const struct task *x = a, *y = b;
    int c = (x->role > y->role) - (x->role < y->role);
    c = c ? c : (x->point > y->point) - (x->point < y->point);
    return c ? c : (x->rep > y->rep) - (x->rep < y->rep);
}

void reported_add_role(const struct reported_made *m, struct planned_claim *c, enum role role,
                       const struct reported_wanted *w, int axis, const struct reported_points *points)
{
    for (int k = 0; k < m->r->runs; k++) {
        const struct reported_run *run = &m->r->run[k];
        int point = reported_matches(m, w, axis, run) ? place_on(points, run->with[axis].number) : -1;
        if (point >= 0)
            plan_add_task(c, &(struct task){ .claim = c->claim, .role = role, .point = point,
                                             .axis = points->value[point], .rep = run->rep, .grid = -1,
                                             .searched = NAN, .cell = k });
    }
}

static int by_long(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

long reported_renumber(struct planned_claim *c)
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

void reported_finish_planned(struct planned_claim *c, const struct reported_points *points)
{
    c->reps = reported_renumber(c);
    c->points = points->n;
    c->from = points->value[0];
    c->to = points->value[points->n ? points->n - 1 : 0];
}

/* --- names of settings and methods, and the judgement of the plan */

bool reported_is_of(const char *setting, const char *scope)
{
    size_t n = strlen(scope);
    return strncmp(setting, scope, n) == 0 && setting[n] == '.';
}

bool reported_varies(const struct reported_made *m, const struct reported_wanted *w, int setting)
{
    const struct reported_value *first = NULL;
    for (int k = 0; k < m->r->runs; k++) {
        const struct reported_run *run = &m->r->run[k];
        if (!reported_matches(m, w, -1, run))
            continue;
        if (first && !reported_same_value(first, &run->with[setting]))
            return true;
        first = first ? first : &run->with[setting];
    }
    return false;
}

enum status reported_known_names(const struct reported *r, const struct reported_request *q, struct why *why)
{
    char methods[300] = "", problems[300] = "";
    bool method = !q->algorithm, problem = !q->problem;
    for (int k = 0; k < r->runs; k++) {
        const struct {
            const char *name;
            char *list;
        } word[] = { { r->run[k].method, methods }, { r->run[k].problem, problems } };
        method = method || reported_is_listed(q->algorithm, r->run[k].method);
        problem = problem || reported_is_listed(q->problem, r->run[k].problem);
        for (int i = 0; i < 2; i++)
            if (!strstr(word[i].list, word[i].name) &&
                strlen(word[i].list) + strlen(word[i].name) + 3 < sizeof methods)
                snprintf(word[i].list + strlen(word[i].list), sizeof methods - strlen(word[i].list), "%s%s",
                         *word[i].list ? ", " : "", word[i].name);
    }
    if (!method)
        return why_set(why, BAD_INPUT, "--algorithm %.80s: the results have %.200s", q->algorithm, methods);
    return problem ? OK : why_set(why, BAD_INPUT, "--problem %.80s: the results have %.200s", q->problem, problems);
}

void reported_note(struct reported_plan *p, const char *note)
{
    size_t n = strlen(p->note);
    if (!strstr(p->note, note))
        snprintf(p->note + n, sizeof p->note - n, "%s%s", n ? "; " : "", note);
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
            j->verdict = verdict_say(INCONCLUSIVE,
                                     "rule 1: the results do not tell what %.60s is at the start, which a "
                                     "method that never moves would have: expected a column %.60s",
                                     j->claim->measure, idle);
        }
        /* The next action of a verdict may be to raise --reps, which does not apply to reported runs; it becomes a
         * demand for more results. */
        int more;
        if (sscanf(j->verdict.next, "raise --reps to %d", &more) == 1)
            snprintf(j->verdict.next, sizeof j->verdict.next, "results of %d replicates", more);
    }
}
