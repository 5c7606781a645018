/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_simd.h - vectors of LANES doubles (vd) or 64-bit words (vu), LANES = 2, 4 or 8, by the vector extensions of
 * the compilers. Every function here but lane_sums exists at all widths. */
#ifndef ASSAY_LANES_SIMD_H
#define ASSAY_LANES_SIMD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Vectors of two on other processors than x86-64 are left to the compiler: PLAIN. */
#ifdef __x86_64__
#include <immintrin.h>
#define PLAIN 0
#else
#define PLAIN 1
#endif

typedef double vd __attribute__((vector_size(8 * LANES)));
typedef uint64_t vu __attribute__((vector_size(8 * LANES)));

/* Functions with loops over a constant number of vectors. They must be inlined and unrolled before the compiler
 * allocates registers. */
#define INLINE static inline __attribute__((always_inline))

static inline vu bits(vd x)
{
    vu u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline vd real(vu u)
{
    vd x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline vd load(const double *p)
{
    vd x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* Loads numbers that may just have been stored in two halves. The processor does not forward two stores to one
 * load, and one load would wait until both have reached the cache. */
static inline vd load_halves(const double *p)
{
#if LANES == 8
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(p)), _mm256_loadu_pd(p + 4),
                              1);
#else
    return load(p);
#endif
}

static inline void store(double *p, vd x) { memcpy(p, &x, sizeof x); }

/* Loads and stores of the first n numbers, 0 < n < LANES; load_part sets the other lanes to 0. */
#if LANES == 8
static inline vd load_part(const double *p, long n)
{
    return _mm512_maskz_loadu_pd((__mmask8)((1U << n) - 1), p);
}

static inline void store_part(double *p, vd x, long n)
{
    _mm512_mask_storeu_pd(p, (__mmask8)((1U << n) - 1), x);
}
#elif LANES == 4
/* Loads and stores by halves, not by masks: a masked load waits for recent narrower stores to reach the cache, and
 * masked stores are slow. */
static inline vd load_part(const double *p, long n)
{
    __m256d low = _mm256_zextpd128_pd256(n == 1 ? _mm_load_sd(p) : _mm_loadu_pd(p));
    return n == 3 ? _mm256_insertf128_pd(low, _mm_load_sd(p + 2), 1) : low;
}

static inline void store_part(double *p, vd x, long n)
{
    __m128d low = _mm256_castpd256_pd128(x);
    if (n == 1)
        _mm_store_sd(p, low);
    else
        _mm_storeu_pd(p, low);
    if (n == 3)
        _mm_store_sd(p + 2, _mm256_extractf128_pd(x, 1));
}
#else
static inline vd load_part(const double *p, long n) { return (vd){ *p, 0 }; }
static inline void store_part(double *p, vd x, long n) { *p = x[0]; }
#endif

/* The sum of the lanes: the upper half is added to the lower one until a single number is left. */
static inline double lane_sum(vd x)
{
#if LANES == 8
    __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(x), _mm512_extractf64x4_pd(x, 1));
#elif LANES == 4
    __m256d four = x;
#endif
#if LANES == 2
    vd two = x;
#else
    __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
#endif
    return two[0] + two[1];
}

#if LANES == 8
/* Returns lane_sum of eight vectors, each in the order of lane_sum: the halves, the quarters, the pairs. */
static inline vd lane_sums(const vd *x)
{
    vd half[4], quarter[2];
    for (int k = 0; k < 4; k++) {    /* x_k is paired with x_(k+2), so that the last step leaves the sums in
                                        order */
        int at = k % 2 + k / 2 * 4;
        half[k] = _mm512_add_pd(_mm512_shuffle_f64x2(x[at], x[at + 2], 0x44),
                                _mm512_shuffle_f64x2(x[at], x[at + 2], 0xee));
    }
    for (int k = 0; k < 2; k++)
        quarter[k] = _mm512_add_pd(_mm512_shuffle_f64x2(half[k], half[k + 2], 0x88),
                                   _mm512_shuffle_f64x2(half[k], half[k + 2], 0xdd));
    return _mm512_add_pd(_mm512_unpacklo_pd(quarter[0], quarter[1]),
                         _mm512_unpackhi_pd(quarter[0], quarter[1]));
}
#endif

#if LANES == 4
/* Returns lane_sum of four vectors, each in the order of lane_sum. */
static inline vd lane_sums(const vd *x)
{
    vd pair[2];
    for (int k = 0; k < 2; k++)
        pair[k] = _mm256_add_pd(_mm256_permute2f128_pd(x[k], x[k + 2], 0x20),
                                _mm256_permute2f128_pd(x[k], x[k + 2], 0x31));
    return _mm256_add_pd(_mm256_unpacklo_pd(pair[0], pair[1]), _mm256_unpackhi_pd(pair[0], pair[1]));
}
#endif

/* Returns the same number in every lane. */
static inline vd all(double a) { return a - (vd){ 0 }; }

static inline vu all_u(uint64_t a) { return a - (vu){ 0 }; }

/* Comparisons return masks, whose lanes are all ones or all zeros. */
static inline vu less(vd a, vd b) { return (vu)(a < b); }
static inline vu less_u(vu a, vu b) { return (vu)(a < b); }

/* Is a lane of the mask set? */
#if PLAIN
static inline bool any(vu mask) { return mask[0] | mask[1]; }
#elif LANES == 2
static inline bool any(vu mask) { return _mm_movemask_pd(real(mask)) != 0; }
#elif LANES == 4
static inline bool any(vu mask) { return _mm256_movemask_pd(real(mask)) != 0; }
#elif LANES == 8
static inline bool any(vu mask) { return _mm512_movepi64_mask((__m512i)mask) != 0; }
#endif

#if PLAIN
static inline vd root(vd x) { return (vd){ sqrt(x[0]), sqrt(x[1]) }; }
#elif LANES == 2
static inline vd root(vd x) { return _mm_sqrt_pd(x); }
#elif LANES == 4
static inline vd root(vd x) { return _mm256_sqrt_pd(x); }
#elif LANES == 8
static inline vd root(vd x) { return _mm512_sqrt_pd(x); }
#endif

/* Returns a b + c, rounded once; the C library's fma gives the same number as the instruction. */
static inline vd fused(vd a, vd b, vd c)
{
#if LANES == 4
    return _mm256_fmadd_pd(a, b, c);
#elif LANES == 8
    return _mm512_fmadd_pd(a, b, c);
#else
    double x[LANES], y[LANES], z[LANES];
    store(x, a);
    store(y, b);
    store(z, c);
    for (int k = 0; k < LANES; k++)
        z[k] = fma(x[k], y[k], z[k]);
    return load(z);
#endif
}

/* c[0] + x c[1] + ... + x^(n-1) c[n-1] by Horner's rule with fused multiply-adds. */
INLINE vd horner(int n, const double *c, vd x)
{
    vd y = all(c[n - 1]);
    for (int k = n - 2; k >= 0; k--)
        y = fused(y, x, all(c[k]));
    return y;
}

/* Returns mask ? a : b by lanes. */
static inline vd pick(vu mask, vd a, vd b) { return real((bits(a) & mask) | (bits(b) & ~mask)); }

/* The smaller and the larger of a and b; where a or b is NaN, the result is b. */
#if PLAIN
static inline vd lesser(vd a, vd b) { return pick(less(a, b), a, b); }
static inline vd greater(vd a, vd b) { return pick(less(b, a), a, b); }
#elif LANES == 2
static inline vd lesser(vd a, vd b) { return _mm_min_pd(a, b); }
static inline vd greater(vd a, vd b) { return _mm_max_pd(a, b); }
#elif LANES == 4
static inline vd lesser(vd a, vd b) { return _mm256_min_pd(a, b); }
static inline vd greater(vd a, vd b) { return _mm256_max_pd(a, b); }
#elif LANES == 8
static inline vd lesser(vd a, vd b) { return _mm512_min_pd(a, b); }
static inline vd greater(vd a, vd b) { return _mm512_max_pd(a, b); }
#endif

/* Returns, by lanes, `odd` where u is odd, else `even`. */
static inline vd pick_odd(vu u, vd odd, vd even)
{
#if PLAIN
    return pick(-(u & 1), odd, even);
#elif LANES == 2 && !defined __SSE4_1__
    return _mm_or_pd(_mm_and_pd(real(-(u & 1)), odd), _mm_andnot_pd(real(-(u & 1)), even));
#elif LANES == 2
    return _mm_blendv_pd(even, odd, real(u << 63));
#elif LANES == 4
    return _mm256_blendv_pd(even, odd, real(u << 63));
#elif LANES == 8
    return _mm512_mask_blend_pd(_mm512_test_epi64_mask((__m512i)u, _mm512_set1_epi64(1)), even,
                                odd);
#endif
}

/* Returns a ^ b ^ c. AVX-512 does it in one instruction, which compilers find in some places only. */
static inline vu xor_all(vu a, vu b, vu c)
{
#if LANES == 8
    return (vu)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0x96);
#else
    return a ^ b ^ c;
#endif
}

static inline vd magnitude(vd x) { return real(bits(x) & INT64_MAX); }

/* Returns the double nearest to an unsigned word. */
static inline vd word_to_real(vu u)
{
#if LANES == 8
    return _mm512_cvtepu64_pd((__m512i)u);
#else
    /* high is exactly 2^84 + 2^32 (u >> 32), and low exactly 2^52 + (u & UINT32_MAX). The difference below is exact
     * too, so that only the last addition rounds. */
    vd high = real((u >> 32) | bits(all(0x1p84)));
    vd low = real((u & UINT32_MAX) | bits(all(0x1p52)));
    return (high - (0x1p84 + 0x1p52)) + low;
#endif
}

#endif
