/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduce_page.c - a reproduction as a page of its own beside the report: each panel's figures,
 * over passes and over seconds, and its numbers beside the published ones. */
#include "studies/reproduce.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/figure.h"
#include "text/folder.h"
#include "text/markup.h"
#include "report/page/parts.h"
#include "report/report.h"
#include "report/report_formats.h"
#include "report/report_words.h"

enum { PATH = 4200, AXES = 2 };

/* One drawing of one panel. */
struct drawing {
    char id[FIGURE_NAME], title[200], label[LINES_MAX][96];
    struct plot plot;
    struct plotted plotted;
    struct judgement runs;               /* says nothing: nothing of a reproduction is judged */
};

struct page {
    const struct study_request *q;
    const struct paper *paper;
    const struct trials *published, *tuned;
    struct figure *figure;               /* AXES for each panel that ran */
    const struct panel **panel;
    int panels;
    char folder[PATH];
    struct page_name name;
};

struct page_name reproduce_name(const struct paper *paper, const struct trials *published)
{
    const struct selection *s = &published->s;
    struct page_name name;
    char text[256];
    _Static_assert(sizeof name.at == FIGURE_NAME, "a page's name is made as a figure's");
    snprintf(text, sizeof text, "reproduce-%.60s%s%.40s%s%.40s%s", paper->key,
             s->problem ? "-" : "", s->problem ? s->problem : "", s->algorithm ? "-" : "",
             s->algorithm ? s->algorithm : "", published->at[0].altered ? "-altered" : "");
    figure_name(text, name.at);
    return name;
}

static const struct trial *first_of(const struct page *p, const struct panel *panel)
{
    const struct trial *t = p->published->at;
    while (t->panel != panel)
        t++;
    return t;
}

/* --- figures */

/* A line to be filled, called METHOD or METHOD, WORDS; NULL: there are no more. */
static struct plotted_line *new_line(struct drawing *d, const struct contender *c, const char *words)
{
    int k = d->plotted.lines;
    if (k == LINES_MAX)
        return NULL;
    snprintf(d->label[k], sizeof d->label[k], "%.60s%s%s", c->label, *words ? ", " : "", words);
    d->plot.line[k] = (struct plot_line){ .label = d->label[k], .algo = c->algo };
    d->plotted.line[k] = (struct plotted_line){ .line = &d->plot.line[k], .runs = &d->runs,
                                                .slope = NAN };
    d->plotted.lines++;
    return &d->plotted.line[k];
}

static void add_line(struct drawing *d, const struct trial *t, bool seconds)
{
    const struct outcome_of *o = &t->outcome;
    if (!o->runs || !o->points)
        return;
    struct plotted_line *l = new_line(d, t->method,
                                      t->kind == TRIAL_FRESH ? "tuned, fresh seeds" : "");
    for (int k = 0; l && k < o->points; k++) {
        double x = o->point[k].part * (seconds ? o->seconds : t->choice.passes);
        l->point[l->points++] = (struct plotted_point){
            .axis = x, .x = x, .theory = NAN, .reps = o->runs,
            .y = { .value = o->point[k].mean, .lo = o->point[k].least, .hi = o->point[k].most } };
    }
}

/* The curve that the paper prints, without its start, which has no place on a logarithmic axis. */
static void add_curve(struct drawing *d, const struct contender *c)
{
    struct plotted_line *l = new_line(d, c, "published");
    for (int k = 1; l && k < CURVE_MAX && c->curve[k] > 0; k++) {
        double y = c->curve[k], x = k * c->every;
        l->point[l->points++] = (struct plotted_point){
            .axis = x, .x = x, .theory = NAN, .reps = 1, .y = { .value = y, .lo = y, .hi = y } };
    }
}

/* The start, the answer of no pass at all, which a logarithmic axis has no place for: a level from
 * the first mark to the last. */
static void add_start(struct drawing *d, double start)
{
    double from = INFINITY, to = 0;
    for (int k = 0; k < d->plotted.lines; k++)
        for (int i = 0; i < d->plotted.line[k].points; i++) {
            from = fmin(from, d->plotted.line[k].point[i].x);
            to = fmax(to, d->plotted.line[k].point[i].x);
        }
    struct plotted_line *l = from < to
        ? new_line(d, &(struct contender){ .label = "the start, w = 0" }, "") : NULL;
    for (int k = 0; l && k < 2; k++)
        l->point[l->points++] = (struct plotted_point){
            .axis = k ? to : from, .x = k ? to : from, .theory = NAN, .reps = 1,
            .y = { start, start, start } };
}

static struct drawing *drawing_of(const struct page *p, const struct panel *panel, bool seconds)
{
    const struct trials *list[] = { p->published, p->tuned };
    struct drawing *d = calloc(1, sizeof *d);
    BUG_IF(!d);
    snprintf(d->id, sizeof d->id, "%.80s.%.25s.%s", p->name.at, panel->name,
             seconds ? "seconds" : "passes");
    snprintf(d->title, sizeof d->title, "%.120s, error against %s", panel->title,
             seconds ? "seconds of the quickest run" : "passes over the data");
    d->plot = (struct plot){ .id = d->id, .title = d->title, .says = panel->says,
                             .problem = panel->problem, .measure = "relative error",
                             .axis = seconds ? "seconds" : "passes over the data" };
    d->plotted = (struct plotted){ .plot = &d->plot, .paper = p->paper, .planned = true };
    for (const struct trial *t = list[0]->at; t < list[0]->at + list[0]->count; t++) {
        if (t->panel != panel)
            continue;
        add_line(d, t, seconds);
        if (!seconds && t->method->every > 0 && trial_is_published(t))
            add_curve(d, t->method);
        for (const struct trial *u = list[1]->at; u < list[1]->at + list[1]->count; u++)
            if (u->panel == panel && u->method == t->method && u->kind == TRIAL_FRESH)
                add_line(d, u, seconds);
    }
    const struct trial *first = first_of(p, panel);
    add_start(d, first->outcome.start);
    return d;
}

static enum status draw(struct page *p, struct why *why)
{
    for (int k = 0; k < p->panels * AXES; k++) {
        struct drawing *d = drawing_of(p, p->panel[k / AXES], k % AXES);
        enum status s = figure_write_plot(&d->plotted, p->folder, &p->figure[k], why);
        free(d);
        TRY(s);
    }
    figure_draw(p->folder, p->figure, p->panels * AXES);
    return OK;
}

/* --- the page */

static void put_words(FILE *out, const char *open, const char *text, const char *close)
{
    fputs(open, out);
    markup_math(out, text);
    fputs(close, out);
}

static void put_number(FILE *out, double x)
{
    put_words(out, "<td>", isnan(x) ? "\u2013" : report_number(x).at, "</td>");
}

static void put_row(FILE *out, const struct trial *t)
{
    const struct outcome_of *o = &t->outcome;
    const struct contender *c = t->method;
    bool said = c->gap > 0 && trial_is_published(t), support = t->panel->support > 0;
    bool tuned = t->kind == TRIAL_TUNED || t->kind == TRIAL_FRESH;
    fputs("<tr><th scope=\"row\" class=\"words\">", out);
    markup_math(out, c->label);
    put_words(out, tuned ? ", " : "", tuned ? trial_word(t->kind) : "", "");
    put_words(out, " <span class=\"note\">", choice_text(t).at, "</span>");
    if (*o->message)
        put_words(out, " <span class=\"note\">", o->message, "</span>");
    if (c->remark && !tuned && !t->altered)
        put_words(out, "<br/><span class=\"note\">", c->remark, "</span>");
    fputs("</th>", out);
    put_number(out, o->runs ? o->mean : NAN);
    put_number(out, o->runs ? o->least : NAN);
    put_number(out, o->runs ? o->most : NAN);
    put_number(out, said ? c->gap : NAN);
    put_number(out, said && o->runs ? o->mean / c->gap : NAN);
    if (support) {
        put_number(out, o->runs ? o->hits : NAN);
        put_number(out, o->runs ? o->errors : NAN);
        put_number(out, said ? c->hits : NAN);
        put_number(out, said ? c->errors : NAN);
    }
    put_number(out, o->runs ? o->seconds : NAN);
    fputs("</tr>\n", out);
}

static void put_table(FILE *out, const struct page *p, const struct panel *panel)
{
    static const char *const head[] = { "mean", "least", "largest", "published", "ratio", "right",
                                        "wrong", "published right", "published wrong", "seconds" };
    enum { SUPPORT = 5, SUPPORT_END = 9 };       /* those of head that need a published support */
    bool support = panel->support > 0;
    const struct trials *list[] = { p->published, p->tuned };
    report_html_box(out, panel->title);
    fprintf(out, "<table class=\"numbers\">\n<caption>Relative error (F \u2212 F*)/F* of the "
            "answers, %sseconds of the quickest run</caption>\n"
            "<thead><tr><th scope=\"col\" class=\"words\">method</th>",
            support ? "their non-zeros in and out of the optimum's support, " : "");
    for (int k = 0; k < (int)(sizeof head / sizeof *head); k++)
        if (support || k < SUPPORT || k >= SUPPORT_END)
            fprintf(out, "<th scope=\"col\">%s</th>", head[k]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (const struct trial *t = list[0]->at; t < list[0]->at + list[0]->count; t++) {
        if (t->panel != panel)
            continue;
        put_row(out, t);
        for (const struct trial *u = list[1]->at; u < list[1]->at + list[1]->count; u++)
            if (u->panel == panel && u->method == t->method && t->kind == TRIAL_PUBLISHED)
                put_row(out, u);
    }
    fputs("</tbody>\n</table>\n", out);
    report_html_box_end(out);
}

static void put_panel(FILE *out, const struct page *p, int k)
{
    const struct panel *panel = p->panel[k];
    const struct trial *first = first_of(p, panel);
    char text[200];
    fprintf(out, "<section aria-labelledby=\"panel-%d\">\n<h2 id=\"panel-%d\">%s", k, k,
            first->kind == TRIAL_ABLATION ? "Ablation: " : "");
    put_words(out, "", panel->title, "</h2>\n");
    put_words(out, "<p class=\"says\">", panel->says, "</p>\n");
    if (*first->missing) {
        put_words(out, "<p>Skipped: ", first->missing, "</p>\n</section>\n");
        return;
    }
    snprintf(text, sizeof text, "w = 0 has relative error %.20s; the optimum has %.20s non-zeros",
             report_number(first->outcome.start).at, report_number(first->outcome.support).at);
    put_words(out, "<p>", text, "");
    if (panel->support > 0)
        fprintf(out, ", the published one %g", panel->support);
    fputs(". Bars reach from the least run to the largest.</p>\n", out);
    for (int a = 0; a < AXES; a++)
        report_html_figure(out, &p->figure[k * AXES + a], p->folder,
                           a ? "Relative error against seconds" : "Relative error against passes",
                           k * AXES + a + 1);
    put_table(out, p, panel);
    fputs("</section>\n", out);
}

static const char *style(void)
{
    const struct template *t = page_parts;
    while (strcmp(t->name, "report.css"))
        t++;
    return t->text;
}

static void put_page(FILE *out, const struct page *p)
{
    const struct reproduction *r = p->paper->reproduction;
    fputs("<!DOCTYPE html>\n"
          "<html lang=\"en\" xml:lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n", out);
    put_words(out, "<title>", r->title, "</title>\n");
    fprintf(out, "<style>/*<![CDATA[*/\n%s/*]]>*/</style>\n</head>\n<body>\n<header>\n", style());
    put_words(out, "<h1>", r->title, "</h1>\n");
    put_words(out, "<p class=\"summary\">", r->says, "</p>\n");
    if (p->published->at[0].altered)
        put_words(out, "<p>", trials_altered, "</p>\n");
    put_words(out, "<p class=\"note\">", p->paper->cite, "</p>\n<nav aria-label=\"Panels\">");
    for (int k = 0; k < p->panels; k++) {
        fprintf(out, "<a href=\"#panel-%d\">", k);
        put_words(out, "", p->panel[k]->name, "</a> ");
    }
    fputs("</nav>\n</header>\n<main>\n", out);
    for (int k = 0; k < p->panels; k++)
        put_panel(out, p, k);
    fputs("<section><h2>Reproduce</h2>\n<pre class=\"command\"><code>", out);
    markup_text(out, p->q->command);
    fputs("</code></pre></section>\n</main>\n</body>\n</html>\n", out);
}

static enum status trouble(const char *path, struct why *why)
{
    return why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno ? errno : EIO));
}

/* Written whole, then renamed. */
static enum status write_page(const struct page *p, struct why *why)
{
    char path[PATH], part[PATH + 8];
    snprintf(path, sizeof path, "%.4000s/%s.html", p->q->output, p->name.at);
    snprintf(part, sizeof part, "%s.new", path);
    errno = 0;
    FILE *out = fopen(part, "w");
    if (!out)
        return trouble(part, why);
    put_page(out, p);
    bool bad = ferror(out);
    if (fclose(out) || bad)
        return trouble(part, why);
    return rename(part, path) ? trouble(path, why) : OK;
}

enum status reproduce_page(const struct study_request *q, const struct paper *paper,
                           const struct trials *published, const struct trials *tuned,
                           struct why *why)
{
    struct page p = { .q = q, .paper = paper, .published = published, .tuned = tuned };
    p.name = reproduce_name(paper, published);
    p.panel = calloc((size_t)published->count + 1, sizeof *p.panel);
    p.figure = calloc((size_t)published->count * AXES + 1, sizeof *p.figure);
    BUG_IF(!p.panel || !p.figure);
    for (int k = 0; k < published->count; k++)
        if (k == 0 || published->at[k].panel != published->at[k - 1].panel)
            p.panel[p.panels++] = published->at[k].panel;
    snprintf(p.folder, sizeof p.folder, "%.4000s/figures", q->output);
    enum status s = folder_make(p.folder, why);
    if (s == OK)
        s = draw(&p, why);
    if (s == OK)
        s = write_page(&p, why);
    free(p.panel);
    free(p.figure);
    return s;
}
