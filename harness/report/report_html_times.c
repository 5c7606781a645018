/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_html_times.c - what claims took, night by night. Advisory: no verdict and no gate knows of it. */
#include <math.h>
#include <stdlib.h>

#include "nights/bench_times.h"
#include "nights/history_times.h"
#include "text/markup.h"
#include "report/report_html.h"

static const char *common(bool kernels) { return kernels ? "all benchmarks together" : "all claims together"; }

static struct time_history times_of(const struct report_input *in, bool kernels)
{
    if (kernels)
        return in->kernels ? history_times(in->kernels, NULL, BENCH_PROFILE, HISTORY_ALARM)
                           : (struct time_history){ NULL, 0 };
    struct standings base = { NULL, 0 };
    struct why why;
    if (in->baseline && baseline_read(in->baseline, &base, &why) != OK)
        base.n = 0;                      /* the gate has said so */
    struct time_history t = history_times(in->history, &base, profile_name(in->profile), HISTORY_ALARM);
    standings_free(&base);
    return t;
}

static void put_name(FILE *out, const struct time_series *s, bool kernels)
{
    if (s->claim)
        fputs("<code>", out);
    markup_text(out, s->claim ? s->claim : common(kernels));
    fputs(s->claim ? "</code>" : "", out);
}

static int put_steps(FILE *out, const struct report_input *in, bool kernels, int told)
{
    struct time_history t = times_of(in, kernels);
    char text[200];
    for (int k = 0; k < t.n; k++) {
        const struct time_series *s = &t.series[k];
        if (s->trend.kind == TREND_NONE || s->accepted)
            continue;
        if (!told++)
            fputs("<h3>Times that changed</h3>\n<p>Those of claims in units of a yardstick timed beside the runs; they "
                  "decide nothing.</p>\n<ul class=\"changes\">\n", out);
        history_times_words(s, text, sizeof text);
        fputs("<li>", out);
        put_name(out, s, kernels);
        fputs(": ", out);
        markup_text(out, text);
        fputs("</li>\n", out);
    }
    free(t.series);
    return told;
}

void report_html_time_steps(FILE *out, const struct report_input *in)
{
    int told = put_steps(out, in, true, put_steps(out, in, false, 0));
    fputs(told ? "</ul>\n" : "", out);
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

static void put_row(FILE *out, const struct time_series *s, bool kernels)
{
    char text[200];
    history_times_words(s, text, sizeof text);
    fputs("<tr><th scope=\"row\">", out);
    put_name(out, s, kernels);
    fprintf(out, "</th><td>%d</td><td>%.2f</td><td>", s->nights, s->factor[s->nights - 1]);
    put_line(out, s);
    fputs("</td><td>", out);
    markup_text(out, text);
    fputs("</td></tr>\n", out);
}

static void put_table(FILE *out, const struct report_input *in, bool kernels)
{
    struct time_history t = times_of(in, kernels);
    int rows = 0;
    for (int k = 0; k < t.n; k++) {
        if (t.series[k].nights < 2)
            continue;
        if (!rows++) {
            fprintf(out, "<details><summary>Times, %s</summary>\n",
                    kernels ? "benchmark by benchmark" : "claim by claim");
            report_html_box(out, kernels ? "Times by benchmark" : "Times by claim");
            fprintf(out, "<table><thead><tr><th scope=\"col\">%s</th><th scope=\"col\">nights</th>"
                  "<th scope=\"col\">last over first</th><th scope=\"col\">from half to twice</th>"
                  "<th scope=\"col\">trend</th></tr></thead>\n<tbody>\n",
                    kernels ? "benchmark" : "claim");
        }
        put_row(out, &t.series[k], kernels);
    }
    if (rows) {
        fputs("</tbody></table>\n", out);
        report_html_box_end(out);
        fputs("</details>\n", out);
    }
    free(t.series);
}

void report_html_times(FILE *out, const struct report_input *in)
{
    put_table(out, in, false);
    put_table(out, in, true);
}
