/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict_log.c - a logarithm or a power? What a Box-Cox law asks for beyond its band. */
#include <stdio.h>

#include "judge/verdict.h"

static const double WORSE = 10, SAME = 1e-6;     /* of exact data c is known to 1e-9 */

static bool logarithm_fits(struct estimate c)
{
    return c.lo <= SAME && c.hi >= -SAME;
}

struct verdict verdict_logarithm(const struct fit_rate *rate)
{
    struct verdict v = { .word = INCONCLUSIVE };
    struct estimate c = rate->part[LAW_EXPONENT], change = rate->part[LAW_BEND];
    double late = rate->part[LAW_SECOND_HALF].lo;
    if (late > c.value + SAME) {
        snprintf(v.reason, sizeof v.reason, "c is %.3g over the window and at least %.3g in its "
                 "second half: it grows", c.value, late);
        snprintf(v.next, sizeof v.next, "a later window");
        return v;
    }
    /* Written so that an interval that is not a number asks for more. */
    if (!logarithm_fits(c) && !(change.hi < -SAME)) {
        snprintf(v.reason, sizeof v.reason, "c is %.3g (%.3g to %.3g) over the window and changes by "
                 "%.3g (%.3g to %.3g) in its second half: as of a power, not falling",
                 c.value, c.lo, c.hi, change.value, change.lo, change.hi);
        snprintf(v.next, sizeof v.next, "a wider window, or more replicates");
        return v;
    }
    for (int k = 0; k < LAW_BOX_RIVALS; k++)
        if (rate->law.rival[k] < WORSE) {
            snprintf(v.reason, sizeof v.reason, "the power %g fits only %.3g times worse, expected %g",
                     law_box_rivals[k], rate->law.rival[k], WORSE);
            snprintf(v.next, sizeof v.next, "a wider window, or more replicates");
            return v;
        }
    return (struct verdict){ .word = SUPPORTED };
}
