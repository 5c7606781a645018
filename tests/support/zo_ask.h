/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zo_ask.h - what the tests of private zeroth-order methods share: a goal, and the mu of Gaussian privacy of a
 * tree's noise, by the definition of a tree. */
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

/* The record of one step i changes the summand of this step by s, of the first step by s_1. Node b of the tree sums
 * the steps b - lowbit(b) + 1 ... b. Returns the length of the change of all released nodes together, in units of
 * the noise sigma of a node, at the worst i. */
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
