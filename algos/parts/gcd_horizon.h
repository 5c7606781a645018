/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcd_horizon.h - how many rounds the utility theorems of DP-GCD prescribe (Mangold, Bellet, Salmon
 * & Tommasi 2023), as their proofs do: the statements differ by factors of two. With n, eps, l =
 * log(1/delta), the largest L_j as L, the smallest M_j as M, p coordinates:
 *
 *     thm441   (n^2 eps^2 R^2 M/(2^6 L^2 l))^(1/3),   R = R_{M,1}                      convex
 *     thm442   (4/mu) log( mu M n^2 eps^2 xi_0/(128 L^2 l log(8p/zeta)) ),   mu = mu_{M,1}
 *     thm47    (4(s+tau)/mu) log( xi_0 M mu n^2 eps^2/L^2 ),   mu = mu_{M,2}; the factor 4,
 *              which the text drops, makes the first term of the bound small */
#ifndef ASSAY_PARTS_GCD_HORIZON_H
#define ASSAY_PARTS_GCD_HORIZON_H

#include <string.h>

#include "algo.h"

struct gcd_horizon {
    const char *schedule;
    double n, eps, delta, zeta, p;
    double L, M;                     /* the largest L_j, the smallest M_j > 0 */
    double sparsity;                 /* s + tau; 0: not known */
};

/* NaN or infinite where a constant is not known. */
static inline double gcd_horizon(const struct gcd_horizon *h, const struct facts *f)
{
    double l = log(1 / h->delta), noise = h->n * h->eps / h->L;
    if (strcmp(h->schedule, "thm441") == 0)
        return cbrt(noise * noise * f->R_M1 * f->R_M1 * h->M / (64 * l));
    if (strcmp(h->schedule, "thm442") == 0)
        return 4 / f->mu_M1 * log(f->mu_M1 * h->M * noise * noise * f->Phi /
                                  (128 * l * log(8 * h->p / h->zeta)));
    return h->sparsity > 0 ? 4 * h->sparsity / f->mu_M2 *
                                 log(f->Phi * h->M * f->mu_M2 * noise * noise)
                           : NAN;
}

#endif
