/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reproduce_page.c - prints a reproduction as text, as rows of CSV or JSON, and as a page beside the report. For
 * each panel the page has figures of error against passes and against seconds, and a table of its numbers beside
 * the published ones. */
#include "studies/reproduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_formats.h"
#include "report/report_words.h"
#include "text/folder.h"
#include "text/markup.h"

static const char *trial_word(enum trial_kind k)
{
    static const char *const word[] = { "published", "ablation", "grid", "tuned", "fresh" };
    return word[k];
}

static const char trials_altered[] = "With settings of your own: nothing published stands beside them.";

/* Do the numbers that the paper printed for this method belong to this trial? */
static bool trial_is_published(const struct trial *t)
{
    return t->kind == TRIAL_PUBLISHED && !t->altered;
}

/* The parameters of a trial in words, such as "3 passes, C = 20.2, step = 0.0215". */
struct choice_words { char at[160]; };

static struct choice_words choice_text(const struct trial *t)
{
    struct choice_words w;
    const struct tuning *g = t->choice.tuning;
    int n = snprintf(w.at, sizeof w.at, "%.3g pass%s", t->choice.passes,
                     t->choice.passes == 1 ? "" : "es");
    for (int k = 0; g && k < GRID_SETTINGS; k++) {
        const char *dot = strchr(g->grid[k].name, '.');
        n += snprintf(w.at + n, sizeof w.at - (size_t)n, ", %.30s = %.3g",
                      dot ? dot + 1 : g->grid[k].name, t->choice.value[k]);
    }
    return w;
}

/* --- printing as text */

static bool tells_support(const struct trial *t)
{
    return t->panel->support > 0 && t->outcome.runs;
}

static void print_row(const struct trial *t)
{
    const struct outcome_of *o = &t->outcome;
    const struct contender *c = t->method;
    bool indented = t->kind == TRIAL_TUNED || t->kind == TRIAL_FRESH;
    bool said = c->gap > 0 && trial_is_published(t);
    char name[120];
    snprintf(name, sizeof name, "%.90s%s%s", c->label, indented ? ", " : "",
             indented ? trial_word(t->kind) : "");
    printf("  %s%-*s ", indented ? "  " : "", indented ? 42 : 44, name);
    if (!o->runs) {
        printf("%s\n", *o->message ? o->message : "not run");
        return;
    }
    printf("%9.3g (%.3g to %.3g)", o->mean, o->least, o->most);
    if (said)
        printf(", published %.3g, ratio %.2f", c->gap, o->mean / c->gap);
    if (tells_support(t)) {
        printf("; non-zeros %.1f right, %.1f wrong", o->hits, o->errors);
        if (said)
            printf(", published %g, %g", c->hits, c->errors);
    }
    printf("; %s; %.2g s", choice_text(t).at, o->seconds);
    if (o->failed)
        printf("; %d runs failed: %s", o->failed, o->message);
    printf("\n");
    if (c->remark && !indented && !t->altered)
        printf("      %s\n", c->remark);
}

static void print_panel(const struct trial *t)
{
    const struct outcome_of *o = &t->outcome;
    printf("%s%s\n", t->kind == TRIAL_ABLATION ? "ablation: " : "", t->panel->title);
    if (*t->missing) {
        printf("  skipped: %s\n", t->missing);
        return;
    }
    if (!o->runs)
        return;
    printf("  %-44s %9.3g", "w = 0", o->start);
    if (t->panel->support > 0)
        printf("; optimum with %g non-zeros, published %g", o->support, t->panel->support);
    printf("\n");
}

static void print_tuned(const struct trial *of, const struct trials *tuned)
{
    for (const struct trial *t = tuned->at; t < tuned->at + tuned->count; t++)
        if (of->kind == TRIAL_PUBLISHED && t->panel == of->panel && t->method == of->method)
            print_row(t);
}

static void print_text(const struct trials *published, const struct trials *tuned)
{
    printf("%s\nrelative error (F - F*)/F*: mean (least to largest)\n", published->what->title);
    if (published->at[0].altered)
        printf("%s\n", trials_altered);
    for (int k = 0; k < published->count; k++) {
        const struct trial *t = &published->at[k];
        if (k == 0 || t[-1].panel != t->panel)
            print_panel(t);
        if (*t->missing)
            continue;
        print_row(t);
        print_tuned(t, tuned);
    }
}

/* --- printing as CSV and JSON, which have the same fields */

enum { FIELDS = 24 };

/* f[] <- the fields of the row of a trial. Each of the two settings of a grid has a field for its name and one for
 * its value, because the grids of methods have different settings. */
static void fields_of(const struct trial *t, struct study_field f[FIELDS])
{
    const struct outcome_of *o = &t->outcome;
    const struct contender *c = t->method;
    const struct tuning *grid = t->choice.tuning;
    bool said = c->gap > 0 && trial_is_published(t), ran = o->runs;
    bool support = said && t->panel->support > 0;
    const struct study_field row[FIELDS] = {
        { "panel", t->panel->name, 0 },
        { "method", c->label, 0 },
        { "kind", trial_word(t->kind), 0 },
        { "passes", NULL, t->choice.passes },
        { "first_setting", grid ? grid->grid[0].name : "", 0 },
        { "first", NULL, grid ? t->choice.value[0] : NAN },
        { "second_setting", grid ? grid->grid[1].name : "", 0 },
        { "second", NULL, grid ? t->choice.value[1] : NAN },
        { "runs", NULL, o->runs },
        { "failed", NULL, o->failed },
        { "mean", NULL, ran ? o->mean : NAN },
        { "least", NULL, ran ? o->least : NAN },
        { "largest", NULL, ran ? o->most : NAN },
        { "published", NULL, said ? c->gap : NAN },
        { "ratio", NULL, said && ran ? o->mean / c->gap : NAN },
        { "start", NULL, o->start },
        { "right", NULL, ran ? o->hits : NAN },
        { "wrong", NULL, ran ? o->errors : NAN },
        { "published_right", NULL, support ? c->hits : NAN },
        { "published_wrong", NULL, support ? c->errors : NAN },
        { "support", NULL, o->support },
        { "seconds", NULL, ran ? o->seconds : NAN },
        { "message", *t->missing ? t->missing : o->message, 0 },
        { "remark", c->remark && !t->altered ? c->remark : "", 0 },
    };
    memcpy(f, row, sizeof row);
}

static void print_fields(const struct study_request *q, const struct trials *published,
                         const struct trials *tuned)
{
    static const struct listing_layout layout = { "[", ",\n ", "]\n", "]\n", true };
    const struct trials *list[] = { published, tuned };
    struct study_field f[FIELDS];
    fields_of(&published->at[0], f);
    struct listing l = study_listing(q->format, &layout, f, FIELDS);
    for (int i = 0; i < 2; i++)
        for (const struct trial *t = list[i]->at; t < list[i]->at + list[i]->count; t++) {
            fields_of(t, f);
            study_row(&l, f);
        }
    listing_end(&l);
}

void reproduce_print(const struct study_request *q, const struct trials *published,
                     const struct trials *tuned)
{
    if (q->format == RECORD_TEXT)
        print_text(published, tuned);
    else
        print_fields(q, published, tuned);
    fflush(stdout);
}

/* --- the page */

enum { AXES = 2 };

struct page {
    const struct study_request *q;
    const struct paper *paper;
    const struct trials *published, *tuned;
    struct figure *figure;               /* [panels * AXES] */
    const struct panel **panel;
    int panels;
    char folder[4200];
    struct page_name name;
};

struct page_name reproduce_name(const struct paper *paper, const struct trials *published)
{
    return study_page_name(paper, &published->stage.s, published->at[0].altered);
}

static const struct trial *first_of(const struct page *p, const struct panel *panel)
{
    const struct trial *t = p->published->at;
    while (t->panel != panel)
        t++;
    return t;
}

/* --- the figures of a panel, and the rows of its table */

static void add_line(struct drawing *d, const struct trial *t, bool seconds)
{
    const struct outcome_of *o = &t->outcome;
    if (!o->runs || !o->points)
        return;
    struct plotted_line *l = study_line(d, t->method->label, t->method->algo,
                                          t->kind == TRIAL_FRESH ? "tuned, fresh seeds" : "");
    for (int k = 0; l && k < o->points; k++) {
        double x = o->point[k].steps / o->steps * (seconds ? o->seconds : t->choice.passes);
        l->point[l->points++] = (struct plotted_point){
            .axis = x, .x = x, .theory = NAN, .reps = o->runs,
            .y = { .value = o->point[k].mean, .lo = o->point[k].least, .hi = o->point[k].most } };
    }
}

/* Adds the curve of a method that the paper prints. Its start, at 0 passes, is left out, because the axis is
 * logarithmic. */
static void add_curve(struct drawing *d, const struct contender *c)
{
    struct plotted_line *l = study_line(d, c->label, c->algo, "published");
    for (int k = 1; l && k < CURVE_MAX && c->curve[k] > 0; k++) {
        double y = c->curve[k], x = k * c->every;
        l->point[l->points++] = (struct plotted_point){
            .axis = x, .x = x, .theory = NAN, .reps = 1, .y = { .value = y, .lo = y, .hi = y } };
    }
}

/* Adds a line for the error at the start. A logarithmic axis does not have 0 passes, so it is a horizontal line
 * from the first mark of any line to the last. */
static void add_start(struct drawing *d, double start)
{
    double from = INFINITY, to = 0;
    for (int k = 0; k < d->plotted.lines; k++)
        for (int i = 0; i < d->plotted.line[k].points; i++) {
            from = fmin(from, d->plotted.line[k].point[i].x);
            to = fmax(to, d->plotted.line[k].point[i].x);
        }
    struct plotted_line *l = from < to
        ? study_line(d, "the start, w = 0", NULL, "") : NULL;
    for (int k = 0; l && k < 2; k++)
        l->point[l->points++] = (struct plotted_point){
            .axis = k ? to : from, .x = k ? to : from, .theory = NAN, .reps = 1,
            .y = { start, start, start } };
}

/* Fills in drawing k: the errors of the methods on panel k / AXES, against passes or against seconds. */
static void draw_panel(const void *ctx, int k, struct drawing *d)
{
    const struct page *p = ctx;
    const struct panel *panel = p->panel[k / AXES];
    bool seconds = k % AXES;
    const struct trials *list[] = { p->published, p->tuned };
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
}

/* The columns of a panel's table from SUPPORT to SUPPORT_END are about the support; a panel has these columns only
 * if the paper published a support of its optimum. */
enum { SUPPORT = 5, SUPPORT_END = 9 };

static void put_row(FILE *out, const struct trial *t)
{
    const struct outcome_of *o = &t->outcome;
    const struct contender *c = t->method;
    bool said = c->gap > 0 && trial_is_published(t), support = t->panel->support > 0;
    bool tuned = t->kind == TRIAL_TUNED || t->kind == TRIAL_FRESH;
    double ran = o->runs ? 1 : NAN, as_said = said ? 1 : NAN;      /* a product with NaN is printed as a dash:
                                                                      numbers that are not known */
    markup_print(out, "<tr><th scope=\"row\" class=\"words\">%-s%s%s <span class=\"note\">%-s</span>", c->label,
                 tuned ? ", " : "", tuned ? trial_word(t->kind) : "", choice_text(t).at);
    if (*o->message)
        markup_print(out, " <span class=\"note\">%-s</span>", o->message);
    if (c->remark && !tuned && !t->altered)
        markup_print(out, "<br/><span class=\"note\">%-s</span>", c->remark);
    fputs("</th>", out);
    study_numbers(out, SUPPORT, (double[]){ ran * o->mean, ran * o->least, ran * o->most, as_said * c->gap,
                                            ran * as_said * o->mean / c->gap });
    if (support)
        study_numbers(out, SUPPORT_END - SUPPORT,
                      (double[]){ ran * o->hits, ran * o->errors, as_said * c->hits, as_said * c->errors });
    study_numbers(out, 1, &(double){ ran * o->seconds });
    fputs("</tr>\n", out);
}

static void put_table(FILE *out, const struct page *p, const struct panel *panel)
{
    static const char *const head[] = { "mean", "least", "largest", "published", "ratio", "right",
                                        "wrong", "published right", "published wrong", "seconds" };
    bool support = panel->support > 0;
    const struct trials *list[] = { p->published, p->tuned };
    report_html_table(out, panel->title, support ? "Relative error (F \u2212 F*)/F* of the answers, their "
                                                   "non-zeros in and out of the optimum's support, seconds of the "
                                                           "quickest run"
                                                 : "Relative error (F \u2212 F*)/F* of the answers, seconds of the "
                                                   "quickest run");
    fputs("<th scope=\"col\" class=\"words\">method</th>", out);
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
    report_html_table_end(out);
}

static void put_panel(FILE *out, const struct page *p, int k)
{
    const struct panel *panel = p->panel[k];
    const struct trial *first = first_of(p, panel);
    markup_print(out, "<section aria-labelledby=\"panel-%d\">\n<h2 id=\"panel-%d\">%s%-s</h2>\n"
                 "<p class=\"says\">%-s</p>\n", k, k, first->kind == TRIAL_ABLATION ? "Ablation: " : "",
                 panel->title, panel->says);
    if (*first->missing) {
        markup_print(out, "<p>Skipped: %-s</p>\n</section>\n", first->missing);
        return;
    }
    markup_print(out, "<p>w = 0 has relative error %-s; the optimum has %-s non-zeros",
                 report_number(first->outcome.start).at, report_number(first->outcome.support).at);
    if (panel->support > 0)
        fprintf(out, ", the published one %g", panel->support);
    fputs(". Bars reach from the least run to the largest.</p>\n", out);
    for (int a = 0; a < AXES; a++)
        report_html_figure(out, &p->figure[k * AXES + a],
                           a ? "Relative error against seconds" : "Relative error against passes");
    put_table(out, p, panel);
    fputs("</section>\n", out);
}

static void put_page(FILE *out, const void *ctx)
{
    const struct page *p = ctx;
    const struct reproduction *r = p->paper->reproduction;
    study_page_begin(out, r->title);
    markup_print(out, "<p class=\"summary\">%-s</p>\n", r->says);
    if (p->published->at[0].altered)
        markup_print(out, "<p>%-s</p>\n", trials_altered);
    markup_print(out, "<p class=\"note\">%-s</p>\n<nav aria-label=\"Panels\">", p->paper->cite);
    for (int k = 0; k < p->panels; k++)
        markup_print(out, "<a href=\"#panel-%d\">%-s</a> ", k, p->panel[k]->name);
    fputs("</nav>\n</header>\n<main>\n", out);
    for (int k = 0; k < p->panels; k++)
        put_panel(out, p, k);
    study_page_end(out, p->q->command);
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
        s = study_draw(p.folder, p.figure, p.panels * AXES, draw_panel, &p, why);
    if (s == OK)
        s = study_page_write(q, p.name.at, put_page, &p, why);
    free(p.panel);
    free(p.figure);
    return s;
}
