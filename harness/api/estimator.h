/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimator.h - randomised estimators. Some theorems speak of the bias, the variance and the cost of an estimator,
 * not of an algorithm; claims about these are claims about draws. An estimator is one file in algos/estimators/
 * that defines `const struct estimator estimator_<file>`.
 *
 * A draw is stratified (by an MLMC level, a clipping event): each stratum has a known weight. A cell is a block of
 * draws of every stratum. Its record has, for each stratum, the weight, mean and variance of every functional, and
 * the mean cost of a draw. */
#ifndef ASSAY_ESTIMATOR_H
#define ASSAY_ESTIMATOR_H

#include "algo.h"
#include "problem.h"

/* What a functional may use. A functional serves measuring only. */
struct functional_env {
    long d;
    const double *target;            /* the estimated quantity where the problem knows it, or NULL */
    const double *direction;         /* a unit vector, fixed for the cell */
};

/* A scalar of one draw v[vectors][d]: a norm, the inner product with `direction` or of two vectors of the draw, the
 * indicator of a tail event. Claims call its mean "moment.NAME"; the name `cost` is reserved. */
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
    int vectors;                     /* number of coupled outputs of one draw, such as those at two points, or on
                                        two neighbouring data sets */
    const struct functional *functionals;    /* ends with { 0 } */
    enum status (*tune)(const struct facts *f, const struct goal *goal, void *params,
                        struct why *why);
    /* The expected number of sample gradients that one draw from each stratum costs in total, for tuned parameters
     * and the facts that the estimator is given. Only plans use it. NULL: about one. */
    double (*expects)(const struct facts *f, const void *params);
    /* Returns the number of strata, at most 64; weight[] <- the probabilities of the strata, which sum to 1. NULL,
     * which a plug-in must not have: one stratum. */
    int (*strata)(const void *params, double *weight);
    /* out[d] <- the quantity that a draw estimates on this instance; returns false where no closed form is known.
     * The function serves measuring: it sees the problem and is not charged. NULL: the quantity is unknown. */
    bool (*target)(const struct problem *problem, const void *self, const void *params,
                   struct arena *w, long d, double *out);
    /* v[vectors][d] <- one draw, conditioned on its stratum. w is emptied before each draw. */
    enum status (*draw)(struct oracle *o, const void *params, struct arena *w, struct rng *rng,
                        int stratum, double *v);
    const struct method_mechanism *mechanisms;      /* ends with { 0 }, as in struct algo; NULL: none declared */
};

#endif
