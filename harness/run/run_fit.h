/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_fit.h - may this algorithm meet this problem? */
#ifndef ASSAY_RUN_FIT_H
#define ASSAY_RUN_FIT_H

#include "cell/cell.h"

/* Do entries of x stand for several coordinates here? */
static inline bool run_has_blocks(const struct problem *p, const void *self)
{
    return p->multiplicity && p->multiplicity(self);
}

/* REFUSED, in a sentence: a question that the family does not offer, a simple part or blocks that
 * the method would not see, a property or a constant that it needs and the instance denies. */
enum status run_check_fit(const struct cell *c, const void *self, const struct facts *f,
                          struct why *why);

#endif
