/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_random.h - random numbers from Philox4x32-10 (Salmon et al., SC 2011), LANES blocks at a time. A block is
 * two words of 64 bits, from which every distribution makes two numbers as stated at its function.
 *
 * Sections: Philox; the distributions; runs of blocks (struct lanes_blocks, struct lanes_apart), by chunks; the
 * kernels of struct lanes. */
#ifndef ASSAY_LANES_RANDOM_H
#define ASSAY_LANES_RANDOM_H

#include "numeric/lanes.h"
#include "numeric/lanes_math.h"

/* ln 2 = LN2 + LN2_REST. */
static const double LN2 = 0x1.62e42fefa39efp-1, LN2_REST = 0x1.abc9e3b39803fp-56;

/* --- Philox: the two words of every block */

enum { PHILOX_ROUNDS = 10 };
static const uint32_t PHILOX_M[2] = { 0xD2511F53, 0xCD9E8D57 };
static const uint32_t PHILOX_W[2] = { 0x9E3779B9, 0xBB67AE85 }; /* added to the key each round */

/* Returns the 64 bits of (lower half of a) * m. */
static inline vu times_low(vu a, uint32_t m)
{
#if LANES == 4
    return (vu)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi64x(m));
#elif LANES == 8
    return (vu)_mm512_mul_epu32((__m512i)a, _mm512_set1_epi64(m));
#elif PLAIN
    return (a & UINT32_MAX) * m;
#else
    return (vu)_mm_mul_epu32((__m128i)a, _mm_set1_epi64x(m));
#endif
}

/* The keys of all rounds. The two keys of the last round are shifted to the upper half, since they are xored with
 * the upper half of a product. */
struct schedule {
    uint64_t k0[PHILOX_ROUNDS], k1[PHILOX_ROUNDS];
};

/* Writes *s in place: if a struct were returned by value and then copied, the copy would wait until its parts are
 * stored. */
static inline void philox_schedule(const uint32_t key[2], struct schedule *s)
{
    for (uint32_t round = 0; round < PHILOX_ROUNDS; round++) {
        int up = round < PHILOX_ROUNDS - 1 ? 0 : 32;
        s->k0[round] = (uint64_t)(key[0] + round * PHILOX_W[0]) << up;
        s->k1[round] = (uint64_t)(key[1] + round * PHILOX_W[1]) << up;
    }
}

/* GROUP: vectors of blocks that go through the rounds side by side. With one vector alone, the processor would wait
 * for each multiplication to end before the next could start. CHUNK: vectors of blocks whose words are stored
 * before a distribution takes them, few enough for the first-level cache. */
enum { GROUP = 4, CHUNK = LANES == 8 ? 16 : 32 };
struct counters {
    vu c0, c1, c2, c3;
};

/* The two words of every block in CHUNK vectors of blocks. */
struct words {
    vu first[CHUNK], second[CHUNK];
};

/* A round maps (c0, c1, c2, c3) to (high(M1 c2) ^ c1 ^ k0, low(M1 c2), high(M0 c0) ^ c3 ^ k1,
 * low(M0 c0)). Each c stands in the lower half of a lane; the upper half is never used. from: the first round. */
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

/* --- the distributions
 *
 * For a word u of 64 bits write (u | 1) 2^-64 = 2^-n (1+f) with |log(1+f)| <= log(2)/2, so that -2 log((u | 1)
 * 2^-64) = 2 n ln 2 - 2 log(1+f). The root of this number, at most 9.4, is the radius of Box and Muller's
 * transform. With s = f/(2+f), log(1+f) = f - s (f - R); log_series in lanes_math.h defines R. The code keeps 2f
 * and 2R in place of f and R, since doubling is exact; n and s are as here. */
struct two_log {
    vd n, f, s;
};

/* Computes from the word u what two_log_sum needs, up to the division for s. */
static inline struct two_log two_log_split(vu u)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcd, twice = UINT64_C(1) << 52;
    vu shifted = bits(word_to_real(u | 1)) + (0x3ff0000000000000 - root_half);
    vd m = real((shifted & (twice - 1)) + (root_half + twice)), f = m - 2;
    vd n = (0x1p52 + 1023 + 64) - real((shifted >> 52) | bits(all(0x1p52)));
    return (struct two_log){ n, f, f / (m + 2) };
}

/* Returns -2 log((u | 1) 2^-64) from what two_log_split has computed for u. */
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

/* Returns the relative rounding error of R = sqrt(q), which is (q - R^2)/(2q). The factor 1/(2q) is computed to
 * within an eighth, which suffices for a correction: the bits of q subtracted from a constant approximate the
 * inverse of q. */
static inline vd root_lost(vd q, vd R)
{
    return fused(-R, R, q) * real(UINT64_C(0x7fce6238502484ba) - bits(q));
}

/* Computes (a, b) = R (1 + lost) (+-cos, sin)(pi/2 r), r = ((u >> 12) | 1) 2^-52 - 1/2 in (-1/2, 1/2). The cosine
 * is negative where bit 1 of u is set, and a and b change places where bit 0 is set. Each of the four cases is a
 * quarter of the circle, so that no angle needs a range reduction. sin pi/2 r = 3/2 r + r ((pi - 3)/2 + r^2
 * S(r^2)), cos pi/2 r = 1 + r^2 C(r^2). The relative errors of these polynomials are at most 2^-56.0 and 2^-55.2;
 * 2^-58.0 and 2^-64.7 before their coefficients are rounded to doubles. */
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

/* Returns -b log((u | 1) 2^-64), with the opposite sign where u is even. p: two_log_split of u. */
static inline vd laplace_of(vu u, struct two_log p, double b)
{
    vd size = (0.5 * b) * two_log_sum(p);
    return real(bits(size) ^ (~u << 63));
}

/* Returns (k + 1/2) 2^-52, where k is the upper 52 bits of u: these are the midpoints of a grid, which lie
 * symmetrically inside (0,1). */
static inline vd uniform_of(vu u) { return real((u >> 12) | bits(all(1))) - (1 - 0x1p-53); }

/* --- runs of blocks: one row, rows of whole vectors, any rows, separate blocks
 *
 * The lanes of a vector hold the blocks 0, LANES/2, 1, LANES/2 + 1, ..., so that store_pairs leaves the numbers in
 * the order of the blocks. */
static inline vu lane_blocks(void)
{
    uint64_t n[LANES];
    vu u;
    for (int k = 0; k < LANES; k++)
        n[k] = (uint64_t)(k % 2 * (LANES / 2) + k / 2);
    memcpy(&u, n, sizeof u);
    return u;
}

/* The blocks of one row, that is, of one substream. The counter words c1, c2 and c3 are equal in all lanes, so that
 * one of the two products of Philox round 1, and one of round 2, are computed once for the row (row_begin). lane:
 * the block of each lane; the other members: what these two rounds use that is the same in all lanes. */
struct row {
    vu lane, c3, k0, k1, q0;
};

INLINE void row_words(struct row *r, const struct schedule *keys, int groups, vu *first, vu *second)
{
    struct counters c[GROUP];
    for (int g = 0; g < groups; g++) {
        vu p0 = times_low(r->lane, PHILOX_M[0]), q1 = times_low((p0 >> 32) ^ r->c3, PHILOX_M[1]);
        c[g] = (struct counters){ (q1 >> 32) ^ r->k0, q1, p0 ^ r->k1, r->q0 };
        r->lane += LANES;
    }
    philox_rounds(keys, 2, groups, c, first, second);
}

static inline struct row row_begin(const struct lanes_blocks *at, const struct schedule *keys)
{
    uint64_t p1 = (at->index & UINT32_MAX) * PHILOX_M[1];
    uint64_t q0 = ((p1 >> 32) ^ (at->block >> 32) ^ at->key[0]) * PHILOX_M[0];
    return (struct row){ .lane = at->block + lane_blocks(),
                         .c3 = all_u((at->index >> 32) ^ at->key[1]),
                         .k0 = all_u((p1 & UINT32_MAX) ^ keys->k0[1]),
                         .k1 = all_u((q0 >> 32) ^ keys->k1[1]),
                         .q0 = all_u(q0) };
}

/* Blocks of rows of any length: every lane has a separate address. column, row: the block of each lane and its
 * substream; last: the last block of a row; wrap: the number of blocks in a row; right, down: how far column and
 * row move from vector to vector. */
struct rows {
    vu column, row, last, wrap, right, down;
};

INLINE void rows_words(struct rows *r, const struct schedule *keys, int groups, vu *first,
                       vu *second)
{
    struct counters c[GROUP];
    for (int g = 0; g < groups; g++) {
        c[g] = (struct counters){ r->column, r->column >> 32, r->row, r->row >> 32 };
        r->column += r->right;
        vu over = less_u(r->last, r->column);
        r->column -= over & r->wrap;
        r->row += r->down - over;
    }
    philox_rounds(keys, 0, groups, c, first, second);
}

/* Returns number / by for number < LANES, by a multiplication: the processor has no division for vectors of words,
 * and would divide lane by lane. */
static inline vu few_over(vu number, uint64_t by)
{
    enum { ONE = 1 << 16 };
    return by < LANES ? times_low(number, ONE / (uint32_t)by + 1) >> 16 : all_u(0);
}

static inline struct rows rows_begin(const struct lanes_blocks *at, const struct schedule *keys)
{
    vu number = lane_blocks(), row = few_over(number, at->per_row);
    return (struct rows){ .column = at->block + number - row * at->per_row,
                          .row = at->index + row,
                          .last = all_u(at->block + at->per_row - 1),
                          .wrap = all_u(at->per_row),
                          .right = all_u(LANES % at->per_row),
                          .down = all_u(LANES / at->per_row) };
}

/* Blocks of rows of whole vectors. All lanes of a vector are in one row, so that the first rounds are as cheap as
 * in struct row. begin, lane: the blocks of the lanes in the first and in the next vector of a row; index: the
 * substream of the row; vector: number of the next vector in the row; per_row: vectors in a row; high: the upper
 * half of the block numbers, xored with the first word of the key; key: its second word. */
struct even {
    vu begin, lane;
    uint64_t index, high, key, vector, per_row;
};

INLINE void even_words(struct even *r, const struct schedule *keys, int groups, vu *first, vu *second)
{
    struct counters c[GROUP];
    for (int g = 0; g < groups; g++) {
        uint64_t p1 = (r->index & UINT32_MAX) * PHILOX_M[1], q0 = ((p1 >> 32) ^ r->high) * PHILOX_M[0];
        vu p0 = times_low(r->lane, PHILOX_M[0]);
        vu q1 = times_low((p0 >> 32) ^ all_u((r->index >> 32) ^ r->key), PHILOX_M[1]);
        c[g] = (struct counters){ (q1 >> 32) ^ all_u((p1 & UINT32_MAX) ^ keys->k0[1]), q1,
                                  p0 ^ all_u((q0 >> 32) ^ keys->k1[1]), all_u(q0) };
        r->lane += LANES;
        if (++r->vector == r->per_row) {
            r->vector = 0;
            r->index++;
            r->lane = r->begin;
        }
    }
    philox_rounds(keys, 2, groups, c, first, second);
}

static inline bool is_even(const struct lanes_blocks *at)
{
    return at->per_row % LANES == 0 && (at->block & UINT32_MAX) + at->per_row <= UINT32_MAX;
}

static inline struct even even_begin(const struct lanes_blocks *at)
{
    vu begin = at->block + lane_blocks();
    return (struct even){ .begin = begin, .lane = begin, .index = at->index,
                          .high = (at->block >> 32) ^ at->key[0], .key = at->key[1],
                          .per_row = at->per_row / LANES };
}

/* Separate blocks: every lane has a separate address and a separate key. */
struct apart {
    struct lanes_apart at;
};

/* Returns the next LANES words of an array, in the order of lane_blocks. */
static inline vu next_apart(const uint64_t **at)
{
    vu u;
    memcpy(&u, *at, sizeof u);
    *at += LANES;
#if LANES == 8
    return (vu)_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), (__m512i)u);
#elif LANES == 4
    return (vu)_mm256_permute4x64_epi64((__m256i)u, 0xd8);
#else
    return u;
#endif
}

/* Computes the words of the next `groups` vectors of separate blocks. unused: for the other kinds of runs the
 * argument is the schedule of the one key. */
INLINE void apart_words(struct apart *r, const struct schedule *unused, int groups, vu *first, vu *second)
{
    struct counters c[GROUP];
    vu k0[GROUP], k1[GROUP];
    for (int g = 0; g < groups; g++) {
        vu block = next_apart(&r->at.block), index = next_apart(&r->at.index);
        c[g] = (struct counters){ block, block >> 32, index, index >> 32 };
        k0[g] = next_apart(&r->at.key);
        k1[g] = k0[g] >> 32;
    }
    for (int round = 0; round < PHILOX_ROUNDS - 1; round++)
        for (int g = 0; g < groups; g++) {
            vu p0 = times_low(c[g].c0, PHILOX_M[0]), p1 = times_low(c[g].c2, PHILOX_M[1]);
            c[g] = (struct counters){ xor_all(p1 >> 32, c[g].c1, k0[g]), p1,
                                      xor_all(p0 >> 32, c[g].c3, k1[g]), p0 };
            k0[g] += PHILOX_W[0];
            k1[g] += PHILOX_W[1];
        }
    for (int g = 0; g < groups; g++) {
        first[g] = xor_all(times_low(c[g].c2, PHILOX_M[1]), c[g].c1 << 32, k0[g] << 32);
        second[g] = xor_all(times_low(c[g].c0, PHILOX_M[0]), c[g].c3 << 32, k1[g] << 32);
    }
}

/* How many vectors go through the rounds side by side, for each kind of run: as many as the registers hold together
 * with their addresses. */
enum {
    GROUP_row = GROUP,
    GROUP_even = GROUP,
    GROUP_rows = LANES == 8 ? GROUP : 2,
    GROUP_apart = GROUP_rows
};

#define WORDS(kind)                                                                      \
    static void kind##_chunk(struct kind *state, const struct schedule *keys,            \
                             long vectors, struct words *w)                              \
    {                                                                                    \
        struct kind r = *state;                                                          \
        long j = 0;                                                                      \
        for (; j + GROUP_##kind <= vectors; j += GROUP_##kind)                           \
            kind##_words(&r, keys, GROUP_##kind, w->first + j, w->second + j);           \
        for (; j + 2 <= vectors; j += 2)                                                 \
            kind##_words(&r, keys, 2, w->first + j, w->second + j);                      \
        for (; j < vectors; j++)                                                         \
            kind##_words(&r, keys, 1, w->first + j, w->second + j);                      \
        *state = r;                                                                      \
    }

WORDS(row)
WORDS(rows)
WORDS(even)
WORDS(apart)

/* The position in a run of blocks. */
struct run {
    enum { RUN_ROW, RUN_ROWS, RUN_EVEN } kind;
    union { struct row row; struct rows rows; struct even even; } at;
};

static inline void run_begin(struct run *r, const struct lanes_blocks *at, const struct schedule *keys,
                             long blocks)
{
    r->kind = at->per_row >= (uint64_t)blocks ? RUN_ROW : is_even(at) ? RUN_EVEN : RUN_ROWS;
    switch (r->kind) {
    case RUN_ROW:  r->at.row = row_begin(at, keys); break;
    case RUN_ROWS: r->at.rows = rows_begin(at, keys); break;
    case RUN_EVEN: r->at.even = even_begin(at); break;
    }
}

static inline void run_chunk(struct run *r, const struct schedule *keys, long vectors, struct words *w)
{
    switch (r->kind) {
    case RUN_ROW:  row_chunk(&r->at.row, keys, vectors, w); break;
    case RUN_ROWS: rows_chunk(&r->at.rows, keys, vectors, w); break;
    case RUN_EVEN: even_chunk(&r->at.even, keys, vectors, w); break;
    }
}

/* --- the kernels of struct lanes
 *
 * out[2 LANES] <- the two numbers a, b of every block, block after block. */
static inline void store_pairs(double *out, vd a, vd b)
{
#if PLAIN
    store(out, (vd){ a[0], b[0] });
    store(out + LANES, (vd){ a[1], b[1] });
#elif LANES == 2
    store(out, _mm_unpacklo_pd(a, b));
    store(out + LANES, _mm_unpackhi_pd(a, b));
#elif LANES == 4
    store(out, _mm256_unpacklo_pd(a, b));
    store(out + LANES, _mm256_unpackhi_pd(a, b));
#elif LANES == 8
    store(out, _mm512_unpacklo_pd(a, b));
    store(out + LANES, _mm512_unpackhi_pd(a, b));
#endif
}

static inline void normals_chunk(const struct words *w, long vectors, double sd, double *out)
{
    vd square[CHUNK];
    for (long j = 0; j < vectors; j++)
        square[j] = minus_two_log(w->first[j]);
    for (long j = 0; j < vectors; j++) {
        vd a, b, R = root(square[j]);
        point_of(w->second[j], sd * R, root_lost(square[j], R), &a, &b);
        store_pairs(out + 2 * LANES * j, a, b);
    }
}

static inline void laplaces_chunk(const struct words *w, long vectors, double b, double *out)
{
    struct two_log first[CHUNK], second[CHUNK];
    for (long j = 0; j < vectors; j++) {
        first[j] = two_log_split(w->first[j]);
        second[j] = two_log_split(w->second[j]);
    }
    for (long j = 0; j < vectors; j++)
        store_pairs(out + 2 * LANES * j, laplace_of(w->first[j], first[j], b),
                    laplace_of(w->second[j], second[j], b));
}

static inline void uniforms_chunk(const struct words *w, long vectors, double unused, double *out)
{
    for (long j = 0; j < vectors; j++)
        store_pairs(out + 2 * LANES * j, uniform_of(w->first[j]), uniform_of(w->second[j]));
}

static inline void words_chunk(const struct words *w, long vectors, double unused, double *out)
{
    for (long j = 0; j < vectors; j++)
        store_pairs(out + 2 * LANES * j, real(w->first[j]), real(w->second[j]));
}

/* Up to FEW numbers are made faster by the narrower vectors of AVX2. The choice is made by a separate function,
 * which reserves no stack for the chunks. */
#if LANES == 8
enum { FEW = 16 };
#define CHOICE(law)                                                                         \
    static void law(const struct lanes_blocks *at, long m, double scale, double *out)       \
    {                                                                                       \
        (m <= FEW ? lanes_avx2.law : law##_many)(at, m, scale, out);                        \
    }
#else
#define CHOICE(law)                                                                         \
    static void law(const struct lanes_blocks *at, long m, double scale, double *out)       \
    {                                                                                       \
        law##_many(at, m, scale, out);                                                      \
    }
#endif

#define DRAWS(law)                                                                              \
    static void law##_many(const struct lanes_blocks *at, long m, double scale, double *out)    \
    {                                                                                           \
        struct schedule keys;                                                                   \
        struct run state;                                                                       \
        philox_schedule(at->key, &keys);                                                        \
        long blocks = m / 2 + m % 2;                                                            \
        run_begin(&state, at, &keys, blocks);                                                   \
        for (long from = 0; from < blocks; from += CHUNK * LANES) {                             \
            struct words w;                                                                     \
            double rest[2 * CHUNK * LANES];                                                     \
            long left = m - 2 * from < 2 * CHUNK * LANES ? m - 2 * from : 2 * CHUNK * LANES;    \
            long vectors = (left + 2 * LANES - 1) / (2 * LANES);                                \
            run_chunk(&state, &keys, vectors, &w);                                              \
            if (left % (2 * LANES)) {                                                           \
                law##_chunk(&w, vectors, scale, rest);                                          \
                for (long j = 0; j < left; j++)                                                 \
                    out[2 * from + j] = rest[j];                                                \
            } else                                                                              \
                law##_chunk(&w, vectors, scale, out + 2 * from);                                \
        }                                                                                       \
    }                                                                                           \
    CHOICE(law)

DRAWS(normals)
DRAWS(laplaces)
DRAWS(uniforms)
DRAWS(words)

#define DRAWS_APART(law)                                                                            \
    static void law##_apart(const struct lanes_apart *at, long blocks, double scale, double *out)   \
    {                                                                                               \
        struct apart state = { *at };                                                               \
        for (; blocks > 0; blocks -= CHUNK * LANES, out += 2 * CHUNK * LANES) {                      \
            struct words w;                                                                         \
            long vectors = blocks < CHUNK * LANES ? blocks / LANES : CHUNK;                         \
            apart_chunk(&state, NULL, vectors, &w);                                                 \
            law##_chunk(&w, vectors, scale, out);                                                   \
        }                                                                                           \
    }

DRAWS_APART(normals)
DRAWS_APART(words)

static double normal(uint64_t first, uint64_t second)
{
    struct words w;
    double pair[2 * LANES];
    w.first[0] = all_u(first);
    w.second[0] = all_u(second);
    normals_chunk(&w, 1, 1, pair);
    return pair[0];
}

static double laplace(uint64_t word, double b)
{
    double x[LANES];
    store(x, laplace_of(all_u(word), two_log_split(all_u(word)), b));
    return x[0];
}

#endif
