/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_internal.h - functions of run.c that tests call. */
#ifndef ASSAY_RUN_INTERNAL_H
#define ASSAY_RUN_INTERNAL_H

#include "cell/cell.h"
#include "record/record.h"

/* Does the algorithm or estimator fit the problem? REFUSED with a sentence: a question that the family does not
 * offer; a simple part, a smooth part or blocks that the method would ignore; a property or constant that the
 * method needs and the instance lacks; count mode for a method whose counts are random. */
enum status run_check_fit(const struct cell *c, const void *self, const struct facts *f,
                          struct why *why);

/* Puts counts, flags, notes (by the table of the algorithm or estimator, may be NULL), clipping,
 * point sets and marks into the record. */
void run_put_oracle(struct record *r, const struct note *notes, const struct oracle *o);

#endif
