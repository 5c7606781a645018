/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trend.h - a series of numbers, one a night: is it unchanged, or has it a step or a drift? Pure.
 *
 * Step: of all ways to cut the series into two sides of at least TREND_SIDE nights, the one with the largest
 * Student's t between the two means, with one variance and n - 2 degrees of freedom. Drift: the slope of the
 * regression line. Each p is two-sided. That of the step is multiplied by the number of cuts (Bonferroni), and both
 * are multiplied by 2, so that a series of independent normal numbers has a trend with probability at most `level`.
 * If both p are at most `level`, the trend with the smaller p is returned: a line fits a step badly, and two means
 * fit a drift badly. Single nights that are far off widen the variance, so that they raise no alarm. */
#ifndef ASSAY_TREND_H
#define ASSAY_TREND_H

enum trend_kind { TREND_NONE, TREND_STEP, TREND_DRIFT };
enum { TREND_SIDE = 2, TREND_LEAST = 5 };    /* a series of fewer than TREND_LEAST nights has no trend */

struct trend {
    enum trend_kind kind;
    int at;                  /* step: the index of the first number after it, from 0 */
    double size;             /* step: new mean minus old; drift: the slope, a night */
    double p;
};

struct trend trend_of(int n, const double *y, double level);

#endif
