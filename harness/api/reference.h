/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.h - reference optima. L-BFGS computes them and refines them until the norm of the gradient certifies
 * the value; they are kept on disk beyond the process. */
#ifndef ASSAY_REFERENCE_H
#define ASSAY_REFERENCE_H

#include <stdbool.h>
#include "param.h"
#include "status.h"

/* Returns f(x); g <- grad f(x). */
typedef double (*smooth_fn)(const void *ctx, const double *x, double *g);

struct reference {
    double value;                    /* at x, the point of smallest gradient found */
    double gradient_norm;            /* at x; with l1 the norm of the smallest subgradient */
    double gap;                      /* value - min f <= gap; infinite if mu == 0 */
    long evaluations;
};

/* Minimises a differentiable f over R^d from x (start in, minimiser out). If f is mu-strongly convex the gap is at
 * most gradient_norm^2 / (2 mu). Returns REFUSED if mu > 0 and the gap stays above `target`. With mu = 0 the search
 * ends at a small gradient, and the gap is infinite. */
enum status reference_minimise(long d, smooth_fn f, const void *ctx, double mu, double target,
                               double *x, struct reference *r, struct why *why);

/* Minimises f + l1 |x|_1, l1 >= 0, by OWL-QN and Newton steps on the support; else as reference_minimise. */
enum status reference_minimise_l1(long d, smooth_fn f, const void *ctx, double mu, double l1,
                                  double target, double *x, struct reference *r, struct why *why);

/* --- Optima on disk. A recalled optimum is a hint: certify it as you would certify a computed one. */

/* The key of an optimum: a family, its parameters and the number of values. The name of a data file is not part of
 * the key; its bytes are, through `content`. */
struct reference_key {
    const char *family;
    const struct param *table;
    const void *params;
    unsigned long long content;
    long count;
};

/* values[count] <- the values kept under the key by this build's code. Returns false if there are none, or none
 * that can be used. */
bool reference_recall(const struct reference_key *key, double *values);
/* Keeps values[count] under the key, in one atomic step. Where there is no folder (see
 * harness/cell/reference_cache.h), or it cannot be written, nothing is kept, and at most one message is printed. */
void reference_keep(const struct reference_key *key, const double *values);

#endif
