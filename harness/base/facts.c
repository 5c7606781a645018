/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - the facts of facts.h by number, through a table of their names and offsets. */
#include "facts.h"

#include <math.h>
#include <stddef.h>

static const struct { const char *name, *unit, *doc; size_t offset; } table[FACT_COUNT] = {
#define X(name, unit, doc) { #name, unit, doc, offsetof(struct facts, name) },
    FACTS_LIST(X)
#undef X
    { "L_j", "f/x", "half of the largest difference between partial derivatives of two samples",
      offsetof(struct facts, L_j) },
    { "M_j", "f/x^2", "coordinate-smoothness constants of F", offsetof(struct facts, M_j) },
};

struct facts facts_unknown(void)
{
    return (struct facts){
#define X(name, unit, doc) .name = NAN,
        FACTS_LIST(X)
#undef X
    };
}

double fact_value(const struct facts *f, int fact)
{
    if (fact == FACT_L_j || fact == FACT_M_j)
        return NAN;
    return *(const double *)((const char *)f + table[fact].offset);
}

static bool known(const struct facts *f, int fact)
{
    if (fact == FACT_L_j)
        return f->L_j != NULL;
    if (fact == FACT_M_j)
        return f->M_j != NULL;
    return !isnan(fact_value(f, fact));
}

struct facts facts_told(const struct facts *f, unsigned long mask)
{
    struct facts told = facts_unknown();
    mask &= ~FACT_BIT(f_star);
    for (int k = 0; k < FACT_COUNT; k++) {
        if (!(mask >> k & 1))
            continue;
        told.origin[k] = f->origin[k];
        if (k == FACT_L_j)
            told.L_j = f->L_j;
        else if (k == FACT_M_j)
            told.M_j = f->M_j;
        else
            *(double *)((char *)&told + table[k].offset) = fact_value(f, k);
    }
    return told;
}

int facts_missing(const struct facts *f, unsigned long mask)
{
    for (int k = 0; k < FACT_COUNT; k++)
        if (mask >> k & 1 && !known(f, k))
            return k;
    return -1;
}

const char *fact_name(int fact) { return table[fact].name; }
const char *fact_unit(int fact) { return table[fact].unit; }
const char *fact_doc(int fact) { return table[fact].doc; }

struct goal goal_unknown(void)
{
    return (struct goal){
#define X(name, unit, doc) .name = NAN,
        GOAL_LIST(X)
#undef X
    };
}
