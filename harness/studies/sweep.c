/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.c - computes the exponents and costs of a sweep from the plots of a plan, and prints it as text, as rows of
 * CSV or JSON, and as a page. */
#include "studies/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/measure.h"
#include "report/report_formats.h"
#include "report/report_words.h"
#include "text/folder.h"
#include "text/markup.h"

/* --- computing the exponents and the costs */

static bool is_along_axis(const struct plot *p) { return p->kind == PLOT_POINTS && !p->x; }

static const char *no_exponent(const struct fit_rate *r, char text[120])
{
    static const char *const words[] = {
        [RATE_INFINITE] = "a run diverged or reached nothing", [RATE_NOT_POSITIVE] = "it is not positive",
        [RATE_UNCERTAIN] = "it is not above ten times its error",
    };
    if (r->trouble == RATE_LAW)
        snprintf(text, 120, "a slope needs three points");
    else
        snprintf(text, 120, "%s at %g", words[r->trouble], r->trouble_axis);
    return text;
}

/* Returns the exponent of a power law that is fitted to a line of a plot, by the same fit as for claims of check
 * rate. */
static struct sweep_exponent exponent_of(const struct plan *plan, struct record *const *record,
                                         const struct planned_claim *planned)
{
    struct sweep_exponent e = { { NAN, NAN, NAN }, "" };
    struct arena *a = arena_new(0);
    struct claim rate = *planned->claim;
    struct planned_claim with = *planned;
    struct fit *fit = ARENA_ARRAY(a, 1, struct fit);
    struct rng r = rng_stream(hash_text(rate.id, 0));
    struct why why = { "" };
    rate.check = CHECK_RATE;
    rate.law = (struct law){ .form = LAW_POWER };
    rate.band[0] = -INFINITY;
    rate.band[1] = INFINITY;
    with.claim = &rate;
    const struct source source = { plan, record, &with };
    struct series series = source_series(&source, ROLE_MAIN, ROLE_MAIN, 0, a);
    if (fit_claim(&rate, &series, &r, a, fit, &why) != OK)
        snprintf(e.why, sizeof e.why, "%.110s", why.text);
    else if (fit->flaw)
        snprintf(e.why, sizeof e.why, "runs are missing at %g", fit->flaw_axis);
    else if (fit->rate.trouble)
        no_exponent(&fit->rate, e.why);
    else
        e.value = fit->rate.part[LAW_EXPONENT];
    arena_free(a);
    return e;
}

/* Sets in *l the mean cost of the measured runs at each point, and the number and total cost of the search runs
 * that tuned. */
static void add_costs(struct record *const *record, const char *cost, struct sweep_line *l)
{
    double sum[FIT_POINTS_MAX] = { 0 };
    int runs[FIT_POINTS_MAX] = { 0 };
    for (const struct task *t = l->planned->task, *end = t + l->planned->tasks; t < end; t++) {
        const struct record *r = record[t->cell];
        double y = NAN;
        if (!r || r->outcome != OUTCOME_OK || !measure_get(cost, r, &y))
            continue;
        l->tuning_runs += t->grid >= 0;
        l->tuning_cost += t->grid >= 0 ? y : 0;
        sum[t->point] += t->grid < 0 ? y : 0;
        runs[t->point] += t->grid < 0;
    }
    for (int k = 0; k < l->planned->points && k < FIT_POINTS_MAX; k++)
        l->cost[k] = runs[k] ? sum[k] / runs[k] : NAN;
}

static void add_tuned(struct record *const *record, struct sweep_line *l)
{
    const struct search *s = &l->planned->claim->search;
    for (int k = 0; k < l->planned->points && k < FIT_POINTS_MAX; k++) {
        double v = s->kind ? plan_searched(l->planned, record, ROLE_MAIN, 0, k, 0) : NAN;
        l->tuned[k] = v;
        l->edge |= v <= s->from * (1 + 1e-9) || v >= s->to * (1 - 1e-9);
    }
}

static void add_line(struct sweep *s, struct record *const *record, const struct judgement *judgement,
                     const struct plotted *p, const struct plotted_line *line)
{
    s->line = realloc(s->line, (size_t)(s->lines + 1) * sizeof *s->line);
    BUG_IF(!s->line);
    struct sweep_line *l = &s->line[s->lines++];
    *l = (struct sweep_line){ .plot = p, .line = line, .planned = &s->plan->claim[line->runs - judgement] };
    l->exponent = exponent_of(s->plan, record, l->planned);
    add_costs(record, s->cost, l);
    add_tuned(record, l);
    s->failed += line->failed;
    s->refused += line->refused;
    s->missing += *l->planned->missing != '\0';
}

/* --- putting times into records, and reducing traces to their start and end */

void sweep_mark_ends(struct record *r, const char *measure, const char *cost)
{
    double start, end, paid;
    if (!measure_idle(measure, NULL, IDLE_START, r, &start) || !measure_get(measure, r, &end) ||
        !measure_get(cost, r, &paid))
        return;
    record_trace_columns(r, 2, (const char *const[]){ cost, "ruler" });
    record_trace_row(r, (double[]){ 0, start });
    record_trace_row(r, (double[]){ paid, end });
}

void sweep_put_times(const struct plan *plan, struct record *const *record, double reference)
{
    for (int k = 0; k < plan->cells; k++)
        if (record[k])
            record_put(record[k], "measure." SWEEP_TIME, record[k]->seconds / reference);
    for (const struct planned_claim *c = plan->claim; c < plan->claim + plan->claims + plan->lines; c++)
        for (const struct task *t = c->task, *end = t + c->tasks; t < end; t++)
            if (record[t->cell] && measure_column(&record[t->cell]->trace, SWEEP_TIME) < 0)
                sweep_mark_ends(record[t->cell], c->claim->measure, SWEEP_TIME);
}

void sweep_make(const struct plan *plan, struct record *const *record, const struct judgement *judgement,
                const char *cost, struct sweep *s)
{
    *s = (struct sweep){ .plan = plan, .cost = cost };
    s->plotted = plotted_all(plan, record, judgement, &s->plots);
    for (int k = 0; k < s->plots; k++)
        for (int i = 0; is_along_axis(s->plotted[k].plot) && i < s->plotted[k].lines; i++)
            add_line(s, record, judgement, &s->plotted[k], &s->plotted[k].line[i]);
}

void sweep_free(struct sweep *s)
{
    free(s->plotted);
    free(s->line);
}

/* --- means, exponents and reasons as words */

/* Returns a mean with its interval, in words; without the interval if its limits and the mean are printed as the
 * same number. */
static struct phrase mean_words(const struct estimate *e)
{
    struct phrase lo = report_number(e->lo), hi = report_number(e->hi), value = report_number(e->value);
    return strcmp(lo.at, hi.at) || strcmp(lo.at, value.at) ? report_estimate(e) : value;
}

/* Returns the index, among all points of the planned window, of the i-th point of a line; a line has only points
 * with runs. */
static int point_of(const struct sweep_line *l, int i)
{
    const struct task *t = l->planned->task, *end = t + l->planned->tasks;
    while (t < end && t->axis != l->line->point[i].axis)
        t++;
    return t < end ? t->point : 0;
}

static struct phrase exponent_words(const struct sweep_line *l)
{
    struct phrase e = report_estimate(&l->exponent.value);
    return *l->exponent.why ? report_say("no exponent: %s", l->exponent.why)
                            : report_say("%s ~ %s^%s", l->plot->plot->measure, l->plot->plot->axis, e.at);
}

/* Returns why a plotted line lacks runs: the reason why none was run, or how many were refused or failed, with the
 * message of the first. "": no run is missing. */
static struct phrase trouble_words(const struct sweep_line *l)
{
    const struct plotted_line *p = l->line;
    if (*l->planned->missing)
        return report_say("not run: %s", l->planned->missing);
    if (!p->refused && !p->failed)
        return report_say("%s", "");
    return report_say("%d of %d runs %s: %.300s", p->refused + p->failed, p->cells,
                      p->refused ? "refused" : "failed", p->runs->first_failure);
}

static struct phrase tuning_words(const struct sweep *s, const struct sweep_line *l)
{
    if (!l->tuning_runs)
        return report_say("%s", "");
    return report_say("tuning %s: %ld runs, %s %s%s", l->planned->claim->search.name, l->tuning_runs,
                      report_number(l->tuning_cost).at, s->cost,
                      l->edge ? "; an end of the grid was chosen, a wider one may be better" : "");
}

/* --- printing as text */

static void print_line(const struct sweep *s, const struct sweep_line *l, int width)
{
    const struct plotted_line *p = l->line;
    for (int i = 0; i < p->points; i++) {
        int k = point_of(l, i);
        printf("  %-*s  %-10s  %-36s  ", width, i ? "" : p->line->label, report_number(p->point[i].axis).at,
               mean_words(&p->point[i].y).at);
        if (isnan(l->tuned[k]))
            printf("%s\n", report_number(l->cost[k]).at);
        else
            printf("%-12s  %s\n", report_number(l->cost[k]).at, report_number(l->tuned[k]).at);
    }
    const struct phrase extra[] = { exponent_words(l), tuning_words(s, l), trouble_words(l) };
    for (int k = p->points ? 0 : 2; k < 3; k++)
        if (*extra[k].at)
            printf("  %-*s  %s\n", width, p->points ? "" : p->line->label, extra[k].at);
}

static void print_text(const struct sweep *s)
{
    int width = 6;
    for (const struct sweep_line *l = s->line; l < s->line + s->lines; l++)
        width = (int)strlen(l->line->line->label) > width ? (int)strlen(l->line->line->label) : width;
    for (const struct sweep_line *l = s->line; l < s->line + s->lines; l++) {
        const struct search *search = &l->planned->claim->search;
        if (l == s->line || l->plot != l[-1].plot)
            printf("%s%s, %ld replicates\n  %-*s  %-10s  %-36s  %-*s%s%s\n", l == s->line ? "" : "\n",
                   l->plot->plot->title, l->planned->reps, width, "method", l->plot->plot->axis,
                   "mean (95% interval)", search->kind ? 12 : 0, s->cost, search->kind ? "  " : "",
                   search->kind ? search->name : "");
        print_line(s, l, width);
    }
}

/* --- printing as rows of CSV or JSON */

enum { FIELDS = 17 };

static void row_of(const struct sweep *s, const struct sweep_line *l, int i, struct study_field f[FIELDS])
{
    const struct plotted_line *p = l->line;
    const struct plotted_point *at = &p->point[i];
    const struct estimate e = l->exponent.value;
    size_t n = strlen(p->line->algo);
    int k = point_of(l, i);
    const struct study_field row[FIELDS] = {
        { "problem", l->planned->claim->problem }, { "algorithm", p->line->algo },
        { "with", p->line->label[n] ? p->line->label + n + 2 : "" }, { "axis", l->plot->plot->axis },
        { "value", NULL, at->axis }, { "reps", NULL, at->reps }, { "failed", NULL, at->missing },
        { "measure", l->plot->plot->measure }, { "mean", NULL, at->y.value }, { "lo", NULL, at->y.lo },
        { "hi", NULL, at->y.hi }, { "count", s->cost }, { "cost", NULL, l->cost[k] },
        { "tuned", NULL, l->tuned[k] }, { "exponent", NULL, e.value }, { "exponent_lo", NULL, e.lo },
        { "exponent_hi", NULL, e.hi },
    };
    memcpy(f, row, sizeof row);
}

static void print_rows(const struct sweep *s, enum record_format format)
{
    static const struct study_field head[FIELDS] = {
        { "problem" }, { "algorithm" }, { "with" },     { "axis" },        { "value" },      { "reps" },
        { "failed" },  { "measure" },   { "mean" },     { "lo" },          { "hi" },         { "count" },
        { "cost" },    { "tuned" },     { "exponent" }, { "exponent_lo" }, { "exponent_hi" }
    };
    struct study_field f[FIELDS];
    struct listing l = study_listing(format, NULL, head, FIELDS);
    for (const struct sweep_line *at = s->line; at < s->line + s->lines; at++)
        for (int i = 0; i < at->line->points; i++) {
            row_of(s, at, i, f);
            study_row(&l, f);
        }
    listing_end(&l);
}

void sweep_print(const struct study_request *q, const struct sweep *s)
{
    if (q->format == RECORD_TEXT)
        print_text(s);
    else
        print_rows(s, q->format);
    fflush(stdout);
}

/* --- the page */

struct page {
    const struct study_request *q;
    const struct sweep *sweep;
    struct figure *figure;           /* [plots] */
    char folder[4200];
};

static void put_exponents(FILE *out, const struct sweep *s)
{
    report_html_table(out, "Exponents", "Power laws fitted to the means, with 95% intervals");
    fputs("<th scope=\"col\" class=\"words\">method</th><th scope=\"col\">problem</th><th scope=\"col\">axis</th>"
          "<th scope=\"col\" class=\"words\">exponent</th></tr></thead>\n<tbody>\n", out);
    for (const struct sweep_line *l = s->line; l < s->line + s->lines; l++) {
        const char *none = *l->exponent.why ? l->exponent.why : NULL;
        const struct phrase trouble = trouble_words(l), tuning = tuning_words(s, l);
        markup_print(out,
                     "<tr><th scope=\"row\" class=\"words\">%s</th><td>%s</td><td>%s</td><td class=\"words\">%s",
                     l->line->line->label, l->planned->claim->problem, l->plot->plot->axis,
                     !l->line->points ? "\u2013"
                     : none           ? report_say("none: %s", none).at
                                      : report_estimate(&l->exponent.value).at);
        if (*trouble.at)
            markup_print(out, " <span class=\"note\">%s</span>", trouble.at);
        if (*tuning.at)
            markup_print(out, " <span class=\"note\">%s</span>", tuning.at);
        fputs("</td></tr>\n", out);
    }
    report_html_table_end(out);
}

/* Prints the points of a plot whose lines are along an axis as an HTML table. */
static void put_points(FILE *out, const struct sweep *s, const struct plotted *p)
{
    report_html_table(out, p->plot->title, "Means with 95% intervals");
    markup_print(out,
                 "<th scope=\"col\" class=\"words\">method</th><th scope=\"col\">%s</th><th scope=\"col\">runs</th>"
                 "<th scope=\"col\" class=\"words\">%s</th><th scope=\"col\">%s</th></tr></thead>\n<tbody>\n",
                 p->plot->axis, p->plot->measure, s->cost);
    for (const struct sweep_line *l = s->line; l < s->line + s->lines; l++)
        for (int i = 0; l->plot == p && i < l->line->points; i++) {
            const struct plotted_point *at = &l->line->point[i];
            markup_print(out,
                         "<tr><th scope=\"row\" class=\"words\">%s</th><td>%s</td><td>%d</td><td class=\"words\">%s"
                         "</td><td>%s</td></tr>\n",
                         l->line->line->label, report_number(at->axis).at, at->reps, mean_words(&at->y).at,
                         report_number(l->cost[point_of(l, i)]).at);
        }
    report_html_table_end(out);
}

static void put_plot(FILE *out, const struct page *p, int k)
{
    const struct plotted *plotted = &p->sweep->plotted[k];
    markup_print(out,
                 "<section aria-labelledby=\"plot-%d\">\n<h2 id=\"plot-%d\">%s</h2>\n<p class=\"says\">%-s</p>\n",
                 k, k, plotted->plot->title, plotted->plot->says);
    report_html_figure(out, &p->figure[k], plotted->plot->title);
    if (is_along_axis(plotted->plot))
        put_points(out, p->sweep, plotted);
    fputs("</section>\n", out);
}

static void put_page(FILE *out, const void *ctx)
{
    const struct page *p = ctx;
    const struct paper *paper = p->sweep->plots ? p->sweep->plotted[0].paper : NULL;
    study_page_begin(out, paper && strcmp(paper->key, PAPER_REPORTED) == 0 ? "Results of others, counts as reported"
                                                                           : "Sweep");
    fputs("<nav aria-label=\"Figures\">", out);
    for (int k = 0; k < p->sweep->plots; k++)
        markup_print(out, "<a href=\"#plot-%d\">%s</a> ", k, p->sweep->plotted[k].plot->title);
    fputs(
        "</nav>\n</header>\n<main>\n<section aria-labelledby=\"exponents\">\n<h2 id=\"exponents\">Exponents</h2>\n",
        out);
    put_exponents(out, p->sweep);
    fputs("</section>\n", out);
    for (int k = 0; k < p->sweep->plots; k++)
        put_plot(out, p, k);
    study_page_end(out, p->q->command);
}

enum status sweep_page(const struct study_request *q, const struct sweep *s, struct why *why)
{
    struct page p = { .q = q, .sweep = s, .figure = calloc((size_t)s->plots + 1, sizeof *p.figure) };
    BUG_IF(!p.figure);
    snprintf(p.folder, sizeof p.folder, "%.4000s/figures", q->output);
    enum status status = folder_make(q->output, why);
    if (status == OK)
        status = folder_make(p.folder, why);
    if (status == OK && s->plots)
        study_drop_drawings(q->output, s->plotted[0].paper->key);
    for (int k = 0; k < s->plots && status == OK; k++)
        status = figure_write_plot(&s->plotted[k], p.folder, &p.figure[k], why);
    if (status == OK) {
        figure_draw(p.folder, NULL, false, p.figure, s->plots);
        status = study_page_write(q, "index", put_page, &p, why);
    }
    free(p.figure);
    return status;
}
