/* SPDX-License-Identifier: GPL-3.0-or-later */
/* privacy_loss.h - the privacy loss of a whole run: the logarithm of how much likelier all releases of the run are
 * under one data set than under another, by the law of the booked noise. It is only a statistic of audits: the
 * bounds of audits stay valid where the ledger is wrong. */
#ifndef ASSAY_PRIVACY_LOSS_H
#define ASSAY_PRIVACY_LOSS_H

#include "oracle/tape.h"

/* The data set under which a likelihood is computed. LOSS_FIRST, LOSS_SECOND: the first or second data set;
 * LOSS_LACKING: one whose Poisson samples never hold the record in which the two data sets differ. */
enum loss_case { LOSS_FIRST, LOSS_SECOND, LOSS_LACKING, LOSS_CASES };

/* Can the privacy loss be computed? Beside the noise nothing may be random but whether Poisson samples hold the
 * record in which the two data sets differ. So it cannot with hidden noise, maxima of functions of noisy scores,
 * draws with replacement, subsets and epochs, whose draws depend on each other, or streams of prefix sums over
 * Poisson samples. *poisson <- whether LOSS_LACKING is needed too. */
bool loss_written(const struct tape *t, bool *poisson);

/* Returns log p(releases; first)/p(releases; second) for the first `events` releases of a tape, each given all
 * releases before it. heard[case]: the values before noise in that case, laid out as in the tape's pool. Whether a
 * Poisson sample holds the record is random: the likelihood of such a sample is a mixture, draw by draw. The result
 * is infinite where a release is impossible in one of the two cases; a release that is impossible in both counts
 * 0. */
double loss_of(const struct tape *t, long events, const double *const heard[LOSS_CASES]);

/* Removes the correlation of normal noise: white[used] <- linear functions of v[used], such that noise in v becomes
 * independent noise with standard deviation 1. Both have the layout of the tape's pool. For the nodes of a tree
 * these are differences of its releases; for a square-root factorisation they come from its inverse series. v:
 * releases less their values before noise, or changes of these values. Returns false if some noise is not
 * normal. */
bool loss_whiten(const struct tape *t, long events, const double *v, double *white);

/* Returns log P(block `won` of a noisy maximum over m blocks of candidates is chosen), up to a constant that
 * depends on count[m] alone. score, b, weight, count: as in struct candidates; the last two may be NULL: 1 each. */
double loss_max(enum max_rule rule, long m, const double *score, const double *b,
                const double *weight, const double *count, long won);

#endif
