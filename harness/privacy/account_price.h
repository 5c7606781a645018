/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_price.h - described mechanisms, and the accountants that price each of them. */
#ifndef ASSAY_ACCOUNT_PRICE_H
#define ASSAY_ACCOUNT_PRICE_H

#include "param.h"

/* What is described; a kind's parameters say which members it reads. */
struct account_case {
    double sigma, scale, sensitivity, eps0; /* sd, Laplace b, of one release; pure epsilon of one */
    double q;                                    /* part of the data in a step */
    long steps, epochs, spare, restart, sides;
    double batch, failure;
    double delta;
};

/* One accountant: an epsilon of the case, errors upwards. *lower <- a lower bound on the true
 * epsilon where the accountant has one, else untouched. */
struct account_method {
    const char *name;
    double (*eps)(const struct account_case *c, double *lower);
    const char *note;
};

/* params: NaN as default must be given. solved: the member that --eps solves for, with noise
 * (epsilon falls with it) or a share (it rises). Both lists end with a NULL name. */
struct account_kind {
    const char *name, *doc;
    const struct param *params;
    const char *solved;
    const struct account_method *methods;
    /* Which condition of its theorem the case violates, where no epsilon is known; NULL: none. */
    const char *(*open)(const struct account_case *c);
};
/* Ends with { 0 }. */
extern const struct account_kind account_kinds[];

/* The value of kind->solved at which a method gives eps, never promising too much: noise from
 * above, a share from below. Infinite or 0: no value does. */
double account_solve(const struct account_kind *kind, const struct account_method *m,
                     const struct account_case *c, double eps);

#endif
