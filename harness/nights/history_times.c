/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history_times.c - series of times, and what is to be told of them. */
#include "nights/history_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nights/bench_times.h"

static const double TIME_LEAST = 0.5;    /* seconds: shorter ones are noise */
enum { COMMON_LEAST = 5 };               /* claims that make a median */

/* A benchmark is repeated until its time is none of the short ones. */
static double in_units(const struct standing *s)
{
    double least = s && strcmp(s->profile, BENCH_PROFILE) == 0 ? 1e-15 : TIME_LEAST;
    return s && s->reference > 0 && s->seconds >= least ? log(s->seconds / s->reference) : NAN;
}

static bool same_counts(const struct standing *a, const struct standing *b)
{
    return a->cells == b->cells && memcmp(&a->own.counts, &b->own.counts, sizeof a->own.counts) == 0;
}

static void add(struct time_series *s, const struct night *night, double y)
{
    s->of[s->nights] = night;
    s->factor[s->nights++] = y;          /* a logarithm, for now */
}

/* The nights at the end of the history that are alike and timed. */
static void gather(const struct history *h, const char *claim, const char *profile, struct time_series *s)
{
    const struct standing *last = standings_find(&h->night[h->nights - 1].standings, claim, profile);
    int first = h->nights;
    *s = (struct time_series){ .claim = claim };
    while (first > 0 && h->nights - first < NIGHTS) {
        const struct standing *one = standings_find(&h->night[first - 1].standings, claim, profile);
        if (isnan(in_units(one)) || !same_counts(one, last))
            break;
        first--;
    }
    for (int k = first; k < h->nights; k++)
        add(s, &h->night[k], in_units(standings_find(&h->night[k].standings, claim, profile)));
}

static int increasing(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over claims of how far they are from their own last night; NaN: too few have this night. */
static double common_of(const struct time_history *t, const struct night *night, double *room)
{
    int n = 0;
    for (int k = 1; k < t->n; k++) {
        const struct time_series *s = &t->series[k];
        for (int i = 0; i < s->nights; i++)
            if (s->of[i] == night)
                room[n++] = s->factor[i] - s->factor[s->nights - 1];
    }
    qsort(room, (size_t)n, sizeof *room, increasing);
    return n < COMMON_LEAST ? NAN : n % 2 ? room[n / 2] : (room[n / 2 - 1] + room[n / 2]) / 2;
}

static void put_common(struct time_history *t, const struct history *h)
{
    double *room = calloc((size_t)t->n + 1, sizeof *room);
    BUG_IF(!room);
    for (int k = h->nights > NIGHTS ? h->nights - NIGHTS : 0; k < h->nights; k++) {
        double common = common_of(t, &h->night[k], room);
        if (isnan(common))
            t->series[0].nights = 0;     /* a series has no holes */
        else
            add(&t->series[0], &h->night[k], common);
    }
    free(room);
}

static void take_off(struct time_series *s, const struct time_series *common)
{
    for (int k = 0; k < s->nights; k++)
        for (int i = 0; i < common->nights; i++)
            if (s->of[k] == common->of[i])
                s->factor[k] -= common->factor[i];
}

/* Is the baseline's time nearer to that of the nights since the step than to that before? */
static bool is_accepted(const struct time_series *s, const struct standing *base, const struct standing *last)
{
    double now = in_units(last), then = in_units(base);
    return s->trend.kind == TREND_STEP && !isnan(then) && same_counts(base, last) &&
           fabs(then - now) < fabs(then - (now - s->trend.size));
}

static void to_factors(struct time_series *s)
{
    double first = s->nights ? s->factor[0] : 0;
    for (int k = 0; k < s->nights; k++)
        s->factor[k] = exp(s->factor[k] - first);
}

struct time_history history_times(const struct history *h, const struct standings *baseline,
                                  const char *profile, double alarm)
{
    struct time_history t = { NULL, 1 };
    if (!h->nights)
        return (struct time_history){ NULL, 0 };
    const struct standings *last = &h->night[h->nights - 1].standings;
    t.series = calloc((size_t)last->n + 1, sizeof *t.series);
    BUG_IF(!t.series);
    for (int k = 0; k < last->n; k++) {
        gather(h, last->of[k].claim, profile, &t.series[t.n]);
        t.n += t.series[t.n].nights > 0;
    }
    put_common(&t, h);
    for (int k = 0; k < t.n; k++) {
        struct time_series *s = &t.series[k];
        if (k)
            take_off(s, &t.series[0]);
        s->trend = trend_of(s->nights, s->factor, alarm / t.n);
        const struct standing *base = k && baseline ? standings_find(baseline, s->claim, profile) : NULL;
        if (base)
            s->accepted = is_accepted(s, base, standings_find(last, s->claim, profile));
    }
    for (int k = 0; k < t.n; k++)            /* the common ones were logarithms until all had them taken off */
        to_factors(&t.series[k]);
    return t;
}

void history_times_words(const struct time_series *s, char *text, size_t room)
{
    double percent = 100 * expm1(s->trend.size);
    *text = 0;
    if (s->trend.kind == TREND_STEP)
        snprintf(text, room, "step: time %+.3g%% since %.10s, commit %.12s (p = %.2g)%s", percent,
                 s->of[s->trend.at]->started, s->of[s->trend.at]->commit, s->trend.p,
                 s->accepted ? "; accepted since" : "");
    else if (s->trend.kind == TREND_DRIFT)
        snprintf(text, room, "drift: time %+.3g%% a night over %d nights (p = %.2g)", percent, s->nights,
                 s->trend.p);
}
