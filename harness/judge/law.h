/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law.h - least-squares fits of the laws of a rate claim: power, sum of terms, log, Box-Cox. Pure. */
#ifndef ASSAY_LAW_H
#define ASSAY_LAW_H

#include <stdbool.h>

#include "claim.h"

enum { LAW_POINTS_MAX = 64, LAW_BOX_POINTS = 7, LAW_BOX_RIVALS = 2 };

/* The numbers of a fit. bend: the change of the local slope over the whole window, from a
 * parabola on log-log, positive if the slope grows with the axis. */
enum law_part { LAW_EXPONENT, LAW_FIRST_HALF, LAW_SECOND_HALF, LAW_BEND, LAW_PARTS };

enum law_trouble {
    LAW_FITTED,
    LAW_FEW_POINTS,          /* fewer than three points; Box-Cox: than LAW_BOX_POINTS */
    LAW_AXIS,                /* log law: an axis value is not above 1 */
    LAW_TERM_ABSENT          /* sum: the named term carries less than 20% of y everywhere; Box-Cox:
                              * y^(1/root) changes by less */
};

/* Powers c that must fit worse than a logarithm. */
extern const double law_box_rivals[LAW_BOX_RIVALS];

struct law_fit {
    enum law_trouble trouble;
    double value[LAW_PARTS];
    /* d value / d log y_i: with independent errors of log y_i they give every standard error. */
    double weight[LAW_PARTS][LAW_POINTS_MAX];
    double coefficient[TERMS_MAX];   /* c of power and log; c_k of a sum, 0 where dropped; a, b */
    double rival[LAW_BOX_RIVALS];    /* Box-Cox: sum of squares at these powers over the least */
    double share[TERMS_MAX];         /* sum: largest part of y the term carries in the window */
    double fitted[LAW_POINTS_MAX];   /* the law at the axis values */
    bool carries[LAW_POINTS_MAX];    /* the point enters halves and bend */
};

/* Fits log y = z[points] at axis[points] > 0, strictly monotone, points <= LAW_POINTS_MAX.
 *
 * power, log: ordinary least squares of z on log axis (log log axis). Not weighted: weights taken
 * from few replicates follow the same outliers as the means and bias them.
 * sum: coefficients >= 0 by least squares of relative errors, the named exponent profiled; other
 * terms below 20% of y everywhere are dropped, smallest first; halves and bend are those of y less
 * the other terms, over the points where the named term carries 20%. The halves share the middle
 * point of an odd number.
 * Box-Cox: c is in the place of the exponent, the halves are c of the halves, the bend is c of the second half
 * less c of the whole. */
void law_fit(const struct law *law, int points, const double *axis, const double *z,
             struct law_fit *f);

/* Where the law promises the smaller y: +1 at large axis values, -1 at small ones, 0 undecided. */
int law_small_end(const struct law *law);

#endif
