/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_reach.h - what a record in one summand changes of all released nodes of a tree of T prefixes, or of
 * T summands with noise of their own: the run is reach/sd-GDP. Of a tree the first step is in
 * m + 1 = floor(lg T) + 1 nodes, a later one in m at the most, so that a first summand of another
 * sensitivity than the rest costs the larger of two terms. */
#ifndef ASSAY_PARTS_TREE_REACH_H
#define ASSAY_PARTS_TREE_REACH_H

#include <math.h>

#include "algo.h"

static inline double tree_reach(bool tree, double T, double first, double rest)
{
    double m = tree ? tree_height((long)T) - 1 : 1, later = T > 1 ? rest : 0;
    return fmax(sqrt(tree ? m + 1 : 1) * first, sqrt(m) * later);
}

#endif
