/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_plot.c - the table and the gnuplot script of one plot. */
#include "report/figure.h"

#include <math.h>

#include "report/figure_gnuplot.h"
#include "report/report_plots.h"

static void put_legend(FILE *out, const struct sheet *s, const struct frame *frame,
                       const struct plotted *p)
{
    struct gnuplot_legend l = { .out = out };
    char name[32], text[256];
    fprintf(out, "array CURVE[%d]\n", p->lines);
    for (int k = 0; k < p->lines; k++) {
        struct phrase theory = report_theory(p, k);
        snprintf(name, sizeof name, "CURVE[%d]", k + 1);
        snprintf(text, sizeof text, theory.at[0] ? "%.80s, %.60s" : "%.80s",
                 p->line[k].line->label, theory.at);
        gnuplot_entry(&l, name, p->line[k].points > 0, text);
    }
    if (report_plot_shares(p->plot))
        gnuplot_below(&l);
    else
        gnuplot_place(&l, s, frame);
}

/* gnuplot draws, and names, only those that have points: a line without is noted on the page. */
static void put_shown(FILE *out, const struct plotted *p)
{
    int shown = 0, theories = 0;
    fprintf(out, "array SHOWN[%d]\narray THEORY[%d]\n", LINES_MAX, LINES_MAX);
    for (int k = 0; k < p->lines; k++) {
        bool theory = false;
        for (int i = 0; i < p->line[k].points; i++)
            theory |= isfinite(p->line[k].point[i].theory);
        if (p->line[k].points)
            fprintf(out, "SHOWN[%d] = %d\n", ++shown, k + 1);
        if (theory)
            fprintf(out, "THEORY[%d] = %d\n", ++theories, k + 1);
    }
    if (!theories)
        fputs("THEORY[1] = 0\n", out);      /* gnuplot looks even where it draws none */
    fprintf(out, "curves = %d\ntheories = %d\n", shown, theories);
}

static enum status write_script(const struct sheet *s, const struct frame *frame,
                                const struct plotted *p, const char *folder,
                                const struct figure *f, struct why *why)
{
    char path[4096], text[FIGURE_NAME + 8];
    FILE *out = gnuplot_open(folder, f->name, "gp", path);
    if (!out)
        return gnuplot_trouble(path, why);
    fprintf(out, "# To redo the figure, in this folder: gnuplot %s.gp\n", f->name);
    gnuplot_title(out, p->plot->title);
    snprintf(text, sizeof text, "%s.tsv", f->name);
    gnuplot_variable(out, "DATA", text);
    snprintf(text, sizeof text, "%s.svg", f->name);
    gnuplot_variable(out, "PICTURE", text);
    gnuplot_variable(out, "XLABEL", report_plot_x(p->plot).at);
    gnuplot_variable(out, "YLABEL", report_plot_y(p).at);
    gnuplot_variable(out, "NOTE", f->note);
    fprintf(out, "YMIN = %.17g\nYMAX = %.17g\n", frame->y[0], frame->y[1]);
    put_legend(out, s, frame, p);
    put_shown(out, p);
    gnuplot_ticks(out, 'x', frame->x);
    if (!report_plot_shares(p->plot))
        gnuplot_ticks(out, 'y', frame->y);
    fputs(gnuplot_template("style"), out);
    fputs(gnuplot_template("plot"), out);
    fputs(gnuplot_template(report_plot_shares(p->plot) ? "plot_shares" : "plot_lines"), out);
    return gnuplot_close(out, path, why);
}

enum status figure_write_plot(const struct plotted *p, const char *folder, struct figure *f,
                              struct why *why)
{
    struct sheet sheet;
    struct frame frame;
    int no_logarithm, outside;
    *f = (struct figure){ 0 };
    figure_name(p->plot->id, f->name);
    sheet_fill_plot(&sheet, p);
    if (sheet.rows == 0) {
        snprintf(f->note, sizeof f->note, p->planned ? "Nothing was measured"
                                                     : "Not in this profile");
        return OK;
    }
    TRY(gnuplot_table(&sheet, folder, f->name, why));
    f->data = true;
    if (!sheet_frame(&sheet, &frame)) {
        snprintf(f->note, sizeof f->note,
                 "No figure: all values are zero, negative or infinite, none fits a log scale.");
        return OK;
    }
    sheet_left_out(&sheet, &frame, &no_logarithm, &outside);
    if (no_logarithm && !report_plot_shares(p->plot))
        snprintf(f->note, sizeof f->note, "%d value%s zero, negative or infinite: not drawn",
                 no_logarithm, no_logarithm == 1 ? " is" : "s are");
    TRY(write_script(&sheet, &frame, p, folder, f, why));
    f->script = true;
    return OK;
}
