/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_status.c - sentences of refusals, bugs, and the memory of a run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/aborts.h"
#include "arena.h"
#include "rng.h"
#include "status.h"

static void test_texts(void **state)
{
    assert_string_equal(status_text(OK), "ok");
    assert_string_equal(status_text(REFUSED), "refused");
    assert_string_equal(status_text(BAD_INPUT), "bad input");
    assert_string_equal(status_text(IO_ERROR), "input/output error");
    assert_string_equal(status_text(NO_MEMORY), "out of memory");
}

static void test_why(void **state)
{
    struct why why = { "old" };
    assert_int_equal(why_set(&why, IO_ERROR, "file %s, line %d", "a.txt", 7), IO_ERROR);
    assert_string_equal(why.text, "file a.txt, line 7");
    assert_int_equal(why_set(NULL, REFUSED, "nobody %s", "reads it"), REFUSED);

    char longest[1000];
    memset(longest, 'x', sizeof longest);
    longest[999] = 0;
    why_set(&why, BAD_INPUT, "%s", longest);
    assert_int_equal(strlen(why.text), sizeof why.text - 1);
}

static enum status tries(enum status first, int *reached)
{
    TRY(first);
    ++*reached;
    return REFUSED;
}

static void test_try(void **state)
{
    int reached = 0;
    assert_int_equal(tries(IO_ERROR, &reached), IO_ERROR);
    assert_int_equal(reached, 0);
    assert_int_equal(tries(OK, &reached), REFUSED);
    assert_int_equal(reached, 1);
}

static void bug_if(void *ctx) { BUG_IF(*(int *)ctx > 1); }

static void test_bug(void **state)
{
    char text[300] = "";
    int fine = 1, bad = 2;
    assert_false(aborts(bug_if, &fine, NULL, 0));
    assert_true(aborts(bug_if, &bad, text, sizeof text));
    assert_non_null(strstr(text, "test_status.c"));
    assert_non_null(strstr(text, "*(int *)ctx > 1"));
}

/* --- the memory of a run */

static void expect_aligned(const void *p)
{
    assert_int_equal((uintptr_t)p % 64, 0);
}

static void test_vectors(void **state)
{
    struct arena *a = arena_new(0);
    for (long d = 0; d < 40; d++) {
        double *x = arena_vec(a, d);
        unsigned char *bytes = arena_bytes(a, (size_t)d);
        expect_aligned(x);
        expect_aligned(bytes);
        for (long j = 0; j < d; j++)
            assert_true(isnan(x[j]) && bytes[j] == 0);
    }
    long *n = ARENA_ARRAY(a, 5, long);
    for (int k = 0; k < 5; k++)
        assert_int_equal(n[k], 0);
    arena_free(a);
    arena_free(NULL);
}

/* Hundreds of pieces of mixed sizes, some larger than a chunk, keep their contents. After a reset the memory is
 * zero or NaN again. */
static void test_pieces_are_disjoint(void **state)
{
    enum { PIECES = 300 };
    static unsigned char *piece[PIECES];
    static size_t size[PIECES];
    struct arena *a = arena_new(0);
    struct rng r = rng_stream(8);
    for (int round = 0; round < 3; round++) {
        size_t total = 0;
        for (int k = 0; k < PIECES; k++) {
            size[k] = k % 60 == 59 ? (size_t)3 << 20 : (size_t)rng_below(&r, 9000);
            piece[k] = arena_bytes(a, size[k]);
            for (size_t i = 0; i < size[k]; i += 97)
                assert_int_equal(piece[k][i], 0);
            memset(piece[k], k & 0xff, size[k]);
            total += size[k];
        }
        for (int k = 0; k < PIECES; k++)
            for (size_t i = 0; i < size[k]; i += 61)
                assert_int_equal(piece[k][i], k & 0xff);
        assert_true(arena_used(a) >= total && arena_used(a) <= total + 64 * PIECES);
        arena_reset(a);
        assert_int_equal(arena_used(a), 0);
        assert_true(isnan(arena_vec(a, 1000)[999]));
        arena_reset(a);
    }
    arena_free(a);
}

/* After a reset the same requests get the same memory, as for the next cell of a worker. */
static void test_reset_keeps_chunks(void **state)
{
    struct arena *a = arena_new(0);
    double *first = arena_vec(a, 100);
    double *second = arena_vec(a, 1 << 20);
    arena_reset(a);
    assert_ptr_equal(arena_vec(a, 100), first);
    assert_ptr_equal(arena_vec(a, 1 << 20), second);
    arena_free(a);
}

static void reserve(void *a) { arena_vec(a, 1); }
static void negative(void *a) { arena_vec(a, -1); }

static void test_seal(void **state)
{
    char text[300] = "";
    struct arena *a = arena_new(0);
    assert_false(arena_sealed(a));
    assert_false(aborts(reserve, a, NULL, 0));
    arena_seal(a);
    assert_true(arena_sealed(a));
    assert_true(aborts(reserve, a, text, sizeof text));
    assert_non_null(strstr(text, "sealed"));
    arena_reset(a);
    assert_false(arena_sealed(a));
    assert_false(aborts(reserve, a, NULL, 0));
    assert_true(aborts(negative, a, NULL, 0));
    arena_free(a);
}

static jmp_buf gave_up;
static size_t asked, allowed;
static void exhausted(size_t wanted, size_t limit)
{
    asked = wanted;
    allowed = limit;
    longjmp(gave_up, 1);
}

/* Does an arena with this limit, of which `used` bytes are taken, refuse to reserve `bytes`? */
static bool gives_up(size_t limit, size_t used, size_t bytes)
{
    struct arena *volatile a = arena_new(limit);
    volatile bool gave = true;
    arena_on_exhausted(exhausted);
    if (setjmp(gave_up) == 0) {
        arena_bytes(a, used);
        arena_bytes(a, bytes);
        gave = false;
    }
    arena_on_exhausted(NULL);
    arena_free(a);
    return gave;
}

static void test_limit(void **state)
{
    assert_false(gives_up(1 << 20, 1 << 10, 1 << 19));
    assert_true(gives_up(1 << 20, 1 << 10, 1 << 20));
    assert_int_equal(asked, 1 << 20);
    assert_int_equal(allowed, 1 << 20);
    assert_true(gives_up(1 << 20, 64, ((size_t)1 << 20) + 1));
    assert_false(gives_up(0, 64, 4 << 20));
    assert_true(gives_up(0, 64, SIZE_MAX - 10));
    assert_true(gives_up(1 << 20, 64, SIZE_MAX));
}

static void too_long(void *a) { arena_vec(a, (long)(SIZE_MAX / 16)); }

static void test_absurd_vector(void **state)
{
    char text[300] = "";
    struct arena *a = arena_new(0);
    assert_true(aborts(too_long, a, text, sizeof text));
    assert_non_null(strstr(text, "out of memory"));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts), cmocka_unit_test(test_why), cmocka_unit_test(test_try),
        cmocka_unit_test(test_bug), cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_pieces_are_disjoint), cmocka_unit_test(test_reset_keeps_chunks),
        cmocka_unit_test(test_seal), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_absurd_vector),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
