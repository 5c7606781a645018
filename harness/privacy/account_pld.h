/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_pld.h - the privacy loss of the Poisson-sampled Gaussian, composed, between bounds.
 *
 * Both bounds are theorems about the discrete loss that was composed, plus what was left out of it:
 *   above  every cell of losses is split between its two grid points with both hypotheses' masses
 *          kept, so the exact pair is a post-processing of the discrete one (the connect-the-dots
 *          estimate of Doroshenko et al. 2022);
 *   below  outcomes are merged until the likelihood ratio of a merged cell is a grid point or more,
 *          and counted at that point: a post-processing of the exact pair, then a smaller loss.
 * Tails that are cut, mass that wraps around and the rounding of the transform are bounded and
 * counted against the result. */
#ifndef ASSAY_ACCOUNT_PLD_H
#define ASSAY_ACCOUNT_PLD_H

#include <stdbool.h>

struct pld_eps { double lower, upper; };

/* Smallest eps at delta of `steps` releases of Gaussian noise sd on a sum of sensitivity 1 over a
 * Poisson sample of rate q, a record added or removed: lower <= eps <= upper. 0 <= q <= 1, sd > 0,
 * 1 <= steps <= 1e12, 1e-290 <= delta < 1; arguments out of range, and losses beyond 600 of one
 * step (sd below about 0.1), give 0 and infinity. */
struct pld_eps pld_sampled_gaussian(double q, double sd, double steps, double delta);

/* The same number itself, by numerical inversion of the moment generating function, to 1e-10 and
 * smooth in sd: what noise is calibrated by. Its error is estimated, not proved: the bounds above
 * are. NaN where a few steps of little noise would need too many terms, or arguments are out of
 * range. */
double account_sampled_gaussian_eps(double q, double sd, double steps, double delta);

/* --- one step, on the grid i h, first <= i < first + n */

struct pld_cells {
    double q, sd, h;
    long first, n;
    double *above, *below;       /* masses under the hypothesis with the record; free() them */
    double beyond;               /* mass of `above` at an infinite loss */
    double beyond_without;       /* mass without the record at losses past the grid */
    double log_q, half;          /* log q; e^(h/2) - 1 */
};
/* The cells of a step whose tails hold `tail` of the mass; c->q, sd, h are set. false: too many. */
bool pld_cells_fill(struct pld_cells *c, double tail);

#endif
