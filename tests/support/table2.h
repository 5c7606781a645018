/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table2.h - for the tests of the methods of Table 2 of the paper resque: a family of stored coins, and the least
 * epsilon that the accountants prove for a run. */
#ifndef ASSAY_TESTS_TABLE2_H
#define ASSAY_TESTS_TABLE2_H

#include "privacy/account_ledger.h"
#include "support/method.h"

enum { D = 6, N = 30 };
static const double EPS = 0.5, DELTA = 1e-3;

static inline struct instance coins(double n)
{
    return INSTANCE(memory, "coins_stored", { "d", D }, { "n", n }, { "bias", 0.3 });
}

static inline double spent(struct method *m, double n, double delta)
{
    struct priced by[ACCOUNTANTS];
    m->o.ledger.adjacency = m->algo->adjacency;  /* the runner sets it in the same way */
    account_ledger(&m->o.ledger, n, delta, by);
    return account_ledger_least(by);
}

#endif
