/* SPDX-License-Identifier: GPL-3.0-or-later */
/* skew.h - a claim is SUPPORTED only where simulations have shown that intervals of data with such a skew cover the
 * truth often enough (calibrate.h). Pure.
 *
 * The table says how often intervals of skewed data hold the truth, by spread of the logarithms and number of
 * replicates, for log-normal data and for Pareto tails. A claim is compared with one row: with the spread of its
 * data rounded up, with its replicates rounded down, and with Pareto noise if the logarithms, over all points
 * together, lean to the right by more than STATS_LEANS standard errors. If the coverage of the row is at least
 * SKEW_COVERAGE, the row vouches for the intervals.
 *
 * Clear-cut claims pass more easily: where an interval stretched 2 or 4 times from its estimate (on the log scale
 * for ratios) would still support the claim, the row of the stretched interval may vouch instead. A spread beyond
 * the last row needs the last row of the interval stretched 4 times. */
#ifndef ASSAY_SKEW_H
#define ASSAY_SKEW_H

#include "judge/fit.h"
#include "judge/verdict.h"

/* The least coverage, of a nominal 95%. A higher value would leave more claims of skewed data INCONCLUSIVE, a lower
 * one would support more of them falsely. */
#define SKEW_COVERAGE 0.93

enum skew_interval { SKEW_UPPER, SKEW_EXPONENT, SKEW_INTERVALS };
enum { SKEW_STRETCHES = 3 };
static const int skew_stretch[SKEW_STRETCHES] = { 1, 2, 4 };

/* Returns the name that the calibration table has for an interval, the `law` of its rows. The noise of a row is one
 * of the prefixes below, followed by the log-sd. */
const char *skew_law(enum skew_interval what, int stretch);
#define SKEW_LOGNORMAL "log-sd "
#define SKEW_PARETO "Pareto with log-sd "

/* Makes a SUPPORTED that no row vouches for INCONCLUSIVE, with the reason and the number of replicates that would
 * suffice. It changes nothing where there is no table, for claims that are deterministic or about every run, and
 * for medians and quantiles, whose limits are distribution-free. */
void skew_gate(const struct claim *c, const struct fit *fit, struct verdict *v);

#endif
