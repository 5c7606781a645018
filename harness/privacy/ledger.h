/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger.h - the ledger: a list of every use of private randomness in one run, which the functions of noise.h book
 * as they add noise. After the run an accountant (account_ledger.h) adds up, for each record of the data, the cost
 * of the entries in which this record takes part. The privacy loss of the run is the largest of these sums. */
#ifndef ASSAY_LEDGER_H
#define ASSAY_LEDGER_H

#include "noise.h"

enum mechanism { MECHANISM_GAUSSIAN, MECHANISM_LAPLACE, MECHANISM_NOISY_MAX, MECHANISM_TREE,
                 MECHANISM_ROOT, MECHANISM_GUMBEL_MAX, MECHANISM_EXPONENTIAL_MAX,
                 MECHANISM_STEP,         /* a hidden step of an iteration; sensitivity and scale are in units of the
                                            iterate */
                 MECHANISM_LAST };       /* the release of the iterate; it adds no noise */

/* An entry is one mechanism, or several equal ones over adjacent disjoint batches (repeats > 1). Each record of
 * [first, first + count) took part in exactly one of them. The numbers first and count are positions, whose meaning
 * depends on the scheme:
 *     SAMPLING_FRESH      places of the stream: equal positions are equal records;
 *     SAMPLING_SHUFFLED   places in the order of this draw: equal records for equal draws only;
 *     SAMPLING_ALL        places in storage;
 *     other schemes       places in the draw, where any record may have taken part. REPLACE draws `batch` of n (or
 *                         of the `of` positions below), SUBSET `batch` of n, POISSON each with probability q.
 * Entries with the same `draw` used the same random sample. Amplification by sampling holds for one release a
 * sample: where two releases share one, the accountants count none for this scheme. */
struct ledger_entry {
    const char *site;                /* the name that the algorithm gives to the line of its code that releases */
    enum mechanism mechanism;
    enum norm norm;
    double sensitivity, scale;       /* sensitivity: the largest change by one participation of a record; scale: sd,
                                        or the b of Laplace noise; of a noisy maximum the smallest over the
                                        candidates */
    enum sampling scheme;
    long first, count;               /* the positions of the records that take part; POISSON: all n */
    uint64_t draw;                   /* serial number of the ticket; with repeats, of the first; 0: no ticket */
    double batch;                    /* number of records in one of the repeats; POISSON: q n */
    double q, n;                     /* q: the rate of POISSON, else 0; n: number of stored records, or infinite */
    long from, of;                   /* POISSON, REPLACE: the records are drawn from the positions from, ..., from +
                                        of - 1 of the stream. of = 0: from all records */
    double repeats;
    long step;                       /* prefix sums and iterations: the step of the first repeat, counted from 1;
                                        else 0 */
    long stream, length;             /* prefix sums: `stream` is a number that is new for fresh noise, `length` is
                                        T. Iterations: `stream` is a number that is new after every release,
                                        `length` 0. Otherwise both are 0 */
    double cover;                    /* prefix sums: the result of prefix_cover; else 0 */
    double failure;                  /* probability that the sensitivity does not hold */
    bool hidden;                     /* the noisy vector is not released */
    long dimension;                  /* entries of the vector; of a noisy maximum: number of candidates */
};

struct ledger {
    struct ledger_entry *entry;
    long entries, room;
    enum adjacency adjacency;        /* the adjacency of the sensitivities; ADJACENCY_NONE: not declared */
    /* How many random draws of each scheme were handed out, and how many of them were made before the last booking.
     * A method may have looked at the records of a draw that no release used, and left it out because of them. */
    long drawn[SAMPLING_SHUFFLED + 1], before[SAMPLING_SHUFFLED + 1];
};

/* Appends the entry to the list, or merges it into the last one where it continues that one. */
void ledger_book(struct ledger *l, const struct ledger_entry *e);
/* Moves the memory of the entries of `from` to l, whose list becomes empty, so that the ledger of the next run uses
 * it again: the first use of a page of memory is expensive. */
void ledger_take_room(struct ledger *l, struct ledger *from);
void ledger_free(struct ledger *l);

#endif
