/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.c - the table and the gnuplot script of one claim. */
#include "report/figure.h"

#include <ctype.h>
#include <string.h>

#include "report/figure_gnuplot.h"
#include "report/report_words.h"

void figure_name(const char *id, char name[FIGURE_NAME])
{
    int n = 0;
    for (; *id && n < FIGURE_NAME - 3; id++) {
        unsigned char c = (unsigned char)*id;
        bool plain = isalnum(c) || c == '-' || c == '+' || c == '=' || (c == '.' && n > 0);
        if (c == '/')
            name[n++] = '_';
        name[n++] = plain ? *id : '_';
    }
    name[n] = 0;
}

static void put_legend(FILE *out, const struct sheet *s, const struct frame *frame,
                       const struct judgement *j)
{
    const struct claim *c = j->claim;
    struct gnuplot_legend l = { .out = out };
    bool fitted = s->count[SHEET_FIT] > 0;
    struct phrase fit = fitted ? report_measured(c, &j->fit) : (struct phrase){ "" };
    struct phrase promised = report_promised(c), wrong = report_variant(c, &c->control);
    char text[512];
    snprintf(text, sizeof text, "%s%s", c->algo ? c->algo : "measured",
             c->deterministic                  ? ""
             : c->check != CHECK_LAW || c->cdf ? ", 95% interval"
                                               : ", 95% interval (0 events: its end)");
    gnuplot_entry(&l, "MEASURED", true, text);
    snprintf(text, sizeof text, "fit: %s", fit.at);
    gnuplot_entry(&l, "FIT", fitted, text);
    snprintf(text, sizeof text, "promised: %s", promised.at);
    gnuplot_entry(&l, "PROMISED", fitted, text);
    gnuplot_entry(&l, "BAND", s->count[SHEET_BAND] > 0,
                  fitted ? "the band around it" : "its margin");
    gnuplot_entry(&l, "FORMULA", s->count[SHEET_FORMULA] > 0,
              c->check == CHECK_BOUND ? c->kind == KIND_EVIDENCE ? "the bound" : "the theorem's bound"
              : c->check != CHECK_LAW ? "the formula"
              : c->cdf                ? "the largest distance allowed"
                                      : "the promised probability");
    snprintf(text, sizeof text, "control: %.*s", 70, wrong.at);
    gnuplot_entry(&l, "CONTROL", sheet_shows(s, frame, SHEET_CONTROL), text);
    fprintf(out, "array CURVE[%d]\n", j->curves > 0 ? j->curves : 1);
    for (int k = 0; k < j->curves; k++) {
        snprintf(text, sizeof text, "CURVE[%d]", k + 1);
        gnuplot_entry(&l, text, true, j->curve[k].name);
    }
    gnuplot_place(&l, s, frame);
}

/* --- script */

static const char *template_name(enum check c)
{
    switch (c) {
    case CHECK_RATE:  return "rate";
    case CHECK_BOUND: return "bound";
    case CHECK_COUNT: return "count";
    case CHECK_MOMENT:
    case CHECK_LAW: return "moment";
    default:          return "order";
    }
}

static void put_values(FILE *out, const struct sheet *s, const struct frame *frame,
                       const struct judgement *j, const struct figure *f)
{
    struct phrase axis = report_axis(j->claim), y = report_measure(j->claim);
    char text[FIGURE_NOTE + sizeof axis.at];
    gnuplot_title(out, j->claim->says ? j->claim->says : j->claim->id);
    snprintf(text, sizeof text, "%s.tsv", f->name);
    gnuplot_variable(out, "DATA", text);
    snprintf(text, sizeof text, "%s.svg", f->name);
    gnuplot_variable(out, "PICTURE", text);
    gnuplot_variable(out, "XLABEL", axis.at);
    gnuplot_variable(out, "NOTE", f->note);
    gnuplot_variable(out, "YLABEL", y.at);
    for (int k = 0; k < SHEET_KINDS; k++)
        if (k != SHEET_CURVE)
            fprintf(out, "has_%s = %d\n", sheet_word((enum series_kind)k),
                    sheet_shows(s, frame, (enum series_kind)k));
    fprintf(out, "curves = %d\nYMIN = %.17g\nYMAX = %.17g\n", j->curves, frame->y[0], frame->y[1]);
    fprintf(out, "alone = %d\n", s->count[SHEET_FORMULA] == 1);
    put_legend(out, s, frame, j);
    gnuplot_ticks(out, 'x', frame->x);
    gnuplot_ticks(out, 'y', frame->y);
}

static enum status write_script(const struct sheet *s, const struct frame *frame,
                                const struct judgement *j, const char *folder,
                                const struct figure *f, struct why *why)
{
    char path[4096];
    FILE *out = gnuplot_open(folder, f->name, "gp", path);
    if (!out)
        return gnuplot_trouble(path, why);
    fprintf(out, "# To redo the figure, in this folder: gnuplot %s.gp\n", f->name);
    put_values(out, s, frame, j, f);
    fputs(gnuplot_template("style"), out);
    fputs(gnuplot_template(template_name(j->claim->check)), out);
    return gnuplot_close(out, path, why);
}

static void note_left_out(const struct sheet *s, const struct frame *frame, char *note)
{
    int no_logarithm, outside;
    sheet_left_out(s, frame, &no_logarithm, &outside);
    if (no_logarithm)
        snprintf(note, FIGURE_NOTE, "%d value%s zero, negative or infinite: not drawn%s",
                 no_logarithm, no_logarithm == 1 ? " is" : "s are", outside ? "; " : "");
    size_t n = strlen(note);
    if (outside)
        snprintf(note + n, FIGURE_NOTE - n, "%d value%s outside the frame (control)", outside,
                 outside == 1 ? " is" : "s are");
}

enum status figure_write(const struct judgement *j, const char *folder, struct figure *f,
                         struct why *why)
{
    struct sheet sheet;
    struct frame frame;
    *f = (struct figure){ 0 };
    figure_name(j->claim->id, f->name);
    sheet_fill(&sheet, j);
    if (sheet.rows == 0) {
        snprintf(f->note, sizeof f->note, "Nothing was measured.");
        return OK;
    }
    TRY(gnuplot_table(&sheet, folder, f->name, why));
    f->data = true;
    if (!sheet_frame(&sheet, &frame)) {
        snprintf(f->note, sizeof f->note,
                 "No figure: all values are zero, negative or infinite, none fits a log scale.");
        return OK;
    }
    note_left_out(&sheet, &frame, f->note);
    TRY(write_script(&sheet, &frame, j, folder, f, why));
    f->script = true;
    return OK;
}
