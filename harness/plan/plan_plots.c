/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_plots.c - plots: each line becomes a claim that nothing judges, so that its runs go the
 * way of all runs. */
#include "plan/plan_state.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/oracle_state.h"
#include "cell/registry.h"

bool plot_matches(const struct plot *p, const struct paper *paper, const struct selection *s)
{
    return plan_names(paper, p->id, s);
}

bool table_matches(const struct exhibit *t, const struct paper *paper, const struct selection *s)
{
    return plan_names(paper, t->id, s);
}

static int settings(const struct setting *with)
{
    int n = 0;
    while (n < SETTINGS_MAX && with[n].name)
        n++;
    return n;
}

/* Of its own, or the plot's; no line is drawn where its plot is not. */
static const struct window *windows(const struct plot *p, const struct plot_line *l)
{
    for (int k = 0; k < PROFILES; k++)
        if (l->window[k].points)
            return l->window;
    return p->window;
}

/* What is set twice is what was set last: the line's own. Of marks there is a trace. free() it. */
static struct claim *claim_of(const struct plot *p, const struct plot_line *l, struct why *why)
{
    const struct setting trace = { "run.trace", TRACE_GEOMETRIC };
    int traced = p->kind != PLOT_POINTS, common = settings(p->with), own = settings(l->with);
    if (traced + common + own > SETTINGS_MAX) {
        why_set(why, BAD_INPUT, "figure %s, %s: %d settings: expected at most %d", p->id, l->label,
                traced + common + own, SETTINGS_MAX);
        return NULL;
    }
    struct claim *c = malloc(sizeof *c);
    BUG_IF(!c);
    *c = (struct claim){ .id = p->id, .cite = "", .item = "", .says = p->says,
                         .kind = KIND_EVIDENCE, .check = CHECK_FIGURE, .algo = l->algo,
                         .problem = l->problem ? l->problem : p->problem, .axis = p->axis,
                         .deterministic = p->deterministic, .measure = p->measure,
                         .statistic = p->statistic, .quantile = p->quantile, .formula = l->theory,
                         .search = p->search };
    if (traced)
        c->with[0] = trace;
    memcpy(c->with + traced, p->with, (size_t)common * sizeof *c->with);
    memcpy(c->with + traced + common, l->with, (size_t)own * sizeof *c->with);
    for (int k = 0; k < PROFILES; k++)
        c->window[k] = p->window[k].points ? windows(p, l)[k] : p->window[k];
    return c;
}

static enum status add_line(struct plan *p, struct runner *r, const struct planned_claim *line,
                            const struct selection *s, struct why *why)
{
    struct planned_claim planned = *line;
    struct claim *c = claim_of(line->plot, &line->plot->line[line->line], why);
    if (!c)
        return BAD_INPUT;
    planned.claim = c;
    if (plan_matches(line->paper, c, s))
        return plan_add_claim(p, r, s, &planned, why);
    free(c);
    return OK;
}

enum status plan_add_plots(struct plan *p, struct runner *r, const struct paper *paper,
                           const struct selection *s, struct why *why)
{
    for (const struct plot *plot = paper->plots; plot && plot->id; plot++)
        for (int k = 0; k < LINES_MAX && plot->line[k].label; k++) {
            const char *algo = plot->line[k].algo;
            if (!registry_algo(algo) && !registry_estimator(algo))
                continue;                /* of a plug-in that is not there */
            struct planned_claim line = { .paper = paper, .plot = plot, .line = k };
            TRY(add_line(p, r, &line, s, why));
        }
    return OK;
}
