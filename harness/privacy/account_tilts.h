/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_tilts.h - bounds on the composed privacy loss of the Poisson-sampled Gaussian by Renyi divergences, at
 * tilts on a geometric grid. The tilt a weights a loss l by e^(a l); it is the order of the divergence minus 1. All
 * outcomes count: no tail of the loss is cut off. For account_pld.c. */
#ifndef ASSAY_ACCOUNT_TILTS_H
#define ASSAY_ACCOUNT_TILTS_H

#include <math.h>
#include <stdbool.h>

enum { TILTS = 49 };                 /* number of tilts: from 1/1024 to 288, each 1.3 times the one before */

/* log_moment[k]: log E e^(tilt[k] l) of the loss l of all releases together. It is computed at first use, and is
 * NaN until then. */
struct tilts {
    double q, sd, steps;
    bool with_record;                /* true: the loss of outcomes drawn with the record; false: without it */
    double tilt[TILTS], log_moment[TILTS];
};

/* Fills in the tilts; the arguments are as in pld_sampled_gaussian and in struct tilts. */
void tilts_begin(struct tilts *t, double q, double sd, double steps, bool with_record);
/* Returns the smallest bound on epsilon at delta over the tilts, by the conversion of Canonne, Kamath and Steinke
 * (account_rdp.h), at least 0. */
double tilts_eps(struct tilts *t, double delta);
/* Returns the smallest bound on delta(eps) over the tilts, by the same conversion as tilts_eps. */
double tilts_delta(struct tilts *t, double eps);

/* Returns e^log_total times the largest e^(-tilt l) (1 - e^(eps - l)) over losses l: the most that a tilted mass of
 * 1 can contribute to delta. */
static inline double leverage(double eps, double tilt, double log_total)
{
    return exp(log_total - tilt * eps + tilt * log(tilt / (1 + tilt)) - log1p(tilt));
}

#endif
