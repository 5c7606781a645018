/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history_print.c - the nights of a store as text. */
#include "nights/history_print.h"

#include <stdlib.h>

#include "nights/bench_times.h"
#include "nights/compare_print.h"
#include "nights/history_times.h"

static void print_step(FILE *out, const struct comparison *c)
{
    char text[400];
    for (const struct change *x = c->change, *end = x + c->n; x < end; x++)
        if (change_gates(x->kind)) {
            compare_words(x, text, sizeof text);
            fprintf(out, "  %-8s %s: %s\n", change_name(x->kind), (x->base ? x->base : x->now)->claim, text);
        }
}

static void print_night(FILE *out, const struct history *h, int k, const char *profile)
{
    const struct night *n = &h->night[k];
    fprintf(out, "%s  commit %.12s  %d claims", n->started, n->commit, n->standings.n);
    if (!k) {
        fputs("\n", out);
        return;
    }
    struct comparison c = compare(&h->night[k - 1].standings, &n->standings, profile, NULL, NULL);
    fprintf(out, ", %d changed\n", comparison_gates(&c));
    print_step(out, &c);
    free(c.change);
}

/* How many there were. */
static int print_trends(FILE *out, const struct time_history *t, const char *all)
{
    char text[200];
    int trends = 0;
    for (int k = 0; k < t->n; k++)
        if (t->series[k].trend.kind != TREND_NONE) {
            history_times_words(&t->series[k], text, sizeof text);
            fprintf(out, "%s: %s\n", t->series[k].claim ? t->series[k].claim : all, text);
            trends++;
        }
    return trends;
}

void history_print(FILE *out, const struct history *h, const struct standings *baseline,
                   const char *profile)
{
    struct time_history t = history_times(h, baseline, profile, HISTORY_ALARM);
    for (int k = 0; k < h->nights; k++)
        print_night(out, h, k, profile);
    int trends = print_trends(out, &t, "all claims together");
    fprintf(out, "%d nights; times (which decide nothing) of %d claims: %d with a step or a drift\n", h->nights,
            t.n > 0 ? t.n - 1 : 0, trends);
    free(t.series);
}

void history_print_kernels(FILE *out, const struct history *h)
{
    if (!h->nights)
        return;
    struct time_history t = history_times(h, NULL, BENCH_PROFILE, HISTORY_ALARM);
    int trends = print_trends(out, &t, "all benchmarks together");
    fprintf(out, "%d nights of %d benchmarks (which decide nothing): %d with a step or a drift\n", h->nights,
            t.n > 0 ? t.n - 1 : 0, trends);
    free(t.series);
}
