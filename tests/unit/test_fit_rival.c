/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fit_rival.c - comparisons with a rival: ratios of means, signs, differences of exponents. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/sample.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static struct fit fit;

static void run(const struct claim *c, const struct sample *m)
{
    assert_true(sample_fit(c, m, &fit));
}

static void test_order(void **state)
{
    struct sample m;
    struct claim c = { .check = CHECK_ORDER };
    sample_make(&m, 1, 8);
    for (int j = 0; j < 8; j++) {
        m.y[0][j] = 1 + j;
        m.rival[0][j] = (1 + j) * exp(1 + (j & 1 ? 0.1 : -0.1));
    }
    run(&c, &m);
    assert_true(fit.point[0].wins == 8 && fit.point[0].losses == 0 && fit.point[0].ties == 0);
    /* The sum of y is 36; that of the rivals is 16 exp(0.9) + 20 exp(1.1). */
    NEAR(fit.point[0].ratio.value, 36 / (16 * exp(0.9) + 20 * exp(1.1)), 1e-12);
    assert_true(fit.point[0].ratio.hi < exp(-1 + 0.2) && fit.point[0].ratio.lo > exp(-1 - 0.2));
    assert_true(fit.point[0].above[0] < 1 && !fit.point[0].by_sign);
    m.rival[0][3] = NAN;                 /* the rival diverged once: the sign test decides, with level 2^-8 */
    run(&c, &m);
    assert_true(fit.point[0].by_sign && fit.point[0].ratio.hi < 1);
    m.y[0][3] = INFINITY;                /* both y and the rival diverged, which counts as a tie */
    m.y[0][4] = INFINITY;                /* y alone diverged */
    run(&c, &m);
    assert_true(fit.point[0].wins == 6 && fit.point[0].losses == 1 && fit.point[0].ties == 1);
    assert_true(fit.point[0].ratio.hi == 1);     /* the limit is the second largest of 8 ratios: a fair coin gives
                                                    at most one head in 9 of 256 outcomes */
    /* 5 wins of 5 have probability (1/2)^5 for equal methods, and reach the level of 5%; 4 wins of 4 do not. */
    for (int reps = 4; reps <= 5; reps++) {
        sample_make(&m, 1, reps);
        for (int j = 0; j < reps; j++)
            m.y[0][j] = 0.5;
        m.rival[0][0] = INFINITY;
        run(&c, &m);
        assert_true((fit.point[0].ratio.hi < 1) == (reps == 5));
    }
}

/* Arithmetic means decide, not geometric ones: y is below the rival in 12 of 16 runs and has the smaller
 * geometric mean, but the larger mean. Zeros are allowed. */
static void test_order_of_means(void **state)
{
    struct sample m;
    struct claim c = { .check = CHECK_ORDER };
    sample_make(&m, 1, 16);
    for (int j = 0; j < 16; j++)
        m.y[0][j] = j % 4 == 3 ? 8 : 0.25;
    run(&c, &m);
    NEAR(fit.point[0].ratio.value, (12 * 0.25 + 4 * 8) / 16.0, 1e-14);
    assert_true(fit.point[0].ratio.hi > 1 && fit.point[0].wins == 12);
    for (int j = 0; j < 16; j++)
        m.y[0][j] = j % 2 ? 0 : 0.5;     /* the differences have mean -3/4 and standard deviation 1/4 sqrt(16/15) */
    run(&c, &m);
    NEAR(fit.point[0].ratio.value, 0.25, 1e-15);
    NEAR(fit.point[0].ratio.hi, 0.25 + 1.753050 * 0.25 * sqrt(16.0 / 15) / 4, 1e-6);
    for (int j = 0; j < 16; j++) {       /* a common factor changes no ratio */
        m.y[0][j] *= 3;
        m.rival[0][j] = 3;
    }
    run(&c, &m);
    NEAR(fit.point[0].ratio.value, 0.25, 1e-15);
    NEAR(fit.point[0].ratio.hi, 0.25 + 1.753050 * 0.25 * sqrt(16.0 / 15) / 4, 1e-6);
    NEAR(fit.point[0].ratio.lo, 0.25 - 1.753050 * 0.25 * sqrt(16.0 / 15) / 4, 1e-6);
    c.statistic = STAT_MEDIAN;
    for (int j = 0; j < 16; j++) {
        m.y[0][j] = 0.1;
        m.rival[0][j] = 0.5;
    }
    run(&c, &m);
    NEAR(fit.point[0].ratio.value, 0.2, 1e-15);
    c.statistic = STAT_MEAN;
    c.deterministic = true;
    for (int j = 0; j < 16; j++) {
        m.y[0][j] = 3;
        m.rival[0][j] = 3 + 1e-13;
    }
    run(&c, &m);
    assert_true(fit.point[0].ratio.hi == 1 && fit.point[0].ties == 16);
    for (int j = 0; j < 16; j++)         /* the rival alone differs between replicates: every run counts */
        m.rival[0][j] = j == 1 ? 12 : j == 2 ? 4 : 6;
    run(&c, &m);
    NEAR(fit.point[0].ratio.lo, 0.25, 0);
    NEAR(fit.point[0].ratio.hi, 0.75, 0);
}

/* A difference within the error of the certificate is a tie, in one run and in many. */
static void test_order_of_uncertain(void **state)
{
    struct sample m;
    struct claim c = { .check = CHECK_ORDER };
    double error[16];
    for (int deterministic = 0; deterministic < 2; deterministic++)
        for (int known = 0; known < 3; known++) {
            c.deterministic = deterministic;
            sample_make(&m, 1, deterministic ? 1 : 16);
            for (int j = 0; j < m.point[0].reps; j++) {
                m.y[0][j] = 1 + 1e-3 * j;
                m.rival[0][j] = 2 + 1e-3 * j;
                error[j] = (const double[]){ 0.9, 1.1, INFINITY }[known];
            }
            m.point[0].error = error;
            run(&c, &m);
            assert_true((fit.point[0].ratio.hi < 1) == (known == 0));
            assert_int_equal(fit.point[0].ties, known == 0 ? 0 : m.point[0].reps);
            for (int j = 0; j < m.point[0].reps; j++)
                m.y[0][j] += 2;
            run(&c, &m);
            assert_true((fmin(fit.point[0].above[0], fit.point[0].above[1]) > 1) == (known == 0));
        }
}

/* Returns the standard deviation of the logarithms of x[n]. */
static double deviation_of_logs(int n, const double *x)
{
    double mean = 0, squares = 0;
    for (int k = 0; k < n; k++)
        mean += log(x[k]) / n;
    for (int k = 0; k < n; k++)
        squares += (log(x[k]) - mean) * (log(x[k]) - mean);
    return sqrt(squares / (n - 1));
}

/* The ratio y/rival is exactly 2 axis^(-1/12). y and rival have a common random factor, which would hide the
 * exponent of either of them alone. */
static void test_difference_of_exponents(void **state)
{
    struct sample m;
    struct rng r = rng_stream(41);
    struct claim c = sample_rate(-1.0 / 12, 0.04);
    for (int rival = 0; rival < 2; rival++) {
        c.than.algo = rival ? "rival" : NULL;
        sample_make(&m, 6, 16);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 16; j++) {
                double f = sample_lognormal(&r, 1.5);
                m.y[i][j] = 2 * f * pow(m.point[i].axis, -1.0 / 3);
                m.rival[i][j] = f * pow(m.point[i].axis, -0.25);
            }
        run(&c, &m);
        struct estimate e = fit.rate.part[LAW_EXPONENT];
        if (!rival) {
            assert_true(e.hi - e.lo > 0.1);
            continue;
        }
        NEAR(e.value, -1.0 / 12, 1e-12);
        struct estimate strict = fit.rate.strict[1][LAW_EXPONENT];
        assert_true(e.hi - e.lo < 1e-9 && strict.hi - strict.lo < 1e-9);
        NEAR(fit.rate.law.coefficient[0], 2, 1e-10);
        NEAR(fit.point[3].ratio.value, 2 * pow(128, -1.0 / 12), 1e-12);
        NEAR(fit.point[3].ratio.lo, fit.point[3].ratio.value, 1e-9);
        NEAR(fit.point[0].spread.log_sd, deviation_of_logs(16, m.y[0]), 1e-12);
    }
    c.statistic = STAT_MEDIAN;           /* medians are compared without pairing, and are unbiased */
    run(&c, &m);
    struct estimate e = fit.rate.part[LAW_EXPONENT];
    assert_true(e.lo < -1.0 / 12 && e.hi > -1.0 / 12);
    for (int i = 0; i < 6; i++)          /* every point has the interval of its ratio */
        assert_true(fit.point[i].ratio.lo < fit.point[i].ratio.value &&
                    fit.point[i].ratio.hi > fit.point[i].ratio.value);
    c.statistic = STAT_MEAN;
    m.rival[2][5] = INFINITY;            /* a rival that diverges counts as infinite */
    run(&c, &m);
    assert_true(fit.rate.trouble == RATE_NOT_POSITIVE && !fit.rate.refuted);
    for (int j = 0; j < 16; j++)
        m.y[5][j] = INFINITY;
    m.rival[2][5] = 1;
    run(&c, &m);
    assert_true(fit.rate.trouble == RATE_INFINITE && fit.rate.refuted);
}

/* The means of y and of the rival are 100 times the error of the optimum, then one of them is less than 10 times. A
 * formula divides y and its error, but not the rival. */
static void test_rival_within_the_error(void **state)
{
    struct sample m;
    struct claim c = sample_rate(0, 0.1);
    double error[8];
    c.than.algo = "rival";
    for (int divided = 0; divided < 2; divided++) {
        double factor = divided ? 1e3 : 1;
        for (int k = 0; k < 3; k++) {
            sample_make(&m, 4, 8);
            for (int j = 0; j < 8; j++) {
                error[j] = 0.01 / factor;
                for (int i = 0; i < 4; i++) {
                    m.y[i][j] = (k == 1 && i == 2 ? 0.09 : 1) / factor;
                    m.rival[i][j] = k == 2 && i == 2 ? 0.09 : 1;
                    m.formula[i][j] = factor;
                }
            }
            m.point[2].error = error;
            run(&c, &m);
            assert_int_equal(fit.rate.trouble, k ? RATE_UNCERTAIN : RATE_FITTED);
            assert_true(!k || fit.rate.trouble_axis == m.point[2].axis);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order), cmocka_unit_test(test_order_of_means),
        cmocka_unit_test(test_order_of_uncertain),
        cmocka_unit_test(test_difference_of_exponents),
        cmocka_unit_test(test_rival_within_the_error),
    };
    return cmocka_run_group_tests_name("fit_rival", tests, NULL, NULL);
}
