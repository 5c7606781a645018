/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html.c - the page: its head, its order, and what belongs to no claim. */
#include "report/report_html.h"

#include <stdlib.h>
#include <string.h>

#include "text/markup.h"
#include "report/page/parts.h"
#include "nights/baseline.h"
#include "report/report_page.h"
#include "report/report_peers.h"
#include "report/report_plots.h"
#include "report/report_words.h"

/* --- shared by the parts */

static const char *class_of(enum word w)
{
    static const char *const name[] = { "none", "good", "open", "bad", "odd" };
    return name[w];
}

/* Colour alone says nothing to many: each word has a sign too. */
static const char *sign_of(enum word w)
{
    static const char *const sign[] = { "\u2013", "\u2713", "?", "\u2717", "!" };
    return sign[w];
}

static void put_badge(FILE *out, const char *class, const char *sign, const char *word)
{
    fprintf(out, "<span class=\"word %s\"><span class=\"sign\" aria-hidden=\"true\">%s</span>"
                 "<span>%s</span></span>", class, sign, word);
}

void report_html_mark(FILE *out, enum word w, const char *date)
{
    fprintf(out, "<span class=\"word %s\" title=\"%.10s: %s\" aria-label=\"%s\">%s</span>", class_of(w),
            date, verdict_word(w), verdict_word(w), sign_of(w));
}

void report_html_word(FILE *out, const struct judgement *j)
{
    enum word w = j->verdict.word;
    put_badge(out, class_of(w), sign_of(w), verdict_word(w));
    if (j->exploratory)
        fputs(" <span class=\"note\">EXPLORATORY</span>", out);
}

void report_html_control(FILE *out, const struct judgement *j)
{
    const char *state = report_control(j);
    bool ran = j->has_control && j->control.word != NOT_RUN;
    if (ran)
        put_badge(out, j->caught ? "good" : "open", j->caught ? "\u2713" : "?", state);
    else
        fprintf(out, "<span class=\"note\">%s</span>", state);
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " data-%s=\"", name);
    markup_text(out, value);
    putc('"', out);
}

void report_html_keys(FILE *out, const struct judgement *j)
{
    put_attribute(out, "paper", report_paper_key(j));
    put_attribute(out, "check", check_name(j->claim->check));
    put_attribute(out, "verdict", verdict_word(j->verdict.word));
}

void report_html_box(FILE *out, const char *label)
{
    fputs("<div class=\"box\" role=\"group\" aria-label=\"", out);
    markup_text(out, label);
    fputs("\">\n", out);
}

void report_html_box_end(FILE *out)
{
    fputs("</div>\n", out);
}

/* --- head */

static const char *part(const char *name)
{
    for (const struct template *t = page_parts; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t->text;
    BUG_IF(true);
}

static void put_head(FILE *out, const struct report_input *in)
{
    struct report_tally t = report_tally(in->judgement, in->judgements);
    fputs("<!DOCTYPE html>\n"
          "<html lang=\"en\" xml:lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n", out);
    fprintf(out, "<title>%s: %d of %d supported</title>\n", report_title, t.word[SUPPORTED], t.n);
    fprintf(out, "<style>/*<![CDATA[*/\n%s/*]]>*/</style>\n</head>\n", part("report.css"));
}

/* "Profile quick; 27.4 seconds of computing; commit 0123456." */
static void put_circumstances(FILE *out, const struct report_input *in)
{
    fprintf(out, "<p class=\"note\">Profile %s", profile_name(in->profile));
    if (!in->canonical)
        fprintf(out, "; %s", report_computing(in).at);
    for (size_t k = 0; k < in->infos; k++) {
        const struct store_info *i = &in->info[k];
        if (strcmp(i->key, "commit") == 0) {
            char start[13];                      /* in full below, under provenance */
            snprintf(start, sizeof start, "%s", i->value);
            fputs("; commit <code>", out);
            markup_text(out, start);
            fputs("</code>", out);
        }
        if (strcmp(i->key, "dirty") == 0 && strcmp(i->value, "yes") == 0)
            fputs(" with changes that are not committed", out);
    }
    fputs(".</p>\n", out);
}

static void put_header(FILE *out, const struct report_input *in)
{
    fprintf(out, "<body>\n<a class=\"skip\" href=\"#verdicts\">Skip to the verdicts</a>\n"
                 "<header>\n<h1>%s</h1>\n<p class=\"summary\">", report_title);
    markup_text(out, report_summary(in->judgement, in->judgements).at);
    fputs(".</p>\n", out);
    put_circumstances(out, in);
    fputs("<nav aria-label=\"Sections\">", out);
    if (in->changes || (in->history && in->history->nights > 1))
        fputs("<a href=\"#changes\">What has changed</a> ", out);
    fputs("<a href=\"#verdicts\">Verdicts</a> ", out);
    if (in->plots || report_table_at(in, 0))
        fputs("<a href=\"#exhibits\">Figures and tables</a> ", out);
    fputs("<a href=\"#claims\">Claims</a> <a href=\"#meaning\">What a verdict means</a> "
          , out);
    if (report_html_has_errata(in))
        fputs("<a href=\"#errata\">Errata</a> ", out);
    fputs("<a href=\"#trust\">How far to trust it</a> ", out);
    if (report_peers_any(in))
        fputs("<a href=\"#peers\">Other programs</a> ", out);
    fputs("<a href=\"#failures\">Failures</a> <a href=\"#provenance\">Provenance</a></nav>\n</header>\n<main>\n",
          out);
}

/* Shown by the script, which also fills the lists. */
static void put_filters(FILE *out)
{
    static const char *const list[][2] = { { "paper", "Paper" }, { "check", "Check" },
                                           { "verdict", "Verdict" } };
    fputs("<form id=\"filters\" role=\"search\" aria-label=\"Filter the claims\" "
          "hidden=\"hidden\">\n<label class=\"wide\"><span>Search</span> <input type=\"search\" "
          "name=\"q\" autocomplete=\"off\" spellcheck=\"false\" "
          "placeholder=\"words, or / from anywhere\"/>"
          "</label>\n", out);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        fprintf(out, "<label><span>%s</span> <select name=\"%s\"><option value=\"\">all</option>"
                     "</select></label>\n", list[k][1], list[k][0]);
    fputs("<button type=\"reset\">Show all</button>\n"
          "<output id=\"shown\" aria-live=\"polite\"></output>\n</form>\n"
          "<p id=\"nothing\" hidden=\"hidden\">No claim matches.</p>\n", out);
}

/* --- what is accepted, failures, meaning, provenance */

/* Known to be so. Claims of this page are linked; those of other papers may not be here. */
static void put_accepted_one(FILE *out, const struct report_input *in, const struct figure *f,
                             const struct standing *a)
{
    int k = 0;
    while (k < in->judgements && strcmp(in->judgement[k].claim->id, a->claim))
        k++;
    fputs("<li>", out);
    if (k < in->judgements)
        fprintf(out, "<a href=\"#%s\">", f[k].name);
    fputs("<code>", out);
    markup_text(out, a->claim);
    fputs(k < in->judgements ? "</code></a> " : "</code> ", out);
    markup_text(out, verdict_word(a->word));
    fputs(a->reason[0] ? ": " : "", out);
    markup_text(out, a->reason);
    fputs(" <span class=\"note\">", out);
    markup_text(out, a->profile);
    fputs(a->commit[0] ? ", commit " : "", out);
    markup_text(out, a->commit);
    fputs("</span></li>\n", out);
}

static void put_accepted(FILE *out, const struct report_input *in, const struct figure *f)
{
    struct standings list = { NULL, 0 };
    struct why why = { "" };
    int n = 0;
    if (in->baseline && baseline_read(in->baseline, &list, &why) != OK) {
        fputs("<p class=\"note\">The baseline is not read: ", out);
        markup_text(out, why.text);
        fputs("</p>\n", out);
    }
    for (int k = 0; k < list.n; k++) {
        if (list.of[k].word != CONTRADICTED && list.of[k].word != SUSPECT)
            continue;
        if (!n++)
            fputs("<section id=\"accepted\" aria-labelledby=\"accepted-h\">\n"
                  "<h2 id=\"accepted-h\">Accepted contradictions</h2>\n<ul>\n", out);
        put_accepted_one(out, in, f, &list.of[k]);
    }
    fputs(n ? "</ul>\n</section>\n" : "", out);
    standings_free(&list);
}

static void put_failures(FILE *out, const struct report_input *in)
{
    struct failure f;
    int failures = 0, k = 0;
    fputs("<section aria-labelledby=\"failures\">\n"
          "<h2 id=\"failures\">Runs that failed</h2>\n", out);
    for (; report_failure(in, &k, &f); failures++) {
        char *command = report_rerun(f.cell);
        fputs("<p>", out);
        markup_text(out, f.heading);
        fputs(f.message[0] ? ": " : "", out);
        markup_text(out, f.message);
        fputs("</p>\n<pre class=\"command\"><code>", out);
        markup_text(out, command);
        fputs("</code></pre>\n", out);
        free(command);
    }
    fputs(failures || report_failures_untold(in) ? "" : "<p>None.</p>\n", out);
    fputs("</section>\n", out);
}

static void put_meaning(FILE *out)
{
    fputs("<section aria-labelledby=\"meaning\">\n<h2 id=\"meaning\">What a verdict means</h2>\n"
          "<dl class=\"facts\">\n", out);
    for (int w = 0; w <= SUSPECT; w++) {
        fputs("<dt>", out);
        put_badge(out, class_of((enum word)w), sign_of((enum word)w), verdict_word((enum word)w));
        fprintf(out, "</dt><dd>%s.</dd>\n", verdict_meaning((enum word)w));
    }
    fputs("</dl>\n", out);
    for (const char *const *p = report_meaning; *p; p++) {
        fputs("<p>", out);
        markup_prose(out, *p);
        fputs("</p>\n", out);
    }
    fputs("</section>\n", out);
}

static void put_line(FILE *out, const char *key, const char *value)
{
    fputs("<dt>", out);
    markup_text(out, key);
    fputs("</dt><dd><code>", out);
    markup_text(out, value);
    fputs("</code></dd>\n", out);
}

static void put_provenance(FILE *out, const struct report_input *in)
{
    fputs("<section aria-labelledby=\"provenance\">\n<h2 id=\"provenance\">Provenance</h2>\n"
          "<dl class=\"facts\">\n", out);
    put_line(out, "profile", profile_name(in->profile));
    if (in->command && !in->canonical)
        put_line(out, "command", in->command);
    for (size_t k = 0; k < in->infos; k++)
        if (report_tells(in, &in->info[k]))
            put_line(out, in->info[k].key, in->info[k].value);
    fputs("</dl>\n</section>\n", out);
}

void report_html(FILE *out, const struct report_input *in, const struct figure *figure,
                 const char *folder)
{
    put_head(out, in);
    put_header(out, in);
    report_html_changes(out, in, figure);
    put_filters(out);
    report_html_verdicts(out, in, figure);
    report_html_exhibits(out, in, figure, folder);
    report_html_privacy(out, in, figure);
    report_html_errata(out, in, figure);
    put_accepted(out, in, figure);
    fputs("<section aria-labelledby=\"claims\">\n<h2 id=\"claims\">Claims</h2>\n", out);
    for (int k = 0; k < in->judgements; k++)
        report_html_claim(out, in, k, &figure[k], folder);
    fputs("</section>\n", out);
    report_html_nights(out, in, figure);
    put_meaning(out);
    report_html_trust(out);
    report_html_peers(out, in);
    put_failures(out, in);
    put_provenance(out, in);
    fprintf(out, "</main>\n<script>/*<![CDATA[*/\n%s/*]]>*/</script>\n</body>\n</html>\n",
            part("report.js"));
}
