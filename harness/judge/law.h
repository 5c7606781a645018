/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law.h - least-squares fits of the laws of a rate claim: power, sum of terms, log, Box-Cox. Pure. */
#ifndef ASSAY_LAW_H
#define ASSAY_LAW_H

#include <stdbool.h>

#include "claim.h"

enum { LAW_POINTS_MAX = 64, LAW_BOX_POINTS = 7, LAW_BOX_RIVALS = 2 };

/* The numbers that a fit of a power gives. LAW_EXPONENT: the exponent over the whole window; LAW_FIRST_HALF and
 * LAW_SECOND_HALF: over each of its halves. LAW_BEND: the change of the local slope over the whole window, from a
 * parabola on log-log, positive if the slope grows with the axis. */
enum law_part { LAW_EXPONENT, LAW_FIRST_HALF, LAW_SECOND_HALF, LAW_BEND, LAW_PARTS };

enum law_trouble {
    LAW_FITTED,
    LAW_FEW_POINTS,          /* fewer than three points, or for Box-Cox fewer than LAW_BOX_POINTS */
    LAW_AXIS,                /* log law: an axis value is not above 1 */
    LAW_TERM_ABSENT          /* sum: the named term is less than 20% of y everywhere; Box-Cox: y^(1/root) changes by
                                less than 20% */
};

/* A Box-Cox law y^(1/root) = a + b (axis^c - 1)/c is a logarithm, c = 0, only if these powers c fit worse by a
 * factor (WORSE in verdict.c). */
extern const double law_box_rivals[LAW_BOX_RIVALS];

struct law_fit {
    enum law_trouble trouble;
    double value[LAW_PARTS];
    /* weight[part][i] = d value[part] / d log y_i: with these and independent errors of log y_i all standard errors
     * follow */
    double weight[LAW_PARTS][LAW_POINTS_MAX];
    double coefficient[TERMS_MAX];   /* power, log: c; sum: the c_k, 0 for a term that was left out; Box-Cox: a and
                                        b (struct law of claim.h) */
    double rival[LAW_BOX_RIVALS];    /* Box-Cox: the sum of squares at the powers law_box_rivals, over the least
                                        sum */
    double share[TERMS_MAX];         /* sum: the largest part of y in the window that the term makes up */
    double fitted[LAW_POINTS_MAX];   /* the law at the axis values */
    bool carries[LAW_POINTS_MAX];    /* the point is used for halves and bend */
};

/* Fits the law to log y = z[points] at axis[points] > 0, strictly monotone, points <= LAW_POINTS_MAX.
 *
 * LAW_POWER, LAW_LOG: ordinary least squares of z on log axis (log log axis). There are no weights: weights taken
 * from few replicates follow the same outliers as the means and bias them. LAW_SUM: coefficients >= 0 by least
 * squares of relative errors; the named exponent is the one at which the sum of squares, with the best
 * coefficients, is least. Other terms that are below 20% of y everywhere are left out, smallest first.
 * LAW_FIRST_HALF, LAW_SECOND_HALF and LAW_BEND are fitted to y less the other terms, at the points where the named
 * term is at least 20% of y. If the number of points is odd, both halves contain the middle point. LAW_BOX_COX: the
 * fitted power c stands in the place of the exponent. The halves have the c that fits each of them, and the bend is
 * the c of the second half less the c of all points. */
void law_fit(const struct law *law, int points, const double *axis, const double *z,
             struct law_fit *f);

/* Returns the end of the axis where the law promises the smaller y: +1 the upper, -1 the lower, 0 undecided. */
int law_small_end(const struct law *law);

#endif
