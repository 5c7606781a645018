/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_plots.c - plots and tables in words and cells. */
#include "report/report_plots.h"

#include <math.h>
#include <string.h>

/* The claim's names are those of any line. */
static struct claim named(const struct plot *p, const char *measure)
{
    return (struct claim){ .check = CHECK_FIGURE, .algo = p->line[0].algo, .problem = p->problem,
                           .axis = p->axis, .measure = measure, .statistic = p->statistic,
                           .quantile = p->quantile, .deterministic = p->deterministic };
}

struct phrase report_plot_x(const struct plot *p)
{
    struct claim c = named(p, p->x);
    c.statistic = STAT_MEAN;
    c.deterministic |= p->kind != PLOT_POINTS;
    if (p->kind == PLOT_PROFILE)
        return report_say("%.100s over those of the method that is there first", report_measure(&c).at);
    return p->x ? report_measure(&c) : report_axis(&c);
}

bool report_plot_shares(const struct plot *p) { return p->kind == PLOT_REACHED || p->kind == PLOT_PROFILE; }

/* A chosen setting is what its search names. */
struct phrase report_plot_y(const struct plotted *p)
{
    const struct plot *plot = p->plot;
    struct claim c = named(plot, plot->measure);
    if (report_plot_shares(plot))
        return report_say("part of %d targets that is reached", p->pairs);
    if (plot->kind == PLOT_PATH)
        return report_say("median %.40s over the start's, best so far", plot->measure);
    if (strcmp(plot->measure, "search") == 0)
        c.measure = plot->search.name;
    return report_measure(&c);
}

static struct phrase right_name(const struct plot *p)
{
    struct phrase name = report_say("%.60s", p->x ? p->x : p->axis);
    for (char *s = name.at; *s; s++)
        if (*s == '_')
            *s = ' ';
    return name;
}

struct phrase report_theory(const struct plotted *p, int k)
{
    const struct plot_line *l = p->line[k].line;
    if (l->theory)
        return report_say("theory dashed");
    if (!(l->over[1] > 0))
        return report_say("%s", "");
    return report_say("theory slope %s", report_number(l->exponent).at);
}

static const struct plotted_point *least_of(const struct plotted_line *l)
{
    const struct plotted_point *least = l->point;
    for (const struct plotted_point *p = l->point; p < l->point + l->points; p++)
        if (p->y.value < least->y.value)
            least = p;
    return least;
}

static struct phrase nothing_of(const struct plotted_line *l)
{
    const struct judgement *j = l->runs;
    if (j->first_failure[0]) {
        const char *said = strstr(j->first_failure, ": ");
        return report_say("no point; %s", said ? said + 2 : j->first_failure);
    }
    if (j->no_data || j->dropped)
        return report_say("not run; %s", j->verdict.reason);
    return report_say(j->cells ? "not run" : "not in this profile");
}

/* The part reached at a place: of the last point that is not beyond it. */
static double part_at(const struct plotted_line *l, double x)
{
    double part = 0;
    for (const struct plotted_point *p = l->point; p < l->point + l->points && p->x <= x * (1 + 1e-12); p++)
        part = p->y.value;
    return part;
}

static struct phrase shares_of(const struct plotted_line *l, const struct plotted *p)
{
    const struct plotted_point *last = &l->point[l->points - 1], *half = l->point;
    struct phrase failed = l->failed + l->refused ? report_say("; %d runs failed", l->failed + l->refused)
                                                  : report_say("%s", "");
    if (p->plot->kind == PLOT_PROFILE)
        return report_say("first at %s of the targets, within twice the first's cost at %s, reaches %s%s",
                   report_number(part_at(l, 1)).at, report_number(part_at(l, 2)).at,
                   report_number(last->y.value).at, failed.at);
    while (half < last && half->y.value < 0.5)
        half++;
    if (half->y.value < 0.5)
        return report_say("reaches %s of the targets%s", report_number(last->y.value).at, failed.at);
    return report_say("reaches %s of the targets, half of them all within %s %s%s", report_number(last->y.value).at,
               report_number(half->x).at, right_name(p->plot).at, failed.at);
}

struct phrase report_line(const struct plotted *p, int k)
{
    const struct plotted_line *l = &p->line[k];
    struct phrase x = right_name(p->plot);
    if (!l->points)
        return nothing_of(l);
    if (report_plot_shares(p->plot))
        return shares_of(l, p);
    const struct plotted_point *least = least_of(l), *last = &l->point[l->points - 1];
    struct phrase t = report_say("%s at %.60s = %s", report_number(l->point->y.value).at, x.at,
                          report_number(l->point->x).at);
    if (least != l->point && least != last)
        t = report_say("%.160s, least %s at %s", t.at, report_number(least->y.value).at,
                report_number(least->x).at);
    if (last != l->point)
        t = report_say("%.230s, %s at %s", t.at, report_number(last->y.value).at,
                report_number(last->x).at);
    if (!isnan(l->slope))
        t = report_say("%.270s; slope %.3g for %.40s from %s to %s", t.at, l->slope, p->plot->axis,
                report_number(l->line->over[0]).at, report_number(l->line->over[1]).at);
    if (l->line->over[1] > 0 && !l->line->theory)
        t = report_say("%.350s, theory %s", t.at, report_number(l->line->exponent).at);
    if (l->runs->failed + l->runs->refused)
        t = report_say("%.360s; %d runs failed", t.at, l->runs->failed + l->runs->refused);
    return t;
}

struct phrase report_plot_command(const struct plotted *p, enum profile profile)
{
    return report_command(p->line[0].runs->claim, profile);
}

/* --- points */

void report_plot_heading(const struct plotted *p, struct phrase cell[PLOT_COLUMNS])
{
    cell[0] = report_say("line");
    cell[1] = report_say("%s", p->plot->kind == PLOT_POINTS ? p->plot->axis : "runs");
    cell[2] = p->plot->x ? report_plot_x(p->plot) : report_say("runs");
    cell[3] = report_plot_y(p);
    cell[4] = report_say("95%% interval");
    cell[5] = report_say("theory");
}

void report_plot_row(const struct plotted *p, int line, int point,
                     struct phrase cell[PLOT_COLUMNS])
{
    const struct plotted_line *l = &p->line[line];
    const struct plotted_point *at = &l->point[point];
    cell[0] = report_say("%s", l->line->label);
    cell[1] = p->plot->kind == PLOT_POINTS ? report_number(at->axis) : report_say("%d", at->reps);
    cell[2] = p->plot->x ? report_number(at->x) : report_say("%d", at->reps);
    cell[3] = report_number(at->y.value);
    cell[4] = p->plot->kind == PLOT_POINTS ? report_interval(&at->y) : report_say("-");
    cell[5] = isnan(at->theory) ? report_say("-") : report_number(at->theory);
}

/* --- tables */

int report_table_claim(const struct report_input *in, const struct exhibit_row *r, int column)
{
    for (int k = 0; r->claim[column] && k < in->judgements; k++)
        if (strcmp(in->judgement[k].claim->id, r->claim[column]) == 0)
            return k;
    return -1;
}

static bool is_judged(const struct report_input *in, const struct exhibit *t)
{
    for (const struct exhibit_row *r = t->row; r->label; r++)
        for (int c = 0; c < TABLE_COLUMNS; c++)
            if (report_table_claim(in, r, c) >= 0)
                return true;
    return false;
}

const struct exhibit *report_table_at(const struct report_input *in, int k)
{
    for (int i = 0; i < in->judgements; i++) {
        const struct paper *p = in->judgement[i].paper;
        if (!p || !report_opens_paper(in->judgement, i))
            continue;
        for (const struct exhibit *t = p->tables; t && t->id; t++)
            if (is_judged(in, t) && k-- == 0)
                return t;
    }
    return NULL;
}
