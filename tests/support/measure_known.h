/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure_known.h - finds out whether an instance can compute a measure of its family. */
#ifndef ASSAY_TESTS_MEASURE_KNOWN_H
#define ASSAY_TESTS_MEASURE_KNOWN_H

#include <math.h>
#include <stdlib.h>

#include "run/run.h"

/* Can the instance compute the measure? It cannot where the measure is NaN at the start. */
static inline bool measure_known(struct runner *rn, const struct cell *c, const struct measure *m)
{
    const void *self;
    const struct facts *f;
    double error, *x;
    if (runner_instance(rn, c, &self, &f, NULL) != OK || !(x = calloc((size_t)f->d, sizeof *x)))
        abort();
    if (c->problem->start)
        c->problem->start(self, x);
    bool known = !isnan(m->at(self, x, &error));
    free(x);
    return known;
}

#endif
