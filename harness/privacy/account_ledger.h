/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_ledger.h - what the bookings of one run cost the record that pays most, by every
 * accountant.
 *
 * Per record: a fresh batch touches its own records once (disjoint batches are parallel), and so
 * does a part of an epoch in shuffled order, of which every record may be in each entry; a draw
 * with replacement and a release without ticket touch all, a subset or a Poisson sample too, once.
 * Gaussian noise on Poisson samples is amplified by the rdp accountants, and by pld if they are
 * alike and alone, where records are added, removed or zeroed; on subsets by the rdp accountants
 * (rdp_subset); neither where two releases share a draw, or none used one that was made before the
 * last release. Adjacency is that of the sensitivities booked. Gaussian noise, prefix sums, Laplace
 * noise and noisy maxima (2 sensitivity / scale, as no score is assumed to move one way; Gumbel
 * noise with the bounded range of the exponential mechanism) compose. In a stream of prefix sums
 * all changes of one record go one way at worst: exact where its steps are known (fresh tickets,
 * parts of one shuffled ticket) and whatever the noise of each step; else each part is taken at its
 * worst step. Hidden noise is priced as if it were released, but for an iteration's steps known in
 * that sense, where the release of the iterate follows at once. Without noise, epsilon is infinite.
 * Failure masses of a record add up to f, and eps is the smallest with delta' + (1 + e^eps) f <=
 * delta.
 *
 * A draw of b with replacement from n is priced at m occurrences of a record; that there are more
 * counts as failure, of delta/10, delta/10^3, ... delta/10^9 for all draws together, whichever is
 * cheapest. The rdp accountants also know the amplification of rdp_replacement, three cases apart
 * by twice what m occurrences change. */
#ifndef ASSAY_ACCOUNT_LEDGER_H
#define ASSAY_ACCOUNT_LEDGER_H

#include "privacy/ledger.h"

enum { ACCOUNTANTS = 9 };

struct priced {
    const char *name, *note;
    double eps;              /* an upper bound; NaN: does not apply to what was booked */
    double lower;            /* a lower bound on what these mechanisms cost; NaN: none */
};

/* out[ACCOUNTANTS] <- epsilon at 0 < delta < 1; n: stored records, infinite for a stream. Where
 * bounds of several records are taken one by one (orders, counts), the maxima may be of different
 * records: still an upper bound. */
void account_ledger(const struct ledger *l, double n, double delta, struct priced *out);

/* The smallest epsilon; infinite if none applies. */
double account_ledger_least(const struct priced *out);

#endif
