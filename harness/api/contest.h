/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest.h - an open question of a paper as a search: is one method ever below another? Methods run on instances
 * at several sizes. Each is tuned on a grid at every size, and the tuned methods are compared on fresh seeds,
 * replicate by replicate. `assay reproduce` runs the contest of a paper whose `reproduction` has no panels: that
 * `reproduction` is then the first member of a struct contest. The result is evidence, no verdict. */
#ifndef ASSAY_CONTEST_H
#define ASSAY_CONTEST_H

#include "claim.h"

enum { CONTEST_METHODS = 6, CONTEST_POINTS = 8 };

struct contest_method {
    const char *label, *algo;        /* NULL ends the list */
    struct setting with[SETTINGS_MAX];
    /* Geometric grids, all pairs of which are tried; counts are rounded. name NULL: no grid. Pairs that the method
     * refuses are left out. */
    struct { const char *name; double from, to; int points; } grid[GRID_SETTINGS];
};

struct contest_instance {
    const char *name, *title, *problem;
    struct setting with[SETTINGS_MAX];
    const char *measure;             /* NULL: the measure of the contest */
};

struct contest {
    struct reproduction as;          /* its members title, says and with; runs: the number of seeds on which methods
                                        are tuned; fresh: the number of other seeds on which they are compared */
    const char *yes, *no;            /* yes: the conclusion if the first method is below the rival on some instance;
                                        no: the conclusion if it is below on none */
    const char *axis, *measure;
    double from, to;                 /* first and last size, a value of the axis; sizes are geometric */
    int points;
    struct contest_method method[CONTEST_METHODS];
    int rival;                       /* the index of the method that method[0] is compared with */
    const struct contest_instance *instances;    /* end with { 0 } */
};

/* Returns the measure by which methods are compared on this instance. */
static inline const char *contest_measure(const struct contest *c, const struct contest_instance *on)
{
    return on->measure ? on->measure : c->measure;
}

#endif
