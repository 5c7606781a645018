/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_private.h - the privacy of a run, as values of its record:
 *
 *     privacy.promise privacy.delta            epsilon that the goal promises (a rho is converted), at delta
 *     privacy.reach                            for a rho with normal noise only: the epsilon that it
 *                                              allows to spend
 *     privacy.eps privacy.lower                smallest proven epsilon of the ledger; a lower bound
 *     privacy.eps.NAME                         epsilon by accountant
 *     replay.choice replay.leak replay.call    enum neighbour_choice, enum leak; which call leaks first, counted
 *                                              from 1; 0: after the last call
 *     replay.ratio.SITE replay.touched.SITE    largest change of a value before its noise over what is declared;
 *                                              number of releases that the record takes part in
 *     replay.exceeded.SITE replay.failure.SITE where a failure probability is declared: releases whose change
 *                                              is above what is declared; the largest of these probabilities
 *     audit.runs audit.eps audit.strict        runs on each side; bounds on epsilon (struct audit)
 *     audit.mu audit.mu_strict                 bounds on mu (struct audit)
 *     audit.loss                               1: by the privacy loss of all releases, see audit.h
 *     audit.ceiling audit.ceiling.mu           bounds from as many runs if the promise is spent in full
 *                                              (a part of an audit has none of the values audit.* above, but
 *                                              its runs as the trace)
 *     audit.one.eps audit.one.m                from one run with many canaries ...
 *     audit.one.white                          ... 1: by its releases, 0: by its answer */
#ifndef ASSAY_RUN_PRIVATE_H
#define ASSAY_RUN_PRIVATE_H

#include "run/audit.h"
#include "record/record.h"
#include "run/run.h"

/* Puts the values above into r, the record of the cell's run, where section `run` of the cell asks for a replay or
 * an audit. REFUSED for a method that is not private, for runs in count mode or with answers drawn from the exact
 * law of means, for a part of an audit beyond the last one, and where delta is not between 0 and 1. */
enum status run_private(struct runner *rn, const struct cell *c, struct record *r, struct why *why);

/* Returns the delta of a cell: that of the goal, or 1/n^2, where n is the number of records or samples. */
double private_delta(const struct cell *c, const struct facts *f);
/* Returns the epsilon that a goal promises at delta; NaN: the goal promises none. */
double private_promise(const struct goal *g, double delta);
void private_put_audit(struct record *r, long runs, const struct audit *a);
/* Puts the values audit.one.* into the record; nothing if no guesses were made. */
void private_put_one(struct record *r, const struct audit_one *one);

#endif
