/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_rng.c - Philox streams, compared with published vectors; addresses, positions, prefixes. The laws are in
 * test_rng_laws.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rng.h"

#define SEED_OF(k0, k1) ((uint64_t)(k1) << 32 | (k0))

static void expect_words(struct rng r, const uint32_t w[4])
{
    for (int k = 0; k < 4; k++)
        assert_int_equal(rng_u32(&r), w[k]);
}

/* The vectors are kat_vectors of Random123 1.14, philox4x32 with 10 rounds. The key is the seed, the upper half of
 * the counter the substream, the lower half the block. The second and third vector begin in the middle of a
 * substream, which is possible only by setting the struct. */
static void test_known_answers(void **state)
{
    struct rng zero = rng_stream(0);
    expect_words(zero, (uint32_t[]){ 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 });

    struct rng ones = rng_stream(UINT64_MAX);
    ones = rng_at(&ones, UINT64_MAX);
    ones.block = UINT64_MAX;
    expect_words(ones, (uint32_t[]){ 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd });

    struct rng pi = rng_stream(SEED_OF(0xa4093822, 0x299f31d0));
    pi = rng_at(&pi, SEED_OF(0x13198a2e, 0x03707344));
    pi.block = SEED_OF(0x243f6a88, 0x85a308d3);
    expect_words(pi, (uint32_t[]){ 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 });
}

/* In the counter of a block the lower word is advanced first: 100,000 blocks drawn one after the other equal those
 * addressed directly. */
static void test_position(void **state)
{
    struct rng walk = rng_stream(42);
    for (uint64_t b = 0; b < 100000; b++) {
        struct rng jump = rng_stream(42);
        jump.block = b;
        for (int k = 0; k < 4; k++)
            assert_int_equal(rng_u32(&walk), rng_u32(&jump));
    }
}

static void test_restart(void **state)
{
    struct rng a = rng_stream(7);
    double before[9], after[9];
    for (int k = 0; k < 5; k++)
        rng_u32(&a);
    struct rng copy = a;
    for (int k = 0; k < 9; k++)
        before[k] = rng_normal(&a);
    for (int k = 0; k < 9; k++)
        after[k] = rng_normal(&copy);
    assert_memory_equal(before, after, sizeof before);
}

static void test_substreams(void **state)
{
    struct rng fresh = rng_stream(3), moved = fresh;
    double skip[11];
    rng_normals(&moved, 11, 1, skip);
    rng_u32(&moved);
    struct rng a = rng_at(&fresh, 9), b = rng_at(&moved, 9);
    struct rng c = rng_sub(&fresh, 9), e = rng_sub(&moved, 9);
    for (int k = 0; k < 20; k++) {
        assert_int_equal(rng_u32(&a), rng_u32(&b));
        assert_int_equal(rng_u32(&c), rng_u32(&e));
    }
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Fifty thousand streams with addresses of every kind begin differently: a match of 64-bit words by chance has
 * probability 1e-10. */
static void test_distinct(void **state)
{
    enum { N = 50000 };
    uint64_t *first = malloc(N * sizeof *first);
    struct rng base = rng_stream(11), other = rng_stream(12), in = rng_at(&base, 5);
    for (uint64_t k = 0; k < N; k++) {
        uint64_t i = k / 5 + 1;
        struct rng r = k % 5 == 0 ? rng_at(&base, i) : k % 5 == 1 ? rng_sub(&base, i)
                     : k % 5 == 2 ? rng_stream(1000 + i) : k % 5 == 3 ? rng_sub(&other, i)
                     : rng_sub(&in, i);
        first[k] = rng_u64(&r);
    }
    qsort(first, N, sizeof *first, ascending);
    for (int k = 1; k < N; k++)
        assert_true(first[k - 1] != first[k]);
    free(first);
}

/* The first d normals of a stream are the same for every d, and a vector begins at a new block. */
static void test_prefix(void **state)
{
    double all[33], part[33];
    struct rng r = rng_stream(50);
    rng_normals(&r, 33, 2, all);
    for (long d = 0; d <= 33; d++) {
        struct rng s = rng_stream(50), odd = rng_stream(50);
        rng_normals(&s, d, 2, part);
        assert_memory_equal(part, all, (size_t)d * sizeof *part);
        rng_u32(&odd);                       /* a vector begins at the next block */
        double shifted[2];
        rng_normals(&odd, 2, 2, shifted);
        assert_memory_equal(shifted, all + 2, sizeof shifted);
    }
    struct rng zero = rng_stream(51);
    rng_normals(&zero, 5, 0, part);
    for (int j = 0; j < 5; j++)
        assert_true(part[j] == 0);
}

static void test_single_is_first_of_pair(void **state)
{
    struct rng a = rng_stream(52), b = rng_stream(52);
    for (int k = 0; k < 50; k++) {
        double pair[2];
        rng_normals(&b, 2, 1, pair);
        assert_true(rng_normal(&a) == pair[0]);
    }
}

static void test_open_interval(void **state)
{
    struct rng r = { .key = { 0, 0 } };
    const uint32_t ends[2] = { 0, 0xffffffff };
    for (int k = 0; k < 2; k++) {            /* words forced to the ends of their range */
        r.left = 4;
        for (int j = 0; j < 4; j++)
            r.word[j] = ends[k];
        struct rng s = r, t = r;
        double u = rng_uniform(&r), x = rng_normal(&s), l = rng_laplace(&t, 1);
        assert_true(u > 0 && u < 1);
        assert_true(isfinite(x) && isfinite(l));
        assert_true(k == 0 ? u < 1e-15 : 1 - u < 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers), cmocka_unit_test(test_position),
        cmocka_unit_test(test_restart), cmocka_unit_test(test_substreams),
        cmocka_unit_test(test_distinct), cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_single_is_first_of_pair), cmocka_unit_test(test_open_interval),
    };
    return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
