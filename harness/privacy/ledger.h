/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger.h - every use of private randomness in one run, as booked by noise.h. Accountants read it
 * after the run; composition is the maximum over records. */
#ifndef ASSAY_LEDGER_H
#define ASSAY_LEDGER_H

#include "noise.h"

enum mechanism { MECHANISM_GAUSSIAN, MECHANISM_LAPLACE, MECHANISM_NOISY_MAX, MECHANISM_TREE,
                 MECHANISM_ROOT, MECHANISM_GUMBEL_MAX, MECHANISM_EXPONENTIAL_MAX,
                 MECHANISM_STEP,         /* hidden, of an iteration; in units of the iterate */
                 MECHANISM_LAST };       /* its iterate is released; no noise of its own */

/* One mechanism, or a run of equal ones over adjacent disjoint batches (repeats > 1): each record
 * of [first, first + count) then took part in exactly one of them. Positions are those of
 *     SAMPLING_FRESH      the stream: equal positions are equal records;
 *     SAMPLING_SHUFFLED   the order of this draw: equal records for equal draws only;
 *     SAMPLING_ALL        storage;
 * and of the draw for other schemes, where any record may have taken part: REPLACE `batch` of n, or of
 * those it was drawn from, SUBSET `batch` of n, POISSON each with probability q.
 * Entries of equal draw met the same random sample: what they tell composes first, and is amplified
 * by sampling afterwards. */
struct ledger_entry {
    const char *site;
    enum mechanism mechanism;
    enum norm norm;
    double sensitivity, scale;       /* per participation; sd, or b, the smallest of several */
    enum sampling scheme;
    long first, count;               /* records touched; POISSON: all n */
    uint64_t draw;                   /* number of the first repeat's draw; no ticket: 0 */
    double batch;                    /* records of one repeat; POISSON: q n */
    double q, n;                     /* POISSON: rate, else 0; stored records, or infinite */
    long from, of;                   /* POISSON, REPLACE: drawn from the `of` positions from, ... of the
                                      * stream; of = 0: from all records */
    double repeats;
    long step;                       /* prefix sums, iterations: number of the first repeat; else 0 */
    long stream, length;             /* prefix sums: fresh noise has a new number; T; else 0.
                                      * Iterations: a new number after every release; 0 */
    double cover;                    /* prefix sums: prefix_cover; else 0 */
    double failure;
    bool hidden;
    long dimension;                  /* of a noisy maximum: candidates */
};

struct ledger {
    struct ledger_entry *entry;
    long entries, room;
    enum adjacency adjacency;        /* of the sensitivities; NONE: not said */
    /* Draws handed out so far, by scheme (all that are random), and of these such as
     * were made before the last booking. One that no release used may have been looked at, and
     * passed over for what it held. */
    long drawn[SAMPLING_SHUFFLED + 1], before[SAMPLING_SHUFFLED + 1];
};

void ledger_book(struct ledger *l, const struct ledger_entry *e);
/* Entries may use the memory of another ledger, which is empty then: runs are many, and a page is dearest when it
 * is met first. */
void ledger_take_room(struct ledger *l, struct ledger *from);
void ledger_free(struct ledger *l);

#endif
