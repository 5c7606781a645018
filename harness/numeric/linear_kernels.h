/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_kernels.h - the kernels of dense rows of one level. A file that includes this header defines LANES, the
 * doubles in a vector (lanes_simd.h), and LEVEL, the name of the table of kernels.
 *
 * Functions below take R rows together, where R is a constant of the call. The sums of a row have the same bits
 * whatever this number is. They differ between levels: by the number of lanes, and because products are fused with
 * sums where the level has the instruction. */
#include <stddef.h>

#include "numeric/lanes_simd.h"
#include "numeric/linear_dense.h"

/* TAKEN, CLIPPED: how many rows a kernel takes at a time, as many as the registers allow. BESIDE: rows that are
 * added beside as many to be scored. HELD: x and g of 2 to HELD vectors are kept in registers. SHORT: the longest
 * rows that are taken as one vector. */
enum { TAKEN = LANES == 8 ? 8 : 4, CLIPPED = LANES == 8 ? 4 : 2, BESIDE = 4 };
enum { HELD = LANES == 2 ? 1 : 4, SHORT = LANES == 2 ? 1 : LANES };
/* The longest rows, in entries, for which the rows after next are prefetched. Measured for such rows: 6 to 13%
 * faster on a table in the third-level cache, 0 to 6% slower on one in the first. Longer rows, whose own loads come
 * early enough, become slower by a tenth and more. */
enum { FETCHED = 128 };
enum { LINE = 8 };                   /* doubles in a cache line */
/* peak finds the span of SPAN entries in which the largest entry stands, then the place in this span alone.
 * span_place has a bit of a 64-bit word for each entry, so that SPAN cannot be larger. */
enum { SPAN = 64 };
/* A sum over a row has a partial sum for the vectors of even number and one for those of odd number; with two lanes
 * one partial sum takes all. A sum over a single row or pair of rows (dot, square_distance, peak) has PARTS vectors
 * of partial sums, since one would wait for the latency of every addition. */
enum { ODD = LANES > 2, PARTS = LANES == 2 ? 2 : 4 };

/* Marks code for long rows: it is not inlined, so that a call for short rows saves no registers for it. */
#define SEPARATE __attribute__((noinline))

/* Returns a b + c, fused where the level has the instruction. */
INLINE vd plus(vd a, vd b, vd c) { return LANES == 2 ? a * b + c : fused(a, b, c); }

/* Loads and stores of a whole vector, or of its first n numbers; the other lanes are loaded as 0. The functions of
 * lanes_simd.h would branch for every row. */
#if LANES == 4
INLINE __m256i first(long n) { return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_set_epi64x(3, 2, 1, 0)); }
INLINE vd take_first(const double *p, long n) { return _mm256_maskload_pd(p, first(n)); }
INLINE void put_first(double *p, vd v, long n) { _mm256_maskstore_pd(p, first(n), v); }
#else
INLINE vd take_first(const double *p, long n) { return load_part(p, n); }
INLINE void put_first(double *p, vd v, long n) { store_part(p, v, n); }
#endif
INLINE vd take(bool whole, const double *p, long n) { return whole ? load(p) : take_first(p, n); }

INLINE void put(bool whole, double *p, vd v, long n)
{
    if (whole)
        store(p, v);
    else
        put_first(p, v, n);
}

#if LANES == 8
/* Sums of neighbouring lanes: a0 + a1, b0 + b1, a2 + a3, ... */
INLINE vd pairs(vd a, vd b) { return _mm512_unpacklo_pd(a, b) + _mm512_unpackhi_pd(a, b); }

/* Sums of neighbouring quarters (pairs of doubles); those of a come first. */
INLINE vd quarters(vd a, vd b) { return _mm512_shuffle_f64x2(a, b, 0x88) + _mm512_shuffle_f64x2(a, b, 0xdd); }
#endif

/* Returns the sum of the lanes: neighbours are added until a single number is left. */
INLINE double row_sum(vd v)
{
#if LANES == 2
    return v[0] + v[1];
#elif LANES == 4
    __m256d two = _mm256_hadd_pd(v, v);
    return two[0] + two[2];
#elif LANES == 8
    vd four = pairs(v, v), two = quarters(four, four);
    return quarters(two, two)[0];
#endif
}

/* s[n] <- row_sum of n vectors; n is below BESIDE, or is BESIDE or TAKEN. */
INLINE void row_sums(const int n, const vd *v, double *s)
{
    if (n < BESIDE) {
        for (int k = 0; k < n; k++)
            s[k] = row_sum(v[k]);
        return;
    }
#if LANES == 8
    vd low = quarters(pairs(v[0], v[1]), pairs(v[2], v[3]));
    if (n == 8)
        store(s, quarters(low, quarters(pairs(v[4], v[5]), pairs(v[6], v[7]))));
    else
        _mm256_storeu_pd(s, _mm512_castpd512_pd256(quarters(low, low)));
#elif LANES == 4
    vd low = _mm256_hadd_pd(v[0], v[1]), high = _mm256_hadd_pd(v[2], v[3]);
    store(s, _mm256_permute2f128_pd(low, high, 0x20) + _mm256_permute2f128_pd(low, high, 0x31));
#else
    for (int k = 0; k < n; k += 2)
        store(s + k, (vd){ v[k][0], v[k + 1][0] } + (vd){ v[k][1], v[k + 1][1] });
#endif
}

/* Returns the sum of all lanes of part[PARTS]; with two lanes each vector is summed first. */
INLINE double parts_sum(const vd *part)
{
    return LANES == 2 ? row_sum(part[0]) + row_sum(part[1]) : row_sum((part[0] + part[1]) + (part[2] + part[3]));
}

/* --- rows: their scores, and their sum */

/* sum[R] += the products of one vector of R rows with that of x. */
INLINE void score_step(const int R, bool whole, long n, const double *const *row, const double *x, long j, vd *sum)
{
    vd x0 = take(whole, x + j, n);
    for (int r = 0; r < R; r++)
        sum[r] = plus(take(whole, row[r] + j, n), x0, sum[r]);
}

/* One vector of g += sum_r w_r row_r, in this order. */
INLINE void add_step(const int R, bool whole, long n, const double *const *row, const vd *w, double *g, long j)
{
    vd g0 = take(whole, g + j, n);
    for (int r = 0; r < R; r++)
        g0 = plus(w[r], take(whole, row[r] + j, n), g0);
    put(whole, g + j, g0, n);
}

/* s[R] <- the scores whose partial sums these are. */
INLINE void score_sums(const int R, vd (*sum)[TAKEN], double *s)
{
    for (int r = 0; ODD && r < R; r++)
        sum[0][r] += sum[1][r];
    row_sums(R, sum[0], s);
}

/* With `add`: g[d] += sum_r c_r row_r, in this order. With `score`: s[R] <- <other_r, x>; meanwhile the rows of
 * next, if it is not NULL, are prefetched to the second-level cache. With both, the others come to the first-level
 * cache while the rows, which are in it already, are added; more than BESIDE rows would need more pointers than
 * there are registers. ahead: the R rows behind the others are prefetched, which helps if rows follow one another
 * in memory. */
INLINE void rows_few(const int R, const bool add, const bool score, const bool ahead, long d,
                     const double *const *row, const double *c, double *g, const double *const *other,
                     const double *const *next, const double *x, double *s)
{
    vd w[TAKEN], sum[2][TAKEN];
    const double *a[TAKEN], *b[TAKEN];   /* copies of row and other, which no store to g can change */
    long j = 0;
    for (int r = 0; r < R; r++) {
        a[r] = add ? row[r] : NULL;
        b[r] = score ? other[r] : NULL;
        w[r] = all(add ? c[r] : 0);
        sum[0][r] = sum[1][r] = all(0);
    }
    for (; j + 2 * LANES <= d; j += 2 * LANES) {
        for (long i = j; i < j + 2 * LANES; i += LANES) {
            if (score)
                score_step(R, true, LANES, b, x, i, sum[ODD && i > j]);
            if (add)
                add_step(R, true, LANES, a, w, g, i);
        }
        for (int r = 0; ahead && r < R; r++)
            __builtin_prefetch(b[r] + R * d + j, 0, 3);
        for (int r = 0; next && r < R; r++)
            for (int line = 0; line < 2 * LANES; line += LINE)
                __builtin_prefetch(next[r] + j + line, 0, 2);
    }
    for (; j + LANES <= d; j += LANES) {
        if (score)
            score_step(R, true, LANES, b, x, j, sum[0]);
        if (add)
            add_step(R, true, LANES, a, w, g, j);
    }
    if (j < d) {
        if (score)
            score_step(R, false, d - j, b, x, j, sum[ODD]);
        if (add)
            add_step(R, false, d - j, a, w, g, j);
    }
    if (score)
        score_sums(R, sum, s);
}

/* R rows of at most SHORT numbers. */
INLINE void score_short(const int R, long d, const double *const *row, vd x, double *s)
{
    vd v[TAKEN];
    for (int r = 0; r < R; r++)
        v[r] = take_first(row[r], d) * x;
    for (int r = 0; SHORT == 1 && r < R; r++)
        s[r] = v[r][0];
    if (SHORT > 1)
        row_sums(R, v, s);
}

static void dots_short(long m, long d, const double *const *row, const double *x, double *s)
{
    vd x0 = take_first(x, d);
    long k = 0;
    for (; k + TAKEN <= m; k += TAKEN)
        score_short(TAKEN, d, row + k, x0, s + k);
    for (; TAKEN > BESIDE && k + BESIDE <= m; k += BESIDE)
        score_short(BESIDE, d, row + k, x0, s + k);
    for (; k < m; k++)
        score_short(1, d, row + k, x0, s + k);
}

static SEPARATE void dots_long(long m, long d, const double *const *row, long fetch, const double *const *next,
                               const double *x, double *s)
{
    long k = 0;
    for (; k + TAKEN <= m && k + TAKEN <= fetch; k += TAKEN)
        rows_few(TAKEN, false, true, false, d, NULL, NULL, NULL, row + k, next + k, x, s + k);
    for (; k + TAKEN <= m; k += TAKEN)
        rows_few(TAKEN, false, true, false, d, NULL, NULL, NULL, row + k, NULL, x, s + k);
    for (; k < m; k++)
        rows_few(1, false, true, false, d, NULL, NULL, NULL, row + k, NULL, x, s + k);
}

static void dots(long m, long d, const double *const *row, long fetch, const double *const *next, const double *x,
                 double *s)
{
    if (d > 0 && d <= SHORT)
        dots_short(m, d, row, x, s);
    else
        dots_long(m, d, row, fetch, next, x, s);
}

static SEPARATE void adds_long(long m, long d, const double *const *row, const double *c, double *g)
{
    long k = 0;
    for (; k + TAKEN <= m; k += TAKEN)
        rows_few(TAKEN, true, false, false, d, row + k, c + k, g, NULL, NULL, NULL, NULL);
    for (; k < m; k++)
        rows_few(1, true, false, false, d, row + k, c + k, g, NULL, NULL, NULL, NULL);
}

static void adds(long m, long d, const double *const *row, const double *c, double *g)
{
    if (d <= 0 || d > SHORT) {
        adds_long(m, d, row, c, g);
        return;
    }
    vd g0 = take_first(g, d);        /* loaded and stored once */
    for (long k = 0; k < m; k++)
        g0 = plus(all(c[k]), take_first(row[k], d), g0);
    put_first(g, g0, d);
}

/* adds and dots of m rows of one vector each, m a multiple of TAKEN. The additions to g wait for one another, and
 * the dot products fill that time. */
static void both_short(long m, long d, const double *const *row, const double *c, double *g,
                       const double *const *other, const double *x, double *s)
{
    vd x0 = take_first(x, d), g0 = take_first(g, d);
    for (long k = 0; k < m; k += TAKEN) {
        for (int r = 0; r < TAKEN; r++)
            g0 = plus(all(c[k + r]), take_first(row[k + r], d), g0);
        score_short(TAKEN, d, other + k, x0, s + k);
    }
    put_first(g, g0, d);
}

/* adds and dots of m rows of n vectors each, m a multiple of BESIDE; part: the last vector is not whole. x and g
 * stay in registers, since loading them anew would take as long as loading the rows. */
INLINE void both_held(const int n, const bool part, long m, long d, const double *const *row, const double *c,
                      double *g, const double *const *other, const double *x, double *s)
{
    vd x0[HELD], g0[HELD];
    const long left = d - (n - 1) * LANES;
    for (int j = 0; j < n; j++) {
        x0[j] = take(!part || j < n - 1, x + j * LANES, left);
        g0[j] = take(!part || j < n - 1, g + j * LANES, left);
    }
    for (long k = 0; k < m; k += BESIDE) {
        vd sum[2][TAKEN];
        for (int r = 0; r < BESIDE; r++) {
            vd w = all(c[k + r]);
            sum[0][r] = sum[1][r] = all(0);
            for (int j = 0; j < n; j++) {
                bool whole = !part || j < n - 1;
                vd *to = &sum[!whole || j % 2][r];
                *to = plus(take(whole, other[k + r] + j * LANES, left), x0[j], *to);
                g0[j] = plus(w, take(whole, row[k + r] + j * LANES, left), g0[j]);
            }
        }
        score_sums(BESIDE, sum, s + k);
    }
    for (int j = 0; j < n; j++)
        put(!part || j < n - 1, g + j * LANES, g0[j], left);
}

/* both_held by the number of vectors in a row, with code of its own for each number. */
static void both_held_rows(long m, long d, const double *const *row, const double *c, double *g,
                           const double *const *other, const double *x, double *s)
{
#define HELD_CASE(n)                                                                                             \
    case n:                                                                                                      \
        if (d % LANES)                                                                                           \
            both_held(n, true, m, d, row, c, g, other, x, s);                                                    \
        else                                                                                                     \
            both_held(n, false, m, d, row, c, g, other, x, s);                                                   \
        break;
    switch ((d + LANES - 1) / LANES) {
        HELD_CASE(2)
        HELD_CASE(3)
        HELD_CASE(4)
    }
}

static void adds_dots(long d, long m, const double *const *row, const double *c, double *g, long others,
                      const double *const *other, const double *x, double *s)
{
    long k = 0, both = m < others ? m : others;
    if (d > 0 && d <= SHORT) {
        k = both / TAKEN * TAKEN;
        if (k)
            both_short(k, d, row, c, g, other, x, s);
    } else if (d > LANES && d <= HELD * LANES) {
        k = both / BESIDE * BESIDE;
        if (k)
            both_held_rows(k, d, row, c, g, other, x, s);
    }
    for (; d <= FETCHED && k + BESIDE <= both; k += BESIDE)
        rows_few(BESIDE, true, true, true, d, row + k, c + k, g, other + k, NULL, x, s + k);
    for (; k + BESIDE <= both; k += BESIDE)
        rows_few(BESIDE, true, true, false, d, row + k, c + k, g, other + k, NULL, x, s + k);
    if (k < m)
        adds(m - k, d, row + k, c + k, g);
    if (k < others)
        dots(others - k, d, other + k, 0, NULL, x, s + k);
}

/* --- rows that are clipped by coordinate */

/* A sum of the squares of a row: by lanes; with two lanes, number after number. */
#if LANES == 2
typedef double squares;
INLINE squares plus_squares(bool whole, vd v, squares s)
{
    s += v[0] * v[0];
    return whole ? s + v[1] * v[1] : s;
}
INLINE double squares_sum(squares s) { return s; }
#else
typedef vd squares;
INLINE squares plus_squares(bool whole, vd v, squares s) { return plus(v, v, s); }
INLINE double squares_sum(squares s) { return row_sum(s); }
#endif

/* What a clipping kernel keeps of R rows: the sums of |v|^2 and of the square of what is clipped, for v = slope row
 * + rest; the weights. */
struct clipped {
    squares size[CLIPPED], lost[CLIPPED];
    vd slope[CLIPPED], weight[CLIPPED];
};

/* One vector of v: its part outside of [-C, C] goes to `lost`, and the clamped v, times the weight, to g. A NaN in
 * v makes lost NaN. */
INLINE void clip_step(const int R, bool whole, long n, const double *const *row, const double *rest,
                      const double *C, struct clipped *q, double *g, long j)
{
    vd b = take(whole, C + j, n), g0 = take(whole, g + j, n), r0 = rest ? take(whole, rest + j, n) : all(0);
    for (int k = 0; k < R; k++) {
        vd v = plus(q->slope[k], take(whole, row[k] + j, n), r0);
        vd kept = greater(all(0) - b, lesser(b, v));
        q->size[k] = plus_squares(whole, v, q->size[k]);
        q->lost[k] = plus_squares(whole, v - kept, q->lost[k]);
        g0 = plus(q->weight[k], kept, g0);
    }
    put(whole, g + j, g0, n);
}

/* `clips` for R rows. With `score`: also s[R] <- <other_r, x>, with the bits of dots. */
INLINE void clip_few(const int R, const bool score, long d, const double *const *row, const double *u,
                     const double *rest, const double *C, const double *w, double *g, double *norm2,
                     double *lost2, const double *const *other, const double *x, double *s)
{
    struct clipped q;
    vd sum[2][TAKEN];
    const double *a[CLIPPED], *b[CLIPPED];
    long j = 0;
    for (int k = 0; k < R; k++) {
        q.size[k] = q.lost[k] = (squares){ 0 };
        sum[0][k] = sum[1][k] = all(0);
        q.slope[k] = all(u[k]);
        q.weight[k] = all(w[k]);
        a[k] = row[k];
        b[k] = score ? other[k] : NULL;
    }
    for (; score && j + 2 * LANES <= d; j += 2 * LANES)
        for (long i = j; i < j + 2 * LANES; i += LANES) {
            score_step(R, true, LANES, b, x, i, sum[ODD && i > j]);
            clip_step(R, true, LANES, a, rest, C, &q, g, i);
        }
    for (; j + LANES <= d; j += LANES) {
        if (score)
            score_step(R, true, LANES, b, x, j, sum[0]);
        clip_step(R, true, LANES, a, rest, C, &q, g, j);
    }
    if (j < d) {
        if (score)
            score_step(R, false, d - j, b, x, j, sum[ODD]);
        clip_step(R, false, d - j, a, rest, C, &q, g, j);
    }
    for (int k = 0; k < R; k++) {
        norm2[k] = squares_sum(q.size[k]);
        lost2[k] = squares_sum(q.lost[k]);
    }
    if (score)
        score_sums(R, sum, s);
}

static void clips(long m, long d, const double *const *row, const double *u, const double *r, const double *C,
                  const double *w, double *g, double *norm2, double *lost2)
{
    long k = 0;
    for (; k + CLIPPED <= m; k += CLIPPED)
        clip_few(CLIPPED, false, d, row + k, u + k, r, C, w + k, g, norm2 + k, lost2 + k, NULL, NULL, NULL);
    for (; k < m; k++)
        clip_few(1, false, d, row + k, u + k, r, C, w + k, g, norm2 + k, lost2 + k, NULL, NULL, NULL);
}

static void clips_dots(long d, long m, const double *const *row, const double *u, const double *C, const double *w,
                       double *g, double *norm2, double *lost2, long others, const double *const *other,
                       const double *x, double *s)
{
    long k = 0, both = d > SHORT ? m < others ? m : others : 0;
    for (; k + CLIPPED <= both; k += CLIPPED)
        clip_few(CLIPPED, true, d, row + k, u + k, NULL, C, w + k, g, norm2 + k, lost2 + k, other + k, x, s + k);
    if (k < m)
        clips(m - k, d, row + k, u + k, NULL, C, w + k, g, norm2 + k, lost2 + k);
    if (k < others)
        dots(others - k, d, other + k, 0, NULL, x, s + k);
}

/* --- rows that are scored and moved */

/* One vector of R rows of z[R*d]: sum[r] += its products with that of x; then z_r <- b + a z_r, not fused. All rows
 * are loaded before the first is stored. */
INLINE void move_step(const int R, bool whole, long n, long d, const double *x, vd a, const double *b, double *z,
                      long j, vd *sum)
{
    vd x0 = take(whole, x + j, n), b0 = take(whole, b + j, n), v[TAKEN];
    for (int r = 0; r < R; r++)
        v[r] = take(whole, z + r * d + j, n);
    for (int r = 0; r < R; r++) {
        sum[r] = plus(v[r], x0, sum[r]);
        put(whole, z + r * d + j, b0 + a * v[r], n);
    }
}

INLINE void move_few(const int R, long d, const double *x, double a, const double *b, double *z, double *s)
{
    vd sum[2][TAKEN];
    long j = 0;
    for (int r = 0; r < R; r++)
        sum[0][r] = sum[1][r] = all(0);
    for (; j + 2 * LANES <= d; j += 2 * LANES)
        for (long i = j; i < j + 2 * LANES; i += LANES)
            move_step(R, true, LANES, d, x, all(a), b, z, i, sum[ODD && i > j]);
    for (; j + LANES <= d; j += LANES)
        move_step(R, true, LANES, d, x, all(a), b, z, j, sum[0]);
    if (j < d)
        move_step(R, false, d - j, d, x, all(a), b, z, j, sum[ODD]);
    score_sums(R, sum, s);
}

static void dots_move(long m, long d, const double *x, double a, const double *b, double *z, double *s)
{
    long k = 0;
    for (; k + TAKEN <= m; k += TAKEN)
        move_few(TAKEN, d, x, a, b, z + k * d, s + k);
    for (; k < m; k++)
        move_few(1, d, x, a, b, z + k * d, s + k);
}

/* --- kernels of one or two vectors: largest entry, products, distances, combinations */

/* Returns the largest of SPAN entries in each lane, found by independent chains; part[PARTS] += the squares of the
 * entries. */
INLINE vd span_top(const double *x, vd *part)
{
    vd top[PARTS];
    for (int k = 0; k < PARTS; k++)
        top[k] = all(-INFINITY);
    for (long j = 0; j < SPAN; j += PARTS * LANES)
        for (int k = 0; k < PARTS; k++) {
            vd v = load(x + j + k * LANES);
            top[k] = greater(v, top[k]);
            part[k] = plus(v, v, part[k]);
        }
    for (int k = PARTS / 2; k > 0; k /= 2)
        for (int i = 0; i < k; i++)
            top[i] = greater(top[i], top[i + k]);
    return top[0];
}

/* Returns a word with one bit for each lane, set where a == b. */
INLINE uint64_t equal_lanes(vd a, vd b)
{
#if PLAIN
    return (a[0] == b[0]) | (a[1] == b[1]) << 1;
#elif LANES == 2
    return (uint64_t)_mm_movemask_pd(_mm_cmpeq_pd(a, b));
#elif LANES == 4
    return (uint64_t)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ));
#elif LANES == 8
    return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
#endif
}

/* Returns the place of the first of SPAN entries that equals `top`; SPAN where none does. All entries are compared,
 * since the branch that ends a search could not be predicted. */
INLINE long span_place(const double *x, double top)
{
    uint64_t equal = 0;
    for (long j = 0; j < SPAN; j += LANES)
        equal |= equal_lanes(load(x + j), all(top)) << j;
    return equal ? __builtin_ctzll(equal) : SPAN;
}

/* The kernel of vec_peak. Each lane keeps the largest entry that it has met and the first span in which that entry
 * stands. */
static long peak(long d, const double *x, double *square)
{
    vd part[PARTS], most = all(-INFINITY), where = all(0);
    double top = -INFINITY, rest = 0, from = 0, lane[LANES];
    long best = 0, j = 0;
    for (int k = 0; k < PARTS; k++)
        part[k] = all(0);
    for (; j + SPAN <= d; j += SPAN) {
        vd here = span_top(x + j, part);
        where = pick(less(most, here), all((double)j), where);
        most = greater(here, most);
    }
    if (j > 0) {
        store(lane, most);
        for (int k = 0; k < LANES; k++)
            top = lane[k] > top ? lane[k] : top;
        store(lane, pick(less(most, all(top)), all((double)d), where));
        from = lane[0];
        for (int k = 1; k < LANES; k++)
            from = lane[k] < from ? lane[k] : from;
    }
    for (long at = (long)from, in; at < j; at += SPAN)   /* goes on only where all entries are -infinity */
        if ((in = span_place(x + at, top)) < SPAN) {
            best = at + in;
            break;
        }
    for (; j < d; j++) {
        best = x[j] > top ? j : best;
        top = x[j] > top ? x[j] : top;
        rest += x[j] * x[j];
    }
    *square = rest + parts_sum(part);
    return best;
}

/* part += the products of one vector of x with that of y; with `apart`, the squares of their differences. */
INLINE void pair_step(const bool apart, bool whole, long n, const double *x, const double *y, vd *part)
{
    vd v = take(whole, x, n), w = take(whole, y, n), difference = v - w;
    *part = apart ? plus(difference, difference, *part) : plus(v, w, *part);
}

/* What is left behind the last PARTS vectors goes to the first partial sum, and a last vector that is not whole to
 * the second. With two lanes, the first lane of the first partial sum takes all that is left, number by number. */
INLINE double pair_sum(const bool apart, long d, const double *x, const double *y)
{
    vd part[PARTS];
    long j = 0;
    for (int k = 0; k < PARTS; k++)
        part[k] = all(0);
    for (; j + PARTS * LANES <= d; j += PARTS * LANES)
        for (int k = 0; k < PARTS; k++)
            pair_step(apart, true, LANES, x + j + k * LANES, y + j + k * LANES, &part[k]);
#if LANES == 2
    double first = part[0][0];
    for (; j < d; j++)
        first += apart ? (x[j] - y[j]) * (x[j] - y[j]) : x[j] * y[j];
    return (first + part[0][1]) + row_sum(part[1]);
#else
    for (; j + LANES <= d; j += LANES)
        pair_step(apart, true, LANES, x + j, y + j, &part[0]);
    if (j < d)
        pair_step(apart, false, d - j, x + j, y + j, &part[1]);
    return parts_sum(part);
#endif
}

static double dot(long d, const double *x, const double *y) { return pair_sum(false, d, x, y); }

static double square_distance(long d, const double *x, const double *y) { return pair_sum(true, d, x, y); }

/* Returns a vector of a x + b y, not fused. one: b is 1. */
INLINE vd combined(const bool one, vd a, vd x, vd b, vd y) { return a * x + (one ? y : b * y); }

/* z = a x + b y; z may be x or y. Short vectors are taken two at a time, since the speed of a shorter
 * loop depends on its place in memory. */
INLINE void combine(const bool one, long d, double a, const double *x, double b, const double *y, double *z)
{
    vd A = all(a), B = all(b);
    long j = 0;
    for (; LANES < 8 && j + 2 * LANES <= d; j += 2 * LANES) {
        vd first = combined(one, A, load(x + j), B, load(y + j));
        vd second = combined(one, A, load(x + j + LANES), B, load(y + j + LANES));
        store(z + j, first);
        store(z + j + LANES, second);
    }
    for (; j + LANES <= d; j += LANES)
        store(z + j, combined(one, A, load(x + j), B, load(y + j)));
    if (j < d)
        put_first(z + j, combined(one, A, take_first(x + j, d - j), B, take_first(y + j, d - j)), d - j);
}

static void axpy(long d, double a, const double *x, double *y) { combine(true, d, a, x, 1, y, y); }

static void lincomb(long d, double a, const double *x, double b, const double *y, double *z)
{
    combine(false, d, a, x, b, y, z);
}

INLINE void step_vector(const bool mean, const bool pulled, bool whole, long n, const vd *f, const double *g,
                        const double *z, double *x, double *m)
{
    vd from = take(whole, x, n), to = f[0] * combined(false, f[1], from, f[2], take(whole, g, n));
    if (mean)
        put(whole, m, combined(false, f[4], take(whole, m, n), f[5], from), n);
    put(whole, x, pulled ? to + f[3] * take(whole, z, n) : to, n);
}

INLINE void step_of(const bool mean, const bool pulled, long d, const struct vec_step *f, const double *g,
                    const double *z, double *restrict x, double *restrict m)
{
    const vd all_of[] = { all(f->keep), all(f->a), all(f->b), all(f->c), all(f->old), all(f->new) };
    long j = 0;
    for (; j + 2 * LANES <= d; j += 2 * LANES) {
        step_vector(mean, pulled, true, LANES, all_of, g + j, z + j, x + j, m + j);
        step_vector(mean, pulled, true, LANES, all_of, g + j + LANES, z + j + LANES, x + j + LANES, m + j + LANES);
    }
    for (; j + LANES <= d; j += LANES)
        step_vector(mean, pulled, true, LANES, all_of, g + j, z + j, x + j, m + j);
    if (j < d)
        step_vector(mean, pulled, false, d - j, all_of, g + j, z + j, x + j, m + j);
}

static void step(long d, const struct vec_step *f, const double *g, const double *z, double *x, double *m)
{
    if (z && m)
        step_of(true, true, d, f, g, z, x, m);
    else if (z)
        step_of(false, true, d, f, g, z, x, m);
    else if (m)
        step_of(true, false, d, f, g, z, x, m);
    else
        step_of(false, false, d, f, g, z, x, m);
}

/* --- sums over the rows of a table */

/* axpys for P whole vectors of columns or, with P = 1, for n columns that fill no vector; their sums stay in
 * registers for all rows. */
INLINE void axpys_panel(const int P, bool whole, long n, long m, long d, const double *A, const double *c,
                        double *g)
{
    vd sum[4];
    for (int p = 0; p < P; p++)
        sum[p] = take(whole, g + p * LANES, n);
    for (long k = 0; k < m; k++, A += d)
        for (int p = 0; p < P; p++)
            sum[p] += all(c[k]) * take(whole, A + p * LANES, n);
    for (int p = 0; p < P; p++)
        put(whole, g + p * LANES, sum[p], n);
}

static void axpys(long m, long d, const double *A, const double *c, double *g)
{
    long j = 0;
    for (; j + 4 * LANES <= d; j += 4 * LANES)
        axpys_panel(4, true, LANES, m, d, A + j, c, g + j);
    for (; j + 2 * LANES <= d; j += 2 * LANES)
        axpys_panel(2, true, LANES, m, d, A + j, c, g + j);
    for (; j + LANES <= d; j += LANES)
        axpys_panel(1, true, LANES, m, d, A + j, c, g + j);
    if (j < d)
        axpys_panel(1, false, d - j, m, d, A + j, c, g + j);
}

/* R rows of `products`: the sums of adds, row after row. Each sum waits for its last addition, and the others fill
 * that time. */
INLINE void products_few(const int R, long m, long d, const double *A, const double *X, double *Y)
{
    for (long j = 0; j < d; j += LANES) {
        vd sum[TAKEN];
        for (int r = 0; r < R; r++)
            sum[r] = all(0);
        for (long i = 0; i < m; i++) {
            vd row = take(d - j >= LANES, A + i * d + j, d - j);
            for (int r = 0; r < R; r++)
                sum[r] = plus(all(X[r * m + i]), row, sum[r]);
        }
        for (int r = 0; r < R; r++)
            put(d - j >= LANES, Y + r * d + j, sum[r], d - j);
    }
}

static void products(long k, long m, long d, const double *A, const double *X, double *Y)
{
    long i = 0;
    for (; i + TAKEN <= k; i += TAKEN)
        products_few(TAKEN, m, d, A, X + i * m, Y + i * d);
    for (; i < k; i++)
        products_few(1, m, d, A, X + i * m, Y + i * d);
}

const struct linear_kernels LEVEL = {
    .dot = dot,
    .square_distance = square_distance,
    .axpy = axpy,
    .axpys = axpys,
    .lincomb = lincomb,
    .step = step,
    .dots = dots,
    .dots_move = dots_move,
    .adds = adds,
    .adds_dots = adds_dots,
    .clips = clips,
    .clips_dots = clips_dots,
    .peak = peak,
    .products = products,
    .width = SHORT,
};
