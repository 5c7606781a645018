/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_internal.h - parts of run.c that tests call. */
#ifndef ASSAY_RUN_INTERNAL_H
#define ASSAY_RUN_INTERNAL_H

#include "cell/cell.h"
#include "record/record.h"

/* REFUSED, in a sentence: a question that the family does not offer, a simple part or blocks that
 * the method would not see, a property or a constant that it needs and the instance denies. */
enum status run_check_fit(const struct cell *c, const void *self, const struct facts *f,
                          struct why *why);

/* Counts, flags, notes (the table of algorithm or estimator, may be NULL), clipping, point sets, marks. */
void run_put_oracle(struct record *r, const struct note *notes, const struct oracle *o);

#endif
