/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_rng_laws.c - distributions, compared with their closed forms.
 *
 * Every check has a fixed seed. It fails at a Kolmogorov-Smirnov or chi-square p-value below 1e-8, or at z beyond
 * 6.1 (two-sided 1e-9); there are fewer than 200 checks, so that a right generator fails one with probability
 * 6e-7. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "rng.h"
#include "rng_gsl.h"
#include "vec.h"

static const double P_LEAST = 1e-8, Z = 6.1;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Returns the p-value of u[n] being uniform, by Kolmogorov-Smirnov: P(sqrt(n) D > t) <= 2 exp(-2t^2) (Massart
 * 1990). */
static double ks_p(long n, double *u)
{
    double gap = 0;
    qsort(u, (size_t)n, sizeof *u, by_value);
    for (long k = 0; k < n; k++)
        gap = fmax(gap, fmax((double)(k + 1) / (double)n - u[k], u[k] - (double)k / (double)n));
    return 2 * exp(-2 * (double)n * gap * gap);
}

enum { DRAWS = 100000 };
static double uniform_of(struct rng *r) { return rng_uniform(r); }
static double normal_of(struct rng *r) { return gsl_cdf_ugaussian_P(rng_normal(r)); }
static double laplace_of(struct rng *r) { return gsl_cdf_laplace_P(rng_laplace(r, 2.5), 2.5); }
static double odd_normal_of(struct rng *r)
{
    double v[3];
    rng_normals(r, 3, 0.5, v);
    return gsl_cdf_gaussian_P(v[2], 0.5);
}
static double radius_of(struct rng *r)
{
    double x[7];
    rng_ball(r, 7, x);
    return pow(vec_norm(7, x), 7);
}
static double radius_1_of(struct rng *r)
{
    double x;
    rng_ball(r, 1, &x);
    return (x + 1) / 2;
}
/* Returns a coordinate of a point of the sphere in R^3, which is uniform on [-1, 1] (Archimedes), mapped to [0, 1].
 * On the circle, below, the angle is uniform. */
static double sphere_3_of(struct rng *r)
{
    double x[3];
    rng_sphere(r, 3, x);
    return (x[1] + 1) / 2;
}
static double circle_of(struct rng *r)
{
    double x[2];
    rng_sphere(r, 2, x);
    return (atan2(x[1], x[0]) + M_PI) / (2 * M_PI);
}
static void test_laws(void **state)
{
    static double (*const law[])(struct rng *) = { uniform_of, normal_of, laplace_of, odd_normal_of,
                                                   radius_of, radius_1_of, sphere_3_of, circle_of };
    double *u = malloc(DRAWS * sizeof *u);
    for (size_t k = 0; k < sizeof law / sizeof *law; k++) {
        struct rng r = rng_stream(100 + k);
        for (long i = 0; i < DRAWS; i++)
            u[i] = law[k](&r);
        double p = ks_p(DRAWS, u);
        if (!(p > P_LEAST))
            fail_msg("law %zu: p = %g", k, p);
    }
    struct rng base = rng_stream(99);
    for (uint64_t i = 0; i < DRAWS; i++) {
        struct rng r = rng_at(&base, i);
        u[i] = rng_uniform(&r);
    }
    assert_true(ks_p(DRAWS, u) > P_LEAST);
    free(u);
}

/* The statistic can fail: it detects uniform numbers that were raised to a power near 1, whose distribution
 * function is off by at most 0.018. */
static void test_laws_can_fail(void **state)
{
    double *u = malloc(DRAWS * sizeof *u);
    struct rng r = rng_stream(1);
    for (long i = 0; i < DRAWS; i++)
        u[i] = pow(rng_uniform(&r), 1.05);
    assert_true(ks_p(DRAWS, u) < P_LEAST);
    free(u);
}

/* Checks the mean sum/n of n independent numbers, whose law has this mean and variance: its |z| is below Z. */
#define EXPECT_MEAN(n, sum, mean, variance)                                  \
    do {                                                                     \
        double n_ = (n), z_ = ((sum) / n_ - (mean)) / sqrt((variance) / n_); \
        if (!(fabs(z_) < Z))                                                 \
            fail_msg("line %d: z = %g", __LINE__, z_);                       \
    } while (0)

static void test_moments(void **state)
{
    enum { N = 400000 };
    struct rng r = rng_stream(5);
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0, u1 = 0, u2 = 0, l1 = 0, l2 = 0, s1 = 0, j1 = 0;
    for (long k = 0; k < N; k++) {
        double x = rng_normal(&r), u = rng_uniform(&r), l = rng_laplace(&r, 1);
        m1 += x, m2 += x * x, m3 += x * x * x, m4 += x * x * x * x;
        u1 += u, u2 += u * u;
        l1 += l, l2 += l * l;
        s1 += rng_sign(&r);
        j1 += rng_geometric(&r);
    }
    EXPECT_MEAN(N, m1, 0, 1);
    EXPECT_MEAN(N, m2, 1, 2);
    EXPECT_MEAN(N, m3, 0, 15);
    EXPECT_MEAN(N, m4, 3, 96);               /* E x^8 = 105 */
    EXPECT_MEAN(N, u1, 0.5, 1.0 / 12);
    EXPECT_MEAN(N, u2, 1.0 / 3, 4.0 / 45);
    EXPECT_MEAN(N, l1, 0, 2);
    EXPECT_MEAN(N, l2, 2, 20);               /* E x^4 = 24 */
    EXPECT_MEAN(N, s1, 0, 1);
    EXPECT_MEAN(N, j1, 2, 2);
}

/* Checks P(|x| > 4) = 6.334e-5 for the first and for the second normal of a pair. */
static void test_tails(void **state)
{
    enum { N = 1000000 };
    const double p = 2 * gsl_cdf_ugaussian_Q(4);
    static double v[1000];
    struct rng r = rng_stream(6);
    long beyond[2] = { 0 };
    for (long k = 0; k < N / 1000; k++) {
        rng_normals(&r, 1000, 1, v);
        for (int j = 0; j < 1000; j++)
            beyond[j & 1] += fabs(v[j]) > 4;
    }
    for (int j = 0; j < 2; j++) {            /* the counts are compared with exact tails of the binomial law */
        unsigned k = (unsigned)beyond[j];
        assert_true(gsl_cdf_binomial_P(k, p, N / 2) > P_LEAST);
        assert_true(gsl_cdf_binomial_Q(k, p, N / 2) > P_LEAST);
    }
}

static double chi_square_p(int cells, const double *seen, const double *expected)
{
    double sum = 0;
    for (int k = 0; k < cells; k++)
        sum += (seen[k] - expected[k]) * (seen[k] - expected[k]) / expected[k];
    return gsl_cdf_chisq_Q(sum, cells - 1);
}

static void test_below(void **state)
{
    static const uint64_t sizes[] = { 2, 3, 7, 10, 64, 1000 };
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double seen[1000] = { 0 }, expected[1000];
        struct rng r = rng_stream(20 + s);
        int n = (int)sizes[s];
        for (int k = 0; k < n; k++)
            expected[k] = DRAWS / (double)n;
        for (long i = 0; i < DRAWS; i++) {
            uint64_t k = rng_below(&r, sizes[s]);
            assert_true(k < sizes[s]);
            seen[k]++;
        }
        assert_true(chi_square_p(n, seen, expected) > P_LEAST);
    }
    struct rng r = rng_stream(1);
    for (int k = 0; k < 100; k++)
        assert_int_equal(rng_below(&r, 1), 0);
}

/* n = 3 * 2^62 rejects a quarter of all words. Without rejection the values 0 mod 3 would be twice as frequent
 * as the others. */
static void test_below_huge(void **state)
{
    const uint64_t n = UINT64_C(3) << 62;
    struct rng r = rng_stream(31);
    double seen[3] = { 0 }, thirds[3] = { 0 },
           expected[3] = { DRAWS / 3.0, DRAWS / 3.0, DRAWS / 3.0 };
    for (long i = 0; i < DRAWS; i++) {
        uint64_t k = rng_below(&r, n);
        assert_true(k < n);
        seen[k % 3]++;
        thirds[k / (n / 3)]++;
    }
    assert_true(chi_square_p(3, seen, expected) > P_LEAST);
    assert_true(chi_square_p(3, thirds, expected) > P_LEAST);
}

static void test_geometric(void **state)
{
    enum { CELLS = 12 };
    double seen[CELLS] = { 0 }, expected[CELLS];
    struct rng r = rng_stream(33);
    for (long i = 0; i < DRAWS; i++) {
        int j = rng_geometric(&r);
        assert_true(j >= 1 && j <= 512);
        seen[j < CELLS ? j - 1 : CELLS - 1]++;
    }
    for (int k = 0; k < CELLS; k++)
        expected[k] = DRAWS * pow(0.5, k + 1 < CELLS ? k + 1 : CELLS - 1);
    assert_true(chi_square_p(CELLS, seen, expected) > P_LEAST);
}

/* --- points of the sphere and the ball; neighbouring streams */

/* Points of the sphere and of the ball in d = 1, 2, 3, 8 have the right norms and the second moments I/d and
 * I/(d+2). */
static void test_sphere_and_ball(void **state)
{
    static const long dims[] = { 1, 2, 3, 8 };
    enum { N = 40000 };
    for (int which = 0; which < 4; which++) {
        long d = dims[which];
        double x[8], y[8], sx[8][8] = { { 0 } }, sy[8][8] = { { 0 } };
        struct rng r = rng_stream(40 + (uint64_t)which);
        for (long k = 0; k < N; k++) {
            rng_sphere(&r, d, x);
            rng_ball(&r, d, y);
            assert_true(fabs(vec_norm(d, x) - 1) < 1e-14);
            assert_true(vec_norm(d, y) <= 1 + 1e-14);
            for (long i = 0; i < d; i++)
                for (long j = 0; j <= i; j++)
                    sx[i][j] += x[i] * x[j], sy[i][j] += y[i] * y[j];
        }
        for (long i = 0; i < d; i++)
            for (long j = 0; j <= i; j++) {
                double dd = (double)d, fourth = 3 / (dd * (dd + 2));
                double vx = i == j ? fourth - 1 / (dd * dd) : 1 / (dd * (dd + 2));
                double shrink = dd / (dd + 4);          /* E |y|^4 */
                double vy = i == j ? shrink * fourth - 1 / ((dd + 2) * (dd + 2))
                                   : shrink / (dd * (dd + 2));
                EXPECT_MEAN(N, sx[i][j], i == j ? 1 / dd : 0, vx + 1e-30);
                EXPECT_MEAN(N, sy[i][j], i == j ? 1 / (dd + 2) : 0, vy);
            }
    }
}

/* Neighbouring substreams, labels and seeds are uncorrelated, at lags 1 and 2^32. */
static void test_neighbours(void **state)
{
    enum { N = 100000 };
    struct rng base = rng_stream(60);
    double sum[4] = { 0 };
    for (uint64_t i = 0; i < N; i++) {
        struct rng at = rng_at(&base, i), next = rng_at(&base, i + 1);
        struct rng far = rng_at(&base, i + (UINT64_C(1) << 32));
        struct rng sub = rng_sub(&base, i), sub_next = rng_sub(&base, i + 1);
        struct rng seed = rng_stream(i), seed_next = rng_stream(i + 1);
        double x = rng_normal(&at);
        sum[0] += x * rng_normal(&next);
        sum[1] += x * rng_normal(&far);
        sum[2] += rng_normal(&sub) * rng_normal(&sub_next);
        sum[3] += rng_normal(&seed) * rng_normal(&seed_next);
    }
    for (int k = 0; k < 4; k++)
        EXPECT_MEAN(N, sum[k], 0, 1);
}

/* --- a stream seen as a gsl_rng */

static void test_gsl(void **state)
{
    enum { N = 100000, CELLS = 11 };
    struct rng r = rng_stream(70), same = rng_stream(70);
    struct rng_gsl view;
    gsl_rng *g = rng_gsl_view(&view, &r);
    for (int k = 0; k < 10; k++) {
        assert_int_equal(gsl_rng_get(g), rng_u32(&same));
        assert_true(gsl_rng_uniform(g) == rng_uniform(&same));
    }
    double gauss = 0, square = 0, seen[CELLS] = { 0 }, expected[CELLS];
    for (long k = 0; k < N; k++) {
        double x = gsl_ran_gaussian(g, 1);
        gauss += x, square += x * x;
        seen[gsl_ran_binomial(g, 0.4, CELLS - 1)]++;
        assert_true(gsl_rng_uniform_int(g, 10) < 10);
    }
    for (unsigned k = 0; k < CELLS; k++)
        expected[k] = N * gsl_ran_binomial_pdf(k, 0.4, CELLS - 1);
    EXPECT_MEAN(N, gauss, 0, 1);
    EXPECT_MEAN(N, square, 1, 2);
    assert_true(chi_square_p(CELLS, seen, expected) > P_LEAST);
    gsl_rng_set(g, 71);
    same = rng_stream(71);
    assert_int_equal(gsl_rng_get(g), rng_u32(&same));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws), cmocka_unit_test(test_laws_can_fail),
        cmocka_unit_test(test_moments), cmocka_unit_test(test_tails), cmocka_unit_test(test_below),
        cmocka_unit_test(test_below_huge), cmocka_unit_test(test_geometric),
        cmocka_unit_test(test_sphere_and_ball), cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_gsl),
    };
    return cmocka_run_group_tests_name("rng laws", tests, NULL, NULL);
}
