/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes_kernels.h - the kernels of one level. A file that includes this defines LANES, the
 * width, and LEVEL, the name of the table. */
#include "numeric/lanes.h"
#include "numeric/lanes_maps.h"
#include "numeric/lanes_random.h"
#include "numeric/lanes_runs.h"
#include "numeric/lanes_sphere.h"

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
    store(x, laplace_of(all_u(word), two_log_split(all_u(word)), b));
    return x[0];
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
