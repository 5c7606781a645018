/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes.h - biased coins by the word: 32 coordinates, the lanes, share the random words. */
#ifndef ASSAY_PARTS_LANES_H
#define ASSAY_PARTS_LANES_H

#include "rng.h"

enum { LANES = 32 };

/* The lanes, of those given, in which a uniform number of infinitely many bits is below p < 1: each
 * word gives one more bit of all of them, and halves those that still agree with p. */
static inline uint32_t lanes_below(struct rng *r, double p, uint32_t lanes)
{
    uint32_t below = 0;
    for (uint64_t bits = (uint64_t)(p * 0x1p64); bits && lanes; bits <<= 1) {
        uint32_t u = rng_u32(r);
        below |= bits >> 63 ? lanes & ~u : 0;
        lanes &= bits >> 63 ? u : ~u;
    }
    return below;
}

/* A fair coin in each lane that falls on heads with probability (1 + bias)/2. */
static inline uint32_t lanes_biased(struct rng *r, double bias)
{
    if (bias >= 1)
        return UINT32_MAX;
    uint32_t heads = rng_u32(r);
    return heads | lanes_below(r, bias, ~heads);
}

#endif
