/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account_stream.c - prices (epsilon at delta = DELTA) of ledgers in which a record takes part in several
 * steps of one stream. For prefix sums the noise is B z, z standard normal and B the matrix that defines the
 * stream. The expected price is that of a Gaussian mechanism with mu^2 = |diag(1/sd) B^-1 p|^2, p the changes of
 * the prefixes by the record. For iterations the expected price is found by a search over all ways to spread the
 * changes. Random ledgers have a fixed seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "privacy/account.h"
#include "privacy/account_ledger.h"
#include "rng.h"

static const double DELTA = 1e-5;
enum { T = 13, RECORDS = 18 };

static double exact_of(struct ledger *l)
{
    struct priced out[ACCOUNTANTS];
    account_ledger(l, RECORDS, DELTA, out);
    ledger_free(l);
    assert_string_equal(out[0].name, "exact");
    return out[0].eps;
}

static void expect_mu2(const char *what, double eps, double mu2)
{
    double truth = account_gaussian_eps(sqrt(mu2), DELTA);
    if (!(fabs(eps - truth) <= 1e-9 * truth))
        fail_msg("%s: %.15g, expected %.15g", what, eps, truth);
}

static struct ledger_entry step(enum mechanism m, long stream, long t, long first, long count)
{
    return (struct ledger_entry){ .site = "test", .mechanism = m, .sensitivity = 1, .scale = 1,
        .scheme = SAMPLING_FRESH, .first = first, .count = count, .batch = (double)count,
        .repeats = 1, .step = t, .stream = stream, .length = T, .cover = 4, .dimension = 1,
        .hidden = m == MECHANISM_STEP };
}

/* --- prefix sums */

/* Fills the matrix B of the noise of T prefixes. Row i of the tree has a 1 for each node of the dyadic
 * decomposition of prefix i, in the column of the step at which the node ends. The square root has binom(2k, k)/4^k
 * on diagonal k. */
static void noise_matrix(enum mechanism m, double B[T][T])
{
    memset(B, 0, T * sizeof *B);
    for (int i = 1; i <= T; i++) {
        for (int rest = i; m == MECHANISM_TREE && rest > 0; rest &= rest - 1)
            B[i - 1][rest - 1] = 1;
        double c = 1;
        for (int k = 0; m == MECHANISM_ROOT && k < i; k++) {
            B[i - 1][i - 1 - k] = c;
            c *= (2 * k + 1.0) / (2 * k + 2.0);
        }
    }
}

/* Returns mu^2 of a record that changes the sum by s[t] in step t, where the noise of step t has scale sd[t]. */
static double truth(enum mechanism m, const double *s, const double *sd)
{
    double B[T][T], z[T], prefix = 0, sum = 0;
    noise_matrix(m, B);
    for (int i = 0; i < T; i++) {
        prefix += s[i];
        z[i] = prefix;
        for (int j = 0; j < i; j++)
            z[i] -= B[i][j] * z[j];
        sum += z[i] * z[i] / (sd[i] * sd[i]);
    }
    return sum;
}

/* Every step of the stream concerns an interval of records and changes the sum by an amount of its own; in half of
 * the trials the noise of a step has a scale of its own. A record may be in several steps. */
static void test_positions(void **state)
{
    struct rng r = rng_stream(11);
    for (int trial = 0; trial < 60; trial++) {
        enum mechanism m = trial & 1 ? MECHANISM_ROOT : MECHANISM_TREE;
        struct ledger l = { 0 };
        double s[RECORDS][T] = { { 0 } }, sd[T], most = 0;
        for (int t = 0; t < T; t++) {
            long first = (long)rng_below(&r, RECORDS);
            long count = 1 + (long)rng_below(&r, RECORDS - (uint64_t)first);
            struct ledger_entry e = step(m, 1, t + 1, first, count);
            e.sensitivity = 0.1 * rng_uniform(&r);
            sd[t] = e.scale = trial & 2 ? 0.5 + rng_uniform(&r) : 0.7;
            ledger_book(&l, &e);
            for (long i = first; i < first + count; i++)
                s[i][t] = e.sensitivity;
        }
        for (int i = 0; i < RECORDS; i++)
            most = fmax(most, truth(m, s[i], sd));
        expect_mu2(m == MECHANISM_ROOT ? "root" : "tree", exact_of(&l), most);
    }
}

/* Three epochs of four equal batches are booked in three ways: in one stream, with the same order; in a separate
 * stream each; as positions in an order that is shuffled once and used in every epoch. The ledger merges equal
 * steps. */
static void test_epochs(void **state)
{
    for (int kind = 0; kind < 6; kind++) {
        enum mechanism m = kind & 1 ? MECHANISM_ROOT : MECHANISM_TREE;
        bool own = kind / 2 == 1, shuffled = kind / 2 == 2;
        struct ledger l = { 0 };
        double most = 0, one[T], flat[T];
        for (int k = 0; k < 12; k++) {
            struct ledger_entry e = step(m, own ? 1 + k / 4 : 1, own ? 1 + k % 4 : 1 + k,
                                         k % 4 * 4, 4);
            e.scheme = shuffled ? SAMPLING_SHUFFLED : SAMPLING_FRESH;
            e.draw = shuffled ? 5 : 0;
            ledger_book(&l, &e);
        }
        assert_true(l.entries == 3);
        for (int t = 0; t < T; t++)      /* flat[t]: the scale of the noise of step t; infinite after the last step
                                            that is booked, as nothing is released there */
            flat[t] = t < (own ? 4 : 12) ? 1 : INFINITY;
        for (int first = 0; first < 4; first++) {
            memset(one, 0, sizeof one);
            for (int epoch = 0; epoch < 3; epoch++)
                one[own ? first : first + 4 * epoch] = 1;
            most = fmax(most, truth(m, one, flat) * (own ? 3 : 1));
        }
        expect_mu2("epochs", exact_of(&l), most);
    }
}

/* If every epoch has a new order, any record may be in any step of an epoch. The price is at least that of the
 * worst of all 4^3 assignments, and below that of three times the mu of a record that is in the costliest step
 * alone. */
static void test_orders(void **state)
{
    for (int kind = 0; kind < 2; kind++) {
        enum mechanism m = kind ? MECHANISM_ROOT : MECHANISM_TREE;
        struct ledger l = { 0 };
        double most = 0, alone = 0, flat[T];
        for (int k = 0; k < 12; k++) {
            struct ledger_entry e = step(m, 1, 1 + k, k % 4 * 4, 4);
            e.scheme = SAMPLING_SHUFFLED;
            e.draw = (uint64_t)(5 + k / 4);
            ledger_book(&l, &e);
        }
        for (int t = 0; t < T; t++)
            flat[t] = 1;
        for (int way = 0; way < 64; way++) {
            double one[T] = { 0 }, first[T] = { 0 };
            one[way % 4] = one[4 + way / 4 % 4] = one[8 + way / 16] = first[way % 4] = 1;
            most = fmax(most, truth(m, one, flat));
            alone = fmax(alone, truth(m, first, flat));
        }
        double eps = exact_of(&l);
        assert_true(eps >= account_gaussian_eps(sqrt(most), DELTA) * (1 - 1e-9));
        assert_true(eps < account_gaussian_eps(3 * sqrt(alone), DELTA));
    }
}

/* If epochs have separate orders, the position of a record in one order says nothing of its position in another:
 * one record may be in all of three steps, two of which share an order. */
static void test_places(void **state)
{
    struct ledger l = { 0 };
    double one[T] = { 1, 1, 1 }, flat[T];    /* the expected bound is that of a record whose changes add up in every
                                                node */
    for (int k = 0; k < 3; k++) {
        struct ledger_entry e = step(MECHANISM_TREE, 1, 1 + k, k == 2 ? 12 : 0, 4);
        e.scheme = SAMPLING_SHUFFLED;
        e.draw = k == 2 ? 8 : 7;
        ledger_book(&l, &e);
    }
    for (int t = 0; t < T; t++)
        flat[t] = 1;
    double least = account_gaussian_eps(sqrt(truth(MECHANISM_TREE, one, flat)), DELTA);
    assert_true(exact_of(&l) >= least * (1 - 1e-9));
}

/* A record that takes part in the stream and in another release pays for both. A step without noise makes the price
 * infinite. */
static void test_beside(void **state)
{
    struct ledger l = { 0 };
    double one[T] = { 1 }, flat[T] = { 1 };
    struct ledger_entry other = step(MECHANISM_GAUSSIAN, 0, 0, 2, 4),
                        tree = step(MECHANISM_TREE, 1, 1, 0, 4), last;
    for (int t = 1; t < T; t++)
        flat[t] = INFINITY;
    ledger_book(&l, &tree);
    ledger_book(&l, &other);
    expect_mu2("beside", exact_of(&l), truth(MECHANISM_TREE, one, flat) + 1);
    last = tree;
    last.scale = 0;
    ledger_book(&l, &last);
    assert_true(isinf(exact_of(&l)));
    for (int stream = 1; stream < 4; stream++) {
        last = step(MECHANISM_TREE, stream, 1, 0, 4);
        last.scale = stream == 2 ? 0 : 1;
        ledger_book(&l, &last);
    }
    assert_true(isinf(exact_of(&l)));
}

/* A tree of 600 steps, each of which concerns all records, is priced by its cover. The only step with little noise
 * is the last of the node of 512 steps, whose change is 0.512: the price is at least that of this node. Without
 * noise in that step it is infinite. */
static void test_least_noise(void **state)
{
    for (int noise = 0; noise < 2; noise++) {
        struct ledger l = { 0 };
        for (int t = 1; t <= 600; t++) {
            struct ledger_entry e = step(MECHANISM_TREE, 1, t, 0, RECORDS);
            e.scheme = SAMPLING_ALL;
            e.length = 600;
            e.cover = 10;
            e.sensitivity = t == 512 && !noise ? 0 : 1e-3;
            e.scale = t == 512 ? noise : 1000;
            ledger_book(&l, &e);
        }
        double eps = exact_of(&l);
        assert_true(noise ? isfinite(eps) && eps >= account_gaussian_eps(0.512, DELTA) * (1 - 1e-9) : isinf(eps));
    }
}

/* --- iterations: the last iterate is released */

/* Returns the least sum of a_t^2/sd_t^2 over the ways to spread the whole change s_1 + ... + s_n into parts a_t >=
 * 0, where a_1 + ... + a_t may not exceed s_1 + ... + s_t. The a_t are multiples of a FINE-th of the whole change,
 * and are found by dynamic programming over the amount that is spread. */
enum { FINE = 240 };
static double spread(int n, const double *s, const double *sd)
{
    double cost[FINE + 1], next[FINE + 1], all = 0, far = 0;
    for (int t = 0; t < n; t++)
        all += s[t];
    for (int i = 0; i <= FINE; i++)
        cost[i] = i ? INFINITY : 0;
    for (int t = 0; t < n; t++) {
        far += s[t];
        for (int i = 0; i <= FINE; i++) {
            next[i] = INFINITY;
            for (int j = 0; j <= i && i <= far / all * FINE + 1e-6; j++) {
                double a = (i - j) * all / FINE / sd[t];
                next[i] = fmin(next[i], cost[j] + a * a);
            }
        }
        memcpy(cost, next, sizeof cost);
    }
    return cost[FINE];
}

/* One record takes part in some of six steps. The change in each step is a multiple of 1/24 of the sum of all
 * changes, so that the grid of `spread` contains all sums s_1 + ... + s_t, which bound the a_t there. The price is
 * at most that of the grid, and at most 0.2% below it. */
static void test_iterations(void **state)
{
    struct rng r = rng_stream(12);
    for (int trial = 0; trial < 20; trial++) {
        struct ledger l = { 0 };
        double s[6], sd[6], left = 24;
        for (int t = 0; t < 6; t++) {
            s[t] = t == 5 ? left : (double)rng_below(&r, (uint64_t)left / 2 + 1);
            left -= s[t];
            if (t % 2 && t < 5) {
                left += s[t];
                s[t] = 0;
            }
            sd[t] = trial % 3 ? 20 : 10 + 30 * rng_uniform(&r);
            struct ledger_entry e = step(MECHANISM_STEP, 4, t + 1, s[t] > 0 ? 0 : 3, 2);
            e.sensitivity = s[t] > 0 ? s[t] : 0.01;
            e.scale = sd[t];
            ledger_book(&l, &e);
        }
        struct ledger_entry last = step(MECHANISM_LAST, 4, 6, 0, RECORDS);
        last.scheme = SAMPLING_ALL;
        last.sensitivity = 0;
        ledger_book(&l, &last);
        double eps = exact_of(&l), most = spread(6, s, sd);
        double above = account_gaussian_eps(sqrt(most), DELTA);
        if (!(eps <= above * (1 + 1e-9) && eps >= 0.998 * above))
            fail_msg("trial %d: %.9g, of the grid %.9g", trial, eps, above);
    }
}

/* One hidden step whose change equals its variance, 1 each: the mu is 1. The change is booked smaller by the margin
 * of 1e-15 that the price adds for rounding. */
static void test_unit_slope(void **state)
{
    struct ledger l = { 0 };
    struct ledger_entry e = step(MECHANISM_STEP, 4, 1, 0, 2), last = step(MECHANISM_LAST, 4, 2, 0, RECORDS);
    e.sensitivity = 1 / (1 + 1e-15);
    assert_true(e.sensitivity * (1 + 1e-15) == 1);
    ledger_book(&l, &e);
    last.scheme = SAMPLING_ALL;
    last.sensitivity = 0;
    ledger_book(&l, &last);
    expect_mu2("slope 1", exact_of(&l), 1);
}

/* A price depends on the sensitivities in units of the noise: epochs in separate orders cost the same when
 * sensitivity and noise are multiplied by the same power of 2. */
static void test_units(void **state)
{
    double eps[3];
    for (int unit = 0; unit < 3; unit++) {
        struct ledger l = { 0 };
        for (int k = 0; k < 12; k++) {
            struct ledger_entry e = step(MECHANISM_ROOT, 1, 1 + k, k % 4 * 4, 4);
            e.scheme = SAMPLING_SHUFFLED;
            e.draw = (uint64_t)(5 + k / 4);
            e.sensitivity = e.scale = ldexp(1, 4 * (unit - 1));
            ledger_book(&l, &e);
        }
        eps[unit] = exact_of(&l);
    }
    assert_true(isfinite(eps[1]) && eps[0] == eps[1] && eps[2] == eps[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions), cmocka_unit_test(test_epochs),
        cmocka_unit_test(test_orders),    cmocka_unit_test(test_beside),
        cmocka_unit_test(test_places),    cmocka_unit_test(test_least_noise),
        cmocka_unit_test(test_iterations), cmocka_unit_test(test_unit_slope), cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests_name("account_stream", tests, NULL, NULL);
}
