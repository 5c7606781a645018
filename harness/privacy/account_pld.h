/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_pld.h - the composed privacy loss of the Poisson-sampled Gaussian, bounded from both sides.
 *
 * The losses are divided into intervals between neighbouring points of a grid. Each bound is the epsilon of a
 * discrete loss on the grid, which is composed exactly:
 *     upper  the mass of every interval is split between its two ends so that its masses with and
 *            without the record are kept; the exact pair of laws is then a post-processing of the
 *            discrete one (the connect-the-dots estimate of Doroshenko et al. 2022);
 *     lower  outcomes are merged until the likelihood ratio of what is merged is at least that of a
 *            grid point, and this point counts as its loss. Merging is a post-processing of the exact
 *            pair, and the point is at most the loss: both lower epsilon.
 * Tails that are cut off, mass that wraps around and rounding of the transform are bounded; the upper bound is
 * raised by them and the lower one lowered. */
#ifndef ASSAY_ACCOUNT_PLD_H
#define ASSAY_ACCOUNT_PLD_H

#include <stdbool.h>

struct pld_eps { double lower, upper; };

/* Returns bounds lower <= eps <= upper on the smallest eps at delta of `steps` releases of Gaussian noise sd on a
 * sum of sensitivity 1 over a Poisson sample of rate q, with a record added or removed. 0 <= q <= 1, sd > 0, 1 <=
 * steps <= 1e12, 1e-290 <= delta < 1. Losses of one release beyond 600 (sd below about 0.1) have the lower bound 0
 * and the upper one of Renyi divergences. Arguments out of range give 0 and infinity. */
struct pld_eps pld_sampled_gaussian(double q, double sd, double steps, double delta);

/* Returns the eps that pld_sampled_gaussian bounds, by numerical inversion of the moment generating function, to
 * 1e-10 and smooth in sd: noise is calibrated by it. The error is estimated and not proven, unlike the bounds. NaN
 * where a few steps of little noise would need too many terms, or arguments are out of range. */
double account_sampled_gaussian_eps(double q, double sd, double steps, double delta);

/* --- the losses of one release, on the grid i h, first <= i < first + n */

struct pld_cells {
    double q, sd, h;
    long first, n;
    double *above, *below;       /* [n] masses with the record at each loss of the grid, for the bound from above
                                    and for that from below; the caller frees them */
    double beyond;               /* mass with the record that counts as an infinite loss in `above` */
    double beyond_without;       /* mass without the record at losses beyond the grid */
    double log_q, half;          /* log q; e^(h/2) - 1 */
};
/* Fills in all members of c but q, sd and h, which the caller sets; tail: the probability of outcomes that may lie
 * beyond the grid. Returns false where the grid would have too many points or too large a loss. */
bool pld_cells_fill(struct pld_cells *c, double tail);

#endif
