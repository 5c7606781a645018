/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_noise.c - laws of the noise and their entries in the ledger.
 *
 * Seeds are fixed; a comparison fails beyond z = 5.5 (probability 4e-8, two-sided). There are fewer than 60
 * comparisons, so that a right program fails with probability 2.4e-6 at most. test_tree counts its own. */
#include "support/aborts.h"
#include "support/tiny.h"

static const double Z = 5.5;
static const struct release plain = { .site = "here", .sensitivity = 1 };

static void expect_z(double z, int line)
{
    if (!(fabs(z) < Z))
        fail_msg("line %d: z = %g", line, z);
}

/* Checks mean and variance of each of the 3 entries of a noise vector, and that entries 1 and 2 of a vector, and
 * entries 0 of successive vectors, are uncorrelated. Normal numbers are made in pairs, of which the odd length 3
 * leaves one number unused. */
static void check_law(bool laplace)
{
    enum { RUNS = 40000 };
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 21);
    const double s = 1.5, variance = laplace ? 2 * s * s : s * s;
    const double fourth = laplace ? 24 * pow(s, 4) : 3 * pow(s, 4);
    double sum[D] = { 0 }, square[D] = { 0 }, cross = 0, follow = 0, before = 0;
    for (int k = 0; k < RUNS; k++) {
        double v[D] = { 10, -10, 0 };
        (laplace ? noise_laplace : noise_gaussian)(o, &plain, s, D, v);
        v[0] -= 10, v[1] += 10;
        for (int j = 0; j < D; j++) {
            sum[j] += v[j];
            square[j] += v[j] * v[j];
        }
        cross += v[1] * v[2];
        follow += v[0] * before;
        before = v[0];
    }
    for (int j = 0; j < D; j++) {
        expect_z(sum[j] / sqrt(RUNS * variance), __LINE__);
        expect_z((square[j] - RUNS * variance) / sqrt(RUNS * (fourth - variance * variance)),
                 __LINE__);
    }
    expect_z(cross / sqrt(RUNS * variance * variance), __LINE__);
    expect_z(follow / sqrt(RUNS * variance * variance), __LINE__);
    assert_true(o->counts.of[laplace ? COUNT_noise_laplace : COUNT_noise_gauss] ==
                (laplace ? RUNS * D : RUNS));
    bench_free(b);
}

static void test_gaussian(void **state) { check_law(false); }
static void test_laplace(void **state) { check_law(true); }

/* With sd 0 nothing changes, but the release is booked. */
static void test_no_noise(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 1);
    double v[D] = { 1, 2, 3 };
    const double w[D] = { 1, 2, 3 };
    noise_gaussian(o, &plain, 0, D, v);
    noise_laplace(o, &plain, 0, D, v);
    struct prefix *t = noise_prefix(o, b->arena, PREFIX_TREE, 4, D);
    for (int k = 0; k < 4; k++)
        prefix_release(t, &plain, 0, v);
    assert_memory_equal(v, w, sizeof v);
    assert_int_equal(o->ledger.entries, 6);
    assert_true(o->ledger.entry[0].scale == 0);
    bench_free(b);
}

/* Equal seeds give equal noise, whatever vector it is added to. The noise of vectors of different lengths begins
 * with the same numbers. */
static void test_repeats(void **state)
{
    struct bench *b[3];
    double v[3][4] = { { 0 }, { 5, 5, 5, 5 }, { 0 } };
    for (int k = 0; k < 3; k++) {
        b[k] = bench_new(true);
        struct oracle *o = bench_open(b[k], NULL, k == 2 ? 10 : 9);
        noise_gaussian(o, &plain, 1, k == 1 ? 3 : 4, v[k]);
    }
    for (int j = 0; j < 3; j++) {
        assert_true(fabs(v[1][j] - 5 - v[0][j]) < 1e-14);
        assert_true(v[2][j] != v[0][j]);
    }
    assert_true(v[1][3] == 5);
    for (int k = 0; k < 3; k++)
        bench_free(b[k]);
}

/* Count mode books and counts what a real run does, and changes no vector. */
static void test_counting(void **state)
{
    struct bench *b[2] = { bench_new(true), bench_new(true) };
    for (int k = 0; k < 2; k++) {
        struct oracle *o = bench_open(b[k], NULL, 3);
        struct prefix *t = noise_prefix(o, b[k]->arena, PREFIX_TREE, 8, D);
        double v[D] = { 1, 2, 3 };
        const double w[D] = { 1, 2, 3 }, scale[D] = { 1, 1, 1 };
        o->counting = k;
        noise_gaussian(o, &plain, 1, D, v);
        noise_laplace(o, &plain, 1, D, v);
        noise_max(o, &plain, D, w, scale, NULL);
        prefix_release(t, &plain, 1, v);
        assert_int_equal(memcmp(v, w, sizeof v) == 0, k);
    }
    assert_memory_equal(&b[0]->o.counts, &b[1]->o.counts, sizeof b[0]->o.counts);
    assert_int_equal(b[0]->o.ledger.entries, b[1]->o.ledger.entries);
    bench_free(b[0]);
    bench_free(b[1]);
}

/* --- noisy maximum */

static void test_max_without_noise(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 1);
    const double score[5] = { 1, -7, 3, 6.5, NAN }, none[5] = { 0 }, weight[5] = { 1, 10, 1, 2, 1 };
    assert_int_equal(noise_max(o, &plain, 4, score, none, NULL), 1);
    assert_int_equal(noise_max(o, &plain, 4, score, none, weight), 3);
    assert_int_equal(noise_max(o, &plain, 5, score, none, weight), 3);
    assert_int_equal(noise_max(o, &plain, 1, score + 4, none, NULL), 0);
    assert_true(o->counts.of[COUNT_noise_max] == 4 && o->counts.of[COUNT_noise_laplace] == 14);
    bench_free(b);
}

/* Returns P(|s + Lap(b)| <= y), y >= 0. */
static double folded(double s, double b, double y)
{
    double hi = y - s, lo = -y - s;
    double below_hi = hi < 0 ? exp(hi / b) / 2 : 1 - exp(-hi / b) / 2;
    double below_lo = lo < 0 ? exp(lo / b) / 2 : 1 - exp(-lo / b) / 2;
    return below_hi - below_lo;
}

/* Returns P(|s0 + Lap(b0)|/w0 > |s1 + Lap(b1)|/w1): a sum over the cells of a fine grid. A term is the probability
 * that score 0 is in the cell times the probability that score 1 is below the middle of the cell. The error is
 * below 1e-6. */
static double wins(const double *s, const double *b, const double *w)
{
    double sum = 0, h = 1e-3, before = 0;
    for (double y = h; y < 60; y += h) {
        double at = folded(s[0], b[0], y * w[0]);
        sum += (at - before) * folded(s[1], b[1], (y - h / 2) * w[1]);
        before = at;
    }
    return sum;
}

static void test_max_of_two(void **state)
{
    enum { RUNS = 60000 };
    static const double s[3][2] = { { 1, 1.5 }, { -2, 1 }, { 0, 0.5 } };
    static const double scale[3][2] = { { 1, 1 }, { 1, 2 }, { 0.5, 0.1 } };
    static const double w[3][2] = { { 1, 1 }, { 1, 1 }, { 2, 0.75 } };
    for (int k = 0; k < 3; k++) {
        struct bench *b = bench_new(true);
        struct oracle *o = bench_open(b, NULL, 40 + (uint64_t)k);
        double first = 0, p = wins(s[k], scale[k], w[k]);
        for (int run = 0; run < RUNS; run++)
            first += noise_max(o, &plain, 2, s[k], scale[k], k == 2 ? w[k] : NULL) == 0;
        assert_true(p > 0.02 && p < 0.98);
        expect_z((first - RUNS * p) / sqrt(RUNS * p * (1 - p)), __LINE__);
        assert_true(o->ledger.entry[0].scale == fmin(scale[k][0] / w[k][0], scale[k][1] / w[k][1]));
        bench_free(b);
    }
}

/* --- the noise of the tree */

static void test_tree_height(void **state)
{
    static const long T[] = { 1, 2, 3, 4, 7, 8, 1000, 1024 };
    static const int height[] = { 1, 2, 2, 3, 3, 4, 10, 11 };
    for (int k = 0; k < 8; k++)
        assert_int_equal(tree_height(T[k]), height[k]);
}

/* Returns how many nodes of the tree prefixes i and j share. The nodes of prefix i are the intervals of the
 * dyadic decomposition of [1, i]. */
static int shared_nodes(long i, long j)
{
    int shared = 0;
    for (long end = i; end > 0; end -= end & -end)
        for (long other = j; other > 0; other -= other & -other)
            shared += end == other;
    return shared;
}

/* The covariance of the noise of all pairs of 13 prefixes is sd^2 times the number of shared nodes; after a restart
 * the noise is independent of the noise before. A product of two jointly normal variables has variance s_ii s_jj +
 * s_ij^2. There are 13*14/2 + 13 = 104 comparisons at z = 6; a right program fails with probability 2e-7. */
static void test_tree(void **state)
{
    enum { T = 13, RUNS = 20000, d = 3 };
    static double cov[T][T], across[T], noise[T][d];
    const double sd = 0.7;
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 50);
    struct prefix *t = noise_prefix(o, b->arena, PREFIX_TREE, T, d);
    double before[T] = { 0 };
    for (int run = 0; run < RUNS; run++) {
        prefix_restart(t);
        for (int i = 0; i < T; i++) {
            vec_fill(d, i, noise[i]);                    /* a sum without noise: prefix_release adds noise to it */
            prefix_release(t, &plain, sd, noise[i]);
            for (int j = 0; j < d; j++)
                noise[i][j] -= i;
        }
        for (int i = 0; i < T; i++) {
            for (int j = 0; j <= i; j++)
                cov[i][j] += noise[i][2] * noise[j][2];
            across[i] += noise[i][2] * before[i];
            before[i] = noise[i][2];
        }
    }
    double s2 = sd * sd;
    for (int i = 0; i < T; i++) {
        double vi = s2 * __builtin_popcount((unsigned)i + 1);
        for (int j = 0; j <= i; j++) {
            double vj = s2 * __builtin_popcount((unsigned)j + 1),
                   c = s2 * shared_nodes(i + 1, j + 1);
            double z = (cov[i][j] - RUNS * c) / sqrt(RUNS * (vi * vj + c * c));
            if (!(fabs(z) < 6))
                fail_msg("prefixes %d and %d: z = %g", i + 1, j + 1, z);
        }
        assert_true(fabs(across[i]) < 6 * sqrt(RUNS) * vi);
    }
    assert_true(o->counts.of[COUNT_noise_tree] == (double)T * RUNS);
    bench_free(b);
}

static void past_the_end(void *tree)
{
    double v[D];
    for (int k = 0; k < 3; k++)
        prefix_release(tree, &plain, 0, v);
}

/* A tree of T prefixes makes T releases, and aborts at another one. Releases with and without noise may
 * alternate. */
static void test_tree_edges(void **state)
{
    struct bench *b = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 50);
    struct prefix *two = noise_prefix(o, b->arena, PREFIX_TREE, 2, D),
        *five = noise_prefix(o, b->arena, PREFIX_TREE, 5, D);
    double v[D] = { 0 };
    assert_true(aborts(past_the_end, two, NULL, 0));
    for (int k = 0; k < 5; k++)
        prefix_release(five, &plain, k % 2, v);
    assert_true(vec_finite(D, v));
    bench_free(b);
}

/* --- the ledger */

static void test_entry(void **state)
{
    for (int stored = 0; stored < 2; stored++) {
        struct bench *b = bench_new(stored);
        struct oracle *o = bench_open(b, NULL, 1);
        struct ticket t;
        double v[D] = { 0 };
        assert_true(oracle_take(o, 2, &t) && oracle_take(o, 3, &t));
        struct release r = { .site = "a", .norm = NORM_1, .sensitivity = 0.25, .ticket = &t,
                             .failure = 1e-6, .hidden = true };
        noise_laplace(o, &r, 3, D, v);
        const struct ledger_entry *e = o->ledger.entry;
        assert_string_equal(e->site, "a");
        assert_true(e->mechanism == MECHANISM_LAPLACE && e->norm == NORM_1 && e->hidden);
        assert_true(e->sensitivity == 0.25 && e->scale == 3 && e->failure == 1e-6);
        assert_true(e->scheme == SAMPLING_FRESH && e->first == 2 && e->count == 3 && e->batch == 3);
        assert_true(e->repeats == 1 && e->step == 0 && e->dimension == D);
        r.ticket = NULL;                                 /* the release is of all records */
        noise_gaussian(o, &r, 2, 1, v);
        e = o->ledger.entry + 1;
        assert_true(e->mechanism == MECHANISM_GAUSSIAN && e->scheme == SAMPLING_ALL);
        assert_true(e->first == 0 && e->count == (stored ? N : 0) && e->dimension == 1);
        bench_free(b);
    }
}

static const char site_a[] = "a", site_b[] = "b";
static const struct ledger_entry base = {
    .site = site_a, .mechanism = MECHANISM_GAUSSIAN, .norm = NORM_2, .sensitivity = 1, .scale = 2,
    .scheme = SAMPLING_FRESH, .first = 10, .count = 5, .batch = 5, .repeats = 1, .dimension = 3 };

/* Equal mechanisms on adjacent disjoint batches are one entry of the ledger; if any property differs, there are two
 * entries. */
static void test_merging(void **state)
{
    for (int k = 0; k < 17; k++) {
        struct ledger l = { 0 };
        struct ledger_entry e = base, f = base;
        f.first = 15;
        bool merged = k == 0 || k == 15;
        switch (k) {
        case 1: f.first = 16; break;
        case 2: f.first = 10; break;
        case 3: f.site = site_b; break;
        case 4: f.mechanism = MECHANISM_LAPLACE; break;
        case 5: f.norm = NORM_1; break;
        case 6: f.sensitivity = 1.5; break;
        case 7: f.scale = 2.5; break;
        case 8: f.batch = f.count = 4; break;
        case 9: f.failure = 1e-9; break;
        case 10: f.hidden = true; break;
        case 11: f.dimension = 4; break;
        case 12: e.scheme = f.scheme = SAMPLING_REPLACE; break;
        case 13: e.scheme = f.scheme = SAMPLING_ALL; break;
        case 14: e.step = 1, f.step = 3; break;
        case 15: e.step = 1, f.step = 2; break;
        case 16: e.step = 1, f.step = 2, e.stream = 1, f.stream = 2; break;
        }
        ledger_book(&l, &e);
        ledger_book(&l, &f);
        assert_int_equal(l.entries, merged ? 1 : 2);
        if (merged)
            assert_true(l.entry[0].first == 10 && l.entry[0].count == 10 && l.entry[0].batch == 5 &&
                        l.entry[0].repeats == 2 && l.entry[0].step == e.step);
        ledger_free(&l);
        assert_int_equal(l.entries, 0);
    }
}

/* A single pass of steps is one entry of the ledger, and so is an epoch of the tree; a restart begins another
 * entry. */
static void test_passes(void **state)
{
    struct bench *b = bench_new(false);
    struct oracle *o = bench_open(b, NULL, 1);
    struct prefix *t = noise_prefix(o, b->arena, PREFIX_TREE, 8, D);
    double v[D] = { 0 };
    struct ticket k;
    struct release r = { .site = site_a, .sensitivity = 1, .ticket = &k };
    for (int i = 0; i < 1000; i++) {
        assert_true(oracle_take(o, 3, &k));
        noise_gaussian(o, &r, 1, D, v);
    }
    assert_int_equal(o->ledger.entries, 1);
    assert_true(o->ledger.entry[0].repeats == 1000 && o->ledger.entry[0].count == 3000);
    for (int i = 0; i < 16; i++) {
        if (i == 8)
            prefix_restart(t);
        assert_true(oracle_take(o, 3, &k));
        prefix_release(t, &r, 1, v);
    }
    assert_int_equal(o->ledger.entries, 3);
    for (int e = 1; e < 3; e++) {
        assert_true(o->ledger.entry[e].mechanism == MECHANISM_TREE &&
                    o->ledger.entry[e].cover == 4);
        assert_true(o->ledger.entry[e].step == 1 && o->ledger.entry[e].repeats == 8);
    }
    for (int i = 0; i < 2; i++)                          /* the same ticket twice gives two entries */
        noise_gaussian(o, &r, 1, D, v);
    assert_int_equal(o->ledger.entries, 5);
    bench_free(b);
}

/* --- broken contracts */

static void book(struct oracle *o, struct release r, double sd)
{
    double v[D];
    noise_gaussian(o, &r, sd, D, v);
}
static void no_site(void *o) { book(o, (struct release){ .sensitivity = 1 }, 1); }
static void no_sensitivity(void *o)
{
    book(o, (struct release){ .site = "x", .sensitivity = NAN }, 1);
}
static void negative(void *o) { book(o, (struct release){ .site = "x", .sensitivity = -1 }, 1); }
static void bad_scale(void *o) { book(o, plain, NAN); }
static void fine(void *o) { book(o, plain, 1); }

static void test_broken_contracts(void **state)
{
    static const struct algo deaf = { .name = "deaf", .calls = CALL_GRAD };
    struct bench *b = bench_new(true), *c = bench_new(true);
    struct oracle *o = bench_open(b, NULL, 1), *undeclared = bench_open(c, &deaf, 1);
    assert_true(aborts(no_site, o, NULL, 0));
    assert_true(aborts(no_sensitivity, o, NULL, 0));
    assert_true(aborts(negative, o, NULL, 0));
    assert_true(aborts(bad_scale, o, NULL, 0));
    assert_false(aborts(fine, o, NULL, 0));
    assert_true(aborts(fine, undeclared, NULL, 0));
    bench_free(b);
    bench_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaussian), cmocka_unit_test(test_laplace),
        cmocka_unit_test(test_no_noise), cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_counting), cmocka_unit_test(test_max_without_noise),
        cmocka_unit_test(test_max_of_two), cmocka_unit_test(test_tree_height),
        cmocka_unit_test(test_tree), cmocka_unit_test(test_tree_edges),
        cmocka_unit_test(test_entry), cmocka_unit_test(test_merging), cmocka_unit_test(test_passes),
        cmocka_unit_test(test_broken_contracts),
    };
    return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
