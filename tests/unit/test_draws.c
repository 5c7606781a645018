/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_draws.c - Poisson samples, subsets and shuffled epochs of stored records: their laws by enumeration, and
 * that tickets keep what was drawn (what oracles do with tickets is in test_drawn.c).
 *
 * Seeds are fixed. Three chi-square tests at 1e-7, three comparisons beyond z = 5.5 (4e-8 each): 4e-7 in total. */
#include <gsl/gsl_cdf.h>

#include "support/tiny.h"

enum { RUNS = 40000 };

static void expect_law(const double *seen, const double *p, int cells)
{
    double chi = 0;
    for (int k = 0; k < cells; k++)
        chi += pow(seen[k] - RUNS * p[k], 2) / (RUNS * p[k]);
    if (!(gsl_cdf_chisq_Q(chi, cells - 1) > 1e-7))
        fail_msg("chi-square %g of %d cells", chi, cells);
}

/* --- the laws of samples, subsets and shuffled epochs */

/* Each of the 32 sets of five records must occur with the probability that the sampling rate q implies. This tests
 * sizes, inclusion and independence. The records of a set are in increasing order. */
static void test_poisson_law(void **state)
{
    const double q = 0.3;
    double seen[32] = { 0 }, p[32], follow = 0;
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 61);
    for (int set = 0; set < 32; set++)
        p[set] = pow(q / (1 - q), __builtin_popcount((unsigned)set)) * pow(1 - q, 5);
    for (int run = 0, before = 0; run < RUNS; run++) {
        struct ticket t;
        int set = 0;
        assert_true(oracle_poisson(o, q, &t));
        for (long k = 0; k < t.count; k++) {
            long i = oracle_record(o, &t, k);
            assert_true(i >= 0 && i < N && set < 1 << i);
            set |= 1 << i;
        }
        seen[set]++;
        follow += ((set & 1) - q) * ((before & 1) - q);  /* the correlation of consecutive draws, which are
                                                            independent */
        before = set;
    }
    expect_law(seen, p, 32);
    assert_true(fabs(follow) < 5.5 * sqrt(RUNS) * q * (1 - q));
    bench_free(b);
}

/* The 20 ordered pairs of five records, and the 24 permutations of four, are equally frequent. */
static void test_uniform_laws(void **state)
{
    for (int whole = 0; whole < 2; whole++) {
        struct bench *b = bench_new(true);
        double seen[256] = { 0 }, kept[24], p[24];
        int cells = 0;
        b->facts.n = whole ? 4 : 5;
        struct oracle *o = bench_open(b, NULL, 62);
        for (int run = 0; run < RUNS; run++) {
            struct ticket t;
            int code = 0;
            assert_true(whole ? oracle_shuffle(o, &t) : oracle_subset(o, 2, &t));
            assert_int_equal(t.count, whole ? 4 : 2);
            for (long k = 0; k < t.count; k++)
                code = code * (whole ? 4 : 5) + (int)oracle_record(o, &t, k);
            seen[code]++;
        }
        for (int k = 0; k < 256; k++)
            if (seen[k] > 0) {
                assert_true(cells < (whole ? 24 : 20));
                kept[cells++] = seen[k];
            }
        assert_int_equal(cells, whole ? 24 : 20);        /* no outcome has a record twice */
        for (int k = 0; k < cells; k++)
            p[k] = 1.0 / cells;
        expect_law(kept, p, cells);
        bench_free(b);
    }
}

/* For large n the size is within 5.5 standard deviations of its mean, and the sample is spread evenly; q = 0 and 1
 * work. */
static void test_large(void **state)
{
    struct bench *b = bench_new(true);
    b->facts.n = 1e6;
    struct oracle *o = bench_open(b, NULL, 63);
    const double q = 1e-3, n = 1e6;
    struct ticket t;
    double sum = 0, size = 0;
    for (int run = 0; run < 400; run++) {
        assert_true(oracle_poisson(o, q, &t));
        size += (double)t.count;
        for (long k = 0; k < t.count; k++)
            sum += ((double)oracle_record(o, &t, k) + 0.5) / n - 0.5;
    }
    assert_true(fabs(size - 400 * q * n) < 5.5 * sqrt(400 * q * (1 - q) * n));
    assert_true(fabs(sum) < 5.5 * sqrt(size / 12));
    assert_true(oracle_poisson(o, 0, &t) && t.count == 0);
    assert_true(oracle_poisson(o, 1, &t) && t.count == 1000000);
    for (long k = 0; k < t.count; k += 99999)
        assert_int_equal(oracle_record(o, &t, k), k);
    assert_true(oracle_subset(o, 1000000, &t));
    for (long k = 0, all = 0; k < t.count; k++) {
        all += oracle_record(o, &t, k) - k;
        assert_true(k < t.count - 1 || all == 0);
    }
    bench_free(b);
}

/* A ticket does not change, whatever is drawn or asked afterwards. */
static void test_tickets_keep(void **state)
{
    struct bench *b = bench_new(true);
    b->facts.n = 50;
    struct oracle *o = bench_open(b, NULL, 64);
    struct ticket t[8];
    long first[8][50];
    for (int k = 0; k < 8; k++) {
        assert_true(k % 4 == 0   ? oracle_poisson(o, 0.4, &t[k])
                    : k % 4 == 1 ? oracle_subset(o, 20, &t[k])
                    : k % 4 == 2 ? oracle_shuffle(o, &t[k])
                                 : oracle_draw(o, 40, &t[k]));
        for (long i = 0; i < t[k].count; i++)
            first[k][i] = oracle_record(o, &t[k], i);
    }
    for (int k = 7; k >= 0; k--) {
        assert_true(t[k].count > 5);
        for (long i = t[k].count - 1; i >= 0; i--)
            assert_int_equal(oracle_record(o, &t[k], i), first[k][i]);
    }
    for (int k = 0; k < 4; k++)
        assert_true(memcmp(first[k], first[k + 4], 5 * sizeof(long)) != 0);
    for (int k = 2; k < 4; k++) {
        struct ticket part = ticket_part(&t[k], 30, 10);
        for (long i = 0; i < 10; i++)
            assert_int_equal(oracle_record(o, &part, i), first[k][30 + i]);
    }
    bench_free(b);
}

/* One draw with replacement takes more records than the oracle keeps in a list. The k-th record of the draw is the
 * same by oracle_record of the whole ticket, by oracle_record of a part of the ticket, and by oracle_records. */
static void test_many_draws(void **state)
{
    struct bench *b = bench_new(true);
    b->facts.n = 1e6;
    struct oracle *o = bench_open(b, NULL, 65);
    struct ticket t;
    const long many = 3L << 20;
    long list[3];
    assert_true(oracle_draw(o, many, &t));
    for (long k = 0; k < many - 3; k += many / 7) {
        struct ticket part = ticket_part(&t, k, 3);
        oracle_records(o, &t, k, 3, list);
        for (long i = 0; i < 3; i++) {
            assert_int_equal(oracle_record(o, &t, k + i), list[i]);
            assert_int_equal(oracle_record(o, &part, i), list[i]);
        }
    }
    bench_free(b);
}

/* The records of a ticket must follow from the serial number of the draw and the position alone. */
static void expect_addressed(const struct oracle *o, const struct ticket *t, long n)
{
    struct rng draws = rng_sub(&o->sampling, t->serial);
    for (long k = 0; k < t->count; k++) {
        struct rng r = rng_at(&draws, (uint64_t)k);
        long at = (long)rng_below(&r, (uint64_t)(t->of ? t->of : n));
        assert_int_equal(oracle_record(o, t, k), t->of ? o->order[t->from + at] : at);
    }
}

/* Small draws in a row are made together, ahead of their tickets. Each draw must be the one that its serial number
 * determines: for all sizes, after interruptions, for tickets of draws that are still to come, and for draws from a
 * block. */
static void test_draws_in_a_row(void **state)
{
    static const long sizes[] = { 1, 1, 3, 8, 9, 300, 2 };
    struct bench *b = bench_new(true);
    struct ticket t, other, block;
    b->facts.n = 900;
    struct oracle *o = bench_open(b, NULL, 66);
    assert_true(oracle_take(o, 7, &other) && oracle_take(o, 50, &block));
    for (int s = 0; s < 7; s++)
        for (int k = 0; k < 75; k++) {
            assert_true(oracle_draw(o, sizes[s], &t));
            struct ticket later = t;
            later.serial += (uint64_t)(k % 6);
            expect_addressed(o, &later, 900);
            expect_addressed(o, &t, 900);
            if (s == 1 && k % 25 == 24)
                assert_true(oracle_subset(o, 3, &other));
            if (k > 50) {
                assert_true(oracle_draw_from(o, &block, sizes[s], &other));
                expect_addressed(o, &other, 900);
            }
        }
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poisson_law), cmocka_unit_test(test_uniform_laws),
        cmocka_unit_test(test_large), cmocka_unit_test(test_tickets_keep),
        cmocka_unit_test(test_many_draws), cmocka_unit_test(test_draws_in_a_row),
    };
    return cmocka_run_group_tests_name("draws", tests, NULL, NULL);
}
