/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_reach.h - the reach of a record: by how much, in norm, it changes all released nodes of a tree of T
 * prefixes, or all of T summands with independent noise, if it is in one summand. With noise sd the run is
 * (reach/sd)-GDP. In a tree the first summand is in m + 1 = floor(log2 T) + 1 nodes and a later one in at most m.
 * The first summand may have another sensitivity than the others. The reach is the larger of two products, each of
 * a sensitivity and the square root of its number of nodes. */
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
