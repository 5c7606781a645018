/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account_ledger.h - what the entries of a run's ledger cost the record that pays most, by every accountant.
 *
 * Which records an entry touches: a fresh batch touches its records once, so that disjoint batches compose in
 * parallel. A part of an epoch in shuffled order touches some records once, and any record may be among them. A
 * release without a ticket touches all records. In a subset or a Poisson sample any record may occur once, in a
 * draw with replacement several times.
 *
 * Amplification by sampling: Gaussian noise on Poisson samples is amplified where records are added, removed or
 * zeroed: by the rdp accountants, and by pld if all releases are alike and there is nothing else. Gaussian noise on
 * subsets is amplified by the rdp accountants (rdp_subset). There is no amplification where two releases share a
 * draw, or where a draw made before the last release was not used. The adjacency is that of the booked
 * sensitivities.
 *
 * Composition: Gaussian noise, prefix sums, Laplace noise and noisy maxima compose. A noisy maximum costs 2
 * sensitivity/scale, since scores are not assumed to move in one direction only; with Gumbel noise the bounded
 * range of the exponential mechanism is used too. In a stream of prefix sums all changes of one record are assumed
 * to go in one direction, the worst case. The price of a stream is exact where the steps of a record are known
 * (fresh tickets, parts of one shuffled ticket), whatever the noise of each step; otherwise each participation is
 * taken at its worst step. Hidden noise is priced as if it were released, except for the steps of an iteration, if
 * it is known which records take part in each step and the release of the iterate follows at once. Without noise
 * epsilon is infinite. The failure probabilities of a record add up to f, and eps is the smallest with delta' + (1
 * + e^eps) f <= delta.
 *
 * A draw of b with replacement from n is priced at m occurrences of a record. More occurrences count as a failure.
 * The probability of this failure is delta/10, delta/10^3, ..., or delta/10^9 for all draws together, whichever
 * gives the smallest price. For Gaussian noise, but not for prefix sums, the rdp accountants also know the
 * amplification of rdp_replacement; there any two of the three cases (the record takes part, it does not, it is
 * changed) differ by up to twice what m occurrences change. */
#ifndef ASSAY_ACCOUNT_LEDGER_H
#define ASSAY_ACCOUNT_LEDGER_H

#include "privacy/ledger.h"

enum { ACCOUNTANTS = 9 };

struct priced {
    const char *name, *note;
    double eps;              /* an upper bound; NaN: the accountant does not apply to the ledger */
    double lower;            /* a lower bound on the smallest epsilon of these mechanisms; NaN: none is known */
};

/* out[ACCOUNTANTS] <- epsilon of the ledger at 0 < delta < 1, by every accountant; n: number of stored records,
 * infinite for a stream. An accountant that needs several sums (one for each order, or sums of two kinds) maximises
 * each of them over the records. The maxima may belong to different records: the result is still an upper bound. */
void account_ledger(const struct ledger *l, double n, double delta, struct priced *out);

/* Returns the smallest epsilon of all accountants; infinite if none applies. */
double account_ledger_least(const struct priced *out);

#endif
