/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cell_seeds.c - what seeds depend on, replicates of one cell, and hashes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/cell_parsed.h"
#include "rng.h"

/* --- seeds */

static void expect_seeds(const char *a, const char *b, bool same_seed, bool same_data)
{
    struct cell *x = parsed(a), *y = parsed(b);
    assert_int_equal(x->seed == y->seed, same_seed);
    assert_int_equal(x->data_seed == y->data_seed, same_data);
    cell_free(x);
    cell_free(y);
}

/* Cells that differ only in the algorithm, its parameters or the mode of the run have the same data. Another
 * instance, goal, replicate or run.seed gives other data. */
static void test_seeds(void **state)
{
    const char *base = "problem spectral d=4 | algo sgd | goal T=8 | run | rep 1";
    expect_seeds(base, base, true, true);
    expect_seeds(base, "problem spectral d=4 | algo gd | goal T=8 | run | rep 1", false, true);
    expect_seeds(base, "problem spectral d=4 | algo sgd B=2 | goal T=8 | run | rep 1", false, true);
    expect_seeds(base, "problem spectral d=4 | algo sgd | goal T=9 | run | rep 1", false, false);
    expect_seeds(base, "problem spectral d=5 | algo sgd | goal T=8 | run | rep 1", false, false);
    expect_seeds(base, "problem spectral d=4 | algo sgd | goal T=8 | run | rep 2", false, false);
    expect_seeds(base, "problem spectral d=4 | algo sgd | goal T=8 | run seed=2 | rep 1", false,
                 false);
    expect_seeds(base, "problem spectral_sphere d=4 | algo sgd | goal T=8 | run | rep 1", false,
                 false);
    /* tracing a run, or counting it, does not change its seeds */
    expect_seeds(base, "problem spectral d=4 | algo sgd | goal T=8 | run trace=2 count=1 | rep 1", true,
                 true);
}

/* A family without random data has one instance for all replicates; the runs differ all the same. */
static void test_seeds_of_fixed_families(void **state)
{
    struct cell *c = parsed("problem erm | algo gd");
    bool fixed = c->problem->fixed;
    cell_free(c);
    expect_seeds("problem erm | algo sgd | rep 1", "problem erm | algo sgd | rep 2",
                 false, fixed);
    expect_seeds("problem erm | algo sgd | run seed=1 | rep 1",
                 "problem erm | algo sgd | run seed=2 | rep 1", false, false);
}

/* A replicate depends on its text only, and stays valid when the cell from which it was copied is freed. */
static void test_replicates(void **state)
{
    static const char *const texts[] = {
        "problem spectral d=4 | algo sgd B=2 | goal T=8 constants=theory | run trace=1 seed=3 | rep ",
        "problem erm data=iris scaling=unit | algo gd | goal T=8 | run public=L | rep ",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char text[200];
        snprintf(text, sizeof text, "%s%d", texts[k], 5);
        struct cell *first = parsed(text), *second = cell_replicate(first, 17), *third = cell_replicate(second, 5);
        first->expected = 3;
        cell_free(first);
        snprintf(text, sizeof text, "%s%d", texts[k], 17);
        struct cell *own = parsed(text);
        assert_string_equal(second->text, text);
        assert_string_equal(own->text, text);
        assert_true(own->seed == second->seed && own->data_seed == second->data_seed && second->rep == 17);
        assert_true(own->public == second->public && own->goal.constants == second->goal.constants);
        assert_true(isnan(second->expected) && third->rep == 5 && third->seed != second->seed);
        assert_string_equal(own->fingerprint, second->fingerprint);
        cell_free(third);
        if (k == 1)
            assert_string_equal(word_of(second), "iris");
        cell_free(second);
        cell_free(own);
    }
}

/* 40,000 texts that differ in a digit: all seeds differ, and each of the 64 bits is set in half of them, |z| < 6.1
 * (64 comparisons at 1e-9). */
static void test_hash(void **state)
{
    enum { N = 40000 };
    static uint64_t seen[1 << 17];
    double ones[64] = { 0 };
    memset(seen, 0, sizeof seen);
    for (int k = 0; k < N; k++) {
        char text[32];
        snprintf(text, sizeof text, "rep %d", k);
        uint64_t h = hash_text(text, 0), slot = h & 0x1ffff;
        for (; seen[slot]; slot = (slot + 1) & 0x1ffff)
            assert_true(seen[slot] != h);
        seen[slot] = h;
        for (int bit = 0; bit < 64; bit++)
            ones[bit] += h >> bit & 1;
    }
    for (int bit = 0; bit < 64; bit++)
        assert_true(fabs(ones[bit] - N / 2.0) < 6.1 * sqrt(N / 4.0));
    assert_true(hash_text("a", 1) != hash_text("a", 2));
    assert_true(hash_text("", 0) != hash_text("a", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeds), cmocka_unit_test(test_seeds_of_fixed_families),
        cmocka_unit_test(test_replicates), cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests_name("cell seeds", tests, NULL, NULL);
}
