/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site_nights.c - what has changed, since the baseline and from night to night; and the page of nights: verdicts by
 * theorem and by claim, steps, times. */
#include "report/site.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell/registry.h"
#include "judge/theorems.h"
#include "nights/bench_times.h"
#include "nights/compare.h"
#include "nights/history.h"
#include "plan/names.h"
#include "report/report_theorems.h"
#include "text/markup.h"

/* --- times by night. They are information only: no verdict and no gate depends on them */

static const char *common_name(bool kernels)
{
    return kernels ? "all benchmarks together" : "all claims together";
}

static struct time_history times_of(const struct report_input *in, bool kernels)
{
    if (kernels)
        return in->kernels ? history_times(in->kernels, NULL, BENCH_PROFILE, HISTORY_ALARM)
                           : (struct time_history){ NULL, 0 };
    struct standings base = { NULL, 0 };
    struct why why;
    if (in->baseline && baseline_read(in->baseline, &base, &why) != OK)
        base.n = 0; /* the baseline cannot be read; the verb prints why */
    struct time_history t = history_times(in->history, &base, profile_name(in->profile),
                                          HISTORY_ALARM);
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
            fputs("<h3>Times that changed</h3>\n<p>Those of claims in units of a yardstick timed "
                  "beside the runs; "
                  "they decide nothing.</p>\n<ul class=\"changes\">\n",
                  out);
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

/* Prints a drawing of 120 by 20 pixels; its vertical range is from half to twice the time of the first night,
 * logarithmic. */
static void put_sparkline(FILE *out, const struct time_series *s)
{
    fprintf(out,
            "<svg width=\"120\" height=\"20\" role=\"img\" aria-label=\"times of %d nights\">"
            "<polyline fill=\"none\" stroke=\"currentColor\" points=\"",
            s->nights);
    for (int k = 0; k < s->nights; k++) {
        double up = fmax(-1, fmin(1, log2(s->factor[k])));
        fprintf(out, "%s%.1f,%.1f", k ? " " : "",
                s->nights > 1 ? 2 + 116.0 * k / (s->nights - 1) : 60, 10 - 9 * up);
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
            site_put_box(out, kernels ? "Times by benchmark" : "Times by claim");
            fprintf(
                out,
                "<table><thead><tr><th scope=\"col\">%s</th><th scope=\"col\">nights</th>"
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

/* --- changes, since the baseline and since earlier nights */

/* How many entries of a list of changes are printed; the others are counted. 25 fill one screen. */
enum { CHANGES_SHOWN = 25 };

static void put_change(FILE *out, const struct site *s, const struct change *c)
{
    char text[400];
    compare_words(c, text, sizeof text);
    fprintf(out, "<li><span class=\"word %s\">%s</span> ", change_gates(c->kind) ? "bad" : "none",
            change_name(c->kind));
    site_put_claim(out, s, (c->base ? c->base : c->now)->claim);
    markup_print(out, ": %s</li>\n", text);
}

/* Prints the list of the changes that must be accepted or mended (gates), or of the other changes, gravest first;
 * returns their number. */
static int put_changes_list(FILE *out, const struct site *s, const struct comparison *c, bool gates)
{
    int n = 0;
    for (int kind = CHANGE_VERDICT; kind > CHANGE_NONE; kind--)
        for (const struct change *x = c->change, *end = x + c->n; x < end; x++) {
            if ((int)x->kind != kind || change_gates(x->kind) != gates)
                continue;
            if (!n)
                fputs("<ul class=\"changes\">\n", out);
            if (n++ < CHANGES_SHOWN)
                put_change(out, s, x);
        }
    if (n > CHANGES_SHOWN)
        fprintf(out, "<li>and %d more: see <code>assay compare</code></li>\n", n - CHANGES_SHOWN);
    fputs(n ? "</ul>\n" : "", out);
    return n;
}

static void put_slow_claims(FILE *out, const struct site *s, const struct comparison *c)
{
    const struct change *x = NULL;
    if (!c->times)
        return;
    if (c->slow)
        fputs("<ul class=\"changes\">\n", out);
    for (int k = 0; k < SLOW_SHOWN && (x = compare_slow(c, x)); k++) {
        fputs("<li><span class=\"word none\">slower</span> ", out);
        site_put_claim(out, s, x->now->claim);
        fprintf(out, ": time %.2f of the baseline's</li>\n", x->time);
    }
    if (c->slow > SLOW_SHOWN)
        fprintf(out, "<li>and %d more</li>\n", c->slow - SLOW_SHOWN);
    fputs(c->slow ? "</ul>\n" : "", out);
    fprintf(
        out,
        "<p class=\"note\">Processor time%s, which decides nothing: median %.2f of the baseline's "
        "over %d claims, most %.2f in ",
        c->normalised ? " in units of a yardstick timed beside it" : "", c->slower, c->times,
        c->slowest_ratio);
    markup_print(out, "%s.</p>\n", c->slowest->now->claim);
}

static void put_since_baseline(FILE *out, const struct site *s)
{
    const struct comparison *c = s->in->changes;
    int gates = comparison_gates(c);
    fprintf(out, "<p>%d of %d claims as in the baseline. ", c->kinds[CHANGE_NONE], c->compared);
    if (gates)
        fprintf(out, "<strong class=\"bad\">%d to be accepted or mended:</strong></p>\n", gates);
    else
        fputs("Nothing to be accepted.</p>\n", out);
    put_changes_list(out, s, c, true);
    if (c->n - c->kinds[CHANGE_NONE] > gates) {
        fputs("<details><summary>Other changes</summary>\n", out);
        put_changes_list(out, s, c, false);
        fputs("</details>\n", out);
    }
    put_slow_claims(out, s, c);
}

/* --- changes from night to night */

static void put_night(FILE *out, const struct night *n)
{
    fprintf(out, "%.10s, commit <code>%.12s</code>", n->started, n->commit);
}

/* Prints how many claims have changed from the last but one night to the last. */
static void put_last_night(FILE *out, const struct site *s)
{
    const struct night *last = &s->in->history->night[s->in->history->nights - 1],
                       *before = last - 1;
    struct comparison c = compare(&before->standings, &last->standings,
                                  profile_name(s->in->profile), NULL, NULL);
    int gates = comparison_gates(&c);
    fputs("<p>Since the night before (", out);
    put_night(out, before);
    fprintf(out, "): %s%d of %d claims changed%s", gates ? "<strong class=\"bad\">" : "", gates,
            c.compared, gates ? "</strong>" : "");
    if (c.kinds[CHANGE_NEW])
        fprintf(out, ", %d new", c.kinds[CHANGE_NEW]);
    if (c.kinds[CHANGE_ABSENT])
        fprintf(out, ", %d not run", c.kinds[CHANGE_ABSENT]);
    fputs(".</p>\n", out);
    free(c.change);
}

/* The changes from one night to the next, newest first. */
void site_put_steps(FILE *out, const struct site *s, int most)
{
    const struct history *h = s->in->history;
    int steps = 0;
    for (int k = h->nights - 1; k > 0 && steps < most; k--) {
        struct comparison c = compare(&h->night[k - 1].standings, &h->night[k].standings,
                                      profile_name(s->in->profile), NULL, NULL);
        if (comparison_gates(&c) && !steps++)
            fputs("<h3>Steps</h3>\n<p>First seen on the night of:</p>\n", out);
        if (comparison_gates(&c)) {
            fputs("<p>", out);
            put_night(out, &h->night[k]);
            fputs("</p>\n", out);
            put_changes_list(out, s, &c, true);
        }
        free(c.change);
    }
    if (!steps)
        fprintf(out, "<p>No step in %d nights.</p>\n", h->nights);
    put_time_steps(out, s->in);
}

void site_put_changes(FILE *out, const struct site *s)
{
    bool nights = s->in->history && s->in->history->nights > 1;
    if (!s->in->changes && !nights)
        return;
    site_put_section(out, "changes", "What has changed");
    if (s->in->changes)
        put_since_baseline(out, s);
    if (nights) {
        put_last_night(out, s);
        site_put_steps(out, s, 1);
    }
    fputs("</section>\n", out);
}

/* --- the page of nights: verdicts of all nights */

/* Returns the rank of a word by how grave it is; the mark of a theorem shows the gravest word of its rows. */
static int gravity(enum word w)
{
    static const int rank[WORDS] = { [IDENTITY] = 1,     [HOLDS] = 1,   [SUPPORTED] = 2,
                                     [INCONCLUSIVE] = 3, [SUSPECT] = 4, [CONTRADICTED] = 5 };
    return rank[w];
}

/* What a cell of the tables of nights shows, for a claim or the claims of a theorem: the gravest word, how many of
 * the claims are SUPPORTED, and how many were run. */
struct mark { enum word gravest; int supported, run; };

static void add_claim(struct mark *m, const struct night *night, const char *claim)
{
    const struct standing *s = standings_find(&night->standings, claim, NULL);
    enum word w = s ? s->word : NOT_RUN;
    m->gravest = gravity(w) > gravity(m->gravest) ? w : m->gravest;
    m->supported += w == SUPPORTED;
    m->run += w != NOT_RUN;
}

/* Returns what a night has of a claim or, where `claim` is NULL, of a theorem. */
static struct mark mark_of(const struct night *night, const struct theorem *t, const char *claim)
{
    struct mark m = { NOT_RUN, 0, 0 };
    if (claim)
        add_claim(&m, night, claim);
    else
        for (const struct theorem_row *r = t->rows; r->axis; r++)
            if (r->claim)
                add_claim(&m, night, r->claim);
    return m;
}

/* Prints the cells of one table row, for a claim or a theorem, night by night. Consecutive nights with the same
 * mark share a cell, so that a page of many nights is not much longer than one of few. */
static void put_marks(FILE *out, const struct history *h, const struct theorem *t, const char *claim)
{
    for (int from = 0, to; from < h->nights; from = to) {
        struct mark m = mark_of(&h->night[from], t, claim);
        for (to = from + 1; to < h->nights; to++) {
            struct mark next = mark_of(&h->night[to], t, claim);
            if (next.gravest != m.gravest || next.supported != m.supported || next.run != m.run)
                break;
        }
        const char *word = verdict_word(m.gravest);
        fputs("<td", out);
        if (to - from > 1)
            fprintf(out, " colspan=\"%d\"", to - from);
        fprintf(out, "><span class=\"word %s\" title=\"%.10s", site_class(m.gravest), h->night[from].started);
        if (to - from > 1)
            fprintf(out, " to %.10s", h->night[to - 1].started);
        if (claim)
            fprintf(out, ": %s\" aria-label=\"%s\">%s</span></td>", word, word, site_sign(m.gravest));
        else if (!m.run)
            fprintf(out, ": not run\">%s</span></td>", site_sign(NOT_RUN));
        else
            fprintf(out, ": %d of %d supported, gravest %s\">%s %d/%d</span></td>", m.supported, m.run, word,
                    site_sign(m.gravest), m.supported, m.run);
    }
    fputs("</tr>\n", out);
}

static void put_heading(FILE *out, const struct history *h, const char *first)
{
    site_put_box(out, "Verdicts by night");
    fprintf(out,
            "<table class=\"heat\"><caption>%s by night, the newest last</caption><thead><tr><th "
            "scope=\"col\">"
            "%s</th>",
            first, first);
    for (int i = 0; i < h->nights; i++)
        fprintf(out, "<th scope=\"col\">%.5s</th>", h->night[i].started + 5);
    fputs("</tr></thead>\n<tbody>\n", out);
}

static bool has_claim(const struct theorem *t)
{
    for (const struct theorem_row *r = t->rows; r->axis; r++)
        if (r->claim)
            return true;
    return false;
}

static void put_theorem_nights(FILE *out, const struct site *s)
{
    const struct history *h = s->in->history;
    const struct theorem *t;
    put_heading(out, h, "Theorem");
    for (int k = 0; (t = theorem_at(k)); k++) {
        if (!report_theorem_shown(s->in, t) || !has_claim(t))
            continue;
        markup_print(out, "<tr><th scope=\"row\"><a href=\"%s\">%s</a></th>", site_theorem(t).at,
                     t->id);
        put_marks(out, h, t, NULL);
    }
    fputs("</tbody></table>\n</div>\n", out);
}

static void put_claim_nights(FILE *out, const struct site *s)
{
    const struct history *h = s->in->history;
    fprintf(out, "<details><summary>Verdicts of %d nights, claim by claim</summary>\n", h->nights);
    put_heading(out, h, "Claim");
    for (int k = 0; k < s->in->judgements; k++) {
        const char *id = s->in->judgement[k].claim->id;
        if (!s->in->judgement[k].cells)
            continue;
        fputs("<tr><th scope=\"row\">", out);
        site_put_claim(out, s, id);
        fputs("</th>", out);
        put_marks(out, h, NULL, id);
    }
    fputs("</tbody></table>\n</div>\n</details>\n", out);
}

/* Prints graphs of the claims whose measured level or verdict has changed over the nights, at most CHANGES_SHOWN of
 * them. */
static void put_levels(FILE *out, const struct site *s)
{
    struct night_point point[NIGHTS];
    int n = 0;
    for (int k = 0; k < s->in->judgements; k++) {
        const char *id = s->in->judgement[k].claim->id;
        if (!history_changed(point, history_points(s->in->history, id, point)))
            continue;
        if (!n++)
            site_put_section(out, "levels", "Levels that changed");
        if (n > CHANGES_SHOWN)
            continue;
        fputs("<h3>", out);
        site_put_claim(out, s, id);
        fputs("</h3>\n", out);
        site_put_graphs(out, s, k);
    }
    if (n > CHANGES_SHOWN)
        fprintf(out, "<p>and %d more: their graphs stand with the claims.</p>\n", n - CHANGES_SHOWN);
    fputs(n ? "</section>\n" : "", out);
}

void site_put_nights(FILE *out, const struct site *s)
{
    site_open(out, s, "Nights", "nights.html");
    fputs("<p class=\"note\">Runs of this profile whose verdicts the store has kept. A cell: rows supported of "
          "those that were run, with the sign of the gravest. Nights in a row with the same verdicts share a "
          "cell.</p>\n",
          out);
    site_main(out);
    if (s->in->history->nights) {
        site_put_section(out, "nights", "Theorems by night");
        put_theorem_nights(out, s);
        put_claim_nights(out, s);
        fputs("</section>\n", out);
    } else {
        fputs("<p>No night is kept yet.</p>\n", out);
    }
    site_put_section(out, "steps", "Steps");
    site_put_steps(out, s, CHANGES_SHOWN);
    fputs("</section>\n", out);
    put_levels(out, s);
    site_put_section(out, "times", "Times");
    fputs("<p>Processor time by night; it decides nothing.</p>\n", out);
    put_series_table(out, s->in, false);
    put_series_table(out, s->in, true);
    fputs("</section>\n", out);
    site_close(out);
}
