/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger.h - every use of private randomness in one run, as booked by noise.h. Accountants read it
 * after the run; composition is the maximum over records. */
#ifndef ASSAY_LEDGER_H
#define ASSAY_LEDGER_H

#include "noise.h"

enum mechanism { MECHANISM_GAUSSIAN, MECHANISM_LAPLACE, MECHANISM_NOISY_MAX, MECHANISM_TREE,
                 MECHANISM_ROOT };
const char *mechanism_name(enum mechanism m);

/* One mechanism, or a run of equal ones over adjacent disjoint batches (repeats > 1): each record
 * of [first, first + count) then took part in exactly one of them. */
struct ledger_entry {
    const char *site;
    enum mechanism mechanism;
    enum norm norm;
    double sensitivity, scale;       /* per participation; sd or Laplace b, smallest if per score */
    enum sampling scheme;
    long first, count;               /* records touched, positions in stream order */
    double batch;                    /* records of one repeat */
    double repeats;
    long step;                       /* prefix sums: number of the first repeat; else 0 */
    double cover;                    /* prefix sums: prefix_cover; else 0 */
    double failure;
    bool hidden;
    long dimension;
};

struct ledger {
    struct ledger_entry *entry;
    long entries, room;
};

void ledger_book(struct ledger *l, const struct ledger_entry *e);
void ledger_free(struct ledger *l);

#endif
