/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_rng_lanes.c - vectors of the streams have equal bits at every SIMD level, split and position, and are the
 * numbers drawn one at a time, whose words are Random123's; their accuracy is compared with the Box-Muller
 * transform in long double. The laws are in test_rng_laws.c and long_random.sh. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/levels.h"
#include "rng.h"
#include "vec.h"

enum { LONG = 2600, D = 41, M = 9 };

struct drawn {
    double normals[LONG], laplaces[LONG], uniforms[LONG], sphere[LONG], ball[LONG];
    double rows[M * D], sphere_rows[M * D], single[20];
};
static struct drawn at_level[LANES_COUNT];

/* Returns a stream whose address uses all words, and whose vectors cross a multiple of 2^32 blocks. */
static struct rng far_stream(void)
{
    struct rng r = rng_stream(UINT64_C(0x9e3779b97f4a7c15));
    r = rng_at(&r, UINT64_C(0x123456789abcdef1));
    r.block = (UINT64_C(7) << 32) - 100;
    return r;
}

static void draw_all(int level, void *ctx)
{
    struct drawn *v = &at_level[level];
    struct rng r = far_stream(), base = rng_stream(5);
    rng_normals(&r, LONG, 1.5, v->normals);
    rng_laplaces(&r, LONG - 1, 0.7, v->laplaces);
    rng_uniforms(&r, LONG - 2, v->uniforms);
    rng_sphere(&r, LONG - 3, v->sphere);
    rng_ball(&r, LONG, v->ball);
    rng_normals_rows(&base, (UINT64_C(3) << 32) - 4, M, D, 2, v->rows);
    rng_sphere_rows(&base, 77, M, D - 1, v->sphere_rows);
    for (int k = 0; k < 20; k++)
        v->single[k] = k % 2 ? rng_normal(&r) : rng_laplace(&r, 3);
}

static void same_bits_at_every_level(void **state)
{
    int levels = each_level(draw_all, NULL);
    for (int level = 1; level < levels; level++)
        assert_memory_equal(&at_level[0], &at_level[level], sizeof at_level[0]);
}

/* Numbers drawn one after the other must be the numbers that a vector gets. A single normal is the first of a pair,
 * so that it is compared with every second one. */
static void expect_singles(int level, void *ctx)
{
    static double v[LONG];
    for (long d = 0; d < 70; d++) {
        struct rng vector = far_stream(), single = vector, skipped = vector;
        rng_uniforms(&vector, d, v);
        for (long j = 0; j < d; j++)
            assert_true(v[j] == rng_uniform(&single));
        rng_skip(&skipped, d);
        assert_true(rng_u64(&skipped) == rng_u64(&vector));
    }
    struct rng vector = far_stream(), single = vector;
    rng_laplaces(&vector, LONG, 0.3, v);
    for (long j = 0; j < LONG; j++)
        assert_true(v[j] == rng_laplace(&single, 0.3));
    vector = single = far_stream();
    rng_normals(&vector, LONG, 1, v);
    for (long j = 0; j < LONG; j += 2)
        assert_true(v[j] == rng_normal(&single));
}

static void vectors_equal_single_numbers(void **state) { each_level(expect_singles, NULL); }

/* A vector that is drawn in parts, cut at any even positions, must be the vector drawn at once, and nothing outside
 * of it is written. */
static void expect_splits(int level, void *ctx)
{
    double whole[150], part[152];
    struct rng r = far_stream();
    rng_normals(&r, 150, 2, whole);
    for (long first = 0; first <= 80; first += 2)
        for (long second = 0; second <= 69; second++) {
            struct rng s = far_stream();
            for (int j = 0; j < 152; j++)
                part[j] = -1;
            rng_normals(&s, first, 2, part);
            rng_normals(&s, second, 2, part + first);
            assert_memory_equal(part, whole, (size_t)(first + second) * sizeof *part);
            assert_true(part[first + second] == -1);
        }
}

static void splits(void **state) { each_level(expect_splits, NULL); }

/* Rows that are drawn together, long, short and odd ones, must be those of streams addressed one by one. */
static void expect_rows(int level, void *ctx)
{
    static const long lengths[] = { 1,  2,  3,  4,  5,  6,  7,   8,    9,   10,
                                    14, 16, 17, 24, 33, 64, 201, 1100, 1101 };
    enum { MOST = 37 };              /* more rows than are normalised together */
    static double rows[MOST * 1101 + 1], on_sphere[MOST * 1101], one[1101];
    struct rng base = rng_stream(31);
    base = rng_at(&base, 9); /* the block of the base has an effect, the substream has none */
    rng_skip(&base, 5);
    rng_u32(&base);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (long m = 0; m <= MOST; m += m < 5 ? 1 : 8) {
            long d = lengths[k];
            uint64_t first = UINT64_MAX / 3 - 2;
            rows[m * d] = -1;
            rng_normals_rows(&base, first, m, d, 0.5, rows);
            rng_sphere_rows(&base, first, m, d, on_sphere);
            assert_true(rows[m * d] == -1);
            for (long i = 0; i < m; i++) {
                struct rng r = rng_at(&base, first + (uint64_t)i), s;
                rng_skip(&r, 7); /* the fourth block has already given a word to a single draw */
                s = r;
                rng_normals(&r, d, 0.5, one);
                assert_memory_equal(one, rows + i * d, (size_t)d * sizeof *one);
                rng_sphere(&s, d, one);
                assert_memory_equal(one, on_sphere + i * d, (size_t)d * sizeof *one);
                assert_true(fabs(vec_norm(d, one) - 1) < 1e-14);
            }
        }
}

/* Streams that are made and drawn together must be those made one after another. Some streams begin after their
 * first block, at substreams and labels of 64 bits. */
static void expect_streams(int level, void *ctx)
{
    enum { STREAMS = 141, ROWS = 3 };
    static const long lengths[] = { 1, 2, 3, 4, 7, 8, 16, 33, 254, 257 };
    static double rows[STREAMS * ROWS * 257 + 1], on_sphere[STREAMS * ROWS * 257], one[257];
    static struct rng base[STREAMS], sub[STREAMS];
    uint64_t first[STREAMS], label[STREAMS];
    for (int k = 0; k < STREAMS; k++) {
        struct rng all = rng_stream(UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(k + 1));
        base[k] = rng_at(&all, (uint64_t)k << 30);
        rng_skip(&base[k], k % 5);
        first[k] = UINT64_MAX / 7 * (uint64_t)(k % 7);
        label[k] = UINT64_MAX / 3 * (uint64_t)(k % 4);
    }
    rng_subs(STREAMS, base, label, sub);
    for (int k = 0; k < STREAMS; k++) {
        struct rng alone = rng_sub(&base[k], label[k]);
        assert_memory_equal(&sub[k], &alone, sizeof alone);
    }
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (long m = 0; m <= STREAMS; m += m < 4 ? 1 : 137) {
            long d = lengths[l];
            rows[m * ROWS * d] = -1;
            rng_normals_each(m, base, first, ROWS, d, 0.5, rows);
            assert_true(rng_sphere_each(m, base, first, ROWS, d, on_sphere));
            assert_true(rows[m * ROWS * d] == -1);
            for (long k = 0; k < m * ROWS; k++) {
                rng_normals_rows(&base[k / ROWS], first[k / ROWS] + (uint64_t)(k % ROWS), 1, d, 0.5, one);
                assert_memory_equal(one, rows + k * d, (size_t)d * sizeof *one);
                rng_sphere_rows(&base[k / ROWS], first[k / ROWS] + (uint64_t)(k % ROWS), 1, d, one);
                assert_memory_equal(one, on_sphere + k * d, (size_t)d * sizeof *one);
            }
        }
}

static void streams_equal_single_ones(void **state) { each_level(expect_streams, NULL); }

/* Bounded integers from many substreams must be those drawn one after another; large bounds reject up to half of
 * the draws. */
static void expect_below(int level, void *ctx)
{
    enum { STREAMS = 19, ROWS = 23 };
    static const uint64_t bounds[] = { 1, 2, 1000, UINT64_C(3) << 62, (UINT64_C(1) << 63) + 1, UINT64_MAX };
    struct rng base[STREAMS];
    uint64_t together[STREAMS * ROWS + 1];
    for (int k = 0; k < STREAMS; k++) {
        base[k] = rng_stream(UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(k + 1));
        rng_skip(&base[k], k);           /* the position of the base has no effect */
    }
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        for (long m = 0; m <= STREAMS; m += m < 2 ? 1 : 17)
            for (long rows = 1; rows <= ROWS; rows += 11) {
                const uint64_t first = UINT64_MAX / 5 - 3;
                together[m * rows] = 7;
                rng_below_each(m, base, first, rows, bounds[b], together);
                assert_true(together[m * rows] == 7);
                for (long k = 0; k < m * rows; k++) {
                    struct rng r = rng_at(&base[k / rows], first + (uint64_t)(k % rows));
                    assert_true(together[k] == rng_below(&r, bounds[b]));
                }
            }
}

static void bounded_integers_equal_single_ones(void **state) { each_level(expect_below, NULL); }

/* Many points of a ball that are drawn together must be those drawn one after another, and the stream must continue
 * at the place where it continues after single draws. */
static void expect_balls(int level, void *ctx)
{
    static const long lengths[] = { 1, 2, 3, 4, 5, 8, 9, 16, 31, 128, 129, 300 };
    static double together[150 * 300 + 1], one[300];
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (long m = 0; m <= 150; m += m < 3 ? 1 : 49) {
            long d = lengths[k];
            struct rng r = far_stream(), s = r;
            together[m * d] = -1;
            rng_balls(&r, m, d, together);
            assert_true(together[m * d] == -1);
            for (long i = 0; i < m; i++) {
                rng_ball(&s, d, one);
                assert_memory_equal(one, together + i * d, (size_t)d * sizeof *one);
            }
            for (int i = 0; i < 3; i++)
                assert_true(rng_u64(&r) == rng_u64(&s));
        }
}

static void many_balls_equal_single_ones(void **state) { each_level(expect_balls, NULL); }

static void expect_label_rows(int level, void *ctx)
{
    static double laplaces[600 * 3], uniforms[600 * 3];
    struct rng base = rng_stream(32);
    rng_skip(&base, 2);
    for (long d = 1; d <= 3; d++) {
        rng_laplaces_rows(&base, 11, 600, d, 0.3, laplaces);
        rng_uniforms_rows(&base, 11, 600, d, uniforms);
        for (long k = 0; k < 600; k++) {
            struct rng r = rng_at(&base, 11 + (uint64_t)k), s;
            rng_skip(&r, 2);
            s = r;
            for (long j = 0; j < d; j++) {
                assert_true(laplaces[k * d + j] == rng_laplace(&r, 0.3));
                assert_true(uniforms[k * d + j] == rng_uniform(&s));
            }
        }
    }
}

/* The words of rows that are drawn together, longer and shorter than a group of the kernels, must be those of
 * streams addressed one by one. */
static void expect_words(int level, void *ctx)
{
    enum { ROWS = 300, MOST = 12 };
    static uint64_t words[ROWS * MOST + 1];
    struct rng base = rng_stream(33);
    rng_skip(&base, 3);
    for (long d = 2; d <= MOST; d += 2)
        for (long m = 0; m <= ROWS; m += m < 5 ? 1 : 59) {
            words[m * d] = 7;
            rng_words_rows(&base, UINT32_MAX - 2, m, d, words);
            assert_true(words[m * d] == 7);
            for (long k = 0; k < m; k++) {
                struct rng r = rng_at(&base, UINT32_MAX - 2 + (uint64_t)k);
                rng_skip(&r, 3);
                for (long j = 0; j < d; j++)
                    assert_true(words[k * d + j] == rng_u64(&r));
            }
        }
}

static void word_rows(void **state) { each_level(expect_words, NULL); }

static void label_rows(void **state) { each_level(expect_label_rows, NULL); }

static void rows_equal_single_streams(void **state) { each_level(expect_rows, NULL); }

/* Rows are divided by their norms, which are powers of 2 here, so that quotients are exact. A row of zeros is left
 * unchanged, and counted. */
static void expect_units(int level, void *ctx)
{
    enum { ROWS = 70, MOST = 50 };
    static double x[ROWS * MOST + 1];
    for (long d = 4; d <= MOST; d++)
        for (long m = 1; m <= ROWS; m += 23) {
            long zeros = 0;
            for (long j = 0; j <= m * d; j++)
                x[j] = 0;
            for (long k = 0; k < m; k++) {
                double size = k % 3 == 1 ? 0 : ldexp(1, (int)(k % 9) - 4);
                for (long j = 0; j < 4; j++) /* the last entry of a row is one of these */
                    x[k * d + d - 1 - j * (d - 1) / 3] = j % 2 ? -size : size;
                zeros += size == 0;
            }
            assert_true(lanes_now()->unit_rows(m, d, x) == zeros);
            for (long j = 0; j < m * d; j++) {
                long place = d - 1 - j % d, q = 0;
                while (q < 4 && q * (d - 1) / 3 != place)
                    q++;
                double want = q == 4 || j / d % 3 == 1 ? 0 : q % 2 ? -0.5 : 0.5;
                assert_true(x[j] == want);
            }
            assert_true(x[m * d] == 0);
        }
}

static void units(void **state) { each_level(expect_units, NULL); }

/* --- accuracy: the words are exact, and the transform is computed in long double */

static void exact_pair(uint64_t first, uint64_t second, long double pair[2])
{
    long double u = (long double)(double)(first | 1) * 0x1p-64L;
    long double r = (long double)((second >> 12) | 1) * 0x1p-52L - 0.5L;
    long double R = sqrtl(-2 * logl(u)), quarter = acosl(0);
    long double along = R * cosl(quarter * r), across = R * sinl(quarter * r);
    if (second & 2)
        along = -along;
    pair[0] = second & 1 ? across : along;
    pair[1] = second & 1 ? along : across;
}

static void normals_within_two_ulp(void **state)
{
    enum { BLOCKS = 400000 };
    double *v = malloc(2 * BLOCKS * sizeof *v);
    long double pair[2];
    struct rng r = rng_stream(8), words = r;
    rng_normals(&r, 2 * BLOCKS, 1, v);
    for (long j = 0; j < 2 * BLOCKS; j += 2) {
        uint64_t first = rng_u64(&words);
        exact_pair(first, rng_u64(&words), pair);
        for (int k = 0; k < 2; k++)
            if (!(ulps(v[j + k], pair[k]) <= 2))
                fail_msg("normal %ld: %.17g is not %.19Lg", j + k, v[j + k], pair[k]);
    }
    free(v);
}

/* The words have extreme values: the radii are 9.4 and 0, and angles lie next to the seams of their range. Tails
 * beyond 8 are reached. */
static void expect_ends(int level, void *ctx)
{
    static const uint64_t ends[] = { 0,
                                     1,
                                     2,
                                     3,
                                     4096,
                                     UINT64_C(1) << 63,
                                     (UINT64_C(1) << 63) - 1,
                                     UINT64_MAX,
                                     UINT64_MAX - 1,
                                     UINT64_MAX - 2,
                                     UINT64_MAX - 3,
                                     UINT64_C(1) << 13,
                                     UINT64_MAX << 11,
                                     0xb504f333f9de6484,
                                     0xb504f333f9de6000,
                                     0xb504f333f9de6fff };
    enum { ENDS = sizeof ends / sizeof *ends };
    const struct lanes *kernels = lanes_now();
    long double pair[2];
    for (int i = 0; i < ENDS; i++) {
        for (int j = 0; j < ENDS; j++) {
            exact_pair(ends[i], ends[j], pair);
            assert_true(ulps(kernels->normal(ends[i], ends[j]), pair[0]) <= 2);
        }
        double l = kernels->laplace(ends[i], 1.5);
        long double size = -1.5L * logl((long double)(double)(ends[i] | 1) * 0x1p-64L);
        assert_true(ulps(l, ends[i] & 1 ? size : -size) <= 2);
    }
    assert_true(fabs(kernels->normal(0, UINT64_C(1) << 63) - 9.419) < 1e-3);
    assert_true(fabs(kernels->normal(0, (UINT64_C(1) << 63) + 2) + 9.419) < 1e-3);
}

static void extreme_words_give_extreme_normals(void **state) { each_level(expect_ends, NULL); }

static void laplaces_within_two_ulp(void **state)
{
    enum { N = 200000 };
    double *v = malloc(N * sizeof *v);
    struct rng r = rng_stream(18), words = r;
    rng_laplaces(&r, N, 0.7, v);
    for (long j = 0; j < N; j++) {
        uint64_t u = rng_u64(&words);
        long double size = -(long double)0.7 * logl((long double)(double)(u | 1) * 0x1p-64L);
        assert_true(ulps(v[j], u & 1 ? size : -size) <= 2);
    }
    free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_at_every_level),
        cmocka_unit_test(vectors_equal_single_numbers),
        cmocka_unit_test(splits), cmocka_unit_test(streams_equal_single_ones),
        cmocka_unit_test(bounded_integers_equal_single_ones), cmocka_unit_test(rows_equal_single_streams),
        cmocka_unit_test(many_balls_equal_single_ones),
        cmocka_unit_test(label_rows),
        cmocka_unit_test(word_rows),
        cmocka_unit_test(units),
        cmocka_unit_test(normals_within_two_ulp),
        cmocka_unit_test(extreme_words_give_extreme_normals),
        cmocka_unit_test(laplaces_within_two_ulp),
    };
    return cmocka_run_group_tests_name("rng_lanes", tests, NULL, NULL);
}
