/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trend.h - a series of numbers, one a night: unchanged, a step, or a drift? Pure.
 *
 * Step: of all ways to cut the series, each side at least TREND_SIDE nights, the one with the largest
 * Student's t between the two means, one variance, n - 2 degrees of freedom. Drift: the slope of the
 * regression line. Each p is two-sided; that of the step is multiplied by the number of cuts (Bonferroni),
 * both by 2, so that a series of independent normal numbers is taken for either with probability at most
 * `level`. If both pass, the one with the smaller p is returned: a step fits a line badly, and a drift fits
 * two levels badly. Single nights that are far off widen the variance, so that they do not alarm. */
#ifndef ASSAY_TREND_H
#define ASSAY_TREND_H

enum trend_kind { TREND_NONE, TREND_STEP, TREND_DRIFT };
enum { TREND_SIDE = 2, TREND_LEAST = 5 };    /* a series of fewer than TREND_LEAST nights has no trend */

struct trend {
    enum trend_kind kind;
    int at;                  /* step: the first number of the new level, from 0 */
    double size;             /* step: new mean minus old; drift: the slope, a night */
    double p;
};

struct trend trend_of(int n, const double *y, double level);

#endif
