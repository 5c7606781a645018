/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_explain.c - the reasons of a verdict, for a terminal. */
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "report/report_page.h"
#include "report/report_words.h"

/* LABEL: width in characters of the label of a line; WIDTH: that of the text beside it. Together they fill nearly
 * 100 columns. */
enum { LABEL = 12, WIDTH = 86 };

/* Prints a label and its text, which is broken into lines at blanks. */
static void line(FILE *out, const char *label, const char *text)
{
    while (text && *text) {
        int n = (int)strlen(text);
        if (n > WIDTH) {
            for (n = WIDTH; n > WIDTH / 2 && text[n] != ' '; n--)
                ;
            if (n == WIDTH / 2)
                n = (int)strcspn(text, " ");
        }
        fprintf(out, "  %-*s%.*s\n", LABEL, label, n, text);
        text += n;
        text += strspn(text, " ");
        label = "";
    }
}

/* Prints the command in one line, however long, so that it can be copied. */
static void put_command(FILE *out, const struct report_input *in, const struct judgement *j)
{
    char *command = report_command(in, j);
    fprintf(out, "  %-*s%s\n", LABEL, "reproduce", command);
    free(command);
}

/* Prints a table in which each column is as wide as its widest cell. */
static void put_table(FILE *out, const struct text_table *t, const void *of)
{
    struct report_row row;
    int width[ROW_CELLS] = { 0 };
    for (int k = -1; report_row(t, of, k, &row); k++)
        for (int c = 0; c < row.cells; c++) {
            int w = (int)strlen(row.cell[c].at);
            width[c] = w > width[c] ? w : width[c];
        }
    for (int k = -1; report_row(t, of, k, &row); k++) {
        for (int c = 0; c < row.cells; c++)
            fprintf(out, "%s%*s", c ? "  " : "    ", t->words >> c & 1 ? -width[c] : width[c], row.cell[c].at);
        putc('\n', out);
    }
}

static void put_rate(FILE *out, const struct judgement *j)
{
    const struct fit_rate *r = &j->fit.rate;
    struct phrase half = report_estimate(&r->part[LAW_FIRST_HALF]);
    if (j->fit.flaw || r->trouble)
        return;
    fprintf(out, "  %-*sfirst half %s, second half %s; bend %s%s\n", LABEL, "slopes", half.at,
            report_estimate(&r->part[LAW_SECOND_HALF]).at, report_estimate(&r->part[LAW_BEND]).at,
            r->curved ? ", curved" : "");
}

static void put_runs(FILE *out, const struct judgement *j)
{
    fprintf(out, "  %-*s%d", LABEL, "runs", j->cells);
    if (j->failed)
        fprintf(out, ", %d crashed, timed out or ran out of memory", j->failed);
    if (j->refused)
        fprintf(out, ", %d refused", j->refused);
    fprintf(out, ", %.3g s%s\n", j->seconds,
            j->aggregated ? "; batch means drawn from their exact law" : "");
    line(out, "failure", j->first_failure);
}

void report_explain(FILE *out, const struct report_input *in, const struct judgement *j)
{
    const struct claim *c = j->claim;
    fprintf(out, "%s: %s%s\n", c->id, verdict_word(j->verdict.word),
            j->exploratory ? " (EXPLORATORY: not the declared settings; never enters a baseline)"
                           : "");
    line(out, "says", c->says);
    line(out, "source", c->cite);
    fprintf(out, "  %-*s%s, checked by %s%s%s\n", LABEL, "kind", kind_name(c->kind),
            check_name(c->check), c->item ? ", item " : "", c->item ? c->item : "");
    line(out, "because", j->verdict.reason);
    line(out, "remark", c->remark);
    line(out, "measured", report_measured(c, &j->fit).at);
    line(out, "promised", report_promised(c).at);
    if (c->check == CHECK_RATE && j->fit.points)
        put_rate(out, j);
    line(out, "rule", report_rule(c));
    if (j->cells)
        put_runs(out, j);
    if (j->fit.points)
        put_table(out, &report_points, j);
    line(out, "control", report_control_sentence(j).at);
    line(out, "next", j->verdict.next);
    put_command(out, in, j);
}

/* --- figures and tables of the papers */

static int cells_of(const struct plotted *p)
{
    int n = 0;
    for (int k = 0; k < p->lines; k++)
        n += p->line[k].cells;
    return n;
}

static void put_plot(FILE *out, const struct report_input *in, const struct plotted *p)
{
    fprintf(out, "%s: %s\n", p->plot->id, p->plot->title);
    line(out, "says", p->plot->says);
    for (int k = 0; k < p->lines; k++) {
        struct phrase said;
        int n = snprintf(said.at, sizeof said.at, "%.80s: ", p->line[k].line->label);
        snprintf(said.at + n, sizeof said.at - (size_t)n, "%.300s", report_line(p, k).at);
        line(out, k ? "" : "seen", said.at);
    }
    if (cells_of(p))
        put_table(out, &report_plot_points, p);
    put_command(out, in, p->line[0].runs);
}

static void put_exhibit(FILE *out, const struct report_input *in, const struct exhibit *t)
{
    fprintf(out, "%s: %s\n", t->id, t->title);
    line(out, "says", t->says);
    for (const struct exhibit_row *r = t->row; r->label; r++) {
        fprintf(out, "  %s\n", r->label);
        for (int c = 0; c < TABLE_COLUMNS && t->column[c]; c++) {
            int k = report_table_claim(in, r, c);
            const struct judgement *j = k < 0 ? NULL : &in->judgement[k];
            if (!j)
                fprintf(out, "    %-20s %s\n", t->column[c], r->claim[c] ? "not selected" : "-");
            else
                fprintf(out, "    %-20s %s, promised %s: %s\n", t->column[c],
                        report_measured(j->claim, &j->fit).at, report_promised(j->claim).at,
                        verdict_word(j->verdict.word));
        }
    }
}

void report_explain_exhibits(FILE *out, const struct report_input *in)
{
    const struct exhibit *t;
    for (int k = 0; k < in->plots; k++)
        put_plot(out, in, &in->plotted[k]);
    for (int k = 0; (t = report_table_at(in, k)); k++)
        put_exhibit(out, in, t);
}
