/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_record.h - what a run writes down: inputs, counts, notes, measures, marks, draws. Names:
 * fact.M param.step goal.T count.sample_grads note.NAME clip.fraction set.NAME.mean estimate.last measure.excess
 * error.excess stratum.0.mean.NAME flag.stopped. */
#ifndef ASSAY_RUN_RECORD_H
#define ASSAY_RUN_RECORD_H

#include "cell/cell.h"
#include "record/record.h"

void run_put_inputs(struct record *r, const struct cell *c, const struct facts *f, const void *params);
/* Counts, flags, notes (the table of algorithm or estimator, may be NULL), clipping, point sets, marks. */
void run_put_oracle(struct record *r, const struct note *notes, const struct oracle *o);
/* Every measure of the family at x[d]. */
void run_put_measures(struct record *r, const struct cell *c, const void *self, const double *x);
/* Draws of every stratum: count, mean and variance of each functional, mean cost. draw: memory that
 * is emptied before each draw. */
enum status run_estimator(const struct cell *c, struct oracle *o, const void *params,
                          struct arena *w, struct arena *draw, struct rng *rng, struct record *r);

#endif
