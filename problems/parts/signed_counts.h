/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signed_counts.h - how often each of 2d equally likely signed coordinates +-e_j is drawn in n draws, with the
 * exact law. If n is small, every draw is made. If n is large, only the counts are drawn. With 2d = m 2^k, m odd,
 * conditional binomials divide the n draws among m groups; then each group is halved k times, by counting fair
 * coins, which are taken a word at a time. */
#ifndef ASSAY_PARTS_SIGNED_COUNTS_H
#define ASSAY_PARTS_SIGNED_COUNTS_H

#include <gsl/gsl_randist.h>
#include "rng_gsl.h"

enum { COINS_WORD = 52, COINS_KEPT = 128 };

/* Words of 52 fair coins, made from a vector of uniforms, which are multiples of 2^-52. */
struct coins {
    struct rng stream;
    double uniform[COINS_KEPT];
    int left;
};

static inline uint64_t coins_word(struct coins *c)
{
    if (c->left == 0)
        rng_uniforms(&c->stream, c->left = COINS_KEPT, c->uniform);
    return (uint64_t)(int64_t)(c->uniform[--c->left] * 0x1p52);
}

/* Returns the number of set bits, without the instruction POPCNT, which not every x86-64 has. */
static inline long coins_heads(uint64_t w)
{
    w -= w >> 1 & UINT64_C(0x5555555555555555);
    w = (w & UINT64_C(0x3333333333333333)) + (w >> 2 & UINT64_C(0x3333333333333333));
    w = (w + (w >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (long)(w * UINT64_C(0x0101010101010101) >> 56);
}

/* Returns a binomial number of n <= 2^30 trials with probability p. */
static inline long coins_binomial(struct coins *c, double p, long n)
{
    struct rng_gsl view;
    return (long)gsl_ran_binomial(rng_gsl_view(&view, &c->stream), p, (unsigned)n);
}

/* Returns the number of heads of n <= 2^30 fair coins; for large n by the rejection sampler of GSL. */
static inline long coins_half(struct coins *c, long n)
{
    enum { COUNTED_MAX = 2048 };
    long heads = 0;
    if (n > COUNTED_MAX)
        return coins_binomial(c, 0.5, n);
    for (; n >= COINS_WORD; n -= COINS_WORD)
        heads += coins_heads(coins_word(c));
    return n ? heads + coins_heads(coins_word(c) >> (COINS_WORD - n)) : heads;
}

/* g[d] += size times the signed coordinate `cell`: 2j stands for +e_j, 2j + 1 for -e_j. */
static inline void signed_add(long cell, double size, double *g)
{
    g[cell >> 1] += (double)(1 - 2 * (cell & 1)) * size;   /* a branch on a fair coin would be mispredicted
                                                            * half the time */
}

/* Makes n draws among `cells` <= 2^31 signed coordinates; each adds `size` to g. The draws are exactly uniform: a
 * word that falls into the short interval is discarded (Lemire 2019). */
static inline void signed_thrown(struct coins *c, uint64_t cells, long n, double size, double *g)
{
    const uint64_t grid = UINT64_C(1) << COINS_WORD, shortest = grid % cells;
    for (c->left = 0; n > 0;) {
        long now = n < COINS_KEPT ? n : COINS_KEPT;
        rng_uniforms(&c->stream, now, c->uniform);
        for (long i = 0; i < now; i++) {
            uint64_t word = (uint64_t)(int64_t)(c->uniform[i] * 0x1p52);
            __extension__ unsigned __int128 m = (unsigned __int128)word * cells;
            if (((uint64_t)m & (grid - 1)) < shortest)
                continue;
            signed_add((long)(uint64_t)(m >> COINS_WORD), size, g);
            n--;
        }
    }
}

/* Draws n times among the 2^k signed coordinates from `first` on; each draw adds `size` to g. */
static inline void signed_halves(struct coins *c, long first, int k, long n, double size, double *g)
{
    const long FEW = 2;              /* up to this many draws a cell, making every draw is as fast as halving */
    if (k == 0) {
        signed_add(first, size * (double)n, g);
    } else if (n <= FEW << k) {
        for (; n > 0; n--)
            signed_add(first + (long)(coins_word(c) >> (COINS_WORD - k)), size, g);
    } else {
        long lower = coins_half(c, n);
        signed_halves(c, first, k - 1, lower, size, g);
        signed_halves(c, first + (1L << (k - 1)), k - 1, n - lower, size, g);
    }
}

/* g[d] += size times the sum of n <= 2^30 random signed coordinates; d <= 2^30. */
static inline void signed_counts(struct coins *c, long d, long n, double size, double *g)
{
    const long FEW = 4;
    int k = __builtin_ctzl((unsigned long)(2 * d));
    long groups = 2 * d >> k;
    if (n <= FEW * 2 * d) {
        signed_thrown(c, 2 * (uint64_t)d, n, size, g);
        return;
    }
    for (long i = 0; i < groups; i++) {
        long here = i + 1 < groups ? coins_binomial(c, 1 / (double)(groups - i), n) : n;
        signed_halves(c, i << k, k, here, size, g);
        n -= here;
    }
}

#endif
