/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theorem.h - a theorem as a reader knows it: what it promises along each axis, the rival laws that each promise
 * must be distinguished from, and the claim that decides each promise. Lists of theorems stand in
 * claims/PAPER/theorems.c. */
#ifndef ASSAY_THEOREM_H
#define ASSAY_THEOREM_H

/* A law of the quantity that the claim fits, along the row's axis: of(axis), or axis^exponent where `of` is NULL.
 * Where the claim divides y by a factor (claim->formula), the law is divided by it as well. The law is derived from
 * the theorem, with the logarithms of the implemented parameters, and is never fitted. */
struct row_law {
    const char *text;                /* "n^(-1/2)"; NULL: no such law */
    double exponent;
    double (*of)(double axis);
    const char *whose;               /* for the law of a rival: the method or the fault that has it */
};

enum { RIVALS_MAX = 6 };

/* Has a row a claim, and if not, why? */
enum row_state {
    ROW_CLAIM,                       /* the row has a claim */
    ROW_NONE,                        /* nobody has written a claim yet */
    ROW_EVIDENCE,                    /* what is measured cannot decide it: `reason` says why */
    ROW_DATA                         /* the data that a claim needs are not available to us */
};

/* One promise of a theorem along one axis. */
struct theorem_row {
    const char *axis;                /* "n", "kappa", "privacy", ...; unique with `quantity` in its theorem; NULL
                                        ends the list */
    const char *quantity;            /* what is promised: "excess", "query depth", "gradients", ... */
    struct row_law promise;
    struct row_law rivals[RIVALS_MAX];
    const char *claim;               /* id of the one claim that decides it; NULL: none */
    enum row_state state;            /* where `claim` is NULL: why the row has none */
    const char *reason;              /* where `claim` is NULL: the same in one sentence; NULL for ROW_NONE */
};

struct theorem {
    const char *id;                  /* "PAPER/thm1": unique and without wildcards; NULL ends the list */
    const char *cite;                /* "Theorem 1, page 6" */
    const char *says;                /* the statement in one sentence */
    const char *regime;              /* where the theorem holds: what is large, what is fixed; NULL: everywhere */
    const struct theorem_row *rows;
};

/* An attempt: a claim that was looked at and replaced by another design. It is out of the registry, and reports
 * show it folded. A run that was looked at before its claim was declared is an attempt too. */
struct attempt {
    const char *claim;               /* the id that the claim had; NULL ends the list */
    const char *row;                 /* "PAPER/thm1 QUANTITY.AXIS"; where the claim that replaced it decides no row,
                                        the id of that claim */
    int number;                      /* 1 for the first that was looked at; the claim that replaced it has a larger
                                        one */
    const char *window, *control;    /* window and control of the attempt, as text */
    const char *verdict;             /* the word of the verdict, then what was measured */
    const char *reason;              /* why the design was changed, which is never the outcome of the runs */
};

#endif
