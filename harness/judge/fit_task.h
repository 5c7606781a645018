/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_task.h - what the files of the fit share: the data of one claim and how they are read. */
#ifndef ASSAY_FIT_TASK_H
#define ASSAY_FIT_TASK_H

#include "judge/fit.h"

enum { FIT_RESAMPLES = 1000, FIT_ALL = -1 };

/* Where a datum stands in its law: y, F(y) and F just below y. */
struct fit_place {
    double y, at, below;
};

struct fit_task {
    const struct claim *c;
    const struct series *s;
    const struct rng *r;
    double *x, *z, *work;    /* [most replicates] twice, [2 most replicates + FIT_RESAMPLES] */
    struct fit_place *place; /* [most replicates] */
    struct fit *fit;
};

/* A number of one replicate; +infinity where y is not finite. */
typedef double (*fit_value_fn)(const struct series_point *p, int r);
double fit_value_y(const struct series_point *p, int r);
double fit_value_rival(const struct series_point *p, int r);
/* What a certificate leaves open: the truth is within fit_error of y, hence between these two. */
double fit_error(const struct series_point *p, int r);
double fit_value_most(const struct series_point *p, int r);
double fit_value_least(const struct series_point *p, int r);

/* Does replicate r belong to a set (FIT_ALL, 0 even, 1 odd)? */
static inline bool fit_in_set(const struct series_point *p, int r, int set)
{
    int index = p->replicate ? p->replicate[r] : r;
    return set == FIT_ALL || (index & 1) == set;
}

/* x[reps] <- the values of a set of replicates (FIT_ALL, 0 even, 1 odd); returns how many. */
int fit_gather(const struct series_point *p, int set, fit_value_fn value, double *x);
/* The claim's statistic of x[n]; NaN for n == 0. */
double fit_statistic(const struct fit_task *t, int n, const double *x);
/* The claim's quantile; 0.5 for a median. */
double fit_quantile(const struct claim *c);
/* All of x[n > 0] positive and finite. */
bool fit_positive(int n, const double *x);

/* *q <- the ratio to the rival at a point, its limits, wins and losses. */
void fit_order(struct fit_task *t, int point, struct fit_point *q);
/* t->fit->rate <- slopes and intervals, from points whose statistics are known. */
void fit_rate(struct fit_task *t);

/* q->zone, and q->y where blocks of draws or events say more than the numbers y; needs a usable
 * formula. */
void fit_moment(struct fit_task *t, int point, struct fit_point *q);
void fit_law(struct fit_task *t, int point, struct fit_point *q);
/* Numbers, margins >= 0, probabilities in [0,1]? */
bool fit_zone_usable(const struct claim *c, const struct series_point *p);
/* Is every y of a law the share of events among the trials of its replicate? Infinite y are left
 * to the fit; true for other checks. */
bool fit_all_events(const struct claim *c, const struct series_point *p);

/* One-sided level of the limits of a zone at one point. */
enum zone_limit { ZONE_SUPPORTS, ZONE_CONTRADICTS };
double fit_zone_alpha(const struct fit_task *t, enum zone_limit which);
/* Something is infinite: outside every zone but those that are open above, about which it says
 * nothing. */
void fit_zone_infinite(const struct claim *c, struct fit_zone *z);
/* zone.outside from the limits, and t->fit->worst. */
void fit_zone_end(struct fit_task *t, int point);

/* Level of two-sided intervals. */
static inline double fit_level(const struct fit_task *t)
{
    return 1 - FIT_SUPPORT_ALPHA / fit_rounds(t->c);
}

#endif
