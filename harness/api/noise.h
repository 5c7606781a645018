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

/* Noise of prefix sums, prefix i = 1 ... T one release each. The stream of sums is one mechanism: a
 * record in one step changes all later prefixes by the same vector.
 * PREFIX_TREE: the nodes of the prefix's dyadic decomposition (Fenwick form), popcount(i) of them,
 * each N(0, sd^2 I), in O(d log T) memory; a step is covered by at most floor(lg T)+1 nodes.
 * PREFIX_ROOT: sum_{k<i} c_k Z_{i-k}, Z_i ~ N(0, sd^2 I), c the coefficients of (1 - z)^(-1/2): the
 * square root of the matrix of prefix sums (Fichtenberger, Henzinger, Upadhyay 2023; Henzinger,
 * Upadhyay, Upadhyay 2023), less noise, in O(d T) memory and O(d T^2) time. */
enum prefix_kind { PREFIX_TREE, PREFIX_ROOT };
struct prefix;
struct prefix *noise_prefix(struct oracle *o, struct arena *w, enum prefix_kind kind, long T,
                            long d);                                    /* before the seal */
/* A new epoch: fresh noise, prefix 1 next. */
void prefix_restart(struct prefix *p);
/* v[d] (a prefix sum, noise-free) += the noise of the next prefix. r->sensitivity bounds the
 * change of this step's summand. */
void prefix_release(struct prefix *p, const struct release *r, double sd, double *v);
/* What one participation costs: the stream is sensitivity sqrt(cover)/sd-GDP for a record in one of
 * T steps. Tree: tree_height(T); root: sum_{k<T} c_k^2. */
double prefix_cover(enum prefix_kind kind, long T);
/* floor(lg T) + 1: nodes that cover one step at the most. */
int tree_height(long T);

#endif
