/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_model.h - minimises a quadratic model of a smooth function plus an l1 norm. */
#ifndef ASSAY_REFERENCE_MODEL_H
#define ASSAY_REFERENCE_MODEL_H

#include <stdbool.h>

/* z[m] <- argmin of <g, z - x> + (1/2)(z - x)'H(z - x) + l1 |z|_1, H[m*m] symmetric positive semidefinite, l1 >= 0;
 * zeros of the minimiser are exact. Returns false without memory, or where numbers are not finite; z is then x. */
bool model_minimise(long m, const double *H, const double *g, const double *x, double l1,
                    double *z);

#endif
