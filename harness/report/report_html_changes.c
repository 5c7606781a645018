/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html_changes.c - what is new since the baseline and since earlier nights. */
#include <stdlib.h>
#include <string.h>

#include "nights/compare_print.h"
#include "text/markup.h"
#include "report/report_html.h"

enum { SHOWN = 25 };                     /* of a list; the rest is counted */

/* The claim's id, linked where it stands on this page. */
static void put_claim(FILE *out, const struct report_input *in, const struct figure *f, const char *id)
{
    int k = 0;
    while (k < in->judgements && strcmp(in->judgement[k].claim->id, id))
        k++;
    if (k < in->judgements)
        fprintf(out, "<a href=\"#%s\">", f[k].name);
    fputs("<code>", out);
    markup_text(out, id);
    fputs(k < in->judgements ? "</code></a>" : "</code>", out);
}

static void put_change(FILE *out, const struct report_input *in, const struct figure *f,
                       const struct change *c)
{
    char text[400];
    compare_words(c, text, sizeof text);
    fprintf(out, "<li><span class=\"word %s\">%s</span> ", change_gates(c->kind) ? "bad" : "none",
            change_name(c->kind));
    put_claim(out, in, f, (c->base ? c->base : c->now)->claim);
    fputs(": ", out);
    markup_text(out, text);
    fputs("</li>\n", out);
}

/* Gravest first; gates: those to be accepted, else those that are none. */
static int put_list(FILE *out, const struct report_input *in, const struct figure *f,
                    const struct comparison *c, bool gates)
{
    int n = 0;
    for (int kind = CHANGE_VERDICT; kind > CHANGE_NONE; kind--)
        for (const struct change *x = c->change, *end = x + c->n; x < end; x++) {
            if ((int)x->kind != kind || change_gates(x->kind) != gates)
                continue;
            if (!n)
                fputs("<ul class=\"changes\">\n", out);
            if (n++ < SHOWN)
                put_change(out, in, f, x);
        }
    if (n > SHOWN)
        fprintf(out, "<li>and %d more: see <code>assay compare</code></li>\n", n - SHOWN);
    fputs(n ? "</ul>\n" : "", out);
    return n;
}

struct slow_list { FILE *out; const struct report_input *in; const struct figure *f; };

static void put_slow(void *ctx, const struct change *x)
{
    struct slow_list *l = ctx;
    fputs("<li><span class=\"word none\">slower</span> ", l->out);
    put_claim(l->out, l->in, l->f, x->now->claim);
    fprintf(l->out, ": time %.2f of the baseline's</li>\n", x->time);
}

static void put_times(FILE *out, const struct report_input *in, const struct figure *f,
                      const struct comparison *c)
{
    struct slow_list list = { out, in, f };
    if (!c->times)
        return;
    if (c->slow)
        fputs("<ul class=\"changes\">\n", out);
    compare_slow(c, SLOW_SHOWN, put_slow, &list);
    if (c->slow > SLOW_SHOWN)
        fprintf(out, "<li>and %d more</li>\n", c->slow - SLOW_SHOWN);
    fputs(c->slow ? "</ul>\n" : "", out);
    fprintf(out, "<p class=\"note\">Processor time%s, which decides nothing: median %.2f of the baseline's "
            "over %d claims, most %.2f in ", c->normalised ? " in units of a yardstick timed beside it" : "",
            c->slower, c->times, c->slowest_ratio);
    markup_text(out, c->slowest->now->claim);
    fputs(".</p>\n", out);
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
    put_list(out, in, f, c, true);
    if (c->n - c->kinds[CHANGE_NONE] > gates) {
        fputs("<details><summary>Other changes</summary>\n", out);
        put_list(out, in, f, c, false);
        fputs("</details>\n", out);
    }
    put_times(out, in, f, c);
}

/* --- nights */

static void put_night(FILE *out, const struct night *n)
{
    fprintf(out, "%.10s, commit <code>%.12s</code>", n->started, n->commit);
}

/* What is new this morning. */
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

/* What changed from one night to the next, newest first. */
static void put_steps(FILE *out, const struct report_input *in, const struct figure *f)
{
    const struct history *h = in->history;
    int steps = 0;
    for (int k = h->nights - 1; k > 0 && steps < SHOWN; k--) {
        struct comparison c = compare(&h->night[k - 1].standings, &h->night[k].standings,
                                      profile_name(in->profile), NULL, NULL);
        if (comparison_gates(&c) && !steps++)
            fputs("<h3>Steps</h3>\n<p>First seen on the night of:</p>\n", out);
        if (comparison_gates(&c)) {
            fputs("<p>", out);
            put_night(out, &h->night[k]);
            fputs("</p>\n", out);
            put_list(out, in, f, &c, true);
        }
        free(c.change);
    }
    if (!steps)
        fprintf(out, "<p>No step in %d nights.</p>\n", h->nights);
    report_html_time_steps(out, in);
}

void report_html_changes(FILE *out, const struct report_input *in, const struct figure *figure)
{
    bool nights = in->history && in->history->nights > 1;
    if (!in->changes && !nights)
        return;
    fputs("<section aria-labelledby=\"changes\">\n<h2 id=\"changes\">What has changed</h2>\n", out);
    if (in->changes)
        put_since_baseline(out, in, figure);
    if (nights) {
        put_last_night(out, in);
        put_steps(out, in, figure);
    }
    fputs("</section>\n", out);
}

/* --- heat map */

static void put_heat_row(FILE *out, const struct report_input *in, const struct figure *f, int k)
{
    const struct history *h = in->history;
    const char *id = in->judgement[k].claim->id;
    fputs("<tr><th scope=\"row\">", out);
    put_claim(out, in, f, id);
    fputs("</th>", out);
    for (int i = 0; i < h->nights; i++) {
        const struct standing *s = standings_find(&h->night[i].standings, id, NULL);
        fputs("<td>", out);
        report_html_mark(out, s ? s->word : NOT_RUN, h->night[i].started);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

void report_html_nights(FILE *out, const struct report_input *in, const struct figure *figure)
{
    const struct history *h = in->history;
    if (!h || h->nights < 2)
        return;
    fprintf(out, "<section aria-labelledby=\"nights\">\n<h2 id=\"nights\">Nights</h2>\n"
            "<details><summary>Verdicts of %d nights, claim by claim</summary>\n", h->nights);
    report_html_box(out, "Verdicts by claim and night");
    fputs("<table class=\"heat\"><thead><tr><th scope=\"col\">claim</th>", out);
    for (int i = 0; i < h->nights; i++)
        fprintf(out, "<th scope=\"col\">%.5s</th>", h->night[i].started + 5);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int k = 0; k < in->judgements; k++)
        if (in->judgement[k].cells)
            put_heat_row(out, in, figure, k);
    fputs("</tbody></table>\n", out);
    report_html_box_end(out);
    fputs("</details>\n", out);
    report_html_times(out, in);
    fputs("</section>\n", out);
}
