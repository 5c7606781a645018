/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lambda_bisection.h - finds the penalty lam at which a proximal step moves by nearly r (Asi, Carmon,
 * Jambulapati, Jin, Sidford 2021, Algorithm 10 and Proposition 4). y(lam) is the point from which the step is made;
 * it may depend on lam. Delta(lam) is the distance from y(lam) of the minimiser of f(w) + (lam/2)|w - y(lam)|^2
 * over a ball of radius r around y(lam), up to an error of r/17. f is G-Lipschitz on a feasible set of radius R.
 * The search lambda_bisection halves lam from lam_max down to the first Delta(lam) > 13r/16, then bisects log lam
 * until 13r/16 <= Delta <= 15r/16 or the interval of log2 lam is shorter than r/(8(R + G/lam)).
 *
 * lam_max must be at least 2G/r, where a proximal step moves by at most r/2 (the paper prints 2G/eps, whose unit
 * does not fit). The exact proximal step at the lam returned then moves by at most r, and by more than 3r/4 unless
 * lam <= 2 lam_min. Delta is random, so that each lam is asked only once. */
#ifndef ASSAY_PARTS_LAMBDA_BISECTION_H
#define ASSAY_PARTS_LAMBDA_BISECTION_H

#include <float.h>
#include "algo.h"

struct lambda_bisection {
    /* *Delta <- Delta(lam). Returns false if the budget is spent. */
    bool (*move)(void *ctx, double lam, double *Delta);
    void *ctx;
    double r, G, R, lam_min, lam_max;
};

static inline bool lambda_bisection(const struct lambda_bisection *b, double *lam)
{
    double low = b->lam_max, Delta = 0, least = 13 * b->r / 16, most = 15 * b->r / 16;

    while (low >= b->lam_min) {
        if (!b->move(b->ctx, low, &Delta))
            return false;
        if (Delta > least)
            break;
        low /= 2;
    }
    *lam = low <= b->lam_min ? 2 * low : low;
    if (low <= b->lam_min || Delta <= most)
        return true;
    double high = 2 * low;
    /* After DBL_MANT_DIG halvings low and high are neighbouring doubles. */
    for (int k = 0; k < DBL_MANT_DIG; k++) {
        *lam = sqrt(low * high);
        if (!b->move(b->ctx, *lam, &Delta))
            return false;
        if ((Delta >= least && Delta <= most) || log2(high / low) < b->r / (8 * (b->R + b->G / low)))
            return true;
        if (Delta < least)
            high = *lam;
        else
            low = *lam;
    }
    return true;
}

/* Asks for Delta once at lam_min: *lam <- lam_min if Delta <= 15r/16 there. Otherwise it halves
 * log(lam_max/lam_min) at most `most` times: *lam <- the first lam with 13r/16 <= Delta <= 15r/16, or, if there is
 * none, the least lam that was found too large (lam_max, if none was). */
static inline bool lambda_from_least(const struct lambda_bisection *b, int most, double *lam)
{
    double low = b->lam_min, high = b->lam_max, Delta = 0;

    *lam = low;
    if (!b->move(b->ctx, low, &Delta))
        return false;
    if (!(Delta > 15 * b->r / 16))
        return true;
    for (int k = 0; k < most; k++) {
        *lam = sqrt(low * high);
        if (!b->move(b->ctx, *lam, &Delta))
            return false;
        if (Delta > 15 * b->r / 16)
            low = *lam;
        else if (Delta < 13 * b->r / 16)
            high = *lam;
        else
            return true;
    }
    *lam = high;
    return true;
}

#endif
