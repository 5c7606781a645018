/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html_exhibits.c - the figures and tables of the papers on the page. */
#include "report/report_html.h"

#include <string.h>

#include "text/markup.h"
#include "report/report_plots.h"

/* For who cannot see the drawing: all that is said of it. */
static void say_all(const struct plotted *p, char *text, size_t room)
{
    int n = snprintf(text, room, "%.100s against %.120s, %s.", report_plot_y(p).at,
                     report_plot_x(p->plot).at,
                     report_plot_shares(p->plot) ? "its axis logarithmic" : "logarithmic axes");
    for (int k = 0; k < p->lines && n < (int)room; k++)
        n += snprintf(text + n, room - (size_t)n, " %.80s: %.300s.", p->line[k].line->label,
                      report_line(p, k).at);
}

static void put_opening(FILE *out, const char *id, const char *name, const char *title,
                        const char *says, const char *paper)
{
    fprintf(out, "<div class=\"exhibit\" id=\"%s\" role=\"group\" aria-labelledby=\"%s-h\" "
                 "data-paper=\"", name, name);
    markup_text(out, paper);
    fprintf(out, "\">\n<h3 id=\"%s-h\"><a href=\"#%s\">", name, name);
    markup_math(out, title);
    fputs("</a></h3>\n<p class=\"note\"><code>", out);
    markup_text(out, id);
    fputs("</code></p>\n<p class=\"says\">", out);
    markup_math(out, says);
    fputs("</p>\n", out);
}

static void put_seen(FILE *out, const struct plotted *p)
{
    fputs("<dl class=\"facts\">\n", out);
    for (int k = 0; k < p->lines; k++) {
        fputs("<dt>", out);
        markup_math(out, p->line[k].line->label);
        fputs("</dt><dd>", out);
        markup_math(out, report_line(p, k).at);
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n", out);
}

static void put_row(FILE *out, const struct phrase *cell)
{
    fputs("<tr><th scope=\"row\" class=\"words\">", out);
    markup_math(out, cell[0].at);
    fputs("</th>", out);
    for (int c = 1; c < PLOT_COLUMNS; c++) {
        fputs("<td>", out);
        markup_math(out, cell[c].at);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void put_points(FILE *out, const struct plotted *p)
{
    struct phrase cell[PLOT_COLUMNS];
    fputs("<details>\n<summary>Numbers, line by line</summary>\n", out);
    report_html_box(out, "Points of the figure");
    fputs("<table class=\"numbers\">\n<caption>Point by point</caption>\n<thead><tr>", out);
    report_plot_heading(p, cell);
    for (int c = 0; c < PLOT_COLUMNS; c++) {
        fprintf(out, "<th scope=\"col\"%s>", c ? "" : " class=\"words\"");
        markup_text(out, cell[c].at);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int k = 0; k < p->lines; k++)
        for (int i = 0; i < p->line[k].points; i++) {
            report_plot_row(p, k, i, cell);
            put_row(out, cell);
        }
    fputs("</tbody>\n</table>\n", out);
    report_html_box_end(out);
    fputs("</details>\n", out);
}

static void put_plot(FILE *out, const struct report_input *in, int k, const struct figure *f,
                     const char *folder)
{
    const struct plotted *p = &in->plotted[k];
    char label[4096];
    say_all(p, label, sizeof label);
    put_opening(out, p->plot->id, f->name, p->plot->title, p->plot->says, p->paper->key);
    report_html_figure(out, f, folder, label, in->judgements + k + 1);
    if (f->data) {
        put_seen(out, p);
        put_points(out, p);
    }
    fputs("<p class=\"label\">Reproduce</p>\n<pre class=\"command\"><code>", out);
    markup_text(out, report_plot_command(p, in->profile).at);
    fputs("</code></pre>\n</div>\n", out);
}

/* --- tables */

static void put_cell(FILE *out, const struct report_input *in, const struct figure *f,
                     const struct exhibit *t, const struct exhibit_row *r, int column)
{
    int k = report_table_claim(in, r, column);
    const struct judgement *j = k < 0 ? NULL : &in->judgement[k];
    fputs("<td data-label=\"", out);
    markup_text(out, t->column[column]);
    fputs("\">", out);
    if (j) {
        struct phrase measured = report_measured(j->claim, &j->fit);
        fprintf(out, "<a href=\"#%s\">", f[k].name);
        markup_math(out, strcmp(measured.at, "-") ? measured.at : "no number");
        fputs("</a> <span class=\"note\">promised ", out);
        markup_math(out, report_promised(j->claim).at);
        fputs("</span> ", out);
        report_html_word(out, j);
    } else {
        fputs(r->claim[column] ? "<span class=\"note\">not selected</span>" : "\u2013", out);
    }
    fputs("</td>", out);
}

static void put_exhibit(FILE *out, const struct report_input *in, const struct figure *f,
                        const struct exhibit *t)
{
    char name[FIGURE_NAME];
    const char *slash = strchr(t->id, '/');
    char paper[FIGURE_NAME];
    snprintf(paper, sizeof paper, "%.*s", slash ? (int)(slash - t->id) : 0, t->id);
    figure_name(t->id, name);
    put_opening(out, t->id, name, t->title, t->says, paper);
    fputs("<table class=\"cells\">\n<caption>", out);
    markup_text(out, t->title);
    fputs("</caption>\n<thead><tr><th scope=\"col\">method</th>", out);
    for (int c = 0; c < TABLE_COLUMNS && t->column[c]; c++) {
        fputs("<th scope=\"col\">", out);
        markup_text(out, t->column[c]);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (const struct exhibit_row *r = t->row; r->label; r++) {
        fputs("<tr><th scope=\"row\">", out);
        markup_math(out, r->label);
        fputs("</th>\n", out);
        for (int c = 0; c < TABLE_COLUMNS && t->column[c]; c++)
            put_cell(out, in, f, t, r, c);
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n</div>\n", out);
}

void report_html_exhibits(FILE *out, const struct report_input *in, const struct figure *figure,
                          const char *folder)
{
    const struct exhibit *t = report_table_at(in, 0);
    if (!in->plots && !t)
        return;
    fputs("<section id=\"exhibits\" aria-labelledby=\"exhibits-h\">\n"
          "<h2 id=\"exhibits-h\">Figures and tables</h2>\n", out);
    for (int k = 0; (t = report_table_at(in, k)); k++)
        put_exhibit(out, in, figure, t);
    for (int k = 0; k < in->plots; k++)
        put_plot(out, in, k, &figure[in->judgements + k], folder);
    fputs("</section>\n", out);
}
