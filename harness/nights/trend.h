/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trend.h - a series of numbers, one a night: as it was, a step, or a drift? Pure.
 *
 * Step: of all ways to cut the series, each side at least TREND_SIDE nights, the one with the largest
 * Student's t between the two means, one variance, n - 2 degrees of freedom. Drift: the slope of the
 * regression line. Each p is two-sided; that of the step is multiplied by the number of cuts (Bonferroni),
 * both by 2, so that a series of independent normal numbers is taken for either with probability at most
 * `level`. Of two that pass, the one whose p is smaller: a step bends away from a line, and a line from two
 * levels. Single nights that are far off widen the variance and alarm less. */
#ifndef ASSAY_TREND_H
#define ASSAY_TREND_H

enum trend_kind { TREND_NONE, TREND_STEP, TREND_DRIFT };
enum { TREND_SIDE = 2, TREND_LEAST = 5 };    /* fewer nights in all: no trend */

struct trend {
    enum trend_kind kind;
    int at;                  /* step: the first number of the new level, from 0 */
    double size;             /* step: new mean minus old; drift: the slope, a night */
    double p;
};

struct trend trend_of(int n, const double *y, double level);

#endif
