/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study.c - functions that contests and reproductions share: stages of cells, rows of results, the frame of a
 * page. */
#include "studies/study.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool/interrupt.h"
#include "report/report_formats.h"
#include "report/report_words.h"
#include "text/markup.h"

/* --- planning and running the cells of a stage */

void stage_begin(struct stage *g, const struct selection *s)
{
    *g = (struct stage){ .s = *s, .seed = isnan(s->seed) ? 1 : s->seed, .runner = runner_new(0) };
    g->s.seed = NAN;                     /* g->seed has the selection's seed; in the selection it would replace the
                                            seeds of fresh runs too */
}

void stage_end(struct stage *g)
{
    plan_free(&g->plan);
    runner_free(g->runner);
}

static void append(struct setting *to, const struct setting *from)
{
    int n = 0;
    while (n < SETTINGS_MAX && to[n].name)
        n++;
    for (int k = 0; k < SETTINGS_MAX && from[k].name; k++) {
        BUG_IF(n == SETTINGS_MAX);
        to[n++] = from[k];
    }
}

enum status stage_add(struct stage *g, const struct study_run *run, long rep, int *at, struct why *why)
{
    struct claim c = { .id = run->name, .check = CHECK_FIGURE, .kind = KIND_EVIDENCE, .algo = run->algo,
                       .problem = run->problem, .axis = run->axis, .measure = run->measure };
    struct variant method = { 0 }, chosen = run->chosen;
    struct layers layers = { { &method, &chosen } };
    struct planning p = { &g->plan, g->runner, &g->s, &c, NULL };
    double seed = g->seed + (run->fresh ? 1 : 0);
    struct cell *cell;
    append(c.with, run->of_problem);
    append(c.with, run->of_study);
    append(method.with, run->of_method);
    if (seed != 1)
        append(chosen.with, (const struct setting[SETTINGS_MAX]){ { "run.seed", seed } });
    TRY(plan_cell_at(&p, &layers, run->algo, run->at, NAN, rep, &cell, why));
    *at = plan_add_cell(&g->plan, cell);
    return OK;
}

enum status stage_run(const struct study_request *q, struct stage *g, struct execution *x, int *code,
                      struct why *why)
{
    enum status s = run_plan(&q->run, &g->plan, x, NULL, why);
    if (s == OK && x->interrupted)
        *code = interrupt_code();
    if (s == OK)
        print_ran(&g->plan, x);
    return s;
}

double study_grid(double from, double to, int points, int k)
{
    return from * pow(to / from, k / fmax(points - 1, 1));
}

/* --- rows of results */

struct listing study_listing(enum record_format format, const struct listing_layout *layout,
                             const struct study_field *f, int n)
{
    struct listing l = { .out = stdout, .format = format, .columns = n, .layout = layout,
                         .digits = format == RECORD_JSON ? 17 : 0 };
    for (int k = 0; k < n; k++)
        l.name[k] = f[k].name;
    listing_heading(&l);
    return l;
}

void study_row(struct listing *l, const struct study_field *f)
{
    for (int k = 0; k < l->columns; k++)
        if (f[k].text)
            listing_text(l, f[k].text);
        else
            listing_real(l, f[k].value);
}

/* --- drawings */

struct plotted_line *study_line(struct drawing *d, const char *label, const char *algo, const char *words)
{
    int k = d->plotted.lines;
    if (k == LINES_MAX)
        return NULL;
    snprintf(d->label[k], sizeof d->label[k], "%.60s%s%s", label, *words ? ", " : "", words);
    d->plot.line[k] = (struct plot_line){ .label = d->label[k], .algo = algo };
    d->plotted.line[k] = (struct plotted_line){ .line = &d->plot.line[k], .runs = &d->runs,
                                                .slope = NAN };
    d->plotted.lines++;
    return &d->plotted.line[k];
}

enum status study_draw(const char *folder, struct figure *f, int n,
                       void (*make)(const void *ctx, int k, struct drawing *d), const void *ctx, struct why *why)
{
    for (int k = 0; k < n; k++) {
        struct drawing *d = calloc(1, sizeof *d);
        BUG_IF(!d);
        make(ctx, k, d);
        enum status s = figure_write_plot(&d->plotted, folder, &f[k], why);
        free(d);
        TRY(s);
    }
    figure_draw(folder, NULL, false, f, n);
    return OK;
}

/* --- the frame of a page */

struct page_name study_page_name(const struct paper *paper, const struct selection *s, bool altered)
{
    struct page_name name;
    char text[256];
    snprintf(text, sizeof text, "reproduce-%.60s%s%.40s%s%.40s%s", paper->key, s->problem ? "-" : "",
             s->problem ? s->problem : "", s->algorithm ? "-" : "", s->algorithm ? s->algorithm : "",
             altered ? "-altered" : "");
    figure_name(text, name.at);
    return name;
}

void study_numbers(FILE *out, int n, const double *x)
{
    for (int k = 0; k < n; k++)
        markup_print(out, "<td>%-s</td>", isnan(x[k]) ? "\u2013" : report_number(x[k]).at);
}

void study_page_begin(FILE *out, const char *title)
{
    report_html_head(out, title, true);
    markup_print(out, "<body>\n<header>\n<h1>%-s</h1>\n", title);
}

void study_page_end(FILE *out, const char *command)
{
    markup_print(out, "<section><h2>Reproduce</h2>\n<pre class=\"command\"><code>%s</code></pre></section>\n"
                 "</main>\n</body>\n</html>\n", command);
}

enum status study_page_write(const struct study_request *q, const char *name, file_put *put, const void *ctx,
                             struct why *why)
{
    char path[4200];
    snprintf(path, sizeof path, "%.4000s/%s.html", q->output, name);
    return file_write(path, put, ctx, why);
}

void study_drop_drawings(const char *output, const char *key)
{
    static const char *const ends[] = { ".gp", ".svg", ".tsv" };
    char folder[4200], begins[80];
    snprintf(folder, sizeof folder, "%.4000s/figures", output);
    snprintf(begins, sizeof begins, "%.60s__", key);
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        for (int k = 0; k < 3; k++) {
            size_t n = strlen(e->d_name), end = strlen(ends[k]);
            bool own = strncmp(e->d_name, begins, strlen(begins)) == 0;
            if (own && n > end && strcmp(e->d_name + n - end, ends[k]) == 0)
                unlinkat(dirfd(d), e->d_name, 0);
        }
    if (d)
        closedir(d);
}
