/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger.h - every use of private randomness in one run, as booked by noise.h. Accountants price it after
 * the run; composition is the maximum over records. */
#ifndef ASSAY_LEDGER_H
#define ASSAY_LEDGER_H

#include "noise.h"

enum mechanism { MECHANISM_GAUSSIAN, MECHANISM_LAPLACE, MECHANISM_NOISY_MAX, MECHANISM_TREE,
                 MECHANISM_ROOT, MECHANISM_GUMBEL_MAX, MECHANISM_EXPONENTIAL_MAX,
                 MECHANISM_STEP,         /* a hidden step of an iteration; in units of the iterate */
                 MECHANISM_LAST };       /* the release of the iterate; it adds no noise */

/* One mechanism, or several equal ones over adjacent disjoint batches (repeats > 1): each record of [first, first +
 * count) then took part in exactly one of them. The scheme says what positions are:
 *     SAMPLING_FRESH      places of the stream: equal positions are equal records;
 *     SAMPLING_SHUFFLED   places in the order of this draw: equal records for equal draws only;
 *     SAMPLING_ALL        places in storage;
 *     other schemes       places in the draw, where any record may have taken part: REPLACE draws `batch` of n, or
 *                         of those it was drawn from, SUBSET `batch` of n, POISSON each with probability q.
 * Entries of equal draw used the same random sample: their releases compose first, and are amplified by sampling
 * afterwards. */
struct ledger_entry {
    const char *site;
    enum mechanism mechanism;
    enum norm norm;
    double sensitivity, scale;       /* sensitivity: for one participation; scale: sd or b, the smallest one where
                                        several were booked */
    enum sampling scheme;
    long first, count;               /* records touched; POISSON: all n */
    uint64_t draw;                   /* serial number of the first repeat's draw; no ticket: 0 */
    double batch;                    /* records of one repeat; POISSON: q n */
    double q, n;                     /* q: POISSON: the rate, else 0; n: stored records, or infinite */
    long from, of;                   /* POISSON, REPLACE: drawn from the positions from, ..., from + of -
                                      * 1 of the stream; of = 0: from all records */
    double repeats;
    long step;                       /* prefix sums, iterations: step of the first repeat, from 1; else 0 */
    long stream, length;             /* prefix sums: the stream number, new for fresh noise, and T. Iterations: a
                                        number that is new after every release, and 0. Otherwise 0 and 0 */
    double cover;                    /* prefix sums: prefix_cover; else 0 */
    double failure;
    bool hidden;
    long dimension;                  /* of a noisy maximum: number of candidates */
};

struct ledger {
    struct ledger_entry *entry;
    long entries, room;
    enum adjacency adjacency;        /* the adjacency of the sensitivities; ADJACENCY_NONE: not declared */
    /* How many random draws of each scheme were handed out, and how many of them were made before the last booking.
     * A draw that no release used may have been looked at and passed over because of its records. */
    long drawn[SAMPLING_SHUFFLED + 1], before[SAMPLING_SHUFFLED + 1];
};

void ledger_book(struct ledger *l, const struct ledger_entry *e);
/* Gives l the memory of another ledger's entries, which then holds none. There are many runs, and first use of a
 * memory page is expensive. */
void ledger_take_room(struct ledger *l, struct ledger *from);
void ledger_free(struct ledger *l);

#endif
