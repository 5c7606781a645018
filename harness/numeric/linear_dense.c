/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_dense.c - the kernels of dense rows for three instruction sets: linear_kernels.h, compiled once for each
 * by macros and function attributes. */
#include "numeric/linear_dense.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "numeric/lanes.h"

enum { LINE = 8 };                   /* doubles in a cache line */
enum { FEW = 4 };                    /* rows that both_few adds beside as many to be scored */
/* The longest rows, in entries, for which both_few prefetches the rows after next. Measured for such rows: 6 to 13%
 * faster on a table in the third-level cache, 0 to 6% slower on one in the first. Longer rows, whose own loads come
 * early enough, become slower by a tenth and more. */
enum { FETCHED = 128 };
enum { HELD_MOST = 4 };              /* rows of up to 4 SIMD vectors are kept in registers by both_held */
enum { SPAN = 64 };                  /* peak finds the largest of 64 entries first, then its place among them */

#define NAME(f) portable_##f
#define TARGET
#define V double
#define W 1
#define DOTS 4
#define ADDS 4
#define CLIPS 2
#define HELD 1
#define LOAD(p) (*(p))
#define STORE(p, v) ((void)(*(p) = (v)))
#define LOADN(p, n) LOAD(p)
#define STOREN(p, n, v) STORE(p, v)
#define SET(a) ((double)(a))
#define SUM(v) (v)
#define SUMS(v, s)                                                                                \
    for (int sums_k = 0; sums_k < DOTS; sums_k++)                                                 \
        (s)[sums_k] = (v)[sums_k]
#define SUMS_FEW(v, s) SUMS(v, s)
#define FMA(a, b, c) ((a) * (b) + (c))
#define MUL(a, b) ((a) * (b))
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define EQUAL(a, b) ((a) == (b))
#define PICK_LESS(p, q, a, b) ((p) < (q) ? (a) : (b))
#include "numeric/linear_kernels.h"

#ifdef __x86_64__

#define AVX2 __attribute__((target("avx2,fma")))

static inline AVX2 double avx2_sum(__m256d v)
{
    __m256d pairs = _mm256_hadd_pd(v, v);
    return _mm_cvtsd_f64(_mm_add_sd(_mm256_castpd256_pd128(pairs),
                                    _mm256_extractf128_pd(pairs, 1)));
}

static inline AVX2 void avx2_sums(const __m256d *v, double *s)
{
    __m256d low = _mm256_hadd_pd(v[0], v[1]), high = _mm256_hadd_pd(v[2], v[3]);
    _mm256_storeu_pd(s, _mm256_add_pd(_mm256_permute2f128_pd(low, high, 0x20),
                                      _mm256_permute2f128_pd(low, high, 0x31)));
}

static inline AVX2 __m256i avx2_first(long n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_set_epi64x(3, 2, 1, 0));
}

#define NAME(f) avx2_##f
#define TARGET AVX2
#define V __m256d
#define W 4
#define DOTS 4
#define ADDS 4
#define CLIPS 2
#define HELD 4
#define LOAD(p) _mm256_loadu_pd(p)
#define STORE(p, v) _mm256_storeu_pd(p, v)
#define LOADN(p, n) _mm256_maskload_pd(p, avx2_first(n))
#define STOREN(p, n, v) _mm256_maskstore_pd(p, avx2_first(n), v)
#define SET(a) _mm256_set1_pd(a)
#define SUM(v) avx2_sum(v)
#define SUMS(v, s) avx2_sums(v, s)
#define SUMS_FEW(v, s) SUMS(v, s)
#define FMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define MUL(a, b) _mm256_mul_pd(a, b)
#define ADD(a, b) _mm256_add_pd(a, b)
#define SUB(a, b) _mm256_sub_pd(a, b)
#define MIN(a, b) _mm256_min_pd(a, b)
#define MAX(a, b) _mm256_max_pd(a, b)
#define EQUAL(a, b) _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ))
#define PICK_LESS(p, q, a, b) _mm256_blendv_pd(b, a, _mm256_cmp_pd(p, q, _CMP_LT_OQ))
#include "numeric/linear_kernels.h"

#define AVX512 __attribute__((target("avx512f,avx512dq,fma")))

/* Sums of neighbouring lanes: a0 + a1, b0 + b1, a2 + a3, ... */
static inline AVX512 __m512d avx512_pairs(__m512d a, __m512d b)
{
    return _mm512_add_pd(_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
}

/* Sums of neighbouring quarters (pairs of doubles); those of a come first. */
static inline AVX512 __m512d avx512_quarters(__m512d a, __m512d b)
{
    return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x88), _mm512_shuffle_f64x2(a, b, 0xdd));
}

static inline AVX512 double avx512_sum(__m512d v)
{
    __m512d half = avx512_pairs(v, v), quarter = avx512_quarters(half, half);
    return _mm512_cvtsd_f64(avx512_quarters(quarter, quarter));
}

static inline AVX512 void avx512_sums(const __m512d *v, double *s)
{
    __m512d low = avx512_quarters(avx512_pairs(v[0], v[1]), avx512_pairs(v[2], v[3]));
    __m512d high = avx512_quarters(avx512_pairs(v[4], v[5]), avx512_pairs(v[6], v[7]));
    _mm512_storeu_pd(s, avx512_quarters(low, high));
}

static inline AVX512 void avx512_sums_few(const __m512d *v, double *s)
{
    __m512d low = avx512_quarters(avx512_pairs(v[0], v[1]), avx512_pairs(v[2], v[3]));
    _mm256_storeu_pd(s, _mm512_castpd512_pd256(avx512_quarters(low, low)));
}

static inline AVX512 __mmask8 avx512_first(long n)
{
    return (__mmask8)((1u << n) - 1);
}

#define NAME(f) avx512_##f
#define TARGET AVX512
#define V __m512d
#define W 8
#define DOTS 8
#define ADDS 8
#define CLIPS 4
#define HELD HELD_MOST
#define LOAD(p) _mm512_loadu_pd(p)
#define STORE(p, v) _mm512_storeu_pd(p, v)
#define LOADN(p, n) _mm512_maskz_loadu_pd(avx512_first(n), p)
#define STOREN(p, n, v) _mm512_mask_storeu_pd(p, avx512_first(n), v)
#define SET(a) _mm512_set1_pd(a)
#define SUM(v) avx512_sum(v)
#define SUMS(v, s) avx512_sums(v, s)
#define SUMS_FEW(v, s) avx512_sums_few(v, s)
#define FMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define MUL(a, b) _mm512_mul_pd(a, b)
#define ADD(a, b) _mm512_add_pd(a, b)
#define SUB(a, b) _mm512_sub_pd(a, b)
#define MIN(a, b) _mm512_min_pd(a, b)
#define MAX(a, b) _mm512_max_pd(a, b)
#define EQUAL(a, b) _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ)
#define PICK_LESS(p, q, a, b) _mm512_mask_blend_pd(_mm512_cmp_pd_mask(p, q, _CMP_LT_OQ), b, a)
#include "numeric/linear_kernels.h"

#endif

const struct linear_kernels *const linear_kernels_of[LANES_COUNT] = {
    [LANES_portable] = &portable_kernels,
#ifdef __x86_64__
    [LANES_avx2] = &avx2_kernels,
    [LANES_avx512] = &avx512_kernels,
#endif
};
