/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html_tables.c - tables of the page that belong to many claims: the verdicts by paper, and
 * how far the harness itself can be trusted. */
#include "report/report_html.h"

#include <math.h>

#include "text/markup.h"
#include "report/report_privacy.h"
#include "report/report_trust.h"
#include "report/report_words.h"

/* --- verdicts */

/* label: what a narrow screen, which shows no heading, puts in front. */
static void put_cell(FILE *out, const char *label, const char *text)
{
    fprintf(out, "<td data-label=\"%s\">", label);
    markup_math(out, text);
    fputs("</td>", out);
}

/* What stands first for who looks for trouble. */
static int urgency(enum word w)
{
    static const int rank[] = { 3, 4, 2, 0, 1 };
    return rank[w];
}

static void put_row(FILE *out, const struct judgement *j, const struct figure *f)
{
    const struct claim *c = j->claim;
    struct decisive d = report_decisive(c, &j->fit);
    fputs("<tr", out);
    report_html_keys(out, j);
    fprintf(out, " data-claim=\"%s\">\n<th scope=\"row\" data-key=\"", f->name);
    markup_text(out, report_short_id(j));
    fprintf(out, "\"><a href=\"#%s\"><code>", f->name);
    markup_text(out, report_short_id(j));
    fputs("</code></a>", out);
    if (c->kind != KIND_THEOREM)
        fprintf(out, " <span class=\"note\">%s</span>", kind_name(c->kind));
    fputs("<span class=\"says\">", out);
    markup_math(out, c->says);
    fputs("</span><span class=\"note\">", out);
    markup_text(out, report_short_cite(j));
    fputs("</span></th>\n", out);
    put_cell(out, "quantity", d.what[0] ? d.what : "-");
    fputs("<td data-label=\"measured\"", out);
    if (isfinite(d.value.value))
        fprintf(out, " data-key=\"%.17g\"", d.value.value);
    fputs(">", out);
    markup_math(out, report_measured(c, &j->fit).at);
    fputs("</td>", out);
    put_cell(out, "promised", report_promised(c).at);
    fprintf(out, "<td data-label=\"verdict\" data-key=\"%d\">", urgency(j->verdict.word));
    report_html_word(out, j);
    fputs("</td><td data-label=\"control\">", out);
    report_html_control(out, j);
    fputs("</td>\n</tr>\n", out);
}

static void put_paper(FILE *out, const struct report_input *in, const struct figure *f, int k)
{
    static const char *const column[] = { "claim", "quantity", "measured", "promised", "verdict",
                                          "control" };
    const struct judgement *j = in->judgement;
    const struct paper *p = j[k].paper;
    fputs("<section class=\"paper\">\n<h3>", out);
    markup_text(out, p && p->title ? p->title : report_paper_key(&j[k]));
    fputs("</h3>\n<p class=\"note\"><code>", out);
    markup_text(out, report_paper_key(&j[k]));
    fputs("</code>", out);
    if (p && p->cite) {
        fputs(" ", out);
        markup_text(out, p->cite);
    }
    fputs("</p>\n<table class=\"verdicts\">\n<caption>Verdicts on the claims of ", out);
    markup_text(out, report_paper_key(&j[k]));
    fputs("</caption>\n<thead><tr>", out);
    for (size_t c = 0; c < sizeof column / sizeof *column; c++)
        fprintf(out, "<th scope=\"col\">%s</th>", column[c]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = k; i < in->judgements; i = report_next_of_paper(j, in->judgements, i))
        put_row(out, &j[i], &f[i]);
    fputs("</tbody>\n</table>\n</section>\n", out);
}

void report_html_verdicts(FILE *out, const struct report_input *in, const struct figure *figure)
{
    fputs("<section aria-labelledby=\"verdicts\">\n"
          "<h2 id=\"verdicts\" tabindex=\"-1\">Verdicts</h2>\n", out);
    for (int k = 0; k < in->judgements; k++)
        if (report_opens_paper(in->judgement, k))
            put_paper(out, in, figure, k);
    fputs("</section>\n", out);
}

/* --- privacy */

static void put_privacy_row(FILE *out, const struct report_input *in, const struct figure *f,
                            const struct privacy_row *row)
{
    fputs("<tr", out);
    report_html_keys(out, &in->judgement[row->judgement]);
    fprintf(out, "><th scope=\"row\" class=\"words\"><a href=\"#%s\"><code>",
            f[row->judgement].name);
    markup_text(out, row->cell[0].at);
    fputs("</code></a></th>", out);
    for (int c = 1; c < PRIVACY_COLUMNS; c++) {
        fputs("<td class=\"words\">", out);
        markup_text(out, row->cell[c].at);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

void report_html_privacy(FILE *out, const struct report_input *in, const struct figure *figure)
{
    struct privacy_row row;
    if (!report_privacy_row(in, 0, &row))
        return;
    fputs("<section id=\"privacy\" aria-labelledby=\"privacy-h\">\n"
          "<h2 id=\"privacy-h\">Privacy</h2>\n<p>", out);
    markup_prose(out, report_privacy_sentence);
    fputs("</p>\n", out);
    report_html_box(out, "Privacy of each method");
    fputs("<table class=\"numbers\">\n<caption>Claimed, accounted, audited, replayed</caption>\n"
          "<thead><tr>", out);
    for (int c = 0; c < PRIVACY_COLUMNS; c++)
        fprintf(out, "<th scope=\"col\" class=\"words\">%s</th>", report_privacy_heading[c]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int k = 0; report_privacy_row(in, k, &row); k++)
        put_privacy_row(out, in, figure, &row);
    fputs("</tbody>\n</table>\n", out);
    report_html_box_end(out);
    fputs("</section>\n", out);
}

/* --- trust */

static void put_coverage(FILE *out)
{
    struct coverage line;
    const struct calibration *last = NULL;
    if (!report_coverage(NULL, &line))
        return;
    int columns = line.cells;
    report_html_box(out, "Coverage of intervals");
    fputs("<table class=\"numbers\">\n<caption>Coverage in percent, by replicates</caption>\n"
          "<thead><tr><th scope=\"col\" class=\"words\">coverage of</th>"
          "<th scope=\"col\" class=\"words\">data</th>", out);
    for (int c = 0; c < columns; c++)
        fprintf(out, "<th scope=\"col\">%d</th>", line.cell[c]->reps);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (; report_coverage(last, &line); last = line.cell[line.cells - 1]) {
        fputs("<tr><th scope=\"row\" class=\"words\">", out);
        markup_text(out, line.law);
        fputs("</th><td class=\"words\">", out);
        markup_text(out, line.noise);
        fputs("</td>", out);
        for (int c = 0; c < columns; c++) {
            bool poor = c < line.cells && !report_covers(line.cell[c]);
            fprintf(out, poor ? "<td><em>%s</em></td>" : "<td>%s</td>",
                    c < line.cells ? report_covered(line.cell[c]).at : "-");
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n", out);
    report_html_box_end(out);
}

static void put_shares(FILE *out)
{
    report_html_box(out, "False alarms and power");
    fputs("<table class=\"numbers\">\n<caption>Verdicts, over the cases of a check, each with its "
          "own spread</caption>\n<thead><tr><th scope=\"col\">check</th>", out);
    for (int c = 0; c < TRUST_COLUMNS; c++)
        fprintf(out, "<th scope=\"col\" class=\"words\">%s</th>", report_trust_heading[c]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (const char *const *check = report_trust_checks; *check; check++) {
        fprintf(out, "<tr><th scope=\"row\">%s</th>", *check);
        for (int c = 0; c < TRUST_COLUMNS; c++) {
            fputs("<td class=\"words\">", out);
            markup_text(out, report_trust_share(*check, c).at);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n", out);
    report_html_box_end(out);
}

void report_html_trust(FILE *out)
{
    fputs("<section aria-labelledby=\"trust\">\n<h2 id=\"trust\">How far the harness itself can be "
          "trusted</h2>\n<p>", out);
    markup_prose(out, report_trust_sentence());
    fputs("</p>\n", out);
    if (calibration_kept->check) {
        fputs("<details>\n<summary>The tables: false alarms, power, coverage</summary>\n", out);
        put_shares(out);
        put_coverage(out);
        fputs("</details>\n", out);
    }
    fputs("</section>\n", out);
}
