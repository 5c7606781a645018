/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zo_ask.h - what the tests of private zeroth-order methods share: a goal, and prices by the definition of a
 * tree. */
#ifndef ASSAY_TESTS_ZO_ASK_H
#define ASSAY_TESTS_ZO_ASK_H

#include <math.h>

#include "facts.h"

static inline struct goal ask(double n, double rho)
{
    struct goal g = goal_unknown();
    g.n = n;
    g.rho = rho;
    g.radius = 0.2;
    return g;
}

/* Returns the largest change of all released nodes together that one record makes at a step i, over all i, in units
 * of the noise of the nodes. The record changes the first summand by s_1, a later one by s; node b covers steps b -
 * lowbit(b) + 1 ... b. */
static inline double accounted(int T, double s_1, double s, double sigma)
{
    double worst = 0;
    for (int i = 1; i <= T; i++) {
        double sum = 0, change = i == 1 ? s_1 : s;
        for (int b = i; b <= T; b += b & -b)
            sum += change * change / (sigma * sigma);
        worst = fmax(worst, sum);
    }
    return sqrt(worst);
}

#endif
