/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest.h - an open question of a paper as a search: is one method ever below another? Methods run on instances
 * at several sizes. Each is tuned on a grid at every size, and the tuned methods are compared on fresh seeds,
 * replicate by replicate. `assay reproduce` runs the contest of a paper whose `reproduction` has no panels; it is
 * the first member of the struct contest. The result is evidence, no verdict. */
#ifndef ASSAY_CONTEST_H
#define ASSAY_CONTEST_H

#include "claim.h"

enum { CONTEST_METHODS = 6, CONTEST_POINTS = 8 };

struct contest_method {
    const char *label, *algo;        /* label NULL: the first unused one */
    struct setting with[SETTINGS_MAX];
    /* Geometric grids, of which every pair is tried; counts are rounded. name NULL: no grid. Pairs that the method
     * refuses are left out. */
    struct { const char *name; double from, to; int points; } grid[GRID_SETTINGS];
};

struct contest_instance {
    const char *name, *title, *problem;
    struct setting with[SETTINGS_MAX];
    const char *measure;             /* NULL: that of the contest */
};

struct contest {
    struct reproduction as;          /* title, says, with; runs: seeds that tune; fresh: seeds that decide */
    const char *yes, *no;            /* the conclusion if the first method is below the rival somewhere, and
                                        if it is nowhere */
    const char *axis, *measure;
    double from, to;                 /* sizes, geometric */
    int points;
    struct contest_method method[CONTEST_METHODS];
    int rival;                       /* of method[0] */
    const struct contest_instance *instances;    /* end with { 0 } */
};

/* The measure on this instance. */
static inline const char *contest_measure(const struct contest *c, const struct contest_instance *on)
{
    return on->measure ? on->measure : c->measure;
}

#endif
