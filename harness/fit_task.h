/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_task.h - what the files of the fit share: the data of one claim and how they are read. */
#ifndef ASSAY_FIT_TASK_H
#define ASSAY_FIT_TASK_H

#include "fit.h"

enum { FIT_RESAMPLES = 2000, FIT_ALL = -1 };

struct fit_task {
    const struct claim *c;
    const struct series *s;
    const struct rng *r;
    double *x, *work;        /* [most replicates], [2 most replicates + FIT_RESAMPLES] */
    struct fit *fit;
};

/* A number of one replicate; +infinity where y is not finite. */
typedef double (*fit_value_fn)(const struct series_point *p, int r);
double fit_value_y(const struct series_point *p, int r);

/* x[reps] <- the values of a set of replicates (FIT_ALL, 0 even, 1 odd); returns how many. */
int fit_gather(const struct series_point *p, int set, fit_value_fn value, double *x);
/* The claim's statistic of x[n]; NaN for n == 0. */
double fit_statistic(const struct fit_task *t, int n, const double *x);
/* The claim's quantile; 0.5 for a median. */
double fit_quantile(const struct claim *c);
/* All of x[n > 0] positive and finite. */
bool fit_positive(int n, const double *x);

/* t->fit->rate <- slopes and intervals, from points whose statistics are known. */
void fit_rate(struct fit_task *t);

/* Level of two-sided intervals. */
static inline double fit_level(const struct fit_task *t)
{
    return 1 - FIT_SUPPORT_ALPHA / fit_rounds(t->c);
}

#endif
