/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site_index.c - the first page: what was verified, what is contradicted and what has changed, the theorems; then
 * papers, findings, and links to the other pages. */
#include "report/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cell/registry.h"
#include "judge/theorems.h"
#include "nights/baseline.h"
#include "nights/history.h"
#include "plan/names.h"
#include "report/report_theorems.h"
#include "text/markup.h"

/* Prints "Last run 2026-05-04; profile quick; 27.4 seconds of computing; commit 0123456." */
static void put_circumstances(FILE *out, const struct report_input *in)
{
    const struct history *h = in->history;
    fputs("<p class=\"note\">", out);
    if (h && h->nights)
        fprintf(out, "Last run %.10s; ", h->night[h->nights - 1].started);
    fprintf(out, "profile %s", profile_name(in->profile));
    if (!in->canonical)
        fprintf(out, "; %s", report_computing(in).at);
    for (size_t k = 0; k < in->infos; k++) {
        const struct store_info *i = &in->info[k];
        if (strcmp(i->key, "commit") == 0) /* the whole hash is printed under provenance */
            markup_print(out, "; commit <code>%.12s</code>", i->value);
        if (strcmp(i->key, "dirty") == 0 && strcmp(i->value, "yes") == 0)
            fputs(" with changes that are not committed", out);
    }
    fputs(".</p>\n", out);
}

/* --- contradictions: first those that the baseline does not accept; then findings, those that it accepts by the
 * name of the claim */

enum { AGAINST_SHOWN = 12 };

static bool is_against(enum word w) { return w == CONTRADICTED || w == SUSPECT; }

/* Returns the line of the baseline that accepts the verdict shown for judgement k (the last known one if it was not
 * run now), in the profile of that verdict; NULL: there is none. */
static const struct standing *accepted_by(const struct site *s, const struct standings *accepted, int k)
{
    const struct standing *last = report_last(s->in, k);
    const char *id = s->in->judgement[k].claim->id,
               *profile = last ? last->profile : profile_name(s->in->profile);
    return standings_accept(accepted, id, profile, report_word(s->in, k))
               ? standings_find(accepted, id, profile)
               : NULL;
}

/* Prints the contradiction of judgement k. accepted: the line of the baseline that accepts it, NULL: none. An
 * accepted one takes one line; its statement and the reason why it was accepted appear under the pointer. */
static void put_against(FILE *out, const struct site *s, int k, const struct standing *accepted)
{
    const struct claim *c = s->in->judgement[k].claim;
    const struct standing *last = report_last(s->in, k);
    const char *from = last ? "; verdict of profile " : "", *profile = last ? last->profile : "";
    if (accepted) {
        enum word w = report_word(s->in, k);
        markup_print(out, "<li title=\"%s. Accepted: %s\"><span class=\"%s\" aria-hidden=\"true\">%s</span> ",
                     c->says, accepted->reason, site_class(w), site_sign(w));
        site_put_claim(out, s, c->id);
        fprintf(out, " <span class=\"note\">finding%s%s</span></li>\n", from, profile);
        return;
    }
    fputs("<li>", out);
    site_put_word(out, report_word(s->in, k));
    fprintf(out, " <span class=\"note\">%s%s%s</span> ", report_kind(c->kind), from, profile);
    site_put_claim(out, s, c->id);
    markup_print(out, ": %-s</li>\n", c->says);
}

/* Prints the contradictions that the baseline accepts (findings), or those that it does not; returns their
 * number. */
static int put_against_list(FILE *out, const struct site *s, const struct standings *accepted,
                            bool findings)
{
    int n = 0;
    for (int k = 0; k < s->in->judgements; k++) {
        const struct standing *by = accepted_by(s, accepted, k);
        if (!is_against(report_word(s->in, k)) || (by != NULL) != findings)
            continue;
        if (!n++)
            fprintf(out, "<h3>%s</h3>\n<ul class=\"changes\">\n",
                    findings ? "Findings, <a href=\"#accepted\">accepted by name</a>"
                             : "New: to be accepted by name, or mended");
        if (n <= AGAINST_SHOWN)
            put_against(out, s, k, by);
    }
    if (n > AGAINST_SHOWN)
        fprintf(out, "<li>and %d more</li>\n", n - AGAINST_SHOWN);
    fputs(n ? "</ul>\n" : "", out);
    return n;
}

static void put_contradictions(FILE *out, const struct site *s)
{
    struct standings accepted = { NULL, 0 };
    struct why why;
    int rows = 0;
    if (s->in->baseline && baseline_read(s->in->baseline, &accepted, &why) != OK)
        accepted.n = 0; /* the baseline cannot be read; put_accepted prints why */
    for (int k = 0; k < s->in->judgements; k++)
        rows += is_against(report_word(s->in, k)) && claim_row(s->in->judgement[k].claim->id);
    site_put_section(out, "against", "What is contradicted");
    fputs(rows ? "" : "<p>No promise of a theorem.</p>\n", out);
    put_against_list(out, s, &accepted, false);
    put_against_list(out, s, &accepted, true);
    fputs("</section>\n", out);
    standings_free(&accepted);
}

/* --- the table of theorems: a line for each theorem, in it a cell for each of its rows */

static void put_cell(FILE *out, const struct site *s, const struct theorem_row *r)
{
    int k = r->claim ? report_claim_index(s->in, r->claim) : -1;
    enum word w = k < 0 ? NOT_RUN : report_word(s->in, k);
    const struct standing *last = k < 0 ? NULL : report_last(s->in, k);
    const char *word = k < 0 ? report_row_words(r) : verdict_word(w);
    markup_print(out, k < 0 ? "<span class=\"axis %s\"" : "<a class=\"axis %s%s\"", site_class(w),
                 last ? " earlier" : "");
    if (k >= 0)
        markup_print(out, " href=\"%s\"", site_claim(s, k).at);
    struct phrase why = last ? report_last_words(s->in, last)
                             : report_say("%s", k < 0 && r->reason ? r->reason : "");
    markup_print(out, " title=\"%s%s%s\">%s %-s \u00b7 %s <small>%s</small></%s> ", r->promise.text,
                 *why.at ? "; " : "", why.at, site_sign(w),
                 r->quantity ? r->quantity : "claim", r->axis, word, k < 0 ? "span" : "a");
}

static void put_theorem(FILE *out, const struct site *s, const struct theorem *t)
{
    int rows = 0, supported = 0, earlier = 0;
    for (const struct theorem_row *r = t->rows; r->axis; r++) {
        int k = r->claim ? report_claim_index(s->in, r->claim) : -1;
        rows++;
        supported += k >= 0 && s->in->judgement[k].verdict.word == SUPPORTED;
        earlier += k >= 0 && report_last(s->in, k) && report_last(s->in, k)->word == SUPPORTED;
    }
    markup_print(out, "<tr data-text=\"%s %s %s", t->id, t->cite, t->says);
    for (const struct theorem_row *r = t->rows; r->axis; r++)
        markup_print(out, " %s", r->claim);
    fputs("\" data-verdict=\"", out);
    for (const struct theorem_row *r = t->rows; r->axis; r++) {
        int k = r->claim ? report_claim_index(s->in, r->claim) : -1;
        fprintf(out, " %s", k < 0 ? report_row_state(r) : verdict_word(report_word(s->in, k)));
    }
    markup_print(
        out,
        "\"><th scope=\"row\"><a href=\"%s\" title=\"%s\">%s</a></th><td class=\"of\">%d of %d",
        site_theorem(t).at, t->says, t->cite, supported, rows);
    if (earlier)
        fprintf(out, " <span class=\"note\">and %d before</span>", earlier);
    fputs("</td><td>", out);
    for (const struct theorem_row *r = t->rows; r->axis; r++)
        put_cell(out, s, r);
    fputs("</td></tr>\n", out);
}

static void put_group(FILE *out, const struct site *s, const char *key, bool heading)
{
    const struct theorem *t;
    int n = 0;
    for (int k = 0; (t = theorem_at(k)); k++) {
        if (!report_theorem_shown(s->in, t) || !site_is_of(t->id, key))
            continue;
        if (!n++) {
            fputs("<tbody>\n", out);
            if (heading)
                markup_print(
                    out,
                    "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"3\"><a href=\"%s\">%s</a>"
                    "</th></tr>\n",
                    site_paper(key).at, key);
        }
        put_theorem(out, s, t);
    }
    fputs(n ? "</tbody>\n" : "", out);
}

void site_put_grid(FILE *out, const struct site *s, const char *paper)
{
    fputs("<table class=\"grid\">\n<caption>A line is a theorem, a cell one of its promises along "
          "an axis with the "
          "verdict of the claim that decides it.</caption>\n<thead><tr><th "
          "scope=\"col\">Theorem</th><th scope=\"col\">"
          "Supported</th><th scope=\"col\">Promises</th></tr></thead>\n",
          out);
    for (int k = 0; k < s->in->judgements; k++)
        if (report_opens_paper(s->in->judgement, k) &&
            (!paper || strcmp(report_paper_key(&s->in->judgement[k]), paper) == 0))
            put_group(out, s, report_paper_key(&s->in->judgement[k]), !paper);
    fputs("</table>\n", out);
}

static void put_theorems(FILE *out, const struct site *s)
{
    if (!report_theorems_any(s->in->judgement, s->in->judgements))
        return;
    site_put_section(out, "theorems", "Theorems");
    site_put_filters(out);
    site_put_grid(out, s, NULL);
    fputs("</section>\n", out);
}

/* --- the table of papers */

static void put_paper_row(FILE *out, const struct site *s, int first)
{
    static const enum word shown[] = { SUPPORTED, CONTRADICTED, SUSPECT, INCONCLUSIVE,
                                       HOLDS,     IDENTITY,     NOT_RUN };
    const struct judgement *j = s->in->judgement;
    int word[WORDS] = { 0 }, n = 0;
    for (int k = first; k < s->in->judgements;
         k = report_next_of_paper(j, s->in->judgements, k), n++)
        word[j[k].verdict.word]++;
    const char *key = report_paper_key(&j[first]);
    markup_print(out,
                 "<tr><th scope=\"row\" class=\"words\"><a href=\"%s\">%s</a> <span "
                 "class=\"note\">%s</span></th>"
                 "<td>%d</td>",
                 site_paper(key).at,
                 j[first].paper && j[first].paper->title ? j[first].paper->title : key,
                 j[first].paper ? j[first].paper->cite : "", n);
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
        fprintf(out, "<td>%d</td>", word[shown[k]]);
    fputs("</tr>\n", out);
}

static void put_papers(FILE *out, const struct site *s)
{
    site_put_section(out, "papers", "Papers");
    report_html_table(out, "Papers", "Claims of each paper, by verdict");
    fputs("<th scope=\"col\" class=\"words\">paper</th><th scope=\"col\">claims</th>", out);
    for (const char *const *c =
             (const char *const[]){ "supported", "contradicted", "suspect", "inconclusive", "holds",
                                    "identity", "not run", NULL };
         *c; c++)
        fprintf(out, "<th scope=\"col\">%s</th>", *c);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int k = 0; k < s->in->judgements; k++)
        if (report_opens_paper(s->in->judgement, k))
            put_paper_row(out, s, k);
    report_html_table_end(out);
    fputs("</section>\n", out);
}

/* --- errata: statements that papers print, and what holds instead, each with its proof */

static bool is_erratum(const struct site *s, int k)
{
    return s->in->judgement[k].claim->kind == KIND_ERRATUM;
}

static void put_proof_fact(FILE *out, const char *what, const char *text)
{
    if (!text || !*text)
        return;
    markup_print(out, "<dt>%s</dt><dd>%s</dd>\n", what, text);
}

static void put_proof(FILE *out, const struct site *s, const struct judgement *j)
{
    const struct claim *c = j->claim;
    bool ran = j->cells > j->absent;
    char *command = report_command(s->in, j);
    fputs("<dl class=\"facts\">\n", out);
    put_proof_fact(out, "printed in", c->cite);
    if (ran) {
        put_proof_fact(out, "measured", report_measured(c, &j->fit).at);
        put_proof_fact(out, "holds instead", report_promised(c).at);
        put_proof_fact(out, "control", report_control(j));
        put_proof_fact(out, "the control", report_variant(c, &c->control).at);
    }
    put_proof_fact(out, ran ? "decided by" : "not decided", j->verdict.reason);
    put_proof_fact(out, "remark", c->remark);
    put_proof_fact(out, "again", command);
    fputs("</dl>\n", out);
    free(command);
}

static void put_erratum(FILE *out, const struct site *s, int k)
{
    const struct judgement *j = &s->in->judgement[k];
    markup_print(out, "<li><a href=\"%s\"><code>%s</code></a> ", site_claim(s, k).at, j->claim->id);
    site_put_verdict(out, s, k);
    markup_print(out, " <span class=\"says\">%-s</span>\n<details><summary>Proof</summary>\n",
                 j->claim->says);
    put_proof(out, s, j);
    fputs("</details></li>\n", out);
}

/* Prints the errata of the paper whose first judgement is k. */
static void put_paper_errata(FILE *out, const struct site *s, int k)
{
    int errata = 0;
    for (int i = k; i < s->in->judgements;
         i = report_next_of_paper(s->in->judgement, s->in->judgements, i)) {
        if (!is_erratum(s, i))
            continue;
        if (!errata++)
            markup_print(out, "<h3>%s</h3>\n<ul>\n",
                         s->in->judgement[k].paper ? s->in->judgement[k].paper->title : "");
        put_erratum(out, s, i);
    }
    fputs(errata ? "</ul>\n" : "", out);
}

static void put_errata(FILE *out, const struct site *s)
{
    bool errata = false;
    for (int k = 0; k < s->in->judgements && !errata; k++)
        errata = is_erratum(s, k);
    if (!errata)
        return;
    site_put_section(out, "errata", "Findings: errata");
    fputs("<p>Claims about what a paper prints and what holds instead. SUPPORTED: what is said "
          "here holds.</p>\n",
          out);
    for (int k = 0; k < s->in->judgements; k++)
        if (report_opens_paper(s->in->judgement, k))
            put_paper_errata(out, s, k);
    fputs("</section>\n", out);
}

/* --- links to pages of contests and of papers' own experiments, where such pages have been written */

/* answer <- the result of a contest in some sentences, from the file beside its page, "" if there is none. Returns
 * false where there is no page. */
static bool read_answer(const struct site *s, const char *page, char answer[1400])
{
    char path[4400];
    answer[0] = 0;
    snprintf(path, sizeof path, "%.4000s/%.200s.html", s->beside, page);
    if (access(path, R_OK))
        return false;
    snprintf(path, sizeof path, "%.4000s/%.200s.txt", s->beside, page);
    FILE *in = fopen(path, "r");
    if (in) {
        answer[fread(answer, 1, 1399, in)] = 0;
        fclose(in);
    }
    return true;
}

static void put_experiment(FILE *out, const struct site *s, const struct paper *p)
{
    char page[FIGURE_NAME], answer[1400];
    bool contest = !p->reproduction->panels;
    figure_name(report_say("reproduce-%.60s", p->key).at, page);
    bool there = read_answer(s, page, answer);
    if (there)
        markup_print(out, "<li><a href=\"%s.html\">%-s</a>", page, p->reproduction->title);
    else
        markup_print(out, "<li>%-s", p->reproduction->title);
    markup_print(out, " <span class=\"note\">%s</span>",
                 contest ? "contest: evidence, no verdict" : "the paper's own experiments");
    if (there)
        markup_print(out, "%s%-s", answer[0] ? ": " : "", answer);
    else
        markup_print(out, ": %-s Not run beside this report: <code>assay reproduce %s</code>",
                     p->reproduction->says, p->key);
    fputs("</li>\n", out);
}

static void put_experiments(FILE *out, const struct site *s)
{
    int n = 0;
    for (int k = 0; k < s->in->judgements; k++) {
        const struct paper *p = s->in->judgement[k].paper;
        if (!p || !p->reproduction || !report_opens_paper(s->in->judgement, k))
            continue;
        if (!n++)
            site_put_section(out, "contests", "Findings: contests and reproductions");
        fputs(n == 1 ? "<ul>\n" : "", out);
        put_experiment(out, s, p);
    }
    fputs(n ? "</ul>\n</section>\n" : "", out);
}

static void put_nights_link(FILE *out, const struct site *s)
{
    const struct history *h = s->in->history;
    if (!h || !h->nights)
        return;
    site_put_section(out, "nights", "Nights");
    fprintf(out, "<p>%d night%s of this profile kept, from %.10s to %.10s: <a href=\"nights.html\">theorems by "
            "night, levels and times</a>.</p>\n</section>\n", h->nights, h->nights == 1 ? " is" : "s are",
            h->night[0].started,
            h->night[h->nights - 1].started);
}

/* --- contradictions that the baseline accepts */

/* Prints one contradiction of the baseline. The id is a link if the claim is in this report. */
static void put_accepted_one(FILE *out, const struct site *s, const struct standing *a)
{
    fputs("<li>", out);
    site_put_claim(out, s, a->claim);
    markup_print(out, " %s%s%s <span class=\"note\">%s%s%s</span></li>\n", verdict_word(a->word),
                 a->reason[0] ? ": " : "", a->reason, a->profile, a->commit[0] ? ", commit " : "",
                 a->commit);
}

static void put_accepted(FILE *out, const struct site *s)
{
    struct standings list = { NULL, 0 };
    struct why why = { "" };
    int n = 0;
    if (s->in->baseline && baseline_read(s->in->baseline, &list, &why) != OK)
        markup_print(out, "<p class=\"note\">The baseline is not read: %s</p>\n", why.text);
    for (int k = 0; k < list.n; k++) {
        if (list.of[k].word != CONTRADICTED && list.of[k].word != SUSPECT)
            continue;
        if (!n++)
            site_put_section(out, "accepted", "Findings: accepted contradictions");
        fputs(n == 1 ? "<ul>\n" : "", out);
        put_accepted_one(out, s, &list.of[k]);
    }
    fputs(n ? "</ul>\n</section>\n" : "", out);
    standings_free(&list);
}

void site_put_index(FILE *out, const struct site *s)
{
    site_open(out, s, REPORT_TITLE, "index.html");
    markup_print(out, "<p class=\"summary\">%s.</p>\n",
                 report_summary(s->in->judgement, s->in->judgements).at);
    put_circumstances(out, s->in);
    site_main(out);
    fputs(report_theorems_any(s->in->judgement, s->in->judgements) ? "<div class=\"first\">\n" : "<div>\n", out);
    fputs("<div class=\"news\">\n", out);
    put_contradictions(out, s);
    site_put_changes(out, s);
    fputs("</div>\n", out);
    put_theorems(out, s);
    fputs("</div>\n", out);
    put_papers(out, s);
    put_errata(out, s);
    put_experiments(out, s);
    put_accepted(out, s);
    put_nights_link(out, s);
    site_close(out);
}
