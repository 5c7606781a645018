/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict_log.c - a logarithm or a power? What a Box-Cox law asks for beyond its band. */
#include <stdio.h>

#include "verdict.h"

struct verdict verdict_logarithm(const struct fit_rate *rate)
{
    static const double WORSE = 10, SAME = 1e-6;     /* of exact data c is known to 1e-9 */
    struct verdict v = { .word = INCONCLUSIVE };
    double whole = rate->part[LAW_EXPONENT].value, late = rate->part[LAW_SECOND_HALF].lo;
    if (late > whole + SAME) {
        snprintf(v.reason, sizeof v.reason, "c is %.3g over the window and at least %.3g in its "
                 "second half: it grows", whole, late);
        snprintf(v.next, sizeof v.next, "a later window");
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
