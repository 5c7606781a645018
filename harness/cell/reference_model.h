/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_model.h - the quadratic model of a smooth function, with an l1 norm. */
#ifndef ASSAY_REFERENCE_MODEL_H
#define ASSAY_REFERENCE_MODEL_H

#include <stdbool.h>

/* z[m] <- argmin of <g, z - x> + (1/2)(z - x)'H(z - x) + l1 |z|_1, H[m*m] symmetric positive
 * semidefinite, l1 >= 0; exact zeros where they belong. false: no memory, or numbers that are not
 * finite; z is then x. */
bool model_minimise(long m, const double *H, const double *g, const double *x, double l1,
                    double *z);

#endif
