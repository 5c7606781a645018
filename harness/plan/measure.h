/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - reads a measure, one number, from a record, by the name that claims use. */
#ifndef ASSAY_MEASURE_H
#define ASSAY_MEASURE_H

#include <stdbool.h>
#include "problem.h"
#include "record/record.h"

/* *y <- the measure; returns false where the record does not have it. "excess" stands for the number measure.excess
 * of the record, "batch_steps" for count.batch_steps, and a name with a dot for itself. Exceptions are
 * "moment.NAME" (below) and "hit.COUNT": the count at the first mark whose ruler is at most goal.acc, +infinity if
 * there is none. Measured marks are a factor of 2^(1/4) in batch steps apart, unless run.trace is 2 and every mark
 * is measured. */
bool measure_get(const char *measure, const struct record *r, double *y);
/* Returns the name behind "moment.": a functional of an estimator, or "cost", the sample gradients of a draw; NULL:
 * the measure does not begin with "moment.". The value of a measure moment.NAME is the mean over the strata, sum_k
 * weight_k mean_k. */
const char *measure_functional(const char *measure);
/* weight[k], mean[k], variance[k] <- the weight of stratum k, and in it mean and variance of the functional NAME of
 * a measure moment.NAME. Returns the number of strata, at most `room`; 0 where the record has no variances, as for
 * "cost". */
int measure_strata(const char *measure, const struct record *r, int room, double *weight,
                   double *mean, double *variance);
/* Returns the index of the column of a trace that has this name; -1: there is none. */
long measure_column(const struct record_trace *t, const char *name);
/* Is the measure read from the marks of a run, that is, does it begin with "hit."? */
bool measure_of_marks(const char *measure);
/* Is the measure a count of queries? */
bool measure_is_count(const char *measure);
/* Is a negative value of the measure impossible? */
bool measure_nonnegative(const char *measure);

/* Is the measure a property of a run's answer, which a method that never moves has too? Counts, notes and privacy
 * costs are not: they say what a method did. */
bool measure_of_answer(const char *measure);
/* *y <- the measure of a method that never moves, on the instance of this record. Such a method answers the start
 * (IDLE_START; an estimator answers its input), or the centre of the feasible set (IDLE_CENTRE; an estimator
 * answers 0). Its cost until the ruler is at most goal.acc ("hit.COUNT") is 0 or infinite. ruler: the first measure
 * of the family, NULL: none. Returns false where the record does not have it; a record has no numbers for the
 * centre where the centre is the start. */
enum idle { IDLE_START, IDLE_CENTRE, IDLE_PLACES };
bool measure_idle(const char *measure, const struct measure *ruler, enum idle where, const struct record *r,
                  double *y);

#endif
