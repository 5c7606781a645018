/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - one number of one record, by the name claims use. */
#ifndef ASSAY_MEASURE_H
#define ASSAY_MEASURE_H

#include <stdbool.h>
#include "problem.h"
#include "record/record.h"

/* *y <- the number; returns false where the record has none. "excess" is measure.excess, "batch_steps" is
 * count.batch_steps, and a name with a dot is the name in the record. Exceptions are "moment.NAME" (below) and
 * "hit.COUNT": the count at the first mark whose ruler is at most goal.acc, +infinity if there is none. Marks are a
 * factor of 2^(1/4) apart unless run.trace is 2. */
bool measure_get(const char *measure, const struct record *r, double *y);
/* Returns the name behind "moment.": a functional of an estimator, or "cost", its sample gradients; NULL: the
 * measure is of another kind. The value of a moment is the mean over the strata, sum_k weight_k mean_k. */
const char *measure_functional(const char *measure);
/* Reads the strata of a functional, at most `room`; returns how many. Returns 0 where the record has no variances,
 * as for "cost". */
int measure_strata(const char *measure, const struct record *r, int room, double *weight,
                   double *mean, double *variance);
/* Returns the column of a trace that has this name; -1: there is none. */
long measure_column(const struct record_trace *t, const char *name);
/* Is the measure read from the marks of a run? */
bool measure_of_marks(const char *measure);
/* Is the measure a count of queries? */
bool measure_is_count(const char *measure);
/* Is a negative value of the measure impossible? */
bool measure_nonnegative(const char *measure);

/* Is the measure a property of the answer, which a method that never moves has too? Counts, notes and prices are
 * not: they say what a method did. */
bool measure_of_answer(const char *measure);
/* *y <- the measure of a method that never moves, on the instance of this record. Such a method answers the start
 * (IDLE_START; an estimator answers its input), or the centre of the feasible set (IDLE_CENTRE; an estimator
 * answers 0). Its cost to a target is 0 or infinite. ruler: the first measure of the family, NULL: none. Returns
 * false where the record has no such number; for the centre also where the centre is the start. */
enum idle { IDLE_START, IDLE_CENTRE, IDLE_PLACES };
bool measure_idle(const char *measure, const struct measure *ruler, enum idle where, const struct record *r,
                  double *y);

#endif
