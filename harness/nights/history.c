/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c - the nights of a store: their standings and the series of their times, printed as text. */
#include "nights/history.h"

#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nights/bench_times.h"
#include "nights/compare.h"
#include "text/memstream.h"

struct reading {
    struct history *h; /* history_read: what it fills in, with the profile; NULL for history_last, which has `last`
                          instead */
    struct standings *last;
    const char *profile;
    struct csv_line *line;
    struct standing_columns columns;
};

/* *s <- the standing of one line of text, with the columns of STANDING_HEADING. Returns false where the line cannot
 * be read. */
static bool parse(struct reading *r, const char *text, struct standing *s)
{
    struct why why;
    FILE *in = fmemopen((void *)text, strlen(text), "r");
    bool good = in && csv_line_read(in, r->line) && standing_parse(r->line, &r->columns, s, &why) == OK;
    if (in)
        fclose(in);
    return good;
}

static struct night *night_of(struct history *h, const struct store_standing *s)
{
    for (int k = 0; k < h->nights; k++)
        if (h->night[k].run == s->run)
            return &h->night[k];
    h->night = realloc(h->night, (size_t)++h->nights * sizeof *h->night);
    BUG_IF(!h->night);
    struct night *n = &h->night[h->nights - 1];
    *n = (struct night){ .run = s->run };
    snprintf(n->started, sizeof n->started, "%s", s->started);
    snprintf(n->commit, sizeof n->commit, "%s", s->commit);
    return n;
}

static void keep(void *ctx, const struct store_standing *s)
{
    struct reading *r = ctx;
    struct standing one;
    if (*s->line && parse(r, s->line, &one) && strcmp(one.profile, r->profile) == 0)
        standings_put(&night_of(r->h, s)->standings, &one);
}

static enum status each_standing(struct store *s,
                                 void (*each)(void *ctx, const struct store_standing *standing),
                                 struct reading *r, struct why *why)
{
    char heading[] = STANDING_HEADING;
    FILE *in = fmemopen(heading, strlen(heading), "r");
    r->line = malloc(sizeof *r->line);
    BUG_IF(!r->line || !in || !csv_line_read(in, r->line) ||
           !standing_columns(r->line, &r->columns));
    fclose(in);
    enum status status = store_each_standing(s, each, r, why);
    free(r->line);
    return status;
}

static void keep_last(void *ctx, const struct store_standing *s)
{
    struct reading *r = ctx;
    struct standing one;
    if (!*s->line || !parse(r, s->line, &one) || strcmp(one.profile, BENCH_PROFILE) == 0 ||
        one.word == NOT_RUN)
        return;
    const struct standing *before = standings_find(r->last, one.claim, NULL);
    snprintf(one.reason, sizeof one.reason, "run of %.10s", s->started);
    snprintf(one.commit, sizeof one.commit, "%s", s->commit);
    if (before)
        r->last->of[before - r->last->of] = one;
    else
        standings_put(r->last, &one);
}

enum status history_last(struct store *s, struct standings *last, struct why *why)
{
    *last = (struct standings){ NULL, 0 };
    return each_standing(s, keep_last, &(struct reading){ .last = last }, why);
}

enum status history_read(struct store *s, const char *profile, int most, struct history *h,
                         struct why *why)
{
    *h = (struct history){ NULL, 0 };
    enum status status = each_standing(s, keep, &(struct reading){ .h = h, .profile = profile },
                                       why);
    for (; h->nights > most; h->nights--) {
        standings_free(&h->night->standings);
        memmove(h->night, h->night + 1, (size_t)(h->nights - 1) * sizeof *h->night);
    }
    return status;
}

void history_free(struct history *h)
{
    for (int k = 0; k < h->nights; k++)
        standings_free(&h->night[k].standings);
    free(h->night);
    *h = (struct history){ NULL, 0 };
}

enum status history_write(struct store *s, long run, const struct standings *list, struct why *why)
{
    for (int k = 0; k < list->n; k++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        BUG_IF(!out);
        standing_print(out, &list->of[k]);
        memstream_close(out, &text);
        enum status status = store_put_standing(s, run, list->of[k].claim, text, why);
        free(text);
        if (status != OK)
            return status;
    }
    return OK;
}

/* --- series of times */

/* In seconds. Shorter claims have no series, as their times vary too much. */
static const double TIME_LEAST = 0.5;
/* What the times of all claims have in common is a median over at least so many claims; with fewer it would contain
 * the steps of a single claim. */
enum { COMMON_LEAST = 5 };

/* Returns the logarithm of the time in units of the yardstick; NaN: unknown or too short. Benchmarks are repeated,
 * and no time of theirs is too short. */
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
    s->factor[s->nights++] = y;          /* a logarithm until to_factors */
}

/* *s <- the series of a claim: the last nights, without a gap, that have a time of the claim and its present
 * counts. */
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

/* Compares the night that is `back` nights before the newest one with the newest one. Returns the median, over the
 * claims whose series has at least `nights`, of log(time then) - log(time now); NaN: these claims are too few.
 * room: memory for a number of each claim. */
static double common_of(const struct time_history *t, int back, int nights, double *room)
{
    int n = 0;
    for (int k = 1; k < t->n; k++) {
        const struct time_series *s = &t->series[k];
        if (s->nights >= nights)
            room[n++] = s->factor[s->nights - 1 - back] - s->factor[s->nights - 1];
    }
    gsl_sort(room, 1, (size_t)n);
    return n < COMMON_LEAST ? NAN : n % 2 ? room[n / 2] : (room[n / 2 - 1] + room[n / 2]) / 2;
}

/* The series of what all claims have in common begins with the first night that enough claims have. */
static void put_common(struct time_history *t, const struct history *h, double *room)
{
    for (int k = h->nights > NIGHTS ? h->nights - NIGHTS : 0; k < h->nights; k++) {
        double common = common_of(t, h->nights - 1 - k, h->nights - k, room);
        if (!isnan(common))
            add(&t->series[0], &h->night[k], common);
    }
}

/* Subtracts from each claim's series the part that it has in common with the claims that have all of its nights.
 * If there are too few such claims, nothing is subtracted. This holds for the claims with most nights, of which there
 * are then at most four. A series that began with the common part would lose a step where it begins. A series with
 * this part subtracted in some of its nights would have a step there. Nor can medians of changes from night to night
 * be added up: their errors add up too. Shorter series are changed first, because the longer ones take part in theirs
 * as they were. */
static void take_off(struct time_history *t, double *room)
{
    for (int nights = 1; nights <= NIGHTS; nights++)
        for (int back = 1; back < nights; back++) {
            double common = common_of(t, back, nights, room);
            for (int k = 1; k < t->n && !isnan(common); k++)
                if (t->series[k].nights == nights)
                    t->series[k].factor[nights - 1 - back] -= common;
        }
}

/* Is the time in the baseline nearer to that of the nights since the step than to that before it? */
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
    double *room = calloc((size_t)t.n, sizeof *room);
    BUG_IF(!room);
    put_common(&t, h, room);
    take_off(&t, room);
    free(room);
    for (int k = 0; k < t.n; k++) {
        struct time_series *s = &t.series[k];
        s->trend = trend_of(s->nights, s->factor, alarm / t.n);
        const struct standing *base = k && baseline ? standings_find(baseline, s->claim, profile) : NULL;
        if (base)
            s->accepted = is_accepted(s, base, standings_find(last, s->claim, profile));
    }
    for (int k = 0; k < t.n; k++)
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

/* --- one claim, night by night */

static struct night_point point_of(const struct night *night, const struct standing *s)
{
    struct night_point p = { night, s->word, NAN, NAN, NAN, s->seconds, s->scale == SCALE_LOG };
    double sum = 0, squares = 0;
    int n = s->own.groups;
    for (int k = 0; k < n; k++)
        sum += s->own.level[k] / n;
    for (int k = 0; k < n; k++)
        squares += pow(s->own.level[k] - sum, 2);
    if (!n)
        return p;
    double error = n > 1 && s->scale != SCALE_POINTS ? 2 * sqrt(squares / n / (n - 1)) : NAN;
    p.level = p.logarithmic ? exp(sum) : sum;
    p.lo = p.logarithmic ? exp(sum - error) : sum - error;
    p.hi = p.logarithmic ? exp(sum + error) : sum + error;
    return p;
}

int history_points(const struct history *h, const char *claim, struct night_point *point)
{
    int n = 0;
    for (int k = h->nights > NIGHTS ? h->nights - NIGHTS : 0; k < h->nights; k++) {
        const struct standing *s = standings_find(&h->night[k].standings, claim, NULL);
        if (s && s->cells > s->absent)
            point[n++] = point_of(&h->night[k], s);
    }
    return n;
}

bool history_changed(const struct night_point *point, int n)
{
    for (int k = 1; k < n; k++)
        if (point[k].word != point[0].word ||
            fabs(point[k].level - point[0].level) > 1e-9 * fabs(point[0].level))
            return true;
    return false;
}

/* Returns one of eight blocks for a number between lo and hi: a middle one where lo = hi, a dot where y is not
 * finite. */
static const char *block_of(double y, double lo, double hi)
{
    static const char *const block[] = { "\u2581", "\u2582", "\u2583", "\u2584",
                                         "\u2585", "\u2586", "\u2587", "\u2588" };
    if (!isfinite(y))
        return "\u00b7";
    return block[hi > lo ? (int)fmin(7, 8 * (y - lo) / (hi - lo)) : 3];
}

static void draw_line(FILE *out, const char *name, const double *y, int n)
{
    double lo = INFINITY, hi = -INFINITY;
    for (int k = 0; k < n; k++) {
        lo = isfinite(y[k]) ? fmin(lo, y[k]) : lo;
        hi = isfinite(y[k]) ? fmax(hi, y[k]) : hi;
    }
    fprintf(out, "  %-8s ", name);
    for (int k = 0; k < n; k++)
        fputs(block_of(y[k], lo, hi), out);
    fprintf(out, "  %.4g, last %.4g; from %.4g to %.4g\n", y[0], y[n - 1], lo, hi);
}

void history_draw(FILE *out, const struct history *h, const char *claim)
{
    struct night_point point[NIGHTS];
    double level[NIGHTS], seconds[NIGHTS];
    int n = history_points(h, claim, point);
    if (n < 2)
        return;
    for (int k = 0; k < n; k++) {
        level[k] = point[k].level;
        seconds[k] = point[k].seconds;
    }
    fprintf(out, "%s, %d nights from %.10s to %.10s: %s%s%s\n", claim, n, point[0].night->started,
            point[n - 1].night->started, verdict_word(point[0].word), n > 1 ? " .. " : "",
            verdict_word(point[n - 1].word));
    draw_line(out, "level", level, n);
    draw_line(out, "seconds", seconds, n);
}

/* --- the list of nights and what changed in each, as text */

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

/* Prints the trends; returns how many there are. */
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
