/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest_page.c - a contest as a page of its own beside the report: the answer, and for each instance the
 * curves of all methods against size, with their numbers. */
#include "studies/contest_run.h"

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

enum { PATH = 4200 };

struct drawing {
    char id[FIGURE_NAME];
    struct plot plot;
    struct plotted plotted;
    struct judgement runs;           /* says nothing: nothing of a contest is judged */
};

/* Rows of one instance begin at `row`. */
static void draw_instance(const struct contest_table *t, const struct paper *paper, const char *name,
                          int row, struct drawing *d)
{
    const struct contest *w = t->what;
    const struct contest_instance *on = t->row[row].on;
    snprintf(d->id, sizeof d->id, "%.70s.%.40s", name, on->name);
    d->plot = (struct plot){ .id = d->id, .title = on->title, .says = w->as.says,
                             .problem = on->problem, .measure = contest_measure(w, on), .axis = w->axis };
    d->plotted = (struct plotted){ .plot = &d->plot, .paper = paper, .planned = true };
    for (int m = 0; m < t->methods; m++) {
        struct plotted_line *l = &d->plotted.line[d->plotted.lines];
        d->plot.line[m] = (struct plot_line){ .label = w->method[m].label, .algo = w->method[m].algo };
        *l = (struct plotted_line){ .line = &d->plot.line[m], .runs = &d->runs, .slope = NAN };
        for (int k = 0; k < w->points; k++) {
            const struct contest_entry *e = &t->row[row + k].entry[m];
            struct interval i = stats_interval(&e->log_mean, 0.95);
            if (isnan(e->log_mean.value))
                continue;
            l->point[l->points++] = (struct plotted_point){
                .axis = t->row[row + k].size, .x = t->row[row + k].size, .theory = NAN, .reps = e->runs,
                .y = { .value = exp(e->log_mean.value), .lo = exp(i.lo), .hi = exp(i.hi) } };
        }
        d->plotted.lines += l->points > 0;
    }
}

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

static void put_row(FILE *out, const struct contest_table *t, const struct contest_row *r, int m)
{
    const struct contest_entry *e = &r->entry[m];
    const struct contest_method *how = &t->what->method[m];
    struct interval i = stats_interval(&e->log_mean, 0.95);
    bool rival = m == t->what->rival, known = !isnan(e->log_mean.value);
    fputs("<tr><th scope=\"row\" class=\"words\">", out);
    markup_math(out, how->label);
    put_words(out, " <span class=\"note\">", e->found ? contest_choice(how, e).at : "no choice ran",
              "</span></th>");
    put_number(out, r->size);
    put_number(out, known ? exp(e->log_mean.value) : NAN);
    put_number(out, known ? exp(i.lo) : NAN);
    put_number(out, known ? exp(i.hi) : NAN);
    put_number(out, rival ? r->ratio.value : NAN);
    put_number(out, rival ? r->ratio.limits.lo : NAN);
    put_number(out, rival ? r->ratio.limits.hi : NAN);
    put_words(out, "<td>", rival ? contest_word(r->ratio.word) : "", "</td></tr>\n");
}

static void put_instance(FILE *out, const struct contest_table *t, int row, const struct figure *f,
                         const char *folder, int k)
{
    const struct contest *w = t->what;
    const char *measure = contest_measure(w, t->row[row].on);
    char caption[400];
    fprintf(out, "<section aria-labelledby=\"panel-%d\">\n<h2 id=\"panel-%d\">", k, k);
    put_words(out, "", t->row[row].on->title, "</h2>\n");
    report_html_figure(out, f, folder, measure, k + 1);
    report_html_box(out, t->row[row].on->title);
    snprintf(caption, sizeof caption, "%.60s of fresh runs; ratio of %.80s to %.80s, 99%% for all "
             "comparisons together", measure, w->method[0].label, w->method[w->rival].label);
    put_words(out, "<table class=\"numbers\">\n<caption>", caption, "</caption>\n");
    fprintf(out, "<thead><tr><th scope=\"col\" class=\"words\">method</th><th scope=\"col\">%s</th>"
            "<th scope=\"col\">mean</th><th scope=\"col\">from</th><th scope=\"col\">to</th>"
            "<th scope=\"col\">ratio</th><th scope=\"col\">from</th><th scope=\"col\">to</th>"
            "<th scope=\"col\">it is</th></tr></thead>\n<tbody>\n", w->axis);
    for (int p = 0; p < w->points; p++)
        for (int m = 0; m < t->methods; m++)
            put_row(out, t, &t->row[row + p], m);
    fputs("</tbody>\n</table>\n", out);
    report_html_box_end(out);
    fputs("</section>\n", out);
}

static const char *style(void)
{
    const struct template *t = page_parts;
    while (strcmp(t->name, "report.css"))
        t++;
    return t->text;
}

static void put_page(FILE *out, const struct study_request *q, const struct paper *paper,
                     const struct contest_table *t, const struct contest_answer *a,
                     const struct figure *f, const char *folder)
{
    const struct contest *w = t->what;
    fputs("<!DOCTYPE html>\n"
          "<html lang=\"en\" xml:lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n", out);
    put_words(out, "<title>", w->as.title, "</title>\n");
    fprintf(out, "<style>/*<![CDATA[*/\n%s/*]]>*/</style>\n</head>\n<body>\n<header>\n", style());
    put_words(out, "<h1>", w->as.title, "</h1>\n<p>");
    put_words(out, "", a->text, "</p>\n");
    put_words(out, "<p class=\"summary\">", w->as.says, "</p>\n");
    if (t->altered)
        fputs("<p>With settings of your own: not the search that is declared.</p>\n", out);
    put_words(out, "<p class=\"note\">", paper->cite, "</p>\n</header>\n<main>\n");
    for (int r = 0; r < t->rows; r += w->points)
        put_instance(out, t, r, &f[r / w->points], folder, r / w->points);
    fputs("<section><h2>Reproduce</h2>\n<pre class=\"command\"><code>", out);
    markup_text(out, q->command);
    fputs("</code></pre></section>\n</main>\n</body>\n</html>\n", out);
}

static enum status trouble(const char *path, struct why *why)
{
    return why_set(why, IO_ERROR, "%.300s: %s", path, strerror(errno ? errno : EIO));
}

static enum status draw(const struct paper *paper, const struct contest_table *t, const char *name,
                        const char *folder, struct figure *f, struct why *why)
{
    int n = t->rows / t->what->points;
    for (int k = 0; k < n; k++) {
        struct drawing *d = calloc(1, sizeof *d);
        BUG_IF(!d);
        draw_instance(t, paper, name, k * t->what->points, d);
        enum status s = figure_write_plot(&d->plotted, folder, &f[k], why);
        free(d);
        TRY(s);
    }
    figure_draw(folder, f, n);
    return OK;
}

/* Written whole, then renamed. */
static enum status write_page(const struct study_request *q, const struct paper *paper,
                              const struct contest_table *t, const struct contest_answer *a,
                              const char *name, const struct figure *f, const char *folder,
                              struct why *why)
{
    char path[PATH], part[PATH + 8];
    snprintf(path, sizeof path, "%.4000s/%s.html", q->output, name);
    snprintf(part, sizeof part, "%s.new", path);
    errno = 0;
    FILE *out = fopen(part, "w");
    if (!out)
        return trouble(part, why);
    put_page(out, q, paper, t, a, f, folder);
    bool bad = ferror(out);
    if (fclose(out) || bad)
        return trouble(part, why);
    return rename(part, path) ? trouble(path, why) : OK;
}

enum status contest_page(const struct study_request *q, const struct paper *paper,
                         const struct contest_table *t, const struct contest_answer *a,
                         char name[FIGURE_NAME], struct why *why)
{
    const struct selection *s = q->run.select;
    char text[256], folder[PATH];
    struct figure *f = calloc((size_t)t->rows + 1, sizeof *f);
    BUG_IF(!f);
    snprintf(text, sizeof text, "reproduce-%.60s%s%.40s%s", paper->key, s->problem ? "-" : "",
             s->problem ? s->problem : "", t->altered ? "-altered" : "");
    figure_name(text, name);
    snprintf(folder, sizeof folder, "%.4000s/figures", q->output);
    enum status status = folder_make(folder, why);
    if (status == OK)
        status = draw(paper, t, name, folder, f, why);
    if (status == OK)
        status = write_page(q, paper, t, a, name, f, folder, why);
    free(f);
    return status;
}
