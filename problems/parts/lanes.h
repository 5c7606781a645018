/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes.h - biased coins for 32 coordinates at a time: bit k of a word, the lane k, is the coin of coordinate k. */
#ifndef ASSAY_PARTS_LANES_H
#define ASSAY_PARTS_LANES_H

#include "rng.h"

/* LANES is the number of coordinates in a word. LANES_RUN is the number of samples in a run, the largest that six
 * bit planes can count. */
enum { LANES = 32, LANES_RUN = 63 };

/* Returns the subset of `lanes` in which a uniform number is below p < 1; `bits` are the binary digits of p. A
 * uniform number has infinitely many digits: each random word gives the next digit in every lane, and the lanes
 * whose digits all agree with p so far, on average half as many after each word, stay undecided. */
static inline uint32_t lanes_below_bits(struct rng *r, uint64_t bits, uint32_t lanes)
{
    uint32_t below = 0;
    for (; bits && lanes; bits <<= 1) {
        uint32_t u = rng_u32(r);
        below |= bits >> 63 ? lanes & ~u : 0;
        lanes &= bits >> 63 ? u : ~u;
    }
    return below;
}

static inline uint32_t lanes_below(struct rng *r, double p, uint32_t lanes)
{
    return lanes_below_bits(r, (uint64_t)(p * 0x1p64), lanes);
}

/* Returns a word of coins, each 1 with probability (1 + bias)/2. */
static inline uint32_t lanes_biased(struct rng *r, double bias)
{
    if (bias >= 1)
        return UINT32_MAX;
    uint32_t heads = rng_u32(r);
    return heads | lanes_below(r, bias, ~heads);
}

/* Returns the number that the k-th call of rng_u32 on a stream gives, k = 0, 1, ..., from the row of rng_words_rows
 * for this stream. */
static inline uint32_t lanes_word(const uint64_t *row, int k)
{
    return (uint32_t)(k & 1 ? row[k / 2] : row[k / 2] >> 32);
}

/* heads[m] <- lanes_biased of the substreams first, first + 1, ... of key, in the given lanes; m <= LANES_RUN. ROW
 * words of every substream are drawn together; few samples need more. */
static inline void lanes_biased_run(const struct rng *key, uint64_t first, long m, double bias,
                                    uint32_t lanes, uint32_t *heads)
{
    enum { ROW = 4, WORDS = 2 * ROW };
    uint64_t words[LANES_RUN * ROW];
    int row = bias > 0 ? ROW : 2;
    if (bias < 1)
        rng_words_rows(key, first, m, row, words);
    for (long k = 0; k < m; k++) {
        const uint64_t *w = words + k * row;
        uint32_t up = bias < 1 ? lanes_word(w, 0) : UINT32_MAX, open = lanes & ~up;
        uint64_t bits = bias < 1 ? (uint64_t)(bias * 0x1p64) : 0;
        for (int n = 1; bits && open && n < WORDS; n++, bits <<= 1) {
            uint32_t u = lanes_word(w, n);
            up |= bits >> 63 ? open & ~u : 0;
            open &= bits >> 63 ? u : ~u;
        }
        if (bits && open) {
            struct rng r = rng_at(key, first + (uint64_t)k);
            rng_skip(&r, ROW);
            up |= lanes_below_bits(&r, bits, open);
        }
        heads[k] = up;
    }
}

/* plus[lane] += the sum of the weights w of the samples whose bit is set in heads[m], or their number if w is NULL;
 * m <= LANES_RUN. */
static inline void lanes_tally(const uint32_t *heads, long m, const double *w, double *plus)
{
    enum { PLANES = 6 };             /* plane[p] holds bit p of the count of every lane */
    uint32_t plane[PLANES] = { 0 };
    for (long k = 0; k < m; k++) {
        for (int lane = 0; w && lane < LANES; lane++)
            plus[lane] += heads[k] >> lane & 1 ? w[k] : 0;
        uint32_t bits = w ? 0 : heads[k];
        for (int p = 0; bits && p < PLANES; p++) {
            uint32_t carry = plane[p] & bits;
            plane[p] ^= bits;
            bits = carry;
        }
    }
    for (int p = 0; !w && p < PLANES; p++)
        for (int lane = 0; lane < LANES; lane++)
            plus[lane] += plane[p] >> lane & 1 ? 1 << p : 0;
}

#endif
