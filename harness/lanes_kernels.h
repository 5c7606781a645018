/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_kernels.h - the kernels of one level. A file that includes this defines LANES, the
 * width, and LEVEL, the name of the table. */
#include "lanes.h"
#include "lanes_maps.h"
#include "lanes_random.h"
#include "lanes_runs.h"

/* The two numbers of every block, block after block. */
static inline void store_pairs(double *out, vd a, vd b)
{
#if LANES == 2
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
    for (long j = 0; j < vectors; j++)
        store_pairs(out + 2 * LANES * j, laplace_of(w->first[j], b), laplace_of(w->second[j], b));
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

/* The choice of narrow vectors stands outside, where it needs no stack. */
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
    store(x, laplace_of(all_u(word), b));
    return x[0];
}

/* The sum of x_j^2: sixteen partial sums at every width, which then meet in pairs. */
enum { SUMS = 16, SUM_VECTORS = SUMS / LANES };

INLINE vd meet(vd *sum)
{
    for (int half = SUM_VECTORS / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            sum[k] += sum[k + half];
    return sum[0];
}

/* Its lanes are left to be added. */
INLINE vd squares(long d, const double *x)
{
    vd sum[SUM_VECTORS];
    for (int k = 0; k < SUM_VECTORS; k++) /* an initialiser would fill memory */
        sum[k] = all(0);
    for (; d >= SUMS; x += SUMS, d -= SUMS)
        for (int k = 0; k < SUM_VECTORS; k++)
            sum[k] += load(x + k * LANES) * load(x + k * LANES);
    for (int k = 0; k < SUM_VECTORS; k++, x += LANES, d -= LANES) {
        vd v = d >= LANES ? load(x) : d > 0 ? load_part(x, d) : all(0);
        sum[k] += v * v;
    }
    return meet(sum);
}

INLINE void scale_by(long d, double factor, double *x)
{
    long j = 0;
    for (; j + LANES <= d; j += LANES)
        store(x + j, load(x + j) * factor);
#if LANES == 8
    if (j < d)
        store_part(x + j, load_part(x + j, d - j) * factor, d - j);
#else
    for (; j < d; j++)
        x[j] *= factor;
#endif
}

#if LANES >= 4
/* The squares of a row in the lanes that `squares` leaves them in. */
INLINE vd row_square(long d, const double *row)
{
    if (d > SUMS || (LANES == 4 && d > LANES))
        return squares(d, row);
    vd low = d >= LANES ? load(row) : load_part(row, d), sum = low * low;
    if (d > LANES) {
        vd high = d == SUMS ? load(row + LANES) : load_part(row + LANES, d - LANES);
        sum += high * high;
    }
    return sum;
}
#endif

/* square[k] <- |row k|^2, k < m; d > 0. Room for a whole vector of them. */
INLINE void row_squares(long m, long d, const double *x, double *square)
{
#if LANES >= 4
    for (long k = 0; k < m; k += LANES) {
        vd v[LANES];
        for (int i = 0; i < LANES; i++)
            v[i] = k + i < m ? row_square(d, x + (k + i) * d) : all(0);
        store(square + k, lane_sums(v));
    }
#else
    for (long k = 0; k < m; k++)
        square[k] = lane_sum(squares(d, x + k * d));
#endif
}

enum { ROWS = 32 };

/* m <= ROWS rows, whose norms and inverses do not wait for one another. */
INLINE long unit_few(long m, long d, double *x)
{
    double factor[ROWS];
    long zeros = 0;
    row_squares(m, d, x, factor);
    for (long k = 0; k < m; k++)
        zeros += factor[k] == 0;
    for (long k = m; k % LANES; k++)
        factor[k] = 1;
    for (long k = 0; k < m; k += LANES) {
        vd square = load(factor + k);
        store(factor + k, pick(less(all(0), square), 1 / root(square), all(1)));
    }
    for (long k = 0; k < m; k++)
        scale_by(d, factor[k], x + k * d);
    return zeros;
}

/* Short rows of usual lengths have code of their own, without a loop in them. */
static long unit_rows(long m, long d, double *x)
{
    long zeros = 0;
#if LANES == 8
    if (d <= LANES / 2)
        return lanes_avx2.unit_rows(m, d, x);
#endif
    if (m == 1) {                    /* the same, without waiting for a vector of stored factors */
        double square = lane_sum(squares(d, x));
        scale_by(d, square > 0 ? 1 / sqrt(square) : 1, x);
        return square == 0;
    }
    for (; m > 0; m -= ROWS, x += ROWS * d) {
        long rows = m < ROWS ? m : ROWS;
        zeros += d == 4    ? unit_few(rows, 4, x)
                 : d == 8  ? unit_few(rows, 8, x)
                 : d == 16 ? unit_few(rows, 16, x)
                           : unit_few(rows, d, x);
    }
    return zeros;
}

const struct lanes LEVEL = {
    .exp = map_exp,
    .log = map_log,
    .log1pexp = map_log1pexp,
    .logistic = map_logistic,
    .logistic_slope = map_logistic_slope,
    .turned_logistic = turned_logistic,
    .turned_logistic_slope = turned_logistic_slope,
    .normals = normals,
    .laplaces = laplaces,
    .uniforms = uniforms,
    .words = words,
    .normals_apart = normals_apart,
    .words_apart = words_apart,
    .unit_rows = unit_rows,
    .normal = normal,
    .laplace = laplace,
};
