/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site_paper.c - the page of a paper: its theorems, its claims, figures and tables, privacy, and the claims that
 * belong to no theorem; and the page of a theorem: its rows, and its claims one by one. */
#include "report/site.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/registry.h"
#include "judge/theorems.h"
#include "plan/names.h"
#include "report/report_theorems.h"
#include "text/markup.h"

/* --- the table of a paper's claims */

/* Prints a cell of a table. label is the name of the column, which on a narrow screen, where the heading is hidden,
 * appears before the cell. */
static void put_verdict_cell(FILE *out, const char *label, const char *text)
{
    markup_print(out, "<td data-label=\"%s\">%-s</td>", label, text);
}

/* Returns the rank of a verdict by which a table is sorted: contradictions come first. */
static int urgency(enum word w)
{
    static const int rank[WORDS] = {
        [CONTRADICTED] = 0, [SUSPECT] = 1,  [INCONCLUSIVE] = 2, [NOT_RUN] = 3,
        [HOLDS] = 4,        [IDENTITY] = 5, [SUPPORTED] = 6,
    };
    return rank[w];
}

/* Prints a small image of the claim's figure. It has no alternative text, since the table row that it is in says
 * what it shows. */
static void put_thumbnail(FILE *out, const struct figure *f)
{
    if (f->drawn)
        markup_print(out, "<img class=\"stamp\" loading=\"lazy\" alt=\"\" src=\"figures/%s.svg\"/>",
                     f->name);
}

static void put_verdict_row(FILE *out, const struct site *s, int k)
{
    const struct judgement *j = &s->in->judgement[k];
    const struct figure *f = &s->figure[k];
    const struct claim *c = j->claim;
    struct decisive d = report_decisive(c, &j->fit);
    fputs("<tr", out);
    site_put_keys(out, s, k);
    markup_print(
        out,
        " data-claim=\"%s\" data-text=\"%s %s %s %s %s\">\n<th scope=\"row\" data-key=\"%s\">"
        "<a href=\"%s\"><code>%s</code></a>",
        f->name, c->id, c->says, c->cite, c->algo, j->verdict.reason, report_short_id(j),
        site_claim(s, k).at, report_short_id(j));
    markup_print(out, "<span class=\"says\">%-s</span><span class=\"note\">%s</span></th>\n",
                 c->says, report_short_cite(j));
    put_verdict_cell(out, "quantity", d.what[0] ? d.what : "-");
    fputs("<td data-label=\"measured\"", out);
    if (isfinite(d.value.value))
        fprintf(out, " data-key=\"%.17g\"", d.value.value);
    markup_print(out, ">%-s</td>", report_measured(c, &j->fit).at);
    put_verdict_cell(out, "promised", report_promised(c).at);
    fprintf(out, "<td data-label=\"verdict\" data-key=\"%d\">", urgency(report_word(s->in, k)));
    site_put_verdict(out, s, k);
    fputs("</td><td data-label=\"control\">", out);
    site_put_control(out, j);
    fputs("</td><td data-label=\"figure\">", out);
    put_thumbnail(out, f);
    fputs("</td>\n</tr>\n", out);
}

/* Prints the table of all claims of the paper whose first judgement is number `first`. */
static void put_verdicts(FILE *out, const struct site *s, int first)
{
    static const char *const column[] = { "claim",   "quantity", "measured", "promised",
                                          "verdict", "control",  "figure" };
    const struct judgement *j = s->in->judgement;
    if (first == s->in->judgements)
        return;
    site_put_section(out, "verdicts", "Claims");
    fputs("<table class=\"verdicts\">\n<caption>Verdicts on the claims of the "
          "paper</caption>\n<thead><tr>",
          out);
    for (size_t c = 0; c < sizeof column / sizeof *column; c++)
        fprintf(out, "<th scope=\"col\">%s</th>", column[c]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int k = first; k < s->in->judgements; k = report_next_of_paper(j, s->in->judgements, k))
        put_verdict_row(out, s, k);
    fputs("</tbody>\n</table>\n</section>\n", out);
}

/* --- figures and tables of the papers */

/* text <- the description of a plot for readers who cannot see it: its axes and what each line shows. */
static void describe_plot(const struct plotted *p, char *text, size_t room)
{
    int n = snprintf(text, room, "%.100s against %.120s, %s.", report_plot_y(p).at,
                     report_plot_x(p->plot).at,
                     report_plot_shares(p->plot) ? "its axis logarithmic" : "logarithmic axes");
    for (int k = 0; k < p->lines && n < (int)room; k++)
        n += snprintf(text + n, room - (size_t)n, " %.80s: %.300s.", p->line[k].line->label,
                      report_line(p, k).at);
}

static void put_exhibit_opening(FILE *out, const char *id, const char *name, const char *title,
                                const char *says)
{
    markup_print(
        out,
        "<div class=\"exhibit\" id=\"%s\" role=\"group\" aria-labelledby=\"%s-h\">"
        "\n<h3 id=\"%s-h\"><a href=\"#%s\">%-s</a></h3>\n<p class=\"note\"><code>%s</code></p>\n<p "
        "class=\"says\">%-s</p>\n",
        name, name, name, name, title, id, says);
}

static void put_lines_seen(FILE *out, const struct plotted *p)
{
    fputs("<dl class=\"facts\">\n", out);
    for (int k = 0; k < p->lines; k++)
        markup_print(out, "<dt>%-s</dt><dd>%-s</dd>\n", p->line[k].line->label,
                     report_line(p, k).at);
    fputs("</dl>\n", out);
}

static void put_plot(FILE *out, const struct site *s, int k)
{
    const struct plotted *p = &s->in->plotted[k];
    const struct figure *f = &s->figure[s->in->judgements + k];
    char label[4096], *command = report_command(s->in, p->line[0].runs);
    describe_plot(p, label, sizeof label);
    put_exhibit_opening(out, p->plot->id, f->name, p->plot->title, p->plot->says);
    report_html_figure(out, f, label);
    if (f->data) {
        put_lines_seen(out, p);
        fputs("<details>\n<summary>Numbers, line by line</summary>\n", out);
        site_put_table(out, s, &report_plot_points, p, NULL, NULL);
        fputs("</details>\n", out);
    }
    fputs("<p class=\"label\">Reproduce</p>\n", out);
    site_put_command(out, command);
    free(command);
    fputs("</div>\n", out);
}

/* --- tables of the papers */

static void put_exhibit_cell(FILE *out, const struct site *s, const struct exhibit *t,
                             const struct exhibit_row *r, int column)
{
    int k = report_table_claim(s->in, r, column);
    const struct judgement *j = k < 0 ? NULL : &s->in->judgement[k];
    markup_print(out, "<td data-label=\"%s\">", t->column[column]);
    if (j) {
        struct phrase measured = report_measured(j->claim, &j->fit);
        markup_print(out, "<a href=\"%s\">%-s</a> <span class=\"note\">promised %-s</span> ",
                     site_claim(s, k).at, strcmp(measured.at, "-") ? measured.at : "not measured now",
                     report_promised(j->claim).at);
        site_put_verdict(out, s, k);
    } else {
        fputs(r->claim[column] ? "<span class=\"note\">not selected</span>" : "\u2013", out);
    }
    fputs("</td>", out);
}

static void put_exhibit(FILE *out, const struct site *s, const struct exhibit *t)
{
    char name[FIGURE_NAME];
    figure_name(t->id, name);
    put_exhibit_opening(out, t->id, name, t->title, t->says);
    markup_print(
        out,
        "<table class=\"cells\">\n<caption>%s</caption>\n<thead><tr><th scope=\"col\">method</th>",
        t->title);
    for (int c = 0; c < TABLE_COLUMNS && t->column[c]; c++)
        markup_print(out, "<th scope=\"col\">%s</th>", t->column[c]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (const struct exhibit_row *r = t->row; r->label; r++) {
        markup_print(out, "<tr><th scope=\"row\">%-s</th>\n", r->label);
        for (int c = 0; c < TABLE_COLUMNS && t->column[c]; c++)
            put_exhibit_cell(out, s, t, r, c);
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n</div>\n", out);
}

static void put_exhibits(FILE *out, const struct site *s, const char *paper)
{
    const struct exhibit *t;
    int n = 0;
    for (int k = 0; (t = report_table_at(s->in, k)); k++) {
        if (!site_is_of(t->id, paper))
            continue;
        if (!n++)
            site_put_section(out, "exhibits", "Figures and tables");
        put_exhibit(out, s, t);
    }
    for (int k = 0; k < s->in->plots; k++) {
        if (strcmp(s->in->plotted[k].paper->key, paper))
            continue;
        if (!n++)
            site_put_section(out, "exhibits", "Figures and tables");
        put_plot(out, s, k);
    }
    fputs(n ? "</section>\n" : "", out);
}

/* --- privacy, claims of no theorem, theorems; and the page of a paper */

static void put_privacy_opening(FILE *out)
{
    site_put_section(out, "privacy", "Privacy");
    fputs("<p>", out);
    markup_prose(out, report_sections[SECTION_PRIVACY].sentence);
    fputs("</p>\n", out);
}

static void put_privacy(FILE *out, const struct site *s, const char *paper)
{
    bool any = site_put_table(out, s, &report_sections[SECTION_PRIVACY], s->in, paper,
                              put_privacy_opening);
    fputs(any ? "</section>\n" : "", out);
}

/* Prints those claims of the paper that are on no theorem's page; first: its first judgement. */
static void put_others(FILE *out, const struct site *s, int first)
{
    int n = 0;
    for (int k = first; k < s->in->judgements;
         k = report_next_of_paper(s->in->judgement, s->in->judgements, k)) {
        if (s->theorem[k])
            continue;
        if (!n++)
            site_put_section(out, "others", "Claims of no theorem");
        site_put_article(out, s, k);
    }
    fputs(n ? "</section>\n" : "", out);
}

static void put_paper_theorems(FILE *out, const struct site *s, const char *key)
{
    const struct theorem *t;
    bool any = false;
    for (int k = 0; (t = theorem_at(k)) && !any; k++)
        any = site_is_of(t->id, key) && report_theorem_shown(s->in, t);
    if (!any)
        return;
    site_put_section(out, "theorems", "Theorems");
    site_put_grid(out, s, key);
    fputs("</section>\n", out);
}

void site_put_paper(FILE *out, const struct site *s, const struct paper *p, const char *key)
{
    int first = 0;
    while (first < s->in->judgements && strcmp(report_paper_key(&s->in->judgement[first]), key))
        first++;
    site_open(out, s, p && p->title ? p->title : key, PAGE_BROAD);
    markup_print(out, "<p class=\"note\"><code>%s</code> %s</p>\n", key,
                 p && p->cite ? p->cite : "");
    site_main(out);
    put_paper_theorems(out, s, key);
    site_put_filters(out);
    put_verdicts(out, s, first);
    put_exhibits(out, s, key);
    put_privacy(out, s, key);
    put_others(out, s, first);
    if (p && p->reproduction)
        markup_print(
            out,
            "<p>The paper's own experiments: <a href=\"reproduce-%s.html\"><code>assay reproduce "
            "%s</code></a>, where that was run.</p>\n",
            key, key);
    site_close(out);
}

/* --- the page of a theorem */

static void put_rivals(FILE *out, const struct theorem_row *r)
{
    for (const struct row_law *rival = r->rivals; rival < r->rivals + RIVALS_MAX && rival->text;
         rival++) {
        markup_print(out, rival->whose ? "%s<abbr title=\"%s\">" : "%s",
                     rival > r->rivals ? ", " : "", rival->whose);
        markup_print(out, "%-s", rival->text);
        fputs(rival->whose ? "</abbr>" : "", out);
    }
}

static void put_theorem_row(FILE *out, const struct site *s, const struct theorem_row *r)
{
    int k = r->claim ? report_claim_index(s->in, r->claim) : -1;
    markup_print(out,
                 "<tr><th scope=\"row\" class=\"words\">%s on %s</th><td "
                 "class=\"words\">%-s</td><td class=\"words\">",
                 r->quantity ? r->quantity : "claim", r->axis, r->promise.text);
    put_rivals(out, r);
    fputs("</td><td class=\"words\">", out);
    if (k >= 0)
        markup_print(out, "<a href=\"%s\"><code>%s</code></a>", site_claim(s, k).at,
                     report_short_id(&s->in->judgement[k]));
    else if (r->claim)
        markup_print(out, "<code>%s</code>", r->claim);
    fputs("</td><td class=\"words\">", out);
    if (k >= 0)
        markup_print(out, "%-s",
                     report_measured(s->in->judgement[k].claim, &s->in->judgement[k].fit).at);
    fputs("</td><td class=\"words\">", out);
    if (k >= 0)
        site_put_verdict(out, s, k);
    else
        markup_print(out, "<span class=\"note\">%s%s%s</span>", report_row_state(r),
                     r->reason ? ": " : "", r->reason);
    if (k >= 0 && attempt_contradicted(s->in->judgement[k].claim))
        fprintf(out, " <span class=\"note\">attempt %d was contradicted</span>",
                attempt_contradicted(s->in->judgement[k].claim));
    fputs("</td></tr>\n", out);
}

void site_put_theorem(FILE *out, const struct site *s, const struct theorem *t)
{
    static const char *const column[] = { "promise of", "law",      "rivals",
                                          "decided by", "measured", "verdict" };
    const char *slash = strchr(t->id, '/');
    char key[FIGURE_NAME];
    snprintf(key, sizeof key, "%.*s", slash ? (int)(slash - t->id) : 0, t->id);
    site_open(out, s, report_say("%.200s of %.100s", t->cite, key).at, "");
    markup_print(out,
                 "<p class=\"says\">%-s</p>\n<p class=\"note\">%-s%s<a "
                 "href=\"%s\"><code>%s</code></a></p>\n",
                 t->says, t->regime, t->regime ? " " : "", site_paper(key).at, key);
    site_main(out);
    site_put_section(out, "rows", "Promises");
    report_html_table(
        out, "Promises",
        "A promise along an axis, the laws of its rivals, and the claim that decides");
    for (size_t c = 0; c < sizeof column / sizeof *column; c++)
        fprintf(out, "<th scope=\"col\" class=\"words\">%s</th>", column[c]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (const struct theorem_row *r = t->rows; r->axis; r++)
        put_theorem_row(out, s, r);
    report_html_table_end(out);
    fputs("</section>\n", out);
    int n = 0;
    for (int k = 0; k < s->in->judgements; k++) {
        if (s->theorem[k] != t)
            continue;
        if (!n++)
            site_put_section(out, "claims", "Claims");
        site_put_article(out, s, k);
    }
    fputs(n ? "</section>\n" : "", out);
    site_close(out);
}
