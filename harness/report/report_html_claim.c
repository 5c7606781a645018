/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html_claim.c - one claim on the page: statement, verdict, figure, numbers, rule, control,
 * runs, and how to do it again. */
#include "report/report_html.h"

#include <stdlib.h>

#include "text/markup.h"
#include "oracle.h"
#include "report/report_page.h"
#include "report/report_points.h"
#include "report/report_svg.h"
#include "report/report_words.h"

static void put_opening(FILE *out, const struct judgement *j, const struct figure *f)
{
    const struct claim *c = j->claim;
    const char *const searched[] = { c->id, c->says, c->cite, c->algo, c->problem, c->item,
                                     c->remark, kind_name(c->kind), check_name(c->check), j->verdict.reason };
    fprintf(out, "<article class=\"claim\" id=\"%s\" aria-labelledby=\"%s-h\"", f->name, f->name);
    report_html_keys(out, j);
    fputs(" data-text=\"", out);
    for (size_t k = 0; k < sizeof searched / sizeof *searched; k++) {
        markup_text(out, searched[k]);
        putc(' ', out);
    }
    fprintf(out, "\">\n<h3 id=\"%s-h\"><a href=\"#%s\"><code>", f->name, f->name);
    markup_text(out, c->id);
    fputs("</code></a></h3>\n<p class=\"says\">", out);
    markup_math(out, c->says);
    fputs("</p>\n<p class=\"note\">", out);
    markup_text(out, c->cite);
    fprintf(out, ". Kind: %s; checked by %s", kind_name(c->kind), check_name(c->check));
    if (c->item && c->item[0]) {
        fputs("; item ", out);
        markup_text(out, c->item);
    }
    fputs(".</p>\n<p class=\"verdict\">", out);
    report_html_word(out, j);
    putc(' ', out);
    markup_math(out, j->verdict.reason);
    fputs(".</p>\n", out);
    if (j->verdict.next[0]) {
        fputs("<p class=\"next\">What would decide it: ", out);
        markup_text(out, j->verdict.next);
        fputs(".</p>\n", out);
    }
    if (c->remark) {
        fputs("<p class=\"next\">Remark: ", out);
        markup_math(out, c->remark);
        fputs("</p>\n", out);
    }
    if (j->exploratory)
        fputs("<p class=\"next\">EXPLORATORY: settings were overridden; it never enters a "
              "baseline.</p>\n", out);
}

/* --- figure */

void report_html_figure(FILE *out, const struct figure *f, const char *folder, const char *label,
                        int number)
{
    char path[4096], prefix[16];
    bool drawn = false;
    if (!f->data && !f->note[0])
        return;
    fputs("<figure>\n", out);
    if (f->drawn) {
        snprintf(path, sizeof path, "%s/%s.svg", folder, f->name);
        snprintf(prefix, sizeof prefix, "f%d-", number);
        fputs("<div class=\"plate\">", out);
        drawn = report_svg(out, path, label, prefix);
        fputs("</div>\n", out);
    }
    fputs("<figcaption>", out);
    if (f->note[0]) {
        markup_text(out, f->note);
        fputs(". ", out);
    }
    fputs("<span class=\"files\">", out);
    if (f->drawn)
        fprintf(out, "%s<a href=\"figures/%s.svg\">figure</a>", drawn ? "" : "Only as a file: ",
                f->name);
    if (f->data)
        fprintf(out, "%s<a href=\"figures/%s.tsv\">data</a>", f->drawn ? ", " : "", f->name);
    if (f->script)
        fprintf(out, ", <a href=\"figures/%s.gp\">gnuplot script</a>", f->name);
    fputs("</span></figcaption>\n</figure>\n", out);
}

/* --- numbers */

static void put_points(FILE *out, const struct judgement *j)
{
    char cell[POINT_COLUMNS][64];
    int columns = report_points_heading(j, cell);
    report_html_box(out, "Numbers, point by point");
    fputs("<table class=\"numbers\">\n<caption>Point by point</caption>\n<thead><tr>", out);
    for (int c = 0; c < columns; c++) {
        fputs("<th scope=\"col\">", out);
        markup_text(out, cell[c]);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int k = 0; k < j->fit.points; k++) {
        report_points_row(j, k, cell);
        fputs("<tr>", out);
        for (int c = 0; c < columns; c++) {
            fputs(c ? "<td>" : "<th scope=\"row\">", out);
            markup_math(out, cell[c]);
            fputs(c ? "</td>" : "</th>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n", out);
    report_html_box_end(out);
}

static void put_spent(FILE *out, const struct report_input *in, int claim)
{
    struct spent spent[COUNT_KINDS];
    double ends[2];
    const char *axis = in->judgement[claim].claim->axis;
    int n = report_spent(in, claim, spent, ends), columns = n && ends[0] < ends[1] ? 2 : 1;
    if (!n)
        return;
    fputs("<details>\n<summary>What a run spent</summary>\n", out);
    report_html_box(out, "Counters");
    fputs("<table class=\"numbers\">\n<caption>Mean of the claim's own runs</caption>\n<thead><tr>"
          "<th scope=\"col\">counter</th>", out);
    for (int e = 0; e < columns; e++) {
        fputs("<th scope=\"col\">at ", out);
        markup_text(out, axis ? axis : "point");
        fprintf(out, " = %s</th>", report_number(ends[e]).at);
    }
    fputs("<th scope=\"col\" class=\"words\">counts</th></tr></thead>\n<tbody>\n", out);
    for (int k = 0; k < n; k++) {
        fprintf(out, "<tr><th scope=\"row\"><code>%s</code></th>", count_name(spent[k].kind));
        for (int e = 0; e < columns; e++)
            fprintf(out, "<td>%s</td>", report_number(spent[k].end[e]).at);
        fprintf(out, "<td class=\"words\">%s</td></tr>\n", count_doc(spent[k].kind));
    }
    fputs("</tbody>\n</table>\n", out);
    report_html_box_end(out);
    fputs("</details>\n", out);
}

/* --- rule, control, runs */

static void put_term(FILE *out, const char *term, const char *text)
{
    fprintf(out, "<dt>%s</dt><dd>", term);
    markup_math(out, text);
    fputs("</dd>\n", out);
}

static void put_facts(FILE *out, const struct report_input *in, const struct judgement *j)
{
    struct decisive d = report_decisive(j->claim, &j->fit);
    fputs("<dl class=\"facts\">\n", out);
    if (d.what[0]) {
        put_term(out, "Quantity", d.what);
        put_term(out, "Measured", report_measured(j->claim, &j->fit).at);
        put_term(out, "Promised", report_promised(j->claim).at);
    }
    put_term(out, "Rule", report_rule(j->claim));
    put_term(out, "Control", report_control_sentence(j).at);
    if (j->cells)
        put_term(out, "Runs", report_runs(j, in->canonical).at);
    if (j->failed + j->refused)
        fputs("<dt>Failures</dt><dd><a href=\"#failures\">listed below</a></dd>\n", out);
    fputs("</dl>\n", out);
}

static void put_command(FILE *out, const char *command)
{
    fputs("<pre class=\"command\"><code>", out);
    markup_text(out, command);
    fputs("</code></pre>\n", out);
}

/* Where the first number came from: one run can be repeated bit by bit. */
static void put_first_run(FILE *out, const struct report_input *in, int claim)
{
    const struct record *r = report_first_run(in, claim);
    if (!r)
        return;
    char *command = report_rerun(r->cell);
    fputs("<details>\n<summary>The first of its runs</summary>\n<p>Sources that can change its "
          "numbers: <code>", out);
    markup_text(out, r->fingerprint);
    fputs("</code></p>\n", out);
    put_command(out, command);
    fputs("</details>\n", out);
    free(command);
}

void report_html_claim(FILE *out, const struct report_input *in, int k, const struct figure *f,
                       const char *folder)
{
    const struct judgement *j = &in->judgement[k];
    put_opening(out, j, f);
    report_html_figure(out, f, folder, report_picture(j).at, k + 1);
    if (j->fit.points)
        put_points(out, j);
    put_facts(out, in, j);
    put_spent(out, in, k);
    put_first_run(out, in, k);
    fputs("<p class=\"label\">Reproduce</p>\n", out);
    put_command(out, report_command(j->claim, in->profile).at);
    fputs("</article>\n", out);
}
