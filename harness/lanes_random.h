/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_random.h - LANES blocks of Philox4x32-10 (Salmon et al., SC 2011) at a time, and the laws made
 * of them: a block is two words of 64 bits, and each law takes them as stated at its function. */
#ifndef ASSAY_LANES_RANDOM_H
#define ASSAY_LANES_RANDOM_H

#include "lanes_math.h"

enum { PHILOX_ROUNDS = 10 };
static const uint32_t PHILOX_M[2] = { 0xD2511F53, 0xCD9E8D57 };
static const uint32_t PHILOX_W[2] = { 0x9E3779B9, 0xBB67AE85 };   /* added to the key each round */

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

/* The two 64-bit words of a block, first the more significant halves of both. */
struct words { vu first, second; };

/* A round maps (c0, c1, c2, c3) to (high(M1 c2) ^ c1 ^ k0, low(M1 c2), high(M0 c0) ^ c3 ^ k1,
 * low(M0 c0)). Each c stands in the lower half of a lane; what is above it is never used. */
static inline struct words philox_rounds(const uint32_t key[2], int from, vu c0, vu c1, vu c2, vu c3)
{
    uint32_t k0 = key[0] + (uint32_t)from * PHILOX_W[0], k1 = key[1] + (uint32_t)from * PHILOX_W[1];
    for (int round = from; round < PHILOX_ROUNDS - 1; round++) {
        vu p0 = times_low(c0, PHILOX_M[0]), p1 = times_low(c2, PHILOX_M[1]);
        c0 = (p1 >> 32) ^ c1 ^ all_u(k0);
        c2 = (p0 >> 32) ^ c3 ^ all_u(k1);
        c1 = p1;
        c3 = p0;
        k0 += PHILOX_W[0];
        k1 += PHILOX_W[1];
    }
    return (struct words){ times_low(c2, PHILOX_M[1]) ^ (c1 << 32) ^ all_u((uint64_t)k0 << 32),
                           times_low(c0, PHILOX_M[0]) ^ (c3 << 32) ^ all_u((uint64_t)k1 << 32) };
}

/* Radius and angle of Box and Muller (1958) from a block:
 *     R = sqrt(-2 log((first | 1) 2^-64)),  to 9.4 standard deviations,
 *     angle = pi/2 r,  r = ((second >> 12) | 1) 2^-52 - 1/2 in (-1/2, 1/2),
 *     (a, b) = sd R (+-cos, sin), the sign by bit 1 of second; a and b change places by its bit 0.
 * The four arcs make a circle, so no angle needs a reduction. sin pi/2 r = pi/2 r + r^3 S(r^2), to
 * 2^-58.0 of it; cos pi/2 r = 1 + r^2 C(r^2), to 2^-64.7. */
static inline void normals_of(struct words w, double sd, vd *a, vd *b)
{
    vd R = sd * root(-2 * log_scaled(word_to_real(w.first | 1), 64));
    vd r = real((w.second >> 12) | 0x3ff0000000000001) - 1.5, z = r * r, zz = z * z;
    vd S = (-0x1.4abbce625be47p-1 + z * 0x1.466bc67758d85p-4)
         + zz * ((-0x1.32d2cce3332e0p-8 + z * 0x1.5078301b62875p-13)
         + zz * (-0x1.e300a65a5e88dp-19 + z * 0x1.e403d096c4c1ep-25));
    vd C = (-0x1.3bd3cc9be45dep+0 + z * 0x1.03c1f081b5ab0p-2)
         + zz * ((-0x1.55d3c7e3c95bcp-6 + z * 0x1.e1f50683b42e4p-11)
         + zz * ((-0x1.a6d1ecb741308p-16 + z * 0x1.f9cc6ad0827c6p-22)
         + zz * -0x1.b26fe88c929dbp-28));
    vd sine = r * 0x1.921fb54442d18p+0 + r * (0x1.1a62633145c07p-54 + z * S);
    vd cosine = 1 + z * C;
    vu swap = -(w.second & 1);
    cosine = real(bits(cosine) ^ ((w.second << 62) & ~(uint64_t)INT64_MAX));
    *a = R * pick(swap, sine, cosine);
    *b = R * pick(swap, cosine, sine);
}

/* -b log((u | 1) 2^-64), negative where u is even. */
static inline vd laplace_of(vu u, double b)
{
    vd size = -b * log_scaled(word_to_real(u | 1), 64);
    return real(bits(size) ^ (~u << 63));
}

/* (k + 1/2) 2^-52, k the upper 52 bits of u: the midpoints of a grid, symmetric and inside (0,1). */
static inline vd uniform_of(vu u)
{
    return real((u >> 12) | bits(all(1))) - (1 - 0x1p-53);
}

#endif
