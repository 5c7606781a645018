/* SPDX-License-Identifier: GPL-3.0-or-later */
/* same_sets.h - checks that the measures of a set of points do not depend on whether a family computes them
 * together or one by one. */
#ifndef ASSAY_TEST_SAME_SETS_H
#define ASSAY_TEST_SAME_SETS_H

#include <math.h>

#include "oracle/oracle_state.h"

static inline void expect_same_sets(const struct problem *p, const void *self, long m,
                                    const double *points)
{
    double all[SET_MEASURES_MAX], *at = all, error;
    assert_non_null(p->measuring->of_sets);
    p->measuring->of_sets(self, m, points, all);
    for (const struct measure *q = p->measures; q->name; q++)
        if (q->of_set) {
            double one = q->of_set(self, m, points, &error);
            if (!(*at == one || (isnan(*at) && isnan(one))))
                fail_msg("%s: %.17g, by itself %.17g", q->name, *at, one);
            at++;
        }
}

#endif
