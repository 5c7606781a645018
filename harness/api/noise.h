/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.h - the only way to private randomness. One call adds the noise and writes the ledger, so
 * noise without bookkeeping cannot be written; accountants price the ledger after the run.
 *
 * Composition is the maximum over records, so an entry says which records it touched. */
#ifndef ASSAY_NOISE_H
#define ASSAY_NOISE_H

#include "oracle.h"

enum adjacency { ADJACENCY_NONE, ADJACENCY_ZERO_OUT, ADJACENCY_REPLACE_ONE, ADJACENCY_ADD_REMOVE };
enum norm { NORM_2, NORM_1, NORM_INF };

/* What is being released, in the units of the vector the noise is added to. */
struct release {
    const char *site;                /* a literal naming the line of the algorithm */
    enum norm norm;
    double sensitivity;              /* largest change per participation of one record */
    const struct ticket *ticket;     /* the records touched; NULL: every record */
    double failure;                  /* probability that the sensitivity does not hold */
    bool hidden;                     /* not released: it earns nothing and replay does not force it */
};

/* v[d] += N(0, sd^2 I). sd = 0: a release without noise, booked as such. */
void noise_gaussian(struct oracle *o, const struct release *r, double sd, long d, double *v);
/* v[d] += independent Laplace(b). */
void noise_laplace(struct oracle *o, const struct release *r, double b, long d, double *v);
/* Report noisy max: the index of the largest |score_j + Lap(b_j)| / weight_j, nothing else; weight
 * NULL: 1. r->sensitivity bounds the change of every |score_j| / weight_j, and the smallest
 * b_j / weight_j is booked: one unit for all scores. Count mode: 0. */
long noise_max(struct oracle *o, const struct release *r, long m, const double *score,
               const double *b, const double *weight);

/* Noise of prefix sums by a binary tree (Fenwick form): prefix i = 1, 2, ... gets the sum of the
 * nodes of its dyadic decomposition, popcount(i) of them, each N(0, sd^2 I), in O(d log T) memory.
 * The stream of sums is one mechanism: a record in one step changes all later prefixes by the same
 * vector, and is covered by at most floor(lg T)+1 nodes. */
struct tree;
struct tree *noise_tree(struct oracle *o, struct arena *w, long T, long d);  /* before the seal */
/* A new epoch: fresh nodes, prefix 1 next. */
void tree_restart(struct tree *t);
/* v[d] (a prefix sum, noise-free) += the noise of the next prefix. r->sensitivity bounds the
 * change of this step's summand. */
void tree_release(struct tree *t, const struct release *r, double sd, double *v);
/* floor(lg T) + 1: nodes that cover one step at the most. */
int tree_height(long T);

#endif
