/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html_times.c - what claims took, night by night. Advisory: no verdict and no gate knows of it. */
#include <math.h>
#include <stdlib.h>

#include "history_times.h"
#include "markup.h"
#include "report_html.h"

static const char COMMON[] = "all claims together";

static struct time_history times_of(const struct report_input *in)
{
    struct standings base = { NULL, 0 };
    struct why why;
    if (in->baseline && baseline_read(in->baseline, &base, &why) != OK)
        base.n = 0;                      /* the gate has said so */
    struct time_history t = history_times(in->history, &base, profile_name(in->profile), HISTORY_ALARM);
    standings_free(&base);
    return t;
}

static void put_name(FILE *out, const struct time_series *s)
{
    if (s->claim)
        fputs("<code>", out);
    markup_text(out, s->claim ? s->claim : COMMON);
    fputs(s->claim ? "</code>" : "", out);
}

void report_html_time_steps(FILE *out, const struct report_input *in)
{
    struct time_history t = times_of(in);
    int told = 0;
    char text[200];
    for (int k = 0; k < t.n; k++) {
        const struct time_series *s = &t.series[k];
        if (s->trend.kind == TREND_NONE || s->accepted)
            continue;
        if (!told++)
            fputs("<h3>Times that changed</h3>\n<p>In units of a yardstick timed beside the runs; it decides "
                  "nothing.</p>\n<ul class=\"changes\">\n", out);
        history_times_words(s, text, sizeof text);
        fputs("<li>", out);
        put_name(out, s);
        fputs(": ", out);
        markup_text(out, text);
        fputs("</li>\n", out);
    }
    fputs(told ? "</ul>\n" : "", out);
    free(t.series);
}

/* A line of 120 by 20, from half to twice the first night. */
static void put_line(FILE *out, const struct time_series *s)
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

static void put_row(FILE *out, const struct time_series *s)
{
    char text[200];
    history_times_words(s, text, sizeof text);
    fputs("<tr><th scope=\"row\">", out);
    put_name(out, s);
    fprintf(out, "</th><td>%d</td><td>%.2f</td><td>", s->nights, s->factor[s->nights - 1]);
    put_line(out, s);
    fputs("</td><td>", out);
    markup_text(out, text);
    fputs("</td></tr>\n", out);
}

void report_html_times(FILE *out, const struct report_input *in)
{
    struct time_history t = times_of(in);
    int rows = 0;
    for (int k = 0; k < t.n; k++) {
        if (t.series[k].nights < 2)
            continue;
        if (!rows++) {
            fputs("<details><summary>Times, claim by claim</summary>\n", out);
            report_html_box(out, "Times by claim");
            fputs("<table><thead><tr><th scope=\"col\">claim</th><th scope=\"col\">nights</th>"
                  "<th scope=\"col\">last over first</th><th scope=\"col\">from half to twice</th>"
                  "<th scope=\"col\">trend</th></tr></thead>\n<tbody>\n", out);
        }
        put_row(out, &t.series[k]);
    }
    if (rows) {
        fputs("</tbody></table>\n", out);
        report_html_box_end(out);
        fputs("</details>\n", out);
    }
    free(t.series);
}
