/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - one number of one record, by the name claims use. */
#ifndef ASSAY_MEASURE_H
#define ASSAY_MEASURE_H

#include <stdbool.h>
#include "record/record.h"

/* *y <- the number; false: the record has none. "excess" is measure.excess, "batch_steps" is count.batch_steps, and
 * a name with a dot is the name in the record, but for "moment.NAME" (below) and "hit.COUNT": the count at the
 * first mark whose ruler is at most goal.acc, +infinity if there is none; marks stand on a grid of ratio 2^(1/4). */
bool measure_get(const char *measure, const struct record *r, double *y);
/* The name behind "moment.": a functional of an estimator, or "cost", its sample gradients; NULL: the measure is of
 * another kind. The value of a moment is the mean over the strata, sum_k weight_k mean_k. */
const char *measure_functional(const char *measure);
/* The strata of a functional, at most `room`; returns their number, 0 where the record has no variances, as of
 * cost. */
int measure_strata(const char *measure, const struct record *r, int room, double *weight,
                   double *mean, double *variance);
/* Is it read from the marks of a run? */
bool measure_of_marks(const char *measure);
/* Is it a count of queries? */
bool measure_is_count(const char *measure);
/* Is a negative value impossible? */
bool measure_nonnegative(const char *measure);

#endif
