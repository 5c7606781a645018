/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest_judge.c - what the fresh runs of a contest say, in words. Pure. */
#include "studies/contest_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/report_words.h"

/* Ratios nearer to 1 than this are ties, whatever their error: of equal runs only rounding is left. */
static const double TIE = 1e-9;

const char *contest_word(enum contest_word w)
{
    static const char *const word[] = { "below", "above", "open", "not compared" };
    return word[w];
}

/* Pairs in which both ran and are positive and finite; returns how many. */
static int pairs(const struct contest_entry *a, const struct contest_entry *b, double *y, double *z)
{
    int n = 0;
    for (int k = 0; k < a->runs && k < b->runs; k++)
        if (a->y[k] > 0 && b->y[k] > 0 && isfinite(a->y[k]) && isfinite(b->y[k])) {
            y[n] = a->y[k];
            z[n++] = b->y[k];
        }
    return n;
}

static int infinite(const struct contest_entry *e)
{
    int n = 0;
    for (int k = 0; k < e->runs; k++)
        n += isinf(e->y[k]);
    return n;
}

/* A side that diverged where the other did not is above, without a ratio. */
static struct contest_ratio compare(const struct contest_entry *a, const struct contest_entry *b,
                                    double level)
{
    double y[CONTEST_RUNS], z[CONTEST_RUNS];
    struct contest_ratio r = { NAN, { NAN, NAN }, CONTEST_MISSING };
    int n = pairs(a, b, y, z);
    if (infinite(a) != infinite(b)) {
        r.word = infinite(a) > infinite(b) ? CONTEST_ABOVE : CONTEST_BELOW;
        return r;
    }
    if (n < 2)
        return r;
    struct location l = stats_log_ratio(n, y, z);
    struct interval i = stats_interval(&l, level);
    r.value = exp(l.value);
    r.limits = (struct interval){ exp(i.lo), exp(i.hi) };
    r.word = i.hi < -TIE ? CONTEST_BELOW : i.lo > TIE ? CONTEST_ABOVE : CONTEST_OPEN;
    return r;
}

static void describe(struct contest_entry *e)
{
    double y[CONTEST_RUNS], unused[CONTEST_RUNS];
    int n = pairs(e, e, y, unused);
    if (n > 1 && n == e->runs)
        e->log_mean = stats_log_mean(n, y);
}

void contest_compare(struct contest_table *t)
{
    double level = 1 - 0.01 / t->rows;
    for (struct contest_row *r = t->row; r < t->row + t->rows; r++) {
        for (int m = 0; m < t->methods; m++)
            describe(&r->entry[m]);
        r->ratio = compare(&r->entry[0], &r->entry[t->what->rival], level);
    }
}

static int edges(const struct contest_table *t)
{
    int n = 0;
    for (const struct contest_row *r = t->row; r < t->row + t->rows; r++)
        for (int m = 0; m < t->methods; m++)
            n += r->entry[m].edge[0] || r->entry[m].edge[1];
    return n;
}

/* Does the ratio fall from the least size to the largest, where both were compared? */
static void trend(const struct contest_table *t, int *falls, int *all)
{
    int points = t->what->points;
    *falls = *all = 0;
    for (int r = 0; r + points <= t->rows && points > 1; r += points) {
        double first = t->row[r].ratio.value, last = t->row[r + points - 1].ratio.value;
        *all += !isnan(first) && !isnan(last);
        *falls += last < first;
    }
}

/* Appends to a->text. */
static void say(struct contest_answer *a, const char *text)
{
    size_t n = strlen(a->text);
    snprintf(a->text + n, sizeof a->text - n, "%s%s", n ? " " : "", text);
}

void contest_conclude(const struct contest_table *t, struct contest_answer *a)
{
    const struct contest *what = t->what;
    int falls, all;
    char line[500];
    *a = (struct contest_answer){ 0 };
    for (const struct contest_row *r = t->row; r < t->row + t->rows; r++) {
        a->count[r->ratio.word]++;
        if (!isnan(r->ratio.value) && (!a->best || r->ratio.value < a->best->ratio.value))
            a->best = r;
    }
    say(a, a->count[CONTEST_BELOW] ? what->yes : what->no);
    snprintf(line, sizeof line, "Of %d instances and sizes, %s is below %s in %d, above in %d, open in %d, "
             "not compared in %d (99%% for all together).", t->rows, what->method[0].label,
             what->method[what->rival].label, a->count[CONTEST_BELOW], a->count[CONTEST_ABOVE],
             a->count[CONTEST_OPEN], a->count[CONTEST_MISSING]);
    say(a, line);
    if (a->best) {
        snprintf(line, sizeof line, "The least ratio is %.3g (%.3g to %.3g), on %s at %s = %.10g.",
                 a->best->ratio.value, a->best->ratio.limits.lo, a->best->ratio.limits.hi,
                 a->best->on->name, what->axis, a->best->size);
        say(a, line);
    }
    trend(t, &falls, &all);
    if (all) {
        snprintf(line, sizeof line, "From the least %s to the largest it falls on %d of %d instances.",
                 what->axis, falls, all);
        say(a, line);
    }
    snprintf(line, sizeof line, "%d of %d tuned choices lie at an end of their grid. Evidence within this "
             "budget, no proof: %d choices on each, %d seeds to tune, grids and instances as declared.",
             edges(t), t->rows * t->methods, t->choices, what->as.runs);
    say(a, line);
}
