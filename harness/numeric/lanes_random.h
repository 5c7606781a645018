/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_random.h - LANES blocks of Philox4x32-10 (Salmon et al., SC 2011) at a time, and the
 * laws made of them: a block is two words of 64 bits, and each law takes them as stated at its
 * function. */
#ifndef ASSAY_LANES_RANDOM_H
#define ASSAY_LANES_RANDOM_H

#include "numeric/lanes_math.h"

static const double LN2 = 0x1.62e42fefa39efp-1, LN2_REST = 0x1.abc9e3b39803fp-56;

enum { PHILOX_ROUNDS = 10 };
static const uint32_t PHILOX_M[2] = { 0xD2511F53, 0xCD9E8D57 };
static const uint32_t PHILOX_W[2] = { 0x9E3779B9, 0xBB67AE85 }; /* added to the key each round */

/* The lower halves' product, all 64 bits. */
static inline vu times_low(vu a, uint32_t m)
{
#if LANES == 4
    return (vu)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi64x(m));
#elif LANES == 8
    return (vu)_mm512_mul_epu32((__m512i)a, _mm512_set1_epi64(m));
#elif LANES == 2
    return (vu)_mm_mul_epu32((__m128i)a, _mm_set1_epi64x(m));
#else
    return (a & UINT32_MAX) * m;
#endif
}

/* The keys of all rounds; the last two stand where they are added to a product whose upper half
 * they meet. */
struct schedule {
    uint64_t k0[PHILOX_ROUNDS], k1[PHILOX_ROUNDS];
};

/* In place: a copy would wait for the stores of its parts. */
static inline void philox_schedule(const uint32_t key[2], struct schedule *s)
{
    for (uint32_t round = 0; round < PHILOX_ROUNDS; round++) {
        int up = round < PHILOX_ROUNDS - 1 ? 0 : 32;
        s->k0[round] = (uint64_t)(key[0] + round * PHILOX_W[0]) << up;
        s->k1[round] = (uint64_t)(key[1] + round * PHILOX_W[1]) << up;
    }
}

/* GROUP vectors of blocks go through the rounds side by side: one alone waits for its products. */
enum { GROUP = 4, CHUNK = LANES == 8 ? 16 : 32 }; /* vectors */
struct counters {
    vu c0, c1, c2, c3;
};

/* The words of CHUNK vectors of blocks. */
struct words {
    vu first[CHUNK], second[CHUNK];
};

/* A round maps (c0, c1, c2, c3) to (high(M1 c2) ^ c1 ^ k0, low(M1 c2), high(M0 c0) ^ c3 ^ k1,
 * low(M0 c0)). Each c stands in the lower half of a lane; what is above it is never used. */
INLINE void philox_rounds(const struct schedule *s, int from, int groups, struct counters *c,
                          vu *first, vu *second)
{
    for (int round = from; round < PHILOX_ROUNDS - 1; round++)
        for (int g = 0; g < groups; g++) {
            vu p0 = times_low(c[g].c0, PHILOX_M[0]), p1 = times_low(c[g].c2, PHILOX_M[1]);
            c[g].c0 = xor_all(p1 >> 32, c[g].c1, all_u(s->k0[round]));
            c[g].c2 = xor_all(p0 >> 32, c[g].c3, all_u(s->k1[round]));
            c[g].c1 = p1;
            c[g].c3 = p0;
        }
    for (int g = 0; g < groups; g++) {
        first[g] = xor_all(times_low(c[g].c2, PHILOX_M[1]), c[g].c1 << 32, all_u(s->k0[PHILOX_ROUNDS - 1]));
        second[g] = xor_all(times_low(c[g].c0, PHILOX_M[0]), c[g].c3 << 32, all_u(s->k1[PHILOX_ROUNDS - 1]));
    }
}

/* -2 log((u | 1) 2^-64) = 2 n ln 2 - 2 log(1+f), |log(1+f)| <= log(2)/2: of a word of 64 bits,
 * so that its root, the radius of Box and Muller, reaches 9.4. With s = f/(2+f), log(1+f) = f -
 * s (f - R); see log_series in lanes_math.h for R. Everything is doubled, which is exact. */
struct two_log {
    vd n, f, s;
};

/* Up to the quotient s, for which what is left waits. */
static inline struct two_log two_log_split(vu u)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcd, twice = UINT64_C(1) << 52;
    vu shifted = bits(word_to_real(u | 1)) + (0x3ff0000000000000 - root_half);
    vd m = real((shifted & (twice - 1)) + (root_half + twice)), f = m - 2;
    vd n = (0x1p52 + 1023 + 64) - real((shifted >> 52) | bits(all(0x1p52)));
    return (struct two_log){ n, f, f / (m + 2) };
}

static inline vd two_log_sum(struct two_log p)
{
    static const double odd[] = { 2 * 0x1.5555555555593p-1, 2 * 0x1.2492494201ccdp-2,
                                  2 * 0x1.7466420d857f4p-3, 2 * 0x1.2f08ecd4db9fcp-3 };
    static const double even[] = { 2 * 0x1.999999997fca0p-2, 2 * 0x1.c71c51fae8e9ep-3,
                                   2 * 0x1.39a1652273452p-3 };
    vd z = p.s * p.s, w = z * z, R = fused(z, horner(4, odd, w), w * horner(3, even, w));
    vd small = fused(p.s, p.f - R, p.n * (2 * LN2_REST));
    return fused(p.n, all(2 * LN2), small - p.f);
}

static inline vd minus_two_log(vu u) { return two_log_sum(two_log_split(u)); }

/* What a root q -> R has lost, relative to it: (q - R^2)/(2q). The quotient is good to an
 * eighth: the exponent and the fraction of a double, taken from a constant, approximate its
 * inverse. */
static inline vd root_lost(vd q, vd R)
{
    return fused(-R, R, q) * real(UINT64_C(0x7fce6238502484ba) - bits(q));
}

/* (a, b) = R (1 + lost) (+-cos, sin)(pi/2 r), r = ((u >> 12) | 1) 2^-52 - 1/2 in (-1/2, 1/2),
 * the sign by bit 1 of u; a and b change places by its bit 0. The four arcs make a circle, so no
 * angle needs a reduction. sin pi/2 r = 3/2 r + r ((pi - 3)/2 + r^2 S(r^2)), to 2^-58.0 of it;
 * cos pi/2 r = 1 + r^2 C(r^2), to 2^-64.7. */
static inline void point_of(vu u, vd R, vd lost, vd *a, vd *b)
{
    static const double S[] = { -0x1.4abbce625be47p-1,  0x1.466bc67758d85p-4,
                                -0x1.32d2cce3332e0p-8,  0x1.5078301b62875p-13,
                                -0x1.e300a65a5e88dp-19, 0x1.e403d096c4c1ep-25 };
    static const double C[] = { -0x1.3bd3cc9be45dep+0,  0x1.03c1f081b5ab0p-2,
                                -0x1.55d3c7e3c95bcp-6,  0x1.e1f50683b42e4p-11,
                                -0x1.a6d1ecb741308p-16, 0x1.f9cc6ad0827c6p-22,
                                -0x1.b26fe88c929dbp-28 };
    vd r = real((u >> 12) | 0x3ff0000000000001) - 1.5, z = r * r;
    vd small = r * fused(z, horner(6, S, z), fused(lost, all(1.5), all(0x1.21fb54442d184p-4)));
    vd along = fused(R, fused(z, horner(7, C, z), lost), R), across = R * fused(r, all(1.5), small);
    along = real(bits(along) ^ ((u << 62) & ~(uint64_t)INT64_MAX));
    *a = pick_odd(u, across, along);
    *b = pick_odd(u, along, across);
}

/* -b log((u | 1) 2^-64), negative where u is even. p: two_log_split of u. */
static inline vd laplace_of(vu u, struct two_log p, double b)
{
    vd size = (0.5 * b) * two_log_sum(p);
    return real(bits(size) ^ (~u << 63));
}

/* (k + 1/2) 2^-52, k the upper 52 bits of u: the midpoints of a grid, symmetric and inside
 * (0,1). */
static inline vd uniform_of(vu u) { return real((u >> 12) | bits(all(1))) - (1 - 0x1p-53); }

#endif
