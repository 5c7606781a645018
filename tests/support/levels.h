/* SPDX-License-Identifier: GPL-3.0-or-later */
/* levels.h - runs the same calls at every SIMD level that this machine has. */
#ifndef ASSAY_TEST_LEVELS_H
#define ASSAY_TEST_LEVELS_H

#include <stdio.h>

#include "numeric/lanes.h"

/* Calls body(number of the level, ctx) at each level, the portable one first, then restores the level of the
 * environment. Returns the number of levels. */
static inline int each_level(void (*body)(int level, void *ctx), void *ctx)
{
    int met = 0;
    for (int level = 0; level < LANES_COUNT; level++) {
        struct why why;
        if (lanes_use((enum lanes_level)level, &why) == OK)
            body(met++, ctx);
        else
            printf("skip: %s\n", why.text);
    }
    lanes_from_environment(NULL);
    return met;
}

/* Returns |y - exact| in units in the last place of exact; below 2^-1022 in units of the smallest subnormal. */
static inline double ulps(double y, long double exact)
{
    int exponent;
    if (exact == (long double)y)
        return 0;
    frexpl(exact, &exponent);
    return (double)(fabsl((long double)y - exact) / ldexpl(1, fmax(exponent, -1021) - 53));
}

#endif
