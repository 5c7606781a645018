/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger_cost.h - makes ledgers of few entries, and computes their epsilon by each accountant. */
#ifndef ASSAY_TESTS_LEDGER_COST_H
#define ASSAY_TESTS_LEDGER_COST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "privacy/account.h"
#include "privacy/account_ledger.h"
#include "privacy/account_rdp.h"

static const double DELTA = 1e-5;

static inline double by(const struct priced *out, const char *name)
{
    for (int k = 0; k < ACCOUNTANTS; k++)
        if (strcmp(out[k].name, name) == 0)
            return out[k].eps;
    fail_msg("no accountant %s", name);
    return NAN;
}

static inline double priced(const struct ledger *l, double n, double delta, const char *name)
{
    struct priced out[ACCOUNTANTS];
    account_ledger(l, n, delta, out);
    return by(out, name);
}

static inline void expect(const char *what, double got, double truth, double tolerance)
{
    if (!(got == truth || (isfinite(truth) && fabs(got - truth) <= tolerance * fabs(truth))))
        fail_msg("%s: %.17g, expected %.17g", what, got, truth);
}

static inline struct ledger_entry entry(enum mechanism m, double sensitivity, double scale, long first,
                                        long count)
{
    return (struct ledger_entry){
        .site = "test", .mechanism = m, .norm = NORM_2, .sensitivity = sensitivity, .scale = scale,
        .scheme = SAMPLING_FRESH, .first = first, .count = count, .batch = (double)count,
        .repeats = 1, .dimension = 1 };
}

static inline struct ledger_entry to_all(enum mechanism m, double sensitivity, double scale)
{
    struct ledger_entry e = entry(m, sensitivity, scale, 0, 100);
    e.scheme = SAMPLING_ALL;
    e.norm = m == MECHANISM_GAUSSIAN ? NORM_2 : NORM_1;
    return e;
}

/* Returns the epsilon at DELTA of the n entries of one ledger over 100 records, in their order, by one
 * accountant. */
static inline double cost(int n, const struct ledger_entry *e, const char *name)
{
    struct ledger l = { 0 };
    for (int k = 0; k < n; k++)
        ledger_book(&l, &e[k]);
    double eps = priced(&l, 100, DELTA, name);
    ledger_free(&l);
    return eps;
}

/* Returns the least epsilon of the Gaussian mechanism with this mu of Gaussian privacy at delta' (`share`), over a
 * fine grid of delta', subject to delta' + (1 + e^eps) f <= delta: f is the probability of an event in which the
 * mechanism gives no privacy. */
static inline double scanned(double mu, double f, double delta)
{
    double best = INFINITY;
    for (int k = 1; k < 400; k++) {
        double share = delta * k / 400, eps = account_gaussian_eps(mu, share);
        if (share + (1 + exp(eps)) * f <= delta)
            best = fmin(best, eps);
    }
    return best;
}

#endif
