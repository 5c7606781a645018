/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_rng_tails.c - the law of long vectors of normals: moments, tails, and correlations between the numbers of a
 * block, of neighbouring blocks and vectors, and of neighbouring substreams. There are 4 million numbers; 400
 * million with ASSAY_LONG=1, see long_random.sh.
 *
 * Seeds are fixed. Of 41 checks 25 are z-tests, which fail beyond 6.1 (two-sided 1e-9), and 16 are exact binomial
 * tests at 1e-8 a side. A right generator fails one with probability at most 16 * 2e-8 + 25e-9 = 4e-7. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "rng.h"

enum { PART = 4000 };
static double v[2 * PART];

static long parts(void) { return getenv("ASSAY_LONG") ? 100000 : 1000; }

static void expect_mean(const char *what, long k, double sum, double n, double mean,
                        double variance)
{
    double z = (sum / n - mean) / sqrt(variance / n);
    if (!(fabs(z) < 6.1))
        fail_msg("%s %ld: z = %g", what, k, z);
}

/* The moments up to the fourth of either number of a block, and the counts of numbers that exceed 3, 4, 5 and 6,
 * are those of the normal law. */
static void moments_and_tails(void **state)
{
    double moment[2][4] = { { 0 } }, n = (double)parts() * PART / 2;
    long beyond[2][2][4] = { { { 0 } } };
    struct rng r = rng_stream(2026);
    for (long part = 0; part < parts(); part++) {
        rng_normals(&r, PART, 1, v);
        for (int j = 0; j < PART; j++) {
            double x = v[j], square = x * x, *m = moment[j & 1];
            m[0] += x;
            m[1] += square;
            m[2] += square * x;
            m[3] += square * square;
            for (int t = 0; square > (3 + t) * (3 + t) && t < 4; t++)
                beyond[j & 1][x > 0][t]++;
        }
    }
    static const double mean[] = { 0, 1, 0, 3 }, variance[] = { 1, 2, 15, 96 };
    for (int j = 0; j < 2; j++) {
        for (int k = 0; k < 4; k++)
            expect_mean("moment", k + 1, moment[j][k], n, mean[k], variance[k]);
        for (int side = 0; side < 2; side++)
            for (int t = 0; t < 4; t++) {
                double p = gsl_cdf_ugaussian_Q(3 + t);
                unsigned seen = (unsigned)beyond[j][side][t];
                assert_true(gsl_cdf_binomial_P(seen, p, (unsigned)n) > 1e-8);
                assert_true(seen == 0 || gsl_cdf_binomial_Q(seen - 1, p, (unsigned)n) > 1e-8);
            }
    }
}

/* Checks E x y = 0, and E (x^2-1)(y^2-1) = 0 with variance 4, for numbers that are `lag` places apart: in a block
 * of the generator, in a SIMD vector of 4 or 8 numbers, in a group of such vectors, and farther. */
static void neighbours_are_independent(void **state)
{
    static const int lag[] = { 1, 2, 3, 8, 16, 32, 64, 256 };
    double product[8] = { 0 }, squares[8] = { 0 }, n = (double)parts() * PART;
    struct rng r = rng_stream(11);
    rng_normals(&r, PART, 1, v + PART);
    for (long part = 0; part < parts(); part++) {
        memcpy(v, v + PART, PART * sizeof *v);
        rng_normals(&r, PART, 1, v + PART);
        for (int k = 0; k < 8; k++)
            for (int j = 0; j < PART; j++) {
                double x = v[j], y = v[j + lag[k]];
                product[k] += x * y;
                squares[k] += (x * x - 1) * (y * y - 1);
            }
    }
    for (int k = 0; k < 8; k++) {
        expect_mean("lag", lag[k], product[k], n, 0, 1);
        expect_mean("squares at lag", lag[k], squares[k], n, 0, 4);
    }
}

/* Rows of neighbouring substreams are uncorrelated, coordinate by coordinate. */
static void rows_are_independent(void **state)
{
    enum { D = 8, M = PART / D };
    double sum = 0, n = (double)parts() * (M - 1) * D;
    struct rng base = rng_stream(12);
    for (long part = 0; part < parts(); part++) {
        rng_normals_rows(&base, (uint64_t)(part * M), M, D, 1, v);
        for (int j = 0; j + D < M * D; j++)
            sum += v[j] * v[j + D];
    }
    expect_mean("rows", D, sum, n, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_and_tails),
        cmocka_unit_test(neighbours_are_independent),
        cmocka_unit_test(rows_are_independent),
    };
    return cmocka_run_group_tests_name("rng_tails", tests, NULL, NULL);
}
