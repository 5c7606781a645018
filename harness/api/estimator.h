/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimator.h - not every theorem is about an algorithm: bias, variance and cost of a randomised
 * estimator are claims about its draws. One file, one `const struct estimator estimator_<file>`,
 * kept in algos/ beside the methods that use it.
 *
 * A draw is stratified (an MLMC level, a clipping event): stratum k has a known weight, a cell is
 * a block of draws of each stratum, and its record keeps count, mean and variance of every
 * functional and every cost per stratum. */
#ifndef ASSAY_ESTIMATOR_H
#define ASSAY_ESTIMATOR_H

#include "algo.h"
#include "problem.h"

/* What a functional may look at: for measuring only. */
struct functional_env {
    long d;
    const double *target;            /* the quantity estimated where the problem knows it, or NULL */
    const double *direction;         /* a fixed unit vector of the cell */
};

/* A scalar of one draw v[vectors][d]: a norm, <v,e>, the indicator of a tail, <v,v'>. Claims
 * call its mean "moment.NAME"; the name cost is taken. */
struct functional {
    const char *name, *unit, *doc;
    double (*of)(const struct functional_env *env, const double *v);
};

struct estimator {
    const char *name, *doc, *cite;
    unsigned calls, assumes;
    unsigned long reads, may_read;
    const struct param *params;
    size_t params_size;
    const struct note *notes;
    int vectors;                     /* coupled outputs of one draw: y and y', data D and D' */
    const struct functional *functionals;    /* ends with { 0 } */
    enum status (*tune)(const struct facts *f, const struct goal *goal, void *params,
                        struct why *why);
    /* As tuned and told, sample gradients in the mean of one draw of each stratum, summed. For
     * plans only. NULL: about one. */
    double (*expects)(const struct facts *f, const void *params);
    /* Number of strata and their probabilities weight[<= 64], summing to 1. */
    int (*strata)(const void *params, double *weight);
    /* out[d] <- what a draw estimates on this instance, if known in closed form; else false. For
     * measuring: it sees the problem and is not charged. NULL: unknown. */
    bool (*target)(const struct problem *problem, const void *self, const void *params,
                   struct arena *w, long d, double *out);
    /* v[vectors][d] <- one draw conditioned on its stratum. w is emptied before each draw. */
    enum status (*draw)(struct oracle *o, const void *params, struct arena *w, struct rng *rng,
                        int stratum, double *v);
};

#endif
