/* SPDX-License-Identifier: GPL-3.0-or-later */
/* skew.h - does the kept table of coverage (calibrate.h) vouch for the intervals that support a
 * claim? Pure.
 *
 * The table tells how often intervals of skewed data hold the truth, by spread of the logarithms
 * and number of replicates, for log-normal data and for Pareto tails. What is asked is the row of
 * the claim: the spread of its data rounded up, its replicates rounded down, and the Pareto rows if the
 * logarithms, over all points together, lean to the right by more than STATS_LEANS standard errors.
 * It must read SKEW_COVERAGE.
 *
 * Clear-cut cases pass more easily: where an interval stretched 2 or 4 times from its estimate (on
 * the log scale for ratios) would still support the claim, the row of the stretched interval may
 * vouch instead. A spread beyond the last row is taken for the last row, but stretched 4 times. */
#ifndef ASSAY_SKEW_H
#define ASSAY_SKEW_H

#include "judge/fit.h"
#include "judge/verdict.h"

#define SKEW_COVERAGE 0.93

enum skew_interval { SKEW_UPPER, SKEW_EXPONENT, SKEW_INTERVALS };
enum { SKEW_STRETCHES = 3 };
static const int skew_stretch[SKEW_STRETCHES] = { 1, 2, 4 };

/* Names of the table's rows; the noise is the prefix followed by the log-sd. */
const char *skew_law(enum skew_interval what, int stretch);
#define SKEW_LOGNORMAL "log-sd "
#define SKEW_PARETO "Pareto with log-sd "

struct skew {
    bool vouched;
    double axis;             /* the point that is not; NaN for an exponent */
    double log_sd, coverage; /* of its data; of its row, NaN: it has fewer replicates than any */
    bool heavy;
    int reps;                /* the replicates whose row would vouch; 0: none does */
};

/* What the table says of a fit that supports its claim. Vouched for at once: no table, what is
 * deterministic or pathwise, medians and quantiles (their limits are distribution-free). */
struct skew skew_of(const struct claim *c, const struct fit *fit);

/* SUPPORTED that is not vouched for becomes INCONCLUSIVE, with the reason and the replicates. */
void skew_gate(const struct claim *c, const struct fit *fit, struct verdict *v);

#endif
