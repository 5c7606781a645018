/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trend.c - steps and drifts in a series of numbers. */
#include "nights/trend.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Returns the two-sided p of Student's t; 1 where t is NaN, as of a series that does not vary. */
static double student(double t, int freedom)
{
    return isnan(t) ? 1 : 2 * gsl_cdf_tdist_Q(fabs(t), freedom);
}

static double mean_of(int n, const double *y)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += y[k];
    return sum / n;
}

static double squares_about(int n, const double *y, double mean)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += (y[k] - mean) * (y[k] - mean);
    return sum;
}

static struct trend cut_at(int n, const double *y, int at)
{
    double before = mean_of(at, y), after = mean_of(n - at, y + at);
    double s2 = (squares_about(at, y, before) + squares_about(n - at, y + at, after)) / (n - 2);
    double t = (after - before) / sqrt(s2 * (1.0 / at + 1.0 / (n - at)));
    return (struct trend){ TREND_STEP, at, after - before, student(t, n - 2) };
}

static struct trend best_cut(int n, const double *y)
{
    struct trend best = { TREND_STEP, 0, 0, INFINITY };
    for (int at = TREND_SIDE; at <= n - TREND_SIDE; at++) {
        struct trend t = cut_at(n, y, at);
        if (t.p < best.p)
            best = t;
    }
    best.p *= 2 * (n - 2 * TREND_SIDE + 1);
    return best;
}

static struct trend line(int n, const double *y)
{
    double mean = mean_of(n, y), middle = (n - 1) / 2.0, xx = 0, xy = 0, rest = 0;
    for (int k = 0; k < n; k++) {
        xx += (k - middle) * (k - middle);
        xy += (k - middle) * (y[k] - mean);
    }
    double slope = xy / xx;
    for (int k = 0; k < n; k++)
        rest += pow(y[k] - mean - slope * (k - middle), 2);
    return (struct trend){ TREND_DRIFT, 0, slope, 2 * student(slope / sqrt(rest / (n - 2) / xx), n - 2) };
}

struct trend trend_of(int n, const double *y, double level)
{
    struct trend none = { TREND_NONE, 0, 0, 1 };
    if (n < TREND_LEAST)
        return none;
    struct trend step = best_cut(n, y), drift = line(n, y);
    struct trend best = step.p <= drift.p ? step : drift;
    return best.p <= level ? best : none;
}
