/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_kernels.h - the kernels of one level. A file that includes this defines LANES, the width, and
 * LEVEL, the name of the table. */
#include "lanes.h"
#include "lanes_random.h"

/* y <- f(x), the rest of a vector through a full one. */
#define MAP(name, function)                                      \
    static void name(long d, const double *x, double *y)         \
    {                                                            \
        long j = 0;                                              \
        for (; j + LANES <= d; j += LANES)                       \
            store(y + j, function(load(x + j)));                 \
        if (j < d) {                                             \
            double rest[LANES] = { 0 };                          \
            size_t size = (size_t)(d - j) * sizeof *x;           \
            memcpy(rest, x + j, size);                           \
            store(rest, function(load(rest)));                   \
            memcpy(y + j, rest, size);                           \
        }                                                        \
    }

MAP(map_exp, exp_lanes)
MAP(map_log, log_lanes)
MAP(map_log1pexp, log1pexp_lanes)
MAP(map_logistic, logistic_lanes)

/* a0 b0 a1 b1 ... */
static inline void store_pairs(double *out, vd a, vd b)
{
#if LANES == 2
    store(out, __builtin_shufflevector(a, b, 0, 2));
    store(out + 2, __builtin_shufflevector(a, b, 1, 3));
#elif LANES == 4
    store(out, __builtin_shufflevector(a, b, 0, 4, 1, 5));
    store(out + 4, __builtin_shufflevector(a, b, 2, 6, 3, 7));
#elif LANES == 8
    store(out, __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
    store(out + 8, __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
#endif
}

static inline void normals_pair(struct words w, double sd, vd *a, vd *b)
{
    normals_of(w, sd, a, b);
}

static inline void laplaces_pair(struct words w, double b, vd *x, vd *y)
{
    *x = laplace_of(w.first, b);
    *y = laplace_of(w.second, b);
}

static inline void uniforms_pair(struct words w, double unused, vd *x, vd *y)
{
    *x = uniform_of(w.first);
    *y = uniform_of(w.second);
}

/* One row: the substream is the same in all lanes, so the first round costs nothing, nor does half of
 * the second. Rows: every lane has an address of its own. Written as macros so that each law gets
 * loops of its own. */
#define DRAWS(law)                                                                                  \
    static void law##_row(const struct lanes_blocks *at, long m, double scale, double *out)         \
    {                                                                                               \
        uint64_t p1 = (at->index & UINT32_MAX) * PHILOX_M[1];                                       \
        uint32_t high = (uint32_t)(at->block >> 32), c0 = (uint32_t)(p1 >> 32) ^ high ^ at->key[0]; \
        uint64_t q0 = (uint64_t)c0 * PHILOX_M[0];                                                   \
        vu block = at->block + lane_numbers();                                                      \
        vu c3 = all_u((at->index >> 32) ^ at->key[1]);                                              \
        vu k0 = all_u((uint32_t)p1 ^ (uint32_t)(at->key[0] + PHILOX_W[0]));                         \
        vu k1 = all_u((q0 >> 32) ^ (uint32_t)(at->key[1] + PHILOX_W[1]));                           \
        for (long j = 0; j < m; j += LANES) {                                                       \
            vu p0 = times_low(block, PHILOX_M[0]), c2 = (p0 >> 32) ^ c3;                            \
            vu q1 = times_low(c2, PHILOX_M[1]);                                                     \
            vd a, b;                                                                                \
            struct words w = philox_rounds(at->key, 2, (q1 >> 32) ^ k0, q1, k1 ^ p0, all_u(q0));    \
            law##_pair(w, scale, &a, &b);                                                           \
            put(out + 2 * j, m - j, a, b);                                                          \
            block += LANES;                                                                         \
        }                                                                                           \
    }                                                                                               \
                                                                                                    \
    static void law(const struct lanes_blocks *at, long m, double scale, double *out)               \
    {                                                                                               \
        if (at->per_row >= (uint64_t)m) {                                                           \
            law##_row(at, m, scale, out);                                                           \
            return;                                                                                 \
        }                                                                                           \
        vu column = lane_numbers() % at->per_row, index = at->index + lane_numbers() / at->per_row; \
        const uint64_t right = LANES % at->per_row, down = LANES / at->per_row;                     \
        for (long j = 0; j < m; j += LANES) {                                                       \
            vd a, b;                                                                                \
            vu block = at->block + column;                                                          \
            struct words w = philox_rounds(at->key, 0, block, block >> 32, index, index >> 32);     \
            law##_pair(w, scale, &a, &b);                                                           \
            put(out + 2 * j, m - j, a, b);                                                          \
            column += right;                                                                        \
            vu over = ~less_u(column, all_u(at->per_row));                                          \
            column -= over & at->per_row;                                                           \
            index += down - over;                                                                   \
        }                                                                                           \
    }

/* The pairs of as many of the lanes as there are blocks left. */
static inline void put(double *out, long left, vd a, vd b)
{
    if (left >= LANES) {
        store_pairs(out, a, b);
        return;
    }
    double rest[2 * LANES];
    store_pairs(rest, a, b);
    memcpy(out, rest, 2 * (size_t)left * sizeof *out);
}

DRAWS(normals)
DRAWS(laplaces)
DRAWS(uniforms)

static void uniforms_unscaled(const struct lanes_blocks *at, long m, double *out)
{
    uniforms(at, m, 0, out);
}

/* Sixteen partial sums at every width, added up from both ends of the binary tree alike. */
static double squares(long d, const double *x)
{
    enum { SUMS = 16 };
    vd sum[SUMS / LANES] = { 0 };
    double part[SUMS];
    long j = 0;
    for (; j + SUMS <= d; j += SUMS)
        for (int k = 0; k < SUMS / LANES; k++) {
            vd v = load(x + j + k * LANES);
            sum[k] += v * v;
        }
    for (int k = 0; k < SUMS / LANES; k++)
        store(part + k * LANES, sum[k]);
    for (; j < d; j++)
        part[j % SUMS] += x[j] * x[j];
    for (int half = SUMS / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            part[k] += part[k + half];
    return part[0];
}

const struct lanes LEVEL = {
    .exp = map_exp, .log = map_log, .log1pexp = map_log1pexp, .logistic = map_logistic,
    .normals = normals, .laplaces = laplaces, .uniforms = uniforms_unscaled, .squares = squares,
};
