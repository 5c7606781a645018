/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.h - reference optima: L-BFGS, polished until the gradient norm certifies the value. */
#ifndef ASSAY_REFERENCE_H
#define ASSAY_REFERENCE_H

#include "status.h"

/* f(x); g <- grad f(x). */
typedef double (*smooth_fn)(const void *ctx, const double *x, double *g);

struct reference {
    double value;                    /* at x, the point of smallest gradient */
    double gradient_norm;            /* there */
    double gap;                      /* value - min f <= gap; infinite if mu == 0 */
    long evaluations;
};

/* Minimises a differentiable f over R^d from x (start in, minimiser out). With f mu-strongly
 * convex the gap is gradient_norm^2 / (2 mu). REFUSED if the certificate stays above `target`. */
enum status reference_minimise(long d, smooth_fn f, const void *ctx, double mu, double target,
                               double *x, struct reference *r, struct why *why);

#endif
