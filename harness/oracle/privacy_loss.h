/* SPDX-License-Identifier: GPL-3.0-or-later */
/* privacy_loss.h - the privacy loss of a whole run: how much likelier everything it released is under one
 * data set than under another, by the law of the noise that was booked. A statistic only: audits
 * stay valid where the ledger lies. */
#ifndef ASSAY_PRIVACY_LOSS_H
#define ASSAY_PRIVACY_LOSS_H

#include "oracle/tape.h"

/* What the data are held to be: the first set, the second, or neither in any Poisson sample. */
enum loss_case { LOSS_FIRST, LOSS_SECOND, LOSS_LACKING, LOSS_CASES };

/* Can it be written for these releases by one who knows all but the record's own coins? Not with
 * hidden noise, maxima of functions of noisy scores, samples of other kinds, whose draws tell of
 * each other, or streams of prefix sums over Poisson samples. *poisson <- LOSS_LACKING is needed too. */
bool loss_written(const struct tape *t, bool *poisson);

/* log p(releases; first)/p(releases; second) of the first `events` releases of a tape, each given
 * all before it. heard[case]: values before noise, laid out as in the tape's pool. A Poisson
 * sample holds the record by a coin: a mixture, draw by draw. Infinite where a release is
 * impossible in one of the two; what is possible in neither counts 0. */
double loss_of(const struct tape *t, long events, const double *const heard[LOSS_CASES]);

/* white[used] <- v[used], read at releases of normal noise (all of them; else false), as
 * independent numbers of sd 1: nodes of a tree are differences of its releases, draws of a
 * square root its inverse series. v: releases less their values before noise, or changes. */
bool loss_whiten(const struct tape *t, long events, const double *v, double *white);

/* log P(candidate `won` of a noisy maximum is chosen), up to a constant that depends on the
 * multiplicities alone. weight and count may be NULL: 1. */
double loss_max(enum max_rule rule, long m, const double *score, const double *b,
                const double *weight, const double *count, long won);

#endif
