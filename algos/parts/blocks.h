/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocks.h - how many coordinates an entry of x stands for, while single ones leave their block
 * (oracle_multiplicity): 2^40 coordinates cost as much as those that were visited. */
#ifndef ASSAY_PARTS_BLOCKS_H
#define ASSAY_PARTS_BLOCKS_H

#include "algo.h"

struct blocks {
    struct oracle *o;
    const double *start;             /* [d] at the start of the run; NULL: one each */
    double *count;                   /* [d] now; 0 where M_j = 0: such a column never moves */
    long taken;                      /* entries beyond stand for nothing yet */
};

static inline struct blocks blocks_new(struct oracle *o, struct arena *w, const double *M_j)
{
    long d = oracle_dim(o);
    struct blocks b = { o, oracle_multiplicity(o), arena_vec(w, d), d };
    while (b.start && b.start[b.taken - 1] == 0)
        b.taken--;
    for (long j = 0; j < d; j++)
        b.count[j] = M_j[j] > 0 ? b.start ? b.start[j] : 1 : 0;
    return b;
}

/* Where one coordinate of entry j is on its own, at the same place: j itself, or a free one, to
 * which it goes. -1: it is one of many on which nothing depends, and stays. */
static inline long blocks_alone(struct blocks *b, struct point *at, long j)
{
    long d = oracle_dim(b->o), k = j + 1;
    if (b->count[j] == 1)
        return j;
    if (k == d || b->start[k] > 0)
        return -1;
    while (k < d && b->start[k] == 0 && b->count[k] > 0)
        k++;
    if (k == d || b->start[k] > 0) {
        oracle_refuse(b->o, "more coordinates of a block moved than it has places for");
        return -1;
    }
    b->count[j]--;
    b->count[k] = 1;
    b->taken = k < b->taken ? b->taken : k + 1;
    point_add(at, k, point_at(at)[j] - point_at(at)[k]);
    return k;
}

#endif
