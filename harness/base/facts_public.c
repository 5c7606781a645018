/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts_public.c - a list of names of facts as bits. */
#include "base/facts_public.h"

#include <stdio.h>
#include <string.h>

enum status facts_public(const char *names, unsigned long *mask, struct why *why)
{
    char copy[256], *rest = copy, *word;
    *mask = 0;
    if (snprintf(copy, sizeof copy, "%s", names) >= (int)sizeof copy)
        return why_set(why, BAD_INPUT, "run.public: expected less than %zu characters",
                       sizeof copy);
    while (*copy && (word = strsep(&rest, ","))) {
        int k = 0;
        while (k < FACT_COUNT && strcmp(fact_name(k), word))
            k++;
        if (k == FACT_COUNT || k == FACT_f_star)
            return why_set(why, BAD_INPUT,
                           "run.public: '%s' is no constant that can be told: "
                           "expected names of `assay list facts`, by commas",
                           word);
        *mask |= 1ul << k;
    }
    return OK;
}
