/* SPDX-License-Identifier: GPL-3.0-or-later */
/* skew.c - makes a SUPPORTED INCONCLUSIVE where intervals of data of this skew have too low a measured coverage. */
#include "judge/skew.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/calibrate.h"

const char *skew_law(enum skew_interval what, int stretch)
{
    static const char *const name[SKEW_INTERVALS][SKEW_STRETCHES] = {
        { "upper limits at 8 points (95% together)", "upper limits at 8 points stretched twice",
          "upper limits at 8 points stretched 4 times" },
        { "exponent of a rate (95%)", "exponent of a rate stretched twice",
          "exponent of a rate stretched 4 times" },
    };
    return name[what][stretch];
}

/* What the calibration table says of a fit that supports its claim. vouched: a row of the table has a sufficient
 * coverage. */
struct skew {
    bool vouched;
    double axis;             /* the axis value of the point whose limit no row vouches for; NaN: the interval is
                                that of an exponent */
    double log_sd, coverage; /* log_sd: that of the data; coverage: the largest of the rows that apply, NaN where
                                all have more replicates than the fit */
    bool heavy;
    int reps;                /* number of replicates of the calibration table's row that would vouch; 0: no row
                                does */
};

/* What is looked up in the calibration table. heavy: Pareto noise; stretch: how far the interval may be stretched
 * from its estimate and still supports the claim; reps: the replicates of the fit. */
struct question {
    enum skew_interval what;
    bool heavy;
    double log_sd, stretch;
    int reps;
};

/* Returns the log-sd of a row of the calibration table, if the row is the coverage of the interval
 * skew_law(q->what, stretch) under noise whose name begins with SKEW_PARETO (q->heavy) or SKEW_LOGNORMAL; else
 * NaN. */
static double row_log_sd(const struct calibration *row, const struct question *q, int stretch)
{
    const char *prefix = q->heavy ? SKEW_PARETO : SKEW_LOGNORMAL;
    size_t n = strlen(prefix);
    if (strcmp(row->check, "coverage") || strcmp(row->law, skew_law(q->what, stretch)) ||
        strncmp(row->noise, prefix, n))
        return NAN;
    return strtod(row->noise + n, NULL);
}

/* Returns the log-sd of the row to look up: the least one that is not below that of the data. If there is none, it
 * is the largest log-sd, but only for the interval stretched most. NaN: no row applies. */
static double asked_log_sd(const struct question *q, int stretch)
{
    double next = INFINITY, last = -INFINITY;
    for (const struct calibration *row = calibration_kept; row->check; row++) {
        double log_sd = row_log_sd(row, q, stretch);
        if (log_sd >= q->log_sd)
            next = fmin(next, log_sd);
        last = fmax(last, log_sd);
    }
    if (isfinite(next))
        return next;
    return stretch == SKEW_STRETCHES - 1 ? last : NAN;
}

/* Of the rows with at most q->reps replicates, returns the coverage of the row that has most. *enough <- the least
 * number of replicates of a row whose coverage is SKEW_COVERAGE or more; 0: there is no such row. */
static double coverage_at(const struct question *q, int stretch, int *enough)
{
    double asked = asked_log_sd(q, stretch), coverage = NAN;
    int reps = 0;
    *enough = 0;
    for (const struct calibration *row = calibration_kept; row->check; row++) {
        if (!(row_log_sd(row, q, stretch) == asked))
            continue;
        if (row->reps <= q->reps && row->reps > reps) {
            reps = row->reps;
            coverage = row->right;
        }
        if (row->right >= SKEW_COVERAGE && (!*enough || row->reps < *enough))
            *enough = row->reps;
    }
    return coverage;
}

/* Looks up the coverage of intervals that are wider by the factors skew_stretch, up to the largest factor with
 * which the interval still supports the claim (q->stretch). The first factor with a sufficient coverage vouches. */
static struct skew ask(const struct question *q, double axis)
{
    struct skew s = { .axis = axis, .log_sd = q->log_sd, .heavy = q->heavy, .coverage = NAN };
    for (int k = 0; k < SKEW_STRETCHES && skew_stretch[k] <= q->stretch && !s.vouched; k++) {
        int enough;
        double coverage = coverage_at(q, k, &enough);
        s.vouched = coverage >= SKEW_COVERAGE;
        s.coverage = isnan(s.coverage) ? coverage : fmax(s.coverage, coverage);
        if (enough && (!s.reps || enough < s.reps))
            s.reps = enough;
    }
    return s;
}

/* Returns how far the upper limit of a ratio may be stretched before it reaches 1. */
static double stretch_of_ratio(const struct estimate *ratio)
{
    double room = ratio->value > 0 ? -log(ratio->value) : 1 - ratio->value;
    double width = ratio->value > 0 ? log(ratio->hi / ratio->value) : ratio->hi - ratio->value;
    return width > 0 ? room / width : INFINITY;
}

static double stretch_in_band(const struct estimate *e, const double *band)
{
    return fmin(e->lo < e->value ? (e->value - band[0]) / (e->value - e->lo) : INFINITY,
                e->hi > e->value ? (band[1] - e->value) / (e->hi - e->value) : INFINITY);
}

/* Returns the lean of all points together. The lean of a point (struct spread) is the skewness of log y over its
 * standard error. For log-normal data it has variance 1, and so has the result. */
static double lean_of(const struct fit *fit)
{
    double sum = 0;
    for (int i = 0; i < fit->points; i++)
        sum += fit->point[i].spread.lean;
    return sum / sqrt(fit->points);
}

static struct skew skew_of_points(const struct fit *fit, bool heavy)
{
    struct skew worst = { .vouched = true };
    for (int i = 0; i < fit->points && worst.vouched; i++) {
        const struct fit_point *p = &fit->point[i];
        struct question q = { SKEW_UPPER, heavy, p->spread.log_sd, stretch_of_ratio(&p->ratio),
                              p->reps };
        if (!p->by_sign)
            worst = ask(&q, p->axis);
    }
    return worst;
}

static struct skew skew_of(const struct claim *c, const struct fit *fit)
{
    const struct skew none = { .vouched = true };
    if (!calibration_kept->check || c->deterministic || c->every_mark || c->statistic != STAT_MEAN)
        return none;
    bool heavy = lean_of(fit) > STATS_LEANS;
    if (c->check == CHECK_BOUND || c->check == CHECK_ORDER)
        return skew_of_points(fit, heavy);
    if (c->check != CHECK_RATE)
        return none;
    struct question q = { SKEW_EXPONENT, heavy, 0,
                          stretch_in_band(&fit->rate.part[LAW_EXPONENT], c->band), fit->reps };
    for (int i = 0; i < fit->points; i++)
        q.log_sd = fmax(q.log_sd, fit->point[i].spread.log_sd);
    return ask(&q, NAN);
}

void skew_gate(const struct claim *c, const struct fit *fit, struct verdict *v)
{
    if (v->word != SUPPORTED)
        return;
    struct skew s = skew_of(c, fit);
    if (s.vouched)
        return;
    char where[64] = "", row[64] = "no row of the table vouches for the interval";
    if (isfinite(s.axis))
        snprintf(where, sizeof where, "%.24s = %g, ", c->axis, s.axis);
    if (isfinite(s.coverage))
        snprintf(row, sizeof row, "such intervals hold the truth in %.3g%%", 100 * s.coverage);
    v->word = INCONCLUSIVE;
    snprintf(v->reason, sizeof v->reason, "skew: %slog-sd %.2g%s, %d replicates: %s", where, s.log_sd,
             s.heavy ? " with a heavy tail" : "", fit->reps, row);
    snprintf(v->next, sizeof v->next, "raise --reps to %d", s.reps);
    if (s.reps <= fit->reps)
        snprintf(v->next, sizeof v->next, "look at the largest runs: their mean may not be what the "
                 "theorem speaks of");
}
