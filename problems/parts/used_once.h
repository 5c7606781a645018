/* SPDX-License-Identifier: GPL-3.0-or-later */
/* used_once.h - facts of a mean of Lipschitz losses of a file's records over R^d, for methods that use
 * every record once. */
#ifndef ASSAY_PARTS_USED_ONCE_H
#define ASSAY_PARTS_USED_ONCE_H

#include <math.h>
#include <string.h>

#include "data.h"
#include "facts.h"

/* A mean over records is in every loss: one record changes what the others answer, which neither a
 * replay nor a ledger of batches sees. */
static inline bool used_once_mixed(const struct data_request *request, bool classes,
                                   const char *target)
{
    bool targets = !classes && strcmp(target, "none") != 0;
    return targets || (request->scaling && strcmp(request->scaling, "zscore") == 0);
}

static inline bool used_once_unit(const struct data_request *request)
{
    return request->scaling && strcmp(request->scaling, "unit") == 0;
}

/* L of a loss whose slope in the score is at most 1: records of norm 1 have it without the data. */
static inline double used_once_L(const struct data_request *request, double longest)
{
    return used_once_unit(request) ? 1 + 1e-12 : longest;
}

/* Where records are mixed, no constant is public: a private run that is told any, be it n or d, is
 * reported as not private. */
static inline void used_once_facts(const struct data_request *request, bool mixed, double n, double d,
                                   double L, double Phi, struct facts *f)
{
    unsigned long lipschitz = FACT_BIT(L) | FACT_BIT(G) | FACT_BIT(sigma);
    unsigned long public = FACT_BIT(n) | FACT_BIT(d) | FACT_BIT(p) | FACT_BIT(radius) |
                           FACT_BIT(diameter) | (used_once_unit(request) ? lipschitz : 0);
    f->d = d;
    f->n = n;
    f->radius = f->diameter = INFINITY;
    f->L = f->G = f->sigma = L;
    f->Phi = Phi;
    for (int k = 0; k < FACT_COUNT; k++)
        f->origin[k] = !mixed && public >> k & 1 ? ORIGIN_PUBLIC : ORIGIN_DATA;
}

#endif
