/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - one number of one record, by the name claims use. */
#ifndef ASSAY_MEASURE_H
#define ASSAY_MEASURE_H

#include <stdbool.h>
#include "record/record.h"

/* "hit.batch_steps" (or another column of the marks): the cost at which the family's ruler was first
 * at most goal.acc, +infinity if it never was; marks stand on a grid of ratio 2^(1/4).
 * "excess" -> measure.excess, "batch_steps" -> count.batch_steps, a name with a dot is taken as it
 * is. false: the record has none. */
bool measure_get(const char *measure, const struct record *r, double *y);
/* The name behind "moment.": a functional of an estimator, or "cost", its sample gradients;
 * NULL: it is no such measure. Its value is the mean over the strata, sum_k weight_k mean_k. */
const char *measure_functional(const char *measure);
/* The strata of a functional, at most `room`; returns how many, 0 where the record has no
 * variances (cost). */
int measure_strata(const char *measure, const struct record *r, int room, double *weight,
                   double *mean, double *variance);
/* Does it need the marks of a run? */
bool measure_of_marks(const char *measure);
/* Is it a count of queries? */
bool measure_is_count(const char *measure);
/* Is a negative value impossible? */
bool measure_nonnegative(const char *measure);

#endif
