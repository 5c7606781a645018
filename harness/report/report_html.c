/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html.c - the report as one page of HTML: verdicts, what has changed, figures and tables, privacy,
 * errata, every claim, and what belongs to no claim. More than 700 lines because all of it is one format. */
#include "report/report_formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/calibrate.h"
#include "nights/baseline.h"
#include "nights/bench_times.h"
#include "nights/compare.h"
#include "nights/history.h"
#include "oracle.h"
#include "report/page/parts.h"
#include "report/report_page.h"
#include "report/report_theorems.h"
#include "report/report_svg.h"
#include "report/report_words.h"
#include "text/markup.h"

/* --- shared by the sections */

static const char *class_of(enum word w)
{
    static const char *const name[] = { "none", "good", "open", "bad", "odd", "none", "none" };
    return name[w];
}

/* Each word has a sign beside its colour, for readers who cannot tell the colours apart. */
static const char *sign_of(enum word w)
{
    static const char *const sign[] = { "\u2013", "\u2713", "?", "\u2717", "!", "\u2264", "=" };
    return sign[w];
}

static void put_badge(FILE *out, const char *class, const char *sign, const char *word)
{
    fprintf(out, "<span class=\"word %s\"><span class=\"sign\" aria-hidden=\"true\">%s</span>"
                 "<span>%s</span></span>", class, sign, word);
}

static void put_mark(FILE *out, enum word w, const char *date)
{
    fprintf(out, "<span class=\"word %s\" title=\"%.10s: %s\" aria-label=\"%s\">%s</span>", class_of(w),
            date, verdict_word(w), verdict_word(w), sign_of(w));
}

static void put_word(FILE *out, const struct judgement *j)
{
    enum word w = j->verdict.word;
    put_badge(out, class_of(w), sign_of(w), verdict_word(w));
    if (j->exploratory)
        fputs(" <span class=\"note\">EXPLORATORY</span>", out);
}

static void put_control(FILE *out, const struct judgement *j)
{
    const char *state = report_control(j);
    bool ran = j->has_control && j->control.word != NOT_RUN;
    if (ran)
        put_badge(out, j->caught ? "good" : "open", j->caught ? "\u2713" : "?", state);
    else
        fprintf(out, "<span class=\"note\">%s</span>", state);
}

static void put_keys(FILE *out, const struct judgement *j)
{
    markup_print(out, " data-paper=\"%s\" data-check=\"%s\" data-verdict=\"%s\"", report_paper_key(j),
                 check_name(j->claim->check), verdict_word(j->verdict.word));
}

/* The start of a box that scrolls sideways where its table is too wide. */
static void put_box(FILE *out, const char *label)
{
    markup_print(out, "<div class=\"box\" role=\"group\" aria-label=\"%s\">\n", label);
}

void report_html_table(FILE *out, const char *label, const char *caption)
{
    put_box(out, label);
    markup_print(out, "<table class=\"numbers\">\n<caption>%-s</caption>\n<thead><tr>", caption);
}

void report_html_table_end(FILE *out)
{
    fputs("</tbody>\n</table>\n</div>\n", out);
}

static void put_row(FILE *out, const struct report_input *in, const struct figure *f, const struct text_table *t,
                    const struct report_row *row, int columns)
{
    markup_put *text = t->formulas ? markup_math : markup_text;
    fputs("<tr", out);
    if (row->judgement >= 0)
        put_keys(out, &in->judgement[row->judgement]);
    fputs(t->words & 1 ? "><th scope=\"row\" class=\"words\">" : "><th scope=\"row\">", out);
    if (row->judgement >= 0)
        markup_print(out, "<a href=\"#%s\"><code>%s</code></a>", f[row->judgement].name, row->cell[0].at);
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

/* The table that t makes of `of`; nothing where it has no rows. */
static void put_table(FILE *out, const struct report_input *in, const struct figure *f, const struct text_table *t,
                      const void *of)
{
    struct report_row row;
    if (!report_row(t, of, 0, &row))
        return;
    report_row(t, of, -1, &row);
    int columns = row.cells;
    report_html_table(out, t->label, t->caption);
    for (int c = 0; c < columns; c++)
        markup_print(out, t->words >> c & 1 ? "<th scope=\"col\" class=\"words\">%s</th>" : "<th "
                     "scope=\"col\">%s</th>",
                     row.cell[c].at);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int k = 0; report_row(t, of, k, &row); k++)
        put_row(out, in, f, t, &row, columns);
    report_html_table_end(out);
}

static void put_command(FILE *out, const char *command)
{
    markup_print(out, "<pre class=\"command\"><code>%s</code></pre>\n", command);
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
    if (f->note[0])
        markup_print(out, "%s. ", f->note);
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


/* --- times by night: advisory, no verdict and no gate knows of them */

static const char *common_name(bool kernels) { return kernels ? "all benchmarks together" : "all claims together"; }

static struct time_history times_of(const struct report_input *in, bool kernels)
{
    if (kernels)
        return in->kernels ? history_times(in->kernels, NULL, BENCH_PROFILE, HISTORY_ALARM)
                           : (struct time_history){ NULL, 0 };
    struct standings base = { NULL, 0 };
    struct why why;
    if (in->baseline && baseline_read(in->baseline, &base, &why) != OK)
        base.n = 0;                      /* verdict_code prints the error */
    struct time_history t = history_times(in->history, &base, profile_name(in->profile), HISTORY_ALARM);
    standings_free(&base);
    return t;
}

static void put_series_name(FILE *out, const struct time_series *s, bool kernels)
{
    if (s->claim)
        fputs("<code>", out);
    markup_text(out, s->claim ? s->claim : common_name(kernels));
    fputs(s->claim ? "</code>" : "", out);
}

static int put_times_changed(FILE *out, const struct report_input *in, bool kernels, int listed)
{
    struct time_history t = times_of(in, kernels);
    char text[200];
    for (int k = 0; k < t.n; k++) {
        const struct time_series *s = &t.series[k];
        if (s->trend.kind == TREND_NONE || s->accepted)
            continue;
        if (!listed++)
            fputs("<h3>Times that changed</h3>\n<p>Those of claims in units of a yardstick timed beside the runs; "
                  "they decide nothing.</p>\n<ul class=\"changes\">\n", out);
        history_times_words(s, text, sizeof text);
        fputs("<li>", out);
        put_series_name(out, s, kernels);
        markup_print(out, ": %s</li>\n", text);
    }
    free(t.series);
    return listed;
}

static void put_time_steps(FILE *out, const struct report_input *in)
{
    int listed = put_times_changed(out, in, true, put_times_changed(out, in, false, 0));
    fputs(listed ? "</ul>\n" : "", out);
}

/* A line of 120 by 20 pixels; its vertical range is from half to twice the time of the first night. */
static void put_sparkline(FILE *out, const struct time_series *s)
{
    fprintf(out, "<svg width=\"120\" height=\"20\" role=\"img\" aria-label=\"times of %d nights\">"
            "<polyline fill=\"none\" stroke=\"currentColor\" points=\"", s->nights);
    for (int k = 0; k < s->nights; k++) {
        double up = fmax(-1, fmin(1, log2(s->factor[k])));
        fprintf(out, "%s%.1f,%.1f", k ? " " : "", s->nights > 1 ? 2 + 116.0 * k / (s->nights - 1) : 60,
                10 - 9 * up);
    }
    fputs("\"/></svg>", out);
}

static void put_series_row(FILE *out, const struct time_series *s, bool kernels)
{
    char text[200];
    history_times_words(s, text, sizeof text);
    fputs("<tr><th scope=\"row\">", out);
    put_series_name(out, s, kernels);
    fprintf(out, "</th><td>%d</td><td>%.2f</td><td>", s->nights, s->factor[s->nights - 1]);
    put_sparkline(out, s);
    markup_print(out, "</td><td>%s</td></tr>\n", text);
}

static void put_series_table(FILE *out, const struct report_input *in, bool kernels)
{
    struct time_history t = times_of(in, kernels);
    int rows = 0;
    for (int k = 0; k < t.n; k++) {
        if (t.series[k].nights < 2)
            continue;
        if (!rows++) {
            fprintf(out, "<details><summary>Times, %s</summary>\n",
                    kernels ? "benchmark by benchmark" : "claim by claim");
            put_box(out, kernels ? "Times by benchmark" : "Times by claim");
            fprintf(out, "<table><thead><tr><th scope=\"col\">%s</th><th scope=\"col\">nights</th>"
                  "<th scope=\"col\">last over first</th><th scope=\"col\">from half to twice</th>"
                  "<th scope=\"col\">trend</th></tr></thead>\n<tbody>\n",
                    kernels ? "benchmark" : "claim");
        }
        put_series_row(out, &t.series[k], kernels);
    }
    if (rows) {
        fputs("</tbody></table>\n</div>\n</details>\n", out);
    }
    free(t.series);
}

static void put_times(FILE *out, const struct report_input *in)
{
    put_series_table(out, in, false);
    put_series_table(out, in, true);
}

/* --- what has changed, since the baseline and since earlier nights */

/* The entries of a list of changes that are printed; the rest is counted. 25 fill one screen. */
enum { CHANGES_SHOWN = 25 };

/* The claim's id, as a link if the claim is on this page. */
static void put_claim_link(FILE *out, const struct report_input *in, const struct figure *f, const char *id)
{
    int k = 0;
    while (k < in->judgements && strcmp(in->judgement[k].claim->id, id))
        k++;
    if (k < in->judgements)
        fprintf(out, "<a href=\"#%s\">", f[k].name);
    markup_print(out, "<code>%s", id);
    fputs(k < in->judgements ? "</code></a>" : "</code>", out);
}

static void put_change(FILE *out, const struct report_input *in, const struct figure *f,
                       const struct change *c)
{
    char text[400];
    compare_words(c, text, sizeof text);
    fprintf(out, "<li><span class=\"word %s\">%s</span> ", change_gates(c->kind) ? "bad" : "none",
            change_name(c->kind));
    put_claim_link(out, in, f, (c->base ? c->base : c->now)->claim);
    markup_print(out, ": %s</li>\n", text);
}

/* The list of changes that have to be accepted (gates), or of the others, gravest first; returns their number. */
static int put_changes_list(FILE *out, const struct report_input *in, const struct figure *f,
                    const struct comparison *c, bool gates)
{
    int n = 0;
    for (int kind = CHANGE_VERDICT; kind > CHANGE_NONE; kind--)
        for (const struct change *x = c->change, *end = x + c->n; x < end; x++) {
            if ((int)x->kind != kind || change_gates(x->kind) != gates)
                continue;
            if (!n)
                fputs("<ul class=\"changes\">\n", out);
            if (n++ < CHANGES_SHOWN)
                put_change(out, in, f, x);
        }
    if (n > CHANGES_SHOWN)
        fprintf(out, "<li>and %d more: see <code>assay compare</code></li>\n", n - CHANGES_SHOWN);
    fputs(n ? "</ul>\n" : "", out);
    return n;
}

static void put_slow_claims(FILE *out, const struct report_input *in, const struct figure *f,
                      const struct comparison *c)
{
    const struct change *x = NULL;
    if (!c->times)
        return;
    if (c->slow)
        fputs("<ul class=\"changes\">\n", out);
    for (int k = 0; k < SLOW_SHOWN && (x = compare_slow(c, x)); k++) {
        fputs("<li><span class=\"word none\">slower</span> ", out);
        put_claim_link(out, in, f, x->now->claim);
        fprintf(out, ": time %.2f of the baseline's</li>\n", x->time);
    }
    if (c->slow > SLOW_SHOWN)
        fprintf(out, "<li>and %d more</li>\n", c->slow - SLOW_SHOWN);
    fputs(c->slow ? "</ul>\n" : "", out);
    fprintf(out, "<p class=\"note\">Processor time%s, which decides nothing: median %.2f of the baseline's "
            "over %d claims, most %.2f in ", c->normalised ? " in units of a yardstick timed beside it" : "",
            c->slower, c->times, c->slowest_ratio);
    markup_print(out, "%s.</p>\n", c->slowest->now->claim);
}

static void put_since_baseline(FILE *out, const struct report_input *in, const struct figure *f)
{
    const struct comparison *c = in->changes;
    int gates = comparison_gates(c);
    fprintf(out, "<p>%d of %d claims as in the baseline. ", c->kinds[CHANGE_NONE], c->compared);
    if (gates)
        fprintf(out, "<strong class=\"bad\">%d to be accepted or mended:</strong></p>\n", gates);
    else
        fputs("Nothing to be accepted.</p>\n", out);
    put_changes_list(out, in, f, c, true);
    if (c->n - c->kinds[CHANGE_NONE] > gates) {
        fputs("<details><summary>Other changes</summary>\n", out);
        put_changes_list(out, in, f, c, false);
        fputs("</details>\n", out);
    }
    put_slow_claims(out, in, f, c);
}

/* --- nights */

static void put_night(FILE *out, const struct night *n)
{
    fprintf(out, "%.10s, commit <code>%.12s</code>", n->started, n->commit);
}

/* The number of changes since the night before. */
static void put_last_night(FILE *out, const struct report_input *in)
{
    const struct night *last = &in->history->night[in->history->nights - 1], *before = last - 1;
    struct comparison c = compare(&before->standings, &last->standings, profile_name(in->profile), NULL, NULL);
    int gates = comparison_gates(&c);
    fputs("<p>Since the night before (", out);
    put_night(out, before);
    fprintf(out, "): %s%d of %d claims changed%s", gates ? "<strong class=\"bad\">" : "", gates, c.compared,
            gates ? "</strong>" : "");
    if (c.kinds[CHANGE_NEW])
        fprintf(out, ", %d new", c.kinds[CHANGE_NEW]);
    if (c.kinds[CHANGE_ABSENT])
        fprintf(out, ", %d not run", c.kinds[CHANGE_ABSENT]);
    fputs(".</p>\n", out);
    free(c.change);
}

/* The changes from one night to the next, newest first. */
static void put_verdict_steps(FILE *out, const struct report_input *in, const struct figure *f)
{
    const struct history *h = in->history;
    int steps = 0;
    for (int k = h->nights - 1; k > 0 && steps < CHANGES_SHOWN; k--) {
        struct comparison c = compare(&h->night[k - 1].standings, &h->night[k].standings,
                                      profile_name(in->profile), NULL, NULL);
        if (comparison_gates(&c) && !steps++)
            fputs("<h3>Steps</h3>\n<p>First seen on the night of:</p>\n", out);
        if (comparison_gates(&c)) {
            fputs("<p>", out);
            put_night(out, &h->night[k]);
            fputs("</p>\n", out);
            put_changes_list(out, in, f, &c, true);
        }
        free(c.change);
    }
    if (!steps)
        fprintf(out, "<p>No step in %d nights.</p>\n", h->nights);
    put_time_steps(out, in);
}

static void put_changes(FILE *out, const struct report_input *in, const struct figure *figure)
{
    bool nights = in->history && in->history->nights > 1;
    if (!in->changes && !nights)
        return;
    fputs("<section aria-labelledby=\"changes\">\n<h2 id=\"changes\">What has changed</h2>\n", out);
    if (in->changes)
        put_since_baseline(out, in, figure);
    if (nights) {
        put_last_night(out, in);
        put_verdict_steps(out, in, figure);
    }
    fputs("</section>\n", out);
}

/* --- heat map */

static void put_heat_row(FILE *out, const struct report_input *in, const struct figure *f, int k)
{
    const struct history *h = in->history;
    const char *id = in->judgement[k].claim->id;
    fputs("<tr><th scope=\"row\">", out);
    put_claim_link(out, in, f, id);
    fputs("</th>", out);
    for (int i = 0; i < h->nights; i++) {
        const struct standing *s = standings_find(&h->night[i].standings, id, NULL);
        fputs("<td>", out);
        put_mark(out, s ? s->word : NOT_RUN, h->night[i].started);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void put_nights(FILE *out, const struct report_input *in, const struct figure *figure)
{
    const struct history *h = in->history;
    if (!h || h->nights < 2)
        return;
    fprintf(out, "<section aria-labelledby=\"nights\">\n<h2 id=\"nights\">Nights</h2>\n"
            "<details><summary>Verdicts of %d nights, claim by claim</summary>\n", h->nights);
    put_box(out, "Verdicts by claim and night");
    fputs("<table class=\"heat\"><thead><tr><th scope=\"col\">claim</th>", out);
    for (int i = 0; i < h->nights; i++)
        fprintf(out, "<th scope=\"col\">%.5s</th>", h->night[i].started + 5);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int k = 0; k < in->judgements; k++)
        if (in->judgement[k].cells)
            put_heat_row(out, in, figure, k);
    fputs("</tbody></table>\n</div>\n</details>\n", out);
    put_times(out, in);
    fputs("</section>\n", out);
}

/* --- theorems, and the attempts at their rows */

static void put_theorems(FILE *out, const struct report_input *in)
{
    int attempts = report_attempts_count(in);
    if (!report_theorems_any(in->judgement, in->judgements))
        return;
    fputs("<section id=\"theorems\">\n<h2>Theorems</h2>\n<p class=\"note\">A line is a theorem, a cell one of its "
          "promises along an axis with the verdict of the claim that decides it.</p>\n", out);
    report_theorems_html(out, in->judgement, in->judgements);
    if (attempts) {
        fprintf(out, "<details>\n<summary>Attempts that were replaced: %d</summary>\n", attempts);
        put_table(out, in, NULL, &report_attempts, in);
        fputs("</details>\n", out);
    }
    fputs("</section>\n", out);
}

/* --- verdicts */

/* label: the name of the column; a narrow screen, which shows no heading, prints it before the cell. */
static void put_verdict_cell(FILE *out, const char *label, const char *text)
{
    markup_print(out, "<td data-label=\"%s\">%-s</td>", label, text);
}

/* The order of verdicts when the table is sorted by them: contradictions first. */
static int urgency(enum word w)
{
    static const int rank[WORDS] = {
        [CONTRADICTED] = 0, [SUSPECT] = 1, [INCONCLUSIVE] = 2, [NOT_RUN] = 3, [HOLDS] = 4, [IDENTITY] = 5,
        [SUPPORTED] = 6,
    };
    return rank[w];
}

static void put_verdict_row(FILE *out, const struct judgement *j, const struct figure *f)
{
    const struct claim *c = j->claim;
    struct decisive d = report_decisive(c, &j->fit);
    fputs("<tr", out);
    put_keys(out, j);
    markup_print(out, " data-claim=\"%s\">\n<th scope=\"row\" data-key=\"%s\"><a href=\"#%s\"><code>%s</code></a>",
                 f->name, report_short_id(j), f->name, report_short_id(j));
    if (c->kind != KIND_THEOREM)
        fprintf(out, " <span class=\"note\">%s</span>", kind_name(c->kind));
    markup_print(out, "<span class=\"says\">%-s</span><span class=\"note\">%s</span></th>\n", c->says,
                 report_short_cite(j));
    put_verdict_cell(out, "quantity", d.what[0] ? d.what : "-");
    fputs("<td data-label=\"measured\"", out);
    if (isfinite(d.value.value))
        fprintf(out, " data-key=\"%.17g\"", d.value.value);
    markup_print(out, ">%-s</td>", report_measured(c, &j->fit).at);
    put_verdict_cell(out, "promised", report_promised(c).at);
    fprintf(out, "<td data-label=\"verdict\" data-key=\"%d\">", urgency(j->verdict.word));
    put_word(out, j);
    fputs("</td><td data-label=\"control\">", out);
    put_control(out, j);
    fputs("</td>\n</tr>\n", out);
}

static void put_paper_verdicts(FILE *out, const struct report_input *in, const struct figure *f, int k)
{
    static const char *const column[] = { "claim", "quantity", "measured", "promised", "verdict",
                                          "control" };
    const struct judgement *j = in->judgement;
    const struct paper *p = j[k].paper;
    markup_print(out, "<section class=\"paper\">\n<h3>%s</h3>\n<p class=\"note\"><code>%s</code>",
                 p && p->title ? p->title : report_paper_key(&j[k]), report_paper_key(&j[k]));
    if (p && p->cite)
        markup_print(out, " %s", p->cite);
    markup_print(out, "</p>\n<table class=\"verdicts\">\n<caption>Verdicts on the claims of %s</caption>\n<thead>"
                 "<tr>", report_paper_key(&j[k]));
    for (size_t c = 0; c < sizeof column / sizeof *column; c++)
        fprintf(out, "<th scope=\"col\">%s</th>", column[c]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = k; i < in->judgements; i = report_next_of_paper(j, in->judgements, i))
        put_verdict_row(out, &j[i], &f[i]);
    fputs("</tbody>\n</table>\n</section>\n", out);
}

static void put_verdicts(FILE *out, const struct report_input *in, const struct figure *figure)
{
    fputs("<section aria-labelledby=\"verdicts\">\n"
          "<h2 id=\"verdicts\" tabindex=\"-1\">Verdicts</h2>\n", out);
    for (int k = 0; k < in->judgements; k++)
        if (report_opens_paper(in->judgement, k))
            put_paper_verdicts(out, in, figure, k);
    fputs("</section>\n", out);
}

/* --- sections that are one table */

/* The start of a section that has its sentence as first paragraph. */
static void put_section_opening(FILE *out, const char *id, const char *title, const char *sentence)
{
    fprintf(out, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">%s</h2>\n<p>", id, id, id, title);
    markup_prose(out, sentence);
    fputs("</p>\n", out);
}

static void put_privacy(FILE *out, const struct report_input *in, const struct figure *figure)
{
    struct report_row row;
    if (!report_row(&report_sections[SECTION_PRIVACY], in, 0, &row))
        return;
    put_section_opening(out, "privacy", "Privacy", report_sections[SECTION_PRIVACY].sentence);
    put_table(out, in, figure, &report_sections[SECTION_PRIVACY], in);
    fputs("</section>\n", out);
}

static void put_trust(FILE *out, const struct report_input *in, const struct figure *figure)
{
    fputs("<section aria-labelledby=\"trust\">\n<h2 id=\"trust\">How far the harness itself can be "
          "trusted</h2>\n<p>", out);
    markup_prose(out, report_trust_sentence());
    fputs("</p>\n", out);
    if (calibration_kept->check) {
        fputs("<details>\n<summary>The tables: false alarms, power, coverage</summary>\n", out);
        put_table(out, in, figure, &report_sections[SECTION_TRUST], in);
        put_table(out, in, figure, &report_sections[SECTION_COVERAGE], in);
        fputs("</details>\n", out);
    }
    fputs("</section>\n", out);
}

/* --- figures and tables of the papers */

/* The text for readers who cannot see the drawing: its axes and what each line shows. */
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
                        const char *says, const char *paper)
{
    markup_print(out, "<div class=\"exhibit\" id=\"%s\" role=\"group\" aria-labelledby=\"%s-h\" data-paper=\"%s\">"
                 "\n<h3 id=\"%s-h\"><a href=\"#%s\">%-s</a></h3>\n<p class=\"note\"><code>%s</code></p>\n<p "
                 "class=\"says\">%-s</p>\n", name, name, paper, name, name, title, id, says);
}

static void put_lines_seen(FILE *out, const struct plotted *p)
{
    fputs("<dl class=\"facts\">\n", out);
    for (int k = 0; k < p->lines; k++)
        markup_print(out, "<dt>%-s</dt><dd>%-s</dd>\n", p->line[k].line->label, report_line(p, k).at);
    fputs("</dl>\n", out);
}

static void put_plot(FILE *out, const struct report_input *in, int k, const struct figure *f,
                     const char *folder)
{
    const struct plotted *p = &in->plotted[k];
    char label[4096];
    describe_plot(p, label, sizeof label);
    put_exhibit_opening(out, p->plot->id, f->name, p->plot->title, p->plot->says, p->paper->key);
    report_html_figure(out, f, folder, label, in->judgements + k + 1);
    if (f->data) {
        put_lines_seen(out, p);
        fputs("<details>\n<summary>Numbers, line by line</summary>\n", out);
        put_table(out, in, f, &report_plot_points, p);
        fputs("</details>\n", out);
    }
    fputs("<p class=\"label\">Reproduce</p>\n", out);
    put_command(out, report_command(p->line[0].runs->claim, in->profile).at);
    fputs("</div>\n", out);
}

/* --- tables */

static void put_exhibit_cell(FILE *out, const struct report_input *in, const struct figure *f,
                     const struct exhibit *t, const struct exhibit_row *r, int column)
{
    int k = report_table_claim(in, r, column);
    const struct judgement *j = k < 0 ? NULL : &in->judgement[k];
    markup_print(out, "<td data-label=\"%s\">", t->column[column]);
    if (j) {
        struct phrase measured = report_measured(j->claim, &j->fit);
        markup_print(out, "<a href=\"#%s\">%-s</a> <span class=\"note\">promised %-s</span> ", f[k].name,
                     strcmp(measured.at, "-") ? measured.at : "no number", report_promised(j->claim).at);
        put_word(out, j);
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
    put_exhibit_opening(out, t->id, name, t->title, t->says, paper);
    markup_print(out, "<table class=\"cells\">\n<caption>%s</caption>\n<thead><tr><th scope=\"col\">method</th>",
                 t->title);
    for (int c = 0; c < TABLE_COLUMNS && t->column[c]; c++)
        markup_print(out, "<th scope=\"col\">%s</th>", t->column[c]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (const struct exhibit_row *r = t->row; r->label; r++) {
        markup_print(out, "<tr><th scope=\"row\">%-s</th>\n", r->label);
        for (int c = 0; c < TABLE_COLUMNS && t->column[c]; c++)
            put_exhibit_cell(out, in, f, t, r, c);
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n</div>\n", out);
}

static void put_exhibits(FILE *out, const struct report_input *in, const struct figure *figure,
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

/* --- errata: what papers print and what holds instead, each with its proof */

static bool is_erratum(const struct report_input *in, int k)
{
    return in->judgement[k].claim->kind == KIND_ERRATUM;
}

static void put_proof_fact(FILE *out, const char *what, const char *text)
{
    if (!text || !*text)
        return;
    markup_print(out, "<dt>%s</dt><dd>%s</dd>\n", what, text);
}

static void put_proof(FILE *out, const struct report_input *in, const struct judgement *j)
{
    const struct claim *c = j->claim;
    bool ran = j->cells > j->absent;
    fputs("<dl class=\"facts\">\n", out);
    put_proof_fact(out, "printed in", c->cite);
    if (ran) {
        put_proof_fact(out, "measured", report_measured(c, &j->fit).at);
        put_proof_fact(out, "holds instead", report_promised(c).at);
        put_proof_fact(out, "control", report_control(j));
        put_proof_fact(out, "what it is", report_variant(c, &c->control).at);
    }
    put_proof_fact(out, ran ? "decided by" : "not decided", j->verdict.reason);
    put_proof_fact(out, "remark", c->remark);
    put_proof_fact(out, "again", report_command(c, in->profile).at);
    fputs("</dl>\n", out);
}

static void put_erratum(FILE *out, const struct report_input *in, const struct figure *f, int k)
{
    const struct judgement *j = &in->judgement[k];
    markup_print(out, "<li><a href=\"#%s\"><code>%s</code></a> ", f[k].name, j->claim->id);
    put_word(out, j);
    markup_print(out, " <span class=\"says\">%-s</span>\n<details><summary>Proof</summary>\n", j->claim->says);
    put_proof(out, in, j);
    fputs("</details></li>\n", out);
}

/* The errata of the paper whose first judgement is k. */
static void put_paper_errata(FILE *out, const struct report_input *in, const struct figure *f, int k)
{
    int errata = 0;
    for (int i = k; i < in->judgements; i = report_next_of_paper(in->judgement, in->judgements, i)) {
        if (!is_erratum(in, i))
            continue;
        if (!errata++)
            markup_print(out, "<h3>%s</h3>\n<ul>\n", in->judgement[k].paper ? in->judgement[k].paper->title : "");
        put_erratum(out, in, f, i);
    }
    fputs(errata ? "</ul>\n" : "", out);
}

static bool has_errata(const struct report_input *in)
{
    bool errata = false;
    for (int k = 0; k < in->judgements && !errata; k++)
        errata = is_erratum(in, k);
    return errata;
}

static void put_errata(FILE *out, const struct report_input *in, const struct figure *figure)
{
    if (!has_errata(in))
        return;
    fputs("<section id=\"errata\" aria-labelledby=\"errata-h\">\n<h2 id=\"errata-h\">Errata</h2>\n"
          "<p>Claims about what a paper prints and what holds instead. SUPPORTED: what is said here holds.</p>\n",
          out);
    for (int k = 0; k < in->judgements; k++)
        if (report_opens_paper(in->judgement, k))
            put_paper_errata(out, in, figure, k);
    fputs("</section>\n", out);
}

/* --- other programs */

static void put_peers(FILE *out, const struct report_input *in, const struct figure *figure)
{
    if (!report_peers_any(in))
        return;
    if (in->peers_trouble) {
        fputs("<section id=\"peers\" aria-labelledby=\"peers-h\">\n<h2 id=\"peers-h\">Beside other "
              "programs</h2>\n", out);
        markup_print(out, "<p class=\"note\">The file is not read: %s</p>\n", in->peers_trouble);
    } else {
        put_section_opening(out, "peers", "Beside other programs", report_sections[SECTION_PEERS].sentence);
        put_table(out, in, figure, &report_sections[SECTION_PEERS], in);
    }
    fputs("</section>\n", out);
}

/* --- what a run spent */

/* The kinds of count that are not 0, and their means over the runs at the ends of the axis, where these differ. */
struct spent {
    const char *axis;
    int n, kind[COUNT_KINDS];
    double end[2], mean[COUNT_KINDS][2];
};

/* The record of a run of the claim itself; NULL: the task is of a rival, a control or a search, or did not
 * succeed. */
static const struct record *measured_run(const struct report_input *in, const struct task *t)
{
    const struct record *r = in->record[t->cell];
    return t->role == ROLE_MAIN && t->grid < 0 && r && r->outcome == OUTCOME_OK ? r : NULL;
}

static const struct record *first_run(const struct report_input *in, int claim)
{
    const struct planned_claim *c = claim < in->plan->claims ? &in->plan->claim[claim] : NULL;
    for (int k = 0; c && in->record && k < c->tasks; k++)
        if (measured_run(in, &c->task[k]))
            return measured_run(in, &c->task[k]);
    return NULL;
}

/* mean[2] <- of one kind of count; false: all of its counts are zero. */
static bool mean_count(const struct report_input *in, const struct planned_claim *c, int kind, const double *end,
                       double *mean)
{
    char name[RECORD_NAME];
    double runs[2] = { 0, 0 }, v;
    bool any = false;
    mean[0] = mean[1] = 0;
    snprintf(name, sizeof name, "count.%s", count_name(kind));
    for (const struct task *t = c->task; t < c->task + c->tasks; t++) {
        const struct record *r = measured_run(in, t);
        if (!r || !record_get(r, name, &v))
            continue;
        any |= v != 0;
        for (int e = 0; e < 2; e++)
            if (t->axis == end[e]) {
                mean[e] += v;
                runs[e]++;
            }
    }
    for (int e = 0; e < 2; e++)
        mean[e] = runs[e] > 0 ? mean[e] / runs[e] : NAN;
    return any;
}

static struct spent spent_by(const struct report_input *in, int claim)
{
    const char *axis = in->judgement[claim].claim->axis;
    struct spent s = { .axis = axis ? axis : "point", .end = { INFINITY, -INFINITY } };
    if (!first_run(in, claim))
        return s;
    const struct planned_claim *c = &in->plan->claim[claim];
    for (const struct task *t = c->task; t < c->task + c->tasks; t++)
        if (measured_run(in, t)) {
            s.end[0] = fmin(s.end[0], t->axis);
            s.end[1] = fmax(s.end[1], t->axis);
        }
    for (int kind = 0; kind < COUNT_KINDS; kind++)
        if (mean_count(in, c, kind, s.end, s.mean[s.n]))
            s.kind[s.n++] = kind;
    return s;
}

static bool spent_row(const void *of, int k, struct report_row *row)
{
    const struct spent *s = of;
    if (k >= s->n)
        return false;
    report_cell(row, k < 0 ? "counter" : count_name(s->kind[k]));
    for (int e = 0; e < (s->end[0] < s->end[1] ? 2 : 1); e++)
        report_cell(row, k < 0 ? report_say("at %s = %s", s->axis, report_number(s->end[e]).at).at
                               : report_number(s->mean[k][e]).at);
    report_cell(row, k < 0 ? "counts" : count_doc(s->kind[k]));
    return true;
}

/* --- one claim: statement, verdict, figure, numbers, rule, control, runs, and how to do it again */

static void put_claim_opening(FILE *out, const struct judgement *j, const struct figure *f)
{
    const struct claim *c = j->claim;
    const char *const searched[] = { c->id, c->says, c->cite, c->algo, c->problem, c->item,
                                     c->remark, kind_name(c->kind), check_name(c->check), j->verdict.reason };
    fprintf(out, "<article class=\"claim\" id=\"%s\" aria-labelledby=\"%s-h\"", f->name, f->name);
    put_keys(out, j);
    fputs(" data-text=\"", out);
    for (size_t k = 0; k < sizeof searched / sizeof *searched; k++)
        markup_print(out, "%s ", searched[k]);
    markup_print(out, "\">\n<h3 id=\"%s-h\"><a href=\"#%s\"><code>%s</code></a></h3>\n<p class=\"says\">%-s</p>\n"
                 "<p class=\"note\">%s. Kind: %s; checked by %s", f->name, f->name, c->id, c->says, c->cite,
                 kind_name(c->kind), check_name(c->check));
    if (c->item && c->item[0])
        markup_print(out, "; item %s", c->item);
    fputs(".</p>\n<p class=\"verdict\">", out);
    put_word(out, j);
    markup_print(out, " %-s.</p>\n", j->verdict.reason);
    if (j->verdict.next[0])
        markup_print(out, "<p class=\"next\">What would decide it: %s.</p>\n", j->verdict.next);
    if (c->remark)
        markup_print(out, "<p class=\"next\">Remark: %-s</p>\n", c->remark);
    if (j->exploratory)
        fputs("<p class=\"next\">EXPLORATORY: settings were overridden; it never enters a "
              "baseline.</p>\n", out);
}

/* --- numbers */

static void put_spent(FILE *out, const struct report_input *in, int claim)
{
    struct spent s = spent_by(in, claim);
    const struct text_table t = { "Counters", "Mean of the claim's own runs", NULL,
                                  s.end[0] < s.end[1] ? 1 << 3 : 1 << 2, .row = spent_row };
    if (!s.n)
        return;
    fputs("<details>\n<summary>What a run spent</summary>\n", out);
    put_table(out, in, NULL, &t, &s);
    fputs("</details>\n", out);
}

/* --- rule, control, runs */

static void put_term(FILE *out, const char *term, const char *text)
{
    markup_print(out, "<dt>%s</dt><dd>%-s</dd>\n", term, text);
}

static void put_claim_facts(FILE *out, const struct report_input *in, const struct judgement *j)
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

/* The first run of the claim: its sources, and the command that repeats it bit by bit. */
static void put_first_run(FILE *out, const struct report_input *in, int claim)
{
    const struct record *r = first_run(in, claim);
    if (!r)
        return;
    char *command = report_rerun(r->cell);
    markup_print(out, "<details>\n<summary>The first of its runs</summary>\n<p>Sources that can change its "
                 "numbers: <code>%s</code></p>\n", r->fingerprint);
    put_command(out, command);
    fputs("</details>\n", out);
    free(command);
}

static void put_claim(FILE *out, const struct report_input *in, int k, const struct figure *f,
                       const char *folder)
{
    const struct judgement *j = &in->judgement[k];
    put_claim_opening(out, j, f);
    report_html_figure(out, f, folder, report_picture(j).at, k + 1);
    put_table(out, in, f, &report_points, j);
    put_claim_facts(out, in, j);
    put_spent(out, in, k);
    put_first_run(out, in, k);
    fputs("<p class=\"label\">Reproduce</p>\n", out);
    put_command(out, report_command(j->claim, in->profile).at);
    fputs("</article>\n", out);
}

/* --- head */

void report_html_head(FILE *out, const char *title)
{
    markup_print(out, "<!DOCTYPE html>\n"
                 "<html lang=\"en\" xml:lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
                 "<meta charset=\"utf-8\"/>\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                 "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>%-s</title>\n", title);
    fprintf(out, "<style>/*<![CDATA[*/\n%s/*]]>*/</style>\n</head>\n", template_text(page_parts, "report.css"));
}

/* "Profile quick; 27.4 seconds of computing; commit 0123456." */
static void put_circumstances(FILE *out, const struct report_input *in)
{
    fprintf(out, "<p class=\"note\">Profile %s", profile_name(in->profile));
    if (!in->canonical)
        fprintf(out, "; %s", report_computing(in).at);
    for (size_t k = 0; k < in->infos; k++) {
        const struct store_info *i = &in->info[k];
        if (strcmp(i->key, "commit") == 0)       /* the whole of it stands under provenance */
            markup_print(out, "; commit <code>%.12s</code>", i->value);
        if (strcmp(i->key, "dirty") == 0 && strcmp(i->value, "yes") == 0)
            fputs(" with changes that are not committed", out);
    }
    fputs(".</p>\n", out);
}

static void put_header(FILE *out, const struct report_input *in)
{
    markup_print(out, "<body>\n<a class=\"skip\" href=\"#verdicts\">Skip to the verdicts</a>\n<header>\n<h1>"
                 "%s</h1>\n<p class=\"summary\">%s.</p>\n", REPORT_TITLE,
                 report_summary(in->judgement, in->judgements).at);
    put_circumstances(out, in);
    fputs("<nav aria-label=\"Sections\">", out);
    if (report_theorems_any(in->judgement, in->judgements))
        fputs("<a href=\"#theorems\">Theorems</a> ", out);
    if (in->changes || (in->history && in->history->nights > 1))
        fputs("<a href=\"#changes\">What has changed</a> ", out);
    fputs("<a href=\"#verdicts\">Verdicts</a> ", out);
    if (in->plots || report_table_at(in, 0))
        fputs("<a href=\"#exhibits\">Figures and tables</a> ", out);
    fputs("<a href=\"#claims\">Claims</a> <a href=\"#meaning\">What a verdict means</a> "
          , out);
    if (has_errata(in))
        fputs("<a href=\"#errata\">Errata</a> ", out);
    fputs("<a href=\"#trust\">How far to trust it</a> ", out);
    if (report_peers_any(in))
        fputs("<a href=\"#peers\">Other programs</a> ", out);
    fputs("<a href=\"#failures\">Failures</a> <a href=\"#provenance\">Provenance</a></nav>\n</header>\n<main>\n",
          out);
}

/* The script shows the form and fills its lists; without a script the form stays hidden. */
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

/* One accepted contradiction. It is a link if its claim is on this page; claims of other papers may not be. */
static void put_accepted_one(FILE *out, const struct report_input *in, const struct figure *f,
                             const struct standing *a)
{
    fputs("<li>", out);
    put_claim_link(out, in, f, a->claim);
    markup_print(out, " %s%s%s <span class=\"note\">%s%s%s</span></li>\n", verdict_word(a->word),
                 a->reason[0] ? ": " : "", a->reason, a->profile, a->commit[0] ? ", commit " : "", a->commit);
}

static void put_accepted(FILE *out, const struct report_input *in, const struct figure *f)
{
    struct standings list = { NULL, 0 };
    struct why why = { "" };
    int n = 0;
    if (in->baseline && baseline_read(in->baseline, &list, &why) != OK)
        markup_print(out, "<p class=\"note\">The baseline is not read: %s</p>\n", why.text);
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
        markup_print(out, "<p>%s%s%s</p>\n", f.heading, f.message[0] ? ": " : "", f.message);
        put_command(out, command);
        free(command);
    }
    fputs(failures || report_failures_untold(in) ? "" : "<p>None.</p>\n", out);
    fputs("</section>\n", out);
}

static void put_meaning(FILE *out)
{
    fputs("<section aria-labelledby=\"meaning\">\n<h2 id=\"meaning\">What a verdict means</h2>\n"
          "<dl class=\"facts\">\n", out);
    for (int w = 0; w < WORDS; w++) {
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

static void put_provenance_line(FILE *out, const char *key, const char *value)
{
    markup_print(out, "<dt>%s</dt><dd><code>%s</code></dd>\n", key, value);
}

static void put_provenance(FILE *out, const struct report_input *in)
{
    fputs("<section aria-labelledby=\"provenance\">\n<h2 id=\"provenance\">Provenance</h2>\n"
          "<dl class=\"facts\">\n", out);
    put_provenance_line(out, "profile", profile_name(in->profile));
    if (in->command && !in->canonical)
        put_provenance_line(out, "command", in->command);
    for (size_t k = 0; k < in->infos; k++)
        if (report_tells(in, &in->info[k]))
            put_provenance_line(out, in->info[k].key, in->info[k].value);
    fputs("</dl>\n</section>\n", out);
}

void report_html(FILE *out, const struct report_input *in, const struct figure *figure,
                 const char *folder)
{
    struct report_tally t = report_tally(in->judgement, in->judgements);
    report_html_head(out, report_say("%s: %d of %d supported", REPORT_TITLE, t.word[SUPPORTED], t.n).at);
    put_header(out, in);
    put_theorems(out, in);
    put_changes(out, in, figure);
    put_filters(out);
    put_verdicts(out, in, figure);
    put_exhibits(out, in, figure, folder);
    put_privacy(out, in, figure);
    put_errata(out, in, figure);
    put_accepted(out, in, figure);
    fputs("<section aria-labelledby=\"claims\">\n<h2 id=\"claims\">Claims</h2>\n", out);
    for (int k = 0; k < in->judgements; k++)
        put_claim(out, in, k, &figure[k], folder);
    fputs("</section>\n", out);
    put_nights(out, in, figure);
    put_meaning(out);
    put_trust(out, in, figure);
    put_peers(out, in, figure);
    put_failures(out, in);
    put_provenance(out, in);
    fprintf(out, "</main>\n<script>/*<![CDATA[*/\n%s/*]]>*/</script>\n</body>\n</html>\n",
            template_text(page_parts, "report.js"));
}
