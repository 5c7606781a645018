/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fit.c - fits of exact laws recover these laws; every kind of measured number is read correctly. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "support/sample.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static struct fit fit;

static void run(const struct claim *c, const struct sample *m)
{
    assert_true(sample_fit(c, m, &fit));
}

static void test_exact_power(void **state)
{
    struct sample m;
    struct claim c = sample_rate(-0.5, 0.1);
    c.deterministic = true;
    for (int points = 3; points <= POINTS; points++) {
        sample_make(&m, points, 1);
        for (int i = 0; i < points; i++)
            m.y[i][0] = 7 * pow(m.point[i].axis, -0.5);
        run(&c, &m);
        assert_int_equal(fit.rate.trouble, RATE_FITTED);
        for (int part = LAW_EXPONENT; part <= LAW_SECOND_HALF; part++) {
            NEAR(fit.rate.part[part].value, -0.5, 1e-13);
            assert_true(fit.rate.part[part].lo == fit.rate.part[part].hi);
        }
        NEAR(fit.rate.law.coefficient[0], 7, 1e-12);
        NEAR(fit.rate.law.share[0], 1, 0);
        NEAR(fit.rate.part[LAW_BEND].value, 0, 1e-12);
        NEAR(fit.rate.scatter, 0, 1e-13);
        assert_false(fit.rate.curved);
    }
    sample_make(&m, 2, 1);
    run(&c, &m);
    assert_int_equal(fit.rate.law.trouble, LAW_FEW_POINTS);
    m.y[1][0] = 0;
    run(&c, &m);
    assert_int_equal(fit.rate.trouble, RATE_NOT_POSITIVE);
    assert_true(fit.rate.trouble_axis == 32);
}

/* If log y = b u + g u^2 with u = log axis, the local slope is b + 2 g u. The bend is therefore 2 g times the
 * length of the window, and the slope of an equally spaced half is the local slope at its middle. */
static void test_exact_parabola(void **state)
{
    struct sample m;
    struct claim c = sample_rate(-1, 0.05);
    c.deterministic = true;
    sample_make(&m, 5, 1);
    for (int i = 0; i < 5; i++) {
        double u = log(m.point[i].axis);
        m.y[i][0] = exp(-0.6 * u - 0.03 * u * u);
    }
    run(&c, &m);
    NEAR(fit.rate.part[LAW_BEND].value, -0.06 * 4 * log(2), 1e-12);
    NEAR(fit.rate.part[LAW_FIRST_HALF].value, -0.6 - 0.06 * 5 * log(2), 1e-12);
    NEAR(fit.rate.part[LAW_SECOND_HALF].value, -0.6 - 0.06 * 7 * log(2), 1e-12);
    NEAR(fit.rate.part[LAW_EXPONENT].value, -0.6 - 0.06 * 6 * log(2), 1e-12);
    assert_true(fit.rate.curved);
    c.band[0] = -1.5;                    /* a band of width 0.55 admits a bend of 0.166 */
    run(&c, &m);
    assert_false(fit.rate.curved);
    c.band[0] = -INFINITY;               /* a one-sided band admits a bend of 0.1 */
    run(&c, &m);
    assert_true(fit.rate.curved);
}

static void test_exact_log(void **state)
{
    struct sample m;
    struct claim c = sample_rate(2, 0.2);
    c.law.form = LAW_LOG;
    c.deterministic = true;
    sample_make(&m, 6, 1);
    for (int i = 0; i < 6; i++)
        m.y[i][0] = 3 * pow(log(m.point[i].axis), 2);
    run(&c, &m);
    NEAR(fit.rate.part[LAW_EXPONENT].value, 2, 1e-12);
    NEAR(fit.rate.law.coefficient[0], 3, 1e-11);
    m.point[0].axis = 1;
    run(&c, &m);
    assert_int_equal(fit.rate.law.trouble, LAW_AXIS);
}

/* The law y = 5 a^-1 + 0.03, a the axis, is found exactly: the third term, a^1, gets the coefficient 0. A straight
 * line in the logarithms would have an exponent near -0.5. */
static void test_exact_sum(void **state)
{
    struct sample m;
    struct claim c = sample_rate(-1, 0.1);
    c.law = (struct law){ .form = LAW_SUM, .terms = 3, .named = 1, .exponent = { 0, -1, 1 } };
    c.deterministic = true;
    sample_make(&m, POINTS, 1);
    for (int i = 0; i < POINTS; i++)
        m.y[i][0] = 5 / m.point[i].axis + 0.03;
    run(&c, &m);
    assert_int_equal(fit.rate.trouble, RATE_FITTED);
    for (int part = LAW_EXPONENT; part <= LAW_SECOND_HALF; part++)
        NEAR(fit.rate.part[part].value, -1, 2e-5);
    NEAR(fit.rate.law.coefficient[0], 0.03, 1e-6);
    NEAR(fit.rate.law.coefficient[1], 5, 1e-4);
    NEAR(fit.rate.law.coefficient[2], 0, 0);
    NEAR(fit.rate.law.share[1], (5.0 / 16) / (5.0 / 16 + 0.03), 1e-6);
    NEAR(fit.rate.part[LAW_BEND].value, 0, 1e-3);
    /* The term 5/a is at least 20% of y if 5/a >= 0.0075, that is for a <= 667. The seventh point of the axis,
     * 1024, is the first point beyond. */
    assert_true(fit.rate.law.carries[5] && !fit.rate.law.carries[6]);

    for (int i = 0; i < POINTS; i++)     /* the term a^-1 is missing from y */
        m.y[i][0] = 0.02 + 1e-4 * m.point[i].axis;
    c.law.terms = 2;
    run(&c, &m);
    assert_true(fit.rate.trouble == RATE_LAW || fabs(fit.rate.part[0].value + 1) > 0.5);
    for (int i = 0; i < POINTS; i++)
        m.y[i][0] = 0.02 + 1e-5 / m.point[i].axis;
    run(&c, &m);
    assert_int_equal(fit.rate.law.trouble, LAW_TERM_ABSENT);
}

/* Even replicates follow one exponent and odd ones another. The fit of the even set and the fit of the odd set must
 * each find the exponent of their own set, also if replicates in the middle of a list are missing. */
static void test_sets(void **state)
{
    struct sample m;
    struct claim c = sample_rate(-0.5, 0.1);
    const int index[3] = { 0, 3, 5 };
    sample_make(&m, 4, 3);
    for (int i = 0; i < 4; i++) {
        m.point[i].replicate = index;
        for (int j = 0; j < 3; j++)
            m.y[i][j] = pow(m.point[i].axis, index[j] & 1 ? -2 : -1);
    }
    run(&c, &m);
    NEAR(fit.rate.strict[0][LAW_EXPONENT].value, -1, 1e-12);
    NEAR(fit.rate.strict[1][LAW_EXPONENT].value, -2, 1e-12);
    assert_true(fit.rate.strict[0][LAW_EXPONENT].lo == -INFINITY);      /* a set of one replicate has no standard
                                                                           error */
    NEAR(fit.rate.strict[1][LAW_SECOND_HALF].lo, -2, 1e-9);
}

/* The slope of the second half of three points is (z_2 - z_1)/log 2, where z is the logarithm of the mean of y at a
 * point. The standard error s is equal at all points, in sets of 8 replicates: there are 14 degrees of freedom, and
 * t(0.995) = 2.976843. s follows from the definition of the jackknife. */
static void test_strict_level(void **state)
{
    struct sample m;
    struct claim c = sample_rate(-0.5, 0.1);
    sample_make(&m, 3, 16);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 16; j++)
            m.y[i][j] = 1 + j / 2;       /* either set has the values 1 .. 8, with the sum 36 */
    run(&c, &m);
    double mean = 0, squares = 0;
    for (int j = 1; j <= 8; j++)
        mean += log((36.0 - j) / 7) / 8;
    for (int j = 1; j <= 8; j++)
        squares += pow(log((36.0 - j) / 7) - mean, 2);
    double s = sqrt(squares * 7 / 8);
    for (int set = 0; set < 2; set++) {
        NEAR(fit.rate.strict[set][LAW_SECOND_HALF].hi, 2.976843 * sqrt(2) * s / log(2), 1e-6);
        NEAR(fit.rate.strict[set][LAW_SECOND_HALF].lo, -fit.rate.strict[set][LAW_SECOND_HALF].hi, 1e-12);
    }
}

/* Two diverged runs of eight make a mean infinite, but not a median; eight make both infinite. NaN and -infinity
 * count as diverged. The law is refuted only where they are at the one point for which it promises the smallest y:
 * the last if y decays, else the first. */
static void test_infinities(void **state)
{
    struct sample m;
    struct claim c = sample_rate(-1, 0.1);
    for (int decays = 0; decays < 2; decays++) {
        c = sample_rate(decays ? -1 : 1, 0.1);
        for (int at = 0; at < 4; at++) {
            sample_make(&m, 4, 8);
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 8; j++)
                    m.y[i][j] = pow(m.point[i].axis, c.law.exponent[0]) * (1 + j);
            m.y[at][2] = NAN;
            m.y[at][3] = -INFINITY;
            run(&c, &m);
            assert_int_equal(fit.point[at].infinite, 2);
            assert_true(fit.point[at].y.value == INFINITY);
            assert_int_equal(fit.rate.trouble, RATE_INFINITE);
            NEAR(fit.rate.trouble_axis, m.point[at].axis, 0);
            assert_true(fit.rate.refuted == (at == (decays ? 3 : 0)));
            c.statistic = STAT_MEDIAN;
            run(&c, &m);
            assert_int_equal(fit.rate.trouble, RATE_FITTED);
            for (int j = 0; j < 8; j++)
                m.y[at][j] = INFINITY;
            run(&c, &m);
            assert_true(fit.point[at].y.value == INFINITY);
            assert_int_equal(fit.rate.trouble, RATE_INFINITE);
            assert_true(fit.rate.refuted == (at == (decays ? 3 : 0)));
            c.statistic = STAT_MEAN;
        }
    }
    m.y[0][3] = 1;                       /* now only one set of replicates diverges */
    for (int j = 0; j < 8; j++)
        m.y[3][j] = 1;
    m.y[0][2] = INFINITY;
    run(&c, &m);
    assert_int_equal(fit.rate.trouble, RATE_INFINITE);
    assert_false(fit.rate.refuted);
}

static void test_bound_ratios(void **state)
{
    struct sample m;
    struct claim c = { .check = CHECK_BOUND, .deterministic = true };
    sample_make(&m, 3, 1);
    for (int i = 0; i < 3; i++) {
        m.y[i][0] = 1;
        m.formula[i][0] = 2 + i % 2;
    }
    run(&c, &m);
    NEAR(fit.point[1].ratio.hi, 1.0 / 3, 1e-15);
    assert_int_equal(fit.worst, 0);

    /* If the claim is about every run, the largest ratio decides and not the mean. For a contradiction the error of
     * y counts in favour of the claim. */
    const double error[2] = { 0, 0.75 };
    c = (struct claim){ .check = CHECK_BOUND, .every_mark = true };
    sample_make(&m, 1, 2);
    m.y[0][0] = 0.5, m.y[0][1] = 1.5, m.formula[0][0] = m.formula[0][1] = 1;
    m.point[0].error = error;
    run(&c, &m);
    NEAR(fit.point[0].ratio.value, 1.5, 0);
    NEAR(fit.point[0].above[0], 0.75, 0);
    NEAR(fit.point[0].ratio.hi, 2.25, 0);    /* for support the error counts against the claim */

    /* Only zero satisfies a bound of zero. */
    m.point[0].error = NULL;
    m.formula[0][0] = m.formula[0][1] = m.y[0][0] = 0;
    run(&c, &m);
    assert_true(fit.point[0].above[1] == INFINITY);
    m.y[0][1] = 0;
    run(&c, &m);
    NEAR(fit.point[0].ratio.hi, 1, 0);
}

static void test_count_and_suspects(void **state)
{
    struct sample m;
    struct claim c = { .check = CHECK_COUNT };
    sample_make(&m, 2, 2);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            m.y[i][j] = m.formula[i][j] = 100;
    m.y[1][0] = 99;
    m.y[1][1] = 110;
    run(&c, &m);
    NEAR(fit.point[0].least, 0, 0);
    NEAR(fit.point[0].most, 0, 0);
    NEAR(fit.point[1].least, -0.01, 1e-15);
    NEAR(fit.point[1].most, 0.1, 1e-15);
    m.formula[0][1] = NAN;
    run(&c, &m);
    assert_true(fit.flaw == FLAW_FORMULA && fit.flaw_axis == 16);
    m.point[1].missing = 1;
    run(&c, &m);
    assert_true(fit.flaw == FLAW_MISSING && fit.flaw_axis == 32 && fit.missing == 1);

    const double error[2] = { 0, 0.5 };
    c = (struct claim){ .check = CHECK_RATE };
    sample_make(&m, 2, 2);
    m.s.nonnegative = true;
    m.point[1].error = error;
    m.y[0][0] = -1e-14, m.y[0][1] = 1, m.y[1][0] = 1, m.y[1][1] = -0.4;
    run(&c, &m);
    assert_int_equal(fit.negative, -1);  /* y is negative, but within its rounding error */
    m.y[1][1] = -0.6;
    run(&c, &m);
    assert_int_equal(fit.negative, 1);

    c.check = CHECK_BOUND;
    c.deterministic = true;
    sample_make(&m, 2, 1);
    m.y[0][0] = m.y[1][0] = 1, m.formula[0][0] = m.formula[1][0] = 2;
    m.point[0].lower = m.lower[0], m.point[1].lower = m.lower[1];
    m.lower[0][0] = 1, m.lower[1][0] = 1.001;
    run(&c, &m);
    assert_int_equal(fit.beaten, 1);
    m.lower[1][0] = NAN;
    run(&c, &m);
    assert_int_equal(fit.beaten, -1);
}

/* If several points are equally bad, the first one is named, and its numbers give the scale with which rounding is
 * compared. */
static void test_first_point(void **state)
{
    struct sample m;
    struct claim c = { .check = CHECK_BOUND };
    sample_make(&m, 2, 8);
    for (int i = 0; i < 2; i++) {
        m.point[i].lower = m.lower[i];
        for (int j = 0; j < 8; j++)
            m.y[i][j] = m.lower[i][j] = 0;
    }
    run(&c, &m);
    assert_int_equal(fit.beaten, -1);    /* nothing beats a lower bound of 0, not even y = 0 */
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 8; j++) {
            m.y[i][j] = 1;
            m.lower[i][j] = 2;
        }
    run(&c, &m);
    assert_int_equal(fit.beaten, 0);

    c = (struct claim){ .check = CHECK_RATE };
    sample_make(&m, 2, 2);
    m.s.nonnegative = true;
    m.y[1][1] = -1e-9;                   /* rounding beside a million at the first point, but not beside 1 */
    for (int large = 0; large < 2; large++) {
        m.y[0][0] = large ? 1e6 : 1;
        run(&c, &m);
        assert_int_equal(fit.negative, large ? -1 : 1);
    }

    const double margin[1] = { 0 };
    c = (struct claim){ .check = CHECK_MOMENT, .sense = SENSE_AT_MOST, .deterministic = true };
    sample_make(&m, 2, 1);
    for (int i = 0; i < 2; i++) {
        m.y[i][0] = 3 - i;
        m.formula[i][0] = 0;
        m.point[i].margin = margin;
    }
    run(&c, &m);
    assert_int_equal(fit.worst, 0);
    NEAR(fit.point[0].zone.outside, 3, 0);   /* without a formula and a margin the scale is 1 */
    NEAR(fit.point[1].zone.outside, 2, 0);
}

static void test_refusals(void **state)
{
    struct arena *work = arena_new(0);
    struct sample m;
    struct rng r = rng_stream(1);
    struct why why;
    struct claim c = sample_rate(-1, 0.1);
    const double bad[] = { 0, -1, NAN, INFINITY, 16, 12 };
    for (int k = 0; k < 6; k++) {
        sample_make(&m, 3, 1);
        m.point[2].axis = bad[k];
        assert_int_equal(fit_claim(&c, &m.s, &r, work, &fit, &why), BAD_INPUT);
    }
    static struct series_point many[FIT_POINTS_MAX + 1];
    const struct series long_one = { .points = FIT_POINTS_MAX + 1, .point = many };
    assert_int_equal(fit_claim(&c, &long_one, &r, work, &fit, &why), BAD_INPUT);
    assert_non_null(strstr(why.text, "65 points"));
    const struct series none = { 0 };
    assert_int_equal(fit_claim(&c, &none, &r, work, &fit, &why), OK);
    assert_int_equal(fit.flaw, FLAW_EMPTY);
    arena_free(work);
}

/* The k-th attempt at a row has 2^-k of each level. Without skewness, limits of 16 numbers of mean m and sd s are m
 * +- t s/4 with Student's t of 15 degrees of freedom at 0.05 2^-k; those of a set of 8 are m +- t s/8^(1/2) with 7
 * degrees at 0.005 2^-k. */
static void test_attempts(void **state)
{
    enum { N = 16, LAST = 4 };
    const double a = 0.25, sd = a * sqrt(N / (N - 1.0)), set_sd = a * sqrt(8 / 7.0);
    double margin[N], above[LAST + 1];
    struct sample m;
    sample_make(&m, 1, N);
    for (int k = 0; k <= LAST; k++) {
        struct claim c = { .check = CHECK_MOMENT, .sense = SENSE_AT_MOST, .axis = "n", .attempt = k };
        double alpha = ldexp(0.05, -k), strict = ldexp(0.005, -k);
        for (int j = 0; j < N; j++) {
            m.y[0][j] = 1 + (j / 2 % 2 ? a : -a);        /* each set has as many values above the mean as below */
            margin[j] = 0;
        }
        m.point[0].margin = margin;
        run(&c, &m);
        const struct fit_zone *z = &fit.point[0].zone;
        above[k] = gsl_cdf_tdist_Qinv(alpha, N - 1) * sd / 4;
        NEAR(z->off.hi, above[k], 1e-9);
        for (int set = 0; set < 2; set++)
            NEAR(z->set[set].lo, -gsl_cdf_tdist_Qinv(strict, 7) * set_sd / sqrt(8.0), 1e-9);
    }
    /* A margin half way between the limits of attempts 1 and 3 is wide enough for attempt 1 only. */
    for (int j = 0; j < N; j++)
        margin[j] = (above[1] + above[3]) / 2;
    for (int k = 1; k <= 3; k += 2) {
        struct claim c = { .check = CHECK_MOMENT, .sense = SENSE_AT_MOST, .axis = "n", .attempt = k };
        run(&c, &m);
        assert_int_equal(fit.point[0].zone.off.hi <= margin[0], k == 1);
    }
}

/* The rounds of a claim share the level of its attempt. The first claim of a row is attempt 1. All attempts
 * together stay below the level. */
static void test_shares(void **state)
{
    double sum = 0;
    assert_true(fit_share(&(struct claim){ .id = "mine/claim" }) == 1);
    assert_true(fit_share(&(struct claim){ .id = "mine/claim", .rounds = 2, .attempt = 3 }) == 1.0 / 16);
    assert_true(fit_share(&(struct claim){ .id = "resque/parallel.lemma1.1.mean.u" }) == 0.5);
    /* For 20 comparisons that are judged together at 99%, the level of each is 0.01/20. At the first attempt it is
     * half of that. */
    assert_float_equal(fit_support_alpha(&(struct claim){ .id = "mine/claim" }), 0.05, 1e-15);
    assert_float_equal(fit_support_alpha(&(struct claim){ .id = "mine/claim", .comparisons = 20 }), 5e-4, 1e-15);
    assert_float_equal(fit_support_alpha(&(struct claim){ .attempt = 1, .comparisons = 20 }), 2.5e-4, 1e-15);
    for (int k = 1; k < 40; k++)
        sum += fit_share(&(struct claim){ .attempt = k });
    assert_true(sum < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_power),        cmocka_unit_test(test_exact_parabola),
        cmocka_unit_test(test_exact_log),          cmocka_unit_test(test_exact_sum),
        cmocka_unit_test(test_sets),               cmocka_unit_test(test_strict_level),
        cmocka_unit_test(test_infinities),
        cmocka_unit_test(test_bound_ratios),
        cmocka_unit_test(test_count_and_suspects), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_first_point),
        cmocka_unit_test(test_attempts),           cmocka_unit_test(test_shares),
    };
    return cmocka_run_group_tests_name("fit", tests, NULL, NULL);
}
