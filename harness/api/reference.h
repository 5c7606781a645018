/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.h - reference optima: L-BFGS, polished until the gradient norm certifies the value, and a
 * place on disk where they outlive the process. */
#ifndef ASSAY_REFERENCE_H
#define ASSAY_REFERENCE_H

#include <stdbool.h>
#include "param.h"
#include "status.h"

/* f(x); g <- grad f(x). */
typedef double (*smooth_fn)(const void *ctx, const double *x, double *g);

struct reference {
    double value;                    /* at x, the point of smallest gradient */
    double gradient_norm;            /* there; with l1 that of the least subgradient */
    double gap;                      /* value - min f <= gap; infinite if mu == 0 */
    long evaluations;
};

/* Minimises a differentiable f over R^d from x (start in, minimiser out). With f mu-strongly
 * convex the gap is gradient_norm^2 / (2 mu). REFUSED if the certificate stays above `target`. */
enum status reference_minimise(long d, smooth_fn f, const void *ctx, double mu, double target,
                               double *x, struct reference *r, struct why *why);

/* The same of f + l1 |x|_1, l1 >= 0, by OWL-QN and Newton steps on the support. */
enum status reference_minimise_l1(long d, smooth_fn f, const void *ctx, double mu, double l1,
                                  double target, double *x, struct reference *r, struct why *why);

/* --- kept optima. What is recalled is a hint: certify it as if it had just been computed. */

/* What an optimum belongs to: a family, its parameters (all but the file's name count: what is in
 * the file is `content`), and a number of values. */
struct reference_key {
    const char *family;
    const struct param *table;
    const void *params;
    unsigned long long content;
    long count;
};

/* values[count] <- what was kept under the key by this build's code; false: nothing usable. */
bool reference_recall(const struct reference_key *key, double *values);
/* Keeps values[count]; atomic. Without a folder (see harness/cell/reference_cache.h), or if it cannot
 * be written, nothing happens beyond one message. */
void reference_keep(const struct reference_key *key, const double *values);

#endif
