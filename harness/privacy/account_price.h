/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_price.h - mechanisms as a user describes them, and the accountants that price each of these
 * mechanisms. */
#ifndef ASSAY_ACCOUNT_PRICE_H
#define ASSAY_ACCOUNT_PRICE_H

#include "param.h"

/* A description of a mechanism; the parameters of its kind say which members are read. */
struct account_case {
    double sigma, scale, sensitivity, eps0; /* sigma: sd of one release; scale: the b of Laplace noise of one
                                               release; eps0: the epsilon of one pure mechanism */
    double q;                                    /* the part of the data that one release draws */
    long steps, epochs, spare, restart, sides;   /* steps: releases, of prefix sums those of one epoch; epochs:
                                                    passes in the same order; spare: steps without data that
                                                    complete a tree; restart: 1: fresh noise for every epoch; sides:
                                                    of a noisy maximum 1 if a record moves all scores one way, 2 if
                                                    not */
    double batch, failure;                       /* batch: release t of T is on a batch of batch/sqrt(T-t+1),
                                                    rounded up; failure: probability of each release that the
                                                    sensitivity fails */
    double delta;
};

/* One accountant. `eps` returns an epsilon of the case, rounded upwards; *lower <- a lower bound on the true
 * epsilon where the accountant has one, else it is left as it is. */
struct account_method {
    const char *name;
    double (*eps)(const struct account_case *c, int how, double *lower);
    int how;                         /* which accountant, where `eps` computes several; 0 where it computes one */
    const char *note;
};

/* A kind of mechanism. params: its parameters; one whose default is NaN must be given. solved: the member that
 * --eps solves for. It is a noise, with which epsilon falls, or a share of epsilon, with which epsilon rises. The
 * arrays params and methods end with an element whose name is NULL. */
struct account_kind {
    const char *name, *doc;
    const struct param *params;
    const char *solved;
    const struct account_method *methods;
    /* Returns the condition of the kind's theorem that the case violates, so that no epsilon is known. NULL
     * returned: the case violates none. `open` itself is NULL for kinds without such conditions. */
    const char *(*open)(const struct account_case *c);
};
/* Ends with { 0 }. */
extern const struct account_kind account_kinds[];

/* Returns the value of the member kind->solved at which the accountant m gives eps, rounded to the safe side: noise
 * upwards, a share of epsilon downwards. An infinite noise, or a share 0: no value does. */
double account_solve(const struct account_kind *kind, const struct account_method *m,
                     const struct account_case *c, double eps);

#endif
