/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.c - the HTML pages of the report: decides which there are and on which page each claim is, and prints the
 * parts that pages share. */
#include "report/site.h"

#include <stdlib.h>
#include <string.h>

#include "cell/registry.h"
#include "plan/names.h"
#include "report/page/parts.h"
#include "report/report_theorems.h"
#include "text/folder.h"
#include "text/markup.h"
#include "text/templates.h"

/* --- addresses of pages and claims */

struct phrase site_theorem(const struct theorem *t)
{
    char name[FIGURE_NAME];
    figure_name(t->id, name);
    return report_say("theorem-%s.html", name);
}

struct phrase site_paper(const char *key)
{
    char name[FIGURE_NAME];
    figure_name(key, name);
    return report_say("paper-%s.html", name);
}

bool site_is_of(const char *id, const char *paper)
{
    size_t n = strlen(paper);
    return strncmp(id, paper, n) == 0 && id[n] == '/';
}

static struct phrase page_of(const struct site *s, int k)
{
    return s->theorem[k] ? site_theorem(s->theorem[k])
                         : site_paper(report_paper_key(&s->in->judgement[k]));
}

struct phrase site_claim(const struct site *s, int k)
{
    return report_say("%s#%s", page_of(s, k).at, s->figure[k].name);
}

void site_put_claim(FILE *out, const struct site *s, const char *id)
{
    int k = report_claim_index(s->in, id);
    if (k < 0)
        markup_print(out, "<code>%s</code>", id);
    else
        markup_print(out, "<a href=\"%s\"><code>%s</code></a>", site_claim(s, k).at, id);
}

static bool decides_row_of(const struct theorem *t, const char *claim)
{
    for (const struct theorem_row *r = t->rows; r->axis; r++)
        if (r->claim && strcmp(r->claim, claim) == 0)
            return true;
    return false;
}

/* Is the theorem's name a part of the claim's id, as "thm1" of resque/parallel.thm1.depth.kappa? */
static bool is_named_after(const struct theorem *t, const char *claim)
{
    const char *name = strchr(t->id, '/'), *part = strchr(claim, '/');
    if (!name || !part || name - t->id != part - claim ||
        strncmp(t->id, claim, (size_t)(name - t->id)))
        return false;
    size_t n = strlen(++name);
    for (part++; part; part = strchr(part, '.') ? strchr(part, '.') + 1 : NULL)
        if (strncmp(part, name, n) == 0 && part[n] == '.')
            return true;
    return false;
}

/* Returns the theorem on whose page the claim is printed: of the theorems that are shown, the one of which the
 * claim decides a row, else one that the claim's id names; NULL: there is none. */
static const struct theorem *theorem_of(const struct report_input *in, const char *claim)
{
    const struct theorem *t, *named = NULL;
    for (int k = 0; (t = theorem_at(k)); k++) {
        if (!report_theorem_shown(in, t))
            continue;
        if (decides_row_of(t, claim))
            return t;
        named = named ? named : is_named_after(t, claim) ? t : NULL;
    }
    return named;
}

/* --- signs of verdicts: each word has a sign beside its colour, for readers who cannot tell the colours apart */

const char *site_class(enum word w)
{
    static const char *const name[] = { "none", "good", "open", "bad", "odd", "none", "none" };
    return name[w];
}

const char *site_sign(enum word w)
{
    static const char *const sign[] = { "\u2013", "\u2713", "?", "\u2717", "!", "\u2264", "=" };
    return sign[w];
}

static void put_badge(FILE *out, const char *class, const char *sign, const char *word)
{
    fprintf(out,
            "<span class=\"word %s\"><span class=\"sign\" aria-hidden=\"true\">%s</span>"
            "<span>%s</span></span>",
            class, sign, word);
}

void site_put_word(FILE *out, enum word w)
{
    put_badge(out, site_class(w), site_sign(w), verdict_word(w));
}

void site_put_verdict(FILE *out, const struct site *s, int k)
{
    const struct judgement *j = &s->in->judgement[k];
    const struct standing *last = report_last(s->in, k);
    site_put_word(out, report_word(s->in, k));
    if (j->exploratory)
        fputs(" <span class=\"note\">EXPLORATORY</span>", out);
    if (last)
        markup_print(out, " <span class=\"note\">%s</span>", report_last_words(s->in, last).at);
}

void site_put_control(FILE *out, const struct judgement *j)
{
    const char *state = report_control(j);
    if (j->has_control && j->control.word != NOT_RUN)
        put_badge(out, j->caught ? "good" : "open", j->caught ? "\u2713" : "?", state);
    else
        fprintf(out, "<span class=\"note\">%s</span>", state);
}

void site_put_keys(FILE *out, const struct site *s, int k)
{
    markup_print(out, " data-check=\"%s\" data-verdict=\"%s\"",
                 check_name(s->in->judgement[k].claim->check), verdict_word(report_word(s->in, k)));
}

/* --- tables and commands */

void site_put_box(FILE *out, const char *label)
{
    markup_print(out, "<div class=\"box\" role=\"group\" aria-label=\"%s\">\n", label);
}

static void put_row(FILE *out, const struct site *s, const struct text_table *t,
                    const struct report_row *row, int columns)
{
    markup_put *text = t->formulas ? markup_math : markup_text;
    fputs(t->words & 1 ? "<tr><th scope=\"row\" class=\"words\">" : "<tr><th scope=\"row\">", out);
    if (row->judgement >= 0)
        site_put_claim(out, s, s->in->judgement[row->judgement].claim->id);
    else
        text(out, row->cell[0].at);
    fputs("</th>", out);
    for (int c = 1; c < columns; c++) {
        bool words = t->words >> c & 1, poor = !words && row->poor >> c & 1;
        fputs(words ? "<td class=\"words\">" : poor ? "<td><em>" : "<td>", out);
        text(out, c < row->cells ? row->cell[c].at : "-");
        fputs(poor ? "</em></td>" : "</td>", out);
    }
    fputs("</tr>\n", out);
}

static void put_headings(FILE *out, const struct text_table *t, const struct report_row *row)
{
    report_html_table(out, t->label, t->caption);
    for (int c = 0; c < row->cells; c++)
        markup_print(out,
                     t->words >> c & 1 ? "<th scope=\"col\" class=\"words\">%s</th>"
                                       : "<th scope=\"col\">%s</th>",
                     row->cell[c].at);
    fputs("</tr></thead>\n<tbody>\n", out);
}

bool site_put_table(FILE *out, const struct site *s, const struct text_table *t, const void *of,
                    const char *paper, void (*opening)(FILE *out))
{
    struct report_row heading, row;
    int rows = 0;
    report_row(t, of, -1, &heading);
    for (int k = 0; report_row(t, of, k, &row); k++) {
        if (paper && strcmp(report_paper_key(&s->in->judgement[row.judgement]), paper))
            continue;
        if (!rows && opening)
            opening(out);
        if (!rows++)
            put_headings(out, t, &heading);
        put_row(out, s, t, &row, heading.cells);
    }
    if (rows)
        report_html_table_end(out);
    return rows > 0;
}

void site_put_command(FILE *out, const char *command)
{
    markup_print(out, "<pre class=\"command\"><code>%s</code></pre>\n", command);
}

/* Is the term an entry of a list with commas between its entries, or the beginning of an entry up to a blank? */
static bool is_among(const char *list, const char *term)
{
    size_t n = strlen(term);
    for (const char *at = list; at; at = strstr(at, ", ") ? strstr(at, ", ") + 2 : NULL)
        if (strncmp(at, term, n) == 0 && (at[n] == 0 || at[n] == ',' || at[n] == ' '))
            return true;
    return false;
}

void site_put_term(FILE *out, const char *term, const char *shown)
{
    const struct template *t = page_glossary;
    while (t->name && !is_among(t->name, term))
        t++;
    if (t->name)
        markup_print(out, "<abbr title=\"%s: %s\">%s</abbr>", t->name, t->text, shown);
    else
        markup_text(out, shown);
}

void site_put_section(FILE *out, const char *id, const char *title)
{
    markup_print(out, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">%-s</h2>\n",
                 id, id, id, title);
}

/* --- the beginning and the end of a page */

void site_open(FILE *out, const struct site *s, const char *title, const char *here)
{
    static const char *const page[][2] = { { "index.html", "Report" },
                                           { "nights.html", "Nights" },
                                           { "about.html", "How to read it" } };
    report_html_head(out, title, false);
    bool wide = strcmp(here, "index.html") == 0, broad = strcmp(here, PAGE_BROAD) == 0;
    fputs(wide ? "<body class=\"wide\">\n" : broad ? "<body class=\"broad\">\n" : "<body>\n", out);
    fputs("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n<nav "
          "aria-label=\"Pages\">",
          out);
    for (size_t k = 0; k < sizeof page / sizeof *page; k++)
        if (k != 1 || s->in->history)
            fprintf(out, "<a href=\"%s\"%s>%s</a> ", page[k][0],
                    strcmp(here, page[k][0]) ? "" : " aria-current=\"page\"", page[k][1]);
    markup_print(out, "</nav>\n<h1>%-s</h1>\n", title);
}

void site_main(FILE *out) { fputs("</header>\n<main id=\"main\" tabindex=\"-1\">\n", out); }
void site_close(FILE *out) { fputs("</main>\n</body>\n</html>\n", out); }

void site_put_filters(FILE *out)
{
    static const char *const list[][2] = { { "check", "Check" }, { "verdict", "Verdict" } };
    fputs("<form id=\"filters\" role=\"search\" aria-label=\"Filter the page\" hidden=\"hidden\">\n"
          "<label class=\"wide\"><span>Search</span> <input type=\"search\" name=\"q\" "
          "autocomplete=\"off\" "
          "spellcheck=\"false\" placeholder=\"words, or / from anywhere\"/></label>\n",
          out);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        fprintf(out,
                "<label><span>%s</span> <select name=\"%s\"><option "
                "value=\"\">all</option></select></label>\n",
                list[k][1], list[k][0]);
    fputs("<button type=\"reset\">Show all</button>\n<output id=\"shown\" "
          "aria-live=\"polite\"></output>\n</form>\n"
          "<p id=\"nothing\" hidden=\"hidden\">Nothing matches.</p>\n",
          out);
}

/* --- writing all pages */

struct sheet_of {
    const struct site *site;
    const struct theorem *theorem;
    const struct paper *paper;
    const char *key;
};

static void put_index(FILE *out, const void *ctx)
{
    site_put_index(out, ((const struct sheet_of *)ctx)->site);
}
static void put_nights(FILE *out, const void *ctx)
{
    site_put_nights(out, ((const struct sheet_of *)ctx)->site);
}
static void put_about(FILE *out, const void *ctx)
{
    site_put_about(out, ((const struct sheet_of *)ctx)->site);
}

static void put_paper(FILE *out, const void *ctx)
{
    const struct sheet_of *p = ctx;
    site_put_paper(out, p->site, p->paper, p->key);
}

static void put_theorem(FILE *out, const void *ctx)
{
    const struct sheet_of *p = ctx;
    site_put_theorem(out, p->site, p->theorem);
}

static void put_part(FILE *out, const void *ctx) { fputs(ctx, out); }

static enum status write_to(const char *folder, const char *name, file_put *put, const void *ctx,
                            struct why *why)
{
    char path[4096 + 400];
    snprintf(path, sizeof path, "%.4095s/%s", folder, name);
    return file_write(path, put, ctx, why);
}

static enum status write_pages(const struct site *s, const char *folder, struct why *why)
{
    struct sheet_of page = { .site = s };
    for (const struct template *t = page_parts; t->name; t++)
        TRY(write_to(folder, t->name, put_part, t->text, why));
    for (int k = 0; (page.theorem = theorem_at(k)); k++)
        if (report_theorem_shown(s->in, page.theorem))
            TRY(write_to(folder, site_theorem(page.theorem).at, put_theorem, &page, why));
    for (int k = 0; k < s->in->judgements + s->in->plots; k++) {
        bool plot = k >= s->in->judgements;
        if (!plot && !report_opens_paper(s->in->judgement, k))
            continue;
        page.paper = plot ? s->in->plotted[k - s->in->judgements].paper : s->in->judgement[k].paper;
        page.key = plot ? page.paper->key : report_paper_key(&s->in->judgement[k]);
        TRY(write_to(folder, site_paper(page.key).at, put_paper, &page, why));
    }
    if (s->in->history)
        TRY(write_to(folder, "nights.html", put_nights, &page, why));
    TRY(write_to(folder, "about.html", put_about, &page, why));
    return write_to(folder, "index.html", put_index, &page, why);
}

enum status site_write(const struct report_input *in, const struct figure *figure,
                       const char *folder, const char *beside, struct why *why)
{
    struct site s = { in, figure, calloc((size_t)in->judgements + 1, sizeof *s.theorem), beside };
    BUG_IF(!s.theorem);
    for (int k = 0; k < in->judgements; k++)
        s.theorem[k] = theorem_of(in, in->judgement[k].claim->id);
    enum status status = write_pages(&s, folder, why);
    free(s.theorem);
    return status;
}
