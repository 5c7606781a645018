/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/plan_state.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/registry.h"

const char *profile_name(enum profile p)
{
    static const char *const name[] = { "quick", "nightly", "full" };
    return name[p];
}

const char *check_name(enum check c)
{
    static const char *const name[] = { "count", "bound", "rate", "order", "moment", "law", "private",
                                        "figure" };
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

bool plan_names(const struct paper *paper, const char *id, const struct selection *s)
{
    return (!s->paper || any_glob(s->paper, paper->key)) && (!s->claim || any_glob(s->claim, id));
}

/* A table is selected by its own name too: then its claims are. */
static bool in_table(const struct claim *c, const struct paper *paper, const struct selection *s)
{
    for (const struct exhibit *t = paper->tables; s->claim && t && t->id; t++)
        for (const struct exhibit_row *r = t->row; plan_names(paper, t->id, s) && r->label; r++)
            for (int k = 0; k < TABLE_COLUMNS; k++)
                if (r->claim[k] && strcmp(r->claim[k], c->id) == 0)
                    return true;
    return false;
}

bool plan_matches(const struct paper *paper, const struct claim *c, const struct selection *s)
{
    return (plan_names(paper, c->id, s) || in_table(c, paper, s)) &&
           (!s->algorithm || any_glob(s->algorithm, c->algo)) &&
           (!s->problem || any_glob(s->problem, c->problem)) &&
           (!s->check || any_glob(s->check, check_name(c->check)));
}

bool claim_matches(const struct claim *c, const struct selection *s)
{
    return plan_matches(registry_paper_of(c), c, s);
}

/* --- one claim */

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

double plan_axis_value(const struct planning *g, int k)
{
    const struct planned_claim *p = g->planned;
    double t = p->points > 1 ? (double)k / (p->points - 1) : 0;
    double axis = p->listed ? p->listed->value[k] : p->from * pow(p->to / p->from, t);
    return g->claim->axis && plan_whole(g->claim->axis, g->claim->problem, g->claim->algo) ? rint(axis) : axis;
}

enum status plan_add_point(struct planning *g, const struct lineup *r, int point, double searched,
                           long from, struct why *why)
{
    const struct claim *c = g->claim;
    double axis = plan_axis_value(g, point);
    long reps = c->deterministic && r->role != ROLE_ALSO ? 1 : g->planned->reps;
    int at = -1;
    for (long rep = from; rep < reps; rep++) {
        TRY(plan_add_replicate(g, r, axis, searched, rep, &at, why));
        struct task task = { .claim = c, .role = r->role, .also = r->also, .point = point, .axis = axis,
                             .rep = rep, .grid = -1, .searched = searched, .cell = at };
        plan_add_task(g->planned, &task);
    }
    return OK;
}

int plan_lineup(const struct claim *c, struct variant controlled_problem[CONTROLS],
                struct lineup l[LINEUP_MAX])
{
    const struct variant *control[CONTROLS] = { &c->control, &c->control2 };
    int n = 0;
    l[n++] = (struct lineup){ ROLE_MAIN, 0, c->algo, { { NULL, NULL } } };
    if (claim_has_rival(c))
        l[n++] = (struct lineup){ ROLE_RIVAL, 0, c->algo, { { &c->than, NULL } } };
    for (int k = 0; k < CONTROLS; k++) {
        if (!variant_given(control[k]))
            continue;
        controlled_problem[k] = problem_part(control[k]);
        l[n++] = (struct lineup){ k ? ROLE_CONTROL2 : ROLE_CONTROL, 0, c->algo,
                                  { { control[k], NULL } } };
        if (claim_has_rival(c))
            l[n++] = (struct lineup){ k ? ROLE_CONTROL2_RIVAL : ROLE_CONTROL_RIVAL, 0, c->algo,
                                      { { &c->than, &controlled_problem[k] } } };
    }
    for (int k = 0; k < 6 && c->also[k]; k++)
        l[n++] = (struct lineup){ ROLE_ALSO, k, c->also[k], { { NULL, NULL } } };
    return n;
}

static enum status add_claim(struct planning *g, struct why *why)
{
    struct lineup l[LINEUP_MAX];
    struct variant controlled_problem[CONTROLS];
    int n = plan_lineup(g->claim, controlled_problem, l);
    TRY(plan_check_data(g, l, n, why));
    for (int k = 0; k < n; k++)
        for (int point = 0; point < g->planned->points; point++)
            TRY(g->claim->search.kind ? plan_add_search(g, &l[k], point, 0, why)
                                      : plan_add_point(g, &l[k], point, NAN, 0, why));
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
static void set_window(struct planned_claim *p, const struct selection *s)
{
    const struct claim *c = p->claim;
    const struct range *r = range_of(s, c->axis);
    struct window w = c->window[s->profile];

    p->exploratory = s->overrides.count > 0 || r || (!isnan(s->seed) && s->seed != 1);
    for (int k = 0; k < s->ranges; k++)
        p->exploratory |= s->range[k].values == 1;
    if (w.points && r) {
        w.from = r->value[0];
        w.to = r->value[r->values - 1];
        p->listed = r->ends ? NULL : r;
        w.points = r->ends ? w.points : r->values;
    }
    if (w.points && s->reps > 0 && !c->deterministic) {
        w.reps = (int)s->reps;
        p->exploratory = true;
    }
    p->from = w.from;
    p->to = w.to;
    p->points = w.points;
    p->reps = w.reps;
    p->searching = w.points && c->search.kind;
}

/* Several values are for the claims that have this axis; others keep their own setting. */
static enum status check_ranges(const struct plan *p, const struct selection *s, struct why *why)
{
    for (int k = 0; k < s->ranges; k++) {
        bool used = s->range[k].values == 1;
        for (int c = 0; c < p->claims + p->lines && !used; c++)
            used = range_of(s, p->claim[c].claim->axis) == &s->range[k];
        if (!used)
            return why_set(why, BAD_INPUT, "--%s: several values, but no selected claim has this axis",
                           s->range[k].name);
    }
    return OK;
}

enum status plan_add_claim(struct plan *p, struct runner *r, const struct selection *s,
                           const struct planned_claim *claim, struct why *why)
{
    p->claim = realloc(p->claim, (size_t)(p->claims + p->lines + 1) * sizeof *p->claim);
    BUG_IF(!p->claim);
    struct planned_claim *planned = &p->claim[p->claims + p->lines];
    *planned = *claim;
    *(planned->plot ? &p->lines : &p->claims) += 1;
    set_window(planned, s);
    struct planning g = { p, r, s, planned->claim, planned };
    struct why reason = { "" };
    if (add_claim(&g, &reason) == OK)
        return OK;
    return why_set(why, BAD_INPUT, "%s %s: %.300s", planned->plot ? "figure" : "claim",
                   planned->claim->id, reason.text);
}

static enum status add_claims(struct plan *p, struct runner *r, const struct paper *paper,
                              const struct selection *s, struct why *why)
{
    const struct claim *c;
    for (int k = 0; (c = paper_claim(paper, k)); k++)
        if (plan_matches(paper, c, s)) {
            struct planned_claim planned = { .claim = c, .paper = paper };
            TRY(plan_add_claim(p, r, s, &planned, why));
        }
    return OK;
}

/* All claims stand before all lines. */
static enum status add_papers(struct plan *p, struct runner *r, const struct selection *s,
                              struct why *why)
{
    const struct paper *const *list[] = { registry_papers(), registry_planted_papers() };
    for (int lines = 0; lines < 2; lines++)
        for (int planted = 0; planted <= s->planted; planted++)
            for (const struct paper *const *k = list[planted]; *k; k++)
                TRY(lines ? plan_add_plots(p, r, *k, s, why) : add_claims(p, r, *k, s, why));
    return OK;
}

enum status plan_next(const struct selection *s, struct plan *p, struct record *const *record,
                      bool *grew, struct why *why)
{
    struct runner *r = runner_new(0);
    enum status status = OK;
    *grew = false;
    for (int k = 0; k < p->claims + p->lines && status == OK; k++) {
        if (!p->claim[k].searching)
            continue;
        struct planning g = { p, r, s, p->claim[k].claim, &p->claim[k] };
        int before = p->claim[k].tasks;
        status = plan_add_all(&g, record, 0, why);
        *grew |= p->claim[k].tasks > before;
        p->claim[k].searching = false;
    }
    runner_free(r);
    return status;
}

enum status plan_double(const struct selection *s, struct plan *p, int k,
                        struct record *const *record, struct why *why)
{
    struct planned_claim *planned = &p->claim[k];
    struct planning g = { p, runner_new(0), s, planned->claim, planned };
    long before = planned->reps;
    planned->reps *= 2;
    planned->round++;
    enum status status = plan_add_all(&g, record, before, why);
    runner_free(g.runner);
    return status;
}

enum status plan_make(const struct selection *s, struct plan *p, struct why *why)
{
    memset(p, 0, sizeof *p);
    struct runner *r = runner_new(0);
    enum status status = add_papers(p, r, s, why);
    runner_free(r);
    if (status == OK)
        status = check_ranges(p, s, why);
    if (status == OK && p->claims + p->lines == 0)
        status = why_set(why, BAD_INPUT, "nothing selected: no claim matches; see `assay list claims`");
    if (status != OK)
        plan_free(p);
    return status;
}

void plan_free(struct plan *p)
{
    for (int k = 0; k < p->cells; k++)
        cell_free(p->cell[k]);
    for (int k = 0; k < p->claims + p->lines; k++) {
        free(p->claim[k].task);
        if (p->claim[k].plot)
            free((void *)p->claim[k].claim);
    }
    plan_forget_facts(p);
    free(p->cell);
    free(p->slot);
    free(p->claim);
    memset(p, 0, sizeof *p);
}
