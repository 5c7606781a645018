/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_price.h - mechanisms as a user describes them, and the accountants that price each of
 * them. */
#ifndef ASSAY_ACCOUNT_PRICE_H
#define ASSAY_ACCOUNT_PRICE_H

#include "param.h"

/* A description; the parameters of its kind say which members are read. */
struct account_case {
    double sigma, scale, sensitivity, eps0; /* sd, Laplace b, of one release; epsilon of one pure
                                             * mechanism */
    double q;                                    /* the part of the data in one step */
    long steps, epochs, spare, restart, sides;
    double batch, failure;
    double delta;
};

/* One accountant: an epsilon of the case, rounded upwards. *lower <- a lower bound on the true
 * epsilon where the accountant has one, else it is left as it is. */
struct account_method {
    const char *name;
    double (*eps)(const struct account_case *c, int how, double *lower);
    int how;                         /* which of the accountants that eps has; 0 where it has one */
    const char *note;
};

/* params: those whose default is NaN must be given. solved: the member that --eps solves for, a noise
 * (epsilon falls with it) or a share (epsilon rises with it). Both lists end with a NULL name. */
struct account_kind {
    const char *name, *doc;
    const struct param *params;
    const char *solved;
    const struct account_method *methods;
    /* The condition of its theorem that the case violates, where no epsilon is known; NULL: it is
     * known. */
    const char *(*open)(const struct account_case *c);
};
/* Ends with { 0 }. */
extern const struct account_kind account_kinds[];

/* The value of kind->solved at which a method gives eps, rounded to the safe side: noise upwards, a
 * share downwards. Infinite or 0: no value does. */
double account_solve(const struct account_kind *kind, const struct account_method *m,
                     const struct account_case *c, double eps);

#endif
